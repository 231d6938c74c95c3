# SPDX-License-Identifier: Apache-2.0
"""Judges pairs of operator and type for operator_database.py.

usage: database_worker.py list
       database_worker.py SAMPLES ERRORS   pairs as lines of JSON in stdin, verdicts in stdout; ERRORS
                                           is the file behind stderr
"""

import ctypes
import json
import os
import re
import signal
import sys
import warnings

ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
output = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
warnings.filterwarnings("ignore")

import torch  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402
from torch.utils._pytree import tree_flatten, tree_map, tree_unflatten  # noqa: E402

DTYPES = (torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.int32,
          torch.int16, torch.int8, torch.uint8, torch.bool, torch.complex64, torch.complex128)
RANDOM = re.compile(r"rand|dropout|bernoulli|multinomial|normal$|uniform|exponential|geometric|"
                    r"cauchy|^empty|new_empty|rrelu|log_normal|fractional_max_pool")
# What says that the device, and not the result, is the reason.
REFUSED = re.compile(r"not offered|not implemented|unsupported|is not in libopapi|"
                     r"16100[12]|100024|561\d\d\d|Could not run|not currently|ERR0\d\d\d\d", re.I)
# torch_npu's own ways, before it calls anyacl.
CLIENT = re.compile(r"unspecified dimension size -1 can be any value|"
                    r"tensor_split expected tensor_indices_or_sections to be on cpu|"
                    r"DispatchStub: missing kernel for npu|"
                    r"The function 'stft' is not differentiable with respect to argument 'window'")
# Whose statistics torch_npu returns in fp32 for 16-bit inputs.
WIDE_STATISTICS = ("native_layer_norm", "native_batch_norm", "_native_batch_norm_legit")
# Whose result torch_npu makes of the gradient's type, where PyTorch has float32 for integers.
CLIENT_DTYPES = ("native_dropout_backward",)
# Norms of complex numbers but those of p = 0, 1, 2, 3: torch_npu makes a complex result, of the real
# parts alone.
CLIENT_COMPLEX = re.compile(r"norm|^dist$|pairwise_distance")
# torch_npu 2.8.0 folds the gradient of [m, k] @ [b, k, n] without the permutation that later ones
# have; whoever calls the same operators gets the same.
CLIENT_GRADIENTS = ("matmul", "__rmatmul__")
# Results that the operator's document defines otherwise than PyTorch: places of maxima are a mask or
# INT32, which only the operators' own gradients read.
DOCUMENTED = {"nn.functional.max_pool1d": 1, "nn.functional.max_pool2d": 1,
              "nn.functional.max_pool3d": 1, "nn.functional.adaptive_max_pool3d": 1}
# aclnnGelu is the approximation by tanh, whatever `approximate` says.
TOLERANCES = {"nn.functional.gelu": 2e-3}
# U, S and V or its adjoint, of which the vectors are one choice of several.
SINGULAR_VALUES = {"svd": False, "svd_lowrank": False, "pca_lowrank": False, "linalg.svd": True}
FALLBACK = re.compile(rb"fall ?back to run on the CPU", re.I)
MISSING = re.compile(r'single operator "(\w+)" is not offered|aclnn(\w+) is not offered|'
                     r'(aclnn\w+?)(?:GetWorkspaceSize)?[^\w]+not in libopapi')


def name_of(op):
    return op.name + ("." + op.variant_test_name if op.variant_test_name else "")


class Transport:
    """Tensors to and from the device, storage by storage, so that strides, offsets, aliases and
    the bits of views arrive."""

    def __init__(self):
        self.storages = {}

    def to_device(self, t):
        if not isinstance(t, torch.Tensor) or t.layout != torch.strided:
            return t
        storage = t.untyped_storage()
        key = (storage.data_ptr(), t.dtype)
        if key not in self.storages:
            flat = torch.empty(0, dtype=t.dtype).set_(storage)
            self.storages[key] = flat.npu() if flat.numel() else flat.to("npu")
        plain = torch.as_strided(self.storages[key], t.shape, t.stride(), t.storage_offset())
        if t.is_conj():
            plain = plain.conj()
        if t.is_neg():
            plain = torch._neg_view(plain)
        return plain.detach().requires_grad_(t.requires_grad)


def to_host(t):
    if not isinstance(t, torch.Tensor) or t.device.type != "npu":
        return t
    t = t.detach()
    elements = t.untyped_storage().nbytes() // t.element_size()
    conj, neg = t.is_conj(), t.is_neg()
    plain = torch._neg_view(t) if neg else t
    plain = plain.conj() if conj else plain
    flat = torch.as_strided(plain, (elements,), (1,), 0).cpu()
    host = torch.as_strided(flat, t.shape, t.stride(), t.storage_offset())
    host = host.conj() if conj else host
    return torch._neg_view(host) if neg else host


