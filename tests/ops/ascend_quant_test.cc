// SPDX-License-Identifier: Apache-2.0
// aclnnAscendQuant and V3 against their formula in fp32, whose steps the documents give.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_ascend_quant.h"
#include "aclnnop/aclnn_ascend_quant_v3.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

using Shape = std::vector<int64_t>;

class AscendQuantTest : public DeviceTest {
 protected:
  struct Call {
    aclDataType x, y;
    Layout layout;  // of x
    Shape scale;
    int32_t axis = -1;
    bool offset = false, twice = false;
    const char* mode = "round";
    bool older = false;  // aclnnAscendQuant
  };

  static double Rounded(std::string_view mode, float value) {
    return mode == "round"   ? std::nearbyint(value)
           : mode == "ceil"  ? std::ceil(value)
           : mode == "floor" ? std::floor(value)
                             : std::trunc(value);
  }

  void Check(Call c) {
    SCOPED_TRACE(::testing::Message() << c.x << " to " << c.y << " axis " << c.axis << " offset "
                                      << c.offset << " twice " << c.twice << " " << c.mode);
    c.layout.dtype = c.x;
    Tensor x(c.layout), scale({.dims = c.scale, .dtype = c.x}),
        offset({.dims = c.scale, .dtype = c.x});
    Shape dims = c.layout.dims;
    if (c.y == ACL_INT32) dims.back() /= 8;
    const Tensor y({.dims = dims, .dtype = c.y});
    std::vector<double> values, scales, offsets;
    for (int64_t i = 0; i < x.count(); ++i) {
      values.push_back(AsHeld(c.x, random().Uniform(-3, 3)));
      if (i % 5 == 0) values.back() = std::round(values.back()) + 0.5;  // ties
    }
    values[0] = 1000;
    values[1] = -INFINITY;
    for (int64_t i = 0; i < scale.count(); ++i) {
      scales.push_back(std::ldexp(1, static_cast<int>(random().Int(-1, 4))));
      offsets.push_back(AsHeld(c.x, random().Uniform(-4, 4)));
    }
    WriteAs(x, values);
    WriteAs(scale, scales);
    WriteAs(offset, offsets);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          const aclTensor* const given = c.offset ? offset.handle() : nullptr;
          return c.older ? aclnnAscendQuantGetWorkspaceSize(x.handle(), scale.handle(), given,
                                                            c.twice, c.mode, c.y, y.handle(), s, e)
                         : aclnnAscendQuantV3GetWorkspaceSize(x.handle(), scale.handle(), given,
                                                              c.twice, c.mode, c.y, c.axis,
                                                              y.handle(), s, e);
        },
        c.older ? aclnnAscendQuant : aclnnAscendQuantV3);
    std::vector<double> results;
    if (c.y == ACL_INT32) {
      for (uint32_t packed : y.Read<uint32_t>()) {
        for (int i = 0; i < 8; ++i) {
          results.push_back(static_cast<int32_t>(packed << (28 - 4 * i)) >> 28);
        }
      }
    } else {
      for (int8_t number : y.Read<int8_t>()) results.push_back(number);
    }
    ASSERT_EQ(results.size(), values.size());
    const double least = c.y == ACL_INT8 ? -128 : -8, most = -1 - least;
    const int64_t columns = c.layout.dims.back();
    for (size_t i = 0; i < values.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      const int64_t place =
          c.axis == -1 ? at % columns : at / columns % c.layout.dims[c.layout.dims.size() - 2];
      const auto k = static_cast<size_t>(scales.size() == 1 ? 0 : place);
      const auto factor = static_cast<float>(scales[k]);
      float v = static_cast<float>(values[i]) * factor;
      if (c.twice) v *= factor;
      if (c.offset) v += static_cast<float>(offsets[k]);
      ASSERT_EQ(results[i], std::fmin(std::fmax(Rounded(c.mode, v), least), most)) << i;
    }
    EXPECT_TRUE(y.GuardsIntact());
  }
};

