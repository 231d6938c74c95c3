// SPDX-License-Identifier: Apache-2.0
// Products that are added to something: aclnnGroupedMatmulAdd, aclnnQuantMatmulReduceSumWeightNz
// and aclnnAddLora, against sums in double precision, and what they refuse.
#include <cmath>
#include <optional>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_add_lora.h"
#include "aclnnop/aclnn_grouped_matmul_add.h"
#include "aclnnop/aclnn_grouped_matmul_add_v2.h"
#include "aclnnop/aclnn_quant_matmul_reduce_sum.h"
#include "ops/grouped_integers_case.h"

namespace anyacl::test::fused_products {
namespace {

using namespace grouped;

double At(const Numbers& numbers, int64_t i) { return numbers[static_cast<size_t>(i)]; }

class FusedProductsTest : public GroupedIntegersTest {
 protected:
  static std::unique_ptr<Tensor> Of(const Layout& layout, const Numbers& values) {
    auto tensor = std::make_unique<Tensor>(layout);
    WriteAs(*tensor, values);
    return tensor;
  }
};

// Groups of K end where the list says; what leaves K is cut off.
TEST_F(FusedProductsTest, GroupedMatmulAdd) {
  constexpr int64_t k = 40, m = 19, n = 37;
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (const Sizes& ends : {Sizes{40}, Sizes{7, 7, 33, 40}, Sizes{0, 12, 30}, Sizes{30, 99}}) {
      for (bool flat : {false, true}) {
        for (bool strided : {false, true}) {
          const auto groups = static_cast<int64_t>(ends.size());
          const Numbers x = Draw(type, k * m, 1), weight = Draw(type, k * n, 1);
          const Numbers y = Draw(ACL_FLOAT, groups * m * n, 4);
          const Layout x_layout = {
              .dims = {k, m}, .dtype = type, .strides = strided ? Sizes{1, k + 1} : Sizes{}};
          const Layout weight_layout = {
              .dims = {k, n}, .dtype = type, .strides = strided ? Sizes{2 * n + 1, 2} : Sizes{}};
          Layout y_layout = {.dims = flat ? Sizes{groups * m, n} : Sizes{groups, m, n}};
          if (strided) {
            y_layout.strides = flat ? Sizes{n + 3, 1} : Sizes{m * (n + 3) + 5, n + 3, 1};
          }
          const auto left = Of(x_layout, x), right = Of(weight_layout, weight);
          const auto result = Of(y_layout, y);
          Tensor list({.dims = {groups}, .dtype = ACL_INT64});
          list.Write(ends);
          RunTwoPhase(
              [&](uint64_t* s, aclOpExecutor** e) {
                return aclnnGroupedMatmulAddGetWorkspaceSize(left->handle(), right->handle(),
                                                             list.handle(), result->handle(), true,
                                                             false, 2, s, e);
              },
              aclnnGroupedMatmulAdd);
          const Numbers results = ReadAs(*result);
          int64_t begin = 0;
          for (int64_t g = 0; g < groups; ++g) {
            const int64_t end = std::min(k, ends[static_cast<size_t>(g)]);
            for (int64_t i = 0; i < m * n; ++i) {
              const int64_t at = g * m * n + i;
              double sum = At(y, at), size = std::fabs(sum);
              for (int64_t j = begin; j < end; ++j) {
                const double product = At(x, j * m + i / n) * At(weight, j * n + i % n);
                sum += product;
                size += std::fabs(product);
              }
              ASSERT_NEAR(At(results, at), sum, (k + 4) * 0x1p-24 * size) << "group " << g;
            }
            begin = end;
          }
          EXPECT_TRUE(result->GuardsIntact());
        }
      }
    }
  }
}

// The second version also takes the groups' sizes.
TEST_F(FusedProductsTest, GroupedMatmulAddV2) {
  constexpr int64_t k = 40, m = 5, n = 7;
  const Numbers x = Draw(ACL_BF16, k * m, 1), weight = Draw(ACL_BF16, k * n, 1);
  const auto left = Of({.dims = {k, m}, .dtype = ACL_BF16}, x);
  const auto right = Of({.dims = {k, n}, .dtype = ACL_BF16}, weight);
  const Sizes ends = {7, 7, 33, 38}, sizes = {7, 0, 26, 5};
  const Numbers y = Draw(ACL_FLOAT, 4 * m * n, 4);
  const auto first = Of({.dims = {4, m, n}}, y);
  Tensor list({.dims = {4}, .dtype = ACL_INT64});
  list.Write(ends);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnGroupedMatmulAddGetWorkspaceSize(left->handle(), right->handle(), list.handle(),
                                                     first->handle(), true, false, 2, s, e);
      },
      aclnnGroupedMatmulAdd);
  EXPECT_NE(ReadAs(*first), y);
  for (int64_t type : {0, 1}) {
    const auto second = Of({.dims = {4, m, n}}, y);
    list.Write(type == 0 ? ends : sizes);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnGroupedMatmulAddV2GetWorkspaceSize(left->handle(), right->handle(),
                                                         list.handle(), second->handle(), true,
                                                         false, 2, type, s, e);
        },
        aclnnGroupedMatmulAddV2);
    EXPECT_EQ(ReadAs(*second), ReadAs(*first)) << "groupListType " << type;
  }
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnGroupedMatmulAddV2GetWorkspaceSize(left->handle(), right->handle(),
                                                       list.handle(), first->handle(), true, false,
                                                       2, 2, s, e);
      },
      ACLNN_ERR_INNER_TILING_ERROR, {"groupListType is 2"});
}

