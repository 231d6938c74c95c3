// SPDX-License-Identifier: Apache-2.0
// FlashAttentionVarLenScore with ropes in tensors of their own, and its gradient: the bits of a
// call whose queries and keys hold them.
#include <algorithm>

#include "ops/flash_sequences_case.h"
#include "support/numbers.h"

namespace anyacl::test::flash_ropes {
namespace {

using enum FlashTensor;

struct Ropes {
  aclDataType type = ACL_BF16;
  int64_t dim = 32, rope = 16, value_dim = 32;
  int64_t heads = 4, kv_heads = 2;
  int64_t mode = 3;
  bool gaps = false, sink = false;
  int64_t pse_type = 1;
};

class RopesTest : public FlashAttentionTest {
 protected:
  using Values = std::vector<double>;

  Layout Lying(std::vector<int64_t> dims, aclDataType type, bool gaps) {
    Layout layout{.dims = dims, .dtype = type};
    if (!gaps) return layout;
    layout.strides = ContiguousStrides(dims);
    for (int64_t& stride : layout.strides) stride *= 3;
    layout.offset = 2;
    return layout;
  }

  // Rows of `first` numbers and of `second` ones, one behind the other.
  static Values Joined(const Values& a, int64_t first, const Values& b, int64_t second) {
    Values all;
    const auto rows = static_cast<int64_t>(a.size()) / first;
    for (int64_t r = 0; r < rows; ++r) {
      all.insert(all.end(), a.begin() + r * first, a.begin() + (r + 1) * first);
      all.insert(all.end(), b.begin() + r * second, b.begin() + (r + 1) * second);
    }
    return all;
  }

  // The call of `version` with ropes, all filled.
  FlashSequences CallOf(const Ropes& r, int version);
  void Check(const Ropes& r, int version);

  // Rows behind the last end are nobody's.
  static constexpr int64_t kRows = 90, kKeys = 120;
};

FlashSequences RopesTest::CallOf(const Ropes& r, int version) {
  FlashSequences call;
  call.version = version;
  call.heads = r.heads;
  call.query_ends = {7, 7, 87};
  call.key_ends = {9, 20, 115};
  call.prefix = {3, 11, 20};
  call.sparse_mode = r.mode;
  call.pre_tokens = call.next_tokens = 20;
  call.pse_type = r.pse_type;
  const auto set = [&](FlashTensor id, int64_t rows, int64_t heads, int64_t dim) {
    Tensor& tensor = call.Set(id, Lying({rows, heads, dim}, r.type, r.gaps));
    Values values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      values.push_back(AsHeld(r.type, random().Bell()));
    }
    WriteAs(tensor, values);
  };
  for (FlashTensor id : {kQuery, kDq}) set(id, kRows, r.heads, r.dim);
  for (FlashTensor id : {kQueryRope, kDqRope}) set(id, kRows, r.heads, r.rope);
  for (FlashTensor id : {kKey, kDk}) set(id, kKeys, r.kv_heads, r.dim);
  for (FlashTensor id : {kKeyRope, kDkRope}) set(id, kKeys, r.kv_heads, r.rope);
  for (FlashTensor id : {kValue, kDv}) set(id, kKeys, r.kv_heads, r.value_dim);
  for (FlashTensor id : {kDy, kOut}) set(id, kRows, r.heads, r.value_dim);
  for (FlashTensor id : {kMax, kSum}) call.Set(id, {.dims = {kRows, r.heads, 8}});
  const bool compressed = r.mode >= 2;
  Tensor& mask = call.Set(kMask, {.dims = compressed ? std::vector<int64_t>{2048, 2048}
                                                     : std::vector<int64_t>{100, 110},
                                  .dtype = ACL_BOOL});
  if (r.mode == 6) call.Set(kMask, {.dims = {3072, 2048}, .dtype = ACL_BOOL});
  if (!compressed) {
    std::vector<uint8_t> hidden;
    for (int64_t i = 0; i < mask.count(); ++i) hidden.push_back(random().Chance(0.3));
    mask.Write(hidden);
  }
  if (r.sink) {
    WriteAs(call.Set(kSink, {.dims = {r.heads}}), Values(static_cast<size_t>(r.heads), 0.5));
    call.Set(kDsink, {.dims = {r.heads}});
  }
  return call;
}

void RopesTest::Check(const Ropes& r, int version) {
  SCOPED_TRACE(::testing::Message() << "version " << version << " type " << r.type << " D " << r.dim
                                    << " + " << r.rope << " mode " << r.mode);
  FlashSequences call = CallOf(r, version);
  // Without ropes of its own.
  FlashSequences joined = CallOf(r, version == 3 ? 2 : 5);
  joined.pse_type = 1;
  const auto take = [&](FlashTensor id, FlashTensor rope, int64_t rows, int64_t heads) {
    Tensor& tensor = joined.Set(id, {.dims = {rows, heads, r.dim + r.rope}, .dtype = r.type});
    WriteAs(tensor, Joined(ReadAs(call.At(id)), r.dim, ReadAs(call.At(rope)), r.rope));
    joined.tensors.erase(rope);
  };
  take(kQuery, kQueryRope, kRows, r.heads);
  take(kKey, kKeyRope, kKeys, r.kv_heads);
  take(kDq, kDqRope, kRows, r.heads);
  take(kDk, kDkRope, kKeys, r.kv_heads);
  for (FlashTensor id : {kValue, kDy, kOut, kDv}) WriteAs(joined.At(id), ReadAs(call.At(id)));
  if (r.mode < 2) {
    std::vector<uint8_t> hidden;
    for (double x : ReadAs(call.At(kMask))) hidden.push_back(x != 0);
    joined.At(kMask).Write(hidden);
  }
  for (FlashSequences* each : {&call, &joined}) {
    RunTwoPhase(each->Forward(), each->ForwardRun());
    // Ropes of gradients are BF16.
    if (r.type == ACL_BF16) RunTwoPhase(each->Gradient(), each->GradientRun());
    for (const auto& [id, t] : each->tensors) EXPECT_TRUE(t->GuardsIntact());
  }
  for (FlashTensor id : {kOut, kMax, kSum, kDv}) {
    ASSERT_EQ(ReadAs(call.At(id)), ReadAs(joined.At(id)));
  }
  if (r.sink) {
    ASSERT_EQ(ReadAs(call.At(kDsink)), ReadAs(joined.At(kDsink)));
  }
  ASSERT_EQ(Joined(ReadAs(call.At(kDq)), r.dim, ReadAs(call.At(kDqRope)), r.rope),
            ReadAs(joined.At(kDq)));
  ASSERT_EQ(Joined(ReadAs(call.At(kDk)), r.dim, ReadAs(call.At(kDkRope)), r.rope),
            ReadAs(joined.At(kDk)));
}

TEST_F(RopesTest, HaveTheBitsOfWholeHeads) {
  for (int version : {3, 5}) {
    Check({}, version);
    Check({.gaps = true}, version);
    Check({.dim = 128, .rope = 64, .value_dim = 128}, version);
    // No multiples of 16.
    Check({.dim = 24, .rope = 8, .value_dim = 8, .heads = 3, .kv_heads = 1}, version);
    for (int64_t mode : {0, 1, 2, 4, 7, 8}) Check({.mode = mode}, version);
  }
  Check({.mode = 6}, 3);
  Check({.pse_type = 0}, 3);
  Check({.sink = true}, 5);
}

TEST_F(RopesTest, OfEveryTypeForward) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (bool gaps : {false, true}) Check({.type = type, .gaps = gaps}, 3);
  }
}

