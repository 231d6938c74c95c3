// SPDX-License-Identifier: Apache-2.0
// DequantBias and AscendAntiQuant against the documents' formulas in double precision.
#include "aclnnop/aclnn_ascend_anti_quant.h"
#include "aclnnop/aclnn_dequant_bias.h"
#include "ops/row_quant_case.h"

namespace anyacl::test {
namespace {

using namespace row_quant;

// Each step is rounded to fp32, the result to the type; `size`: of the largest number on the way.
double ErrorOf(aclDataType type, double exact, double size) {
  return HalfUnitOf(type, exact) + 1e-6 * size;
}

struct Dequantised {
  int64_t rows = 4, columns = 10;
  aclDataType out = ACL_FLOAT16;
  bool row_scale = true;
  aclDataType bias = ACL_FLOAT;  // UNDEFINED: none
  bool strided = false;
};

class DequantBiasTest : public MoeTest {
 protected:
  void Check(const Dequantised& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.rows << " x " << c.columns << " out " << c.out << " bias " << c.bias
                 << " row scale " << c.row_scale << " strided " << c.strided);
    const aclDataType scale_type = c.out == ACL_FLOAT16 ? ACL_FLOAT : ACL_BF16;
    const bool has_bias = c.bias != ACL_DT_UNDEFINED, whole = c.bias == ACL_INT32;
    const auto count = static_cast<size_t>(c.rows * c.columns);
    Numbers x;
    for (size_t i = 0; i < count; ++i) {
      x.push_back(static_cast<double>(i % 5 == 0 ? random().Int(INT32_MIN, INT32_MAX)
                                                 : random().Int(-100000, 100000)));
    }
    const Numbers scale = Drawn(scale_type, static_cast<size_t>(c.columns), -1e-3, 1e-3);
    const Numbers row_scale = Drawn(ACL_FLOAT, static_cast<size_t>(c.rows), 1e-3, 2e-2);
    const aclDataType bias_type = has_bias ? c.bias : ACL_FLOAT;
    const double wide = whole ? 2e9 : 3;
    const Numbers bias = Drawn(bias_type, static_cast<size_t>(c.columns), -wide, wide);
    const Tensor x_in = Holding({c.rows, c.columns}, ACL_INT32, x, c.strided);
    const Tensor scale_in = Holding({c.columns}, scale_type, scale, c.strided);
    const Tensor row_in = Holding({c.rows}, ACL_FLOAT, row_scale, c.strided);
    const Tensor bias_in = Holding({c.columns}, bias_type, bias, c.strided);
    const Tensor out = Made({c.rows, c.columns}, c.out, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnDequantBiasGetWorkspaceSize(
              x_in.handle(), scale_in.handle(), c.row_scale ? row_in.handle() : nullptr,
              has_bias ? bias_in.handle() : nullptr, c.out, out.handle(), s, e);
        },
        aclnnDequantBias);
    const Numbers actual = ReadAs(out);
    for (size_t i = 0; i < count; ++i) {
      const size_t column = i % static_cast<size_t>(c.columns);
      const size_t row = i / static_cast<size_t>(c.columns);
      double exact = (x[i] + (whole ? bias[column] : 0)) * scale[column];
      if (c.row_scale) exact *= row_scale[row];
      const double product = exact;
      if (has_bias && !whole) exact += bias[column];
      const double held = AsHeld(c.out, exact);
      if (std::isinf(held)) {
        ASSERT_EQ(actual[i], held) << i;
        continue;
      }
      ASSERT_NEAR(actual[i], exact, ErrorOf(c.out, exact, std::fabs(product) + std::fabs(exact)))
          << i;
    }
    EXPECT_TRUE(out.GuardsIntact());
  }
};

