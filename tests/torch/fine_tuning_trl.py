# SPDX-License-Identifier: Apache-2.0
"""Programs of fine_tuning_programs.py: trl, peft and LLaMA-Factory."""

import json
import os
import sys

from fine_tuning_sides import BF16, FP16, each, numbers_of

MASKLESS = {"flash": True, "padding_free": True, "bf16": True}
TRL_SFT = {
    "full": {}, "adapters": {"adapters": True}, "bf16": ({"bf16": True}, BF16),
    "fp16": ({"fp16": True}, FP16), "checkpointing": {"gradient_checkpointing": True},
    "no padding, flash attention": (MASKLESS, BF16), "dft loss": {"loss_type": "dft"},
    "fused optimizer": {"optim": "adamw_torch_fused"},
    "evaluation": {"eval_strategy": "steps", "eval_steps": 2},
}
TRL_PAIRS = {
    f"DPO {loss}": {"trainer": "DPO", "loss_type": loss}
    for loss in ("sigmoid", "hinge", "ipo", "aot", "apo_zero")
} | {
    "DPO adapters": {"trainer": "DPO", "adapters": True},
    "ORPO": {"trainer": "ORPO", "max_length": 64, "max_prompt_length": 32},
    "CPO": {"trainer": "CPO", "max_length": 64, "max_prompt_length": 32},
    "reward": {"trainer": "Reward", "judge": True},
    "KTO": {"trainer": "KTO"},
}
GENERATIONS = {"num_generations": 4, "max_completion_length": 8, "max_prompt_length": 32}
TRL_GENERATING = {
    "GRPO": {"trainer": "GRPO", **GENERATIONS},
    "GRPO beta, adapters": {"trainer": "GRPO", "beta": 0.04, "adapters": True, **GENERATIONS},
    "GRPO by a model": {"trainer": "GRPO", "by_model": True, **GENERATIONS},
    "RLOO": {"trainer": "RLOO", **GENERATIONS},
}


def trl_trained(side, trainer, data, model=None, adapters=False, evaluated=False, rewards=None,
                **settings):
    import peft
    import trl
    from datasets import Dataset
    arguments = getattr(trl, trainer + "Config")(**{
        "output_dir": side.out, "per_device_train_batch_size": 4, "max_steps": 4,
        "logging_steps": 1, "learning_rate": 1e-3, "report_to": [], "save_strategy": "no",
        "disable_tqdm": True, "seed": 7, "optim": "adamw_torch", "bf16": False,
        "gradient_checkpointing": False, "use_cpu": not side.npu, **settings})
    data = Dataset.from_list(data)
    more = {"eval_dataset": data} if evaluated else {}
    if rewards:
        more["reward_funcs"] = rewards
    if adapters:
        more["peft_config"] = peft.LoraConfig(r=4, target_modules=["q_proj", "v_proj"],
                                              task_type="CAUSAL_LM")
    of = getattr(trl, trainer + "Trainer")(
        model=model or side.model(), args=arguments, train_dataset=data,
        processing_class=side.tokenizer(), **more)
    of.train()
    assert of.args.device.type == side.device
    return numbers_of(of.state.log_history)


@each("trl SFT", TRL_SFT, needs="trl")
def trl_sft(side, flash=False, padding_free=False, **settings):
    data = [{"prompt": [{"role": "user", "content": x["instruction"]}],
             "completion": [{"role": "assistant", "content": x["output"]}]}
            for x in side.data("sft")]
    attention = "flash_attention_2" if flash and side.npu else "eager"
    model = side.model(attn_implementation=attention) if flash else None
    return trl_trained(side, "SFT", data, model=model, max_length=64,
                       padding_free=padding_free and side.npu,
                       evaluated="eval_strategy" in settings, **settings)


@each("trl", TRL_PAIRS)
def trl_pairs(side, trainer, judge=False, **settings):
    if trainer == "KTO":
        data = [{"prompt": x["messages"][0]["content"], "label": x["label"],
                 "completion": " " + x["messages"][1]["content"]} for x in side.data("labelled")]
    else:
        data = [{"prompt": x["conversations"][0]["value"], "chosen": " " + x["chosen"]["value"],
                 "rejected": " " + x["rejected"]["value"]} for x in side.data("pairs")]
    model = side.model("judge", "AutoModelForSequenceClassification") if judge else None
    return trl_trained(side, trainer, data, model=model, **settings)


def variety(completions, **_):
    return [len(set(text)) / 10 for text in completions]


@each("trl", TRL_GENERATING)
def trl_generating(side, trainer, by_model=False, **settings):
    rewards = side.model("judge", "AutoModelForSequenceClassification") if by_model else variety
    data = [{"prompt": x["instruction"]} for x in side.data("sft")[:16]]
    return trl_trained(side, trainer, data, rewards=rewards, **settings)


