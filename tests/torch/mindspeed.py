#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains a small GPT with Megatron-LM and MindSpeed, both unmodified, in their kinds of parallelism
and with their fused operators. Each must come to the losses of one rank without any of these.

usage: mindspeed.py MINDSPEED MEGATRON [REGEX]
       MINDSPEED: a checkout of MindSpeed; MEGATRON: one of Megatron-LM, core_v0.12.1
       REGEX:     of the names below

Wants the packages einops, ninja, pybind11, regex, six, sentencepiece and protobuf, setuptools<81, a
C++ compiler and, for MindSpeed's own extensions, a prefix (`. PREFIX/set_env.sh`).
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

STEPS = 6
MODEL = f"""--num-layers 2 --hidden-size 64 --num-attention-heads 4 --ffn-hidden-size 128 --swiglu
  --seq-length 64 --max-position-embeddings 64 --position-embedding-type rope
  --normalization RMSNorm --disable-bias-linear --untie-embeddings-and-output-weights
  --attention-dropout 0 --hidden-dropout 0 --no-masked-softmax-fusion
  --tokenizer-type NullTokenizer --vocab-size 4999 --mock-data --split 100,0,0
  --micro-batch-size 2 --global-batch-size 8 --train-iters {STEPS} --lr 1e-3
  --lr-decay-style constant --eval-iters 0 --log-interval 1 --distributed-backend nccl
  --use-cpu-initialization""".split()
LOCAL = "--transformer-impl local "
PLAIN = LOCAL + "--no-gradient-accumulation-fusion "
FLASH = PLAIN + "--bf16 --use-flash-attn "
CONTEXT = FLASH + "--context-parallel-size 2 --context-parallel-algo "
EXPERTS = (FLASH + "--num-experts 4 --moe-grouped-gemm --moe-router-topk 2 "
           "--moe-token-dispatcher-type alltoall ")
# Name: ranks, arguments, the one whose losses it must have, how near. Stages of a pipeline and ranks
# of experts draw their own weights, and ranks that share matrices have other halves of those of
# SwiGLU.
MODES = {
    "one rank": (1, PLAIN, None, 0),
    "data": (2, PLAIN, "one rank", 1e-5),
    "tensors and sequences": (2, PLAIN + "--tensor-model-parallel-size 2 --sequence-parallel",
                              "one rank", 0.01),
    "pipeline": (2, PLAIN + "--pipeline-model-parallel-size 2", "one rank", 0.05),
    "sums of gradients": (1, LOCAL, "one rank", 1e-4),
    "recomputation": (1, PLAIN + "--recompute-granularity full --recompute-method uniform "
                      "--recompute-num-layers 1", "one rank", 1e-5),
    "bf16": (1, FLASH, "one rank", 2e-3),
    "fused operators": (1, FLASH + "--use-fused-rmsnorm --use-fused-swiglu "
                        "--use-fused-rotary-pos-emb", "bf16", 1e-3),
    "transformer engine": (1, "--transformer-impl transformer_engine --bf16 --use-flash-attn "
                           "--no-gradient-accumulation-fusion", "bf16", 1e-3),
    "distributed optimizer": (2, FLASH + "--use-distributed-optimizer --overlap-grad-reduce",
                              "bf16", 1e-3),
    "ring": (2, CONTEXT + "megatron_cp_algo --use-cp-send-recv-overlap", "bf16", 1e-3),
    "ulysses": (2, CONTEXT + "ulysses_cp_algo", "bf16", 1e-3),
    "experts": (1, EXPERTS, None, 0),
    "experts of two ranks": (2, EXPERTS + "--expert-model-parallel-size 2", "experts", 0.02),
}


def losses_of(mindspeed, megatron, ranks, arguments, log):
    """Of each step."""
    environment = {**os.environ, "ANYACL_DEVICES": str(ranks), "OMP_NUM_THREADS": "1",
                   "CUDA_DEVICE_MAX_CONNECTIONS": "1"}
    paths = [str(mindspeed), str(megatron), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    # What MindSpeed's README has its users do.
    program = (megatron / "pretrain_gpt.py").read_text()
    script = megatron / "pretrain_gpt_with_mindspeed.py"
    script.write_text("import torch\nimport mindspeed.megatron_adaptor\n" + program)
    command = [sys.executable, "-W", "ignore", "-m", "torch.distributed.run", "--nproc_per_node",
               str(ranks), "--master_port", "29761", script.name, *MODEL, *arguments.split()]
    try:
        with open(log, "w", encoding="utf-8") as out:
            run = subprocess.Popen(command, cwd=megatron, env=environment, stdout=out,
                                   stderr=subprocess.STDOUT, start_new_session=True)
            run.wait(timeout=1200)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)  # its ranks, too
        run.wait()
    finally:
        script.unlink()
    text = pathlib.Path(log).read_text("utf-8")
    return [float(x) for x in re.findall(r"lm loss: ([\d.E+-]+)", text)]


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__.split("\n\n")[1])
    mindspeed, megatron = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    wanted = re.compile(sys.argv[3] if len(sys.argv) > 3 else "")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="mindspeed-"))
    names = [name for name in MODES if wanted.search(name)]
    while missing := [MODES[n][2] for n in names if MODES[n][2] and MODES[n][2] not in names]:
        names += missing[:1]
    losses, failed = {}, 0
    for name in [name for name in MODES if name in names]:
        ranks, arguments, like, near = MODES[name]
        log = folder / f"{name.replace(' ', '_')}.log"
        losses[name] = found = losses_of(mindspeed, megatron, ranks, arguments, log)
        expected = losses.get(like, found)
        far = max((abs(a - b) for a, b in zip(found, expected)), default=0)
        right = len(found) == len(expected) == STEPS and found[-1] < found[0] and far <= near
        failed += not right
        print(f"{'passed' if right else 'FAILED'}: {name}: losses {' '.join(map(str, found))}" +
              (f", within {far:.1e} of {like}" if like else "") + ("" if right else f" ({log})"),
              flush=True)
    print(f"{len(losses) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
