#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""torch.distributed with the backend hccl between processes: every collective, messages, groups of
some ranks, training with DistributedDataParallel, experts on several ranks, products fused
with collectives, and what torch_npu's watchdog makes of a rank that is killed. Values are compared with what the same operations give on the tensors of all ranks.

usage: distributed.py [REGEX of the programs' names]
"""

import datetime
import multiprocessing
import os
import re
import signal
import socket
import sys
import time
import traceback

TYPES = ("float32", "float16", "bfloat16", "int8", "int16", "int32", "int64")


def tensors(world, shape, dtype, salt=0):
    """The tensor of each rank, the same for whoever asks."""
    import torch
    made = []
    for rank in range(world):
        generator = torch.Generator().manual_seed(1 + rank + 100 * salt)
        made.append(torch.randint(-8, 9, shape, generator=generator).to(dtype))
    return made


def same(actual, expected, what):
    import torch
    actual = actual.cpu()
    if actual.dtype != expected.dtype or not torch.equal(actual, expected):
        raise AssertionError(f"{what}: {actual.flatten()[:8]}, expected {expected.flatten()[:8]}")


def reductions(rank, world):
    import torch
    import torch.distributed as dist
    folds = {
        dist.ReduceOp.SUM: lambda all: sum(all[1:], all[0]),
        dist.ReduceOp.PRODUCT: lambda all: torch.stack(all).prod(0).to(all[0].dtype),
        dist.ReduceOp.MAX: lambda all: torch.stack(all).amax(0),
        dist.ReduceOp.MIN: lambda all: torch.stack(all).amin(0),
    }
    for name in TYPES:
        dtype = getattr(torch, name)
        for op, fold in folds.items():
            if op == dist.ReduceOp.PRODUCT and name == "int8":
                continue  # torch's product of int8 is not modulo 256
            for shape in ((1,), (3, 5), (65537,)):
                all = tensors(world, shape, dtype)
                x = all[rank].npu()
                dist.all_reduce(x, op)
                same(x, fold(all), f"all_reduce {name} {op} {shape}")
                x = all[rank].npu()
                dist.reduce(x, 1, op)
                if rank == 1:
                    same(x, fold(all), f"reduce {name} {op} {shape}")
                rows = [tensors(world, shape, dtype, salt) for salt in range(world)]
                received = torch.empty(shape, dtype=dtype).npu()
                dist.reduce_scatter(received, [row[rank].npu() for row in rows], op)
                same(received, fold(rows[rank]), f"reduce_scatter {name} {op} {shape}")
                dist.reduce_scatter_tensor(received.flatten(),
                                           torch.cat([row[rank].flatten() for row in rows]).npu(), op)
                same(received, fold(rows[rank]), f"reduce_scatter_tensor {name} {op} {shape}")
    x = torch.full((4,), float(rank + 1)).npu()
    dist.all_reduce(x, dist.ReduceOp.AVG)
    same(x, torch.full((4,), (world + 1) / 2), "average")
    x = torch.full((4,), -rank, dtype=torch.int32).npu()
    dist.all_reduce(x, dist.ReduceOp.AVG)  # toward zero, whether it divides evenly or not
    same(x, torch.full((4,), -((world - 1) // 2), dtype=torch.int32), "average of integers")
    flags = torch.tensor([rank == 0, False, True]).npu()
    dist.all_reduce(flags, dist.ReduceOp.MAX)
    same(flags, torch.tensor([True, False, True]), "of bool")


def moves(rank, world):
    import torch
    import torch.distributed as dist
    for name in (*TYPES, "uint8", "bool", "float64"):
        dtype = getattr(torch, name)
        for shape in ((1,), (4, 3), (50001,)):
            all = tensors(world, shape, dtype)
            for root in range(world):
                x = all[rank].npu()
                dist.broadcast(x, root)
                same(x, all[root], f"broadcast {name}")
            gathered = [torch.empty(shape, dtype=dtype).npu() for _ in range(world)]
            dist.all_gather(gathered, all[rank].npu())
            for r in range(world):
                same(gathered[r], all[r], f"all_gather {name}")
            together = torch.empty((world * shape[0], *shape[1:]), dtype=dtype).npu()
            dist.all_gather_into_tensor(together, all[rank].npu())
            same(together, torch.cat(all), f"all_gather_into_tensor {name}")
            x = torch.empty(shape, dtype=dtype).npu()
            dist.scatter(x, [t.npu() for t in all] if rank == 0 else None, 0)
            same(x, all[rank], f"scatter {name}")
            if dtype != torch.bool:
                rows = tensors(world, (world * 6,), dtype, 7)
                x = torch.empty(world * 6, dtype=dtype).npu()
                dist.all_to_all_single(x, rows[rank].npu())
                same(x, torch.cat([row.chunk(world)[rank] for row in rows]), f"all_to_all_single {name}")


def uneven(rank, world):
    import torch
    import torch.distributed as dist
    # Rank r has (r + 2 s + 1) elements for rank s.
    count = lambda source, target: source + 2 * target + 1
    pieces = [[torch.full((count(s, t),), 10.0 * s + t) for t in range(world)] for s in range(world)]
    expected = torch.cat([pieces[s][rank] for s in range(world)])
    x = torch.empty(len(expected)).npu()
    dist.all_to_all_single(x, torch.cat(pieces[rank]).npu(), [count(s, rank) for s in range(world)],
                           [count(rank, t) for t in range(world)])
    same(x, expected, "all_to_all_single, uneven")
    received = [torch.empty(count(s, rank)).npu() for s in range(world)]
    dist.all_to_all(received, [piece.npu() for piece in pieces[rank]])
    same(torch.cat(received), expected, "all_to_all, uneven")
    all = [torch.full((3 + r, 2), float(r)) for r in range(world)]
    gathered = [torch.empty_like(t).npu() for t in all]
    dist.all_gather(gathered, all[rank].npu())
    for r in range(world):
        same(gathered[r], all[r], "all_gather, uneven")
    import torch_npu
    if hasattr(torch_npu.distributed, "all_gather_into_tensor_uneven"):
        together = torch.empty(sum(len(t) for t in all), 2).npu()
        torch_npu.distributed.all_gather_into_tensor_uneven(
            together, all[rank].npu(), output_split_sizes=[len(t) for t in all])
        same(together, torch.cat(all), "all_gather_into_tensor_uneven")
        x = torch.empty_like(all[rank]).npu()
        torch_npu.distributed.reduce_scatter_tensor_uneven(
            x, torch.cat(all).npu(), input_split_sizes=[len(t) for t in all])
        same(x, world * all[rank], "reduce_scatter_tensor_uneven")


def messages(rank, world):
    import torch
    import torch.distributed as dist
    x = torch.arange(10007.0).npu()
    if rank == 0:
        dist.send(x * 2, 1)
        dist.recv(x, 1)
        same(x, torch.arange(10007.0) * 6, "there and back")
    elif rank == 1:
        dist.recv(x, 0)
        dist.send(x * 3, 0)
    right, left = (rank + 1) % world, (rank - 1) % world
    received = torch.empty(1000, dtype=torch.int32).npu()
    works = dist.batch_isend_irecv([
        dist.P2POp(dist.isend, torch.full((1000,), rank, dtype=torch.int32).npu(), right),
        dist.P2POp(dist.irecv, received, left)])
    for work in works:
        work.wait()
    same(received, torch.full((1000,), left, dtype=torch.int32), "around")


def objects(rank, world):
    import torch.distributed as dist
    everybody = [None] * world
    dist.all_gather_object(everybody, {"rank": rank, "text": "x" * rank})
    assert everybody == [{"rank": r, "text": "x" * r} for r in range(world)], everybody
    told = [{"from": rank}]
    dist.broadcast_object_list(told, 1)
    assert told == [{"from": 1}], told


def groups(rank, world):
    import torch
    import torch.distributed as dist
    first, both = dist.new_group([0]), dist.new_group(list(range(world)))
    if rank == 0:
        x = torch.ones(3).npu()
        dist.all_reduce(x, group=first)
        same(x, torch.ones(3), "a group of one")
    for i in range(5):
        x, y = torch.full((7,), 1.0 + rank).npu(), torch.full((7,), 2.0).npu()
        a = dist.all_reduce(x, group=both, async_op=True)
        b = dist.all_reduce(y, async_op=True)
        a.wait()
        b.wait()
        same(x, torch.full((7,), sum(1.0 + r for r in range(world))), "a group of all")
        same(y, torch.full((7,), 2.0 * world), "the world")
    dist.barrier(group=both)
    dist.barrier()
    dist.destroy_process_group(both)


def training(rank, world):
    """Two ranks with half of a batch each do what one does with all of it."""
    import torch
    from torch.nn.parallel import DistributedDataParallel
    make = lambda: torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2))
    torch.manual_seed(3)
    alone = make()
    shared = make()
    shared.load_state_dict(alone.state_dict())
    parallel = DistributedDataParallel(shared.npu(), device_ids=[rank])
    alone_optimizer = torch.optim.SGD(alone.parameters(), 0.1, momentum=0.9)
    optimizer = torch.optim.SGD(parallel.parameters(), 0.1, momentum=0.9)
    for step in range(5):
        x = torch.randn(world * 4, 8, generator=torch.Generator().manual_seed(step))
        y = x.sum(1, keepdim=True).sign().repeat(1, 2)
        for model, inputs, goals, chosen in (
                (alone, x, y, alone_optimizer),
                (parallel, x.chunk(world)[rank].npu(), y.chunk(world)[rank].npu(), optimizer)):
            chosen.zero_grad()
            torch.nn.functional.mse_loss(model(inputs), goals).backward()
            chosen.step()
    for expected, actual in zip(alone.parameters(), parallel.parameters()):
        torch.testing.assert_close(actual.detach().cpu(), expected.detach(), rtol=1e-5, atol=1e-6)


def experts(rank, world):
    """A mixture of experts that change nothing, on several ranks: each token times its weights."""
    import torch
    import torch.distributed as dist
    import torch_npu
    backend = dist.distributed_c10d._get_default_group()._get_backend(torch.device("npu"))
    tokens, hidden, chosen, count = 8, 1024, 2, 2 * world
    common = {"group_ep": backend.get_hccl_comm_name(rank), "ep_world_size": world, "ep_rank_id": rank,
              "moe_expert_num": count, "global_bs": tokens * world}
    generator = torch.Generator().manual_seed(rank)
    x = torch.randn(tokens, hidden, generator=generator).to(torch.bfloat16)
    ids = torch.stack([torch.randperm(count, generator=generator)[:chosen] for _ in range(tokens)]).int().npu()
    weights = torch.rand(tokens, chosen, generator=generator)
    for quant_mode, tolerance in ((0, 2 ** -7), (2, 2 ** -4)):
        rows, scales, assist, _, counts, _, _ = torch_npu.npu_moe_distribute_dispatch_v2(
            x=x.npu(), expert_ids=ids, quant_mode=quant_mode, **common)
        if quant_mode == 2:
            rows = (rows.float() * scales[:, None]).to(torch.bfloat16)
        y = torch_npu.npu_moe_distribute_combine_v2(
            expand_x=rows, expert_ids=ids, assist_info_for_combine=assist, ep_send_counts=counts,
            expert_scales=weights.npu(), **common)
        torch.testing.assert_close(y.cpu().float(), x.float() * weights.sum(1, keepdim=True),
                                   rtol=2 ** -7, atol=tolerance)
        rows, scales, index, _, counts, _, _ = torch_npu.npu_moe_distribute_dispatch(
            x=x.npu(), expert_ids=ids, quant_mode=quant_mode, **common)
        assert index.shape == (tokens * chosen,)
        if quant_mode == 2:
            rows = (rows.float() * scales[:, None]).to(torch.bfloat16)
        again = torch_npu.npu_moe_distribute_combine(
            expand_x=rows, expert_ids=ids, expand_idx=index, ep_send_counts=counts,
            expert_scales=weights.npu(), **common)
        assert torch.equal(again.cpu(), y.cpu())
    # Experts that no rank has, of each kind: nothing, the token, and the token with a constant.
    special = {"zero_expert_num": 1, "copy_expert_num": 1, "const_expert_num": 1}
    wide = torch.stack([torch.randperm(count + 3, generator=generator)[:chosen + 1] for _ in range(tokens)]).int()
    parts = torch.rand(tokens, chosen + 1, generator=generator)
    alphas = torch.randn(2, 1, hidden, generator=generator).div(hidden ** 0.5).to(torch.bfloat16)
    constant = torch.randn(1, hidden, generator=generator).to(torch.bfloat16)
    rows, _, assist, _, counts, _, _ = torch_npu.npu_moe_distribute_dispatch_v2(
        x=x.npu(), expert_ids=wide.npu(), **special, **common)
    y = torch_npu.npu_moe_distribute_combine_v2(
        expand_x=rows, expert_ids=wide.npu(), assist_info_for_combine=assist, ep_send_counts=counts,
        expert_scales=parts.npu(), ori_x=x.npu(), const_expert_alpha_1=alphas[0].npu(),
        const_expert_alpha_2=alphas[1].npu(), const_expert_v=constant.npu(), **special, **common)
    mix = torch.softmax(torch.einsum("th,ach->tca", x.float(), alphas.float()), 2)[:, 0]
    mixed = mix[:, :1] * x.float() + mix[:, 1:] * constant.float()
    share = parts * (wide != count) * (wide != count + 2)
    expected = x.float() * share.sum(1, keepdim=True) + mixed * (parts * (wide == count + 2)).sum(1, keepdim=True)
    torch.testing.assert_close(y.cpu().float(), expected, rtol=2 ** -7, atol=2 ** -7)
    # Each expert on its own rank and, twice, on the next: half of the ranks take the second.
    table = torch.tensor([[2, e, (e + 2) % count] for e in range(count)]).int()
    instances, _ = torch_npu.npu_moe_update_expert(ids, table.npu(), local_rank_id=rank, world_size=world)
    group = rank // ((world + 1) // 2)
    assert torch.equal(instances.cpu(), table[ids.cpu().long(), 1 + group])
    rows, _, assist, _, counts, _, _ = torch_npu.npu_moe_distribute_dispatch_v2(x=x.npu(), expert_ids=ids, **common)
    residual = torch.randn(tokens, 1, hidden, generator=generator).to(torch.bfloat16)
    gamma = torch.rand(hidden, generator=generator).to(torch.bfloat16)
    y, rstd, sums = torch_npu.npu_moe_distribute_combine_add_rms_norm(
        rows, ids, assist, counts, weights.npu(), residual.npu(), gamma.npu(), **common)
    expected = (x.float() * weights.sum(1, keepdim=True))[:, None] + residual.float()
    scale = (expected.square().mean(2, keepdim=True) + 1e-6).rsqrt()
    torch.testing.assert_close(sums.cpu().float(), expected, rtol=2 ** -7, atol=2 ** -7)
    torch.testing.assert_close(rstd.cpu(), scale, rtol=2 ** -12, atol=0)
    torch.testing.assert_close(y.cpu().float(), expected * scale * gamma.float(), rtol=2 ** -6, atol=2 ** -7)


def products(rank, world):
    """Products fused with a collective against the same of PyTorch on the tensors of all ranks. Whole
    numbers: fp16 and bf16 hold every sum."""
    import torch
    import torch.distributed as dist
    import torch_npu
    backend = dist.distributed_c10d._get_default_group()._get_backend(torch.device("npu"))
    hcom = backend.get_hccl_comm_name(rank)
    rows, depth, columns = 8 * world, 256, 24
    for dtype in (torch.float16, torch.bfloat16):
        left = [x.sign() for x in tensors(world, (rows, depth), dtype, 21)]
        right = [x.sign() for x in tensors(world, (depth, columns), dtype, 22)]
        bias, extra = tensors(world, (columns,), dtype, 23), tensors(world, (rows, columns), dtype, 24)
        each = [a.float() @ b.float() for a, b in zip(left, right)]
        total = sum(each).to(dtype)
        x1, x2 = left[rank].npu(), right[rank].npu()
        same(torch_npu.npu_mm_all_reduce_base(x1, x2, hcom), total, "all_reduce")
        # A transposed view, three dimensions, a bias and a summand.
        same(torch_npu.npu_mm_all_reduce_base(x1.view(2, -1, depth), x2.t().contiguous().t(), hcom, bias=bias[rank].npu(),
                                              x3=extra[rank].npu().view(2, -1, columns)).view(rows, columns),
             sum(p + b.float() + e.float() for p, b, e in zip(each, bias, extra)).to(dtype), "all_reduce with bias and x3")
        for gathers in (True, False):
            output, gathered = torch_npu.npu_all_gather_base_mm(x1, x2, hcom, world, gather_output=gathers)
            same(output, torch.cat(left) @ right[rank], "all_gather")
            same(gathered, torch.cat(left) if gathers else torch.empty(0, dtype=dtype), "gathered")
        share = rows // world
        same(torch_npu.npu_mm_reduce_scatter_base(x1, x2, hcom, world), total[rank * share:(rank + 1) * share], "reduce_scatter")
    left, right = tensors(world, (rows, depth), torch.int8, 25), tensors(world, (depth, columns), torch.int8, 26)
    scale = torch.full((columns,), 2.0 ** -8)
    total = sum((a.int() @ b.int()).half() * 2.0 ** -8 for a, b in zip(left, right))
    packed = torch_npu.npu_trans_quant_param(scale.npu())
    for more in ({"dequant_scale": packed},
                 {"dequant_scale": scale.npu(), "pertoken_scale": torch.ones(rows).npu()}):
        same(torch_npu.npu_mm_all_reduce_base(left[rank].npu(), right[rank].npu(), hcom, **more), total, "int8")
    weight_scale = torch.full((columns,), 0.5, dtype=torch.float16)
    total = sum((a.half().sign().float() @ (b.float() / 2)) for a, b in zip(left, right)).half()
    same(torch_npu.npu_mm_all_reduce_base(left[rank].half().sign().npu(), right[rank].npu(), hcom,
                                          antiquant_scale=weight_scale.npu()), total, "int8 weights")
    # Two experts on each rank; as many rows for one as its number among all says.
    experts = 2
    counts = [1 + e for e in range(world * experts)]
    x = tensors(world, (sum(counts), depth), torch.float16, 27)
    weights = tensors(world, (experts, depth, columns), torch.float16, 28)
    parts = [list(a.sign().split(counts)) for a in x]
    mine = [rank * experts + e for e in range(experts)]
    permuted = torch.cat([parts[source][e] for e in mine for source in range(world)])
    expected = torch.cat([parts[source][e] @ weights[rank][e - mine[0]].sign() for e in mine for source in range(world)])
    received = [counts[e] for _ in range(world) for e in mine]
    common = {"gmm_weight": weights[rank].sign().npu(), "hcom": hcom, "ep_world_size": world}
    y, _, rows_by_expert = torch_npu.npu_alltoallv_gmm(
        gmm_x=x[rank].sign().npu(), send_counts=counts, recv_counts=received, permute_out_flag=True, **common)
    same(y, expected, "alltoallv_gmm")
    same(rows_by_expert, permuted, "permuted")
    back, _ = torch_npu.npu_gmm_alltoallv(gmm_x=permuted.npu(), send_counts=received, recv_counts=counts, **common)
    same(back, torch.cat([parts[rank][e] @ weights[e // experts][e % experts].sign() for e in range(world * experts)]),
         "gmm_alltoallv")


def worker(program, rank, world, port, results):
    try:
        import torch
        import torch.distributed as dist
        import torch_npu  # noqa: F401
        torch.npu.set_device(rank)
        dist.init_process_group("hccl", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=world,
                                timeout=datetime.timedelta(seconds=120))
        if program == "killed":
            return killed(rank, world, results)
        for name in program:
            begin = time.monotonic()
            globals()[name](rank, world)
            results.put((rank, name, None, time.monotonic() - begin))
        dist.destroy_process_group()
        results.put((rank, "end", None, 0))
    except BaseException:
        results.put((rank, "a failure", traceback.format_exc(), 0))


def killed(rank, world, results):
    """The last rank is killed; torch_npu's watchdog ends the others."""
    import torch
    import torch.distributed as dist
    x = torch.ones(1000).npu()
    dist.all_reduce(x)
    torch.npu.synchronize()
    if rank == world - 1:
        os.kill(os.getpid(), signal.SIGKILL)
    for _ in range(1000):
        dist.all_reduce(x)
        torch.npu.synchronize()
        time.sleep(0.01)
    results.put((rank, "killed", "no operation failed", 0))


PROGRAMS = ("reductions", "moves", "uneven", "messages", "objects", "groups", "training", "experts", "products")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def start(program, world, body=worker):
    context = multiprocessing.get_context("spawn")
    results, port = context.Queue(), free_port()
    ranks = [context.Process(target=body, args=(program, rank, world, port, results)) for rank in range(world)]
    for rank in ranks:
        rank.start()
    return ranks, results


def judge_programs(names):
    failed = 0
    ranks, results = start(names, 2)
    waiting = len(names) * 2 + 2
    try:
        while waiting:
            rank, name, failure, seconds = results.get(timeout=300)
            waiting -= 1
            if failure:
                print(f"FAILED: rank {rank}: {failure}")
                failed += 1
                break
            if rank == 0:
                print(f"{name}: ok, {seconds:.1f} s")
        for process in ranks:
            process.join(30)
            if not failed and process.exitcode != 0:
                print(f"FAILED: a rank ended with {process.exitcode}")
                failed += 1
    except Exception as error:
        print(f"FAILED: {error!r}")
        failed += 1
    for process in ranks:
        process.kill()
    return failed


def judge_killed():
    """The watchdog asks HcclGetCommAsyncError and aborts the process, an operation that fails before
    raises RuntimeError: in either case soon."""
    ranks, results = start("killed", 3)
    ranks[2].join(120)
    begin = time.monotonic()
    for process in ranks[:2]:
        process.join(max(0.1, begin + 30 - time.monotonic()))
    failures = [f"rank {rank} hangs" for rank, process in enumerate(ranks) if process.is_alive()]
    for process in ranks:
        process.kill()
    while not results.empty():
        rank, _, failure, _ = results.get()
        if "RuntimeError" not in failure:
            failures.append(f"rank {rank}: {failure}")
    codes = [process.exitcode for process in ranks]
    if codes[2] != -signal.SIGKILL or any(code not in (0, -signal.SIGABRT) for code in codes[:2]):
        failures.append(f"ranks ended with {codes}")
    for failure in failures:
        print(f"FAILED: {failure}")
    if not failures:
        print(f"killed: ok, the others ended {time.monotonic() - begin:.1f} s later")
    return len(failures)


def main():
    wanted = re.compile(sys.argv[1] if len(sys.argv) > 1 else "")
    os.environ["ANYACL_DEVICES"] = "8"
    names = [name for name in PROGRAMS if wanted.search(name)]
    failed = judge_programs(names) if names else 0
    if wanted.search("killed"):
        failed += judge_killed()
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
