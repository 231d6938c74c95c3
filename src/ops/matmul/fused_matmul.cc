// SPDX-License-Identifier: Apache-2.0
// FusedMatmul: a product with its bias, rounded, and what it is combined with; cubeMathType 4 adds
// and multiplies before the product is rounded.
#include <optional>

#include "nnop/promotion.h"
#include "ops/matmul/operators.h"
#include "ops/steps.h"

namespace anyacl::matmul {
namespace {

// In the order of the texts that ReadFusion knows.
enum class Fusion { kNone, kAdd, kMul, kRelu, kGeluErf, kGeluTanh, kCast };

bool Combines(Fusion fusion) { return fusion == Fusion::kAdd || fusion == Fusion::kMul; }
bool IsGelu(Fusion fusion) { return fusion == Fusion::kGeluErf || fusion == Fusion::kGeluTanh; }
size_t MostRank(Fusion fusion) {
  if (Combines(fusion)) return 3;
  return fusion == Fusion::kNone || fusion == Fusion::kRelu ? 6 : 2;
}

Status ReadFusion(const Operands& operands, Fusion* fusion) {
  size_t place = 0;
  Status s = operands.CheckText(
      kActType, {"", "add", "mul", "relu", "gelu_erf", "gelu_tanh", "16cast32"}, &place);
  *fusion = static_cast<Fusion>(place);
  return s;
}

// The document has the code of null for a bias that must be null, too.
Status CheckFusedGiven(const Operands& operands, Fusion fusion) {
  const CheckCodes& codes = operands.spec().codes;
  if (IsGelu(fusion) && operands.Given(kSummand)) {
    return Fail(codes.null, "bias is given, expected null as fusedOpType is {}",
                operands.Text(kActType));
  }
  const bool combined = operands.Given(kCombined);
  if (Combines(fusion) && !combined) {
    return Fail(codes.null, "x3 is null, expected a tensor as fusedOpType is {}",
                operands.Text(kActType));
  }
  if (!combined || Combines(fusion)) return {};
  return Fail(codes.shape, "x3 is given, expected null as fusedOpType is \"{}\"",
              operands.Text(kActType));
}

Status CheckFusedTypes(const Operands& operands, Fusion fusion) {
  const int code = operands.spec().codes.dtype;
  const aclDataType left = operands[kLeft].dtype(), right = operands[kRight].dtype();
  if (left != right && left != ACL_FLOAT && right != ACL_FLOAT) {
    return Fail(code, "x2.dtype = {}, expected {} or FLOAT as x1.dtype is {}", NameOf(right),
                NameOf(left), NameOf(left));
  }
  const aclDataType common = Promote(left, right);
  if (common == ACL_FLOAT && (IsGelu(fusion) || fusion == Fusion::kCast)) {
    return Fail(code, "x1.dtype = {} and x2.dtype = {}, expected FLOAT16 or BF16 for {}",
                NameOf(left), NameOf(right), operands.Text(kActType));
  }
  const aclDataType y = fusion == Fusion::kCast ? ACL_FLOAT : common;
  if (operands[kOut].dtype() != y) {
    return Fail(code, "y.dtype = {}, expected {} as fusedOpType is \"{}\" and x1 and x2 have {}",
                NameOf(operands[kOut].dtype()), NameOf(y), operands.Text(kActType), NameOf(common));
  }
  const int64_t cube = operands.Int(kCubeMathType);
  if ((cube == 2 && common == ACL_BF16) || (cube == 3 && common != ACL_FLOAT)) {
    return Fail(operands.spec().codes.shape, "cubeMathType = {}, expected another one for {}", cube,
                NameOf(common));
  }
  return {};
}

// Of the last two dimensions, and of all of y.
Status CheckFusedShapes(const Operands& operands, Fusion fusion) {
  const int code = operands.spec().codes.shape;
  const size_t most = MostRank(fusion);
  const Dims& left = operands[kLeft].shape();
  const Dims& right = operands[kRight].shape();
  for (int id : {kLeft, kRight}) {
    const Dims& shape = operands[id].shape();
    if (shape.rank() >= 2 && shape.rank() <= most) continue;
    return Fail(code, "{}.shape = {}, expected rank 2{} as fusedOpType is \"{}\"",
                operands.NameOf(id), shape.ToString(), most > 2 ? Format(" to {}", most) : "",
                operands.Text(kActType));
  }
  if (right[right.rank() - 2] != left.back()) {
    return Fail(code, "x2.shape = {}, expected {} rows as x1.shape = {} has columns",
                right.ToString(), left.back(), left.ToString());
  }
  if (left.back() == 0 && operands.Given(kSummand)) {
    return Fail(code, "x1.shape = {}, expected columns as bias is given", left.ToString());
  }
  const std::optional<Dims> batch =
      BroadcastShape(Dims(left.begin(), left.rank() - 2), Dims(right.begin(), right.rank() - 2));
  if (!batch) {
    return Fail(code,
                "x2.shape = {}, expected leading dimensions that broadcast with x1.shape = {}",
                right.ToString(), left.ToString());
  }
  Dims y = *batch;
  y.push_back(left[left.rank() - 2]);
  y.push_back(right.back());
  if (Status s = CheckShapeIs(operands, kOut, y); !s.ok()) return s;
  if (operands.Given(kSummand) && operands[kSummand].shape().back() != right.back()) {
    return Fail(code, "bias.shape = {}, expected [{}] or [1, {}]",
                operands[kSummand].shape().ToString(), right.back(), right.back());
  }
  if (!operands.Given(kCombined)) return {};
  const Dims& x3 = operands[kCombined].shape();
  const bool fits = x3 == y || x3 == Dims{y[y.rank() - 2], y.back()} ||
                    (y.rank() == 3 && x3 == Dims{1, y[1], y[2]});
  if (fits) return {};
  return Fail(code, "x3.shape = {}, expected {}, or a matrix of it", x3.ToString(), y.ToString());
}

// y may be the product.
Status AddFusion(Steps& steps, const InnerTensor& product, const InnerTensor& x3, Fusion fusion,
                 const InnerTensor& y) {
  switch (fusion) {
    case Fusion::kNone:
    case Fusion::kCast:
      return {};
    case Fusion::kAdd:
      return steps.Call("aclnnAdd", {product, x3, 1.0f, y});
    case Fusion::kMul:
      return steps.Call("aclnnMul", {product, x3, y});
    case Fusion::kRelu:
      return steps.Call("aclnnRelu", {product, y});
    case Fusion::kGeluErf:
    case Fusion::kGeluTanh:
      return steps.Call("aclnnGeluV2", {product, int64_t{fusion == Fusion::kGeluTanh}, y});
  }
  return {};
}

}  // namespace

Status PrepareFused(Operands& operands, PreparedCall* call) {
  Fusion fusion = Fusion::kNone;
  if (Status s = ReadFusion(operands, &fusion); !s.ok()) return s;
  if (Status s = CheckFusedGiven(operands, fusion); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckFusedTypes(operands, fusion); !s.ok()) return s;
  if (Status s = CheckFusedShapes(operands, fusion); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  Steps steps(operands);
  const InnerTensor y = TensorOf(operands, kOut);
  const bool combines = Combines(fusion);
  const bool late = operands.Int(kCubeMathType) == 4 && combines;  // rounding
  const bool wide = y.layout.dtype != ACL_FLOAT && (late || operands.Given(kSummand));
  const Dims& shape = operands[kOut].shape();
  // What is combined with x3 lies apart: y may be x3.
  const InnerTensor product =
      combines && !(wide && late) ? steps.Piece("the product", y.layout.dtype, shape) : y;
  const InnerTensor sum = wide ? steps.Piece("x1 @ x2", ACL_FLOAT, shape) : product;
  if (Status s = steps.Call("aclnnMatmul", {TensorOf(operands, kLeft), TensorOf(operands, kRight),
                                            sum, operands.Int(kCubeMathType)});
      !s.ok()) {
    return s;
  }
  if (operands.Given(kSummand)) {
    const InnerTensor bias = TensorOf(operands, kSummand);
    if (Status s = steps.Call("aclnnAdd", {sum, bias, 1.0f, sum}); !s.ok()) return s;
  }
  const InnerTensor x3 = TensorOf(operands, kCombined);
  if (wide && late) {
    if (Status s = AddFusion(steps, sum, x3, fusion, sum); !s.ok()) return s;
    if (Status s = steps.Copy(y, sum); !s.ok()) return s;
    return steps.Finish(call);
  }
  if (wide) {
    if (Status s = steps.Copy(product, sum); !s.ok()) return s;
  }
  if (Status s = AddFusion(steps, product, x3, fusion, y); !s.ok()) return s;
  return steps.Finish(call);
}

}  // namespace anyacl::matmul