TEST_F(DequantBiasTest, IsTheFormula) {
  for (aclDataType out : {ACL_FLOAT16, ACL_BF16}) {
    for (aclDataType bias : {ACL_DT_UNDEFINED, ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32}) {
      for (bool row_scale : {false, true}) {
        for (bool strided : {false, true}) {
          Check({.out = out, .row_scale = row_scale, .bias = bias, .strided = strided});
        }
      }
      Check({.rows = 50, .columns = 2500, .out = out, .bias = bias});
    }
  }
  Check({.rows = 25000, .columns = 1});
  Check({.rows = 0});
  Check({.columns = 0});
}

TEST_F(DequantBiasTest, RefusesWhatDoesNotFit) {
  const Tensor x = Made({4, 10}, ACL_INT32), scale = Made({10}, ACL_FLOAT);
  const Tensor bf16 = Made({10}, ACL_BF16), half = Made({10}, ACL_FLOAT16);
  const Tensor rows = Made({4}, ACL_FLOAT), half_rows = Made({4}, ACL_FLOAT16);
  const Tensor out = Made({4, 10}, ACL_FLOAT16), bf16_out = Made({4, 10}, ACL_BF16);
  const Tensor bytes = Made({10}, ACL_INT8);
  const auto refused = [&](const Tensor* x_in, const Tensor* by, const Tensor* row_in,
                           const Tensor* bias, int64_t type, const Tensor* y, int code,
                           std::initializer_list<std::string_view> words) {
    const auto handle = [](const Tensor* t) { return t != nullptr ? t->handle() : nullptr; };
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnDequantBiasGetWorkspaceSize(handle(x_in), handle(by), handle(row_in),
                                                  handle(bias), type, handle(y), s, e);
        },
        code, words);
  };
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID, kTiling = ACLNN_ERR_INNER_TILING_ERROR;
  refused(nullptr, &scale, nullptr, nullptr, 1, &out, ACLNN_ERR_PARAM_NULLPTR, {"x"});
  refused(&x, nullptr, nullptr, nullptr, 1, &out, ACLNN_ERR_PARAM_NULLPTR, {"weightScale"});
  refused(&x, &scale, nullptr, nullptr, 1, nullptr, ACLNN_ERR_PARAM_NULLPTR, {"out"});
  refused(&x, &half, nullptr, nullptr, 1, &out, kInvalid, {"weightScale.dtype = FLOAT16"});
  refused(&out, &scale, nullptr, nullptr, 1, &out, kInvalid, {"x.dtype = FLOAT16"});
  refused(&x, &scale, &half_rows, nullptr, 1, &out, kTiling, {"activateScaleOptional.dtype"});
  refused(&x, &scale, nullptr, &bytes, 1, &out, kTiling, {"biasOptional.dtype = INT8"});
  refused(&x, &scale, nullptr, nullptr, 27, &out, kInvalid, {"outputDtype = 27", "expected 1"});
  refused(&x, &scale, nullptr, nullptr, 27, &bf16_out, kInvalid, {"out.dtype = BF16", "FLOAT16"});
  refused(&x, &bf16, nullptr, nullptr, 1, &out, kInvalid, {"out.dtype = FLOAT16", "BF16"});
  refused(&x, &rows, nullptr, nullptr, 1, &out, kTiling, {"weightScale.shape[0] = 4", "N = 10"});
  refused(&x, &scale, &scale, nullptr, 1, &out, kTiling, {"activateScaleOptional", "M = 4"});
  refused(&x, &scale, nullptr, &rows, 1, &out, kTiling, {"biasOptional.shape[0] = 4", "N = 10"});
  const Tensor many = Made({25001, 1}, ACL_INT32), one = Made({1}, ACL_FLOAT);
  const Tensor out_of_many = Made({25001, 1}, ACL_FLOAT16);
  refused(&many, &one, nullptr, nullptr, 1, &out_of_many, kTiling, {"x.shape[0] = 25001", "25000"});
}

struct Restored {
  Shape shape = {3, 5, 16};  // of y
  aclDataType type = ACL_INT8, scale = ACL_FLOAT, out = ACL_FLOAT16;
  bool offset = true, twice = false, each = true, strided = false;
};