class Wrong(Exception):
    pass


def wide(t):
    if isinstance(t, torch.dtype):  # of what an operator makes: linspace's steps are rounded to it
        return {torch.float16: torch.float64, torch.bfloat16: torch.float64}.get(t, t)
    if not isinstance(t, torch.Tensor):
        return t
    if t.dtype in (torch.float32, torch.float16, torch.bfloat16):
        return t.detach().double().requires_grad_(t.requires_grad)
    if t.dtype == torch.complex64:
        return t.detach().to(torch.complex128).requires_grad_(t.requires_grad)
    return t


def compare(name, what, actual, expected, exact):
    """Raises Wrong unless the leaves agree: within the tolerance of their type, or as near to the
    result of double precision as the CPU's own result is, fourfold."""
    actual, _ = tree_flatten(tree_map(to_host, actual))
    expected, _ = tree_flatten(expected)
    if len(actual) != len(expected):
        raise Wrong(f"{what}: {len(actual)} results, expected {len(expected)}")
    for i, (a, e) in enumerate(zip(actual, expected)):
        if not isinstance(e, torch.Tensor) or \
                (what == "result" and i == DOCUMENTED.get(name)):
            continue
        if a is None:
            raise NotImplementedError(f"{what}[{i}]: torch_npu gives none")
        if i > 0 and name in WIDE_STATISTICS:  # without elements, without their dimensions too
            a = a.to(e.dtype) if e.numel() else e
        if e.dtype == torch.float64 and a.dtype == torch.float32:  # torch_npu knows no double
            e = e.float()
        try:
            torch.testing.assert_close(a, e, equal_nan=True, check_device=False,
                                       check_stride=False, atol=TOLERANCES.get(name),
                                       rtol=TOLERANCES.get(name))
        except AssertionError as error:
            message = " ".join(str(error).split())[:300]
            floating = e.dtype.is_floating_point or e.dtype.is_complex
            try:
                right = tree_flatten(exact())[0][i]
            except Exception:
                floating = False
            if a.shape != e.shape or a.dtype != e.dtype or not floating:
                raise Wrong(f"{what}[{i}]: {message}") from None
            near = 4 * (e.to(right.dtype) - right).abs()
            unit = {torch.float16: 2e-3, torch.bfloat16: 2e-2}.get(e.dtype, 2e-6)
            finite = right.abs()[torch.isfinite(right)]
            largest = finite.amax() if finite.numel() else 0
            # Errors of a Fourier transform are those of its largest number: torch_npu multiplies.
            if not name.startswith("fft.") and finite.numel():
                largest = largest.clamp(max=1)
            bound = torch.nan_to_num(near, nan=0.0).amax() + unit * (right.abs() + largest)
            off = (a.to(right.dtype) - right).abs()
            same = (a == e) | ((a != a) & (e != e))
            if not bool((same | (off <= bound)).all()):
                raise Wrong(f"{what}[{i}]: {message}") from None


def gradients(function, sample, leaves):
    """The results, and their gradients for tensors of ones scaled by position."""
    results = function(sample)
    flat = [r for r in tree_flatten(results)[0]
            if isinstance(r, torch.Tensor) and r.requires_grad]
    if not flat:
        return results, []
    seeds = [torch.linspace(0.5, 1.5, max(r.numel(), 1), dtype=torch.float64)[:r.numel()]
             .reshape(r.shape).to(r.dtype).to(r.device) for r in flat]
    return results, torch.autograd.grad(flat, leaves, seeds, allow_unused=True)


def tensors_in(sample):
    return tree_flatten((sample.input, sample.args, sample.kwargs))


def copied(sample, change):
    leaves, spec = tensors_in(sample)
    return tree_unflatten([change(leaf) for leaf in leaves], spec)


def call(function, parts):
    first, args, kwargs = parts
    return function(first, *args, **kwargs)


def on_device(parts):
    """A device named among the arguments becomes the NPU."""
    first, args, kwargs = parts
    if "device" in kwargs:
        kwargs = dict(kwargs, device="npu")
    return first, args, kwargs


# Of equal elements PyTorch promises none here; the place of `dim` among the arguments, and whether
# indices of a row are all different.
ANY_OF_EQUALS = {"sort": (0, True), "argsort": (0, True), "topk": (1, True),
                 "kthvalue": (1, False), "median": (0, False), "nanmedian": (0, False),
                 "mode": (0, False)}


