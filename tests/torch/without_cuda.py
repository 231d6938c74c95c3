#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""PyPI's torch for x86-64 is the one for CUDA: it links a dozen of NVIDIA's libraries, 2.5 GB, of
which a machine without their GPU calls next to nothing. This lays libraries of their names where
torch looks, which say that there is no GPU; a call of anything else ends the program with the
function's name.

usage: without_cuda.py SITE_PACKAGES
"""

import pathlib
import re
import subprocess
import sys
import tempfile

# What the start of torch calls; 100 is cudaErrorNoDevice.
ANSWERS = """
static void *none;
int cudaGetDeviceCount(int *count) { *count = 0; return 100; }
int cudaGetLastError(void) { return 0; }
int cudaPeekAtLastError(void) { return 0; }
int cudaDriverGetVersion(int *version) { *version = 0; return 0; }
int cudaRuntimeGetVersion(int *version) { *version = 12080; return 0; }
const char *cudaGetErrorString(int code) { (void)code; return "there is no CUDA here"; }
void **__cudaRegisterFatBinary(void *binary) { (void)binary; return &none; }
void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }
void __cudaUnregisterFatBinary(void **handle) { (void)handle; }
void __cudaRegisterFunction(void) {}
void __cudaRegisterVar(void) {}
void __cudaRegisterManagedVar(void) {}
"""
REFUSE = """
#include <stdio.h>
#include <stdlib.h>
static void refuse(const char *name) { fprintf(stderr, "%s: no CUDA here\\n", name); abort(); }
"""
NEEDED = re.compile(r"\(NEEDED\).*\[(lib(?:cu|nccl|nv)[\w.]+)\]")
UNDEFINED = re.compile(r" U ((?:cu|nccl|nvrtc|nvtx|__cuda)\w*)(?:@(\S+))?$", re.MULTILINE)


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    site = pathlib.Path(sys.argv[1])
    out = site / "nvidia" / "cuda_runtime" / "lib"
    out.mkdir(parents=True, exist_ok=True)
    names = {}
    for library in (site / "torch" / "lib").glob("*.so"):
        for needed in NEEDED.findall(run("readelf", "-dW", str(library))):
            # Not CUDA's driver, which torch opens by itself where it is there.
            if needed != "libcuda.so.1":
                names.setdefault(needed, set())
    if not names:  # torch for CPUs
        return 0
    for library in (site / "torch" / "lib").glob("*.so"):
        for name, version in UNDEFINED.findall(run("nm", "-D", "--undefined-only", str(library))):
            # Those without a version can come from any of them.
            names[version if version in names else "libcudart.so.12"].add(name)
    answered = set(re.findall(r"(\w+)\(", ANSWERS))
    with tempfile.TemporaryDirectory() as folder:
        source, script = pathlib.Path(folder, "none.c"), pathlib.Path(folder, "none.map")
        for library, functions in names.items():
            text = REFUSE + (ANSWERS if library == "libcudart.so.12" else "")
            for name in sorted(functions - answered):
                text += f'void {name}(void) {{ refuse("{name}"); }}\n'
            source.write_text(text)
            script.write_text(f"{library} {{ global: *; }};\n")
            run("cc", "-shared", "-fPIC", "-w", f"-Wl,-soname,{library}",
                f"-Wl,--version-script={script}", "-o", str(out / library), str(source))
    print(f"{len(names)} libraries in {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
