// SPDX-License-Identifier: Apache-2.0
// aclnnGroupedMatmulFinalizeRouting and its versions: rows of products of groups added up by token,
// against sums in double precision, and what they refuse.
#include <optional>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_grouped_matmul_finalize_routing.h"
#include "aclnnop/aclnn_grouped_matmul_finalize_routing_v2.h"
#include "aclnnop/aclnn_grouped_matmul_finalize_routing_v3.h"
#include "aclnnop/aclnn_grouped_matmul_finalize_routing_weight_nz.h"
#include "aclnnop/aclnn_grouped_matmul_finalize_routing_weight_nz_v2.h"
#include "ops/grouped_integers_case.h"

namespace anyacl::test::routed_products {
namespace {

using namespace grouped;

enum class Version { kFirst, kV2, kV3, kNz, kNzV2 };
constexpr Version kVersions[] = {Version::kFirst, Version::kV2, Version::kV3, Version::kNz,
                                 Version::kNzV2};
bool TakesInt4(Version version) { return version != Version::kNz; }
bool TakesInt8(Version version) { return version >= Version::kNz; }
bool TakesOffset(Version version) { return version != Version::kFirst && version != Version::kNz; }

struct Call {
  const aclTensor *x = nullptr, *weight = nullptr, *scale = nullptr, *bias = nullptr,
                  *offset = nullptr, *antiquant_scale = nullptr, *antiquant_offset = nullptr,
                  *row_scale = nullptr, *list = nullptr, *shared = nullptr, *logit = nullptr,
                  *row_index = nullptr;
  int64_t type = 0;
  float shared_weight = 1;
  int64_t shared_offset = 0;
  bool turn_x = false, turn_weight = false;
  int64_t listing = 1;
  const aclIntArray* tuning = nullptr;
  aclTensor* out = nullptr;
};

// What a version lacks is left out.
aclnnStatus First(Version version, const Call& c, uint64_t* s, aclOpExecutor** e) {
  auto* const weight = const_cast<aclTensor*>(c.weight);
  switch (version) {
    case Version::kFirst:
      return aclnnGroupedMatmulFinalizeRoutingGetWorkspaceSize(
          c.x, weight, c.scale, c.bias, c.row_scale, c.list, c.shared, c.logit, c.row_index, c.type,
          c.shared_weight, c.shared_offset, c.turn_x, c.turn_weight, c.listing, c.out, s, e);
    case Version::kV2:
      return aclnnGroupedMatmulFinalizeRoutingV2GetWorkspaceSize(
          c.x, weight, c.scale, c.bias, c.offset, c.antiquant_scale, c.antiquant_offset,
          c.row_scale, c.list, c.shared, c.logit, c.row_index, c.type, c.shared_weight,
          c.shared_offset, c.turn_x, c.turn_weight, c.listing, c.out, s, e);
    case Version::kV3:
      return aclnnGroupedMatmulFinalizeRoutingV3GetWorkspaceSize(
          c.x, weight, c.scale, c.bias, c.offset, c.antiquant_scale, c.antiquant_offset,
          c.row_scale, c.list, c.shared, c.logit, c.row_index, c.type, c.shared_weight,
          c.shared_offset, c.turn_x, c.turn_weight, c.listing, c.tuning, c.out, s, e);
    case Version::kNz:
      return aclnnGroupedMatmulFinalizeRoutingWeightNzGetWorkspaceSize(
          c.x, weight, c.scale, c.bias, c.row_scale, c.list, c.shared, c.logit, c.row_index, c.type,
          c.shared_weight, c.shared_offset, c.turn_x, c.turn_weight, c.listing, c.out, s, e);
    default:
      return aclnnGroupedMatmulFinalizeRoutingWeightNzV2GetWorkspaceSize(
          c.x, weight, c.scale, c.bias, c.offset, c.antiquant_scale, c.antiquant_offset,
          c.row_scale, c.list, c.shared, c.logit, c.row_index, c.type, c.shared_weight,
          c.shared_offset, c.turn_x, c.turn_weight, c.listing, c.tuning, c.out, s, e);
  }
}
Phase2 Second(Version version) {
  switch (version) {
    case Version::kFirst:
      return aclnnGroupedMatmulFinalizeRouting;
    case Version::kV2:
      return aclnnGroupedMatmulFinalizeRoutingV2;
    case Version::kV3:
      return aclnnGroupedMatmulFinalizeRoutingV3;
    case Version::kNz:
      return aclnnGroupedMatmulFinalizeRoutingWeightNz;
    default:
      return aclnnGroupedMatmulFinalizeRoutingWeightNzV2;
  }
}

struct Routed {
  Case products;
  int64_t results = 6;
  bool shared = true;
  bool weighted = true;  // by logits
  int64_t shared_rows = 2, shared_offset = 1;
  float shared_weight = 0.5F;
  aclDataType index = ACL_INT64;
  bool wide_scale = false;  // [E, 1, N] beside INT8
  bool strided = false;     // out
};

class RoutedProductsTest : public GroupedIntegersTest {
 protected:
  void CheckAll(const Routed& r) {
    for (Version version : kVersions) {
      const bool int4 = r.products.weight == ACL_INT4;
      if (!(int4 ? TakesInt4(version) : TakesInt8(version))) continue;
      if (r.products.offset && !TakesOffset(version)) continue;
      if (r.index == ACL_INT32 && version < Version::kNz) continue;
      if ((r.wide_scale || r.products.scale == ACL_BF16) && version != Version::kNzV2) continue;
      SCOPED_TRACE(static_cast<int>(version));
      CheckOne(version, r);
    }
  }

