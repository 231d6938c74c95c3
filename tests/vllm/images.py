# SPDX-License-Identifier: Apache-2.0
"""Models of text and images with small random weights, and what they are asked."""

import os
from typing import NamedTuple

import numpy
import torch
import transformers
from PIL import Image

MARKS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>",
         "<|vision_pad|>", "<|image_pad|>", "<|video_pad|>")
IMAGE = "<|vision_start|><|image_pad|><|vision_end|>"
# With the height and the width of the image, if there is one.
PROMPTS = ((f"{IMAGE} say", (112, 112)), ("Just words.", None),
           (f"hello {IMAGE} what is this?", (140, 196)),
           (f"a longer story: {IMAGE} and then some more text follows here", (168, 112)))
VISION = dict(depth=3, num_heads=2, spatial_merge_size=2, temporal_patch_size=2, initializer_range=0.08)
QWEN2 = dict(hidden_size=256, embed_dim=128, mlp_ratio=4, patch_size=14, **VISION)
QWEN2_5 = dict(hidden_size=128, intermediate_size=256, out_hidden_size=256, patch_size=14,
               window_size=112, fullatt_block_indexes=[1], tokens_per_second=2, **VISION)
QWEN3 = dict(hidden_size=128, intermediate_size=256, out_hidden_size=256, patch_size=16,
             num_position_embeddings=256, deepstack_visual_indexes=[0, 1], **VISION)
PAIRS = dict(type="mrope", rope_type="default", rope_theta=10000.0, mrope_section=[4, 6, 6])
PAIRS_QWEN3 = dict(rope_type="default", rope_theta=10000.0, mrope_section=[12, 10, 10],
                   mrope_interleaved=True)
# Of a head of 64 a quarter turns.
QWEN3_5 = {key: value for key, value in QWEN3.items() if key != "deepstack_visual_indexes"}
PAIRS_QWEN3_5 = dict(PAIRS_QWEN3, mrope_section=[3, 3, 2], partial_rotary_factor=0.25)


class Kind(NamedTuple):
    vision: dict
    pairs: dict  # how positions turn the numbers of a head
    processor: str  # transformers' of its images and words
    videos: str = "Qwen2VL"  # of its videos


KINDS = {"Qwen2VL": Kind(QWEN2, PAIRS, "Qwen2VL"), "Qwen2_5_VL": Kind(QWEN2_5, PAIRS, "Qwen2_5_VL"),
         "Qwen3VL": Kind(QWEN3, PAIRS_QWEN3, "Qwen3VL", "Qwen3VL"),
         "Qwen3_5": Kind(QWEN3_5, PAIRS_QWEN3_5, "Qwen3VL", "Qwen3VL"),
         "Qwen3_5Moe": Kind(QWEN3_5, PAIRS_QWEN3_5, "Qwen3VL", "Qwen3VL")}


def tokenizer():
    """A token for each byte, and the marks."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    bytes_ = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens = Tokenizer(models.BPE(vocab={byte: i for i, byte in enumerate(bytes_)}, merges=[]))
    tokens.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokens.decoder = decoders.ByteLevel()
    result = transformers.Qwen2TokenizerFast(tokenizer_object=tokens, eos_token="<|im_end|>",
                                             pad_token="<|endoftext|>")
    result.add_special_tokens({"additional_special_tokens": list(MARKS)})
    return result


def processor(kind):
    patch = KINDS[kind].vision["patch_size"]
    return getattr(transformers, f"{KINDS[kind].processor}Processor")(
        image_processor=transformers.Qwen2VLImageProcessor(
            patch_size=patch, min_pixels=4 * 28**2, max_pixels=256 * 28**2),
        video_processor=getattr(transformers, f"{KINDS[kind].videos}VideoProcessor")(patch_size=patch),
        tokenizer=tokenizer())


def model(kind, text):
    vision, pairs = KINDS[kind][:2]
    number = tokenizer().convert_tokens_to_ids
    config = getattr(transformers, f"{kind}Config")(
        vision_config=vision, text_config=dict(text, rope_scaling=pairs, rope_theta=10000.0),
        image_token_id=number("<|image_pad|>"), video_token_id=number("<|video_pad|>"),
        vision_start_token_id=number("<|vision_start|>"),
        vision_end_token_id=number("<|vision_end|>"), tie_word_embeddings=False)
    made = getattr(transformers, f"{kind}ForConditionalGeneration")(config)
    with torch.no_grad():  # it answers no marks, which transformers would take for images
        made.lm_head.weight[number(list(MARKS))] = 0
    return made


def name_weights(folder):
    """As Qwen's models have them: transformers 5.5 saves Qwen3.5's vision within its language."""
    from safetensors.torch import load_file, save_file
    path = os.path.join(folder, "model.safetensors")
    wrong, right = "model.language_model.visual.", "model.visual."
    save_file({name.replace(wrong, right): weight for name, weight in load_file(path).items()}, path,
              metadata={"format": "pt"})


def image_of(size, seed):
    return Image.fromarray(numpy.random.default_rng(seed).integers(0, 255, (*size, 3), numpy.uint8))


def requests():
    """Of vLLM."""
    return [{"prompt": text, **({"multi_modal_data": {"image": image_of(size, 3)}} if size else {})}
            for text, size in PROMPTS]


def inputs(kind, seed=3):
    """Of transformers' model: tokens, and what it is told besides."""
    processes = processor(kind)
    for text, size in PROMPTS:
        images = [image_of(size, seed)] if size else None
        given = dict(processes(text=[text], images=images, return_tensors="pt"))
        del given["attention_mask"]
        yield given.pop("input_ids")[0].tolist(), given


def continued(given, tokens):
    """What the model is told besides, of so many tokens: behind the prompt there are no images."""
    kinds = given.get("mm_token_type_ids")
    if kinds is None:
        return given
    return {**given, "mm_token_type_ids": torch.nn.functional.pad(kinds, (0, tokens - kinds.shape[1]))}
