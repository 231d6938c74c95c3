# SPDX-License-Identifier: Apache-2.0
"""Programs of their own process."""

import os
import pathlib
import subprocess
import sys
import tempfile


def in_fresh_process(program, **variables):
    """The output of a program that ends without torch_npu's seconds of sleep."""
    program += "\nimport os, sys\nsys.stdout.flush()\nsys.stderr.flush()\nos._exit(0)\n"
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "program.py")
        path.write_text(program)
        return subprocess.run([sys.executable, "-W", "always", path], cwd=folder, text=True,
                              env={**os.environ, **variables}, capture_output=True, timeout=600,
                              check=False)
