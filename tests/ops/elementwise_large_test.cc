// SPDX-License-Identifier: Apache-2.0
// Tensors that take many chunks, several threads and, where they exceed the caches, stores past
// them: an element has the value that it has in a small tensor, wherever it stands.
#include <cmath>
#include <functional>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_gt_scalar.h"
#include "support/device_test.h"
#include "support/half.h"

namespace anyacl::test {
namespace {

// fp32 results of this many elements exceed the last cache of usual machines.
constexpr int64_t kBeyondCaches = 3 * 3000 * 1009;

class ElementwiseLargeTest : public DeviceTest {
 protected:
  // Values that repeat after 997, so that neither chunks nor rows see the same ones.
  static float ValueAt(int64_t k) { return static_cast<float>(k % 997 - 498) / 64; }

  static std::vector<float> Values(int64_t count) {
    std::vector<float> values(static_cast<size_t>(count));
    for (size_t k = 0; k < values.size(); ++k) values[k] = ValueAt(static_cast<int64_t>(k));
    return values;
  }

  // out = 1.5 * other + self, by the operator; other is self read from its end.
  void ExpectSums(const Layout& self_layout, const Layout& out_layout) {
    ExpectSums(self_layout, self_layout, out_layout);
  }
  void ExpectSums(const Layout& self_layout, const Layout& other_layout, const Layout& out_layout) {
    Tensor self(self_layout), other(other_layout), out(out_layout);
    const std::vector<float> values = Values(self.count());
    const std::vector<float> reversed(values.rbegin(), values.rend());
    self.Write(values);
    other.Write(reversed);
    float alpha = 1.5f;
    aclScalar* scalar = aclCreateScalar(&alpha, ACL_FLOAT);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnAddGetWorkspaceSize(self.handle(), other.handle(), scalar, out.handle(), size,
                                          executor);
        },
        aclnnAdd);
    aclDestroyScalar(scalar);
    const std::vector<float> sums = out.Read<float>();
    for (size_t k = 0; k < sums.size(); ++k) {
      ASSERT_EQ(sums[k], std::fma(1.5f, reversed[k], values[k])) << k;
    }
    EXPECT_TRUE(out.GuardsIntact());
  }
};

TEST_F(ElementwiseLargeTest, ContiguousBeyondTheCaches) {
  ExpectSums({.dims = {kBeyondCaches}}, {.dims = {kBeyondCaches}});
}

TEST_F(ElementwiseLargeTest, ContiguousInTheCaches) {
  ExpectSums({.dims = {100003}}, {.dims = {100003}});
}

TEST_F(ElementwiseLargeTest, Transposed) {
  ExpectSums({.dims = {7, 301, 203}, .strides = {1, 7 * 203, 7}}, {.dims = {7, 301, 203}});
  ExpectSums({.dims = {301, 1009}}, {.dims = {301, 1009}, .strides = {1, 301}});
}

// Columns of one input become rows, those of the other are read where they are.
TEST_F(ElementwiseLargeTest, OneTransposed) {
  for (const int64_t rows : {1, 5, 64, 73, 3000}) {
    for (const int64_t columns : {13, 17, 130, 3020}) {
      const Layout dense{.dims = {rows, columns}};
      const Layout turned{.dims = {rows, columns}, .strides = {1, rows}};
      const Layout gaps{.dims = {rows, columns}, .strides = {columns + 7, 1}, .offset = 3};
      ExpectSums(turned, dense, dense);
      ExpectSums(gaps, turned, gaps);
    }
  }
}

TEST_F(ElementwiseLargeTest, WithGaps) {
  ExpectSums({.dims = {501, 403}, .strides = {900, 2}}, {.dims = {501, 403}, .strides = {500, 1}});
}

// Rows are read where they are, the other input's one row or one column again and again.
TEST_F(ElementwiseLargeTest, BroadcastRowsAndColumns) {
  for (const auto& [rows, cols] : {std::pair<int64_t, int64_t>{3001, 2603}, {700, 16}, {300, 33}}) {
    const std::vector<float> values = Values(rows * cols);
    Tensor self({.dims = {rows, cols}}), out({.dims = {rows, cols}});
    self.Write(values);
    for (const bool by_row : {true, false}) {
      Tensor other({.dims = by_row ? std::vector<int64_t>{cols} : std::vector<int64_t>{rows, 1}});
      const std::vector<float> few = Values(by_row ? cols : rows);
      other.Write(few);
      float alpha = 1.5f;
      aclScalar* scalar = aclCreateScalar(&alpha, ACL_FLOAT);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnAddGetWorkspaceSize(self.handle(), other.handle(), scalar, out.handle(),
                                            size, executor);
          },
          aclnnAdd);
      aclDestroyScalar(scalar);
      const std::vector<float> sums = out.Read<float>();
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t c = 0; c < cols; ++c) {
          const auto k = static_cast<size_t>(r * cols + c);
          const float second = few[static_cast<size_t>(by_row ? c : r)];
          ASSERT_EQ(sums[k], std::fma(1.5f, second, values[k])) << r << ", " << c;
        }
      }
      EXPECT_TRUE(out.GuardsIntact());
    }
  }
}

