# SPDX-License-Identifier: Apache-2.0
"""Programs of deepspeed_programs.py: recomputation, pipelines, experts, sequences and matrices of
several ranks, transformers, accelerate and inference."""

import copy
import functools
import json
import pathlib
import re

from deepspeed_engine import (CPU, configuration, engine_of, mean_of_ranks, mine, program,
                              rank_and_world, shared_folder, tolerance_of, train)
from deepspeed_reference import (BATCH, FP32, LENGTH, LR, STEPS, WEIGHT_DECAY, WIDTH, batches,
                                 compare, modules, new_model, small_gpt2, small_llama,
                                 train_causal_on_cpu, train_on_cpu)


@program("recomputation")
@program("recomputation, stage 3", stage=3)
@program("recomputation, non-reentrant", reentrant=False)
@program("recomputation, inputs on the CPU", on_cpu=True)
@program("recomputation, contiguous inputs", contiguous=True)
def recomputation(stage=1, reentrant=True, on_cpu=False, contiguous=False):
    import deepspeed
    from deepspeed.runtime.activation_checkpointing import checkpointing
    expected = train_on_cpu()
    deepspeed.checkpointing.configure(None, checkpoint_in_cpu=on_cpu, num_checkpoints=2,
                                      contiguous_checkpointing=contiguous,
                                      partition_activations=contiguous)
    call = checkpointing.checkpoint if reentrant else checkpointing.non_reentrant_checkpoint
    model = new_model()
    model.around = call
    return compare(train(engine_of(model, configuration(stage))), expected, FP32)