TEST_F(FusedProductsTest, GroupedMatmulAddRefuses) {
  struct Arguments {
    Layout x = {.dims = {6, 2}, .dtype = ACL_BF16}, weight = {.dims = {6, 3}, .dtype = ACL_BF16},
           list = {.dims = {4}, .dtype = ACL_INT64}, y = {.dims = {4, 2, 3}};
    bool turn_x = true, turn_weight = false;
    int64_t type = 2;
  };
  const auto refused = [](const Arguments& a, int code,
                          std::initializer_list<std::string_view> words) {
    const Tensor x(a.x), weight(a.weight), list(a.list), y(a.y);
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnGroupedMatmulAddGetWorkspaceSize(x.handle(), weight.handle(), list.handle(),
                                                       y.handle(), a.turn_x, a.turn_weight, a.type,
                                                       s, e);
        },
        code, words);
  };
  constexpr int kShape = ACLNN_ERR_INNER_TILING_ERROR, kInvalid = ACLNN_ERR_PARAM_INVALID;
  refused({.weight = {.dims = {6, 3}, .dtype = ACL_FLOAT16}}, kInvalid, {"weight.dtype"});
  refused({.weight = {.dims = {5, 3}, .dtype = ACL_BF16}}, kShape, {"weight.shape[0] = 5"});
  refused({.y = {.dims = {3, 2, 3}}}, kShape, {"yRef.shape[0] = 3"});
  refused({.y = {.dims = {6, 3}}}, kShape, {"yRef.shape = [6, 3]", "[4 * 2, 3] or [4, 2, 3]"});
  refused({.y = {.dims = {9, 3}}}, kShape, {"yRef.shape = [9, 3]"});
  refused({.turn_x = false}, kInvalid, {"transposeX = false", "true"});
  refused({.turn_weight = true}, kInvalid, {"transposeWeight = true", "false"});
  refused({.type = 0}, kShape, {"groupType is 0"});
  refused({.x = {.dims = {0, 2}, .dtype = ACL_BF16}, .weight = {.dims = {0, 3}, .dtype = ACL_BF16}},
          kShape, {"x.shape = [0, 2]", "some elements"});
  refused({.list = {.dims = {0}, .dtype = ACL_INT64}, .y = {.dims = {0, 3}}}, kShape,
          {"groupList.shape = [0]", "some elements"});
}

