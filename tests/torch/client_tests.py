#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs test files of op-plugin or torch_npu as they are, from a checkout of theirs.

usage: client_tests.py CHECKOUT [REGEX] [options]
       CHECKOUT: of op-plugin or torch_npu, the tag of the wheel that is installed
       REGEX:    of paths below its folder `test` (default: the tests of the operators that anyacl
                 began with)

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

FIRST = (r"test_(npu_dynamic_quant|npu_dynamic_quant_asymmetric|npu_fused_infer_attention_score|"
         r"npu_fused_infer_attention_score_v2|npu_grouped_matmul_swiglu_quant|"
         r"npu_grouped_matmul_swiglu_quant_v2|group_norm|group_norm_backward|"
         r"npu_ffn_worker_\w+|npu_attention_worker_\w+)\.py$")


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
    """What the tests of a file came to, by counts, and all that they wrote."""
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
        return {"ERROR": 1}, f"{text}\n{end}"
    found = dict(re.findall(r"(\w+)=(\d+)", summary.group(1) or ""))
    counts = {"FAIL": int(found.get("failures", 0)), "ERROR": int(found.get("errors", 0)),
              "skipped": int(found.get("skipped", 0))}
    return {"ok": int(ran.group(1)) - sum(counts.values()), **counts}, text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("checkout")
    parser.add_argument("regex", nargs="?", default=FIRST)
    parser.add_argument("--timeout", type=float, default=600, help="seconds for a file")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--soc", default="Ascend910B3",
                        help="the chip (default: the one that most of these tests are for)")
    parser.add_argument("--keep-skips", action="store_true")
    parser.add_argument("--part", default="0/1", help="I/N: every N-th file, from the I-th")
    parser.add_argument("--logs", help="a folder for what the files that fail write")
    options = parser.parse_args()
    os.environ.setdefault("ANYACL_SOC_NAME", options.soc)
    root = os.path.join(os.path.abspath(options.checkout), "test")
    first, step = map(int, options.part.split("/"))
    files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(root)
                   for name in names
                   if name.endswith(".py") and re.search(options.regex, os.path.join(folder, name)))
    load(options.keep_skips)
    totals = {"ok": 0, "FAIL": 0, "ERROR": 0, "skipped": 0}
    for file in files[first::step]:
        counts, text = outcome(file, options.timeout)
        for what, count in counts.items():
            totals[what] += count
        print(f"{os.path.relpath(file, root):64} " +
              ", ".join(f"{count} {what}" for what, count in counts.items() if count), flush=True)
        if counts.get("FAIL") or counts.get("ERROR"):
            if options.verbose:
                print("\n".join(text.splitlines()[-60:]))
            if options.logs:
                name = os.path.relpath(file, root).replace("/", "-") + ".log"
                with open(os.path.join(options.logs, name), "w", encoding="utf-8") as log:
                    log.write(text)
    bad = totals["FAIL"] + totals["ERROR"]
    print(f"{totals['ok']} passed, {bad} failed, {totals['skipped']} skipped")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
