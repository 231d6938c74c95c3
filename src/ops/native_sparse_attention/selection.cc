// SPDX-License-Identifier: Apache-2.0
#include "ops/native_sparse_attention/selection.h"

#include <numeric>

#include "acl/error_codes/rt_error_codes.h"
#include "base/division.h"

namespace anyacl::native_sparse_attention {

int64_t Selection::Visible(const AttendedSequence& s, int64_t i) const {
  switch (sees) {
    case Sees::kUpToItsNumber:
      return std::min(s.keys.count, i + 1);
    case Sees::kUpToItsKey:
      return std::max<int64_t>(0, s.keys.count - s.rows.count + i + 1);
    default:
      return s.keys.count;
  }
}

Status Selection::Read(const Bindings& bindings, const AttendedSequence& s, int64_t i, int64_t head,
                       int32_t* keys, int64_t* count) const {
  const int64_t row = s.rows.first + i, visible = Visible(s, i);
  const auto* list = reinterpret_cast<const int32_t*>(indices.Address(bindings)) +
                     row * indices.strides[0] + head * indices.strides[1];
  const KeyPlaces places(pages, bindings, s.index, s.keys);
  int32_t* to = keys;
  for (int64_t k = 0; k < indices.sizes[2]; ++k) {
    const int64_t block = list[k * indices.strides[2]];
    if (may_end && block == -1) break;
    if (block < 0 || block * block_size >= s.keys.count) {
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "topkIndices[{}][{}][{}] = {}, expected {}0 to {}, the blocks of {} keys", row,
                  head, k, block, may_end ? "-1, or " : "",
                  CeilDivide(s.keys.count, block_size) - 1, s.keys.count);
    }
    const int64_t end = std::min((block + 1) * block_size, visible);
    for (int64_t key = block * block_size, run = 0; key < end; key += run, to += run) {
      int64_t first = 0;
      if (Status f = places.Find(key, end - key, &first, &run); !f.ok()) return f;
      std::iota(to, to + run, static_cast<int32_t>(first));
    }
  }
  *count = to - keys;
  return {};
}

}  // namespace anyacl::native_sparse_attention
