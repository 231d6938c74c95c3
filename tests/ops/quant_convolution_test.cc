// SPDX-License-Identifier: Apache-2.0
// QuantConvolution against the document's formula; sums of integers are exact.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_quant_convolution.h"
#include "ops/moe_case.h"
#include "reference/convolution.h"

namespace anyacl::test {
namespace {

using namespace moe;

class IntArrayOf {
 public:
  explicit IntArrayOf(const Shape& values)
      : handle_(aclCreateIntArray(values.data(), values.size())) {}
  IntArrayOf(const IntArrayOf&) = delete;
  IntArrayOf& operator=(const IntArrayOf&) = delete;
  ~IntArrayOf() { aclDestroyIntArray(handle_); }
  const aclIntArray* get() const { return handle_; }

 private:
  aclIntArray* handle_;
};

class QuantConvolutionTest : public MoeTest {
 protected:
  static Tensor Volume(const Shape& shape, aclDataType type, bool strided) {
    Layout layout = Made(shape, type, strided).layout();
    layout.format = ACL_FORMAT_NCDHW;
    return Tensor(layout);
  }
  Numbers Integers(const Shape& shape) {
    size_t count = 1;
    for (int64_t size : shape) count *= static_cast<size_t>(size);
    Numbers values;
    for (size_t i = 0; i < count; ++i) {
      values.push_back(static_cast<double>(random().Int(-128, 127)));
    }
    return values;
  }

  struct Attributes {
    Shape stride = {1, 1, 1}, padding = {0, 0, 0}, dilation = {1, 1, 1};
    bool transposed = false;
    int64_t groups = 1;
    int32_t offset = 0;
    const char* mode = nullptr;
  };
  static Phase1 Call(const Tensor& x, const Tensor& w, const Tensor& bias, const Tensor& scale,
                     const Tensor* offset, const Attributes& a, const Tensor& y) {
    return [=, &x, &w, &bias, &scale, &y](uint64_t* size, aclOpExecutor** e) {
      const IntArrayOf stride(a.stride), padding(a.padding), dilation(a.dilation);
      return aclnnQuantConvolutionGetWorkspaceSize(
          x.handle(), w.handle(), bias.handle(), scale.handle(),
          offset == nullptr ? nullptr : offset->handle(), stride.get(), padding.get(),
          dilation.get(), a.transposed, nullptr, a.groups, a.offset, a.mode, y.handle(), size, e);
    };
  }

