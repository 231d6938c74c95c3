# SPDX-License-Identifier: Apache-2.0
"""What the installed package costs: an import of anyacl, and every start of Python, by its hook. In
CPU time, the least of many, as other programs may be at work; fails above what is promised.

usage: package_timing.py   with the Python that it is installed in
"""

import os
import pathlib
import resource
import subprocess
import sys
import sysconfig

RUNS = 15
IMPORT_LIMIT, START_LIMIT = 300.0, 5.0  # ms


def once(program):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", program], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def main():
    hook = pathlib.Path(sysconfig.get_path("purelib"), "anyacl.pth")
    aside = hook.with_suffix(".aside")
    once("import anyacl")  # compiles
    times = {"start": [], "plain": [], "import": [], "load": []}
    for _ in range(RUNS):
        times["start"].append(once("pass"))
        times["import"].append(once("import anyacl"))
        times["load"].append(once("import anyacl; anyacl.load()"))
        os.rename(hook, aside)
        try:
            times["plain"].append(once("pass"))
        finally:
            os.rename(aside, hook)
    least = {name: min(values) for name, values in times.items()}
    start, imported = least["start"] - least["plain"], least["import"] - least["start"]
    print(f"start of Python {least['plain']:.1f} ms, by the hook {start:+.1f} ms; import of anyacl "
          f"{imported:.1f} ms, with its libraries {least['load'] - least['start']:.0f} ms")
    for what, value, limit in (("the hook", start, START_LIMIT),
                               ("import anyacl", imported, IMPORT_LIMIT)):
        if value > limit:
            print(f"{what} takes {value:.1f} ms, expected at most {limit:.0f} ms", file=sys.stderr)
    return 0 if start <= START_LIMIT and imported <= IMPORT_LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
