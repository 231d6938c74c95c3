# SPDX-License-Identifier: Apache-2.0
"""Cases of scripts/compare_families: convolutions and attention with their gradients, and the steps
of optimisers."""

import torch
import torch.nn.functional as F

ALL = ("mask", [True, True, False])


# Channels of input and output, height and width, taps, stride.
CONVOLUTIONS = ((3, 64, 112, 7, 2), (64, 64, 28, 3, 1), (64, 128, 28, 3, 2), (128, 128, 14, 3, 1),
                (256, 256, 7, 3, 1), (256, 512, 14, 1, 1))


def convolutions(side, dtype):
    if dtype == torch.float16:
        return  # for which PyTorch has slow loops only
    for inputs, outputs, size, taps, stride in CONVOLUTIONS:
        for form in ("", " channels last"):
            order = torch.channels_last if form else torch.contiguous_format
            x = torch.randn(4, inputs, size, size).to(dtype).to(memory_format=order)
            weight = (torch.randn(outputs, inputs, taps, taps) / 8).to(dtype)
            weight = weight.to(memory_format=order)
            pad = taps // 2
            result = [F.conv2d(x, weight, None, stride, pad)]
            out = torch.empty_like(result[0])
            steps, pads, ones, zeros = (("dims", [n] * 2) for n in (stride, pad, 1, 0))
            name = f"{inputs}->{outputs} {size}x{size} taps {taps} stride {stride}{form}"

            def forward():
                result[0] = F.conv2d(x, weight, None, stride, pad)
            yield f"conv {name}", \
                side.call("aclnnConvolution", x, weight, None, steps, pads, ones, False, zeros, 1,
                          out, ("byte", 0)), forward, out, result
            g, dx, dw = torch.randn_like(out), torch.empty_like(x), torch.empty_like(weight)
            gradients = [None]

            def backward():
                gradients[0] = torch.ops.aten.convolution_backward(
                    g, x, weight, None, [stride] * 2, [pad] * 2, [1, 1], False, [0, 0], 1,
                    [True, True, False])[1]
            yield f"conv backward {name}", \
                side.call("aclnnConvolutionBackward", g, x, weight, None, steps, pads, ones, False,
                          zeros, 1, ALL, ("byte", 0), dx, dw, None), backward, dw, gradients


def attention(side, dtype):
    if dtype == torch.float16:
        return
    layout = ("text", b"BNSD")
    shapes = [(4, 4, 64, 64), (4, 4, 128, 64), (8, 8, 256, 64), (1, 8, 512, 64), (1, 16, 1024, 64),
              (1, 32, 1024, 128), (1, 8, 4096, 128)]
    for *shape, causal in [(*shape, True) for shape in shapes] + [(*shape, False) for shape in shapes[3:]]:
        batch, heads, length, width = shape
        q, k, v, g = (torch.randn(*shape).to(dtype) for _ in range(4))
        hidden = torch.ones(2048, 2048, dtype=torch.bool).triu(1) if causal else None
        sums = [torch.empty(batch, heads, length, 8) for _ in range(2)]
        out, result = torch.empty_like(q), [None]
        tail = (width ** -0.5, 1.0, 2147483647, 0, heads, layout, 0, 2 if causal else 0)

        def forward():
            result[0] = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
        size = "x".join(map(str, shape)) + ("" if causal else " full")
        first = side.call("aclnnFlashAttentionScore", q, k, v, None, None, None, hidden, None,
                          *tail, *sums, None, out)
        yield f"attention {size}", first, forward, out, result
        first()
        side.anyacl.synchronize()
        leaves = [t.clone().requires_grad_() for t in (q, k, v)]
        answer = F.scaled_dot_product_attention(*leaves, is_causal=causal)
        gradients, dq, dk, dv = [None], *(torch.empty_like(q) for _ in range(3))

        def backward():
            gradients[0] = torch.autograd.grad(answer, leaves, g, retain_graph=True)[0]
        yield f"attention backward {size}", \
            side.call("aclnnFlashAttentionScoreGrad", q, k, v, g, None, None, None, hidden, *sums,
                      None, out, None, *tail, dq, dk, dv, None), backward, dq, gradients


def optimisers(side, dtype):
    sizes = ((512, 512), (2048, 512), (512,))
    for count in (8, 64):
        shapes = [sizes[i % 3] for i in range(count)]
        ours, theirs, steps = ([torch.rand(*s).to(dtype) for s in shapes] for _ in range(3))
        tensors = f"{count} tensors"
        yield f"foreach add {tensors}", \
            side.call("aclnnForeachAddListV2", ("list", ours), ("list", steps), ("scalar", 1e-3),
                      ("list", ours)), \
            lambda: torch._foreach_add_(theirs, steps, alpha=1e-3), ours[0], theirs[0]
        yield f"foreach mul {tensors}", \
            side.call("aclnnForeachMulScalarV2", ("list", ours), ("scalar", 0.9999),
                      ("list", ours)), \
            lambda: torch._foreach_mul_(theirs, 0.9999), ours[0], theirs[0]
    for rows, cols in ((512, 512), (2048, 2048)):
        x, y, a, b = (torch.rand(rows, cols).to(dtype) + 1 for _ in range(4))
        yield f"addcdiv {rows}x{cols}", \
            side.call("aclnnInplaceAddcdiv", x, a, b, ("scalar", 1e-4)), \
            lambda: y.addcdiv_(a, b, value=1e-4), x, y
        yield f"lerp {rows}x{cols}", side.call("aclnnInplaceLerps", x, a, ("scalar", 0.1)), \
            lambda: y.lerp_(a, 0.1), x, y
