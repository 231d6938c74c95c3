#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that what is compiled for one instruction set stays in its namespace.

An inline function or template of the rest of the program that a kernel file instantiates becomes a
weak symbol there, and the linker may keep that copy for everybody: code for AVX-512 would run on
machines without it.

Where the source asks for prefetches, the object must have some: GCC takes a function that only
prefetches for one without effect and drops its calls unless they are inlined first.

usage: check_isa_objects.py [--nm NM] --tier TIER OBJECT... [--tier TIER OBJECT...]...
       check_isa_objects.py [--nm NM] --self-test COMPILER
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Weak symbols that every copy of is the same data: the marks of sanitizers and of position
# independent code.
HARMLESS = re.compile(r"^(DW\.ref\.|__asan_|__odr_asan|___asan_|__x86\.get_pc_thunk)")


def defined_symbols(nm, path):
    """Yields the names of the symbols that an object file shows to others."""
    lines = subprocess.run([nm, "--defined-only", "--extern-only", path], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    for line in lines:
        name = line.split()[-1]
        if " " in line.strip() and not HARMLESS.match(name):
            yield name


def belongs(name, tier):
    """Whether a mangled name lies in namespace anyacl::TIER, or is about something that does: its
    virtual table, guard, local of a function, lambda."""
    return f"6anyacl{len(tier)}{tier}" in name


def lost_prefetches(nm, path):
    """Whether the object of a source that prefetches has no such instruction. The source is found
    by the object's place: .../TARGET.dir/SOURCE.o. An object without code, but for a sanitizer's
    constructor, is of a tier without the source's kernels."""
    place = re.search(r"\.dir/(.*)\.o$", str(path))
    source = ROOT / place[1] if place else None
    if source is None or not source.is_file() or "Prefetch" not in source.read_text():
        return False
    objdump = re.sub("nm$", "objdump", nm)
    code = subprocess.run([objdump, "-d", "--no-show-raw-insn", path], check=True,
                          capture_output=True, text=True).stdout
    has_kernels = re.search(r"^[0-9a-f]+ <(?!_sub_[ID]_)", code, re.MULTILINE) is not None
    return has_kernels and re.search(r"\t(prefetch|prfm)", code) is None


def check(nm, groups):
    """groups: (tier, object) pairs. Returns a list of complaints."""
    complaints = []
    for tier, path in groups:
        if lost_prefetches(nm, path):
            complaints.append(f"{path}: the prefetches of its source are gone")
        for name in defined_symbols(nm, path):
            if not belongs(name, tier):
                text = subprocess.run(["c++filt", name], check=True, capture_output=True,
                                      text=True).stdout.strip()
                complaints.append(f"{path}: {text} is outside anyacl::{tier}")
    return complaints


SAMPLES = [
    # Source, whether it is clean.
    ("namespace anyacl::avx2 { int F(int x) { return x; } }", True),
    ("namespace anyacl::avx2 { template <class T> T G(T x) { return x; }\n"
     "template int G(int); }", True),
    ("namespace { int H(int x) { return x; } }\n"
     "namespace anyacl::avx2 { int F(int x) { return H(x); } }", True),
    ("namespace anyacl { inline int H(int x) { return x; } namespace avx2 {\n"
     "int F(int x) { return H(x); } } }", False),
    ("#include <vector>\n"
     "namespace anyacl::avx2 { void F(std::vector<int>& v) { v.push_back(1); } }", False),
    ("namespace anyacl::avx512 { int F(int x) { return x; } }", False),
]


def self_test(nm, compiler):
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder) / "a.cc", pathlib.Path(folder) / "a.o"
        for text, clean in SAMPLES:
            source.write_text(text + "\n")
            subprocess.run([compiler, "-std=c++20", "-O0", "-c", source, "-o", target], check=True)
            complaints = check(nm, [("avx2", str(target))])
            if (not complaints) != clean:
                failures += 1
                print(f"{text}\nexpected {'no ' * clean}complaint", *complaints, sep="\n")
    print(f"{len(SAMPLES)} samples, {failures} wrong")
    return 1 if failures else 0


def main():
    arguments = sys.argv[1:]
    nm = "nm"
    if arguments[:1] == ["--nm"]:
        nm, arguments = arguments[1], arguments[2:]
    if arguments[:1] == ["--self-test"] and len(arguments) == 2:
        return self_test(nm, arguments[1])
    groups, tier = [], None
    while arguments:
        if arguments[0] == "--tier" and len(arguments) > 1:
            tier, arguments = arguments[1], arguments[2:]
        elif tier is None:
            break
        else:
            groups.append((tier, arguments.pop(0)))
    if arguments or not groups:
        print(__doc__)
        return 2
    complaints = check(nm, groups)
    print("\n".join(complaints) if complaints else f"{len(groups)} objects keep to their tiers")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
