#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails unless every operator's second phase is called by some test program that is a client.

usage: every_operator_is_computed.py OPERATORS NM PROGRAM...

OPERATORS is abi/operators.txt. A program calls what its table of symbols leaves open, whatever macro wrote
the call; programs that look all operators up by name, or only read their headers, do not count.
"""

import subprocess
import sys

FIRST_PHASE = "GetWorkspaceSize"
# Names every function without a call.
NOT_COMPUTED_BY = {"abi_header_signatures_test"}


def main():
    listing, nm, *programs = sys.argv[1:]
    with open(listing, encoding="utf-8") as lines:
        exported = {line.strip() for line in lines}
    operators = sorted(name for name in exported if name + FIRST_PHASE in exported)
    called = set()
    for program in programs:
        if program.rpartition("/")[2] in NOT_COMPUTED_BY:
            continue
        shown = subprocess.run([nm, "-D", "--undefined-only", program], check=True, capture_output=True, text=True)
        called.update(line.split()[-1].partition("@")[0] for line in shown.stdout.splitlines())
    missing = [name for name in operators if name not in called]
    for name in missing:
        print(f"no test computes with {name}")
    print(f"{len(operators)} operators, {len(missing)} that no test computes with")
    return 1 if missing or not operators else 0


if __name__ == "__main__":
    sys.exit(main())
