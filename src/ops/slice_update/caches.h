// SPDX-License-Identifier: Apache-2.0
// What operators on caches in blocks share.
#pragma once

#include "nnop/view.h"

namespace anyacl::slice_update {

// Keys or values: tokens on their way into a cache, or out of it. Steps are in elements.
struct Side {
  TensorView tokens{}, cache{};
  TensorView from{}, to{};  // of one token, of equal sizes
  int64_t block_step = 0, slot_step = 0;

  char* TokenAt(const Bindings& bindings, int64_t token) const {
    return tokens.Address(bindings) + token * tokens.strides[0] * BytesOf(tokens);
  }
  char* SlotAt(const Bindings& bindings, int64_t slot, int64_t block_size) const {
    const int64_t at = slot / block_size * block_step + slot % block_size * slot_step;
    return cache.Address(bindings) + at * BytesOf(cache);
  }
};

// A cache in FRACTAL_NZ has its elements where one in ND has them, if a piece is a panel's row.
Status CheckFormat(const Operands& operands, int id, bool in_pieces);

}  // namespace anyacl::slice_update
