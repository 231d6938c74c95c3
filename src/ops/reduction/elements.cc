// SPDX-License-Identifier: Apache-2.0
#include "ops/reduction/elements.h"

#include "ops/blocks/convert.h"

namespace anyacl::reduction {

template <class T>
Elements<T>::Elements(aclDataType dtype, std::optional<aclDataType> become)
    : bytes_(blocks::BytesOf(dtype)),
      type_(ElementOf(dtype)),
      dtype_(dtype),
      become_(become),
      load_(blocks::Loader(kElementOf<T>, become.value_or(dtype))) {}

template <class T>
void Elements<T>::Load(const blocks::Tile& from, T* to) const {
  if (!become_) return load_(from, to);
  constexpr int64_t kPart = 512;
  alignas(64) char converted[kPart * sizeof(int64_t)];
  const int64_t step = blocks::BytesOf(*become_);
  for (int64_t r = 0; r < from.rows; ++r) {
    for (int64_t c = 0; c < from.cols; c += kPart) {
      const int64_t n = std::min(kPart, from.cols - c);
      const char* data = from.data + (r * from.row_stride + c * from.col_stride) * bytes_;
      blocks::ConvertElements(dtype_, data, from.col_stride * bytes_, *become_, converted, step, n);
      load_({converted, 1, n, n, 1, false}, to + r * from.cols + c);
    }
  }
}

template class Elements<float>;
template class Elements<double>;
template class Elements<int64_t>;

}  // namespace anyacl::reduction
