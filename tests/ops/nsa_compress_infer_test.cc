// SPDX-License-Identifier: Apache-2.0
// Attention to compressed keys in pages, and the blocks that it chooses, against the document's
// formulas in double precision.
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_nsa_compress_attention_infer.h"
#include "ops/nsa_infer_case.h"

namespace anyacl::test::nsa_compress_infer {
namespace {

using namespace nsa;

constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID, kNull = ACLNN_ERR_PARAM_NULLPTR;

struct Case {
  InferSequences sequences = {};
  int64_t window = 32, stride = 16, block = 64, count = 6;
  double scale = 0.3;
  aclDataType type = ACL_FLOAT16;
  Lengths original = {};  // keys before they were compressed; with a mask
};

class NsaCompressInferTest : public NsaTest {
 protected:
  struct Call {
    std::unique_ptr<Tensor> query, key, value, mask, table, out, indices;
    std::unique_ptr<IntArray> rows, keys, original;
    Case c;
    std::string layout;

    aclnnStatus PhaseOne(uint64_t* s, aclOpExecutor** e) {
      const auto array = [](const auto& a) { return a == nullptr ? nullptr : a->handle(); };
      return aclnnNsaCompressAttentionInferGetWorkspaceSize(
          HandleOf(query), HandleOf(key), HandleOf(value), HandleOf(mask), HandleOf(table),
          array(rows), array(keys), array(original), nullptr, c.sequences.heads,
          c.sequences.key_heads, c.block, c.count, c.window, c.stride, c.scale, layout.data(),
          c.sequences.page, 0, HandleOf(out), HandleOf(indices), s, e);
    }
  };
  struct Data {
    Numbers query, key, value;
  };

  Call Prepared(const Case& c, Data* data) {
    const InferSequences& s = c.sequences;
    Shape indices = {s.tokens(), s.key_heads, c.count};
    if (!s.ragged()) indices = {s.batch(), s.size, s.key_heads, c.count};
    return {
        .query = Filled(s.TokenShape(s.heads, s.dim), c.type, &data->query),
        .key = Filled(s.PageShape(s.dim), c.type, &data->key),
        .value = Filled(s.PageShape(s.value_dim), c.type, &data->value),
        // Not read, whatever it holds.
        .mask = c.original.empty() ? nullptr : Empty({3, 5}, ACL_BOOL),
        .table = std::make_unique<Tensor>(Holding({s.batch(), s.columns()}, ACL_INT32, s.Table())),
        .out = Empty(s.TokenShape(s.heads, s.value_dim), c.type),
        .indices = Empty(indices, ACL_INT32),
        .rows = std::make_unique<IntArray>(s.given ? s.rows : Lengths{}),
        .keys = std::make_unique<IntArray>(s.keys),
        .original = std::make_unique<IntArray>(c.original),
        .c = c,
        .layout = s.layout};
  }

  // A row as a sequence of its own, of the keys that it sees; the last one may be hidden.
  static CompressAttentionProblem ProblemOf(const Case& c, const Data& data, size_t b, int64_t i) {
    const InferSequences& s = c.sequences;
    CompressAttentionProblem p = {.rows = {1},
                                  .keys = {s.keys[b]},
                                  .heads = s.heads,
                                  .key_heads = s.key_heads,
                                  .dim = s.dim,
                                  .value_dim = s.value_dim,
                                  .stride = c.block / c.stride,
                                  .window = c.window / c.stride,
                                  .scale = c.scale};
    const auto add = [](const Numbers& from, int64_t at, int64_t count, Numbers* to) {
      const auto begin = from.begin() + static_cast<std::ptrdiff_t>(at * count);
      to->insert(to->end(), begin, begin + static_cast<std::ptrdiff_t>(count));
    };
    add(data.query, s.RowOf(b, i), s.heads * s.dim, &p.query);
    for (int64_t key = 0; key < s.keys[b]; ++key) {
      add(data.key, s.KeyRow(b, key), s.key_heads * s.dim, &p.key);
      add(data.value, s.KeyRow(b, key), s.key_heads * s.value_dim, &p.value);
      p.mask.push_back(0);
    }
    if (!c.original.empty()) {
      // The token of a row is number original - rows + i; the last compressed key ends at its own.
      const int64_t token = c.original[b] - s.rows[b] + i;
      const int64_t end = (s.keys[b] - 1) * c.stride + c.window - 1;
      p.mask.back() = token < end ? 1 : 0;
    }
    return p;
  }