  void CheckOne(Version version, const Routed& r) {
    const Case& c = r.products;
    const auto groups = static_cast<int64_t>(c.sizes.size());
    int64_t used = 0;
    for (int64_t size : c.sizes) used += size;
    const int64_t rows = used + c.rest;
    const bool int4 = c.weight == ACL_INT4;
    Problem p;
    p.x = Draw(ACL_INT8, rows * c.k, 1);
    p.weight = Draw(c.weight, groups * c.k * c.n, 1);
    p.scale = DrawFactors(c.scale, groups * c.n, int4 ? 0.02 : 0.001);
    if (int4) p.bias = Draw(ACL_FLOAT, groups * c.n, 2);
    if (c.offset) p.offset = Draw(ACL_FLOAT, groups * c.n, 0.05);
    if (c.row_scale) p.row_scale = DrawFactors(ACL_FLOAT, rows, 2);
    const Numbers shared = Draw(ACL_BF16, r.shared_rows * c.n, 3);
    const Numbers logit = Draw(ACL_FLOAT, rows, 1);
    std::vector<int64_t> index;
    for (int64_t row = 0; row < rows; ++row) {  // rows of no group are looked at by nobody
      index.push_back(row < used ? random().Int(0, r.results - 1) : -7);
    }

    const auto x = Made({rows, c.k}, ACL_INT8, p.x);
    Weights weights;
    MakeWeights(c, p.weight, &weights);
    const auto scale =
        Made(int4 || r.wide_scale ? Sizes{groups, 1, c.n} : Sizes{groups, c.n}, c.scale, p.scale);
    const auto bias = Made({groups, c.n}, ACL_FLOAT, p.bias);
    const auto offset = Made({groups, 1, c.n}, ACL_FLOAT, p.offset);
    const auto row_scale = Made({rows}, ACL_FLOAT, p.row_scale);
    std::vector<int64_t> numbers;
    int64_t end = 0;
    for (int64_t size : c.sizes) {
      end += size;
      numbers.push_back(c.listing == 0 ? end : size);
    }
    Tensor list({.dims = {groups}, .dtype = ACL_INT64});
    list.Write(numbers);
    const auto shared_input = Made({r.shared_rows, c.n}, ACL_BF16, shared);
    const auto logits = Made({rows}, ACL_FLOAT, logit);
    Tensor row_index({.dims = {rows}, .dtype = r.index});
    WriteAs(row_index, Numbers(index.begin(), index.end()));
    Layout layout = {.dims = {r.results, c.n}};
    if (r.strided) layout.strides = {2 * c.n + 3, 2};
    const Tensor out(layout);
    const int64_t hint[] = {std::min<int64_t>(8, rows)};
    aclIntArray* const tuning = aclCreateIntArray(hint, 1);
    const Call call = {.x = x->handle(),
                       .weight = weights.handles[0],
                       .scale = scale->handle(),
                       .bias = int4 ? bias->handle() : nullptr,
                       .offset = c.offset ? offset->handle() : nullptr,
                       .row_scale = c.row_scale ? row_scale->handle() : nullptr,
                       .list = list.handle(),
                       .shared = r.shared ? shared_input->handle() : nullptr,
                       .logit = r.weighted ? logits->handle() : nullptr,
                       .row_index = row_index.handle(),
                       .shared_weight = r.shared_weight,
                       .shared_offset = r.shared_offset,
                       .listing = c.listing,
                       .tuning = tuning,
                       .out = out.handle()};
    RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return First(version, call, s, e); },
                Second(version));
    aclDestroyIntArray(tuning);

