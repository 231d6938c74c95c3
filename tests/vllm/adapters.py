# SPDX-License-Identifier: Apache-2.0
"""LoRA: adapters with random numbers, as files of peft, and models with their products added."""

import contextlib
import json
import os

import torch

RANK, ALPHA = 8, 16
LAYERS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


class Adapter:
    """weight + b @ a * ALPHA / RANK, of all LAYERS."""

    def __init__(self, model, dtype, seed):
        numbers = torch.Generator().manual_seed(seed)
        self.parts = {}
        for name, layer in model.named_modules():
            if name.split(".")[-1] in LAYERS:
                outputs, inputs = layer.weight.shape
                self.parts[name] = [
                    (torch.randn(shape, generator=numbers) * 0.05).to(dtype)
                    for shape in ((RANK, inputs), (outputs, RANK))]

    def save(self, folder):
        from safetensors.torch import save_file
        os.mkdir(folder)
        with open(os.path.join(folder, "adapter_config.json"), "w", encoding="utf-8") as file:
            json.dump(dict(peft_type="LORA", task_type="CAUSAL_LM", r=RANK, lora_alpha=ALPHA,
                           lora_dropout=0.0, bias="none", target_modules=LAYERS), file)
        save_file({f"base_model.model.{name}.lora_{letter}.weight": x
                   for name, parts in self.parts.items() for letter, x in zip("AB", parts)},
                  os.path.join(folder, "adapter_model.safetensors"))

    @contextlib.contextmanager
    def added(self, model):
        """The model, in FLOAT, with the adapter's products."""
        before = {}
        with torch.no_grad():
            for name, (a, b) in self.parts.items():
                weight = model.get_submodule(name).weight
                before[name] = weight.clone()
                weight += b.float() @ a.float() * (ALPHA / RANK)
            yield
            for name, weight in before.items():
                model.get_submodule(name).weight.copy_(weight)
