// SPDX-License-Identifier: Apache-2.0
// Attention over chosen keys that are packed in bytes, against the document's formula in double
// precision.
#include <cmath>
#include <cstring>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_kv_quant_sparse_flash_attention.h"
#include "ops/sparse_case.h"
#include "reference/sparse_attention.h"
#include "support/half.h"

namespace anyacl::test::kv_quant_sparse_flash_attention {
namespace {

using namespace sparse;

constexpr int64_t kDim = 512, kRope = 64, kTile = 128, kBytes = 656;

struct Case {
  Sequences sequences = {};
  aclDataType type = ACL_BF16;
  int64_t heads = 4, block = 1, list = 9;
  bool bare_values = false;
  bool apart = false;  // blocks of keys, and sequences of queries, do not follow each other
};

class KvQuantSparseTest : public SparseTest {
 protected:
  using Held = std::unique_ptr<Tensor>;
  struct Call {
    Held query, key, value, indices, table, query_lengths, key_lengths, out;
    int64_t block, mode;
    const aclTensor* table_within = nullptr;
    std::string query_layout, key_layout;
    int64_t key_quant = 2, value_quant = 2, attention = 2, repository = 1, tile = kTile,
            rope = kRope;
    static constexpr double kScale = 0.06;

    aclnnStatus PhaseOne(uint64_t* s, aclOpExecutor** e) {
      return aclnnKvQuantSparseFlashAttentionGetWorkspaceSize(
          HandleOf(query), HandleOf(key), HandleOf(value), HandleOf(indices), nullptr, nullptr,
          table_within != nullptr ? table_within : HandleOf(table), HandleOf(query_lengths),
          HandleOf(key_lengths), kScale, key_quant, value_quant, block, query_layout.data(),
          key_layout.data(), mode, INT64_MAX, INT64_MAX, attention, repository, tile, rope,
          HandleOf(out), s, e);
    }
  };
  struct Data {
    Numbers query, keys;  // 576 numbers of each row: the first 512 of a key are its value
    std::vector<Integers> lists;
  };

  static void Put(aclDataType type, double number, int8_t* to) {
    const auto value = static_cast<float>(number);
    const uint16_t bits = type == ACL_BF16 ? EncodeBf16(value) : EncodeFp16(value);
    std::memcpy(to, &bits, sizeof(bits));
  }
  Held PackedKeys(const Case& c, Data* data) {
    const Shape shape = c.sequences.KeyShape(kBytes);
    const auto rows = static_cast<int64_t>(CountOf(shape)) / kBytes;
    std::vector<int8_t> bytes(CountOf(shape));
    data->keys.assign(static_cast<size_t>(rows * (kDim + kRope)), 0);
    for (int64_t row = 0; row < rows; ++row) {
      int8_t* const from = bytes.data() + row * kBytes;
      double* const key = data->keys.data() + row * (kDim + kRope);
      float factor = 0;
      for (int64_t d = 0; d < kDim; ++d) {
        if (d % kTile == 0) {
          factor = static_cast<float>(random().Uniform(-0.01, 0.01));
          std::memcpy(from + kDim + 2 * kRope + 4 * (d / kTile), &factor, sizeof(factor));
        }
        from[d] = static_cast<int8_t>(random().Int(-128, 127));
        key[d] = AsHeld(c.type, static_cast<double>(factor * static_cast<float>(from[d])));
      }
      for (int64_t d = 0; d < kRope; ++d) {
        key[kDim + d] = AsHeld(c.type, random().Uniform(-1, 1));
        Put(c.type, key[kDim + d], from + kDim + 2 * d);
      }
    }
    Layout layout{.dims = shape, .dtype = ACL_INT8, .strides = ContiguousStrides(shape)};
    if (c.apart) layout.strides[0] += 3 * kBytes + 4;
    auto tensor = std::make_unique<Tensor>(layout);
    tensor->Write(bytes);
    return tensor;
  }

