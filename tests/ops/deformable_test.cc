// SPDX-License-Identifier: Apache-2.0
// Samples at positions that data gives, against the formulas in double precision.
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_deformable_conv2d.h"
#include "aclnnop/aclnn_multi_scale_deformable_attention_grad.h"
#include "aclnnop/aclnn_multi_scale_deformable_attn_function.h"
#include "ops/detection_case.h"
#include "reference/convolution.h"
#include "reference/detection.h"

namespace anyacl::test {
namespace {

// ---- attention

struct AttentionCase {
  int64_t batch, queries, heads, channels, points;
  std::vector<Shape> levels;
};

class DeformableAttentionTest : public DetectionTest {
 protected:
  static Tensor Indices(const Shape& shape, const std::vector<int64_t>& values, bool wide) {
    return Holding(shape, wide ? ACL_INT64 : ACL_INT32, {values.begin(), values.end()}, wide);
  }

  // What the levels are, after a key that is in none.
  struct Pyramid {
    explicit Pyramid(const AttentionCase& c) {
      for (const Shape& level : c.levels) {
        starts.push_back(keys);
        sizes.insert(sizes.end(), level.begin(), level.end());
        keys += level[0] * level[1];
      }
    }
    int64_t keys = 1;
    std::vector<int64_t> starts, sizes;
  };

  // The attention of one point as a sum over keys, with all numbers of the call.
  static void ForKeys(const AttentionCase& c, const Pyramid& p, const Numbers& location,
                      int64_t point, const std::function<void(int64_t, double)>& visit) {
    const auto level = static_cast<size_t>(point / c.points) % c.levels.size();
    const Shape& size = c.levels[level];
    const double x = location[2 * static_cast<size_t>(point)];
    const double y = location[2 * static_cast<size_t>(point) + 1];
    ForElements(size[0], size[1], y * static_cast<double>(size[0]) - 0.5,
                x * static_cast<double>(size[1]) - 0.5,
                [&](int64_t element, double weight) { visit(p.starts[level] + element, weight); });
  }

  void Check(const AttentionCase& c, aclDataType type, bool strided) {
    const Pyramid p(c);
    const auto levels = static_cast<int64_t>(c.levels.size());
    const Shape v_shape = {c.batch, p.keys, c.heads, c.channels};
    const Shape w_shape = {c.batch, c.queries, c.heads, levels, c.points};
    Shape l_shape = w_shape;
    l_shape.push_back(2);
    const Shape o_shape = {c.batch, c.queries, c.heads * c.channels};
    const Numbers v = Some(v_shape, type), w = Some(w_shape, type);
    const Numbers l = Some(l_shape, type, -0.3, 1.3), g = Some(o_shape, type);
    const Tensor value = Holding(v_shape, type, v, strided);
    const Tensor weight = Holding(w_shape, type, w, strided);
    const Tensor location = Holding(l_shape, type, l, strided);
    const Tensor gradient = Holding(o_shape, type, g, strided);
    const Tensor sizes = Indices({levels, 2}, p.sizes, strided);
    const Tensor starts = Indices({levels}, p.starts, !strided);
    const Tensor out = Made(o_shape, type, strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMultiScaleDeformableAttnFunctionGetWorkspaceSize(
              value.handle(), sizes.handle(), starts.handle(), location.handle(), weight.handle(),
              out.handle(), s, e);
        },
        aclnnMultiScaleDeformableAttnFunction);
    const Tensor dv = Made(v_shape, type, strided), dl = Made(l_shape, ACL_FLOAT, strided);
    const Tensor dw = Made(w_shape, type, strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMultiScaleDeformableAttentionGradGetWorkspaceSize(
              value.handle(), sizes.handle(), starts.handle(), location.handle(), weight.handle(),
              gradient.handle(), dv.handle(), dl.handle(), dw.handle(), s, e);
        },
        aclnnMultiScaleDeformableAttentionGrad);

