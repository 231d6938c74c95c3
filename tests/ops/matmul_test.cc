// SPDX-License-Identifier: Apache-2.0
// Products of matrices, their batches, and sums with what they are added to.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_addmm.h"
#include "aclnnop/aclnn_baddbmm.h"
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_gemm.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_transpose_batch_mat_mul.h"
#include "ops/matmul_case.h"
#include "support/numbers.h"

namespace anyacl::test::matmul {
namespace {

TEST_F(MatmulTest, EveryMixtureOfTypes) {
  for (aclDataType left : kTypes) {
    for (aclDataType right : kTypes) {
      for (aclDataType out : kTypes) {
        const Product p{{17, 33}, {33, 19}, {17, 19}, left, right, out};
        Check(p, aclnnMmGetWorkspaceSize, aclnnMm);
        if (left != ACL_FLOAT && right != ACL_FLOAT && left != right) continue;
        Check(p, aclnnMatmulGetWorkspaceSize, aclnnMatmul);
      }
    }
  }
}

TEST_F(MatmulTest, EveryLayout) {
  for (Lie left : kLies) {
    for (Lie right : kLies) {
      for (Lie out : kLies) {
        Product p{{9, 20}, {20, 21}, {9, 21}};
        p.left_lie = left;
        p.right_lie = right;
        p.out_lie = out;
        p.right_type = ACL_FLOAT16;
        Check(p, aclnnMmGetWorkspaceSize, aclnnMm);
      }
    }
  }
}

TEST_F(MatmulTest, SmallSizesAndNone) {
  for (int64_t m : {0, 1, 2, 5}) {
    for (int64_t k : {0, 1, 3}) {
      for (int64_t n : {0, 1, 4}) {
        Check({{m, k}, {k, n}, {m, n}}, aclnnMmGetWorkspaceSize, aclnnMm);
      }
    }
  }
}

TEST_F(MatmulTest, BatchesBroadcast) {
  for (aclDataType type : kTypes) {
    for (const auto& [left, right] : {std::pair(4, 4), std::pair(1, 4), std::pair(4, 1)}) {
      for (Lie lie : kLies) {
        Product p{{left, 5, 8}, {right, 8, 7}, {4, 5, 7}, type, type, type};
        p.left_lie = p.right_lie = lie;
        Check(p, aclnnBatchMatMulGetWorkspaceSize, aclnnBatchMatMul);
      }
    }
  }
  const Tensor matrix({.dims = {5, 5}});
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnBatchMatMulGetWorkspaceSize(matrix.handle(), matrix.handle(), matrix.handle(),
                                                0, size, executor);
      },
      ACLNN_ERR_PARAM_INVALID, {"self", "rank 2"});
}