  Call Prepared(const Case& c, Data* data) {
    const Sequences& s = c.sequences;
    data->lists = DrawLists(s, c.block, c.list);
    return {.query = Filled(s.QueryShape({c.heads, kDim + kRope}), c.type, &data->query, c.apart),
            .key = PackedKeys(c, data),
            .value =
                std::make_unique<Tensor>(Made(s.KeyShape(c.bare_values ? kDim : kBytes), ACL_INT8)),
            .indices = std::make_unique<Tensor>(
                Holding(s.QueryShape({1, c.list}), ACL_INT32, Flat(data->lists))),
            .table = Table(s),
            .query_lengths = QueryLengths(s),
            .key_lengths = KeyLengths(s),
            .out = std::make_unique<Tensor>(Made(s.QueryShape({c.heads, kDim}), c.type, c.apart)),
            .block = c.block,
            .mode = s.causal ? 3 : 0,
            .query_layout = s.query_layout,
            .key_layout = s.key_layout};
  }

  static void CheckRow(const Case& c, const Data& data, const std::vector<int64_t>& keys,
                       size_t row, const double* out) {
    constexpr size_t kAll = kDim + kRope;
    Numbers scores;
    for (int64_t key : keys) {
      double score = 0;
      for (size_t d = 0; d < kAll; ++d) {
        score += data.query[row * kAll + d] * data.keys[static_cast<size_t>(key) * kAll + d];
      }
      scores.push_back(score * Call::kScale);
    }
    const Attention attention = AttentionOf(scores);
    for (size_t d = 0; d < kDim; ++d) {
      double expected = 0, size = 0;
      for (size_t k = 0; k < keys.size(); ++k) {
        const double term =
            attention.probabilities[k] * data.keys[static_cast<size_t>(keys[k]) * kAll + d];
        expected += term;
        size += std::abs(term);
      }
      const double error = size * (c.type == ACL_BF16 ? 0x1p-8 : 0x1p-12);
      ASSERT_NEAR(out[d], expected, error + 1.01 * HalfUnitOf(c.type, expected)) << row << " " << d;
    }
  }

