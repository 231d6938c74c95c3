# SPDX-License-Identifier: Apache-2.0
"""The table of deepspeed_programs.py, and what its programs have in common: a rank's part of the
data, DeepSpeed's configuration, training by its engine."""

import functools
import os

from deepspeed_reference import BATCH, BF16, FP16, FP32, LR, STEPS, WEIGHT_DECAY, batches, modules

PROGRAMS = {}  # name -> (function, ranks)


def program(name, ranks=2, /, **arguments):
    """Registers a function that raises where DeepSpeed's results are not those of the CPU. It
    returns the largest difference. Arguments beyond these are the function's own."""

    def register(function):
        assert name not in PROGRAMS, name
        PROGRAMS[name] = (functools.partial(function, **arguments), ranks)
        return function

    return register


def rank_and_world():
    return int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])


def mine(x):
    """A rank's rows."""
    rank, world = rank_and_world()
    return x.chunk(world)[rank]


def mean_of_ranks(losses):
    import torch
    import deepspeed.comm as dist
    together = torch.tensor(losses, dtype=torch.float32).npu()
    dist.all_reduce(together)
    return (together / dist.get_world_size()).tolist()


def configuration(stage=0, dtype="float32", optimizer="AdamW", accumulation=1, **more):
    """DeepSpeed's, for a batch of BATCH rows."""
    world = rank_and_world()[1]
    parameters = {"lr": LR, "weight_decay": WEIGHT_DECAY}
    if optimizer == "Adagrad":
        parameters["eps"] = 1e-8
    zero = {"stage": stage, "reduce_bucket_size": 20000, "allgather_bucket_size": 20000}
    if stage == 3:
        # Parameters of this model are below what would be kept whole.
        zero |= {"stage3_param_persistence_threshold": 0, "stage3_prefetch_bucket_size": 20000}
    made = {
        "train_batch_size": BATCH,
        "train_micro_batch_size_per_gpu": BATCH // world // accumulation,
        "gradient_accumulation_steps": accumulation,
        "optimizer": {"type": optimizer, "params": parameters},
        "zero_optimization": zero | more.pop("zero", {}),
        "gradient_clipping": 0.0,  # not DeepSpeed's default
        "steps_per_print": 1000,
    }
    if dtype == "bfloat16":
        made["bf16"] = {"enabled": True}
    if dtype == "float16":
        made["fp16"] = {"enabled": True, "loss_scale": 128.0} | more.pop("fp16", {})
    return made | more


def engine_of(model, config, **more):
    import deepspeed
    return deepspeed.initialize(model=model, model_parameters=model.parameters(), config=config,
                                **more)[0]


def train(engine, steps=range(STEPS)):
    """The losses of these steps, of all ranks."""
    all_batches = batches()
    accumulation = engine.gradient_accumulation_steps()
    losses = []
    for step in steps:
        mean = 0.0
        for ids, labels in zip(*(mine(x).chunk(accumulation) for x in all_batches[step])):
            loss = engine(ids.npu(), labels.npu())
            engine.backward(loss)
            engine.step()
            mean += loss.item() / accumulation
        losses.append(mean)
    return mean_of_ranks(losses)


def tolerance_of(dtype):
    return {"float32": FP32, "float16": FP16, "bfloat16": BF16}[dtype]


CPU = {"device": "cpu", "pin_memory": True}
OVERLAP = {"overlap_comm": True, "contiguous_gradients": True}


def optimizer_name(engine):
    """Of the innermost optimizer."""
    inner = engine.optimizer
    while hasattr(inner, "optimizer"):
        inner = inner.optimizer
    return type(inner).__name__


def shared_folder():
    return os.environ["PROGRAM_FOLDER"]


def other_model():
    import torch
    torch.manual_seed(99)
    return modules().Model()
