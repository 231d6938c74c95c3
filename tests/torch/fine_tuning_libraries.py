# SPDX-License-Identifier: Apache-2.0
"""Programs of fine_tuning_programs.py: torchtune, sentence-transformers, Lightning, and weights
quantised by bitsandbytes and HQQ."""

import importlib.util
import os
import re
import shutil
import sys

from fine_tuning_sides import BF16, each, numbers_of, write

TUNE_SIZES = dict(vocab_size=512, num_layers=2, num_heads=4, num_kv_heads=2, embed_dim=64,
                  max_seq_len=512, intermediate_dim=128)
TUNE_FULL = {"_component_": "torchtune.models.llama2.llama2", **TUNE_SIZES}
TUNE_LORA = {"_component_": "torchtune.models.llama2.lora_llama2", "lora_rank": 4, "lora_alpha": 8,
             "lora_attn_modules": ["q_proj", "v_proj", "output_proj"], "apply_lora_to_mlp": True,
             **TUNE_SIZES}
FINETUNE = "full_finetune_single_device FullFinetuneRecipeSingleDevice"
ADAPT = "lora_finetune_single_device LoRAFinetuneRecipeSingleDevice"
TUNE = {
    "full": {"recipe": FINETUNE}, "full bf16": ({"recipe": FINETUNE, "dtype": "bf16"}, BF16),
    "full, optimizer in backward": {"recipe": FINETUNE, "optimizer_in_bwd": True,
                                    "clip_grad_norm": None},
    "adapters": {"recipe": ADAPT, "model": TUNE_LORA},
    "dora": {"recipe": ADAPT, "model": {"use_dora": True, **TUNE_LORA}},
    "dpo": {"recipe": "lora_dpo_single_device LoRADPORecipeSingleDevice", "model": TUNE_LORA,
            "pairs": True},
}


def tune_checkpoint(side):
    import torch
    from torchtune.models.llama2 import llama2
    os.makedirs(side.path("tune"), exist_ok=True)
    if not os.path.exists(side.path("tune/model.pt")):
        import sentencepiece
        with open(side.path("tune.txt"), "w") as file:
            file.write("\n".join(x["text"] for x in side.data("text") * 5))
        sentencepiece.SentencePieceTrainer.train(
            input=side.path("tune.txt"), model_prefix=side.path("tune"), vocab_size=300,
            model_type="bpe", hard_vocab_limit=False, byte_fallback=True, minloglevel=2)
        torch.manual_seed(0)
        torch.save(llama2(**TUNE_SIZES).state_dict(), side.path("tune/model.pt"))
    chats = []
    for pair in side.data("pairs"):
        asked = {"role": "user", "content": pair["conversations"][0]["value"]}
        chats.append({kind: [asked, {"role": "assistant", "content": pair[kind]["value"]}]
                      for kind in ("chosen", "rejected")})
    write(side.folder, "chats", chats)


