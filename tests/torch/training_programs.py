# SPDX-License-Identifier: Apache-2.0
"""Programs of programs.py: derivatives, optimisers, mixed precision, data, storage, randomness,
streams, compilation."""

import copy
import io

import torch
from torch import nn
from torch.nn import functional

from program_table import PROGRAMS, integers, numbers, program, with_gradients

# name -> optimiser of parameters
OPTIMISERS = {
    "SGD": lambda p: torch.optim.SGD(p, 0.05),
    "SGD with momentum": lambda p: torch.optim.SGD(p, 0.05, momentum=0.9, nesterov=True,
                                                   weight_decay=1e-2),
    "SGD, one by one": lambda p: torch.optim.SGD(p, 0.05, momentum=0.9, foreach=False),
    "Adam": lambda p: torch.optim.Adam(p, 0.01, weight_decay=1e-2),
    "Adam, many at once": lambda p: torch.optim.Adam(p, 0.01, foreach=True),
    "AMSGrad": lambda p: torch.optim.Adam(p, 0.01, amsgrad=True),
    "AdamW": lambda p: torch.optim.AdamW(p, 0.01),
    "AdamW, one by one": lambda p: torch.optim.AdamW(p, 0.01, foreach=False),
    "AdamW, fused": lambda p: torch.optim.AdamW(p, 0.01, fused=next(iter(p)).is_cpu is False),
    "Adamax": lambda p: torch.optim.Adamax(p, 0.01),
    "NAdam": lambda p: torch.optim.NAdam(p, 0.01),
    "RAdam": lambda p: torch.optim.RAdam(p, 0.01),
    "Adagrad": lambda p: torch.optim.Adagrad(p, 0.05),
    "Adadelta": lambda p: torch.optim.Adadelta(p, 1.0),
    "Adafactor": lambda p: torch.optim.Adafactor(p, 0.05),
    "RMSprop": lambda p: torch.optim.RMSprop(p, 0.01, momentum=0.5, centered=True),
    "Rprop": lambda p: torch.optim.Rprop(p, 0.01),
    "ASGD": lambda p: torch.optim.ASGD(p, 0.05),
    "LBFGS": lambda p: torch.optim.LBFGS(p, 0.5, max_iter=4, line_search_fn="strong_wolfe"),
}


def perceptron(device):
    return nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 3)).to(device)


def trained(device, model, make, steps=6, change=lambda step, optimizer: None):
    """Losses and state of a few steps towards fixed targets."""
    optimizer = make(list(model.parameters()))
    x, y = numbers(device, 12, 6), integers(device, 12, high=3)
    losses = []

    def closure():
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(x), y)
        loss.backward()
        return loss

    for step in range(steps):
        losses.append(optimizer.step(closure).detach())
        change(step, optimizer)
    return [losses, dict(model.state_dict())]


for _name, _make in OPTIMISERS.items():
    PROGRAMS["optimiser: " + _name] = (
        lambda device, make=_make: trained(device, perceptron(device), make)), 1e-3


@program(1e-3)
def sparse_gradients(device):
    table = nn.Embedding(10, 4, sparse=True).to(device)
    optimizer = torch.optim.SparseAdam(table.parameters(), 0.05)
    for _ in range(3):
        optimizer.zero_grad()
        table(torch.tensor([1, 3, 3], device=device)).square().sum().backward()
        optimizer.step()
    return table.weight


@program(1e-3)
def rates_that_change(device):
    results = []
    for make in (lambda o: torch.optim.lr_scheduler.StepLR(o, 2, 0.5),
                 lambda o: torch.optim.lr_scheduler.CosineAnnealingLR(o, 6),
                 lambda o: torch.optim.lr_scheduler.OneCycleLR(o, 0.1, total_steps=8)):
        made = []

        def change(step, optimizer):
            made or made.append(make(optimizer))
            made[0].step()

        results.append(trained(device, perceptron(device),
                               lambda p: torch.optim.SGD(p, 0.05, momentum=0.9), change=change))
    return results


@program(1e-3)
def clipping_of_gradients(device):
    model = perceptron(device)
    (model(numbers(device, 12, 6)) * 50).square().mean().backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    one_by_one = nn.utils.clip_grad_norm_(model.parameters(), 0.5, foreach=False)
    nn.utils.clip_grad_value_(model.parameters(), 0.05)
    return [norm, one_by_one, [p.grad for p in model.parameters()]]


