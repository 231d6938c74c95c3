// SPDX-License-Identifier: Apache-2.0
#include "ops/native_sparse_attention/selection.h"

#include <algorithm>

#include "acl/error_codes/rt_error_codes.h"
#include "base/division.h"

namespace anyacl::native_sparse_attention {

Status Selection::Read(const Bindings& bindings, const Token& token, int64_t head, int32_t* keys,
                       int64_t* count) const {
  const auto* list = reinterpret_cast<const int32_t*>(indices.Address(bindings)) +
                     token.row * indices.strides[0] + head * indices.strides[1];
  int32_t* to = keys;
  for (int64_t k = 0; k < indices.sizes[2]; ++k) {
    const int64_t first = int64_t{list[k * indices.strides[2]]} * block_size;
    if (first < 0 || first >= token.keys.count) {
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "topkIndices[{}][{}][{}] = {}, expected 0 to {}, the blocks of {} keys",
                  token.row, head, k, first / block_size,
                  CeilDivide(token.keys.count, block_size) - 1, token.keys.count);
    }
    const int64_t end =
        std::min({first + block_size, token.keys.count, causal ? token.position + 1 : INT64_MAX});
    for (int64_t key = first; key < end; ++key) {
      *to++ = static_cast<int32_t>(token.keys.first + key);
    }
  }
  *count = to - keys;
  return {};
}

}  // namespace anyacl::native_sparse_attention
