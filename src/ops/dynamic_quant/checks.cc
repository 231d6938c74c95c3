// SPDX-License-Identifier: Apache-2.0
// What the tables cannot say.

#include "aclnn/opdev/op_errno.h"
#include "ops/dynamic_quant/op.h"

namespace anyacl::dynamic_quant {
namespace {

constexpr int64_t kMaxExperts = 1024;

// Experts choose among smooth scales, so there must be some.
Status CheckGroupHasScales(const Operands& operands) {
  if (!operands[kGroupIndex].given() || operands[kSmoothScales].given()) return {};
  return Fail(operands.spec().codes.shape,
              "groupIndexOptional is given and smoothScalesOptional is null, expected both or "
              "smoothScalesOptional alone");
}

Status CheckExperts(const Operands& operands) {
  const Operand& smooth = operands[kSmoothScales];
  if (smooth.given() && smooth.shape().rank() == 2 && !operands[kGroupIndex].given()) {
    return Fail(operands.spec().codes.shape,
                "smoothScalesOptional.shape = {} has rank 2, expected rank 1 ([H]) as "
                "groupIndexOptional is null",
                smooth.shape().ToString());
  }
  if (!operands[kGroupIndex].given()) return {};
  const int64_t experts = operands[kGroupIndex].shape()[0];
  if (experts >= 1 && experts <= kMaxExperts) return {};
  return Fail(operands.spec().codes.shape,
              "groupIndexOptional.shape[0] = {}, expected 1 to {} experts", experts, kMaxExperts);
}

Status CheckWholeBytes(const Operands& operands) {
  const int64_t cols = operands[kX].shape().back();
  if (operands[kY].dtype() != ACL_INT4 || cols % 2 == 0) return {};
  return Fail(operands.spec().codes.shape,
              "x.shape[{}] = {}, expected an even number for yOut.dtype = INT4",
              operands[kX].shape().rank() - 1, cols);
}

Status CheckType(const Operands& operands) {
  const int64_t type = operands.Int(kDstType);
  const aclDataType y = operands[kY].dtype();
  const int code = operands.spec().codes.dtype;
  if (type == ACL_HIFLOAT8 || type == ACL_FLOAT8_E5M2 || type == ACL_FLOAT8_E4M3FN) {
    return Fail(code, "dstType = {} ({}), expected 2 (INT8), 3 (INT32) or 29 (INT4)", type,
                NameOf(operands.DType(kDstType)));
  }
  if (type == y) return {};
  return Fail(code, "dstType = {}, expected {}: yOut.dtype = {}", type, static_cast<int>(y),
              NameOf(y));
}

Status ReadScope(const Operands& operands, Scope* scope) {
  // In the order of Scope.
  size_t mode = 0;
  if (Status s = operands.CheckText(kMode, {"pertoken", "perchannel", "pertensor"}, &mode);
      !s.ok()) {
    return s;
  }
  *scope = static_cast<Scope>(mode);
  if (*scope == Scope::kToken || !operands[kGroupIndex].given()) return {};
  return Fail(operands.spec().codes.shape,
              "groupIndexOptional is given, expected null as quantMode is {}",
              operands.Text(kMode));
}

Status CheckOffset(const Operands& operands) {
  const bool symmetric = operands.Flag(kSymmetric), given = operands[kOffset].given();
  if (given != symmetric) return {};
  return Fail(operands.spec().codes.shape, "offsetOut is {}, expected {} as isSymmetrical is {}",
              given ? "given" : "null", given ? "null" : "a tensor", symmetric);
}

// Versions 3 and 4 say by attributes what tensors say in version 2.
Status CheckAttributes(const Operands& operands, Scope* scope) {
  if (!operands.HasRow(kMode)) return {};
  if (Status s = CheckType(operands); !s.ok()) return s;
  if (Status s = ReadScope(operands, scope); !s.ok()) return s;
  if (Status s = CheckOffset(operands); !s.ok()) return s;
  if (!operands.HasRow(kDstTypeMax)) return {};
  const double most = operands.Real(kDstTypeMax);
  if (most >= 0 && most <= 32768) return {};
  return Fail(operands.spec().codes.shape, "dstTypeMax = {}, expected 0 to 32768", most);
}

// Of scales and smooth scales, which the table of versions 3 and 4 leaves open.
Status CheckShapesOf(const Operands& operands, Scope scope) {
  if (!operands.HasRow(kMode)) return {};
  const Dims& x = operands[kX].shape();
  const size_t shared = x.rank() - (scope == Scope::kChannel ? 2 : 1);
  Dims scale;
  for (size_t i = 0; i < x.rank(); ++i) {
    if (i != shared) scale.push_back(x[i]);
  }
  if (scope == Scope::kTensor) scale = {1};
  for (int id : {kScale, kOffset}) {
    if (!operands.Given(id)) continue;
    if (Status s = CheckShapeIs(operands, id, scale); !s.ok()) return s;
  }
  if (!operands.Given(kSmoothScales)) return {};
  const int64_t factors = x[shared];
  const bool grouped = operands.Given(kGroupIndex);
  return CheckShapeIs(operands, kSmoothScales,
                      grouped ? Dims{operands[kGroupIndex].shape()[0], factors} : Dims{factors});
}

int64_t LastStep(const TensorView& view) { return view.strides[view.rank - 1]; }

// The first element of each row: `rank` dimensions of the tensor.
void KeepFirstOfRows(TensorView& view, int rank) {
  view.rank = rank;
  CoalesceInOrder({&view, 1});
}

void Normalize(const Operands& operands, Params& p) {
  p.empty = operands[kX].IsEmpty() || operands[kY].IsEmpty() || operands[kScale].IsEmpty();
  if (p.empty) return;
  p.x = ViewOf(operands, kX);
  p.y = ViewOf(operands, kY);
  p.scale = ViewOf(operands, kScale);
  const TensorView &x = p.x, &y = p.y;
  const int leading = x.rank - 1;
  p.cols = x.sizes[leading];
  p.rows = x.elements() / p.cols;
  if (operands.Given(kOffset)) p.offset = ViewOf(operands, kOffset);
  if (operands.Given(kSmoothScales)) p.smooth = ViewOf(operands, kSmoothScales);
  if (operands.Given(kGroupIndex)) p.group_index = ViewOf(operands, kGroupIndex);
  p.form.source = ElementOf(x.dtype);
  p.form.target = y.dtype == ACL_INT8 ? Element::kInt8 : Element::kInt4;
  p.form.asymmetric = operands[kOffset].given();
  p.form.smooth = p.smooth.given();
  if (p.scope != Scope::kToken) return;
  p.x_step = LastStep(x);
  // INT4 is contiguous: eight of its elements are a word, as in INT32.
  p.y_step = y.dtype == ACL_INT4 ? 1 : LastStep(y);
  KeepFirstOfRows(p.x, leading);
  KeepFirstOfRows(p.y, leading);
  KeepFirstOfRows(p.scale, leading);
  if (p.form.asymmetric) KeepFirstOfRows(p.offset, leading);
  if (p.smooth.given()) {
    p.grouped = p.group_index.given();
    p.experts = p.grouped ? p.group_index.sizes[0] : 1;
    p.grouped_without_expert_scales = p.grouped && p.smooth.rank == 1;
  }
}

}  // namespace

Status Check(Operands& operands, Params* params) {
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  if (Status s = CheckGroupHasScales(operands); !s.ok()) return s;
  if (Status s = CheckAttributes(operands, &params->scope); !s.ok()) return s;
  if (Status s = operands.CheckShapes(); !s.ok()) return s;
  if (Status s = CheckExperts(operands); !s.ok()) return s;
  if (Status s = CheckShapesOf(operands, params->scope); !s.ok()) return s;
  if (Status s = CheckWholeBytes(operands); !s.ok()) return s;
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  Normalize(operands, *params);
  return {};
}

}  // namespace anyacl::dynamic_quant
