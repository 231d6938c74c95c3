// SPDX-License-Identifier: Apache-2.0
// Which blocks of keys matter most to a token: the probabilities of compressed keys, of all query
// heads that share a head of keys, summed up over the compressed keys that overlap a block.
#pragma once

#include <memory>
#include <vector>

#include "nnop/executor.h"
#include "ops/native_sparse_attention/selection.h"

namespace anyacl::native_sparse_attention {

// How long a block of keys is and how long a compressed key, in steps from one compressed key to
// the next.
struct Overlap {
  int64_t block_steps = 1;
  int64_t key_steps = 1;
};

struct ScoredSequence {
  AttendedSequence rows_and_keys;
  int64_t blocks = 0;
  int64_t rows_without_last = 0;  // the first so many rows do not see the last key
};

struct ImportanceParams {
  TensorView query;    // [row][head][D]
  TensorView key;      // [row][head of keys][D]
  TensorView mask;     // [row of a sequence][key]; absent: all are seen
  TensorView chosen;   // [row of a sequence][block], chosen before all others; may be absent
  TensorView indices;  // [row][head of keys][k]
  float scale = 1;
  Overlap overlap;
  Pages pages;
  bool ends_first = false;  // the first block and the last two are chosen before all others
  std::vector<ScoredSequence> sequences;
};

std::shared_ptr<const Plan> MakeImportance(ImportanceParams params);

}  // namespace anyacl::native_sparse_attention
