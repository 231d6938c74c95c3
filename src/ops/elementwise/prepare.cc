// SPDX-License-Identifier: Apache-2.0
// What types a call computes with, and what of a scalar.
#include "ops/elementwise/prepare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/half.h"
#include "nnop/ordered_plan.h"
#include "nnop/promotion.h"
#include "ops/elementwise/build.h"

namespace anyacl::elementwise {
namespace {

// Of bool the sum is whether either is true, and so on; the numbers 0 and 1 would not stay bool.
Op OfBools(Op op) {
  switch (op) {
    case Op::kAdd:
    case Op::kAddScaled:
    case Op::kMaximum:
      return Op::kOr;
    case Op::kMul:
    case Op::kMinimum:
      return Op::kAnd;
    case Op::kSub:
      return Op::kNotEqual;
    case Op::kBitNot:
      return Op::kEqualScalar;
    default:
      return op;
  }
}

// A fractional scalar makes integers FLOAT; one that is whole does so only where the output can
// hold that, for clients pass FLOAT scalars along with INT32 tensors. (Sums do not take those.)
aclDataType PromoteWithValue(const Operands& operands, const ScalarValue& value) {
  const aclDataType tensor = operands[kSelf].dtype();
  const aclDataType promoted = PromoteScalar(tensor, value.dtype);
  const bool integer_out = CategoryOf(operands[OutOf(operands)].dtype()) < Category::kFloating;
  if (CategoryOf(promoted) == Category::kFloating && CategoryOf(tensor) == Category::kInteger &&
      value.is_whole() && integer_out) {
    return tensor;
  }
  return promoted;
}

Status CheckAlpha(const Operands& operands, const ScalarValue& alpha, aclDataType computed) {
  // Beside bools, too, alpha may be an integer.
  const Category most = std::max(CategoryOf(computed), Category::kInteger);
  if (CategoryOf(alpha.dtype) <= most) return {};
  return Fail(operands.spec().codes.dtype, "alpha.dtype = {}, expected {} as {} is computed",
              NameOf(alpha.dtype), most == Category::kInteger ? "an integer" : "a real number",
              NameOf(computed));
}

ScalarValue Whole(int64_t value) { return {ACL_INT64, static_cast<double>(value), value}; }

// factor * alpha * scalar, as numbers of every form.
ScalarValue Product(int factor, const ScalarValue& alpha, const ScalarValue& scalar) {
  if (CategoryOf(alpha.dtype) == Category::kComplex ||
      CategoryOf(scalar.dtype) == Category::kComplex) {
    const double real = alpha.real * scalar.real - alpha.imaginary * scalar.imaginary;
    const double imaginary = alpha.real * scalar.imaginary + alpha.imaginary * scalar.real;
    return {scalar.dtype, factor * real, 0, factor * imaginary};
  }
  const auto whole = static_cast<uint64_t>(int64_t{factor}) * static_cast<uint64_t>(alpha.integer) *
                     static_cast<uint64_t>(scalar.integer);
  return {scalar.dtype, factor * alpha.real * scalar.real, static_cast<int64_t>(whole)};
}

// A number as a type of integers holds it.
int64_t Wrapped(int64_t value, aclDataType type) {
  if (CategoryOf(type) != Category::kInteger) return value;
  const int unused = 64 - BitsOf(type);
  const bool is_unsigned = type == ACL_UINT8 || type == ACL_UINT16 || type == ACL_UINT32;
  const auto bits = static_cast<uint64_t>(value) << unused;
  return is_unsigned ? static_cast<int64_t>(bits >> unused) : static_cast<int64_t>(bits) >> unused;
}

// A number as a floating-point type holds it; of integers and DOUBLE, itself.
double Rounded(double value, aclDataType type) {
  switch (PartOf(type)) {
    case ACL_FLOAT:
      return static_cast<float>(value);
    case ACL_FLOAT16:
      return FloatFromFp16(Fp16FromDouble(value));
    case ACL_BF16:
      return FloatFromBf16(Bf16FromDouble(value));
    default:
      return value;
  }
}

// Integers are compared as numbers. A scalar that the numbers of the elements' form do not reach,
// -1 beside UINT64 or 2^63 beside INT64, makes a comparison the same for every element.
Computation CompareBeyond(Op op, aclDataType computed, const ScalarValue& value) {
  const bool is_unsigned = computed == ACL_UINT64;
  const bool below = is_unsigned && value.is_below_zero();
  const bool above = !is_unsigned && value.is_beyond_int64();
  if (CategoryOf(computed) != Category::kInteger || (!below && !above)) {
    return {op, computed, value};
  }
  const bool always = op == Op::kNotEqualScalar ||
                      (below && (op == Op::kGreaterScalar || op == Op::kGreaterEqualScalar)) ||
                      (above && (op == Op::kLessScalar || op == Op::kLessEqualScalar));
  const ScalarValue least = Whole(is_unsigned ? 0 : INT64_MIN);
  return {always ? Op::kGreaterEqualScalar : Op::kLessScalar, computed, least};
}

constexpr int kTwoSwapped[] = {kOther, kSelf};

}  // namespace

aclDataType ComputedType(Op op, aclDataType promoted) {
  const bool floating = !HasForm(op, Element::kInt32) && HasForm(op, Element::kFp32);
  return floating && CategoryOf(promoted) < Category::kFloating ? ACL_FLOAT : promoted;
}

Status PromoteTensors(const Operands& operands, int a, int b, aclDataType* type) {
  const aclDataType first = operands[a].dtype(), second = operands[b].dtype();
  *type = Promote(first, second);
  if (*type != ACL_DT_UNDEFINED) return {};
  return Fail(operands.spec().codes.dtype,
              "{}.dtype = {} and {}.dtype = {}, expected types that promote to a common one",
              operands.NameOf(a), NameOf(first), operands.NameOf(b), NameOf(second));
}

Status Finish(Operands& operands, std::span<const int> inputs, Computation computation,
              PreparedCall* call) {
  if (computation.computed == ACL_BOOL) computation.op = OfBools(computation.op);
  if (Status s = CheckComputed(operands, computation.op, computation.computed); !s.ok()) return s;
  if (!IsComparison(computation.op)) {
    const aclDataType result =
        computation.op == Op::kAbs ? PartOf(computation.computed) : computation.computed;
    if (Status s = CheckResult(operands, result); !s.ok()) return s;
  }
  SetPlan(operands, inputs, computation, call);
  return {};
}

Status PrepareMap(Op op, bool swapped, Operands& operands, PreparedCall* call) {
  const bool two = operands.Given(kOther);
  const std::span<const int> inputs = two ? std::span<const int>(kTwo) : std::span<const int>(kOne);
  if (Status s = CheckCall(operands, inputs); !s.ok()) return s;
  aclDataType type = operands[kSelf].dtype();
  if (two) {
    if (Status s = PromoteTensors(operands, kSelf, kOther, &type); !s.ok()) return s;
  }
  const Computation computation = {op, ComputedType(op, type)};
  return Finish(operands, swapped ? std::span<const int>(kTwoSwapped) : inputs, computation, call);
}

Status PrepareInplaceAtan2(Operands& operands, PreparedCall* call) {
  if (Status s = CheckCall(operands, kTwo); !s.ok()) return s;
  aclDataType type;
  if (Status s = PromoteTensors(operands, kSelf, kOther, &type); !s.ok()) return s;
  SetPlan(operands, kTwo, {Op::kAtan2, ComputedType(Op::kAtan2, type)}, call);
  return {};
}

Status PrepareMapAlike(Op op, Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  const aclFormat self = operands[kSelf].layout->format, out = operands[kOut].layout->format;
  if (self != out) {
    return Fail(operands.spec().codes.format, "{}.format = {}, expected {} as {}.format",
                operands.NameOf(kOut), NameOf(out), NameOf(self), operands.NameOf(kSelf));
  }
  return PrepareMap(op, false, operands, call);
}

Status PrepareWithScalar(Op op, Operands& operands, PreparedCall* call) {
  if (Status s = CheckCall(operands, kOne); !s.ok()) return s;
  ScalarValue value;
  if (Status s = ReadComplexScalar(operands, kScalar, &value); !s.ok()) return s;
  if (IsComparison(op)) {
    const aclDataType type = PromoteScalar(operands[kSelf].dtype(), value.dtype);
    // 3.14 equals the FLOAT16 number that was made of it.
    value.real = Rounded(value.real, type);
    value.imaginary = Rounded(value.imaginary, type);
    return Finish(operands, kOne, CompareBeyond(op, type, value), call);
  }
  const bool bits = !HasForm(op, Element::kFp32);
  if (bits && CategoryOf(value.dtype) >= Category::kFloating) {
    return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected an integer or BOOL",
                operands.NameOf(kScalar), NameOf(value.dtype));
  }
  aclDataType type = PromoteWithValue(operands, value);
  // A2 divides integers for an integer output toward zero; for any other, in floating point.
  if (op == Op::kDivScalar && CategoryOf(type) != Category::kFloating &&
      CategoryOf(type) != Category::kComplex &&
      CategoryOf(operands[OutOf(operands)].dtype()) == Category::kInteger) {
    op = Op::kTruncDivideScalar;
    if (value.real >= 0x1p63 || value.real < -0x1p63) {
      // Further from 0 than every element but -2^63, which 2^63 divides to 0, too.
      op = Op::kMulScalar;
      value = Whole(0);
    } else if (Wrapped(value.integer, type) != value.integer) {
      type = ACL_INT64;
    }
  }
  // A remainder has no narrow integers, but other may be of them: out is wider.
  if (op == Op::kRemainderOfScalar && CategoryOf(type) < Category::kFloating && type != ACL_INT32) {
    type = ACL_INT64;
  }
  // As PyTorch divides: -1 beside UINT8 is 255. Other results wrap around anyway.
  if (op >= kFirstOfGroup[1] && op < kFirstOfGroup[2]) value.integer = Wrapped(value.integer, type);
  return Finish(operands, kOne, {op, ComputedType(op, type), value}, call);
}

