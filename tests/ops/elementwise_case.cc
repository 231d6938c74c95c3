// SPDX-License-Identifier: Apache-2.0
#include "ops/elementwise_case.h"

#include <cmath>
#include <stdexcept>

#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_cos.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_eq_scalar.h"
#include "aclnnop/aclnn_eq_tensor.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_ge_scalar.h"
#include "aclnnop/aclnn_ge_tensor.h"
#include "aclnnop/aclnn_gelu.h"
#include "aclnnop/aclnn_gt_scalar.h"
#include "aclnnop/aclnn_gt_tensor.h"
#include "aclnnop/aclnn_le_scalar.h"
#include "aclnnop/aclnn_le_tensor.h"
#include "aclnnop/aclnn_leaky_relu.h"
#include "aclnnop/aclnn_log.h"
#include "aclnnop/aclnn_logical_and.h"
#include "aclnnop/aclnn_logical_not.h"
#include "aclnnop/aclnn_logical_or.h"
#include "aclnnop/aclnn_logical_xor.h"
#include "aclnnop/aclnn_lt_scalar.h"
#include "aclnnop/aclnn_lt_tensor.h"
#include "aclnnop/aclnn_maximum.h"
#include "aclnnop/aclnn_minimum.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_ne_scalar.h"
#include "aclnnop/aclnn_ne_tensor.h"
#include "aclnnop/aclnn_neg.h"
#include "aclnnop/aclnn_ones.h"
#include "aclnnop/aclnn_pow.h"
#include "aclnnop/aclnn_pow_tensor_tensor.h"
#include "aclnnop/aclnn_reciprocal.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/aclnn_rsqrt.h"
#include "aclnnop/aclnn_s_where.h"
#include "aclnnop/aclnn_sigmoid.h"
#include "aclnnop/aclnn_sign.h"
#include "aclnnop/aclnn_silu.h"
#include "aclnnop/aclnn_sin.h"
#include "aclnnop/aclnn_sqrt.h"
#include "aclnnop/aclnn_sub.h"
#include "aclnnop/aclnn_tanh.h"
#include "aclnnop/aclnn_zero.h"
#include "support/half.h"

