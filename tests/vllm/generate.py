#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Serves small models with random weights by vLLM and vLLM-Ascend, unmodified, and checks every token
that they choose against transformers on PyTorch's CPU device.

usage: generate.py [REGEX]   of the names of the models

Each model is served in a process of its own: prompts of several lengths at once, continued greedily, so
that prefill, decoding, and batches of both run. A token is right if, of what transformers computes in
FLOAT for the same sequence, it has the largest logit, or one that 16 bits cannot tell from it. Where
experts are chosen, 16 bits now and then take another one: three of the 120 tokens may be off; two where
activations are rounded to 8 bits, and six where both is so.
"""

import contextlib
import importlib.metadata
import os
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple

from packaging.version import Version

LENGTHS = (1, 5, 37, 130)
NEW_TOKENS = 24
DRAWN, TOP_K = 6, 20
SIZES = dict(hidden_size=256, intermediate_size=512, num_hidden_layers=3, num_attention_heads=8,
             num_key_value_heads=2, vocab_size=2048, max_position_embeddings=512,
             initializer_range=0.08, bos_token_id=1, eos_token_id=2)
EXPERTS = dict(head_dim=64, moe_intermediate_size=128, num_experts=8, num_experts_per_tok=2,
               norm_topk_prob=True)
LATENT = dict(q_lora_rank=64, kv_lora_rank=512, qk_rope_head_dim=64, qk_nope_head_dim=128,
              v_head_dim=128, num_key_value_heads=8, n_routed_experts=8, n_shared_experts=1,
              num_experts_per_tok=2, moe_intermediate_size=128, n_group=2, topk_group=1,
              first_k_dense_replace=1, norm_topk_prob=True, topk_method="noaux_tc",
              scoring_func="sigmoid")


# How far a chosen logit may lie below the largest, in deviations of all logits. PyTorch's CPU device
# in the same 16 bits chooses, of 472 tokens of these models, one 0.02 (FLOAT16), 0.07 (BF16) below;
# where activations are rounded to 8 bits, 0.18 with a factor for each token, 0.29 with one for all.
TOLERANCES = {"float16": 0.03, "bfloat16": 0.15, "DYNAMIC": 0.25, "W8A8": 0.35}


class Model(NamedTuple):
    kind: str  # of transformers' configurations and models
    more: dict  # what differs from SIZES
    dtype: str
    scheme: str = ""  # of its weights, quantised.py
    options: dict = {}  # of vLLM; without any it captures graphs
    since: str = "0"  # the first version of vLLM-Ascend that serves it


EAGER = dict(enforce_eager=True)
WHOLE = dict(compilation_config=dict(cudagraph_mode="FULL_DECODE_ONLY"))  # graphs of whole steps
IN_CHUNKS = dict(enable_chunked_prefill=True, max_num_batched_tokens=64)
RANKS = dict(tensor_parallel_size=2)
SPREAD = dict(enable_expert_parallel=True, **RANKS)  # experts as they are, half of them each
# Two tokens guessed by the model itself, so that its best ones are the guesses; graphs of whole steps
# stop at a stream that vLLM-Ascend never makes.
DRAFTS = dict(speculative_config=dict(method="draft_model", num_speculative_tokens=2),
              compilation_config=dict(cudagraph_mode="PIECEWISE"), disable_log_stats=False)
ADAPTERS = dict(enable_lora=True, max_loras=2, max_lora_rank=8)  # adapters.py
ADAPTER_OF_PROMPT = (1, 0, 2, 1)  # 0: none
QWEN3 = dict(head_dim=64)
# Gemma's embeddings are its head, too: small ones, or each token follows itself.
GEMMA2 = dict(head_dim=64, num_hidden_layers=6, initializer_range=0.01, sliding_window=512,
              query_pre_attn_scalar=4, attn_logit_softcapping=None, final_logit_softcapping=None)
# A token is a byte or a mark.
IMAGES = dict(vocab_size=512, bos_token_id=None)
GLM4_MOE = dict(head_dim=64, moe_intermediate_size=128, n_routed_experts=8, num_experts_per_tok=2,
                n_shared_experts=1, first_k_dense_replace=1, pad_token_id=0)
MINIMAX_M2 = dict(head_dim=64, rotary_dim=32, intermediate_size=128, num_local_experts=8,
                  num_experts_per_tok=2, scoring_func="sigmoid", use_routing_bias=True,
                  rope_parameters=dict(rope_type="default", rope_theta=10000.0,
                                       partial_rotary_factor=0.5))
# Three layers of the gated delta rule, one of attention.
LINEAR = dict(head_dim=64, num_hidden_layers=4, linear_key_head_dim=64, linear_value_head_dim=64,
              linear_num_key_heads=2, linear_num_value_heads=4, pad_token_id=0)
# Most of the experts, so that another one in 16 bits, which states carry on, has little weight.
QWEN3_NEXT = dict(LINEAR, moe_intermediate_size=128, shared_expert_intermediate_size=128, num_experts=8,
                  num_experts_per_tok=6)
LLAMA = dict(pad_token_id=0)
MODELS = {
    "llama fp16": Model("Llama", LLAMA, "float16"),
    "llama fp16 eager": Model("Llama", LLAMA, "float16", options=EAGER),
    "llama fp16 two ranks": Model("Llama", LLAMA, "float16", options=RANKS),
    "llama bf16 adapters": Model("Llama", LLAMA, "bfloat16", options=ADAPTERS),
    "llama fp16 drafts": Model("Llama", LLAMA, "float16", options=DRAFTS, since="0.23.0"),
    "llama bf16 in chunks": Model("Llama", LLAMA, "bfloat16", options=IN_CHUNKS),
    "qwen2 bf16": Model("Qwen2", {}, "bfloat16"),
    "qwen3 bf16 whole graphs": Model("Qwen3", QWEN3, "bfloat16", options=WHOLE),
    # 0.13 throws away what it computes of tokens that come after prompts where there is a window.
    "gemma2 bf16": Model("Gemma2", GEMMA2, "bfloat16", since="0.18.0"),
    "glm4 moe bf16": Model("Glm4Moe", GLM4_MOE, "bfloat16"),
    # transformers has it since 5.
    "minimax m2 bf16": Model("MiniMaxM2", MINIMAX_M2, "bfloat16", since="0.23.0"),
    "minimax m2 bf16 two ranks": Model("MiniMaxM2", MINIMAX_M2, "bfloat16", options=RANKS,
                                       since="0.23.0"),
    "qwen3 moe bf16": Model("Qwen3Moe", EXPERTS, "bfloat16"),
    "qwen3 moe bf16 eager": Model("Qwen3Moe", EXPERTS, "bfloat16", options=EAGER),
    "qwen3 moe bf16 two ranks": Model("Qwen3Moe", EXPERTS, "bfloat16", options=SPREAD),
    "qwen3 next bf16": Model("Qwen3Next", QWEN3_NEXT, "bfloat16", since="0.23.0"),
    "qwen3 next bf16 whole graphs": Model("Qwen3Next", QWEN3_NEXT, "bfloat16", options=WHOLE,
                                          since="0.23.0"),
    # One token alone, as the first prompt may come, is no decoding, which graphs take it for.
    "qwen3 next bf16 two ranks": Model("Qwen3Next", QWEN3_NEXT, "bfloat16",
                                       options=dict(EAGER, **RANKS), since="0.23.0"),
    "deepseek v3 bf16": Model("DeepseekV3", LATENT, "bfloat16"),
    "deepseek v3 bf16 in chunks": Model("DeepseekV3", LATENT, "bfloat16", options=IN_CHUNKS),
    "deepseek v3 bf16 whole graphs": Model("DeepseekV3", LATENT, "bfloat16", options=WHOLE),
    "qwen2 vl fp16": Model("Qwen2VL", IMAGES, "float16"),
    "qwen2.5 vl bf16": Model("Qwen2_5_VL", IMAGES, "bfloat16"),
    "qwen3 vl bf16": Model("Qwen3VL", dict(IMAGES, head_dim=64), "bfloat16"),
    "qwen3 vl bf16 eager": Model("Qwen3VL", dict(IMAGES, head_dim=64), "bfloat16", options=EAGER),
    "qwen3.5 bf16": Model("Qwen3_5", dict(IMAGES, **LINEAR), "bfloat16", since="0.23.0"),
    "qwen3.5 bf16 in chunks": Model("Qwen3_5", dict(IMAGES, **LINEAR), "bfloat16", options=IN_CHUNKS,
                                    since="0.23.0"),
    "qwen3.5 moe bf16": Model("Qwen3_5Moe", dict(IMAGES, **QWEN3_NEXT), "bfloat16", since="0.23.0"),
    "qwen2 fp16 w8a8": Model("Qwen2", {}, "float16", "W8A8"),
    "qwen3 bf16 w8a8 eager": Model("Qwen3", QWEN3, "bfloat16", "W8A8", EAGER),
    "qwen2 bf16 w8a8 dynamic": Model("Qwen2", {}, "bfloat16", "W8A8_DYNAMIC", WHOLE),
    "qwen2 bf16 w8a16": Model("Qwen2", {}, "bfloat16", "W8A16"),
    "qwen2 fp16 w4a4 flatquant": Model("Qwen2", {}, "float16", "W4A4_FLATQUANT_DYNAMIC"),
    "qwen3 moe bf16 w8a8 dynamic": Model("Qwen3Moe", EXPERTS, "bfloat16", "W8A8_DYNAMIC"),
    "deepseek v3 bf16 w8a8 dynamic": Model("DeepseekV3", LATENT, "bfloat16", "W8A8_DYNAMIC"),
    "deepseek v3 bf16 w8a8 two ranks": Model("DeepseekV3", LATENT, "bfloat16", "W8A8_DYNAMIC",
                                              SPREAD),
    "qwen3 moe bf16 w4a16": Model("Qwen3Moe", EXPERTS, "bfloat16", "W4A16"),
    "qwen3 moe bf16 w4a8 dynamic": Model("Qwen3Moe", EXPERTS, "bfloat16", "W4A8_DYNAMIC"),
}


def model_of(name):
    import torch
    import transformers
    import images
    import quantised
    kind, more, dtype, scheme = MODELS[name][:4]
    torch.manual_seed(7)
    if kind in images.KINDS:
        model = images.model(kind, {**SIZES, **more}).eval()
    else:
        config = getattr(transformers, f"{kind}Config")(**{**SIZES, **more})
        model = getattr(transformers, f"{kind}ForCausalLM")(config).eval()
    with torch.no_grad():
        for weight, parameter in model.named_parameters():
            if weight.endswith(".A_log"):  # or linear attention forgets a token with the next one
                parameter.uniform_(-6, -1)
            # What vLLM gets are numbers of 16 bits.
            parameter.copy_(parameter.to(getattr(torch, dtype)))
    if scheme:
        quantised.quantise(model, scheme, getattr(torch, dtype), torch.tensor([prompts()[-1]]))
    return model


def save(model, name, folder):
    import torch
    import images
    import quantised
    dtype = getattr(torch, MODELS[name].dtype)
    if MODELS[name].kind in images.KINDS:
        images.processor(MODELS[name].kind).save_pretrained(folder)
    if MODELS[name].scheme:
        quantised.save(model, MODELS[name].scheme, dtype, folder)
    else:
        model.to(dtype).save_pretrained(folder)
        model.float()
    if MODELS[name].kind in images.KINDS:
        images.name_weights(folder)


def adapters_of(model, name):
    """By their numbers."""
    import torch
    import adapters
    if "enable_lora" not in MODELS[name].options:
        return {}
    dtype = getattr(torch, MODELS[name].dtype)
    return {number: adapters.Adapter(model, dtype, number) for number in {*ADAPTER_OF_PROMPT} - {0}}


def prompts():
    import random
    numbers = random.Random(3)
    return [[numbers.randrange(3, SIZES["vocab_size"]) for _ in range(n)] for n in LENGTHS]


def inputs(name, seed=3):
    """The prompts' tokens, and what transformers' model is told besides."""
    import images
    if MODELS[name].kind in images.KINDS:
        return images.inputs(MODELS[name].kind, seed)
    return [(prompt, {}) for prompt in prompts()]


def serve(name, folder):
    """The tokens that vLLM appends to each prompt, in a line each; twice what it draws with a seed."""
    from vllm import LLM, SamplingParams
    import images
    model = MODELS[name]
    sees = model.kind in images.KINDS
    asked = images.requests() if sees else [{"prompt_token_ids": p} for p in prompts()]
    options = dict(model.options)
    if "speculative_config" in options:
        options["speculative_config"] = {"model": folder, **options["speculative_config"]}
    llm = LLM(model=folder, skip_tokenizer_init=not sees, dtype=model.dtype, max_model_len=256,
              max_num_seqs=4, gpu_memory_utilization=0.05, **options,
              quantization="ascend" if model.scheme not in ("", "W4A16") else None)
    sampling = SamplingParams(temperature=0, max_tokens=NEW_TOKENS, ignore_eos=True, detokenize=False)
    requests = None
    if "enable_lora" in model.options:
        from vllm.lora.request import LoRARequest
        requests = [LoRARequest(str(i), i, os.path.join(folder, str(i))) if i else None
                    for i in ADAPTER_OF_PROMPT]
    for answer in llm.generate(asked, sampling, lora_request=requests):
        print("TOKENS", *answer.outputs[0].token_ids, flush=True)
    if "speculative_config" in options:
        counts = {metric.name: metric for metric in llm.get_metrics()}
        print("ACCEPTED", *(counts[f"vllm:spec_decode_num_{kind}_tokens"].value
                            for kind in ("accepted", "draft")), flush=True)
    drawing = SamplingParams(temperature=0.8, top_k=TOP_K, top_p=0.9, seed=5, max_tokens=DRAWN,
                             ignore_eos=True, detokenize=False)
    for _ in range(2):
        answers = llm.generate(asked, drawing, lora_request=requests)
        print("DRAWN", *(t for answer in answers for t in answer.outputs[0].token_ids), flush=True)


def distances(model, prompt, given, tokens, place=1):
    """How far each chosen token's logit lies below the one in that place, in deviations of all logits."""
    import torch
    import images
    given = images.continued(given, len(prompt + tokens))
    with torch.no_grad():
        logits = model(torch.tensor([prompt + tokens]), **given).logits[0, len(prompt) - 1:-1]
    chosen = logits.gather(1, torch.tensor(tokens)[:, None])[:, 0]
    return ((logits.topk(place).values[:, -1] - chosen) / logits.std(1)).tolist()


