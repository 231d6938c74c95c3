#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What anyacl's plugin of vLLM makes of torch_npu's operators, against the formulas of vLLM and
vLLM-Ascend in double precision. Needs vllm, vllm_ascend and anyacl (run.sh)."""

import itertools
import unittest

import torch
import torch_npu  # noqa: F401
import vllm.v1.worker.block_table as block_table
from anyacl import vllm_linear_attention, vllm_plugin

vllm_plugin.register()
PAD = -1


def quantised(rows):
    scale = rows.abs().amax(-1) / 127
    return rows / scale[:, None], scale


class KernelsTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(11)

    @unittest.skipUnless(hasattr(block_table, "_compute_slot_mapping_kernel"), "another vLLM")
    def test_slots(self):
        for ranks, run, block in itertools.product((1, 2, 3), (1, 4), (4, 16)):
            lengths, past, most = [3, 1, 9], [0, 14, 5], 20
            starts = [0, *itertools.accumulate(lengths)]
            # Two tokens more than the sequences have: nothing is read or written there.
            tokens = starts[-1] + 2
            positions = torch.full((tokens,), 10**6)
            for start, n, before in zip(starts, lengths, past):
                positions[start:start + n] = torch.arange(before, before + n)
            blocks = torch.randperm(3 * 8).int().view(3, 8)
            for rank in range(ranks):
                expected = [7] * tokens + [PAD] * (most - tokens) + [7]
                for sequence, (start, n) in enumerate(zip(starts, lengths)):
                    for i in range(start, start + n):
                        of_all, place = divmod(positions[i].item(), block * ranks)
                        turn, within = divmod(place, run)
                        slot = blocks[sequence, of_all].item() * block + turn // ranks * run + within
                        expected[i] = slot if turn % ranks == rank else PAD
                slots = torch.full((most + 1,), 7, dtype=torch.int32 if run == 1 else torch.int64).npu()
                block_table._compute_slot_mapping_kernel[(4,)](
                    tokens, most, torch.tensor(starts).int().npu(), positions.npu(), blocks.npu(),
                    blocks.stride(0), block, slots, TOTAL_CP_WORLD_SIZE=ranks, TOTAL_CP_RANK=rank,
                    CP_KV_CACHE_INTERLEAVE_SIZE=run, PAD_ID=PAD, BLOCK_SIZE=1024)
                self.assertEqual(slots.tolist(), expected, (ranks, run, block, rank))

    def test_top_k_top_p(self):
        logits, p, k = torch.randn(3, 50), torch.tensor([0.3, 0.9, 1.0]), torch.tensor([50, 7, 3])
        for with_p, with_k in ((True, True), (True, False), (False, True)):
            expected = logits.clone()
            for row, most, first in zip(expected, p.tolist(), k.tolist()):
                order = row.argsort(descending=True)
                kept = order[:first] if with_k else order
                if with_p:  # until they reach p, with the one that does
                    shares = row[kept].double().softmax(0)
                    kept = kept[shares.cumsum(0) - shares < most]
                dropped = torch.ones(50, dtype=torch.bool)
                dropped[kept] = False
                row[dropped] = -float("inf")
            result = torch.ops._C_ascend.npu_apply_top_k_top_p(
                logits.npu(), p.npu() if with_p else None, k.int().npu() if with_k else None)
            self.assertTrue(torch.equal(result.cpu(), expected), (with_p, with_k))

    def test_muls_add(self):
        try:
            from vllm_ascend.ops.triton.muls_add import muls_add_triton
        except ImportError:
            self.skipTest("another vLLM-Ascend")
        x, y = torch.randn(2, 5, 96).half()
        expected = x.double() * 2.5 + y.double()
        torch.testing.assert_close(muls_add_triton(x.npu(), y.npu(), 2.5).cpu().double(), expected,
                                   rtol=1e-3, atol=1e-6)

    def test_dequant_swiglu_quant(self):
        x = torch.randint(-9000, 9000, (5, 64), dtype=torch.int32)
        weight_scale, token_scale = torch.rand(64) * 1e-3, torch.rand(5) + 0.5
        real = x.double() * weight_scale.double() * token_scale.double()[:, None]
        for left, (limit, alpha, bias) in itertools.product(
                (True, False), ((0, 1, 0), (2.5, 1, 0), (2.5, 1.702, 1), (0, 1.702, 1))):
            act, linear = real.chunk(2, -1) if left else real.chunk(2, -1)[::-1]
            if limit > 0:
                act, linear = act.clamp(max=limit), linear.clamp(-limit, limit)
            rows, scales = quantised(act * torch.sigmoid(alpha * act) * (linear + bias))
            groups = torch.tensor([5]).npu() if limit == 0 else None
            y, scale = torch.ops._C_ascend.npu_dequant_swiglu_quant(
                x.npu(), weight_scale=weight_scale.npu(), activation_scale=token_scale.npu(),
                group_index=groups, activate_left=left, quant_mode=1, swiglu_mode=1, clamp_limit=limit,
                glu_alpha=alpha, glu_bias=bias)
            torch.testing.assert_close(scale.cpu().double(), scales, rtol=1e-5, atol=0)
            self.assertLess((y.cpu().double() - rows).abs().max().item(), 0.51)

    def test_gemma_rms_norm(self):
        x, gamma = torch.randn(3, 7, 64), torch.randn(64)
        rstd = (x.double().square().mean(-1, keepdim=True) + 1e-6).rsqrt()
        y, r = torch.ops._C_ascend.npu_gemma_rms_norm(x.npu(), gamma.npu(), 1e-6)
        torch.testing.assert_close(y.cpu().double(), x * rstd * (1 + gamma.double()),
                                   rtol=1e-5, atol=1e-5)
        torch.testing.assert_close(r.cpu().double(), rstd, rtol=1e-5, atol=1e-5)
        shapes = torch.ops._C_ascend.npu_gemma_rms_norm(x.to("meta"), gamma.to("meta"), 1e-6)
        self.assertEqual([(t.shape, t.dtype) for t in shapes], [(t.shape, t.dtype) for t in (y, r)])

    def test_split_qkv_rmsnorm_mrope(self):
        heads, kv_heads, size, eps = 4, 2, 16, 1e-5
        for gate, bias, interleaved, turned, tokens in itertools.product(*[(False, True)] * 3, (16, 8),
                                                                         (5, 0)):
            sections = {16: (4, 2, 2), 8: (2, 1, 1)}[turned]
            qkv = torch.randn(tokens, ((2 if gate else 1) * heads + 2 * kv_heads) * size)
            weights, biases = torch.randn(2, size), torch.randn(2, size)
            angles = torch.rand(3, tokens, turned // 2) * 7
            halves = turned // 2
            axes = [i % 3 if i < 3 * sections[i % 3] else 0 for i in range(halves)] if interleaved \
                else [axis for axis in range(3) for _ in range(sections[axis])]
            angle = torch.stack([angles[axis, :, i] for i, axis in enumerate(axes)], -1).double()

            def expected(x, i):
                x = x * (x.square().mean(-1, keepdim=True) + eps).rsqrt() * weights[i].double()
                x = x + biases[i] if bias else x
                one, two = x[..., :halves], x[..., halves:turned]
                cos, sin = angle.cos()[:, None], angle.sin()[:, None]
                return torch.cat((one * cos - two * sin, two * cos + one * sin, x[..., turned:]),
                                 -1).flatten(1)

            split = qkv.double().split([qkv.shape[1] - 2 * kv_heads * size] + [kv_heads * size] * 2, 1)
            queries = split[0].unflatten(-1, (heads, -1))
            right = (expected(queries[..., :size], 0),
                     expected(split[1].unflatten(-1, (kv_heads, size)), 1), split[2],
                     queries[..., size:].flatten(1))
            arguments = (qkv, *weights, torch.cat((angles.cos(), angles.sin()), -1))
            options = dict(num_q_heads=heads, num_kv_heads=kv_heads, head_size=size, eps=eps,
                           mrope_section=sections, is_interleaved=interleaved, rope_dim=turned,
                           q_bias=biases[0] if bias else None, k_bias=biases[1] if bias else None,
                           has_gate=gate)
            function = torch.ops.vllm.triton_split_qkv_rmsnorm_mrope
            on = {device: function(*(t.to(device) for t in arguments), **{
                name: value.to(device) if torch.is_tensor(value) else value
                for name, value in options.items()}) for device in ("npu", "meta")}
            for result, shape, value in zip(on["npu"], on["meta"], right):
                torch.testing.assert_close(result.cpu().double(), value, rtol=1e-5, atol=1e-5)
                self.assertEqual((result.shape, result.dtype), (shape.shape, shape.dtype))

    def test_split_qkv_tp_rmsnorm_rope(self):
        for tokens in (5, 0):
            self.split_qkv_tp_rmsnorm_rope(tokens)

    def split_qkv_tp_rmsnorm_rope(self, tokens):
        size, turned, eps = 16, 8, 1e-5
        qkv, weights = torch.randn(tokens, 128), (torch.randn(64), torch.randn(32))
        angle = torch.rand(tokens, turned // 2) * 7
        cos, sin = (t.repeat(1, 2).view(1, tokens, 1, turned) for t in (angle.cos(), angle.sin()))
        arguments = (qkv, *weights, 64, 32, size, turned, eps, 1, cos, sin)
        q, k, v = qkv.double().split([64, 32, 32], 1)
        expected = []
        for x, weight in zip((q, k), weights):
            x = x * (x.square().mean(-1, keepdim=True) + eps).rsqrt() * weight.double()
            one, two, rest = x.unflatten(-1, (-1, size)).split([turned // 2] * 2 + [size - turned], -1)
            c, s = angle.double().cos()[:, None], angle.double().sin()[:, None]
            expected.append(torch.cat((one * c - two * s, two * c + one * s, rest), -1).flatten(1))
        on = {device: torch.ops.vllm.split_qkv_tp_rmsnorm_rope(
            *(t.to(device) if torch.is_tensor(t) else t for t in arguments))
            for device in ("npu", "meta")}
        for result, shape, value in zip(on["npu"], on["meta"], (*expected, v)):
            torch.testing.assert_close(result.cpu().double(), value, rtol=1e-5, atol=1e-5)
            self.assertEqual((result.shape, result.dtype), (shape.shape, shape.dtype))

    @unittest.skipUnless(vllm_linear_attention.is_needed(), "another vLLM-Ascend")
    def test_tokens_of_drafts(self):
        for shift, slots in itertools.product((False, True), (1, 3)):
            lengths, rejected, behind = [4, 1, 6, 0], [1, 0, 3, 0], 2
            starts = [0, *itertools.accumulate(lengths)]
            ids, positions = torch.randperm(100)[:starts[-1]], torch.arange(starts[-1]) + 40
            following, padding, place = [201, 202, 203, 204], 7, 99
            right = []  # token, position, is padding, is a place
            new, went = [], torch.zeros(starts[-1], dtype=torch.int32)
            for start, n, left_out, token in zip(starts, lengths, rejected, following):
                known = ids[start:start + n - left_out].tolist()[int(shift):]
                first, at = len(right), positions[min(start, starts[-1] - 1)].item()
                if shift:
                    went[start:start + n] = torch.arange(first, first + n)
                right += [(t, at + i, 0, 0) for i, t in enumerate(known)]
                new += range(len(right), len(right) + slots)
                right.append((token, at + len(known), 0, 0))
                right += [(place, at + len(known) + i, 0, 1) for i in range(1, slots)]
                right += [(padding, 0, 1, 0)] * left_out
            right += [(0, 0, 0, 0)] * behind
            ends = torch.tensor(starts[1:]) - 1 - torch.tensor(rejected)
            results = torch.ops._C_ascend.npu_copy_and_expand_eagle_inputs(
                *(t.int().npu() for t in (ids, positions, torch.tensor(following), torch.tensor(starts),
                                          ends)), padding, place, slots, shift, len(right))
            for result, wanted in zip(results, [*zip(*right), new, went.tolist()]):
                self.assertEqual(result.tolist(), list(wanted), (shift, slots))
            self.assertEqual([result.dtype for result in results],
                             [torch.int32] * 2 + [torch.int8] * 2 + [torch.int32] * 2)

    def test_a_limit_that_torch_npu_has_not_is_refused(self):
        with self.assertRaisesRegex(NotImplementedError, "swiglu_limit = 7.0, expected 0"):
            torch.ops._C_ascend.grouped_matmul_swiglu_quant_weight_nz(
                *(torch.zeros(1).npu() for _ in range(5)), swiglu_limit=7.0)


if __name__ == "__main__":
    unittest.main()