    // The document: rows of products, times their logits, at their places, and the shared expert's.
    Numbers expected(static_cast<size_t>(r.results * c.n)), sizes = expected;
    int64_t row = 0;
    for (int64_t group = 0; group < groups; ++group) {
      const int64_t size = c.sizes[static_cast<size_t>(group)];
      const std::vector<Exact> exact = ExactOf(c, p, group, row, size);
      for (int64_t m = 0; m < size; ++m, ++row) {
        const auto place = static_cast<size_t>(row);
        const double factor = r.weighted ? logit[place] : 1;
        for (int64_t n = 0; n < c.n; ++n) {
          const Exact& e = exact[static_cast<size_t>(m * c.n + n)];
          const auto at = static_cast<size_t>(index[place] * c.n + n);
          expected[at] += factor * e.value;
          sizes[at] += std::fabs(factor) * e.size;
        }
      }
    }
    for (size_t i = 0; r.shared && i < shared.size(); ++i) {
      const size_t at = static_cast<size_t>(r.shared_offset * c.n) + i;
      expected[at] += static_cast<double>(r.shared_weight) * shared[i];
      sizes[at] += std::fabs(static_cast<double>(r.shared_weight) * shared[i]);
    }
    const Numbers results = ReadAs(out);
    for (size_t i = 0; i < expected.size(); ++i) {
      const double bound = static_cast<double>(c.k + rows + 8) * 0x1p-24 * sizes[i];
      ASSERT_NEAR(results[i], expected[i], bound) << i;
    }
    EXPECT_TRUE(out.GuardsIntact());
  }
};

Case Int4() {
  return {.weight = ACL_INT4,
          .scale = ACL_INT64,
          .bias = ACL_FLOAT,
          .k = 64,
          .n = 40,
          .factor_groups = 1,
          .listing = 1};
}

TEST_F(RoutedProductsTest, Int8) {
  for (bool shared : {true, false}) {
    for (int64_t listing : {0, 1}) {
      for (bool row_scale : {true, false}) {
        Routed r = {.products = {.row_scale = row_scale, .listing = listing, .rest = listing},
                    .shared = shared,
                    .weighted = shared || row_scale};
        CheckAll(r);
        r.index = ACL_INT32;
        r.strided = true;
        CheckAll(r);
        r.products.scale = ACL_BF16;
        CheckAll(r);
        r.wide_scale = true;
        CheckAll(r);
      }
    }
  }
}

TEST_F(RoutedProductsTest, Int4) {
  for (bool shared : {true, false}) {
    for (int64_t listing : {0, 1}) {
      for (bool offset : {true, false}) {
        Routed r = {.products = Int4(), .shared = shared, .weighted = shared || offset};
        r.products.offset = offset;
        r.products.listing = listing;
        r.products.rest = listing;
        CheckAll(r);
      }
    }
  }
}

