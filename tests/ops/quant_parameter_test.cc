// SPDX-License-Identifier: Apache-2.0
// TransQuantParam, V2 and V3: scales and offsets in 64 bits, bit by bit.
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_trans_quant_param.h"
#include "aclnnop/aclnn_trans_quant_param_v2.h"
#include "aclnnop/aclnn_trans_quant_param_v3.h"
#include "support/device_test.h"

namespace anyacl::test {
namespace {

using Shape = std::vector<int64_t>;

class QuantParameterTest : public DeviceTest {};

// out = scale & 0xFFFFE000 | 1 << 46, and the rounded offset in bits 37 to 45.
TEST_F(QuantParameterTest, ParametersOfInt8Results) {
  const auto check = [&](const Shape& scale_dims, const Shape& offset_dims, const Shape& out_dims) {
    Tensor scale({.dims = scale_dims}),
        offset({.dims = offset_dims.empty() ? Shape{1} : offset_dims});
    const Tensor out({.dims = out_dims, .dtype = ACL_UINT64, .strides = {}});
    std::vector<float> scales, offsets;
    for (int64_t i = 0; i < scale.count(); ++i) {
      scales.push_back(static_cast<float>(random().Uniform(-1, 1)));
    }
    const std::vector<float> special = {300, -300, 2.5f, -3.5f, 0.4f, 255, -256};
    for (int64_t i = 0; i < offset.count(); ++i) {
      offsets.push_back(special[static_cast<size_t>(i) % special.size()]);
    }
    scale.Write(scales);
    offset.Write(offsets);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnTransQuantParamV2GetWorkspaceSize(
              scale.handle(), offset_dims.empty() ? nullptr : offset.handle(), out.handle(), s, e);
        },
        aclnnTransQuantParamV2);
    const auto results = out.Read<uint64_t>();
    for (size_t i = 0; i < results.size(); ++i) {
      uint32_t bits = 0;
      std::memcpy(&bits, &scales[scales.size() == 1 ? 0 : i], sizeof(bits));
      uint64_t expected = (bits & 0xFFFFE000) | uint64_t{1} << 46;
      if (!offset_dims.empty()) {
        const double rounded = std::nearbyint(offsets[offsets.size() == 1 ? 0 : i]);
        const auto held = static_cast<int64_t>(std::fmax(std::fmin(rounded, 255), -256));
        expected = (expected & 0x4000FFFFFFFF) | (static_cast<uint64_t>(held) & 0x1FF) << 37;
      }
      ASSERT_EQ(results[i], expected) << i;
    }
  };
  check({9}, {}, {9});
  check({3, 5}, {}, {3, 5});
  check({9}, {9}, {9});
  check({1}, {9}, {9});
  check({9}, {1}, {9});
  check({1, 9}, {9}, {1, 9});
  check({1, 9}, {1, 9}, {1, 9});
  const auto refused = [&](const Shape& scale_dims, const Shape& offset_dims, const Shape& out_dims,
                           std::initializer_list<std::string_view> words) {
    const Tensor scale({.dims = scale_dims}), offset({.dims = offset_dims}),
        out({.dims = out_dims, .dtype = ACL_INT64});
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnTransQuantParamV2GetWorkspaceSize(scale.handle(), offset.handle(),
                                                        out.handle(), s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  refused({9}, {9}, {1, 9}, {"out.shape = [1, 9]", "[9]"});
  refused({9}, {4}, {9}, {"offset.shape = [4]"});
  refused({1, 1}, {9}, {1, 1}, {"offset.shape = [9]"});
  refused({2, 9}, {9}, {2, 9}, {"scale.shape = [2, 9]"});
  refused({1, 1, 9}, {9}, {9}, {"scale.shape = [1, 1, 9]"});
  refused({0}, {1}, {1}, {"scale.shape = [0]"});
}

// The 13 bits that go, at every distance from the tie, from sums of powers of two; and carries.
TEST_F(QuantParameterTest, ScalesAreRoundedToNineteenBits) {
  constexpr double kUnit = 1.0 / 1024;  // of numbers from 1 to 2
  struct Case {
    double scale, expected;
  };
  const Case cases[] = {{1 + kUnit / 2, 1},
                        {1 + kUnit / 2 + kUnit / 4096, 1 + kUnit},
                        {1 + kUnit / 2 - kUnit / 4096, 1},
                        {1 + 3 * kUnit / 2, 1 + 2 * kUnit},
                        {-(1 + 3 * kUnit / 2), -(1 + 2 * kUnit)},
                        {2 - kUnit / 2, 2},
                        {1 + kUnit, 1 + kUnit},
                        {0, 0},
                        {3.4028234e38, INFINITY}};
  for (int64_t mode : {0, 1}) {
    for (const Case& c : cases) {
      Tensor scale({.dims = {1}});
      const Tensor out({.dims = {1}, .dtype = ACL_UINT64});
      const auto held = static_cast<float>(c.scale), rounded = static_cast<float>(c.expected);
      scale.Write(std::vector<float>{held});
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnTransQuantParamV3GetWorkspaceSize(scale.handle(), nullptr, mode,
                                                          out.handle(), s, e);
          },
          aclnnTransQuantParamV3);
      uint32_t bits = 0;
      std::memcpy(&bits, mode == 1 ? &rounded : &held, sizeof(bits));
      EXPECT_EQ(out.Read<uint64_t>()[0], (bits & 0xFFFFE000) | uint64_t{1} << 46)
          << c.scale << " mode " << mode;
    }
  }
  const Tensor one({.dims = {1}}), out({.dims = {1}, .dtype = ACL_INT64});
  for (int64_t mode : {-1, 2}) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnTransQuantParamV3GetWorkspaceSize(one.handle(), nullptr, mode, out.handle(),
                                                        s, e);
        },
        ACLNN_ERR_PARAM_INVALID, {"roundMode", std::to_string(mode)});
  }
}