def settle_ties(op, sample, actual, expected):
    """Of equal elements any may come first where no stable order is asked for: indices that lead to
    the same values count as the CPU's."""
    if op.name not in ANY_OF_EQUALS or sample.kwargs.get("stable"):
        return actual
    place, distinct = ANY_OF_EQUALS[op.name]
    dim = sample.args[place] if len(sample.args) > place else sample.kwargs.get("dim", -1)
    *values, indices = tree_map(to_host, tree_flatten(actual)[0])
    right = tree_flatten(expected)[0][-1]
    if indices.shape != right.shape or indices.dtype != right.dtype or sample.input.dim() == 0 or \
            indices.dtype != torch.int64:
        return actual
    size = sample.input.shape[dim]
    if not bool(((indices >= 0) & (indices < size)).all()):
        return actual
    if indices.dim() < sample.input.dim():  # of a reduction that keeps no dimension
        mine, theirs = (sample.input.gather(dim, i.unsqueeze(dim)) for i in (indices, right))
    else:
        mine, theirs = (sample.input.gather(dim, i) for i in (indices, right))
    once = not distinct or indices.sort(dim).values.diff(dim=dim).ne(0).all()
    if once and torch.allclose(mine.double(), theirs.double(), 0, 0, equal_nan=True):
        return (*values, right) if values else right
    return actual


def of_any_vectors(function, adjoint):
    """A decomposition by singular values as what any choice of vectors makes of it."""
    def run(*args, **kwargs):
        results = function(*args, **kwargs)
        if not isinstance(results, tuple):
            return results
        u, s, v = results
        v = v.mH if adjoint else v
        rank = s.shape[-1]
        product = u[..., :rank] * s.unsqueeze(-2) @ v[..., :rank].mH
        # What is orthonormal stays so for any choice, and has no gradient by that.
        u, v = u.detach(), v.detach()
        return s, product, u.mH @ u, v.mH @ v
    return run


def refused_by_client(op, sample):
    """What torch_npu 2.8.0 itself makes of this call, or None."""
    if isinstance(sample.kwargs.get("correction"), float):
        return "corrections are cut down to integers"
    if op.name == "ones_like" and "device" in sample.kwargs and "dtype" not in sample.kwargs:
        return "makes FLOAT where a device and no type is given"
    if op.name == "searchsorted" and sample.kwargs.get("side") == "right":
        return "passes `right` on, and not `side`"  # op_plugin_functions.yaml
    # copy_d2h_baseformat_opapi fills a copy that has the target's strides as if it were contiguous.
    if op.name == "to" and "cpu" in sample.args and \
            sample.kwargs.get("memory_format") == torch.channels_last:
        return "copies to tensors of the host that are channels_last are permuted"
    return None


def is_random(op, sample):
    if RANDOM.search(op.name):
        return True
    if op.name == "svd_lowrank":  # of more than the rank it is random
        return sample.kwargs.get("M") is not None
    if op.name == "nn.functional.multi_head_attention_forward":  # whose samples drop in training
        return sample.kwargs["training"]
    attention = op.name == "nn.functional.scaled_dot_product_attention"
    return attention and sample.kwargs["dropout_p"] > 0


