// SPDX-License-Identifier: Apache-2.0
// Checks, and what a call comes to.
#include <cmath>

#include "nnop/operands.h"
#include "ops/swiglu_quant/operators.h"
#include "ops/swiglu_quant/plan.h"

namespace anyacl::swiglu_quant {
namespace {

constexpr int64_t kInt8 = 2, kInt4 = 29;

Dims WithoutLast(const Dims& shape) { return {shape.begin(), shape.rank() - 1}; }

// "static" if the text is null.
Status ReadQuantMode(const Operands& operands, bool* dynamic) {
  size_t mode = 0;
  Status s = operands.CheckText(kQuantMode, {"static", "dynamic"}, &mode);
  *dynamic = mode == 1;
  return s;
}

int64_t GroupsOf(const Operands& operands) {
  return operands.Given(kGroups) ? operands[kGroups].shape()[0] : 1;
}

// [G, H], [G], or [H] of one group.
Status CheckFactors(const Operands& operands, int id, int64_t length, bool* by_column) {
  const Dims& shape = operands[id].shape();
  const int64_t groups = GroupsOf(operands);
  *by_column = shape.rank() == 2 || (groups == 1 && shape[0] == length && length != 1);
  const bool fits = shape.rank() == 2 ? shape[0] == groups && shape[1] == length
                                      : *by_column || shape[0] == groups;
  if (fits) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected [{}] or [{}, {}]",
              operands.NameOf(id), shape.ToString(), groups, groups, length);
}

// What a quantisation needs.
Status CheckQuantisation(Operands& operands, bool dynamic, int null_code, Params* params) {
  for (int id : {kQuantScale, kQuantOffset}) {
    if (dynamic || operands.Given(id)) continue;
    return Fail(null_code, "{} is null, expected a tensor as quantModeOptional is static",
                operands.NameOf(id));
  }
  params->dynamic = dynamic;
  if (operands.Given(kQuantScale)) {
    if (Status s = CheckFactors(operands, kQuantScale, params->length, &params->by_column);
        !s.ok()) {
      return s;
    }
    params->scale = ViewOf(operands, kQuantScale);
  }
  if (!dynamic) {
    const Dims& scale = operands[kQuantScale].shape();
    if (Status s = CheckShapeIs(operands, kQuantOffset, scale); !s.ok()) return s;
    params->offset = ViewOf(operands, kQuantOffset);
  } else if (operands.Given(kScale)) {
    const Dims expected = WithoutLast(operands[kX].shape());
    if (Status s = CheckShapeIs(operands, kScale, expected); !s.ok()) return s;
    params->scale_out = ViewOf(operands, kScale);
  }
  return {};
}

Status CheckRows(const Operands& operands, int64_t multiple, Params* params) {
  const Dims& x = operands[kX].shape();
  const int code = operands.spec().codes.shape;
  if (x.rank() < 2) return Fail(code, "x.shape = {}, expected rank 2 to 8", x.ToString());
  if (x.back() % multiple != 0) {
    return Fail(code, "x.shape[{}] = {}, expected a multiple of {}", x.rank() - 1, x.back(),
                multiple);
  }
  params->rows = 1;
  for (size_t i = 0; i + 1 < x.rank(); ++i) params->rows *= x[i];
  params->length = x.back() / 2;
  params->activate_left = operands.Flag(kActivateLeft);
  if (operands.Given(kGroups)) params->groups = ViewOf(operands, kGroups);
  return {};
}

// Scales and a bias of products of integers, which other numbers do not have.
Status CheckDequantisation(const Operands& operands, Params* params) {
  const CheckCodes& codes = operands.spec().codes;
  const bool integers = operands[kX].dtype() == ACL_INT32;
  if (integers && !operands.Given(kWeightScale)) {
    return Fail(codes.null, "weightScaleOptional is null, expected a tensor as x.dtype is INT32");
  }
  const int64_t groups = GroupsOf(operands);
  for (int id : {kWeightScale, kActivationScale, kBias}) {
    if (!operands.Given(id)) continue;
    const Dims& shape = operands[id].shape();
    if (!integers) {
      return Fail(codes.shape, "{} is given, expected null as x.dtype is {}", operands.NameOf(id),
                  NameOf(operands[kX].dtype()));
    }
    if (id == kActivationScale) {
      Dims rows = WithoutLast(operands[kX].shape()), padded = operands[kX].shape();
      padded[padded.rank() - 1] = 1;
      if (shape == rows || shape == padded) continue;
      return Fail(codes.shape, "activationScaleOptional.shape = {}, expected {} or {}",
                  shape.ToString(), rows.ToString(), padded.ToString());
    }
    if (shape.rank() == 1 ? groups == 1 : shape[0] == groups) continue;
    return Fail(codes.shape, "{}.shape = {}, expected [{}, {}]: there are {} groups",
                operands.NameOf(id), shape.ToString(), groups, params->length * 2, groups);
  }
  const auto view = [&](int id) {
    return operands.Given(id) ? ViewOf(operands, id) : TensorView{};
  };
  params->weight_scale = view(kWeightScale);
  params->activation_scale = view(kActivationScale);
  params->bias = view(kBias);
  return {};
}

Status ReadForm(const Operands& operands, Params* params) {
  const int code = operands.spec().codes.shape;
  if (Status s = operands.CheckText(kRoundMode, {"rint"}); !s.ok()) return s;
  const auto rank = static_cast<int64_t>(operands[kX].shape().rank());
  const int64_t dim = operands.Int(kActivateDim);
  if (dim != -1 && dim != rank - 1) {
    return Fail(code, "activateDim is {}, expected -1 or {}: the last dimension", dim, rank - 1);
  }
  const int64_t mode = operands.Int(kSwigluMode);
  if (mode == 0) return {};
  const double limit = operands.Real(kClampLimit);
  if (!(limit > 0) || std::isinf(limit)) {
    return Fail(code, "clampLimit is {}, expected more than 0 and finite", limit);
  }
  if (mode == 1 && !operands.Flag(kActivateLeft)) {
    return Fail(code, "activateLeft is false, expected true as swigluMode is 1");
  }
  for (int id : {kAlpha, kGluBias}) {
    if (std::isfinite(operands.Real(id))) continue;
    return Fail(code, "{} is {}, expected a finite number", operands.NameOf(id), operands.Real(id));
  }
  params->neighbours = mode == 1;
  params->activate_left = true;
  params->form = mode == 3 ? Form::kHeld : Form::kBiased;
  params->limit = static_cast<float>(limit);
  params->alpha = static_cast<float>(operands.Real(kAlpha));
  params->glu_bias = static_cast<float>(operands.Real(kGluBias));
  return {};
}

}  // namespace

