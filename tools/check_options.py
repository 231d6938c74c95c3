#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that everything that is compiled from src/ has the options that hold for all of it.

usage: check_options.py COMPILE_COMMANDS OPTION...
       COMPILE_COMMANDS: the compile_commands.json of a build
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    commands = json.loads(pathlib.Path(sys.argv[1]).read_text())
    wanted = sys.argv[2:]
    # A unit of several sources lies in the build folder.
    ours = [c for c in commands if (ROOT / "src") in pathlib.Path(c["file"]).parents or "/Unity/" in c["file"]]
    bad = []
    for command in ours:
        options = command["command"].split()
        missing = [option for option in wanted if option not in options]
        if missing:
            bad.append(f"{command['file']}: compiled without {' '.join(missing)}")
    print("\n".join(bad) or f"{len(ours)} units have {' '.join(wanted)}")
    return 1 if bad or not ours else 0


if __name__ == "__main__":
    sys.exit(main())
