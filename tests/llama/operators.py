#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs ggml's test-backend-ops against its CANN backend, an operator at a time.

usage: operators.py TEST_BACKEND_OPS [--part I/N] [OPERATOR...]
Each case compares the backend's result with that of ggml's CPU backend. Cases that the backend
claims and cannot compute on any device are counted apart (IMPOSSIBLE). --part: every Nth case of
each operator, from the Ith on.
"""

import argparse
import collections
import csv
import io
import re
import subprocess
import sys

BACKEND = "CANN0"
# By operator, what a case's parameters have.
IMPOSSIBLE = {
    # The backend keeps blocks of quantised tensors in an order of its own, which these read as if
    # it were ggml's; of other quantised types it has none.
    "CONCAT": r"type=q",
    "GET_ROWS": r"type=q8_0.*vs0=1",
    # It reads float16 as float32.
    "SET_ROWS": r"type_src=f16,type_dst=f32",
    # It computes with quantised weights in float16, which ends at 65504.
    "MUL_MAT_ID": r"type_a=q\w+,.*amax=100000",
}
# What cases that share a process have in common: the backend keeps a table of angles, which it makes
# larger for more positions but not for wider rotations, and does not always make anew for others.
ALIKE = {"ROPE": r"n_dims=(\d+).*fs=(.*),af"}
AT_ONCE = 200  # cases of a process, whose names are one argument: at most 128 KiB
SECONDS = 1800


def claimed(program):
    """The parameters of the cases that the backend claims, by operator."""
    text = subprocess.run(
        [program, "support", "-b", BACKEND, "--output", "csv"], capture_output=True, text=True
    ).stdout
    cases = collections.defaultdict(list)
    for row in csv.DictReader(io.StringIO(text)):
        if row["backend_name"] == BACKEND and row["supported"] == "1":
            cases[row["op_name"]].append(row["op_params"])
    return cases


def run(program, operator, cases):
    """How many passed and failed, and lines that say what failed."""
    names = ",".join(f"{operator}({case})" for case in cases)
    command = [program, "test", "-b", BACKEND, "-o", names]
    result = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", result.stdout).splitlines()
    failed = [line for line in lines if line.endswith(": FAIL") and "Backend" not in line]
    total = re.search(r"(\d+)/(\d+) tests passed", result.stdout)
    if total is None:
        said = [line for line in result.stderr.splitlines() if "CANN error" in line]
        return 0, len(cases), [f"{operator}: ended with status {result.returncode}", *said, *failed]
    passed = int(total[1])
    uncompared = sum("not supported [CPU]" in line for line in lines)
    # Cases that the program did not find by their names.
    unknown = len(cases) - int(total[2]) - uncompared
    if unknown > 0:
        failed.append(f"{operator}: {unknown} of {len(cases)} cases were not found")
    return passed, int(total[2]) - passed + max(unknown, 0), failed


def processes(operator, cases):
    """The cases in lists that share a process."""
    groups = collections.defaultdict(list)
    for case in dict.fromkeys(cases):  # a name stands for all cases that have it
        alike = re.search(ALIKE.get(operator, ""), case)
        groups[alike.groups() if alike else case].append(case)
    for group in groups.values():
        yield from (group[i : i + AT_ONCE] for i in range(0, len(group), AT_ONCE))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("operators", nargs="*")
    parser.add_argument("--part", default="0/1")
    arguments = parser.parse_args()
    first, step = map(int, arguments.part.split("/"))
    cases = claimed(arguments.program)
    if not cases:
        print("test-backend-ops claims no case: is the backend there?", file=sys.stderr)
        return 1
    sums = collections.Counter()
    for operator in arguments.operators or sorted(cases):
        never = IMPOSSIBLE.get(operator)
        possible = [c for c in cases[operator] if not (never and re.search(never, c))]
        left_out = len(cases[operator]) - len(possible)
        passed, failed, lines = 0, 0, []
        for together in processes(operator, possible[first::step]):
            more = run(arguments.program, operator, together)
            passed, failed, lines = passed + more[0], failed + more[1], lines + more[2]
        sums.update(claimed=len(cases[operator]), passed=passed, failed=failed, impossible=left_out)
        apart = f", {left_out} that no device can pass" if left_out else ""
        print(f"{operator}: {passed} passed, {failed} failed{apart}", flush=True)
        for line in lines[:20]:
            print("   ", line[:300])
    print(", ".join(f"{count} {name}" for name, count in sums.items()))
    return 1 if sums["failed"] or not sums["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
