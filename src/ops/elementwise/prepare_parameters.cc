// SPDX-License-Identifier: Apache-2.0
// First phases of operators whose numbers are parameters of a function, and change no type.
#include <algorithm>
#include <cmath>

#include "nnop/promotion.h"
#include "nnop/view.h"
#include "ops/elementwise/build.h"
#include "ops/elementwise/prepare.h"

namespace anyacl::elementwise {
namespace {

ScalarValue Number(double value) {
  const int64_t integer = std::fabs(value) < 0x1p63 ? static_cast<int64_t>(value) : 0;
  return {ACL_DOUBLE, value, integer};
}

// Of an aclScalar, a number or a bool; unchanged where the operator has no such row, or an optional
// one is absent.
Status ReadParameter(const Operands& operands, int id, ScalarValue* value) {
  const ParamSpec* const row = operands.RowOf(id);
  if (row == nullptr) return {};
  if (row->kind == Kind::kScalar) {
    return operands.Given(id) ? ReadScalar(operands, id, value) : Status();
  }
  *value =
      Number(row->kind == Kind::kBool ? static_cast<double>(operands.Int(id)) : operands.Real(id));
  return {};
}

// The tensors of a call, in the order of the kernels' inputs.
struct Inputs {
  int ids[3];
  size_t count = 0;
  operator std::span<const int>() const { return {ids, count}; }
};
Inputs InputsOf(const Operands& operands) {
  Inputs inputs{};
  for (int id : {kSelf, kOther, kThird}) {
    if (operands.Given(id)) inputs.ids[inputs.count++] = id;
  }
  return inputs;
}

Status PromoteAll(const Operands& operands, const Inputs& inputs, aclDataType* type) {
  *type = operands[kSelf].dtype();
  for (size_t i = 1; i < inputs.count; ++i) {
    aclDataType pair;
    if (Status s = PromoteTensors(operands, kSelf, inputs.ids[i], &pair); !s.ok()) return s;
    *type = Promote(*type, pair);
  }
  return {};
}

// Where every tensor is of one type of integers, FLOAT results are stored as such: their fractions
// are cut off.
Status Activate(Operands& operands, const Inputs& inputs, const Computation& computation,
                PreparedCall* call) {
  const aclDataType out = operands[OutOf(operands)].dtype();
  bool alike = CategoryOf(out) == Category::kInteger;
  for (int id : std::span<const int>(inputs)) alike &= operands[id].dtype() == out;
  if (!alike) return Finish(operands, inputs, computation, call);
  SetPlan(operands, inputs, computation, call);
  return {};
}

// Checks, promotes and reads.
struct Parameters {
  Inputs inputs;
  aclDataType type;
  ScalarValue p, q, r;
};
Status Read(Operands& operands, Parameters* all) {
  all->inputs = InputsOf(operands);
  if (Status s = CheckCall(operands, all->inputs); !s.ok()) return s;
  if (Status s = PromoteAll(operands, all->inputs, &all->type); !s.ok()) return s;
  const auto zero = Number(0);
  all->p = Number(1);
  all->q = all->r = zero;
  if (Status s = ReadParameter(operands, kP, &all->p); !s.ok()) return s;
  if (Status s = ReadParameter(operands, kQ, &all->q); !s.ok()) return s;
  return ReadParameter(operands, kR, &all->r);
}

Status OutOfRange(const Operands& operands, const char* name, double value, const char* expected) {
  return Fail(operands.spec().codes.shape, "{} = {}, expected {}", name, value, expected);
}

}  // namespace

Status PrepareWithParameters(Op op, Operands& operands, PreparedCall* call) {
  Parameters all{};
  if (Status s = Read(operands, &all); !s.ok()) return s;
  aclDataType type = ComputedType(op, all.type);
  // Differences of integers are compared exactly, as far as DOUBLE has them.
  if (op == Op::kIsClose && CategoryOf(all.type) < Category::kFloating) type = ACL_DOUBLE;
  return Activate(operands, all.inputs, {op, type, all.p, all.q, all.r}, call);
}

Status PrepareFastGelu(Op op, Operands& operands, PreparedCall* call) {
  Parameters all{};
  if (Status s = Read(operands, &all); !s.ok()) return s;
  return Finish(operands, all.inputs, {op, all.type, Number(1.702)}, call);
}

Status PrepareLpNormUpdate(Operands& operands, PreparedCall* call) {
  Parameters all{};
  if (Status s = Read(operands, &all); !s.ok()) return s;
  const double p = all.p.real;
  if (all.q.real != 0) return OutOfRange(operands, "epsilon", all.q.real, "0");
  if (p == 0 || std::fabs(p) >= 0x1p31) {  // no sum of powers
    SetMovePlan(operands, kSelf, call);
    return {};
  }
  const Op op = p == 2 ? Op::kSqrt : Op::kPowScalar;
  return Finish(operands, all.inputs, {op, all.type, Number(1 / p)}, call);
}

Status PrepareClampTensor(Operands& operands, PreparedCall* call) {
  const bool low = operands.Given(kOther), high = operands.Given(kThird);
  if (!low && !high) {
    return Fail(operands.spec().codes.null,
                "clipValueMin and clipValueMax are null, expected at least one tensor");
  }
  const Op op = low && high ? Op::kClampTensor : low ? Op::kMaximum : Op::kMinimum;
  return PrepareWithParameters(op, operands, call);
}

Status PrepareShrinking(Op op, Operands& operands, PreparedCall* call) {
  Parameters all{};
  if (Status s = Read(operands, &all); !s.ok()) return s;
  if ((op == Op::kSoftshrink || op == Op::kShrink) && all.p.real < 0) {
    return OutOfRange(operands, operands.NameOf(kP), all.p.real, "0 or more");
  }
  if (op == Op::kHardshrinkGrad) all.p = Number(std::max(all.p.real, 0.0));
  return Finish(operands, all.inputs, {op, all.type, all.p, all.q}, call);
}

Status PrepareElu(Operands& operands, PreparedCall* call) {
  Parameters all{};
  if (Status s = Read(operands, &all); !s.ok()) return s;
  double alpha = all.p.real, scale = all.q.real, input_scale = all.r.real;
  bool of_result = operands.HasRow(kMode) && operands.Flag(kMode);
  if (!operands.HasRow(kP)) {  // Selu
    alpha = 1.6732632423543772848170429916717;
    scale = 1.0507009873554804934193349852946;
    input_scale = 1;
    of_result = true;
  } else if (!operands.HasRow(kQ)) {  // Celu
    if (alpha == 0) return OutOfRange(operands, "alpha", alpha, "another number");
    scale = 1;
    input_scale = 1 / alpha;
  } else if (of_result && alpha < 0) {
    return OutOfRange(operands, "alpha", alpha, "0 or more where isResult");
  }
  const Op op = !operands.Given(kOther) ? Op::kElu
                : of_result             ? Op::kEluGradOfResult
                                        : Op::kEluGrad;
  const aclDataType type = ComputedType(op, all.type);
  return Activate(operands, all.inputs,
                  {op, type, Number(alpha * scale), Number(scale), Number(input_scale)}, call);
}

Status PrepareLeakyReluBackward(Operands& operands, PreparedCall* call) {
  Parameters all{};
  if (Status s = Read(operands, &all); !s.ok()) return s;
  if (operands.Flag(kMode) && all.p.real < 0) {
    return OutOfRange(operands, "negativeSlope", all.p.real, "0 or more where selfIsResult");
  }
  return Finish(operands, all.inputs, {Op::kLeakyReluGrad, all.type, all.p}, call);
}

Status PrepareGeluV2(Operands& operands, PreparedCall* call) {
  const Inputs inputs = InputsOf(operands);
  if (Status s = CheckCall(operands, inputs); !s.ok()) return s;
  aclDataType type;
  if (Status s = PromoteAll(operands, inputs, &type); !s.ok()) return s;
  if (inputs.count == 1) {
    const Op op = operands.Int(kMode) == 1 ? Op::kGelu : Op::kGeluErf;
    return Finish(operands, inputs, {op, type}, call);
  }
  size_t tanh = 0;
  if (Status s = operands.CheckText(kMode, {"none", "tanh"}, &tanh); !s.ok()) return s;
  const Op op = tanh == 1 ? Op::kGeluGrad : Op::kGeluErfGrad;
  return Finish(operands, inputs, {op, type}, call);
}

Status PrepareRoundDecimals(Operands& operands, PreparedCall* call) {
  const Inputs inputs = InputsOf(operands);
  if (Status s = CheckCall(operands, inputs); !s.ok()) return s;
  const int64_t decimals = std::clamp<int64_t>(operands.Int(kMode), -400, 400);
  const aclDataType type = operands[kSelf].dtype();
  const bool integer = CategoryOf(type) < Category::kFloating;
  if (decimals == 0 || (integer && decimals > 0)) {
    return Finish(operands, inputs, {Op::kRound, type}, call);
  }
  // Half of 10^19 is beyond what an INT64 holds, so that all are rounded to 0.
  if (integer && decimals < -18) {
    return Finish(operands, inputs, {Op::kMulScalar, type, Number(0)}, call);
  }
  const ScalarValue power = Number(std::pow(10.0, static_cast<double>(std::abs(decimals))));
  return Finish(operands, inputs, {Op::kRoundDecimals, type, power, Number(decimals < 0 ? 1 : 0)},
                call);
}

Status PrepareDivMod(Operands& operands, PreparedCall* call) {
  constexpr Op kOps[] = {Op::kDiv, Op::kTruncDivide, Op::kFloorDivide};
  constexpr Op kScalarOps[] = {Op::kDivScalar, Op::kTruncDivideScalar, Op::kFloorDivideScalar};
  const int64_t mode = operands.Int(kMode);
  if (mode < 0 || mode > 2) {
    return Fail(operands.spec().codes.shape, "mode = {}, expected 0 to 2", mode);
  }
  if (operands.Given(kOther)) return PrepareMap(kOps[mode], false, operands, call);
  return PrepareWithScalar(kScalarOps[mode], operands, call);
}

Status PrepareEqual(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  aclDataType type;
  if (Status s = PromoteTensors(operands, kSelf, kOther, &type); !s.ok()) return s;
  const bool alike = operands[kSelf].shape() == operands[kOther].shape();
  if (alike && !operands[kSelf].IsEmpty()) {
    SetEqualPlan(operands, type, call);
  } else {
    SetFillPlan(operands, kOut, Number(alike ? 1 : 0), call);
  }
  return {};
}

}  // namespace anyacl::elementwise
