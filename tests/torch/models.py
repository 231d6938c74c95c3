#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs transformers' and torchvision's models, small and with random weights, on the device "npu"
and compares them with the CPU: outputs, tokens of generate, losses and weights of training steps.

usage: models.py [REGEX] [--timeout S] [--verbose]
       REGEX: of the names that are printed, for example 'llama|bert.*train'

Each model runs in a process of its own. A program passes if its tokens are the same and its numbers
agree to 2e-3 of the largest one (training with autocast: to 5e-2).
"""

import argparse
import copy
import os
import re
import subprocess
import sys
import tempfile

TEXT = {"vocab_size": 120, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
LLAMA = dict(TEXT, hidden_size=64, intermediate_size=96, num_hidden_layers=2,
             num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=64, head_dim=16)
MOE = dict(LLAMA, num_experts=4, num_local_experts=4, num_experts_per_tok=2,
           moe_intermediate_size=48, decoder_sparse_step=1)
BERT = dict(TEXT, hidden_size=64, intermediate_size=96, num_hidden_layers=2,
            num_attention_heads=4, max_position_embeddings=64)
GPT = dict(TEXT, n_embd=64, n_layer=2, n_head=4, n_positions=64, hidden_size=64,
           num_hidden_layers=2, num_attention_heads=4)
BART = dict(TEXT, d_model=64, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
            decoder_attention_heads=4, encoder_ffn_dim=96, decoder_ffn_dim=96,
            max_position_embeddings=64, decoder_start_token_id=1, forced_eos_token_id=None)
IMAGE = dict(hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4,
             image_size=32, patch_size=8, num_labels=5)

# name -> (head, configuration)
MODELS = {
    "llama": ("CausalLM", LLAMA),
    "qwen2": ("CausalLM", LLAMA),
    "qwen3": ("CausalLM", LLAMA),
    "mistral": ("CausalLM", LLAMA),
    "gemma": ("CausalLM", LLAMA),
    "gemma2": ("CausalLM", dict(LLAMA, sliding_window=8, query_pre_attn_scalar=16)),
    "phi3": ("CausalLM", LLAMA),
    "olmo2": ("CausalLM", LLAMA),
    "granite": ("CausalLM", LLAMA),
    "mixtral": ("CausalLM", MOE),
    "qwen2_moe": ("CausalLM", dict(MOE, shared_expert_intermediate_size=48)),
    "qwen3_moe": ("CausalLM", MOE),
    "deepseek_v3": ("CausalLM", dict(
        LLAMA, num_key_value_heads=4, moe_intermediate_size=32, n_routed_experts=4, n_group=2,
        topk_group=1, num_experts_per_tok=2, first_k_dense_replace=1, kv_lora_rank=16,
        q_lora_rank=24, qk_rope_head_dim=8, qk_nope_head_dim=8, v_head_dim=16, head_dim=8)),
    "gpt2": ("CausalLM", GPT),
    "gpt_neox": ("CausalLM", dict(BERT)),
    "opt": ("CausalLM", dict(TEXT, hidden_size=64, ffn_dim=96, num_hidden_layers=2,
                             num_attention_heads=4, max_position_embeddings=64,
                             word_embed_proj_dim=64)),
    "falcon": ("CausalLM", dict(GPT, alibi=False)),
    "bloom": ("CausalLM", dict(TEXT, hidden_size=64, n_layer=2, n_head=4)),
    "bert": ("MaskedLM", BERT),
    "roberta": ("MaskedLM", dict(BERT, max_position_embeddings=80)),
    "distilbert": ("MaskedLM", dict(TEXT, dim=64, hidden_dim=96, n_layers=2, n_heads=4,
                                    max_position_embeddings=64)),
    "electra": ("SequenceClassification", dict(BERT, embedding_size=32)),
    "deberta-v2": ("SequenceClassification", BERT),
    "albert": ("MaskedLM", dict(BERT, embedding_size=32)),
    "t5": ("Seq2SeqLM", dict(TEXT, d_model=64, d_kv=16, d_ff=96, num_layers=2, num_heads=4,
                             decoder_start_token_id=0)),
    "bart": ("Seq2SeqLM", BART),
    "marian": ("Seq2SeqLM", dict(BART, decoder_vocab_size=120)),
    "whisper": ("SpeechSeq2Seq", dict(BART, num_mel_bins=16, max_source_positions=20,
                                      max_target_positions=32, suppress_tokens=None,
                                      begin_suppress_tokens=None)),
    "vit": ("ImageClassification", IMAGE),
    "deit": ("ImageClassification", IMAGE),
    "swin": ("ImageClassification", dict(image_size=32, patch_size=4, embed_dim=16, depths=[1, 1],
                                         num_heads=[2, 2], window_size=4, num_labels=5)),
    "convnext": ("ImageClassification", dict(image_size=32, hidden_sizes=[16, 32, 32, 32],
                                             depths=[1, 1, 1, 1], num_labels=5)),
    "resnet": ("ImageClassification", dict(embedding_size=16, hidden_sizes=[16, 32],
                                           depths=[1, 1], num_labels=5)),
}
VISION = ("resnet18", "mobilenet_v2", "mobilenet_v3_small", "squeezenet1_1", "vgg11_bn",
          "densenet121", "shufflenet_v2_x0_5", "efficientnet_b0", "regnet_y_400mf", "vit_b_16")


def programs():
    for name, (head, _) in MODELS.items():
        yield f"{name} forward"
        if head in ("CausalLM", "Seq2SeqLM", "SpeechSeq2Seq"):
            yield f"{name} generate"
            yield f"{name} beams"
        yield f"{name} train"
    for name in ("llama", "bert", "qwen3_moe", "vit"):
        yield f"{name} autocast"
    for name in VISION:
        yield f"torchvision.{name} forward"
        yield f"torchvision.{name} train"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("regex", nargs="?", default="")
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--run", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        return run(options.run.split(","))
    wanted = [p for p in programs() if re.search(options.regex, p)]
    models = sorted({p.split()[0] for p in wanted}, key=[p.split()[0] for p in wanted].index)
    passed, failed = [], []
    for model in models:
        mine = [p for p in wanted if p.split()[0] == model]
        with tempfile.TemporaryFile() as errors:
            command = [sys.executable, os.path.abspath(__file__), "--run", ",".join(mine)]
            try:
                done = subprocess.run(command, stdout=subprocess.PIPE, stderr=errors,
                                      timeout=options.timeout, cwd=tempfile.gettempdir())
                lines, end = done.stdout.decode().splitlines(), f"exit status {done.returncode}"
            except subprocess.TimeoutExpired as late:
                lines, end = (late.stdout or b"").decode().splitlines(), "timeout"
            errors.seek(0)
            words = " ".join(errors.read().decode(errors="replace").split())[-300:]
        results = dict(line.split(": ", 1) for line in lines if line.split(": ")[0] in mine)
        for program in mine:
            result = results.get(program, f"{end} {words}")
            (passed if result == "ok" else failed).append(program)
            if result != "ok" or options.verbose:
                print(f"{'passed' if result == 'ok' else 'FAILED':7} {program}: {result[:600]}",
                      flush=True)
    print(f"{len(passed)} passed, {len(failed)} failed")
    return 1 if failed or not wanted else 0


def run(wanted):
    global torch
    import torch
    import torch_npu  # noqa: F401
    torch.manual_seed(0)
    name = wanted[0].split()[0]
    model, inputs = make(name)
    model.eval()
    for program in wanted:
        try:
            torch.manual_seed(1)
            PROGRAMS[program.split()[1]](model, inputs)
            print(f"{program}: ok", flush=True)
        except Exception as error:
            words = " ".join(str(error).split())[:700]
            print(f"{program}: {type(error).__name__}: {words}", flush=True)
    os._exit(0)


def make(name):
    """A model with random weights, without dropout, and inputs with labels for it."""
    if name.startswith("torchvision."):
        import torchvision
        small = {"image_size": 64} if "vit" in name else {}
        model = getattr(torchvision.models, name.split(".")[1])(num_classes=5, **small)
        for module in model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0
            if type(module).__name__ == "StochasticDepth":
                module.p = 0.0
        return model, {"pixel_values": torch.randn(2, 3, 64, 64), "labels": torch.tensor([1, 3])}
    import transformers
    head, settings = MODELS[name]
    config = transformers.AutoConfig.for_model(name, **settings)
    for key in vars(config):
        if ("dropout" in key or key.endswith("pdrop") or key == "drop_path_rate") and \
                isinstance(getattr(config, key), float):
            setattr(config, key, 0.0)
    model = getattr(transformers, "AutoModelFor" + head).from_config(config)
    tokens = torch.randint(3, 120, (2, 12))
    if head == "SpeechSeq2Seq":
        return model, {"input_features": torch.randn(2, 16, 40), "labels": tokens}
    if head == "ImageClassification":
        size = settings.get("image_size", 32)
        return model, {"pixel_values": torch.randn(2, 3, size, size),
                       "labels": torch.tensor([1, 3])}
    mask = torch.ones_like(tokens)
    mask[1, :4] = 0  # padded on the left
    labels = tokens if head != "SequenceClassification" else torch.tensor([0, 1])
    return model, {"input_ids": tokens, "attention_mask": mask, "labels": labels}


def on(device, model, inputs):
    model = copy.deepcopy(model).to(device)
    return model, {key: value.to(device) for key, value in inputs.items()}


def outputs(model, inputs):
    """Loss and scores."""
    if "pixel_values" in inputs and not hasattr(model, "config"):
        scores = model(inputs["pixel_values"])
        return torch.nn.functional.cross_entropy(scores, inputs["labels"]), scores
    result = model(**inputs)
    return result.loss, result.logits


def agree(what, actual, expected, tolerance):
    actual = actual.detach().float().cpu()
    expected = expected.detach().float()
    assert actual.shape == expected.shape, f"{what}: {actual.shape}, expected {expected.shape}"
    size = float(expected.abs().max()) + 1e-6
    error = float((actual - expected).abs().max()) / size if expected.numel() else 0.0
    assert error <= tolerance, f"{what}: relative error {error:.1e}"


def forward(model, inputs):
    with torch.no_grad():
        right = outputs(*on("cpu", model, inputs))
        mine = outputs(*on("npu", model, inputs))
    agree("loss", mine[0], right[0], 2e-3)
    agree("logits", mine[1], right[1], 2e-3)


def generate(model, inputs, **settings):
    inputs = {key: value for key, value in inputs.items() if key != "labels"}
    settings = dict(max_new_tokens=12, do_sample=False, min_new_tokens=12, **settings)

    def tokens(device):
        there, given = on(device, model, inputs)
        return there.generate(**given, **settings).cpu()

    right, mine = tokens("cpu"), tokens("npu")
    assert torch.equal(mine, right), f"tokens {mine.tolist()}, expected {right.tolist()}"


def train(model, inputs, autocast=False):
    tolerance = 5e-2 if autocast else 2e-3

    def steps(device):
        there, given = on(device, model, inputs)
        there.train()
        optimizer = torch.optim.AdamW(there.parameters(), lr=1e-3, eps=1e-4)
        losses = []
        for _ in range(3):
            optimizer.zero_grad()
            with torch.autocast(device, torch.bfloat16, enabled=autocast):
                loss = outputs(there, given)[0]
            loss.backward()
            torch.nn.utils.clip_grad_norm_(there.parameters(), 1.0)
            optimizer.step()
            losses.append(loss.detach().float().cpu())
        return torch.stack(losses), there

    right, right_model = steps("cpu")
    mine, my_model = steps("npu")
    agree("losses", mine, right, tolerance)
    if not autocast:
        for (name, a), b in zip(my_model.named_parameters(), right_model.parameters()):
            agree(name, a, b, 2e-2)


PROGRAMS = {"forward": forward, "generate": generate, "train": train,
            "beams": lambda m, i: generate(m, i, num_beams=3),
            "autocast": lambda m, i: train(m, i, autocast=True)}

if __name__ == "__main__":
    sys.exit(main())