class AntiQuantTest : public MoeTest {
 protected:
  void Check(const Restored& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.shape.size() << " dimensions, type " << c.type << " scale " << c.scale
                 << " out " << c.out << " offset " << c.offset << " twice " << c.twice << " each "
                 << c.each << " strided " << c.strided);
    const int64_t columns = c.shape.empty() ? 1 : c.shape.back();
    int64_t count = 1;
    for (int64_t size : c.shape) count *= size;
    const int most = c.type == ACL_INT8 ? 127 : 7;
    std::vector<int8_t> x;
    for (int64_t i = 0; i < count; ++i) {
      x.push_back(static_cast<int8_t>(random().Int(-most - 1, most)));
    }
    const int64_t scales = c.each ? columns : 1;
    const Numbers scale = Drawn(c.scale, static_cast<size_t>(scales), -2, 2);
    const Numbers offset = Drawn(c.scale, static_cast<size_t>(scales), -20, 20);
    Tensor x_in = Made(StoredShape(c.shape, c.type), c.type, c.strided && c.type != ACL_INT4);
    if (c.type == ACL_INT32) {
      x_in.Write(PackedByEight(x));
    } else {
      x_in.Write(x);
    }
    const Tensor scale_in = Holding({scales}, c.scale, scale, c.strided);
    const Tensor offset_in = Holding({scales}, c.scale, offset, c.strided);
    const Tensor y = Made(c.shape, c.out, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAscendAntiQuantGetWorkspaceSize(x_in.handle(), scale_in.handle(),
                                                      c.offset ? offset_in.handle() : nullptr,
                                                      c.out, c.twice, y.handle(), s, e);
        },
        aclnnAscendAntiQuant);
    const Numbers actual = ReadAs(y);
    for (size_t i = 0; i < x.size(); ++i) {
      const size_t column = c.each ? i % static_cast<size_t>(columns) : 0;
      double exact = (x[i] + (c.offset ? offset[column] : 0)) * scale[column];
      if (c.twice) exact *= scale[column];
      ASSERT_NEAR(actual[i], exact, ErrorOf(c.out, exact, 600)) << i;
    }
    EXPECT_TRUE(y.GuardsIntact());
  }

  static std::vector<int32_t> PackedByEight(const std::vector<int8_t>& numbers) {
    std::vector<int32_t> words;
    for (size_t i = 0; i < numbers.size(); i += 8) {
      uint32_t word = 0;
      for (size_t k = 0; k < 8; ++k) {
        word |= (static_cast<uint32_t>(numbers[i + k]) & 15u) << (4 * k);
      }
      words.push_back(static_cast<int32_t>(word));
    }
    return words;
  }
};

TEST_F(AntiQuantTest, IsTheFormula) {
  for (aclDataType type : {ACL_INT8, ACL_INT4, ACL_INT32}) {
    for (aclDataType scale : {ACL_FLOAT, ACL_BF16}) {
      for (aclDataType out : {ACL_FLOAT16, ACL_BF16}) {
        for (int options = 0; options < 16; ++options) {
          Check({.type = type,
                 .scale = scale,
                 .out = out,
                 .offset = (options & 1) != 0,
                 .twice = (options & 2) != 0,
                 .each = (options & 4) != 0,
                 .strided = (options & 8) != 0});
        }
      }
    }
    Check({.shape = {8}, .type = type});
    Check({.shape = {1, 2, 1, 1, 2, 1, 3, 8}, .type = type, .each = false});
    Check({.shape = {37, 3080}, .type = type});
    Check({.shape = {3, 0, 8}, .type = type});
    Check({.shape = {3, 0}, .type = type, .each = false});
  }
  Check({.shape = {}, .each = false});
}

