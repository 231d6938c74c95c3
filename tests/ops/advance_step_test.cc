// SPDX-License-Identifier: Apache-2.0
// The next step of sequences, against what the document and op-plugin's test say, element by
// element.
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_advance_step.h"
#include "aclnnop/aclnn_advance_step_v2.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

constexpr int kTiling = ACLNN_ERR_INNER_TILING_ERROR;
constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;

class AdvanceStepTest : public MoeTest {
 protected:
  Numbers Whole(int64_t count, int64_t low, int64_t high) {
    Numbers values;
    for (int64_t i = 0; i < count; ++i) {
      values.push_back(static_cast<double>(random().Int(low, high)));
    }
    return values;
  }
  static int64_t Of(const Numbers& values, int64_t i) {
    return static_cast<int64_t>(values[static_cast<size_t>(i)]);
  }
  static double& In(Numbers& values, int64_t i) { return values[static_cast<size_t>(i)]; }

  void Check(int64_t sequences, int64_t queries, int64_t block_size, bool strided = false) {
    SCOPED_TRACE(::testing::Message() << sequences << " sequences, " << queries << " queries "
                                      << block_size << " strided " << strided);
    Numbers tokens = Whole(sequences, 5, 50), positions = Whole(sequences, 5, 50);
    Numbers lengths = Whole(sequences, 0, 50), slots = Whole(sequences, 5, 50);
    const Numbers sampled = Whole(queries, 5, 50);
    const int64_t columns = 50 / block_size + 1;
    const Numbers tables = Whole(sequences * columns, 5, 50);
    const auto held = [&](const Shape& dims, const Numbers& values) {
      return Holding(dims, ACL_INT64, values, strided);
    };
    const Tensor t = held({sequences}, tokens), p = held({sequences}, positions);
    const Tensor l = held({sequences}, lengths), s = held({sequences}, slots);
    const Tensor chosen = held({queries, 1}, sampled), table = held({sequences, columns}, tables);
    for (int64_t i = queries; i < sequences; i += 40) {
      In(tokens, i) = In(positions, i) = 0;
      In(slots, i) = -1;
    }
    for (int64_t i = 0; i < queries; ++i) {
      const int64_t position = Of(lengths, i);
      In(tokens, i) = In(const_cast<Numbers&>(sampled), i);
      In(positions, i) = static_cast<double>(position);
      In(lengths, i) = static_cast<double>(position + 1);
      const int64_t block = Of(tables, position / block_size) + columns * i;
      In(slots, i) = static_cast<double>(block * block_size + position % block_size);
    }
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** e) {
          return aclnnAdvanceStepGetWorkspaceSize(t.handle(), chosen.handle(), p.handle(),
                                                  l.handle(), s.handle(), table.handle(), sequences,
                                                  queries, block_size, size, e);
        },
        aclnnAdvanceStep);
    EXPECT_EQ(ReadAs(t), tokens);
    EXPECT_EQ(ReadAs(p), positions);
    EXPECT_EQ(ReadAs(l), lengths);
    EXPECT_EQ(ReadAs(s), slots);
    for (const Tensor* tensor : {&t, &p, &l, &s}) EXPECT_TRUE(tensor->GuardsIntact());
  }

  void CheckSpeculated(int64_t sequences, int64_t places, bool flat, bool strided = false) {
    SCOPED_TRACE(::testing::Message() << sequences << " sequences of " << places << " flat " << flat
                                      << " strided " << strided);
    constexpr int64_t kBlock = 8, kColumns = 20;
    const int64_t all = sequences * places;
    Numbers tokens = Whole(all, 5, 50), positions = Whole(all, 0, 50), lengths = Whole(all, 5, 50);
    Numbers slots = Whole(all, 5, 50), sampled = Whole(all, 0, 50);
    const Numbers tables = Whole(sequences * kColumns, 5, 50);
    const Numbers speculated = Whole(sequences * (places - 1), 5, 50);
    const Numbers accepted = Whole(sequences, 0, 50);
    // Sequence i keeps i % (places + 1) of its tokens; numbers behind a -1 do not count.
    for (int64_t i = 0; i < sequences; ++i) {
      if (i % (places + 1) < places) In(sampled, i * places + i % (places + 1)) = -1;
    }
    const Shape dims = flat ? Shape{all} : Shape{sequences, places};
    const auto held = [&](const Shape& shape, const Numbers& values) {
      return Holding(shape, ACL_INT64, values, strided);
    };
    const Tensor t = held(dims, tokens), p = held(dims, positions);
    const Tensor l = held(dims, lengths), s = held(dims, slots);
    const Tensor chosen = held({sequences, places}, sampled);
    const Tensor table = held({sequences, kColumns}, tables);
    const Tensor spec = held({sequences, places - 1}, speculated);
    const Tensor accept = held({sequences}, accepted);
    for (int64_t i = 0; i < sequences; ++i) {
      const int64_t kept = i % (places + 1);
      for (int64_t k = 0; k < places; ++k) {
        const int64_t at = i * places + k;
        const int64_t position = Of(positions, at) + Of(accepted, i) + 1;
        In(positions, at) = static_cast<double>(position);
        In(lengths, at) = static_cast<double>(position + 1);
        const int64_t block = Of(tables, i * kColumns + position / kBlock);
        In(slots, at) = static_cast<double>(block * kBlock + position % kBlock);
        In(tokens, at) =
            static_cast<double>(k == 0 ? Of(sampled, i * places + (kept == 0 ? places : kept) - 1)
                                       : Of(speculated, i * (places - 1) + k - 1));
      }
    }
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** e) {
          return aclnnAdvanceStepV2GetWorkspaceSize(
              t.handle(), chosen.handle(), p.handle(), l.handle(), s.handle(), table.handle(),
              spec.handle(), accept.handle(), sequences, sequences, kBlock, size, e);
        },
        aclnnAdvanceStepV2);
    EXPECT_EQ(ReadAs(t), tokens);
    EXPECT_EQ(ReadAs(p), positions);
    EXPECT_EQ(ReadAs(l), lengths);
    EXPECT_EQ(ReadAs(s), slots);
    for (const Tensor* tensor : {&t, &p, &l, &s}) EXPECT_TRUE(tensor->GuardsIntact());
  }
};

