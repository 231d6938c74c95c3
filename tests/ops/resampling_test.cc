// SPDX-License-Identifier: Apache-2.0
// Interpolation and its gradients against the formulas in double precision.
#include "reference/resampling.h"

#include "aclnnop/aclnn_resize.h"
#include "aclnnop/aclnn_upsample_bicubic2d_aa.h"
#include "aclnnop/aclnn_upsample_bicubic2d_aa_grad.h"
#include "aclnnop/aclnn_upsample_bicubic_2d.h"
#include "aclnnop/aclnn_upsample_bicubic_2d_backward.h"
#include "aclnnop/aclnn_upsample_bilinear2d_aa.h"
#include "aclnnop/aclnn_upsample_bilinear2d_aa_backward.h"
#include "aclnnop/aclnn_upsample_bilinear_2d.h"
#include "aclnnop/aclnn_upsample_bilinear_2d_backward.h"
#include "aclnnop/aclnn_upsample_bilinear_2d_backward_v2.h"
#include "aclnnop/aclnn_upsample_linear_1d.h"
#include "aclnnop/aclnn_upsample_linear_1d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_1d.h"
#include "aclnnop/aclnn_upsample_nearest_1d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_1d_v2.h"
#include "aclnnop/aclnn_upsample_nearest_2d.h"
#include "aclnnop/aclnn_upsample_nearest_2d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_2d_v2.h"
#include "aclnnop/aclnn_upsample_nearest_3d.h"
#include "aclnnop/aclnn_upsample_nearest_3d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_exact1d.h"
#include "aclnnop/aclnn_upsample_nearest_exact1d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_exact2d.h"
#include "aclnnop/aclnn_upsample_nearest_exact2d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_exact3d.h"
#include "aclnnop/aclnn_upsample_nearest_exact3d_backward.h"
#include "aclnnop/aclnn_upsample_trilinear_3d.h"
#include "aclnnop/aclnn_upsample_trilinear_3d_backward.h"
#include "ops/resampling_case.h"

namespace anyacl::test::resampling {
namespace {

// All arguments of any of the operators; each takes its own.
struct Arguments {
  const aclTensor* from;
  aclTensor* to;
  const aclIntArray* out_size;
  const aclIntArray* in_shape;
  bool align;
  double scales[3];  // of the last three dimensions
  uint64_t* size;
  aclOpExecutor** executor;
};
using First = aclnnStatus (*)(const Arguments&);

struct Upsampler {
  const char* name;
  Interpolation mode;
  size_t spatial;
  First first;
  Phase2 second;
  bool backward = false;
  std::vector<aclDataType> more = {};  // types besides fp32, fp16 and bf16
  bool scales = true;
  bool bf16 = true;
};

#define SCALES1 a.scales[2]
#define SCALES2 a.scales[1], a.scales[2]
#define SCALES3 a.scales[0], a.scales[1], a.scales[2]
#define UP(name, ...)                                                                   \
  [](const Arguments& a) {                                                              \
    return aclnn##name##GetWorkspaceSize(a.from, a.out_size, __VA_ARGS__, a.to, a.size, \
                                         a.executor);                                   \
  },                                                                                    \
      aclnn##name
#define DOWN(name, ...)                                                                     \
  [](const Arguments& a) {                                                                  \
    return aclnn##name##GetWorkspaceSize(a.from, a.out_size, a.in_shape, __VA_ARGS__, a.to, \
                                         a.size, a.executor);                               \
  },                                                                                        \
      aclnn##name
#define PLAIN(name)                                                                     \
  [](const Arguments& a) {                                                              \
    return aclnn##name##GetWorkspaceSize(a.from, a.out_size, a.to, a.size, a.executor); \
  },                                                                                    \
      aclnn##name

