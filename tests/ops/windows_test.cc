// SPDX-License-Identifier: Apache-2.0
// Paddings that repeat elements, windows as columns, and their gradients: the oracle says which
// element of the input each element of a result is.
#include <complex>
#include <functional>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_circular_pad2d.h"
#include "aclnnop/aclnn_circular_pad2d_backward.h"
#include "aclnnop/aclnn_circular_pad3d.h"
#include "aclnnop/aclnn_circular_pad3d_backward.h"
#include "aclnnop/aclnn_im2col.h"
#include "aclnnop/aclnn_im2col_backward.h"
#include "aclnnop/aclnn_pad2d_backward.h"
#include "aclnnop/aclnn_reflection_pad1d.h"
#include "aclnnop/aclnn_reflection_pad1d_backward.h"
#include "aclnnop/aclnn_reflection_pad2d.h"
#include "aclnnop/aclnn_reflection_pad3d.h"
#include "aclnnop/aclnn_reflection_pad3d_backward.h"
#include "aclnnop/aclnn_replication_pad1d.h"
#include "aclnnop/aclnn_replication_pad1d_backward.h"
#include "aclnnop/aclnn_replication_pad2d.h"
#include "aclnnop/aclnn_replication_pad3d.h"
#include "aclnnop/aclnn_replication_pad3d_backward.h"
#include "aclnnop/aclnn_unfold_grad.h"
#include "ops/movement_case.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

Shape IndexOf(int64_t flat, const Shape& shape) {
  Shape index(shape.size());
  for (size_t i = shape.size(); i-- > 0; flat /= shape[i]) index[i] = flat % shape[i];
  return index;
}
int64_t FlatOf(const Shape& index, const Shape& shape) {
  int64_t flat = 0;
  for (size_t i = 0; i < shape.size(); ++i) flat = flat * shape[i] + index[i];
  return flat;
}

enum class Beyond { kReflect, kReplicate, kWrap };

int64_t Continued(int64_t at, int64_t size, Beyond beyond) {
  if (at >= 0 && at < size) return at;
  if (beyond == Beyond::kReplicate) return at < 0 ? 0 : size - 1;
  if (beyond == Beyond::kWrap) return at < 0 ? at + size : at - size;
  return at < 0 ? -at : 2 * size - 2 - at;
}

// Padding is before and after each dimension, from the last one.
Moved PadOf(const Shape& self, const std::vector<int64_t>& padding, Beyond beyond) {
  Moved moved{self, {}};
  for (size_t i = 0; i < padding.size(); ++i) moved.shape[self.size() - 1 - i / 2] += padding[i];
  for (int64_t k = 0; k < CountOf(moved.shape); ++k) {
    Shape at = IndexOf(k, moved.shape);
    for (size_t i = 0; i < padding.size(); i += 2) {
      const size_t d = self.size() - 1 - i / 2;
      at[d] = Continued(at[d] - padding[i], self[d], beyond);
    }
    moved.from.push_back(FlatOf(at, self));
  }
  return moved;
}

constexpr aclDataType kSummedTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};

class WindowsTest : public MovementTest {
 protected:
  // Small integers are summed exactly in every type.
  std::vector<double> Numbers(int64_t count) {
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) {
      values.push_back(static_cast<double>(random().Int(-3, 3)));
    }
    return values;
  }
  // The gradient of self: sums over what came of each element.
  void CheckSums(const Shape& self, const Moved& moved,
                 const std::function<Phase1(const aclTensor* grad, const aclTensor* self,
                                            aclTensor* out)>& call,
                 Phase2 phase2, std::span<const aclDataType> types = kSummedTypes) {
    const std::vector<double> grads = Numbers(CountOf(moved.shape));
    std::vector<double> sums(static_cast<size_t>(CountOf(self)));
    for (size_t k = 0; k < grads.size(); ++k) {
      if (moved.from[k] >= 0) sums[static_cast<size_t>(moved.from[k])] += grads[k];
    }
    for (aclDataType type : types) {
      for (Lie from : kInputLies) {
        if (from == Lie::kExpanded) continue;
        for (Lie to : kOutputLies) {
          SCOPED_TRACE(::testing::PrintToString(self) + std::to_string(type));
          Tensor grad(Lying(moved.shape, type, from)), input(Lying(self, type, Lie::kDense));
          Tensor out(Lying(self, type, to));
          WriteAs(grad, grads);
          RunTwoPhase(call(grad.handle(), input.handle(), out.handle()), phase2);
          ASSERT_EQ(ReadAs(out), AsHeld(type, sums));
          EXPECT_TRUE(out.GuardsIntact());
        }
      }
    }
  }
};

