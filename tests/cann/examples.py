#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles and runs the example programs of CANN's operator repositories against an installed prefix.

usage: examples.py PREFIX BUILD CHECKOUT... [options]
       CHECKOUT: of ops-math, ops-nn, ops-cv or ops-transformer
       --match:  a regular expression of paths in it
       --known:  a file of programs that fail, with the reason: lines of repository/path and words.

Those of operators between devices (mc2) are run by tests/hccl. A program that needs an operator which is not offered is counted apart. The others must compile and end
with status 0; they return what a call returned where it failed.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import os
import re
import subprocess
import sys

LIBRARIES = ("opapi", "nnopbase", "ascendcl", "hccl", "graph", "ge_runner", "tiling_api")


def sh(*command, timeout=600, cwd=None):
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=cwd,
                              timeout=timeout, check=False)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(command, "no end", (late.stdout or b"").decode(errors="replace"), "")


def outcome(prefix, build, source, name):
    program = os.path.join(build, name.replace("/", "-")[:-4])
    libraries = [f"-l{library}" for library in LIBRARIES
                 if os.path.exists(f"{prefix}/lib64/lib{library}.so")]
    result = sh("g++", "-std=c++17", "-O0", "-w", "-o", program, source, f"-I{prefix}/include",
                f"-I{prefix}/include/aclnn", f"-I{prefix}/include/aclnnop", f"-L{prefix}/lib64",
                f"-Wl,-rpath,{prefix}/lib64", *libraries, "-lpthread")
    if result.returncode:
        absent = re.search(r"(aclnn\S+\.h): No such file", result.stderr)
        if absent:
            return "not offered", absent.group(1)
        absent = re.search(r"‘(aclnn\w+)’ was not declared|undefined reference to `(aclnn\w+)", result.stderr)
        if absent:
            return "not offered", absent.group(1) or absent.group(2)
        line = next((l for l in result.stderr.splitlines() if "error" in l or "undefined" in l), "")
        return "not compiled", line[:300]
    result = sh(program, timeout=120, cwd=build)
    os.remove(program)
    if result.returncode == 0:
        return "ok", ""
    text = (result.stdout + result.stderr).strip().splitlines()
    return "failed", f"status {result.returncode}: " + " | ".join(text[-3:])[:500]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("prefix")
    parser.add_argument("build")
    parser.add_argument("checkouts", nargs="+")
    parser.add_argument("--match", default="")
    parser.add_argument("--known")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    prefix = os.path.abspath(options.prefix)
    build = os.path.abspath(options.build)
    os.makedirs(build, exist_ok=True)
    known = []
    if options.known:
        with open(options.known, encoding="utf-8") as file:
            known = [line.strip().split(None, 1) for line in file
                     if line.strip() and not line.startswith("#")]
    totals = collections.Counter()
    for checkout in options.checkouts:
        checkout = os.path.abspath(checkout)
        repository = os.path.basename(checkout)
        names = sorted(
            os.path.relpath(os.path.join(folder, name), checkout)
            for folder, _, files in os.walk(checkout) for name in files
            if re.fullmatch(r"test_aclnn_.*\.cpp", name) and "/examples" in folder
            and "experimental" not in folder and "/mc2/" not in folder)
        names = [name for name in names if re.search(options.match, name)]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            results = pool.map(
                lambda name, c=checkout, r=repository:
                    outcome(prefix, build, os.path.join(c, name), f"{r}/{name}"), names)
            for name, (kind, words) in zip(names, results):
                key = f"{repository}/{name}"
                reason = next((r for p, r in known if fnmatch.fnmatchcase(key, p)), None)
                if kind in ("failed", "not compiled") and reason:
                    kind, words = "known to fail", reason
                totals[kind] += 1
                if kind != "ok":
                    print(f"{key}: {kind}: {words}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(totals.items())))
    failed = totals["failed"] + totals["not compiled"]
    print(f"{totals['ok']} passed, {failed} failed")
    return 1 if failed or not totals["ok"] else 0


if __name__ == "__main__":
    sys.exit(main())
