# SPDX-License-Identifier: Apache-2.0
"""Programs of programs.py: tensors and their operators."""

import copy

import numpy
import torch

from program_table import integers, numbers, program

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
INTEGERS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)
ELEMENTWISE = """abs acos acosh angle asin asinh atan atanh ceil cos cosh deg2rad digamma erf erfc
    erfinv exp exp2 expm1 floor frac isfinite isinf isnan isneginf isposinf lgamma log log10 log1p
    log2 logical_not logit nan_to_num neg positive rad2deg reciprocal relu round rsqrt sigmoid sign
    signbit sin sinc sinh sqrt square tan tanh trunc""".split()
BINARY = """add atan2 div eq floor_divide fmax fmin fmod ge gt hypot le logaddexp logaddexp2 lt
    maximum minimum mul ne pow remainder sub true_divide xlogy copysign heaviside""".split()


@program()
def factories(device):
    on = {"device": device}
    like = torch.ones(2, 3, dtype=torch.float16, **on)
    return [torch.zeros(2, 3, **on), torch.ones(4, dtype=torch.int8, **on), torch.empty(0, 3, **on),
            torch.full((2, 2), 7, **on), torch.full((3,), 0.5, dtype=torch.bfloat16, **on),
            torch.full((), True, **on), torch.tensor([[1, 2], [3, 4]], **on),
            torch.eye(3, 5, **on), torch.arange(5, **on), torch.arange(1, 8, 2.5, **on),
            torch.arange(9, -1, -3, dtype=torch.int32, **on), torch.linspace(-1, 1, 7, **on),
            torch.tril_indices(3, 4, **on), torch.triu_indices(4, 3, 1, **on),
            torch.zeros_like(like), torch.full_like(like, 3), like.new_zeros(2),
            like.new_tensor([1, 2]), like.new_full((2,), 4),
            torch.ones_like(like, dtype=torch.bool),
            # Without a type torch_npu 2.8.0 makes windows of integers.
            torch.empty_like(like).fill_(2), torch.hann_window(8, dtype=torch.float32, **on),
            torch.hamming_window(8, dtype=torch.float32, **on),
            torch.vander(torch.arange(4., **on)),
            torch.cartesian_prod(torch.arange(2, **on), torch.arange(3, **on)),
            torch.meshgrid(torch.arange(2, **on), torch.arange(3, **on), indexing="ij")]


@program()
def logspace(device):
    return torch.logspace(-2, 2, 9, device=device)


@program()
def numpy_and_back(device):
    array = numpy.arange(12, dtype=numpy.float32).reshape(3, 4)
    there = torch.from_numpy(array).to(device)
    part = torch.as_tensor(array[::2], device=device)
    return [there, part, (there.t() * 2).cpu().numpy().tolist()]


@program()
def types_to_types(device):
    values = torch.tensor([0, 1, 2.75, 100, 5.5])
    kinds = (*FLOATS, *INTEGERS, torch.bool, torch.complex64)
    return [values.to(first).to(device).to(second) for first in kinds for second in kinds
            if not (first.is_complex and not second.is_complex)]


@program()
def promotion_of_types(device):
    kinds = (*FLOATS, *INTEGERS, torch.bool)
    results = []
    for first in kinds:
        a = torch.tensor([1, 0, 3]).to(device=device, dtype=first)
        results += [a + 1, a * 2.5, a / 2, torch.tensor(2, device=device) + a, a > 0.5]
        results += [a * torch.ones(2, 1, dtype=second, device=device) for second in kinds]
    return results


@program()
def copies(device):
    x = numbers(device, 4, 6)
    pinned = torch.arange(24.).reshape(4, 6)
    pinned = pinned.pin_memory() if device.type == "npu" else pinned
    target = torch.zeros(6, 4, device=device)
    target.copy_(x.t())
    target[::2, 1].copy_(pinned[0, :3].to(device))
    rows = torch.zeros(4, 6, dtype=torch.float16, device=device)
    rows[:, ::3] = x[:, 1::3]
    there = torch.empty(4, 6, device=device).copy_(pinned, non_blocking=True)
    return [target, rows, there, x.clone(), x.t().contiguous(), x[:, 2:4].clone(),
            copy.deepcopy(x[1]), x.to(device, copy=True), x.expand(2, 4, 6).contiguous(),
            torch.zeros(3, 4, 6, device=device).copy_(x)]


