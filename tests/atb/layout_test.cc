// SPDX-License-Identifier: Apache-2.0
// Sizes, places and values that programs were built with: those of the headers that op-plugin 7.2.0
// carries (op_plugin/third_party/atb/inc), compiled by g++ 12 for x86-64.
#include <gtest/gtest.h>

#include <cstddef>

#include "atb/atb_infer.h"

namespace {

using namespace atb::infer;

#define EXPECT_PLACE(type, member, place) EXPECT_EQ(offsetof(type, member), size_t{place})

TEST(AtbLayoutTest, Sizes) {
  EXPECT_EQ(sizeof(RmsNormParam), 144U);
  EXPECT_EQ(sizeof(LinearParam), 32U);
  EXPECT_EQ(sizeof(GroupedMatmulInplaceAddParam), 24U);
  EXPECT_EQ(sizeof(GroupTopkParam), 24U);
  EXPECT_EQ(sizeof(PagedAttentionParam), 120U);
  EXPECT_EQ(sizeof(ReshapeAndCacheParam), 24U);
  EXPECT_EQ(sizeof(RopeParam), 16U);
  EXPECT_EQ(sizeof(SelfAttentionParam), 144U);
  EXPECT_EQ(sizeof(ElewiseParam), 64U);
  EXPECT_EQ(sizeof(atb::VariantPack), 13568U);
  EXPECT_EQ(sizeof(atb::Tensor), 104U);
  EXPECT_EQ(sizeof(atb::SVector<atb::TensorDesc>), 5224U);
}

TEST(AtbLayoutTest, Places) {
  EXPECT_PLACE(RmsNormParam, normParam.modelType, 32);
  EXPECT_PLACE(RmsNormParam, postNormParam.hasBias, 112);
  EXPECT_PLACE(LinearParam, enAccum, 8);
  EXPECT_PLACE(GroupTopkParam, n, 10);
  EXPECT_PLACE(PagedAttentionParam, hasQuantOffset, 28);
  EXPECT_PLACE(PagedAttentionParam, mlaVHeadSize, 48);
  EXPECT_PLACE(SelfAttentionParam, maskType, 52);
  EXPECT_PLACE(SelfAttentionParam, cacheType, 72);
  EXPECT_PLACE(SelfAttentionParam, windowSize, 76);
  EXPECT_PLACE(ElewiseParam, mulsParam, 36);
  EXPECT_PLACE(ElewiseParam, outTensorType, 52);
  EXPECT_PLACE(atb::Tensor, dataSize, 96);
  EXPECT_PLACE(atb::TensorDesc, shape, 8);
}

TEST(AtbLayoutTest, Values) {
  EXPECT_EQ(atb::ERROR_INVALID_IN_TENSOR_NUM, 5);
  EXPECT_EQ(atb::ERROR_INVALID_TENSOR_DIM, 8);
  EXPECT_EQ(atb::ERROR_INVALID_TENSOR_ADDR, 14);
  EXPECT_EQ(atb::ERROR_OUT_OF_HOST_MEMORY, 27);
  EXPECT_EQ(SelfAttentionParam::PREFIX_ENCODER, 4);
  EXPECT_EQ(SelfAttentionParam::MASK_TYPE_SLIDING_WINDOW_COMPRESS, 8);
  EXPECT_EQ(PagedAttentionParam::MASK_TYPE_SPEC, 3);
  EXPECT_EQ(ElewiseParam::ELEWISE_QUANT_PER_CHANNEL, 17);
  EXPECT_EQ(ElewiseParam::ELEWISE_TANH, 20);
  EXPECT_EQ(ReshapeAndCacheParam::K_CACHE_V_CACHE_NZ, 2);
}

// As SVector counts: 64 elements, or as many as were reserved; more is an exception.
TEST(AtbLayoutTest, SmallVectors) {
  atb::SVector<int> numbers = {1, 2, 3};
  numbers.insert(1, 9);
  EXPECT_EQ(numbers, (atb::SVector<int>{1, 9, 2, 3}));
  EXPECT_THROW(numbers.at(4), std::out_of_range);
  EXPECT_THROW(numbers.resize(65), atb::MaxSizeExceeded);
  for (int i = 4; i < 64; ++i) numbers.push_back(i);
  EXPECT_THROW(numbers.push_back(0), atb::MaxSizeExceeded);
  numbers.reserve(100);
  numbers.push_back(64);
  const atb::SVector<int> copy = numbers;
  EXPECT_EQ(copy.size(), 65U);
  EXPECT_EQ(copy, numbers);
  EXPECT_THROW(numbers.reserve(257), atb::MaxSizeExceeded);
}

}  // namespace
