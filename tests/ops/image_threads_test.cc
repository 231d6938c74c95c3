// SPDX-License-Identifier: Apache-2.0
// The bits of pooling, resampling and sampling, pinned: run with different ANYACL_THREADS and
// ANYACL_ISA, they must not change. Whoever changes the order of summation on purpose puts the new
// sums here.
#include "aclnnop/aclnn_adaptive_avg_pool2d.h"
#include "aclnnop/aclnn_adaptive_avg_pool2d_backward.h"
#include "aclnnop/aclnn_affine_grid.h"
#include "aclnnop/aclnn_avgpool3d.h"
#include "aclnnop/aclnn_avgpool3d_backward.h"
#include "aclnnop/aclnn_grid_sampler2d.h"
#include "aclnnop/aclnn_grid_sampler2d_backward.h"
#include "aclnnop/aclnn_max_pool2d_with_indices.h"
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"
#include "aclnnop/aclnn_multi_scale_deformable_attention_grad.h"
#include "aclnnop/aclnn_multi_scale_deformable_attn_function.h"
#include "aclnnop/aclnn_roi_align_v2.h"
#include "aclnnop/aclnn_roi_align_v2_backward.h"
#include "aclnnop/aclnn_upsample_bicubic2d_aa.h"
#include "aclnnop/aclnn_upsample_bicubic2d_aa_grad.h"
#include "aclnnop/aclnn_upsample_bicubic_2d.h"
#include "aclnnop/aclnn_upsample_bicubic_2d_backward.h"
#include "aclnnop/aclnn_upsample_bilinear_2d.h"
#include "aclnnop/aclnn_upsample_bilinear_2d_backward_v2.h"
#include "ops/image_case.h"
#include "support/fixed.h"

namespace anyacl::test::image_threads {
namespace {

// Wide enough for several threads, with rows that are no multiple of a vector.
const Shape kLarge = {2, 5, 67, 91}, kSmall = {2, 5, 41, 37};

struct Pinned {
  aclDataType type;
  uint64_t forward, backward;
};

class ImageThreadsTest : public DeviceTest {
 protected:
  using Phase1 = aclnnStatus (*)(const aclTensor* from, const aclIntArray* size,
                                 const aclIntArray* in_shape, aclTensor* to, uint64_t* workspace,
                                 aclOpExecutor** executor);

  // `to` has dense elements.
  uint64_t BitsOf(const Shape& from, const Shape& to, aclDataType type, Phase1 phase1,
                  Phase2 phase2) {
    Tensor x({.dims = from, .dtype = type});
    const Tensor y({.dims = to, .dtype = type});
    WriteAs(x, FixedNumbers(x.count()));
    const IntArrayHandle small(Shape(kSmall.begin() + 2, kSmall.end())), shape(kLarge);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return phase1(x.handle(), small.get(), shape.get(), y.handle(), s, e);
        },
        phase2);
    return Fingerprint(y.ElementBytes());
  }
};

// From large images to small ones and, for gradients, back.
#define SCALED(name)                                                                    \
  [](const aclTensor* from, const aclIntArray* size, const aclIntArray*, aclTensor* to, \
     uint64_t* s, aclOpExecutor** e) {                                                  \
    return aclnn##name##GetWorkspaceSize(from, size, false, 0, 0, to, s, e);            \
  },                                                                                    \
      aclnn##name
#define SCALED_BACK(name)                                                                     \
  [](const aclTensor* from, const aclIntArray* size, const aclIntArray* shape, aclTensor* to, \
     uint64_t* s, aclOpExecutor** e) {                                                        \
    return aclnn##name##GetWorkspaceSize(from, size, shape, false, 0, 0, to, s, e);           \
  },                                                                                          \
      aclnn##name