TEST_F(AdvanceStepTest, WithoutSpeculation) {
  Check(2, 1, 1);
  Check(14, 7, 7);
  Check(200, 60, 16);  // more of both than a device has cores
  Check(101, 100, 128);
  Check(9, 4, 3, true);
}

TEST_F(AdvanceStepTest, WithSpeculation) {
  for (bool flat : {false, true}) {
    CheckSpeculated(14, 4, flat);
    CheckSpeculated(14, 4, flat, true);
    CheckSpeculated(3, 1, flat);
    CheckSpeculated(100, 2, flat);
  }
}

TEST_F(AdvanceStepTest, PositionsWithoutBlockFailTheTask) {
  const Tensor t = Holding({3}, ACL_INT64, {1, 2, 3}), chosen = Holding({2, 1}, ACL_INT64, {7, 8});
  const Tensor table = Holding({3, 2}, ACL_INT64, Numbers(6, 1));
  for (double wrong : {8.0, -1.0}) {
    const Tensor lengths = Holding({3}, ACL_INT64, {7, wrong, 0});
    ExpectTaskFails(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAdvanceStepGetWorkspaceSize(t.handle(), chosen.handle(), t.handle(),
                                                  lengths.handle(), t.handle(), table.handle(), 3,
                                                  2, 4, s, e);
        },
        aclnnAdvanceStep,
        wrong > 0 ? "seqLens[1] gives the position 8, expected 0 or more in 2 blocks of 4"
                  : "seqLens[1] gives the position -1");
  }
  const Tensor sampled = Holding({3, 1}, ACL_INT64, {7, 8, 9}), none = Made({3, 0}, ACL_INT64);
  const Tensor accepted = Holding({3}, ACL_INT64, {0, 5, 0});
  ExpectTaskFails(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnAdvanceStepV2GetWorkspaceSize(t.handle(), sampled.handle(), t.handle(),
                                                  t.handle(), t.handle(), table.handle(),
                                                  none.handle(), accepted.handle(), 3, 3, 4, s, e);
      },
      aclnnAdvanceStepV2, "inputPositions[1] gives the position 8");
  EXPECT_EQ(ReadAs(t), (Numbers{1, 2, 3}));
}

