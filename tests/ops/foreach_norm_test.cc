// SPDX-License-Identifier: Apache-2.0
// Norms of the tensors of a list.
#include <cmath>
#include <limits>
#include <memory>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_foreach_norm.h"
#include "support/device_test.h"
#include "support/numbers.h"
#include "support/tensor_list.h"

namespace anyacl::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class ForeachNormTest : public DeviceTest {
 protected:
  static double Norm(const std::vector<double>& x, double p) {
    double sum = 0, most = 0, least = kInfinity;
    for (double value : x) {
      const double size = std::fabs(value);
      sum += p == 0 ? (size != 0) : std::pow(size, p);
      most = std::fmax(most, size);
      least = std::fmin(least, size);
    }
    if (std::isinf(p)) return p > 0 ? most : least;
    return p == 0 ? sum : std::pow(sum, 1 / p);
  }
};

TEST_F(ForeachNormTest, OfEveryTensorWhateverItsShape) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (double p : {0.0, 1.0, 2.0, 3.0, 0.5, kInfinity}) {
      SCOPED_TRACE(::testing::Message() << "type " << type << " power " << p);
      Tensors xs, outs;
      std::vector<std::vector<double>> values;
      const Layout layouts[] = {{.dims = {}},
                                {.dims = {7}},
                                {.dims = {5, 9}, .strides = {1, 6}},
                                {.dims = {2, 3, 700}},
                                {.dims = {4, 1}}};
      for (Layout layout : layouts) {
        layout.dtype = type;
        xs.push_back(std::make_unique<Tensor>(layout));
        outs.push_back(std::make_unique<Tensor>(
            Layout{.dims = outs.size() % 2 == 0 ? std::vector<int64_t>{} : std::vector<int64_t>{1},
                   .dtype = type}));
        auto& numbers = values.emplace_back();
        for (int64_t i = 0; i < xs.back()->count(); ++i) {
          numbers.push_back(AsHeld(type, static_cast<double>(random().Int(-64, 64)) / 64));
        }
        WriteAs(*xs.back(), numbers);
      }
      const TensorList x(xs), out(outs);
      aclScalar* power = aclCreateScalar(&p, ACL_DOUBLE);
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnForeachNormGetWorkspaceSize(x.handle(), power, out.handle(), s, e);
          },
          aclnnForeachNorm);
      for (size_t i = 0; i < xs.size(); ++i) {
        const double expected = Norm(values[i], p);
        if (type == ACL_FLOAT16 && expected > 65504) {  // the root of 4200 elements
          EXPECT_EQ(ReadAs(*outs[i])[0], kInfinity);
          continue;
        }
        EXPECT_NEAR(ReadAs(*outs[i])[0], expected,
                    1e-5 * expected + 1.01 * HalfUnitOf(type, expected))
            << "tensor " << i;
      }
      aclDestroyScalar(power);
    }
  }
}

TEST_F(ForeachNormTest, RefusesListsThatDoNotFit) {
  const auto refused = [&](const std::vector<Layout>& x_layouts, const std::vector<Layout>& outs,
                           double p, std::initializer_list<std::string_view> words) {
    Tensors x, out;
    for (const Layout& layout : x_layouts) x.push_back(std::make_unique<Tensor>(layout));
    for (const Layout& layout : outs) out.push_back(std::make_unique<Tensor>(layout));
    const TensorList first(x), second(out);
    aclScalar* power = aclCreateScalar(&p, ACL_DOUBLE);
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnForeachNormGetWorkspaceSize(first.handle(), power, second.handle(), s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
    aclDestroyScalar(power);
  };
  const Layout numbers = {.dims = {3}}, one = {.dims = {1}}, empty = {.dims = {0}};
  const Layout half = {.dims = {3}, .dtype = ACL_FLOAT16};
  refused({numbers, numbers}, {one}, 2, {"out has 1 tensors", "expected 2"});
  refused({numbers, half}, {one, one}, 2, {"x[1].dtype = FLOAT16", "FLOAT"});
  refused({numbers}, {numbers}, 2, {"out[0].shape = [3]", "one element"});
  refused({empty}, {one}, kInfinity, {"x[0].shape = [0]", "at least one element"});
  refused({numbers}, {one}, std::nan(""), {"scalar is NaN"});
}

}  // namespace
}  // namespace anyacl::test
