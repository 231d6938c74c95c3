// SPDX-License-Identifier: Apache-2.0
#include "ops/elementwise_case.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "support/half.h"

namespace anyacl::test {

void PrintTo(const ElementwiseOperator& op, std::ostream* out) { *out << op.name; }

const ElementwiseOperator& OperatorNamed(const std::string& name) {
  for (const ElementwiseOperator& op : ElementwiseOperators()) {
    if (op.name == name) return op;
  }
  throw std::logic_error("no operator " + name);
}

namespace {

template <class T>
std::vector<double> ReadAs(const Tensor& tensor) {
  const std::vector<T> values = tensor.Read<T>();
  return {values.begin(), values.end()};
}
std::vector<double> ReadHalves(const Tensor& tensor, float (*decode)(uint16_t)) {
  std::vector<double> values;
  for (uint16_t bits : tensor.Read<uint16_t>()) values.push_back(decode(bits));
  return values;
}
template <class T>
void WriteAs(Tensor& tensor, const std::vector<double>& values) {
  std::vector<T> elements;
  for (double value : values) elements.push_back(static_cast<T>(value));
  tensor.Write(elements);
}
void WriteHalves(Tensor& tensor, const std::vector<double>& values, uint16_t (*encode)(float)) {
  std::vector<uint16_t> elements;
  for (double value : values) elements.push_back(encode(static_cast<float>(value)));
  tensor.Write(elements);
}

}  // namespace

std::vector<double> ReadNumbers(const Tensor& tensor) {
  switch (tensor.layout().dtype) {
    case ACL_FLOAT:
      return ReadAs<float>(tensor);
    case ACL_DOUBLE:
      return ReadAs<double>(tensor);
    case ACL_FLOAT16:
      return ReadHalves(tensor, DecodeFp16);
    case ACL_BF16:
      return ReadHalves(tensor, DecodeBf16);
    case ACL_INT8:
      return ReadAs<int8_t>(tensor);
    case ACL_INT16:
      return ReadAs<int16_t>(tensor);
    case ACL_INT32:
      return ReadAs<int32_t>(tensor);
    case ACL_INT64:
      return ReadAs<int64_t>(tensor);
    case ACL_UINT16:
      return ReadAs<uint16_t>(tensor);
    case ACL_UINT32:
      return ReadAs<uint32_t>(tensor);
    case ACL_UINT64:
      return ReadAs<uint64_t>(tensor);
    default:
      return ReadAs<uint8_t>(tensor);
  }
}

void WriteNumbers(Tensor& tensor, const std::vector<double>& values) {
  switch (tensor.layout().dtype) {
    case ACL_FLOAT:
      return WriteAs<float>(tensor, values);
    case ACL_DOUBLE:
      return WriteAs<double>(tensor, values);
    case ACL_FLOAT16:
      return WriteHalves(tensor, values, EncodeFp16);
    case ACL_BF16:
      return WriteHalves(tensor, values, EncodeBf16);
    case ACL_INT8:
      return WriteAs<int8_t>(tensor, values);
    case ACL_INT16:
      return WriteAs<int16_t>(tensor, values);
    case ACL_INT32:
      return WriteAs<int32_t>(tensor, values);
    case ACL_INT64:
      return WriteAs<int64_t>(tensor, values);
    case ACL_UINT16:
      return WriteAs<uint16_t>(tensor, values);
    case ACL_UINT32:
      return WriteAs<uint32_t>(tensor, values);
    case ACL_UINT64:
      return WriteAs<uint64_t>(tensor, values);
    default:
      return WriteAs<uint8_t>(tensor, values);
  }
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
  const int exponent = value == 0 ? lowest : std::max(std::ilogb(value), lowest);
  return std::ldexp(1.0, exponent - digits);
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
