#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs PyTorch's own operator database (torch.testing._internal.common_methods_invocations.op_db) on
the device "npu" and compares every sample with the CPU: values, gradients and in-place variants.

usage: operator_database.py [--ops REGEX] [--dtypes float32,int64,...] [--samples N] [--part I/N]
                            [--jobs N] [--timeout S] [--json FILE] [--baseline FILE]
                            [--write-baseline FILE] [--verbose]

--samples   so many samples of each operator and type, spread over all of them (default 5, 0: all);
            those of a lower number are among those of a higher one
--timeout   seconds of processor time for one pair (default 90), or ten times as many at rest
--part      only every N-th pair of operator and type, beginning with the I-th (from 0)
--json      writes what came of each pair, with reasons
--baseline  fails, beside wrong values, for pairs that did better in that file, and for pairs of its
            types that it does not have
--write-baseline  writes such a file, or the types that were judged into one that is there

What can come of a pair: passed; failed (a wrong value, shape or type); partial (some samples right,
some refused); refused (by anyacl or by torch_npu, with an exception); fallback (right, but torch_npu
ran it on the CPU); crashed; timeout; skipped (no sample that the CPU can run). Results of random
operators are compared in shape and type alone.

A pair runs in a worker process which dies with its crash alone. Samples reach the device as whole
storages by copies of bytes and come back so: no operator of the device takes part in that.
"""

import argparse
import collections
import json
import os
import re
import select
import subprocess
import sys
import time

import psutil

DTYPES = ("float32,float16,bfloat16,float64,int64,int32,int16,int8,uint8,bool,complex64,"
          "complex128")
PAIRS_PER_WORKER = 60
OUTCOMES = ("passed", "failed", "partial", "refused", "fallback", "crashed", "timeout", "skipped")
# From bad to good, for --baseline. What torch_npu runs on the CPU by itself (it says so at an
# operator's first call in a process only) tells nothing of the device.
RANK = {"crashed": 0, "timeout": 0, "failed": 0, "refused": 1, "skipped": 1, "partial": 2,
        "fallback": 3, "passed": 3}
LETTERS = {"passed": "P", "partial": "p", "refused": "r", "fallback": "f", "failed": "F",
           "crashed": "C", "timeout": "T", "skipped": "s"}


class Baseline:
    """What came of each pair once: a line for each operator, with a letter for each type."""

    def __init__(self):
        self.samples, self.types, self.outcomes = 0, [], {}

    @classmethod
    def read(cls, path):
        self = cls()
        words = {letter: outcome for outcome, letter in LETTERS.items()}
        with open(path, encoding="utf-8") as file:
            lines = [line.split() for line in file if not line.startswith("#")]
        self.samples, self.types = int(lines[0][1]), lines[1][1:]
        for letters, name in lines[2:]:
            for dtype, letter in zip(self.types, letters):
                if letter != "-":
                    self.outcomes[name, dtype] = words[letter]
        return self

    def add(self, records, samples):
        if self.types and samples != self.samples:
            raise SystemExit(f"the baseline has {self.samples} samples, expected {samples}")
        self.samples = samples
        self.outcomes.update({(r["name"], r["dtype"]): r["outcome"] for r in records})
        self.types = [t for t in DTYPES.split(",") if any(pair[1] == t for pair in self.outcomes)]

    def write(self, path):
        names = sorted({name for name, _ in self.outcomes})
        with open(path, "w", encoding="utf-8") as file:
            file.write("# Written by operator_database.py --write-baseline; a letter for each type:\n")
            file.write("# " + ", ".join(f"{l} {o}" for o, l in LETTERS.items()) +
                       ", - not in the database\n")
            file.write(f"samples {self.samples}\ntypes {' '.join(self.types)}\n")
            for name in names:
                letters = (LETTERS.get(self.outcomes.get((name, t)), "-") for t in self.types)
                file.write(f"{''.join(letters)} {name}\n")

    def is_worse(self, record, samples):
        """Of more samples than the baseline's some may be refused."""
        rank = RANK[record["outcome"]]
        if rank == 0 or record["dtype"] not in self.types:
            return rank == 0
        before = self.outcomes.get((record["name"], record["dtype"]))
        if before is None:
            return True
        return rank < min(RANK[before], 3 if samples == self.samples else 2)


class Worker:
    """A process that judges pairs, one after the other, and prints a line of JSON for each."""

    def __init__(self, options):
        self.pairs = collections.deque()
        environment = dict(os.environ, TASK_QUEUE_ENABLE="0", OMP_NUM_THREADS="1",
                           TORCHINDUCTOR_COMPILE_THREADS="1")
        here = os.path.dirname(os.path.abspath(__file__))
        self.errors = open(os.path.join(options.scratch, f"worker{os.getpid()}.{id(self)}"), "w+b")
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(here, "database_worker.py"), str(options.samples),
             self.errors.name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, env=environment,
            cwd=options.scratch)
        self.buffer = b""
        self.given = 0
        self.resume()

    def resume(self):
        """The limits of the next pair count from here."""
        self.since = time.monotonic()
        self.spent = self.seconds_spent()

    def seconds_spent(self):
        """Of processor time: on a busy machine it alone says how long a pair takes."""
        try:
            times = psutil.Process(self.process.pid).cpu_times()
        except psutil.NoSuchProcess:
            return 0.0
        return times.user + times.system

    def is_stuck(self, limit):
        """In a loop, or at rest: waiting for what never comes takes no processor time."""
        return (self.seconds_spent() - self.spent > limit or
                time.monotonic() - self.since > 10 * limit)

    def give(self, pair):
        self.pairs.append(pair)
        self.given += 1
        self.process.stdin.write((json.dumps(pair) + "\n").encode())
        self.process.stdin.flush()
        self.resume()

    def lines(self):
        data = os.read(self.process.stdout.fileno(), 1 << 16)
        if not data:
            return None
        self.buffer += data
        *lines, self.buffer = self.buffer.split(b"\n")
        return [json.loads(line) for line in lines]

    def last_words(self):
        self.errors.flush()
        with open(self.errors.name, "rb") as file:
            return file.read()[-600:].decode(errors="replace")

    def end(self):
        self.process.kill()
        self.process.wait()
        self.errors.close()
        os.unlink(self.errors.name)


