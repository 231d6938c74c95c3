# SPDX-License-Identifier: Apache-2.0
"""Fine-tuning by client libraries: losses on "npu" against those on PyTorch's CPU.

usage: python fine_tuning_programs.py [REGEX]

Tiny models with random weights and data made here are trained by trl, LLaMA-Factory, torchtune,
sentence-transformers and Lightning, and loaded by bitsandbytes and HQQ. Programs of a library that
is not installed are left out, and counted as skipped. LLaMA-Factory is taken from the checkout
that the variable LLAMA_FACTORY names.

The processes of the CPU do not see torch_npu: the libraries choose the NPU wherever it is. Numbers
that a program draws come from the CPU's generator on both sides, dropout is off.

Tolerances are relative to the largest number of a kind: 1e-4 for fp32, whose sums are taken in
another order and whose gradients are divided by their size in Adam's first steps; 4e-3, half a
place of bf16, for trainings with bf16, 1e-3 for fp16.
"""

import contextlib
import importlib.machinery
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import fine_tuning_libraries  # registers its programs
import fine_tuning_trl  # the same
from fine_tuning_sides import (PROGRAMS, Side, available, draw_on_the_cpu, forget_precision,
                               make_data, make_models)

LONGEST = 600  # seconds that a program may take


def hide_torch_npu():
    find = importlib.machinery.PathFinder.find_spec.__func__

    def find_spec(cls, name, path=None, target=None):
        return None if name.split(".")[0] == "torch_npu" else find(cls, name, path, target)
    importlib.machinery.PathFinder.find_spec = classmethod(find_spec)


def work(device, folder, names):
    if device == "cpu":
        hide_torch_npu()
    import torch
    import transformers
    transformers.utils.logging.set_verbosity_error()
    with contextlib.redirect_stdout(sys.stderr):
        if device == "cpu" and not os.path.exists(f"{folder}/judge"):
            make_models(folder)
        draw_on_the_cpu()
    for name in names:
        function, settings, _, _ = PROGRAMS[name]
        side = Side(device, folder)
        shutil.rmtree(side.out, ignore_errors=True)
        random.seed(7)
        torch.manual_seed(7)
        begin = time.monotonic()
        with contextlib.redirect_stdout(sys.stderr):
            forget_precision()
            try:
                result = function(side, **settings)
            except Exception as error:
                result = f"{type(error).__name__}: {' '.join(str(error).split())[:500]}"
        record = {"program": name, "result": result, "seconds": time.monotonic() - begin}
        print(json.dumps(record), flush=True)
    os._exit(0)  # torch_npu sleeps for seconds when a process ends in the usual way


def run_process(device, folder, names, report):
    """Runs programs on one device and reports each; returns how the process ended."""
    environment = dict(
        os.environ, TORCHINDUCTOR_COMPILE_THREADS="1", TASK_QUEUE_ENABLE="0", HF_HUB_OFFLINE="1",
        TOKENIZERS_PARALLELISM="false", WANDB_DISABLED="true", DISABLE_VERSION_CHECK="1",
        HF_HOME=f"{folder}/cache_{device}")
    if device == "cpu":
        environment["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0"
    with tempfile.TemporaryFile("w+") as errors, subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), "--work", device, folder,
             json.dumps(names)], stdout=subprocess.PIPE, stderr=errors, env=environment,
            cwd=folder, text=True) as process:
        while True:
            timer = threading.Timer(LONGEST, process.kill)
            timer.start()
            line = process.stdout.readline()
            timer.cancel()
            if not line:
                break
            if line.startswith('{"program"'):
                report(json.loads(line))
        process.wait()
        errors.seek(0)
        return f"exit status {process.returncode}: {' '.join(errors.read().split())[-300:]}"


def run_side(device, folder, names, report):
    """Runs all programs on one device; after one that ends its process, the others in another."""
    waiting = list(names)

    def told(record):
        waiting.remove(record["program"])
        report(record)

    while waiting:
        end = run_process(device, folder, list(waiting), told)
        if waiting:
            told({"program": waiting[0], "result": end, "seconds": 0})


def difference(actual, expected):
    """The largest relative to the largest number of its kind, and what is wrong otherwise."""
    worst = 0.0
    if not any(expected.values()):
        return worst, "nothing was logged"
    for kind, numbers in expected.items():
        if len(actual[kind]) != len(numbers):
            return worst, f"{len(actual[kind])} x {kind}, expected {len(numbers)}"
        # Rewards are differences of logps, and as exact as these.
        scale = expected["logps/chosen"] if kind == "rewards/chosen" else numbers
        largest = max((abs(x) for x in scale), default=0) + 1e-3
        for x, y in zip(actual[kind], numbers):
            if not abs(x - y) <= largest * 1e9:
                return worst, f"{kind} = {x}, expected {y}"
            worst = max(worst, abs(x - y) / largest)
    return worst, ""


def verdict(name, actual, expected):
    """What is wrong, if anything, and the largest difference."""
    results = {"npu": actual["result"], "cpu": expected["result"]}
    if any(isinstance(result, str) for result in results.values()):
        return "; ".join(f"{device}: {result}" for device, result in results.items()
                         if isinstance(result, str)), 0
    worst, words = difference(*results.values())
    tolerance = PROGRAMS[name][2]
    if not words and worst > tolerance:
        words = f"differs by {worst:.1e}, more than {tolerance:.0e}"
    return words, worst


def judge(names, folder):
    expected = {}
    run_side("cpu", folder, names,
             lambda record: expected.update({record["program"]: record}))
    counts = {"PASS": 0, "FAIL": 0}

    def report(record):
        name = record["program"]
        words, worst = verdict(name, record, expected[name])
        counts["FAIL" if words else "PASS"] += 1
        if words:
            print(f"FAIL {name}: {words}", flush=True)
        else:
            print(f"PASS {name}: {worst:.1e}, {record['seconds']:.1f} s", flush=True)

    run_side("npu", folder, names, report)
    return counts["PASS"], counts["FAIL"]


def main():
    regex = sys.argv[1] if len(sys.argv) > 1 else ""
    chosen = [name for name in PROGRAMS if re.search(regex, name)]
    names = [name for name in chosen if available(PROGRAMS[name][3])]
    for library in sorted({PROGRAMS[name][3] for name in chosen if name not in names}):
        print(f"skipped: {library} is not installed")
    with tempfile.TemporaryDirectory() as folder:
        make_data(folder)
        passed, failed = judge(names, folder)
    print(f"{passed} passed, {failed} failed, {len(chosen) - len(names)} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(sys.argv[2], sys.argv[3], json.loads(sys.argv[4]))
    sys.exit(main())