    Numbers expected(g.size()), by_value(v.size()), by_weight(w.size()), by_location(l.size());
    for (int64_t i = 0; i < weight.count(); ++i) {
      const auto at = static_cast<size_t>(i);
      const int64_t head = i / (levels * c.points) % c.heads;
      const int64_t query = i / (levels * c.points * c.heads);  // of all batches
      const int64_t row = query * c.heads * c.channels + head * c.channels;
      const auto first = [&](int64_t key) {
        return ((query / c.queries * p.keys + key) * c.heads + head) * c.channels;
      };
      // The gradient times the value at the point.
      const auto product = [&](const Numbers& where) {
        double sum = 0;
        ForKeys(c, p, where, i, [&](int64_t key, double part) {
          for (int64_t ch = 0; ch < c.channels; ++ch) {
            sum +=
                part * g[static_cast<size_t>(row + ch)] * v[static_cast<size_t>(first(key) + ch)];
          }
        });
        return sum;
      };
      ForKeys(c, p, l, i, [&](int64_t key, double part) {
        for (int64_t ch = 0; ch < c.channels; ++ch) {
          const auto from = static_cast<size_t>(first(key) + ch);
          expected[static_cast<size_t>(row + ch)] += w[at] * part * v[from];
          by_value[from] += w[at] * part * g[static_cast<size_t>(row + ch)];
        }
      });
      by_weight[at] = product(l);
      for (size_t axis : {2 * at, 2 * at + 1}) {
        // On an element, where the slope changes, that behind it.
        constexpr double kStep = 1e-7;
        Numbers moved = l;
        moved[axis] += kStep;
        by_location[axis] = w[at] * (product(moved) - by_weight[at]) / kStep;
      }
    }
    ExpectNear(out, expected, 2e-5);
    ExpectNear(dv, by_value, 2e-5);
    ExpectNear(dw, by_weight, 2e-5);
    ExpectNear(dl, by_location, 1e-3);
  }
};

TEST_F(DeformableAttentionTest, ResultsAndGradients) {
  for (bool strided : {false, true}) {
    Check({2, 33, 3, 16, 4, {{5, 7}, {3, 2}, {1, 1}}}, ACL_FLOAT, strided);
    Check({1, 32, 2, 8, 1, {{4, 9}}}, ACL_FLOAT, strided);
    Check({2, 32, 1, 8, 3, {{6, 5}, {3, 3}}}, ACL_FLOAT16, strided);
    Check({2, 32, 1, 8, 2, {{5, 3}, {3, 6}}}, ACL_BF16, strided);
  }
}

TEST_F(DeformableAttentionTest, LevelsThatThereAreNot) {
  const Shape v_shape = {1, 6, 1, 8}, w_shape = {1, 32, 1, 1, 1}, l_shape = {1, 32, 1, 1, 1, 2};
  const Tensor value = Holding(v_shape, ACL_FLOAT, Numbers(48, 1));
  const Tensor weight = Holding(w_shape, ACL_FLOAT, Numbers(32, 1));
  const Tensor middle = Holding(l_shape, ACL_FLOAT, Numbers(64, 0.75));
  const Tensor corner = Holding(l_shape, ACL_FLOAT, Numbers(64, 0));
  const Tensor gradient = Holding({1, 32, 8}, ACL_FLOAT, Numbers(256, 1));
  const Tensor out({.dims = {1, 32, 8}}), dv({.dims = v_shape}), dw({.dims = w_shape});
  const Tensor dl({.dims = l_shape});
  const std::vector<uint8_t> untouched = out.Bytes(), unchanged = dv.Bytes();
  struct Wrong {
    int64_t height, width, start;
    const char* word;
  };
  const int64_t large = INT64_MAX, most = INT32_MAX;
  const auto forward = [&](const Tensor& sizes, const Tensor& starts, const Tensor& location) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnMultiScaleDeformableAttnFunctionGetWorkspaceSize(
          value.handle(), sizes.handle(), starts.handle(), location.handle(), weight.handle(),
          out.handle(), s, e);
    };
  };
  for (const Wrong& w : {Wrong{-1, 2, 0, "spatialShape"}, Wrong{large, large, 0, "spatialShape"},
                         Wrong{2, most + 1, 0, "spatialShape"}, Wrong{2, 3, -1, "levelStartIndex"},
                         Wrong{2, 3, 7, "levelStartIndex"}, Wrong{2, 3, 1, "location"},
                         Wrong{most, most, 0, "location"}, Wrong{3, 3, 0, "location"}}) {
    const Tensor sizes = Indices({1, 2}, {w.height, w.width}, true);
    const Tensor starts = Indices({1}, {w.start}, true);
    ExpectTaskFails(forward(sizes, starts, middle), aclnnMultiScaleDeformableAttnFunction, w.word);
    ExpectTaskFails(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMultiScaleDeformableAttentionGradGetWorkspaceSize(
              value.handle(), sizes.handle(), starts.handle(), middle.handle(), weight.handle(),
              gradient.handle(), dv.handle(), dl.handle(), dw.handle(), s, e);
        },
        aclnnMultiScaleDeformableAttentionGrad, w.word);
  }
  EXPECT_EQ(out.Bytes(), untouched);
  EXPECT_EQ(dv.Bytes(), unchanged);
  // CANN's example programs name sizes that they have not, and meet the first key alone.
  const Tensor sizes = Indices({1, 2}, {most, most}, true), starts = Indices({1}, {0}, true);
  RunTwoPhase(forward(sizes, starts, corner), aclnnMultiScaleDeformableAttnFunction);
  EXPECT_EQ(ReadAs(out), Numbers(256, 0.25));
}

