// SPDX-License-Identifier: Apache-2.0
// PagedCacheLoad: every row is that of its block, by the sentence in atb/atb_acl.h.
#include "atb/atb_acl.h"
#include "atb/atb_case.h"

namespace anyacl::test {
namespace {

constexpr int64_t kBlockCount = 7, kBlockSize = 16, kMostBlocks = 5;

class AtbPagedCacheLoadTest : public AtbTest {
 protected:
  struct Call {
    const aclTensor *keys, *values, *blocks, *lengths, *key, *value, *starts;
    int8_t layout = 1;
    bool cumulative = false;
  };
  atb::Status Prepare(const Call& c, uint64_t* bytes, atb::Operation** op) {
    TakeMessages();
    return AtbPagedCacheLoadGetWorkspaceSize(c.keys, c.values, c.blocks, c.lengths, c.key, c.value,
                                             c.starts, c.layout, c.cumulative, c.starts != nullptr,
                                             bytes, op, context());
  }
  // What the stream ends with.
  int Load(const Call& c) {
    uint64_t bytes = 0;
    atb::Operation* op = nullptr;
    EXPECT_EQ(Prepare(c, &bytes, &op), 0) << aclGetRecentErrMsg();
    if (op == nullptr) return -1;
    const DeviceBuffer workspace(std::max<size_t>(bytes, 1));
    EXPECT_EQ(AtbPagedCacheLoad(workspace.data(), bytes, op, context()), 0);
    const int code = aclrtSynchronizeStream(stream());
    EXPECT_EQ(atb::DestroyOperation(op), 0);
    return code;
  }

  static Tensor Integers(const Shape& dims, const std::vector<int32_t>& values) {
    Tensor tensor({.dims = dims, .dtype = ACL_INT32});
    tensor.Write(values);
    return tensor;
  }
  // Three sequences' blocks.
  std::vector<int32_t> blocks_ = {3, 0, 6, 6, 1, 2, 2, 2, 2, 2, 5, 4, 3, 1, 0};
};

TEST_F(AtbPagedCacheLoadTest, RowsOfBlocks) {
  constexpr int64_t kHeads = 2, kDim = 24, kValueDim = 40;
  const std::vector<int32_t> lengths = {37, 0, 14}, ends = {0, 37, 37, 51}, starts = {17, 3, 32};
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_INT8}) {
    for (bool cumulative : {false, true}) {
      for (bool with_starts : {false, true}) {
        Tensor keys({.dims = {kBlockCount, kBlockSize, kHeads, kDim}, .dtype = type});
        // Rows with a gap: latent caches are parts of wider rows.
        constexpr int64_t kWide = kHeads * kValueDim + 8;
        Tensor values({.dims = {kBlockCount, kBlockSize, kHeads, kValueDim},
                       .dtype = type,
                       .strides = {kBlockSize * kWide, kWide, kValueDim, 1},
                       .offset = 8});
        const Numbers key_numbers = Fill(keys, -100, 100), value_numbers = Fill(values, -100, 100);
        // More tokens than the sequences have: the last ones stay.
        Tensor key({.dims = {55, kHeads, kDim}, .dtype = type});
        Tensor value({.dims = {55, kHeads, kValueDim}, .dtype = type});
        Numbers expected_key = Fill(key), expected_value = Fill(value);
        const Tensor blocks = Integers({3, kMostBlocks}, blocks_);
        const Tensor lens = cumulative ? Integers({4}, ends) : Integers({3}, lengths);
        const Tensor begin = Integers({3}, starts);
        ASSERT_EQ(
            Load({keys.handle(), values.handle(), blocks.handle(), lens.handle(), key.handle(),
                  value.handle(), with_starts ? begin.handle() : nullptr, 1, cumulative}),
            0)
            << aclGetRecentErrMsg();
        for (size_t b = 0; b < 3; ++b) {
          const int64_t first = with_starts ? starts[b] / kBlockSize : 0;
          for (int64_t i = 0; i < lengths[b]; ++i) {
            const int64_t token = ends[b] + i;
            const int64_t row =
                blocks_[b * kMostBlocks + static_cast<size_t>(first + i / kBlockSize)] *
                    kBlockSize +
                i % kBlockSize;
            for (int64_t d = 0; d < kHeads * kDim; ++d) {
              expected_key[static_cast<size_t>(token * kHeads * kDim + d)] =
                  key_numbers[static_cast<size_t>(row * kHeads * kDim + d)];
            }
            for (int64_t d = 0; d < kHeads * kValueDim; ++d) {
              expected_value[static_cast<size_t>(token * kHeads * kValueDim + d)] =
                  value_numbers[static_cast<size_t>(row * kHeads * kValueDim + d)];
            }
          }
        }
        EXPECT_EQ(ReadAs(key), expected_key);
        EXPECT_EQ(ReadAs(value), expected_value);
        EXPECT_TRUE(key.GuardsIntact() && value.GuardsIntact());
      }
    }
  }
}

