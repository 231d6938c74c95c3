// SPDX-License-Identifier: Apache-2.0
// aclnnRmsNormQuantV3 against the formula of its document in double precision.
#include <algorithm>
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_rms_norm_quant_v3.h"
#include "ops/moe_case.h"

namespace anyacl::test::rms_norm_quant {
namespace {

using namespace moe;

struct Quantising {
  Shape leading = {5};
  int64_t n = 24;
  aclDataType type = ACL_FLOAT16, scale_type = ACL_FLOAT16, offset_type = ACL_INT8, to = ACL_INT8;
  bool by_column = true, beta = true, offset = true, divides = true, rstd = true;
  bool flat = true, strided = false;
};

class RmsNormQuantTest : public MoeTest {
 protected:
  static constexpr double kEps = 1e-3;

  // What an integer tensor holds, eight INT4 of each INT32.
  static Numbers Integers(const Tensor& tensor) {
    if (tensor.layout().dtype == ACL_INT8) return ReadAs(tensor);
    if (tensor.layout().dtype == ACL_INT4) {
      const std::vector<int8_t> halves = tensor.Read<int8_t>();
      return {halves.begin(), halves.end()};
    }
    Numbers all;
    for (const int32_t word : tensor.Read<int32_t>()) {
      for (int k = 0; k < 8; ++k) {
        const int nibble = static_cast<int>(static_cast<uint32_t>(word) >> (4 * k) & 15);
        all.push_back(nibble < 8 ? nibble : nibble - 16);
      }
    }
    return all;
  }

  void Check(const Quantising& c) {
    SCOPED_TRACE(::testing::Message()
                 << "type " << c.type << " scale " << c.scale_type << " offset " << c.offset
                 << " of " << c.offset_type << " to " << c.to << " by column " << c.by_column
                 << " beta " << c.beta << " divides " << c.divides << " rstd " << c.rstd << " flat "
                 << c.flat << " strided " << c.strided << " n " << c.n);
    Shape dims = c.leading;
    dims.push_back(c.n);
    size_t rows = 1;
    for (const int64_t size : c.leading) rows *= static_cast<size_t>(size);
    const auto n = static_cast<size_t>(c.n), scales = c.by_column ? n : size_t{1};
    const Numbers x = Drawn(c.type, rows * n, -3, 3), gamma = Drawn(c.type, n, -2, 2);
    const Numbers beta = Drawn(c.type, n, -2, 2);
    const double most = c.to == ACL_INT8 ? 30 : 2;
    const Numbers scale = c.divides ? Drawn(c.scale_type, scales, 1 / most, 3 / most)
                                    : Drawn(c.scale_type, scales, most / 3, most);
    Numbers offset = Drawn(ACL_FLOAT, scales, -3, 3);
    const bool whole = c.offset_type == ACL_INT8 || c.offset_type == ACL_INT32;
    for (double& value : offset) value = AsHeld(c.offset_type, whole ? std::rint(value) : value);
    const Shape row = c.flat ? Shape{c.n} : Shape{1, c.n};
    const Shape factors = {static_cast<int64_t>(scales)};
    const bool s = c.strided;
    const Tensor x_in = Holding(dims, c.type, x, s), gamma_in = Holding(row, c.type, gamma, s);
    const Tensor beta_in = Holding(row, c.type, beta, s);
    const Tensor scale_in = Holding(factors, c.scale_type, scale, s);
    const Tensor offset_in = Holding(factors, c.offset_type, offset, s);
    Shape out = dims, one = dims;
    if (c.to == ACL_INT32) out.back() /= 8;
    one.back() = 1;
    const Tensor y = Made(out, c.to, s && c.to != ACL_INT4);
    const Tensor rstd = c.rstd ? Made(one, ACL_FLOAT, s) : Made({0}, ACL_FLOAT);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** e) {
          return aclnnRmsNormQuantV3GetWorkspaceSize(
              x_in.handle(), gamma_in.handle(), scale_in.handle(),
              c.offset ? offset_in.handle() : nullptr, c.beta ? beta_in.handle() : nullptr, kEps,
              c.divides, c.rstd, y.handle(), rstd.handle(), size, e);
        },
        aclnnRmsNormQuantV3);
    const Numbers actual = Integers(y);
    const double low = c.to == ACL_INT8 ? -128 : -8, high = c.to == ACL_INT8 ? 127 : 7;
    for (size_t r = 0; r < rows; ++r) {
      double squares = 0;
      for (size_t i = 0; i < n; ++i) squares += x[r * n + i] * x[r * n + i];
      const double expected = 1 / std::sqrt(squares / static_cast<double>(n) + kEps);
      if (c.rstd) {
        ASSERT_NEAR(ReadAs(rstd)[r], expected, expected * 0x1p-22) << r;
      }
      for (size_t i = 0; i < n; ++i) {
        const size_t at = c.by_column ? i : 0;
        double value = x[r * n + i] * expected * gamma[i] + (c.beta ? beta[i] : 0);
        value = c.divides ? value / scale[at] : value * scale[at];
        if (c.offset) value += offset[at];
        // Either integer may stand for a number near their middle.
        ASSERT_NEAR(actual[r * n + i], std::clamp(value, low, high),
                    0.5 + 1e-3 * std::max(1.0, std::fabs(value) / 100))
            << r << ", " << i;
      }
    }
    EXPECT_TRUE(y.GuardsIntact() && rstd.GuardsIntact());
  }
};

