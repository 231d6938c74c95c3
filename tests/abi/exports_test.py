#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares abi/symbols.txt and abi/operators.txt with what the libraries export and what the public headers declare.

usage: exports_test.py libraries SYMBOLS,... LIB_DIR
       exports_test.py headers SYMBOLS,... INCLUDE_DIR C_COMPILER
"""

import pathlib
import re
import subprocess
import sys

# Which of our libraries each of them loads; through this chain a client finds the functions of the
# lower libraries by the handle of the upper one.
CHAIN = {
    "libascendcl": set(),
    "libacl_op_compiler": {"libascendcl.so"},
    "libacl_tdt_channel": {"libascendcl.so"},
    "libacl_tdt_queue": {"libascendcl.so"},
    "libascend_dump": {"libascendcl.so"},
    "libascend_hal": {"libascendcl.so"},
    "libc_sec": set(),
    "libge_runner": {"libgraph.so", "libascend_dump.so", "libc_sec.so", "libascendcl.so"},
    "libgraph": {"libascend_dump.so", "libc_sec.so", "libascendcl.so"},
    "libhccl": {"libascendcl.so"},
    "libmsprofiler": {"libascendcl.so"},
    "libnnopbase": {"libascendcl.so"},
    "libopapi": {"libnnopbase.so", "libascendcl.so"},
    "libatb": {"libopapi.so", "libnnopbase.so", "libascendcl.so"},
    "libanyacl_hccl_ucx": {"libascendcl.so", "libucp.so.0", "libucs.so.0"},
}
# Not built where there is no UCX.
OPTIONAL = {"libanyacl_hccl_ucx"}

# What every Debian system with a C++ program has.
SYSTEM = re.compile(r"(libstdc\+\+|libgcc_s|libc|libm|libpthread|ld-linux[-\w]*)\.so\.\d+")

# Exported though no public header declares them in C: our own libraries' interface to each other,
# what framework adapters look up by name, and functions of ATB and of graphs, which are C++.
UNDECLARED = re.compile(
    r"anyacl(?!(?:Unp|P)ackWeightNz)\w+|\w*HugeMem\w*|\w*PTA\w*|AddTensorAddrToCachedList"
    r"|Msprof\w+|mstx\w+|rt[A-Z]\w+|drv\w+|hal\w+|_ZN3atb\w+|Atb\w+|_ZNK?2ge\w+"
)


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def read_symbols(paths):
    """Returns {library: [names]}."""
    table, names = {}, None
    for line in "\n".join(pathlib.Path(path).read_text() for path in paths.split(",")).splitlines():
        if line.endswith(":"):
            names = table.setdefault(line[:-1], [])
        elif line and not line.startswith("#"):
            names.append(line)
    return table


def compare(what, expected, actual):
    return [f"{what}: missing {name}" for name in sorted(expected - actual)] + [
        f"{what}: not in abi/symbols.txt: {name}" for name in sorted(actual - expected)
    ]


def check_library(library, names, path):
    exported = {line.split()[-1] for line in run("nm", "-D", "--defined-only", path).splitlines()}
    complaints = compare(library, set(names), exported)

    dynamic = run("readelf", "--dynamic", "--wide", path)
    soname = re.search(r"\(SONAME\).*\[(.*)\]", dynamic)
    if not soname or soname[1] != f"{library}.so":
        complaints.append(f"{library}: SONAME is {soname and soname[1]}")
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
    ours = {name for name in needed if not SYSTEM.fullmatch(name)}
    if ours != CHAIN[library]:
        complaints.append(f"{library}: needs {sorted(ours)}, expected {sorted(CHAIN[library])}")
    if re.search(r"\(VERDEF\)", dynamic):
        complaints.append(f"{library}: has symbol versions")
    return complaints


def declared_functions(include, compiler):
    """Names of the functions that the public headers declare, to a C compiler."""
    headers = [path.relative_to(include).as_posix() for path in sorted(include.rglob("*.h"))
               if path.parent.name != "atb"]
    source = "".join(f'#include "{header}"\n' for header in headers)
    preprocessed = subprocess.run(
        [compiler, "-E", "-std=c99", f"-I{include}", "-xc", "-"],
        input=source, check=True, capture_output=True, text=True,
    ).stdout

    # Keep what comes from our headers, then drop bodies: of structures and of enumerations.
    ours, keep = [], False
    for line in preprocessed.splitlines():
        if marker := re.match(r'# \d+ "([^"]*)"', line):
            keep = marker[1].startswith(str(include))
        elif keep and not line.startswith("#"):
            ours.append(line)
    # Functions that a header defines are not looked for in a library.
    text = re.sub(r"static inline [^{;]*\{[^{}]*\}", "", "\n".join(ours))
    text = re.sub(r"\{[^{}]*\}", "", text)
    text = re.sub(r"__attribute__\s*\(\(.*?\)\)", "", text)
    names = set()
    for declaration in text.split(";"):
        if not declaration.strip().startswith("typedef"):
            names.update(re.findall(r"(\w+)\s*\(", declaration)[:1])
    return names


def main():
    mode, symbols, folder = sys.argv[1:4]
    table = read_symbols(symbols)
    complaints = []
    for library, names in table.items():
        duplicates = {name for name in names if names.count(name) > 1}
        complaints += [f"{library}: listed twice: {name}" for name in sorted(duplicates)]

    if mode == "libraries":
        for library in CHAIN:
            path = pathlib.Path(folder) / f"{library}.so"
            if library in OPTIONAL and not path.exists():
                table.pop(library)
                continue
            complaints += check_library(library, table.pop(library, []), path)
        complaints += [f"abi/symbols.txt: unknown library {library}" for library in table]
    else:
        listed = {name for names in table.values() for name in names}
        listed = {name for name in listed if not UNDECLARED.fullmatch(name)}
        declared = declared_functions(pathlib.Path(folder).resolve(), sys.argv[4])
        complaints += compare("include/", listed, declared)
        print(f"{len(declared)} functions declared")

    print("\n".join(complaints) if complaints else "as listed")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