TEST_F(FusedProductsTest, QuantMatmulReduceSum) {
  constexpr int64_t m = 5, k = 70, n = 75;
  for (int64_t batch : {1, 2, 5}) {
    for (Order order : {Order::kPlain, Order::kPanels, Order::kTransposed}) {
      for (bool strided : {false, true}) {
        Case c = {.sizes = Sizes(static_cast<size_t>(batch), 1), .k = k, .n = n, .order = order};
        const Numbers x = Draw(ACL_INT8, batch * m * k, 1), w = Draw(ACL_INT8, batch * k * n, 1);
        const Numbers rows = DrawFactors(ACL_FLOAT, batch * m, 2);
        const Numbers columns = DrawFactors(ACL_BF16, n, 0.01);
        const auto left = Made({batch, m, k}, ACL_INT8, x);
        Weights weights;
        MakeWeights(c, w, &weights);
        const auto row_scale =
            Of({.dims = {batch, m}, .strides = strided ? Sizes{1, batch} : Sizes{}}, rows);
        const auto scale =
            Of({.dims = {n}, .dtype = ACL_BF16, .strides = strided ? Sizes{3} : Sizes{}}, columns);
        const Tensor out(
            {.dims = {m, n}, .dtype = ACL_BF16, .strides = strided ? Sizes{1, m + 2} : Sizes{}});
        const int64_t dim = strided ? 140724207597376 : 0;  // as op-plugin calls it
        aclIntArray* const dims = aclCreateIntArray(&dim, 1);
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return aclnnQuantMatmulReduceSumWeightNzGetWorkspaceSize(
                  left->handle(), weights.handles[0], row_scale->handle(), scale->handle(), nullptr,
                  nullptr, nullptr, nullptr, nullptr, false, false, strided ? -1 : 0, dims, false,
                  out.handle(), s, e);
            },
            aclnnQuantMatmulReduceSumWeightNz);
        aclDestroyIntArray(dims);
        const Numbers results = ReadAs(out);
        for (int64_t i = 0; i < m * n; ++i) {
          double sum = 0, size = 0;
          for (int64_t b = 0; b < batch; ++b) {
            double product = 0;
            for (int64_t j = 0; j < k; ++j) {
              product += At(x, (b * m + i / n) * k + j) * At(w, (b * k + j) * n + i % n);
            }
            product *= At(rows, b * m + i / n) * At(columns, i % n);
            sum += product;
            size += std::fabs(product);
          }
          const double bound =
              static_cast<double>(batch + 3) * 0x1p-24 * size + 1.01 * HalfUnitOf(ACL_BF16, sum);
          ASSERT_NEAR(At(results, i), sum, bound) << i;
        }
        EXPECT_TRUE(out.GuardsIntact());
      }
    }
  }
}

// Sums are rounded once: 256 + 1 + 1 is 258 in BF16, and 256 + 1 is 256.
TEST_F(FusedProductsTest, QuantMatmulReduceSumRoundsOnce) {
  const auto x = Made({3, 1, 1}, ACL_INT8, {64, 1, 1}), w = Made({3, 1, 1}, ACL_INT8, {4, 1, 1});
  const auto rows = Made({3, 1}, ACL_FLOAT, {1, 1, 1}), columns = Made({1}, ACL_BF16, {1});
  const auto out = Made({1, 1}, ACL_BF16, {});
  const int64_t zero = 0;
  aclIntArray* const dims = aclCreateIntArray(&zero, 1);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnQuantMatmulReduceSumWeightNzGetWorkspaceSize(
            x->handle(), w->handle(), rows->handle(), columns->handle(), nullptr, nullptr, nullptr,
            nullptr, nullptr, false, false, 0, dims, false, out->handle(), s, e);
      },
      aclnnQuantMatmulReduceSumWeightNz);
  aclDestroyIntArray(dims);
  EXPECT_EQ(ReadAs(*out), Numbers{258});
}