// Of version 5 empty tensors stand for none. A program without ropes gives null for them and, as
// their gradients, empty tensors of query's type.
TEST_F(RopesTest, NoneAtAll) {
  for (aclDataType type : {ACL_BF16, ACL_FLOAT16}) {
    FlashSequences call = CallOf({.type = type}, 5), plain = CallOf({.type = type}, 2);
    for (FlashTensor id : {kQueryRope, kKeyRope, kDqRope, kDkRope}) {
      plain.tensors.erase(id);
      const bool gradient = id == kDqRope || id == kDkRope;
      if (gradient || type == ACL_BF16) {
        call.Set(id, {.dims = {0}, .dtype = type});
      } else {
        call.tensors.erase(id);
      }
    }
    for (FlashTensor id : {kQuery, kKey, kValue, kDy}) WriteAs(plain.At(id), ReadAs(call.At(id)));
    for (FlashTensor id : {kOut, kDq, kDk, kDv}) WriteAs(plain.At(id), ReadAs(call.At(id)));
    for (FlashSequences* each : {&call, &plain}) {
      RunTwoPhase(each->Forward(), each->ForwardRun());
      RunTwoPhase(each->Gradient(), each->GradientRun());
    }
    for (FlashTensor id : {kOut, kDq, kDk, kDv}) {
      EXPECT_EQ(ReadAs(call.At(id)), ReadAs(plain.At(id)));
    }
  }
}

// The type of ropes is BF16 also where gradients without ropes may be FLOAT16.
TEST_F(RopesTest, GradientsOfHalfPrecisionAreRefused) {
  ExpectRefused(CallOf({.type = ACL_FLOAT16}, 5).Gradient(), 161002,
                {"queryRope.dtype = FLOAT16, expected BF16"});
}

