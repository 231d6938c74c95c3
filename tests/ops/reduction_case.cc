// SPDX-License-Identifier: Apache-2.0
#include "ops/reduction_case.h"

#include <cmath>
#include <limits>
#include <memory>

#include "aclnnop/aclnn_all.h"
#include "aclnnop/aclnn_amax.h"
#include "aclnnop/aclnn_amin.h"
#include "aclnnop/aclnn_aminmax.h"
#include "aclnnop/aclnn_aminmax_all.h"
#include "aclnnop/aclnn_aminmax_dim.h"
#include "aclnnop/aclnn_any.h"
#include "aclnnop/aclnn_argmax.h"
#include "aclnnop/aclnn_argmin.h"
#include "aclnnop/aclnn_linalg_vector_norm.h"
#include "aclnnop/aclnn_logsumexp.h"
#include "aclnnop/aclnn_max.h"
#include "aclnnop/aclnn_max_dim.h"
#include "aclnnop/aclnn_max_v2.h"
#include "aclnnop/aclnn_mean.h"
#include "aclnnop/aclnn_min.h"
#include "aclnnop/aclnn_min_dim.h"
#include "aclnnop/aclnn_norm.h"
#include "aclnnop/aclnn_prod.h"
#include "aclnnop/aclnn_reduce_log_sum.h"
#include "aclnnop/aclnn_reduce_nansum.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "aclnnop/aclnn_std.h"
#include "aclnnop/aclnn_std_mean_correction.h"
#include "aclnnop/aclnn_var.h"
#include "aclnnop/aclnn_var_mean.h"

namespace anyacl::test {
namespace {

using Dimensions = std::vector<int64_t>;

class IntArray {
 public:
  explicit IntArray(const Dimensions& values)
      : handle_(aclCreateIntArray(values.data(), values.size())) {}
  ~IntArray() { aclDestroyIntArray(handle_); }
  IntArray(const IntArray&) = delete;
  IntArray& operator=(const IntArray&) = delete;
  const aclIntArray* handle() const { return handle_; }

 private:
  const aclIntArray* handle_;
};

// With a dtype argument, without, without dimensions, and with one dimension.
template <auto kPhase1>
aclnnStatus Typed(const aclTensor* self, const Dimensions& dims, bool keep, aclDataType dtype,
                  aclTensor* out, uint64_t* size, aclOpExecutor** executor) {
  return kPhase1(self, IntArray(dims).handle(), keep, dtype, out, size, executor);
}
template <auto kPhase1>
aclnnStatus Untyped(const aclTensor* self, const Dimensions& dims, bool keep, aclDataType,
                    aclTensor* out, uint64_t* size, aclOpExecutor** executor) {
  return kPhase1(self, IntArray(dims).handle(), keep, out, size, executor);
}
// With an argument that makes no dimensions none.
template <auto kPhase1, bool kNoop = false>
aclnnStatus OrNone(const aclTensor* self, const Dimensions& dims, bool keep, aclDataType,
                   aclTensor* out, uint64_t* size, aclOpExecutor** executor) {
  return kPhase1(self, IntArray(dims).handle(), keep, kNoop, out, size, executor);
}
template <auto kPhase1>
aclnnStatus Whole(const aclTensor* self, const Dimensions&, bool, aclDataType, aclTensor* out,
                  uint64_t* size, aclOpExecutor** executor) {
  return kPhase1(self, out, size, executor);
}
template <auto kPhase1>
aclnnStatus Arg(const aclTensor* self, const Dimensions& dims, bool keep, aclDataType,
                aclTensor* out, uint64_t* size, aclOpExecutor** executor) {
  return kPhase1(self, dims.at(0), keep, out, size, executor);
}

// What an operator writes beside the result under test: a tensor of its shape, until the next call.
std::unique_ptr<Tensor>& Beside() {
  static auto* tensor = new std::unique_ptr<Tensor>;
  return *tensor;
}
aclTensor* Beside(const aclTensor* out, aclDataType dtype) {
  int64_t* sizes = nullptr;
  uint64_t rank = 0;
  aclGetViewShape(out, &sizes, &rank);
  Beside() = std::make_unique<Tensor>(Layout{.dims = {sizes, sizes + rank}, .dtype = dtype});
  delete[] sizes;
  return Beside()->handle();
}
aclDataType TypeOf(const aclTensor* tensor) {
  aclDataType type = ACL_DT_UNDEFINED;
  aclGetDataType(tensor, &type);
  return type;
}

class RealScalar {
 public:
  explicit RealScalar(double value) : handle_(aclCreateScalar(&value, ACL_DOUBLE)) {}
  ~RealScalar() { aclDestroyScalar(handle_); }
  RealScalar(const RealScalar&) = delete;
  RealScalar& operator=(const RealScalar&) = delete;
  const aclScalar* handle() const { return handle_; }