using enum Interpolation;
const Upsampler kUpsamplers[] = {
    {"UpsampleNearest1d",
     kNearest,
     1,
     PLAIN(UpsampleNearest1d),
     false,
     {ACL_DOUBLE, ACL_UINT8},
     false},
    {"UpsampleNearest2d",
     kNearest,
     2,
     PLAIN(UpsampleNearest2d),
     false,
     {ACL_DOUBLE, ACL_UINT8},
     false},
    {"UpsampleNearest1dV2",
     kNearest,
     1,
     UP(UpsampleNearest1dV2, static_cast<float>(SCALES1)),
     false,
     {ACL_DOUBLE, ACL_UINT8}},
    {"UpsampleNearest2dV2",
     kNearest,
     2,
     UP(UpsampleNearest2dV2, static_cast<float>(a.scales[1]), static_cast<float>(a.scales[2])),
     false,
     {ACL_DOUBLE, ACL_UINT8}},
    {"UpsampleNearest3d", kNearest, 3, UP(UpsampleNearest3d, SCALES3), false, {ACL_DOUBLE}},
    {"UpsampleNearest1dBackward",
     kNearest,
     1,
     DOWN(UpsampleNearest1dBackward, SCALES1),
     true,
     {ACL_DOUBLE}},
    {"UpsampleNearest2dBackward", kNearest, 2, DOWN(UpsampleNearest2dBackward, SCALES2), true},
    {"UpsampleNearest3dBackward",
     kNearest,
     3,
     DOWN(UpsampleNearest3dBackward, SCALES3),
     true,
     {ACL_DOUBLE}},
    {"UpsampleNearestExact1d", kExact, 1, UP(UpsampleNearestExact1d, SCALES1)},
    {"UpsampleNearestExact2d", kExact, 2, UP(UpsampleNearestExact2d, SCALES2), false, {ACL_UINT8}},
    {"UpsampleNearestExact3d", kExact, 3, UP(UpsampleNearestExact3d, SCALES3)},
    {"UpsampleNearestExact1dBackward", kExact, 1, DOWN(UpsampleNearestExact1dBackward, SCALES1),
     true},
    {"UpsampleNearestExact2dBackward", kExact, 2, DOWN(UpsampleNearestExact2dBackward, SCALES2),
     true},
    {"UpsampleNearestExact3dBackward", kExact, 3, DOWN(UpsampleNearestExact3dBackward, SCALES3),
     true},
    {"UpsampleLinear1d", kLinear, 1, UP(UpsampleLinear1d, a.align, SCALES1 == 0 ? -1 : SCALES1)},
    {"UpsampleBilinear2d",
     kLinear,
     2,
     UP(UpsampleBilinear2d, a.align, SCALES2),
     false,
     {ACL_DOUBLE}},
    {"UpsampleTrilinear3d",
     kLinear,
     3,
     UP(UpsampleTrilinear3d, a.align, SCALES3),
     false,
     {ACL_DOUBLE}},
    {"UpsampleLinear1dBackward", kLinear, 1, DOWN(UpsampleLinear1dBackward, a.align, SCALES1),
     true},
    {"UpsampleBilinear2dBackward",
     kLinear,
     2,
     DOWN(UpsampleBilinear2dBackward, a.align, SCALES2),
     true,
     {},
     true,
     false},
    {"UpsampleBilinear2dBackwardV2", kLinear, 2,
     DOWN(UpsampleBilinear2dBackwardV2, a.align, SCALES2), true},
    {"UpsampleTrilinear3dBackward",
     kLinear,
     3,
     DOWN(UpsampleTrilinear3dBackward, a.align, SCALES3),
     true,
     {ACL_DOUBLE}},
    {"UpsampleBicubic2d", kCubic, 2, UP(UpsampleBicubic2d, a.align, SCALES2)},
    {"UpsampleBicubic2dBackward", kCubic, 2, DOWN(UpsampleBicubic2dBackward, a.align, SCALES2),
     true},
    {"UpsampleBilinear2dAA", kLinearAntialias, 2, UP(UpsampleBilinear2dAA, a.align, SCALES2)},
    {"UpsampleBilinear2dAABackward", kLinearAntialias, 2,
     DOWN(UpsampleBilinear2dAABackward, a.align, SCALES2), true},
    {"UpsampleBicubic2dAA", kCubicAntialias, 2, UP(UpsampleBicubic2dAA, a.align, SCALES2)},
    {"UpsampleBicubic2dAAGrad", kCubicAntialias, 2, DOWN(UpsampleBicubic2dAAGrad, a.align, SCALES2),
     true},
};

