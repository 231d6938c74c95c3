# SPDX-License-Identifier: Apache-2.0
"""The model that deepspeed_programs.py trains, its data, and its training on PyTorch's CPU device
without DeepSpeed. torch is imported in functions: the program that starts ranks goes without."""

import functools

STEPS = 6
BATCH = 8       # of all ranks together
LENGTH = 32
VOCABULARY = 97
WIDTH = 64
HEADS = 4
LR = 3e-3
WEIGHT_DECAY = 0.01
# How near losses of 4.7 to 3.5 must come. fp32: sums in another order; 4e-7 to 7e-7 were seen. 16
# bits: one rounding of a logit of 1 to bf16 is 4e-3, to fp16 5e-4; those of the ranks' gradients
# before their sum come to the same.
FP32, FP16, BF16 = 2e-5, 5e-3, 2e-2
LION = 1e-3  # it steps by the signs of gradients, those that are rounding alone, too


@functools.cache
def modules():
    """The classes of the model: torch is imported in the ranks' processes only."""
    import torch
    from torch import nn
    from torch.nn import functional

    class Embedding(nn.Module):
        def __init__(self):
            super().__init__()
            self.words = nn.Embedding(VOCABULARY, WIDTH)
            self.places = nn.Parameter(0.1 * torch.randn(LENGTH, WIDTH))

        def forward(self, ids, first=0):
            return self.words(ids) + self.places[first:first + ids.shape[1]]

    class Attention(nn.Module):
        """attend: a function of (batch, sequence, heads, numbers) tensors."""

        def __init__(self):
            super().__init__()
            self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
            self.out = nn.Linear(WIDTH, WIDTH)
            self.attend = attention

        def forward(self, x):
            q, k, v = self.qkv(x).unflatten(-1, (3, HEADS, -1)).unbind(2)
            return self.out(self.attend(q, k, v).flatten(2))

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
            self.attention = Attention()
            # torch_npu computes GELU in this form, whichever it is asked for.
            self.mlp = nn.Sequential(nn.Linear(WIDTH, 2 * WIDTH), nn.GELU("tanh"),
                                     nn.Linear(2 * WIDTH, WIDTH))

        def forward(self, x):
            x = x + self.attention(self.norm1(x))
            return x + self.mlp(self.norm2(x))

    class Head(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm = nn.LayerNorm(WIDTH)
            self.head = nn.Linear(WIDTH, VOCABULARY, bias=False)

        def forward(self, x):
            return self.head(self.norm(x))

    class Model(nn.Module):
        """around: called with each block and its input."""

        def __init__(self):
            super().__init__()
            self.embedding, self.head = Embedding(), Head()
            self.blocks = nn.ModuleList(Block() for _ in range(2))
            self.around = lambda block, x: block(x)

        def forward(self, ids, labels, first=0):
            x = self.embedding(ids, first)
            for block in self.blocks:
                x = self.around(block, x)
            return loss_of(self.head(x), labels)

    def attention(q, k, v):
        q, k, v = (x.transpose(1, 2) for x in (q, k, v))
        return functional.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2)

    def loss_of(logits, labels):
        return functional.cross_entropy(logits.float().flatten(0, 1), labels.flatten())

    class Classes:
        pass

    for thing in (Embedding, Attention, Block, Head, Model, attention, loss_of):
        setattr(Classes, thing.__name__, thing)
    return Classes


def new_model(kind=None):
    import torch
    torch.manual_seed(5)
    return (kind or modules().Model)()


def batches(count=STEPS):
    """Of each step ids and labels, which follow from the ids; of a few words, so that six steps
    learn something."""
    import torch
    generator = torch.Generator().manual_seed(7)
    ids = torch.randint(0, 12, (count, BATCH, LENGTH), generator=generator)
    return list(zip(ids, (3 * ids + ids.roll(1, 2)) % VOCABULARY))


class Lion:
    """Of the paper, with DeepSpeed's factors; it adds the rate where nothing tells a direction."""

    def __init__(self, parameters, lr, weight_decay, betas=(0.9, 0.999)):
        self.parameters, self.lr = list(parameters), lr
        self.decay, self.betas = weight_decay, betas
        self.moments = [p.detach() * 0 for p in self.parameters]

    def step(self):
        for p, m in zip(self.parameters, self.moments):
            b1, b2 = self.betas
            update = 2.0 * (b1 * m + (1 - b1) * p.grad > 0) - 1
            p.data.mul_(1 - self.lr * self.decay).sub_(self.lr * update)
            m.mul_(b2).add_(p.grad, alpha=1 - b2)


