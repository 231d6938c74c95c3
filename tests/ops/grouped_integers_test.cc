// SPDX-License-Identifier: Apache-2.0
// aclnnGroupedMatmulV4, V5 and WeightNz: integers with factors, quantised weights of groups of k,
// lists of groups in every form, weights in panels, against sums in double precision.
#include "ops/grouped_integers_case.h"

namespace anyacl::test::grouped_integers {
namespace {

using namespace grouped;

TEST_F(GroupedIntegersTest, EveryResultOfInt8) {
  struct Types {
    aclDataType y, scale;
    std::vector<aclDataType> biases;
    bool row_scale;
  };
  const Types all[] = {
      {ACL_INT32, ACL_FLOAT, {ACL_INT32}, false},
      {ACL_INT8, ACL_UINT64, {ACL_INT32}, false},
      {ACL_BF16, ACL_UINT64, {ACL_INT32}, false},
      {ACL_FLOAT16, ACL_INT64, {ACL_INT32}, false},
      {ACL_BF16, ACL_BF16, {ACL_INT32, ACL_BF16, ACL_FLOAT}, true},
      {ACL_BF16, ACL_FLOAT, {ACL_INT32, ACL_BF16, ACL_FLOAT}, true},
      {ACL_FLOAT16, ACL_FLOAT, {ACL_INT32, ACL_FLOAT16, ACL_FLOAT}, true},
  };
  for (const Types& types : all) {
    for (bool separate : {false, true}) {
      for (int64_t listing : {0, 1, 2}) {
        Case c = {.y = types.y,
                  .scale = types.scale,
                  .row_scale = false,
                  .separate = separate,
                  .listing = listing,
                  .rest = listing};
        Check(c);
        c.row_scale = types.row_scale;
        for (aclDataType bias : types.biases) {
          c.bias = bias;
          Check(c);
        }
      }
    }
  }
}

TEST_F(GroupedIntegersTest, LayoutsOfWeights) {
  for (Order order :
       {Order::kPlain, Order::kTransposed, Order::kPanels, Order::kTransposedPanels}) {
    for (bool separate : {false, true}) {
      for (aclDataType weight : {ACL_INT8, ACL_INT4}) {
        Case c = {.weight = weight,
                  .scale = weight == ACL_INT4 ? ACL_UINT64 : ACL_FLOAT,
                  .bias = weight == ACL_INT4 ? ACL_FLOAT : ACL_INT32,
                  .sizes = {2, 40, 0, 17},
                  .k = 96,
                  .n = 70,
                  .factor_groups = weight == ACL_INT4 ? 3 : 0,
                  .separate = separate,
                  .listing = 1,
                  .order = order};
        Check(c);
        if (weight == ACL_INT4) c.x = ACL_INT4, c.bias = ACL_DT_UNDEFINED, Check(c);
        c.factor_groups = 0;
        for (aclDataType x : {ACL_FLOAT16, ACL_BF16}) {
          c.x = c.y = x;
          c.bias = x == ACL_BF16 ? ACL_FLOAT : ACL_FLOAT16;
          Check(c);
        }
      }
    }
  }
}

TEST_F(GroupedIntegersTest, Activations) {
  for (int64_t activation : {1, 2, 4, 5}) {
    for (aclDataType y : {ACL_FLOAT16, ACL_BF16}) {
      for (aclDataType bias : {ACL_DT_UNDEFINED, ACL_INT32, ACL_FLOAT}) {
        Case c = {.y = y, .bias = bias, .k = 70, .activation = activation};
        Check(c);
        c.row_scale = false;
        Check(c);
      }
    }
  }
}

// More rows than wait at a time.
TEST_F(GroupedIntegersTest, ManyRows) {
  Case c = {.sizes = {300, 2, 0, 5}, .k = 8, .n = 17000, .activation = 5, .listing = 1};
  Check(c);
  c = {.x = ACL_INT4,
       .weight = ACL_INT4,
       .scale = ACL_UINT64,
       .sizes = {3, 290},
       .k = 40000,
       .n = 6};
  Check(c);
}

TEST_F(GroupedIntegersTest, FourBits) {
  for (aclDataType y : {ACL_FLOAT16, ACL_BF16}) {
    for (int64_t listing : {0, 1, 2}) {
      for (bool row_scale : {false, true}) {
        for (int64_t groups : {0, 1, 2, 4}) {
          Check({.x = ACL_INT4,
                 .weight = ACL_INT4,
                 .y = y,
                 .scale = ACL_UINT64,
                 .row_scale = row_scale,
                 .k = 128,
                 .factor_groups = groups,
                 .listing = listing});
        }
      }
      for (int64_t groups : {1, 2}) {
        const Case c = {.weight = ACL_INT4,
                        .y = y,
                        .scale = ACL_UINT64,
                        .bias = ACL_FLOAT,
                        .k = 512,
                        .factor_groups = groups,
                        .listing = listing};
        Check(c);
      }
    }
  }
  Case c = {.weight = ACL_INT4,
            .y = ACL_FLOAT16,
            .scale = ACL_UINT64,
            .bias = ACL_FLOAT,
            .k = 300,
            .n = 40,
            .factor_groups = 1,
            .offset = true,
            .listing = 1};
  Check(c);
  c.swapped = true;
  Check(c);
  c.order = Order::kPanels;
  Check(c);
  c.swapped = false;
  for (int64_t storage : {8, 32}) {
    c.int32_storage = storage;
    Check(c);
  }
}

TEST_F(GroupedIntegersTest, WeightsWithFactorsOfGroups) {
  for (aclDataType x : {ACL_FLOAT16, ACL_BF16}) {
    for (aclDataType weight : {ACL_INT8, ACL_INT4}) {
      for (bool separate : {false, true}) {
        for (bool offset : {false, true}) {
          Case c = {.x = x,
                    .weight = weight,
                    .y = x,
                    .k = 192,
                    .offset = offset,
                    .separate = separate,
                    .listing = 2};
          Check(c);
          c.factor_groups = 3;
          if (weight == ACL_INT4) Check(c);
        }
      }
    }
  }
}

// A rank without tokens.
TEST_F(GroupedIntegersTest, NoRows) {
  Check({.sizes = {0, 0}});
  Check({.weight = ACL_INT4,
         .scale = ACL_UINT64,
         .bias = ACL_FLOAT,
         .sizes = {0, 0},
         .k = 64,
         .factor_groups = 1,
         .listing = 1});
}

// How a group is multiplied depends on its size, not on the workspace or what else is in x.
TEST_F(GroupedIntegersTest, BitsOfAGroupAreItsOwn) {
  constexpr int64_t k = 256, n = 128, most = 2000;
  const Numbers values = Draw(ACL_FLOAT, most * k, 1), weights = Draw(ACL_FLOAT, 2 * k * n, 1);
  const auto run = [&](int64_t rows, int64_t group) {
    Tensors xs, ws, ys;
    xs.push_back(Made({rows, k}, ACL_FLOAT, {values.begin(), values.begin() + rows * k}));
    ws.push_back(Made({2, k, n}, ACL_FLOAT, weights));
    ys.push_back(Made({rows, n}, ACL_FLOAT, {}));
    Tensor list({.dims = {2}, .dtype = ACL_INT64});
    list.Write(std::vector<int64_t>{group, rows});
    const TensorList x(xs), w(ws), y(ys);
    const Arguments a = {
        .x = x.handle(), .weight = w.handle(), .list = list.handle(), .out = y.handle()};
    RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return grouped::V5(a, s, e); },
                aclnnGroupedMatmulV5);
    Numbers results = ReadAs(*ys[0]);
    results.resize(static_cast<size_t>(group * n));
    return results;
  };
  for (int64_t group : {1, 3, 5, 70, 97, 130, 161, 170, 191, 193, 255, 257, 300}) {
    EXPECT_EQ(run(group, group), run(most, group)) << group;
    EXPECT_EQ(run(group, group), run(group + 1, group)) << group;
  }
}

