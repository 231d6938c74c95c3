// SPDX-License-Identifier: Apache-2.0
// Scale, along the dimensions that its arguments name.
#include <cmath>
#include <optional>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_scale.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

using Numbers = std::vector<double>;
using Sizes = std::vector<int64_t>;

struct Along {
  Sizes x, scale;
  int64_t axis, axes;
  bool from_blob;
};

class ScaleTest : public DeviceTest {
 protected:
  Tensor Drawn(const Layout& layout) {
    Tensor tensor(layout);
    Numbers values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      values.push_back(AsHeld(layout.dtype, random().Uniform(-4, 4)));
    }
    WriteAs(tensor, values);
    return tensor;
  }
  static Phase1 CallOf(const Along& c, const Tensor& x, const Tensor& scale, const Tensor* bias,
                       const Tensor& y) {
    return [&c, &x, &scale, bias, &y](uint64_t* s, aclOpExecutor** e) {
      return aclnnScaleGetWorkspaceSize(x.handle(), scale.handle(),
                                        bias == nullptr ? nullptr : bias->handle(), c.axis, c.axes,
                                        c.from_blob, y.handle(), s, e);
    };
  }

  void Check(const Along& c, aclDataType type, bool strided, bool biased) {
    SCOPED_TRACE(::testing::Message() << "type " << type << " axis " << c.axis << " axes " << c.axes
                                      << " from blob " << c.from_blob << " strided " << strided);
    Layout layout = {.dims = c.x, .dtype = type}, narrow = {.dims = c.scale, .dtype = type};
    if (strided) {
      for (Layout* each : {&layout, &narrow}) {
        each->strides = ContiguousStrides(each->dims);
        for (int64_t& stride : each->strides) stride *= 3;
      }
    }
    const Tensor x = Drawn(layout), scale = Drawn(narrow), bias = Drawn(narrow), y(layout);
    RunTwoPhase(CallOf(c, x, scale, biased ? &bias : nullptr, y), aclnnScale);
    // Behind the dimensions of scale each of its elements stands for so many of x.
    const auto axis = static_cast<size_t>(c.axis < 0 ? c.axis + std::ssize(c.x) : c.axis);
    size_t behind = 1;
    for (size_t i = axis + c.scale.size(); i < c.x.size(); ++i) {
      behind *= static_cast<size_t>(c.x[i]);
    }
    const Numbers xs = ReadAs(x), scales = ReadAs(scale), biases = ReadAs(bias), ys = ReadAs(y);
    for (size_t i = 0; i < xs.size(); ++i) {
      const size_t at = scales.size() == 1 ? 0 : i / behind % scales.size();
      const double product = xs[i] * scales[at], expected = product + (biased ? biases[at] : 0);
      ASSERT_NEAR(
          ys[i], expected,
          (std::fabs(product) + std::fabs(expected)) * 0x1p-24 + 1.01 * HalfUnitOf(type, expected))
          << i;
    }
    EXPECT_TRUE(y.GuardsIntact());
  }
};

TEST_F(ScaleTest, AlongTheDimensionsFromAxisOn) {
  const Along cases[] = {{{2, 3}, {3}, 1, 1, true},
                         {{2, 3, 4}, {2, 3}, 0, 2, true},
                         {{2, 3, 4, 5}, {3, 4}, 1, 2, true},
                         {{2, 3, 4, 5}, {4, 5}, -2, -1, true},
                         {{2, 3}, {1}, 0, 0, true},
                         {{2, 3}, {}, 1, 0, true},
                         {{2, 3}, {3}, 1, 7, false},
                         {{2, 3, 4}, {2}, 0, 0, false},
                         {{2, 1, 4}, {1, 4}, -2, -1, false},
                         {{2, 3}, {1}, 1, -1, false},
                         {{2, 3}, {}, 0, -1, false},
                         {{70, 300}, {70}, 0, 1, true},
                         {{2, 1, 2, 1, 2, 3, 2, 2}, {2, 3}, 4, 2, true},
                         {{0, 3}, {3}, 1, 1, true}};
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const Along& c : cases) {
      for (bool strided : {false, true}) {
        Check(c, type, strided, false);
        Check(c, type, strided, true);
      }
    }
  }
}

TEST_F(ScaleTest, RefusesWhatDoesNotFit) {
  const auto refused = [&](const Along& c, std::initializer_list<std::string_view> words) {
    const Tensor x({.dims = c.x}), scale({.dims = c.scale}), y({.dims = c.x});
    ExpectRefused(CallOf(c, x, scale, nullptr, y), ACLNN_ERR_PARAM_INVALID, words);
  };
  refused({{2, 3}, {3}, 5, 1, true}, {"axis = 5"});
  refused({{2, 3}, {3}, 1, -2, true}, {"numAxes", "-2"});
  refused({{2, 3}, {3}, 1, 2, true}, {"scale.shape = [3]"});
  refused({{2, 3}, {3}, 1, INT64_MAX, true}, {"scale.shape = [3]"});
  refused({{2, 3}, {3}, 0, 0, true}, {"scale.shape = [3]"});
  refused({{2, 3}, {1}, 1, 1, true}, {"scale.shape = [1]", "[2, 3]"});
  refused({{2, 3}, {2}, 1, 0, false}, {"scale.shape = [2]", "[2, 3]"});
  refused({{2, 3}, {3, 1}, 1, 0, false}, {"scale.shape = [3, 1]"});
}

}  // namespace
}  // namespace anyacl::test
