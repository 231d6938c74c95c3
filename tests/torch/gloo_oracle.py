#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""torch.distributed's backend hccl beside its backend gloo: three processes call everything on both,
on the same values. Moves, integers, maxima and minima are equal bit for bit; floating-point sums and
products within what the order of the operations can make.

Where Gloo has no type or no uneven form, it moves bytes, reduces wider integers, or broadcasts.

usage: gloo_oracle.py [REGEX of the programs' names]
"""

import datetime
import itertools
import os
import random
import re
import sys

import distributed

WORLD = 3
INTEGERS = ("int8", "uint8", "int16", "int32", "int64")
FLOATS = ("float16", "bfloat16", "float32", "float64")
# What torch_npu reduces.
REDUCED = ("int8", "uint8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "bool")
MOVED = (*INTEGERS, *FLOATS, "bool")
# Odd, none, of a line, about the limits at which the library passes to slices (8 KiB), to a root's
# slices (64 KiB) and to several pieces (256 KiB), and large.
SIZES = (1, 7, 64, 1023, 2049, 16385, 65537, 262145, 1000003)


def cases(kinds, ranks):
    """Each kind with a third of the sizes; with one of them on some of the ranks."""
    step = 3 if len(ranks) == WORLD else len(SIZES)
    return [(kind, size) for i, kind in enumerate(kinds) for size in SIZES[i % step::step]]


class Ranks:
    """Some ranks, as a group of either backend."""

    def __init__(self, members):
        import torch.distributed as dist
        self.members = members
        self.npu = dist.new_group(members, backend="hccl")
        self.cpu = dist.new_group(members, backend="gloo")

    def __len__(self):
        return len(self.members)


class Oracle:
    """What Gloo makes of tensors on the CPU."""

    def __init__(self, ranks, rank):
        self.ranks = ranks
        self.group = ranks.cpu
        self.place = ranks.members.index(rank) if rank in ranks.members else None

    def broadcast(self, x, root):
        import torch
        import torch.distributed as dist
        raw = x.clone().contiguous().view(torch.uint8) if x.dim() else x.clone().view(1).view(torch.uint8)
        dist.broadcast(raw, self.ranks.members[root], group=self.group)
        return raw.view(x.dtype).view(x.shape)

    def gather(self, x, counts):
        """Everybody's elements, of which each rank has a number of its own."""
        import torch
        return [self.broadcast(x if self.place == root else torch.zeros(count, dtype=x.dtype), root)
                for root, count in enumerate(counts)]

    def all_to_all(self, x, sent, received):
        import torch
        import torch.distributed as dist
        size = x.element_size()
        result = torch.zeros(sum(received), dtype=x.dtype)
        dist.all_to_all_single(result.view(torch.uint8), x.contiguous().view(torch.uint8),
                               [size * n for n in received], [size * n for n in sent], group=self.group)
        return result

    def reduce(self, x, op):
        import torch
        import torch.distributed as dist
        wide = {torch.int16: torch.int32, torch.bool: torch.int32}.get(x.dtype, x.dtype)
        result = x.to(wide, copy=True)
        dist.all_reduce(result, op, group=self.group)
        return (result != 0) if x.dtype == torch.bool else result.to(x.dtype)


def values(random_state, dtype, count):
    """Integers of the whole range; floats of many exponents, of both signs."""
    import torch
    generator = torch.Generator().manual_seed(random_state.getrandbits(48))
    if dtype == torch.bool:
        return torch.randint(0, 2, (count,), generator=generator).bool()
    if dtype.is_floating_point:
        x = torch.randn(count, dtype=torch.float64, generator=generator)
        return (x * torch.exp2(torch.randint(-4, 5, (count,), generator=generator))).to(dtype)
    raw = torch.randint(-2**63, 2**63 - 1, (count,), generator=generator)
    return raw.view(torch.uint8)[:count * dtype.itemsize].view(dtype).clone()


def bits(x):
    import torch
    x = x.detach().cpu().contiguous()
    return x.flatten().view(torch.uint8) if x.numel() else x.flatten()


def equal(actual, expected, what):
    import torch
    assert actual.dtype == expected.dtype, f"{what}: {actual.dtype}, expected {expected.dtype}"
    assert actual.shape == expected.shape, f"{what}: {actual.shape}, expected {expected.shape}"
    if torch.equal(bits(actual), bits(expected)):
        return
    where = (actual.cpu() != expected).flatten().nonzero().flatten()[:4].tolist()
    raise AssertionError(f"{what}: differs at {where}: {actual.flatten()[where].tolist()}, "
                         f"Gloo has {expected.flatten()[where].tolist()}")


def close(actual, expected, parts, product, what):
    """`parts`: what every rank gave. A fold of n values, each step rounded to the type, is within
    n - 1 half units of the sum of magnitudes, or of the product; ours, Gloo's: twice that."""
    import torch
    actual = actual.cpu().double()
    magnitudes = torch.stack([part.double().abs() for part in parts])
    scale = magnitudes.prod(0) if product else magnitudes.sum(0)
    info = torch.finfo(expected.dtype)
    bound = len(parts) * info.eps * scale + len(parts) * info.smallest_normal * info.eps
    wrong = ((actual - expected.double()).abs() > bound).nonzero().flatten()[:4].tolist()
    if wrong:
        raise AssertionError(f"{what}: beyond the tolerance at {wrong}: {actual[wrong].tolist()}, "
                             f"Gloo has {expected[wrong].tolist()}")


def operations():
    import torch.distributed as dist
    return {"sum": dist.ReduceOp.SUM, "product": dist.ReduceOp.PRODUCT, "max": dist.ReduceOp.MAX,
            "min": dist.ReduceOp.MIN}


def reductions(rank, ranks, chance):
    """all_reduce, reduce to each root, reduce_scatter in its three forms."""
    import torch
    import torch.distributed as dist
    import torch_npu
    oracle, n = Oracle(ranks, rank), len(ranks)
    for (name, (op_name, op)), size in cases(itertools.product(REDUCED, operations().items()), ranks):
        dtype = getattr(torch, name)
        what = f"{name} {op_name} of {size} on {ranks.members}"
        mine = values(random.Random(1000 * size + rank), dtype, size)
        parts = oracle.gather(mine, [size] * n)
        expected = oracle.reduce(mine, op)

        def judge(actual, first, count, call):
            part = slice(first, first + count)
            if dtype.is_floating_point and op_name in ("sum", "product"):
                close(actual, expected[part], [p[part] for p in parts], op_name == "product", f"{call} {what}")
            else:

                equal(actual, expected[part], f"{call} {what}")

        x = mine.npu()
        dist.all_reduce(x, op, group=ranks.npu)
        judge(x, 0, size, "all_reduce")
        # Every rank has the same bits, and has them again.
        for theirs in oracle.gather(x.cpu(), [size] * n):
            equal(theirs, x.cpu(), f"all_reduce {what} on all ranks")
        again = mine.npu()
        dist.all_reduce(again, op, group=ranks.npu)
        equal(again, x.cpu(), f"all_reduce {what} again")

        if name in ("bool", "uint8"):
            continue  # torch_npu has all_reduce alone, as int32

        root = chance.randrange(n)
        x = mine.npu()
        dist.reduce(x, ranks.members[root], op, group=ranks.npu)
        if oracle.place == root:
            judge(x, 0, size, "reduce")

        each = size // n
        if each:
            first = oracle.place * each
            x = torch.zeros(each, dtype=dtype).npu()
            dist.reduce_scatter_tensor(x, mine[:each * n].npu(), op, group=ranks.npu)
            judge(x, first, each, "reduce_scatter_tensor")
            x = torch.zeros(each, dtype=dtype).npu()
            dist.reduce_scatter(x, [p.npu() for p in mine[:each * n].chunk(n)], op, group=ranks.npu)
            judge(x, first, each, "reduce_scatter")
        cuts = sorted(chance.randrange(size + 1) for _ in range(n - 1))
        counts = [b - a for a, b in zip([0, *cuts], [*cuts, size])]
        x = torch.zeros(counts[oracle.place], dtype=dtype).npu()
        torch_npu.distributed.reduce_scatter_tensor_uneven(x, mine.npu(), counts, op, group=ranks.npu)
        judge(x, sum(counts[:oracle.place]), counts[oracle.place], f"reduce_scatter_tensor_uneven {counts}")


def averages(rank, ranks, chance):
    import torch
    import torch.distributed as dist
    oracle, n = Oracle(ranks, rank), len(ranks)
    for name, size in zip(("float32", "float16", "bfloat16"), (5, 1023, 65537)):
        mine = values(chance, getattr(torch, name), size) * (rank + 1)
        parts = oracle.gather(mine, [size] * n)
        expected = oracle.reduce(mine, dist.ReduceOp.SUM) / n
        x = mine.npu()
        dist.all_reduce(x, dist.ReduceOp.AVG, group=ranks.npu)
        close(x, expected, parts, False, f"average of {name}")


def moves(rank, ranks, chance):
    """broadcast, all_gather, scatter and all_to_all, equal and uneven, with nothing for some."""
    import torch
    import torch.distributed as dist
    import torch_npu
    oracle, n = Oracle(ranks, rank), len(ranks)
    place = oracle.place
    for name, size in cases(MOVED, ranks):
        dtype = getattr(torch, name)
        what = f"{name} of {size} on {ranks.members}"
        # Rank i's number of elements for rank j; the same on all ranks.
        table = [[chance.choice((0, 1, 3, size // n, size)) for _ in range(n)] for _ in range(n)]
        mine = values(random.Random(1000 * size + rank), dtype, size)
        all = oracle.gather(mine, [size] * n)

        root = chance.randrange(n)
        x = mine.npu()
        dist.broadcast(x, ranks.members[root], group=ranks.npu)
        equal(x, all[root], f"broadcast {what}")

        gathered = [torch.zeros(size, dtype=dtype).npu() for _ in range(n)]
        dist.all_gather(gathered, mine.npu(), group=ranks.npu)
        for x, expected in zip(gathered, all):
            equal(x, expected, f"all_gather {what}")
        x = torch.zeros(n * size, dtype=dtype).npu()
        dist.all_gather_into_tensor(x, mine.npu(), group=ranks.npu)
        equal(x, torch.cat(all), f"all_gather_into_tensor {what}")

        x = torch.zeros(size, dtype=dtype).npu()
        shares = [values(random.Random(size + i), dtype, size) for i in range(n)]
        dist.scatter(x, [s.npu() for s in shares] if place == root else None, ranks.members[root],
                     group=ranks.npu)
        equal(x, shares[place], f"scatter {what}")

        counts = table[0]
        own = values(random.Random(rank), dtype, counts[place])
        expected = torch.cat(oracle.gather(own, counts))
        x = torch.zeros(sum(counts), dtype=dtype).npu()
        torch_npu.distributed.all_gather_into_tensor_uneven(x, own.npu(), counts, group=ranks.npu)
        equal(x, expected, f"all_gather_into_tensor_uneven {counts} {what}")
        if min(counts) > 0:
            gathered = [torch.zeros(count, dtype=dtype).npu() for count in counts]
            dist.all_gather(gathered, own.npu(), group=ranks.npu)
            equal(torch.cat(gathered), expected, f"all_gather {counts} {what}")

        if name == "bool":
            continue  # torch_npu refuses it
        sent, received = table[place], [row[place] for row in table]
        out = values(random.Random(7 + rank), dtype, sum(sent))
        expected = oracle.all_to_all(out, sent, received)
        x = torch.zeros(sum(received), dtype=dtype).npu()
        dist.all_to_all_single(x, out.npu(), received, sent, group=ranks.npu)
        equal(x, expected, f"all_to_all_single {sent} -> {received} {what}")
        pieces = [torch.zeros(count, dtype=dtype).npu() for count in received]
        dist.all_to_all(pieces, [piece.npu() for piece in out.split(sent)], group=ranks.npu)
        equal(torch.cat(pieces), expected, f"all_to_all {sent} -> {received} {what}")
        even = size // n * n
        if even:
            x = torch.zeros(even, dtype=dtype).npu()
            dist.all_to_all_single(x, mine[:even].npu(), group=ranks.npu)
            equal(x, oracle.all_to_all(mine[:even], [even // n] * n, [even // n] * n), f"all_to_all_single {what}")


def messages(rank, ranks, chance):
    """Around in the circle, with several under way; and each pair, one way then the other."""
    import torch
    import torch.distributed as dist
    oracle, n = Oracle(ranks, rank), len(ranks)
    place = oracle.place
    if n == 1:
        return
    right, left = ranks.members[(place + 1) % n], ranks.members[(place - 1) % n]
    for name, size in cases(MOVED, ranks):
        dtype = getattr(torch, name)
        what = f"{name} of {size} on {ranks.members}"
        sent = [values(random.Random(100 * i + rank), dtype, size + i) for i in range(3)]

        def around(group, device):
            received = [torch.zeros(size + i, dtype=dtype, device=device) for i in range(3)]
            data = [x.to(device) for x in sent]
            if device == "cpu":
                data, buffers = [x.view(torch.uint8) for x in data], [x.view(torch.uint8) for x in received]
            else:
                buffers = received
            works = [dist.P2POp(dist.isend, x, right, group) for x in data]
            works += [dist.P2POp(dist.irecv, x, left, group) for x in buffers]
            for work in dist.batch_isend_irecv(works):
                work.wait()
            return received

        for x, expected in zip(around(ranks.npu, "npu"), around(ranks.cpu, "cpu")):
            equal(x, expected, f"batch_isend_irecv {what}")
        for a, b in itertools.combinations(range(n), 2):
            if place not in (a, b):
                continue
            peer = ranks.members[b if place == a else a]
            x, y = sent[0].npu(), sent[0].clone().view(torch.uint8)
            for sender in (a, b):
                if place == sender:
                    dist.send(x, peer, group=ranks.npu)
                    dist.send(y, peer, group=ranks.cpu)
                else:
                    dist.recv(x, peer, group=ranks.npu)
                    dist.recv(y, peer, group=ranks.cpu)
                equal(x, y.view(dtype), f"send {sender} of {(a, b)} {what}")


def under_way(rank, ranks, chance):
    """Many operations of both backends enqueued before any is waited for."""
    import torch
    import torch.distributed as dist
    works, results = [], []
    for i in range(40):
        size = chance.choice(SIZES[:6])
        x = values(random.Random(100 * i + rank), torch.int32, size)
        y = x.npu()
        if i % 3 == 2:
            root = ranks.members[chance.randrange(len(ranks))]
            works.append(dist.broadcast(y, root, group=ranks.npu, async_op=True))
            works.append(dist.broadcast(x, root, group=ranks.cpu, async_op=True))
        else:
            works.append(dist.all_reduce(y, group=ranks.npu, async_op=True))
            works.append(dist.all_reduce(x, group=ranks.cpu, async_op=True))
        results.append((y, x))
    for work in works:
        work.wait()
    for i, (y, x) in enumerate(results):
        equal(y, x, f"operation {i} of many under way")


def nothing(rank, ranks, chance):
    """Tensors without elements."""
    import torch
    import torch.distributed as dist
    n = len(ranks)
    empty = lambda: torch.zeros(0).npu()
    dist.all_reduce(empty(), group=ranks.npu)
    dist.broadcast(empty(), ranks.members[0], group=ranks.npu)
    dist.all_gather_into_tensor(empty(), empty(), group=ranks.npu)
    dist.reduce_scatter_tensor(empty(), empty(), group=ranks.npu)
    dist.all_to_all_single(empty(), empty(), [0] * n, [0] * n, group=ranks.npu)
    x = torch.ones(3).npu()
    dist.all_reduce(x, group=ranks.npu)
    equal(x, torch.full((3,), float(n)), "all_reduce after nothing")


PROGRAMS = (reductions, averages, moves, messages, nothing, under_way)


def all_programs(rank, world, wanted):
    """Every program for all ranks, two pairs of them, and one alone."""
    import time
    import torch.distributed as dist
    everybody = Ranks(list(range(world)))
    for members in ([0, 1, 2], [0, 2], [1, 2], [2]):
        ranks = Ranks(members)
        for program in PROGRAMS:
            if rank not in members or not re.search(wanted, program.__name__):
                continue
            begin = time.monotonic()
            # The same on all ranks.
            program(rank, ranks, random.Random(program.__name__))
            if rank == members[0]:
                print(f"{program.__name__} of {members}: ok, {time.monotonic() - begin:.1f} s", flush=True)
        # Who is not among them may not leave: the store is rank 0's.
        dist.barrier(everybody.cpu)


def worker(wanted, rank, world, port, results):
    import traceback
    try:
        import torch
        import torch.distributed as dist
        import torch_npu  # noqa: F401
        torch.set_num_threads(1)
        torch.npu.set_device(rank)
        dist.init_process_group("hccl", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=world,
                                timeout=datetime.timedelta(seconds=120))
        all_programs(rank, world, wanted)
        dist.destroy_process_group()
        results.put((rank, None))
    except BaseException:
        results.put((rank, traceback.format_exc()))


def main():
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    os.environ["ANYACL_DEVICES"] = "8"
    ranks, results = distributed.start(wanted, WORLD, worker)
    failed = 0
    try:
        for _ in range(WORLD):
            rank, failure = results.get(timeout=300)
            if failure:
                print(f"FAILED: rank {rank}: {failure}")
                failed += 1
                break
    except Exception as error:
        print(f"FAILED: {error!r}")
        failed += 1
    for process in ranks:
        if not failed:
            process.join(30)
        process.kill()
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
