# SPDX-License-Identifier: Apache-2.0
"""Programs of deepspeed_programs.py: optimizers, stages of ZeRO, types, what is offloaded, and
checkpoints."""

import pathlib
import subprocess
import sys

from deepspeed_engine import (CPU, OVERLAP, configuration, engine_of, optimizer_name, other_model,
                              program, rank_and_world, shared_folder, tolerance_of, train)
from deepspeed_reference import (BF16, FP16, FP32, LION, LR, STEPS, batches, compare,
                                 modules, new_model, optimizer_of, train_on_cpu)


@program("one rank", 1)
@program("stage 0")
@program("stage 0, clipped", clip=0.3)
@program("stage 0, accumulation", accumulation=2)
@program("stage 0, bf16", dtype="bfloat16")
@program("stage 0, fp16", dtype="float16")
@program("stage 1", stage=1)
@program("stage 1, overlap", stage=1, zero=OVERLAP)
@program("stage 1, bf16", stage=1, dtype="bfloat16")
@program("stage 1, fp16", stage=1, dtype="float16")
@program("stage 1, bf16, clipped, accumulation", stage=1, dtype="bfloat16", clip=0.3,
         accumulation=2)
@program("stage 2", stage=2)
@program("stage 2, overlap", stage=2, zero=OVERLAP)
@program("stage 2, no reduce-scatter", stage=2, zero={"reduce_scatter": False})
@program("stage 2, round robin", stage=2, zero={"round_robin_gradients": True})
@program("stage 2, bf16", stage=2, dtype="bfloat16")
@program("stage 2, fp16", stage=2, dtype="float16")
@program("stage 2, clipped, accumulation", stage=2, clip=0.3, accumulation=2)
@program("stage 2, offloaded optimizer", stage=2, zero={"offload_optimizer": CPU},
         inner="DeepSpeedCPUAdam")
@program("stage 2, offloaded optimizer, bf16", stage=2, zero={"offload_optimizer": CPU},
         dtype="bfloat16", inner="DeepSpeedCPUAdam")
@program("stage 2, offloaded optimizer, fp16", stage=2, zero={"offload_optimizer": CPU},
         dtype="float16", inner="DeepSpeedCPUAdam")
@program("stage 2, offloaded optimizer, clipped, accumulation", stage=2, clip=0.3, accumulation=2,
         zero={"offload_optimizer": CPU})
@program("stage 2, offloaded Adagrad", stage=2, optimizer="Adagrad",
         zero={"offload_optimizer": CPU}, inner="DeepSpeedCPUAdagrad")
@program("stage 2, offloaded Lion", stage=2, optimizer="Lion", zero={"offload_optimizer": CPU},
         inner="DeepSpeedCPULion", tolerance=LION)
@program("stage 3", stage=3)
@program("stage 3, overlap", stage=3, zero=OVERLAP)
@program("stage 3, four ranks", 4, stage=3)
@program("stage 3, bf16", stage=3, dtype="bfloat16")
@program("stage 3, fp16", stage=3, dtype="float16")
@program("stage 3, clipped, accumulation", stage=3, clip=0.3, accumulation=2)
@program("stage 3, offloaded optimizer", stage=3, zero={"offload_optimizer": CPU})
@program("stage 3, offloaded optimizer and parameters", stage=3,
         zero={"offload_optimizer": CPU, "offload_param": CPU})
@program("stage 3, offloaded optimizer and parameters, bf16", stage=3, dtype="bfloat16",
         zero={"offload_optimizer": CPU, "offload_param": CPU})
@program("stage 3, half of the optimizer offloaded", stage=3,
         zero={"offload_optimizer": CPU | {"ratio": 0.5}})
@program("stage 3, second copies of parameters", 4, stage=3, zero={"zero_hpz_partition_size": 2})
@program("stage 3, quantised weights", stage=3, dtype="float16", tolerance=0.1,
         zero={"zero_quantized_weights": True})
@program("stage 3, quantised gradients", 4, stage=3, dtype="float16", tolerance=0.1,
         zero={"zero_quantized_gradients": True})
@program("fused Lion", stage=1, optimizer="Lion", inner="FusedLion", tolerance=LION)
@program("fused Lamb", optimizer="Lamb", inner="FusedLamb")
@program("prescaled gradients", prescale_gradients=True)
@program("sums of bf16 in fp32", stage=1, dtype="bfloat16", communication_data_type="fp32")
@program("timers", stage=2, wall_clock_breakdown=True, memory_breakdown=True,
         comms_logger={"enabled": True, "verbose": False, "prof_all": True})
