// SPDX-License-Identifier: Apache-2.0
// Attention to chosen blocks of keys in pages, against the document's formula in double precision.
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_nsa_selected_attention_infer.h"
#include "ops/nsa_infer_case.h"

namespace anyacl::test::nsa_selected_infer {
namespace {

using namespace nsa;

constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID, kNull = ACLNN_ERR_PARAM_NULLPTR;

struct Case {
  InferSequences sequences = {};
  int64_t block = 32, count = 3;
  double scale = 0.2;
  aclDataType type = ACL_FLOAT16;
  bool flat_lists = false;  // of one row each without S
};

class NsaSelectedInferTest : public NsaTest {
 protected:
  struct Call {
    std::unique_ptr<Tensor> query, key, value, indices, mask, table, out;
    std::unique_ptr<IntArray> rows, keys;
    Case c;
    std::string layout;

    aclnnStatus PhaseOne(uint64_t* s, aclOpExecutor** e) {
      const auto array = [](const auto& a) { return a == nullptr ? nullptr : a->handle(); };
      return aclnnNsaSelectedAttentionInferGetWorkspaceSize(
          HandleOf(query), HandleOf(key), HandleOf(value), HandleOf(indices), HandleOf(mask),
          HandleOf(table), array(rows), array(keys), layout.data(), c.sequences.heads,
          c.sequences.key_heads, c.block, c.count, c.sequences.page, c.scale, 0, ResultOf(out), s,
          e);
    }
  };
  struct Data {
    Numbers query, key, value;
    Integers lists;  // [token][head of keys][count]
  };

  Call Prepared(const Case& c, Data* data) {
    const InferSequences& s = c.sequences;
    data->lists.assign(static_cast<size_t>(s.tokens() * s.key_heads * c.count), -1);
    for (size_t b = 0; b < s.rows.size(); ++b) {
      const int64_t blocks = (s.keys[b] + c.block - 1) / c.block;
      for (int64_t i = 0; i < s.rows[b] * s.key_heads; ++i) {
        const int64_t list = s.RowOf(b, i / s.key_heads) * s.key_heads + i % s.key_heads;
        // The last block first; lists of different lengths.
        for (int64_t k = 0; k < std::min(blocks, c.count - i % 2); ++k) {
          data->lists[static_cast<size_t>(list * c.count + k)] =
              static_cast<int32_t>((blocks - 1 + k * (i + 1)) % blocks);
        }
        // Behind an end nothing is read.
        if (i % 3 == 1) data->lists[static_cast<size_t>(list * c.count + 1)] = -1;
      }
    }
    Shape lists = {s.tokens(), s.key_heads, c.count};
    if (!s.ragged() && !c.flat_lists) lists = {s.batch(), s.size, s.key_heads, c.count};
    return {
        .query = Filled(s.TokenShape(s.heads, s.dim), c.type, &data->query),
        .key = Filled(s.PageShape(s.dim), c.type, &data->key),
        .value = Filled(s.PageShape(s.value_dim), c.type, &data->value),
        .indices = std::make_unique<Tensor>(Holding(lists, ACL_INT32, AsNumbers(data->lists))),
        .mask = nullptr,
        .table = std::make_unique<Tensor>(Holding({s.batch(), s.columns()}, ACL_INT32, s.Table())),
        .out = Empty(s.TokenShape(s.heads, s.value_dim), c.type),
        .rows = std::make_unique<IntArray>(s.given ? s.rows : Lengths{}),
        .keys = std::make_unique<IntArray>(s.keys),
        .c = c,
        .layout = s.layout};
  }

  // Each row as a sequence of its own, of the keys that it sees.
  void Check(const Case& c) {
    const InferSequences& s = c.sequences;
    SCOPED_TRACE(testing::Message()
                 << s.layout << ", " << s.heads << " heads on " << s.key_heads << ", " << c.count
                 << " blocks of " << c.block << ", pages of " << s.page << ", type " << c.type);
    Data data;
    Call call = Prepared(c, &data);
    RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
                aclnnNsaSelectedAttentionInfer);
    const Numbers out = ReadAs(*call.out);
    const double unit = c.type == ACL_BF16 ? 0x1p-6 : 0x1p-12;
    for (size_t b = 0; b < s.rows.size(); ++b) {
      for (int64_t i = 0; i < s.rows[b] * s.heads; ++i) {
        const int64_t row = s.RowOf(b, i / s.heads), head = i % s.heads;
        const int64_t key_head = head / (s.heads / s.key_heads);
        const SelectedProblem p = ProblemOf(c, data, b, i / s.heads, head, key_head);
        const Summed expected = SelectedAttention(p).out;
        for (size_t d = 0; d < static_cast<size_t>(s.value_dim); ++d) {
          const size_t at = static_cast<size_t>((row * s.heads + head) * s.value_dim) + d;
          ASSERT_NEAR(out[at], expected.values[d],
                      unit * expected.sizes[d] + 1.01 * HalfUnitOf(c.type, expected.values[d]))
              << at;
        }
      }
    }
    EXPECT_TRUE(call.out->GuardsIntact());
    if (s.ragged()) {
      EXPECT_TRUE(LeftAlone(*call.out, Total(s.rows) * s.heads * s.value_dim));
    }
    if (s.layout == "BSND" && s.rows.back() < s.size) {
      const int64_t used = (s.batch() - 1) * s.size + s.rows.back();
      EXPECT_TRUE(LeftAlone(*call.out, used * s.heads * s.value_dim));
    }
  }