TEST_F(FusedProductsTest, QuantMatmulReduceSumRefuses) {
  struct Arguments {
    Layout x = {.dims = {2, 3, 4}, .dtype = ACL_INT8},
           weight = {.dims = {2, 4, 5}, .dtype = ACL_INT8}, rows = {.dims = {2, 3}},
           columns = {.dims = {5}, .dtype = ACL_BF16}, out = {.dims = {3, 5}, .dtype = ACL_BF16};
    int reserved = -1;
    bool turn_x = false, turn_weight = false, keep = false;
    int64_t group = 0;
    Sizes dims = {0};
  };
  const auto refused = [](const Arguments& a, std::initializer_list<std::string_view> words) {
    const Tensor x(a.x), weight(a.weight), rows(a.rows), columns(a.columns), out(a.out),
        more({.dims = {1}});
    const auto reserved = [&](int i) { return a.reserved == i ? more.handle() : nullptr; };
    aclIntArray* const dims = aclCreateIntArray(a.dims.data(), a.dims.size());
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnQuantMatmulReduceSumWeightNzGetWorkspaceSize(
              x.handle(), weight.handle(), rows.handle(), columns.handle(), reserved(0),
              reserved(1), reserved(2), reserved(3), reserved(4), a.turn_x, a.turn_weight, a.group,
              dims, a.keep, out.handle(), s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
    aclDestroyIntArray(dims);
  };
  const char* const names[] = {"yScale", "x1Offset", "x2Offset", "yOffset", "bias"};
  for (int i = 0; i < 5; ++i) refused({.reserved = i}, {names[i], "is given", "reserved"});
  refused({.turn_x = true}, {"transposeX1 = true", "false"});
  refused({.turn_weight = true}, {"transposeX2 = true", "false"});
  refused({.keep = true}, {"keepDims = true", "false"});
  refused({.group = 32}, {"groupSize is 32"});
  refused({.dims = {0, 1}}, {"dims has 2 numbers", "[0]"});
  refused({.dims = {}}, {"dims has 0 numbers", "[0]"});
  for (int64_t dim : {-1, 1, 2}) {
    refused({.dims = {dim}}, {"dims[0] = " + std::to_string(dim), "expected 0"});
  }
  refused({.rows = {.dims = {3, 2}}}, {"x1Scale.shape"});
  refused({.columns = {.dims = {1}, .dtype = ACL_BF16}}, {"x2Scale.shape"});
  refused({.x = {.dims = {2, 0, 4}, .dtype = ACL_INT8},
           .rows = {.dims = {2, 0}},
           .out = {.dims = {0, 5}, .dtype = ACL_BF16}},
          {"x1.shape = [2, 0, 4]", "some elements"});
}

struct Lora {
  int64_t rows = 9, depth = 48, columns = 64, slice = 32, rank = 16, adapters = 3, layers = 2;
  int64_t layer = 1, offset = 16;
  double scale = 0.5;
  bool first = true, in_place = false, strided = false;
};

class AddLoraTest : public FusedProductsTest {
 protected:
  // Each step is rounded to FLOAT16.
  void Check(const Lora& l) {
    const int64_t depth = l.first ? l.depth : l.rank;
    const Numbers y = Draw(ACL_FLOAT16, l.rows * l.columns, 2);
    const Numbers x = Draw(ACL_FLOAT16, l.rows * depth, 1);
    const Numbers a = Draw(ACL_FLOAT16, l.adapters * l.layers * l.rank * depth, 1);
    const Numbers b = Draw(ACL_FLOAT16, l.adapters * l.layers * l.slice * l.rank, 1);
    std::vector<int32_t> names;
    for (int64_t i = 0; i < l.rows; ++i) {
      names.push_back(static_cast<int32_t>(i < 2 ? (i == 0 ? -1 : l.adapters)
                                                 : random().Int(0, l.adapters - 1)));
    }
    const auto layout = [&](const Sizes& dims) {
      Layout made = {.dims = dims, .dtype = ACL_FLOAT16};
      if (l.strided) made.strides = {1, dims[0] + 1};
      return made;
    };
    const auto sum = Of(layout({l.rows, l.columns}), y), left = Of(layout({l.rows, depth}), x);
    const auto first = Made({l.adapters, l.layers, l.rank, depth}, ACL_FLOAT16, a);
    const auto second = Made({l.adapters, l.layers, l.slice, l.rank}, ACL_FLOAT16, b);
    Tensor indices({.dims = {l.rows}, .dtype = ACL_INT32});
    indices.Write(names);
    const Tensor apart(layout({l.rows, l.columns}));
    const Tensor& out = l.in_place ? *sum : apart;
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAddLoraGetWorkspaceSize(sum->handle(), left->handle(), second->handle(),
                                              indices.handle(), l.first ? first->handle() : nullptr,
                                              l.layer, l.scale, l.offset, l.slice, out.handle(), s,
                                              e);
        },
        aclnnAddLora);
    const Numbers results = ReadAs(out);
    for (int64_t i = 0; i < l.rows; ++i) {
      const int64_t name = names[static_cast<size_t>(i)];
      const bool none = name < 0 || name == l.adapters;
      Numbers z1, bounds;
      for (int64_t r = 0; r < l.rank && !none; ++r) {
        double value = 0, size = 0;
        for (int64_t j = 0; j < depth; ++j) {
          const double product =
              l.first ? At(x, i * depth + j) *
                            At(a, ((name * l.layers + l.layer) * l.rank + r) * depth + j)
                      : (j == r ? At(x, i * depth + j) : 0);
          value += product;
          size += std::fabs(product);
        }
        z1.push_back(value);
        bounds.push_back(l.first ? static_cast<double>(depth) * 0x1p-24 * size +
                                       1.01 * HalfUnitOf(ACL_FLOAT16, value)
                                 : 0);
      }
      for (int64_t n = 0; n < l.columns; ++n) {
        const double before = At(y, i * l.columns + n);
        const double result = At(results, i * l.columns + n);
        if (none || n < l.offset || n >= l.offset + l.slice) {
          ASSERT_EQ(result, before) << i << ", " << n;
          continue;
        }
        double z2 = 0, bound = 0;
        for (int64_t r = 0; r < l.rank; ++r) {
          const double w =
              At(b, ((name * l.layers + l.layer) * l.slice + n - l.offset) * l.rank + r);
          z2 += At(z1, r) * w;
          bound += At(bounds, r) * std::fabs(w) + l.rank * 0x1p-24 * std::fabs(At(z1, r) * w);
        }
        bound += 1.01 * HalfUnitOf(ACL_FLOAT16, z2);
        bound = bound * std::fabs(l.scale) + 1.01 * HalfUnitOf(ACL_FLOAT16, z2 * l.scale);
        const double expected = before + z2 * l.scale;
        ASSERT_NEAR(result, expected, bound + 1.01 * HalfUnitOf(ACL_FLOAT16, expected))
            << i << ", " << n;
      }
    }
    // y holds what out does.
    EXPECT_EQ(ReadAs(*sum), results);
    EXPECT_TRUE(out.GuardsIntact());
    EXPECT_TRUE(sum->GuardsIntact());
  }
};

