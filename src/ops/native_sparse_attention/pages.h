// SPDX-License-Identifier: Apache-2.0
// Where the keys of a sequence lie in rows of a tensor: one after the other, or in pages that a
// table names. Tables are device data.
#pragma once

#include <algorithm>

#include "nnop/view.h"
#include "ops/native_sparse_attention/sequences.h"

namespace anyacl::native_sparse_attention {

struct Pages {
  TensorView table;  // [sequence][page]; absent: keys lie one after the other
  int64_t page_size = 0;
  int64_t page_count = 0;  // in the tensor
  const char* name = "";   // of the table

  int64_t most_keys() const { return table.given() ? table.sizes[1] * page_size : INT64_MAX; }
};

// The keys of sequence number `index`.
class KeyPlaces {
 public:
  KeyPlaces(const Pages& pages, const Bindings& bindings, int64_t index, const Rows& keys)
      : pages_(pages), index_(index), keys_(keys) {
    if (!pages.table.given()) return;
    ids_ = reinterpret_cast<const int32_t*>(pages.table.Address(bindings)) +
           index * pages.table.strides[0];
  }

  // The row of a key, and how many keys from it on lie in rows that follow, at most `count`.
  Status Find(int64_t key, int64_t count, int64_t* row, int64_t* run) const;

 private:
  const Pages& pages_;
  const int64_t index_;
  const Rows keys_;
  const int32_t* ids_ = nullptr;
};

}  // namespace anyacl::native_sparse_attention
