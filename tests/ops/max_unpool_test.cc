// SPDX-License-Identifier: Apache-2.0
// The reverse of maximum pooling and its gradients against plain loops.
#include "aclnnop/aclnn_max_unpool2d.h"
#include "aclnnop/aclnn_max_unpool2d_backward.h"
#include "aclnnop/aclnn_max_unpool3d.h"
#include "aclnnop/aclnn_max_unpool3d_backward.h"
#include "ops/max_pool_case.h"

namespace anyacl::test::max_pool {
namespace {

class MaxUnpoolTest : public MaxPoolCase {};

TEST_F(MaxUnpoolTest, Unpooling) {
  for (size_t spatial : {size_t{2}, size_t{3}}) {
    const Shape in = spatial == 2 ? Shape{2, 3, 2, 5} : Shape{2, 3, 2, 2, 5};
    const Shape out = spatial == 2 ? Shape{2, 3, 7, 6} : Shape{2, 3, 3, 7, 6};
    const Shape to(out.begin() + 2, out.end());
    const int64_t area = spatial == 2 ? 42 : 126;
    const int64_t small = spatial == 2 ? 10 : 20;
    for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT32,
                             ACL_INT64, ACL_DOUBLE}) {
      for (Lie lie : kLies) {
        Tensor x(Lying(in, type, lie)), at(Lying(in, ACL_INT64, lie)), y(Lying(out, type, lie));
        std::vector<double> values;
        std::vector<int64_t> places;
        std::vector<double> expected(static_cast<size_t>(6 * area));
        for (int64_t i = 0; i < x.count(); ++i) {
          values.push_back(static_cast<double>(random().Int(1, 100)));
          places.push_back(random().Int(0, area - 1));
          expected[static_cast<size_t>(i / small * area + places.back())] = values.back();
        }
        WriteAs(x, values);
        at.Write(places);
        const IntArrayHandle size(to), ones(Shape(3, 1));
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return spatial == 2 ? aclnnMaxUnpool2dGetWorkspaceSize(x.handle(), at.handle(),
                                                                     size.get(), y.handle(), s, e)
                                  : aclnnMaxUnpool3dGetWorkspaceSize(x.handle(), at.handle(),
                                                                     size.get(), ones.get(),
                                                                     ones.get(), y.handle(), s, e);
            },
            spatial == 2 ? aclnnMaxUnpool2d : aclnnMaxUnpool3d);
        ExpectSame(y, expected);
      }
    }
  }
}

TEST_F(MaxUnpoolTest, GradientsOfUnpooling) {
  for (size_t spatial : {size_t{2}, size_t{3}}) {
    const Shape in = spatial == 2 ? Shape{2, 3, 2, 5} : Shape{2, 3, 2, 2, 5};
    const Shape out = spatial == 2 ? Shape{2, 3, 7, 6} : Shape{2, 3, 3, 7, 6};
    const Shape to(out.begin() + 2, out.end());
    const int64_t area = spatial == 2 ? 42 : 126;
    const int64_t small = spatial == 2 ? 10 : 20;
    for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT32,
                             ACL_INT64, spatial == 2 ? ACL_BOOL : ACL_DOUBLE}) {
      for (Lie lie : kLies) {
        const aclDataType narrow = spatial == 2 && lie == kLies[0] ? ACL_INT32 : ACL_INT64;
        Tensor g(Lying(out, type, lie)), x(Lying(in, type, lie)), at(Lying(in, narrow, lie));
        const Tensor dx(spatial == 2 ? Lying(in, type, lie) : Layout{.dims = in, .dtype = type});
        std::vector<double> values, places, expected;
        for (int64_t i = 0; i < g.count(); ++i) {
          values.push_back(static_cast<double>(random().Int(0, type == ACL_BOOL ? 1 : 100)));
        }
        for (int64_t i = 0; i < at.count(); ++i) {
          const int64_t place = random().Int(0, area - 1);
          places.push_back(static_cast<double>(place));
          expected.push_back(values[static_cast<size_t>(i / small * area + place)]);
        }
        WriteAs(g, values);
        WriteAs(at, places);
        const IntArrayHandle size(to), ones(Shape(3, 1));
        const auto run = [&](const Tensor& result) {
          RunTwoPhase(
              [&](uint64_t* s, aclOpExecutor** e) {
                return spatial == 2 ? aclnnMaxUnpool2dBackwardGetWorkspaceSize(
                                          g.handle(), x.handle(), at.handle(), size.get(),
                                          result.handle(), s, e)
                                    : aclnnMaxUnpool3dBackwardGetWorkspaceSize(
                                          g.handle(), x.handle(), at.handle(), size.get(),
                                          ones.get(), ones.get(), result.handle(), s, e);
              },
              spatial == 2 ? aclnnMaxUnpool2dBackward : aclnnMaxUnpool3dBackward);
          ExpectSame(result, expected);
        };
        run(dx);
        if (spatial == 2) run(Tensor(Lying(in, ACL_FLOAT, lie)));
      }
    }
  }
}

