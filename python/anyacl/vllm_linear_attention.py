# SPDX-License-Identifier: Apache-2.0
"""What models with linear attention (Qwen3-Next, Qwen3.5) need of vllm_plugin.py.

vLLM-Ascend runs their gated delta rule, the convolution before it and the norm behind it in device
code and in Triton. Here torch_npu's operators compute them, by the same arguments; what the device
reads stays on the device, so that graphs capture it.
"""

import importlib.util

SCHEMAS = (
    "npu_causal_conv1d_custom(Tensor(a!) output, Tensor x, Tensor weight, Tensor(b!) conv_state, "
    "Tensor? bias_opt, Tensor? query_start_loc_opt, Tensor? cache_indices_opt, "
    "Tensor? initial_state_mode_opt, Tensor? num_accepted_tokens_opt, int activation_mode, "
    "int pad_slot_id, int run_mode) -> Tensor(a!)",
    "npu_recurrent_gated_delta_rule(Tensor query, Tensor key, Tensor value, Tensor(a!) state, *, "
    "Tensor? beta=None, float? scale=None, Tensor? actual_seq_lengths=None, "
    "Tensor? ssm_state_indices=None, Tensor? num_accepted_tokens=None, Tensor? g=None, "
    "Tensor? gk=None) -> Tensor",
    "npu_fused_gdn_gating(Tensor A_log, Tensor a, Tensor b, Tensor dt_bias, float beta=1.0, "
    "float threshold=20.0) -> (Tensor, Tensor)",
)


def sequence_of_row(ends, rows):
    """Which of the sequences, one after the other, each row lies in; behind the last one their number."""
    import torch
    return (torch.arange(rows, device=ends.device)[:, None] >= ends).sum(1)


def _writers(writes):
    """Their numbers, and for those that write nothing the number of one that does, or 0: the line that
    they would write to may be another's."""
    import torch
    return torch.where(writes, torch.arange(writes.shape[0], device=writes.device),
                       writes.long().argmax())


def _npu_causal_conv1d_custom(output, x, weight, conv_state, bias_opt, query_start_loc_opt,
                              cache_indices_opt, initial_state_mode_opt, num_accepted_tokens_opt,
                              activation_mode, pad_slot_id, run_mode):
    """Each column of x is convolved with its own weights along the tokens of each sequence.

    Before a sequence lie as many tokens as it has weights but one: the first of its line of conv_state,
    with num_accepted_tokens those that begin at the last one accepted; of prompts (run_mode 0) zeros
    where initial_state_mode is 0. The line then begins with the last tokens of all; with
    num_accepted_tokens with all but the first. A sequence without tokens, or whose line is pad_slot_id
    or not there, changes no line.
    """
    import torch
    columns = x.shape[-1]
    tokens = x.reshape(-1, columns)
    total, before = tokens.shape[0], weight.shape[0] - 1
    room = conv_state.shape[1]
    device = x.device
    if query_start_loc_opt is None:
        each = x.shape[1] if x.dim() == 3 else 1
        starts = torch.arange(x.shape[0] + 1, device=device) * each
    else:
        starts = query_start_loc_opt.long()
    sequences = starts.shape[0] - 1
    if total == 0 or sequences == 0:
        return output
    lengths = starts[1:] - starts[:-1]
    if cache_indices_opt is None:
        lines = torch.arange(sequences, device=device)
    else:
        lines = cache_indices_opt.view(sequences, -1)[:, 0].long()
    there = (lines != pad_slot_id) & (lines >= 0) & (lines < conv_state.shape[0])
    written = there & (lengths > 0)
    lines = torch.where(written, lines, 0)
    guessed = num_accepted_tokens_opt is not None
    first = torch.zeros_like(lines)
    if guessed:
        first = (num_accepted_tokens_opt.long() - 1).clamp(0, room - before)
    states = conv_state[lines]  # [sequences, room, columns]
    behind = torch.arange(before, device=device)
    past = states.gather(1, (first[:, None] + behind)[:, :, None].expand(-1, -1, columns))
    if run_mode == 0:
        if initial_state_mode_opt is None:
            past = torch.zeros_like(past)
        else:
            past = torch.where(initial_state_mode_opt.bool()[:, None, None], past, 0)

    # The tokens before the sequences, then those of all sequences.
    rows = torch.cat((past.flatten(0, 1), tokens))
    own = sequences * before  # the first of them

    def row_of(sequence, place):
        """Of a sequence's tokens, those before it the first ones."""
        return torch.where(place < before, sequence * before + place,
                           own + starts[sequence] + place - before)

    # What lies behind the last one may be anything.
    sequence = sequence_of_row(starts[1:], total).clamp(max=sequences - 1)
    within = torch.arange(total, device=device) - starts[sequence]
    total_sum = torch.zeros((), device=device) if bias_opt is None else bias_opt.float()
    for tap in range(before + 1):
        from_row = row_of(sequence, within + tap).clamp(0, rows.shape[0] - 1)
        total_sum = total_sum + rows[from_row].float() * weight[tap].float()
    if activation_mode:
        total_sum = torch.nn.functional.silu(total_sum)
    output.copy_(total_sum.view_as(output))

    place = torch.arange(room, device=device)
    shift, count = lengths, torch.full_like(lengths, before)
    if guessed:
        fits = before - 1 + lengths <= room
        shift = torch.where(fits, 1, shift)
        count = torch.where(fits, before - 1 + lengths, count)
    from_row = row_of(torch.arange(sequences, device=device)[:, None], shift[:, None] + place)
    changed = (place < count[:, None]) & written[:, None]
    states = torch.where(changed[:, :, None], rows[from_row.clamp(0, rows.shape[0] - 1)], states)
    writer = _writers(written)
    conv_state[lines[writer]] = states[writer]
    return output