 private:
  const aclScalar* handle_;
};

template <auto kPhase1, bool kIndices>
aclnnStatus WithIndices(const aclTensor* self, const Dimensions& dims, bool keep, aclDataType,
                        aclTensor* out, uint64_t* size, aclOpExecutor** executor) {
  aclTensor* other = Beside(out, kIndices ? TypeOf(self) : ACL_INT64);
  return kPhase1(self, dims.at(0), keep, kIndices ? other : out, kIndices ? out : other, size,
                 executor);
}
template <bool kLargest>
aclnnStatus Both(const aclTensor* self, const Dimensions& dims, bool keep, aclDataType,
                 aclTensor* out, uint64_t* size, aclOpExecutor** executor) {
  aclTensor* other = Beside(out, TypeOf(self));
  return aclnnAminmaxGetWorkspaceSize(self, IntArray(dims).handle(), keep, kLargest ? other : out,
                                      kLargest ? out : other, size, executor);
}
template <bool kLargest>
aclnnStatus BothOfAll(const aclTensor* self, const Dimensions&, bool, aclDataType, aclTensor* out,
                      uint64_t* size, aclOpExecutor** executor) {
  aclTensor* other = Beside(out, TypeOf(self));
  return aclnnAminmaxAllGetWorkspaceSize(self, kLargest ? other : out, kLargest ? out : other, size,
                                         executor);
}
template <bool kLargest>
aclnnStatus BothAlong(const aclTensor* self, const Dimensions& dims, bool keep, aclDataType,
                      aclTensor* out, uint64_t* size, aclOpExecutor** executor) {
  aclTensor* other = Beside(out, TypeOf(self));
  return aclnnAminmaxDimGetWorkspaceSize(self, dims.at(0), keep, kLargest ? other : out,
                                         kLargest ? out : other, size, executor);
}
aclnnStatus WholeProduct(const aclTensor* self, const Dimensions&, bool, aclDataType dtype,
                         aclTensor* out, uint64_t* size, aclOpExecutor** executor) {
  return aclnnProdGetWorkspaceSize(self, dtype, out, size, executor);
}
aclnnStatus ProductAlong(const aclTensor* self, const Dimensions& dims, bool keep,
                         aclDataType dtype, aclTensor* out, uint64_t* size,
                         aclOpExecutor** executor) {
  return aclnnProdDimGetWorkspaceSize(self, dims.at(0), keep, dtype, out, size, executor);
}
aclnnStatus VectorNorm(const aclTensor* self, const Dimensions& dims, bool keep, aclDataType dtype,
                       aclTensor* out, uint64_t* size, aclOpExecutor** executor) {
  return aclnnLinalgVectorNormGetWorkspaceSize(
      self, RealScalar(2).handle(), IntArray(dims).handle(), keep, dtype, out, size, executor);
}
// Powers of 1000 stand for infinite ones.
template <int kPower>
aclnnStatus NormOf(const aclTensor* self, const Dimensions& dims, bool keep, aclDataType,
                   aclTensor* out, uint64_t* size, aclOpExecutor** executor) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double power = kPower == 1000 ? infinity : kPower == -1000 ? -infinity : kPower;
  return aclnnNormGetWorkspaceSize(self, RealScalar(power).handle(), IntArray(dims).handle(), keep,
                                   out, size, executor);
}
template <auto kPhase1, int kCorrection>
aclnnStatus Corrected(const aclTensor* self, const Dimensions& dims, bool keep, aclDataType,
                      aclTensor* out, uint64_t* size, aclOpExecutor** executor) {
  return kPhase1(self, IntArray(dims).handle(), kCorrection, keep, out, size, executor);
}
template <auto kPhase1, int kCorrection, bool kMean>
aclnnStatus WithMean(const aclTensor* self, const Dimensions& dims, bool keep, aclDataType,
                     aclTensor* out, uint64_t* size, aclOpExecutor** executor) {
  aclTensor* other = Beside(out, ACL_FLOAT);
  return kPhase1(self, IntArray(dims).handle(), kCorrection, keep, kMean ? other : out,
                 kMean ? out : other, size, executor);
}

const std::vector<aclDataType> kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
const std::vector<aclDataType> kNumbers = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                           ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8};
const std::vector<aclDataType> kAndBool = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                           ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8,  ACL_BOOL};
const std::vector<aclDataType> kLogged = {ACL_FLOAT, ACL_FLOAT16};
const std::vector<aclDataType> kWithPlaces = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT64,
                                              ACL_BOOL};
