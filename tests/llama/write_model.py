#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a small language model with random weights as a GGUF file.

usage: write_model.py VOCABULARY.gguf OUT.gguf ARCHITECTURE TYPE [as-F16] [LAYERS WIDTH]
ARCHITECTURE: llama, qwen2, qwen3 or qwen3moe. TYPE: F16, Q8_0 or Q4_0, of the matrices; as-F16: in
float16, but the numbers that they are in that type.
"""

import sys

import gguf
import numpy as np

HEAD = 64  # elements of a head
EXPERTS, USED = 8, 2


class Model:
    def __init__(self, vocabulary, out, architecture, kind, plain, layers, width):
        self.writer = gguf.GGUFWriter(out, architecture)
        self.kind = gguf.GGMLQuantizationType[kind]
        self.plain = plain
        self.random = np.random.default_rng(7)
        self.layers, self.width = layers, width
        self.heads, self.kv_heads = width // HEAD, max(1, width // HEAD // 2)
        self.hidden = 2 * width
        self.architecture = architecture
        self.size = self.vocabulary(gguf.GGUFReader(vocabulary))

    def vocabulary(self, reader):
        def value(key):
            return reader.fields[f"tokenizer.ggml.{key}"].contents()

        w = self.writer
        w.add_tokenizer_model(value("model"))
        w.add_tokenizer_pre(value("pre"))
        w.add_token_list(value("tokens"))
        w.add_token_scores(value("scores"))
        w.add_token_types(value("token_type"))
        w.add_bos_token_id(value("bos_token_id"))
        w.add_eos_token_id(value("eos_token_id"))
        return len(value("tokens"))

    def shape(self):
        w = self.writer
        w.add_context_length(4096)
        w.add_embedding_length(self.width)
        w.add_block_count(self.layers)
        w.add_feed_forward_length(self.hidden)
        w.add_head_count(self.heads)
        w.add_head_count_kv(self.kv_heads)
        w.add_key_length(HEAD)
        w.add_value_length(HEAD)
        w.add_layer_norm_rms_eps(1e-5)
        w.add_rope_freq_base(10000.0)
        w.add_rope_dimension_count(HEAD)
        w.add_vocab_size(self.size)
        w.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
        if self.architecture == "qwen3moe":
            w.add_expert_count(EXPERTS)
            w.add_expert_used_count(USED)
            w.add_expert_feed_forward_length(self.width)

    def matrix(self, name, *shape, spread=1.0):
        values = self.random.standard_normal(shape, dtype=np.float32) * (spread / shape[-1] ** 0.5)
        data, kind = gguf.quants.quantize(values, self.kind), self.kind
        if self.plain:
            data = gguf.quants.dequantize(data, kind).reshape(shape).astype(np.float16)
            kind = gguf.GGMLQuantizationType.F16
        self.writer.add_tensor(f"{name}.weight", data, raw_dtype=kind)

    def vector(self, name, size, spread):
        values = self.random.standard_normal(size, dtype=np.float32) * spread
        self.writer.add_tensor(name, values + (1 if name.endswith("weight") else 0))

    def layer(self, i):
        def name(part):
            return f"blk.{i}.{part}"

        width, queries, keys = self.width, self.heads * HEAD, self.kv_heads * HEAD
        self.vector(name("attn_norm.weight"), width, 0.1)
        self.matrix(name("attn_q"), queries, width, spread=1.5)
        self.matrix(name("attn_k"), keys, width, spread=1.5)
        self.matrix(name("attn_v"), keys, width)
        self.matrix(name("attn_output"), width, queries)
        if self.architecture == "qwen2":
            for part, size in (("q", queries), ("k", keys), ("v", keys)):
                self.vector(name(f"attn_{part}.bias"), size, 0.3)
        if self.architecture.startswith("qwen3"):
            self.vector(name("attn_q_norm.weight"), HEAD, 0.1)
            self.vector(name("attn_k_norm.weight"), HEAD, 0.1)
        self.vector(name("ffn_norm.weight"), width, 0.1)
        if self.architecture == "qwen3moe":
            # One direction decides: with one for each expert, a choice in a hundred would be so
            # close that rounding makes it, and another expert changes the text.
            direction = self.random.standard_normal(width, dtype=np.float32) / width**0.5
            router = np.outer(np.linspace(-2, 2, EXPERTS, dtype=np.float32), direction)
            self.writer.add_tensor(name("ffn_gate_inp.weight"), router)
            for part in ("gate", "up", "down"):
                self.matrix(name(f"ffn_{part}_exps"), EXPERTS, width, width)
            return
        self.matrix(name("ffn_gate"), self.hidden, width)
        self.matrix(name("ffn_up"), self.hidden, width)
        self.matrix(name("ffn_down"), width, self.hidden)

    def write(self):
        self.shape()
        self.matrix("token_embd", self.size, self.width, spread=self.width**0.5)
        for i in range(self.layers):
            self.layer(i)
        self.vector("output_norm.weight", self.width, 0.1)
        # Logits that differ by more than what rounding does to them.
        self.matrix("output", self.size, self.width, spread=4.0)
        self.writer.write_header_to_file()
        self.writer.write_kv_data_to_file()
        self.writer.write_tensors_to_file()
        self.writer.close()


def main(vocabulary, out, architecture, kind, *rest):
    plain = "as-F16" in rest
    layers, width = [int(number) for number in rest if number != "as-F16"] or (2, 512)
    Model(vocabulary, out, architecture, kind, plain, layers, width).write()


if __name__ == "__main__":
    main(*sys.argv[1:])
