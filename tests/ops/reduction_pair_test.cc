// SPDX-License-Identifier: Apache-2.0
// What reductions with two results, norms, variances and products have of their own.
#include <cmath>
#include <limits>

#include "aclnnop/aclnn_global_average_pool.h"
#include "aclnnop/aclnn_global_max_pool.h"
#include "aclnnop/aclnn_linalg_vector_norm.h"
#include "aclnnop/aclnn_max_dim.h"
#include "aclnnop/aclnn_norm.h"
#include "aclnnop/aclnn_trace.h"
#include "aclnnop/aclnn_var.h"
#include "aclnnop/aclnn_var_mean.h"
#include "ops/reduction_case.h"

namespace anyacl::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

class ReductionPairTest : public ReductionTest {
 protected:
  double Of(const char* name, const std::vector<double>& values, aclDataType type = ACL_FLOAT,
            std::optional<aclDataType> out = {}) {
    ReductionProblem p{.op = &ReductionNamed(name), .dims = {0}};
    p.self = {.dims = {static_cast<int64_t>(values.size())}, .dtype = type};
    p.values = values;
    p.out = out;
    return Run(p)[0];
  }
};

// Both results in layouts of their own.
TEST_F(ReductionPairTest, ExtremesAndPlacesOfStridedTensors) {
  Tensor self({.dims = {3, 2, 4}, .strides = {8, 4, 1}});
  const Tensor values({.dims = {3, 4}, .strides = {1, 3}});
  const Tensor places({.dims = {3, 4}, .dtype = ACL_INT64, .strides = {-4, 1}, .offset = 8});
  std::vector<double> numbers;
  for (int i = 0; i < 24; ++i) numbers.push_back(i % 5 == 3 ? kNaN : (i * 7) % 11);
  WriteAs(self, numbers);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMaxDimGetWorkspaceSize(self.handle(), 1, false, values.handle(),
                                           places.handle(), s, e);
      },
      aclnnMaxDim);
  EXPECT_TRUE(values.GuardsIntact());
  EXPECT_TRUE(places.GuardsIntact());
  const auto most = ReadAs(values), where = ReadAs(places);
  for (int i = 0; i < 12; ++i) {
    const double a = numbers[i / 4 * 8 + i % 4], b = numbers[i / 4 * 8 + 4 + i % 4];
    const bool second = !std::isnan(a) && (std::isnan(b) || b > a);
    EXPECT_EQ(where[i], second) << i;
    const double expected = second ? b : a;
    EXPECT_TRUE(std::isnan(expected) ? std::isnan(most[i]) : most[i] == expected) << i;
  }
}

TEST_F(ReductionPairTest, PoolsOverAllOfAnImage) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
    for (const std::vector<int64_t>& spatial :
         {std::vector<int64_t>{4, 5}, {2, 3, 4}, {1, 2, 1, 3, 1, 2}}) {
      std::vector<int64_t> dims = {2, 3}, out_dims = {2, 3};
      dims.insert(dims.end(), spatial.begin(), spatial.end());
      out_dims.insert(out_dims.end(), spatial.size(), 1);
      Layout layout = {.dims = dims, .dtype = type, .strides = ContiguousStrides(dims)};
      for (int64_t& stride : layout.strides) stride *= 2;
      Tensor self(layout);
      const std::vector<double> values = RandomValues(layout);
      WriteAs(self, values);
      const auto pool = [&](auto phase1, Phase2 phase2) {
        const Tensor out({.dims = out_dims, .dtype = type});
        RunTwoPhase([&](uint64_t* s,
                        aclOpExecutor** e) { return phase1(self.handle(), out.handle(), s, e); },
                    phase2);
        EXPECT_TRUE(out.GuardsIntact());
        return ReadAs(out);
      };
      const auto means = pool(aclnnGlobalAveragePoolGetWorkspaceSize, aclnnGlobalAveragePool);
      std::vector<double> most;
      if (type != ACL_BF16) most = pool(aclnnGlobalMaxPoolGetWorkspaceSize, aclnnGlobalMaxPool);
      const auto size = static_cast<int64_t>(values.size()) / 6;
      for (int64_t i = 0; i < 6; ++i) {
        const std::vector<double> image(values.begin() + i * size, values.begin() + (i + 1) * size);
        const double mean = OracleOf("Mean")(image);
        EXPECT_NEAR(means[i], mean, BoundOf("Mean", image) + 1.01 * HalfUnitOf(type, mean));
        EXPECT_TRUE(type == ACL_BF16 || most[i] == OracleOf("Amax")(image));
      }
    }
  }
  const Tensor x({.dims = {1, 2, 3, 5}}), out({.dims = {1, 2, 1, 1}}), flat({.dims = {1, 2, 15}});
  const Tensor one({.dims = {1, 2, 1}}), last({.dims = {1, 2, 1, 1}, .format = ACL_FORMAT_NHWC});
  const Tensor planes({.dims = {1, 2, 3, 5}, .format = ACL_FORMAT_NHWC});
  const auto call = [](const Tensor& self, const Tensor& to) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnGlobalMaxPoolGetWorkspaceSize(self.handle(), to.handle(), s, e);
    };
  };
  ExpectRefused(call(flat, one), 161002, {"self", "rank 3"});
  ExpectRefused(call(x, one), 161002, {"out.shape = [1, 2, 1]", "[1, 2, 1, 1]"});
  ExpectRefused(call(planes, last), 161002, {"self.format = NHWC", "NCHW"});
  ExpectRefused(call(x, last), 161002, {"out.format = NHWC", "ND"});
}