// Batches in the middle, orders of both operands, batches in parts: as products one by one.
TEST_F(MatmulTest, BatchesInAnotherOrder) {
  constexpr int64_t batch = 6, m = 5, k = 8, n = 7;
  for (aclDataType type : kTypes) {
    for (const auto& [left, right, parts] : {std::tuple(false, false, 1),
                                             {true, false, 1},
                                             {true, true, 1},
                                             {true, false, 2},
                                             {false, false, 3},
                                             {true, false, 6}}) {
      Tensor x1(
          {.dims = left ? std::vector<int64_t>{m, batch, k} : std::vector<int64_t>{batch, m, k},
           .dtype = type});
      Tensor x2(
          {.dims = right ? std::vector<int64_t>{batch, n, k} : std::vector<int64_t>{batch, k, n},
           .dtype = type});
      Tensor out({.dims = parts == 1 ? std::vector<int64_t>{m, batch, n}
                                     : std::vector<int64_t>{parts, m, batch / parts * n},
                  .dtype = type});
      const auto fill = [&](Tensor& tensor) {
        std::vector<double> values;
        for (int64_t i = 0; i < tensor.count(); ++i) {
          values.push_back(AsHeld(type, random().Uniform(-1, 1)));
        }
        WriteAs(tensor, values);
        return values;
      };
      const std::vector<double> a = fill(x1), b = fill(x2);
      std::vector<double> expected(static_cast<size_t>(out.count()));
      const int64_t inner = batch / parts;
      for (int64_t e = 0; e < batch; ++e) {
        for (int64_t i = 0; i < m; ++i) {
          for (int64_t j = 0; j < n; ++j) {
            double sum = 0;
            for (int64_t l = 0; l < k; ++l) {
              sum += a[static_cast<size_t>(left ? (i * batch + e) * k + l : (e * m + i) * k + l)] *
                     b[static_cast<size_t>(right ? (e * n + j) * k + l : (e * k + l) * n + j)];
            }
            const int64_t row = e / inner * m + i;
            expected[static_cast<size_t>((row * inner + e % inner) * n + j)] = sum;
          }
        }
      }
      const auto order = [](std::initializer_list<int64_t> dims) {
        return aclCreateIntArray(dims.begin(), dims.size());
      };
      aclIntArray* perm1 = left ? order({1, 0, 2}) : order({0, 1, 2});
      aclIntArray* perm2 = right ? order({0, 2, 1}) : order({0, 1, 2});
      aclIntArray* perm = order({1, 0, 2});
      RunTwoPhase(
          [&, parts = parts](uint64_t* size, aclOpExecutor** executor) {
            return aclnnTransposeBatchMatMulGetWorkspaceSize(x1.handle(), x2.handle(), nullptr,
                                                             nullptr, perm1, perm2, perm, 0, parts,
                                                             out.handle(), size, executor);
          },
          aclnnTransposeBatchMatMul);
      for (aclIntArray* array : {perm1, perm2, perm}) aclDestroyIntArray(array);
      const std::vector<double> actual = ReadAs(out);
      for (size_t i = 0; i < actual.size(); ++i) {
        ASSERT_NEAR(actual[i], expected[i], 1e-5 + 1.01 * HalfUnitOf(type, expected[i]));
      }
      EXPECT_TRUE(out.GuardsIntact());
    }
  }
}

TEST_F(MatmulTest, BatchesInAnotherOrderAreChecked) {
  struct Arguments {
    const aclTensor* bias = nullptr;
    const aclTensor* scale = nullptr;
    Shape left = {0, 1, 2}, right = {0, 1, 2}, result = {1, 0, 2};
    int32_t parts = 1;
  };
  const Tensor x1({.dims = {6, 2, 8}, .dtype = ACL_FLOAT16}),
      x2({.dims = {6, 8, 4}, .dtype = ACL_FLOAT16});
  const Tensor out({.dims = {2, 6, 4}, .dtype = ACL_FLOAT16});
  const Tensor bias({.dims = {4}, .dtype = ACL_FLOAT16}), scale({.dims = {4}, .dtype = ACL_INT64});
  const auto refused = [&](const Arguments& a, std::initializer_list<std::string_view> words) {
    const aclIntArray* left = aclCreateIntArray(a.left.data(), a.left.size());
    const aclIntArray* right = aclCreateIntArray(a.right.data(), a.right.size());
    const aclIntArray* result = aclCreateIntArray(a.result.data(), a.result.size());
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnTransposeBatchMatMulGetWorkspaceSize(x1.handle(), x2.handle(), a.bias,
                                                           a.scale, left, right, result, 0, a.parts,
                                                           out.handle(), size, executor);
        },
        ACLNN_ERR_PARAM_INVALID, words);
    for (const aclIntArray* array : {left, right, result}) aclDestroyIntArray(array);
  };
  refused({.bias = bias.handle()}, {"bias", "null"});
  refused({.scale = scale.handle()}, {"scale", "null"});
  refused({.left = {0, 2, 1}}, {"permX1", "[1, 0, 2]"});
  refused({.right = {1, 0, 2}}, {"permX2", "[0, 2, 1]"});
  refused({.right = {0, 2, 1}}, {"x2.shape", "[6, 8, N]"});
  refused({.result = {0, 1, 2}}, {"permY", "[1, 0, 2]"});
  refused({.parts = 4}, {"batchSplitFactor = 4", "6"});
  refused({.parts = 7}, {"batchSplitFactor = 7", "6"});
  refused({.parts = 2}, {"out.shape", "[2, 2, 12]"});
}

