// SPDX-License-Identifier: Apache-2.0
// AtbMLA against the formula in double.
#include <cmath>
#include <optional>

#include "atb/atb_acl.h"
#include "atb/atb_case.h"
#include "atb/host_lengths.h"

namespace anyacl::test {
namespace {

constexpr int64_t kHeads = 4, kBlocks = 9;
constexpr float kScale = 0.2f;
enum : int { kNoMask, kMaskOfRows, kMaskFree, kCausalMask };
enum : int { kOneRowEach, kSeveralRows, kRing, kSeveralRowsAndRing };
constexpr uint8_t kSplitCaches = 1;

struct Sizes {
  int64_t dim = 32, rope = 16, block = 8;
  int64_t most = 3;  // blocks of a sequence
};

// Everything that one call takes.
class LatentCase {
 public:
  LatentCase(aclDataType type, const std::vector<int32_t>& rows,
             const std::vector<int32_t>& columns, const Sizes& sizes = {})
      : size(sizes),
        rows_(rows),
        columns_(columns),
        tokens_(Sum(rows)),
        q({.dims = {tokens_, kHeads, size.dim}, .dtype = type}),
        q_rope({.dims = {tokens_, kHeads, size.rope}, .dtype = type}),
        latents({.dims = {kBlocks, size.block, 1, size.dim}, .dtype = type}),
        ropes({.dims = {kBlocks, size.block, 1, size.rope}, .dtype = type}),
        table({.dims = {static_cast<int64_t>(rows.size()), size.most}, .dtype = ACL_INT32}),
        mask({.dims = {tokens_, size.most * size.block}, .dtype = type}),
        out({.dims = {tokens_, kHeads, size.dim}, .dtype = type}),
        lse({.dims = {tokens_, kHeads, 1}, .dtype = type}),
        row_lengths(rows, {static_cast<int64_t>(rows.size())}),
        column_lengths(columns, {static_cast<int64_t>(columns.size())}) {
    // Blocks of the sequences in an order of their own.
    for (int64_t i = 0; i < static_cast<int64_t>(rows.size()) * size.most; ++i) {
      blocks_.push_back((7 + 4 * i) % kBlocks);
    }
    WriteAs(table, Numbers(blocks_.begin(), blocks_.end()));
  }

  int64_t tokens() const { return tokens_; }
  // Sums and results of one row and head over the keys that `score_of` gives a score for.
  template <class Added>
  void Expect(const Numbers& query, const Numbers& query_rope, const Numbers& keys,
              const Numbers& key_ropes, const Added& added, Numbers* values,
              Numbers* logarithms) const {
    int64_t token = 0;
    for (size_t s = 0; s < rows_.size(); ++s) {
      for (int64_t r = 0; r < rows_[s]; ++r, ++token) {
        for (int64_t n = 0; n < kHeads; ++n) {
          Numbers sums(static_cast<size_t>(size.dim));
          double weights = 0;
          for (int64_t c = 0; c < columns_[s]; ++c) {
            const std::optional<double> bias = added(s, r, token, c);
            if (!bias) continue;
            const int64_t block =
                blocks_[static_cast<size_t>(static_cast<int64_t>(s) * size.most + c / size.block)];
            const int64_t key = block * size.block + c % size.block;
            const double score = Product(query, token * kHeads + n, keys, key, size.dim) +
                                 Product(query_rope, token * kHeads + n, key_ropes, key, size.rope);
            const double weight = std::exp(static_cast<double>(kScale) * score + *bias);
            weights += weight;
            for (int64_t d = 0; d < size.dim; ++d) {
              sums[static_cast<size_t>(d)] +=
                  weight * keys[static_cast<size_t>(key * size.dim + d)];
            }
          }
          for (double sum : sums) values->push_back(weights == 0 ? 0 : sum / weights);
          logarithms->push_back(std::log(weights));
        }
      }
    }
  }

  int Prepare(int mask_type, int calc, uint64_t* bytes, atb::Operation** op,
              atb::Context* context) const {
    return AtbMLAGetWorkspaceSize(
        q.handle(), q_rope.handle(), latents.handle(), ropes.handle(), table.handle(),
        column_lengths.handle(), mask_type == kMaskOfRows ? mask.handle() : nullptr,
        row_lengths.handle(), nullptr, nullptr, kHeads, kScale, 1, mask_type, calc, kSplitCaches,
        out.handle(), calc >= kRing ? lse.handle() : nullptr, bytes, op, context);
  }

  const Sizes size;

 private:
  static int64_t Sum(const std::vector<int32_t>& values) {
    int64_t sum = 0;
    for (int32_t value : values) sum += value;
    return sum;
  }
  static double Product(const Numbers& a, int64_t row, const Numbers& b, int64_t key,
                        int64_t size) {
    double sum = 0;
    for (int64_t d = 0; d < size; ++d) {
      sum += a[static_cast<size_t>(row * size + d)] * b[static_cast<size_t>(key * size + d)];
    }
    return sum;
  }

  const std::vector<int32_t> rows_, columns_;
  const int64_t tokens_;
  std::vector<int64_t> blocks_;

