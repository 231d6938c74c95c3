#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What anyacl's plugin of vLLM makes for models with linear attention, against their formulas in double
precision, token by token. Needs vllm, vllm_ascend 0.23 and anyacl (run.sh)."""

import itertools
import unittest

import torch
import torch_npu  # noqa: F401
from anyacl import vllm_linear_attention, vllm_plugin

vllm_plugin.register()
PAD = -1
OURS = torch.ops._C_ascend
HALF = dict(rtol=1e-2, atol=1e-2)  # of numbers about 1 in BF16


def silu(x):
    return x * x.sigmoid()


def starts_of(lengths):
    return torch.tensor([0, *itertools.accumulate(lengths)], dtype=torch.int32)


def gated_delta_rule(query, key, value, gate, beta, scale, state):
    """One head's tokens, and its state [sizes of value and key] before the first and behind each."""
    out, states = [], [state]
    for q, k, v, g, b in zip(query, key, value, gate, beta):
        state = state * g.exp()
        state = state + b * torch.outer(v - state @ k, k)
        out.append(state @ q * scale)
        states.append(state)
    return torch.stack(out) if out else torch.zeros_like(value), torch.stack(states)


@unittest.skipUnless(vllm_linear_attention.is_needed(), "another vLLM-Ascend")
class LinearAttentionTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(13)

    def check_convolution(self, dtype, taps, room, lengths, lines, *, kept=None, accepted=None,
                          bias=True, activation=1):
        """Of prompts `kept` says whose line counts; with `accepted` two may have been guessed."""
        columns, total = 48, sum(lengths)
        x = torch.randn(total + 2, columns).to(dtype)
        lines_before = torch.randn(9, room, columns).to(dtype)
        weight = torch.randn(taps, columns).to(dtype)
        shift = torch.randn(columns).to(dtype) if bias else None
        added = shift.double() if bias else 0
        expected, expected_lines = torch.full((total, columns), torch.nan), lines_before.clone()
        starts = starts_of(lengths)
        for i, (n, line) in enumerate(zip(lengths, lines)):
            if not 0 <= line < len(lines_before) or n == 0:
                continue
            first = accepted[i] - 1 if accepted else 0
            past = lines_before[line, first:first + taps - 1].double()
            if kept is not None and not kept[i]:
                past = torch.zeros_like(past)
            both = torch.cat((past, x[starts[i]:starts[i] + n].double()))
            for t in range(n):
                y = (both[t:t + taps] * weight.double()).sum(0) + added
                expected[starts[i] + t] = silu(y) if activation else y
            left = both[1:taps - 1 + n] if accepted else both[n:]
            if len(left) > room:
                left = both[n:]
            expected_lines[line, :len(left)] = left.to(dtype)
        result, states = torch.empty_like(x).npu(), lines_before.npu()
        # With guesses a row of lines for each sequence, of which the first one counts.
        named = torch.tensor(lines, dtype=torch.int32 if activation else torch.int64)
        if accepted:
            named = torch.stack((named, torch.full_like(named, 5)), 1)
        OURS.npu_causal_conv1d_custom(
            result, x.npu(), weight.npu(), states, shift.npu() if bias else None, starts.npu(),
            named.npu(), torch.tensor(kept).npu() if kept else None,
            torch.tensor(accepted).npu() if accepted else None, activation, PAD, 0 if kept else 1)
        there = ~expected[:, 0].isnan()
        torch.testing.assert_close(result.cpu()[:total][there].float(), expected[there], **HALF)
        self.assertTrue(torch.equal(states.cpu(), expected_lines))

    def test_convolution_of_prompts(self):
        for dtype, taps, extra in itertools.product((torch.float16, torch.bfloat16), (2, 3, 4), (0, 2)):
            with self.subTest(dtype=dtype, taps=taps, extra=extra):
                self.check_convolution(dtype, taps, taps - 1 + extra, [1, 7, 0, 2, 30, 4],
                                       [3, 8, 2, 0, 7, PAD], bias=extra == 0,
                                       kept=[True, False, True, True, True, True])

    def test_convolution_of_tokens(self):
        # Nine lines are there.
        for lines in ([4, 0, 8], [4, PAD, 8], [0, PAD, PAD], [PAD, PAD, 0], [9, 0, -3]):
            for activation in (0, 1):
                with self.subTest(lines=lines, activation=activation):
                    self.check_convolution(torch.bfloat16, 4, 3, [1, 1, 1], lines, activation=activation)
        # As graphs fill up a batch: sequences without tokens at line 0.
        self.check_convolution(torch.bfloat16, 4, 3, [1, 1, 0, 0], [0, 6, 0, 0])

    def test_convolution_of_guesses(self):
        for accepted in ([1, 2, 3, 3], [3, 1, 1, 2]):
            with self.subTest(accepted=accepted):
                self.check_convolution(torch.bfloat16, 4, 5, [3, 3, 1, 2], [7, 1, 0, 3],
                                       accepted=accepted)
        self.check_convolution(torch.bfloat16, 4, 5, [3, 0, 0], [7, PAD, 0], accepted=[2, 1, 1])

    def heads(self, tokens, keys, values, size):
        query, key = torch.nn.functional.normalize(torch.randn(2, tokens, keys, size), dim=-1)
        value, gate = torch.randn(tokens, values, size), -torch.rand(tokens, values)
        beta = torch.rand(tokens, values)
        return query.bfloat16(), key.bfloat16(), value.bfloat16(), gate, beta.bfloat16()

    def test_tokens(self):
        keys, values, size, scale = 2, 4, 32, 0.25
        for guessed, dtype in itertools.product((False, True), (torch.float32, torch.bfloat16)):
            lengths = [3, 1, 0, 2] if guessed else [1, 1, 0, 1]
            accepted = [2, 3, 2, 1]
            # Of three states for each sequence with guesses; state 0 belongs to none.
            rows = [[4], [2], [0], [5]]
            if guessed:
                rows = [[4, 9, 1], [2, 3, 8], [10, 11, 0], [5, 6, 7]]
            tokens = sum(lengths)
            query, key, value, gate, beta = self.heads(tokens, keys, values, size)
            states = torch.randn(12, values, size, size).to(dtype)
            expected, expected_states = torch.zeros(tokens, values, size).double(), states.double()
            start = 0
            for n, row, last in zip(lengths, rows, accepted):
                for h in range(values if n else 0):
                    part = slice(start, start + n)
                    expected[part, h], after = gated_delta_rule(
                        *(x[part, h // 2].double() for x in (query, key)), value[part, h].double(),
                        gate[part, h].double(), beta[part, h].double(), scale,
                        states[row[last - 1] if guessed else row[0], h].double())
                    expected_states[row[:n], h] = after[1:]
                start += n
            # A row's first state is where the last accepted one is taken from: nothing else is changed.
            on_device = states.npu()
            options = {"num_accepted_tokens": torch.tensor(accepted).int().npu()} if guessed else {}
            named = torch.tensor(rows).flatten().int()
            if not guessed:
                named = named[[0, 1, 3, 2]]  # of all tokens, one after the other
            out = OURS.npu_recurrent_gated_delta_rule(
                query.npu(), key.npu(), value.npu(), on_device, beta=beta.npu(), scale=scale,
                g=gate.npu(), actual_seq_lengths=torch.tensor([0, *lengths]).int().npu(),
                ssm_state_indices=named.npu(), **options)
            with self.subTest(guessed=guessed, dtype=dtype):
                torch.testing.assert_close(out.cpu().double(), expected, **HALF)
                torch.testing.assert_close(on_device.cpu().double(), expected_states, rtol=1e-2,
                                           atol=2e-2)
                self.assertTrue(torch.equal(on_device[0].cpu(), states[0]))

    def test_no_tokens(self):
        query, key, value, gate, beta = (x.npu() for x in self.heads(3, 2, 4, 32))
        for rows, accepted in (([[1, 2, 3], [4, 5, 6]], [2, 3]), ([[PAD] * 3] * 2, [0, 0])):
            states = torch.randn(8, 4, 32, 32)
            on_device = states.npu()
            OURS.npu_recurrent_gated_delta_rule(
                query, key, value, on_device, beta=beta, scale=1.0, g=gate,
                actual_seq_lengths=torch.zeros(3).int().npu(),
                ssm_state_indices=torch.tensor(rows).flatten().int().npu(),
                num_accepted_tokens=torch.tensor(accepted).int().npu())
            self.assertTrue(torch.equal(on_device.cpu(), states), rows)

    def test_prompts(self):
        from vllm_ascend.ops.triton.fla.chunk import chunk_gated_delta_rule
        keys, values, size, lengths = 2, 4, 32, [5, 1, 0, 130]
        query, key, value, gate, beta = self.heads(sum(lengths), keys, values, size)
        query, key = query * 3, key * 2  # they are divided by their roots of sums of squares
        states = torch.randn(4, values, size, size)
        out, after = chunk_gated_delta_rule(
            *(x[None].npu() for x in (query, key, value)), g=gate[None].npu(), beta=beta[None].npu(),
            initial_state=states.npu(), output_final_state=True, cu_seqlens=starts_of(lengths).npu(),
            use_qk_l2norm_in_kernel=True)
        query, key = (torch.nn.functional.normalize(x.double(), dim=-1) for x in (query, key))
        start = 0
        for i, n in enumerate(lengths):
            part = slice(start, start + n)
            for h in range(values):
                expected, expected_states = gated_delta_rule(
                    query[part, h // 2], key[part, h // 2], value[part, h].double(),
                    gate[part, h].double(), beta[part, h].double(), size**-0.5, states[i, h].T.double())
                torch.testing.assert_close(out[0, part, h].cpu().double(), expected, **HALF)
                torch.testing.assert_close(after[i, h].T.cpu().double(), expected_states[-1], **HALF)
            start += n

    def test_gates(self):
        a, b = torch.randn(2, 7, 4).bfloat16() * 4
        a[0] = 30  # where softplus is the number itself
        log, shift = torch.randn(4), torch.randn(4)
        gate, beta = OURS.npu_fused_gdn_gating(log.npu(), a.npu(), b.npu(), shift.npu())
        expected = -log.double().exp() * torch.nn.functional.softplus(a.double() + shift.double())
        torch.testing.assert_close(gate.cpu().double(), expected[None], rtol=1e-5, atol=1e-6)
        self.assertEqual(beta.dtype, torch.bfloat16)
        torch.testing.assert_close(beta.cpu().double(), b.double().sigmoid()[None], rtol=4e-3, atol=0)

    def test_l2norm(self):
        from vllm.model_executor.layers.fla.ops.l2norm import l2norm_fwd as of_vllm
        from vllm_ascend.ops.triton.fla.l2norm import l2norm_fwd as of_vllm_ascend
        x = torch.randn(5, 3, 32).bfloat16()
        expected = x.double() / (x.double().square().sum(-1, keepdim=True) + 1e-6).sqrt()
        for norm in (of_vllm, of_vllm_ascend):
            torch.testing.assert_close(norm(x.npu()).cpu().double(), expected, rtol=4e-3, atol=0)

    def test_norm_with_a_gate(self):
        from vllm_ascend.ops.triton.layernorm_gated import layer_norm_fwd_npu
        x, z, weight, bias = (torch.randn(*shape) for shape in ((6, 48), (6, 48), (48,), (48,)))
        for with_z, first, squares, with_bias, group in itertools.product(
                (True, False), (True, False), (True, False), (True, False), (None, 16)):
            rows = x.double()
            if with_z and not first:
                rows = rows * silu(z.double())
            rows = rows.view(6, -1, group or 48)
            if not squares:
                rows = rows - rows.mean(-1, keepdim=True)
            rows = rows / (rows.square().mean(-1, keepdim=True) + 1e-5).sqrt()
            expected = rows.reshape(6, 48) * weight.double() + (bias.double() if with_bias else 0)
            if with_z and first:
                expected = expected * silu(z.double())
            result = layer_norm_fwd_npu(x.npu(), weight.npu(), bias.npu() if with_bias else None, 1e-5,
                                        z.npu() if with_z else None, group_size=group,
                                        norm_before_gate=first, is_rms_norm=squares)[0]
            torch.testing.assert_close(result.cpu().double(), expected, rtol=1e-4, atol=1e-5)

    def test_split(self):
        from vllm_ascend.ops.triton.fla.fused_qkvzba_split_reshape import fused_qkvzba_split_reshape_cat
        rows, keys, values, size_k, size_v = 5, 2, 6, 8, 16
        mixed = torch.arange(rows * (keys * 2 * size_k + values * 2 * size_v)).view(rows, -1).float()
        both = torch.arange(rows * 2 * values).view(rows, -1).float()
        result = fused_qkvzba_split_reshape_cat(mixed.npu(), both.npu(), keys, values, size_k, size_v)
        each, per_head = mixed.shape[1] // keys, values // keys
        query, key, value, gate = [], [], [], []
        for h in range(keys):
            head = mixed[:, h * each:]
            query.append(head[:, :size_k])
            key.append(head[:, size_k:2 * size_k])
            for i in range(per_head):
                first = 2 * size_k + i * size_v
                value.append(head[:, first:first + size_v])
                gate.append(head[:, first + per_head * size_v:first + per_head * size_v + size_v])
        a_and_b = [torch.cat([both[:, first + 2 * per_head * h:first + 2 * per_head * h + per_head]
                              for h in range(keys)], 1) for first in (0, per_head)]
        expected = torch.cat(query + key + value, 1), torch.stack(gate, 1), *a_and_b
        for got, wanted in zip(result, expected):
            self.assertTrue(torch.equal(got.cpu(), wanted))

    def test_states_of_new_sequences(self):
        from vllm_ascend.ops.triton.fla.utils import clear_ssm_states
        states = torch.full((3, 2, 4, 4), torch.nan)
        states[1] = 5
        on_device = states.npu()
        clear_ssm_states(on_device, torch.tensor([False, True, False]).npu())
        self.assertTrue(torch.equal(on_device.cpu(), torch.nan_to_num(states)))


if __name__ == "__main__":
    unittest.main()