class ResamplingTest : public ResamplingCase {
 protected:
  void Check(const Upsampler& op, const Shape& in, const Shape& out, aclDataType type, Lie lie,
             bool align, double scale) {
    SCOPED_TRACE(std::string(op.name) + ::testing::PrintToString(in) +
                 ::testing::PrintToString(out) + (align ? " aligned " : " ") +
                 std::to_string(scale) + " type " + std::to_string(type));
    Tensor from(Lying(op.backward ? out : in, type, lie));
    Tensor to(Lying(op.backward ? in : out, type, lie));
    std::vector<double> values;
    for (int64_t i = 0; i < from.count(); ++i) {
      values.push_back(type == ACL_UINT8 ? static_cast<double>(random().Int(0, 255))
                                         : random().Uniform(-2, 2));
    }
    values = AsHeld(type, values);
    WriteAs(from, values);
    const IntArrayHandle out_size(Shape(out.begin() + 2, out.end())), in_shape(in);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return op.first({from.handle(),
                           to.handle(),
                           out_size.get(),
                           in_shape.get(),
                           align,
                           {scale, scale, scale},
                           size,
                           executor});
        },
        op.second);
    const AxisRule rule = [&](size_t axis, int64_t j) {
      return WeightsOf(op.mode, j, in[2 + axis], out[2 + axis], align, op.scales ? scale : 0);
    };
    if (op.backward) {
      ExpectNear(to, ResampleBack(in, out, op.spatial, rule, values), 20, 32);
    } else {
      ExpectNear(to, Resample(in, out, op.spatial, rule, values), type == ACL_UINT8 ? 0 : 4, 32);
    }
  }
};

TEST_F(ResamplingTest, Upsampling) {
  for (const Upsampler& op : kUpsamplers) {
    const std::pair<Shape, Shape> sizes[] = {{{5, 7, 6}, {10, 14, 12}}, {{5, 6, 7}, {7, 5, 19}},
                                             {{4, 9, 11}, {3, 4, 5}},   {{3, 1, 4}, {3, 1, 4}},
                                             {{1, 3, 1}, {4, 1, 6}},    {{2, 2, 70}, {1, 3, 37}}};
    for (const auto& [from, to] : sizes) {
      Shape in = {2, 3}, out = {2, 3};
      in.insert(in.end(), from.end() - static_cast<std::ptrdiff_t>(op.spatial), from.end());
      out.insert(out.end(), to.end() - static_cast<std::ptrdiff_t>(op.spatial), to.end());
      const bool aligns = op.mode != kNearest && op.mode != kExact;
      for (bool align : {false, true}) {
        if (align && !aligns) continue;
        for (Lie lie : kLies) Check(op, in, out, ACL_FLOAT, lie, align, 0);
        Check(op, in, out, ACL_FLOAT16, Lie::kDense, align, 0);
        if (op.bf16) Check(op, in, out, ACL_BF16, Lie::kGaps, align, 0);
        for (aclDataType type : op.more) Check(op, in, out, type, Lie::kGaps, align, 0);
      }
    }
  }
}

// The scale says where elements lie, the sizes only how many there are.
TEST_F(ResamplingTest, ScalesOfTheCallersOwn) {
  for (const Upsampler& op : kUpsamplers) {
    for (const auto& [from, to, scale] :
         {std::tuple{4, 10, 2.6}, std::tuple{7, 4, 0.63}, std::tuple{5, 10, 2.0}}) {
      Shape in = {1, 2}, out = {1, 2};
      for (size_t i = 0; i < op.spatial; ++i) {
        in.push_back(from);
        out.push_back(to);
      }
      Check(op, in, out, ACL_FLOAT, Lie::kDense, false, scale);
    }
  }
}

// Such scales lead behind the image, whatever its size.
TEST_F(ResamplingTest, ScalesThatAreHardlyAny) {
  for (const Upsampler& op : kUpsamplers) {
    // This one's scales must fit.
    if (op.name == std::string_view("UpsampleLinear1d")) continue;
    for (const auto& [from, to] : {std::pair{1, 2}, std::pair{3, 5}}) {
      Shape in = {1, 2}, out = {1, 2};
      in.resize(2 + op.spatial, from);
      out.resize(2 + op.spatial, to);
      for (double scale : {1e-20, 1e-40}) {
        Check(op, in, out, ACL_FLOAT, Lie::kDense, false, scale);
      }
    }
  }
}

// torch_npu passes 1 where no scale was given.
TEST_F(ResamplingTest, AScaleOfOneBetweenDifferentSizesIsNone) {
  for (std::string_view name : {"UpsampleBilinear2d", "UpsampleBilinear2dBackwardV2"}) {
    for (Upsampler op : kUpsamplers) {
      if (op.name != name) continue;
      op.scales = false;
      Check(op, {1, 2, 5, 6}, {1, 2, 8, 4}, ACL_FLOAT, Lie::kDense, false, 1.0);
    }
  }
}

