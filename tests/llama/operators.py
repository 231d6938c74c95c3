#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs ggml's test-backend-ops against its CANN backend, an operator at a time.

usage: operators.py TEST_BACKEND_OPS [OPERATOR...]
Each case compares the backend's result with that of ggml's CPU backend. Cases that the backend
claims and cannot compute on any device are counted apart (IMPOSSIBLE).
"""

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
# Cases that need a process of their own: the backend keeps a table of angles, which it makes
# larger for more positions but not for wider heads, and then writes past its end.
ALONE = {"ROPE": [r"ne_a=\[256,8,512,1\],n_dims=256", r"ne_a=\[512,8,512,1\]"]}
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


def run(program, operator, having, lacking):
    """Passed and failed cases, of those whose parameters have one pattern and lack others, and
    lines that say what failed."""
    without = "".join(f"(?!.*{pattern})" for pattern in lacking)
    command = [program, "test", "-b", BACKEND, "-o", operator, "-p", f"^{without}.*{having}"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", result.stdout).splitlines()
    failed = [line for line in lines if line.endswith(": FAIL") and "Backend" not in line]
    total = re.search(r"(\d+)/(\d+) tests passed", result.stdout)
    if total is None:
        said = [line for line in result.stderr.splitlines() if "CANN error" in line]
        return 0, 1, [f"{operator}: ended with status {result.returncode}", *said, *failed]
    return int(total[1]), int(total[2]) - int(total[1]), failed


def main(program, *operators):
    cases = claimed(program)
    if not cases:
        print("test-backend-ops claims no case: is the backend there?", file=sys.stderr)
        return 1
    sums = collections.Counter()
    for operator in operators or sorted(cases):
        impossible = [IMPOSSIBLE[operator]] if operator in IMPOSSIBLE else []
        alone = ALONE.get(operator, [])
        left_out = sum(any(re.search(p, case) for p in impossible) for case in cases[operator])
        passed, failed, lines = run(program, operator, "", impossible + alone)
        for pattern in alone:
            more = run(program, operator, pattern, impossible)
            passed, failed, lines = passed + more[0], failed + more[1], lines + more[2]
        sums.update(claimed=len(cases[operator]), passed=passed, failed=failed, impossible=left_out)
        apart = f", {left_out} that no device can pass" if left_out else ""
        print(f"{operator}: {passed} passed, {failed} failed{apart}", flush=True)
        for line in lines[:20]:
            print("   ", line[:300])
    print(", ".join(f"{count} {name}" for name, count in sums.items()))
    return 1 if sums["failed"] or not sums["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