Status PrepareSum(int factor, bool swapped, Operands& operands, PreparedCall* call) {
  const bool scalar = !operands.Given(kOther);
  const std::span<const int> inputs = scalar    ? std::span<const int>(kOne)
                                      : swapped ? std::span<const int>(kTwoSwapped)
                                                : std::span<const int>(kTwo);
  if (Status s = CheckCall(operands, inputs); !s.ok()) return s;
  ScalarValue alpha;
  if (Status s = ReadComplexScalar(operands, kAlpha, &alpha); !s.ok()) return s;
  Computation computation{};
  if (scalar) {
    ScalarValue value;
    if (Status s = ReadComplexScalar(operands, kScalar, &value); !s.ok()) return s;
    computation.op = Op::kAddScalar;
    computation.computed = PromoteScalar(operands[kSelf].dtype(), value.dtype);
    computation.p = Product(factor, alpha, value);
  } else {
    if (Status s = PromoteTensors(operands, kSelf, kOther, &computation.computed); !s.ok()) {
      return s;
    }
    const bool one = alpha.real == 1 && alpha.imaginary == 0;
    computation.op = !one ? Op::kAddScaled : factor < 0 ? Op::kSub : Op::kAdd;
    computation.p = Product(factor, alpha, Whole(1));
  }
  if (Status s = CheckAlpha(operands, alpha, computation.computed); !s.ok()) return s;
  // Of bools, alpha 0 leaves self.
  if (computation.computed == ACL_BOOL && alpha.real == 0 && !scalar) {
    SetMovePlan(operands, inputs.front(), call);
    return {};
  }
  return Finish(operands, inputs, computation, call);
}