// The shape, or the elements, of [N, ..., C] as [N, C, ...].
Shape ChannelsSecond(Shape shape) {
  std::rotate(shape.begin() + 1, shape.end() - 1, shape.end());
  return shape;
}
std::vector<double> ChannelsSecond(const std::vector<double>& values, const Shape& shape) {
  const auto batches = static_cast<size_t>(shape[0]), channels = static_cast<size_t>(shape.back());
  const size_t plane = values.size() / batches / channels;
  std::vector<double> turned;
  for (size_t n = 0; n < batches; ++n) {
    for (size_t c = 0; c < channels; ++c) {
      for (size_t i = 0; i < plane; ++i) {
        turned.push_back(values[(n * plane + i) * channels + c]);
      }
    }
  }
  return turned;
}

// A format with channels last says in which order the sizes are.
TEST_F(ResamplingTest, ChannelsLast) {
  for (std::string_view name : {"UpsampleBilinear2d", "UpsampleNearest2dBackward",
                                "UpsampleTrilinear3d", "UpsampleNearestExact3dBackward"}) {
    const Upsampler& op = *std::find_if(std::begin(kUpsamplers), std::end(kUpsamplers),
                                        [&](const Upsampler& other) { return name == other.name; });
    SCOPED_TRACE(name);
    const bool volumes = op.spatial == 3;
    const aclFormat format = volumes ? ACL_FORMAT_NDHWC : ACL_FORMAT_NHWC;
    const Shape in = volumes ? Shape{2, 3, 4, 5, 6} : Shape{2, 4, 5, 6};
    const Shape out = volumes ? Shape{2, 6, 2, 7, 6} : Shape{2, 7, 3, 6};
    const Shape from_shape = op.backward ? out : in, to_shape = op.backward ? in : out;
    const IntArrayHandle out_size(Shape(out.begin() + 1, out.end() - 1));
    const auto run = [&](const Tensor& from, const Tensor& to, const Shape& shape) {
      const IntArrayHandle in_shape(shape);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return op.first({from.handle(),
                             to.handle(),
                             out_size.get(),
                             in_shape.get(),
                             false,
                             {0, 0, 0},
                             size,
                             executor});
          },
          op.second);
    };
    Tensor last({.dims = from_shape, .format = format});
    Tensor second({.dims = ChannelsSecond(from_shape)});
    std::vector<double> values;
    for (int64_t i = 0; i < last.count(); ++i) values.push_back(random().Uniform(-2, 2));
    WriteAs(last, values);
    WriteAs(second, ChannelsSecond(values, from_shape));
    const Tensor expected({.dims = ChannelsSecond(to_shape)});
    run(second, expected, ChannelsSecond(in));
    for (bool turned : {false, true}) {  // inputSize of volumes
      if (turned && !volumes) continue;
      const Tensor to({.dims = to_shape, .format = format});
      run(last, to, turned ? ChannelsSecond(in) : in);
      EXPECT_EQ(ChannelsSecond(ReadAs(to), to_shape), ReadAs(expected));
    }
  }
}

TEST_F(ResamplingTest, ResizeToScales) {
  struct Case {
    Shape in, out;
    std::vector<float> scales;
  };
  const Case cases[] = {{{2, 3, 5, 6}, {2, 3, 10, 12}, {1, 1, 2, 2}},
                        {{1, 2, 2, 3}, {1, 2, 4, 5}, {1, 1, 2.4f, 1.666666f}},
                        {{1, 1, 9, 8}, {1, 1, 3, 8}, {1, 1, 0.34f, 1}}};
  const auto call = [](const Tensor& from, const aclFloatArray* scales, const char* mode,
                       const Tensor& to) {
    return [=, &from, &to](uint64_t* s, aclOpExecutor** e) {
      return aclnnResizeGetWorkspaceSize(from.handle(), scales, mode, to.handle(), s, e);
    };
  };
  for (const Case& c : cases) {
    const aclFloatArray* const scales = aclCreateFloatArray(c.scales.data(), c.scales.size());
    for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
      for (Interpolation mode : {kNearest, kLinear}) {
        for (Lie lie : kLies) {
          SCOPED_TRACE(::testing::PrintToString(c.out) + std::to_string(type));
          Layout from = Lying(c.in, type, lie), to = Lying(c.out, type, lie);
          from.format = to.format = ACL_FORMAT_NCHW;
          Tensor x(from), y(to);
          const std::vector<double> values = FillRandomly(x, random());
          RunTwoPhase(call(x, scales, mode == kNearest ? "nearest" : "bilinear", y), aclnnResize);
          const AxisRule rule = [&](size_t axis, int64_t j) {
            return WeightsOf(mode, j, c.in[2 + axis], c.out[2 + axis], false, 0);
          };
          ExpectNear(y, Resample(c.in, c.out, 2, rule, values), 4, 32);
        }
      }
    }
    aclDestroyFloatArray(scales);
  }
  const Layout images = {.dims = {1, 1, 2, 2}, .format = ACL_FORMAT_NCHW};
  const Tensor x(images), plain({.dims = {1, 1, 2, 2}});
  const Tensor y({.dims = {1, 1, 4, 4}, .format = ACL_FORMAT_NCHW});
  const float numbers[] = {1, 1, 2, 2};
  const aclFloatArray* const scales = aclCreateFloatArray(numbers, 4);
  const aclFloatArray* const three = aclCreateFloatArray(numbers, 3);
  ExpectRefused(call(x, scales, "trilinear", y), 161002, {"mode = \"trilinear\""});
  ExpectRefused(call(plain, scales, "nearest", y), 161002, {"self.format = ND", "NCHW"});
  ExpectRefused(call(x, three, "nearest", y), 161002, {"scales has 3"});
  ExpectRefused(call(x, scales, "nearest", x), 161002, {"out.shape[2] = 2", "2 * scales[2] = 4"});
  ExpectRefused(call(x, scales, nullptr, y), 161001, {"mode"});
  aclDestroyFloatArray(scales);
  aclDestroyFloatArray(three);
}