const std::vector<aclDataType> kButDouble = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_INT8, ACL_INT16,
                                             ACL_INT32, ACL_INT64,   ACL_UINT8, ACL_BOOL};

}  // namespace

const std::vector<Reduction>& AllReductions() {
  static const std::vector<Reduction> kReductions = {
      {"ReduceSum", Typed<aclnnReduceSumGetWorkspaceSize>, aclnnReduceSum, ACL_DT_UNDEFINED,
       kAndBool},
      {"Mean", Typed<aclnnMeanGetWorkspaceSize>, aclnnMean, ACL_DT_UNDEFINED, kNumbers},
      {"Amax", Untyped<aclnnAmaxGetWorkspaceSize>, aclnnAmax, ACL_DT_UNDEFINED, kAndBool},
      {"MeanV2", OrNone<aclnnMeanV2GetWorkspaceSize>, aclnnMeanV2, ACL_DT_UNDEFINED, kNumbers},
      {"MaxV2", OrNone<aclnnMaxV2GetWorkspaceSize>, aclnnMaxV2, ACL_DT_UNDEFINED, kAndBool},
      {"ReduceLogSum", OrNone<aclnnReduceLogSumGetWorkspaceSize>, aclnnReduceLogSum,
       ACL_DT_UNDEFINED, kLogged},
      {"Amin", Untyped<aclnnAminGetWorkspaceSize>, aclnnAmin, ACL_DT_UNDEFINED, kAndBool},
      {"Max", Whole<aclnnMaxGetWorkspaceSize>, aclnnMax, ACL_DT_UNDEFINED, kAndBool, true},
      {"Min", Whole<aclnnMinGetWorkspaceSize>, aclnnMin, ACL_DT_UNDEFINED, kAndBool, true},
      {"All", Untyped<aclnnAllGetWorkspaceSize>, aclnnAll, ACL_BOOL, kAndBool},
      {"Any", Untyped<aclnnAnyGetWorkspaceSize>, aclnnAny, ACL_BOOL, kAndBool},
      {"LogSumExp", Untyped<aclnnLogSumExpGetWorkspaceSize>, aclnnLogSumExp, ACL_FLOAT, kButDouble},
      {"ArgMax", Arg<aclnnArgMaxGetWorkspaceSize>, aclnnArgMax, ACL_INT64, kNumbers, false, true},
      {"ArgMin", Arg<aclnnArgMinGetWorkspaceSize>, aclnnArgMin, ACL_INT32, kNumbers, false, true},
      {"MaxDim", WithIndices<aclnnMaxDimGetWorkspaceSize, false>, aclnnMaxDim, ACL_DT_UNDEFINED,
       kWithPlaces, false, true},
      {"MaxDimIndices", WithIndices<aclnnMaxDimGetWorkspaceSize, true>, aclnnMaxDim, ACL_INT64,
       kWithPlaces, false, true},
      {"MinDim", WithIndices<aclnnMinDimGetWorkspaceSize, false>, aclnnMinDim, ACL_DT_UNDEFINED,
       kWithPlaces, false, true},
      {"MinDimIndices", WithIndices<aclnnMinDimGetWorkspaceSize, true>, aclnnMinDim, ACL_INT32,
       kWithPlaces, false, true},
      {"Aminmax", Both<false>, aclnnAminmax, ACL_DT_UNDEFINED, kAndBool},
      {"AminmaxLargest", Both<true>, aclnnAminmax, ACL_DT_UNDEFINED, kAndBool},
      {"AminmaxAll", BothOfAll<false>, aclnnAminmaxAll, ACL_DT_UNDEFINED, kAndBool, true},
      {"AminmaxAllLargest", BothOfAll<true>, aclnnAminmaxAll, ACL_DT_UNDEFINED, kAndBool, true},
      {"AminmaxDim", BothAlong<false>, aclnnAminmaxDim, ACL_DT_UNDEFINED, kAndBool, false, true},
      {"AminmaxDimLargest", BothAlong<true>, aclnnAminmaxDim, ACL_DT_UNDEFINED, kAndBool, false,
       true},
      {"Prod", WholeProduct, aclnnProd, ACL_DT_UNDEFINED, kAndBool, true},
      {"ProdDim", ProductAlong, aclnnProdDim, ACL_DT_UNDEFINED, kAndBool, false, true},
      {"ReduceNansum", Typed<aclnnReduceNansumGetWorkspaceSize>, aclnnReduceNansum,
       ACL_DT_UNDEFINED, kButDouble},
      {"LinalgVectorNorm", VectorNorm, aclnnLinalgVectorNorm, ACL_DT_UNDEFINED, kFloats},
      {"Norm1", NormOf<1>, aclnnNorm, ACL_DT_UNDEFINED, kFloats},
      {"Norm3", NormOf<3>, aclnnNorm, ACL_FLOAT, kFloats},
      {"Norm0", NormOf<0>, aclnnNorm, ACL_FLOAT, kFloats},
      {"NormInfinity", NormOf<1000>, aclnnNorm, ACL_DT_UNDEFINED, kFloats},
      {"NormMinusInfinity", NormOf<-1000>, aclnnNorm, ACL_DT_UNDEFINED, kFloats},
      {"Var", Corrected<aclnnVarGetWorkspaceSize, 1>, aclnnVar, ACL_DT_UNDEFINED, kFloats},
      {"VarCorrection", Corrected<aclnnVarCorrectionGetWorkspaceSize, 3>, aclnnVarCorrection,
       ACL_DT_UNDEFINED, kFloats},
      {"VarMean", WithMean<aclnnVarMeanGetWorkspaceSize, 0, false>, aclnnVarMean, ACL_FLOAT,
       kFloats},
      {"VarMeanMean", WithMean<aclnnVarMeanGetWorkspaceSize, 0, true>, aclnnVarMean,
       ACL_DT_UNDEFINED, kFloats},
      {"Std", Corrected<aclnnStdGetWorkspaceSize, 1>, aclnnStd, ACL_DT_UNDEFINED, kFloats},
      {"StdMeanCorrection", WithMean<aclnnStdMeanCorrectionGetWorkspaceSize, 2, false>,
       aclnnStdMeanCorrection, ACL_DT_UNDEFINED, kFloats},
  };
  return kReductions;
}

