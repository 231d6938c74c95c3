// SPDX-License-Identifier: Apache-2.0
// GeluQuant against the document's formulas in double precision.
#include <numbers>

#include "aclnnop/aclnn_gelu_quant.h"
#include "ops/row_quant_case.h"

namespace anyacl::test {
namespace {

using namespace row_quant;

struct Gelu {
  Shape shape = {3, 5};
  aclDataType type = ACL_FLOAT, factor_type = ACL_FLOAT;
  bool dynamic = false, tanh = false, strided = false;
  int64_t scales = 0, offsets = 0;  // how many: 0, 1 or the columns
  double spread = 3;
};

double GeluOf(double x, bool tanh) {
  if (!tanh) return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

class GeluQuantTest : public MoeTest {
 protected:
  struct Tensors {
    Tensor x, y;
    std::optional<Tensor> scale = {}, offset = {}, scale_out = {};
  };

  static const aclTensor* HandleOf(const std::optional<Tensor>& tensor) {
    return tensor ? tensor->handle() : nullptr;
  }

  static Phase1 CallOf(const Tensors& t, const Gelu& c) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnGeluQuantGetWorkspaceSize(t.x.handle(), HandleOf(t.scale), HandleOf(t.offset),
                                            c.tanh ? "tanh" : "none",
                                            c.dynamic ? "dynamic" : "static", "rint", ACL_INT8,
                                            t.y.handle(), HandleOf(t.scale_out), s, e);
    };
  }

  Numbers Factors(const Gelu& c, int64_t count, double least, double most) {
    Numbers factors;
    for (int64_t i = 0; i < count; ++i) {
      factors.push_back(AsHeld(c.factor_type, random().Uniform(least, most)));
    }
    return factors;
  }

  void Check(const Gelu& c) {
    SCOPED_TRACE(::testing::Message()
                 << ::testing::PrintToString(c.shape) << " type " << c.type << " factors "
                 << c.factor_type << " dynamic " << c.dynamic << " tanh " << c.tanh << " strided "
                 << c.strided << " scales " << c.scales << " offsets " << c.offsets);
    const auto columns = static_cast<size_t>(c.shape.back());
    Numbers x;
    int64_t count = 1;
    for (int64_t size : c.shape) count *= size;
    for (int64_t i = 0; i < count; ++i) {
      x.push_back(AsHeld(c.type, random().Uniform(-c.spread, c.spread)));
    }
    const Numbers scale = Factors(c, c.scales, 1, 30), offset = Factors(c, c.offsets, -20, 20);
    Tensors t = {.x = Holding(c.shape, c.type, x, c.strided),
                 .y = Made(c.shape, ACL_INT8, c.strided)};
    if (c.scales > 0) t.scale.emplace(Holding({c.scales}, c.factor_type, scale, c.strided));
    if (c.offsets > 0) t.offset.emplace(Holding({c.offsets}, c.factor_type, offset, c.strided));
    if (c.dynamic) {
      t.scale_out.emplace(Made({c.shape.begin(), c.shape.end() - 1}, ACL_FLOAT, c.strided));
    }
    RunTwoPhase(CallOf(t, c), aclnnGeluQuant);
    EXPECT_TRUE(t.y.GuardsIntact() && (!c.dynamic || t.scale_out->GuardsIntact()));
    const Numbers y = IntegersOf(t.y);
    for (size_t row = 0; row < x.size() / columns; ++row) {
      Numbers v;
      double most = 0;
      for (size_t j = 0; j < columns; ++j) {
        double value = GeluOf(x[row * columns + j], c.tanh);
        if (c.scales > 0) value *= scale[c.scales == 1 ? 0 : j];
        if (c.offsets > 0 && !c.dynamic) value += offset[c.offsets == 1 ? 0 : j];
        v.push_back(value);
        most = std::max(most, std::fabs(value));
      }
      if (c.dynamic) {
        ASSERT_NEAR(ReadAs(*t.scale_out)[row], most / 127, 1e-6 * most / 127);
      }
      for (size_t j = 0; j < columns; ++j) {
        ASSERT_NO_FATAL_FAILURE(
            ExpectQuantised(y[row * columns + j], c.dynamic ? v[j] / (most / 127) : v[j], 8));
      }
    }
  }
};

TEST_F(GeluQuantTest, IsTheFormula) {
  for (bool tanh : {false, true}) {
    for (bool strided : {false, true}) {
      for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
        for (aclDataType factors : {type, ACL_FLOAT}) {
          for (int64_t scales : {1, 5}) {
            for (int64_t offsets : {int64_t{0}, scales}) {
              for (bool dynamic : {false, true}) {
                Check({.type = type,
                       .factor_type = factors,
                       .dynamic = dynamic,
                       .tanh = tanh,
                       .strided = strided,
                       .scales = scales,
                       .offsets = offsets});
              }
            }
          }
        }
        Check({.type = type, .dynamic = true, .tanh = tanh, .strided = strided});
      }
      Check({.factor_type = ACL_BF16, .tanh = tanh, .strided = strided, .scales = 5});
    }
  }
}

