// SPDX-License-Identifier: Apache-2.0
// What the tables cannot say: dimensions, the shape of out, conversions; and the plan.
#include <cmath>

#include "nnop/copy.h"
#include "nnop/promotion.h"
#include "nnop/scalar.h"
#include "ops/reduction/nodes.h"
#include "ops/reduction/plan.h"
#include "ops/steps.h"

namespace anyacl::reduction {
namespace {

constexpr bool IsArg(Member member) {
  return member == Member::kArgMax || member == Member::kArgMin || member == Member::kMaxDim ||
         member == Member::kMinDim;
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

// Whether a list of no dimensions stands for none.
bool ReducesNothing(const Operands& operands) {
  return operands.HasRow(kNoop) && operands.Flag(kNoop) && operands.Ints(kDims).empty();
}

// The set of reduced dimensions.
Status FindDims(const Operands& operands, uint32_t* reduce) {
  const size_t rank = operands[kSelf].shape().rank();
  *reduce = 0;
  const ParamSpec* dims = operands.RowOf(kDims);
  if (dims != nullptr && dims->kind == Kind::kInt64) {
    return AddDim(operands, operands.Int(kDims), reduce);
  }
  if (dims != nullptr) {
    for (int64_t dim : operands.Ints(kDims)) {
      if (Status s = AddDim(operands, dim, reduce); !s.ok()) return s;
    }
  }
  if (*reduce == 0 && !ReducesNothing(operands)) *reduce = (uint32_t{1} << rank) - 1;
  return {};
}

// The operators that want their very shape; of the others a tensor of one element may have any
// rank.
bool WantsItsRank(const Operands& operands, Member member) {
  switch (member) {
    case Member::kLogSumExp:
    case Member::kNorm:
    case Member::kVar:
      return true;
    case Member::kStd:
      return !operands.Ints(kDims).empty();
    case Member::kMax:
    case Member::kMin:
      return operands.HasRow(kDims);
    default:
      return false;
  }
}

Status CheckOut(const Operands& operands, int id, uint32_t reduce, bool keep, Member member) {
  const Dims& self = operands[kSelf].shape();
  const Dims& out = operands[id].shape();
  Dims expected;
  for (size_t i = 0; i < self.rank(); ++i) {
    const bool reduced = (reduce >> i & 1) != 0;
    if (!reduced || keep) expected.push_back(reduced ? 1 : self[i]);
  }
  if (out == expected) return {};
  const bool single = ElementCount(out) == 1 && ElementCount(expected) == 1;
  if (single && !WantsItsRank(operands, member)) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected {} as {}.shape = {}",
              operands.NameOf(id), out.ToString(), expected.ToString(), operands.NameOf(kSelf),
              self.ToString());
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

// As the documents of sums, means and products say.
Status CheckComplexElements(const Operands& operands, Member member) {
  if (member == Member::kTrace) return {};
  if (CategoryOf(operands[kOut].dtype()) != Category::kComplex) return {};
  if (!operands[kSelf].IsEmpty()) return {};
  return Fail(operands.spec().codes.shape,
              "self.shape = {}, expected at least one element as out.dtype = {}",
              operands[kSelf].shape().ToString(), NameOf(operands[kOut].dtype()));
}

// Sums and products: dtype is out's type. Means: self becomes dtype, and that becomes out's.
Status CheckTypes(const Operands& operands, Member member) {
  const int code = operands.spec().codes.dtype;
  const aclDataType self = operands[kSelf].dtype();
  const aclDataType out = operands[kOut].dtype();
  const bool has_dtype = operands.RowOf(kDType) != nullptr;
  const aclDataType dtype = has_dtype ? operands.DType(kDType) : self;
  if (has_dtype && member != Member::kMean && dtype != out) {
    return Fail(code, "dtype = {}, expected {} as out.dtype", NameOf(dtype), NameOf(out));
  }
  const bool drops =
      CategoryOf(self) == Category::kComplex && CategoryOf(out) != Category::kComplex;
  if (member == Member::kProd && drops) {
    return Fail(code, "dtype = {}, expected a type that self.dtype = {} can become", NameOf(dtype),
                NameOf(self));
  }
  if (member == Member::kTrace) {
    const aclDataType expected = CategoryOf(self) < Category::kFloating ? ACL_INT64 : self;
    if (out == expected) return {};
    return Fail(code, "out.dtype = {}, expected {} as self.dtype = {}", NameOf(out),
                NameOf(expected), NameOf(self));
  }
  if (member != Member::kMean) return {};
  if (!kMeanTypes.Contains(dtype)) {
    return Fail(code, "dtype = {}, expected {}", NameOf(dtype), kMeanTypes.ToString());
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
    case Member::kProd:
    case Member::kNanSum:
      return PartOf(operands.HasRow(kDType) ? operands.DType(kDType) : operands[kOut].dtype());
    case Member::kTrace:
      return PartOf(operands[kOut].dtype());
    case Member::kAll:
    case Member::kAny:
      return ACL_BOOL;
    case Member::kLogSumExp:
    case Member::kLogSum:
    case Member::kNorm:
    case Member::kPowers:
      return ACL_FLOAT;
    default:
      return operands[kSelf].dtype();
  }
}

// Extremes of nothing do not exist, nor do norms that are extremes, or powers of a sum of 0. Where
// a device does not refuse the call, it writes nothing.
bool IsNorm(Member member) { return member == Member::kNorm || member == Member::kPowers; }
bool NeedsElements(const Operands& operands, Member member, double power) {
  return member == Member::kArgMin || (member == Member::kAminmax && operands.HasRow(kDims)) ||
         (IsNorm(member) && (power < 0 || std::isinf(power)));
}
bool IsExtreme(Member member) {
  return IsArg(member) || member == Member::kMax || member == Member::kMin ||
         member == Member::kAminmax;
}

// A node has 2^31 and its negative for what no float attribute can say.
double PowerOfNode(double power) {
  return std::fabs(power) >= 0x1p31 ? std::copysign(INFINITY, power) : power;
}

Status ReadPower(const Operands& operands, double* power) {
  ScalarValue value;
  if (operands.RowOf(kPower)->kind == Kind::kDouble) {
    value.real = PowerOfNode(operands.Real(kPower));
  } else if (Status s = ReadScalar(operands, kPower, &value); !s.ok()) {
    return s;
  }
  *power = value.real;
  if (!std::isnan(value.real)) return {};
  return Fail(operands.spec().codes.shape, "{} is NaN, expected a number", operands.NameOf(kPower));
}

int64_t CorrectionOf(const Operands& operands) {
  const ParamSpec* row = operands.RowOf(kCorrection);
  if (row == nullptr) return 0;
  return row->kind == Kind::kBool ? operands.Flag(kCorrection) : operands.Int(kCorrection);
}

// As a tensor of one dimension.
TensorView Diagonal(const TensorView& matrix) {
  TensorView diagonal = matrix;
  diagonal.rank = 1;
  diagonal.sizes[0] = std::min(matrix.sizes[0], matrix.sizes[1]);
  diagonal.strides[0] = matrix.strides[0] + matrix.strides[1];
  return diagonal;
}

bool IsComplexProduct(Member member, aclDataType out) {
  return member == Member::kProd && CategoryOf(out) == Category::kComplex;
}

std::shared_ptr<const Plan> MakePlan(const Problem& problem) {
  if (IsArg(problem.member)) return MakeArgPlan(problem);
  if (IsComplexProduct(problem.member, problem.layout.out.dtype)) {
    return MakeComplexProductPlan(problem);
  }
  const bool moments = problem.member == Member::kVar || problem.member == Member::kStd;
  return moments ? MakeMomentsPlan(problem) : MakeFoldPlan(problem);
}

// Norms of self as another type, in which its elements are rounded.
bool RoundsElements(const Operands& operands, Member member) {
  if (member != Member::kNorm || !operands.HasRow(kDType)) return false;
  const aclDataType dtype = operands.DType(kDType);
  return dtype != ACL_FLOAT && dtype != operands[kSelf].dtype();
}

Status PrepareNormOfRounded(Operands& operands, PreparedCall* call) {
  const aclDataType dtype = operands.DType(kDType);
  const std::span<const int64_t> dims = operands.Ints(kDims);
  Steps steps(operands);
  const InnerTensor rounded = steps.Piece("self as dtype", dtype, operands[kSelf].shape());
  if (Status s = steps.Copy(rounded, TensorOf(operands, kSelf)); !s.ok()) return s;
  if (Status s =
          steps.Call("aclnnLinalgVectorNorm",
                     {rounded, *operands.ScalarAt(kPower), IntArray(dims.begin(), dims.end()),
                      operands.Int(kKeepDims), int64_t{dtype}, TensorOf(operands, kOut)});
      !s.ok()) {
    return s;
  }
  return steps.Finish(call);
}

std::shared_ptr<const Plan> CopyOf(const Operands& operands) {
  TensorView to = ViewOf(operands, kOut), from = ViewOf(operands, kSelf);
  if (from.elements() == 1) to.rank = from.rank = 0;  // whose ranks may differ
  auto plan = std::make_shared<CopyPlan>();
  plan->copies.Add(LoopsOf(to, from), to.slot, from.slot);
  return plan;
}

}  // namespace

Status PrepareMember(Operands& operands, PreparedCall* call, Member member) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckTypes(operands, member); !s.ok()) return s;
  Problem problem;
  problem.member = member;
  if (IsNorm(member)) {
    if (Status s = ReadPower(operands, &problem.power); !s.ok()) return s;
  }
  uint32_t reduce = 0;
  if (Status s = FindDims(operands, &reduce); !s.ok()) return s;
  const bool keep = operands.RowOf(kKeepDims) != nullptr && operands.Flag(kKeepDims);
  const bool nothing = IsExtreme(member) && operands[kSelf].IsEmpty();
  // Whatever out is; ArgMin alone refuses the call.
  if (IsArg(member) && member != Member::kArgMin && nothing) return {};
  for (int id : {kOut, kSecond}) {
    if (operands.RowOf(id) == nullptr) continue;
    if (Status s = CheckOut(operands, id, reduce, keep, member); !s.ok()) return s;
  }
  if (NeedsElements(operands, member, problem.power)) {
    if (Status s = CheckNotEmpty(operands, reduce); !s.ok()) return s;
  }
  if (nothing) return {};
  if (Status s = CheckComplexElements(operands, member); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  if (ReducesNothing(operands)) {
    call->plan = CopyOf(operands);
    return {};
  }
  if (RoundsElements(operands, member)) return PrepareNormOfRounded(operands, call);
  TensorView self = ViewOf(operands, kSelf);
  if (member == Member::kTrace) {
    self = Diagonal(self);
    reduce = 1;
  }
  const bool two = operands.RowOf(kSecond) != nullptr;
  problem.layout =
      LayOut(self, ViewOf(operands, kOut), two ? ViewOf(operands, kSecond) : TensorView(), reduce,
             keep, IsComplexProduct(member, operands[kOut].dtype()));
  problem.dtype = TypeToFold(operands, member);
  problem.correction = CorrectionOf(operands);
  call->plan = MakePlan(problem);
  return {};
}

Status PrepareLpNormReduce(Operands& operands, PreparedCall* call) {
  if (operands.Real(kEpsilon) != 0) {
    return Fail(operands.spec().codes.shape, "epsilon = {}, expected 0", operands.Real(kEpsilon));
  }
  return PrepareMember(operands, call, Member::kPowers);
}

}  // namespace anyacl::reduction
