# SPDX-License-Identifier: Apache-2.0
"""Cases of scripts/compare_families: operators with index tensors or masks, sorting, cumulative
sums."""

import torch
import torch.nn.functional as F


def indexing(side, dtype):
    elements = 1 << 20
    x, values = torch.randn(elements).to(dtype), torch.randn(elements).to(dtype)
    index = torch.randint(0, elements, (elements,))
    out, other = torch.empty_like(x), torch.empty_like(x)
    yield "index 1M", side.call("aclnnIndex", x, ("list", [index]), out), \
        lambda: torch.index_select(x, 0, index, out=other), out, other
    apart = torch.randperm(elements)
    ours, theirs = x.clone(), x.clone()
    yield "index_put 1M", \
        side.call("aclnnIndexPutImpl", ours, ("list", [apart]), values, False, False), \
        lambda: theirs.index_put_((apart,), values), ours, theirs
    summed, summed_other = torch.zeros_like(x), torch.zeros_like(x)
    yield "index_put accumulate 1M", \
        side.call("aclnnIndexPutImpl", summed, ("list", [apart]), values, True, False), \
        lambda: summed_other.index_put_((apart,), values, accumulate=True), ours, theirs
    for rows, cols in ((1024, 1024), (8192, 32)):
        source, got, got_other = (torch.randn(rows, cols).to(dtype) for _ in range(3))
        for dim in (0, 1):
            at = torch.randint(0, source.shape[dim], (rows, cols))
            size = f"{rows}x{cols} over {dim}"
            yield f"gather {size}", side.call("aclnnGather", source, dim, at, got), \
                lambda: torch.gather(source, dim, at, out=got_other), got, got_other
            order = torch.argsort(torch.rand(rows, cols), dim)
            added = torch.randn(rows, cols).to(dtype)
            yield f"scatter_add {size}", \
                side.call("aclnnScatterAdd", source, dim, order, added, got), \
                lambda: torch.scatter_add(source, dim, order, added, out=got_other), \
                got, got_other
            yield f"scatter {size}", \
                side.call("aclnnScatter", source, dim, order, added, 0, got), \
                lambda: torch.scatter(source, dim, order, added, out=got_other), got, got_other
    table, tokens = torch.randn(50000, 256).to(dtype), torch.randint(0, 50000, (8192,))
    rows, rows_other = (torch.randn(8192, 256).to(dtype) for _ in range(2))
    yield "embedding 8192 of 50000x256", side.call("aclnnEmbedding", table, tokens, rows), \
        lambda: torch.index_select(table, 0, tokens, out=rows_other), rows, rows_other
    gradient, result = torch.empty_like(table), [None]

    def backward():
        result[0] = torch.ops.aten.embedding_dense_backward(rows, tokens, 50000, -1, False)
    yield "embedding backward 8192 of 50000x256", \
        side.call("aclnnEmbeddingDenseBackward", rows, tokens, 50000, -1, False, gradient), \
        backward, gradient, result
    sums, sums_other = torch.empty_like(table), torch.empty_like(table)
    yield "index_add 8192 of 50000x256", \
        side.call("aclnnIndexAdd", table, 0, tokens, rows, ("scalar", 1.0), sums), \
        lambda: torch.index_add(table, 0, tokens, rows, out=sums_other), sums, sums_other
    yield from masks(side, dtype)


def masks(side, dtype):
    x = torch.randn(1024, 1024).to(dtype)
    mask = x > 0
    ours, theirs = x.clone(), x.clone()
    yield "masked_fill 1024x1024", \
        side.call("aclnnInplaceMaskedFillScalar", ours, mask, ("scalar", 2.0)), \
        lambda: theirs.masked_fill_(mask, 2.0), ours, theirs
    count = int(mask.sum())
    chosen, chosen_other = torch.zeros(1 << 20).to(dtype), torch.empty(0).to(dtype)
    yield "masked_select 1024x1024", side.call_anew("aclnnMaskedSelect", x, mask, chosen), \
        lambda: torch.masked_select(x, mask, out=chosen_other), chosen[:count], chosen_other
    if dtype == torch.float32:
        places = torch.empty(1 << 20, 2, dtype=torch.int64)
        result = [None]

        def nonzero():
            result[0] = torch.nonzero(mask)
        yield "nonzero 1024x1024", side.call_anew("aclnnNonzero", mask, places), nonzero, \
            places[:count], result


def sorting(side, dtype):
    for rows, cols, most in ((1024, 1024, 8), (8, 128256, 50), (1, 1 << 20, 50)):
        x = torch.randn(rows, cols).to(dtype)
        size = f"{rows}x{cols}"
        top, top_other = (torch.empty(rows, most, dtype=dtype) for _ in range(2))
        at, at_other = (torch.empty(rows, most, dtype=torch.int64) for _ in range(2))
        yield f"topk {most} {size}", side.call("aclnnTopk", x, most, 1, True, True, top, at), \
            lambda: torch.topk(x, most, out=(top_other, at_other)), top, top_other
        sorted_, sorted_other = torch.empty_like(x), torch.empty_like(x)
        order, order_other = (torch.empty(rows, cols, dtype=torch.int64) for _ in range(2))
        yield f"sort {size}", side.call("aclnnSort", x, True, 1, False, sorted_, order), \
            lambda: torch.sort(x, stable=True, dim=1, out=(sorted_other, order_other)), \
            sorted_, sorted_other
    for rows, cols in ((1024, 1024), (1, 1 << 20)):
        x, out, other = (torch.randn(rows, cols).to(dtype) for _ in range(3))
        for dim in (0, 1) if rows > 1 else (1,):
            yield f"cumsum {rows}x{cols} over {dim}", \
                side.call("aclnnCumsum", x, dim, ("type", dtype), out), \
                lambda: torch.cumsum(x, dim, out=other), out, other
    if dtype == torch.float32:
        tokens = torch.randint(0, 1000, (8192,))
        hot, result = torch.empty(8192, 1000, dtype=torch.int64), [None]

        def one_hot():
            result[0] = F.one_hot(tokens, 1000)
        one, zero = torch.ones(1, dtype=torch.int64), torch.zeros(1, dtype=torch.int64)
        yield "one_hot 8192x1000", \
            side.call("aclnnOneHot", tokens, 1000, one, zero, -1, hot), one_hot, hot, result
