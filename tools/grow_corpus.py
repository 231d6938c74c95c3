#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets a libFuzzer program search from a stored corpus and stores the smallest corpus that covers
as much.

  cmake -B build/fuzz -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang \\
        -DCMAKE_CXX_COMPILER=clang++ -DANYACL_BUILD_FUZZERS=ON -DANYACL_SANITIZE=address,undefined
  cmake --build build/fuzz --target attention_fuzzer
  tools/grow_corpus.py build/fuzz/tests/fuzz/attention_fuzzer --seconds 3600

An input that fails is left in the working folder, and nothing is stored. Once what failed is mended,
its line goes to tests/fuzz/corpus/<operator>_found.txt, which is never rewritten.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "tests" / "fuzz" / "corpus"
HEADER = """# Inputs of {program}, minimised by tools/grow_corpus.py; one per line, in hexadecimal.
# Grown last by {calls} calls in {seconds} s, from {first} to {last} features.
"""


def unpack(stored, folder):
    folder.mkdir(parents=True, exist_ok=True)
    lines = stored.read_text().split("\n") if stored.exists() else []
    for number, line in enumerate(line for line in lines if line and line[0] != "#"):
        (folder / f"stored-{number}").write_bytes(bytes.fromhex(line))


def pack(folder, stored, **about):
    inputs = sorted((path.read_bytes() for path in folder.iterdir()), key=lambda b: (len(b), b))
    text = HEADER.format(**about) + "".join(data.hex() + "\n" for data in inputs if data)
    stored.parent.mkdir(parents=True, exist_ok=True)
    stored.write_text(text)
    return len(inputs), len(text)


def run(program, folders, *options):
    """Returns what the fuzzer says; its streams run in the calling thread, on one processor."""
    environment = dict(os.environ, ANYACL_THREADS="1", ACL_LAUNCH_BLOCKING="1")
    command = [str(program), *options, *map(str, folders)]
    done = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True,
                          errors="replace", check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr[-6000:]}")
    return done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fuzzer", type=pathlib.Path, help="…/<operator>_fuzzer")
    parser.add_argument("--seconds", type=int, default=3600)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("fuzz-work"),
                        help="where inputs are kept in between")
    arguments = parser.parse_args()
    program = arguments.fuzzer.resolve()
    stored = CORPUS / (program.name.removesuffix("_fuzzer") + ".txt")
    live, small = arguments.work / "live", arguments.work / "small"
    unpack(stored, live)
    log = run(program, [live], "-fork=1", f"-max_total_time={arguments.seconds}", "-max_len=192",
              "-len_control=10", "-timeout=120", "-rss_limit_mb=4096",
              f"-artifact_prefix={arguments.work}/failed-")
    progress = re.findall(r"^#(\d+): cov: \d+ ft: (\d+) .* time: (\d+)s", log, re.MULTILINE)
    (_, first, _), (calls, last, seconds) = progress[0], progress[-1]
    small.mkdir(parents=True, exist_ok=True)
    for old in small.iterdir():
        old.unlink()
    # How often a line runs is nothing to keep an input for.
    run(program, [small, live], "-merge=1", "-use_counters=0", "-timeout=120")
    print("%d inputs, %d bytes" % pack(small, stored, program=program.name, calls=calls,
                                       seconds=seconds, first=first, last=last))


if __name__ == "__main__":
    main()