TEST_F(AtbPagedCacheLoadTest, RowsInPieces) {
  for (aclDataType type : {ACL_FLOAT16, ACL_INT8}) {
    const int64_t piece = type == ACL_INT8 ? 32 : 16;
    Tensor keys({.dims = {kBlockCount, 3, kBlockSize, piece}, .dtype = type});
    Tensor values({.dims = {kBlockCount, 2, kBlockSize, 16}, .dtype = ACL_FLOAT16});
    const Numbers key_numbers = Fill(keys, -100, 100), value_numbers = Fill(values);
    Tensor key({.dims = {40, 3 * piece}, .dtype = type});
    Tensor value({.dims = {40, 32}, .dtype = ACL_FLOAT16});
    const std::vector<int32_t> lengths = {20, 3, 17};
    const Tensor blocks = Integers({3, kMostBlocks}, blocks_), lens = Integers({3}, lengths);
    ASSERT_EQ(Load({keys.handle(), values.handle(), blocks.handle(), lens.handle(), key.handle(),
                    value.handle(), nullptr, 0}),
              0)
        << aclGetRecentErrMsg();
    Numbers expected_key, expected_value;
    const auto add = [&](const Numbers& from, int64_t pieces, int64_t size, int64_t block,
                         int64_t row, Numbers* to) {
      for (int64_t d = 0; d < pieces * size; ++d) {
        to->push_back(from[static_cast<size_t>(
            ((block * pieces + d / size) * kBlockSize + row) * size + d % size)]);
      }
    };
    for (size_t b = 0; b < 3; ++b) {
      for (int64_t i = 0; i < lengths[b]; ++i) {
        const int64_t block = blocks_[b * kMostBlocks + static_cast<size_t>(i / kBlockSize)];
        add(key_numbers, 3, piece, block, i % kBlockSize, &expected_key);
        add(value_numbers, 2, 16, block, i % kBlockSize, &expected_value);
      }
    }
    EXPECT_EQ(ReadAs(key), expected_key);
    EXPECT_EQ(ReadAs(value), expected_value);
  }
}

// Of what lies on the device: found when the task runs, before it writes.
TEST_F(AtbPagedCacheLoadTest, WrongNumbersOnTheDeviceWriteNothing) {
  Tensor keys({.dims = {kBlockCount, kBlockSize, 1, 16}, .dtype = ACL_FLOAT16});
  Tensor key({.dims = {40, 1, 16}, .dtype = ACL_FLOAT16});
  Fill(keys);
  const Numbers before = Fill(key);
  const auto expect = [&](const std::vector<int32_t>& blocks, const std::vector<int32_t>& lengths,
                          const std::vector<int32_t>& starts,
                          std::initializer_list<std::string_view> words) {
    const Tensor b = Integers({2, 2}, blocks), l = Integers({2}, lengths),
                 s = Integers({2}, starts);
    const int code = Load({keys.handle(), keys.handle(), b.handle(), l.handle(), key.handle(),
                           key.handle(), s.handle()});
    EXPECT_EQ(code, 507015);
    ExpectFailure(code, code, words);
    EXPECT_EQ(ReadAs(key), before);
  };
  expect({0, 1, 2, 7}, {17, 20}, {0, 0}, {"blockTables[1, 1] = 7", "6"});
  expect({0, -1, 2, 3}, {17, 20}, {0, 0}, {"blockTables[0, 1] = -1"});
  expect({0, 1, 2, 3}, {33, 1}, {0, 0}, {"33 tokens", "2 blocks"});
  expect({0, 1, 2, 3}, {17, 1}, {16, 0}, {"seqStarts[0] = 16", "2 blocks"});
  expect({0, 1, 2, 3}, {1, 1}, {0, -16}, {"seqStarts[1] = -16"});
  expect({0, 1, 2, 3}, {30, 20}, {0, 0}, {"contextLens[1] = 20", "40"});
  expect({0, 1, 2, 3}, {-1, 20}, {0, 0}, {"contextLens[0] = -1"});
  // A table's entries beyond the lengths may be anything.
  const Tensor b = Integers({2, 2}, {0, -1, 3, 9}), l = Integers({2}, {16, 0});
  EXPECT_EQ(Load({keys.handle(), keys.handle(), b.handle(), l.handle(), key.handle(), key.handle(),
                  nullptr}),
            0);
}

