// SPDX-License-Identifier: Apache-2.0
#include "ops/reduction/elements.h"

#include "nnop/promotion.h"

namespace anyacl::reduction {
namespace {

using blocks::Element;
using blocks::Number;

template <class T>
std::optional<Format> FormatOf(aclDataType dtype) {
  const bool is_float = kNumberOf<T> == Number::kFp32;
  switch (dtype) {
    case ACL_FLOAT:
      return is_float ? std::optional(Format::kSame) : std::nullopt;
    case ACL_FLOAT16:
      return is_float ? std::optional(Format::kFp16) : std::nullopt;
    case ACL_BF16:
      return is_float ? std::optional(Format::kBf16) : std::nullopt;
    case ACL_DOUBLE:
      return kNumberOf<T> == Number::kFp64 ? std::optional(Format::kSame) : std::nullopt;
    case ACL_INT64:
      return kNumberOf<T> == Number::kInt64 ? std::optional(Format::kSame) : std::nullopt;
    default:
      return {};
  }
}

}  // namespace

template <class T>
Elements<T>::Elements(aclDataType dtype, std::optional<aclDataType> become)
    : bytes_(blocks::BytesOf(dtype)) {
  const Element element = *blocks::ElementOf(dtype);
  if (!become) {
    format_ = FormatOf<T>(dtype);
    load_ = blocks::Loader(kNumberOf<T>, element);
    return;
  }
  const bool floating = CategoryOf(dtype) == Category::kFloating;
  const Number number = floating ? Number::kFp64 : Number::kInt64;
  load_ = blocks::Loader(number, element);
  convert_ = blocks::Storer(number, *blocks::ElementOf(*become));
  reload_ = blocks::Loader(kNumberOf<T>, *blocks::ElementOf(*become));
}

template <class T>
void Elements<T>::Load(const blocks::Tile& from, T* to) const {
  if (convert_ == nullptr) return load_(from, to);
  // As many rows, or as much of one, as the buffers hold.
  constexpr int64_t kPart = 512;
  alignas(64) char numbers[kPart * 8];
  alignas(64) char converted[kPart * 8];
  for (int64_t r = 0; r < from.rows; ++r) {
    for (int64_t c = 0; c < from.cols; c += kPart) {
      const int64_t n = std::min(kPart, from.cols - c);
      char* data = from.data + (r * from.row_stride + c * from.col_stride) * bytes_;
      load_({data, 1, n, 0, from.col_stride, false}, numbers);
      const blocks::Tile between = {converted, 1, n, n, 1, false};
      convert_(numbers, between);
      reload_(between, to + r * from.cols + c);
    }
  }
}

template class Elements<float>;
template class Elements<double>;
template class Elements<int64_t>;

}  // namespace anyacl::reduction
