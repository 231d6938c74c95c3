// SPDX-License-Identifier: Apache-2.0
// OneHot and the operators of embeddings against plain loops.
#include <cmath>

#include "aclnnop/aclnn_embedding_bag.h"
#include "aclnnop/aclnn_embedding_dense_backward.h"
#include "aclnnop/aclnn_embedding_renorm.h"
#include "aclnnop/aclnn_one_hot.h"
#include "ops/movement_case.h"
#include "reference/indexing.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

class EmbeddingTest : public DeviceTest {
 protected:
  std::vector<double> Numbers(int64_t count, int64_t low, int64_t high) {
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) {
      values.push_back(static_cast<double>(random().Int(low, high)));
    }
    return values;
  }
  void CheckBags(aclDataType type, int64_t width, bool columns);
};

TEST_F(EmbeddingTest, OneHot) {
  const Shape shapes[] = {{5}, {2, 3}, {}, {0}, {40, 30}};
  for (const Shape& shape : shapes) {
    for (int64_t axis = -1; axis <= std::ssize(shape); ++axis) {
      for (int classes : {1, 6}) {
        const std::vector<double> values = Numbers(CountOf(shape), 0, 8);
        Shape out_shape = shape;
        const auto at = static_cast<size_t>(axis < 0 ? std::ssize(shape) : axis);
        out_shape.insert(out_shape.begin() + static_cast<std::ptrdiff_t>(at), classes);
        int64_t inner = 1;
        for (size_t i = at; i < shape.size(); ++i) inner *= shape[i];
        for (aclDataType type : {ACL_INT64, ACL_FLOAT, ACL_FLOAT16, ACL_INT8}) {
          for (Lie lie : kOutputLies) {
            Tensor self(Lying(shape, type == ACL_INT8 ? ACL_UINT8 : ACL_INT64, lie));
            Tensor on({.dims = {1}, .dtype = type}), off({.dims = {1}, .dtype = type});
            Tensor out(Lying(out_shape, type, lie));
            WriteAs(self, values);
            WriteAs(on, {3});
            WriteAs(off, {2});
            RunTwoPhase(
                [&](uint64_t* size, aclOpExecutor** executor) {
                  return aclnnOneHotGetWorkspaceSize(self.handle(), classes, on.handle(),
                                                     off.handle(), axis, out.handle(), size,
                                                     executor);
                },
                aclnnOneHot);
            const std::vector<double> actual = ReadAs(out);
            for (int64_t k = 0; k < std::ssize(actual); ++k) {
              const int64_t c = k / inner % classes;
              const int64_t i = k / inner / classes * inner + k % inner;
              ASSERT_EQ(actual[static_cast<size_t>(k)],
                        values[static_cast<size_t>(i)] == static_cast<double>(c) ? 3 : 2);
            }
            EXPECT_TRUE(out.GuardsIntact());
          }
        }
      }
    }
  }
}

TEST_F(EmbeddingTest, DenseBackward) {
  struct Case {
    Shape index;
    int64_t rows, width;
  };
  const Case cases[] = {{{7}, 5, 3}, {{2, 6}, 9, 1}, {{0}, 4, 3}, {{40, 50}, 30, 20}, {{}, 3, 4}};
  for (const Case& c : cases) {
    for (int64_t padding : {int64_t{-1}, int64_t{2}}) {
      for (bool mean : {false, true}) {
        const int64_t count = CountOf(c.index);
        const std::vector<double> indices = Numbers(count, 0, c.rows - 1);
        const std::vector<double> grads = Numbers(count * c.width, -2, 2);
        std::vector<double> sums(static_cast<size_t>(c.rows * c.width)), counts(sums.size());
        for (int64_t i = 0; i < count * c.width; ++i) {
          const auto row = static_cast<int64_t>(indices[static_cast<size_t>(i / c.width)]);
          if (row == padding) continue;
          sums[static_cast<size_t>(row * c.width + i % c.width)] += grads[static_cast<size_t>(i)];
          ++counts[static_cast<size_t>(row * c.width + i % c.width)];
        }
        Shape shape = c.index;
        shape.push_back(c.width);
        for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
          for (Lie lie : kOutputLies) {
            for (aclDataType index_type : {ACL_INT64, ACL_INT32, ACL_INT16}) {
              SCOPED_TRACE(::testing::PrintToString(c.index) + std::to_string(type));
              Tensor grad(Lying(shape, type, lie)), index(Lying(c.index, index_type, lie));
              Tensor out(Lying({c.rows, c.width}, type, lie));
              WriteAs(grad, grads);
              WriteAs(index, indices);
              RunTwoPhase(
                  [&](uint64_t* size, aclOpExecutor** executor) {
                    return aclnnEmbeddingDenseBackwardGetWorkspaceSize(
                        grad.handle(), index.handle(), static_cast<uint64_t>(c.rows),
                        static_cast<uint64_t>(padding), mean, out.handle(), size, executor);
                  },
                  aclnnEmbeddingDenseBackward);
              const std::vector<double> actual = ReadAs(out);
              for (size_t i = 0; i < sums.size(); ++i) {
                const double exact = mean && counts[i] > 0 ? sums[i] / counts[i] : sums[i];
                // Sums of small integers are exact, means come from a rounded factor.
                const double bound =
                    mean ? HalfUnitOf(type, exact) + counts[i] * 0x1p-22 : HalfUnitOf(type, exact);
                ASSERT_NEAR(actual[i], exact, bound);
              }
              EXPECT_TRUE(out.GuardsIntact());
            }
          }
        }
      }
    }
  }
}