TEST_F(DeformableAttentionTest, PositionsThatAreNoNumbersAndLimits) {
  const auto call = [&](const Shape& v_shape, const Shape& l_shape, const Tensor& location,
                        const Tensor& out) {
    return [=, &location, &out](uint64_t* s, aclOpExecutor** e) {
      Shape w_shape = l_shape;
      w_shape.pop_back();
      const Tensor value({.dims = v_shape}), weight({.dims = w_shape});
      const Tensor sizes({.dims = {l_shape[3], 2}, .dtype = ACL_INT32});
      const Tensor starts({.dims = {l_shape[3]}, .dtype = ACL_INT32});
      return aclnnMultiScaleDeformableAttnFunctionGetWorkspaceSize(
          value.handle(), sizes.handle(), starts.handle(), location.handle(), weight.handle(),
          out.handle(), s, e);
    };
  };
  const auto refused = [&](const Shape& v_shape, const Shape& l_shape, const char* word) {
    const Tensor location({.dims = l_shape});
    const Tensor out({.dims = {v_shape[0], l_shape[1], v_shape[2] * v_shape[3]}});
    ExpectRefused(call(v_shape, l_shape, location, out), ACLNN_ERR_PARAM_INVALID, {word});
  };
  refused({1, 6, 1, 8}, {1, 31, 1, 1, 1, 2}, "queries");
  refused({1, 6, 17, 8}, {1, 32, 17, 1, 1, 2}, "heads");
  refused({1, 6, 1, 8}, {1, 32, 1, 17, 1, 2}, "levels");
  refused({1, 6, 1, 8}, {1, 32, 1, 1, 17, 2}, "points");
  refused({1, 6, 1, 264}, {1, 32, 1, 1, 1, 2}, "channels");
  refused({1, 6, 1, 12}, {1, 32, 1, 1, 1, 2}, "value");

  Numbers where(64, 0.5);
  where[0] = NAN;
  where[3] = INFINITY;
  where[4] = -1e30;
  const Tensor value = Holding({1, 1, 1, 8}, ACL_FLOAT, Numbers(8, 3));
  const Tensor location = Holding({1, 32, 1, 1, 1, 2}, ACL_FLOAT, where);
  const Tensor weight = Holding({1, 32, 1, 1, 1}, ACL_FLOAT, Numbers(32, 1));
  const Tensor sizes = Indices({1, 2}, {1, 1}, false), starts = Indices({1}, {0}, false);
  const Tensor out({.dims = {1, 32, 8}});
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMultiScaleDeformableAttnFunctionGetWorkspaceSize(
            value.handle(), sizes.handle(), starts.handle(), location.handle(), weight.handle(),
            out.handle(), s, e);
      },
      aclnnMultiScaleDeformableAttnFunction);
  Numbers expected(256, 3);
  std::fill_n(expected.begin(), 24, 0.0);
  EXPECT_EQ(ReadAs(out), expected);
}

// ---- convolution

