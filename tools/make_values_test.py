#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns abi/values.txt into static_asserts; fails unless it lists what the headers define.

usage: make_values_test.py abi/values.txt include/ OUTPUT
"""

import pathlib
import re
import sys


def read_table(path):
    """Returns {header: {name: value}}."""
    table, header = {}, None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if match := re.fullmatch(r"# (\S+\.h)", line):
            header = match[1]
            table[header] = {}
        elif line and not line.startswith("#"):
            fields = line.split()
            if header is None or len(fields) != 2 or fields[0] in table[header]:
                sys.exit(f"{path}:{number}: not a new 'NAME value' line under a header: {line}")
            table[header][fields[0]] = int(fields[1])
    return table


def defined_names(text):
    """Names of the constants in a header: macros with a number, enumerators, typed constants."""
    text = re.sub(r"//[^\n]*", "", text)
    names = re.findall(r"^#define (\w+)\s+(?:0[xX])?[0-9]", text, re.M)
    # Not members of classes, which are indented.
    names += re.findall(r"^(?:static const|(?:static )?constexpr) \w+ (\w+) =", text, re.M)
    for body in re.findall(r"\benum\b[^{;]*\{([^}]*)\}", text):
        names += [item.split("=")[0].strip() for item in body.split(",") if item.strip()]
    return names


def main():
    table_path, include, output = map(pathlib.Path, sys.argv[1:])
    table = read_table(table_path)
    errors = []
    for path in sorted(include.rglob("*.h")):
        if path.parent.name == "atb":  # C++, with values that share their names: tests/atb
            continue
        header = path.relative_to(include).as_posix()
        defined = set(defined_names(path.read_text()))
        listed = set(table.pop(header, {}))
        errors += [f"{header}: {name} is not in {table_path}" for name in sorted(defined - listed)]
        errors += [f"{header}: does not define {name}" for name in sorted(listed - defined)]
    errors += [f"{table_path}: there is no header {header}" for header in sorted(table)]
    if errors:
        sys.exit("\n".join(errors))

    with output.open("w") as out:
        for header, values in read_table(table_path).items():
            out.write(f"// {header}\n")
            for name, value in values.items():
                out.write(f'static_assert(static_cast<long long>({name}) == {value}, "{name}");\n')


if __name__ == "__main__":
    main()