@program()
def views(device):
    x = numbers(device, 2, 3, 4)
    x.view(-1)[5] = 50
    x[0].t()[1:3] += 100
    return [x, x.view(6, 4), x.reshape(4, 6), x.permute(2, 0, 1), x.transpose(0, 2).reshape(-1),
            x.unfold(2, 2, 1), x.as_strided((3, 2), (2, 5), 1), x.diagonal(0, 1, 2),
            x.narrow(2, 1, 2),
            x.movedim(0, 2), x[:, None].squeeze(1), x.unsqueeze(-1), x.flatten(1), x.swapaxes(0, 1),
            x.unflatten(2, (2, 2)), x.chunk(3, 2), x.split([1, 3], 2), x.unbind(1), x.select(1, 2),
            x.view(torch.int32), x.mT, x.ravel(), x.T.contiguous(), x.expand(2, 2, 3, 4),
            x.is_contiguous(), x.t().stride() if x.dim() == 2 else x.stride()]


@program()
def joining_and_splitting(device):
    a, b = numbers(device, 2, 3), numbers(device, 2, 3)
    return [torch.cat([a, b]), torch.cat([a, b.half(), a.t().t()], 1), torch.stack([a, b], 2),
            torch.hstack([a, b]), torch.vstack([a, b]), torch.dstack([a, b]),
            torch.block_diag(a, b), torch.column_stack([a[:, 0], b]), a.tensor_split(2, 1),
            torch.concat([a, torch.empty(0, 3, device=device)]), torch.split(a, 2, 1),
            torch.broadcast_tensors(a[:, :1], b[:1]), torch.cat([a.int(), b], 0)]


@program()
def repetitions_and_orders(device):
    x = numbers(device, 3, 4)
    return [x.repeat(2, 1, 2), x.tile(2), x.repeat_interleave(3, 1), x.flip(0), x.flip(0, 1),
            x.fliplr(), x.flipud(),
            x.rot90(), x.roll(2), x.roll((1, -1), (0, 1)), x.expand(2, -1, -1)]


@program()
def repetitions_of_elements(device):
    x, times = numbers(device, 3, 4), torch.tensor([1, 0, 2], device=device)
    return [x.repeat_interleave(2), x.repeat_interleave(times, 0), torch.repeat_interleave(times)]


@program()
def triangles_and_diagonals(device):
    x = numbers(device, 4, 4)
    y = x.clone().triu_(-1)
    return [x.tril(), x.triu(1), x.tril(-2), y, x.diag(1), x[0].diag(), torch.diag_embed(x, 1),
            torch.diagonal_scatter(x, torch.ones(4, device=device)), x.diagonal().sum(), x.trace()]


@program()
def fill_diagonal(device):
    return torch.zeros(4, 3, device=device).fill_diagonal_(2)


@program()
def paddings(device):
    x = numbers(device, 2, 3, 5, 6)
    pad = torch.nn.functional.pad
    return [pad(x, (1, 2)), pad(x, (1, -1, 2, 0), value=3), pad(x, (2, 1, 1, 3), "reflect"),
            pad(x, (2, 1, 1, 3), "replicate"), pad(x, (2, 1, 1, 3), "circular"),
            pad(x[0], (1, 1), "reflect"), pad(x[:, :, None], (1, 1, 1, 1, 2, 0), "replicate"),
            pad(x > 0, (1, 1), value=True)]


@program()
def reading_by_indices(device):
    x = numbers(device, 4, 5, 6)
    rows, columns = torch.tensor([3, 0, 0], device=device), torch.tensor([[1], [4]], device=device)
    return [x[1], x[-1, 2:4, ::2], x[..., 3], x[:, None, 1], x[rows], x[:, rows], x[rows, 2],
            x[rows, columns], x[:, rows, :, None],
            x[rows, :, torch.tensor([0, 1, 5], device=device)],
            x[[0, 2]], x[x > 0], x[x[:, 0, 0] > 10], x[:, torch.tensor([1, 0, 1, 1, 0]).bool()],
            x[torch.tensor(2, device=device)], x[x[:, :, 0] > 0], x[1, 2, 3].item(),
            x[rows.cpu()], x[()], x[2:2]]


