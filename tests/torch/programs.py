#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs programs that use one part of PyTorch each, on the device "npu" and on the CPU, and compares
what they return.

usage: programs.py [REGEX] [--part I/N] [--timeout S] [--json FILE] [--verbose]

Programs are in {tensor,module,training,small}_programs.py: functions of the device that return
tensors, numbers, strings and containers of these. Floating-point numbers must agree to 1e-4 of the
largest one (float16 to 4e-3, bfloat16 to 3e-2) or what the program's row says, the rest exactly.
"""

import re
import sys

import program_runner
from program_runner import agree

PROGRAMS_PER_PROCESS = 60
# Programs that cannot run -> words of the exception that says why.
REFUSED = {
    # torch_npu 2.8.0 multiplies no sparse tensors; 2.14.0 multiplies them as dense ones and drops the
    # zeros of the product, which the first state of SparseAdam is made of.
    "sparse gradients": "'aten::mul.out' is not currently supported on the NPU backend|"
                        r"The size of tensor a \(2\) must match the size of tensor b \(0\)",
}


def table():
    import module_programs  # noqa: F401
    import small_programs  # noqa: F401
    import tensor_programs  # noqa: F401
    import training_programs  # noqa: F401
    from program_table import PROGRAMS
    return PROGRAMS


def compare(what, actual, expected, tolerance):
    import torch
    assert isinstance(actual, type(expected)), f"{what}: {type(actual)}, not {type(expected)}"
    if isinstance(expected, torch.Tensor):
        least = {torch.float16: 4e-3, torch.bfloat16: 3e-2}.get(expected.dtype, tolerance)
        assert actual.dtype == expected.dtype, f"{what}: {actual.dtype}, not {expected.dtype}"
        agree(what, actual, expected, max(least, tolerance))
    elif isinstance(expected, float):
        agree(what, torch.tensor(actual), torch.tensor(expected), tolerance)
    elif isinstance(expected, dict):
        assert list(actual) == list(expected), f"{what}: {list(actual)}, not {list(expected)}"
        for key, value in expected.items():
            compare(f"{what}[{key!r}]", actual[key], value, tolerance)
    elif isinstance(expected, (list, tuple)):
        assert len(actual) == len(expected), f"{what}: {len(actual)} items, not {len(expected)}"
        for place, value in enumerate(expected):
            compare(f"{what}[{place}]", actual[place], value, tolerance)
    else:
        assert actual == expected, f"{what}: {actual!r}, expected {expected!r}"


def run(name):
    run_of(table(), name)


def run_of(table, name):
    import torch
    function, tolerance = table[name]
    results = {}
    for device in ("cpu", "npu"):
        torch.manual_seed(0)
        results[device] = function(torch.device(device))
    compare("result", results["npu"], results["cpu"], tolerance)


def main():
    options = program_runner.options_of(__doc__)
    if options.run:
        import torch_npu  # noqa: F401
        return program_runner.work(options.run, run)
    wanted = [name for name in program_runner.without_torch_npu(table)
              if re.search(options.regex, name)]
    part, parts = (int(n) for n in options.part.split("/"))
    wanted, options.part = wanted[part::parts], "0/1"
    groups = [wanted[i:i + PROGRAMS_PER_PROCESS]
              for i in range(0, len(wanted), PROGRAMS_PER_PROCESS)]
    return program_runner.judge(__file__, groups, options, REFUSED)


if __name__ == "__main__":
    sys.exit(main())
