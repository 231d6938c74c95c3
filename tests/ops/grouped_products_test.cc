// SPDX-License-Identifier: Apache-2.0
// Products of groups against sums in double precision: every form of lists, every type, layouts,
// bounds of any kind, and what is refused.
#include <cmath>
#include <cstring>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_grouped_matmul.h"
#include "aclnnop/aclnn_grouped_matmul_v2.h"
#include "aclnnop/aclnn_grouped_matmul_v3.h"
#include "reference/product.h"
#include "support/device_test.h"
#include "support/numbers.h"
#include "support/tensor_list.h"

namespace anyacl::test::grouped_products {
namespace {

using Sizes = std::vector<int64_t>;
using Numbers = std::vector<double>;

// How groups are told apart: every tensor is one; one x, one weight; one x, a list of weights;
// lists of both; parts of K with one weight, or with a list of them. Older versions have one x and
// lists of weights and results, too.
enum class Form { kSeparate, kRows, kRowsOfList, kRowsOfLists, kDepth, kDepthOfList, kRowsApart };
constexpr Form kForms[] = {Form::kSeparate,    Form::kRows,  Form::kRowsOfList,
                           Form::kRowsOfLists, Form::kDepth, Form::kDepthOfList};

struct Case {
  Form form;
  aclDataType x = ACL_FLOAT16, weight = ACL_FLOAT16;
  Sizes sizes = {3, 0, 5, 1};  // of each group: rows, or parts of K
  int64_t other = 24;          // K, or rows
  int64_t columns = 21;
  aclDataType bias = ACL_DT_UNDEFINED;
  bool offset = false;      // of INT8 weights
  bool transposed = false;  // the weight, and x where groups are parts of K
  int64_t rest = 0;         // behind the last group
};

// Of one group, in row-major order.
struct Group {
  int64_t m, k, n;
  Numbers x, w, bias, scale, offset;
  std::vector<uint64_t> quant;
  ProductSums product = {};
};

Numbers Transposed(const Numbers& from, int64_t rows, int64_t columns) {
  Numbers to(from.size());
  for (int64_t i = 0; i < rows * columns; ++i) {
    to[static_cast<size_t>(i % columns * rows + i / columns)] = from[static_cast<size_t>(i)];
  }
  return to;
}

class GroupedProductsTest : public DeviceTest {
 protected:
  Numbers Draw(aclDataType type, int64_t count, double most) {
    Numbers values;
    for (int64_t i = 0; i < count; ++i) {
      values.push_back(type == ACL_INT8    ? static_cast<double>(random().Int(-128, 127))
                       : type == ACL_INT32 ? static_cast<double>(random().Int(-5000, 5000))
                                           : AsHeld(type, random().Uniform(-most, most)));
    }
    return values;
  }

  // The weights that quantised ones stand for.
  static Numbers Scaled(const Group& g) {
    Numbers w = g.w;
    for (size_t i = 0; i < w.size(); ++i) {
      const size_t column = i % g.scale.size();
      w[i] = (w[i] + (g.offset.empty() ? 0 : g.offset[column])) * g.scale[column];
    }
    return w;
  }