class DeformableConvTest : public DetectionTest {
 protected:
  struct Case {
    Shape x, weight;                  // weight: [O, C / groups, K, L]
    Shape stride, padding, dilation;  // padding: above, below, left, right
    int64_t groups = 1, deformable = 1;
  };

  Phase1 Call(const Case& c, const Tensor& x, const Tensor& weight, const Tensor& offset,
              const aclTensor* bias, const Tensor& out, const aclTensor* sampled,
              bool modulated = true) {
    return [=, &x, &weight, &offset, &out](uint64_t* s, aclOpExecutor** e) {
      const IntArrayHandle kernel({c.weight[2], c.weight[3]}), padding(c.padding);
      const IntArrayHandle stride({1, 1, c.stride[0], c.stride[1]});
      const IntArrayHandle dilation({1, 1, c.dilation[0], c.dilation[1]});
      return aclnnDeformableConv2dGetWorkspaceSize(
          x.handle(), weight.handle(), offset.handle(), bias, kernel.get(), stride.get(),
          padding.get(), dilation.get(), c.groups, c.deformable, modulated, out.handle(),
          const_cast<aclTensor*>(sampled), s, e);
    };
  }

  void Check(const Case& c, aclDataType type, bool strided, bool has_bias, bool has_samples) {
    const int64_t k = c.weight[2], l = c.weight[3], taps = c.deformable * k * l;
    const auto size = [&](size_t axis) {
      return (c.x[axis + 2] + c.padding[2 * axis] + c.padding[2 * axis + 1] -
              (c.weight[axis + 2] - 1) * c.dilation[axis] - 1) /
                 c.stride[axis] +
             1;
    };
    const int64_t rows = size(0), columns = size(1), area = rows * columns;
    const Shape o_shape = {c.x[0], 3 * taps, rows, columns};
    const Shape s_shape = {c.x[0], c.x[1], rows * k, columns * l};
    const Shape y_shape = {c.x[0], c.weight[0], rows, columns};
    const Numbers xs = Some(c.x, type), ws = Some(c.weight, type), os = Some(o_shape, type);
    const Numbers bs = Some({c.weight[0]}, type);
    const Tensor x = Image(c.x, type, strided, xs), weight = Image(c.weight, type, strided, ws);
    const Tensor offset = Image(o_shape, type, strided, os), out = Image(y_shape, type, strided);
    const Tensor sampled = Image(s_shape, type, strided);
    const Tensor bias = Holding({c.weight[0]}, type, bs, strided);
    RunTwoPhase(Call(c, x, weight, offset, has_bias ? bias.handle() : nullptr, out,
                     has_samples ? sampled.handle() : nullptr),
                aclnnDeformableConv2d);
    Numbers samples;
    for (int64_t i = 0; i < sampled.count(); ++i) {
      const int64_t across = i % s_shape[3], down = i / s_shape[3] % s_shape[2];
      const int64_t channel = i / s_shape[3] / s_shape[2] % c.x[1];
      const int64_t n = i / s_shape[3] / s_shape[2] / c.x[1];
      const int64_t group = channel / (c.x[1] / c.deformable);
      const int64_t tap = (group * k + down % k) * l + across % l;
      const auto told = [&](int64_t part) {
        return os[static_cast<size_t>((n * 3 * taps + part * taps + tap) * area +
                                      down / k * columns + across / l)];
      };
      const auto place = [&](size_t axis, int64_t at, int64_t of_tap) {
        return static_cast<double>(at * c.stride[axis] - c.padding[2 * axis] +
                                   of_tap * c.dilation[axis]);
      };
      double sum = 0;
      ForElements(c.x[2], c.x[3], place(0, down / k, down % k) + told(1),
                  place(1, across / l, across % l) + told(0), [&](int64_t at, double part) {
                    sum += part *
                           xs[static_cast<size_t>((n * c.x[1] + channel) * c.x[2] * c.x[3] + at)];
                  });
      samples.push_back(sum * told(2));
    }
    if (has_samples) ExpectNear(sampled, samples);
    const ConvolutionCase plain = {.input = s_shape,
                                   .weight = c.weight,
                                   .stride = {k, l},
                                   .padding = {0, 0},
                                   .dilation = {1, 1},
                                   .groups = c.groups};
    ExpectNear(out, ConvolutionOf(plain, samples, ws, has_bias ? bs : Numbers{}).values, 1e-4);
  }
};