// In two steps, for sums of narrow integers wrap around before they are compared with 0.
Status PrepareAddRelu(Operands& operands, PreparedCall* call) {
  if (Status s = PrepareSum(1, false, operands, call); !s.ok()) return s;
  if (call->plan == nullptr) return {};
  const int out[] = {OutOf(operands)};
  PreparedCall relu;
  SetPlan(operands, out, {Op::kRelu, operands[out[0]].dtype()}, &relu);
  call->plan = InOrder({std::move(call->plan), std::move(relu.plan)});
  return {};
}

Status PrepareReverse(int factor, Operands& operands, PreparedCall* call) {
  if (Status s = CheckCall(operands, kOne); !s.ok()) return s;
  ScalarValue alpha, value;
  if (Status s = ReadComplexScalar(operands, kAlpha, &alpha); !s.ok()) return s;
  if (Status s = ReadComplexScalar(operands, kScalar, &value); !s.ok()) return s;
  const aclDataType type = PromoteScalar(operands[kSelf].dtype(), value.dtype);
  if (Status s = CheckAlpha(operands, alpha, type); !s.ok()) return s;
  return Finish(operands, kOne, {Op::kScaleAdd, type, value, Product(factor, alpha, Whole(1))},
                call);
}

Status PreparePowScalar(Operands& operands, PreparedCall* call) {
  if (Status s = CheckCall(operands, kOne); !s.ok()) return s;
  ScalarValue exponent;
  if (Status s = ReadComplexScalar(operands, kScalar, &exponent); !s.ok()) return s;
  const aclDataType type = PromoteWithValue(operands, exponent);
  if (CategoryOf(type) < Category::kFloating && exponent.integer < 0) {
    return Fail(operands.spec().codes.shape, "exponent = {}, expected 0 or more as {} is computed",
                exponent.integer, NameOf(type));
  }
  Op op = Op::kPowScalar;
  if (CategoryOf(type) >= Category::kFloating && exponent.imaginary == 0) {
    constexpr struct {
      double exponent;
      Op op;
    } kShort[] = {{2, Op::kSquare},
                  {3, Op::kCube},
                  {0.5, Op::kSqrt},
                  {-1, Op::kReciprocal},
                  {-0.5, Op::kRsqrt}};
    for (const auto& known : kShort) {
      if (exponent.real == known.exponent) op = known.op;
    }
  }
  return Finish(operands, kOne, {op, type, exponent}, call);
}