@program(1e-3)
def accumulated_gradients(device):
    model, results = perceptron(device), []
    optimizer = torch.optim.AdamW(model.parameters(), 0.01)
    for step in range(4):
        loss = model(numbers(device, 5, 6)).square().mean() / 2
        loss.backward()
        results.append(loss.item())
        if step % 2:
            optimizer.step()
            optimizer.zero_grad(set_to_none=step == 1)
    return [results, dict(model.state_dict())]


@program(1e-3)
def averaged_weights(device):
    model = perceptron(device)
    average = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9))
    trained(device, model, lambda p: torch.optim.SGD(p, 0.1),
            change=lambda step, optimizer: average.update_parameters(model))
    return dict(average.state_dict())


@program(1e-3)
def optimiser_saved_and_loaded(device):
    def train(model, optimizer):
        for _ in range(2):
            optimizer.zero_grad()
            model(x).square().mean().backward()
            optimizer.step()

    x, model = numbers(device, 12, 6), perceptron(device)
    optimizer = torch.optim.AdamW(model.parameters(), 0.01)
    train(model, optimizer)
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()},
               file := io.BytesIO())
    file.seek(0)
    saved = torch.load(file, map_location=device)
    again = perceptron(device)
    again.load_state_dict(saved["model"])
    other = torch.optim.AdamW(again.parameters(), 0.5)
    other.load_state_dict(saved["optimizer"])
    train(model, optimizer)
    train(again, other)
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), again.parameters()))
    return dict(again.state_dict())


@program()
def saved_tensors(device):
    x, n = numbers(device, 3, 4), integers(device, 3)
    whole = {"x": x, "view": x.t(), "n": n, "half": x.half(), "empty": x[:0]}
    torch.save(whole, file := io.BytesIO())
    file.seek(0)
    there = torch.load(file)
    assert all(t.device.type == device.type for t in there.values())
    file.seek(0)
    here = torch.load(file, map_location="cpu", weights_only=True)
    assert all(t.device.type == "cpu" for t in here.values())
    return [there, here, copy.deepcopy(whole), torch.nn.Parameter(x).data]


@program()
def derivatives(device):
    x = numbers(device, 4, 5).requires_grad_()
    y = (x.exp() * x).sum()
    first, = torch.autograd.grad(y, x, create_graph=True)
    second, = torch.autograd.grad(first.square().sum(), x)
    with torch.no_grad():
        plain = x * 2
    (x * x.detach()).sum().backward(retain_graph=False)
    x.grad.zero_()
    (x[1:, ::2].sum() + x.max()).backward()
    return [y, first, second, x.grad, plain.requires_grad, torch.autograd.functional.jacobian(
        lambda t: t.cumsum(0), x[:, 0].detach()), torch.autograd.functional.hessian(
            lambda t: t.pow(3).sum(), x[0].detach())]


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3

    @staticmethod
    def backward(ctx, gradient):
        x, = ctx.saved_tensors
        return 3 * x * x * gradient


@program()
def functions_with_own_derivatives(device):
    return with_gradients(Cube.apply, numbers(device, 5))


@program()
def hooks(device):
    model, seen = perceptron(device), []
    model[0].register_forward_hook(lambda m, args, out: seen.append(out.detach().mean()))
    model[0].register_forward_pre_hook(lambda m, args: (args[0] * 2,))
    model[2].register_full_backward_hook(lambda m, grads, outs: seen.append(outs[0].sum()))
    model[2].weight.register_hook(lambda g: g * 3)
    model[0].weight.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.norm()))
    model(numbers(device, 4, 6)).square().sum().backward()
    return [seen, [p.grad for p in model.parameters()]]


@program()
def checkpointing(device):
    results = []
    for reentrant in (False, True):
        model, x = perceptron(device), numbers(device, 4, 6).requires_grad_()
        y = torch.utils.checkpoint.checkpoint(model, x, use_reentrant=reentrant)
        y.square().sum().backward()
        results += [y, x.grad, [p.grad for p in model.parameters()]]
    return results