TEST_F(RoutedProductsTest, LayoutsOfWeights) {
  for (Order order :
       {Order::kPlain, Order::kTransposed, Order::kPanels, Order::kTransposedPanels}) {
    Routed r = {.products = {.sizes = {2, 40, 0, 17}, .k = 96, .n = 70, .order = order}};
    CheckAll(r);
    r.products = Int4();
    r.products.order = order;
    CheckAll(r);
    if (order != Order::kPanels) continue;
    for (int64_t storage : {8, 32}) {
      r.products.int32_storage = storage;
      CheckAll(r);
    }
  }
}

// More rows than wait at a time, and more columns than a task has.
TEST_F(RoutedProductsTest, ManyRows) {
  CheckOne(Version::kNzV2, {.products = {.sizes = {300, 2, 0, 5}, .k = 8, .n = 17000},
                            .results = 40,
                            .shared_rows = 40,
                            .shared_offset = 0});
}

// A group list without rows leaves the shared expert's.
TEST_F(RoutedProductsTest, NoRowsOfGroups) {
  for (int64_t listing : {0, 1}) {
    CheckAll({.products = {.sizes = {0, 0}, .listing = listing, .rest = 3}});
  }
}

struct Arguments {
  Layout x = {.dims = {3, 4}, .dtype = ACL_INT8}, weight = {.dims = {2, 4, 2}, .dtype = ACL_INT8},
         scale = {.dims = {2, 2}}, list = {.dims = {2}, .dtype = ACL_INT64},
         index = {.dims = {3}, .dtype = ACL_INT64}, out = {.dims = {5, 2}};
  std::optional<Layout> bias = {}, offset = {}, antiquant_scale = {}, antiquant_offset = {},
                        row_scale = Layout{.dims = {3}},
                        shared = Layout{.dims = {2, 2}, .dtype = ACL_BF16},
                        logit = Layout{.dims = {3}};
  Call numbers = {};
};

class MadeCall {
 public:
  explicit MadeCall(const Arguments& a) : call_(a.numbers) {
    call_.x = Make(a.x);
    call_.weight = Make(a.weight);
    call_.scale = Make(a.scale);
    call_.bias = Make(a.bias);
    call_.offset = Make(a.offset);
    call_.antiquant_scale = Make(a.antiquant_scale);
    call_.antiquant_offset = Make(a.antiquant_offset);
    call_.row_scale = Make(a.row_scale);
    call_.list = Make(a.list);
    call_.shared = Make(a.shared);
    call_.logit = Make(a.logit);
    call_.row_index = Make(a.index);
    call_.out = Make(a.out);
  }
  const Call& call() const { return call_; }
  // By the order in which they were made.
  Tensor& operator[](size_t i) { return *made_[i]; }

 private:
  aclTensor* Make(const std::optional<Layout>& layout) {
    if (!layout) return nullptr;
    made_.push_back(std::make_unique<Tensor>(*layout));
    return made_.back()->handle();
  }

  Call call_;
  Tensors made_;
};

void Refuses(Version version, const Arguments& a, std::initializer_list<std::string_view> words,
             int code = ACLNN_ERR_PARAM_INVALID) {
  const MadeCall tensors(a);
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) { return First(version, tensors.call(), s, e); }, code,
      words);
}