// Shared by threads: the first of equal extremes, across segments.
TEST_F(ReductionPairTest, LongRowsGiveTheFirstPlace) {
  std::vector<double> values(300000, 1.0);
  values[70000] = values[250000] = 3;
  EXPECT_EQ(Of("MaxDim", values), 3);
  EXPECT_EQ(Of("MaxDimIndices", values), 70000);
  EXPECT_EQ(Of("MinDimIndices", values), 0);
}

TEST_F(ReductionPairTest, Products) {
  EXPECT_EQ(Of("ProdDim", {2, 3, -4}, ACL_FLOAT), -24);
  EXPECT_EQ(Of("ProdDim", {2, 3, -4}, ACL_INT8, ACL_INT64), -24);
  EXPECT_EQ(Of("ProdDim", {1 << 20, 1 << 20, 1 << 20, 16}, ACL_INT32, ACL_INT64), 0);
  EXPECT_EQ(Of("ProdDim", {1, 1, 0}, ACL_BOOL, ACL_INT64), 0);
  EXPECT_EQ(Of("ProdDim", {0.5, 0.25}, ACL_FLOAT, ACL_BOOL), 1);
  EXPECT_EQ(Of("ProdDim", {1.75, 3.5}, ACL_FLOAT, ACL_INT32), 3);  // truncated first
  EXPECT_EQ(Of("ProdDim", {60000, 2}, ACL_FLOAT16, ACL_FLOAT), AsHeld(ACL_FLOAT16, 60000) * 2);
  EXPECT_EQ(Of("ProdDim", {1e200, 1e100}, ACL_DOUBLE), 1e300);
  EXPECT_EQ(Of("ProdDim", {}), 1);
  EXPECT_EQ(Of("Prod", {}), 1);
}

TEST_F(ReductionPairTest, NaNCountsAsNothingInNanSums) {
  EXPECT_EQ(Of("ReduceNansum", {1, kNaN, 2}), 3);
  EXPECT_EQ(Of("ReduceNansum", {kNaN, kNaN}, ACL_BF16), 0);
  EXPECT_EQ(Of("ReduceNansum", {1.5, kNaN, 2.5}, ACL_FLOAT, ACL_INT64), 3);
  EXPECT_EQ(Of("ReduceNansum", {3, 4}, ACL_INT32, ACL_FLOAT), 7);
}

TEST_F(ReductionPairTest, NormsOfNothing) {
  for (const char* name : {"LinalgVectorNorm", "Norm1", "Norm3", "Norm0"}) {
    EXPECT_EQ(Of(name, {}), 0) << name;
  }
  const Tensor self({.dims = {0}}), out({.dims = {}});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return ReductionNamed("NormInfinity")
            .phase1(self.handle(), {0}, false, ACL_FLOAT, out.handle(), s, e);
      },
      161002, {"self.shape", "[0]"});
}

// The norm of a gradient in 16 bits is one in fp32.
TEST_F(ReductionPairTest, NormsAreSummedInFp32) {
  std::vector<double> values(1 << 16, 1.0);
  EXPECT_EQ(Of("LinalgVectorNorm", values, ACL_BF16), 256);
  EXPECT_EQ(Of("LinalgVectorNorm", values, ACL_FLOAT16, ACL_FLOAT), 256);
  EXPECT_EQ(Of("NormInfinity", {-3, 2, -kInf}), kInf);
  EXPECT_TRUE(std::isnan(Of("NormMinusInfinity", {-3, kNaN, 2})));
}

