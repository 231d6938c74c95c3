# SPDX-License-Identifier: Apache-2.0
"""Programs of programs.py: small ones as people write them, each of a few training steps."""

import copy

import torch
from torch import nn
from torch.nn import functional

from program_table import integers, numbers, program
from training_programs import perceptron


def steps_of(model, optimizer, loss, count=4):
    losses = []
    for _ in range(count):
        optimizer.zero_grad()
        value = loss()
        value.backward()
        optimizer.step()
        losses.append(value.detach())
    return [losses, dict(model.state_dict())]


@program(1e-2)
def images_classified(device):
    model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 8, 3),
                          nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 16, 10))
    model.to(device)
    x, y = numbers(device, 8, 1, 14, 14), integers(device, 8)
    optimizer = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9)
    results = steps_of(model, optimizer, lambda: functional.cross_entropy(model(x), y))
    return [results, (model.eval()(x).argmax(1) == y).float().mean()]


@program(1e-2)
def autoencoder_with_noise(device):
    model = nn.ModuleDict({"in": nn.Linear(12, 8), "out": nn.Linear(4, 12)}).to(device)
    x, noise = numbers(device, 8, 12), numbers(device, 8, 4)

    def loss():
        mean, deviation = model["in"](x).tanh().chunk(2, -1)
        again = model["out"](mean + noise * (deviation / 2).exp())
        divergence = -0.5 * (1 + deviation - mean.square() - deviation.exp()).sum(1).mean()
        return functional.mse_loss(again, x) + 0.1 * divergence

    return steps_of(model, torch.optim.Adam(model.parameters(), 0.01), loss)


@program(1e-2)
def networks_against_each_other(device):
    maker, judge = perceptron(device), nn.Sequential(nn.Linear(3, 8), nn.LeakyReLU(0.2),
                                                     nn.Linear(8, 1)).to(device)
    makers, judges = (torch.optim.Adam(m.parameters(), 0.01) for m in (maker, judge))
    real, noise, losses = numbers(device, 12, 3), numbers(device, 12, 6), []
    ones, zeros = torch.ones(12, 1, device=device), torch.zeros(12, 1, device=device)
    verdict = functional.binary_cross_entropy_with_logits
    for _ in range(3):
        judges.zero_grad()
        first = verdict(judge(real), ones) + verdict(judge(maker(noise).detach()), zeros)
        first.backward()
        judges.step()
        makers.zero_grad()
        second = verdict(judge(maker(noise)), ones)
        second.backward()
        makers.step()
        losses += [first.detach(), second.detach()]
    return losses


@program(1e-2)
def graph_of_neighbours(device):
    edges = integers(device, 2, 30, high=10)
    x, y, model = numbers(device, 10, 6), integers(device, 10, high=3), perceptron(device)

    def loss():
        degree = torch.zeros(10, device=device).index_add_(0, edges[1], torch.ones(
            30, device=device)).clamp(min=1)
        mixed = torch.zeros(10, 6, device=device).index_add(0, edges[1], x[edges[0]])
        return functional.cross_entropy(model(mixed / degree[:, None]), y)

    return steps_of(model, torch.optim.AdamW(model.parameters(), 0.01), loss)


@program(1e-2)
def rewards_learnt(device):
    model = perceptron(device)
    old = copy.deepcopy(model)
    states, after = numbers(device, 12, 6), numbers(device, 12, 6)
    actions, rewards = integers(device, 12, 1, high=3), numbers(device, 12)

    def loss():
        now = model(states).gather(1, actions).squeeze(1)
        with torch.no_grad():
            goal = rewards + 0.9 * old(after).max(1).values
        return functional.smooth_l1_loss(now, goal)

    return steps_of(model, torch.optim.RMSprop(model.parameters(), 0.01), loss)


@program(1e-2)
def characters_predicted(device):
    model = nn.ModuleDict({"table": nn.Embedding(12, 16), "cell": nn.RNNCell(16, 16),
                           "head": nn.Linear(16, 12)}).to(device)
    text = integers(device, 4, 9, high=12)

    def loss():
        state = torch.zeros(4, 16, device=device)
        scores = []
        for place in range(8):
            state = model["cell"](model["table"](text[:, place]), state)
            scores.append(model["head"](state))
        return functional.cross_entropy(torch.stack(scores, 1).flatten(0, 1), text[:, 1:].flatten())

    return steps_of(model, torch.optim.Adam(model.parameters(), 0.01), loss)


@program(1e-2)
def adapters_of_low_rank(device):
    base, x = perceptron(device).requires_grad_(False), numbers(device, 12, 6)
    down = nn.Parameter(torch.randn(2, 6).to(device))
    up = nn.Parameter(torch.zeros(3, 2).to(device))
    groups, losses = [{"params": [down]}, {"params": [up], "lr": 0.1}], []
    optimizer = torch.optim.AdamW(groups, 0.01)
    for _ in range(4):
        optimizer.zero_grad(set_to_none=True)
        loss = (base(x) + x @ down.t() @ up.t() - 1).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return [losses, down, up, all(p.grad is None for p in base.parameters())]


class SmallUNet(nn.Module):
    """What noise is in an image, given how much: down, attention, up beside what came before."""

    def __init__(self):
        super().__init__()
        self.time = nn.Linear(8, 16)
        self.first, self.down = nn.Conv2d(1, 8, 3, padding=1), nn.Conv2d(8, 16, 3, 2, 1)
        self.norm = nn.GroupNorm(4, 16)
        self.up, self.last = nn.Conv2d(16, 8, 3, padding=1), nn.Conv2d(16, 1, 3, padding=1)

    def forward(self, x, times):
        angles = times[:, None] * torch.exp(-torch.arange(4, device=x.device))
        time = functional.silu(self.time(torch.cat([angles.sin(), angles.cos()], 1)))
        first = functional.silu(self.first(x))
        y = functional.silu(self.norm(self.down(first)) + time[:, :, None, None])
        rows = y.flatten(2).transpose(1, 2)
        y = y + functional.scaled_dot_product_attention(rows, rows, rows).mT.reshape(y.shape)
        y = self.up(functional.interpolate(y, scale_factor=2))
        return self.last(torch.cat([y, first], 1))


@program(1e-2)
def images_from_noise(device):
    model = SmallUNet().to(device)
    kept = torch.cumprod(1 - torch.linspace(0.01, 0.3, 10, device=device), 0)
    images, noise = numbers(device, 4, 1, 8, 8), numbers(device, 4, 1, 8, 8)
    steps = integers(device, 4)

    def loss():
        share = kept[steps][:, None, None, None]
        mixed = share.sqrt() * images + (1 - share).sqrt() * noise
        return functional.mse_loss(model(mixed, steps.float()), noise)

    results = steps_of(model, torch.optim.AdamW(model.parameters(), 0.01), loss)
    with torch.no_grad():
        x = noise
        for step in reversed(range(1, 10)):
            found = model(x, torch.full((4,), float(step), device=device))
            clean = ((x - (1 - kept[step]).sqrt() * found) / kept[step].sqrt()).clamp(-1, 1)
            x = kept[step - 1].sqrt() * clean + (1 - kept[step - 1]).sqrt() * found
    return [results, x]
