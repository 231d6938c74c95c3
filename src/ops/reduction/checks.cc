// SPDX-License-Identifier: Apache-2.0
// What the tables cannot say: dimensions, the shape of out, conversions; and the plan.
#include "nnop/promotion.h"
#include "ops/reduction/plan.h"

namespace anyacl::reduction {
namespace {

constexpr bool IsArg(Member member) {
  return member == Member::kArgMax || member == Member::kArgMin;
}

Status AddDim(const Operands& operands, int64_t dim, uint32_t* reduce) {
  const char* name = operands.NameOf(kDims);
  const size_t rank = std::max<size_t>(operands[kSelf].shape().rank(), 1);
  int found = 0;
  if (Status s = CheckDim(operands, name, dim, rank, &found); !s.ok()) return s;
  const uint32_t bit = uint32_t{1} << found;
  if ((*reduce & bit) != 0) {
    return Fail(operands.spec().codes.shape, "{} has {}, expected each dimension once", name, dim);
  }
  *reduce |= bit;
  return {};
}

// The set of reduced dimensions.
Status FindDims(const Operands& operands, Member member, uint32_t* reduce) {
  const size_t rank = operands[kSelf].shape().rank();
  *reduce = 0;
  if (IsArg(member)) return AddDim(operands, operands.Int(kDims), reduce);
  if (operands.spec().params.size() > 2) {
    for (int64_t dim : operands.Ints(kDims)) {
      if (Status s = AddDim(operands, dim, reduce); !s.ok()) return s;
    }
  }
  if (*reduce == 0) *reduce = (uint32_t{1} << rank) - 1;
  return {};
}

Status CheckOut(const Operands& operands, uint32_t reduce, bool keep) {
  const Dims& self = operands[kSelf].shape();
  const Dims& out = operands[kOut].shape();
  Dims expected;
  for (size_t i = 0; i < self.rank(); ++i) {
    const bool reduced = (reduce >> i & 1) != 0;
    if (!reduced || keep) expected.push_back(reduced ? 1 : self[i]);
  }
  if (out == expected || (expected.rank() == 0 && out == Dims{1})) return {};
  return Fail(operands.spec().codes.shape, "out.shape = {}, expected {} as self.shape = {}",
              out.ToString(), expected.ToString(), self.ToString());
}

Status CheckNotEmpty(const Operands& operands, uint32_t reduce) {
  const Dims& self = operands[kSelf].shape();
  for (size_t i = 0; i < self.rank(); ++i) {
    if ((reduce >> i & 1) == 0 || self[i] != 0) continue;
    return Fail(operands.spec().codes.shape,
                "self.shape = {}, expected at least one element along dimension {}",
                self.ToString(), i);
  }
  return {};
}

// Sums: dtype is out's type. Means: self becomes dtype, and that becomes out's.
Status CheckTypes(const Operands& operands, Member member) {
  const int code = operands.spec().codes.dtype;
  const aclDataType self = operands[kSelf].dtype();
  const aclDataType out = operands[kOut].dtype();
  if (member == Member::kSum && operands.DType(kDType) != out) {
    return Fail(code, "dtype = {}, expected {} as out.dtype", NameOf(operands.DType(kDType)),
                NameOf(out));
  }
  if (member != Member::kMean) return {};
  const aclDataType dtype = operands.DType(kDType);
  if (!kNumbers.Contains(dtype)) {
    return Fail(code, "dtype = {}, expected {}", NameOf(dtype), kNumbers.ToString());
  }
  if (!CanCast(self, dtype)) {
    return Fail(code, "dtype = {}, expected a type that self.dtype = {} can become", NameOf(dtype),
                NameOf(self));
  }
  if (CanCast(dtype, out)) return {};
  return Fail(code, "out.dtype = {}, expected a type that dtype = {} can become", NameOf(out),
              NameOf(dtype));
}

aclDataType TypeToFold(const Operands& operands, Member member) {
  switch (member) {
    case Member::kSum:
    case Member::kMean:
      return operands.DType(kDType);
    case Member::kAll:
    case Member::kAny:
      return ACL_BOOL;
    case Member::kLogSumExp:
      return ACL_FLOAT;
    default:
      return operands[kSelf].dtype();
  }
}

bool NeedsElements(Member member) {
  return IsArg(member) || member == Member::kMax || member == Member::kMin;
}

}  // namespace

Status PrepareMember(Operands& operands, PreparedCall* call, Member member) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckTypes(operands, member); !s.ok()) return s;
  uint32_t reduce = 0;
  if (Status s = FindDims(operands, member, &reduce); !s.ok()) return s;
  const bool keep = operands.spec().params.size() > 2 && operands.Flag(kKeepDims);
  if (Status s = CheckOut(operands, reduce, keep); !s.ok()) return s;
  if (NeedsElements(member)) {
    if (Status s = CheckNotEmpty(operands, reduce); !s.ok()) return s;
  }
  if (operands[kOut].IsEmpty()) return {};
  Problem problem;
  problem.member = member;
  problem.layout = LayOut(ViewOf(operands, kSelf), ViewOf(operands, kOut), reduce, keep);
  problem.dtype = TypeToFold(operands, member);
  call->plan = IsArg(member) ? MakeArgPlan(problem) : MakeFoldPlan(problem);
  return {};
}

}  // namespace anyacl::reduction
