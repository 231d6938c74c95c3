// SPDX-License-Identifier: Apache-2.0
// What products of groups refuse, and in which words.
#include <optional>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_grouped_matmul.h"
#include "aclnnop/aclnn_grouped_matmul_v2.h"
#include "aclnnop/aclnn_grouped_matmul_v3.h"
#include "ops/grouped_calls.h"
#include "support/device_test.h"
#include "support/tensor_list.h"

namespace anyacl::test {
namespace {

using grouped::Arguments;
using Sizes = std::vector<int64_t>;

class GroupedRefusalTest : public DeviceTest {};

// Known on the host, they are checked.
TEST_F(GroupedRefusalTest, EndsOnTheHost) {
  Tensors xs, ws, ys;
  xs.push_back(std::make_unique<Tensor>(Layout{.dims = {4, 2}}));
  ws.push_back(std::make_unique<Tensor>(Layout{.dims = {3, 2, 1}}));
  ys.push_back(std::make_unique<Tensor>(Layout{.dims = {4, 1}}));
  const TensorList x(xs), w(ws), y(ys);
  const auto refused = [&](const std::vector<int64_t>& numbers,
                           std::initializer_list<std::string_view> words,
                           int code = ACLNN_ERR_PARAM_INVALID) {
    aclIntArray* const ends = aclCreateIntArray(numbers.data(), numbers.size());
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnGroupedMatmulV2GetWorkspaceSize(x.handle(), w.handle(), nullptr, nullptr,
                                                      nullptr, nullptr, nullptr, ends, 3, 0,
                                                      y.handle(), s, e);
        },
        code, words);
    aclDestroyIntArray(ends);
  };
  refused({1, 0, 2}, {"groupListOptional[1] = 0", "1 to 4"});
  refused({-1, 0, 2}, {"groupListOptional[0] = -1", "0 to 4"});
  refused({1, 2, 5}, {"groupListOptional[2] = 5", "2 to 4"});
  refused({1, 2}, {"groupListOptional has 2 numbers", "3"});
  // Lists of x have these rows already.
  Tensors lists, weights, one, two;
  for (int64_t rows : {2, 3}) {
    lists.push_back(std::make_unique<Tensor>(Layout{.dims = {rows, 2}}));
    weights.push_back(std::make_unique<Tensor>(Layout{.dims = {2, 1}}));
    two.push_back(std::make_unique<Tensor>(Layout{.dims = {rows, 1}}));
  }
  one.push_back(std::make_unique<Tensor>(Layout{.dims = {5, 1}}));
  const TensorList xs_of_lists(lists), ws_of_lists(weights), y_of_one(one), ys_of_two(two);
  const auto first = [&](const std::vector<int64_t>& numbers, const TensorList& results,
                         int64_t split) -> Phase1 {
    return [&, numbers, split](uint64_t* s, aclOpExecutor** e) {
      aclIntArray* const ends = aclCreateIntArray(numbers.data(), numbers.size());
      const aclnnStatus status = aclnnGroupedMatmulGetWorkspaceSize(
          xs_of_lists.handle(), ws_of_lists.handle(), nullptr, nullptr, nullptr, nullptr, nullptr,
          ends, split, results.handle(), s, e);
      aclDestroyIntArray(ends);
      return status;
    };
  };
  RunTwoPhase(first({2, 5}, y_of_one, 2), aclnnGroupedMatmul);
  RunTwoPhase(first({2, 5}, ys_of_two, 0), aclnnGroupedMatmul);
  ExpectRefused(first({9, 1}, y_of_one, 2), ACLNN_ERR_PARAM_INVALID,
                {"groupListOptional[0] = 9", "x[0].shape = [2, 2]"});
  ExpectRefused(first({2, 4}, ys_of_two, 0), ACLNN_ERR_PARAM_INVALID,
                {"groupListOptional[1] = 4", "2 + the rows of x[1].shape = [3, 2]"});
  // One weight for all has one y.
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        const int64_t numbers[] = {1, 2, 4};
        aclIntArray* const ends = aclCreateIntArray(numbers, 3);
        const aclnnStatus status =
            aclnnGroupedMatmulV2GetWorkspaceSize(x.handle(), w.handle(), nullptr, nullptr, nullptr,
                                                 nullptr, nullptr, ends, 0, 0, y.handle(), s, e);
        aclDestroyIntArray(ends);
        return status;
      },
      ACLNN_ERR_PARAM_INVALID, {"splitItem = 0", "2 or 3"});
  refused({}, {"groupListOptional is null"}, ACLNN_ERR_PARAM_NULLPTR);
}