TEST_F(ResamplingTest, WhatDoesNotFitIsRefused) {
  const auto upsample = [&](const Shape& out, const Shape& size, aclFormat format,
                            std::initializer_list<std::string_view> words) {
    Tensor x({.dims = {1, 2, 5, 6}, .format = format}), y({.dims = out});
    const IntArrayHandle sizes(size);
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnUpsampleBilinear2dGetWorkspaceSize(x.handle(), sizes.get(), false, 0, 0,
                                                         y.handle(), s, e);
        },
        161002, words);
  };
  upsample({1, 2, 10, 12}, {10, 13}, ACL_FORMAT_ND, {"outputSize", "13"});
  upsample({1, 2, 10, 12}, {10}, ACL_FORMAT_ND, {"outputSize"});
  upsample({1, 3, 10, 12}, {10, 12}, ACL_FORMAT_ND, {"out"});
  upsample({1, 2, 0, 12}, {0, 12}, ACL_FORMAT_ND, {"out", "spatial"});
  upsample({1, 2, 10, 12}, {10, 12}, ACL_FORMAT_NHWC, {"self", "format", "NHWC"});
  const Tensor small({.dims = {1, 2, 5, 6}}), large({.dims = {1, 2, 10, 12}});
  const IntArrayHandle large_size({10, 12});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnUpsampleBilinear2dGetWorkspaceSize(small.handle(), large_size.get(), false, 2,
                                                       -2, large.handle(), s, e);
      },
      161002, {"scalesW = -2", "0 or more"});

  const auto line = [&](const Tensor& x, const Tensor& y, double scale) -> Phase1 {
    return [&, scale](uint64_t* s, aclOpExecutor** e) {
      const IntArrayHandle size({y.layout().dims[2]});
      return aclnnUpsampleLinear1dGetWorkspaceSize(x.handle(), size.get(), false, scale, y.handle(),
                                                   s, e);
    };
  };
  const Tensor five({.dims = {1, 1, 5}}), eleven({.dims = {1, 1, 11}});
  const Tensor no_batches({.dims = {0, 1, 5}}), eleven_of_none({.dims = {0, 1, 11}});
  const Tensor no_channels({.dims = {1, 0, 5}}), eleven_of_no_channels({.dims = {1, 0, 11}});
  RunTwoPhase(line(five, eleven, 2.3), aclnnUpsampleLinear1d);
  RunTwoPhase(line(no_batches, eleven_of_none, -1), aclnnUpsampleLinear1d);
  ExpectRefused(line(five, eleven, 2.5), 161002, {"scales = 2.5", "5", "outputSize[0] = 11"});
  ExpectRefused(line(five, eleven, 0), 161002, {"scales = 0", "outputSize[0] = 11"});
  ExpectRefused(line(no_channels, eleven_of_no_channels, -1), 161002,
                {"self.shape = [1, 0, 5]", "1 or more"});
  const Tensor one({.dims = {1, 1, 1}}), many({.dims = {1, 1, 501}});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        const IntArrayHandle large({501}), small({1, 1, 1});
        return aclnnUpsampleLinear1dBackwardGetWorkspaceSize(
            many.handle(), large.get(), small.get(), false, 0, one.handle(), s, e);
      },
      161002, {"outputSize[0] = 501", "500 * 1"});
}

}  // namespace
}  // namespace anyacl::test::resampling
