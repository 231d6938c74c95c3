#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks who may include whom, and that only the vector layer asks for instruction sets (docs/architecture.md).

usage: check_includes.py [ROOT]
       check_includes.py --self-test
"""

import pathlib
import re
import sys
import tempfile

# Layer of src/ -> the layers that it may include besides itself. Public headers are open to all.
LAYERS = {
    "base": set(),
    "simd": {"base"},
    "runtime": {"base"},
    "gemm": {"base", "runtime"},
    "attention": {"base", "runtime", "nnop"},
    "single_op": {"base", "runtime"},
    "op_compiler": {"base", "runtime", "single_op"},
    "dump": {"base"},
    "driver": {"base", "runtime"},
    "hccl": {"base", "runtime"},
    "profiler": {"base", "runtime"},
    "securec": set(),
    "tdt": {"base", "runtime"},
    "nnop": {"base", "runtime"},
    "ops": {"base", "runtime", "nnop", "gemm", "attention", "single_op"},
}

# Folders of src/ops/ that are no operators: what families share.
SHARED_IN_OPS = {"blocks", "ranks"}

# Kernels are compiled once per instruction set. A template or an inline function of one of these,
# instantiated there, would reach the rest of the library with instructions that a machine may lack.
STL_IN_KERNELS = {
    "algorithm", "any", "condition_variable", "deque", "forward_list", "functional", "future",
    "iostream", "list", "map", "memory", "mutex", "optional", "ostream", "queue", "regex", "set",
    "shared_mutex", "span", "sstream", "stack", "string", "thread", "tuple", "unordered_map",
    "unordered_set", "variant", "vector",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# What compilers define for an instruction set. src/simd alone may ask for it: the rest sees its operations
# and constants, so that a new tier edits no operator.
INSTRUCTION_SET = re.compile(r"\b__(AVX|SSE|SSSE|FMA__|F16C|BMI|AMX|ARM_FEATURE|ARM_NEON)\w*")
SOURCES = {".h", ".cc", ".cpp", ".c", ".inc"}


def includes(path):
    """Yields (line number, quoted, name) of each include line."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1] == '"', match[2]


def layer_of(parts):
    """The layer of a path below src/; files directly in src/ have none."""
    return parts[0] if len(parts) > 1 else None


# Vector instructions by name, which belong to the vector layer; base has what is no arithmetic: stores past
# the caches, the rounding mode, what the CPU can do.
INTRINSICS = re.compile(r"\w*intrin\.h|arm_\w+\.h")


def kernel_objection(parts, quoted, name):
    """What kernel*.cc and kernel_*.h may not include: anything but base, simd, the engines' tiles and its own
    op.h and kernel*.h."""
    if not quoted:
        return "a standard container" if name in STL_IN_KERNELS else None
    folder = "/".join(parts[:-1])
    if name.startswith(("base/", "simd/")) or name == f"{folder}/op.h":
        return None
    if name.startswith((f"{folder}/kernel", "gemm/kernel", "attention/kernel")):
        return None
    return "a header outside base/, simd/, {gemm,attention}/kernel*.h and its own op.h and kernel*.h"


def layer_objection(parts, name):
    """What the layers forbid to a file below src/."""
    layer, target = layer_of(parts), name.split("/")
    if name.startswith("tests/"):
        return "a test"
    if layer not in LAYERS or target[0] not in LAYERS:
        return None
    if layer == target[0]:
        folders = layer == "ops" and len(parts) > 2 and len(target) > 2
        if folders and target[1] not in {parts[1], *SHARED_IN_OPS}:
            return "another operator"
        return None
    return None if target[0] in LAYERS[layer] else f"layer {target[0]} from layer {layer}"


def objection(root, path, quoted, name):
    parts = path.relative_to(root).parts
    if parts[0] == "include":
        if (root / "src" / name).exists() or name.startswith(("src/", "tests/")):
            return "an internal header from a public one"
        return None
    if parts[0] in ("examples", "bench"):
        return "a test" if name.startswith("tests/") else None
    below = parts[1:]
    if not quoted and INTRINSICS.fullmatch(name) and below[0] not in ("simd", "base"):
        return "instructions outside src/simd and src/base"
    if re.fullmatch(r"kernel\w*\.cc|kernel_\w+\.h", below[-1]) and below[0] in ("ops", "gemm", "attention", "hccl"):
        return kernel_objection(below, quoted, name)
    if below[0] == "simd" and not quoted and name in STL_IN_KERNELS:
        return "a standard container"
    return layer_objection(below, name)


