# SPDX-License-Identifier: Apache-2.0
"""Linear layers with weights of 8 and 4 bits: what they compute, in FLOAT, and what lies in the files
from which vLLM-Ascend loads them: those of msModelSlim, whose schemes have the names used here, and for
W4A16 those of llm-compressor.
"""

import json
import math
import os

import torch

# Layers that stay as they are: the head, the choice of experts, and what latent attention multiplies
# into its queries.
FLOAT_LAYERS = ("lm_head", "gate", "kv_b_proj")
GROUP = 32  # inputs that share a factor, of 4 bits
CLIP = 0.95  # what is left of a token's largest value where both sides have 4 bits
# What others have where experts have 4 bits.
BESIDE_EXPERTS = {"W4A16": "", "W4A8_DYNAMIC": "W8A8_DYNAMIC"}


def rotations(inputs):
    """Two orthogonal matrices whose sizes multiply to `inputs`, as vLLM-Ascend splits them: the same
    for all layers with so many inputs, since those that it merges share them."""
    left = math.isqrt(inputs - 1) + 1
    while math.isqrt(left * left - inputs) ** 2 != left * left - inputs:
        left += 1
    rest = math.isqrt(left * left - inputs)
    random = torch.Generator().manual_seed(inputs)
    return [torch.linalg.qr(torch.randn(size, size, generator=random))[0]
            for size in (left - rest, left + rest)]


def rotate(x, left, right):
    """Rows as matrices between the two."""
    return (left.T @ x.unflatten(-1, (left.shape[0], right.shape[0])) @ right).flatten(-2)


def scheme_of(name, scheme):
    if name.split(".")[-1] in FLOAT_LAYERS:
        return ""
    # More layers of 4 bits on both sides and two runs of any kind differ: each step that is rounded the
    # other way turns more of them in the next layer.
    if "FLATQUANT" in scheme and not name.endswith("down_proj"):
        return ""
    return scheme if ".experts." in name else BESIDE_EXPERTS.get(scheme, scheme)