TEST_F(MatmulTest, BatchesInAnotherOrderHaveTheLimitsOfADevice) {
  // M, K and N of 0 need no memory.
  const auto refused = [](const Shape& left, const Shape& right, bool turned, bool turned_right,
                          int32_t parts, std::initializer_list<std::string_view> words) {
    const Tensor x1({.dims = left, .dtype = ACL_FLOAT16}),
        x2({.dims = right, .dtype = ACL_FLOAT16});
    const Tensor out({.dims = {0, 0, 0}, .dtype = ACL_FLOAT16});
    const int64_t same[] = {0, 1, 2}, first[] = {1, 0, 2}, last[] = {0, 2, 1};
    const aclIntArray* perm1 = aclCreateIntArray(turned ? first : same, 3);
    const aclIntArray* perm2 = aclCreateIntArray(turned_right ? last : same, 3);
    const aclIntArray* perm = aclCreateIntArray(first, 3);
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnTransposeBatchMatMulGetWorkspaceSize(x1.handle(), x2.handle(), nullptr,
                                                           nullptr, perm1, perm2, perm, 0, parts,
                                                           out.handle(), size, executor);
        },
        ACLNN_ERR_PARAM_INVALID, words);
    for (const aclIntArray* array : {perm1, perm2, perm}) aclDestroyIntArray(array);
  };
  refused({65536, 0, 8}, {65536, 8, 0}, false, false, 1, {"B = 65536", "65535"});
  refused({2, 0, 65536}, {2, 65536, 0}, false, false, 1, {"K = 65536", "permX1"});
  refused({0, 2, 40000}, {2, 40000, 0}, true, false, 2, {"batchSplitFactor = 2", "K = 40000"});
  refused({2, 3, 8}, {2, 4, 8}, false, true, 1, {"permX2"});
  refused({3, 2, 8}, {2, 4, 8}, true, true, 2, {"permX2", "batchSplitFactor = 2"});
}

TEST_F(MatmulTest, EveryRank) {
  const std::vector<Product> products = {
      {{8}, {8}, {}},
      {{8}, {8, 5}, {5}},
      {{6, 8}, {8}, {6}},
      {{3, 6, 8}, {8}, {3, 6}},
      {{8}, {3, 8, 5}, {3, 5}},
      {{3, 6, 8}, {8, 5}, {3, 6, 5}},
      {{6, 8}, {3, 8, 5}, {3, 6, 5}},
      {{2, 1, 6, 8}, {3, 8, 5}, {2, 3, 6, 5}},
      {{2, 1, 3, 1, 6, 8}, {1, 2, 1, 2, 8, 5}, {2, 2, 3, 2, 6, 5}}};
  for (Product p : products) {
    for (Lie lie : kLies) {
      p.left_lie = p.right_lie = lie;
      SCOPED_TRACE(p.out.size());
      Check(p, aclnnMatmulGetWorkspaceSize, aclnnMatmul);
    }
  }
}

TEST_F(MatmulTest, SummandsBroadcastAndBetaZeroLeavesThemUnread) {
  for (const Shape& shape :
       {std::vector<int64_t>{6, 5}, std::vector<int64_t>{1, 5}, std::vector<int64_t>{6, 1},
        std::vector<int64_t>{5}, std::vector<int64_t>{1}, std::vector<int64_t>{}}) {
    for (double beta : {0.0, 1.0, -0.5}) {
      Operand left({6, 8}, ACL_FLOAT, Lie::kRows), right({8, 5}, ACL_FLOAT16, Lie::kColumns);
      Operand summand(shape, ACL_FLOAT, Lie::kRows), out({6, 5}, ACL_FLOAT, Lie::kGaps);
      left.Fill(random());
      right.Fill(random());
      summand.Fill(random());
      if (beta == 0) {
        summand.tensor.Write(std::vector<float>(summand.values.size(), std::nanf("")));
      }
      float alpha = 0.75f;
      aclScalar* alpha_scalar = aclCreateScalar(&alpha, ACL_FLOAT);
      aclScalar* beta_scalar = aclCreateScalar(&beta, ACL_DOUBLE);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnAddmmGetWorkspaceSize(summand.tensor.handle(), left.tensor.handle(),
                                              right.tensor.handle(), beta_scalar, alpha_scalar,
                                              out.tensor.handle(), 0, size, executor);
          },
          aclnnAddmm);
      Expect(left, right, &summand, alpha, beta, {6, 5}, out);
      aclDestroyScalar(alpha_scalar);
      aclDestroyScalar(beta_scalar);
    }
  }
}

