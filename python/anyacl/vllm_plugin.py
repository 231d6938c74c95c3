# SPDX-License-Identifier: Apache-2.0
"""A plugin of vLLM: kernels of vLLM-Ascend that operators of torch_npu compute, too.

vLLM-Ascend's extension is device code, which only an NPU runs; here it does not load, and vLLM-Ascend
goes on with torch_npu's operators. Some of its functions it calls without asking whether they are
there: for mixtures of experts, adapters (LoRA), Gemma's norms, the attention of Qwen3-VL and MiniMax-M2,
and where it captures graphs. They are made here, where anyacl is what torch_npu runs on and nothing
else has made them.
"""

import functools
import os

from anyacl import _loader, vllm_drafts, vllm_linear_attention

SCHEMAS = (
    "moe_gating_top_k(Tensor x, int k, int k_group, int group_count, int group_select_mode, "
    "int renorm, int norm_type, bool out_flag, float routed_scaling_factor, float eps, "
    "Tensor? bias_opt=None) -> (Tensor, Tensor, Tensor)",
    "npu_moe_init_routing_custom(Tensor x, Tensor expert_idx, *, Tensor? scale=None, "
    "Tensor? offset=None, int active_num=-1, int expert_capacity=-1, int expert_num=-1, "
    "int drop_pad_mode=0, int expert_tokens_num_type=0, bool expert_tokens_num_flag=False, "
    "int quant_mode=0, int[2] active_expert_range=[], int row_idx_type=0) "
    "-> (Tensor, Tensor, Tensor, Tensor)",
    "grouped_matmul_swiglu_quant_weight_nz(Tensor x, Tensor weight, Tensor weight_scale, "
    "Tensor x_scale, Tensor group_list, *, Tensor? bias=None, Tensor? offset=None, "
    "float swiglu_limit=0.0) -> (Tensor, Tensor, Tensor)",
    "npu_dequant_swiglu_quant(Tensor x, *, Tensor? weight_scale=None, Tensor? activation_scale=None, "
    "Tensor? bias=None, Tensor? quant_scale=None, Tensor? quant_offset=None, "
    "Tensor? group_index=None, bool activate_left=True, int quant_mode=0, int swiglu_mode=0, "
    "float clamp_limit=0.0, float glu_alpha=1.0, float glu_bias=0.0) -> (Tensor, Tensor)",
    "npu_apply_top_k_top_p(Tensor logits, Tensor? p=None, Tensor? k=None) -> Tensor",
    "npu_gemma_rms_norm(Tensor x, Tensor gamma, float epsilon=1e-6) -> (Tensor, Tensor)",
    "weak_ref_tensor(Tensor input) -> Tensor",
    "bgmv_shrink(Tensor x, Tensor weight, Tensor indices, Tensor(a!) y, float scale) -> ()",
    "bgmv_expand(Tensor x, Tensor weight, Tensor indices, Tensor(a!) y, int slice_offset, "
    "int slice_size) -> ()",
    "sgmv_shrink(Tensor x, Tensor weight, Tensor lora_indices, Tensor seq_len, Tensor(a!) y, "
    "float scale) -> ()",
    "sgmv_expand(Tensor x, Tensor weight, Tensor lora_indices, Tensor seq_len, Tensor(a!) y, "
    "int slice_offset, int slice_size) -> ()",
)
# What vLLM-Ascend registers itself where Triton is there.
TRITON_SCHEMAS = (
    "triton_split_qkv_rmsnorm_mrope(Tensor qkv, Tensor q_weight, Tensor k_weight, Tensor cos_sin, "
    "int num_q_heads, int num_kv_heads, int head_size, float eps, int[] mrope_section, "
    "bool is_interleaved, int? rope_dim=None, Tensor? q_bias=None, Tensor? k_bias=None, "
    "bool has_gate=False) -> (Tensor, Tensor, Tensor, Tensor)",
    "split_qkv_tp_rmsnorm_rope(Tensor input, Tensor q_weight, Tensor k_weight, int q_hidden_size, "
    "int kv_hidden_size, int head_dim, int rotary_dim, float eps, int tp_world, Tensor cos, Tensor sin) "
    "-> (Tensor, Tensor, Tensor)",
)
_NO_LIMIT = 3e38  # the largest that FLOAT holds, nearly
_libraries = []  # live as long as the process
_registered = False


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