class Lamb:
    """Of the paper, with bias correction in the step size and bounds of the coefficient."""

    def __init__(self, parameters, lr, weight_decay, bounds=(0.01, 10.0)):
        self.parameters, self.lr = list(parameters), lr
        self.decay, self.bounds = weight_decay, bounds
        self.moments = [(p.detach() * 0, p.detach() * 0) for p in self.parameters]
        self.count = 0

    def step(self):
        self.count += 1
        size = self.lr * (1 - 0.999**self.count)**0.5 / (1 - 0.9**self.count)
        for p, (m, v) in zip(self.parameters, self.moments):
            m.mul_(0.9).add_(p.grad, alpha=0.1)
            v.mul_(0.999).addcmul_(p.grad, p.grad, value=0.001)
            update = m / (v.sqrt() + 1e-8) + self.decay * p.data
            norm = p.data.norm()
            coefficient = (norm / update.norm()).clamp(*self.bounds) if norm > 0 else 1.0
            p.data.sub_(size * coefficient * update)


def optimizer_of(name, parameters):
    import torch
    if name in ("Lion", "Lamb"):
        return {"Lion": Lion, "Lamb": Lamb}[name](parameters, LR, WEIGHT_DECAY)
    if name == "SGD":
        return torch.optim.SGD(parameters, lr=0.1, momentum=0.9)
    if name == "Adagrad":
        return torch.optim.Adagrad(parameters, lr=LR, weight_decay=WEIGHT_DECAY, eps=1e-8)
    return torch.optim.AdamW(parameters, lr=LR, weight_decay=WEIGHT_DECAY)


def train_on_cpu(model=None, dtype="float32", optimizer="AdamW", parts=1, clip=0.0, scale=1.0,
                 skipped=None, steps=STEPS, autocast=None, schedule=None, step_of_zeros=False):
    """The losses of each step, where DeepSpeed's ranks are parts of the batch: parameters in dtype
    with fp32 copies for the optimizer, as DeepSpeed keeps them.

    skipped: the steps that DeepSpeed left out, each halving its scale, which is `scale` at first.
    Those must be the ones that overflow, as far as rounding can tell.
    step_of_zeros: the optimizer steps once before, with gradients of zero.
    """
    import torch
    kind = getattr(torch, dtype)
    model = model or new_model()
    masters = [p.detach().clone().float() for p in model.parameters()]
    model = model.to(kind)
    stepper = optimizer_of(optimizer, masters)
    losses = []
    less = 64 if skipped else 1
    if step_of_zeros:
        for master in masters:
            master.grad = torch.zeros_like(master)
        stepper.step()
    for step, (ids, labels) in enumerate(batches(steps)):
        model.zero_grad()
        mean = 0.0
        for part in range(parts):
            rows = slice(part * BATCH // parts, (part + 1) * BATCH // parts)
            with torch.autocast("cpu", getattr(torch, autocast or dtype), enabled=bool(autocast)):
                loss = model(ids[rows], labels[rows])
            (loss * scale / less).backward()  # the sum in dtype, like that of ranks
            mean += loss.item() / parts
        losses.append(mean)
        if skipped is not None:
            largest = less * max(float(p.grad.abs().max()) for p in model.parameters())
            assert 65504 / 4 < largest if step in skipped else largest < 65504 * 4, \
                f"steps {skipped} skipped; step {step} has a gradient of {largest}"
            if step in skipped:
                scale /= 2
                continue
        for master, p in zip(masters, model.parameters()):
            master.grad = torch.zeros_like(master) if p.grad is None else \
                p.grad.float() * less / scale / parts
        if clip:
            torch.nn.utils.clip_grad_norm_(masters, clip)
        if schedule:
            for group in stepper.param_groups:
                group["lr"] = schedule(step)
        stepper.step()
        for master, p in zip(masters, model.parameters()):
            p.data.copy_(master.data)
    return losses


def compare(found, expected, tolerance, falls=True):
    far = max(abs(a - b) for a, b in zip(found, expected))
    told = f"losses {[round(x, 5) for x in found]}, on the CPU {[round(x, 5) for x in expected]}"
    assert len(found) == len(expected), told
    assert far <= tolerance, f"{told}: {far:.1e} apart"  # a NaN fails, too
    assert not falls or found[-1] < found[0] - 0.05, f"{told}: does not learn"
    return far


def small_llama():
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM
    torch.manual_seed(11)
    return LlamaForCausalLM(LlamaConfig(
        vocab_size=VOCABULARY, hidden_size=WIDTH, intermediate_size=2 * WIDTH, num_hidden_layers=2,
        num_attention_heads=HEADS, num_key_value_heads=HEADS, max_position_embeddings=64,
        bos_token_id=1, eos_token_id=2, pad_token_id=0))


def small_gpt2():
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel
    torch.manual_seed(11)
    return GPT2LMHeadModel(GPT2Config(
        vocab_size=VOCABULARY, n_embd=WIDTH, n_layer=2, n_head=HEADS, n_positions=64,
        resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=1, eos_token_id=2,
        pad_token_id=0))


def train_causal_on_cpu(model, clip=0.0, **more):
    """A model of transformers, whose labels are its ids."""
    import torch
    optimizer = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=WEIGHT_DECAY)
    losses = []
    for ids, _ in batches():
        loss = model(ids, labels=ids, **more).loss
        optimizer.zero_grad()
        loss.backward()
        if clip:
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        losses.append(loss.item())
    return losses