def _npu_recurrent_gated_delta_rule(query, key, value, state, *, beta=None, scale=None,
                                    actual_seq_lengths=None, ssm_state_indices=None,
                                    num_accepted_tokens=None, g=None, gk=None):
    """torch_npu's, but that the lengths begin with the place of the first sequence, which is 0.

    With num_accepted_tokens each sequence has a row of states, for as many tokens as can be guessed and
    one more, and begins with that of the last one accepted, of however many tokens it has now. (The
    kernel of a device takes the rows for the states of all tokens, one after the other, and gives up
    where more were accepted than there are now.)
    """
    import torch
    import torch_npu
    lengths = actual_seq_lengths[1:].contiguous()
    tokens, sequences = query.shape[0], lengths.shape[0]
    if tokens == 0 or sequences == 0:
        return torch.empty_like(value)
    if num_accepted_tokens is not None:
        rows = ssm_state_indices.view(sequences, -1)
        ends = lengths.cumsum(0)
        token = torch.arange(tokens, device=query.device)
        sequence = sequence_of_row(ends, tokens).clamp(max=sequences - 1)
        within = (token - (ends - lengths)[sequence]).clamp(max=rows.shape[1] - 1)
        ssm_state_indices = rows[sequence, within]
        last = (num_accepted_tokens.long() - 1).clamp(0, rows.shape[1] - 1)
        goes_on = lengths > 0
        accepted = torch.where(goes_on, rows.gather(1, last[:, None])[:, 0], rows[:, 0])
        writer = _writers(goes_on)
        # A row without tokens may name no state.
        state[rows[writer, 0].clamp(min=0)] = state[accepted[writer].clamp(min=0)]
    return torch_npu.npu_recurrent_gated_delta_rule(
        query, key, value, state, beta=beta, scale=scale, actual_seq_lengths=lengths,
        ssm_state_indices=ssm_state_indices[:tokens].contiguous(), g=g, gk=gk)


def _npu_fused_gdn_gating(A_log, a, b, dt_bias, beta=1.0, threshold=20.0):
    """-e^A_log softplus(a + dt_bias) in FLOAT, and sigmoid(b)."""
    import torch
    step = torch.nn.functional.softplus(a.float() + dt_bias.float(), beta, threshold)
    return (-A_log.float().exp() * step)[None], b.float().sigmoid().to(b.dtype)[None]


def _chunk_gated_delta_rule_fwd(q, k, v, g, beta, scale, initial_state, output_final_state,
                                cu_seqlens=None, prebuilt_meta=None, chunk_size=64):
    """Whole sequences, one after the other; states [sequences, heads, key's size, value's size]."""
    import torch
    import torch_npu
    batch, tokens = q.shape[:2]
    if tokens == 0:
        return g, torch.empty_like(v), None, initial_state, None, None, None
    if cu_seqlens is None:
        lengths = torch.full((batch,), tokens, dtype=torch.int32, device=q.device)
    else:
        lengths = cu_seqlens.diff().int()
    if initial_state is None:
        initial_state = torch.zeros(lengths.shape[0], v.shape[2], k.shape[3], v.shape[3],
                                    device=q.device)
    out, states = torch_npu.npu_chunk_gated_delta_rule(
        *(x.flatten(0, 1) for x in (q, k, v)), beta=beta.flatten(0, 1),
        initial_state=initial_state.transpose(-1, -2).contiguous(), actual_seq_lengths=lengths,
        scale=scale, g=g.flatten(0, 1).float())
    states = states.transpose(-1, -2) if output_final_state else None
    return g, out.view_as(v), None, states, None, None, None