namespace {

Status Clamp(Operands& operands, bool bounds_become_self, PreparedCall* call) {
  if (!operands.Given(kMin) && !operands.Given(kMax)) {
    return Fail(operands.spec().codes.null,
                "clipValueMin and clipValueMax are null, expected at least one scalar");
  }
  if (Status s = CheckCall(operands, kOne); !s.ok()) return s;
  const double infinity = std::numeric_limits<double>::infinity();
  ScalarValue low = {operands[kSelf].dtype(), -infinity, INT64_MIN};
  ScalarValue high = {operands[kSelf].dtype(), infinity, INT64_MAX};
  if (operands.Given(kMin)) {
    if (Status s = ReadScalar(operands, kMin, &low); !s.ok()) return s;
  }
  if (operands.Given(kMax)) {
    if (Status s = ReadScalar(operands, kMax, &high); !s.ok()) return s;
  }
  if (bounds_become_self && low.real > high.real) {
    return Fail(operands.spec().codes.shape, "{} = {}, expected at most {} = {}",
                operands.NameOf(kMin), low.real, operands.NameOf(kMax), high.real);
  }
  const bool cut = bounds_become_self && CategoryOf(operands[kSelf].dtype()) < Category::kFloating;
  for (ScalarValue* bound : {&low, &high}) {
    if (bound->is_beyond_int64()) bound->integer = INT64_MAX;
    if (cut) *bound = {operands[kSelf].dtype(), std::trunc(bound->real), bound->integer};
  }
  aclDataType type = PromoteWithValue(operands, low);
  const aclDataType with_high = PromoteWithValue(operands, high);
  if (CategoryOf(with_high) > CategoryOf(type)) type = with_high;
  // Numbers of 32 bits hold the bounds of narrower integers.
  if (CategoryOf(type) < Category::kFloating && BitsOf(type) <= 32) {
    for (ScalarValue* bound : {&low, &high}) {
      bound->integer = std::clamp<int64_t>(bound->integer, INT32_MIN, INT32_MAX);
    }
  }
  // A bound that is NaN makes everything NaN, which comparisons would not.
  const bool nan = std::isnan(low.real) || std::isnan(high.real);
  if (nan) low.real = std::numeric_limits<double>::quiet_NaN();
  return Finish(operands, kOne, {nan ? Op::kAddScalar : Op::kClamp, type, low, high}, call);
}

}  // namespace