@each("torchtune", TUNE)
def torchtune(side, recipe, pairs=False, **settings):
    from omegaconf import OmegaConf
    tune_checkpoint(side)
    os.makedirs(side.out)
    data = {"_component_": "torchtune.datasets.alpaca_dataset", "source": "json",
            "data_files": side.path("sft.json"), "split": "train"}
    if pairs:
        data.update(_component_="torchtune.datasets.preference_dataset",
                    data_files=side.path("chats.json"),
                    column_map={"chosen": "chosen", "rejected": "rejected"})
    loss = {"_component_": "torchtune.rlhf.loss.DPOLoss"} if pairs else \
        {"_component_": "torchtune.modules.loss.CEWithChunkedOutputLoss"}
    config = OmegaConf.create({
        "output_dir": side.out, "device": side.device, "dtype": "fp32", "seed": 7, "shuffle": True,
        "tokenizer": {"_component_": "torchtune.models.llama2.llama2_tokenizer",
                      "path": side.path("tune.model"), "max_seq_len": 128},
        "dataset": data, "batch_size": 4, "epochs": 1, "max_steps_per_epoch": 4,
        "gradient_accumulation_steps": 1, "clip_grad_norm": 1.0, "compile": False,
        "model": TUNE_FULL, "resume_from_checkpoint": False, "loss": loss,
        "checkpointer": {"_component_": "torchtune.training.FullModelTorchTuneCheckpointer",
                         "checkpoint_dir": side.path("tune"), "checkpoint_files": ["model.pt"],
                         "recipe_checkpoint": None, "output_dir": side.out,
                         "model_type": "LLAMA2"},
        "optimizer": {"_component_": "torch.optim.AdamW", "lr": 1e-3},
        "lr_scheduler": {
            "_component_": "torchtune.training.lr_schedulers.get_cosine_schedule_with_warmup",
            "num_warmup_steps": 2},
        "optimizer_in_bwd": False, "enable_activation_checkpointing": True,
        "enable_activation_offloading": False, "log_every_n_steps": 1,
        "metric_logger": {"_component_": "torchtune.training.metric_logging.DiskLogger",
                          "log_dir": side.path("out/logs_" + side.device)},
        "log_peak_memory_stats": side.npu, "save_adapter_weights_only": False, **settings})
    # The recipes are files beside the package, which forbids to import them as a package.
    of = importlib.util.find_spec("torchtune").submodule_search_locations[0]
    sys.path.insert(0, os.path.join(os.path.dirname(of), "recipes"))
    module, name = recipe.split()
    run = getattr(importlib.import_module(module), name)(cfg=config)
    run.setup(cfg=config)
    run.train()
    run.cleanup()
    logs = side.path("out/logs_" + side.device)
    text = ""
    for entry in os.scandir(logs):
        with open(entry) as file:
            text += file.read()
    shutil.rmtree(logs)
    return {kind: [float(x) for x in re.findall(kind + r":(-?[\d.e-]+)", text)]
            for kind in ("loss", "grad_norm", "log_probs/chosen")}


SENTENCES = {
    "MultipleNegativesRankingLoss": {}, "TripletLoss": {"third": "negative"},
    "CoSENTLoss": {"third": "score"},
}


def embedder(side):
    import torch
    import transformers
    from sentence_transformers import SentenceTransformer, models
    torch.manual_seed(0)
    bert = transformers.BertModel(transformers.BertConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
        vocab_size=512, hidden_dropout_prob=0, attention_probs_dropout_prob=0))
    bert.save_pretrained(side.out)
    side.tokenizer().save_pretrained(side.out)
    words = models.Transformer(side.out, max_seq_length=32)
    return SentenceTransformer(modules=[words, models.Pooling(32)], device=side.device)


@each("sentence-transformers", {name: {"loss": name, **settings}
                                for name, settings in SENTENCES.items()},
      needs="sentence_transformers")
def sentences(side, loss, third=None, **of_loss):
    import sentence_transformers as library
    from datasets import Dataset
    data = side.data("sft")
    columns = {"anchor": [x["instruction"] for x in data], "positive": [x["output"] for x in data]}
    if third == "negative":
        columns[third] = columns["positive"][::-1]
    elif third:
        columns[third] = [i % 5 / 5 for i in range(len(data))]
    model = embedder(side)
    of = library.SentenceTransformerTrainer(
        model=model, train_dataset=Dataset.from_dict(columns),
        loss=getattr(library.losses, loss)(model, **of_loss),
        args=library.SentenceTransformerTrainingArguments(
            output_dir=side.out, per_device_train_batch_size=4, max_steps=4, logging_steps=1,
            report_to=[], save_strategy="no", disable_tqdm=True, use_cpu=not side.npu,
            learning_rate=1e-3, optim="adamw_torch"))
    of.train()
    assert of.args.device.type == side.device
    codes = model.encode(columns["anchor"][:4], convert_to_tensor=True)
    likeness = library.util.cos_sim(codes, codes).flatten().tolist()
    return {**numbers_of(of.state.log_history), "likeness": likeness}


@each("lightning", {"32-true": {"precision": "32-true"},
                    "bf16-mixed": ({"precision": "bf16-mixed"}, BF16)})
