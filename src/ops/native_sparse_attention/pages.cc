// SPDX-License-Identifier: Apache-2.0
#include "ops/native_sparse_attention/pages.h"

#include "acl/error_codes/rt_error_codes.h"

namespace anyacl::native_sparse_attention {

Status KeyPlaces::Find(int64_t key, int64_t count, int64_t* row, int64_t* run) const {
  *run = count;
  *row = keys_.first + key;
  if (ids_ == nullptr) return {};
  const int64_t page = key / pages_.page_size, place = key % pages_.page_size;
  const int64_t id = ids_[page * pages_.table.strides[1]];
  if (id < 0 || id >= pages_.page_count) {
    return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "{}[{}][{}] = {}, expected 0 to {}, the pages",
                pages_.name, index_, page, id, pages_.page_count - 1);
  }
  *row = id * pages_.page_size + place;
  *run = std::min(count, pages_.page_size - place);
  return {};
}

}  // namespace anyacl::native_sparse_attention