Status PrepareClamp(Operands& operands, PreparedCall* call) { return Clamp(operands, false, call); }
Status PrepareHardtanh(Operands& operands, PreparedCall* call) {
  return Clamp(operands, true, call);
}

Status PrepareWhere(Operands& operands, PreparedCall* call) {
  constexpr int kInputs[] = {kCondition, kSelf, kOther};
  if (Status s = CheckCall(operands, kInputs); !s.ok()) return s;
  aclDataType type;
  if (Status s = PromoteTensors(operands, kSelf, kOther, &type); !s.ok()) return s;
  if (Status s = CheckResult(operands, type); !s.ok()) return s;
  SetWherePlan(operands, kInputs, type, call);
  return {};
}

Status PrepareMaskedFill(Operands& operands, PreparedCall* call) {
  constexpr int kMasked[] = {kSelf, kCondition};
  if (Status s = CheckCall(operands, kMasked); !s.ok()) return s;
  ScalarValue value;
  if (Status s = ReadComplexScalar(operands, kScalar, &value); !s.ok()) return s;
  SetMaskedFillPlan(operands, value, call);
  return {};
}

Status PrepareCast(Operands& operands, PreparedCall* call) {
  if (Status s = CheckCall(operands, kOne); !s.ok()) return s;
  if (operands.DType(kDType) != operands[kOut].dtype()) {
    return Fail(operands.spec().codes.dtype, "dtype = {}, expected {} as out.dtype",
                NameOf(operands.DType(kDType)), NameOf(operands[kOut].dtype()));
  }
  SetMovePlan(operands, kSelf, call);
  return {};
}

Status PrepareCopy(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& from = operands[kOther].shape();
  const Dims& to = operands[kSelf].shape();
  const std::optional<Dims> both = BroadcastShape(from, to);
  if (!both || !(*both == to)) {
    return Fail(operands.spec().codes.shape,
                "src.shape = {}, expected one that broadcasts to selfRef.shape = {}",
                from.ToString(), to.ToString());
  }
  SetMovePlan(operands, kOther, call);
  return {};
}

Status PrepareFill(int value, Operands& operands, PreparedCall* call) {
  if (Status s = CheckCall(operands, kOne); !s.ok()) return s;
  ScalarValue scalar = Whole(value);
  if (operands.Given(kScalar)) {
    if (Status s = CategoryOf(operands[kSelf].dtype()) == Category::kComplex
                       ? ReadComplexScalar(operands, kScalar, &scalar)
                       : ReadScalar(operands, kScalar, &scalar);
        !s.ok()) {
      return s;
    }
  }
  DropRepeats(operands, kSelf);
  SetFillPlan(operands, kSelf, scalar, call);
  return {};
}

}  // namespace anyacl::elementwise
