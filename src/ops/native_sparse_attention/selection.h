// SPDX-License-Identifier: Apache-2.0
// Which keys a token attends to: those of the blocks that device data names for it and a head of
// keys.
#pragma once

#include "nnop/executor.h"
#include "ops/native_sparse_attention/sequences.h"

namespace anyacl::native_sparse_attention {

// A token's row of a sequence whose rows and keys lie somewhere in their tensors.
struct Token {
  int64_t row = 0;       // of the tensor of indices
  int64_t position = 0;  // in its sequence
  Rows keys;             // of the sequence
};

struct Selection {
  TensorView indices;  // [row][head of keys][k]
  int64_t block_size = 1;
  bool causal = false;  // a token sees no key behind its position

  int64_t most_keys() const { return indices.sizes[2] * block_size; }
  // The rows of the keys, in the order of the list; a block named twice gives its keys twice.
  Status Read(const Bindings& bindings, const Token& token, int64_t head, int32_t* keys,
              int64_t* count) const;
};

}  // namespace anyacl::native_sparse_attention