using PadFirst = aclnnStatus (*)(const aclTensor*, const aclIntArray*, aclTensor*, uint64_t*,
                                 aclOpExecutor**);
using PadBackFirst = aclnnStatus (*)(const aclTensor*, const aclTensor*, const aclIntArray*,
                                     aclTensor*, uint64_t*, aclOpExecutor**);
struct Pad {
  Beyond beyond;
  PadFirst first;
  Phase2 second;
  PadBackFirst back_first;
  Phase2 back_second;
  Shape self;
  std::vector<int64_t> padding;
};

std::vector<Pad> Pads() {
  const Shape one{2, 7}, two{2, 3, 5, 6}, three{3, 4, 3, 5};
  std::vector<Pad> pads;
  const auto add = [&](const Pad& members, const Shape& self,
                       const std::vector<std::vector<int64_t>>& paddings) {
    for (const std::vector<int64_t>& padding : paddings) {
      pads.push_back(members);
      pads.back().self = self;
      pads.back().padding = padding;
    }
  };
  const std::vector<std::vector<int64_t>> p1 = {{2, 3}, {0, 6}, {-1, 2}, {0, 0}};
  const std::vector<std::vector<int64_t>> p2 = {{2, 3, 1, 4}, {0, 1, 2, 0}, {5, 5, 4, 4}};
  const std::vector<std::vector<int64_t>> p3 = {{2, 3, 1, 2, 3, 1}, {0, 1, 2, 0, 0, 0}};
  add({Beyond::kReflect,
       aclnnReflectionPad1dGetWorkspaceSize,
       aclnnReflectionPad1d,
       aclnnReflectionPad1dBackwardGetWorkspaceSize,
       aclnnReflectionPad1dBackward,
       {},
       {}},
      one, p1);
  add({Beyond::kReplicate,
       aclnnReplicationPad1dGetWorkspaceSize,
       aclnnReplicationPad1d,
       aclnnReplicationPad1dBackwardGetWorkspaceSize,
       aclnnReplicationPad1dBackward,
       {},
       {}},
      one, p1);
  add({Beyond::kReflect,
       aclnnReflectionPad2dGetWorkspaceSize,
       aclnnReflectionPad2d,
       aclnnReflectionPad2dBackwardGetWorkspaceSize,
       aclnnReflectionPad2dBackward,
       {},
       {}},
      two, p2);
  add({Beyond::kReplicate,
       aclnnReplicationPad2dGetWorkspaceSize,
       aclnnReplicationPad2d,
       aclnnReplicationPad2dBackwardGetWorkspaceSize,
       aclnnReplicationPad2dBackward,
       {},
       {}},
      two, p2);
  add({Beyond::kReflect,
       aclnnReflectionPad3dGetWorkspaceSize,
       aclnnReflectionPad3d,
       aclnnReflectionPad3dBackwardGetWorkspaceSize,
       aclnnReflectionPad3dBackward,
       {},
       {}},
      three, p3);
  add({Beyond::kReplicate,
       aclnnReplicationPad3dGetWorkspaceSize,
       aclnnReplicationPad3d,
       aclnnReplicationPad3dBackwardGetWorkspaceSize,
       aclnnReplicationPad3dBackward,
       {},
       {}},
      three, p3);
  add({Beyond::kWrap,
       aclnnCircularPad2dGetWorkspaceSize,
       aclnnCircularPad2d,
       aclnnCircularPad2dBackwardGetWorkspaceSize,
       aclnnCircularPad2dBackward,
       {},
       {}},
      two, p2);
  add({Beyond::kWrap,
       aclnnCircularPad3dGetWorkspaceSize,
       aclnnCircularPad3d,
       aclnnCircularPad3dBackwardGetWorkspaceSize,
       aclnnCircularPad3dBackward,
       {},
       {}},
      three, p3);
  return pads;
}

