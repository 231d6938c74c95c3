#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the headers declare every operator's two phases with the very types that operators.json lists.

usage: operator_signatures.py OPERATORS_JSON CXX_COMPILER INCLUDE_DIR

A wider integer or another constness would still compile in most programs, and break bindings that read the list.
Compiles pointers to all functions; nothing is linked.
"""

import json
import subprocess
import sys


def source(operators):
    lines = [f'#include "{header}"' for header in sorted({one["header"] for one in operators})]
    for one in operators:
        name = one["name"]
        types = ", ".join([argument["type"] for argument in one["arguments"]] + ["uint64_t*", "aclOpExecutor**"])
        lines.append(f"aclnnStatus (*{name}First)({types}) = {name}GetWorkspaceSize;")
        lines.append(f"aclnnStatus (*{name}Second)(void*, uint64_t, aclOpExecutor*, aclrtStream) = {name};")
    return "\n".join(lines)


def main():
    listing, compiler, include_dir = sys.argv[1:]
    with open(listing, encoding="utf-8") as file:
        operators = json.load(file)
    command = [compiler, "-x", "c++", "-std=c++11", "-fsyntax-only", f"-I{include_dir}", "-"]
    checked = subprocess.run(command, input=source(operators), text=True, capture_output=True)
    print(checked.stderr[:10000])
    print(f"{len(operators)} operators")
    return 1 if checked.returncode != 0 or not operators else 0


if __name__ == "__main__":
    sys.exit(main())
