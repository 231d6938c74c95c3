#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the unit tests of aclnn functions of CANN's operator repositories against an installed prefix.

usage: unit_tests.py PREFIX BUILD CHECKOUT... [options]
       CHECKOUT: of ops-math, ops-nn, ops-cv or ops-transformer
       --match:  a regular expression of paths in it (default: every file that calls OP_API_UT, and
                 test_aclnn_*.cpp of folders op_api)
       --known:  a file of tests that fail, with the reason: lines of repository/file:suite.test (* for
                 all of a name's rest) and words. Whatever else fails is a failure.

The sources are compiled as they are, with the headers of `include` in place of the mocks that they
are written for. A test that asks for the answers of another chip, or for an operator that is not
offered, is counted apart.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARIES = ("opapi", "nnopbase", "ascendcl")
VERDICT = r"ok|FAILED|other chip|nothing called|absent \S+"


def sh(*command, timeout=600):
    return subprocess.run(command, capture_output=True, text=True, errors="replace",
                          timeout=timeout, check=False)


def is_unit_test(path):
    """Whether a source has tests of aclnn functions, whatever its name."""
    if "/ut/" not in path or "/experimental/" in path or "/op_api_ut_common/" in path:
        return False
    if re.search(r"/tests/ut/.*/op_api/test_aclnn_[^/]*$", path):
        return True
    with open(path, encoding="utf-8", errors="replace") as source:
        return "OP_API_UT(" in source.read()


class Builder:
    def __init__(self, prefix, build, checkout):
        self.prefix = prefix
        self.build = build
        self.common = [
            "g++", "-std=c++17", "-O0", "-w", "-fpermissive", f"-I{build}", f"-I{HERE}/include",
            f"-I{prefix}/include", f"-I{prefix}/include/aclnn",
            f"-I{prefix}/include/aclnnop", f"-I{checkout}",
            f"-I{checkout}/tests/ut", f"-I{checkout}/common/inc", f"-I{checkout}/common/inc/external",
            f"-I{checkout}/common/include", f"-I{checkout}/common/include/external",
            f"-I{checkout}/common/stub/op_api", f"-I{checkout}/common/inc/op_api",
            f"-I{build}/op/tests/ut/op_host/op_api"]

    def prepare(self):
        """What all have in common, compiled once."""
        # Headers that a repository does not have where its tests look are those of the prefix.
        os.makedirs(f"{self.build}/op/tests/ut/op_host/op_api", exist_ok=True)
        for place in ("op_api", "op/op_api", "op/op_host/op_api", "op/tests/op_api",
                      "op/tests/op_host/op_api"):
            os.makedirs(os.path.dirname(f"{self.build}/{place}"), exist_ok=True)
            if not os.path.lexists(f"{self.build}/{place}"):
                os.symlink(f"{self.prefix}/include/aclnnop", f"{self.build}/{place}")
        header = f"{self.build}/all.h"
        with open(header, "w", encoding="utf-8") as file:
            file.write('#include "op_api_ut_common/op_api_ut.h"\n')
        for command in ([*self.common, "-x", "c++-header", header, "-o", f"{header}.gch"],
                        [*self.common, "-c", f"{HERE}/main.cc", "-o", f"{self.build}/main.o"]):
            result = sh(*command)
            if result.returncode:
                sys.exit(result.stderr)

    def program(self, source, program):
        """An executable, or why there is none."""
        folder = os.path.dirname(source)
        headers = [f"-I{folder}"] + [
            f"-I{os.path.normpath(os.path.join(folder, up, 'op_api'))}"
            for up in ("../../..", "../../../..", "../../../op_host", "../../../../op_host")]
        result = sh(*self.common, *headers, "-include", "all.h", "-c", source, "-o", f"{program}.o")
        if result.returncode:
            errors = [line for line in result.stderr.splitlines() if "error" in line]
            return f"is not compiled: {(errors or [''])[0][:300]}"
        link = ["g++", "-no-pie", "-o", program, f"{program}.o", f"{self.build}/main.o",
                f"-L{self.prefix}/lib64", f"-Wl,-rpath,{self.prefix}/lib64",
                *(f"-l{name}" for name in LIBRARIES), "-lgtest", "-lgmock", "-lpthread",
                "-Wl,--no-demangle"]
        result = sh(*link)
        if result.returncode:
            names = set(re.findall(r"undefined reference to `([^'@]+)'", result.stderr))
            result = sh(*link, *(f"-Wl,--defsym={name}=0" for name in sorted(names)))
            if result.returncode:
                return f"is not linked: {result.stderr[:300]}"
        return None


def verdicts(program):
    """{test: [verdict, details]}, a process that dies being started again behind the test that did it."""
    found = {}
    skipped = []
    while True:
        command = [program]
        if skipped:
            command.append("--gtest_filter=-" + ":".join(skipped))
        try:
            result = sh(*command, timeout=300)
            text, died = result.stdout, result.returncode
        except subprocess.TimeoutExpired as late:
            text, died = (late.stdout or b"").decode(errors="replace"), "no end"
        name = None
        open_test = None
        for line in text.splitlines():
            begin = re.match(r"@ (\S+): ?(.*)", line)
            # What a test writes itself may stand between its name and its verdict.
            said = re.search(rf"(?:^|: |.)({VERDICT})$", line)
            if begin:
                name, open_test = begin.group(1), begin.group(1)
                said = re.fullmatch(rf"({VERDICT})", begin.group(2))
            if open_test and said:
                found[open_test] = [said.group(1), []]
                open_test = None
            elif name and line.startswith("  ") and not open_test:
                found[name][1].append(line)
        if died == 0 or len(found) == len(skipped) and not open_test:
            return found
        if open_test:
            found[open_test] = [f"DIED ({died})", []]
        skipped = list(found)


def known_failures(path):
    known = []
    if path:
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    pattern, reason = line.strip().split(None, 1)
                    known.append((pattern, reason))
    return known


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("prefix")
    parser.add_argument("build")
    parser.add_argument("checkouts", nargs="+")
    parser.add_argument("--match", default="")
    parser.add_argument("--known")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    known = known_failures(options.known)
    needless = {pattern for pattern, _ in known}
    totals = collections.Counter()
    for checkout in options.checkouts:
        checkout = os.path.abspath(checkout)
        repository = os.path.basename(checkout)
        build = os.path.join(os.path.abspath(options.build), repository)
        os.makedirs(build, exist_ok=True)
        builder = Builder(os.path.abspath(options.prefix), build, checkout)
        builder.prepare()
        sources = sorted(
            path for folder, _, names in os.walk(checkout) for name in names
            for path in [os.path.join(folder, name)]
            if name.endswith(".cpp") and is_unit_test(path)
            and re.search(options.match, os.path.relpath(path, checkout)))

        def one(source, builder=builder, build=build, checkout=checkout):
            name = os.path.relpath(source, checkout)
            program = os.path.join(build, name.replace("/", "-")[:-4])
            why = builder.program(source, program)
            return name, why, {} if why else verdicts(program)

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for name, why, found in pool.map(one, sources):
                if why:
                    totals["files not compiled"] += 1
                    print(f"{repository}/{name} {why}", flush=True)
                counts = collections.Counter()
                lines = []
                for test, (verdict, details) in found.items():
                    key = f"{repository}/{os.path.basename(name)[:-4]}:{test}"
                    kind = re.sub(r" .*", "", verdict) if verdict.startswith("absent") else verdict
                    if verdict == "FAILED" or verdict.startswith("DIED"):
                        matches = [p for p, _ in known if fnmatch.fnmatchcase(key, p)]
                        needless.difference_update(matches)
                        kind = "known to fail" if matches else "failed"
                        if not matches:
                            lines += [f"  {key}: {verdict}", *(f"    {line}" for line in details)]
                    counts[kind] += 1
                totals += counts
                print(f"{repository}/{name}: " +
                      ", ".join(f"{count} {kind}" for kind, count in counts.items()), flush=True)
                if lines:
                    print("\n".join(lines), flush=True)
    if not options.match:
        for pattern in sorted(needless):
            print(f"known to fail, and does not: {pattern}")
    print(", ".join(f"{count} {kind}" for kind, count in sorted(totals.items())))
    print(f"{totals['ok']} passed, {totals['failed']} failed")
    return 1 if totals["failed"] or not totals["ok"] else 0


if __name__ == "__main__":
    sys.exit(main())