def instruction_sets(path):
    """Yields (line number, macro) of each line that asks for an instruction set."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if match := INSTRUCTION_SET.search(line.split("//")[0]):
            yield number, match[0]


def check(root):
    """Returns a list of complaints."""
    complaints = []
    for folder in ("include", "src", "examples", "bench"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SOURCES:
                continue
            for number, quoted, name in includes(path):
                if reason := objection(root, path, quoted, name):
                    place = path.relative_to(root)
                    complaints.append(f"{place}:{number}: includes {reason}: {name}")
            if folder == "src" and path.relative_to(root).parts[1] != "simd":
                for number, macro in instruction_sets(path):
                    place = path.relative_to(root)
                    complaints.append(f"{place}:{number}: asks for an instruction set outside src/simd: {macro}")
    return complaints


# File, include line, whether it is allowed.
SAMPLES = [
    ("src/base/a.h", '"base/b.h"', True),
    ("src/base/a.h", '"runtime/stream.h"', False),
    ("src/base/a.h", '"acl/acl_base.h"', True),
    ("src/simd/vec.h", '"base/half.h"', True),
    ("src/simd/vec.h", '"nnop/operands.h"', False),
    ("src/simd/vec.h", "<immintrin.h>", True),
    ("src/simd/vec.h", "<algorithm>", False),
    ("src/nnop/copy_runs.h", "<emmintrin.h>", False),
    ("src/ops/x/kernel.cc", "<arm_neon.h>", False),
    ("src/ops/x/plan.cc", '"simd/simd.h"', False),
    ("src/runtime/a.cc", '"base/status.h"', True),
    ("src/runtime/a.cc", '"nnop/executor.h"', False),
    ("src/nnop/a.cc", '"runtime/exports.h"', True),
    ("src/nnop/a.cc", '"ops/x/op.h"', False),
    ("src/gemm/plan.cc", '"simd/simd.h"', False),
    ("src/gemm/plan.cc", '"runtime/parallel.h"', True),
    ("src/gemm/plan.cc", '"nnop/workspace.h"', False),
    ("src/gemm/kernel_pack.h", '"simd/simd.h"', True),
    ("src/gemm/kernel_pack.h", '"runtime/parallel.h"', False),
    ("src/ops/x/kernel.cc", '"gemm/kernel_tile.h"', True),
    ("src/ops/x/kernel.cc", '"gemm/gemm.h"', False),
    ("src/ops/x/kernel.cc", '"attention/kernel_products.h"', True),
    ("src/ops/x/kernel.cc", '"attention/params.h"', False),
    ("src/ops/x/plan.cc", '"attention/plan.h"', True),
    ("src/attention/plan.cc", '"ops/x/op.h"', False),
    ("src/ops/x/plan.cc", '"gemm/gemm.h"', True),
    ("src/ops/x/plan.cc", '"nnop/workspace.h"', True),
    ("src/ops/x/plan.cc", '"ops/x/op.h"', True),
    ("src/ops/x/plan.cc", '"ops/y/op.h"', False),
    ("src/ops/x/plan.cc", '"ops/blocks/blocks.h"', True),
    ("src/ops/blocks/blocks.cc", '"ops/x/op.h"', False),
    ("src/ops/x/plan.cc", "<vector>", True),
    ("src/ops/x/plan.cc", '"tests/support/tensor.h"', False),
    ("src/ops/x/kernel.cc", '"simd/simd.h"', True),
    ("src/ops/x/kernel.cc", '"ops/x/kernel.h"', True),
    ("src/ops/x/kernel_rows.cc", '"ops/x/kernel_sources.h"', True),
    ("src/ops/x/kernel_rows.cc", "<vector>", False),
    ("src/ops/x/kernel_sources.h", '"simd/simd.h"', True),
    ("src/ops/x/kernel.cc", "<cmath>", True),
    ("src/ops/x/kernel.cc", "<vector>", False),
    ("src/ops/x/kernel.cc", '"nnop/operands.h"', False),
    ("src/ops/x/kernel.cc", '"ops/x/plan.h"', False),
    ("src/gemm/kernel.cc", "<memory>", False),
    ("src/hccl/kernel_reduce.cc", '"simd/simd.h"', True),
    ("src/hccl/kernel_reduce.cc", '"runtime/task.h"', False),
    ("include/acl/a.h", '"acl/acl_base.h"', True),
    ("include/acl/a.h", '"base/status.h"', False),
    ("include/acl/a.h", '"src/base/status.h"', False),
    ("examples/x/main.cpp", '"tests/support/tensor.h"', False),
    ("examples/x/main.cpp", '"acl/acl.h"', True),
]


# File, line, whether it is allowed.
LINES = [
    ("src/simd/vec.h", "#if defined(__AVX2__)", True),
    ("src/ops/x/kernel.cc", "#if defined(__AVX512BW__)", False),
    ("src/gemm/kernel.cc", "#ifdef __ARM_FEATURE_DOTPROD", False),
    ("src/ops/x/kernel.cc", "// as without __AVX2__", True),
    ("src/base/cpu.cc", "#if defined(__x86_64__)", True),
]


def self_test():
    failures = 0
    samples = [(name, f"#include {target}", allowed) for name, target, allowed in SAMPLES] + LINES
    for name, line, allowed in samples:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in (("src/base/status.h", ""), (name, f"{line}\n")):
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            complaints = check(root)
            if (not complaints) != allowed:
                failures += 1
                print(f"{name} with {line}: expected {'no ' * allowed}complaint", *complaints)
    print(f"{len(samples)} samples, {failures} wrong")
    return 1 if failures else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    complaints = check(root)
    print("\n".join(complaints) if complaints else "includes and instruction sets are as the architecture says")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