Status PrepareDequant(Operands& operands, PreparedCall* call) {
  const bool second = operands.spec().params.size() == std::size(kDequantParamsV2);
  bool dynamic = false;
  if (Status s = ReadQuantMode(operands, &dynamic); !s.ok()) return s;
  if (dynamic && second && operands.Given(kQuantOffset)) {
    return Fail(operands.spec().codes.shape,
                "quantOffsetOptional is given, expected null as quantModeOptional is dynamic");
  }
  if (dynamic) operands.Drop(kQuantOffset);  // which has no effect
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Params params;
  if (Status s = CheckRows(operands, 2, &params); !s.ok()) return s;
  if (Status s = CheckDequantisation(operands, &params); !s.ok()) return s;
  if (second) {
    if (Status s = ReadForm(operands, &params); !s.ok()) return s;
  }
  Dims half = operands[kX].shape();
  half[half.rank() - 1] /= 2;
  if (Status s = CheckShapeIs(operands, kY, half); !s.ok()) return s;
  if (Status s = CheckQuantisation(operands, dynamic, operands.spec().codes.null, &params);
      !s.ok()) {
    return s;
  }
  if (operands[kY].IsEmpty()) return {};
  params.x = ViewOf(operands, kX);
  params.y = ViewOf(operands, kY);
  params.divides = true;
  call->plan = MakePlan(params);
  return {};
}

Status PrepareSwiglu(Operands& operands, PreparedCall* call) {
  const int code = operands.spec().codes.shape;
  const bool second = operands.spec().params.size() == std::size(kSwigluParamsV2);
  bool dynamic = false;
  if (Status s = ReadQuantMode(operands, &dynamic); !s.ok()) return s;
  if (!second && operands.Text(kQuantMode) == nullptr) dynamic = true;
  if (dynamic) operands.Drop(kQuantOffset);  // which has no effect
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int64_t type = second ? operands.Int(kDstType) : kInt8;
  if (type != kInt8 && type != kInt4) {
    return Fail(code, "dstType is {}, expected {} (INT8) or {} (INT4)", type, kInt8, kInt4);
  }
  Params params;
  if (Status s = CheckRows(operands, type == kInt4 ? 4 : 2, &params); !s.ok()) return s;
  const bool packed = operands[kY].dtype() == ACL_INT4;
  if (packed && type == kInt8) {
    return Fail(operands.spec().codes.dtype, "yOut.dtype = INT4, expected INT8 as dstType is {}",
                type);
  }
  Dims expected = operands[kX].shape();
  expected[expected.rank() - 1] /= type == kInt4 && !packed ? 4 : 2;
  if (Status s = CheckShapeIs(operands, kY, expected); !s.ok()) return s;
  if (Status s = CheckQuantisation(operands, dynamic, code, &params); !s.ok()) return s;
  if (operands[kY].IsEmpty()) return {};
  params.x = ViewOf(operands, kX);
  params.y = ViewOf(operands, kY);
  params.ends = !second || operands.Int(kGroupListType) == 0;
  params.packs = type == kInt4;
  params.most = type == kInt4 ? 7 : 127;
  call->plan = MakePlan(params);
  return {};
}

}  // namespace anyacl::swiglu_quant