def judge_sample(op, sample, dtype):
    """Compares one sample; returns False when the CPU can't run it."""
    function = op.get_op()
    if op.name in SINGULAR_VALUES:
        function = of_any_vectors(function, SINGULAR_VALUES[op.name])
    random = is_random(op, sample)
    differentiates = op.supports_autograd and dtype == torch.float32 and not random
    leaf = lambda t: isinstance(t, torch.Tensor)  # noqa: E731

    def prepared(change, grad):
        return copied(sample, lambda t: change(
            t.detach().requires_grad_(grad and (t.is_floating_point() or t.is_complex())))
            if leaf(t) else wide(t) if change is wide else t)

    def run(parts, grad):
        leaves = [t for t in tree_flatten(parts)[0] if leaf(t) and t.requires_grad]
        if not grad or not leaves:
            return call(function, parts), []
        return gradients(lambda p: call(function, p), parts, leaves)

    try:
        expected, expected_grads = run(prepared(lambda t: t, differentiates), differentiates)
        expected = tree_map(lambda t: t.detach().clone() if leaf(t) else t, expected)
    except Exception:
        return False
    # The third time torch_npu repeats calls that it knows, on other memory.
    runs = []
    for _ in range(3):
        torch.manual_seed(1)
        runs.append(run(on_device(prepared(Transport().to_device, differentiates)),
                        differentiates))
        torch.npu.synchronize()
    actual, actual_grads = runs[-1]
    if random:
        shapes = lambda tree: [(t.shape, t.dtype) for t in tree_flatten(tree)[0] if leaf(t)]  # noqa: E731
        if shapes(actual) != shapes(expected) and not (
                op.name in CLIENT_DTYPES and not dtype.is_floating_point):
            raise Wrong(f"result: {shapes(actual)}, expected {shapes(expected)}")
        return True
    exact = lambda: run(prepared(wide, differentiates), differentiates)  # noqa: E731
    actual = settle_ties(op, sample, actual, expected)
    compare(op.name, "result", actual, expected, lambda: exact()[0])
    compare(op.name, "gradient", actual_grads, expected_grads, lambda: exact()[1])

    inplace = op.get_inplace()
    # PyTorch's CPU itself does not survive mvlgamma_ of integers.
    if inplace is None or not leaf(expected) or expected.dtype != dtype:
        return True

    def run_inplace(change):
        first, args, kwargs = prepared(change, False)
        if first.device.type == "npu":
            first, args, kwargs = on_device((first, args, kwargs))
        return inplace(first, *args, **kwargs)

    try:
        expected = run_inplace(lambda t: t.clone())
    except Exception:
        return True
    actual = run_inplace(lambda t: Transport().to_device(t.clone()))
    compare(op.name, "in place", actual, expected, lambda: run_inplace(lambda t: wide(t.clone())))
    return True


def spread(samples, limit):
    """So many of them, from all over the list; those of a lower limit are among them."""
    chosen, part = {0: samples[0]}, 1
    while len(chosen) < limit:
        part *= 2
        for i in range(1, part, 2):
            place = i * len(samples) // part
            if len(chosen) < limit:
                chosen.setdefault(place, samples[place])
    return [chosen[place] for place in sorted(chosen)]


def judge(op, dtype, limit):
    try:
        samples = list(op.sample_inputs("cpu", dtype, requires_grad=False))
    except Exception as error:
        return {"outcome": "skipped", "why": f"samples: {error}"[:200]}
    if limit and len(samples) > limit:
        samples = spread(samples, limit)
    right, refusals, missing = 0, [], []
    for sample in samples:
        torch.manual_seed(1)
        reason = refused_by_client(op, sample)
        if reason:
            refusals.append("torch_npu: " + reason)
            continue
        try:
            right += judge_sample(op, sample, dtype)
        except Wrong as error:
            if (op.name in CLIENT_GRADIENTS and str(error).startswith("gradient")) or (
                    dtype.is_complex and CLIENT_COMPLEX.search(op.name)
                    and "'dtype' do not match" in str(error)):
                refusals.append(f"torch_npu: {error}"[:400])
                continue
            shapes = [tuple(t.shape) if isinstance(t, torch.Tensor) else t
                      for t in tensors_in(sample)[0]]
            return {"outcome": "failed", "why": f"{error}; sample {shapes}"[:700],
                    "missing": missing}
        except Exception as error:
            text = str(error)
            missing += [next(filter(None, m)) for m in MISSING.findall(text)]
            if CLIENT.search(text):
                refusals.append("torch_npu: " + text[:200])
                continue
            if not REFUSED.search(text) and not isinstance(error, NotImplementedError):
                return {"outcome": "failed", "missing": missing,
                        "why": f"{type(error).__name__}: {' '.join(text.split())[:500]}"}
            refusals.append(" ".join(text.split())[:400])
    if refusals:
        return {"outcome": "partial" if right else "refused", "why": refusals[0],
                "missing": missing}
    return {"outcome": "passed" if right else "skipped"}


def main():
    operators = {name_of(op): op for op in op_db}
    if sys.argv[1] == "list":
        pairs = [[name, str(dtype).split(".")[1]] for name, op in operators.items()
                 for dtype in DTYPES if dtype in op.supported_dtypes("cpu")]
        print(json.dumps(pairs), file=output, flush=True)
        os._exit(0)
    import torch_npu  # noqa: F401
    with open(sys.argv[2], "rb") as errors:
        for line in sys.stdin:
            name, dtype = json.loads(line)
            torch.manual_seed(0)
            record = judge(operators[name], getattr(torch, dtype), int(sys.argv[1]))
            sys.stderr.flush()
            if record["outcome"] == "passed" and FALLBACK.search(errors.read()):
                record["outcome"] = "fallback"
            errors.seek(0, os.SEEK_END)
            print(json.dumps(dict(name=name, dtype=dtype, **record)), file=output, flush=True)
    os._exit(0)


main()