@program()
def functions_of_functions(device):
    model, x = perceptron(device), numbers(device, 4, 6)
    weights = dict(model.named_parameters())

    def loss(weights, row):
        return torch.func.functional_call(model, weights, (row,)).square().sum()

    each = torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0))(weights, x)
    return [each, torch.func.jacrev(lambda t: t.sin() * t.sum())(x[0]),
            torch.func.jvp(lambda t: t.exp(), (x,), (x,)),
            torch.func.vmap(lambda a, b: a @ b)(x, x), torch.func.hessian(
                lambda t: t.pow(3).sum())(x[0])]


@program()
def anomalies(device):
    x = torch.zeros(3, device=device, requires_grad=True)
    try:
        with torch.autograd.detect_anomaly(check_nan=True):
            (x.sqrt() * 0).sum().backward()
    except RuntimeError as error:
        return "nan values" in str(error)
    return False


@program(2e-2)
def autocast(device):
    model, x = perceptron(device), numbers(device, 12, 6)
    layer = nn.Conv2d(3, 4, 3).to(device)
    results = []
    for dtype in (torch.bfloat16, torch.float16):
        with torch.autocast(device.type, dtype):
            y = model(x)
            square = y @ y.t()
            image = layer(numbers(device, 2, 3, 8, 8))
            loss = functional.mse_loss(y.float(), torch.zeros_like(y, dtype=torch.float32))
            with torch.autocast(device.type, enabled=False):
                plain = model(x)
        loss.backward()
        results += [y, square, image, loss, plain, [p.grad for p in model.parameters()]]
    return results


@program(1e-3)
def scaler_of_gradients(device):
    model = perceptron(device)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    scaler = torch.amp.GradScaler(device.type, init_scale=1024.0, growth_interval=2)
    scales = []
    for step in range(6):
        optimizer.zero_grad()
        loss = model(numbers(device, 12, 6)).square().mean()
        # The third step overflows: weights stay, the scale is halved.
        scaler.scale(loss * (1e38 if step == 2 else 1)).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        scales.append(scaler.get_scale())
    return [scales, dict(model.state_dict()), scaler.state_dict()]


@program(1e-3)
def data_loaders(device):
    x, y = torch.randn(20, 6), torch.randint(0, 3, (20,))
    data = torch.utils.data.TensorDataset(x, y)
    model, losses = perceptron(device), []
    for workers, pinned in ((0, False), (2, device.type == "npu")):
        order = torch.utils.data.RandomSampler(data, generator=torch.Generator().manual_seed(5))
        for rows, labels in torch.utils.data.DataLoader(
                data, batch_size=8, sampler=order, num_workers=workers, pin_memory=pinned,
                pin_memory_device="npu" if pinned else ""):
            rows, labels = rows.to(device, non_blocking=True), labels.to(device)
            losses.append(functional.cross_entropy(model(rows), labels).item())
    return losses


def reproducible(device, draw):
    """That a seed repeats what it draws, and another does not; the drawn numbers."""
    def drawn(seed):
        torch.manual_seed(seed)
        return draw()

    first, again, other = drawn(1), drawn(1), drawn(2)
    return first, bool(torch.equal(first, again)) and not bool(torch.equal(first, other))


@program()
def random_numbers_repeat(device):
    on = {"device": device}
    generator = torch.Generator(device=device)
    model = nn.Dropout(0.3)
    draws = {
        "rand": lambda: torch.rand(50, **on), "randn": lambda: torch.randn(50, **on),
        "randint": lambda: torch.randint(0, 1000, (50,), **on),
        "randperm": lambda: torch.randperm(50, **on),
        "normal": lambda: torch.empty(50, **on).normal_(2, 3),
        "uniform": lambda: torch.empty(50, **on).uniform_(-1, 1),
        "exponential": lambda: torch.empty(50, **on).exponential_(),
        "bernoulli": lambda: torch.bernoulli(torch.full((50,), 0.5, **on)),
        "multinomial": lambda: torch.multinomial(torch.ones(50, **on), 20),
        "dropout": lambda: model(torch.ones(50, **on)),
        "like": lambda: torch.randn_like(torch.ones(50, dtype=torch.float16, **on)),
        "generator": lambda: torch.rand(50, generator=generator.manual_seed(torch.initial_seed()),
                                        **on)}
    results = {}
    for name, draw in draws.items():
        values, repeats = reproducible(device, draw)
        results[name] = [repeats, values.dtype, values.shape]
    return results