TEST_F(ElementwiseLargeTest, ConversionsBeyondTheCaches) {
  for (const aclDataType narrow : {ACL_FLOAT16, ACL_BF16}) {
    // Results that begin beside the vectors' alignment.
    Tensor in({.dims = {kBeyondCaches}}), out({.dims = {kBeyondCaches}, .offset = 3});
    Tensor halves({.dims = {kBeyondCaches}, .dtype = narrow, .offset = 5});
    const std::vector<float> values = Values(kBeyondCaches);  // 10 bits each
    in.Write(values);
    const auto cast = [&](Tensor& from, aclDataType type, Tensor& to) {
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnCastGetWorkspaceSize(from.handle(), type, to.handle(), size, executor);
          },
          aclnnCast);
      EXPECT_TRUE(to.GuardsIntact());
    };
    cast(in, narrow, halves);
    cast(halves, ACL_FLOAT, out);
    const std::vector<float> results = out.Read<float>();
    for (size_t k = 0; k < results.size(); ++k) {
      const float expected = narrow == ACL_FLOAT16 ? values[k] : DecodeBf16(EncodeBf16(values[k]));
      ASSERT_EQ(results[k], expected) << k;
    }
  }
}

// Small steps have loops of their own.
TEST_F(ElementwiseLargeTest, EverySoManyElements) {
  for (const int64_t step : {2, 3, 4, 5, 40, -1, -3}) {
    ExpectSums({.dims = {203, 403},
                .strides = {403 * std::abs(step), step},
                .offset = step < 0 ? -402 * step : 0},
               {.dims = {203, 403}});
    ExpectSums({.dims = {3, 5003},
                .strides = {5003 * std::abs(step), step},
                .offset = step < 0 ? -5002 * step : 0},
               {.dims = {3, 5003}});
  }
}

// A function of 997 numbers, far apart, is that of the same numbers by themselves.
TEST_F(ElementwiseLargeTest, ValuesDoNotDependOnThePlace) {
  const auto exp_of = [&](int64_t count) {
    Tensor in({.dims = {count}}), out({.dims = {count}, .dtype = ACL_FLOAT16});
    in.Write(Values(count));
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnExpGetWorkspaceSize(in.handle(), out.handle(), size, executor);
        },
        aclnnExp);
    EXPECT_TRUE(out.GuardsIntact());
    return out.Read<uint16_t>();
  };
  const std::vector<uint16_t> few = exp_of(997), many = exp_of(997 * 1201);
  for (size_t k = 0; k < many.size(); ++k) ASSERT_EQ(many[k], few[k % 997]) << k;
}

TEST_F(ElementwiseLargeTest, ConversionsAndComparisons) {
  constexpr int64_t kCount = 2000003;
  Tensor in({.dims = {kCount}}), whole({.dims = {kCount}, .dtype = ACL_INT64});
  Tensor above({.dims = {kCount}, .dtype = ACL_BOOL});
  in.Write(Values(kCount));
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnCastGetWorkspaceSize(in.handle(), ACL_INT64, whole.handle(), size, executor);
      },
      aclnnCast);
  double limit = 0.25;
  aclScalar* scalar = aclCreateScalar(&limit, ACL_DOUBLE);
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnGtScalarGetWorkspaceSize(in.handle(), scalar, above.handle(), size, executor);
      },
      aclnnGtScalar);
  const std::vector<int64_t> integers = whole.Read<int64_t>();
  const std::vector<uint8_t> flags = above.Read<uint8_t>();
  for (int64_t k = 0; k < kCount; ++k) {
    ASSERT_EQ(integers[static_cast<size_t>(k)], static_cast<int64_t>(std::trunc(ValueAt(k)))) << k;
    ASSERT_EQ(flags[static_cast<size_t>(k)], ValueAt(k) > 0.25f) << k;
  }
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnInplaceFillScalarGetWorkspaceSize(in.handle(), scalar, size, executor);
      },
      aclnnInplaceFillScalar);
  aclDestroyScalar(scalar);
  EXPECT_EQ(in.Read<float>(), std::vector<float>(kCount, 0.25f));
  EXPECT_TRUE(in.GuardsIntact() && whole.GuardsIntact() && above.GuardsIntact());
}

}  // namespace
}  // namespace anyacl::test