TEST_F(AddLoraTest, Values) {
  for (bool first : {true, false}) {
    for (bool in_place : {true, false}) {
      for (bool strided : {true, false}) {
        Check({.first = first, .in_place = in_place, .strided = strided});
      }
    }
  }
  Check(
      {.rows = 1, .columns = 16, .slice = 16, .adapters = 1, .layers = 1, .layer = 0, .offset = 0});
  Check({.rows = 300,
         .depth = 160,
         .columns = 2400,
         .slice = 2320,
         .layer = 0,
         .offset = 80,
         .scale = -3});
}

// 1 + 1 / 2048 is 1 before it is multiplied; 3 + 3 / 1024 is 3 + 4 / 1024 before it is added.
TEST_F(AddLoraTest, RoundsEachStep) {
  const auto run = [&](double before, double small) {
    const auto y = Made({1, 1}, ACL_FLOAT16, {before}), x = Made({1, 1}, ACL_FLOAT16, {1});
    const auto a = Made({1, 1, 2, 1}, ACL_FLOAT16, {1, 1});
    const auto b = Made({1, 1, 1, 2}, ACL_FLOAT16, {1, small});
    Tensor indices({.dims = {1}, .dtype = ACL_INT32});
    indices.Write(std::vector<int32_t>{0});
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAddLoraGetWorkspaceSize(y->handle(), x->handle(), b->handle(),
                                              indices.handle(), a->handle(), 0, 3.0, 0, 1,
                                              y->handle(), s, e);
        },
        aclnnAddLora);
    return ReadAs(*y)[0];
  };
  EXPECT_EQ(run(0, 0x1p-11), 3);
  EXPECT_EQ(run(-3, 0x1p-10), 0x1p-8);
}

// What stands between both products may have more places than any tensor of the call: without data,
// since the first phase looks at none.
TEST_F(AddLoraTest, TooMuchBetweenTheProductsIsRefused) {
  constexpr int64_t kMany = int64_t{1} << 25;
  std::vector<aclTensor*> made;
  const auto of = [&made](const Sizes& dims, aclDataType dtype) {
    made.push_back(aclCreateTensor(dims.data(), dims.size(), dtype, nullptr, 0, ACL_FORMAT_ND,
                                   dims.data(), dims.size(), nullptr));
    return made.back();
  };
  aclTensor *const y = of({kMany, 1}, ACL_FLOAT16), *const x = of({kMany, 1}, ACL_FLOAT16);
  aclTensor *const a = of({1, 1, kMany, 1}, ACL_FLOAT16), *const b =
                                                              of({1, 1, 1, kMany}, ACL_FLOAT16);
  aclTensor* const indices = of({kMany}, ACL_INT32);
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnAddLoraGetWorkspaceSize(y, x, b, indices, a, 0, 1.0, 0, 1, y, s, e);
      },
      ACLNN_ERR_INNER_TILING_ERROR, {"x.shape[0] = 33554432", "weightB.shape[3] = 33554432"});
  for (aclTensor* tensor : made) aclDestroyTensor(tensor);
}