def judge(name):
    import images
    model, dtype = model_of(name), MODELS[name].dtype
    ranks = MODELS[name].options.get("tensor_parallel_size", 1)
    variables = {"ANYACL_DEVICES": str(ranks),
                 "VLLM_ENABLE_V1_MULTIPROCESSING": "1" if ranks > 1 else "0"}
    with tempfile.TemporaryDirectory() as folder:
        save(model, name, folder)
        adapters = adapters_of(model, name)
        for number, adapter in adapters.items():
            adapter.save(os.path.join(folder, str(number)))
        run = subprocess.run([sys.executable, __file__, "--serve", name, folder], text=True,
                             capture_output=True, timeout=900,
                             env={**os.environ, **variables})
    answers = [[int(word) for word in line.split()[1:]] for line in run.stdout.splitlines()
               if line.startswith("TOKENS")]
    if run.returncode != 0 or len(answers) != len(LENGTHS):
        return "\n".join((run.stdout + run.stderr).splitlines()[-25:])
    if any(len(tokens) != NEW_TOKENS for tokens in answers):
        return f"answers of {[len(tokens) for tokens in answers]} tokens"
    if "speculative_config" in MODELS[name].options:
        accepted, guessed = (int(word) for line in run.stdout.splitlines()
                             if line.startswith("ACCEPTED") for word in line.split()[1:])
        # All, but for what lies behind the answers' ends.
        if accepted < 0.9 * guessed or guessed < len(LENGTHS) * NEW_TOKENS // 2:
            return f"{accepted} of {guessed} guessed tokens were accepted"
    drawn = [line.split()[1:] for line in run.stdout.splitlines() if line.startswith("DRAWN")]
    if len(drawn) != 2 or drawn[0] != drawn[1] or len(drawn[0]) != DRAWN * len(LENGTHS):
        return f"drawn with the same seed twice: {drawn}"
    if len({token for tokens in answers for token in tokens}) < NEW_TOKENS // 2:
        return "too few different tokens for a judgement"
    below = []
    for i, ((prompt, given), tokens, number) in enumerate(zip(inputs(name), answers,
                                                              ADAPTER_OF_PROMPT)):
        adapter = adapters.get(number)
        with adapter.added(model) if adapter else contextlib.nullcontext():
            below += distances(model, prompt, given, tokens)
            # Of those that are drawn one of the first TOP_K is right.
            below += distances(model, prompt, given,
                               [int(t) for t in drawn[0][i * DRAWN:(i + 1) * DRAWN]], TOP_K)
    scheme = MODELS[name].scheme.split("_")[-1]
    tolerance = TOLERANCES.get(scheme, TOLERANCES[dtype])
    off = sum(x > tolerance for x in below)
    if MODELS[name].kind in images.KINDS:
        other = [max(distances(model, prompt, given, tokens)) for (prompt, given), tokens
                 in zip(inputs(name, seed=4), answers) if "pixel_values" in given]
        if min(other) <= tolerance:
            return f"for other images the tokens are {other} below the best: as good"
    allowed = 3 if "num_experts_per_tok" in MODELS[name].more else 0
    if "A8" in MODELS[name].scheme:
        allowed = 2 * allowed or 2
    if "A4" in MODELS[name].scheme:  # one is, too, of PyTorch's CPU device in FLOAT16: 0.29
        allowed = 4
    print(f"{name:31} {len(below)} tokens, {off} of them more than {tolerance} deviations below the "
          f"best; the farthest {max(below):.4f}", flush=True)
    return "" if off <= allowed else f"expected at most {allowed}"


def main():
    if sys.argv[1:2] == ["--serve"]:
        return serve(*sys.argv[2:4])
    failed = 0
    here = Version(importlib.metadata.version("vllm_ascend"))
    names = [name for name in MODELS if re.search(sys.argv[1] if sys.argv[1:] else "", name)
             and Version(MODELS[name].since) <= here]
    for name in names:
        reason = judge(name)
        failed += reason != ""
        print(f"{name:31} {'FAILED: ' + reason if reason else 'passed'}", flush=True)
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main())
