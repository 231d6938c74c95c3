#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains small models with DeepSpeed, unmodified, on the device npu in its modes, and compares
each with the same training on PyTorch's CPU device without DeepSpeed.

usage: deepspeed_programs.py [REGEX of the programs' names]

Wants the packages deepspeed (0.19.8), einops, hjson, msgpack, ninja, py-cpuinfo and pydantic, a
C++ compiler (DeepSpeed compiles its optimizers for offloaded states; TORCH_EXTENSIONS_DIR keeps
them), transformers and accelerate. Programs whose package is missing fail.
"""

import inspect
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback

import deepspeed_parallel  # registers its programs
import deepspeed_training  # the same
from deepspeed_engine import PROGRAMS, shared_folder

TIMEOUT = 420


def rank_of_program(name):
    """In a rank's process: what came of the program goes to a file."""
    result = {"far": None, "error": None}
    try:
        import deepspeed
        assert deepspeed.accelerator.get_accelerator().device_name() == "npu"
        if not name.startswith(("Trainer", "accelerate")):
            deepspeed.init_distributed(verbose=False)
            deepspeed.accelerator.get_accelerator().set_device(int(os.environ["LOCAL_RANK"]))
        result["far"] = PROGRAMS[name][0]()
    except BaseException as error:
        traceback.print_exc()
        place = traceback.extract_tb(error.__traceback__)[-1]
        result["error"] = (f"{type(error).__name__}: {' '.join(str(error).split())[:600]} "
                           f"({place.filename.split('site-packages/')[-1]}:{place.lineno})")
    path = pathlib.Path(shared_folder(), f"result_{os.environ['RANK']}")
    path.with_suffix(".tmp").write_text(json.dumps(result))
    path.with_suffix(".tmp").rename(path)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(result["error"] is not None)  # torch_npu sleeps for seconds at the usual end


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def run(name, parent):
    """(error or None, largest difference, seconds) of a program on its ranks."""
    ranks = PROGRAMS[name][1]
    folder = parent / name.replace("/", "_")
    folder.mkdir()
    environment = {
        **os.environ, "WORLD_SIZE": str(ranks), "LOCAL_SIZE": str(ranks),
        "LOCAL_WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(free_port()),
        "ANYACL_DEVICES": str(ranks), "PROGRAM_FOLDER": str(folder), "OMP_NUM_THREADS": "1",
        "TORCHINDUCTOR_COMPILE_THREADS": "1", "HF_HUB_OFFLINE": "1", "PYTHONUNBUFFERED": "1",
        "TOKENIZERS_PARALLELISM": "false"}
    begin = time.monotonic()
    processes = []
    for rank in range(ranks):
        with open(folder / f"rank_{rank}.log", "w", encoding="utf-8") as log:
            processes.append(subprocess.Popen(
                [sys.executable, "-W", "ignore", os.path.abspath(__file__), "--rank", name],
                env={**environment, "RANK": str(rank), "LOCAL_RANK": str(rank)}, cwd=folder,
                stdout=log, stderr=subprocess.STDOUT, start_new_session=True))
    failed_at = None
    while any(process.poll() is None for process in processes):
        time.sleep(0.05)
        now = time.monotonic()
        if failed_at is None and any(process.poll() for process in processes):
            failed_at = now  # the others wait for that rank
        if now > begin + TIMEOUT or (failed_at and now > failed_at + 10):
            break
    for process in processes:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    seconds = time.monotonic() - begin
    far, errors = [], []
    for rank, process in enumerate(processes):
        path = folder / f"result_{rank}"
        if path.exists():
            result = json.loads(path.read_text())
            far.append(result["far"])
            errors.append(result["error"])
        else:
            told = "not in time" if seconds > TIMEOUT else f"exit status {process.returncode}"
            errors.append(None if failed_at and process.returncode == -signal.SIGKILL else told)
    error = next((e for e in errors if e), None)
    return error, max((x for x in far if x is not None), default=None), seconds


def main():
    if sys.argv[1:2] == ["--rank"]:
        rank_of_program(sys.argv[2])
    if len(sys.argv) > 2 or sys.argv[1:2] == ["--help"]:
        sys.exit(inspect.cleandoc(__doc__))
    wanted = re.compile(sys.argv[1] if len(sys.argv) > 1 else "")
    parent = pathlib.Path(tempfile.mkdtemp(prefix="deepspeed-"))
    counts = {"PASS": 0, "FAIL": 0}
    names = [name for name in PROGRAMS if wanted.search(name)]
    for stage in re.findall(r"universal, read by \d, stage (\d)|$", "\n".join(names)):
        saver = f"universal, saved by two, stage {stage}"
        if stage and saver not in names:
            names.insert(0, saver)
    if "universal, saved in stage 1, read in stage 2" in names and \
            "universal, saved by two, stage 1" not in names:
        names.insert(0, "universal, saved by two, stage 1")
    for name in sorted(names, key=lambda name: (name.startswith("universal"), "saved by two" not in
                                                name, list(PROGRAMS).index(name))):
        error, far, seconds = run(name, parent)
        verdict = "FAIL" if error else "PASS"
        counts[verdict] += 1
        told = error or ("" if far is None else f"{far:.1e} from the CPU")
        print(f"{verdict} {name} ({PROGRAMS[name][1]} ranks, {seconds:.0f} s): {told}", flush=True)
    print(f"{counts['PASS']} passed, {counts['FAIL']} failed")
    if counts["FAIL"]:
        print(f"logs in {parent}")
    else:
        shutil.rmtree(parent)
    return 1 if counts["FAIL"] or not counts["PASS"] else 0


if __name__ == "__main__":
    sys.exit(main())