void EmbeddingTest::CheckBags(aclDataType type, int64_t width, bool columns) {
  constexpr int64_t kRows = 9, kCount = 14;
  const std::vector<double> weights = Numbers(kRows * width, -20, 20);
  const std::vector<double> indices = Numbers(kCount, 0, kRows - 1);
  const std::vector<double> offsets = {0, 3, 3, 9};
  const std::vector<double> factors = Numbers(kCount, 1, 3);
  for (int64_t mode : {0, 1, 2}) {
    for (int64_t padding : {int64_t{-1}, static_cast<int64_t>(indices[4])}) {
      for (bool last : {false, true}) {
        for (bool weighted : {false, true}) {
          if (weighted && mode != 0) continue;
          const int64_t bags = last ? 3 : 4;
          Layout layout = {.dims = {kRows, width}, .dtype = type};
          if (columns) layout.strides = {1, kRows};
          Tensor weight(layout), factor({.dims = {kCount}, .dtype = type});
          Tensor index({.dims = {kCount}, .dtype = ACL_INT64});
          Tensor offset({.dims = {4}, .dtype = ACL_INT64}),
              out({.dims = {bags, width}, .dtype = type});
          Tensor bag({.dims = {kCount}, .dtype = ACL_INT64});
          Tensor sizes({.dims = {bags}, .dtype = ACL_INT64});
          Tensor largest(
              {.dims = mode == 2 ? Shape{bags, width} : Shape{bags}, .dtype = ACL_INT64});
          WriteAs(weight, weights);
          WriteAs(index, indices);
          WriteAs(offset, offsets);
          WriteAs(factor, factors);
          RunTwoPhase(
              [&](uint64_t* size, aclOpExecutor** executor) {
                return aclnnEmbeddingBagGetWorkspaceSize(
                    weight.handle(), index.handle(), offset.handle(), false, mode, false,
                    weighted ? factor.handle() : nullptr, last, padding, out.handle(), bag.handle(),
                    sizes.handle(), largest.handle(), size, executor);
              },
              aclnnEmbeddingBag);
          const std::vector<double> actual = ReadAs(out);
          for (int64_t b = 0; b < bags; ++b) {
            const auto begin = static_cast<int64_t>(offsets[static_cast<size_t>(b)]);
            const int64_t end =
                b + 1 < 4 ? static_cast<int64_t>(offsets[static_cast<size_t>(b + 1)]) : kCount;
            for (int64_t c = 0; c < width; ++c) {
              double sum = 0, most = 0, members = 0, at = 0;
              for (int64_t i = begin; i < end; ++i) {
                const double row = indices[static_cast<size_t>(i)];
                if (row == static_cast<double>(padding)) continue;
                const double x =
                    weights[static_cast<size_t>(static_cast<int64_t>(row) * width + c)];
                sum += x * (weighted ? factors[static_cast<size_t>(i)] : 1);
                if (members == 0 || x > most) most = x, at = row;
                ++members;
              }
              const double exact = mode == 2   ? most
                                   : mode == 1 ? (members > 0 ? sum / members : 0)
                                               : sum;
              ASSERT_NEAR(actual[static_cast<size_t>(b * width + c)], exact,
                          HalfUnitOf(type, exact));
              ASSERT_EQ(sizes.Read<int64_t>()[static_cast<size_t>(b)], members);
              if (mode == 2) {
                ASSERT_EQ(largest.Read<int64_t>()[static_cast<size_t>(b * width + c)], at);
              }
            }
            for (int64_t i = begin; i < end; ++i) {
              ASSERT_EQ(bag.Read<int64_t>()[static_cast<size_t>(i)], b);
            }
          }
        }
      }
    }
  }
}

TEST_F(EmbeddingTest, Bag) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (int64_t width : {5, 32, 100, 1100}) {
      for (bool columns : {false, true}) {
        SCOPED_TRACE(::testing::Message() << "type " << type << ", width " << width << columns);
        CheckBags(type, width, columns);
      }
    }
  }
}