TEST_F(MaxUnpoolTest, GradientsOfUnpoolingThatDoNotFitAreRefused) {
  const Tensor g({.dims = {2, 4, 4}}), x({.dims = {2, 2, 3}}), none({.dims = {2, 0, 4}});
  const Tensor at({.dims = {2, 2, 3}, .dtype = ACL_INT64}), other({.dims = {3, 2, 3}});
  const auto planes = [&](const Tensor& grad, const Tensor& self, const Shape& sizes) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      const IntArrayHandle size(sizes);
      return aclnnMaxUnpool2dBackwardGetWorkspaceSize(grad.handle(), self.handle(), at.handle(),
                                                      size.get(), x.handle(), s, e);
    };
  };
  const Shape right = {4, 4}, wrong = {4, 3}, empty = {0, 4};
  ExpectRefused(planes(g, x, wrong), 161002, {"outputSize = [4, 3]", "[2, 4, 4]"});
  ExpectRefused(planes(g, other, right), 161002, {"self.shape"});
  ExpectRefused(planes(none, x, empty), 161002, {"gradOutput.shape = [2, 0, 4]", "elements"});
  const Tensor volume({.dims = {2, 1, 2, 2}}), large({.dims = {2, 2, 2, 2}});
  const Tensor places({.dims = {2, 2, 2, 2}, .dtype = ACL_INT64});
  const Tensor turned({.dims = {2, 2, 2, 2}, .strides = {8, 4, 1, 2}});
  const auto volumes = [&](const Tensor& grad, const Tensor& out, int64_t stride) {
    return [&, stride](uint64_t* s, aclOpExecutor** e) {
      const IntArrayHandle size({grad.layout().dims[1], 2, 2}), steps({stride, 1, 1});
      return aclnnMaxUnpool3dBackwardGetWorkspaceSize(grad.handle(), large.handle(),
                                                      places.handle(), size.get(), steps.get(),
                                                      steps.get(), out.handle(), s, e);
    };
  };
  ExpectRefused(volumes(volume, large, 1), 161002, {"outputSize = [1, 2, 2]", "[2, 2, 2, 2]"});
  ExpectRefused(volumes(large, large, 0), 161002, {"stride"});
  ExpectRefused(volumes(large, turned, 1), 161002, {"out"});
  // Volumes that no batch has may be of more elements than a number counts.
  constexpr int64_t kMost = int64_t{1} << 26;
  const Tensor huge({.dims = {0, 1, kMost, kMost, kMost}}), small({.dims = {0, 1, 1, 1, 1}});
  const Tensor nowhere({.dims = {0, 1, 1, 1, 1}, .dtype = ACL_INT64});
  const IntArrayHandle most({kMost, kMost, kMost}), ones({1, 1, 1});
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMaxUnpool3dBackwardGetWorkspaceSize(huge.handle(), small.handle(),
                                                        nowhere.handle(), most.get(), ones.get(),
                                                        ones.get(), small.handle(), s, e);
      },
      aclnnMaxUnpool3dBackward);
}

TEST_F(MaxUnpoolTest, AnIndexThatNamesNothingFailsTheTask) {
  Tensor x({.dims = {1, 2, 2, 2}}), at({.dims = {1, 2, 2, 2}, .dtype = ACL_INT64});
  const Tensor y({.dims = {1, 2, 3, 3}});
  WriteAs(x, std::vector<double>(8, 1.0));
  at.Write(std::vector<int64_t>{0, 1, 2, 3, 4, 5, 9, 7});
  const IntArrayHandle size({3, 3});
  uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_OK(aclnnMaxUnpool2dGetWorkspaceSize(x.handle(), at.handle(), size.get(), y.handle(),
                                             &bytes, &executor));
  EXPECT_EQ(bytes, 0u);
  TakeMessages();
  ASSERT_OK(aclnnMaxUnpool2d(nullptr, bytes, executor, stream()));
  const int code = aclrtSynchronizeStream(stream());
  ExpectFailure(code, ACL_ERROR_RT_AICORE_EXCEPTION, {"indices", "8"});
  EXPECT_TRUE(y.GuardsIntact());
}

}  // namespace
}  // namespace anyacl::test::max_pool