// The workspace is enough for whatever lies in the list.
TEST_F(GroupedIntegersTest, WeightsOfSeveralLayouts) {
  constexpr int64_t k = 7168, n = 512;
  const Numbers values = Draw(ACL_FLOAT16, 4 * k, 1), weight = Draw(ACL_FLOAT16, k * n, 1);
  for (int64_t rows : {1, 2, 4}) {
    Tensors xs, ys;
    xs.push_back(Made({rows, k}, ACL_FLOAT16, {values.begin(), values.begin() + rows * k}));
    ys.push_back(Made({rows, n}, ACL_FLOAT16, {}));
    const auto plain = Made({k, n}, ACL_FLOAT16, weight);
    Sizes storage;
    const auto panels = PanelsOf(*plain, {k, n}, &storage);
    const int64_t dims[] = {k, n}, strides[] = {n, 1};
    const aclTensor* handles[] = {
        aclCreateTensor(dims, 2, ACL_FLOAT16, strides, 0, ACL_FORMAT_ND, dims, 2, plain->data()),
        aclCreateTensor(dims, 2, ACL_FLOAT16, strides, 0, ACL_FORMAT_FRACTAL_NZ, storage.data(),
                        storage.size(), panels->data())};
    aclTensorList* const ws = aclCreateTensorList(handles, 2);
    Tensor list({.dims = {2}, .dtype = ACL_INT64});
    const TensorList x(xs), y(ys);
    Numbers results[2];
    for (int64_t first : {int64_t{0}, rows}) {
      list.Write(std::vector<int64_t>{first, rows});
      const Arguments a = {.x = x.handle(), .weight = ws, .list = list.handle(), .out = y.handle()};
      RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return grouped::V5(a, s, e); },
                  aclnnGroupedMatmulV5);
      results[first == 0] = ReadAs(*ys[0]);
    }
    EXPECT_EQ(results[0], results[1]) << rows;
    aclDestroyTensorList(ws);
  }
}