namespace anyacl::test {
namespace {

using In = const aclTensor*;
using Out = aclTensor*;
using Value = const aclScalar*;
using Size = uint64_t*;
using Executor = aclOpExecutor**;

// One overload for each signature: inputs, scalars, in place or not.
ElementwiseOperator Of(std::string name, Phase2 second, aclnnStatus (*f)(In, Out, Size, Executor)) {
  return {std::move(name),
          second,
          1,
          0,
          false,
          [f](const Tensors& in, const ScalarList&, Out out, Size size, Executor executor) {
            return f(in[0], out, size, executor);
          }};
}
ElementwiseOperator Of(std::string name, Phase2 second, aclnnStatus (*f)(Out, Size, Executor)) {
  return {std::move(name),
          second,
          1,
          0,
          true,
          [f](const Tensors& in, const ScalarList&, Out, Size size, Executor executor) {
            return f(in[0], size, executor);
          }};
}
ElementwiseOperator Of(std::string name, Phase2 second,
                       aclnnStatus (*f)(In, In, Out, Size, Executor)) {
  return {std::move(name),
          second,
          2,
          0,
          false,
          [f](const Tensors& in, const ScalarList&, Out out, Size size, Executor executor) {
            return f(in[0], in[1], out, size, executor);
          }};
}
ElementwiseOperator Of(std::string name, Phase2 second, aclnnStatus (*f)(Out, In, Size, Executor)) {
  return {std::move(name),
          second,
          2,
          0,
          true,
          [f](const Tensors& in, const ScalarList&, Out, Size size, Executor executor) {
            return f(in[0], in[1], size, executor);
          }};
}
ElementwiseOperator Of(std::string name, Phase2 second,
                       aclnnStatus (*f)(In, Value, Out, Size, Executor)) {
  return {std::move(name),
          second,
          1,
          1,
          false,
          [f](const Tensors& in, const ScalarList& s, Out out, Size size, Executor executor) {
            return f(in[0], s[0], out, size, executor);
          }};
}
// aclnnPowTensorScalar and aclnnInplacePowTensorScalar write through const handles.
ElementwiseOperator Of(std::string name, Phase2 second,
                       aclnnStatus (*f)(In, Value, In, Size, Executor)) {
  return {std::move(name),
          second,
          1,
          1,
          false,
          [f](const Tensors& in, const ScalarList& s, Out out, Size size, Executor executor) {
            return f(in[0], s[0], out, size, executor);
          }};
}
ElementwiseOperator Of(std::string name, Phase2 second,
                       aclnnStatus (*f)(In, Value, Size, Executor)) {
  return {std::move(name),
          second,
          1,
          1,
          true,
          [f](const Tensors& in, const ScalarList& s, Out, Size size, Executor executor) {
            return f(in[0], s[0], size, executor);
          }};
}
ElementwiseOperator Of(std::string name, Phase2 second,
                       aclnnStatus (*f)(Out, Value, Size, Executor)) {
  return {std::move(name),
          second,
          1,
          1,
          true,
          [f](const Tensors& in, const ScalarList& s, Out, Size size, Executor executor) {
            return f(in[0], s[0], size, executor);
          }};
}
ElementwiseOperator Of(std::string name, Phase2 second,
                       aclnnStatus (*f)(In, In, Value, Out, Size, Executor)) {
  return {std::move(name),
          second,
          2,
          1,
          false,
          [f](const Tensors& in, const ScalarList& s, Out out, Size size, Executor executor) {
            return f(in[0], in[1], s[0], out, size, executor);
          }};
}
ElementwiseOperator Of(std::string name, Phase2 second,
                       aclnnStatus (*f)(Out, In, Value, Size, Executor)) {
  return {std::move(name),
          second,
          2,
          1,
          true,
          [f](const Tensors& in, const ScalarList& s, Out, Size size, Executor executor) {
            return f(in[0], in[1], s[0], size, executor);
          }};
}
ElementwiseOperator Of(std::string name, Phase2 second,
                       aclnnStatus (*f)(In, Value, Value, Out, Size, Executor)) {
  return {std::move(name),
          second,
          1,
          2,
          false,
          [f](const Tensors& in, const ScalarList& s, Out out, Size size, Executor executor) {
            return f(in[0], s[0], s[1], out, size, executor);
          }};
}
ElementwiseOperator Of(std::string name, Phase2 second,
                       aclnnStatus (*f)(Out, Value, Value, Size, Executor)) {
  return {std::move(name),
          second,
          1,
          2,
          true,
          [f](const Tensors& in, const ScalarList& s, Out, Size size, Executor executor) {
            return f(in[0], s[0], s[1], size, executor);
          }};
}
ElementwiseOperator Of(std::string name, Phase2 second,
                       aclnnStatus (*f)(In, In, In, Out, Size, Executor)) {
  return {std::move(name),
          second,
          3,
          0,
          false,
          [f](const Tensors& in, const ScalarList&, Out out, Size size, Executor executor) {
            return f(in[0], in[1], in[2], out, size, executor);
          }};
}
ElementwiseOperator Of(std::string name, Phase2 second,
                       aclnnStatus (*f)(In, aclDataType, Out, Size, Executor)) {
  return {std::move(name),
          second,
          1,
          0,
          false,
          [f](const Tensors& in, const ScalarList&, Out out, Size size, Executor executor) {
            aclDataType dtype = ACL_DT_UNDEFINED;
            aclGetDataType(out, &dtype);
            return f(in[0], dtype, out, size, executor);
          }};
}

}  // namespace

const std::vector<ElementwiseOperator>& ElementwiseOperators() {
#define ANYACL_OPERATOR(name) Of(#name, aclnn##name, aclnn##name##GetWorkspaceSize)
  static const std::vector<ElementwiseOperator> kOperators = {
      ANYACL_OPERATOR(Add),
      ANYACL_OPERATOR(InplaceAdd),
      ANYACL_OPERATOR(Adds),
      ANYACL_OPERATOR(InplaceAdds),
      ANYACL_OPERATOR(Sub),
      ANYACL_OPERATOR(InplaceSub),
      ANYACL_OPERATOR(Subs),
      ANYACL_OPERATOR(InplaceSubs),
      ANYACL_OPERATOR(Mul),
      ANYACL_OPERATOR(InplaceMul),
      ANYACL_OPERATOR(Muls),
      ANYACL_OPERATOR(InplaceMuls),
      ANYACL_OPERATOR(Div),
      ANYACL_OPERATOR(InplaceDiv),
      ANYACL_OPERATOR(Divs),
      ANYACL_OPERATOR(InplaceDivs),
      ANYACL_OPERATOR(Neg),
      ANYACL_OPERATOR(InplaceNeg),
      ANYACL_OPERATOR(Abs),
      ANYACL_OPERATOR(Sign),
      ANYACL_OPERATOR(Exp),
      ANYACL_OPERATOR(InplaceExp),
      ANYACL_OPERATOR(Log),
      ANYACL_OPERATOR(InplaceLog),
      ANYACL_OPERATOR(Sqrt),
      ANYACL_OPERATOR(InplaceSqrt),
      ANYACL_OPERATOR(Rsqrt),
      ANYACL_OPERATOR(InplaceRsqrt),
      ANYACL_OPERATOR(Reciprocal),
      ANYACL_OPERATOR(InplaceReciprocal),
      ANYACL_OPERATOR(Sigmoid),
      ANYACL_OPERATOR(InplaceSigmoid),
      ANYACL_OPERATOR(Silu),
      ANYACL_OPERATOR(Gelu),
      ANYACL_OPERATOR(Relu),
      ANYACL_OPERATOR(InplaceRelu),
      ANYACL_OPERATOR(LeakyRelu),
      ANYACL_OPERATOR(InplaceLeakyRelu),
      ANYACL_OPERATOR(Tanh),
      ANYACL_OPERATOR(InplaceTanh),
      ANYACL_OPERATOR(Cos),
      ANYACL_OPERATOR(InplaceCos),
      ANYACL_OPERATOR(Sin),
      ANYACL_OPERATOR(InplaceSin),
      ANYACL_OPERATOR(PowTensorScalar),
      ANYACL_OPERATOR(InplacePowTensorScalar),
      ANYACL_OPERATOR(PowTensorTensor),
      ANYACL_OPERATOR(InplacePowTensorTensor),
      ANYACL_OPERATOR(Maximum),
      ANYACL_OPERATOR(Minimum),
      ANYACL_OPERATOR(EqTensor),
      ANYACL_OPERATOR(InplaceEqTensor),
      ANYACL_OPERATOR(EqScalar),
      ANYACL_OPERATOR(InplaceEqScalar),
      ANYACL_OPERATOR(NeTensor),
      ANYACL_OPERATOR(InplaceNeTensor),
      ANYACL_OPERATOR(NeScalar),
      ANYACL_OPERATOR(InplaceNeScalar),
      ANYACL_OPERATOR(LtTensor),
      ANYACL_OPERATOR(InplaceLtTensor),
      ANYACL_OPERATOR(LtScalar),
      ANYACL_OPERATOR(InplaceLtScalar),
      ANYACL_OPERATOR(LeTensor),
      ANYACL_OPERATOR(InplaceLeTensor),
      ANYACL_OPERATOR(LeScalar),
      ANYACL_OPERATOR(InplaceLeScalar),
      ANYACL_OPERATOR(GtTensor),
      ANYACL_OPERATOR(InplaceGtTensor),
      ANYACL_OPERATOR(GtScalar),
      ANYACL_OPERATOR(InplaceGtScalar),
      ANYACL_OPERATOR(GeTensor),
      ANYACL_OPERATOR(InplaceGeTensor),
      ANYACL_OPERATOR(GeScalar),
      ANYACL_OPERATOR(InplaceGeScalar),
      ANYACL_OPERATOR(LogicalAnd),
      ANYACL_OPERATOR(InplaceLogicalAnd),
      ANYACL_OPERATOR(LogicalOr),
      ANYACL_OPERATOR(InplaceLogicalOr),
      ANYACL_OPERATOR(LogicalXor),
      ANYACL_OPERATOR(LogicalNot),
      ANYACL_OPERATOR(InplaceLogicalNot),
      ANYACL_OPERATOR(SWhere),
      ANYACL_OPERATOR(Clamp),
      ANYACL_OPERATOR(Cast),
      ANYACL_OPERATOR(InplaceCopy),
      ANYACL_OPERATOR(InplaceZero),
      ANYACL_OPERATOR(InplaceOne),
      ANYACL_OPERATOR(InplaceFillScalar),
  };
#undef ANYACL_OPERATOR
  return kOperators;
}

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