const Reduction& ReductionNamed(const std::string& name) {
  for (const Reduction& op : AllReductions()) {
    if (op.name == name) return op;
  }
  throw std::logic_error("no reduction " + name);
}

aclDataType ReductionProblem::out_type() const {
  return out.value_or(op->out == ACL_DT_UNDEFINED ? self.dtype : op->out);
}

uint32_t ReductionProblem::reduce() const {
  const auto rank = static_cast<int64_t>(self.dims.size());
  uint32_t mask = 0;
  for (int64_t dim : dims) mask |= 1u << (dim < 0 ? dim + rank : dim);
  return mask == 0 || whole() ? (1u << rank) - 1 : mask;
}

Layout ReductionProblem::OutLayout() const {
  Layout layout{.dims = {}, .dtype = out_type(), .strides = out_strides};
  for (size_t i = 0; i < self.dims.size(); ++i) {
    const bool reduced = (reduce() >> i & 1) != 0;
    if (!reduced || (keep && !whole())) layout.dims.push_back(reduced ? 1 : self.dims[i]);
  }
  return layout;
}

void ReductionTest::TearDown() {
  Beside().reset();
  DeviceTest::TearDown();
}

std::vector<double> ReductionTest::RandomFactors(const Layout& self) {
  const bool whole_numbers = HalfUnitOf(self.dtype, 1) == 0;
  const bool is_signed = self.dtype != ACL_UINT8 && self.dtype != ACL_BOOL;
  std::vector<double> values;
  int64_t count = 1;
  for (int64_t size : self.dims) count *= size;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t kind = random().Int(0, 63);
    const double size = whole_numbers || kind > 3 ? 1 : kind > 1 ? 0.5 : 2;
    values.push_back(is_signed && kind % 2 == 1 ? -size : size);
  }
  return values;
}