// The client's numbers may be anything.
TEST_F(GroupedIntegersTest, GroupsThatAreNone) {
  const auto run = [&](int64_t listing, const std::vector<int64_t>& numbers) {
    Tensors xs, ws, ys;
    xs.push_back(Made({4, 2}, ACL_FLOAT, {1, 0, 1, 0, 1, 0, 1, 0}));
    ws.push_back(Made({3, 2, 1}, ACL_FLOAT, {1, 0, 2, 0, 3, 0}));
    ys.push_back(Made({4, 1}, ACL_FLOAT, {9, 9, 9, 9}));
    Tensor list({.dims = listing == 2 ? Sizes{3, 2} : Sizes{3}, .dtype = ACL_INT64});
    list.Write(numbers);
    const TensorList x(xs), w(ws), y(ys);
    const Arguments a = {.x = x.handle(),
                         .weight = w.handle(),
                         .list = list.handle(),
                         .listing = listing,
                         .out = y.handle()};
    RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return grouped::V5(a, s, e); },
                aclnnGroupedMatmulV5);
    return ReadAs(*ys[0]);
  };
  EXPECT_EQ(run(1, {1, 0, 2}), (Numbers{1, 3, 3, 9}));
  EXPECT_EQ(run(1, {3, 3, 3}), (Numbers{1, 1, 1, 2}));
  EXPECT_EQ(run(1, {-5, INT64_MAX, 1}), (Numbers{2, 2, 2, 2}));
  EXPECT_EQ(run(2, {2, 1, 0, 2, 1, 0}), (Numbers{3, 1, 1, 9}));
  EXPECT_EQ(run(2, {7, 1, -1, 1, 1, 5}), (Numbers{9, 9, 2, 2}));
  EXPECT_EQ(run(2, {0, INT64_MIN, 1, INT64_MAX, 2, 4}), (Numbers{2, 2, 2, 2}));
}

}  // namespace
}  // namespace anyacl::test::grouped_integers
