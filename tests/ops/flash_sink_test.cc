// SPDX-License-Identifier: Apache-2.0
// Third versions of FlashAttentionScore and of its gradient: a sink, a score that every row has
// beside those of its columns.
#include <limits>

#include "ops/flash_attention_case.h"
#include "support/numbers.h"

namespace anyacl::test::flash_sink {
namespace {

using enum FlashTensor;

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

TEST_F(FlashAttentionTest, SinksOfEveryTypeInEveryLayout) {
  for (aclDataType dtype : kTypes) {
    for (const char* layout : {"BSH", "SBH", "BSND", "BNSD"}) {
      for (bool gaps : {false, true}) {
        SCOPED_TRACE(layout);
        FlashCase c = FlashOf(2, 4, 2, 37, 51, 40, 24);
        c.dtype = dtype;
        c.layout = layout;
        c.gaps = gaps;
        FillFlash(c, random());
        SinkFlash(c, random());
        ASSERT_NO_FATAL_FAILURE(ExpectMatchesReference(c));
      }
    }
  }
}

// One row; more columns than a split; several blocks of rows.
TEST_F(FlashAttentionTest, SinksOfEverySize) {
  const int64_t sizes[][2] = {{1, 1}, {1, 2100}, {20, 1500}, {200, 65}, {130, 300}};
  for (const auto& size : sizes) {
    for (aclDataType dtype : {ACL_FLOAT16, ACL_BF16}) {
      SCOPED_TRACE(::testing::PrintToString(size));
      FlashCase c = FlashOf(1, 2, 1, size[0], size[1], 32, 32);
      c.dtype = dtype;
      FillFlash(c, random());
      SinkFlash(c, random());
      ASSERT_NO_FATAL_FAILURE(ExpectMatchesReference(c));
    }
  }
}

// Rows that a mask hides wholly, and those without columns, have the sink's statistics.
TEST_F(FlashAttentionTest, SinksWithMasksDropoutAndPse) {
  for (int64_t mode : {0, 2, 3, 6}) {
    for (int64_t pse_type : {0, 1, 2}) {
      SCOPED_TRACE(::testing::Message() << "mode " << mode << " pseType " << pse_type);
      const int64_t keys = pse_type == 2 ? 80 : 50;
      FlashCase c = FlashOf(2, 4, 2, 80, keys, 24, 16);
      c.dtype = ACL_FLOAT16;
      c.pse_type = pse_type;
      FillFlash(c, random());
      SinkFlash(c, random());
      DropFlash(c, 0.7, random());
      c.problem.scales_pse = pse_type == 1;
      if (pse_type == 2) {
        SlopeFlash(c, {4}, random());
      } else {
        ShiftFlash(c, {2, 4, 80, keys}, random());
      }
      if (mode == 0) {
        MaskFlash(c, {80, keys}, random());
      } else {
        CompressFlash(c, mode);
        c.problem.prefix = {10, 40};
      }
      if (mode == 6 && pse_type == 2) c.problem.prefix = {0, 80};
      ASSERT_NO_FATAL_FAILURE(ExpectMatchesReference(c));
    }
  }
}

TEST_F(FlashAttentionTest, ThirdVersionsWithoutASink) {
  FlashCase c = FlashOf(1, 2, 1, 30, 40, 16, 16);
  c.dtype = ACL_FLOAT16;
  c.pse_type = 1;
  c.third = true;
  FillFlash(c, random());
  ExpectMatchesReference(c);
}

// A sink far above all scores takes all weight, one far below none.
TEST_F(FlashAttentionTest, ExtremeSinks) {
  for (double sink : {-1e30, 1e4, -std::numeric_limits<double>::infinity()}) {
    FlashCase c = FlashOf(1, 2, 2, 10, 20, 16, 16);
    c.dtype = ACL_FLOAT16;
    FillFlash(c, random());
    SinkFlash(c, random());
    c.problem.sink.assign(2, sink);
    ASSERT_NO_FATAL_FAILURE(ExpectMatchesReference(c));
  }
}

TEST_F(FlashAttentionTest, EmptyTensorsWithASink) {
  const int64_t sizes[][3] = {{2, 5, 0}, {2, 0, 7}, {0, 5, 7}};
  for (const auto& s : sizes) {
    SCOPED_TRACE(::testing::PrintToString(s));
    FlashCase c = FlashOf(s[0], 2, 2, s[1], s[2], 16, 16);
    c.dtype = ACL_FLOAT16;
    FillFlash(c, random());
    SinkFlash(c, random());
    FlashTensors tensors(c);
    RunForward(tensors);
    RunGradient(tensors);
    for (FlashTensor id : {kOut, kDq, kDk, kDv, kDsink}) {
      for (double x : ReadAs(tensors.At(id))) ASSERT_EQ(x, 0);
    }
    EXPECT_TRUE(tensors.GuardsIntact());
  }
}

// The derivative of sum dy * out by the sinks, in double.
TEST_F(FlashAttentionTest, TheOraclesSinkGradientIsThatOfItsResult) {
  FlashCase c = FlashOf(2, 2, 1, 5, 7, 4, 3);
  FillFlash(c, random());
  SinkFlash(c, random());
  DropFlash(c, 0.7, random());
  MaskFlash(c, {1, 1, 5, 7}, random());
  FlashProblem& p = c.problem;
  const FlashResult at = FlashAttention(p, 0, 0);
  const auto loss = [&] {
    const FlashResult result = FlashAttention(p, 0, 0);
    double sum = 0;
    for (size_t i = 0; i < p.dy.size(); ++i) sum += p.dy[i] * result.out.values[i];
    return sum;
  };
  const auto expect = [&](std::vector<double>& input, const Near& gradient) {
    for (size_t i = 0; i < input.size(); ++i) {
      const double x = input[i];
      constexpr double kStep = 1e-5;
      input[i] = x + kStep;
      const double above = loss();
      input[i] = x - kStep;
      const double below = loss();
      input[i] = x;
      ASSERT_NEAR((above - below) / (2 * kStep), gradient.values[i], 1e-7) << i;
    }
  };
  expect(p.sink, at.dsink);
  expect(p.q, at.dq);
  expect(p.k, at.dk);
}

TEST_F(FlashAttentionTest, WhatASinkRefuses) {
  constexpr int kInvalid = 161002, kConstraint = 561002, kNull = 161001;
  FlashCase c = FlashOf(2, 4, 2, 6, 8, 16, 16);
  c.dtype = ACL_FLOAT16;
  FillFlash(c, random());
  SinkFlash(c, random());
  FlashTensors tensors(c);
  for (const auto& dims : {std::vector<int64_t>{3}, {1, 4}}) {
    tensors.Set(kSink, {.dims = dims});
    ExpectRefused(tensors.Forward(), kConstraint, {"sinkOptional.shape", "expected [4]"});
    ExpectRefused(tensors.Gradient(), kConstraint, {"sinkInOptional.shape", "expected [4]"});
  }
  tensors.Set(kSink, {.dims = {4}, .dtype = ACL_FLOAT16});
  ExpectRefused(tensors.Forward(), kInvalid, {"sinkOptional", "FLOAT16"});
  tensors.Set(kSink, {.dims = {4}});
  tensors.Drop(kDsink);
  ExpectRefused(tensors.Gradient(), kNull, {"dsinkOut is null"});
  tensors.Set(kDsink, {.dims = {5}});
  ExpectRefused(tensors.Gradient(), kInvalid, {"dsinkOut.shape = [5], expected [4]"});
  tensors.Drop(kSink);
  ExpectRefused(tensors.Gradient(), kInvalid, {"dsinkOut.shape = [5], expected null or empty"});
}

}  // namespace
}  // namespace anyacl::test::flash_sink