TEST_F(MatmulTest, BatchesBroadcastBesideASummand) {
  const float factor = 0.5f;
  aclScalar* half = aclCreateScalar(const_cast<float*>(&factor), ACL_FLOAT);
  for (const auto& [left_batch, right_batch] : {std::pair(1, 3), std::pair(3, 1)}) {
    Operand left({left_batch, 6, 8}, ACL_FLOAT, Lie::kRows);
    Operand right({right_batch, 8, 5}, ACL_FLOAT, Lie::kColumns);
    Operand summand({3, 6, 5}, ACL_FLOAT, Lie::kRows), out({3, 6, 5}, ACL_FLOAT, Lie::kGaps);
    left.Fill(random());
    right.Fill(random());
    summand.Fill(random());
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnBaddbmmGetWorkspaceSize(summand.tensor.handle(), left.tensor.handle(),
                                              right.tensor.handle(), half, half,
                                              out.tensor.handle(), 0, size, executor);
        },
        aclnnBaddbmm);
    Expect(left, right, &summand, factor, factor, {3, 6, 5}, out);
  }
  aclDestroyScalar(half);
}

TEST_F(MatmulTest, GemmTurnsWhatItIsTold) {
  const auto call = [](const Tensor& a, const Tensor& b, const Tensor& c, float beta,
                       int64_t turn_a, int64_t turn_b, const Tensor& out) {
    return [&, beta, turn_a, turn_b](uint64_t* size, aclOpExecutor** executor) {
      return aclnnGemmGetWorkspaceSize(a.handle(), b.handle(), c.handle(), 0.75f, beta, turn_a,
                                       turn_b, out.handle(), 0, size, executor);
    };
  };
  for (aclDataType type : kTypes) {
    for (int64_t turn_a : {0, 1, -2}) {
      for (int64_t turn_b : {0, 1}) {
        for (float beta : {0.0f, 1.0f, -0.5f}) {
          Operand left({6, 8}, type, Lie::kRows), right({8, 5}, type, Lie::kGaps);
          Operand summand({1, 5}, ACL_FLOAT, Lie::kRows), out({6, 5}, ACL_FLOAT, Lie::kGaps);
          left.Fill(random());
          right.Fill(random());
          summand.Fill(random());
          // The same elements, lying the other way round.
          Tensor turned_left({.dims = {8, 6}, .dtype = type, .strides = {1, 8}});
          Tensor turned_right({.dims = {5, 8}, .dtype = type, .strides = {1, 5}});
          const auto turned = [](const Operand& m) {
            std::vector<double> values;
            for (int64_t j = 0; j < m.shape[1]; ++j) {
              for (int64_t i = 0; i < m.shape[0]; ++i) values.push_back(m.At({i, j}));
            }
            return values;
          };
          WriteAs(turned_left, turned(left));
          WriteAs(turned_right, turned(right));
          RunTwoPhase(call(turn_a != 0 ? turned_left : left.tensor,
                           turn_b != 0 ? turned_right : right.tensor, summand.tensor, beta, turn_a,
                           turn_b, out.tensor),
                      aclnnGemm);
          Expect(left, right, &summand, 0.75, beta, {6, 5}, out);
        }
      }
    }
  }
  const Tensor a({.dims = {2, 3}}), b({.dims = {3, 4}}), out({.dims = {2, 4}});
  Tensor c({.dims = {1}});
  const Tensor wide({.dims = {4}}), other({.dims = {3}}), none({.dims = {0, 4}});
  const int code = ACLNN_ERR_PARAM_INVALID;
  ExpectRefused(call(a, b, c, 1, 1, 0, out), code, {"A has 2 columns", "B has 3 rows"});
  ExpectRefused(call(a, b, other, 1, 0, 0, out), code, {"C.shape = [3]", "[2, 4]"});
  ExpectRefused(call(a, b, c, 1, 0, 0, a), code, {"out.shape = [2, 3]", "[2, 4]"});
  ExpectRefused(call(a, b, c, 1, 0, 0, none), code, {"out.shape = [0, 4]", "[2, 4]"});
  ExpectRefused(call(wide, b, c, 1, 0, 0, out), code, {"A", "rank 1"});
  const Tensor rows({.dims = {2, 0}}), columns({.dims = {0, 0}});
  RunTwoPhase(call(rows, columns, c, 1, 0, 0, columns), aclnnGemm);
  WriteAs(c, {3});
  RunTwoPhase(call(rows, none, c, 2, 0, 0, out), aclnnGemm);
  EXPECT_EQ(ReadAs(out), std::vector<double>(8, 6));
}