@program()
def writing_by_indices(device):
    x = torch.zeros(4, 5, device=device)
    rows = torch.tensor([3, 0, 0], device=device)
    x[1] = 1
    x[:, 2] = torch.arange(4., device=device)
    x[rows[:2]] += 5
    x[rows[:2], rows[1:]] = -7
    x[x > 4] = 9
    x[:, [1, 3]] = numbers(device, 4, 2)
    x.index_put_((rows,), torch.ones(3, 5, device=device), accumulate=True)
    x[2, ::2] = numbers(device, 3)
    x[x[:, 0] == 9, -1] = 3
    nowhere = torch.zeros(5, dtype=torch.bool, device=device)
    x[:, nowhere] = 11
    x[:, rows[:0]] += 12
    x[rows[:0]] = 13
    x.index_put_((rows[:1, None], rows[None, :0]), torch.tensor(14., device=device))
    return [x, x.index_put((rows, rows), torch.tensor(2., device=device))]


@program()
def gathering_and_scattering(device):
    x = numbers(device, 4, 5)
    places = integers(device, 4, 5, high=4)
    first = torch.tensor([2, 0, 2], device=device)
    source = numbers(device, 3, 5)
    results = [x.gather(0, places), torch.take_along_dim(x, places, 0), x.index_select(1, first),
               x.scatter(0, places[:1], x[:1]), x.scatter(1, places, 2.5),
               x.scatter_add(0, places, x), x.index_add(0, first, source, alpha=0.5),
               x.index_copy(0, first[:2], source[:2]), x.index_fill(1, first, -1.0),
               x.take(places), x.clone().put_(first, source[0, :3]),
               x.scatter(0, places[:1], x[:1], reduce="add"), torch.select_scatter(x, x[0], 0, 3),
               torch.slice_scatter(x, source, 0, 1, 4)]
    for reduce in ("sum", "prod", "amax", "amin", "mean"):
        results.append(x.scatter_reduce(0, places, x, reduce))
    return results


@program()
def masks(device):
    x = numbers(device, 3, 4)
    mask = x > 0.3
    return [x.masked_fill(mask, 0.0), x.masked_fill(mask, torch.tensor(2., device=device)),
            x.masked_select(mask), x.masked_scatter(mask, numbers(device, 12)), mask.nonzero(),
            torch.nonzero(mask, as_tuple=True), torch.where(mask, x, -x), torch.where(mask, x, 0.0),
            torch.where(mask), mask.sum(), mask.argwhere(), mask[0].any(), mask.count_nonzero(1)]


@program()
def searching(device):
    edges = torch.tensor([-1., -0.5, 0., 0.5, 1.], device=device)
    x = numbers(device, 3, 4)
    classes = integers(device, 6, high=4)
    return [torch.searchsorted(edges, x), torch.bucketize(x, edges, right=True),
            torch.nn.functional.one_hot(classes, 5), torch.isin(classes, torch.tensor(
                [1, 3], device=device)), torch.isin(classes, 2)]


@program()
def printed_tensors(device):
    x = numbers(device, 3, 4)
    special = torch.tensor([1.5, float("nan"), float("inf"), -float("inf")], device=device)
    some = [x, x * 1e6, x * 1e-6, special, x.half(), x.bfloat16(), x.int(), x > 0,
            torch.zeros(0, 3, device=device), torch.tensor(3.25, device=device),
            torch.arange(2000., device=device), numbers(device, 30, 40), x.t()[1:],
            torch.complex(x, -x), torch.tensor([1e20, 1.0], device=device),
            torch.arange(3, device=device).byte(), x.requires_grad_() * 2]
    # The device's name breaks lines elsewhere.
    texts = [" ".join(repr(t).replace("device='npu:0'", "").split()) for t in some]
    return [text.replace(", ,", ",").replace(", )", ")") for text in texts] + [f"{x.sum():.3f}"]


