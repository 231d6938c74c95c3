// SPDX-License-Identifier: Apache-2.0
// Layout TND: where sequences end, and how many there may be.
#include <array>

#include "ops/flash_sequences_case.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

using Values = std::vector<double>;

class SequenceEndsTest : public FlashAttentionTest {
 protected:
  Values Numbers(int64_t count, aclDataType type) {
    Values values;
    for (int64_t i = 0; i < count; ++i) values.push_back(AsHeld(type, random().Bell()));
    return values;
  }
  static Values RowOf(const Values& all, int64_t row, int64_t width) {
    return {all.begin() + row * width, all.begin() + (row + 1) * width};
  }
  void CheckEndsOfZero(int64_t mode);
};

// Behind the last end, zeros are sequences of nothing.
void SequenceEndsTest::CheckEndsOfZero(int64_t mode) {
  SCOPED_TRACE(mode);
  using enum FlashTensor;
  FlashSequences calls[2];
  const Values qs = Numbers(9 * 2 * 16, ACL_FLOAT), ks = Numbers(7 * 2 * 16, ACL_FLOAT);
  for (FlashSequences& call : calls) {
    call.heads = 2;
    call.sparse_mode = mode;
    call.pre_tokens = call.next_tokens = mode == 0 ? INT32_MAX : 1;
    if (mode != 0) call.Set(kMask, {.dims = {2048, 2048}, .dtype = ACL_BOOL});
    call.query_ends = {4, 9};
    call.key_ends = {3, 7};
    for (FlashTensor id : {kQuery, kDy, kOut, kDq}) call.Set(id, {.dims = {9, 2, 16}});
    for (FlashTensor id : {kKey, kValue, kDk, kDv}) call.Set(id, {.dims = {7, 2, 16}});
    for (FlashTensor id : {kMax, kSum}) call.Set(id, {.dims = {9, 2, 8}});
    for (FlashTensor id : {kQuery, kDy}) WriteAs(call.At(id), qs);
    for (FlashTensor id : {kKey, kValue}) WriteAs(call.At(id), ks);
  }
  for (std::vector<int64_t>* ends : {&calls[1].query_ends, &calls[1].key_ends}) {
    ends->insert(ends->end(), {0, 0});
  }
  for (FlashSequences& call : calls) {
    RunTwoPhase(call.Forward(), call.ForwardRun());
    RunTwoPhase(call.Gradient(), call.GradientRun());
  }
  for (FlashTensor id : {kOut, kMax, kSum, kDq, kDk, kDv}) {
    EXPECT_EQ(ReadAs(calls[0].At(id)), ReadAs(calls[1].At(id)));
  }
}

TEST_F(SequenceEndsTest, EndsOfZero) {
  for (int64_t mode : {0, 7, 8}) CheckEndsOfZero(mode);
}

// As many as fifth versions take: of a key each, which all rows see, so that results are values.
TEST_F(SequenceEndsTest, TwentyThousandSequences) {
  using enum FlashTensor;
  constexpr int64_t kCount = 20000, kRows = kCount * 3 / 2, kDim = 16;
  FlashSequences call;
  call.version = 5;
  for (int64_t i = 0; i < kCount; ++i) {
    call.query_ends.push_back((i / 2 * 3) + 1 + i % 2 * 2);
    call.key_ends.push_back(i + 1);
  }
  const auto set = [&](FlashTensor id, int64_t rows) {
    call.Set(id, {.dims = {rows, 1, kDim}, .dtype = ACL_FLOAT16});
  };
  for (FlashTensor id : {kQuery, kDy, kOut, kDq}) set(id, kRows);
  for (FlashTensor id : {kKey, kValue, kDk, kDv}) set(id, kCount);
  for (FlashTensor id : {kMax, kSum}) call.Set(id, {.dims = {kRows, 1, 8}});
  const Values values = Numbers(kCount * kDim, ACL_FLOAT16);
  WriteAs(call.At(kValue), values);
  WriteAs(call.At(kDy), Values(kRows * kDim, 1));
  RunTwoPhase(call.Forward(), call.ForwardRun());
  RunTwoPhase(call.Gradient(), call.GradientRun());
  const Values out = ReadAs(call.At(kOut)), dv = ReadAs(call.At(kDv));
  for (int64_t i = 0; i < kCount; ++i) {
    const int64_t end = call.query_ends[static_cast<size_t>(i)], rows = 1 + i % 2;
    for (int64_t row = end - rows; row < end; ++row) {
      ASSERT_EQ(RowOf(out, row, kDim), RowOf(values, i, kDim)) << row;
    }
    ASSERT_EQ(RowOf(dv, i, kDim), Values(kDim, static_cast<double>(rows))) << i;
  }
}

// What fifth versions say before lengths are known; the calls run in it, too.
TEST_F(SequenceEndsTest, TheMostWorkspaceIsEnoughForAllLengths) {
  using enum FlashTensor;
  constexpr int64_t kRows = 700, kKeys = 5000;
  const auto size_of = [](const Phase1& phase) {
    const Prepared prepared = Prepare(phase);
    EXPECT_OK(prepared.code) << TakeMessages();
    EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
    return prepared.workspace_size;
  };
  for (const auto& [heads, kv_heads, dim, rope] :
       {std::array<int64_t, 4>{8, 8, 64, 0}, {4, 1, 128, 0}, {2, 2, 32, 16}}) {
    FlashSequences call;
    call.version = 5;
    call.heads = heads;
    call.sparse_mode = 3;
    const auto set = [&](FlashTensor id, int64_t rows, int64_t count, int64_t width) {
      call.Set(id, {.dims = {rows, count, width}, .dtype = ACL_BF16});
    };
    for (FlashTensor id : {kQuery, kDq, kDy, kOut}) set(id, kRows, heads, dim);
    for (FlashTensor id : {kKey, kDk, kValue, kDv}) set(id, kKeys, kv_heads, dim);
    for (FlashTensor id : {kQueryRope, kDqRope}) {
      if (rope > 0) set(id, kRows, heads, rope);
    }
    for (FlashTensor id : {kKeyRope, kDkRope}) {
      if (rope > 0) set(id, kKeys, kv_heads, rope);
    }
    for (FlashTensor id : {kMax, kSum}) call.Set(id, {.dims = {kRows, heads, 8}});
    call.Set(kMask, {.dims = {2048, 2048}, .dtype = ACL_BOOL});
    call.query_ends = {50, 60};
    call.key_ends = {70, 90};
    call.most = true;
    const uint64_t forward = size_of(call.Forward()), gradient = size_of(call.Gradient());
    RunTwoPhase(call.Forward(), call.ForwardRun());
    RunTwoPhase(call.Gradient(), call.GradientRun());
    call.most = false;
    for (int64_t rows : {0, 1, 8, 16, 48, 64, 65, 600, 700}) {
      for (int64_t keys : {0, 1, 256, 1024, 1025, 2000, 4999, 5000}) {
        SCOPED_TRACE(::testing::Message() << rows << " x " << keys << " of " << heads << " heads");
        call.query_ends = {rows, kRows};
        call.key_ends = {keys, kKeys};
        EXPECT_LE(size_of(call.Forward()), forward);
        EXPECT_LE(size_of(call.Gradient()), gradient);
      }
    }
  }
}

}  // namespace
}  // namespace anyacl::test