TEST_F(RoutedProductsTest, Refusals) {
  const auto refused = [](const Arguments& a, std::initializer_list<std::string_view> words,
                          int code = ACLNN_ERR_PARAM_INVALID) {
    Refuses(Version::kNzV2, a, words, code);
  };
  const Layout int4 = {.dims = {2, 4, 2}, .dtype = ACL_INT4}, matrix = {.dims = {2, 2}},
               wide = {.dims = {2, 1, 2}}, coded = {.dims = {2, 1, 2}, .dtype = ACL_INT64};
  // Types that go together.
  refused({.scale = {.dims = {2, 2}, .dtype = ACL_INT64}},
          {"scale.dtype = INT64", "FLOAT or BF16 beside x2 of INT8"});
  refused({.bias = matrix}, {"bias is given", "null beside weights of INT8"});
  refused({.offset = wide}, {"offsetOptional is given", "null beside weights of INT8"});
  refused({.weight = int4, .scale = wide, .bias = matrix},
          {"scale.dtype = FLOAT", "INT64 beside x2 of INT4"});
  refused({.weight = int4, .scale = coded}, {"bias is null", "INT4"}, ACLNN_ERR_PARAM_NULLPTR);
  refused({.weight = int4, .scale = coded, .bias = matrix, .row_scale = {}},
          {"pertokenScaleOptional is null", "INT4"}, ACLNN_ERR_PARAM_NULLPTR);
  refused({.weight = int4, .scale = {.dims = {2, 2}, .dtype = ACL_INT64}, .bias = matrix},
          {"scale.shape = [2, 2]", "[2, 1, 2]"});
  refused({.antiquant_scale = matrix}, {"antiquantScaleOptional is given", "reserved"},
          ACLNN_ERR_PARAM_NULLPTR);
  refused({.antiquant_offset = matrix}, {"antiquantOffsetOptional is given", "reserved"},
          ACLNN_ERR_PARAM_NULLPTR);
  // The shared expert's rows.
  refused({.logit = {}}, {"logit is null", "sharedInput is given"}, ACLNN_ERR_PARAM_NULLPTR);
  refused({.numbers = {.shared_offset = 4}}, {"sharedInputOffset = 4", "0 to 3"});
  refused({.numbers = {.shared_offset = -1}}, {"sharedInputOffset is -1"});
  refused({.shared = Layout{.dims = {6, 2}, .dtype = ACL_BF16}},
          {"sharedInput has 6 rows", "out has 5"});
  // Numbers.
  refused({.numbers = {.type = 1}}, {"dtype is 1"});
  refused({.numbers = {.turn_x = true}}, {"transposeX1 = true", "false"});
  refused({.numbers = {.turn_weight = true}}, {"transposeX2 = true", "false"});
  refused({.numbers = {.listing = 2}}, {"groupListType is 2"});
  for (int64_t number : {-5, 4}) {
    aclIntArray* const tuning = aclCreateIntArray(&number, 1);
    refused({.numbers = {.tuning = tuning}},
            {"tuningConfigOptional[0] = " + std::to_string(number), "0 to 3"});
    aclDestroyIntArray(tuning);
  }
  // Without elements.
  refused({.x = {.dims = {0, 4}, .dtype = ACL_INT8},
           .index = {.dims = {0}, .dtype = ACL_INT64},
           .row_scale = Layout{.dims = {0}},
           .logit = Layout{.dims = {0}}},
          {"x1.shape = [0, 4]", "some elements"});
  refused({.shared = Layout{.dims = {0, 2}, .dtype = ACL_BF16}},
          {"sharedInput.shape = [0, 2]", "some elements"});
  refused({.out = {.dims = {0, 2}}}, {"out.shape = [0, 2]", "some elements"});
  refused({.weight = {.dims = {2, 4, 3}, .dtype = ACL_INT4},
           .scale = {.dims = {2, 1, 3}, .dtype = ACL_INT64},
           .out = {.dims = {5, 3}},
           .bias = Layout{.dims = {2, 3}},
           .shared = Layout{.dims = {2, 3}, .dtype = ACL_BF16}},
          {"x2 has 3 INT4", "even"});
  // Versions without a type.
  Refuses(Version::kV3, {.bias = matrix}, {"x2.dtype = INT8"});
  Refuses(Version::kFirst, {.bias = matrix}, {"w.dtype = INT8"});
  Refuses(Version::kNz, {.weight = int4}, {"x2.dtype = INT4"});
  Refuses(
      Version::kV3,
      {.weight = int4, .scale = coded, .index = {.dims = {3}, .dtype = ACL_INT32}, .bias = matrix},
      {"rowIndexOptional.dtype = INT32"});
}