@program("profiler of operations", flops_profiler={"enabled": True, "profile_step": 2})
def training(stage=0, dtype="float32", clip=0.0, accumulation=1, optimizer="AdamW",
             inner="FusedAdam", tolerance=None, **more):
    world = rank_and_world()[1]
    # Without ZeRO DeepSpeed makes the states of an optimizer of 16 bits by a step.
    expected = train_on_cpu(dtype=dtype, clip=clip, parts=world * accumulation,
                            optimizer=optimizer, scale=128.0 if dtype == "float16" else 1.0,
                            step_of_zeros=stage == 0 and dtype != "float32")
    config = configuration(stage, dtype, optimizer, accumulation, gradient_clipping=clip, **more)
    engine = engine_of(new_model(), config)
    found = train(engine)
    if "offload_optimizer" not in more.get("zero", {}) or inner != "FusedAdam":
        assert optimizer_name(engine) == inner, optimizer_name(engine)
    return compare(found, expected, tolerance or tolerance_of(dtype))


@program("PyTorch's AdamW", stage=1)
@program("PyTorch's SGD", stage=2, name="SGD")
@program("PyTorch's SGD, stage 3", stage=3, name="SGD")
def own_optimizer(stage, name="AdamW"):
    expected = train_on_cpu(optimizer=name)
    model = new_model()
    config = configuration(stage)
    del config["optimizer"]
    config["zero_allow_untested_optimizer"] = True
    engine = engine_of(model, config, optimizer=optimizer_of(name, model.parameters()))
    return compare(train(engine), expected, FP32)


@program("dynamic loss scale, stage 1", stage=1)
@program("dynamic loss scale, stage 2", stage=2)
@program("dynamic loss scale, stage 3", stage=3)
@program("dynamic loss scale, offloaded optimizer", stage=2, zero={"offload_optimizer": CPU})
def dynamic_loss_scale(stage, **more):
    """Starts with a scale by which fp16's gradients overflow."""
    scale = {"loss_scale": 0, "initial_scale_power": 22, "hysteresis": 1}
    engine = engine_of(new_model(), configuration(stage, "float16", fp16=scale, **more))
    found, skipped = [], []
    for step in range(STEPS):
        found += train(engine, [step])
        if engine.skipped_steps > len(skipped):
            skipped.append(step)
    assert skipped, "no step skipped"
    expected = train_on_cpu(dtype="float16", scale=2.0**22, skipped=skipped, parts=2)
    left = engine.optimizer.loss_scale
    assert left == 2.0**(22 - len(skipped)), f"scale {left} after {len(skipped)} skipped steps"
    return compare(found, expected, FP16)


@program("autocast of PyTorch, bf16", stage=1)
@program("autocast of PyTorch, bf16, stage 3", stage=3)
def autocast(stage):
    expected = train_on_cpu(autocast="bfloat16")
    config = configuration(stage, torch_autocast={"enabled": True, "dtype": "bfloat16"})
    return compare(train(engine_of(new_model(), config)), expected, BF16)


@program("schedule of the rate", stage=2)
def schedule(stage):
    parameters = {"warmup_min_lr": 0.0, "warmup_max_lr": LR, "warmup_num_steps": 4,
                  "warmup_type": "linear", "total_num_steps": 12}
    config = configuration(stage, scheduler={"type": "WarmupDecayLR", "params": parameters})
    # The first two steps have the first rate.
    expected = train_on_cpu(schedule=lambda step: LR * max(step - 1, 0) / 4)
    return compare(train(engine_of(new_model(), config)), expected, FP32)


@program("parameters made in parts", stage=3)
@program("parameters made in parts, offloaded", zero={"offload_param": CPU,
                                                      "offload_optimizer": CPU})
def made_in_parts(**more):
    """zero.Init: no rank ever has the whole model."""
    import deepspeed
    import torch
    expected = train_on_cpu()
    config = configuration(3, zero=more.get("zero", {}))
    weights = new_model().state_dict()
    with deepspeed.zero.Init(config_dict_or_path=config):
        model = modules().Model()
    for name, p in model.named_parameters():
        with deepspeed.zero.GatheredParameters(p, modifier_rank=0):
            if rank_and_world()[0] == 0:
                p.data.copy_(weights[name])
    assert all(p.numel() == 0 for p in model.parameters()), "whole parameters"
    engine = engine_of(model, config)
    far = compare(train(engine), expected, FP32)
    from deepspeed.utils import safe_get_full_fp32_param, safe_get_full_optimizer_state
    for p in engine.module.parameters():
        whole = safe_get_full_fp32_param(p)
        with deepspeed.zero.GatheredParameters(p):
            assert torch.equal(whole.cpu(), p.data.cpu()), "parts of a parameter"
        assert safe_get_full_optimizer_state(p, "exp_avg").shape == whole.shape
    return far