  std::vector<Group> GroupsOf(const Case& c) {
    std::vector<Group> groups;
    const bool depth = c.form == Form::kDepth || c.form == Form::kDepthOfList;
    for (size_t i = 0; i < c.sizes.size(); ++i) {
      Group g;
      g.m = depth ? c.other : c.sizes[i];
      g.k = depth ? c.sizes[i] : c.other;
      // Groups of their own may differ in everything.
      const bool apart = c.form == Form::kSeparate || c.form == Form::kRowsApart;
      g.n = c.columns + (apart ? static_cast<int64_t>(i) : 0);
      if (c.form == Form::kSeparate) g.k += static_cast<int64_t>(i);
      g.x = Draw(c.x, g.m * g.k, 1);
      g.w = Draw(c.weight, g.k * g.n, 1);
      if (c.bias != ACL_DT_UNDEFINED) g.bias = Draw(c.bias, g.n, 1);
      const bool factors = c.weight == ACL_INT8 && c.x != ACL_INT8;
      for (int64_t n = 0; n < g.n; ++n) {
        if (factors) {
          g.scale.push_back(AsHeld(c.x, random().Uniform(0.001, 0.02)));
          if (c.offset) g.offset.push_back(AsHeld(c.x, static_cast<double>(random().Int(-4, 4))));
        }
        if (c.x != ACL_INT8) continue;
        const float scale = static_cast<float>(random().Uniform(1e-4, 1e-3));
        uint32_t bits = 0;
        std::memcpy(&bits, &scale, sizeof(bits));
        const int64_t shift = random().Int(-100, 100);
        g.scale.push_back(scale);
        g.offset.push_back(static_cast<double>(shift));
        g.quant.push_back(bits | (static_cast<uint64_t>(shift) & 0x1FF) << 37 | uint64_t{1} << 46);
      }
      g.product = ProductOf(g.x, factors ? Scaled(g) : g.w, g.m, g.k, g.n);
      groups.push_back(std::move(g));
    }
    return groups;
  }

  static std::unique_ptr<Tensor> Made(const Sizes& dims, aclDataType type, const Numbers& values,
                                      bool transposed = false) {
    Layout layout{.dims = dims, .dtype = type};
    if (transposed) {
      layout.strides = ContiguousStrides(dims);
      const size_t last = dims.size() - 1;
      layout.strides[last] = dims[last - 1];
      layout.strides[last - 1] = 1;
    }
    auto tensor = std::make_unique<Tensor>(layout);
    if (!values.empty()) WriteAs(*tensor, values);
    return tensor;
  }

  // A row of columns for each group: [N] each, or [groups, N].
  static Tensors Rows(const std::vector<Group>& groups, Numbers Group::*numbers, aclDataType type,
                      bool stacked) {
    Tensors rows;
    Numbers all;
    if ((groups[0].*numbers).empty()) return rows;
    for (const Group& g : groups) {
      all.insert(all.end(), (g.*numbers).begin(), (g.*numbers).end());
      if (!stacked) rows.push_back(Made({g.n}, type, g.*numbers));
    }
    if (stacked)
      rows.push_back(Made({static_cast<int64_t>(groups.size()), groups[0].n}, type, all));
    return rows;
  }
  static Tensors QuantRows(const std::vector<Group>& groups, bool stacked) {
    Tensors rows;
    std::vector<uint64_t> all;
    if (groups[0].quant.empty()) return rows;
    for (const Group& g : groups) {
      all.insert(all.end(), g.quant.begin(), g.quant.end());
      if (stacked) continue;
      rows.push_back(std::make_unique<Tensor>(Layout{.dims = {g.n}, .dtype = ACL_UINT64}));
      rows.back()->Write(g.quant);
    }
    if (!stacked) return rows;
    rows.push_back(std::make_unique<Tensor>(
        Layout{.dims = {static_cast<int64_t>(groups.size()), groups[0].n}, .dtype = ACL_UINT64}));
    rows.back()->Write(all);
    return rows;
  }

  void ExpectNear(const Case& c, const Group& g, const Numbers& y, size_t from) {
    for (int64_t m = 0; m < g.m; ++m) {
      for (int64_t n = 0; n < g.n; ++n) {
        const auto column = static_cast<size_t>(n), at = static_cast<size_t>(m * g.n + n);
        double sum = g.product.sums[at];
        if (!g.bias.empty()) sum += g.bias[column];
        const double result = y[from + at];
        if (c.x == ACL_INT8) {
          const double exact = sum * g.scale[column] + g.offset[column];
          const double bound = 0.5 + 4 * 0x1p-24 * (std::fabs(exact) + std::fabs(g.offset[column]));
          ASSERT_NEAR(result, std::fmin(std::fmax(exact, -128), 127), bound) << m << ", " << n;
          continue;
        }
        const double bound = (static_cast<double>(g.k) + 4) * 0x1p-24 * (g.product.sizes[at] + 1) +
                             1.01 * HalfUnitOf(c.x, sum) + 0x1p-25;
        ASSERT_NEAR(result, sum, bound) << m << ", " << n;
      }
    }
  }

