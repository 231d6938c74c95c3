#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains a small model for many steps: neither the memory that the process holds nor that of the
device may grow.

usage: memory_test.py [STEPS]   (default 10000)

The first quarter of the steps fills caches and pools. After it the resident memory may be larger by
1 MiB and 32 bytes a step: an allocation that is forgotten once a step would be more. A step is what
programs do: dropout, attention, a selection whose size only the device knows, gradients, clipping,
AdamW, mixed precision with a GradScaler, a copy to the host, an event, a refused call.
"""

import os
import sys

import torch
import torch_npu  # noqa: F401

DEVICE = torch.device("npu")


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(32, 16)
        self.attend = torch.nn.Linear(16, 48)
        self.norm = torch.nn.LayerNorm(16)
        self.head = torch.nn.Linear(16, 32)

    def forward(self, tokens):
        x = torch.nn.functional.dropout(self.table(tokens), 0.1)
        q, k, v = self.attend(self.norm(x)).unflatten(-1, (3, 1, 16)).permute(2, 0, 3, 1, 4)
        x = x + torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)[:, 0]
        return self.head(x)


def step(model, optimizer, scaler, tokens):
    optimizer.zero_grad()
    with torch.autocast("npu", torch.float16):
        scores = model(tokens[:, :-1])
    goals = tokens[:, 1:]
    wanted = goals > 2
    loss = torch.nn.functional.cross_entropy(scores[wanted].float(), goals[wanted])
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    event = torch.npu.Event()
    event.record()
    event.synchronize()
    return loss.item()


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    torch.manual_seed(0)
    model = Model().to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3)
    scaler = torch.amp.GradScaler("npu", init_scale=256.0)
    tokens = torch.randint(0, 32, (4, 9)).to(DEVICE)
    first = held = device = loss = None
    for number in range(steps):
        loss = step(model, optimizer, scaler, tokens)
        first = first or loss
        if number % 100 == 50:
            try:
                torch.ones(2, 3, device=DEVICE) @ torch.ones(2, 3, device=DEVICE)
            except RuntimeError:
                pass
        if (number + 1) % max(1, steps // 16) == 0:
            now = resident(), torch.npu.memory_allocated()
            print(f"step {number + 1}: {now[0] / 2**20:.2f} MiB resident, "
                  f"{now[1] / 2**10:.1f} KiB of the device, loss {loss:.3f}", flush=True)
            if held is None and number + 1 >= steps // 4:
                held, device = now
                begin = number + 1
    grown = resident() - held
    bound = (1 << 20) + 32 * (steps - begin)
    print(f"{steps - begin} steps: resident memory grew by {grown / 2**10:.0f} KiB "
          f"(at most {bound / 2**10:.0f}), the device's by {torch.npu.memory_allocated() - device} "
          f"bytes; loss {first:.3f} to {loss:.3f}")
    good = grown <= bound and torch.npu.memory_allocated() == device and loss < first / 2
    print(f"{int(good)} passed, {int(not good)} failed")
    sys.stdout.flush()
    os._exit(0 if good else 1)  # torch_npu sleeps for seconds when a process ends in the usual way


main()
