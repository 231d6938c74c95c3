// SPDX-License-Identifier: Apache-2.0
// The keys that a token attends to, as its list names them: blocks of so many keys, -1 ends the
// list. Lists are device data.
#pragma once

#include "ops/sparse_attention/sequences.h"

namespace anyacl::sparse_attention {

struct KeyLists {
  SplitRows indices;  // rows of tokens: [T][1][K]
  int64_t block_size = 1;
  int64_t size = 0;
  const char* name = nullptr;

  // The most keys that a list gives a token.
  int64_t MostKeys(const Geometry& geometry) const {
    return std::min(size * block_size, geometry.key_size);
  }
};

// A power of two of keys, which a block of a cache has a multiple of.
Status CheckBlockSize(const Operands& operands, const Geometry& geometry, int64_t* block_size);
// A shape of [.., 1, K] for each token, or, where the operator's document leaves it out, [.., K].
Status CheckListShape(const Operands& operands, const Geometry& geometry, int id, int64_t size,
                      bool without_head);
Status CheckLists(const Operands& operands, const Geometry& geometry, int id, bool without_head,
                  KeyLists* lists);
// Such a tensor as rows [T][1][K]: after the check of strides.
SplitRows ViewLists(const Operands& operands, const Geometry& geometry, int id);

// The rows, of `rows`, of the keys that a token of a sequence attends to, MostKeys at the most.
Status SelectKeys(const Geometry& geometry, const KeyLists& lists, const Bindings& bindings,
                  const Sequence& sequence, const KeyRows& rows, int64_t token, int32_t* to,
                  int64_t* count);

// The same where a list's entries have numbers beside them: row i is that of entry i, as many as
// the token sees keys, whether it sees these or not.
Status SelectEntries(const Geometry& geometry, const KeyLists& lists, const Bindings& bindings,
                     const Sequence& sequence, const KeyRows& rows, int64_t token, int32_t* to,
                     int64_t* count);

}  // namespace anyacl::sparse_attention