  void Check(const Case& c) {
    SCOPED_TRACE(::testing::Message()
                 << "form " << static_cast<int>(c.form) << " x " << c.x << " weight " << c.weight
                 << " bias " << c.bias << " transposed " << c.transposed << " rest " << c.rest);
    const std::vector<Group> groups = GroupsOf(c);
    const auto count = static_cast<int64_t>(groups.size());
    const bool depth = c.form == Form::kDepth || c.form == Form::kDepthOfList;
    const bool apart = c.form == Form::kRowsApart;
    const bool rows = c.form == Form::kRows || c.form == Form::kRowsOfList || apart;
    const bool stacked = c.form == Form::kRows;
    Tensors xs, weights;
    std::vector<Sizes> y_sizes;
    Numbers all_x, all_w;
    int64_t total = 0;
    std::vector<int64_t> bounds;
    for (const Group& g : groups) {
      total += depth ? g.k : g.m;
      bounds.push_back(total);
      // Parts of K are columns of x: gathered transposed.
      const Numbers x = depth ? Transposed(g.x, g.m, g.k) : g.x;
      all_x.insert(all_x.end(), x.begin(), x.end());
      all_w.insert(all_w.end(), g.w.begin(), g.w.end());
      if (!depth && !rows) xs.push_back(Made({g.m, g.k}, c.x, g.x));
      if (c.form == Form::kSeparate || apart) y_sizes.push_back({g.m, g.n});
      if (c.form == Form::kDepthOfList) y_sizes.push_back({g.m, g.n});
      if (c.form != Form::kRows && c.form != Form::kDepth) {
        weights.push_back(Made({g.k, g.n}, c.weight, g.w, c.transposed));
      }
    }
    total += c.rest;
    const int64_t n = groups[0].n;
    if (depth) {
      all_x.resize(static_cast<size_t>(total * c.other));
      xs.push_back(Made({c.other, total}, c.x, Transposed(all_x, total, c.other), c.transposed));
    } else if (rows) {
      all_x.resize(static_cast<size_t>(total * c.other));
      xs.push_back(Made({total, c.other}, c.x, all_x));
    }
    if (c.form == Form::kRows) {
      weights.push_back(Made({count, c.other, n}, c.weight, all_w, c.transposed));
    }
    if (c.form == Form::kDepth) {
      all_w.resize(static_cast<size_t>(total * n));
      weights.push_back(Made({total, n}, c.weight, all_w));
      y_sizes.push_back({count, c.other, n});
    } else if (!depth && c.form != Form::kSeparate && !apart) {
      y_sizes.push_back({total, n});
    }
    const bool factors = c.weight == ACL_INT8 && c.x != ACL_INT8;
    const Tensors biases = Rows(groups, &Group::bias, c.bias, stacked),
                  scales = factors ? Rows(groups, &Group::scale, c.x, stacked) : Tensors(),
                  offsets = factors ? Rows(groups, &Group::offset, c.x, stacked) : Tensors(),
                  quants = QuantRows(groups, stacked);
    Tensor bounds_tensor({.dims = {count}, .dtype = ACL_INT64});
    bounds_tensor.Write(bounds);
    const TensorList x(xs), weight(weights), bias(biases), scale(scales), offset(offsets),
        quant(quants);
    const auto optional = [](const TensorList& list, const Tensors& tensors) {
      return tensors.empty() ? nullptr : list.handle();
    };
    const bool listed = rows || c.form == Form::kDepth;
    const int64_t type = c.form == Form::kSeparate ? -1 : depth ? 2 : 0;
    const bool one_y = (type == 0 && !apart) || c.form == Form::kDepth;
    aclIntArray* const ends = aclCreateIntArray(bounds.data(), bounds.size());
    const auto run = [&](const auto& first, Phase2 second) {
      Tensors ys;
      for (const Sizes& sizes : y_sizes) ys.push_back(Made(sizes, c.x, {}));
      const TensorList y(ys);
      RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return first(y.handle(), s, e); }, second);
      Compare(c, groups, ys);
    };
    const aclTensorList* const given[] = {optional(bias, biases), optional(quant, quants),
                                          optional(scale, scales), optional(offset, offsets)};
    if (!apart) {
      run(
          [&](aclTensorList* y, uint64_t* s, aclOpExecutor** e) {
            return aclnnGroupedMatmulV3GetWorkspaceSize(
                x.handle(), weight.handle(), given[0], given[1], nullptr, given[2], given[3],
                listed ? bounds_tensor.handle() : nullptr, one_y ? 2 : 0, type, y, s, e);
          },
          aclnnGroupedMatmulV3);
    }
    run(
        [&](aclTensorList* y, uint64_t* s, aclOpExecutor** e) {
          return aclnnGroupedMatmulV2GetWorkspaceSize(
              x.handle(), weight.handle(), given[0], given[1], nullptr, given[2], given[3],
              listed ? ends : nullptr, one_y ? 2 : 0, type, y, s, e);
        },
        aclnnGroupedMatmulV2);
    if (!depth) {
      run(
          [&](aclTensorList* y, uint64_t* s, aclOpExecutor** e) {
            return aclnnGroupedMatmulGetWorkspaceSize(
                x.handle(), weight.handle(), given[0], given[1], nullptr, given[2], given[3],
                listed ? ends : nullptr, one_y ? 3 : 1, y, s, e);
          },
          aclnnGroupedMatmul);
    }
    aclDestroyIntArray(ends);
  }