@program()
def values_in_python(device):
    x = torch.tensor([[1.5, 2.0], [0.0, -4.0]], device=device)
    n = torch.tensor(3, device=device)
    return [x.tolist(), x[0, 1].item(), float(x[1, 1]), int(n), bool(n), len(x), 2.0 in x,
            [row.sum().item() for row in x], list(range(n)), [5, 6, 7, 8][n], f"{n:d}",
            x.numel(), x.element_size(), torch.equal(x, x + 0), torch.allclose(x, x + 1e-9),
            n.is_nonzero(), torch.is_tensor(x), x.dtype is torch.float32, (x @ x).shape]


@program()
def sorting(device):
    x = torch.randperm(60).reshape(5, 12).to(device)
    y = numbers(device, 4, 9)
    return [x.sort(), x.sort(0, descending=True), y.sort(stable=True, dim=1), y.argsort(0),
            y.msort(), y.topk(3), y.topk(2, 0, largest=False), x.kthvalue(4), y.median(),
            y.median(1),
            y.nanmedian(), integers(device, 40).half().sort(stable=True), y.quantile(0.3),
            y.topk(4, sorted=True).values]


@program()
def unique_values(device):
    x = integers(device, 40, high=6)
    rows = integers(device, 12, 2, high=3)
    return [x.unique(), x.unique(return_inverse=True, return_counts=True),
            x.unique_consecutive(return_counts=True), rows.unique(dim=0), x.bincount(),
            x.bincount(minlength=9), torch.histc(x.float(), 6, 0, 6),
            (x * 0.5).unique(return_counts=True)]


@program()
def mode_of_values(device):
    return integers(device, 5, 9, high=3).mode()


@program()
def reductions(device):
    x = numbers(device, 3, 4, 5)
    n = integers(device, 4, 6, low=-3)
    return [x.sum(), x.sum(1), x.sum((0, 2), keepdim=True), x.mean(), x.mean(-1), x.prod(),
            x.prod(1), x.std(), x.std(1, correction=0), x.var((0, 1)), torch.var_mean(x, 1),
            torch.std_mean(x, 0), x.amax(1), x.amin((0, 1)), torch.aminmax(x, dim=1), x.max(),
            x.max(1), x.min(0, keepdim=True), x.argmax(), x.argmin(1), (x > 0).all(),
            (x > 0).any(1), x.logsumexp(2), x.norm(), x.norm(p=1, dim=1),
            torch.linalg.vector_norm(x, 3, 2),
            torch.linalg.vector_norm(x, float("inf")), x.nansum(1), x.nanmean(0),
            x.count_nonzero(), n.sum(), n.sum(0, dtype=torch.int32), n.half().sum(1), n.prod(1),
            n.max(), n.float().mean(), torch.dist(x[0], x[1]), x.sum(1, dtype=torch.float16)]


@program()
def running_reductions(device):
    x = numbers(device, 4, 5)
    return [x.cumsum(0), x.cumsum(1), x.cumprod(1), x.cummax(1), x.cummin(0), x.logcumsumexp(1),
            x.diff(), x.diff(dim=0, n=2), torch.trapezoid(x, dim=1), (x > 0).cumsum(1),
            x.half().cumsum(0), torch.cumulative_trapezoid(x)]


@program()
def elementwise_functions(device):
    x = torch.cat([torch.linspace(-3, 3, 37), torch.tensor([float("nan"), float("inf"), 0.5])])
    x = x.to(device)
    results = {}
    for name in ELEMENTWISE:
        function = getattr(torch, name)
        results[name] = [function(x), function(x.half())]
    return results


@program()
def elementwise_functions_in_place(device):
    x = torch.linspace(0.05, 0.95, 20).to(device)
    names = [name + "_" for name in ELEMENTWISE if hasattr(x, name + "_")]
    return {name: getattr(x.clone(), name)() for name in names}