  static SelectedProblem ProblemOf(const Case& c, const Data& data, size_t b, int64_t i,
                                   int64_t head, int64_t key_head) {
    const InferSequences& s = c.sequences;
    const int64_t row = s.RowOf(b, i), visible = s.keys[b] - (s.rows[b] - 1 - i);
    SelectedProblem p = {.rows = {1},
                         .keys = {visible},
                         .dim = s.dim,
                         .value_dim = s.value_dim,
                         .block = c.block,
                         .scale = c.scale};
    const auto part = [](const Numbers& from, int64_t at, int64_t count) {
      const auto begin = from.begin() + static_cast<std::ptrdiff_t>(at * count);
      return Numbers(begin, begin + static_cast<std::ptrdiff_t>(count));
    };
    p.query = part(data.query, row * s.heads + head, s.dim);
    for (int64_t key = 0; key < visible; ++key) {
      const int64_t at = s.KeyRow(b, key) * s.key_heads + key_head;
      const Numbers k = part(data.key, at, s.dim), v = part(data.value, at, s.value_dim);
      p.key.insert(p.key.end(), k.begin(), k.end());
      p.value.insert(p.value.end(), v.begin(), v.end());
    }
    for (int64_t k = 0; k < c.count; ++k) {
      const auto at = static_cast<size_t>((row * s.key_heads + key_head) * c.count + k);
      if (data.lists[at] == -1) break;
      p.indices.push_back(data.lists[at]);
    }
    p.count = static_cast<int64_t>(p.indices.size());
    return p;
  }
};

TEST_F(NsaSelectedInferTest, AttendsToTheKeysOfChosenBlocksInEveryLayout) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (const char* layout : {"TND", "BSND", "BSH"}) {
      Check({.sequences = {.layout = layout}, .type = type});
      Check({.sequences = {.layout = layout, .given = true}, .type = type, .flat_lists = true});
      Check({.sequences = {.layout = layout, .page = 128}, .block = 48, .count = 5, .type = type});
      Check({.sequences = {.layout = layout,
                           .keys = {1025, 5, 700},
                           .heads = 16,
                           .key_heads = 1,
                           .dim = 192,
                           .value_dim = 128},
             .block = 64,
             .count = 16,
             .type = type});
      // Several rows of a sequence: the last one belongs to the last key.
      Check({.sequences = {.layout = layout,
                           .rows = {3, 1, 4},
                           .keys = {130, 64, 33},
                           .given = true,
                           .size = 4},
             .type = type});
      Check({.sequences = {.layout = layout,
                           .rows = {2, 2},
                           .keys = {66, 2},
                           .given = layout[0] == 'T',
                           .size = 2},
             .block = 16,
             .count = 6,
             .type = type});
    }
  }
}

TEST_F(NsaSelectedInferTest, ManySequencesAndHeads) {
  // More rows and heads of keys than are taken at a time; rows behind the last sequence.
  const Lengths rows(40, 1), keys(40, 90);
  for (const char* layout : {"TND", "BSND", "BSH"}) {
    Check(
        {.sequences = {.layout = layout, .rows = rows, .keys = keys, .heads = 9, .key_heads = 3}});
  }
  Check({.sequences = {.rows = rows, .keys = keys, .given = true, .behind = 3}});
  // Sequences with rows that they have not, between others.
  Check({.sequences = {.layout = "BSND",
                       .rows = {2, 1, 2, 1},
                       .keys = {90, 90, 90, 90},
                       .given = true,
                       .size = 2}});
}

TEST_F(NsaSelectedInferTest, ResultsAreTheSameBitsEverywhere) {
  Data data;
  Call call = Prepared({.sequences = {.rows = {4, 1, 3},
                                      .keys = {1130, 64, 333},
                                      .given = true,
                                      .heads = 16,
                                      .dim = 64,
                                      .value_dim = 48},
                        .count = 9},
                       &data);
  Fix(call.query, 1), Fix(call.key, 2), Fix(call.value, 3);
  RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); },
              aclnnNsaSelectedAttentionInfer);
  EXPECT_EQ(HashOf({call.out.get()}), 471128394366206733u);
}