class _Kernel:
    """Called as a kernel in Triton: kernel[grid](arguments)."""

    def __init__(self, function):
        self.function = function

    def __getitem__(self, grid):
        return self.function


def _l2norm(X, Y, eps, *sizes, **more):
    """Rows divided by the root of the sum of their squares."""
    x = X.float()
    Y.copy_(x * (x.square().sum(-1, keepdim=True) + eps).rsqrt())


def _layer_norm(x, out, weight, bias, z, mean, rstd, stride_x, stride_out, stride_z, rows, size, eps, *,
                NORM_BEFORE_GATE, IS_RMS_NORM, **blocks):
    """Groups of a row, each with its own mean; the gate z before or behind."""
    import torch
    groups = x.float().unflatten(-1, (-1, size))
    gate = None if z is None else torch.nn.functional.silu(z.float())
    if gate is not None and not NORM_BEFORE_GATE:
        groups = groups * gate.view_as(groups)
    if not IS_RMS_NORM:
        means = groups.mean(-1, keepdim=True)
        mean.copy_(means[..., 0].T.flatten())
        groups = groups - means
    factors = (groups.square().mean(-1, keepdim=True) + eps).rsqrt()
    rstd.copy_(factors[..., 0].T.flatten())
    result = (groups * factors).flatten(-2) * weight.float()
    if bias is not None:
        result = result + bias.float()
    if gate is not None and NORM_BEFORE_GATE:
        result = result * gate
    out.copy_(result)


def _split_qkvzba(mixed_qkv, z, b, a, mixed_qkvz, mixed_ba, heads_qk, heads_v, size_qk, size_v, *more):
    """Of each head of keys its query, key, values and gates of values; each kind by itself."""
    import torch
    rows, per_head = mixed_qkvz.shape[0], heads_v // heads_qk
    values = per_head * size_v
    sizes = [size_qk, size_qk, values, values]
    *qkv, gates = mixed_qkvz.view(rows, heads_qk, sum(sizes)).split(sizes, -1)
    mixed_qkv.copy_(torch.cat([x.flatten(1) for x in qkv], -1))
    z.copy_(gates.reshape(rows, heads_v, size_v))
    for to, x in zip((b, a), mixed_ba.view(rows, heads_qk, 2 * per_head).chunk(2, -1)):
        to.copy_(x.flatten(1))


def _clear_states(states, has_initial_state, *sizes, **blocks):
    import torch
    kept = has_initial_state.view(-1, *[1] * (states.dim() - 1))
    states.copy_(torch.where(kept, states, 0))


def is_needed():
    """Not before 0.23, which has other kernels."""
    return importlib.util.find_spec("vllm_ascend.ops.gdn") is not None


def replace_kernels():
    """Kernels in Triton, which vLLM-Ascend launches without asking whether Triton is there."""
    import vllm.model_executor.layers.fla.ops.l2norm as l2norm_of_vllm
    import vllm.triton_utils
    import vllm_ascend.ops.triton.fla.chunk as chunk
    import vllm_ascend.ops.triton.fla.fused_qkvzba_split_reshape as split
    import vllm_ascend.ops.triton.fla.l2norm as l2norm
    import vllm_ascend.ops.triton.fla.utils as utils
    import vllm_ascend.ops.triton.layernorm_gated as layernorm
    import vllm_ascend.ops.triton.triton_utils as triton_utils
    from vllm.utils.math_utils import next_power_of_2
    vllm.triton_utils.triton.next_power_of_2 = next_power_of_2  # its stand-in has it not
    triton_utils._NUM_AICORE = triton_utils._NUM_VECTORCORE = 1
    split.fused_qkvzba_split_reshape_cat_kernel = _Kernel(_split_qkvzba)
    chunk.chunk_gated_delta_rule_fwd = _chunk_gated_delta_rule_fwd
    l2norm.l2norm_fwd_kernel2_loop = _Kernel(_l2norm)
    utils._clear_ssm_states_kernel = _Kernel(_clear_states)
    layernorm._layer_norm_fwd_1pass_kernel_npu = _Kernel(_layer_norm)
    for name in ("l2norm_fwd_kernel", "l2norm_fwd_kernel1", "l2norm_fwd_kernel2"):
        setattr(l2norm_of_vllm, name, _Kernel(_l2norm))