  void Check(const ConvolutionCase& c, aclDataType type, aclDataType bias_type, bool strided) {
    SCOPED_TRACE(::testing::Message() << ::testing::PrintToString(c.weight) << " type " << type
                                      << " strided " << strided);
    const Numbers xs = Integers(c.input), ws = Integers(c.weight);
    const auto channels = static_cast<size_t>(c.weight[0]);
    const Numbers scales = Drawn(ACL_FLOAT, channels, 1e-5, 2e-5);
    const Numbers biases = Drawn(bias_type, channels, -2, 2);
    Tensor x = Volume(c.input, ACL_INT8, strided), w = Volume(c.weight, ACL_INT8, strided);
    WriteAs(x, xs);
    WriteAs(w, ws);
    const Tensor bias = Holding({c.weight[0]}, bias_type, biases, strided);
    const Tensor scale = Holding({c.weight[0]}, ACL_FLOAT, scales, strided);
    const Tensor y = Volume(c.OutputShape(), type, strided);
    RunTwoPhase(Call(x, w, bias, scale, nullptr,
                     {.stride = c.stride, .padding = c.padding, .dilation = c.dilation}, y),
                aclnnQuantConvolution);
    const Sums sums = ConvolutionOf(c, xs, ws, {});
    const Numbers actual = ReadAs(y);
    ASSERT_EQ(actual.size(), sums.values.size());
    const size_t plane = actual.size() / static_cast<size_t>(c.input[0]) / channels;
    for (size_t i = 0; i < actual.size(); ++i) {
      const size_t o = i / plane % channels;
      const double product = sums.values[i] * scales[o], expected = product + biases[o];
      ASSERT_NEAR(actual[i], expected,
                  3e-7 * (std::fabs(product) + 2) + 1.01 * HalfUnitOf(type, expected))
          << i;
    }
    EXPECT_TRUE(y.GuardsIntact());
  }
};

TEST_F(QuantConvolutionTest, IsTheFormula) {
  const ConvolutionCase cases[] = {{.input = {2, 2, 4, 5, 6},
                                    .weight = {3, 2, 3, 3, 3},
                                    .stride = {1, 1, 1},
                                    .padding = {1, 1, 1},
                                    .dilation = {1, 1, 1}},
                                   {.input = {1, 3, 5, 6, 7},
                                    .weight = {2, 3, 2, 1, 3},
                                    .stride = {2, 1, 3},
                                    .padding = {0, 2, 1},
                                    .dilation = {2, 1, 2}},
                                   // More channels than are exact at once: parts of 37 and of one.
                                   {.input = {1, 80, 3, 3, 3},
                                    .weight = {2, 80, 3, 3, 3},
                                    .stride = {1, 1, 1},
                                    .padding = {0, 0, 0},
                                    .dilation = {1, 1, 1}},
                                   {.input = {1, 1500, 1, 1, 2},
                                    .weight = {2, 1500, 1, 1, 1},
                                    .stride = {1, 1, 1},
                                    .padding = {0, 0, 0},
                                    .dilation = {1, 1, 1}}};
  for (const ConvolutionCase& c : cases) {
    for (bool strided : {false, true}) {
      Check(c, ACL_FLOAT16, ACL_FLOAT16, strided);
      Check(c, ACL_BF16, ACL_FLOAT, strided);
      Check(c, ACL_BF16, ACL_BF16, strided);
    }
  }
}

TEST_F(QuantConvolutionTest, WhatDoesNotFitIsRefused) {
  const int code = ACLNN_ERR_PARAM_INVALID;
  const Tensor x = Volume({1, 2, 3, 3, 3}, ACL_INT8, false);
  const Tensor w = Volume({2, 2, 1, 1, 1}, ACL_INT8, false);
  const Tensor y = Volume({1, 2, 3, 3, 3}, ACL_BF16, false), row = Made({2}, ACL_FLOAT);
  const Tensor few = Volume({2, 1, 1, 1, 1}, ACL_INT8, false),
               plain = Made({1, 2, 3, 3, 3}, ACL_INT8);
  const Tensor small = Volume({1, 2, 2, 3, 3}, ACL_BF16, false);
  const Tensor none = Volume({0, 2, 3, 3, 3}, ACL_INT8, false);
  const Tensor no_results = Volume({0, 2, 3, 3, 3}, ACL_BF16, false);
  const auto refused = [&](const Attributes& a, std::initializer_list<std::string_view> words) {
    ExpectRefused(Call(x, w, row, row, nullptr, a, y), code, words);
  };
  refused({.stride = {1, 1, 0}}, {"stride[2] = 0", "1 to 63"});
  refused({.padding = {0, 0, -1}}, {"padding[2] = -1"});
  refused({.padding = {0, 0}}, {"padding has 2 elements"});
  refused({.transposed = true}, {"transposed"});
  refused({.groups = 2}, {"groups is 2"});
  refused({.offset = 1}, {"offsetx is 1"});
  refused({.mode = "rint"}, {"roundMode is given"});
  ExpectRefused(Call(x, w, row, row, &row, {}, y), code, {"offset is given"});
  ExpectRefused(Call(plain, w, row, row, nullptr, {}, y), code, {"input.format = ND"});
  const Tensor halves = Made({2}, ACL_FLOAT16);
  ExpectRefused(Call(x, w, halves, row, nullptr, {}, y), code, {"bias.dtype = FLOAT16"});
  ExpectRefused(Call(x, few, row, row, nullptr, {}, y), code, {"weight.shape"});
  ExpectRefused(Call(x, w, row, row, nullptr, {}, small), code, {"shape"});
  ExpectRefused(Call(none, w, row, row, nullptr, {}, no_results), code, {"elements"});
}

}  // namespace
}  // namespace anyacl::test
