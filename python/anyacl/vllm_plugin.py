# SPDX-License-Identifier: Apache-2.0
"""A plugin of vLLM: kernels of vLLM-Ascend that operators of torch_npu compute, too.

vLLM-Ascend's extension is device code, which only an NPU runs; here it does not load, and vLLM-Ascend
goes on with torch_npu's operators. Some of its functions it calls without asking whether they are
there: for mixtures of experts, adapters (LoRA), and where it captures graphs. They are made here, where
anyacl is what torch_npu runs on and nothing else has made them.
"""

import os

from anyacl import _loader

SCHEMAS = (
    "moe_gating_top_k(Tensor x, int k, int k_group, int group_count, int group_select_mode, "
    "int renorm, int norm_type, bool out_flag, float routed_scaling_factor, float eps, "
    "Tensor? bias_opt=None) -> (Tensor, Tensor, Tensor)",
    "npu_moe_init_routing_custom(Tensor x, Tensor expert_idx, *, Tensor? scale=None, "
    "Tensor? offset=None, int active_num=-1, int expert_capacity=-1, int expert_num=-1, "
    "int drop_pad_mode=0, int expert_tokens_num_type=0, bool expert_tokens_num_flag=False, "
    "int quant_mode=0, int[2] active_expert_range=[], int row_idx_type=0) "
    "-> (Tensor, Tensor, Tensor, Tensor)",
    "weak_ref_tensor(Tensor input) -> Tensor",
    "bgmv_shrink(Tensor x, Tensor weight, Tensor indices, Tensor(a!) y, float scale) -> ()",
    "bgmv_expand(Tensor x, Tensor weight, Tensor indices, Tensor(a!) y, int slice_offset, "
    "int slice_size) -> ()",
    "sgmv_shrink(Tensor x, Tensor weight, Tensor lora_indices, Tensor seq_len, Tensor(a!) y, "
    "float scale) -> ()",
    "sgmv_expand(Tensor x, Tensor weight, Tensor lora_indices, Tensor seq_len, Tensor(a!) y, "
    "int slice_offset, int slice_size) -> ()",
)
_library = None  # lives as long as the process


def _moe_gating_top_k(x, k, k_group, group_count, group_select_mode, renorm, norm_type, out_flag,
                      routed_scaling_factor, eps, bias_opt=None):
    import torch_npu
    softmax = norm_type == 0
    weights, experts, out = torch_npu.npu_moe_gating_top_k(
        x, k, bias=bias_opt, k_group=k_group, group_count=group_count,
        group_select_mode=group_select_mode, renorm=0, norm_type=norm_type, out_flag=out_flag,
        routed_scaling_factor=1.0 if softmax and renorm else routed_scaling_factor, eps=eps)
    # The sigmoid's weights are divided by their sum there, the softmax's are not.
    if softmax and renorm:
        weights = weights / (weights.sum(-1, keepdim=True) + eps) * routed_scaling_factor
    return weights, experts, out


def _npu_moe_init_routing_custom(x, expert_idx, **options):
    import torch
    import torch_npu
    rows, places, counts, scales = torch_npu.npu_moe_init_routing_v2(x, expert_idx, **options)
    experts = options.get("expert_num", -1)
    first, last = options.get("active_expert_range") or (0, experts)
    counted = options.get("expert_tokens_num_type", 0) == 1
    if counted and last - first < experts:
        # The place of a row for experts of other ranks is -1. vLLM-Ascend makes row 1 of it, times 0,
        # which is whatever lay in memory where the experts here have fewer than two rows: NaN, too.
        # So the last of them gets rows of zeros.
        least = min(2, rows.shape[0])
        own = counts.sum()
        there = torch.arange(least, device=rows.device) < own
        rows[:least] = torch.where(there[:, None], rows[:least], 0)
        scales[:least] = torch.where(there, scales[:least], 0)
        counts[-1:] += (least - own).clamp(min=0)
    return rows, places, counts, scales


def _add_by_adapter(x, weight, indices, y, scale=1.0):
    """y += scale * x @ weight[i].T in FLOAT, i the adapter of the row, or -1."""
    import torch
    x = x.float()
    total = y.float()
    for i, matrix in enumerate(weight.flatten(1, -2).float()):  # [adapters, 1, outputs, inputs], too
        rows = torch.where((indices == i)[:, None], x, 0)
        total = torch.addmm(total, rows, matrix.T, alpha=scale)
    y.copy_(total)


def _bgmv_shrink(x, weight, indices, y, scale):
    _add_by_adapter(x, weight, indices, y, scale)


def _bgmv_expand(x, weight, indices, y, slice_offset, slice_size):
    _add_by_adapter(x, weight, indices, y[:, slice_offset:slice_offset + slice_size])


def _by_row(lora_indices, seq_len, rows):
    """The adapter of each row, of sequences one after the other; behind the last one none."""
    import torch
    row = torch.arange(rows, device=seq_len.device)[:, None]
    sequence = (row >= seq_len.cumsum(0)).sum(1)
    return torch.nn.functional.pad(lora_indices, (0, 1), value=-1)[sequence]


def _sgmv_shrink(x, weight, lora_indices, seq_len, y, scale):
    _add_by_adapter(x, weight, _by_row(lora_indices, seq_len, x.shape[0]), y, scale)


def _sgmv_expand(x, weight, lora_indices, seq_len, y, slice_offset, slice_size):
    _bgmv_expand(x, weight, _by_row(lora_indices, seq_len, x.shape[0]), y, slice_offset, slice_size)


def _weak_ref_tensor(tensor):
    import torch_npu
    return torch_npu._C._weak_ref_tensor(tensor)


def register():
    """The entry point "vllm.general_plugins", which vLLM calls in each of its processes."""
    global _library
    home = os.environ.get("ASCEND_HOME_PATH")
    if _library is not None or not home or not _loader.is_ours(home):
        return
    import torch
    import vllm_ascend.utils
    if vllm_ascend.utils._CUSTOM_OP_ENABLED is None:
        # It would try to load the extension when it first asks, which PyTorch's compiler does not bear.
        vllm_ascend.utils._CUSTOM_OP_ENABLED = False
    if hasattr(torch.ops._C_ascend, "moe_gating_top_k"):
        return
    _library = torch.library.Library("_C_ascend", "FRAGMENT")
    for schema in SCHEMAS:
        name = schema[:schema.index("(")]
        _library.define(schema)
        _library.impl(name, globals()[f"_{name}"], "PrivateUse1")
        if schema.endswith("-> ()"):  # without results: all that PyTorch's compiler asks
            _library.impl(name, lambda *_: None, "Meta")