TEST_F(AntiQuantTest, OneInt32IsARowOfEight) {
  Tensor x = Made({}, ACL_INT32);
  x.Write(PackedByEight({-8, -1, 0, 1, 2, 3, 5, 7}));
  const Tensor half = Holding({1}, ACL_FLOAT, {0.5}, false), y = Made({8}, ACL_FLOAT16);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnAscendAntiQuantGetWorkspaceSize(x.handle(), half.handle(), nullptr, ACL_FLOAT16,
                                                    false, y.handle(), s, e);
      },
      aclnnAscendAntiQuant);
  EXPECT_EQ(ReadAs(y), Numbers({-4, -0.5, 0, 0.5, 1, 1.5, 2.5, 3.5}));
}

TEST_F(AntiQuantTest, RefusesWhatDoesNotFit) {
  const Tensor x = Made({3, 16}, ACL_INT8), words = Made({3, 2}, ACL_INT32);
  const Tensor odd = Made({3, 7}, ACL_INT4), of_odd = Made({3, 7}, ACL_FLOAT16);
  const Tensor number = Made({}, ACL_INT32), of_number = Made({}, ACL_FLOAT16);
  const Tensor one = Made({1}, ACL_FLOAT), each = Made({16}, ACL_FLOAT);
  const Tensor two = Made({2}, ACL_FLOAT), none = Made({0}, ACL_FLOAT);
  const Tensor bf16 = Made({1}, ACL_BF16), rows = Made({3, 1}, ACL_FLOAT);
  const Tensor y = Made({3, 16}, ACL_FLOAT16), short_y = Made({3, 2}, ACL_FLOAT16);
  const Tensor strided_int4 =
      Tensor(Layout{.dims = {3, 16}, .dtype = ACL_INT4, .strides = {20, 1}});
  const auto refused = [&](const Tensor* x_in, const Tensor* by, const Tensor* offset, int64_t type,
                           const Tensor* out, int code,
                           std::initializer_list<std::string_view> expected) {
    const auto handle = [](const Tensor* t) { return t != nullptr ? t->handle() : nullptr; };
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAscendAntiQuantGetWorkspaceSize(handle(x_in), handle(by), handle(offset),
                                                      type, false, handle(out), s, e);
        },
        code, expected);
  };
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;
  refused(nullptr, &one, nullptr, 1, &y, ACLNN_ERR_PARAM_NULLPTR, {"x"});
  refused(&x, nullptr, nullptr, 1, &y, ACLNN_ERR_PARAM_NULLPTR, {"scale"});
  refused(&x, &one, nullptr, 1, nullptr, ACLNN_ERR_PARAM_NULLPTR, {"y"});
  refused(&x, &one, nullptr, 27, &y, kInvalid, {"dstType = 27", "expected 1"});
  refused(&x, &one, &bf16, 1, &y, kInvalid, {"offset.dtype = BF16", "scale"});
  refused(&x, &one, &each, 1, &y, kInvalid, {"offset.shape[0] = 16", "C = 1"});
  refused(&x, &two, nullptr, 1, &y, kInvalid, {"scale.shape = [2]", "[1] or [16]"});
  refused(&x, &none, nullptr, 1, &y, kInvalid, {"scale.shape = [0]"});
  refused(&x, &rows, nullptr, 1, &y, kInvalid, {"scale.shape"});
  refused(&words, &two, nullptr, 1, &y, kInvalid, {"scale.shape = [2]", "[1] or [16]"});
  refused(&words, &one, nullptr, 1, &short_y, kInvalid, {"y.shape = [3, 2]", "[3, 16]"});
  refused(&odd, &one, nullptr, 1, &of_odd, kInvalid, {"x.shape[1] = 7", "even"});
  refused(&number, &one, nullptr, 1, &of_number, kInvalid, {"y.shape = []", "[8]"});
  refused(&strided_int4, &one, nullptr, 1, &y, kInvalid, {"x.strides", "contiguous"});
}

}  // namespace
}  // namespace anyacl::test