@program("pipeline")
@program("pipeline, bf16", dtype="bfloat16")
@program("pipeline, fp16", dtype="float16")
@program("pipeline, two of two stages", 4)
@program("pipeline, tied weights", tied=True)
@program("pipeline, recomputation", interval=1)
@program("pipeline, checkpoint", saved=True)
def pipeline(dtype="float32", tied=False, interval=0, saved=False):
    import torch
    from deepspeed.pipe import LayerSpec, PipelineModule, TiedLayerSpec
    classes = modules()
    world = rank_and_world()[1]
    pipes = world // 2
    parts = BATCH // pipes // 2

    class Tied(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding, self.norm = classes.Embedding(), torch.nn.LayerNorm(WIDTH)
            self.blocks = torch.nn.ModuleList(classes.Block() for _ in range(2))

        def forward(self, ids, labels):
            x = self.embedding(ids)
            for block in self.blocks:
                x = block(x)
            logits = torch.nn.functional.linear(self.norm(x), self.embedding.words.weight)
            return classes.loss_of(logits, labels)

    cpu_model = new_model(Tied) if tied else new_model()
    cpu_model.embedding.words.weight.data.mul_(0.2 if tied else 1.0)
    weights = copy.deepcopy(cpu_model.state_dict())
    expected = train_on_cpu(cpu_model, dtype=dtype, parts=BATCH // 2,
                            step_of_zeros=dtype == "float16",
                            scale=128.0 if dtype == "float16" else 1.0)
    if tied:
        def project(layer, x):
            return torch.nn.functional.linear(x, layer.words.weight)

        layers = [TiedLayerSpec("words", classes.Embedding, tied_weight_attr="words.weight"),
                  LayerSpec(classes.Block), LayerSpec(classes.Block),
                  LayerSpec(torch.nn.LayerNorm, WIDTH),
                  TiedLayerSpec("words", classes.Embedding, forward_fn=project,
                                tied_weight_attr="words.weight")]
        names = ["embedding.", "blocks.0.", "blocks.1.", "norm.", "embedding."]
    else:
        layers = [LayerSpec(classes.Embedding), LayerSpec(classes.Block),
                  LayerSpec(classes.Block), LayerSpec(classes.Head)]
        names = ["embedding.", "blocks.0.", "blocks.1.", "head."]

    def filled(start):
        """The pipeline with these weights, of which a rank has its layers' own."""
        module = PipelineModule(layers=layers, num_stages=2, loss_fn=classes.loss_of,
                                activation_checkpoint_interval=interval,
                                checkpointable_layers=["Block"], partition_method="uniform")
        for name, p in module.named_parameters():
            kind, _, rest = name.partition(".")
            if kind == "tied_modules":
                rest, prefix = rest.partition(".")[2], "embedding."
            else:
                prefix = names[int(kind)]
            p.data.copy_(start[prefix + rest])
        config = configuration(0, dtype)
        config["train_micro_batch_size_per_gpu"] = 2
        config["gradient_accumulation_steps"] = parts
        return engine_of(module, config)

    def train_pipeline(engine, steps):
        losses = []
        rank = engine.grid.get_data_parallel_rank()
        for ids, labels in batches()[steps]:
            rows = [x.chunk(pipes)[rank].split(2) for x in (ids, labels)]
            loss = engine.train_batch(iter([(a.npu(), b.npu()) for a, b in zip(*rows)]))
            losses.append(loss.item())
        return losses

    engine = filled(weights)
    assert engine.grid.get_pipe_parallel_world_size() == 2
    if saved:
        found = train_pipeline(engine, slice(0, 3))
        engine.save_checkpoint(shared_folder(), tag="three")
        engine = filled({name: 0 * weight for name, weight in weights.items()})
        engine.load_checkpoint(shared_folder(), tag="three")
        found += train_pipeline(engine, slice(3, STEPS))
    else:
        found = train_pipeline(engine, slice(0, STEPS))
    return compare(found, expected, tolerance_of(dtype))


@program("experts of one rank", 1)
@program("experts of two ranks")
@program("experts of two ranks, two each", k=2)
@program("experts of two ranks, stage 2, bf16", stage=2, dtype="bfloat16")
@program("experts of four ranks, twice", 4, k=2)
@program("experts of two ranks, checkpoint", saved=True)
def experts(k=1, stage=0, dtype="float32", saved=False):
    """Four experts, no token dropped. On the CPU every expert sees every token."""
    import deepspeed.comm as dist
    import torch
    from torch import nn
    from deepspeed.moe.layer import MoE
    from deepspeed.moe.utils import split_params_into_different_moe_groups_for_optimizer
    classes = modules()
    world = rank_and_world()[1]
    size = min(world, 2)

    def expert():
        return nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU("tanh"), nn.Linear(WIDTH, WIDTH))

    class Dense(nn.Module):
        def __init__(self):
            super().__init__()
            self.gate = nn.Linear(WIDTH, 4, bias=False)
            self.experts = nn.ModuleList(expert() for _ in range(4))

        def forward(self, x):
            gates = torch.softmax(self.gate(x.float()) if dtype == "float32" else
                                  nn.functional.linear(x.float(), self.gate.weight.float()), -1)
            values, chosen = gates.topk(k, -1)
            if k > 1:
                values = values / values.sum(-1, keepdim=True)
            weights = torch.zeros_like(gates).scatter(-1, chosen, values).to(x.dtype)
            return sum(weights[..., i:i + 1] * one(x) for i, one in enumerate(self.experts))

    class WithExperts(classes.Model):
        def __init__(self, layer):
            super().__init__()
            self.layer = layer
            self.around = self.with_experts

        def with_experts(self, block, x):
            x = block(x)
            if block is not self.blocks[0]:
                return x
            y = self.layer(x)
            return x + (y[0] if isinstance(y, tuple) else y)

    torch.manual_seed(5)
    cpu_model = WithExperts(Dense())
    weights = copy.deepcopy(cpu_model.state_dict())
    expected = train_on_cpu(cpu_model, dtype=dtype, parts=world)

    def filled(factor=1.0):
        layer = MoE(WIDTH, expert(), num_experts=4, ep_size=size, k=k, drop_tokens=False,
                    min_capacity=0, use_rts=False, top2_2nd_expert_sampling=False)
        model = WithExperts(layer)
        first = dist.get_rank() % size * (4 // size)
        for name, p in model.named_parameters():
            told = re.sub(r"deepspeed_moe\.experts\.deepspeed_experts\.(\d+)",
                          lambda m: f"experts.{first + int(m[1])}", name)
            told = told.replace("deepspeed_moe.gate.wg.", "gate.")
            p.data.copy_(factor * weights[told])
        groups = split_params_into_different_moe_groups_for_optimizer(
            {"params": list(model.parameters()), "name": "all"})
        import deepspeed
        return deepspeed.initialize(model=model, model_parameters=groups,
                                    config=configuration(stage, dtype))[0]

    engine = filled()
    if saved:
        found = train(engine, range(3))
        engine.save_checkpoint(shared_folder(), tag="three")
        engine = filled(0.0)
        engine.load_checkpoint(shared_folder(), tag="three")
        found += train(engine, range(3, STEPS))
    else:
        found = train(engine)
    return compare(found, expected, tolerance_of(dtype))


@program("sequences of two ranks (Ulysses)")
@program("sequences of two ranks, stage 3", stage=3)
@program("sequences of four ranks", 4)
@program("sequences of two ranks, bf16", dtype="bfloat16")
def sequences(stage=1, dtype="float32"):
    import torch
    from deepspeed.runtime.sequence_parallel import parallel_state_sp
    from deepspeed.sequence.layer import DistributedAttention
    rank, world = rank_and_world()
    expected = train_on_cpu(dtype=dtype)
    config = configuration(stage, dtype, sequence_parallel_size=world)
    config["train_micro_batch_size_per_gpu"] = BATCH
    parallel_state_sp.initialize_sequence_parallel(world)
    group = parallel_state_sp.get_sequence_parallel_group()

    class Local(torch.nn.Module):
        def forward(self, q, k, v, *_, **__):
            return modules().attention(q, k, v)

    model = new_model()
    for block in model.blocks:
        attend = DistributedAttention(Local(), group, scatter_idx=2, gather_idx=1)
        block.attention.attend = functools.partial(attend, batch_dim_idx=0)
    engine = engine_of(model, config, mpu=parallel_state_sp)
    losses = []
    part = LENGTH // world
    for ids, labels in batches():
        ids, labels = (x.chunk(world, 1)[rank].contiguous().npu() for x in (ids, labels))
        loss = engine(ids, labels, first=rank * part)
        engine.backward(loss)
        engine.step()
        losses.append(loss.item())
    found = mean_of_ranks(losses)
    return compare(found, expected, tolerance_of(dtype))


@program("matrices of two ranks", stage=0)
@program("matrices of two ranks, stage 2", stage=2)
def matrices(stage):
    """AutoTP in training."""
    expected = train_causal_on_cpu(small_llama())
    world = rank_and_world()[1]
    config = configuration(stage, tensor_parallel={"autotp_size": world})
    config["train_micro_batch_size_per_gpu"] = BATCH
    del config["train_batch_size"]
    engine = engine_of(small_llama(), config)
    found = []
    for ids, _ in batches():
        loss = engine(ids.npu(), labels=ids.npu()).loss
        engine.backward(loss)
        engine.step()
        found.append(loss.item())
    return compare(found, expected, FP32)


@program("Trainer, stage 2", stage=2)
@program("Trainer, stage 3", stage=3)
@program("Trainer, stage 3, offloaded", stage=3, zero={"offload_optimizer": CPU,
                                                       "offload_param": CPU})
@program("Trainer, stage 2, bf16", stage=2, dtype="bfloat16")
def trainer(stage, dtype="float32", **more):
    """transformers' Trainer with a file of DeepSpeed's configuration, with what it leaves open."""
    import torch
    from transformers import Trainer, TrainingArguments
    rank, world = rank_and_world()
    # Trainer divides by the number of all labels.
    expected = train_causal_on_cpu(small_llama(), 1.0, num_items_in_batch=BATCH * LENGTH)
    zero = configuration(stage, **more)["zero_optimization"]
    path = pathlib.Path(shared_folder(), f"{rank}.json")
    path.write_text(json.dumps({
        "train_batch_size": "auto", "train_micro_batch_size_per_gpu": "auto",
        "gradient_accumulation_steps": "auto", "gradient_clipping": "auto",
        "optimizer": {"type": "AdamW", "params": {"lr": "auto", "betas": "auto", "eps": "auto",
                                                  "weight_decay": "auto"}},
        "bf16": {"enabled": "auto"}, "zero_optimization": zero}))

    class InOrder(Trainer):
        def _get_train_sampler(self, *_):
            return torch.utils.data.SequentialSampler(self.train_dataset)

    rows = [{"input_ids": row, "labels": row} for ids, _ in batches() for row in ids]
    arguments = TrainingArguments(
        output_dir=shared_folder(), per_device_train_batch_size=BATCH // world, max_steps=STEPS,
        learning_rate=LR, weight_decay=WEIGHT_DECAY, lr_scheduler_type="constant",
        max_grad_norm=1.0, logging_steps=1, logging_nan_inf_filter=False, report_to=[],
        save_strategy="no", bf16=dtype == "bfloat16", deepspeed=str(path), disable_tqdm=True)
    with_deepspeed = InOrder(model=small_llama(), args=arguments, train_dataset=rows)
    with_deepspeed.train()
    found = [entry["loss"] for entry in with_deepspeed.state.log_history if "loss" in entry]
    with_deepspeed.save_model(f"{shared_folder()}/saved")
    # The log has four places.
    return compare(found, expected, max(tolerance_of(dtype), 2e-4))


@program("accelerate, stage 2", stage=2)
@program("accelerate, stage 3", stage=3)
@program("accelerate, stage 2, bf16, accumulation", stage=2, mixed="bf16", accumulation=2)
def accelerated(stage, mixed="no", accumulation=1):
    import torch
    from accelerate import Accelerator, DeepSpeedPlugin
    world = rank_and_world()[1]
    dtype = "bfloat16" if mixed == "bf16" else "float32"
    expected = train_on_cpu(dtype=dtype, clip=1.0, parts=world * accumulation)
    plugin = DeepSpeedPlugin(zero_stage=stage, gradient_accumulation_steps=accumulation,
                             gradient_clipping=1.0, zero3_init_flag=False)
    plugin.deepspeed_config["train_micro_batch_size_per_gpu"] = BATCH // world // accumulation
    accelerator = Accelerator(deepspeed_plugin=plugin, mixed_precision=mixed)
    assert accelerator.device.type == "npu", accelerator.device
    model = new_model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=WEIGHT_DECAY)
    model, optimizer = accelerator.prepare(model, optimizer)
    found = []
    for ids, labels in batches():
        mean = 0.0
        for x, y in zip(*(mine(t).chunk(accumulation) for t in (ids, labels))):
            with accelerator.accumulate(model):
                loss = model(x.to(accelerator.device), y.to(accelerator.device))
                accelerator.backward(loss)
                optimizer.step()
                optimizer.zero_grad()
            mean += loss.item() / accumulation
        found.append(mean)
    if stage < 3:
        assert accelerator.get_state_dict(model).keys() == new_model().state_dict().keys()
    return compare(mean_of_ranks(found), expected, tolerance_of(dtype))