// FLOAT keeps its bits with a cubeMathType of 0 (KEEP_DTYPE) and 4, and at least 16 with the
// others.
TEST_F(MatmulTest, FloatIsRoundedWhereCubeMathTypeAllowsIt) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (const int8_t cube : {0, 1, 2, 3, 4}) {
      Operand left({40, 60}, ACL_FLOAT, Lie::kRows), right({60, 50}, type, Lie::kColumns);
      Operand out({40, 50}, ACL_FLOAT, Lie::kRows);
      left.Fill(random());
      right.Fill(random());
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnMmGetWorkspaceSize(left.tensor.handle(), right.tensor.handle(),
                                           out.tensor.handle(), cube, size, executor);
          },
          aclnnMm);
      SCOPED_TRACE(int{cube});
      Expect(left, right, nullptr, 1, 0, {40, 50}, out, cube % 4 == 0 ? 0 : 0x1p-16);
    }
  }
}

TEST_F(MatmulTest, InPlace) {
  int64_t beta = 2;
  bool alpha = true;
  aclScalar* beta_scalar = aclCreateScalar(&beta, ACL_INT64);
  aclScalar* alpha_scalar = aclCreateScalar(&alpha, ACL_BOOL);
  const auto check = [&](const Shape& batch, aclDataType type, auto phase_one, Phase2 phase_two) {
    const auto of = [&](int64_t rows, int64_t columns) {
      Shape shape = batch;
      shape.insert(shape.end(), {rows, columns});
      return shape;
    };
    Operand left(of(6, 8), type, Lie::kColumns), right(of(8, 5), type, Lie::kRows);
    Operand self(of(6, 5), type, Lie::kGaps);
    left.Fill(random());
    right.Fill(random());
    self.Fill(random());
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return phase_one(self.tensor.handle(), left.tensor.handle(), right.tensor.handle(),
                           beta_scalar, alpha_scalar, 0, size, executor);
        },
        phase_two);
    Expect(left, right, &self, 1, 2, self.shape, self);
  };
  for (aclDataType type : kTypes) {
    check({3}, type, aclnnInplaceBaddbmmGetWorkspaceSize, aclnnInplaceBaddbmm);
    check({}, type, aclnnInplaceAddmmGetWorkspaceSize, aclnnInplaceAddmm);
  }
  aclDestroyScalar(beta_scalar);
  aclDestroyScalar(alpha_scalar);
}

TEST_F(MatmulTest, WhatDoesNotFitIsRefused) {
  const auto refused = [&](const Shape& left, const Shape& right, const Shape& out,
                           aclDataType right_type, std::initializer_list<std::string_view> words,
                           aclDataType left_type = ACL_FLOAT) {
    Tensor a({.dims = left, .dtype = left_type}), b({.dims = right, .dtype = right_type}),
        c({.dims = out});
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnMatmulGetWorkspaceSize(a.handle(), b.handle(), c.handle(), 0, size, executor);
        },
        161002, words);
  };
  refused({2, 3}, {4, 5}, {2, 5}, ACL_FLOAT, {"self", "mat2", "3", "4"});
  refused({2, 2, 3}, {3, 3, 5}, {3, 2, 5}, ACL_FLOAT, {"self", "mat2", "broadcast"});
  refused({2, 3}, {3, 5}, {2, 4}, ACL_FLOAT, {"out", "[2, 4]", "[2, 5]"});
  refused({2, 3}, {3, 5}, {2, 5}, ACL_BF16, {"mat2", "BF16"}, ACL_FLOAT16);
  refused({2, 3}, {3, 5}, {2, 5}, ACL_FLOAT16, {"mat2", "BF16"}, ACL_BF16);
  refused({2, 3}, {3, 5}, {}, ACL_FLOAT, {"out"});
}

}  // namespace
}  // namespace anyacl::test::matmul