// Rows of several tiles, many rows, one row; results that do not fit.
TEST_F(GeluQuantTest, AnySize) {
  for (bool dynamic : {false, true}) {
    for (const Shape& shape :
         std::initializer_list<Shape>{{2, 3000}, {700, 33}, {1, 1}, {2, 3, 4, 1025}}) {
      Check({.shape = shape, .dynamic = dynamic, .scales = shape.back(), .spread = 9});
      Check({.shape = shape, .type = ACL_FLOAT16, .dynamic = dynamic, .tanh = true, .scales = 1});
    }
  }
  Check({.shape = {2, 3000}, .scales = 3000, .offsets = 3000});
  Check({.shape = {9000, 60}, .dynamic = true});
  Check({.shape = {5000}, .scales = 1, .offsets = 1});
}

TEST_F(GeluQuantTest, RowsWithoutAScale) {
  const Gelu c = {.shape = {3, 2}, .dynamic = true};
  const Tensors t = {.x = Holding({3, 2}, ACL_FLOAT, {0, 0, INFINITY, 1, NAN, 1}),
                     .y = Made({3, 2}, ACL_INT8),
                     .scale_out = Made({3}, ACL_FLOAT)};
  RunTwoPhase(CallOf(t, c), aclnnGeluQuant);
  EXPECT_EQ(IntegersOf(t.y), Numbers(6, 0));
  const Numbers scales = ReadAs(*t.scale_out);
  EXPECT_EQ(scales[0], 0);
  EXPECT_EQ(scales[1], INFINITY);
  EXPECT_TRUE(std::isnan(scales[2]));
}

TEST_F(GeluQuantTest, RefusesWhatDoesNotFit) {
  const Tensor x = Made({3, 4}, ACL_FLOAT16), y = Made({3, 4}, ACL_INT8);
  const Tensor row = Made({4}, ACL_FLOAT16), row8 = Made({4}, ACL_INT8);
  const Tensor empty = Made({3, 0}, ACL_FLOAT16), empty8 = Made({3, 0}, ACL_INT8);
  const Tensor scale = Made({4}, ACL_FLOAT16), scale3 = Made({3}, ACL_FLOAT16);
  const Tensor one = Made({1}, ACL_FLOAT16), bf16 = Made({4}, ACL_BF16);
  const Tensor by_row = Made({3}, ACL_FLOAT), by_column = Made({4}, ACL_FLOAT);
  const Tensor hifloat8({.dims = {3, 4}, .dtype = ACL_HIFLOAT8});
  struct Bad {
    const Tensor* x;
    const Tensor* scale = nullptr;
    const Tensor* offset = nullptr;
    const Tensor* y = nullptr;
    const Tensor* out = nullptr;
    const char* approximate = "none";
    const char* mode = "static";
    const char* rounding = "rint";
    int64_t type = ACL_INT8;
  };
  const auto refused = [&](Bad bad, int code, std::initializer_list<std::string_view> words) {
    const auto handle = [](const Tensor* t) { return t == nullptr ? nullptr : t->handle(); };
    if (bad.y == nullptr) bad.y = &y;
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnGeluQuantGetWorkspaceSize(
              handle(bad.x), handle(bad.scale), handle(bad.offset), bad.approximate, bad.mode,
              bad.rounding, bad.type, handle(bad.y), handle(bad.out), s, e);
        },
        code, words);
  };
  constexpr int kNull = ACLNN_ERR_PARAM_NULLPTR, kInvalid = ACLNN_ERR_PARAM_INVALID;
  refused({.x = &x}, kNull, {"inputScaleOptional", "static"});
  refused({.x = &x, .mode = "dynamic"}, kNull, {"outScaleOptional", "dynamic"});
  refused({.x = &x, .scale = &scale, .out = &by_row}, kInvalid, {"outScaleOptional", "static"});
  refused({.x = &x, .offset = &scale, .out = &by_row, .mode = "dynamic"}, kInvalid,
          {"inputOffsetOptional", "inputScaleOptional"});
  refused({.x = &x, .scale = &scale, .approximate = "erf"}, kInvalid, {"approximate", "erf"});
  refused({.x = &x, .scale = &scale, .mode = "block"}, kInvalid, {"quantMode", "block"});
  refused({.x = &x, .scale = &scale, .rounding = "round"}, kInvalid, {"roundMode", "round"});
  refused({.x = &x, .scale = &scale, .rounding = nullptr}, kNull, {"roundMode"});
  refused({.x = &x, .scale = &scale, .type = ACL_FLOAT8_E5M2}, kInvalid,
          {"dstType", "FLOAT8_E5M2"});
  refused({.x = &x, .scale = &scale, .y = &hifloat8}, kInvalid, {"HIFLOAT8"});
  refused({.x = &x, .scale = &bf16}, kInvalid, {"inputScaleOptional", "BF16", "FLOAT16"});
  refused({.x = &x, .scale = &scale, .offset = &by_column}, kInvalid, {"inputOffsetOptional"});
  refused({.x = &x, .scale = &scale3}, kInvalid, {"inputScaleOptional", "[3]"});
  refused({.x = &x, .scale = &scale, .offset = &one}, kInvalid, {"inputOffsetOptional"});
  refused({.x = &x, .scale = &scale, .y = &row8}, kInvalid, {"y", "[3, 4]"});
  refused({.x = &x, .out = &by_column, .mode = "dynamic"}, kInvalid, {"outScaleOptional", "[3]"});
  refused({.x = &row, .y = &row8, .out = &by_row, .mode = "dynamic"}, kInvalid, {"self", "rank"});
  refused({.x = &empty, .scale = &one, .y = &empty8}, kInvalid, {"self"});
}

}  // namespace
}  // namespace anyacl::test
