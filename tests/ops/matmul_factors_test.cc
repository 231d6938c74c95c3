// SPDX-License-Identifier: Apache-2.0
// Products of vectors, of matrices and vectors, sums of batches: in every type, with factors.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "aclnnop/aclnn_addbmm.h"
#include "aclnnop/aclnn_addmv.h"
#include "aclnnop/aclnn_addr.h"
#include "aclnnop/aclnn_dot.h"
#include "aclnnop/aclnn_mv.h"
#include "ops/matmul_case.h"

namespace anyacl::test::matmul {
namespace {

// Of any type: out[i] = beta * self[i] + alpha * products(i), exact in integers.
class FactorsTest : public MatmulTest {
 protected:
  FactorsTest() {
    double beta = 2, alpha = 3;
    beta_ = aclCreateScalar(&beta, ACL_DOUBLE);
    alpha_ = aclCreateScalar(&alpha, ACL_DOUBLE);
    int64_t whole_beta = 2, whole_alpha = 3;
    whole_beta_ = aclCreateScalar(&whole_beta, ACL_INT64);
    whole_alpha_ = aclCreateScalar(&whole_alpha, ACL_INT64);
  }
  ~FactorsTest() override {
    for (aclScalar* scalar : {beta_, alpha_, whole_beta_, whole_alpha_}) aclDestroyScalar(scalar);
  }

  // Small whole numbers, which no type rounds.
  static void FillWhole(Operand& operand, int64_t seed) {
    for (int64_t i = 0; i < operand.tensor.count(); ++i) {
      operand.values.push_back(operand.dtype == ACL_BOOL ? (i + seed) % 2
                                                         : static_cast<double>((i * 7 + seed) % 3));
    }
    WriteAs(operand.tensor, operand.values);
  }
  static double AsType(aclDataType dtype, double value) {
    return dtype == ACL_BOOL ? value != 0 : value;
  }

  aclScalar *beta_, *alpha_, *whole_beta_, *whole_alpha_;
};

constexpr aclDataType kAllTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                     ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8,  ACL_BOOL};

TEST_F(FactorsTest, DotOfEveryType) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT32, ACL_UINT8}) {
    const bool floating = std::ranges::find(kTypes, type) != std::end(kTypes);
    for (int64_t count : {0, 1, 20, 130, 40000}) {
      for (Lie lie : {Lie::kRows, Lie::kGaps}) {
        if (count > 130 && !floating) continue;
        Operand left({count}, type, lie), right({count}, type, Lie::kRows);
        Operand out({}, type, Lie::kRows);
        FillWhole(left, 1);
        FillWhole(right, 0);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnDotGetWorkspaceSize(left.tensor.handle(), right.tensor.handle(),
                                              out.tensor.handle(), size, executor);
            },
            aclnnDot);
        const double expected =
            std::inner_product(left.values.begin(), left.values.end(), right.values.begin(), 0.0);
        EXPECT_EQ(ReadAs(out.tensor)[0], floating ? AsHeld(type, expected) : expected) << count;
      }
    }
  }
}

TEST_F(FactorsTest, MatrixTimesVector) {
  for (aclDataType type : kTypes) {
    for (Lie lie : kLies) {
      Product p{{17, 33}, {33}, {17}, type, type, type};
      p.left_lie = lie;
      Check(p, aclnnMvGetWorkspaceSize, aclnnMv);
    }
  }
}

TEST_F(FactorsTest, VectorSummands) {
  for (aclDataType type : kAllTypes) {
    if (type == ACL_BOOL) continue;
    for (int64_t summands : {1, 70}) {
      Operand mat({70, 130}, type, Lie::kColumns), vec({130}, type, Lie::kRows);
      Operand self({summands}, type, Lie::kRows), out({70}, type, Lie::kRows);
      FillWhole(mat, 1);
      FillWhole(vec, 0);
      FillWhole(self, 2);
      // At most two ones in a row: 3 * 4 + 2 * 2 fits into every type.
      for (size_t i = 0; i < vec.values.size(); ++i) vec.values[i] = i == 3 || i == 99;
      WriteAs(vec.tensor, vec.values);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnAddmvGetWorkspaceSize(self.tensor.handle(), mat.tensor.handle(),
                                              vec.tensor.handle(), alpha_, beta_,
                                              out.tensor.handle(), 0, size, executor);
          },
          aclnnAddmv);
      const std::vector<double> results = ReadAs(out.tensor);
      for (size_t m = 0; m < results.size(); ++m) {
        const double product = mat.values[m * 130 + 3] + mat.values[m * 130 + 99];
        ASSERT_EQ(results[m], 3 * product + 2 * self.values[summands == 1 ? 0 : m]) << m;
      }
    }
  }
}

