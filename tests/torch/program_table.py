# SPDX-License-Identifier: Apache-2.0
"""The table of programs.py, and the numbers that its programs begin with."""

import torch

PROGRAMS = {}  # name -> (function of the device, tolerance)


def program(tolerance=1e-4):
    """Adds a function of the device to the table, under its name with spaces."""
    def add(function):
        PROGRAMS[function.__name__.replace("_", " ")] = function, tolerance
        return function
    return add


def numbers(device, *shape, dtype=torch.float32):
    """Normally distributed, from the CPU's generator: the same ones for both devices."""
    return torch.randn(shape).to(device=device, dtype=dtype)


def integers(device, *shape, low=0, high=10, dtype=torch.int64):
    return torch.randint(low, high, shape).to(device=device, dtype=dtype)


def with_gradients(function, *inputs):
    """The function's result and the gradients of inputs and parameters, for a seed of its own."""
    leaves = [x.detach().requires_grad_() if x.is_floating_point() else x for x in inputs]
    result = function(*leaves)
    flat = torch.utils._pytree.tree_flatten(result)[0]
    flat = [r for r in flat if isinstance(r, torch.Tensor) and r.requires_grad]
    seeds = [torch.linspace(0.5, 1.5, r.numel()).reshape(r.shape).to(r.device, r.dtype)
             for r in flat]
    wanted = [x for x in leaves if x.requires_grad]
    wanted += list(function.parameters()) if isinstance(function, torch.nn.Module) else []
    gradients = torch.autograd.grad(flat, wanted, seeds, allow_unused=True) if flat else []
    return result, list(gradients)