def _grouped_matmul_swiglu_quant_weight_nz(x, weight, weight_scale, x_scale, group_list, *, bias=None,
                                           offset=None, swiglu_limit=0.0):
    import torch_npu
    if swiglu_limit != 0:
        raise NotImplementedError("grouped_matmul_swiglu_quant_weight_nz: swiglu_limit = "
                                  f"{swiglu_limit}, expected 0: torch_npu's operator has no limit")
    return torch_npu.npu_grouped_matmul_swiglu_quant(x, weight, group_list, weight_scale, x_scale,
                                                     bias=bias, offset=offset)


def _npu_dequant_swiglu_quant(x, *, weight_scale=None, bias=None, activate_left=True, swiglu_mode=0,
                              clamp_limit=0.0, glu_alpha=1.0, glu_bias=0.0, **options):
    """Mode 1 is torch_npu's of halves instead of neighbours, and a limit of 0 is none."""
    import torch_npu
    if swiglu_mode == 1 and clamp_limit <= 0 and glu_alpha == 1 and glu_bias == 0:
        swiglu_mode = 0
    if swiglu_mode == 1:
        def neighbours(tensor):
            halves = tensor.unflatten(-1, (2, -1))
            return (halves if activate_left else halves.flip(-2)).transpose(-1, -2).flatten(-2)
        x, weight_scale, bias = (t if t is None else neighbours(t) for t in (x, weight_scale, bias))
        activate_left = True
    return torch_npu.npu_dequant_swiglu_quant(
        x, weight_scale=weight_scale, bias=bias, activate_left=activate_left, swiglu_mode=swiglu_mode,
        clamp_limit=clamp_limit if clamp_limit > 0 else _NO_LIMIT, glu_alpha=glu_alpha,
        glu_bias=glu_bias, **options)


def _npu_apply_top_k_top_p(logits, p=None, k=None):
    import torch_npu
    return torch_npu.npu_top_k_top_p(logits, p, k)


def _npu_gemma_rms_norm(x, gamma, epsilon=1e-6):
    import torch_npu
    return torch_npu.npu_gemma_rms_norm(x, gamma, epsilon)


def _shapes_of_gemma_rms_norm(x, gamma, epsilon=1e-6):
    import torch
    rows = x.shape[:x.dim() - gamma.dim()]
    return torch.empty_like(x), x.new_empty((*rows, *[1] * gamma.dim()), dtype=torch.float)


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
    sequence = vllm_linear_attention.sequence_of_row(seq_len.cumsum(0), rows)
    return torch.nn.functional.pad(lora_indices, (0, 1), value=-1)[sequence]


def _sgmv_shrink(x, weight, lora_indices, seq_len, y, scale):
    _add_by_adapter(x, weight, _by_row(lora_indices, seq_len, x.shape[0]), y, scale)


def _sgmv_expand(x, weight, lora_indices, seq_len, y, slice_offset, slice_size):
    _bgmv_expand(x, weight, _by_row(lora_indices, seq_len, x.shape[0]), y, slice_offset, slice_size)


def _weak_ref_tensor(tensor):
    import torch_npu
    return torch_npu._C._weak_ref_tensor(tensor)


def _angles_of_sections(cos_sin, sections, interleaved):
    """Cosines and sines of each token, of [time, height, width; tokens; cosines and sines]: each pair of
    a head turns by the position along one of the three."""
    import torch
    half = cos_sin.shape[-1] // 2
    pair = torch.arange(half, device=cos_sin.device)
    if interleaved:
        height, width = (((pair % 3 == i) & (pair < 3 * sections[i])).long() for i in (1, 2))
    else:
        height, width = ((pair >= sum(sections[:i])).long() for i in (1, 2))
        height = height - width
    axis = height + 2 * width
    axis = axis.repeat(2).expand(1, *cos_sin.shape[1:])
    return cos_sin.gather(0, axis)[0].chunk(2, dim=-1)