  void Compare(const Case& c, const std::vector<Group>& groups, const Tensors& ys) {
    size_t at = 0;
    for (size_t i = 0; i < groups.size(); ++i) {
      SCOPED_TRACE(::testing::Message() << "group " << i);
      const Tensor& result = *ys[ys.size() > 1 ? i : 0];
      ExpectNear(c, groups[i], ReadAs(result), at);
      if (ys.size() == 1) at += static_cast<size_t>(groups[i].m * groups[i].n);
      EXPECT_TRUE(result.GuardsIntact());
    }
    if (ys.size() > 1) return;
    // Rows of no group are not written.
    const std::vector<uint8_t> bytes = ys[0]->ElementBytes();
    for (size_t i = at * static_cast<size_t>(BitsOf(c.x)) / 8; i < bytes.size(); ++i) {
      ASSERT_EQ(bytes[i], Tensor::kCanary) << i;
    }
  }
};

TEST_F(GroupedProductsTest, NumbersInEveryForm) {
  for (Form form : kForms) {
    const bool depth = form == Form::kDepth || form == Form::kDepthOfList;
    for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
      for (bool transposed : {false, true}) {
        const Case plain = {.form = form, .x = type, .weight = type, .transposed = transposed};
        Check(plain);
        Case large = plain;
        large.sizes = {70, 1, 300, 0, 13, 4};
        large.other = 133;
        large.columns = 77;
        if (form != Form::kSeparate && form != Form::kRowsOfLists) large.rest = 5;
        if (!depth) large.bias = type;
        Check(large);
        if (depth) continue;
        large.bias = ACL_FLOAT;
        Check(large);
      }
    }
  }
}

TEST_F(GroupedProductsTest, ResultsApart) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    Case c = {.form = Form::kRowsApart, .x = type, .weight = type};
    Check(c);
    c.rest = 3;
    c.bias = type;
    c.transposed = true;
    Check(c);
    c.sizes = {7};
    Check(c);
    if (type == ACL_FLOAT) continue;
    c.sizes = {2, 70, 0};
    c.weight = ACL_INT8;
    c.offset = true;
    Check(c);
  }
}

// Sums of more than 16,384 k go in parts, which need less workspace than a group of so many.
TEST_F(GroupedProductsTest, GroupsOfLongSums) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (int64_t rows : {1, 3, 40}) {
      for (const Sizes& sizes : {Sizes{16384, 3616}, Sizes{16383, 1, 16385}, Sizes{9000, 12000}}) {
        Check({.form = Form::kDepth,
               .x = type,
               .weight = type,
               .sizes = sizes,
               .other = rows,
               .columns = 16});
      }
    }
  }
}