TEST_F(WindowsTest, Paddings) {
  for (const Pad& pad : Pads()) {
    const bool wraps = pad.beyond == Beyond::kWrap;  // which fewer types know
    SCOPED_TRACE(::testing::PrintToString(pad.self) + ::testing::PrintToString(pad.padding));
    const IntArrayHandle padding(pad.padding);
    const Moved moved = PadOf(pad.self, pad.padding, pad.beyond);
    Check(
        pad.self, moved,
        [&](const aclTensor* self, aclTensor* out) -> Phase1 {
          return [&, self, out](uint64_t* size, aclOpExecutor** executor) {
            return pad.first(self, padding.get(), out, size, executor);
          };
        },
        pad.second, wraps ? std::span(kSizedTypes).first(3) : std::span(kSizedTypes));
    CheckSums(
        pad.self, moved,
        [&](const aclTensor* grad, const aclTensor* self, aclTensor* out) -> Phase1 {
          return [&, grad, self, out](uint64_t* size, aclOpExecutor** executor) {
            return pad.back_first(grad, self, padding.get(), out, size, executor);
          };
        },
        pad.back_second, wraps ? std::span(kSummedTypes).first(3) : std::span(kSummedTypes));
  }
}

TEST_F(WindowsTest, PaddingsThatDoNotFitAreRefused) {
  Tensor self({.dims = {2, 3}}), out({.dims = {2, 8}});
  const auto refuse = [&](const std::vector<int64_t>& values,
                          std::initializer_list<std::string_view> words) {
    const IntArrayHandle padding(values);
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnReflectionPad1dGetWorkspaceSize(self.handle(), padding.get(), out.handle(),
                                                      size, executor);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  refuse({3, 2}, {"padding", "3", "2"});
  refuse({1}, {"padding", "1", "2"});
  refuse({1, 1}, {"out", "[2, 8]", "[2, 5]"});
  refuse({-4, 0}, {"padding", "-4"});
}

TEST_F(WindowsTest, CircularPaddingsThatDoNotFitAreRefused) {
  const auto refuse = [&](const Shape& shape, const std::vector<int64_t>& values,
                          std::initializer_list<std::string_view> words) {
    const Tensor self({.dims = shape}), out({.dims = {1, 8, 7}});
    const IntArrayHandle padding(values);
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnCircularPad2dGetWorkspaceSize(self.handle(), padding.get(), out.handle(),
                                                    size, executor);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  refuse({1, 4, 3}, {3, 1, 2, 2}, {"padding = [3, 1, 2, 2]", "0 to 2"});
  refuse({1, 4, 3}, {2, 2, -1, 5}, {"padding", "0 to 3"});
  refuse({1, 4, 3}, {2, 2, 2}, {"padding has 3 elements", "4"});
  refuse({4, 3}, {2, 2, 2, 2}, {"self.shape = [4, 3]", "3 or 4"});
  refuse({0, 4, 3}, {2, 2, 2, 2}, {"self.shape = [0, 4, 3]"});
  refuse({1, 5, 3}, {2, 2, 2, 2}, {"out.shape = [1, 8, 7]", "[1, 9, 7]"});
}

struct Window {
  Shape self;
  std::vector<int64_t> kernel, dilation, padding, stride;
};

Moved ColumnsOf(const Window& w) {
  const size_t c = w.self.size() - 3;
  int64_t count[2];
  for (size_t i = 0; i < 2; ++i) {
    count[i] = (w.self[c + 1 + i] + 2 * w.padding[i] - w.dilation[i] * (w.kernel[i] - 1) - 1) /
                   w.stride[i] +
               1;
  }
  Moved moved;
  if (c == 1) moved.shape.push_back(w.self[0]);
  moved.shape.push_back(w.self[c] * w.kernel[0] * w.kernel[1]);
  moved.shape.push_back(count[0] * count[1]);
  for (int64_t k = 0; k < CountOf(moved.shape); ++k) {
    const Shape at = IndexOf(k, moved.shape);
    const int64_t row = at[c], column = at[c + 1];
    Shape in;
    if (c == 1) in.push_back(at[0]);
    in.push_back(row / (w.kernel[0] * w.kernel[1]));
    const int64_t element[2] = {row / w.kernel[1] % w.kernel[0], row % w.kernel[1]};
    const int64_t window[2] = {column / count[1], column % count[1]};
    bool inside = true;
    for (size_t i = 0; i < 2; ++i) {
      in.push_back(window[i] * w.stride[i] + element[i] * w.dilation[i] - w.padding[i]);
      inside &= in.back() >= 0 && in.back() < w.self[c + 1 + i];
    }
    moved.from.push_back(inside ? FlatOf(in, w.self) : -1);
  }
  return moved;
}

TEST_F(WindowsTest, Columns) {
  const Window windows[] = {{{2, 3, 6, 7}, {2, 3}, {1, 1}, {0, 0}, {1, 1}},
                            {{2, 3, 6, 7}, {3, 2}, {2, 1}, {1, 2}, {2, 3}},
                            {{3, 5, 5}, {3, 3}, {1, 2}, {2, 1}, {1, 2}},
                            {{1, 4, 4}, {4, 4}, {1, 1}, {0, 0}, {1, 1}}};
  for (const Window& w : windows) {
    const IntArrayHandle kernel(w.kernel), dilation(w.dilation), padding(w.padding);
    const IntArrayHandle stride(w.stride);
    const std::vector<int64_t> image(w.self.end() - 2, w.self.end());
    const IntArrayHandle input(image);
    const Moved moved = ColumnsOf(w);
    Check(
        w.self, moved,
        [&](const aclTensor* self, aclTensor* out) -> Phase1 {
          return [&, self, out](uint64_t* size, aclOpExecutor** executor) {
            return aclnnIm2colGetWorkspaceSize(self, kernel.get(), dilation.get(), padding.get(),
                                               stride.get(), out, size, executor);
          };
        },
        aclnnIm2col, std::span(kSizedTypes, 4));
    CheckSums(
        w.self, moved,
        [&](const aclTensor* grad, const aclTensor*, aclTensor* out) -> Phase1 {
          return [&, grad, out](uint64_t* size, aclOpExecutor** executor) {
            return aclnnIm2colBackwardGetWorkspaceSize(grad, input.get(), kernel.get(),
                                                       dilation.get(), padding.get(), stride.get(),
                                                       out, size, executor);
          };
        },
        aclnnIm2colBackward);
  }
}

// One window after the other: the columns themselves, in another type.
TEST_F(WindowsTest, SumsOfColumnsMayHaveAnotherType) {
  Tensor grad({.dims = {4, 2}, .dtype = ACL_FLOAT16});
  const Tensor out({.dims = {1, 2, 4}});
  WriteAs(grad, {1, 2, 3, 4, 5, 6, 7, 8});
  const IntArrayHandle image({2, 4}), two({2, 2}), one({1, 1}), none({0, 0});
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnIm2colBackwardGetWorkspaceSize(grad.handle(), image.get(), two.get(), one.get(),
                                                   none.get(), two.get(), out.handle(), size,
                                                   executor);
      },
      aclnnIm2colBackward);
  EXPECT_EQ(ReadAs(out), (std::vector<double>{1, 3, 2, 4, 5, 7, 6, 8}));
}