  void Check(const Case& c) {
    const InferSequences& s = c.sequences;
    SCOPED_TRACE(testing::Message()
                 << s.layout << ", " << s.heads << " heads on " << s.key_heads << ", blocks of "
                 << c.window << ", " << c.stride << ", " << c.block << ", type " << c.type);
    Data data;
    Call call = Prepared(c, &data);
    RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
                aclnnNsaCompressAttentionInfer);
    const Numbers out = ReadAs(*call.out), indices = ReadAs(*call.indices);
    const double unit = c.type == ACL_BF16 ? 0x1p-6 : 0x1p-12;
    for (size_t b = 0; b < s.rows.size(); ++b) {
      for (int64_t i = 0; i < s.rows[b]; ++i) {
        const CompressAttentionProblem p = ProblemOf(c, data, b, i);
        CompressAttentionResult expected = CompressAttention(p);
        const auto row = static_cast<size_t>(s.RowOf(b, i));
        for (size_t d = 0; d < expected.out.values.size(); ++d) {
          const double value = expected.out.values[d];
          ASSERT_NEAR(out[row * expected.out.values.size() + d], value,
                      unit * expected.out.sizes[d] + 1.01 * HalfUnitOf(c.type, value))
              << row << " " << d;
        }
        for (int64_t head = 0; head < s.key_heads; ++head) {
          const int64_t at = (static_cast<int64_t>(row) * s.key_heads + head) * c.count;
          CheckChoice(c, s.keys[b],
                      &expected.importance[static_cast<size_t>(head * p.most_blocks())],
                      p.most_blocks(), &indices[static_cast<size_t>(at)]);
        }
      }
    }
    EXPECT_TRUE(call.out->GuardsIntact() && call.indices->GuardsIntact());
    if (!s.ragged()) return;
    EXPECT_TRUE(LeftAlone(*call.out, Total(s.rows) * s.heads * s.value_dim));
    EXPECT_TRUE(LeftAlone(*call.indices, Total(s.rows) * s.key_heads * c.count));
  }

  // The first block and the last two in their order, and then what matters most.
  static void CheckChoice(const Case& c, int64_t keys, const double* importance, int64_t known,
                          const double* chosen) {
    const int64_t blocks = ((keys - 1) * c.stride + c.window + c.block - 1) / c.block;
    std::vector<double> values(static_cast<size_t>(blocks), 0.0);
    for (int64_t i = 0; i < std::min(blocks, known); ++i) {
      values[static_cast<size_t>(i)] = importance[i];
    }
    for (const int64_t i : {int64_t{0}, blocks - 2, blocks - 1}) {
      if (i >= 0) values[static_cast<size_t>(i)] = INFINITY;
    }
    std::vector<bool> taken(values.size());
    for (int64_t k = 0; k < c.count; ++k) {
      ASSERT_TRUE(chosen[k] >= 0 && chosen[k] < static_cast<double>(blocks));
      const auto block = static_cast<size_t>(chosen[k]);
      ASSERT_FALSE(taken[block]);
      taken[block] = true;
      for (size_t other = 0; other < values.size(); ++other) {
        if (taken[other]) continue;
        ASSERT_GE(values[block], values[other] - 1e-5) << block << " " << other;
        ASSERT_TRUE(!std::isinf(values[block]) || !std::isinf(values[other]) || block < other);
      }
    }
  }
};

TEST_F(NsaCompressInferTest, AttendsAndChoosesInEveryLayout) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (const char* layout : {"TND", "BSND"}) {
      const InferSequences s = {.layout = layout};
      Check({.sequences = s, .type = type});
      Check({.sequences = s, .window = 16, .block = 16, .count = 5, .type = type});
      Check({.sequences = {.layout = layout, .given = true, .page = 48},
             .window = 64,
             .stride = 32,
             .count = 9,
             .type = type});
      Check({.sequences = {.layout = layout,
                           .rows = {1},
                           .keys = {1180},
                           .heads = 32,
                           .key_heads = 1,
                           .dim = 65,
                           .value_dim = 18,
                           .page = 48},
             .block = 32,
             .count = 397,
             .type = type});
      // Several rows; the first ones of some sequences do not see the last compressed key.
      const InferSequences several = {
          .layout = layout, .rows = {4, 1, 3}, .keys = {130, 64, 33}, .given = true, .size = 4};
      Check({.sequences = several, .type = type});
      Check({.sequences = several, .type = type, .original = {2096, 1040, 545}});
      Check({.sequences = several, .type = type, .original = {2098, 1045, 544}});
    }
  }
  // One compressed key, which the first rows do not see.
  Check({.sequences = {.rows = {3}, .keys = {1}, .given = true}, .count = 1, .original = {32}});
}