  void Check(const Case& c) {
    const Sequences& s = c.sequences;
    SCOPED_TRACE(ToString(s) + " type " + std::to_string(c.type) + " heads " +
                 std::to_string(c.heads) + " blocks of " + std::to_string(c.block));
    Data data;
    Call call = Prepared(c, &data);
    RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
                aclnnKvQuantSparseFlashAttention);
    const Numbers out = ReadAs(*call.out);
    std::vector<bool> written(out.size());
    for (int64_t b = 0; b < s.batch(); ++b) {
      for (int64_t i = 0; i < s.Queries(b); ++i) {
        const auto token = static_cast<size_t>(s.QueryRow(b, i));
        const std::vector<int64_t> keys = RowsOf(s, data.lists[token], c.block, b, i);
        for (size_t n = 0; n < static_cast<size_t>(c.heads); ++n) {
          const size_t row = token * static_cast<size_t>(c.heads) + n;
          CheckRow(c, data, keys, row, &out[row * kDim]);
          std::fill_n(written.begin() + static_cast<std::ptrdiff_t>(row * kDim), kDim, true);
        }
      }
    }
    for (size_t at = 0; at < out.size(); ++at) {
      if (!written[at]) {
        ASSERT_EQ(out[at], 0) << at;
      }
    }
    EXPECT_TRUE(call.out->GuardsIntact());
  }
};

TEST_F(KvQuantSparseTest, AttendsToChosenKeysInEveryLayout) {
  for (const Sequences& s : AllLayouts()) {
    Check({.sequences = s});
    Check({.sequences = s, .type = ACL_FLOAT16, .heads = 1, .block = 4, .bare_values = true});
    Check({.sequences = s, .heads = 16, .block = 16, .list = 3});
    Check({.sequences = s, .apart = true});
  }
}

TEST_F(KvQuantSparseTest, MoreKeysThanAreUnpackedAtATime) {
  // 14,563 of them: two tokens' lists.
  Check({.sequences = {.query_layout = "TND",
                       .key_layout = "PA_BSND",
                       .queries = {3},
                       .keys = {7000},
                       .block_size = 128},
         .heads = 1,
         .list = 7000});
}

TEST_F(KvQuantSparseTest, RefusesWhatDoesNotFit) {
  Data data;
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;
  const auto refused = [&](const std::function<void(Call&)>& change,
                           std::initializer_list<std::string_view> words) {
    Call call = Prepared({}, &data);
    change(call);
    ExpectRefused([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); }, kInvalid,
                  words);
  };
  refused([](Call& c) { c.key_quant = 0; }, {"keyQuantMode = 0", "expected 2"});
  refused([](Call& c) { c.value_quant = 1; }, {"valueQuantMode = 1", "expected 2"});
  refused([](Call& c) { c.repository = 0; }, {"quantScaleRepoMode = 0", "expected 1"});
  refused([](Call& c) { c.tile = 64; }, {"tileSize = 64", "expected 128"});
  refused([](Call& c) { c.rope = 128; }, {"ropeHeadDim = 128", "expected 64"});
  refused([](Call& c) { c.attention = 0; }, {"attentionMode = 0", "expected 2"});
  refused([](Call& c) { c.block = 0; }, {"sparseBlockSize = 0"});
  const auto shape = [&](Held Call::*tensor, const Shape& dims, aclDataType type,
                         std::string_view word) {
    refused([&](Call& c) { c.*tensor = std::make_unique<Tensor>(Made(dims, type)); }, {word});
  };
  shape(&Call::query, {2, 6, 4, 512}, ACL_BF16, "query.shape = [2, 6, 4, 512]");
  shape(&Call::key, {2, 75, 1, 640}, ACL_INT8, "key.shape = [2, 75, 1, 640]");
  shape(&Call::value, {2, 75, 1, 576}, ACL_INT8, "value.shape = [2, 75, 1, 576]");
  shape(&Call::out, {2, 6, 4, 576}, ACL_BF16, "out.shape = [2, 6, 4, 576]");
  refused(
      [](Call& c) {
        Layout apart{.dims = {2, 75, 1, kBytes}, .dtype = ACL_INT8};
        apart.strides = {75 * kBytes * 2, kBytes * 2, kBytes * 2, 2};
        c.key = std::make_unique<Tensor>(apart);
      },
      {"key has a stride of 2"});
}

TEST_F(KvQuantSparseTest, TheTableMayLieWithinTheResult) {
  const Case c = {.sequences = ManyPaged()};
  Data data;
  Call call = Prepared(c, &data);
  CheckTableWithin(call, *call.out, [&] {
    RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
                aclnnKvQuantSparseFlashAttention);
  });
}

TEST_F(KvQuantSparseTest, DeviceDataIsLookedAt) {
  Data data;
  const Case paged = {.sequences = {.key_layout = "PA_BSND"}};
  const auto fails = [&](const std::function<void(Call&)>& change, std::string_view word) {
    Call call = Prepared(paged, &data);
    change(call);
    ExpectTaskFails([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); },
                    aclnnKvQuantSparseFlashAttention, word);
  };
  const auto put = [](Tensor& tensor, size_t at, int number) {
    Numbers all = ReadAs(tensor);
    all[at] = number;
    WriteAs(tensor, all);
  };
  fails(
      [](Call& c) {
        c.query_lengths = LengthsOf({3, 7}, false);
      },
      "actualSeqLengthsQueryOptional[1] = 7, expected 0 to 6");
  fails(
      [](Call& c) {
        c.key_lengths = LengthsOf({97, 7}, false);
      },
      "actualSeqLengthsKvOptional[0] = 97, expected 0 to 96");
  for (int block : {-1, 15}) {
    fails([&](Call& c) { put(*c.table, 2, block); },
          "blockTableOptional[0][2] = " + std::to_string(block) + ", expected 0 to 14");
  }
  for (int key : {-2, 70}) {
    fails([&](Call& c) { put(*c.indices, 1, key); },
          "sparseIndices[1] of token 0 = " + std::to_string(key) + ", expected -1, or 0 to 69");
  }
}

}  // namespace
}  // namespace anyacl::test::kv_quant_sparse_flash_attention