TEST_F(GroupedRefusalTest, Numbers) {
  struct Lists {
    std::vector<Layout> x = {{.dims = {5, 3}}}, weight = {{.dims = {2, 3, 4}}},
                        y = {{.dims = {5, 4}}};
    std::vector<Layout> bias = {}, quant = {}, quant_offset = {}, scale = {}, offset = {};
    std::optional<Sizes> bounds = Sizes{2};
    int64_t split = 2, type = 0;
  };
  const auto refused = [&](const Lists& lists, std::initializer_list<std::string_view> words,
                           int code = ACLNN_ERR_PARAM_INVALID) {
    const auto made = [](const std::vector<Layout>& layouts) {
      Tensors tensors;
      for (const Layout& layout : layouts) tensors.push_back(std::make_unique<Tensor>(layout));
      return tensors;
    };
    const TensorList x(made(lists.x)), weight(made(lists.weight)), y(made(lists.y)),
        bias(made(lists.bias)), quant(made(lists.quant)), quant_offset(made(lists.quant_offset)),
        scale(made(lists.scale)), offset(made(lists.offset));
    const Tensor bounds({.dims = lists.bounds.value_or(Sizes{1}), .dtype = ACL_INT64});
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnGroupedMatmulV3GetWorkspaceSize(
              x.handle(), weight.handle(), bias.handle(), quant.handle(), quant_offset.handle(),
              scale.handle(), offset.handle(), lists.bounds ? bounds.handle() : nullptr,
              lists.split, lists.type, y.handle(), s, e);
        },
        code, words);
  };
  const Layout half = {.dims = {5, 3}, .dtype = ACL_FLOAT16};
  const Layout int8 = {.dims = {5, 3}, .dtype = ACL_INT8},
               int8_weight = {.dims = {2, 3, 4}, .dtype = ACL_INT8},
               int8_y = {.dims = {5, 4}, .dtype = ACL_INT8},
               quant = {.dims = {2, 4}, .dtype = ACL_UINT64};
  refused({.x = {}}, {"x is an empty list"});
  refused({.bounds = {}}, {"groupListOptional is null"}, ACLNN_ERR_PARAM_NULLPTR);
  refused({.bounds = Sizes{3}}, {"groupListOptional.shape = [3]", "[2]"});
  refused({.bounds = Sizes{2, 2}}, {"groupListOptional.shape = [2, 2]"});
  refused({.split = 0}, {"splitItem = 0", "2 or 3"});
  refused({.split = 4}, {"splitItem is 4", "0 to 3"});
  refused({.type = 1}, {"groupType = 1", "columns are not offered"});
  refused({.type = 3}, {"groupType is 3", "-1 to 2"});
  refused({.split = 0, .type = -1}, {"weight[0].shape = [2, 3, 4]", "rank 3"});
  refused({.weight = {{.dims = {3, 4}}}, .split = 0, .type = -1},
          {"groupListOptional is given", "null"});
  refused({.weight = {{.dims = {3, 4}}}}, {"weight[0].shape = [3, 4]", "expected 3"});
  refused({.weight = {{.dims = {2, 4, 4}}}}, {"weight[0].shape = [2, 4, 4]", "3 rows"});
  refused({.y = {{.dims = {5, 5}}}}, {"y[0].shape = [5, 5]", "[5, 4]"});
  refused({.y = {{.dims = {5, 4}}, {.dims = {5, 4}}}}, {"y has 2 tensors", "1"});
  refused({.weight = {{.dims = {3, 4}}, {.dims = {3, 5}}}},
          {"weight[1].shape = [3, 5]", "4 columns"});
  refused({.x = {half, half, half}, .weight = {half, half}, .y = {half}},
          {"weight has 2 tensors", "expected 3"});
  refused({.x = {half}}, {"weight[0].dtype = FLOAT", "FLOAT16"});
  refused({.y = {{.dims = {5, 4}, .dtype = ACL_BF16}}}, {"y[0].dtype = BF16", "FLOAT"});
  refused({.bias = {{.dims = {2, 4}, .dtype = ACL_INT32}}},
          {"biasOptional[0].dtype = INT32, expected FLOAT beside"});
  refused({.x = {half},
           .weight = {{.dims = {2, 3, 4}, .dtype = ACL_FLOAT16}},
           .y = {{.dims = {5, 4}, .dtype = ACL_FLOAT16}},
           .bias = {{.dims = {2, 4}, .dtype = ACL_INT32}}},
          {"biasOptional[0].dtype = INT32, expected FLOAT or FLOAT16 beside"});
  refused({.bias = {{.dims = {4}}}}, {"biasOptional[0].shape = [4]", "[2, 4]"});
  refused({.quant = {quant}}, {"scaleOptional is given", "null"});
  refused({.x = {int8}, .weight = {int8_weight}, .y = {int8_y}}, {"scaleOptional is null"});
  refused({.x = {int8},
           .weight = {int8_weight},
           .y = {int8_y},
           .quant = {quant},
           .quant_offset = {{.dims = {2, 4}}}},
          {"offsetOptional is given"});
  refused({.x = {int8}, .weight = {int8_weight}, .y = {int8_y}, .quant = {quant}, .type = 2},
          {"groupType = 2", "x is INT8"});
  refused({.weight = {int8_weight}},
          {"weight[0].dtype = INT8", "expected FLOAT beside x of FLOAT"});
  refused({.x = {half}, .weight = {int8_weight}, .y = {{.dims = {5, 4}, .dtype = ACL_FLOAT16}}},
          {"antiquantScaleOptional is null"});
  refused({.weight = {{.dims = {3, 4}}},
           .y = {{.dims = {2, 5, 4}}},
           .bias = {{.dims = {2, 4}}},
           .type = 2},
          {"biasOptional is given", "groupType = 2"});
  refused({.weight = {{.dims = {2, 4}}, {.dims = {2, 4}}},
           .y = {{.dims = {5, 4}}, {.dims = {5, 4}}},
           .bounds = {},
           .split = 1,
           .type = 2},
          {"weight[1].shape = [2, 4]", "at most 1"});
}

