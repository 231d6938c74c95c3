# SPDX-License-Identifier: Apache-2.0
"""The operators that anyacl began with, as torch_npu calls them: against goldens in double.

usage: first_operators_test.py [unittest's arguments]
"""

import os
import sys
import unittest

# FRACTAL_NZ is a private format, which torch_npu forbids by default on newer chips.
os.environ.setdefault("ANYACL_SOC_NAME", "Ascend910B3")

import torch  # noqa: E402
import torch_npu  # noqa: E402

ROPE = 64


def golden(q, k, v, scale, hidden=None, sink=None):
    """Attention of [heads, rows, d] in double; `hidden` is True where a column does not count."""
    q, k, v = q.double(), k.double(), v.double()
    k = k.repeat_interleave(q.shape[0] // k.shape[0], 0)
    v = v.repeat_interleave(q.shape[0] // v.shape[0], 0)
    scores = q @ k.transpose(1, 2) * scale
    if hidden is not None:
        scores = scores.masked_fill(hidden, float("-inf"))
    if sink is not None:
        column = sink.double().view(-1, 1, 1).expand(-1, scores.shape[1], 1)
        scores = torch.cat([scores, column], -1)
    lse = torch.logsumexp(scores, -1)
    weights = torch.exp(scores - lse.unsqueeze(-1))
    return weights[..., :k.shape[1]] @ v, lse


def causal(rows, columns):
    """Row i sees the columns up to its own, counted from the end."""
    return torch.ones(rows, columns).triu(columns - rows + 1).bool()


def pages_of(rows, block_size, table):
    """[sequence][tokens, heads, d] as pages [blocks, heads, block_size, d]."""
    blocks = int(table.max()) + 2
    heads, dim = rows[0].shape[1:]
    pages = torch.full((blocks, heads, block_size, dim), float("nan"), dtype=rows[0].dtype)
    for sequence, ids in zip(rows, table):
        for i in range(0, len(sequence), block_size):
            part = sequence[i:i + block_size]
            pages[int(ids[i // block_size]), :, :len(part)] = part.transpose(0, 1)
    return pages


def fractal(pages, width):
    """The same as [blocks, heads, d / width, block_size, width]."""
    blocks, heads, size, dim = pages.shape
    return pages.view(blocks, heads, size, dim // width, width).transpose(2, 3).contiguous()


class Case(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(7)
        torch.npu.config.allow_internal_format = True

    def close(self, actual, expected, share=None):
        """Within the rounding of the type, and of probabilities in bf16."""
        actual = actual.cpu()
        share = share or (2.0 ** -7 if actual.dtype == torch.bfloat16 else 2.0 ** -10)
        error = (actual.double() - expected).abs().max().item()
        self.assertLessEqual(error, share * max(expected.abs().max().item(), 1e-3))


class AttentionTest(Case):
    def test_prompt_and_decode(self):
        for rows, mode in ((1, 0), (37, 0), (37, 3)):
            q = torch.randn(2, 8, rows, 64).half()
            k, v = torch.randn(2, 2, 2, 150, 64).half()
            mask = torch.ones(2048, 2048).triu(1).bool().npu() if mode else None
            out, lse = torch_npu.npu_fused_infer_attention_score(
                q.npu(), k.npu(), v.npu(), num_heads=8, num_key_value_heads=2, scale=0.1,
                input_layout="BNSD", sparse_mode=mode, atten_mask=mask, softmax_lse_flag=True)
            for b in range(2):
                wanted, wanted_lse = golden(q[b], k[b], v[b], 0.1,
                                            causal(rows, 150) if mode else None)
                self.close(out[b], wanted)
                self.close(lse[b, :, :, 0], wanted_lse, 1e-5)

    def paged_tnd(self, call):
        """As serving calls it: rows of all sequences together, pages of keys and values."""
        q_lengths, kv_lengths, size = [5, 1, 30], [300, 77, 30], 128
        table = torch.tensor([[4, 0, 2], [6, -1, -1], [1, -1, -1]], dtype=torch.int32)
        q = torch.randn(sum(q_lengths), 8, 128).bfloat16()
        keys, values = [[torch.randn(n, 2, 128).bfloat16() for n in kv_lengths] for _ in range(2)]
        rows = [pages_of(x, size, table).transpose(1, 2).flatten(2).nan_to_num(0).npu()
                for x in (keys, values)]
        sums = torch.tensor(q_lengths).cumsum(0)
        out = call(q.npu(), *rows, sums.tolist(), kv_lengths, table.npu(), size)
        for b, end in enumerate(sums.tolist()):
            own = q[end - q_lengths[b]:end].transpose(0, 1)
            wanted, _ = golden(own, keys[b].transpose(0, 1), values[b].transpose(0, 1), 0.09,
                               causal(q_lengths[b], kv_lengths[b]))
            self.close(out[end - q_lengths[b]:end].transpose(0, 1), wanted)

    def test_ragged_pages(self):
        mask = torch.ones(2048, 2048).triu(1).bool().npu()
        self.paged_tnd(lambda q, k, v, rows, columns, table, size:
                       torch_npu.npu_fused_infer_attention_score(
                           q, k, v, num_heads=8, num_key_value_heads=2, scale=0.09,
                           input_layout="TND", sparse_mode=3, atten_mask=mask,
                           actual_seq_lengths=rows, actual_seq_lengths_kv=columns,
                           block_table=table, block_size=size)[0])
        self.paged_tnd(lambda q, k, v, rows, columns, table, size:
                       torch_npu.npu_fused_infer_attention_score_v2(
                           q, k, v, num_query_heads=8, num_key_value_heads=2, softmax_scale=0.09,
                           input_layout="TND", sparse_mode=3, atten_mask=mask,
                           actual_seq_qlen=rows, actual_seq_kvlen=columns, block_table=table,
                           block_size=size)[0])

    def test_latent_heads(self):
        """DeepSeek's decoding: 16 heads share latent keys of 512 + 64, which are the values, too."""
        lengths, size = [200, 33], 128
        table = torch.tensor([[3, 1], [0, -1]], dtype=torch.int32)
        q, q_rope = torch.randn(2, 16, 1, 512).bfloat16(), torch.randn(2, 16, 1, ROPE).bfloat16()
        keys = [torch.randn(n, 1, 512).bfloat16() for n in lengths]
        ropes = [torch.randn(n, 1, ROPE).bfloat16() for n in lengths]
        for width in (0, 16):
            cache, rope = [pages_of(x, size, table).nan_to_num(0) for x in (keys, ropes)]
            if width:
                cache, rope = fractal(cache, width), fractal(rope, width)
            cache = cache.npu()
            out, _ = torch_npu.npu_fused_infer_attention_score(
                q.npu(), cache, cache, query_rope=q_rope.npu(), key_rope=rope.npu(), num_heads=16,
                num_key_value_heads=1, input_layout="BNSD_NBSD", scale=0.04, block_size=size,
                block_table=table.npu(), actual_seq_lengths_kv=lengths)
            self.assertEqual(tuple(out.shape), (16, 2, 1, 512))
            for b in range(2):
                k = torch.cat([keys[b], ropes[b]], -1).transpose(0, 1)
                wanted, _ = golden(torch.cat([q[b], q_rope[b]], -1), k, keys[b].transpose(0, 1), 0.04)
                self.close(out[:, b], wanted)

    def test_ropes_of_prompts(self):
        q, k = torch.randn(40, 4, 128).half(), torch.randn(40, 4, 128).half()
        v = torch.randn(40, 4, 128).half()
        q_rope, k_rope = torch.randn(40, 4, ROPE).half(), torch.randn(40, 1, ROPE).half()
        out, lse = torch_npu.npu_fused_infer_attention_score_v2(
            q.npu(), k.npu(), v.npu(), query_rope=q_rope.npu(),
            key_rope=k_rope.npu().expand(-1, 4, -1), num_query_heads=4, num_key_value_heads=4,
            input_layout="TND", softmax_scale=0.07, actual_seq_qlen=[12, 40],
            actual_seq_kvlen=[12, 40], return_softmax_lse=True)
        for begin, end in ((0, 12), (12, 40)):
            rows = slice(begin, end)
            queries = torch.cat([q, q_rope], -1)[rows].transpose(0, 1)
            keys = torch.cat([k, k_rope.expand(-1, 4, -1)], -1)[rows].transpose(0, 1)
            wanted, wanted_lse = golden(queries, keys, v[rows].transpose(0, 1), 0.07)
            self.close(out[rows].transpose(0, 1), wanted)
            self.close(lse[rows, :, 0].transpose(0, 1), wanted_lse, 1e-5)

    def test_sinks(self):
        q, k, v = torch.randn(3, 128, 8, 64).bfloat16()
        sink = torch.randn(8).bfloat16()
        out, _ = torch_npu.npu_fused_infer_attention_score_v2(
            q.npu(), k.npu(), v.npu(), learnable_sink=sink.npu(), num_query_heads=8,
            num_key_value_heads=8, input_layout="TND", softmax_scale=0.1, actual_seq_qlen=[128],
            actual_seq_kvlen=[128])
        wanted, _ = golden(*(x.transpose(0, 1) for x in (q, k, v)), 0.1, None, sink)
        self.close(out.transpose(0, 1), wanted)

    def test_workspace_of_graphs(self):
        """The most that any lengths need is asked for once, and the call uses it."""
        q = torch.randn(2, 8, 1, 128).half().npu()
        k, v = torch.randn(2, 2, 8, 3000, 128).half().npu()
        names = {"num_heads": 8, "input_layout": "BNSD", "scale": 0.1}
        workspace = torch_npu._npu_fused_infer_attention_score_get_max_workspace(q, k, v, **names)
        for lengths in ([3000, 3000], [1500, 7]):
            out, lse = torch.empty_like(q), torch.empty(1, dtype=torch.float32, device="npu")
            torch_npu.npu_fused_infer_attention_score.out(
                q, k, v, workspace=workspace, actual_seq_lengths_kv=lengths, out=[out, lse], **names)
            for b, n in enumerate(lengths):
                wanted, _ = golden(q[b].cpu(), k[b, :, :n].cpu(), v[b, :, :n].cpu(), 0.1)
                self.close(out[b], wanted)

    def test_the_operators_before(self):
        q = torch.randn(2, 8, 19, 64).half()
        k, v = torch.randn(2, 2, 8, 70, 64).half()
        out = torch_npu.npu_prompt_flash_attention(q.npu(), k.npu(), v.npu(), num_heads=8,
                                                   input_layout="BNSD", scale_value=0.125)
        one = torch_npu.npu_incre_flash_attention(q[:, :, :1].npu(), k.npu(), v.npu(), num_heads=8,
                                                  input_layout="BNSD", scale_value=0.125)
        for b in range(2):
            wanted, _ = golden(q[b], k[b], v[b], 0.125)
            self.close(out[b], wanted)
            self.close(one[b], wanted[:, :1])


class QuantTest(Case):
    def test_dynamic_quant(self):
        for dtype in (torch.float16, torch.bfloat16):
            x = torch.randn(4, 9, 256).to(dtype)
            smooth = torch.rand(256).to(dtype)
            y, scale = torch_npu.npu_dynamic_quant(x.npu(), smooth_scales=smooth.npu())
            scaled = x.float() * smooth.float()
            wanted = scaled.abs().amax(-1) / 127
            self.close(scale, wanted.double(), 1e-6)
            self.close(y, (scaled / wanted.unsqueeze(-1)).round().double(), 1.01 / 127)

    def test_dynamic_quant_asymmetric(self):
        x = torch.randn(6, 512).half()
        y, scale, offset = torch_npu.npu_dynamic_quant_asymmetric(x.npu())
        values = (y.cpu().float() - offset.cpu().unsqueeze(-1)) * scale.cpu().unsqueeze(-1)
        step = (x.float().amax(-1) - x.float().amin(-1)) / 255
        self.close(scale, step.double(), 1e-5)
        self.assertLessEqual(((values - x.float()).abs() / step.unsqueeze(-1)).max().item(), 1.01)

    def test_grouped_matmul_swiglu_quant(self):
        experts, tokens, k, n = 3, 40, 64, 128
        x = torch.randint(-9, 10, (tokens, k), dtype=torch.int8)
        weight = torch.randint(-9, 10, (experts, k, n), dtype=torch.int8)
        weight_scale, x_scale = torch.rand(experts, n) * 0.01, torch.rand(tokens) * 0.1
        ends = torch.tensor([10, 10, 40])
        packed = torch_npu.npu_format_cast(weight.npu(), 29)
        self.assertEqual(torch_npu.get_npu_format(packed), 29)
        y, scale, _ = torch_npu.npu_grouped_matmul_swiglu_quant(
            x.npu(), packed, ends.npu(), weight_scale.npu(), x_scale.npu())
        begin = 0
        for e, end in enumerate(ends.tolist()):
            product = (x[begin:end].double() @ weight[e].double()) * weight_scale[e].double()
            product *= x_scale[begin:end].double().unsqueeze(-1)
            left, right = product.chunk(2, -1)
            glu = left * torch.sigmoid(left) * right
            if end > begin:
                wanted = glu.abs().amax(-1) / 127
                self.close(scale[begin:end], wanted, 1e-4)
                self.close(y[begin:end], (glu / wanted.unsqueeze(-1)).round(), 1.01 / 127)
            begin = end


class GroupNormTest(Case):
    def test_forward_and_gradient(self):
        for dtype, share in ((torch.float32, 1e-5), (torch.float16, 4e-3), (torch.bfloat16, 3e-2)):
            x = torch.randn(3, 12, 5, 7).to(dtype)
            weight, bias, dy = torch.randn(12).to(dtype), torch.randn(12).to(dtype), torch.randn_like(x)
            mine = [t.npu().requires_grad_() for t in (x, weight, bias)]
            exact = [t.double().requires_grad_() for t in (x, weight, bias)]
            y = torch.nn.functional.group_norm(mine[0], 4, mine[1], mine[2])
            wanted = torch.nn.functional.group_norm(exact[0], 4, exact[1], exact[2])
            self.close(y.detach(), wanted.detach(), share)
            y.backward(dy.npu())
            wanted.backward(dy.double())
            for a, b in zip(mine, exact):
                self.close(a.grad, b.grad, share)


class FormatTest(Case):
    def test_every_private_format_and_back(self):
        for dtype in (torch.float16, torch.float32):
            image, volume = torch.randn(3, 20, 4, 5).to(dtype), torch.randn(3, 20, 2, 4, 5).to(dtype)
            for number, x in ((29, image), (3, image), (4, image), (32, volume), (33, volume)):
                # Volumes come to their formats by way of NCDHW.
                plain = torch_npu.npu_format_cast(x.npu(), 30) if x.dim() == 5 else x.npu()
                packed = torch_npu.npu_format_cast(plain, number)
                self.assertEqual(torch_npu.get_npu_format(packed), number)
                back = torch_npu.npu_format_cast(packed, 2)
                self.assertTrue(torch.equal(back.cpu(), x), number)

    def test_panels_after_plain_weights_of_the_same_shape(self):
        # The keys by which torch_npu repeats calls do not tell formats.
        x = torch.randint(-5, 5, (32, 64)).half()
        plain, packed = (torch.randint(-5, 5, (64, 64), dtype=torch.int8) for _ in range(2))
        panels = torch_npu.npu_format_cast(packed.npu(), 29)
        for weight, values in ((plain.npu(), plain), (panels, packed)) * 2:
            y = torch_npu.npu_weight_quant_batchmatmul(x.npu(), weight, torch.ones(64).half().npu())
            self.close(y, x.double() @ values.double(), 1e-3)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=2).result
    sys.stdout.flush()
    sys.stderr.flush()
    # torch_npu sleeps for seconds when it ends.
    os._exit(0 if result.wasSuccessful() else 1)