TEST_F(NsaSelectedInferTest, RefusesWhatDoesNotFit) {
  Data data;
  const auto refused = [&](const Case& c, const std::function<void(Call&)>& change, int code,
                           std::initializer_list<std::string_view> words) {
    Call call = Prepared(c, &data);
    change(call);
    ExpectRefused([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); }, code, words);
  };
  const Case bsnd = {.sequences = {.layout = "BSND"}};
  const auto made = [](const Shape& shape, aclDataType type = ACL_FLOAT16) {
    return std::make_unique<Tensor>(Made(shape, type));
  };
  const auto lengths = [](const Lengths& values) { return std::make_unique<IntArray>(values); };
  refused({}, [](Call& c) { c.query = nullptr; }, kNull, {"query is null"});
  refused({}, [](Call& c) { c.table = nullptr; }, kNull, {"blockTableOptional is null"});
  refused({}, [](Call& c) { c.keys = nullptr; }, kNull, {"actualKvSeqLenOptional is null"});
  refused({}, [](Call& c) { c.layout = "BNSD"; }, kInvalid, {"\"BNSD\"", "BSH"});
  refused({}, [](Call& c) { c.layout = "BSND"; }, kInvalid, {"query.shape", "4 dimensions"});
  refused({}, [](Call& c) { c.c.sequences.heads = 3; }, kInvalid, {"query.shape", "3 heads"});
  refused({}, [](Call& c) { c.c.sequences.key_heads = 3; }, kInvalid,
          {"numHeads = 4 and numKeyValueHeads = 3"});
  refused({.sequences = {.heads = 34}}, [](Call&) {}, kInvalid, {"at most 16"});
  refused({}, [](Call& c) { c.c.sequences.page = 128; }, kInvalid, {"key.shape", "128"});
  refused({}, [](Call& c) { c.c.sequences.page = 40; }, kInvalid, {"pageBlockSize = 40"});
  refused({.block = 40}, [](Call&) {}, kInvalid, {"selectBlockSize = 40"});
  refused({}, [](Call& c) { c.c.count = 2; }, kInvalid, {"topkIndices.shape = [3, 2, 3]"});
  refused({.sequences = {.value_dim = 41}}, [](Call&) {}, kInvalid, {"40, 40 and 41"});
  refused({}, [&](Call& c) { c.key = made({14, 64, 96}); }, kInvalid, {"40, 48 and 24"});
  refused({}, [&](Call& c) { c.value = made({13, 64, 48}); }, kInvalid, {"value.shape"});
  refused({}, [&](Call& c) { c.out = made({3, 4, 40}); }, kInvalid, {"output.shape"});
  refused({}, [&](Call& c) { c.keys = lengths({130, 64}); }, kInvalid, {"has 2 values", "3"});
  refused({},
          [&](Call& c) {
            c.keys = lengths({130, 64, 0});
          },
          kInvalid, {"actualKvSeqLenOptional[2] = 0"});
  refused({}, [&](Call& c) { c.keys = lengths({257, 64, 33}); }, kInvalid, {"= 257", "256"});
  refused({}, [&](Call& c) { c.rows = lengths({1, 1}); }, kInvalid, {"has 2"});
  refused({},
          [&](Call& c) {
            c.rows = lengths({1, 0, 1});
          },
          kInvalid, {"actualQSeqLenOptional[1] = 0"});
  refused({},
          [&](Call& c) {
            c.rows = lengths({1, 1, 2});
          },
          kInvalid, {"actualQSeqLenOptional[2] = 2", "1 to 1"});
  refused(bsnd,
          [&](Call& c) {
            c.rows = lengths({1, 1, 2});
          },
          kInvalid, {"actualQSeqLenOptional[2] = 2", "1 to 1"});
  refused({.sequences = {.layout = "BSND", .size = 5}}, [](Call&) {}, kInvalid, {"S = 5"});
  refused(bsnd,
          [&](Call& c) {
            c.table = made({2, 4}, ACL_INT32);
          },
          kInvalid, {"blockTableOptional.shape = [2, 4]", "3 sequences"});
  refused({}, [&](Call& c) { c.table = made({2, 4}, ACL_INT32); }, kInvalid, {"expected 2 and 2"});
}

TEST_F(NsaSelectedInferTest, DeviceDataIsLookedAt) {
  Data data;
  const auto fails = [&](bool table, size_t at, double value, std::string_view word) {
    Call call = Prepared({}, &data);
    Tensor& tensor = table ? *call.table : *call.indices;
    Numbers all = ReadAs(tensor);
    all[at] = value;
    WriteAs(tensor, all);
    ExpectTaskFails([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); },
                    aclnnNsaSelectedAttentionInfer, word);
  };
  fails(false, 0, 5, "topkIndices[0][0][0] = 5, expected -1, or 0 to 4, the blocks of 130 keys");
  fails(false, 7, -2, "topkIndices[1][0][1] = -2");
  fails(true, 2, 14, "blockTableOptional[0][2] = 14, expected 0 to 13");
}

}  // namespace
}  // namespace anyacl::test::nsa_selected_infer
