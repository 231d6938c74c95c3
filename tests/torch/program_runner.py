# SPDX-License-Identifier: Apache-2.0
"""What models.py and programs.py share: programs run in worker processes, so that one that crashes
or hangs takes only itself along, and each ends as passed, failed or not offered."""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import threading


def options_of(description):
    parser = argparse.ArgumentParser(description=description.split("\n\n")[0])
    parser.add_argument("regex", nargs="?", default="", help="of the names that are printed")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one program")
    parser.add_argument("--part", default="0/1", help="I/N: every N-th, beginning with the I-th")
    parser.add_argument("--json", help="a file for what came of each program")
    parser.add_argument("--verbose", action="store_true", help="print what passed, too")
    parser.add_argument("--run", help=argparse.SUPPRESS)
    return parser.parse_args()


def without_torch_npu(names):
    """names() while torch loads no torch_npu at its import: names need none of its seconds."""
    variable = "TORCH_DEVICE_BACKEND_AUTOLOAD"
    before = os.environ.get(variable)
    os.environ[variable] = "0"
    try:
        return names()
    finally:
        del os.environ[variable]
        if before is not None:
            os.environ[variable] = before


def run_process(script, names, timeout, report, **variables):
    """Runs `script --run NAMES` and calls report(name, result) for each; returns how it ended."""
    # torch_npu's import starts processes that would compile for torch.compile: seconds for nothing.
    environment = dict(os.environ, PYTHONUNBUFFERED="1", TORCHINDUCTOR_COMPILE_THREADS="1",
                       **variables)
    with tempfile.TemporaryFile() as errors, subprocess.Popen(
            [sys.executable, os.path.abspath(script), "--run", json.dumps(names)],
            stdout=subprocess.PIPE, stderr=errors, env=environment,
            cwd=tempfile.gettempdir()) as process:
        late = threading.Event()

        def stop():
            late.set()
            process.kill()

        while True:
            timer = threading.Timer(timeout, stop)
            timer.start()
            line = process.stdout.readline()
            timer.cancel()
            if not line:
                break
            if line.startswith(b'{"program":'):
                record = json.loads(line)
                report(record["program"], record["result"])
        process.wait()
        errors.seek(0)
        words = " ".join(errors.read().decode(errors="replace").split())[-300:]
    end = f"longer than {timeout:.0f} s" if late.is_set() else f"exit status {process.returncode}"
    return f"{end}: {words}"


def run_group(script, group, timeout, report, **variables):
    """Runs programs in one process, and what is left in another when a program ends it."""
    waiting = list(group)
    while waiting:
        results = []

        def told(name, result):
            waiting.remove(name)
            results.append(result)
            report(name, result)

        end = run_process(script, waiting, timeout, told, **variables)
        if waiting and all(result == "ok" for result in results):  # none said why it ended
            report(waiting.pop(0), end)


def judge(script, groups, options, refused):
    """Runs each group of programs in a process of its own and prints the verdicts.

    refused: what cannot run -> words that its exception must have. Returns the exit status.
    """
    verdicts = collections.Counter()
    records = []

    def report(name, result):
        known = name in refused and re.search(refused[name], result)
        verdict = "passed" if result == "ok" else "not offered" if known else "FAILED"
        if verdict == "passed" and name in refused:
            result = "ok, so it can be taken off the list of what is not offered"
        verdicts[verdict] += 1
        records.append({"program": name, "verdict": verdict, "result": result})
        if verdict != "passed" or result != "ok" or options.verbose:
            print(f"{verdict:11} {name}: {result[:600]}", flush=True)

    part, parts = (int(n) for n in options.part.split("/"))
    groups = groups[part::parts]
    for group in groups:
        run_group(script, [name for name in group if name not in refused], options.timeout, report)
    # torch_npu's queue runs nothing more after an error; without it an exception has no effects.
    run_group(script, [name for group in groups for name in group if name in refused],
              options.timeout, report, TASK_QUEUE_ENABLE="0")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(records, file, indent=0)
    print(f"{verdicts['passed']} passed, {verdicts['FAILED']} failed, "
          f"{verdicts['not offered']} not offered")
    return 1 if verdicts["FAILED"] or not verdicts else 0


def work(names, run):
    """In the worker: run(name) of each; an exception is the program's failure, and with torch_npu's
    queue the end of the process."""
    for name in json.loads(names):
        result = "ok"
        try:
            run(name)
        except Exception as error:
            result = f"{type(error).__name__}: {' '.join(str(error).split())[:700]}"
        print(json.dumps({"program": name, "result": result}), flush=True)
        if result != "ok" and os.environ.get("TASK_QUEUE_ENABLE") != "0":
            break
    os._exit(0)  # torch_npu sleeps for seconds when a process ends in the usual way


def agree(what, actual, expected, tolerance):
    """Numbers to `tolerance` of the largest expected one, everything else exactly."""
    import torch
    actual, expected = actual.detach().cpu(), expected.detach()
    assert actual.shape == expected.shape, \
        f"{what}: {tuple(actual.shape)}, expected {tuple(expected.shape)}"
    if not (expected.is_floating_point() or expected.is_complex()):
        assert actual.dtype == expected.dtype, f"{what}: {actual.dtype}, expected {expected.dtype}"
        assert torch.equal(actual, expected), f"{what}: {actual}, expected {expected}"
        return
    kind = torch.complex128 if expected.is_complex() else torch.float64
    actual, expected = actual.to(kind), expected.to(kind)
    finite = torch.isfinite(expected)
    same = torch.equal(actual.isnan(), expected.isnan()) and \
        torch.equal(actual[expected.isinf()], expected[expected.isinf()])
    assert same, f"{what}: NaN or infinities at other places: {actual}, expected {expected}"
    if not bool(finite.any()):
        return
    largest = float(expected[finite].abs().max()) + 1e-6
    error = float((actual - expected)[finite].abs().max()) / largest
    assert error <= tolerance, f"{what}: relative error {error:.1e}"
