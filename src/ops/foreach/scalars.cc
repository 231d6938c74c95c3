// SPDX-License-Identifier: Apache-2.0
#include "ops/foreach/scalars.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nnop/promotion.h"
#include "ops/blocks/blocks.h"

namespace anyacl::foreach {
namespace {

// What an operation is given of a scalar.
struct Given {
  Op op;
  elementwise::Scalar p = {}, q = {};
};

elementwise::Scalar NumberOf(double real, int64_t integer) {
  return {static_cast<float>(real), real, integer};
}

// Bounds of integers are held within the numbers that are computed with.
int64_t Held(aclDataType dtype, int64_t integer) {
  if (dtype == ACL_INT64) return integer;
  return std::clamp<int64_t>(integer, INT32_MIN, INT32_MAX);
}

Given Apply(Op op, Use use, aclDataType dtype, const ScalarValue& value) {
  const double infinity = std::numeric_limits<double>::infinity();
  const elementwise::Scalar number = NumberOf(value.real, value.integer);
  const elementwise::Scalar bound = NumberOf(value.real, Held(dtype, value.integer));
  const bool nan = std::isnan(value.real);
  switch (use) {
    case Use::kNegated:
      return {op,
              NumberOf(-value.real, static_cast<int64_t>(-static_cast<uint64_t>(value.integer)))};
    case Use::kAtLeast:  // a bound that is NaN makes everything NaN, which comparisons would not
      if (nan) return {Op::kAddScalar, number};
      return {op, bound, NumberOf(infinity, Held(dtype, INT64_MAX))};
    case Use::kAtMost:
      if (nan) return {Op::kAddScalar, number};
      return {op, NumberOf(-infinity, Held(dtype, INT64_MIN)), bound};
    case Use::kPower: {
      const bool floating = CategoryOf(dtype) == Category::kFloating;
      const Op known = value.real == 2     ? Op::kSquare
                       : value.real == 3   ? Op::kCube
                       : value.real == 0.5 ? Op::kSqrt
                       : value.real == -1  ? Op::kReciprocal
                                           : op;
      return {floating ? known : op, number};
    }
    default:
      return {op, number};
  }
}

Status RoundingOf(const ScalarValue& mode, int code, Op* op) {
  switch (mode.integer) {
    case 2:
      *op = Op::kFloor;
      return {};
    case 3:
      *op = Op::kCeil;
      return {};
    case 5:
      *op = Op::kTrunc;
      return {};
    case 7:  // CANN's kernels know it, the document does not: what truncation takes away
      *op = Op::kFrac;
      return {};
    case 4:
    case 6:
      return Fail(code,
                  "roundMode = {}, expected another number: half away from 0 and to odd are not "
                  "offered",
                  mode.integer);
    default:
      *op = Op::kRound;
      return {};
  }
}

// The same as if the number had come with the call.
class LatePlan final : public Plan {
 public:
  LatePlan(ListCall call, const TensorView& number) : call_(std::move(call)), number_(number) {}

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    const std::vector<ScalarValue> values(call_.lists,
                                          ReadNumber(number_.dtype, number_.Address(bindings)));
    std::vector<ListProblem> problems;
    if (Status s = MakeProblems(call_, values, ACL_ERROR_RT_AICORE_EXCEPTION, &problems); !s.ok()) {
      return s;
    }
    return MakeListPlans(problems)->Run(bindings, stop);
  }

 private:
  const ListCall call_;
  const TensorView number_;
};

}  // namespace

ScalarValue ReadNumber(aclDataType dtype, const char* from) {
  Scalar scalar{ACL_DOUBLE};
  blocks::LoadRow(dtype, from, 1, 1, reinterpret_cast<double*>(scalar.bytes.data()));
  return *ValueOf(scalar);
}

Status MakeProblems(const ListCall& call, std::span<const ScalarValue> scalars, int code,
                    std::vector<ListProblem>* problems) {
  for (const Member& member : call.members) {
    Given given = {call.op};
    if (!scalars.empty()) {
      const ScalarValue& value = scalars[member.index];
      given = Apply(call.op, call.use, call.dtype, value);
      if (call.use == Use::kRounding) {
        if (Status s = RoundingOf(value, code, &given.op); !s.ok()) return s;
      }
    }
    // Members may need different operations: a power of 2 is a square.
    auto same = std::find_if(problems->begin(), problems->end(),
                             [&](const ListProblem& p) { return p.op == given.op; });
    if (same == problems->end()) {
      same = problems->insert(problems->end(), {given.op, call.inputs, {}, call.numbers});
    }
    same->members.push_back(member);
    same->members.back().p = given.p;
    same->members.back().q = given.q;
  }
  return {};
}

std::shared_ptr<const Plan> MakeLatePlan(ListCall call, const TensorView& number) {
  return std::make_shared<LatePlan>(std::move(call), number);
}

}  // namespace anyacl::foreach