TEST_F(QuantParameterTest, ParametersInHostMemory) {
  const auto make = [](const std::vector<float>& scales, const std::vector<float>& offsets) {
    uint64_t *array = nullptr, size = 0;
    const int code = aclnnTransQuantParam(scales.data(), scales.size(),
                                          offsets.empty() ? nullptr : offsets.data(),
                                          offsets.size(), &array, &size);
    EXPECT_EQ(code, ACL_SUCCESS);
    const std::vector<uint64_t> made(array, array + size);
    std::free(array);
    return made;
  };
  const auto bits_of = [](float scale, int64_t offset) {
    uint32_t bits = 0;
    std::memcpy(&bits, &scale, sizeof(bits));
    return bits | uint64_t{1} << 46 | (static_cast<uint64_t>(offset) & 0x1FF) << 37;
  };
  EXPECT_EQ(make({1.1f}, {}), std::vector<uint64_t>{bits_of(1.1f, 0)});
  EXPECT_EQ(make({-3.3f}, {300}), std::vector<uint64_t>{bits_of(-3.3f, 255)});
  std::vector<uint64_t> expected = {bits_of(1.1f, 3), bits_of(2.2f, -4), bits_of(0.1f, -256),
                                    uint64_t{7} << 37};
  expected.resize(16);
  EXPECT_EQ(make({1.1f, 2.2f, 0.1f}, {2.5f, -3.5f, -1000, 7}), expected);
  EXPECT_EQ(make(std::vector<float>(17, 1), {}).size(), 32u);
  const float number = 1;
  uint64_t *array = nullptr, size = 0;
  const auto refused = [&](const float* scales, uint64_t scale_size, const float* offsets,
                           uint64_t offset_size, uint64_t** to, int code, const char* word) {
    EXPECT_EQ(aclnnTransQuantParam(scales, scale_size, offsets, offset_size, to, &size), code);
    EXPECT_NE(std::string(aclGetRecentErrMsg()).find(word), std::string::npos) << word;
  };
  refused(nullptr, 1, nullptr, 0, &array, ACLNN_ERR_PARAM_INVALID, "scaleArray is null");
  refused(&number, 0, nullptr, 0, &array, ACLNN_ERR_PARAM_INVALID, "scaleSize = 0");
  refused(&number, 1, nullptr, 1, &array, ACLNN_ERR_PARAM_INVALID, "offsetSize = 1");
  refused(&number, 1, &number, 0, &array, ACLNN_ERR_PARAM_INVALID, "offsetSize = 0");
  refused(&number, 1, nullptr, 0, nullptr, ACLNN_ERR_PARAM_NULLPTR, "quantParam");
}

}  // namespace
}  // namespace anyacl::test
