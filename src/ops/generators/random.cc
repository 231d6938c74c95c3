// SPDX-License-Identifier: Apache-2.0
#include "ops/generators/random.h"

#include <cmath>
#include <limits>

#include "base/half.h"
#include "nnop/promotion.h"

namespace anyacl::generators {
namespace {

template <class T>
Limits LimitsFor() {
  return {static_cast<double>(std::numeric_limits<T>::lowest()),
          static_cast<double>(std::numeric_limits<T>::max())};
}

// The next number of a floating-point type above one of its own.
double Above(aclDataType dtype, double x) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (dtype == ACL_DOUBLE) return std::nextafter(x, kInfinity);
  if (dtype == ACL_FLOAT) {
    return std::nextafter(static_cast<float>(x), std::numeric_limits<float>::infinity());
  }
  const bool fp16 = dtype == ACL_FLOAT16;
  uint16_t bits = fp16 ? Fp16FromDouble(x) : Bf16FromDouble(x);
  if (bits == 0x8000) bits = 0;
  bits = static_cast<uint16_t>((bits & 0x8000) != 0 ? bits - 1 : bits + 1);
  return fp16 ? FloatFromFp16(bits) : FloatFromBf16(bits);
}

}  // namespace

Seeds::Seeds(const Operands& operands)
    : given_(operands, {kSeed, kOffset, kSeedTensor, kOffsetTensor}) {}

Sequence Seeds::Read(const Bindings& bindings) const {
  return {given_.Seed(bindings), 0, given_.Offset(bindings), false};
}

Sequence Seeds::ReadRisingHigh(const Bindings& bindings) const {
  const int64_t blocks = static_cast<int64_t>(given_.Offset(bindings)) / 4;
  return {given_.Seed(bindings), static_cast<uint64_t>(blocks), 0, true};
}

Elements::Elements(const TensorView& view, Element number)
    : view_(RealParts(view)),
      bytes_(blocks::BytesOf(view_.dtype)),
      number_bytes_(BytesOf(number)),
      complex_(CategoryOf(view.dtype) == Category::kComplex) {
  CoalesceInOrder({&view_, 1});
  load_ = blocks::Loader(number, view_.dtype);
  store_ = blocks::Storer(number, view_.dtype);
  dense_ = !complex_ && view_.IsContiguous();
  native_ = ElementOf(view_.dtype) == number;
}

void Elements::Load(const Bindings& bindings, int64_t first, int64_t count, void* to) const {
  auto* numbers = static_cast<char*>(to);
  blocks::ForTiles(
      view_, view_.Address(bindings), first, first + count,
      [&](const blocks::Tile& tile, int64_t done) { load_(tile, numbers + done * number_bytes_); });
}

void Elements::Store(const Bindings& bindings, int64_t first, int64_t count,
                     const void* from) const {
  static constexpr int64_t kZeros[kBlock] = {};
  const auto* numbers = static_cast<const char*>(from);
  blocks::ForTiles(view_, view_.Address(bindings), first, first + count,
                   [&](blocks::Tile tile, int64_t done) {
                     store_(numbers + done * number_bytes_, tile);
                     if (!complex_) return;
                     tile.data += bytes_;
                     store_(kZeros, tile);
                   });
}

char* Elements::Dense(const Bindings& bindings, int64_t first) const {
  return dense_ ? view_.Address(bindings) + first * bytes_ : nullptr;
}

char* Elements::Direct(const Bindings& bindings, int64_t first) const {
  return native_ ? Dense(bindings, first) : nullptr;
}

double Nearest(aclDataType dtype, double x) {
  switch (dtype) {
    case ACL_FLOAT16:
      return FloatFromFp16(Fp16FromDouble(x));
    case ACL_BF16:
      return FloatFromBf16(Bf16FromDouble(x));
    case ACL_FLOAT:
      return static_cast<float>(x);
    default:
      return x;
  }
}

double LargestBelow(aclDataType dtype, double x) {
  const double nearest = Nearest(dtype, x);
  return nearest < x ? nearest : -Above(dtype, -nearest);
}

double SmallestFrom(aclDataType dtype, double x) {
  const double nearest = Nearest(dtype, x);
  return nearest >= x ? nearest : Above(dtype, nearest);
}

Limits LimitsOf(aclDataType dtype) {
  switch (dtype) {
    case ACL_FLOAT16:
      return {-65504.0, 65504.0};
    case ACL_BF16:
      return {-FloatFromBf16(0x7f7f), FloatFromBf16(0x7f7f)};
    case ACL_FLOAT:
    case ACL_COMPLEX64:
      return LimitsFor<float>();
    case ACL_DOUBLE:
    case ACL_COMPLEX128:
      return LimitsFor<double>();
    case ACL_INT8:
      return LimitsFor<int8_t>();
    case ACL_UINT8:
      return LimitsFor<uint8_t>();
    case ACL_INT16:
      return LimitsFor<int16_t>();
    case ACL_INT32:
      return LimitsFor<int32_t>();
    case ACL_INT64:
      return LimitsFor<int64_t>();
    default:  // BOOL
      return {0.0, 1.0};
  }
}

}  // namespace anyacl::generators
