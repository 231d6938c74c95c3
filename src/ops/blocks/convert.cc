// SPDX-License-Identifier: Apache-2.0
#include "ops/blocks/convert.h"

#include <algorithm>
#include <array>

#include "nnop/promotion.h"
#include "ops/blocks/blocks.h"
#include "runtime/parallel.h"

namespace anyacl::blocks {
namespace {

// Elements at steps in bytes.
Tile Row(aclDataType dtype, const char* data, int64_t step, int64_t count) {
  return {const_cast<char*>(data), 1, count, 0, step / BytesOf(dtype), false};
}

void ConvertReal(aclDataType from_type, const char* from, int64_t from_step, aclDataType to_type,
                 char* to, int64_t to_step, int64_t count) {
  const Element number = NumberBetween(from_type, to_type);
  const LoadFunction load = Loader(number, from_type);
  const StoreFunction store = Storer(number, to_type);
  alignas(64) char block[kBlock * sizeof(double)];
  for (int64_t done = 0; done < count; done += kBlock) {
    const int64_t n = std::min(kBlock, count - done);
    load(Row(from_type, from + done * from_step, from_step, n), block);
    store(block, Row(to_type, to + done * to_step, to_step, n));
  }
}

}  // namespace

bool CanConvert(aclDataType from, aclDataType to) {
  const Category source = CategoryOf(from);
  const Category target = CategoryOf(to);
  return source != Category::kNone && target != Category::kNone &&
         (source != Category::kComplex || target == Category::kComplex);
}

void ConvertElements(aclDataType from_type, const char* from, int64_t from_step,
                     aclDataType to_type, char* to, int64_t to_step, int64_t count) {
  const aclDataType source = PartOf(from_type), part = PartOf(to_type);
  if (part == to_type) {
    ConvertReal(source, from, from_step, to_type, to, to_step, count);
    if (source == from_type || to_type != ACL_BOOL) return;
    from += BytesOf(source);
    char imaginary[kBlock];
    for (int64_t done = 0; done < count; done += kBlock) {
      const int64_t n = std::min(kBlock, count - done);
      ConvertReal(source, from + done * from_step, from_step, ACL_BOOL, imaginary, 1, n);
      for (int64_t i = 0; i < n; ++i) to[(done + i) * to_step] |= imaginary[i];
    }
    return;
  }
  ConvertReal(source, from, from_step, part, to, to_step, count);
  to += BytesOf(part);
  if (CategoryOf(from_type) == Category::kComplex) {
    return ConvertReal(source, from + BytesOf(source), from_step, part, to, to_step, count);
  }
  const uint8_t zero = 0;
  ConvertReal(ACL_UINT8, reinterpret_cast<const char*>(&zero), 0, part, to, to_step, count);
}

StridedConversion::StridedConversion(const TensorView& to, const TensorView& from, aclDataType via)
    : to_(to), from_(from), via_(via == from.dtype ? to.dtype : via) {
  std::array views = {to_, from_};
  if (to.elements() > 0) Coalesce(views);
  to_ = views[0];
  from_ = views[1];
  for (TensorView* view : {&to_, &from_}) {
    if (view->rank > 0) continue;
    view->rank = 1;
    view->sizes[0] = view->strides[0] = 1;
  }
}

void StridedConversion::Run(const Bindings& bindings) const {
  const int last = to_.rank - 1;
  const int64_t length = to_.sizes[last];
  if (to_.elements() == 0) return;
  const int64_t pieces = (length + kBlock - 1) / kBlock;
  const int64_t rows = to_.elements() / length;
  // A block takes about 1 us, a short row far less.
  const int64_t grain = std::max<int64_t>(1, 8192 / std::min(length, kBlock));
  ParallelFor(rows * pieces, grain, [&](int64_t begin, int64_t end) {
    alignas(16) char block[kBlock * 16];
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t first = unit % pieces * kBlock;
      const int64_t count = std::min(kBlock, length - first);
      const auto place = [&](const TensorView& view) {
        const int64_t at = view.OffsetOf(unit / pieces, last) + first * view.strides[last];
        return view.Address(bindings) + at * BytesOf(view);
      };
      char* const to = place(to_);
      const char* const from = place(from_);
      const int64_t to_step = to_.strides[last] * BytesOf(to_);
      const int64_t from_step = from_.strides[last] * BytesOf(from_);
      if (via_ == to_.dtype) {
        ConvertElements(from_.dtype, from, from_step, to_.dtype, to, to_step, count);
        continue;
      }
      const int64_t via_bytes = BytesOf(via_);
      ConvertElements(from_.dtype, from, from_step, via_, block, via_bytes, count);
      ConvertElements(via_, block, via_bytes, to_.dtype, to, to_step, count);
    }
  });
}

}  // namespace anyacl::blocks