TEST_F(WindowsTest, UnfoldGrad) {
  struct Case {
    Shape self;
    int64_t dim, size, step;
  };
  const Case cases[] = {
      {{9}, 0, 3, 2}, {{4, 9}, 1, 3, 1}, {{7, 4}, 0, 2, 3}, {{2, 6, 3}, -2, 6, 1}};
  for (const Case& c : cases) {
    const auto d = static_cast<size_t>(c.dim < 0 ? c.dim + std::ssize(c.self) : c.dim);
    Moved moved{c.self, {}};
    moved.shape[d] = (c.self[d] - c.size) / c.step + 1;
    moved.shape.push_back(c.size);
    for (int64_t k = 0; k < CountOf(moved.shape); ++k) {
      Shape at = IndexOf(k, moved.shape);
      at[d] = at[d] * c.step + at.back();
      at.pop_back();
      moved.from.push_back(FlatOf(at, c.self));
    }
    const IntArrayHandle sizes(c.self);
    CheckSums(
        c.self, moved,
        [&](const aclTensor* grad, const aclTensor*, aclTensor* out) -> Phase1 {
          return [&, grad, out](uint64_t* size, aclOpExecutor** executor) {
            return aclnnUnfoldGradGetWorkspaceSize(grad, sizes.get(), c.dim, c.size, c.step, out,
                                                   size, executor);
          };
        },
        aclnnUnfoldGrad);
  }
}

