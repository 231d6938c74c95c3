// SPDX-License-Identifier: Apache-2.0
// What FlashAttentionScore and its gradient refuse, with which code and words.
#include <functional>

#include "ops/flash_attention_case.h"

namespace anyacl::test::flash_attention_checks {
namespace {

using enum FlashTensor;

constexpr int kInvalid = 161002, kConstraint = 561002, kNull = 161001;

struct Break {
  const char* name;
  int code;
  std::vector<std::string> words;
  std::function<void(FlashCase&)> in_case;
  std::function<void(FlashTensors&)> in_call;
};

Layout Floats(std::vector<int64_t> dims, aclDataType dtype = ACL_FLOAT) {
  return {.dims = std::move(dims), .dtype = dtype};
}

// A right call: B = 2, N = 4, Nk = 2, Sq = 6, S2 = 8, D = 16 as BNSD, with a mask and dropout.
FlashCase RightCase(Random& random) {
  FlashCase c = FlashOf(2, 4, 2, 6, 8, 16, 16);
  FillFlash(c, random);
  MaskFlash(c, {6, 8}, random);
  DropFlash(c, 0.5, random);
  ShiftFlash(c, {2, 4, 6, 8}, random);
  return c;
}

std::vector<Break> BreaksOfBoth() {
  const auto keep = [](FlashCase&) {};
  const auto set = [](FlashTensor id, Layout layout) {
    return [id, layout](FlashTensors& t) { t.Set(id, layout); };
  };
  const auto compressed = [](int64_t mode) {
    return [mode](FlashCase& c) { CompressFlash(c, mode); };
  };
  return {
      {"NullQuery", kNull, {"query", "null"}, keep, [](FlashTensors& t) { t.Drop(kQuery); }},
      {"NullKey", kNull, {"key", "null"}, keep, [](FlashTensors& t) { t.Drop(kKey); }},
      {"NullLayout", kNull, {"inputLayout"}, keep, [](FlashTensors& t) { t.null_layout = true; }},
      {"NullMax", kNull, {"softmaxMax"}, keep, [](FlashTensors& t) { t.Drop(kMax); }},
      {"KeyOfAnotherType",
       kInvalid,
       {"FLOAT16", "query"},
       keep,
       set(kKey, Floats({2, 2, 8, 16}, ACL_FLOAT16))},
      {"PseOfAnotherType",
       kInvalid,
       {"FLOAT16", "query"},
       keep,
       set(kPse, Floats({2, 4, 6, 8}, ACL_FLOAT16))},
      {"MaskOfFloats", kInvalid, {"attenMask", "FLOAT"}, keep, set(kMask, Floats({6, 8}))},
      {"DropMaskOfBools", kInvalid, {"dropMask", "BOOL"}, keep, set(kDrop, Floats({64}, ACL_BOOL))},
      {"UnknownLayout",
       kInvalid,
       {"inputLayout = \"TND\""},
       keep,
       [](FlashTensors& t) { t.layout = "TND"; }},
      {"LayoutOfAnotherRank",
       kInvalid,
       {"4 dimensions", "expected 3"},
       keep,
       [](FlashTensors& t) { t.layout = "BSH"; }},
      {"NoHeads", kInvalid, {"headNum = 0"}, keep, [](FlashTensors& t) { t.head_num = 0; }},
      {"OtherHeads",
       kConstraint,
       {"headNum = 2", "4"},
       keep,
       [](FlashTensors& t) { t.head_num = 2; }},
      {"HeadsThatAreNoMultiple",
       kConstraint,
       {"multiple of the 3 heads"},
       keep,
       [](FlashTensors& t) {
         t.Set(kKey, Floats({2, 3, 8, 16}));
         t.Set(kValue, Floats({2, 3, 8, 16}));
       }},
      {"KeyOfAnotherDim",
       kInvalid,
       {"D of key", "expected 16"},
       keep,
       set(kKey, Floats({2, 2, 8, 15}))},
      {"ValueOfALargerDim",
       kInvalid,
       {"D of value is 17"},
       keep,
       set(kValue, Floats({2, 2, 8, 17}))},
      {"KeyOfAnotherBatch",
       kConstraint,
       {"key", "[3, 2, 8, 16]"},
       keep,
       set(kKey, Floats({3, 2, 8, 16}))},
      {"ValueOfAnotherLength",
       kConstraint,
       {"value.shape = [2, 2, 9, 16]"},
       keep,
       set(kValue, Floats({2, 2, 9, 16}))},
      {"PseOfAnotherShape",
       kConstraint,
       {"[2, 4, 6, 7]", "S2 = 8"},
       keep,
       set(kPse, Floats({2, 4, 6, 7}))},
      {"PaddingMask",
       kInvalid,
       {"paddingMaskOptional", "reserved"},
       keep,
       set(kPadding, Floats({2, 8}))},
      {"KeepProbOfNothing",
       kConstraint,
       {"keepProb = 0,"},
       keep,
       [](FlashTensors& t) { t.keep_prob = 0; }},
      {"KeepProbAboveOne",
       kConstraint,
       {"keepProb = 1.5"},
       keep,
       [](FlashTensors& t) { t.keep_prob = 1.5; }},
      {"DropoutWithoutAMask",
       kConstraint,
       {"keepProb = 0.5", "null"},
       keep,
       [](FlashTensors& t) { t.Drop(kDrop); }},
      {"ShortDropMask",
       kConstraint,
       {"dropMaskOptional.shape = [47]", "[48]"},
       keep,
       set(kDrop, Floats({47}, ACL_UINT8))},
      {"ModeOfVariableLengths",
       kConstraint,
       {"sparseMode = 7"},
       keep,
       [](FlashTensors& t) { t.sparse_mode = 7; }},
      {"NegativeMode",
       kConstraint,
       {"sparseMode = -1"},
       keep,
       [](FlashTensors& t) { t.sparse_mode = -1; }},
      {"MaskOfAnotherShape",
       kConstraint,
       {"attenMaskOptional.shape = [6, 9]"},
       keep,
       set(kMask, Floats({6, 9}, ACL_BOOL))},
      {"MaskOfThreeDimensions",
       kConstraint,
       {"[2, 6, 8]"},
       keep,
       set(kMask, Floats({2, 6, 8}, ACL_BOOL))},
      {"CompressedMaskOfAnotherShape",
       kConstraint,
       {"[2048, 2048]", "sparseMode = 2"},
       keep,
       [](FlashTensors& t) { t.sparse_mode = 2; }},
      {"PrefixMaskOfAnotherShape",
       kConstraint,
       {"[3072, 2048]", "sparseMode = 6"},
       [](FlashCase& c) {
         c.problem.prefix = {4, 4};
       },
       [](FlashTensors& t) { t.sparse_mode = 6; }},
      {"BandOfNothing",
       kConstraint,
       {"preTokens = -3 and nextTokens = 2"},
       keep,
       [](FlashTensors& t) {
         t.pre_tokens = -3;
         t.next_tokens = 2;
       }},
      {"BandRightOfAll",
       kConstraint,
       {"preTokens = -8"},
       keep,
       [](FlashTensors& t) { t.pre_tokens = -8; }},
      {"BandBelowAll",
       kConstraint,
       {"nextTokens = -6"},
       keep,
       [](FlashTensors& t) { t.next_tokens = -6; }},
      {"BandOfMode4OfNothing",
       kConstraint,
       {"sparseMode = 4"},
       compressed(4),
       [](FlashTensors& t) {
         t.pre_tokens = 5;
         t.next_tokens = -6;
       }},
      {"NoPrefix",
       kConstraint,
       {"prefixOptional has 0 values"},
       compressed(6),
       [](FlashTensors&) {}},
      {"ShortPrefix",
       kConstraint,
       {"prefixOptional has 1 values"},
       [](FlashCase& c) {
         CompressFlash(c, 6);
         c.problem.prefix = {4};
       },
       [](FlashTensors&) {}},
      {"PrefixBelowItsRange",
       kConstraint,
       {"prefixOptional[1] = 1, expected 2 to 8"},
       [](FlashCase& c) {
         CompressFlash(c, 6);
         c.problem.prefix = {2, 1};
       },
       [](FlashTensors&) {}},
      {"MaxOfAnotherShape",
       kInvalid,
       {"softmaxMax", "[2, 4, 6, 8]"},
       keep,
       set(kMax, Floats({2, 4, 6, 7}))},
      {"OverlappingResults", kInvalid, {"stride"}, keep, [](FlashTensors& t) {
         const Layout overlap{.dims = {2, 4, 6, 16}, .strides = {384, 96, 0, 1}};
         t.Set(kOut, overlap);
         t.Set(kDq, overlap);
       }}};
}

class FlashAttentionChecksTest : public FlashAttentionTest {
 protected:
  void Expect(const Break& broken, bool gradient) {
    SCOPED_TRACE(broken.name);
    FlashCase c = RightCase(random());
    broken.in_case(c);
    FlashTensors tensors(c);
    broken.in_call(tensors);
    const Prepared prepared = Prepare(gradient ? tensors.Gradient() : tensors.Forward());
    EXPECT_EQ(prepared.code, broken.code);
    const std::string message = TakeMessages();
    for (const std::string& word : broken.words) {
      EXPECT_NE(message.find(word), message.npos) << message << " lacks " << word;
    }
  }
};

TEST_F(FlashAttentionChecksTest, TheRightCallPasses) {
  FlashTensors tensors(RightCase(random()));
  RunForward(tensors);
  RunGradient(tensors);
}

TEST_F(FlashAttentionChecksTest, Forward) {
  for (const Break& broken : BreaksOfBoth()) Expect(broken, false);
}

TEST_F(FlashAttentionChecksTest, Gradient) {
  for (const Break& broken : BreaksOfBoth()) Expect(broken, true);
  const auto keep = [](FlashCase&) {};
  const Break breaks[] = {
      {"NullDy", kNull, {"dy", "null"}, keep, [](FlashTensors& t) { t.Drop(kDy); }},
      {"NullResult", kNull, {"attentionIn"}, keep, [](FlashTensors& t) { t.Drop(kOut); }},
      {"NullDk", kNull, {"dkOut"}, keep, [](FlashTensors& t) { t.Drop(kDk); }},
      {"DyOfAnotherShape",
       kInvalid,
       {"dy.shape"},
       keep,
       [](FlashTensors& t) {
         t.Set(kDy, Floats({2, 4, 6, 15}));
       }},
      {"DkOfAnotherShape",
       kInvalid,
       {"dkOut.shape"},
       keep,
       [](FlashTensors& t) {
         t.Set(kDk, Floats({2, 2, 9, 16}));
       }},
      {"DpseWithoutPse", kInvalid, {"dpseOut"}, keep, [](FlashTensors& t) { t.Drop(kPse); }},
      {"DpseOfAnotherShape",
       kInvalid,
       {"dpseOut.shape = [1, 4, 6, 8], expected [2, 4, 6, 8]"},
       keep,
       [](FlashTensors& t) {
         t.Set(kPse, Floats({2, 4, 6, 8}));
         t.Set(kDpse, Floats({1, 4, 6, 8}));
       }},
  };
  for (const Break& broken : breaks) Expect(broken, true);
}

TEST_F(FlashAttentionChecksTest, AnOutputOfAnotherShape) {
  FlashTensors tensors(RightCase(random()));
  tensors.Set(kOut, Floats({2, 4, 6, 8}));
  ExpectRefused(tensors.Forward(), kInvalid, {"attentionOutOut.shape = [2, 4, 6, 8]"});
}

TEST_F(FlashAttentionChecksTest, RowsOfHeadsThatDoNotDivide) {
  FlashCase c = FlashOf(2, 4, 2, 6, 8, 16, 16);
  c.layout = "BSH";
  FillFlash(c, random());
  FlashTensors tensors(c);
  tensors.head_num = 3;
  ExpectRefused(tensors.Forward(), kConstraint, {"H = 64", "headNum = 3"});
  tensors.head_num = 4;
  tensors.Set(kKey, Floats({2, 8, 30}));
  ExpectRefused(tensors.Forward(), kInvalid, {"H = 30", "D = 16"});
}

TEST_F(FlashAttentionChecksTest, HeadsOfMoreThan768) {
  FlashCase c = FlashOf(1, 1, 1, 2, 2, 769, 769);
  FillFlash(c, random());
  FlashTensors tensors(c);
  ExpectRefused(tensors.Forward(), kInvalid, {"769", "768"});
}

}  // namespace
}  // namespace anyacl::test::flash_attention_checks