// Beside INT8 the first version's bias has no effect.
TEST_F(RoutedProductsTest, ReservedBias) {
  MadeCall tensors({.bias = Layout{.dims = {7}}});
  tensors[0].Write(std::vector<int8_t>(12, 1));
  tensors[1].Write(std::vector<int8_t>(16, 1));
  tensors[2].Write(std::vector<float>(4, 1));
  tensors[4].Write(std::vector<float>(3, 1));
  tensors[5].Write(std::vector<int64_t>{1, 2});
  tensors[6].Write(std::vector<uint16_t>(4, 0));
  tensors[7].Write(std::vector<float>(3, 1));
  tensors[8].Write(std::vector<int64_t>{4, 4, 0});
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) { return First(Version::kNz, tensors.call(), s, e); },
      Second(Version::kNz));
  EXPECT_EQ(tensors[9].Read<float>(), (std::vector<float>{4, 4, 0, 0, 0, 0, 0, 0, 8, 8}));
}

// Rows are added in their order, in fp32: 2^25 + 1 is 2^25.
TEST_F(RoutedProductsTest, OrderOfRows) {
  MadeCall tensors({.x = {.dims = {3, 1}, .dtype = ACL_INT8},
                    .weight = {.dims = {2, 1, 1}, .dtype = ACL_INT8},
                    .scale = {.dims = {2, 1}},
                    .out = {.dims = {5, 1}},
                    .row_scale = {},
                    .shared = Layout{.dims = {2, 1}, .dtype = ACL_BF16}});
  tensors[0].Write(std::vector<int8_t>(3, 1));
  tensors[1].Write(std::vector<int8_t>(2, 1));
  tensors[2].Write(std::vector<float>(2, 1));
  tensors[3].Write(std::vector<int64_t>{3, 0});
  tensors[4].Write(std::vector<uint16_t>(2, 0));
  const auto run = [&](const std::vector<float>& logits) {
    tensors[5].Write(logits);
    tensors[6].Write(std::vector<int64_t>{3, 3, 3});
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) { return First(Version::kNz, tensors.call(), s, e); },
        Second(Version::kNz));
    return tensors[7].Read<float>()[3];
  };
  EXPECT_EQ(run({0x1p25F, 1, -0x1p25F}), 0);
  EXPECT_EQ(run({0x1p25F, -0x1p25F, 1}), 1);
}

// Places that are none end the task before anything is written.
TEST_F(RoutedProductsTest, PlacesThatAreNone) {
  for (int64_t place : {int64_t{-1}, int64_t{5}, int64_t{1} << 40}) {
    MadeCall tensors({.row_scale = {}});
    tensors[0].Write(std::vector<int8_t>(12, 1));
    tensors[1].Write(std::vector<int8_t>(16, 1));
    tensors[2].Write(std::vector<float>(4, 1));
    tensors[3].Write(std::vector<int64_t>{1, 2});
    tensors[4].Write(std::vector<uint16_t>(4, 0));
    tensors[5].Write(std::vector<float>(3, 1));
    tensors[6].Write(std::vector<int64_t>{0, place, 2});
    const Prepared prepared = Prepare(
        [&](uint64_t* s, aclOpExecutor** e) { return First(Version::kNz, tensors.call(), s, e); });
    ASSERT_OK(prepared.code);
    DeviceBuffer workspace(prepared.workspace_size);
    ASSERT_OK(aclnnGroupedMatmulFinalizeRoutingWeightNz(workspace.data(), prepared.workspace_size,
                                                        prepared.executor, stream()));
    EXPECT_EQ(aclrtSynchronizeStream(stream()), ACL_ERROR_RT_AICORE_EXCEPTION);
    EXPECT_NE(TakeMessages().find("rowIndex[1] = " + std::to_string(place) + ", expected 0 to 4"),
              std::string::npos);
    for (uint8_t byte : tensors[7].ElementBytes()) ASSERT_EQ(byte, Tensor::kCanary);
  }
}

}  // namespace
}  // namespace anyacl::test::routed_products