TEST_F(ImageThreadsTest, Interpolation) {
  for (const Pinned& p : {Pinned{ACL_FLOAT, 0xc6f3da5eab3f86eu, 0xc0ae9e091c45a294u},
                          Pinned{ACL_BF16, 0xac64213047f8987cu, 0xb914d662527e99b4u}}) {
    EXPECT_EQ(BitsOf(kLarge, kSmall, p.type, SCALED(UpsampleBilinear2d)), p.forward);
    EXPECT_EQ(BitsOf(kSmall, kLarge, p.type, SCALED_BACK(UpsampleBilinear2dBackwardV2)),
              p.backward);
  }
  for (const Pinned& p : {Pinned{ACL_FLOAT, 0x3da46464ab58e455u, 0xaa4c78747ae7fd8fu},
                          Pinned{ACL_FLOAT16, 0x54b8ba7e637b2bd1u, 0x2bc8e3bba3fa4640u}}) {
    EXPECT_EQ(BitsOf(kLarge, kSmall, p.type, SCALED(UpsampleBicubic2d)), p.forward);
    EXPECT_EQ(BitsOf(kSmall, kLarge, p.type, SCALED_BACK(UpsampleBicubic2dBackward)), p.backward);
  }
  const Pinned p{ACL_FLOAT, 0x77f5097777c7c668u, 0x907be700a9f9e900u};
  EXPECT_EQ(BitsOf(kLarge, kSmall, p.type, SCALED(UpsampleBicubic2dAA)), p.forward);
  EXPECT_EQ(BitsOf(kSmall, kLarge, p.type, SCALED_BACK(UpsampleBicubic2dAAGrad)), p.backward);
}

TEST_F(ImageThreadsTest, AdaptiveAveragePooling) {
  for (const Pinned& p : {Pinned{ACL_FLOAT, 0x7a5cf1a60c21afb3u, 0xbf15f539d116b506u},
                          Pinned{ACL_BF16, 0x978f5573bcb999fau, 0x2d8ae877aa98ef32u}}) {
    EXPECT_EQ(BitsOf(
                  kLarge, kSmall, p.type,
                  [](const aclTensor* from, const aclIntArray* size, const aclIntArray*,
                     aclTensor* to, uint64_t* s, aclOpExecutor** e) {
                    return aclnnAdaptiveAvgPool2dGetWorkspaceSize(from, size, to, s, e);
                  },
                  aclnnAdaptiveAvgPool2d),
              p.forward);
    const Tensor x({.dims = kLarge, .dtype = p.type}), dx({.dims = kLarge, .dtype = p.type});
    Tensor dy({.dims = kSmall, .dtype = p.type});
    WriteAs(dy, FixedNumbers(dy.count()));
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAdaptiveAvgPool2dBackwardGetWorkspaceSize(dy.handle(), x.handle(),
                                                                dx.handle(), s, e);
        },
        aclnnAdaptiveAvgPool2dBackward);
    EXPECT_EQ(Fingerprint(dx.ElementBytes()), p.backward);
  }
}

TEST_F(ImageThreadsTest, AveragePooling) {
  for (const Pinned& p : {Pinned{ACL_FLOAT, 0xc4f24aa915f9ce2bu, 0xad3abc72c1e5b1a3u},
                          Pinned{ACL_FLOAT16, 0xf5669e85e504050cu, 0x2d2709d479f51385u}}) {
    Tensor x({.dims = {3, 7, 11, 23, 37}, .dtype = p.type});
    Tensor y({.dims = {3, 7, 6, 12, 19}, .dtype = p.type});
    const Tensor dx({.dims = {3, 7, 11, 23, 37}, .dtype = p.type});
    WriteAs(x, FixedNumbers(x.count()));
    const IntArrayHandle kernel({3, 3, 3}), stride({2, 2, 2}), padding({1, 1, 1});
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAvgPool3dGetWorkspaceSize(x.handle(), kernel.get(), stride.get(),
                                                padding.get(), false, true, 0, y.handle(), s, e);
        },
        aclnnAvgPool3d);
    EXPECT_EQ(Fingerprint(y.ElementBytes()), p.forward);
    WriteAs(y, FixedNumbers(y.count(), 2));
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAvgPool3dBackwardGetWorkspaceSize(y.handle(), x.handle(), kernel.get(),
                                                        stride.get(), padding.get(), false, true, 0,
                                                        dx.handle(), s, e);
        },
        aclnnAvgPool3dBackward);
    EXPECT_EQ(Fingerprint(dx.ElementBytes()), p.backward);
  }
}