TEST_F(DeformableConvTest, Results) {
  const Case usual = {{2, 6, 7, 8}, {4, 6, 3, 3}, {1, 1}, {1, 1, 1, 1}, {1, 1}};
  const Case grouped = {{1, 6, 9, 5}, {4, 3, 3, 2}, {2, 1}, {2, 1, 0, 3}, {2, 3}, 2, 3};
  const Case single = {{3, 4, 1, 5}, {2, 4, 1, 1}, {1, 2}, {0, 0, -1, 1}, {1, 1}, 1, 4};
  for (const Case& c : {usual, grouped, single}) {
    for (aclDataType type : kFloatTypes) {
      for (bool strided : {false, true}) {
        Check(c, type, strided, strided, true);
        Check(c, type, strided, !strided, false);
      }
    }
  }
}

TEST_F(DeformableConvTest, WrongCallsEmptyOnesAndNoNumbers) {
  const Case c = {{1, 2, 3, 3}, {2, 2, 1, 1}, {1, 1}, {0, 0, 0, 0}, {1, 1}};
  const Tensor x = Image(c.x, ACL_FLOAT, false, Numbers(18, 1));
  const Tensor weight = Image(c.weight, ACL_FLOAT, false, Numbers(4, 1));
  Numbers moved(27, 0);
  std::fill_n(moved.begin() + 18, 9, 1.0);
  moved[0] = NAN;
  moved[1] = 1e30;
  const Tensor offset = Image({1, 3, 3, 3}, ACL_FLOAT, false, moved);
  const Tensor out = Image({1, 2, 3, 3}, ACL_FLOAT, false);
  const int code = ACLNN_ERR_PARAM_INVALID;
  const auto refused = [&](const Case& wrong, std::initializer_list<std::string_view> words) {
    ExpectRefused(Call(wrong, x, weight, offset, nullptr, out, nullptr), code, words);
  };
  RunTwoPhase(Call(c, x, weight, offset, nullptr, out, nullptr), aclnnDeformableConv2d);
  EXPECT_EQ(ReadAs(out), Numbers({0, 0, 2, 2, 2, 2, 2, 2, 2, 0, 0, 2, 2, 2, 2, 2, 2, 2}));
  ExpectRefused(Call(c, x, weight, offset, nullptr, out, nullptr, false), code, {"modulated"});
  Case wrong = c;
  wrong.stride = {0, 1};
  refused(wrong, {"stride"});
  wrong = c;
  wrong.dilation = {1, INT64_MAX};
  refused(wrong, {"dilation"});
  wrong = c;
  wrong.padding = {INT64_MAX, INT64_MAX, 0, 0};
  refused(wrong, {"padding"});
  wrong.padding = {1, 0, 0};
  refused(wrong, {"padding"});
  wrong = c;
  wrong.padding = {1, 0, 0, 0};
  refused(wrong, {"offset"});
  wrong = c;
  wrong.deformable = 3;
  refused(wrong, {"deformableGroups"});
  wrong = c;
  wrong.weight = {2, 2, 64, 64};
  refused(wrong, {"kernelSize", "2048"});
  wrong.weight = {2, 2, INT64_MAX, 2};
  refused(wrong, {"kernelSize"});
  const Tensor plain({.dims = {1, 2, 3, 3}}), named = Image({2}, ACL_FLOAT, false);
  ExpectRefused(Call(c, x, weight, offset, nullptr, plain, nullptr), code, {"out", "NCHW"});
  ExpectRefused(Call(c, x, weight, offset, named.handle(), out, nullptr), code, {"biasOptional"});
  Case none = c;
  none.x = {0, 2, 3, 3};
  const Tensor no_x = Image(none.x, ACL_FLOAT, false), no_out = Image(none.x, ACL_FLOAT, false);
  const Tensor no_offset = Image({0, 3, 3, 3}, ACL_FLOAT, false);
  RunTwoPhase(Call(none, no_x, weight, no_offset, nullptr, no_out, nullptr), aclnnDeformableConv2d);
}

}  // namespace
}  // namespace anyacl::test
