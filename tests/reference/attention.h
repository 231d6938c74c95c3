// SPDX-License-Identifier: Apache-2.0
// Attention in double precision, row by row and column by column, from the operator's document. It
// knows no layouts: tensors are dense and in one order of dimensions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace anyacl::test {

// Scales or offsets of keys or values in one of the document's six modes.
struct ReferenceScales {
  int mode = 0;        // 0 channel or tensor, 1 token, 2 head, 3 token and head, 4 and 5 in pages
  int64_t tokens = 0;  // the size S of modes 1 and 3
  std::vector<double> values;  // empty: none; one number: for all
};

struct ReferenceAttention {
  int64_t batch = 1;
  int64_t query_size = 1;  // Sq
  int64_t heads = 1;
  int64_t kv_heads = 1;
  int64_t dim = 1;
  int64_t kv_size = 1;  // S2, the longest
  bool kv_empty = false;
  std::vector<int64_t> query_lengths;  // one per batch entry
  std::vector<int64_t> kv_lengths;
  int64_t prefix = 0;
  int64_t prefix_size = 0;
  std::optional<int64_t> query_padding;
  std::optional<int64_t> kv_padding;

  std::vector<double> q;       // [B][N][Sq][D]
  std::vector<double> k, v;    // [B][Nk][S2][D], as stored
  std::vector<double> kp, vp;  // [Nk][Sp][D]
  ReferenceScales key_scale, key_offset, value_scale, value_offset;
  std::vector<int32_t> blocks;  // [B][width], for modes 4 and 5
  int64_t block_width = 0;
  int64_t block_size = 0;

  double scale = 1;
  int64_t sparse_mode = 0;
  int64_t pre_tokens = INT32_MAX;
  int64_t next_tokens = INT32_MAX;
  int64_t inner_precise = 0;
  // [mask_batch][mask_rows][mask_columns]; empty: none
  std::vector<uint8_t> mask;
  int64_t mask_batch = 1, mask_rows = 0, mask_columns = 0;
  // [pse_batch][N][pse_rows][pse_columns]
  std::vector<double> pse;
  int64_t pse_batch = 1, pse_rows = 0, pse_columns = 0;

  // INT8 queries: the scales as the matrix unit sees them.
  bool quantised = false;
  double deq1 = 1, quant1 = 1, deq2 = 1;
  // INT8 output: one number or N * D.
  bool int8_out = false;
  std::vector<double> out_scale, out_offset;
};

struct ReferenceResult {
  std::vector<double> out;  // [B][N][Sq][D]; INT8: before rounding
  std::vector<double> lse;  // [B][N][Sq]
  // Sum of p |v| / sum of p, for each element of out (times the output's scale): what an error in
  // each probability of 1 would make.
  std::vector<double> magnitude;
  std::vector<bool> exact;  // [B][N][Sq]: zeros as they are
  // [B][N][Sq]: how far off an element may be because a probability was nearly halfway between two
  // quantised ones.
  std::vector<double> slack;
};

ReferenceResult Attend(const ReferenceAttention& a);

// How far each element of a right result may be from `out`: half a unit of its last place; an error
// of each probability, which under bf16 may be rounded; and, where `integers` of 16 bits may stand
// for 16-bit numbers that meet INT8 and INT4, their units, which the row's largest sets.
enum class OutputKind { kFp16, kBf16, kInt8 };
std::vector<double> ErrorBounds(const ReferenceAttention& a, const ReferenceResult& result,
                                OutputKind kind, bool integers);

}  // namespace anyacl::test
