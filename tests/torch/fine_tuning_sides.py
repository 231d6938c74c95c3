# SPDX-License-Identifier: Apache-2.0
"""The table of fine_tuning_programs.py, and what both sides of a comparison start with: data,
models, a device and a folder."""

import importlib.util
import json
import os
import random

PROGRAMS = {}  # name -> (function, tolerance)
FP32, FP16, BF16 = 1e-4, 1e-3, 4e-3
WORDS = ("the a quick brown fox jumps over lazy dog red green blue river mountain sings runs eats "
         "sees loves big small old young house tree cat bird fish sun moon star").split()
SIZES = dict(hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
             num_key_value_heads=2, vocab_size=512, max_position_embeddings=512,
             bos_token_id=None, eos_token_id=2, pad_token_id=0)


def available(name):
    if name == "llamafactory":
        return os.path.isdir(os.path.join(os.environ.get("LLAMA_FACTORY", "/none"), "src"))
    return importlib.util.find_spec(name) is not None


def each(library, cases, tolerance=FP32, needs=None):
    """Adds a program for each entry of a table: name -> settings, or (settings, tolerance)."""
    def add(function):
        for case, settings in cases.items():
            own = tolerance
            if isinstance(settings, tuple):
                settings, own = settings
            PROGRAMS[f"{library} {case}"] = function, settings, own, needs or library
        return function
    return add


def sentence(length):
    return " ".join(random.choice(WORDS) for _ in range(length))


def make_data(folder):
    random.seed(0)
    write(folder, "sft", [{"instruction": sentence(random.randint(3, 12)), "input": "",
                           "output": sentence(random.randint(2, 14))} for _ in range(48)])
    write(folder, "text", [{"text": sentence(40)} for _ in range(48)])
    write(folder, "pairs", [
        {"conversations": [{"from": "human", "value": sentence(6)}],
         "chosen": {"from": "gpt", "value": sentence(random.randint(3, 9))},
         "rejected": {"from": "gpt", "value": sentence(random.randint(3, 9))}} for _ in range(32)])
    write(folder, "labelled", [
        {"messages": [{"role": "user", "content": sentence(6)},
                      {"role": "assistant", "content": sentence(5)}],
         "label": bool(i % 2)} for i in range(32)])
    tags = {"role_tag": "role", "content_tag": "content", "user_tag": "user",
            "assistant_tag": "assistant"}
    write(folder, "dataset_info", {
        "sft": {"file_name": "sft.json"},
        "text": {"file_name": "text.json", "columns": {"prompt": "text"}},
        "pairs": {"file_name": "pairs.json", "ranking": True, "formatting": "sharegpt",
                  "columns": {"messages": "conversations", "chosen": "chosen",
                              "rejected": "rejected"}},
        "labelled": {"file_name": "labelled.json", "formatting": "sharegpt", "tags": tags,
                     "columns": {"messages": "messages", "kto_tag": "label"}}})


def write(folder, name, what):
    with open(f"{folder}/{name}.json", "w") as file:
        json.dump(what, file)


def read(folder, name):
    with open(f"{folder}/{name}.json") as file:
        return json.load(file)


def make_models(folder):
    import torch
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    words = Tokenizer(models.BPE())
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = decoders.ByteLevel()
    words.train_from_iterator(
        [x["text"] for x in read(folder, "text")] + ["system user assistant"],
        trainers.BpeTrainer(vocab_size=509, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
                            special_tokens=["<|endoftext|>", "<|im_start|>", "<|im_end|>"]))
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, eos_token="<|im_end|>", pad_token="<|endoftext|>",
        padding_side="left", model_max_length=512,
        model_input_names=["input_ids", "attention_mask"])
    tokenizer.chat_template = (
        "{% for m in messages %}{{'<|im_start|>' + m['role'] + '\n' + m['content'] + "
        "'<|im_end|>' + '\n'}}{% endfor %}"
        "{% if add_generation_prompt %}{{'<|im_start|>assistant\n'}}{% endif %}")
    kinds = {
        "qwen2": transformers.Qwen2Config(**SIZES), "llama": transformers.LlamaConfig(**SIZES),
        "qwen3": transformers.Qwen3Config(head_dim=16, **SIZES),
        "gemma2": transformers.Gemma2Config(head_dim=16, **SIZES),
        "qwen3moe": transformers.Qwen3MoeConfig(
            head_dim=16, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=32, **SIZES)}
    for name, config in kinds.items():
        torch.manual_seed(0)
        model = transformers.AutoModelForCausalLM.from_config(config)
        model.generation_config.eos_token_id = 2
        model.generation_config.pad_token_id = 0
        model.save_pretrained(f"{folder}/{name}")
        tokenizer.save_pretrained(f"{folder}/{name}")
    torch.manual_seed(1)
    judge = transformers.Qwen2ForSequenceClassification(
        transformers.Qwen2Config(num_labels=1, **SIZES))
    judge.save_pretrained(f"{folder}/judge")
    tokenizer.save_pretrained(f"{folder}/judge")


class Side:
    """One device, the folder of models and data, and a folder for results."""

    def __init__(self, device, folder):
        self.device, self.folder = device, folder
        self.out = os.path.join(folder, "out", device)

    @property
    def npu(self):
        return self.device == "npu"

    def path(self, name):
        return f"{self.folder}/{name}"

    def data(self, name):
        return read(self.folder, name)

    def model(self, name="qwen2", kind="AutoModelForCausalLM", **settings):
        import transformers
        return getattr(transformers, kind).from_pretrained(self.path(name), **settings)

    def tokenizer(self):
        import transformers
        return transformers.AutoTokenizer.from_pretrained(self.path("qwen2"))


def numbers_of(history):
    """What a Trainer logged, by kind."""
    kinds = ("loss", "grad_norm", "eval_loss", "rewards/chosen", "logps/chosen", "reward",
             "completions/mean_length", "mean_token_accuracy")
    return {kind: [entry[kind] for entry in history if kind in entry] for kind in kinds}


def draw_on_the_cpu():
    """Initial weights and sampled tokens are those of the CPU's generator; no dropout."""
    import torch

    def drawn(function):
        def draw(tensor, *arguments, **settings):
            if tensor.device.type in ("cpu", "meta"):
                return function(tensor, *arguments, **settings)
            values = torch.empty(tensor.shape, dtype=tensor.dtype, device="cpu")
            function(values, *arguments, **settings)
            with torch.no_grad():
                return tensor.copy_(values)
        return draw

    for name in ("kaiming_uniform_", "normal_", "uniform_"):
        setattr(torch.nn.init, name, drawn(getattr(torch.nn.init, name)))
    multinomial = torch.multinomial
    torch.multinomial = lambda weights, *arguments, **settings: multinomial(
        weights.cpu(), *arguments, **settings).to(weights.device)
    torch.nn.Dropout.forward = lambda self, x: x


def forget_precision():
    """accelerate keeps the first Trainer's precision for the process."""
    if not available("accelerate"):
        return
    from accelerate.state import AcceleratorState
    AcceleratorState._reset_state(reset_partial_state=True)
    os.environ.pop("ACCELERATE_MIXED_PRECISION", None)