TEST_F(FactorsTest, SumOverBatches) {
  for (aclDataType type : kTypes) {
    for (int64_t batch : {0, 1, 2, 5}) {
      for (bool in_place : {false, true}) {
        Operand left({batch == 5 ? 1 : batch, 6, 70}, type, Lie::kColumns);
        Operand right({batch, 70, 5}, ACL_FLOAT, Lie::kRows),
            self({in_place ? 6 : 1, 5}, type, Lie::kRows);
        Operand fresh({6, 5}, type, Lie::kGaps);
        Operand& out = in_place ? self : fresh;
        FillWhole(left, 1);
        FillWhole(right, 0);
        for (double& value : right.values) value = value == 2 ? 1 : 0;
        WriteAs(right.tensor, right.values);
        FillWhole(self, 2);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return in_place
                         ? aclnnInplaceAddbmmGetWorkspaceSize(
                               self.tensor.handle(), left.tensor.handle(), right.tensor.handle(),
                               beta_, alpha_, 0, size, executor)
                         : aclnnAddbmmGetWorkspaceSize(self.tensor.handle(), left.tensor.handle(),
                                                       right.tensor.handle(), beta_, alpha_,
                                                       out.tensor.handle(), 0, size, executor);
            },
            in_place ? aclnnInplaceAddbmm : aclnnAddbmm);
        const std::vector<double> results = ReadAs(out.tensor);
        for (int64_t i = 0; i < 30; ++i) {
          double sum = 0;
          for (int64_t b = 0; b < batch; ++b) {
            for (int64_t k = 0; k < 70; ++k)
              sum += left.At({b, i / 5, k}) * right.At({b, k, i % 5});
          }
          const double expected = 3 * sum + 2 * self.At({i / 5, i % 5});
          ASSERT_NEAR(results[static_cast<size_t>(i)], expected, LastPlace(type) * 1.01 * expected)
              << "batch " << batch;
        }
      }
    }
  }
}

TEST_F(FactorsTest, SumsOfBatchesWithoutFactor) {
  float zero = 0;
  aclScalar* alpha = aclCreateScalar(&zero, ACL_FLOAT);
  Operand left({2, 2, 3}, ACL_FLOAT, Lie::kRows), right({2, 3, 2}, ACL_FLOAT, Lie::kRows);
  Operand self({2, 2}, ACL_FLOAT, Lie::kRows), out({2, 2}, ACL_FLOAT, Lie::kRows);
  left.tensor.Write(std::vector<float>(12, std::nanf("")));
  right.tensor.Write(std::vector<float>(12, 1));
  self.tensor.Write(std::vector<float>{1, 2, 3, 4});
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnAddbmmGetWorkspaceSize(self.tensor.handle(), left.tensor.handle(),
                                           right.tensor.handle(), beta_, alpha, out.tensor.handle(),
                                           0, size, executor);
      },
      aclnnAddbmm);
  EXPECT_EQ(ReadAs(out.tensor), (std::vector<double>{2, 4, 6, 8}));
  aclDestroyScalar(alpha);
}

TEST_F(FactorsTest, OuterProductsOfEveryType) {
  for (aclDataType type : kAllTypes) {
    for (bool with_factors : {false, true}) {
      if (type == ACL_BOOL && with_factors) continue;
      const bool whole =
          type != ACL_FLOAT && type != ACL_FLOAT16 && type != ACL_BF16 && type != ACL_DOUBLE;
      aclScalar* beta = !with_factors ? nullptr : whole ? whole_beta_ : beta_;
      aclScalar* alpha = !with_factors ? nullptr : whole ? whole_alpha_ : alpha_;
      for (bool in_place : {false, true}) {
        Operand column({9}, type, Lie::kRows), row({70}, type, Lie::kRows);
        const Lie self_lie = in_place ? Lie::kColumns : Lie::kRows;
        Operand self(in_place ? Shape{9, 70} : Shape{70}, type, self_lie);
        Operand other({9, 70}, type, Lie::kColumns);
        Operand& out = in_place ? self : other;
        FillWhole(column, 1);
        FillWhole(row, 0);
        FillWhole(self, 2);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return in_place
                         ? aclnnInplaceAddrGetWorkspaceSize(
                               self.tensor.handle(), column.tensor.handle(), row.tensor.handle(),
                               beta, alpha, size, executor)
                         : aclnnAddrGetWorkspaceSize(self.tensor.handle(), column.tensor.handle(),
                                                     row.tensor.handle(), beta, alpha,
                                                     out.tensor.handle(), size, executor);
            },
            in_place ? aclnnInplaceAddr : aclnnAddr);
        const std::vector<double> results = ReadAs(out.tensor);
        for (size_t i = 0; i < results.size(); ++i) {
          const double product = column.values[i / 70] * row.values[i % 70];
          const double summand = self.values[in_place ? i : i % 70];
          const double expected = with_factors ? 3 * product + 2 * summand : product + summand;
          ASSERT_EQ(results[i], AsType(type, expected)) << i;
        }
        EXPECT_TRUE(out.tensor.GuardsIntact());
      }
    }
  }
}

TEST_F(FactorsTest, FactorsThatDoNotFitOuterProducts) {
  Tensor self({.dims = {2, 3}, .dtype = ACL_INT32}), column({.dims = {2}, .dtype = ACL_INT32}),
      row({.dims = {3}, .dtype = ACL_INT32});
  bool yes = true;
  aclScalar* truth = aclCreateScalar(&yes, ACL_BOOL);
  const auto refused = [&](aclScalar* beta, aclScalar* alpha,
                           std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnInplaceAddrGetWorkspaceSize(self.handle(), column.handle(), row.handle(),
                                                  beta, alpha, size, executor);
        },
        161002, words);
  };
  refused(beta_, nullptr, {"betaOptional", "DOUBLE", "integer"});
  refused(nullptr, truth, {"alphaOptional", "BOOL", "INT32"});
  aclDestroyScalar(truth);
}

}  // namespace
}  // namespace anyacl::test::matmul
