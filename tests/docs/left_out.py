# SPDX-License-Identifier: Apache-2.0
"""Operators of docs/torch-left-out.md are not offered.

usage: left_out.py PAGE OPERATORS
"""

import re
import sys

page, operators = (open(path, encoding="utf-8").read() for path in sys.argv[1:3])
offered = set(operators.split())
listed = [name for line in page.splitlines() if line.startswith("|")
          for name in re.findall(r"`(aclnn\w+)`", line.split("|")[1])]
wrong = [name for name in listed if name in offered or listed.count(name) > 1]
if wrong or not listed:
    sys.exit(f"of {len(listed)} operators that {sys.argv[1]} leaves out, offered or twice: {wrong}")