// Windows overlap, so that elements of the gradient are sums.
TEST_F(ImageThreadsTest, MaximumPooling) {
  for (const Pinned& p : {Pinned{ACL_FLOAT, 0x40b6388d6af064e1u, 0x32c22f57b71bc43fu},
                          Pinned{ACL_BF16, 0xb76aab9edd2a792bu, 0x81efa5a2dd39a500u}}) {
    const Shape out = {2, 5, 33, 45};
    Tensor x({.dims = kLarge, .dtype = p.type}), y({.dims = out, .dtype = p.type});
    const Tensor at({.dims = out, .dtype = ACL_INT32}), dx({.dims = kLarge, .dtype = p.type});
    WriteAs(x, FixedNumbers(x.count()));
    const IntArrayHandle kernel({3, 3}), stride({2, 2}), padding({0, 0}), dilation({1, 1});
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMaxPool2dWithIndicesGetWorkspaceSize(x.handle(), kernel.get(), stride.get(),
                                                           padding.get(), dilation.get(), false,
                                                           y.handle(), at.handle(), s, e);
        },
        aclnnMaxPool2dWithIndices);
    EXPECT_EQ(Fingerprint(at.ElementBytes(), Fingerprint(y.ElementBytes())), p.forward);
    WriteAs(y, FixedNumbers(y.count(), 2));
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMaxPool2dWithIndicesBackwardGetWorkspaceSize(
              y.handle(), x.handle(), at.handle(), kernel.get(), stride.get(), padding.get(),
              dilation.get(), false, dx.handle(), s, e);
        },
        aclnnMaxPool2dWithIndicesBackward);
    EXPECT_EQ(Fingerprint(dx.ElementBytes()), p.backward);
  }
}

// Positions of an affine map; many of them share elements of the input.
TEST_F(ImageThreadsTest, Sampling) {
  for (const auto& [mode, type, pinned, gradient] :
       {std::tuple{0, ACL_FLOAT, Pinned{ACL_FLOAT, 0xe037b83a2569f815u, 0xb56626335d090244u},
                   uint64_t{0x78f60cc52a858337u}},
        std::tuple{2, ACL_FLOAT, Pinned{ACL_FLOAT, 0x7ce2475ed169017fu, 0x5896d72a9278cad2u},
                   uint64_t{0x40cedc67d64764eeu}},
        std::tuple{0, ACL_FLOAT16, Pinned{ACL_FLOAT16, 0x573fb901ef536d7cu, 0x90410109a605752fu},
                   uint64_t{0x480372394cb0c521u}}}) {
    Tensor theta({.dims = {2, 2, 3}, .dtype = type}), x({.dims = kLarge, .dtype = type});
    const Tensor grid({.dims = {2, 41, 37, 2}, .dtype = type});
    Tensor y({.dims = kSmall, .dtype = type});
    const Tensor dx({.dims = kLarge, .dtype = type}),
        dgrid({.dims = {2, 41, 37, 2}, .dtype = type});
    WriteAs(theta, {0.75, 0.25, 0.125, -0.5, 0.625, 0.25, 1.25, 0, 0, 0.375, 1, 0.5});
    WriteAs(x, FixedNumbers(x.count()));
    const IntArrayHandle size(kSmall);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAffineGridGetWorkspaceSize(theta.handle(), size.get(), false, grid.handle(),
                                                 s, e);
        },
        aclnnAffineGrid);
    RunTwoPhase(
        [&, mode = mode](uint64_t* s, aclOpExecutor** e) {
          return aclnnGridSampler2DGetWorkspaceSize(x.handle(), grid.handle(), mode, 1, false,
                                                    y.handle(), s, e);
        },
        aclnnGridSampler2D);
    EXPECT_EQ(Fingerprint(y.ElementBytes(), Fingerprint(grid.ElementBytes())), pinned.forward);
    WriteAs(y, FixedNumbers(y.count(), 2));
    const bool wanted[] = {true, true};
    aclBoolArray* mask = aclCreateBoolArray(wanted, 2);
    RunTwoPhase(
        [&, mode = mode](uint64_t* s, aclOpExecutor** e) {
          return aclnnGridSampler2DBackwardGetWorkspaceSize(y.handle(), x.handle(), grid.handle(),
                                                            mode, 1, false, mask, dx.handle(),
                                                            dgrid.handle(), s, e);
        },
        aclnnGridSampler2DBackward);
    aclDestroyBoolArray(mask);
    EXPECT_EQ(Fingerprint(dx.ElementBytes()), pinned.backward);
    EXPECT_EQ(Fingerprint(dgrid.ElementBytes()), gradient);
  }
}