TEST_F(AscendQuantTest, EveryTypeAndRounding) {
  for (aclDataType x : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (aclDataType y : {ACL_INT8, ACL_INT4, ACL_INT32}) {
      for (const char* mode : {"round", "ceil", "floor", "trunc"}) {
        for (bool offset : {false, true}) {
          Check({.x = x,
                 .y = y,
                 .layout = {.dims = {3, 5, 24}},
                 .scale = {24},
                 .offset = offset,
                 .twice = !offset,
                 .mode = mode});
          Check({.x = x,
                 .y = y,
                 .layout = {.dims = {3, 5, 24}},
                 .scale = {24},
                 .offset = offset,
                 .mode = mode,
                 .older = true});
        }
      }
      Check({.x = x, .y = y, .layout = {.dims = {3, 5, 8}}, .scale = {1}, .offset = true});
      Check({.x = x, .y = y, .layout = {.dims = {3, 5, 8}}, .scale = {1, 1, 8}});
      Check({.x = x,
             .y = y,
             .layout = {.dims = {3, 5, 8}},
             .scale = {5},
             .axis = -2,
             .offset = true});
      Check({.x = x, .y = y, .layout = {.dims = {3, 5, 8}}, .scale = {1, 5, 1}, .axis = -2});
      Check({.x = x, .y = y, .layout = {.dims = {16}}, .scale = {16}, .offset = true});
      Check({.x = x, .y = y, .layout = {.dims = {4, 16}, .strides = {1, 5}}, .scale = {16}});
      // More than a tile in a row.
      Check({.x = x, .y = y, .layout = {.dims = {7, 4104}}, .scale = {4104}, .offset = true});
    }
  }
}

TEST_F(AscendQuantTest, WhatDoesNotFitIsRefused) {
  const Tensor x({.dims = {2, 3, 8}}), scale({.dims = {8}}),
      half({.dims = {8}, .dtype = ACL_FLOAT16}), six({.dims = {6}}), odd({.dims = {2, 7}}),
      y({.dims = {2, 3, 8}, .dtype = ACL_INT8}), odd_y({.dims = {2, 7}, .dtype = ACL_INT4}),
      packed({.dims = {2, 3, 8}, .dtype = ACL_INT32}), one({.dims = {1}}),
      bf16({.dims = {2, 3, 8}, .dtype = ACL_BF16});
  const auto refuse = [&](const Tensor& from, const Tensor& factor, const char* mode, int32_t type,
                          int32_t axis, const Tensor& to,
                          std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAscendQuantV3GetWorkspaceSize(from.handle(), factor.handle(), nullptr, false,
                                                    mode, type, axis, to.handle(), s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  refuse(x, scale, "hybrid", ACL_INT8, -1, y, {"roundMode = \"hybrid\"", "floor"});
  refuse(x, scale, nullptr, ACL_INT8, -1, y, {"roundMode is null"});
  refuse(x, scale, "round", ACL_INT32, -1, y, {"dstType = 3", "y.dtype = INT8"});
  refuse(x, half, "round", ACL_INT8, -1, y, {"scale.dtype = FLOAT16", "FLOAT"});
  refuse(bf16, half, "round", ACL_INT8, -1, y, {"scale.dtype = FLOAT16", "BF16"});
  refuse(x, six, "round", ACL_INT8, -1, y, {"scale.shape = [6]", "[8]"});
  refuse(x, scale, "round", ACL_INT8, -2, y, {"scale.shape = [8]", "[3]"});
  refuse(x, scale, "round", ACL_INT8, 0, y, {"axis = 0", "last two"});
  refuse(x, scale, "round", ACL_INT8, 3, y, {"axis = 3"});
  refuse(odd, one, "round", ACL_INT4, -1, odd_y, {"x.shape = [2, 7]", "multiple of 2"});
  refuse(odd, one, "round", ACL_INT32, -1, packed, {"x.shape = [2, 7]", "multiple of 8"});
  refuse(x, scale, "round", ACL_INT32, -1, packed, {"y.shape = [2, 3, 8]", "[2, 3, 1]"});
}

}  // namespace
}  // namespace anyacl::test
