// SPDX-License-Identifier: Apache-2.0
// FlashAttentionScore and its gradient against the oracle, and the oracle's gradient against
// differences of its forward results.
#include <cmath>
#include <limits>

#include "ops/flash_attention_case.h"
#include "support/numbers.h"

namespace anyacl::test::flash_attention {
namespace {

using enum FlashTensor;

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

TEST_F(FlashAttentionTest, EveryTypeInEveryLayout) {
  for (aclDataType dtype : kTypes) {
    for (const char* layout : {"BSH", "SBH", "BSND", "BNSD"}) {
      for (bool gaps : {false, true}) {
        SCOPED_TRACE(layout);
        FlashCase c = FlashOf(2, 4, 2, 37, 51, 40, 40);
        c.dtype = dtype;
        c.layout = layout;
        c.gaps = gaps;
        FillFlash(c, random());
        ASSERT_NO_FATAL_FAILURE(ExpectMatchesReference(c));
      }
    }
  }
}

TEST_F(FlashAttentionTest, SizesOfEveryKind) {
  const int64_t sizes[][7] = {
      {1, 1, 1, 1, 1, 1, 1},         {1, 1, 1, 1, 70, 64, 64},    {3, 2, 1, 5, 1, 16, 16},
      {1, 2, 2, 65, 129, 17, 9},     {1, 8, 1, 3, 200, 64, 64},   {2, 3, 3, 48, 64, 128, 128},
      {1, 1, 1, 430, 70, 16, 16},    {1, 2, 1, 50, 1100, 8, 8},   {1, 1, 1, 1, 2100, 32, 32},
      {1, 1, 1, 20, 30, 768, 768},   {1, 2, 2, 33, 40, 192, 128}, {1, 1, 1, 49, 65, 5, 3},
      {1, 1, 1, 60, 1100, 768, 768},
  };
  for (const auto& s : sizes) {
    for (aclDataType dtype : kTypes) {
      SCOPED_TRACE(::testing::PrintToString(s));
      FlashCase c = FlashOf(s[0], s[1], s[2], s[3], s[4], s[5], s[6]);
      c.dtype = dtype;
      FillFlash(c, random());
      ASSERT_NO_FATAL_FAILURE(ExpectMatchesReference(c));
    }
  }
}

TEST_F(FlashAttentionTest, MasksOfEveryShape) {
  const std::vector<int64_t> shapes[] = {{66, 83}, {1, 1, 66, 83}, {2, 1, 66, 83}, {2, 4, 66, 83}};
  for (const auto& dims : shapes) {
    for (aclDataType dtype : kTypes) {
      for (int64_t mode : {0, 1}) {
        SCOPED_TRACE(::testing::PrintToString(dims));
        FlashCase c = FlashOf(2, 4, 2, 66, 83, 24, 24);
        c.dtype = dtype;
        c.mask_type = mode == 0 ? ACL_BOOL : ACL_UINT8;
        c.problem.sparse_mode = mode;
        c.inner_precise = 2 * mode;
        c.gaps = mode == 1;
        FillFlash(c, random());
        MaskFlash(c, dims, random());
        ASSERT_NO_FATAL_FAILURE(ExpectMatchesReference(c));
      }
    }
  }
}

// As PyTorch makes them: a mask of one batch entry for all, by a stride of 0.
TEST_F(FlashAttentionTest, AMaskThatIsSpreadByStrides) {
  FlashCase c = FlashOf(3, 2, 2, 20, 30, 16, 16);
  FillFlash(c, random());
  MaskFlash(c, {1, 1, 20, 30}, random());
  FlashTensors tensors(c), spread(c);
  spread.Set(kMask, {.dims = {3, 2, 20, 30}, .dtype = ACL_BOOL, .strides = {0, 0, 30, 1}});
  std::vector<uint8_t> values;
  for (int i = 0; i < 6; ++i) {
    values.insert(values.end(), c.problem.mask.values.begin(), c.problem.mask.values.end());
  }
  spread.At(kMask).Write(values);
  for (FlashTensors* some : {&tensors, &spread}) {
    RunForward(*some);
    RunGradient(*some);
  }
  for (FlashTensor id : {kOut, kDq, kDk, kDv}) EXPECT_EQ(tensors.Rows(id), spread.Rows(id));
}

TEST_F(FlashAttentionTest, EverySparseMode) {
  const int64_t lengths[][2] = {{70, 70}, {40, 110}, {110, 40}, {1, 90}};
  struct Mode {
    int64_t mode, pre, next;
  };
  const Mode modes[] = {{0, 200, 0}, {0, 20, 15}, {0, 60, -5}, {0, -7, 30}, {2, 0, 0},
                        {3, 0, 0},   {4, 25, 10}, {4, 200, 0}, {5, 0, 0},   {6, 0, 0}};
  for (const auto& length : lengths) {
    for (const Mode& mode : modes) {
      // A band below the only row shows nothing.
      if (length[0] == 1 && mode.next < 0) continue;
      SCOPED_TRACE(::testing::Message() << "mode " << mode.mode << ", " << mode.pre << ", "
                                        << mode.next << ", Sq " << length[0]);
      FlashCase c = FlashOf(2, 2, 1, length[0], length[1], 16, 16);
      FillFlash(c, random());
      if (mode.mode == 0 || mode.mode == 5) {
        MaskFlash(c, {2, 1, length[0], length[1]}, random());
        c.problem.sparse_mode = mode.mode;
      } else {
        CompressFlash(c, mode.mode);
      }
      c.problem.pre_tokens = mode.pre;
      c.problem.next_tokens = mode.next;
      if (mode.mode >= 5) {
        const int64_t least = std::max<int64_t>(0, length[1] - length[0]);
        c.problem.prefix = {least, (least + length[1]) / 2};
      }
      ASSERT_NO_FATAL_FAILURE(ExpectMatchesReference(c));
    }
  }
}

TEST_F(FlashAttentionTest, ModesMeanNothingWithoutAMask) {
  FlashCase c = FlashOf(1, 2, 2, 20, 30, 16, 16);
  c.problem.sparse_mode = 2;
  c.problem.pre_tokens = c.problem.next_tokens = -5;
  FillFlash(c, random());
  ExpectMatchesReference(c);
}

TEST_F(FlashAttentionTest, PseOfEveryShape) {
  const std::vector<int64_t> shapes[] = {
      {2, 4, 50, 75}, {2, 4, 1, 75}, {1, 4, 50, 75}, {1, 4, 1, 75}};
  for (const auto& dims : shapes) {
    for (aclDataType dtype : kTypes) {
      SCOPED_TRACE(::testing::PrintToString(dims));
      FlashCase c = FlashOf(2, 4, 2, 50, 75, 32, 32);
      c.dtype = dtype;
      c.gaps = dtype == ACL_FLOAT;
      FillFlash(c, random());
      ShiftFlash(c, dims, random());
      ASSERT_NO_FATAL_FAILURE(ExpectMatchesReference(c));
    }
  }
}

TEST_F(FlashAttentionTest, Dropout) {
  for (aclDataType dtype : kTypes) {
    for (int64_t query : {1, 53}) {
      for (double keep : {0.3, 0.9, 1.0}) {
        FlashCase c = FlashOf(2, 2, 1, query, 67, 24, 24);
        c.dtype = dtype;
        c.gaps = keep == 0.3;
        FillFlash(c, random());
        DropFlash(c, keep, random());
        // Bits that drop although keepProb is 1 count, too.
        if (keep == 1) c.problem.drop[3] = 0x5a;
        ASSERT_NO_FATAL_FAILURE(ExpectMatchesReference(c));
      }
    }
  }
}

TEST_F(FlashAttentionTest, EverythingTogether) {
  for (aclDataType dtype : kTypes) {
    for (const char* layout : {"SBH", "BNSD"}) {
      FlashCase c = FlashOf(2, 4, 2, 70, 201, 40, 24);
      c.dtype = dtype;
      c.layout = layout;
      FillFlash(c, random());
      ShiftFlash(c, {2, 4, 70, 201}, random());
      DropFlash(c, 0.8, random());
      MaskFlash(c, {2, 1, 70, 201}, random());
      c.problem.pre_tokens = 50;
      c.problem.next_tokens = 120;
      ASSERT_NO_FATAL_FAILURE(ExpectMatchesReference(c));
    }
  }
}

TEST_F(FlashAttentionTest, RowsOfNothingAreZeros) {
  FlashCase c = FlashOf(1, 2, 2, 60, 20, 16, 16);
  CompressFlash(c, 3);
  FillFlash(c, random());
  FlashTensors tensors(c);
  RunForward(tensors);
  RunGradient(tensors);
  const std::vector<double> out = tensors.Rows(kOut), dq = tensors.Rows(kDq);
  const std::vector<double> max = ReadAs(tensors.At(kMax)), sum = ReadAs(tensors.At(kSum));
  for (size_t i = 0; i < 40; ++i) {
    for (size_t d = 0; d < 16; ++d) {
      ASSERT_EQ(out[i * 16 + d], 0);
      ASSERT_EQ(dq[i * 16 + d], 0);
    }
    ASSERT_EQ(max[i * 8], -std::numeric_limits<float>::max());
    ASSERT_EQ(sum[i * 8], std::numeric_limits<float>::max());
  }
  ExpectMatchesReference(c);
}

// What a float mask of PyTorch holds: columns of -inf count for nothing, rows of them are zeros.
TEST_F(FlashAttentionTest, InfinitePse) {
  FlashCase c = FlashOf(1, 2, 2, 20, 70, 16, 16);
  FillFlash(c, random());
  ShiftFlash(c, {1, 2, 20, 70}, random());
  for (size_t i = 0; i < c.problem.pse.values.size(); ++i) {
    if (i % 3 == 0 || i / 70 == 4) c.problem.pse.values[i] = -INFINITY;
  }
  ExpectMatchesReference(c);
}

TEST_F(FlashAttentionTest, EmptyTensors) {
  const int64_t sizes[][7] = {{2, 2, 2, 5, 0, 16, 16},
                              {2, 2, 2, 0, 7, 16, 16},
                              {0, 2, 2, 5, 7, 16, 16},
                              {2, 2, 2, 5, 7, 0, 0},
                              {2, 2, 2, 5, 7, 16, 0}};
  for (const auto& s : sizes) {
    for (const char* layout : {"BNSD", "BSND"}) {
      SCOPED_TRACE(::testing::PrintToString(s));
      FlashCase c = FlashOf(s[0], s[1], s[2], s[3], s[4], s[5], s[6]);
      c.problem.scale = 0.5;
      c.layout = layout;
      FillFlash(c, random());
      FlashTensors tensors(c);
      RunForward(tensors);
      RunGradient(tensors);
      for (FlashTensor id : {kOut, kDq, kDk, kDv}) {
        for (double x : tensors.Rows(id)) ASSERT_EQ(x, 0);
      }
      if (s[4] == 0) {
        for (FlashTensor id : {kMax, kSum}) {
          for (double x : ReadAs(tensors.At(id))) ASSERT_EQ(x, 0);
        }
      }
      EXPECT_TRUE(tensors.GuardsIntact());
    }
  }
}

// The derivative of sum dy * out by each input, in double.
TEST_F(FlashAttentionTest, TheOraclesGradientIsThatOfItsResult) {
  FlashCase c = FlashOf(1, 2, 1, 5, 7, 4, 3);
  FillFlash(c, random());
  ShiftFlash(c, {1, 2, 5, 7}, random());
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
  expect(p.q, at.dq);
  expect(p.k, at.dk);
  expect(p.v, at.dv);
  expect(p.pse.values, at.dpse);
}

}  // namespace
}  // namespace anyacl::test::flash_attention