TEST_F(ReductionPairTest, ElementsOfNormsBecomeTheirTypeBefore) {
  // 2049 is none of FLOAT16's numbers, whose next ones are 2048 and 2050.
  EXPECT_EQ(Of("LinalgVectorNorm", {2049}, ACL_FLOAT, ACL_FLOAT16), 2048);
  EXPECT_EQ(Of("LinalgVectorNorm", {2049}, ACL_FLOAT, ACL_FLOAT), 2049);
  EXPECT_EQ(Of("LinalgVectorNorm", {3, -4}, ACL_BF16, ACL_FLOAT16), 5);
}

TEST_F(ReductionPairTest, TypesOfNormsAreChecked) {
  const Tensor self({.dims = {4}}), half({.dims = {}, .dtype = ACL_FLOAT16});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return ReductionNamed("LinalgVectorNorm")
            .phase1(self.handle(), {0}, false, ACL_FLOAT, half.handle(), s, e);
      },
      161002, {"dtype", "FLOAT16", "FLOAT"});
}

// Data far from zero: a difference of squares would leave nothing.
TEST_F(ReductionPairTest, VariancesOfDataFarFromZero) {
  for (int64_t n : {300, 300000}) {
    std::vector<double> values;
    for (int64_t i = 0; i < n; ++i) {
      values.push_back(AsHeld(ACL_FLOAT, 1e5 + static_cast<double>(i % 7)));
    }
    const double expected = OracleOf("Var")(values);
    EXPECT_NEAR(Of("Var", values), expected, 1e-5 * expected);
    EXPECT_NEAR(Of("VarMeanMean", values), OracleOf("Mean")(values), 0.01);
  }
}

TEST_F(ReductionPairTest, VariancesOfTooFewElements) {
  EXPECT_TRUE(std::isnan(Of("Var", {5})));
  EXPECT_TRUE(std::isnan(Of("Var", {})));
  EXPECT_EQ(Of("VarCorrection", {1, 2}), kInf);
  EXPECT_EQ(Of("VarMean", {5}), 0);
}

// No array of dimensions stands for all of them.
TEST_F(ReductionPairTest, DimensionsMayBeNull) {
  Tensor self({.dims = {2, 3}});
  const Tensor out({.dims = {1, 1}});
  WriteAs(self, {1, 2, 3, 4, 5, 6});
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnVarCorrectionGetWorkspaceSize(self.handle(), nullptr, 1, true, out.handle(), s,
                                                  e);
      },
      aclnnVarCorrection);
  EXPECT_EQ(ReadAs(out), std::vector<double>{3.5});
}

TEST_F(ReductionPairTest, Traces) {
  const auto trace = [&](Layout layout, aclDataType out_type) {
    Tensor self(layout);
    const Tensor out({.dims = {}, .dtype = out_type});
    std::vector<double> values;
    for (int64_t i = 0; i < self.count(); ++i) values.push_back(static_cast<double>(i + 1));
    WriteAs(self, values);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnTraceGetWorkspaceSize(self.handle(), out.handle(), s, e);
        },
        aclnnTrace);
    return ReadAs(out)[0];
  };
  EXPECT_EQ(trace({.dims = {3, 3}}, ACL_FLOAT), 15);
  EXPECT_EQ(trace({.dims = {2, 4}, .dtype = ACL_FLOAT16}, ACL_FLOAT16), 7);
  EXPECT_EQ(trace({.dims = {4, 2}, .dtype = ACL_INT8, .strides = {1, 5}}, ACL_INT64), 5);
  EXPECT_EQ(trace({.dims = {0, 3}, .dtype = ACL_DOUBLE}, ACL_DOUBLE), 0);
  const Tensor self({.dims = {2, 2}, .dtype = ACL_INT32}), out({.dims = {}, .dtype = ACL_INT32});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnTraceGetWorkspaceSize(self.handle(), out.handle(), s, e);
      },
      161002, {"out.dtype", "INT32", "INT64"});
}

TEST_F(ReductionPairTest, ShapesOfBothResultsAreChecked) {
  const Tensor self({.dims = {2, 3}}), out({.dims = {2}}), other({.dims = {3}});
  const Tensor places({.dims = {3}, .dtype = ACL_INT64});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMaxDimGetWorkspaceSize(self.handle(), 1, false, out.handle(), places.handle(),
                                           s, e);
      },
      161002, {"indices.shape", "[3]", "[2]"});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnVarMeanGetWorkspaceSize(self.handle(), nullptr, 1, false, out.handle(),
                                            other.handle(), s, e);
      },
      161002, {"meanOut.shape", "[3]", "[2]"});
}

}  // namespace
}  // namespace anyacl::test