def _turned(heads, cos, sin):
    """The first numbers of [tokens, heads, size] in FLOAT, as many as the angles of a token have, and
    the others as they are."""
    import torch
    import torch_npu
    size = cos.shape[-1]
    turned = torch_npu.npu_rotary_mul(heads[None, ..., :size], cos[None, :, None], sin[None, :, None])[0]
    return torch.cat((turned, heads[..., size:]), -1)


def _triton_split_qkv_rmsnorm_mrope(qkv, q_weight, k_weight, cos_sin, num_q_heads, num_kv_heads,
                                    head_size, eps, mrope_section, is_interleaved, rope_dim=None,
                                    q_bias=None, k_bias=None, has_gate=False):
    """Queries and keys, each head divided by its root of the mean of squares and turned, in FLOAT."""
    import torch_npu
    tokens, kv_size = qkv.shape[0], num_kv_heads * head_size
    q, k, v = qkv.split([qkv.shape[1] - 2 * kv_size, kv_size, kv_size], dim=-1)
    q = q.view(tokens, num_q_heads, q.shape[1] // num_q_heads)
    gate = q[..., head_size:].flatten(1)  # nothing, if has_gate is not so
    cos, sin = (t.float().repeat(1, 2)
                for t in _angles_of_sections(cos_sin, mrope_section, is_interleaved))

    def heads(x, weight, bias):
        x = torch_npu.npu_rms_norm(x.float(), weight.float(), eps)[0]
        if bias is not None:
            x = x + bias
        return _turned(x, cos, sin).to(qkv.dtype).flatten(1)

    return (heads(q[..., :head_size], q_weight, q_bias),
            heads(k.view(tokens, num_kv_heads, head_size), k_weight, k_bias), v.contiguous(), gate)


def _shapes_of_split_qkv(qkv, q_weight, k_weight, cos_sin, num_q_heads, num_kv_heads, head_size, *_,
                         **options):
    q, kv = num_q_heads * head_size, num_kv_heads * head_size
    return tuple(qkv.new_empty(qkv.shape[0], size) for size in (q, kv, kv, qkv.shape[1] - q - 2 * kv))


def _split_qkv_tp_rmsnorm_rope(input, q_weight, k_weight, q_hidden_size, kv_hidden_size, head_dim,
                               rotary_dim, eps, tp_world, cos, sin):
    """The same where all heads, of all ranks, have one mean of squares."""
    import torch
    from vllm.distributed import tensor_model_parallel_all_reduce
    tokens = input.shape[0]
    q, k, v = input.view(tokens, q_hidden_size + 2 * kv_hidden_size).split([q_hidden_size, kv_hidden_size, kv_hidden_size], dim=-1)
    means = torch.stack([x.float().square().mean(-1) for x in (q, k)], -1)
    if tp_world > 1:
        means = tensor_model_parallel_all_reduce(means) / tp_world
    factors = (means + eps).rsqrt()
    cos, sin = (t.view(tokens, t.shape[-1])[:, :rotary_dim // 2].float().repeat(1, 2) for t in (cos, sin))

    def heads(x, factor, weight):
        x = x.float() * factor[:, None] * weight.float()
        return _turned(x.unflatten(-1, (-1, head_dim)), cos, sin).to(input.dtype).flatten(1)

    return heads(q, factors[:, 0], q_weight), heads(k, factors[:, 1], k_weight), v.contiguous()


def _shapes_of_split_qkv_tp(input, q_weight, k_weight, q_hidden_size, kv_hidden_size, *more):
    sizes = q_hidden_size, kv_hidden_size, kv_hidden_size
    return tuple(input.new_empty(input.shape[0], size) for size in sizes)


# Of what PyTorch's compiler meets.
SHAPES = {"npu_gemma_rms_norm": _shapes_of_gemma_rms_norm,
          "triton_split_qkv_rmsnorm_mrope": _shapes_of_split_qkv,
          "split_qkv_tp_rmsnorm_rope": _shapes_of_split_qkv_tp}


class _SlotMapping:
    """Without Triton: where each token's key and value go, PAD_ID where nothing does.

    As vLLM's Triton kernel `_compute_slot_mapping_kernel`, by the same arguments: a token at position p
    of a sequence goes to block_size * block_table[sequence, p // block_size] + p % block_size; of ranks
    that share a sequence, each has runs of CP_KV_CACHE_INTERLEAVE_SIZE tokens in turn.
    """

    def __getitem__(self, grid):
        return functools.partial(self._compute, grid[0] - 1)

    @staticmethod
    def _compute(sequences, tokens, max_tokens, query_start_loc, positions, block_table, stride,
                 block_size, slot_mapping, *, TOTAL_CP_WORLD_SIZE, TOTAL_CP_RANK,
                 CP_KV_CACHE_INTERLEAVE_SIZE, PAD_ID, BLOCK_SIZE):
        import torch
        sequence = vllm_linear_attention.sequence_of_row(query_start_loc[1:sequences + 1], tokens)
        written = sequence < sequences
        sequence = sequence.clamp(max=sequences - 1)
        shared = block_size * TOTAL_CP_WORLD_SIZE
        place = positions[:tokens].long()
        block, place = place // shared, place % shared
        run, within = place // CP_KV_CACHE_INTERLEAVE_SIZE, place % CP_KV_CACHE_INTERLEAVE_SIZE
        block = torch.where(written, block, 0)  # what lies behind the sequences may be anything
        slot = (block_table[sequence, block].long() * block_size +
                run // TOTAL_CP_WORLD_SIZE * CP_KV_CACHE_INTERLEAVE_SIZE + within)
        slot = torch.where(run % TOTAL_CP_WORLD_SIZE == TOTAL_CP_RANK, slot, PAD_ID)
        slot_mapping[:tokens] = torch.where(written, slot, slot_mapping[:tokens])
        slot_mapping[tokens:max_tokens] = PAD_ID


class _MulsAdd:
    """Without Triton: x * scale + y, which a pass of vLLM-Ascend over graphs makes of both operations."""

    def __getitem__(self, grid):
        return self._compute

    @staticmethod
    def _compute(x, y, output, scale, *sizes, BLOCK_SIZE):
        import torch
        torch.add(y, x, alpha=scale, out=output)


def _replace_kernels():
    """Kernels in Triton that vLLM-Ascend launches without asking whether Triton is there."""
    from vllm.triton_utils import HAS_TRITON
    if HAS_TRITON:
        return
    if vllm_linear_attention.is_needed():
        vllm_linear_attention.replace_kernels()
    import vllm.v1.worker.block_table as block_table
    if hasattr(block_table, "_compute_slot_mapping_kernel"):
        block_table._compute_slot_mapping_kernel = _SlotMapping()
    try:
        import vllm_ascend.ops.triton.muls_add as muls_add
    except ModuleNotFoundError:  # 0.13
        return
    muls_add.muls_add_kernel = _MulsAdd()
    muls_add.get_vectorcore_num = lambda: 1


def _define(namespace, schemas, functions):
    """Functions of torch.ops, by the names of Python's with an underscore, if the first is not there."""
    import torch
    names = [schema[:schema.index("(")] for schema in schemas]
    if hasattr(getattr(torch.ops, namespace), names[0]):
        return
    library = torch.library.Library(namespace, "FRAGMENT")
    _libraries.append(library)
    for name, schema in zip(names, schemas):
        library.define(schema)
        library.impl(name, functions[f"_{name}"], "PrivateUse1")
        if schema.endswith("-> ()"):  # without results: all that PyTorch's compiler asks
            library.impl(name, lambda *_: None, "Meta")
        elif name in SHAPES:
            library.impl(name, SHAPES[name], "Meta")


def register():
    """The entry point "vllm.general_plugins", which vLLM calls in each of its processes."""
    global _registered
    home = os.environ.get("ASCEND_HOME_PATH")
    if _registered or not home or not _loader.is_ours(home):
        return
    _registered = True
    import vllm_ascend.utils
    from vllm.triton_utils import HAS_TRITON
    if vllm_ascend.utils._CUSTOM_OP_ENABLED is None:
        # It would try to load the extension when it first asks, which PyTorch's compiler does not bear.
        vllm_ascend.utils._CUSTOM_OP_ENABLED = False
    _replace_kernels()
    _define("_C_ascend", SCHEMAS, globals())
    if vllm_linear_attention.is_needed():
        for module in (vllm_linear_attention, vllm_drafts):
            _define("_C_ascend", module.SCHEMAS, vars(module))
    if not HAS_TRITON:
        _define("vllm", TRITON_SCHEMAS, globals())