TEST_F(AddLoraTest, Refuses) {
  struct Arguments {
    Layout y = {.dims = {3, 8}, .dtype = ACL_FLOAT16}, x = {.dims = {3, 4}, .dtype = ACL_FLOAT16},
           b = {.dims = {2, 3, 5, 2}, .dtype = ACL_FLOAT16},
           indices = {.dims = {3}, .dtype = ACL_INT32};
    std::optional<Layout> a = Layout{.dims = {2, 3, 2, 4}, .dtype = ACL_FLOAT16};
    int64_t layer = 0, offset = 0, slice = 5;
  };
  const auto refused = [](const Arguments& a, std::initializer_list<std::string_view> words) {
    const Tensor y(a.y), x(a.x), b(a.b), indices(a.indices), out(a.y);
    const Tensor first(a.a.value_or(Layout{.dims = {1}}));
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAddLoraGetWorkspaceSize(y.handle(), x.handle(), b.handle(), indices.handle(),
                                              a.a ? first.handle() : nullptr, a.layer, 1.0,
                                              a.offset, a.slice, out.handle(), s, e);
        },
        ACLNN_ERR_INNER_TILING_ERROR, words);
  };
  refused({.a = {}}, {"x.shape[1] = 4", "expected 2"});
  refused({.layer = 3}, {"layerIdx = 3", "0 to 2"});
  refused({.layer = -1}, {"layerIdx is -1"});
  refused({.slice = 8}, {"ySliceSize = 8", "weightB.shape[2] = 5"});
  refused({.offset = 4}, {"yOffset = 4", "0 to 3"});
  refused({.y = {.dims = {3, 4}, .dtype = ACL_FLOAT16}},
          {"weightB.shape[2] = 5", "y.shape[1] = 4"});
  refused({.a = Layout{.dims = {2, 3, 3, 4}, .dtype = ACL_FLOAT16}},
          {"weightAOptional.shape[2] = 3"});
  refused({.y = {.dims = {0, 8}, .dtype = ACL_FLOAT16},
           .x = {.dims = {0, 4}, .dtype = ACL_FLOAT16},
           .indices = {.dims = {0}, .dtype = ACL_INT32}},
          {"y.shape = [0, 8]", "some elements"});
}

// Adapters that are none end the task before anything is written.
TEST_F(AddLoraTest, AdaptersThatAreNone) {
  for (int32_t name : {-2, 3}) {
    const auto y = Made({2, 1}, ACL_FLOAT16, {5, 6}), x = Made({2, 1}, ACL_FLOAT16, {1, 1});
    const auto b = Made({2, 1, 1, 1}, ACL_FLOAT16, {1, 1});
    Tensor indices({.dims = {2}, .dtype = ACL_INT32});
    indices.Write(std::vector<int32_t>{0, name});
    const Prepared prepared = Prepare([&](uint64_t* s, aclOpExecutor** e) {
      return aclnnAddLoraGetWorkspaceSize(y->handle(), x->handle(), b->handle(), indices.handle(),
                                          nullptr, 0, 1.0, 0, 1, y->handle(), s, e);
    });
    ASSERT_OK(prepared.code);
    DeviceBuffer workspace(prepared.workspace_size);
    ASSERT_OK(aclnnAddLora(workspace.data(), prepared.workspace_size, prepared.executor, stream()));
    EXPECT_EQ(aclrtSynchronizeStream(stream()), ACL_ERROR_RT_AICORE_EXCEPTION);
    EXPECT_NE(TakeMessages().find("indices[1] = " + std::to_string(name) + ", expected -1 to 2"),
              std::string::npos);
    EXPECT_EQ(ReadAs(*y), (Numbers{5, 6}));
  }
}

}  // namespace
}  // namespace anyacl::test::fused_products