@each("peft", {"saved, resumed, merged, generating": {}}, needs="trl")
def resumed(side):
    import peft
    import torch
    import trl
    from datasets import Dataset

    def trainer():
        return trl.SFTTrainer(
            model=side.model(), train_dataset=Dataset.from_list(side.data("text")),
            processing_class=side.tokenizer(),
            peft_config=peft.LoraConfig(r=4, target_modules=["q_proj", "v_proj"],
                                        task_type="CAUSAL_LM"),
            args=trl.SFTConfig(output_dir=side.out, per_device_train_batch_size=4, max_steps=4,
                               logging_steps=1, learning_rate=1e-3, report_to=[], save_steps=2,
                               bf16=False, optim="adamw_torch", use_cpu=not side.npu,
                               disable_tqdm=True, max_length=64))
    whole, second = trainer(), trainer()
    whole.train()
    second.train(resume_from_checkpoint=f"{side.out}/checkpoint-2")
    first, again = (numbers_of(t.state.log_history)["loss"] for t in (whole, second))
    assert first == again, f"resumed: {again}, expected {first}"
    model = peft.AutoPeftModelForCausalLM.from_pretrained(f"{side.out}/checkpoint-4")
    model = model.to(side.device).eval()
    words = side.tokenizer()("the quick brown fox", return_tensors="pt").to(side.device)
    logits = model(**words).logits
    tokens = model.generate(**words, max_new_tokens=12, do_sample=False)
    merged = model.merge_and_unload()
    assert torch.allclose(merged(**words).logits, logits, atol=1e-4)
    again = merged.generate(**words, max_new_tokens=12, do_sample=False)
    assert torch.equal(tokens, again)
    return {"loss": first, "tokens": tokens[0].tolist(), "logits": logits[0, -1].tolist()}


FULL = {"finetuning_type": "full"}
PAIRS = {"stage": "dpo", "dataset": "pairs"}
LF = {
    "adapters": {}, "adapters bf16": ({"bf16": True}, BF16),
    "adapters fp16": ({"fp16": True, "optim": "adamw_torch"}, FP16),
    "full": FULL, "full bf16": ({**FULL, "bf16": True}, BF16),
    "frozen layers": {"finetuning_type": "freeze", "freeze_trainable_layers": 1},
    "packed": {**FULL, "packing": True},
    "flash attention": ({**FULL, "flash_attn": "fa2", "bf16": True}, BF16),
    "neatly packed, flash attention": (
        {**FULL, "neat_packing": True, "flash_attn": "fa2", "bf16": True,
         "per_device_train_batch_size": 1}, BF16),
    "neatly packed": ({**FULL, "neat_packing": True, "flash_attn": "sdpa", "bf16": True}, BF16),
    "dora": {"use_dora": True}, "rslora, lora+": {"use_rslora": True, "loraplus_lr_ratio": 16.0},
    "oft": {"finetuning_type": "oft", "oft_block_size": 8, "oft_rank": 0,
            "oft_target": "q_proj,v_proj"},
    "muon": {**FULL, "use_muon": True}, "dft loss": {"use_dft_loss": True},
    "evaluation": {"val_size": 0.2, "eval_strategy": "steps", "eval_steps": 2,
                   "compute_accuracy": True},
    "gemma2": {"model": "gemma2", **FULL}, "qwen3moe": {"model": "qwen3moe", **FULL},
    "fused kernels, qwen3": {"model": "qwen3", "use_v1_kernels": True, **FULL},
    "fused kernels, qwen3 bf16": (
        {"model": "qwen3", "use_v1_kernels": True, "bf16": True, "flash_attn": "fa2", **FULL},
        BF16),
    "fused kernels, qwen3moe": {"model": "qwen3moe", "use_v1_kernels": True, **FULL},
    "pretraining": {"stage": "pt", "dataset": "text", **FULL},
    "dpo": PAIRS, "orpo": {**PAIRS, "pref_loss": "orpo"}, "simpo": {**PAIRS, "pref_loss": "simpo"},
    "kto": {"stage": "kto", "dataset": "labelled"}, "reward": {"stage": "rm", "dataset": "pairs"},
}


@each("LLaMA-Factory", LF, needs="llamafactory")
def llama_factory(side, model="qwen2", **settings):
    sys.path.insert(0, os.path.join(os.environ["LLAMA_FACTORY"], "src"))
    from llamafactory.train.tuner import run_exp
    run_exp({
        "model_name_or_path": side.path(model), "dataset_dir": side.folder, "dataset": "sft",
        "template": "qwen", "cutoff_len": 128, "do_train": True, "stage": "sft", "max_steps": 4,
        "per_device_train_batch_size": 4, "learning_rate": 1e-3, "logging_steps": 1,
        "report_to": "none", "save_strategy": "no", "overwrite_output_dir": True,
        "overwrite_cache": True, "seed": 7, "preprocessing_num_workers": 1,
        "finetuning_type": "lora", "lora_rank": 4, "lora_target": "all", "disable_tqdm": True,
        "output_dir": side.out, "use_cpu": not side.npu, **settings})
    with open(f"{side.out}/trainer_state.json") as file:
        return numbers_of(json.load(file)["log_history"])