@program()
def random_numbers_are_distributed(device):
    n, on = 100_000, {"device": device}
    torch.manual_seed(7)
    facts = {"uniform": (torch.rand(n, **on), 0.5, 12 ** -0.5),
             "normal": (torch.randn(n, **on), 0.0, 1.0),
             "exponential": (torch.empty(n, **on).exponential_(2), 0.5, 0.5),
             "bernoulli": (torch.empty(n, **on).bernoulli_(0.25), 0.25, 0.1875 ** 0.5),
             "integers": (torch.randint(0, 10, (n,), **on).float(), 4.5, 8.25 ** 0.5),
             "dropout": (functional.dropout(torch.ones(n, **on), 0.2), 1.0, 0.5)}
    results = {}
    for name, (values, mean, deviation) in facts.items():
        error = abs(values.mean().item() - mean) / deviation * n ** 0.5
        results[name] = [error < 4, abs(values.std().item() / deviation - 1) < 0.02]
    weights = torch.tensor([1., 0., 3.], **on)
    counts = torch.multinomial(weights, n, replacement=True).bincount(minlength=3)
    return [results, counts[1].item(), abs(counts[2].item() / n - 0.75) < 0.01,
            torch.randperm(1000, **on).sort().values]


@program()
def states_of_random_numbers(device):
    module = torch.get_device_module(device)
    before = module.get_rng_state() if device.type == "npu" else torch.get_rng_state()
    first = torch.rand(4, device=device)
    (module if device.type == "npu" else torch).set_rng_state(before)
    with torch.random.fork_rng(devices=[0] if device.type == "npu" else [],
                               device_type=device.type if device.type == "npu" else "cuda"):
        inner = torch.rand(4, device=device)
    again = torch.rand(4, device=device)
    return [torch.equal(first, again), torch.equal(inner, again)]


@program(1e-3)
def compiled(device):
    @torch.compile(backend="eager")
    def step(x, y):
        return torch.where(x > 0, x @ y, x - y).relu().sum()

    model = torch.compile(perceptron(device), backend="aot_eager")
    x, y = numbers(device, 4, 4), numbers(device, 4, 4)
    return [step(x, y), with_gradients(lambda t: model(t), numbers(device, 3, 6))]


@program()
def traced_and_scripted(device):
    model, x = perceptron(device), numbers(device, 4, 6)
    traced = torch.jit.trace(model, x)
    scripted = torch.jit.script(model)
    graph = torch.fx.symbolic_trace(model)
    exported = torch.export.export(model, (x,)).module()
    return [traced(x), scripted(x), graph(x), exported(x)]


@program()
def streams_and_events(device):
    x = numbers(device, 64, 64)
    if device.type == "cpu":
        return [x @ x, (x @ x) @ x]
    npu = torch.npu
    first, second = npu.Stream(), npu.Stream()
    event = npu.Event(enable_timing=True)
    first.wait_stream(npu.current_stream())
    with npu.stream(first):
        square = x @ x
        event.record()
    with npu.stream(second):
        second.wait_event(event)
        cube = square @ x
    npu.current_stream().wait_stream(second)
    return [square, cube]


@program()
def profiled_and_timed(device):
    x = numbers(device, 8, 8)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        y = x @ x
        y.sum().item()
    return [y, any("matmul" in event.key for event in profile.key_averages())]


@program(1e-3)
def parts_of_models(device):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.parts = nn.ModuleList([nn.Linear(6, 6) for _ in range(2)])
            self.scales = nn.ParameterDict({"a": nn.Parameter(torch.ones(6))})
            self.register_buffer("shift", torch.arange(6.))

        def forward(self, x):
            for part in self.parts:
                x = part(x).tanh() * self.scales["a"]
            return x + self.shift

    net = Net().to(device)
    nn.init.constant_(net.parts[0].bias, 0.1)
    nn.init.eye_(net.parts[1].weight)
    net.parts[0].requires_grad_(False)
    x = numbers(device, 4, 6)
    whole = net(x)
    return [whole, net.half()(x.half()), net.float().bfloat16()(x.bfloat16()), net.float().cpu()(
        x.cpu()), sum(p.numel() for p in net.parameters()), list(net.state_dict()),
        nn.utils.parameters_to_vector(net.to(device).parameters())]
