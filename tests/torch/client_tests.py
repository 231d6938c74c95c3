#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs test files of op-plugin or torch_npu as they are, from a checkout of theirs.

usage: client_tests.py CHECKOUT [REGEX] [options]
       CHECKOUT: of op-plugin or torch_npu, the tag of the wheel that is installed
       REGEX:    of paths below its folder `test` (default: the tests of the operators that anyacl
                 began with, each of which must be there)
       --known:  a file of tests that fail, with the reason: lines of path, test (* for a file that
                 does not come to its end) and words. Whatever else fails is a failure.

Their unconditional skips ("until CANN supports it") and their choice of devices are taken away while
they run; whatever else they do or compare is theirs. Each file runs in a process of its own, forked
from one that has imported torch and torch_npu.
"""

import argparse
import multiprocessing
import os
import re
import sys
import tempfile

# op-plugin's tests of the operators that anyacl began with.
FIRST = ("test_base_ops/test_format_cast.py", "test_base_ops/test_group_norm.py",
         "test_base_ops/test_group_norm_backward.py",
         *(f"test_custom_ops/test_npu_{name}.py" for name in (
             "dynamic_quant", "dynamic_quant_asymmetric", "fused_infer_attention_score",
             "fused_infer_attention_score_v2", "fused_infer_attention_score_with_workspace",
             "fused_infer_attention_score_v2_with_workspace", "grouped_matmul_swiglu_quant")))
# Of functions that torch_npu 2.8 does not have.
FIRST_OF_LATER = ("test_custom_ops/test_npu_grouped_matmul_swiglu_quant_v2.py",
                  "test_custom_ops/test_ffn_worker_schedule.py",
                  "test_custom_ops/test_attention_worker_schedule.py")


class Everywhere:
    """A decorator for a choice of devices or versions that chooses nothing."""

    def __init__(self, *names):
        pass

    def __call__(self, test):
        return test


def load(keep_skips):
    """What every file imports, once, and no skips."""
    import importlib
    import unittest
    sys.argv = sys.argv[:1]  # PyTorch's own test module keeps what it finds here for its runs
    common_utils = importlib.import_module("torch_npu.testing.common_utils")
    if not keep_skips:
        unittest.skip = lambda reason: lambda test: test
        for name in ("SupportedDevices", "SkipIfNotGteCANNVersion"):
            if hasattr(common_utils, name):
                setattr(common_utils, name, Everywhere)


def known_failures(path):
    """{path of a file: {test: reason}}"""
    known = {}
    if path:
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    name, test, reason = line.strip().split(None, 2)
                    known.setdefault(name, {})[test] = reason
    return known


def chosen(root, regex):
    """The files, and those that should be there and are not."""
    files = sorted(os.path.relpath(os.path.join(folder, name), root)
                   for folder, _, names in os.walk(root) for name in names if name.endswith(".py"))
    if regex:
        return [name for name in files if re.search(regex, name)], []
    torch_npu = sys.modules["torch_npu"]
    later = FIRST_OF_LATER if hasattr(torch_npu, "ffn_worker_scheduler") else ()
    return ([name for name in files if name in FIRST + later],
            [name for name in FIRST + later if name not in files])


def run(path, output):
    """In a process of its own: the file as if it were called."""
    import runpy
    with open(output, "wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    sys.argv = [path, "-v"]
    os.chdir(os.path.dirname(path))
    sys.path.insert(0, os.path.dirname(path))
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit:
        pass
    except BaseException:  # pylint: disable=broad-except  # shown as any test's end would be
        import traceback
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # torch_npu sleeps for seconds at an ordinary end


def outcome(path, timeout):
    """What the tests of a file came to, by counts, the names of those that failed, and all that they
    wrote."""
    with tempfile.NamedTemporaryFile() as output:
        process = multiprocessing.get_context("fork").Process(target=run, args=(path, output.name))
        process.start()
        process.join(timeout)
        late = process.is_alive()
        if late:
            process.kill()
            process.join()
        text = output.read().decode(errors="replace")
    ran = re.search(r"^Ran (\d+) test", text, re.M)
    summary = re.search(r"^(?:OK|FAILED)(?: \((.*)\))?$", text, re.M)
    if not ran or not summary or process.exitcode:
        end = f"no end within {timeout:.0f} s" if late else f"status {process.exitcode}"
        return {"ERROR": 1}, {"*"}, f"{text}\n{end}"
    # A test with subtests is named once for each that fails.
    failed = {kind: set(re.findall(rf"^{kind}: (\w+ \([\w.]+\))", text, re.M))
              for kind in ("FAIL", "ERROR")}
    failed["FAIL"] -= failed["ERROR"]
    skipped = re.search(r"skipped=(\d+)", summary.group(1) or "")
    counts = {"FAIL": len(failed["FAIL"]), "ERROR": len(failed["ERROR"]),
              "skipped": int(skipped.group(1)) if skipped else 0}
    names = {name.split()[0] for tests in failed.values() for name in tests}
    return {"ok": int(ran.group(1)) - sum(counts.values()), **counts}, names, text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("checkout")
    parser.add_argument("regex", nargs="?")
    parser.add_argument("--known")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for a file")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--soc", default="Ascend910B3",
                        help="the chip (default: the one that most of these tests are for)")
    parser.add_argument("--keep-skips", action="store_true")
    parser.add_argument("--part", default="0/1", help="I/N: every N-th file, from the I-th")
    parser.add_argument("--logs", help="a folder for what the files that fail write")
    options = parser.parse_intermixed_args()
    if options.logs:
        os.makedirs(options.logs, exist_ok=True)
    os.environ.setdefault("ANYACL_SOC_NAME", options.soc)
    root = os.path.join(os.path.abspath(options.checkout), "test")
    first, step = map(int, options.part.split("/"))
    known = known_failures(options.known)
    load(options.keep_skips)
    files, absent = chosen(root, options.regex)
    for name in absent:
        print(f"{name:64} is not there")
    totals = {"ok": 0, "FAIL": 0, "ERROR": 0, "skipped": 0}
    expected, unexpected = 0, len(absent)
    for name in files[first::step]:
        counts, failed, text = outcome(os.path.join(root, name), options.timeout)
        for what, count in counts.items():
            totals[what] += count
        print(f"{name:64} " +
              ", ".join(f"{count} {what}" for what, count in counts.items() if count), flush=True)
        reasons = known.get(name, {})
        for test in sorted(failed):
            reason = reasons.get(test)
            expected += reason is not None
            unexpected += reason is None
            print(f"  {test}: {reason or 'NOT KNOWN TO FAIL'}", flush=True)
        if counts.get("FAIL") or counts.get("ERROR"):
            if options.verbose:
                print("\n".join(text.splitlines()[-60:]))
            if options.logs:
                log_name = name.replace("/", "-") + ".log"
                with open(os.path.join(options.logs, log_name), "w", encoding="utf-8") as log:
                    log.write(text)
    print(f"{totals['ok']} passed, {unexpected} failed, {totals['skipped']} skipped, "
          f"{expected} known to fail")
    return 1 if unexpected or not files else 0


if __name__ == "__main__":
    sys.exit(main())