@program("states that leave the device", stage=3)
def offloaded_states(stage):
    import torch
    expected = train_on_cpu()
    engine = engine_of(new_model(), configuration(stage))
    found = train(engine, range(3))
    before = torch.npu.memory_allocated()
    engine.offload_states()
    assert torch.npu.memory_allocated() < before
    engine.reload_states()
    found += train(engine, range(3, STEPS))
    return compare(found, expected, FP32)


@program("checkpoint, stage 0", stage=0)
@program("checkpoint, stage 1", stage=1)
@program("checkpoint, stage 2, bf16", stage=2, dtype="bfloat16")
@program("checkpoint, stage 2, offloaded optimizer", stage=2, zero={"offload_optimizer": CPU})
@program("checkpoint, stage 3", stage=3)
@program("checkpoint, stage 3, offloaded", stage=3, zero={"offload_optimizer": CPU,
                                                          "offload_param": CPU})
def checkpoint(stage, dtype="float32", **more):
    import torch
    from deepspeed.utils import safe_get_full_fp32_param
    expected = train_on_cpu(dtype=dtype, parts=2)
    config = configuration(stage, dtype, **more)
    engine = engine_of(new_model(), config)
    found = train(engine, range(3))
    engine.save_checkpoint(shared_folder(), tag="three", client_state={"step": 3})
    whole = {name: (safe_get_full_fp32_param(p) if stage else p).detach().float().cpu()
             for name, p in engine.module.named_parameters()}
    engine.destroy()
    engine = engine_of(other_model(), config)
    path, state = engine.load_checkpoint(shared_folder(), tag="three")
    assert path and state["step"] == 3, (path, state)
    found += train(engine, range(3, STEPS))
    if stage and rank_and_world()[0] == 0:
        from deepspeed.utils import zero_to_fp32
        weights = zero_to_fp32.get_fp32_state_dict_from_zero_checkpoint(shared_folder(), "three")
        for name, p in whole.items():
            assert torch.equal(weights[name], p), f"zero_to_fp32: {name}"
    return compare(found, expected, tolerance_of(dtype))


@program("weights of 16 bits, stage 3")
def weights_of_16_bits():
    import torch
    expected = train_on_cpu(dtype="bfloat16", parts=2)[2]
    config = configuration(3, "bfloat16", zero={"stage3_gather_16bit_weights_on_model_save": True})
    engine = engine_of(new_model(), config)
    train(engine, range(2))
    engine.save_16bit_model(shared_folder(), "weights.bin")
    if rank_and_world()[0] == 0:
        weights = torch.load(pathlib.Path(shared_folder(), "weights.bin"))
        model = modules().Model().bfloat16()
        model.load_state_dict(weights)
        return compare([model(*batches()[2]).item()], [expected], BF16, falls=False)


def universal(stage, dtype="float32", to=None):
    """What two ranks saved, in DeepSpeed's form for any number of ranks, others read."""
    expected = train_on_cpu()
    rank, world = rank_and_world()
    made = pathlib.Path(shared_folder()).parent / f"universal, saved by two, stage {stage}"
    config = configuration(stage if to is None else to, dtype)
    if world == 2 and to is None:
        import deepspeed.comm as dist
        engine = engine_of(new_model(), config)
        found = train(engine, range(3))
        engine.save_checkpoint(shared_folder(), tag="three")
        dist.barrier()
        if rank == 0:
            from deepspeed.checkpoint import ds_to_universal
            arguments = ["--input_folder", f"{shared_folder()}/three", "--output_folder",
                         f"{shared_folder()}/universal", "--num_extract_workers", "1",
                         "--num_merge_workers", "1", "--inject_missing_state"]
            subprocess.run([sys.executable, ds_to_universal.__file__, *arguments], check=True,
                           timeout=200, stdout=subprocess.DEVNULL)
            pathlib.Path(shared_folder(), "latest_universal").write_text("universal")
        return compare(found, expected[:3], FP32)
    config["checkpoint"] = {"load_universal": True}
    engine = engine_of(other_model(), config)
    engine.load_checkpoint(str(made), tag="universal")
    return compare(train(engine, range(3, STEPS)), expected[3:], FP32)


for _stage in (1, 3):
    program(f"universal, saved by two, stage {_stage}", stage=_stage)(universal)
    for _ranks in (1, 4):
        program(f"universal, read by {_ranks}, stage {_stage}", _ranks, stage=_stage,
                to=_stage)(universal)
program("universal, saved in stage 1, read in stage 2", stage=1, to=2)(universal)