@program()
def functions_of_two(device):
    a, b = numbers(device, 4, 1), numbers(device, 5).abs() + 0.5
    results = {name: [getattr(torch, name)(a, b), getattr(torch, name)(a.half(), b.half())]
               for name in BINARY}
    n, m = integers(device, 6, low=-9), integers(device, 6, low=1)
    for name in ("add", "sub", "mul", "div", "remainder", "fmod", "floor_divide", "gcd", "lcm",
                 "bitwise_and", "bitwise_or", "bitwise_xor", "maximum", "eq", "lt", "pow"):
        results[name + " of integers"] = getattr(torch, name)(n.abs() if name == "pow" else n, m)
    return results


@program()
def operators_of_python(device):
    x, n, flags = numbers(device, 5), integers(device, 5, low=1), numbers(device, 5) > 0
    results = [x + 1, 2 - x, x * x, 1 / (x + 5), x ** 2, 2 ** x, -x, abs(x), x // 0.3, x % 0.7,
               n // 3, n % 4, n & 3, n | 8, n ^ 5, ~n, ~flags, flags & (x > 0), flags | flags,
               x == x, x != 0, x < 0.5, x >= x, n / 2, x @ x, round(x.sum().item(), 2)]
    x += 1
    x *= 2
    x -= n
    x /= 3
    x **= 2
    n //= 2
    n %= 3
    flags &= n > 0
    return [*results, x, n, flags]


@program()
def shifts(device):
    n = integers(device, 6, low=1)
    return [n << 2, n >> 1, torch.bitwise_left_shift(n, n)]


@program()
def functions_with_outputs(device):
    x = numbers(device, 3, 4)
    out, view = torch.empty(3, 4, device=device), torch.zeros(3, 8, device=device)
    torch.add(x, 1, out=out)
    torch.mul(x, 2, out=view[:, ::2])
    torch.matmul(x, x.t(), out=(square := torch.empty(3, 3, device=device)))
    torch.sum(x, 1, out=(sums := torch.empty(3, device=device)))
    return [out, view, square, sums]


@program()
def clamps_and_mixtures(device):
    x, y, z = (numbers(device, 4, 5) for _ in range(3))
    return [x.clamp(-0.5, 0.5), x.clamp(min=0), x.clamp_max(0.1),
            x.clamp(y.minimum(z), z.maximum(y)),
            torch.lerp(x, y, 0.3), torch.lerp(x, y, z), torch.addcmul(x, y, z, value=0.5),
            torch.addcdiv(x, y, z.abs() + 1, value=2), x.clone().clamp_(0, 1), x.sub(y, alpha=3),
            torch.threshold(x, 0.1, 20), x.heaviside(y), x.nan_to_num(), x.add_(y, alpha=0.5),
            x.float_power(2).float(), x.frac(), x.round(decimals=1)]


@program()
def many_tensors_at_once(device):
    xs = [numbers(device, *shape) for shape in ((3,), (2, 4), (), (5, 1))]
    ys = [x.abs() + 1 for x in xs]
    results = [torch._foreach_add(xs, 2), torch._foreach_mul(xs, ys), torch._foreach_sqrt(ys),
               torch._foreach_addcmul(xs, ys, ys, 0.5), torch._foreach_div(xs, [1., 2., 3., 4.]),
               torch._foreach_exp(xs), torch._foreach_maximum(xs, ys), torch._foreach_lerp(
                   xs, ys, 0.1), torch._foreach_neg(xs), torch._foreach_abs(xs),
               torch._foreach_reciprocal(ys)]
    torch._foreach_mul_(xs, 0.5)
    torch._foreach_copy_(ys, xs)
    return [*results, xs, ys]


@program()
def norms_of_many_tensors(device):
    xs = [numbers(device, *shape) for shape in ((3,), (2, 4), (5, 1))]
    return [torch._foreach_norm(xs), torch.nn.utils.get_total_norm(xs)]


