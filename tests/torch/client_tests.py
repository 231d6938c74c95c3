#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs test files of op-plugin or torch_npu as they are, from a checkout of theirs.

usage: client_tests.py CHECKOUT [REGEX] [--timeout S] [--verbose]
       CHECKOUT: of op-plugin or torch_npu, the tag of the wheel that is installed
       REGEX:    of paths below its folder `test` (default: the tests of the operators that anyacl
                 began with)

Their unconditional skips ("until CANN supports it") and their choice of devices are taken away while
they run; whatever else they do or compare is theirs. Each file runs in a process of its own.
"""

import argparse
import os
import re
import subprocess
import sys

FIRST = (r"test_(npu_dynamic_quant|npu_dynamic_quant_asymmetric|npu_fused_infer_attention_score|"
         r"npu_fused_infer_attention_score_v2|npu_grouped_matmul_swiglu_quant|"
         r"npu_grouped_matmul_swiglu_quant_v2|group_norm|group_norm_backward|"
         r"npu_ffn_worker_\w+|npu_attention_worker_\w+)\.py$")


def run(path):
    """In the process of one file: unittest and torch_npu without their skips, then the file."""
    import runpy
    import unittest
    unittest.skip = lambda reason: lambda test: test
    import importlib
    common_utils = importlib.import_module("torch_npu.testing.common_utils")

    class Everywhere:
        def __init__(self, *names):
            pass

        def __call__(self, test):
            return test

    for name in ("SupportedDevices", "SkipIfNotGteCANNVersion"):
        if hasattr(common_utils, name):
            setattr(common_utils, name, Everywhere)
    sys.argv = [path, "-v"]
    os.chdir(os.path.dirname(path))
    sys.path.insert(0, os.path.dirname(path))
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit:
        pass
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("checkout")
    parser.add_argument("regex", nargs="?", default=FIRST)
    parser.add_argument("--timeout", type=float, default=600)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--run", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        run(options.checkout)
    root = os.path.join(os.path.abspath(options.checkout), "test")
    files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(root)
                   for name in names if re.search(options.regex, os.path.join(folder, name)))
    totals = {"ok": 0, "FAIL": 0, "ERROR": 0, "skipped": 0}
    for file in files:
        command = [sys.executable, os.path.abspath(__file__), "--run", file]
        # The chip that most of these tests are for; the default forbids the formats they ask for.
        environment = dict(os.environ)
        environment.setdefault("ANYACL_SOC_NAME", "Ascend910B3")
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=options.timeout, env=environment)
            text, end = done.stdout.decode(errors="replace"), done.returncode
        except subprocess.TimeoutExpired as late:
            text, end = (late.stdout or b"").decode(errors="replace"), "timeout"
        ran = re.search(r"^Ran (\d+) test", text, re.M)
        summary = re.search(r"^(?:OK|FAILED)(?: \((.*)\))?$", text, re.M)
        if not ran or not summary or end:
            counts = {"ERROR": 1}
        else:
            found = dict(re.findall(r"(\w+)=(\d+)", summary.group(1) or ""))
            counts = {"FAIL": int(found.get("failures", 0)), "ERROR": int(found.get("errors", 0)),
                      "skipped": int(found.get("skipped", 0))}
            counts["ok"] = int(ran.group(1)) - sum(counts.values())
        for outcome, count in counts.items():
            totals[outcome] += count
        print(f"{os.path.relpath(file, root):64} " +
              ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count),
              flush=True)
        if options.verbose and (counts.get("FAIL") or counts.get("ERROR")):
            print("\n".join(text.splitlines()[-60:]))
    bad = totals["FAIL"] + totals["ERROR"]
    print(f"{totals['ok']} passed, {bad} failed, {totals['skipped']} skipped")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
