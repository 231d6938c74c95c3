// SPDX-License-Identifier: Apache-2.0
#include "nnop/scalar.h"

#include <array>
#include <cmath>
#include <cstring>

#include "base/half.h"

namespace anyacl {
namespace {

template <class T>
T As(const Scalar& scalar) {
  T value;
  std::memcpy(&value, scalar.bytes.data(), sizeof(value));
  return value;
}

ScalarValue Real(const Scalar& scalar, double value) {
  const int64_t integer = std::isnan(value)  ? 0
                          : value >= 0x1p63  ? INT64_MAX
                          : value <= -0x1p63 ? INT64_MIN
                                             : static_cast<int64_t>(value);
  return {scalar.dtype, value, integer};
}

template <class T>
ScalarValue Integer(const Scalar& scalar) {
  const T value = As<T>(scalar);
  return {scalar.dtype, static_cast<double>(value), static_cast<int64_t>(value)};
}

}  // namespace

bool ScalarValue::is_whole() const {
  return std::trunc(real) == real && std::isfinite(real) && imaginary == 0;
}

std::optional<ScalarValue> ValueOf(const Scalar& scalar) {
  switch (scalar.dtype) {
    case ACL_FLOAT:
      return Real(scalar, As<float>(scalar));
    case ACL_FLOAT16:
      return Real(scalar, FloatFromFp16(As<uint16_t>(scalar)));
    case ACL_BF16:
      return Real(scalar, FloatFromBf16(As<uint16_t>(scalar)));
    case ACL_DOUBLE:
      return Real(scalar, As<double>(scalar));
    case ACL_INT8:
      return Integer<int8_t>(scalar);
    case ACL_UINT8:
      return Integer<uint8_t>(scalar);
    case ACL_INT16:
      return Integer<int16_t>(scalar);
    case ACL_UINT16:
      return Integer<uint16_t>(scalar);
    case ACL_INT32:
      return Integer<int32_t>(scalar);
    case ACL_UINT32:
      return Integer<uint32_t>(scalar);
    case ACL_INT64:
      return Integer<int64_t>(scalar);
    case ACL_UINT64:
      return Integer<uint64_t>(scalar);
    case ACL_BOOL: {
      const bool value = As<uint8_t>(scalar) != 0;
      return ScalarValue{scalar.dtype, value ? 1.0 : 0.0, value ? 1 : 0};
    }
    default:
      return {};
  }
}

Status ReadComplexScalar(const Operands& operands, int id, ScalarValue* value) {
  const Scalar& scalar = *operands.ScalarAt(id);
  const auto set = [&](double real, double imaginary) {
    *value = Real(scalar, real);
    value->imaginary = imaginary;
    return Status();
  };
  switch (scalar.dtype) {
    case ACL_COMPLEX32: {
      const auto parts = As<std::array<uint16_t, 2>>(scalar);
      return set(FloatFromFp16(parts[0]), FloatFromFp16(parts[1]));
    }
    case ACL_COMPLEX64: {
      const auto parts = As<std::array<float, 2>>(scalar);
      return set(parts[0], parts[1]);
    }
    case ACL_COMPLEX128: {
      const auto parts = As<std::array<double, 2>>(scalar);
      return set(parts[0], parts[1]);
    }
    default:
      return ReadScalar(operands, id, value);
  }
}

Status ReadScalar(const Operands& operands, int id, ScalarValue* value) {
  const Scalar& scalar = *operands.ScalarAt(id);
  const std::optional<ScalarValue> read = ValueOf(scalar);
  if (!read) {
    return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected a real number",
                operands.NameOf(id), NameOf(scalar.dtype));
  }
  *value = *read;
  return {};
}

}  // namespace anyacl