def judge(pairs, options, report):
    """Gives the pairs to workers and calls report(record) for each."""
    waiting = collections.deque(pairs)
    workers = []
    while waiting or any(w.pairs for w in workers):
        while waiting and len(workers) < options.jobs:
            workers.append(Worker(options))
        for worker in workers:
            if waiting and not worker.pairs and worker.given < PAIRS_PER_WORKER:
                worker.give(waiting.popleft())
        for worker in list(workers):
            if not worker.pairs and (worker.given >= PAIRS_PER_WORKER or not waiting):
                worker.end()
                workers.remove(worker)
        ready, _, _ = select.select([w.process.stdout for w in workers], [], [], 1)
        for worker in list(workers):
            verdict = None
            if worker.process.stdout in ready:
                lines = worker.lines()
                for record in lines or []:
                    worker.pairs.popleft()
                    worker.resume()
                    report(record)
                if lines is None:
                    verdict = "crashed"
            elif worker.pairs and worker.is_stuck(options.timeout):
                verdict = "timeout"
            if verdict is None:
                continue
            if worker.pairs:
                name, dtype = worker.pairs.popleft()
                words = worker.last_words() if verdict == "crashed" else ""
                code = worker.process.wait() if verdict == "crashed" else None
                report({"name": name, "dtype": dtype, "outcome": verdict,
                        "why": f"exit status {code}: {words}" if code is not None else
                        f"longer than {options.timeout} s of processor time, or ten times that"})
            waiting.extendleft(reversed(worker.pairs))
            worker.end()
            workers.remove(worker)
    for worker in workers:
        worker.end()


def all_pairs(options):
    """[name, dtype] of the whole database, asked of a process of its own: it takes seconds."""
    here = os.path.dirname(os.path.abspath(__file__))
    listing = subprocess.run([sys.executable, os.path.join(here, "database_worker.py"), "list"],
                             stdout=subprocess.PIPE, check=True, cwd=options.scratch,
                             env=dict(os.environ, TORCH_DEVICE_BACKEND_AUTOLOAD="0"))
    wanted = options.dtypes.split(",")
    pairs = [p for p in json.loads(listing.stdout.splitlines()[-1])
             if p[1] in wanted and re.search(options.ops, p[0])]
    part, parts = (int(n) for n in options.part.split("/"))
    return pairs[part::parts]


def print_table(records):
    dtypes = sorted({r["dtype"] for r in records}, key=DTYPES.split(",").index)
    print(f"\n{'':10}" + "".join(f"{d:>11}" for d in dtypes) + f"{'all':>11}")
    for outcome in OUTCOMES:
        counts = [sum(r["outcome"] == outcome and r["dtype"] == d for r in records)
                  for d in dtypes]
        print(f"{outcome:10}" + "".join(f"{c:11}" for c in counts) + f"{sum(counts):11}")
    missing = collections.Counter(m for r in records for m in set(r.get("missing", [])))
    if missing:
        print("\nnot offered, with the number of pairs that ask for it:")
        print("  " + ", ".join(f"{name} {count}" for name, count in missing.most_common()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--ops", default="")
    parser.add_argument("--dtypes", default=DTYPES)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=90)
    parser.add_argument("--json")
    parser.add_argument("--baseline")
    parser.add_argument("--write-baseline")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--scratch", default=os.environ.get("TMPDIR", "/tmp"))
    options = parser.parse_args()

    pairs = all_pairs(options)
    before = Baseline.read(options.baseline) if options.baseline else Baseline()
    if 0 < options.samples < before.samples:
        parser.error(f"--samples {options.samples}, expected at least the baseline's {before.samples}")
    records, bad = [], []

    def report(record):
        records.append(record)
        outcome = record["outcome"]
        wrong = before.is_worse(record, options.samples)
        if wrong:
            bad.append(record)
        if wrong or options.verbose:
            old = before.outcomes.get((record["name"], record["dtype"]))
            print(f"{outcome:9} {record['name']} {record['dtype']}" +
                  (f" (was {old})" if old not in (None, outcome) else "") +
                  f": {record.get('why', '')}", flush=True)

    judge(pairs, options, report)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(sorted(records, key=lambda r: (r["name"], r["dtype"])), file, indent=0)
    if options.write_baseline:
        written = Baseline()
        if os.path.exists(options.write_baseline):
            written = Baseline.read(options.write_baseline)
        written.add(records, options.samples)
        written.write(options.write_baseline)
    print_table(records)
    refused = sum(r["outcome"] in ("refused", "skipped", "fallback") for r in records
                  if r not in bad)
    print(f"{len(records) - len(bad) - refused} passed, {len(bad)} failed, {refused} skipped")
    return 1 if bad or not records else 0


if __name__ == "__main__":
    sys.exit(main())