// It is unfolded to a row of one window.
TEST_F(WindowsTest, UnfoldGradOfANumber) {
  const IntArrayHandle sizes({});
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    Tensor grad({.dims = {1}, .dtype = type});
    const Tensor out({.dims = {}, .dtype = type});
    WriteAs(grad, {2.5});
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnUnfoldGradGetWorkspaceSize(grad.handle(), sizes.get(), -1, 1, 3, out.handle(),
                                                 size, executor);
        },
        aclnnUnfoldGrad);
    EXPECT_EQ(ReadAs(out), std::vector<double>{2.5});
  }
}

// Parts of complex numbers are two images.
TEST_F(WindowsTest, GradientsOfComplexPaddings) {
  const Shape self{2, 3, 5, 6};
  const std::vector<int64_t> padding{2, 3, 1, 4};
  const Moved moved = PadOf(self, padding, Beyond::kReflect);
  const IntArrayHandle pad(padding);
  std::vector<std::complex<double>> grads, sums(static_cast<size_t>(CountOf(self)));
  for (int64_t from : moved.from) {
    grads.emplace_back(static_cast<double>(random().Int(-3, 3)),
                       static_cast<double>(random().Int(-3, 3)));
    sums[static_cast<size_t>(from)] += grads.back();
  }
  for (aclDataType type : {ACL_COMPLEX64, ACL_COMPLEX128}) {
    for (Lie lie : kOutputLies) {
      Tensor grad(Lying(moved.shape, type, lie)), input(Lying(self, type, Lie::kDense));
      Tensor out(Lying(self, type, lie));
      WriteComplex(grad, grads);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnReflectionPad2dBackwardGetWorkspaceSize(
                grad.handle(), input.handle(), pad.get(), out.handle(), size, executor);
          },
          aclnnReflectionPad2dBackward);
      EXPECT_EQ(ReadComplex(out), sums);
      EXPECT_TRUE(out.GuardsIntact());
    }
  }
}

// Of tensors without elements, batches of none alone are padded.
TEST_F(WindowsTest, PaddingsOfNothing) {
  const IntArrayHandle padding({1, 1, 1, 1});
  const auto pad = [&](const Tensor& self, const Tensor& out) -> Phase1 {
    return [&](uint64_t* size, aclOpExecutor** executor) {
      return aclnnReflectionPad2dGetWorkspaceSize(self.handle(), padding.get(), out.handle(), size,
                                                  executor);
    };
  };
  const auto fold = [&](const Tensor& self, const Tensor& padded) -> Phase1 {
    return [&](uint64_t* size, aclOpExecutor** executor) {
      return aclnnReflectionPad2dBackwardGetWorkspaceSize(
          padded.handle(), self.handle(), padding.get(), self.handle(), size, executor);
    };
  };
  const Tensor no_batches({.dims = {0, 1, 3, 4}}), padded_batches({.dims = {0, 1, 5, 6}});
  const Tensor no_channels({.dims = {0, 3, 4}}), padded_channels({.dims = {0, 5, 6}});
  const Tensor neither({.dims = {1, 0, 3, 4}}), padded_neither({.dims = {1, 0, 5, 6}});
  RunTwoPhase(pad(no_batches, padded_batches), aclnnReflectionPad2d);
  RunTwoPhase(fold(no_batches, padded_batches), aclnnReflectionPad2dBackward);
  RunTwoPhase(fold(no_channels, padded_channels), aclnnReflectionPad2dBackward);
  ExpectRefused(pad(no_channels, padded_channels), 161002, {"self.shape", "[0, 3, 4]", "0"});
  ExpectRefused(pad(neither, padded_neither), 161002, {"self.shape", "[1, 0, 3, 4]", "1"});
  ExpectRefused(fold(neither, padded_neither), 161002, {"self.shape", "[1, 0, 3, 4]", "1"});
}

TEST_F(WindowsTest, ColumnsThatDoNotFitAreRefused) {
  const IntArrayHandle kernel({2, 2}), one({1, 1}), none({0, 0});
  Tensor self({.dims = {3, 5, 6}});
  for (const Shape& shape : {Shape{12, 19}, Shape{11, 20}}) {  // [3 * 2 * 2, 4 * 5]
    Tensor out({.dims = shape});
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnIm2colGetWorkspaceSize(self.handle(), kernel.get(), one.get(), none.get(),
                                             one.get(), out.handle(), size, executor);
        },
        ACLNN_ERR_PARAM_INVALID, {"out", "3 * 2 * 2 rows", "4 * 5 columns"});
  }
}

}  // namespace
}  // namespace anyacl::test