TEST_F(AdvanceStepTest, RefusesWhatDoesNotFit) {
  const Tensor one = Made({3}, ACL_INT64), wrong = Made({4}, ACL_INT64);
  const Tensor chosen = Made({2, 1}, ACL_INT64), table = Made({3, 2}, ACL_INT64);
  const Tensor integers = Made({3}, ACL_INT32);
  struct Call {
    const Tensor *tokens, *sampled, *positions, *lengths, *slots, *table;
    int64_t sequences = 3, queries = 2, block_size = 4;
  };
  const auto refused = [&](const Call& c, int code, std::initializer_list<std::string_view> words) {
    const auto handle = [](const Tensor* t) { return t == nullptr ? nullptr : t->handle(); };
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAdvanceStepGetWorkspaceSize(
              handle(c.tokens), handle(c.sampled), handle(c.positions), handle(c.lengths),
              handle(c.slots), handle(c.table), c.sequences, c.queries, c.block_size, s, e);
        },
        code, words);
  };
  refused({nullptr, &chosen, &one, &one, &one, &table}, ACLNN_ERR_PARAM_NULLPTR,
          {"inputTokens is null"});
  refused({&one, &chosen, &one, &one, &one, nullptr}, ACLNN_ERR_PARAM_NULLPTR,
          {"blockTables is null"});
  refused({&integers, &chosen, &one, &one, &one, &table}, kInvalid, {"inputTokens.dtype = INT32"});
  refused({&wrong, &chosen, &one, &one, &one, &table}, kTiling, {"inputTokens.shape[0] = 4"});
  refused({&one, &chosen, &wrong, &one, &one, &table}, kTiling, {"inputPositions.shape[0] = 4"});
  refused({&one, &chosen, &one, &wrong, &one, &table}, kTiling, {"seqLens.shape[0] = 4"});
  refused({&one, &chosen, &one, &one, &wrong, &table}, kTiling, {"slotMapping.shape[0] = 4"});
  const Tensor tall = Made({4, 2}, ACL_INT64), wide = Made({2, 2}, ACL_INT64);
  refused({&one, &chosen, &one, &one, &one, &tall}, kTiling, {"blockTables.shape[0] = 4"});
  refused({&one, &wide, &one, &one, &one, &table}, kTiling, {"sampledTokenIds.shape[1] = 2"});
  refused({&one, &tall, &one, &one, &one, &table}, kTiling, {"sampledTokenIds.shape[0] = 4"});
  const Tensor three = Made({3, 1}, ACL_INT64);
  refused({&one, &three, &one, &one, &one, &table, 3, 3}, kTiling,
          {"numSeqs = 3, expected more than numQueries = 3"});
  refused({&one, &chosen, &one, &one, &one, &table, 3, 2, 0}, kTiling, {"blockSize is 0"});
  refused({&one, &chosen, &one, &one, &one, &table, 0, 2, 4}, kTiling, {"numSeqs is 0"});
  refused({&one, &chosen, &one, &one, &one, &table, 200000000, 2, 4}, kTiling,
          {"numSeqs is 200000000"});
  refused({&one, &chosen, &one, &one, &one, &table, 3, -1, 4}, kTiling, {"numQueries is -1"});

  const Tensor flat = Made({6}, ACL_INT64), sampled = Made({3, 2}, ACL_INT64);
  const auto refused_v2 = [&](const Tensor& tokens, const Tensor& from, const Tensor& spec,
                              const Tensor* accepted, int64_t queries, int code,
                              std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAdvanceStepV2GetWorkspaceSize(
              tokens.handle(), from.handle(), flat.handle(), flat.handle(), flat.handle(),
              table.handle(), spec.handle(), accepted == nullptr ? nullptr : accepted->handle(), 3,
              queries, 4, s, e);
        },
        code, words);
  };
  refused_v2(flat, sampled, three, nullptr, 3, ACLNN_ERR_PARAM_NULLPTR, {"acceptedNum is null"});
  refused_v2(flat, sampled, three, &integers, 3, kInvalid, {"acceptedNum.dtype = INT32"});
  refused_v2(flat, sampled, three, &wrong, 3, kTiling, {"acceptedNum.shape[0] = 4"});
  refused_v2(flat, sampled, three, &one, 2, kTiling, {"numQueries = 2, expected numSeqs = 3"});
  refused_v2(wrong, sampled, three, &one, 3, kTiling, {"inputPositions.shape[0] = 6", "4"});
  refused_v2(three, sampled, three, &one, 3, kTiling, {"shape[1] = 2"});
  refused_v2(flat, sampled, sampled, &one, 3, kTiling, {"specToken.shape[1] = 2", "expected 1"});
  refused_v2(flat, chosen, three, &one, 3, kTiling, {"sampledTokenIds.shape[0] = 2"});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnAdvanceStepV2GetWorkspaceSize(wrong.handle(), sampled.handle(), wrong.handle(),
                                                  wrong.handle(), wrong.handle(), table.handle(),
                                                  three.handle(), one.handle(), 3, 3, 4, s, e);
      },
      kTiling, {"inputTokens.shape[0] = 4", "expected 6"});
  const Tensor none = Made({3, 0}, ACL_INT64);
  refused_v2(flat, none, none, &one, 3, kTiling, {"sampledTokenIds.shape[1] = 0"});
}

}  // namespace
}  // namespace anyacl::test