// Regions and points meet, so that elements of the gradients are sums.
TEST_F(ImageThreadsTest, Detection) {
  const Shape in = {2, 35, 23, 31}, out = {9, 35, 3, 4};
  Tensor x({.dims = in, .format = ACL_FORMAT_NCHW}), y({.dims = out, .format = ACL_FORMAT_NCHW});
  const Tensor dx({.dims = in, .format = ACL_FORMAT_NCHW});
  Tensor boxes({.dims = {9, 5}});
  std::vector<float> regions;
  for (int k = 0; k < 9; ++k) {
    const auto at = static_cast<float>(k);
    for (float number : {at / 5, at, 2.5F, at + 20, at + 11.25F}) regions.push_back(number);
  }
  boxes.Write(regions);
  WriteAs(x, FixedNumbers(x.count()));
  const IntArrayHandle shape(in);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnRoiAlignV2GetWorkspaceSize(x.handle(), boxes.handle(), 3, 4, 0.75F, 0, true,
                                               y.handle(), s, e);
      },
      aclnnRoiAlignV2);
  EXPECT_EQ(Fingerprint(y.ElementBytes()), 0x8fda11115dd0e1efu);
  WriteAs(y, FixedNumbers(y.count(), 2));
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnRoiAlignV2BackwardGetWorkspaceSize(y.handle(), boxes.handle(), shape.get(), 3,
                                                       4, 0.75F, 0, true, dx.handle(), s, e);
      },
      aclnnRoiAlignV2Backward);
  EXPECT_EQ(Fingerprint(dx.ElementBytes()), 0xd5ee242e7a08fda5u);

  const Shape of_value = {2, 46, 3, 24}, of_weight = {2, 67, 3, 2, 4}, of_rows = {2, 67, 72};
  const Shape of_location = {2, 67, 3, 2, 4, 2};
  Tensor value({.dims = of_value}), weight({.dims = of_weight}), location({.dims = of_location});
  Tensor rows({.dims = of_rows}), sizes({.dims = {2, 2}, .dtype = ACL_INT32});
  Tensor starts({.dims = {2}, .dtype = ACL_INT64});
  const Tensor dv({.dims = of_value}), dl({.dims = of_location}), dw({.dims = of_weight});
  sizes.Write(std::vector<int32_t>{5, 8, 2, 3});
  starts.Write(std::vector<int64_t>{0, 40});
  WriteAs(value, FixedNumbers(value.count()));
  WriteAs(weight, FixedNumbers(weight.count(), 2));
  std::vector<double> places = FixedNumbers(location.count(), 3);
  for (double& place : places) place = place / 4 + 0.5;
  WriteAs(location, places);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMultiScaleDeformableAttnFunctionGetWorkspaceSize(
            value.handle(), sizes.handle(), starts.handle(), location.handle(), weight.handle(),
            rows.handle(), s, e);
      },
      aclnnMultiScaleDeformableAttnFunction);
  EXPECT_EQ(Fingerprint(rows.ElementBytes()), 0x82a8a08eec0150beu);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMultiScaleDeformableAttentionGradGetWorkspaceSize(
            value.handle(), sizes.handle(), starts.handle(), location.handle(), weight.handle(),
            rows.handle(), dv.handle(), dl.handle(), dw.handle(), s, e);
      },
      aclnnMultiScaleDeformableAttentionGrad);
  EXPECT_EQ(Fingerprint(dw.ElementBytes(),
                        Fingerprint(dl.ElementBytes(), Fingerprint(dv.ElementBytes()))),
            0x8eead8ca3a15580au);
}

}  // namespace
}  // namespace anyacl::test::image_threads