// More rows than are added at once: in their order, however they lie.
TEST_F(EmbeddingTest, LargeBag) {
  constexpr int64_t kRows = 50, kWidth = 70, kCount = 1000;
  std::vector<double> weights, factors;
  for (int64_t i = 0; i < kRows * kWidth; ++i) weights.push_back(random().Uniform(-2, 2));
  for (int64_t i = 0; i < kCount; ++i) factors.push_back(random().Uniform(-2, 2));
  const std::vector<double> indices = Numbers(kCount, 0, kRows - 1);
  for (bool columns : {false, true}) {
    for (bool weighted : {false, true}) {
      Layout layout = {.dims = {kRows, kWidth}};
      if (columns) layout.strides = {1, kRows};
      Tensor weight(layout), index({.dims = {kCount}, .dtype = ACL_INT64});
      Tensor factor({.dims = {kCount}}), out({.dims = {1, kWidth}});
      Tensor offset({.dims = {1}, .dtype = ACL_INT64}), bag({.dims = {0}, .dtype = ACL_INT64});
      Tensor sizes({.dims = {1}, .dtype = ACL_INT64}), largest({.dims = {1}, .dtype = ACL_INT64});
      WriteAs(weight, weights);
      WriteAs(index, indices);
      WriteAs(factor, factors);
      WriteAs(offset, {0});
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnEmbeddingBagGetWorkspaceSize(
                weight.handle(), index.handle(), offset.handle(), false, 0, false,
                weighted ? factor.handle() : nullptr, false, -1, out.handle(), bag.handle(),
                sizes.handle(), largest.handle(), size, executor);
          },
          aclnnEmbeddingBag);
      const std::vector<double> actual = ReadAs(out);
      for (size_t c = 0; c < kWidth; ++c) {
        float sum = 0;
        for (size_t i = 0; i < kCount; ++i) {
          const auto x = static_cast<float>(weights[static_cast<size_t>(indices[i]) * kWidth + c]);
          sum = std::fma(weighted ? static_cast<float>(factors[i]) : 1.0f, x, sum);
        }
        ASSERT_EQ(actual[c], double{sum}) << c << ' ' << columns << weighted;
      }
    }
  }
}

TEST_F(EmbeddingTest, Renorm) {
  constexpr int64_t kRows = 6, kWidth = 2000;
  for (double power : {1.0, 2.0, 3.0, double{INFINITY}}) {
    for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
      std::vector<double> values = AsHeld(type, Numbers(kRows * kWidth, -3, 3));
      for (int64_t c = 0; c < kWidth; ++c) values[static_cast<size_t>(c)] *= 0.5;
      Tensor self(Lying({kRows, kWidth}, type, Lie::kGaps));
      Tensor index({.dims = {2, 2}, .dtype = ACL_INT64});
      WriteAs(self, values);
      index.Write(std::vector<int64_t>{0, 4, 2, 4});
      // Halfway: some rows are larger.
      const double most = std::isinf(power) ? 2 : std::pow(kWidth * 1.8, 1 / power);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnEmbeddingRenormGetWorkspaceSize(self.handle(), index.handle(), most, power,
                                                        size, executor);
          },
          aclnnEmbeddingRenorm);
      const std::vector<double> actual = ReadAs(self);
      for (int64_t r = 0; r < kRows; ++r) {
        double norm = 0;
        for (int64_t c = 0; c < kWidth; ++c) {
          const double x = std::fabs(values[static_cast<size_t>(r * kWidth + c)]);
          norm = std::isinf(power) ? std::max(norm, x) : norm + std::pow(x, power);
        }
        if (!std::isinf(power)) norm = std::pow(norm, 1 / power);
        const bool named = r == 0 || r == 2 || r == 4;
        const double factor = named && norm > most ? most / (norm + 1e-7) : 1;
        for (int64_t c = 0; c < kWidth; ++c) {
          const double exact = values[static_cast<size_t>(r * kWidth + c)] * factor;
          ASSERT_NEAR(actual[static_cast<size_t>(r * kWidth + c)], exact,
                      HalfUnitOf(type, exact) * 1.01 + std::fabs(exact) * 0x1p-22)
              << "row " << r;
        }
      }
      EXPECT_TRUE(self.GuardsIntact());
    }
  }
}

TEST_F(EmbeddingTest, WrongIndicesFailTheTask) {
  Tensor self({.dims = {3, 2}}), index({.dims = {2}, .dtype = ACL_INT64});
  WriteAs(self, Numbers(6, 0, 9));
  index.Write(std::vector<int64_t>{1, 3});
  const auto before = self.Bytes();
  const Prepared prepared = Prepare([&](uint64_t* size, aclOpExecutor** executor) {
    return aclnnEmbeddingRenormGetWorkspaceSize(self.handle(), index.handle(), 1, 2, size,
                                                executor);
  });
  ASSERT_OK(prepared.code);
  const DeviceBuffer workspace(prepared.workspace_size + 1);
  int code =
      aclnnEmbeddingRenorm(workspace.data(), prepared.workspace_size, prepared.executor, stream());
  if (code == ACL_SUCCESS) code = aclrtSynchronizeStream(stream());
  ExpectFailure(code, ACL_ERROR_RT_AICORE_EXCEPTION, {"indices", "3", "0 to 2"});
  EXPECT_EQ(self.Bytes(), before);
}

}  // namespace
}  // namespace anyacl::test
