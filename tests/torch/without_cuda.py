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
int cudaGetDevice(int *device) { *device = -1; return 100; }
int cudaGetLastError(void) { return 0; }
int cudaPeekAtLastError(void) { return 0; }
int cudaDriverGetVersion(int *version) { *version = 0; return 0; }
int cudaRuntimeGetVersion(int *version) { *version = 12080; return 0; }
const char *cudaGetErrorName(int code) { (void)code; return "cudaErrorNoDevice"; }
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
# torch's profiler asks CUPTI whether it can be used and goes on without it; 15 is
# CUPTI_ERROR_NOT_INITIALIZED.
PROFILER = """
int cuptiGetResultString(int code, const char **text) { *text = "no CUDA here"; return 0; }
"""
# CUDA's allocator and torch_npu's, of torch 2.14 and later, register the same keys, which c10 takes for
# a mistake: torch_npu wants the torch for CPUs. Here CUDA's get a list of their own, which begins like
# c10's. torch loads these libraries first of all, so that this is found before c10's function.
KEYS = """
#include <dlfcn.h>
#include <cstring>
#include <string>
#include <unordered_set>
namespace c10 {
namespace CachingAllocator {
struct AcceleratorAllocatorConfig {
  static std::unordered_set<std::string>& getMutableKeys();
};
std::unordered_set<std::string>& AcceleratorAllocatorConfig::getMutableKeys() {
  using Keys = std::unordered_set<std::string>;
  static Keys& all = reinterpret_cast<Keys& (*)()>(
      dlsym(dlopen("libc10.so", RTLD_NOW | RTLD_NOLOAD),
            "_ZN3c1016CachingAllocator26AcceleratorAllocatorConfig14getMutableKeysB5cxx11Ev"))();
  static Keys of_cuda = all;
  Dl_info caller;
  const bool cuda = dladdr(__builtin_return_address(0), &caller) != 0 &&
                    std::strstr(caller.dli_fname, "libc10_cuda") != nullptr;
  return cuda ? of_cuda : all;
}
}  // namespace CachingAllocator
}  // namespace c10
"""
NEEDED = re.compile(r"\(NEEDED\).*\[(lib(?:cu|nccl|nv)[\w.]+)\]")
SEARCHED = re.compile(r"\$ORIGIN/\.\./\.\./(nvidia/[\w/]+)")
VERSION = re.compile(r"File: (\S+)  Cnt: 1\n.*Name: (\S+)")
UNDEFINED = re.compile(r" U ((?:cu|nccl|nv[rst]|__cuda)\w*)(?:@(\S+))?$", re.MULTILINE)
DEFINED = re.compile(r" [TWVi] ((?:cu|nccl|nv[rst]|__cuda)\w*)(?:@\S+)?$", re.MULTILINE)


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    site = pathlib.Path(sys.argv[1])
    names = {}
    for library in (site / "torch" / "lib").glob("*.so"):
        for needed in NEEDED.findall(run("readelf", "-dW", str(library))):
            # Not CUDA's driver, which torch opens by itself where it is there.
            if needed != "libcuda.so.1":
                names.setdefault(needed, set())
    if not names:  # torch for CPUs
        return 0
    # Of the folders in which torch looks, that of CUDA's runtime.
    found = SEARCHED.findall(run("readelf", "-dW", str(site / "torch" / "lib" / "libtorch_cpu.so")))
    out = site / next((path for path in found if "cuda_runtime" in path), found[0])
    out.mkdir(parents=True, exist_ok=True)
    runtime = next(name for name in names if name.startswith("libcudart.so"))
    # Which library a version of symbols belongs to; most call theirs like themselves.
    owner = {library: library for library in names}
    for library in (site / "torch" / "lib").glob("*.so"):
        for needed, version in VERSION.findall(run("readelf", "-VW", str(library))):
            if needed in names:
                owner[version] = needed
    # LAPACK's functions of unitary matrices begin as CUDA's do (cungqr_); torch has them itself.
    own = set()
    for library in (site / "torch" / "lib").glob("*.so"):
        own.update(DEFINED.findall(run("nm", "-D", "--defined-only", str(library))))
    for library in (site / "torch" / "lib").glob("*.so"):
        for name, version in UNDEFINED.findall(run("nm", "-D", "--undefined-only", str(library))):
            # Those without a version can come from any of them.
            if name not in own:
                names[owner.get(version, runtime)].add(name)
    answered = set(re.findall(r"(\w+)\(", ANSWERS + PROFILER))
    with tempfile.TemporaryDirectory() as folder:
        source, script = pathlib.Path(folder, "none.c"), pathlib.Path(folder, "none.map")
        for library, functions in names.items():
            text = REFUSE + (ANSWERS if library == runtime else "")
            if "cuptiGetResultString" in functions:
                text += PROFILER
            for name in sorted(functions - answered):
                if name.startswith("cupti"):
                    text += f"int {name}(void) {{ return 15; }}\n"
                else:
                    text += f'void {name}(void) {{ refuse("{name}"); }}\n'
            source.write_text(text)
            version = next((name for name in owner if owner[name] == library and name != library),
                           library)
            script.write_text(f"{version} {{ global: *; }};\n")
            sources = [str(source)]
            if library == runtime and b"getMutableKeys" in (site / "torch/lib/libc10.so").read_bytes():
                pathlib.Path(folder, "keys.cc").write_text(KEYS)
                run("c++", "-c", "-O1", "-fPIC", "-o", f"{folder}/keys.o", f"{folder}/keys.cc")
                sources += [f"{folder}/keys.o", "-lstdc++", "-ldl"]
            run("cc", "-shared", "-fPIC", "-w", f"-Wl,-soname,{library}",
                f"-Wl,--version-script={script}", "-o", str(out / library), *sources)
    print(f"{len(names)} libraries in {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