TEST_F(RmsNormQuantTest, IsTheFormula) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_FLOAT}) {
    for (const aclDataType to : {ACL_INT8, ACL_INT4, ACL_INT32}) {
      for (const bool strided : {false, true}) {
        for (const bool divides : {false, true}) {
          Quantising c = {.type = type, .scale_type = type, .to = to};
          c.divides = divides, c.strided = strided;
          Check(c);
          c.by_column = c.beta = c.rstd = false, c.offset_type = type;
          Check(c);
          c.beta = true, c.offset = false, c.flat = false, c.leading = {2, 3};
          Check(c);
          c.offset = c.by_column = c.rstd = true, c.scale_type = ACL_FLOAT;
          for (const aclDataType offset : {ACL_INT32, ACL_FLOAT}) {
            c.offset_type = offset;
            Check(c);
          }
        }
      }
      Check({.leading = {33}, .n = 5000, .type = type, .scale_type = type, .to = to});
      Check({.leading = {}, .n = 8, .type = type, .scale_type = type, .to = to});
    }
  }
  Check({.n = 1, .by_column = false});
}

TEST_F(RmsNormQuantTest, RefusesWhatDoesNotFit) {
  const int code = ACLNN_ERR_INNER_NULLPTR;
  struct Call {
    Shape x = {5, 24}, gamma = {24}, scale = {24}, offset = {24}, beta = {24}, y = {5, 24};
    Shape rstd = {5, 1};
    aclDataType type = ACL_FLOAT16, beta_type = ACL_FLOAT16, to = ACL_INT8;
    bool has_rstd = true;
    double eps = 1e-5;
  };
  const auto refused = [&](const Call& c, int expected,
                           std::initializer_list<std::string_view> words) {
    const Tensor x = Made(c.x, c.type), gamma = Made(c.gamma, c.type);
    const Tensor scale = Made(c.scale, ACL_FLOAT), offset = Made(c.offset, ACL_INT32);
    const Tensor beta = Made(c.beta, c.beta_type), y = Made(c.y, c.to);
    const Tensor rstd = Made(c.rstd, ACL_FLOAT);
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRmsNormQuantV3GetWorkspaceSize(
              x.handle(), gamma.handle(), scale.handle(), offset.handle(), beta.handle(), c.eps,
              true, true, y.handle(), c.has_rstd ? rstd.handle() : nullptr, s, e);
        },
        expected, words);
  };
  refused({.has_rstd = false}, ACLNN_ERR_PARAM_NULLPTR, {"rstd is null", "outputRstd"});
  refused({.gamma = {23}}, code, {"gamma.shape"});
  refused({.gamma = {2, 24}}, code, {"gamma.shape[0] = 2"});
  refused({.scale = {2}, .offset = {2}}, code, {"scale.shape = [2], expected [1] or [24]"});
  refused({.offset = {1}}, code, {"offsetOptional.shape"});
  refused({.beta_type = ACL_BF16}, code, {"betaOptional.dtype = BF16"});
  refused({.y = {5, 23}}, code, {"y.shape"});
  refused({.y = {5, 24}, .to = ACL_INT32}, code, {"y.shape"});
  refused({.y = {5, 24}, .to = ACL_FLOAT}, code, {"y.dtype = FLOAT"});
  refused({.rstd = {5}}, code, {"rstd.shape = [5], expected [5, 1]"});
  refused({.eps = -1}, code, {"epsilon = -1"});
  refused({.x = {0, 24}, .y = {0, 24}, .rstd = {0, 1}}, code, {"x.shape = [0, 24]", "elements"});
  refused({.x = {5, 7},
           .gamma = {7},
           .scale = {7},
           .offset = {7},
           .beta = {7},
           .y = {5, 7},
           .to = ACL_INT4},
          code, {"x.shape[1] = 7", "even"});
}

}  // namespace
}  // namespace anyacl::test::rms_norm_quant