class Quantised(torch.nn.Module):
    """A Linear whose weight is rounded, to 8 bits by output channel or to 4 by GROUP inputs of one,
    and, by its scheme, what it is multiplied by: A16 is nothing, DYNAMIC each token by its largest
    value, W8A8 all tokens by the range `seen` when the layer was still a Linear. FLATQUANT rotates both
    sides first, and both have 4 bits, weights by output channel.
    """

    def __init__(self, linear, scheme, dtype, seen, cut_inputs):
        super().__init__()
        self.scheme, self.dtype, self.cut_inputs = scheme, dtype, cut_inputs
        weight = linear.weight.detach().float()
        outputs, inputs = weight.shape
        self.flat = "FLATQUANT" in scheme
        if self.flat:
            self.left, self.right = map(self._rounded, rotations(inputs))
            weight = rotate(weight, self.left, self.right)
        most, group = (7, GROUP) if scheme.startswith("W4") else (127, inputs)
        if self.flat:
            group = inputs
        groups = weight.view(outputs, inputs // group, group)
        scale = groups.abs().amax(2) / most
        # W4A8 has FLOAT factors of channels and of groups in them, whose product vLLM-Ascend rounds.
        self.scale = scale.half().float() if scheme == "W4A8_DYNAMIC" else self._rounded(scale)
        self.numbers = (groups / self.scale[:, :, None]).round().clamp(-most - 1, most).flatten(1)
        self.weight = self.numbers * self.scale.repeat_interleave(group, 1)
        self.bias = None if linear.bias is None else linear.bias.detach().float()
        if scheme == "W8A8":
            low, high = seen
            self.input_scale = self._rounded((high - low) / 255)
            self.reciprocal = self._rounded(1 / self.input_scale)
            self.offset = (-128 - low * self.reciprocal).round().clamp(-128, 127)
            self.product_scale = (self.input_scale * self.scale)[:, 0]
            bias = 0 if self.bias is None else self.bias / self.product_scale
            self.whole_bias = (bias - self.offset * self.numbers.sum(1)).round()

    def _rounded(self, x):
        return x.to(self.dtype).float()

    def forward(self, x):
        if self.scheme == "W8A8":
            x = (x * self.reciprocal + self.offset).round().clamp(-128, 127)
            return (x @ self.numbers.T + self.whole_bias) * self.product_scale
        if self.flat:
            x = rotate(x, self.left, self.right)
            scale = x.abs().amax(-1, keepdim=True) * CLIP / 7
            x = (x / scale).round().clamp(-8, 7) * scale
        elif self.scheme.endswith("DYNAMIC"):
            scale = x.abs().amax(-1, keepdim=True).clamp(min=1e-12) / 127
            x = (x / scale).round() * scale
        return torch.nn.functional.linear(x, self.weight, self.bias)

    def tensors(self):
        """Name in the file, after the layer's: tensor."""
        if self.scheme == "W4A16":
            return {"weight_packed": self._packed(), "weight_scale": self.scale.to(self.dtype),
                    "weight_shape": torch.tensor(self.numbers.shape)}
        if self.scheme == "W4A8_DYNAMIC":
            return self._of_two_factors()
        result = {"weight": self.numbers.to(torch.int8), "weight_scale": self.scale.to(self.dtype),
                  "weight_offset": torch.zeros_like(self.scale, dtype=self.dtype)}
        if self.scheme == "W8A8":
            scale = self.product_scale.contiguous()
            if self.dtype == torch.float16:  # the bits of FLOAT in the low half
                scale = scale.view(torch.int32).to(torch.int64)
            result.update(input_scale=self.input_scale.to(self.dtype).reshape(1),
                          input_offset=self.offset.to(torch.int8).reshape(1),
                          quant_bias=self.whole_bias.to(torch.int32), deq_scale=scale)
        elif self.bias is not None:
            result["bias"] = self.bias.to(self.dtype)
        if self.flat:
            result.update(left_trans=self.left.to(self.dtype), right_trans=self.right.to(self.dtype),
                          clip_ratio=torch.tensor([CLIP]))
        return result

    def _packed(self):
        """Eight numbers of a row to an INT32, the first one lowest, each 8 larger than it is."""
        nibbles = (self.numbers + 8).to(torch.int64).unflatten(1, (-1, 8))
        whole = (nibbles << torch.arange(0, 32, 4)).sum(2)
        return torch.where(whole >= 1 << 31, whole - (1 << 32), whole).to(torch.int32)

    def _of_two_factors(self):
        """Two numbers of a column to an INT8. What is to be added where INT8 are taken 8 smaller than
        they are is in one part, or for layers whose inputs tensor parallelism cuts in 16."""
        low, high = self.numbers.to(torch.int64).unflatten(0, (-1, 2)).unbind(1)
        whole = (low & 15) | (high & 15) << 4
        parts = 16 if self.cut_inputs else 1
        first = self.scale.amax(1, keepdim=True)
        return {"weight": torch.where(whole > 127, whole - 256, whole).to(torch.int8),
                "weight_scale": first, "weight_offset": torch.zeros_like(first),
                "weight_scale_second": self.scale / first,
                "weight_offset_second": torch.zeros_like(self.scale),
                "scale_bias": 8 * self.weight.unflatten(1, (parts, -1)).sum(2)}


class Experts(torch.nn.ModuleList):
    """Experts whose weights transformers 5 keeps in two tensors, as layers of their own again, which is
    how files have them."""

    def __init__(self, together):
        super().__init__()
        self.act = together.act_fn.forward
        for gate_up, down in zip(together.gate_up_proj, together.down_proj):
            expert = torch.nn.Module()
            gate, up = gate_up.chunk(2)
            for name, weight in dict(gate_proj=gate, up_proj=up, down_proj=down).items():
                expert.add_module(name, torch.nn.Linear(*weight.T.shape, bias=False))
                expert.get_submodule(name).weight.data.copy_(weight)
            self.append(expert)

    def forward(self, x, experts, factors):
        result = torch.zeros_like(x)
        for number, expert in enumerate(self):
            token, place = torch.where(experts == number)
            if not token.numel():
                continue
            rows = x[token]
            rows = expert.down_proj(self.act(expert.gate_proj(rows)) * expert.up_proj(rows))
            result.index_add_(0, token, rows * factors[token, place, None])
        return result


def quantise(model, scheme, dtype, tokens):
    """Makes the model's Linear layers Quantised; `tokens` are what W8A8 has its ranges from."""
    for name, module in list(model.named_modules()):
        if isinstance(getattr(module, "gate_up_proj", None), torch.nn.Parameter):
            parent, _, child = name.rpartition(".")
            setattr(model.get_submodule(parent), child, Experts(module))
    linears = {name: layer for name, layer in model.named_modules()
               if isinstance(layer, torch.nn.Linear) and scheme_of(name, scheme)}
    seen = {}

    def see(name):
        def hook(_, inputs):
            low, high = seen.get(name, (torch.zeros(()), torch.zeros(())))
            if inputs[0].numel():
                seen[name] = (torch.minimum(low, inputs[0].min()), torch.maximum(high, inputs[0].max()))
        return hook

    hooks = [layer.register_forward_pre_hook(see(name)) for name, layer in linears.items()]
    with torch.no_grad():
        if scheme == "W8A8":
            model(tokens)
        for hook in hooks:
            hook.remove()
        for name, layer in linears.items():
            parent, _, child = name.rpartition(".")
            setattr(model.get_submodule(parent), child,
                    Quantised(layer, scheme_of(name, scheme), dtype, seen.get(name),
                              cut_inputs=child in ("o_proj", "down_proj")))


def save(model, scheme, dtype, folder):
    """The model's files: weights, configuration, and which scheme each weight has."""
    from safetensors.torch import save_file
    tensors = {name: x.detach().to(dtype) for name, x in model.state_dict().items()}
    kinds = {name: "FLOAT" for name in tensors}
    for name, layer in model.named_modules():
        if isinstance(layer, Quantised):
            for suffix, x in layer.tensors().items():
                tensors[f"{name}.{suffix}"] = x
                kinds[f"{name}.{suffix}"] = layer.scheme
    save_file({name: x.contiguous() for name, x in tensors.items()},
              os.path.join(folder, "model.safetensors"), metadata={"format": "pt"})
    model.config.dtype = dtype
    model.config.architectures = [type(model).__name__]
    if scheme == "W4A16":
        weights = dict(num_bits=4, type="int", symmetric=True, strategy="group", group_size=GROUP)
        model.config.quantization_config = dict(
            quant_method="compressed-tensors", format="pack-quantized", group_size=GROUP,
            ignore=["lm_head", "re:.*self_attn.*", "re:.*mlp.gate$"],
            config_groups={"group_0": dict(targets=["re:.*experts.*"], weights=weights)})
    else:
        kinds.update(version="1.0.0", group_size=GROUP)
        with open(os.path.join(folder, "quant_model_description.json"), "w", encoding="utf-8") as f:
            json.dump(kinds, f)
    model.config.save_pretrained(folder)
