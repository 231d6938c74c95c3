// SPDX-License-Identifier: Apache-2.0
// Second versions of FlashAttentionScore and of its gradient: position encodings that are added to
// scaled scores, and those made of slopes.
#include <cmath>

#include "ops/flash_attention_case.h"
#include "support/numbers.h"

namespace anyacl::test::flash_pse_type {
namespace {

using enum FlashTensor;

constexpr int kInvalid = 161002, kConstraint = 561002;
constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

TEST_F(FlashAttentionTest, PseBeforeAndBehindScaling) {
  const std::vector<int64_t> shapes[] = {
      {2, 4, 50, 75}, {2, 4, 1, 75}, {1, 4, 50, 75}, {1, 4, 1, 75}};
  for (const auto& dims : shapes) {
    for (aclDataType dtype : kTypes) {
      for (int64_t type : {0, 1}) {
        SCOPED_TRACE(::testing::PrintToString(dims) + " pseType " + std::to_string(type));
        FlashCase c = FlashOf(2, 4, 2, 50, 75, 32, 32);
        c.dtype = dtype;
        c.gaps = dtype == ACL_FLOAT;
        c.pse_type = type;
        c.problem.scales_pse = type == 1;
        FillFlash(c, random());
        ShiftFlash(c, dims, random());
        ASSERT_NO_FATAL_FAILURE(ExpectMatchesReference(c));
      }
    }
  }
}

// Few rows, some blocks of rows, more than a tile of columns.
TEST_F(FlashAttentionTest, PseMadeOfSlopes) {
  for (int64_t type : {2, 3}) {
    for (aclDataType dtype : kTypes) {
      for (const auto& dims : {std::vector<int64_t>{4}, std::vector<int64_t>{2, 4}}) {
        for (int64_t size : {1, 3, 70, 150}) {
          SCOPED_TRACE(::testing::PrintToString(dims) + " pseType " + std::to_string(type) + " S " +
                       std::to_string(size));
          FlashCase c = FlashOf(2, 4, 2, size, size, 32, 32);
          c.dtype = dtype;
          c.gaps = dtype == ACL_FLOAT;
          c.pse_type = type;
          FillFlash(c, random());
          SlopeFlash(c, dims, random());
          ASSERT_NO_FATAL_FAILURE(ExpectMatchesReference(c));
        }
      }
    }
  }
}

// Parts of a sequence: rows before and behind all columns, and between them.
TEST_F(FlashAttentionTest, SlopesCountFromTheStarts) {
  const std::vector<int64_t> starts[][2] = {{{200}, {}}, {{}, {200}}, {{90}, {120}}, {{7}, {-8}}};
  for (const auto& [query, key] : starts) {
    for (int64_t size : {2, 100}) {
      SCOPED_TRACE(::testing::PrintToString(query) + ::testing::PrintToString(key));
      FlashCase c = FlashOf(1, 2, 2, size, size, 16, 16);
      c.query_start = query;
      c.key_start = key;
      c.pse_type = size == 2 ? 2 : 3;
      FillFlash(c, random());
      SlopeFlash(c, {2}, random());
      ASSERT_NO_FATAL_FAILURE(ExpectMatchesReference(c));
    }
  }
}

TEST_F(FlashAttentionTest, SlopesWithMasksAndDropout) {
  for (const char* layout : {"BSH", "SBH", "BSND", "BNSD"}) {
    for (int64_t mode : {0, 2, 3, 6}) {
      SCOPED_TRACE(layout);
      FlashCase c = FlashOf(2, 4, 2, 80, 80, 24, 16);
      c.layout = layout;
      c.pse_type = 2;
      FillFlash(c, random());
      SlopeFlash(c, {2, 4}, random());
      DropFlash(c, 0.7, random());
      if (mode == 0) {
        MaskFlash(c, {80, 80}, random());
      } else {
        CompressFlash(c, mode);
        c.problem.prefix = {10, 70};
      }
      ASSERT_NO_FATAL_FAILURE(ExpectMatchesReference(c));
    }
  }
}

// Without pse the version says nothing.
TEST_F(FlashAttentionTest, SecondVersionsWithoutPse) {
  FlashCase c = FlashOf(1, 2, 1, 30, 40, 16, 16);
  c.pse_type = 1;
  FillFlash(c, random());
  ExpectMatchesReference(c);
}

TEST_F(FlashAttentionTest, EmptyTensorsWithSlopes) {
  for (int64_t batch : {0, 2}) {
    FlashCase c = FlashOf(batch, 2, 2, batch == 0 ? 5 : 0, batch == 0 ? 5 : 0, 16, 16);
    c.pse_type = 2;
    FillFlash(c, random());
    SlopeFlash(c, {2}, random());
    FlashTensors tensors(c);
    RunForward(tensors);
    RunGradient(tensors);
    EXPECT_TRUE(tensors.GuardsIntact());
  }
}

// The slopes' gradient is not written.
TEST_F(FlashAttentionTest, SlopesHaveNoGradient) {
  FlashCase c = FlashOf(1, 2, 2, 9, 9, 16, 16);
  c.pse_type = 3;
  FillFlash(c, random());
  SlopeFlash(c, {2}, random());
  FlashTensors tensors(c);
  tensors.Set(kDpse, {.dims = {2}});
  WriteAs(tensors.At(kDpse), {5, 7});
  RunForward(tensors);
  RunGradient(tensors);
  EXPECT_EQ(ReadAs(tensors.At(kDpse)), (std::vector<double>{5, 7}));
}

// PyTorch's adapter gives a gradient to every pse. That of one which batch entries or rows share is
// not written, and nothing else differs.
TEST_F(FlashAttentionTest, ASharedPseHasNoGradient) {
  for (int64_t type : {-1, 0, 1}) {
    for (const auto& dims : {std::vector<int64_t>{1, 2, 9, 9}, {2, 2, 1, 9}, {1, 2, 1, 9}}) {
      SCOPED_TRACE(::testing::PrintToString(dims) + " pseType " + std::to_string(type));
      FlashCase c = FlashOf(2, 2, 2, 9, 9, 16, 16);
      c.pse_type = type;
      FillFlash(c, random());
      ShiftFlash(c, dims, random());
      FlashTensors tensors(c), without(c);
      Tensor& dpse = (tensors.Set(kDpse, {.dims = dims}), tensors.At(kDpse));
      const std::vector<double> before(static_cast<size_t>(dpse.count()), 5);
      WriteAs(dpse, before);
      for (FlashTensors* each : {&tensors, &without}) {
        RunForward(*each);
        RunGradient(*each);
      }
      EXPECT_EQ(ReadAs(dpse), before);
      for (FlashTensor id : {kDq, kDk, kDv}) {
        EXPECT_EQ(ReadAs(tensors.At(id)), ReadAs(without.At(id)));
      }
    }
  }
}

TEST_F(FlashAttentionTest, WhatPseTypeRefuses) {
  const auto case_of = [&](int64_t type) {
    FlashCase c = FlashOf(2, 4, 2, 6, 6, 16, 16);
    c.pse_type = type;
    FillFlash(c, random());
    if (type >= 2) {
      SlopeFlash(c, {4}, random());
    } else {
      ShiftFlash(c, {2, 4, 6, 6}, random());
    }
    return c;
  };
  const auto refused = [&](FlashTensors& tensors, int code,
                           std::initializer_list<std::string_view> words) {
    ExpectRefused(tensors.Forward(), code, words);
    ExpectRefused(tensors.Gradient(), code, words);
  };
  for (int64_t type : {-1, 4}) {
    FlashTensors tensors(case_of(0));
    tensors.pse_type = type;
    refused(tensors, kConstraint, {"pseType = " + std::to_string(type), "0 to 3"});
  }
  for (int64_t type : {0, 2, 3}) {
    FlashTensors tensors(case_of(type));
    tensors.Drop(kPse);
    tensors.Drop(kDpse);
    refused(tensors, type == 0 ? kConstraint : kInvalid, {"expected 1 as", "is null"});
    tensors.Set(kPse, {.dims = {0}});
    refused(tensors, type == 0 ? kConstraint : kInvalid, {"expected 1 as", "is empty"});
  }
  {
    FlashCase c = case_of(2);
    c.dtype = ACL_FLOAT16;
    FlashTensors tensors(c);
    tensors.Set(kPse, {.dims = {4}, .dtype = ACL_FLOAT16});
    refused(tensors, kInvalid, {"dtype = FLOAT16, expected FLOAT", "pseType = 2"});
    tensors.Set(kPse, {.dims = {2, 4, 6, 6}});
    tensors.pse_type = 0;
    refused(tensors, kInvalid, {"dtype = FLOAT, expected FLOAT16", "pseType = 0"});
  }
  for (const auto& dims : {std::vector<int64_t>{3}, {1, 4}, {2, 4, 6, 6}}) {
    FlashTensors tensors(case_of(2));
    tensors.Set(kPse, {.dims = dims});
    refused(tensors, kConstraint, {"expected [4] or [2, 4]", "pseType = 2"});
  }
  {
    FlashTensors tensors(case_of(3));
    tensors.Set(kKey, {.dims = {2, 2, 7, 16}});
    tensors.Set(kValue, {.dims = {2, 2, 7, 16}});
    tensors.Set(kDk, {.dims = {2, 2, 7, 16}});
    tensors.Set(kDv, {.dims = {2, 2, 7, 16}});
    refused(tensors, kConstraint, {"Sq = 6 and S2 = 7", "pseType = 3"});
  }
  FlashCase many = case_of(2);
  many.query_start = {1, 2};
  FlashTensors two(many);
  refused(two, kConstraint, {"qStartIdxOptional has 2 values"});
  FlashCase far = case_of(2);
  far.key_start = {int64_t{1} << 30};
  FlashTensors beyond(far);
  refused(beyond, kConstraint, {"kvStartIdxOptional[0] = 1073741824, expected -536870912"});
}

TEST_F(FlashAttentionTest, WhatThePseGradientRefuses) {
  FlashCase c = FlashOf(2, 4, 2, 6, 6, 16, 16);
  c.pse_type = 0;
  c.problem.scales_pse = false;
  FillFlash(c, random());
  ShiftFlash(c, {2, 4, 6, 6}, random());
  FlashTensors tensors(c);
  tensors.scale = 0;
  ExpectRefused(tensors.Gradient(), kConstraint, {"scaleValue = 0", "dpseOut"});
  tensors.scale = 1;
  tensors.Set(kDpse, {.dims = {2, 4, 6, 6}, .dtype = ACL_FLOAT16});
  ExpectRefused(tensors.Gradient(), kInvalid, {"dpseOut.dtype = FLOAT16, expected FLOAT"});
}

}  // namespace
}  // namespace anyacl::test::flash_pse_type