def lightning(side, precision):
    import lightning
    import torch
    from lightning.pytorch.accelerators import Accelerator
    from lightning.pytorch.strategies import SingleDeviceStrategy

    class Npu(Accelerator):
        """A custom accelerator as Lightning's documentation has it."""

        def setup_device(self, device):
            torch.npu.set_device(device)

        def teardown(self):
            torch.npu.empty_cache()

        @staticmethod
        def parse_devices(devices):
            return devices

        @staticmethod
        def get_parallel_devices(devices):
            return [torch.device("npu", i) for i in range(devices)]

        @staticmethod
        def auto_device_count():
            return torch.npu.device_count()

        @staticmethod
        def is_available():
            return torch.npu.is_available()

        @staticmethod
        def name():
            return "npu"

    class Module(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.net, self.losses = side.model(), []

        def training_step(self, words, _):
            loss = self.net(input_ids=words, labels=words).loss
            self.losses.append(loss.item())
            return loss

        def validation_step(self, words, _):
            self.log("valid", self.net(input_ids=words, labels=words).loss)

        def configure_optimizers(self):
            return torch.optim.AdamW(self.parameters(), 1e-3)

    words = torch.utils.data.DataLoader(torch.randint(3, 500, (24, 16)), batch_size=4)
    where = {"accelerator": "cpu"}
    if side.npu:
        npu = Npu()
        where = {"devices": 1, "strategy": SingleDeviceStrategy(torch.device("npu:0"), npu)}
    of = lightning.Trainer(max_epochs=2, precision=precision, logger=False, gradient_clip_val=1.0,
                           default_root_dir=side.out, accumulate_grad_batches=2,
                           enable_progress_bar=False, **where)
    module = Module()
    of.fit(module, words, words)
    of.save_checkpoint(f"{side.out}/kept.ckpt")
    valid = of.validate(module, words, verbose=False, ckpt_path=f"{side.out}/kept.ckpt")
    return {"loss": module.losses, "valid": [valid[0]["valid"]]}


BNB = {"nf4": {"load_in_4bit": True, "bnb_4bit_quant_type": "nf4"},
       "fp4, twice": {"load_in_4bit": True, "bnb_4bit_quant_type": "fp4",
                      "bnb_4bit_use_double_quant": True}}


def last_logits(side, config):
    import torch
    model = side.model(quantization_config=config, device_map=side.device,
                       torch_dtype=torch.float32)
    words = side.tokenizer()("the quick brown fox", return_tensors="pt").to(side.device)
    return {"logits": model(**words).logits[0, -1].float().tolist()}


@each("bitsandbytes", BNB, 1e-3)
def four_bits(side, **settings):
    import torch
    from transformers import BitsAndBytesConfig
    return last_logits(side, BitsAndBytesConfig(bnb_4bit_compute_dtype=torch.float32, **settings))


@each("bitsandbytes", {"int8": {"outliers": False}, "int8 with outliers": {"outliers": True}},
      2e-2)
def eight_bits(side, outliers):
    """Against exact products: on the CPU the library rounds weights alone, here activations too,
    each to 1/254 of the largest in a row.

    Without outliers it sets `codes[:, empty index] = 0`.
    """
    import bitsandbytes
    import torch
    weights, x = torch.randn(32, 64), torch.randn(5, 64)
    if outliers:
        x[:, 3] = 8
    layer = bitsandbytes.nn.Linear8bitLt(64, 32, bias=False, has_fp16_weights=False, threshold=6.0)
    layer.weight = bitsandbytes.nn.Int8Params(weights.clone(), has_fp16_weights=False,
                                              requires_grad=False)
    exact = x @ weights.T
    result = layer.to(side.device)(x.to(side.device)) if side.npu else exact
    return {"products": result.flatten().tolist()}


@each("hqq", {"4 bits": {"nbits": 4, "group_size": 32}, "8 bits": {"nbits": 8, "group_size": 64}},
      1e-3)
def half_quadratic(side, **settings):
    from transformers import HqqConfig
    return last_logits(side, HqqConfig(**settings))