TEST_F(RopesTest, WhatDoesNotFitIsRefused) {
  constexpr int kInvalid = 161002, kConstraint = 561002, kNull = 161001;
  const auto bf16 = [](std::vector<int64_t> dims) {
    return Layout{.dims = std::move(dims), .dtype = ACL_BF16};
  };
  const auto refused = [&](int version, auto change, int code,
                           std::initializer_list<std::string_view> words) {
    FlashSequences call = CallOf({}, version);
    change(call);
    ExpectRefused(call.Forward(), code, words);
    ExpectRefused(call.Gradient(), code, words);
  };
  const auto with = [](FlashTensor id, Layout layout) {
    return [id, layout](FlashSequences& call) { call.Set(id, layout); };
  };
  const auto without = [](FlashTensor id) {
    return [id](FlashSequences& call) { call.tensors.erase(id); };
  };
  for (int version : {3, 5}) {
    refused(version, with(kQueryRope, bf16({kRows, 3, 16})), kConstraint,
            {"queryRope.shape = [90, 3, 16], expected [90, 4, 16]"});
    refused(version, with(kQueryRope, bf16({kRows, 64})), kInvalid, {"queryRope", "[T, N, D]"});
    refused(version, with(kKeyRope, bf16({kKeys, 2, 8})), kConstraint,
            {"[120, 2, 8], expected [120, 2, 16]"});
    refused(version,
            [&](FlashSequences& call) {
              call.Set(kQueryRope, bf16({kRows, 4, 12}));
              call.Set(kKeyRope, bf16({kKeys, 2, 12}));
            },
            kConstraint, {"12", "multiples of 8"});
    refused(version,
            [&](FlashSequences& call) {
              call.Set(kQueryRope, bf16({kRows, 4, 40}));
              call.Set(kKeyRope, bf16({kKeys, 2, 40}));
            },
            kInvalid, {"D of queryRope is 40, expected at most 32"});
    refused(version, with(kPse, bf16({1, 4, 100, 110})), kInvalid, {"expected null beside"});
    refused(version, with(kDrop, {.dims = {9000}, .dtype = ACL_UINT8}), kInvalid,
            {"dropMaskOptional", "expected null beside"});
    refused(version, [](FlashSequences& call) { call.keep_prob = 0.5; }, kInvalid,
            {"keepProb = 0.5, expected 1"});
    refused(version, with(kMask, {.dims = {0}, .dtype = ACL_BOOL}), kNull,
            {"attenMaskOptional", "empty"});
    refused(version, without(kMask), kNull, {"attenMaskOptional", "null"});
    refused(version, without(kKeyRope), kNull, {"null, expected"});
    FlashSequences call = CallOf({}, version);
    call.tensors.erase(kDqRope);
    ExpectRefused(call.Gradient(), kNull, {"dqRopeOut", "null"});
    call.Set(kDqRope, bf16({kRows, 4, 8}));
    ExpectRefused(call.Gradient(), kConstraint, {"dqRopeOut.shape = [90, 4, 8]", "[90, 4, 16]"});
  }
  refused(3, [](FlashSequences& call) { call.pse_type = 2; }, kConstraint,
          {"pseType = 2, expected 0 to 1"});
  refused(5, [](FlashSequences& call) { call.pse_type = 0; }, kConstraint,
          {"pseType = 0, expected 1"});
  refused(5,
          [](FlashSequences& call) {
            call.sparse_mode = 6;
            call.Set(kMask, {.dims = {3072, 2048}, .dtype = ACL_BOOL});
          },
          kInvalid, {"sparseMode = 6", "beside queryRope"});
  FlashSequences call = CallOf({}, 5);
  call.tensors.erase(kQueryRope);
  call.tensors.erase(kKeyRope);
  ExpectRefused(call.Gradient(), kInvalid, {"dqRopeOut is given, expected null"});
  // 768 is what the attention engine has room for.
  FlashSequences wide = CallOf({.dim = 512, .rope = 264, .value_dim = 512}, 3);
  ExpectRefused(wide.Forward(), kInvalid, {"together is 776", "768"});
}

TEST_F(RopesTest, EmptySequences) {
  FlashSequences call = CallOf({}, 3);
  call.query_ends = {0, 0, 5};
  call.key_ends = {0, 4, 4};
  RunTwoPhase(call.Forward(), call.ForwardRun());
  RunTwoPhase(call.Gradient(), call.GradientRun());
  const Values dq = ReadAs(call.At(kDq)), dk_rope = ReadAs(call.At(kDkRope));
  EXPECT_TRUE(std::all_of(dq.begin(), dq.begin() + 5 * 4 * 32, [](double x) { return x == 0; }));
  EXPECT_TRUE(
      std::all_of(dk_rope.begin(), dk_rope.begin() + 4 * 2 * 16, [](double x) { return x == 0; }));
}

}  // namespace
}  // namespace anyacl::test::flash_ropes