@program("inference, llama", 1, model="llama")
@program("inference, gpt2", 1, model="gpt2")
@program("inference, llama, fp16", 1, model="llama", dtype="float16")
@program("inference, llama, matrices of two ranks", model="llama")
def inference(model, dtype="float32"):
    import torch
    import deepspeed
    make = {"llama": small_llama, "gpt2": small_gpt2}[model]
    world = rank_and_world()[1]
    cpu_model = make().eval()
    ids = batches()[0][0][:2, :12].clamp(min=3)
    kind = getattr(torch, dtype)
    engine = deepspeed.init_inference(make().eval(), dtype=kind,
                                      tensor_parallel={"tp_size": world})
    with torch.no_grad():
        expected = cpu_model(ids).logits
        found = engine(ids.npu())
        found = (found[0] if isinstance(found, tuple) else found.logits).float().cpu()
    far = float((found - expected).abs().max() / expected.abs().max())
    assert far <= {"float32": 1e-5, "float16": 5e-3}[dtype], f"logits: {far:.1e}"
    settings = {"max_new_tokens": 8, "do_sample": False, "attention_mask": torch.ones_like(ids)}
    words = cpu_model.generate(ids, **settings)
    settings["attention_mask"] = settings["attention_mask"].npu()
    assert torch.equal(engine.generate(ids.npu(), **settings).cpu(), words), "tokens"
    return far
