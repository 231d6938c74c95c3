// SPDX-License-Identifier: Apache-2.0
// Native sparse attention in double precision, written from CANN's documents (ops-transformer:
// attention/nsa_*/docs) and from op-plugin's tests where they leave something open: which
// compressed keys overlap a block. Tensors are [row][head][number], in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/summed.h"

namespace anyacl::test {

struct CompressProblem {
  std::vector<int64_t> ends;
  int64_t heads = 1, dim = 1, window = 1, stride = 1;
  std::vector<double> input = {}, weight = {}, dy = {};

  int64_t blocks() const;
};
Summed Compress(const CompressProblem& problem);
struct CompressGradients {
  Summed input, weight;
};
CompressGradients CompressGradient(const CompressProblem& problem);

struct CompressAttentionProblem {
  std::vector<int64_t> rows, keys;  // of each sequence, how many
  int64_t heads = 1, key_heads = 1, dim = 1, value_dim = 1;
  int64_t stride = 1, window = 1;  // steps of a block, and of a compressed key
  double scale = 1;
  std::vector<double> query = {}, key = {}, value = {};
  // [row of a sequence][key or block], of the longest sequences; empty: none.
  std::vector<uint8_t> mask = {}, chosen = {};

  int64_t most_keys() const;
  int64_t most_blocks() const;
  int64_t BlocksOf(size_t sequence) const { return (keys[sequence] + stride - 1) / stride; }
};
struct CompressAttentionResult {
  Summed out;                    // [row][head][number]
  std::vector<double> max, sum;  // [head][row] of each sequence
  // [row][head of keys][block], up to most_blocks; a chosen block's is infinite.
  std::vector<double> importance;
};
CompressAttentionResult CompressAttention(const CompressAttentionProblem& problem);

struct SelectedProblem {
  std::vector<int64_t> rows, keys;  // of each sequence, how many
  int64_t heads = 1, key_heads = 1, dim = 1, value_dim = 1;
  int64_t block = 1, count = 1;
  double scale = 1;
  bool causal = false;  // row i of a sequence sees keys up to number i
  std::vector<double> query = {}, key = {}, value = {};
  std::vector<int32_t> indices = {};  // [row][head of keys][count]
  // Of the gradient: what the forward call returned, and the derivative of that.
  std::vector<double> out = {}, max = {}, sum = {}, dy = {};  // max, sum: [row][head]
};
struct SelectedResult {
  Summed out;                    // [row][head][number]
  std::vector<double> max, sum;  // [row][head]; -inf and 0 of a row that sees nothing
};
SelectedResult SelectedAttention(const SelectedProblem& problem);
struct SelectedGradients {
  Summed query, key, value;
};
SelectedGradients SelectedAttentionGradient(const SelectedProblem& problem);

}  // namespace anyacl::test