TEST_F(GroupedRefusalTest, Integers) {
  struct Lists {
    std::vector<Layout> x = {{.dims = {5, 64}, .dtype = ACL_INT8}},
                        weight = {{.dims = {2, 64, 4}, .dtype = ACL_INT8}},
                        y = {{.dims = {5, 4}, .dtype = ACL_BF16}};
    std::vector<Layout> bias = {}, scale = {{.dims = {2, 4}}}, offset = {}, antiquant = {},
                        row_scale = {}, reserved = {};
    Sizes list = {2};
    int64_t listing = 0, activation = 0, group = 0;
    Sizes tuning = {};
  };
  const auto refused = [&](const Lists& lists, std::initializer_list<std::string_view> words) {
    const auto made = [](const std::vector<Layout>& layouts) {
      Tensors tensors;
      for (const Layout& layout : layouts) tensors.push_back(std::make_unique<Tensor>(layout));
      return tensors;
    };
    const TensorList x(made(lists.x)), weight(made(lists.weight)), y(made(lists.y)),
        bias(made(lists.bias)), scale(made(lists.scale)), offset(made(lists.offset)),
        antiquant(made(lists.antiquant)), row_scale(made(lists.row_scale)),
        reserved(made(lists.reserved));
    const Tensor list({.dims = lists.list, .dtype = ACL_INT64});
    aclIntArray* const tuning = aclCreateIntArray(lists.tuning.data(), lists.tuning.size());
    const Arguments a = {.x = x.handle(),
                         .weight = weight.handle(),
                         .bias = bias.handle(),
                         .scale = scale.handle(),
                         .offset = offset.handle(),
                         .antiquant_scale = antiquant.handle(),
                         .row_scale = row_scale.handle(),
                         .list = list.handle(),
                         .listing = lists.listing,
                         .activation = lists.activation,
                         .out = y.handle(),
                         .tuning = tuning,
                         .group = lists.group,
                         .reserved = reserved.handle()};
    ExpectRefused([&](uint64_t* s, aclOpExecutor** e) { return grouped::Nz(a, s, e); },
                  ACLNN_ERR_PARAM_INVALID, words);
    aclDestroyIntArray(tuning);
  };
  const Layout int4 = {.dims = {2, 64, 4}, .dtype = ACL_INT4},
               int4_x = {.dims = {5, 64}, .dtype = ACL_INT4},
               coded = {.dims = {2, 4}, .dtype = ACL_UINT64},
               coded_groups = {.dims = {2, 2, 4}, .dtype = ACL_UINT64}, half = {.dims = {2, 4}},
               rows = {.dims = {5}};
  refused({.scale = {}}, {"scaleOptional is null", "FLOAT", "out of BF16"});
  refused({.y = {{.dims = {5, 4}, .dtype = ACL_FLOAT}}}, {"out[0].dtype = FLOAT", "INT32"});
  refused({.y = {{.dims = {5, 4}, .dtype = ACL_INT32}}}, {"scaleOptional is given", "null"});
  refused({.y = {{.dims = {5, 4}, .dtype = ACL_INT8}}},
          {"scaleOptional[0].dtype = FLOAT", "INT64"});
  refused({.scale = {coded}, .row_scale = {rows}}, {"perTokenScaleOptional is given"});
  refused({.row_scale = {{.dims = {4}}}}, {"perTokenScaleOptional[0].shape = [4]", "[5]"});
  refused({.row_scale = {rows, rows}}, {"perTokenScaleOptional has 2 tensors", "1"});
  refused({.bias = {{.dims = {2, 4}, .dtype = ACL_FLOAT16}}}, {"biasOptional[0].dtype = FLOAT16"});
  refused({.scale = {{.dims = {2, 5}}}}, {"scaleOptional[0].shape = [2, 5]", "[2, 4]"});
  refused({.offset = {half}}, {"offsetOptional is given", "null"});
  refused({.antiquant = {{.dims = {2, 4}, .dtype = ACL_BF16}}},
          {"antiquantScaleOptional is given"});
  refused({.reserved = {half}}, {"activationInputOptional is given", "reserved"});
  refused({.list = {2, 2}}, {"groupListOptional.shape = [2, 2]", "[2]"});
  refused({.listing = 2}, {"groupListOptional.shape = [2]", "[2, 2]"});
  refused({.listing = 3}, {"groupListType is 3", "0 to 2"});
  refused({.activation = 3}, {"actType = 3", "0, 1, 2, 4 or 5"});
  refused({.activation = 6}, {"actType is 6", "0 to 5"});
  refused({.tuning = {6}}, {"tuningConfigOptional[0] = 6", "0 to 5"});
  refused({.tuning = {-1}}, {"tuningConfigOptional[0] = -1"});
  refused({.tuning = {1, 1}}, {"tuningConfigOptional[1] = 1", "INT4"});
  refused({.x = {int4_x}}, {"weight[0].dtype = INT8", "INT4"});
  refused({.weight = {int4}, .scale = {coded_groups}}, {"biasOptional is null", "FLOAT"});
  refused({.weight = {int4}, .bias = {half}, .scale = {coded_groups}},
          {"perTokenScaleOptional is null"});
  refused({.weight = {int4},
           .bias = {half},
           .scale = {{.dims = {2, 4, 4}, .dtype = ACL_UINT64}},
           .row_scale = {rows}},
          {"scaleOptional[0].shape = [2, 4, 4]", "multiple of 32", "K = 64"});
  const Layout many = {
      .dims = {2, int64_t{1} << 40, 4}, .dtype = ACL_UINT64, .strides = {4, 0, 1}, .storage = {8}};
  refused({.weight = {int4}, .bias = {half}, .scale = {many}, .row_scale = {rows}},
          {"scaleOptional[0].shape", "multiple of 32"});
  refused(
      {.weight = {int4}, .bias = {half}, .scale = {coded_groups}, .row_scale = {rows}, .group = 64},
      {"quantGroupSize = 64", "32"});
  refused({.weight = {int4},
           .y = {{.dims = {5, 4}, .dtype = ACL_FLOAT16}},
           .bias = {half},
           .scale = {coded_groups},
           .offset = {{.dims = {2, 1, 4}}},
           .row_scale = {rows}},
          {"scaleOptional[0].shape = [2, 2, 4]", "one group of k"});
  refused({.weight = {int4},
           .bias = {half},
           .scale = {coded_groups},
           .offset = {{.dims = {2, 1, 4}}},
           .row_scale = {rows}},
          {"out[0].dtype = BF16", "FLOAT16"});
  refused({.x = {{.dims = {5, 64}, .dtype = ACL_BF16}},
           .weight = {{.dims = {2, 64, 4}, .dtype = ACL_BF16}},
           .scale = {},
           .activation = 1},
          {"actType = 1", "expected 0 beside x of BF16"});
}

}  // namespace
}  // namespace anyacl::test