@program()
def matrix_products(device):
    a, b, c = numbers(device, 4, 5), numbers(device, 5, 6), numbers(device, 3, 4, 5)
    v = numbers(device, 5)
    h = a.half()
    return [a @ b, a.mm(b), c @ b, c.bmm(c.mT), a @ v, a.mv(v), v.dot(v), torch.outer(v, v),
            torch.addmm(numbers(device, 6), a, b, beta=0.5, alpha=2), torch.addmv(a[:, 0], a, v),
            torch.addr(numbers(device, 5, 5), v, v), torch.baddbmm(c @ c.mT, c, c.mT),
            torch.addbmm(a @ a.t(), c, c.mT), torch.tensordot(c, b, 1), torch.kron(a, b[:2, :2]),
            torch.inner(v, a), torch.linalg.multi_dot([a, b, b.t()]),
            h @ b.half(), h.t() @ h, a.bfloat16() @ v.bfloat16(),
            numbers(device, 2, 1, 4, 5) @ c.mT, (c > 0).float() @ b, a.t() @ c[0],
            torch.vdot(v, v), torch.ger(v, v)]


@program()
def einsum(device):
    q, k, v = (numbers(device, 2, 3, 4, 5) for _ in range(3))
    return [torch.einsum("bhid,bhjd->bhij", q, k), torch.einsum("bhid,bhid->bh", q, v),
            torch.einsum("ij,jk", q[0, 0], k[0, 0].t()), torch.einsum("ii->i", q[0, 0, :, :4]),
            torch.einsum("...i,...i", q, k), torch.einsum("bhid->dihb", q),
            torch.einsum("i,j,k->ijk", q[0, 0, 0], k[0, 0, 0], v[0, 0, 0]),
            torch.einsum("bn,anm,bm->ba", q[0, 0], numbers(device, 3, 5, 5), k[0, 0])]


@program(1e-3)
def linear_algebra(device):
    a = numbers(device, 5, 5)
    spd = a @ a.t() + 5 * torch.eye(5, device=device)
    b = numbers(device, 5, 2)
    q, r = torch.linalg.qr(a)
    return [torch.linalg.inv(spd), torch.linalg.det(spd), torch.linalg.solve(spd, b),
            torch.linalg.cholesky(spd), (q @ r), (q.t() @ q), torch.linalg.matrix_power(a, 3),
            torch.linalg.solve_triangular(spd.triu(), b, upper=True),
            torch.linalg.cross(a[:, :3], b[:, :1] * a[:, :3] + 1), torch.linalg.slogdet(spd),
            torch.linalg.matrix_norm(a), torch.linalg.vecdot(a, a), torch.linalg.eigvalsh(spd),
            torch.linalg.lstsq(spd, b).solution, torch.cov(a), torch.corrcoef(a)]


@program(1e-3)
def singular_values(device):
    a = numbers(device, 5, 4)
    return [torch.linalg.svdvals(a), torch.linalg.pinv(a), torch.linalg.matrix_rank(a)]


@program(1e-3)
def distances(device):
    a, b = numbers(device, 5, 4), numbers(device, 6, 4)
    return [torch.cdist(a, b), torch.cdist(a, b, p=1)]


@program(1e-3)
def spectra(device):
    x = numbers(device, 3, 16)
    spectrum = torch.fft.rfft(x)
    return [torch.fft.fft(x), spectrum, torch.fft.irfft(spectrum), torch.fft.ifft(torch.fft.fft(x)),
            torch.fft.fft2(x), torch.fft.fftfreq(8, device=device), torch.fft.fftshift(x),
            torch.fft.rfft(x, norm="ortho"), torch.fft.fftn(x)]


@program(1e-3)
def short_time_spectra(device):
    x = numbers(device, 2, 64)
    window = torch.hann_window(16, dtype=torch.float32, device=device)
    spectrum = torch.stft(x, 16, 4, window=window, return_complex=True)
    return [spectrum, torch.view_as_real(spectrum).square().sum(-1),
            torch.istft(spectrum, 16, 4, window=window)]


@program()
def complex_numbers(device):
    a, b = (torch.complex(numbers(device, 4), numbers(device, 4)) for _ in range(2))
    # Not a.abs(): torch_npu 2.8.0 hands aclnnAbs a complex tensor for the result.
    return [a + b, a * b, a - 2, a * 1j, a.conj(), a.real, a.imag, a.angle(),
            torch.view_as_real(a), torch.view_as_complex(numbers(device, 3, 2)),
            torch.polar(a.real, a.angle()), a.sum(), a == b, (a * a.conj()).real,
            a.reshape(2, 2).t()]