TEST_F(NsaCompressInferTest, RowsBehindTheLastSequenceCostNothing) {
  Check({.sequences = {.given = true, .behind = 5}});
  uint64_t sizes[2] = {};
  for (size_t i = 0; i < 2; ++i) {
    Data data;
    const int64_t behind = i == 0 ? 0 : 3000;
    Call call = Prepared({.sequences = {.given = true, .behind = behind}}, &data);
    sizes[i] =
        Prepare([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); }).workspace_size;
  }
  EXPECT_EQ(sizes[0], sizes[1]);
}

TEST_F(NsaCompressInferTest, ResultsAreTheSameBitsEverywhere) {
  Data data;
  Call call = Prepared({.sequences = {.rows = {4, 1, 3},
                                      .keys = {1130, 64, 333},
                                      .given = true,
                                      .heads = 16,
                                      .dim = 64,
                                      .value_dim = 64}},
                       &data);
  Fix(call.query, 1), Fix(call.key, 2), Fix(call.value, 3);
  RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); },
              aclnnNsaCompressAttentionInfer);
  EXPECT_EQ(HashOf({call.out.get(), call.indices.get()}), 15410787826689516594u);
}

TEST_F(NsaCompressInferTest, RefusesWhatDoesNotFit) {
  Data data;
  const auto refused = [&](const Case& c, const std::function<void(Call&)>& change, int code,
                           std::initializer_list<std::string_view> words) {
    Call call = Prepared(c, &data);
    change(call);
    ExpectRefused([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); }, code, words);
  };
  const InferSequences several = {.rows = {2, 1}, .keys = {10, 9}, .given = true};
  const auto lengths = [](const Lengths& values) { return std::make_unique<IntArray>(values); };
  refused({}, [](Call& c) { c.table = nullptr; }, kNull, {"blockTableOptional is null"});
  refused({}, [](Call& c) { c.keys = nullptr; }, kNull, {"actualCmpKvSeqLenOptional is null"});
  refused({}, [](Call& c) { c.layout = "BSH"; }, kInvalid, {"\"BSH\"", "\"BSND\" or \"TND\""});
  refused({.window = 40}, [](Call&) {}, kInvalid, {"compressBlockSize = 40"});
  refused({.window = 16, .stride = 32}, [](Call&) {}, kInvalid, {"compressBlockStride = 32"});
  refused({.window = 128}, [](Call&) {}, kInvalid, {"selectBlockSize = 64", "128"});
  refused({.sequences = {.heads = 6}}, [](Call&) {}, kInvalid, {"1, 2, 4"});
  refused({.count = 10}, [](Call&) {}, kInvalid, {"at most 9", "sequence 2"});
  refused({}, [](Call& c) { c.c.count = 5; }, kInvalid, {"topKOutput.shape = [3, 2, 6]"});
  refused({},
          [&](Call& c) {
            c.keys = lengths({130, 64, 0});
          },
          kInvalid, {"actualCmpKvSeqLenOptional[2] = 0", "1 to 256"});
  refused({.sequences = several, .count = 2, .original = {176}},
          [&](Call& c) { c.original = lengths({}); }, kInvalid,
          {"actualSelKvSeqLenOptional has 0 values", "sequence 0 has 2 rows and a mask"});
  refused({.sequences = several, .count = 2, .original = {192, 160}}, [](Call&) {}, kInvalid,
          {"actualSelKvSeqLenOptional[0] = 192", "those of 10 compressed"});
}

TEST_F(NsaCompressInferTest, DeviceDataIsLookedAt) {
  Data data;
  Call call = Prepared({}, &data);
  Numbers table = ReadAs(*call.table);
  table[4] = -1;
  WriteAs(*call.table, table);
  ExpectTaskFails([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); },
                  aclnnNsaCompressAttentionInfer,
                  "blockTableOptional[1][0] = -1, expected 0 to 13");
}

}  // namespace
}  // namespace anyacl::test::nsa_compress_infer