std::vector<double> ReductionTest::RandomValues(const Layout& self) {
  int64_t count = 1;
  for (int64_t size : self.dims) count *= size;
  const bool is_unsigned = self.dtype == ACL_UINT8 || self.dtype == ACL_BOOL;
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) {
    const double value = static_cast<double>(random().Int(is_unsigned ? 0 : -40, 40)) / 8;
    values.push_back(AsHeld(self.dtype, value));
  }
  return values;
}

std::vector<double> ReductionTest::Run(const ReductionProblem& p) {
  Tensor self(p.self);
  const Tensor out(p.OutLayout());
  WriteAs(self, p.values);
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return p.op->phase1(self.handle(), p.dims, p.keep, p.out_type(), out.handle(), size,
                            executor);
      },
      p.op->phase2);
  EXPECT_TRUE(out.GuardsIntact());
  EXPECT_TRUE(self.GuardsIntact());
  return ReadAs(out);
}

void ReductionTest::ExpectCorrect(ReductionProblem p) {
  const bool multiplies = std::string(p.op->name).starts_with("Prod");
  if (p.values.empty()) p.values = multiplies ? RandomFactors(p.self) : RandomValues(p.self);
  const std::vector<double> actual = Run(p);
  const auto groups = Grouped(p.self.dims, p.values, p.reduce());
  ASSERT_EQ(actual.size(), groups.size());
  const bool own_unit = p.self.dtype == ACL_DOUBLE;
  for (size_t i = 0; i < groups.size(); ++i) {
    const double expected = OracleOf(p.op->name)(groups[i]);
    const double held = AsHeld(p.out_type(), expected);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(actual[i])) << i;
      continue;
    }
    const double bound = BoundOf(p.op->name, groups[i]) * (own_unit ? 0x1p-29 : 1) +
                         1.01 * HalfUnitOf(p.out_type(), expected) + 0x1p-26 * std::fabs(expected);
    const bool exact = HalfUnitOf(p.out_type(), 1) == 0;
    const double distance = std::isinf(held) ? actual[i] != held : std::fabs(actual[i] - expected);
    ASSERT_TRUE(exact ? actual[i] == held : distance <= bound)
        << p.op->name << " result " << i << " of " << groups.size() << ": " << actual[i]
        << ", expected " << expected << " within " << bound;
  }
}

}  // namespace anyacl::test
