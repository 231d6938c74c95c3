// SPDX-License-Identifier: Apache-2.0
// FusedMatmul: a product with its bias, rounded, and what it is combined with; cubeMathType 4 adds
// and multiplies before the product is rounded.
#include <optional>
#include <string_view>

#include "nnop/promotion.h"
#include "ops/matmul/operators.h"
#include "ops/steps.h"

namespace anyacl::matmul {
namespace {

enum class Fusion { kNone, kAdd, kMul, kRelu, kGeluErf, kGeluTanh, kCast };

struct FusionForm {
  std::string_view name;
  Fusion fusion;
  size_t most_rank;
};
constexpr FusionForm kFusions[] = {
    {"", Fusion::kNone, 6},
    {"add", Fusion::kAdd, 3},
    {"mul", Fusion::kMul, 3},
    {"relu", Fusion::kRelu, 6},
    {"gelu_erf", Fusion::kGeluErf, 2},
    {"gelu_tanh", Fusion::kGeluTanh, 2},
    {"16cast32", Fusion::kCast, 2},
};

bool Combines(Fusion fusion) { return fusion == Fusion::kAdd || fusion == Fusion::kMul; }
bool IsGelu(Fusion fusion) { return fusion == Fusion::kGeluErf || fusion == Fusion::kGeluTanh; }

Status ReadFusion(const Operands& operands, FusionForm* form) {
  const std::string_view name = operands.Text(kActType);
  for (const FusionForm& known : kFusions) {
    if (known.name != name) continue;
    *form = known;
    return {};
  }
  return Fail(
      operands.spec().codes.shape,
      "fusedOpType = \"{}\", expected \"\", add, mul, relu, gelu_erf, gelu_tanh or 16cast32", name);
}

// The document has the code of null for a bias that must be null, too.
Status CheckFusedGiven(const Operands& operands, const FusionForm& form) {
  const CheckCodes& codes = operands.spec().codes;
  if (IsGelu(form.fusion) && operands.Given(kSummand)) {
    return Fail(codes.null, "bias is given, expected null as fusedOpType is {}", form.name);
  }
  const bool combined = operands.Given(kCombined);
  if (Combines(form.fusion) && !combined) {
    return Fail(codes.null, "x3 is null, expected a tensor as fusedOpType is {}", form.name);
  }
  if (!combined || Combines(form.fusion)) return {};
  return Fail(codes.shape, "x3 is given, expected null as fusedOpType is \"{}\"", form.name);
}

Status CheckFusedTypes(const Operands& operands, const FusionForm& form) {
  const int code = operands.spec().codes.dtype;
  const aclDataType left = operands[kLeft].dtype(), right = operands[kRight].dtype();
  if (left != right && left != ACL_FLOAT && right != ACL_FLOAT) {
    return Fail(code, "x2.dtype = {}, expected {} or FLOAT as x1.dtype is {}", NameOf(right),
                NameOf(left), NameOf(left));
  }
  const aclDataType common = Promote(left, right);
  if (common == ACL_FLOAT && (IsGelu(form.fusion) || form.fusion == Fusion::kCast)) {
    return Fail(code, "x1.dtype = {} and x2.dtype = {}, expected FLOAT16 or BF16 for {}",
                NameOf(left), NameOf(right), form.name);
  }
  const aclDataType y = form.fusion == Fusion::kCast ? ACL_FLOAT : common;
  if (operands[kOut].dtype() != y) {
    return Fail(code, "y.dtype = {}, expected {} as fusedOpType is \"{}\" and x1 and x2 have {}",
                NameOf(operands[kOut].dtype()), NameOf(y), form.name, NameOf(common));
  }
  const int64_t cube = operands.Int(kCubeMathType);
  if ((cube == 2 && common == ACL_BF16) || (cube == 3 && common != ACL_FLOAT)) {
    return Fail(operands.spec().codes.shape, "cubeMathType = {}, expected another one for {}", cube,
                NameOf(common));
  }
  return {};
}

// Of the last two dimensions, and of all of y.
Status CheckFusedShapes(const Operands& operands, const FusionForm& form) {
  const int code = operands.spec().codes.shape;
  const Dims& left = operands[kLeft].shape();
  const Dims& right = operands[kRight].shape();
  for (int id : {kLeft, kRight}) {
    const Dims& shape = operands[id].shape();
    if (shape.rank() >= 2 && shape.rank() <= form.most_rank) continue;
    return Fail(code, "{}.shape = {}, expected rank 2{} as fusedOpType is \"{}\"",
                operands.NameOf(id), shape.ToString(),
                form.most_rank > 2 ? Format(" to {}", form.most_rank) : "", form.name);
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
  FusionForm form = kFusions[0];
  if (Status s = ReadFusion(operands, &form); !s.ok()) return s;
  if (Status s = CheckFusedGiven(operands, form); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckFusedTypes(operands, form); !s.ok()) return s;
  if (Status s = CheckFusedShapes(operands, form); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  Steps steps(operands);
  const InnerTensor y = TensorOf(operands, kOut);
  const bool combines = Combines(form.fusion);
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
    if (Status s = AddFusion(steps, sum, x3, form.fusion, sum); !s.ok()) return s;
    if (Status s = steps.Copy(y, sum); !s.ok()) return s;
    return steps.Finish(call);
  }
  if (wide) {
    if (Status s = steps.Copy(product, sum); !s.ok()) return s;
  }
  if (Status s = AddFusion(steps, product, x3, form.fusion, y); !s.ok()) return s;
  return steps.Finish(call);
}

}  // namespace anyacl::matmul
