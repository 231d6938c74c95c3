// SPDX-License-Identifier: Apache-2.0
#include "nnop/convert.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/half.h"
#include "nnop/promotion.h"
#include "runtime/parallel.h"

namespace anyacl {
namespace {

struct Fp16 {
  uint16_t bits;
};
struct Bf16 {
  uint16_t bits;
};
struct Bool {
  uint8_t byte;
};

// Calls f(T{}) for the type of real numbers.
template <class Function>
void ForType(aclDataType dtype, const Function& f) {
  switch (dtype) {
    case ACL_FLOAT:
      return f(float{});
    case ACL_DOUBLE:
      return f(double{});
    case ACL_FLOAT16:
      return f(Fp16{});
    case ACL_BF16:
      return f(Bf16{});
    case ACL_BOOL:
      return f(Bool{});
    case ACL_INT8:
      return f(int8_t{});
    case ACL_INT16:
      return f(int16_t{});
    case ACL_INT32:
      return f(int32_t{});
    case ACL_INT64:
      return f(int64_t{});
    case ACL_UINT8:
      return f(uint8_t{});
    case ACL_UINT16:
      return f(uint16_t{});
    case ACL_UINT32:
      return f(uint32_t{});
    case ACL_UINT64:
      return f(uint64_t{});
    default:
      return;
  }
}

double Widened(Fp16 value) { return FloatFromFp16(value.bits); }
double Widened(Bf16 value) { return FloatFromBf16(value.bits); }
int64_t Widened(Bool value) { return value.byte != 0 ? 1 : 0; }
template <class T>
T Widened(T value) {
  return value;
}

template <class T>
int64_t Saturated(double value) {
  using Limits = std::numeric_limits<T>;
  if (value != value) return 0;
  if (value >= static_cast<double>(Limits::max())) return static_cast<int64_t>(Limits::max());
  if (value <= static_cast<double>(Limits::min())) return static_cast<int64_t>(Limits::min());
  return static_cast<int64_t>(static_cast<T>(value));
}

template <class T, class Number>
T Narrowed(Number value) {
  if constexpr (std::is_same_v<T, Fp16>) {
    return {Fp16FromDouble(static_cast<double>(value))};
  } else if constexpr (std::is_same_v<T, Bf16>) {
    return {Bf16FromDouble(static_cast<double>(value))};
  } else if constexpr (std::is_same_v<T, Bool>) {
    return {static_cast<uint8_t>(value != 0)};
  } else if constexpr (std::is_floating_point_v<T> || std::is_same_v<Number, int64_t>) {
    return static_cast<T>(value);
  } else {
    return static_cast<T>(Saturated<T>(value));
  }
}

constexpr int64_t kBlock = 512;

template <class Number>
void Load(aclDataType dtype, const char* from, int64_t step, int64_t count, Number* out) {
  ForType(dtype, [&]<class T>(T) {
    for (int64_t i = 0; i < count; ++i) {
      T value;
      std::memcpy(&value, from + i * step, sizeof value);
      out[i] = static_cast<Number>(Widened(value));
    }
  });
}

template <class Number>
void Store(aclDataType dtype, const Number* in, int64_t count, char* to, int64_t step) {
  ForType(dtype, [&]<class T>(T) {
    for (int64_t i = 0; i < count; ++i) {
      const T value = Narrowed<T>(in[i]);
      std::memcpy(to + i * step, &value, sizeof value);
    }
  });
}

template <class Number>
void ConvertReal(aclDataType from_type, const char* from, int64_t from_step, aclDataType to_type,
                 char* to, int64_t to_step, int64_t count) {
  Number block[kBlock];
  for (int64_t done = 0; done < count; done += kBlock) {
    const int64_t n = std::min(kBlock, count - done);
    Load(from_type, from + done * from_step, from_step, n, block);
    Store(to_type, block, n, to + done * to_step, to_step);
  }
}

// The type of the two parts of a complex number.
aclDataType PartOf(aclDataType dtype) {
  switch (dtype) {
    case ACL_COMPLEX32:
      return ACL_FLOAT16;
    case ACL_COMPLEX64:
      return ACL_FLOAT;
    case ACL_COMPLEX128:
      return ACL_DOUBLE;
    default:
      return dtype;
  }
}

bool IsWhole(aclDataType dtype) {
  const Category category = CategoryOf(dtype);
  return category == Category::kBool || category == Category::kInteger;
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
  if (CategoryOf(to_type) == Category::kComplex) {
    const aclDataType part = PartOf(to_type);
    const bool complex = CategoryOf(from_type) == Category::kComplex;
    const aclDataType source = PartOf(from_type);
    ConvertElements(source, from, from_step, part, to, to_step, count);
    const double zero = 0;
    to += BitsOf(part) / 8;
    if (complex) {
      ConvertElements(source, from + BitsOf(source) / 8, from_step, part, to, to_step, count);
    } else {
      ConvertElements(ACL_DOUBLE, reinterpret_cast<const char*>(&zero), 0, part, to, to_step,
                      count);
    }
    return;
  }
  if (IsWhole(from_type) && IsWhole(to_type)) {
    ConvertReal<int64_t>(from_type, from, from_step, to_type, to, to_step, count);
  } else {
    ConvertReal<double>(from_type, from, from_step, to_type, to, to_step, count);
  }
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
  const int64_t to_bytes = BitsOf(to_.dtype) / 8;
  const int64_t from_bytes = BitsOf(from_.dtype) / 8;
  // A block takes about 1 us, a short row far less.
  const int64_t grain = std::max<int64_t>(1, 8192 / std::min(length, kBlock));
  ParallelFor(rows * pieces, grain, [&](int64_t begin, int64_t end) {
    alignas(16) char block[kBlock * 16];
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t first = unit % pieces * kBlock;
      const int64_t count = std::min(kBlock, length - first);
      int64_t row = unit / pieces;
      int64_t to_offset = first * to_.strides[last];
      int64_t from_offset = first * from_.strides[last];
      for (int i = last; i-- > 0; row /= to_.sizes[i]) {
        to_offset += row % to_.sizes[i] * to_.strides[i];
        from_offset += row % to_.sizes[i] * from_.strides[i];
      }
      char* to = to_.Address(bindings) + to_offset * to_bytes;
      const char* from = from_.Address(bindings) + from_offset * from_bytes;
      const int64_t to_step = to_.strides[last] * to_bytes;
      const int64_t from_step = from_.strides[last] * from_bytes;
      if (via_ == to_.dtype) {
        ConvertElements(from_.dtype, from, from_step, to_.dtype, to, to_step, count);
        continue;
      }
      const int64_t via_bytes = BitsOf(via_) / 8;
      ConvertElements(from_.dtype, from, from_step, via_, block, via_bytes, count);
      ConvertElements(via_, block, via_bytes, to_.dtype, to, to_step, count);
    }
  });
}

}  // namespace anyacl