TEST_F(GroupedProductsTest, QuantisedWeights) {
  for (Form form : {Form::kSeparate, Form::kRows, Form::kRowsOfList, Form::kRowsOfLists}) {
    for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
      for (bool transposed : {false, true}) {
        for (bool offset : {false, true}) {
          Case c = {.form = form,
                    .x = type,
                    .weight = ACL_INT8,
                    .offset = offset,
                    .transposed = transposed};
          c.bias = type == ACL_BF16 ? ACL_FLOAT : ACL_FLOAT16;
          Check(c);
          c.sizes = {40, 2, 0, 5};
          c.other = 135;
          c.columns = 72;
          Check(c);
        }
      }
    }
  }
}

TEST_F(GroupedProductsTest, QuantisedResults) {
  for (Form form : {Form::kRows, Form::kRowsOfList}) {
    for (bool transposed : {false, true}) {
      Case c = {.form = form, .x = ACL_INT8, .weight = ACL_INT8, .transposed = transposed};
      Check(c);
      c.bias = ACL_INT32;
      c.rest = 3;
      Check(c);
      if (form == Form::kRows && !transposed) {  // more rows than wait at a time
        c.sizes = {300, 2, 0, 5};
        c.other = 9;
        c.columns = 17000;
      }
      Check(c);
    }
  }
}

// The client's numbers may be anything.
TEST_F(GroupedProductsTest, BoundsThatAreNoneAreMoved) {
  const auto run = [&](const std::vector<int64_t>& bounds) {
    Tensors xs, ws, ys;
    xs.push_back(Made({4, 2}, ACL_FLOAT, {1, 0, 1, 0, 1, 0, 1, 0}));
    ws.push_back(Made({3, 2, 1}, ACL_FLOAT, {1, 0, 2, 0, 3, 0}));
    ys.push_back(Made({4, 1}, ACL_FLOAT, {9, 9, 9, 9}));
    Tensor list({.dims = {3}, .dtype = ACL_INT64});
    list.Write(bounds);
    const TensorList x(xs), w(ws), y(ys);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnGroupedMatmulV3GetWorkspaceSize(x.handle(), w.handle(), nullptr, nullptr,
                                                      nullptr, nullptr, nullptr, list.handle(), 3,
                                                      0, y.handle(), s, e);
        },
        aclnnGroupedMatmulV3);
    return ReadAs(*ys[0]);
  };
  EXPECT_EQ(run({1, 1, 3}), (Numbers{1, 3, 3, 9}));
  EXPECT_EQ(run({2, 1, 4}), (Numbers{1, 1, 3, 3}));
  EXPECT_EQ(run({-5, 1, INT64_MAX}), (Numbers{2, 3, 3, 3}));
  EXPECT_EQ(run({4, 4, -1}), (Numbers{9, 9, 9, 9}));
}

// x of more dimensions, each a group of its own.
TEST_F(GroupedProductsTest, TakesLeadingDimensions) {
  Tensors xs, ws, ys;
  const Numbers a = Draw(ACL_FLOAT, 2 * 3 * 5, 1), w = Draw(ACL_FLOAT, 5 * 4, 1);
  xs.push_back(Made({2, 3, 5}, ACL_FLOAT, a));
  ws.push_back(Made({5, 4}, ACL_FLOAT, w));
  ys.push_back(Made({2, 3, 4}, ACL_FLOAT, {}));
  const TensorList x(xs), weight(ws), y(ys);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnGroupedMatmulV3GetWorkspaceSize(x.handle(), weight.handle(), nullptr, nullptr,
                                                    nullptr, nullptr, nullptr, nullptr, 0, -1,
                                                    y.handle(), s, e);
      },
      aclnnGroupedMatmulV3);
  ExpectNear({.form = Form::kSeparate, .x = ACL_FLOAT, .weight = ACL_FLOAT},
             {6, 5, 4, a, w, {}, {}, {}, {}, ProductOf(a, w, 6, 5, 4)}, ReadAs(*ys[0]), 0);
}

}  // namespace
}  // namespace anyacl::test::grouped_products