 public:
  Tensor q, q_rope, latents, ropes, table, mask, out, lse;
  HostLengths row_lengths, column_lengths;
};

class AtbLatentTest : public AtbTest {
 protected:
  void Check(LatentCase& c, int mask_type, int calc) {
    const Numbers query = Fill(c.q), query_rope = Fill(c.q_rope);
    const Numbers keys = Fill(c.latents), key_ropes = Fill(c.ropes);
    const Numbers biases = Fill(c.mask, -3, 0);
    uint64_t bytes = 0;
    atb::Operation* op = nullptr;
    ASSERT_EQ(c.Prepare(mask_type, calc, &bytes, &op, context()), 0) << TakeMessages();
    const DeviceBuffer workspace(std::max<size_t>(bytes, 1));
    ASSERT_EQ(AtbMLA(workspace.data(), bytes, op, context()), 0) << TakeMessages();
    ASSERT_OK(aclrtSynchronizeStream(stream()));
    EXPECT_EQ(atb::DestroyOperation(op), 0);
    Numbers values, logarithms;
    c.Expect(
        query, query_rope, keys, key_ropes,
        [&](size_t s, int64_t row, int64_t token, int64_t column) -> std::optional<double> {
          if (mask_type == kMaskOfRows) {
            return biases[static_cast<size_t>(token * c.size.most * c.size.block + column)];
          }
          const bool hidden = mask_type >= kMaskFree && column > columns[s] - rows[s] + row;
          return hidden ? std::nullopt : std::optional<double>(0);
        },
        &values, &logarithms);
    const aclDataType type = c.q.layout().dtype;
    ExpectClose(c.out, values, type == ACL_BF16 ? 0.015 : 4e-3);
    if (calc >= kRing) ExpectClose(c.lse, logarithms, 0.01);
  }

  std::vector<int32_t> rows, columns;
};

TEST_F(AtbLatentTest, OneQueryEach) {
  rows = {1, 1, 1, 1, 1};
  columns = {24, 1, 7, 9, 16};
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (int calc : {kOneRowEach, kRing}) {
      LatentCase c(type, rows, columns);
      Check(c, kNoMask, calc);
    }
  }
}

TEST_F(AtbLatentTest, SeveralQueries) {
  rows = {2, 1, 5, 3};
  columns = {24, 1, 7, 17};
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (int calc : {kSeveralRows, kSeveralRowsAndRing}) {
      for (int mask_type : {kNoMask, kMaskOfRows, kMaskFree, kCausalMask}) {
        SCOPED_TRACE(calc * 10 + mask_type);
        LatentCase c(type, rows, columns);
        Check(c, mask_type, calc);
      }
    }
  }
}

// More sums than one thread brings to the queries' type.
TEST_F(AtbLatentTest, ManySequences) {
  rows.assign(1100, 1);
  for (int32_t i = 0; i < 1100; ++i) columns.push_back(1 + i % 24);
  LatentCase c(ACL_FLOAT16, rows, columns);
  Check(c, kNoMask, kRing);
}

// Heads as models have them, and keys enough to be shared out among threads.
TEST_F(AtbLatentTest, LongSequences) {
  rows = {1, 2};
  columns = {2000, 1100};
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    LatentCase c(type, rows, columns, {512, 64, 128, 16});
    Check(c, kNoMask, kSeveralRowsAndRing);
  }
}

TEST_F(AtbLatentTest, ASequenceWithoutKeysGivesZeros) {
  LatentCase c(ACL_FLOAT16, {1, 1}, {0, 5});
  for (Tensor* tensor : {&c.q, &c.q_rope, &c.latents, &c.ropes}) Fill(*tensor);
  uint64_t bytes = 0;
  atb::Operation* op = nullptr;
  ASSERT_EQ(c.Prepare(kNoMask, kRing, &bytes, &op, context()), 0) << TakeMessages();
  const DeviceBuffer workspace(std::max<size_t>(bytes, 1));
  ASSERT_EQ(AtbMLA(workspace.data(), bytes, op, context()), 0) << TakeMessages();
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(atb::DestroyOperation(op), 0);
  const Numbers values = ReadAs(c.out), logarithms = ReadAs(c.lse);
  for (size_t i = 0; i < static_cast<size_t>(kHeads * c.size.dim); ++i) EXPECT_EQ(values[i], 0);
  for (size_t n = 0; n < kHeads; ++n) EXPECT_EQ(logarithms[n], -INFINITY);
  for (size_t n = kHeads; n < 2 * kHeads; ++n) EXPECT_TRUE(std::isfinite(logarithms[n]));
}

