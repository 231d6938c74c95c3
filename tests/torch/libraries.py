#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs models, pipelines and trainers of libraries that people use with PyTorch on the device "npu"
and on the CPU, and compares what they return: timm, diffusers, transformers' Trainer, accelerate,
peft, torchvision, torch_geometric, kornia, torchmetrics.

usage: libraries.py [REGEX] [--part I/N] [--timeout S] [--json FILE] [--verbose]

The libraries are installed without torch (run.sh names their versions). Programs are in
library_programs.py, timm's models in library_models.py. Numbers agree as those of programs.py do;
gradients of timm's models, tensor by tensor, to a tenth of their norm or a hundredth of the largest
one's: they jump with single ReLUs.
"""

import re
import sys

import program_runner
import programs
from library_models import TIMM

PROGRAMS_PER_PROCESS = 16
# Programs that cannot run -> words of the exception that says why.
REFUSED = {
    # repeat_interleave of float64, which the operator's document does not have.
    "diffusers cogvideox": "self.dtype = DOUBLE",
}


def table():
    import library_programs  # noqa: F401
    from program_table import PROGRAMS
    return PROGRAMS


def names():
    return [f"timm {name}" for name in TIMM] + list(table())


def same_gelu():
    """aclnnGelu's formula, whatever `approximate` says."""
    import torch
    gelu = torch.nn.functional.gelu
    torch.nn.functional.gelu = lambda x, approximate="none": gelu(x, approximate="tanh")
    torch.nn.GELU.forward = lambda self, x: gelu(x, approximate="tanh")


def run(name):
    same_gelu()
    if name.startswith("timm "):
        return run_timm(name.split()[1])
    programs.run_of(table(), name)


def run_timm(name):
    import timm
    import torch

    def scores_and_gradients(device):
        torch.manual_seed(0)
        model = timm.create_model(name, pretrained=False, num_classes=10).eval().to(device)
        images = torch.randn(2, model.default_cfg["input_size"][0], TIMM[name], TIMM[name])
        scores = model(images.to(device))
        labels = torch.tensor([1, 2], device=device)
        torch.nn.functional.cross_entropy(scores, labels).backward()
        return scores, {key: value.grad.cpu().double() for key, value in model.named_parameters()
                        if value.grad is not None}

    right, mine = scores_and_gradients("cpu"), scores_and_gradients("npu")
    program_runner.agree("scores", mine[0], right[0], 1e-3)
    assert list(mine[1]) == list(right[1]), "other parameters have gradients"
    least = 1e-2 * max(gradient.norm() for gradient in right[1].values())
    for key, gradient in right[1].items():
        error = (mine[1][key] - gradient).norm()
        assert error <= 0.1 * gradient.norm() + least, \
            f"{key}: its gradient is off by {error:.2e} of {gradient.norm():.2e}"


def main():
    options = program_runner.options_of(__doc__)
    if options.run:
        import torch_npu  # noqa: F401
        return program_runner.work(options.run, run)
    wanted = [name for name in program_runner.without_torch_npu(names)
              if re.search(options.regex, name)]
    groups = [wanted[i:i + PROGRAMS_PER_PROCESS]
              for i in range(0, len(wanted), PROGRAMS_PER_PROCESS)]
    return program_runner.judge(__file__, groups, options, REFUSED)


if __name__ == "__main__":
    sys.exit(main())
