// SPDX-License-Identifier: Apache-2.0
// Products of matrices, their batches, and sums with what they are added to.
#include <cmath>

#include "aclnnop/aclnn_addmm.h"
#include "aclnnop/aclnn_baddbmm.h"
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mm.h"
#include "ops/matmul_case.h"

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
  for (const Shape& shape : {Shape{6, 5}, Shape{1, 5}, Shape{6, 1}, Shape{5}, Shape{1}, Shape{}}) {
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