TEST_F(AtbLatentTest, WhatDoesNotFitIsRefused) {
  const LatentCase c(ACL_FLOAT16, {1, 1}, {3, 5});
  uint64_t bytes = 0;
  atb::Operation* op = nullptr;
  struct Change {
    const aclTensor *ropes, *lengths, *mask, *row_lengths;
    aclTensor* lse;
    const aclTensor *qk_descale = nullptr, *pv_descale = nullptr;
    int32_t kv_heads = 1;
    int mask_type = kNoMask, calc = kOneRowEach;
    uint8_t cache = kSplitCaches;
  };
  const Change right = {c.ropes.handle(), c.column_lengths.handle(), c.mask.handle(),
                        c.row_lengths.handle(), c.lse.handle()};
  const auto call = [&](const Change& x) {
    TakeMessages();
    return AtbMLAGetWorkspaceSize(c.q.handle(), c.q_rope.handle(), c.latents.handle(), x.ropes,
                                  c.table.handle(), x.lengths, x.mask, x.row_lengths, x.qk_descale,
                                  x.pv_descale, kHeads, kScale, x.kv_heads, x.mask_type, x.calc,
                                  x.cache, c.out.handle(), x.lse, &bytes, &op, context());
  };
  const auto refused = [&](int code, std::initializer_list<std::string_view> words, auto change) {
    Change x = right;
    change(x);
    ExpectFailure(call(x), code, words);
    EXPECT_EQ(op, nullptr);
  };
  const Tensor odd({.dims = {kBlocks, c.size.block, 1, 8}, .dtype = ACL_FLOAT16});
  const HostLengths one({3}, {1}), long_ones({3, 25}, {2}), pairs({1, 1, 3, 5}, {2, 2});
  refused(atb::ERROR_INVALID_PARAM, {"cacheMode = 2", "1"}, [](Change& x) { x.cache = 2; });
  refused(atb::ERROR_INVALID_PARAM, {"cacheMode = 3", "1"}, [](Change& x) { x.cache = 3; });
  refused(atb::ERROR_INVALID_PARAM, {"maskType = 4"}, [](Change& x) { x.mask_type = 4; });
  refused(atb::ERROR_INVALID_PARAM, {"calcType = 4"}, [](Change& x) { x.calc = 4; });
  refused(atb::ERROR_INVALID_PARAM, {"maskType = 1", "calcType = 2"}, [](Change& x) {
    x.mask_type = kMaskOfRows;
    x.calc = kRing;
  });
  refused(atb::ERROR_INVALID_TENSOR_ADDR, {"mask"}, [](Change& x) {
    x.mask_type = kMaskOfRows;
    x.calc = kSeveralRows;
    x.mask = nullptr;
  });
  refused(atb::ERROR_INVALID_TENSOR_ADDR, {"lse"}, [](Change& x) {
    x.calc = kRing;
    x.lse = nullptr;
  });
  refused(atb::ERROR_INVALID_TENSOR_ADDR, {"contextLens"}, [](Change& x) { x.lengths = nullptr; });
  refused(atb::ERROR_INVALID_TENSOR_ADDR, {"qSeqLen"}, [](Change& x) {
    x.calc = kSeveralRows;
    x.row_lengths = nullptr;
  });
  refused(atb::ERROR_INVALID_TENSOR_DIM, {"contextLens", "1", "2"},
          [&](Change& x) { x.lengths = one.handle(); });
  refused(atb::ERROR_INVALID_TENSOR_DIM, {"contextLens", "25", "24"},
          [&](Change& x) { x.lengths = long_ones.handle(); });
  refused(atb::ERROR_INVALID_TENSOR_DIM, {"contextLens", "2 dimensions"},
          [&](Change& x) { x.lengths = pairs.handle(); });
  refused(atb::ERROR_INVALID_TENSOR_DIM, {"kRope", "16"},
          [&](Change& x) { x.ropes = odd.handle(); });
  refused(atb::ERROR_INVALID_TENSOR_DIM, {"kvHeadNum", "2", "1"},
          [](Change& x) { x.kv_heads = 2; });
  refused(atb::ERROR_INVALID_PARAM, {"qkDescale", "cacheMode = 1"},
          [&](Change& x) { x.qk_descale = c.lse.handle(); });
  refused(atb::ERROR_INVALID_PARAM, {"pvDescale", "cacheMode = 1"},
          [&](Change& x) { x.pv_descale = c.lse.handle(); });
  const HostLengths none({}, {0});
  refused(atb::ERROR_INVALID_TENSOR_DIM, {"contextLens", "no lengths", "2 tokens"}, [&](Change& x) {
    x.calc = kSeveralRows;
    x.lengths = x.row_lengths = none.handle();
  });
  EXPECT_EQ(call(right), 0) << TakeMessages();
  EXPECT_EQ(atb::DestroyOperation(op), 0);
}

// The engine has room for so many numbers of a head.
TEST_F(AtbLatentTest, LargeHeadsAreRefused) {
  const LatentCase c(ACL_FLOAT16, {1}, {5}, {720, 64, 8, 3});
  uint64_t bytes = 0;
  atb::Operation* op = nullptr;
  TakeMessages();
  ExpectFailure(c.Prepare(kNoMask, kRing, &bytes, &op, context()), atb::ERROR_INVALID_TENSOR_DIM,
                {"784", "768"});
  EXPECT_EQ(op, nullptr);
}

}  // namespace
}  // namespace anyacl::test
