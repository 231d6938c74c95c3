// SPDX-License-Identifier: Apache-2.0
#include "ops/elementwise_case.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace anyacl::test {

void PrintTo(const ElementwiseOperator& op, std::ostream* out) { *out << op.name; }

const ElementwiseOperator& OperatorNamed(const std::string& name) {
  for (const ElementwiseOperator& op : ElementwiseOperators()) {
    if (op.name == name) return op;
  }
  throw std::logic_error("no operator " + name);
}

bool IsFloating(aclDataType dtype) {
  return dtype == ACL_FLOAT || dtype == ACL_FLOAT16 || dtype == ACL_BF16 || dtype == ACL_DOUBLE;
}

double UlpAt(aclDataType dtype, double value) {
  const int digits = dtype == ACL_FLOAT16 ? 10
                     : dtype == ACL_BF16  ? 7
                     : dtype == ACL_FLOAT ? 23
                                          : 52;
  const int lowest = dtype == ACL_FLOAT16 ? -14 : dtype == ACL_DOUBLE ? -1022 : -126;
  if (!std::isnormal(value)) {
    return std::ldexp(1.0, (value == 0 ? lowest : std::max(std::ilogb(value), lowest)) - digits);
  }
  // By their bits, for each element.
  const auto magnitude = std::bit_cast<uint64_t>(std::fabs(value));
  const int exponent = std::max(static_cast<int>(magnitude >> 52) - 1023, lowest) - digits;
  if (exponent < -1022) return std::ldexp(1.0, exponent);
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

ScalarHandle::ScalarHandle(double value, aclDataType dtype) {
  float fp32 = static_cast<float>(value);
  int64_t int64 = static_cast<int64_t>(value);
  bool boolean = value != 0;
  void* from = dtype == ACL_FLOAT   ? static_cast<void*>(&fp32)
               : dtype == ACL_INT64 ? static_cast<void*>(&int64)
               : dtype == ACL_BOOL  ? static_cast<void*>(&boolean)
                                    : &value;
  handle_ = aclCreateScalar(from, dtype);
}

}  // namespace anyacl::test