TEST_F(AtbPagedCacheLoadTest, Refusals) {
  const Tensor keys({.dims = {kBlockCount, kBlockSize, 1, 16}, .dtype = ACL_FLOAT16});
  const Tensor fewer({.dims = {kBlockCount - 1, kBlockSize, 1, 16}, .dtype = ACL_FLOAT16});
  const Tensor shorter({.dims = {kBlockCount, kBlockSize - 1, 1, 16}, .dtype = ACL_FLOAT16});
  const Tensor key({.dims = {40, 1, 16}, .dtype = ACL_FLOAT16});
  const Tensor other({.dims = {40, 1, 16}, .dtype = ACL_BF16});
  const Tensor narrow({.dims = {40, 1, 8}, .dtype = ACL_FLOAT16});
  const Tensor flat({.dims = {40, 16}, .dtype = ACL_FLOAT16});
  const Tensor two({.dims = {2}, .dtype = ACL_INT32}), blocks({.dims = {2, 2}, .dtype = ACL_INT32});
  const Tensor gaps({.dims = {40, 1, 16}, .dtype = ACL_FLOAT16, .strides = {32, 16, 1}});
  const Call right = {keys.handle(), keys.handle(), blocks.handle(), two.handle(),
                      key.handle(),  key.handle(),  two.handle()};
  const auto refused = [&](auto change, int code, std::initializer_list<std::string_view> words) {
    Call call = right;
    change(call);
    uint64_t bytes = 0;
    atb::Operation* op = nullptr;
    ExpectFailure(Prepare(call, &bytes, &op), code, words);
    EXPECT_EQ(op, nullptr);
  };
  refused([&](Call& c) { c.values = fewer.handle(); }, 8, {"valueCache.shape", "keyCache.shape"});
  refused([&](Call& c) { c.values = shorter.handle(); }, 8, {"valueCache.shape", "keyCache.shape"});
  refused([&](Call& c) { c.key = narrow.handle(); }, 8, {"key.shape", "[tokens, 1, 16]"});
  refused([&](Call& c) { c.key = flat.handle(); }, 8, {"key.shape", "[tokens, 1, 16]"});
  refused([&](Call& c) { c.key = other.handle(); }, 6, {"key.dtype"});
  refused([&](Call& c) { c.key = gaps.handle(); }, 8, {"key.strides"});
  refused([&](Call& c) { c.cumulative = true; }, 8, {"contextLens.shape", "[3]"});
  refused([&](Call& c) { c.blocks = nullptr; }, 14, {"blockTables", "null"});
  refused([&](Call& c) { c.layout = 2; }, atb::ERROR_INVALID_PARAM, {"kvCacheCfg = 2"});
  refused([&](Call& c) { c.layout = 0; }, atb::ERROR_INVALID_PARAM, {"hasSeqStarts"});
  refused([&](Call& c) { c.layout = 0, c.starts = nullptr; }, 8, {"keyCache.shape", "[tokens, H]"});
  uint64_t bytes = 0;
  atb::Operation* op = nullptr;
  ASSERT_EQ(atb::CreateOperation(atb::infer::RopeParam(), &op), 0);
  ExpectFailure(Prepare(right, &bytes, &op), atb::ERROR_INVALID_OPERATION_ADDR, {"op"});
  EXPECT_EQ(atb::DestroyOperation(op), 0);
}

}  // namespace
}  // namespace anyacl::test
