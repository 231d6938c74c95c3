// SPDX-License-Identifier: Apache-2.0
// Keys and values put into the slots of a cache, element by element as the document's shapes say.
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_scatter_pa_kv_cache.h"
#include "ops/moe_case.h"

namespace anyacl::test::kv_slots {
namespace {

using namespace moe;

constexpr int kTiling = ACLNN_ERR_INNER_TILING_ERROR;

struct Caching {
  int64_t tokens = 7, heads = 3, key = 32, value = 64;
  int64_t blocks = 3, slots = 16;
  int64_t piece = 0;      // PA_NZ: of so many numbers
  bool of_heads = false;  // caches of rank 5
  bool fractal = false;   // their format
  aclDataType type = ACL_FLOAT16, slot_type = ACL_INT32;
  bool strided = false, twice = false, has_values = true;
  int64_t gap = -1;  // Nct: so many numbers behind each token
};

class KvSlotsTest : public MoeTest {
 protected:
  static Shape CacheShape(const Caching& c, int64_t head) {
    if (c.piece == 0) return {c.blocks, c.slots, c.heads, head};
    if (c.of_heads) return {c.blocks, c.heads, head / c.piece, c.slots, c.piece};
    return {c.blocks, c.heads * head / c.piece, c.slots, c.piece};
  }
  // Where number `i` of a token lies in the cache of contiguous blocks.
  static size_t CacheAt(const Caching& c, int64_t numbers, int64_t slot, int64_t i) {
    if (c.piece == 0) return static_cast<size_t>(slot * numbers + i);
    const int64_t block = slot / c.slots, row = slot % c.slots;
    return static_cast<size_t>(block * c.slots * numbers + i / c.piece * c.slots * c.piece +
                               row * c.piece + i % c.piece);
  }
  Numbers Whole(int64_t count) {
    Numbers values;
    for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(random().Int(0, 99)));
    return values;
  }
  Tensor CacheOf(const Caching& c, int64_t head, const Numbers& old) {
    Layout layout{.dims = CacheShape(c, head), .dtype = c.type};
    if (c.fractal) {
      layout.format = ACL_FORMAT_FRACTAL_NZ;
      layout.storage = layout.dims;
      const size_t last = layout.dims.size() - 1;
      layout.storage.resize(last - 1);
      for (int64_t size : {int64_t{1}, c.slots / 16, int64_t{16}, c.piece}) {
        layout.storage.push_back(size);
      }
    }
    if (c.strided && !c.fractal) {
      Tensor cache = Made(layout.dims, c.type, true);
      WriteAs(cache, old);
      return cache;
    }
    Tensor cache(layout);
    WriteAs(cache, old);
    return cache;
  }

  struct Side {
    Tensor tokens, cache;
    Numbers expected;
  };
  Side MakeSide(const Caching& c, int64_t head, const std::vector<int64_t>& slots, int64_t offset) {
    const int64_t numbers = c.heads * head;
    const Numbers values = Whole(c.tokens * numbers);
    Numbers expected = Whole(c.blocks * c.slots * numbers);
    Tensor cache = CacheOf(c, head, expected);
    for (size_t t = 0; t < slots.size(); ++t) {
      if (slots[t] < 0) continue;
      for (int64_t i = 0; i < numbers; ++i) {
        expected[CacheAt(c, numbers, slots[t], i)] =
            values[t * static_cast<size_t>(numbers) + static_cast<size_t>(i)];
      }
    }
    const Shape dims = {c.tokens, c.heads, head};
    Layout layout{.dims = dims, .dtype = c.type};
    if (c.gap >= 0) {
      layout.strides = {numbers + c.gap, head, 1};
      layout.offset = offset;
    } else if (c.strided) {
      // Heads of a token follow each other, as 16 numbers of two heads may be one piece.
      layout.strides = {numbers * 2 + 5, head, 1};
    }
    Tensor tokens(layout);
    WriteAs(tokens, values);
    return {std::move(tokens), std::move(cache), std::move(expected)};
  }

  void Check(const Caching& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.tokens << "x" << c.heads << "x" << c.key << " " << c.value << " blocks "
                 << c.blocks << "x" << c.slots << " piece " << c.piece << " rank 5 " << c.of_heads
                 << " fractal " << c.fractal << " type " << c.type << " " << c.slot_type
                 << " strided " << c.strided << " twice " << c.twice << " values " << c.has_values
                 << " gap " << c.gap);
    std::vector<int64_t> slots(static_cast<size_t>(c.blocks * c.slots));
    std::iota(slots.begin(), slots.end(), int64_t{0});
    for (size_t i = slots.size(); i > 1; --i) {
      std::swap(slots[i - 1],
                slots[static_cast<size_t>(random().Int(0, static_cast<int64_t>(i) - 1))]);
    }
    slots.resize(static_cast<size_t>(c.tokens));
    if (c.tokens > 4) slots[3] = -1;
    if (c.tokens > 6) slots[5] = -7;
    if (c.twice) slots.back() = slots[1] = slots[0];
    // So many tokens are the work of several threads.
    for (size_t t = 7; c.twice && c.tokens > 100 && t < slots.size(); ++t) slots[t] = slots[t % 3];
    const Side keys = MakeSide(c, c.key, slots, 3), values = MakeSide(c, c.value, slots, 5);
    const Tensor mapping =
        Holding({c.tokens}, c.slot_type, Numbers(slots.begin(), slots.end()), c.strided);
    const Tensor number = Made({}, c.type), none = Made({0}, c.type);
    std::string mode = c.piece > 0 ? "PA_NZ" : "Norm", scatter = c.gap >= 0 ? "Nct" : "None";
    // Without Nct torch_npu passes numbers that have no effect.
    const bool apart = c.gap >= 0;
    const int64_t steps[] = {apart ? c.heads * c.key + c.gap : 1,
                             apart ? c.heads * c.value + c.gap : 1};
    const int64_t offsets[] = {apart ? 3 : 0, apart ? 5 : 0};
    const aclIntArray* const step_array = aclCreateIntArray(steps, 2);
    const aclIntArray* const offset_array = aclCreateIntArray(offsets, 2);
    // Nct describes where tokens lie itself: the tensors are told to begin at their memory.
    const auto told = [&](const Tensor& tensor) {
      const Layout& l = tensor.layout();
      const Shape strides = ContiguousStrides(l.dims);
      return aclCreateTensor(l.dims.data(), l.dims.size(), l.dtype, strides.data(), 0,
                             ACL_FORMAT_ND, l.storage.data(), l.storage.size(), tensor.data());
    };
    aclTensor* const told_keys = told(keys.tokens);
    aclTensor* const told_values = told(values.tokens);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnScatterPaKvCacheGetWorkspaceSize(
              c.gap >= 0 ? told_keys : keys.tokens.handle(), keys.cache.handle(), mapping.handle(),
              !c.has_values ? number.handle()
              : c.gap >= 0  ? told_values
                            : values.tokens.handle(),
              c.has_values ? values.cache.handle() : none.handle(), nullptr, nullptr, nullptr,
              mode.data(), scatter.data(), step_array, offset_array, s, e);
        },
        aclnnScatterPaKvCache);
    EXPECT_EQ(ReadAs(keys.cache), keys.expected);
    EXPECT_TRUE(keys.cache.GuardsIntact());
    if (c.has_values) {
      EXPECT_EQ(ReadAs(values.cache), values.expected);
      EXPECT_TRUE(values.cache.GuardsIntact());
    }
    aclDestroyTensor(told_keys);
    aclDestroyTensor(told_values);
    aclDestroyIntArray(step_array);
    aclDestroyIntArray(offset_array);
  }
};

TEST_F(KvSlotsTest, RowsOfTokens) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_INT8}) {
    for (aclDataType slots : {ACL_INT32, ACL_INT64}) {
      Check({.type = type, .slot_type = slots});
      Check({.type = type, .slot_type = slots, .strided = true});
    }
    Check({.type = type, .twice = true});
    Check({.type = type, .has_values = false});
    Check({.heads = 1, .key = 576, .blocks = 5, .slots = 5, .type = type, .has_values = false});
  }
  for (bool twice : {false, true}) {
    Check({.tokens = 300, .heads = 8, .key = 128, .value = 128, .blocks = 20, .twice = twice});
  }
  Check({.tokens = 1, .heads = 1, .key = 1, .value = 3, .blocks = 1, .slots = 1});
}

TEST_F(KvSlotsTest, PiecesOfTokens) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_INT8}) {
    const int64_t piece = type == ACL_INT8 ? 32 : 16;
    for (bool of_heads : {false, true}) {
      Check({.piece = piece, .of_heads = of_heads, .type = type});
      Check({.piece = piece, .of_heads = of_heads, .fractal = true, .type = type});
      Check({.piece = piece, .of_heads = of_heads, .type = type, .strided = true});
      Check({.piece = piece, .of_heads = of_heads, .type = type, .twice = true});
      Check({.piece = piece, .of_heads = of_heads, .type = type, .has_values = false});
    }
  }
  // Pieces with parts of two heads, and of other sizes.
  Check({.heads = 4, .key = 12, .value = 20, .piece = 16});
  Check({.slots = 7, .piece = 8, .strided = true});
  Check({.tokens = 200, .heads = 8, .key = 128, .value = 64, .blocks = 20, .piece = 16});
}

TEST_F(KvSlotsTest, TokensApart) {
  for (int64_t gap : {0, 11}) {
    Check({.gap = gap});
    Check({.type = ACL_INT8, .twice = true, .gap = gap});
    Check({.has_values = false, .gap = gap});
  }
}

TEST_F(KvSlotsTest, NoTokens) {
  const Tensor cache = Made({2, 4, 2, 8}, ACL_FLOAT16), slots = Made({0}, ACL_INT32);
  for (const Shape& dims : {Shape{0, 2, 8}, Shape{0, int64_t{1} << 40, int64_t{1} << 40}}) {
    const Tensor key = Made(dims, ACL_FLOAT16);
    for (const char* given : {"Norm", "PA_NZ"}) {
      std::string mode = given;
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnScatterPaKvCacheGetWorkspaceSize(
                key.handle(), cache.handle(), slots.handle(), key.handle(), cache.handle(), nullptr,
                nullptr, nullptr, mode.data(), nullptr, nullptr, nullptr, s, e);
          },
          aclnnScatterPaKvCache);
    }
  }
}

TEST_F(KvSlotsTest, SlotsThatThereAreNotFailTheTask) {
  const Tensor key = Holding({2, 1, 8}, ACL_FLOAT16, Numbers(16, 2));
  const Tensor cache = Holding({2, 4, 1, 8}, ACL_FLOAT16, Numbers(64, 1));
  const Tensor slots = Holding({2}, ACL_INT64, {0, 8});
  ExpectTaskFails(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnScatterPaKvCacheGetWorkspaceSize(
            key.handle(), cache.handle(), slots.handle(), key.handle(), cache.handle(), nullptr,
            nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, s, e);
      },
      aclnnScatterPaKvCache, "slotMapping[1] = 8, expected at most 7: 2 blocks of 4 slots");
  EXPECT_EQ(ReadAs(cache), Numbers(64, 1));
}

TEST_F(KvSlotsTest, RefusesWhatDoesNotFit) {
  const auto make = [](const Shape& dims, aclDataType type = ACL_FLOAT16) {
    return std::make_shared<Tensor>(Made(dims, type));
  };
  struct Call {
    std::shared_ptr<Tensor> key, key_cache, slots, value, value_cache;
    std::shared_ptr<Tensor> lens, offsets, seqs;
    std::string cache_mode = "Norm", scatter_mode = "None";
    Shape steps = {}, token_offsets = {};
  };
  const Call right = {make({5, 2, 32}),
                      make({3, 16, 2, 32}),
                      make({5}, ACL_INT32),
                      make({5, 2, 64}),
                      make({3, 16, 2, 64}),
                      nullptr,
                      nullptr,
                      nullptr};
  const auto refused = [&](Call c, int code, std::initializer_list<std::string_view> words) {
    const auto handle = [](const std::shared_ptr<Tensor>& t) {
      return t == nullptr ? nullptr : t->handle();
    };
    const aclIntArray* const steps =
        c.steps.empty() ? nullptr : aclCreateIntArray(c.steps.data(), c.steps.size());
    const aclIntArray* const offsets =
        c.token_offsets.empty() ? nullptr
                                : aclCreateIntArray(c.token_offsets.data(), c.token_offsets.size());
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnScatterPaKvCacheGetWorkspaceSize(
              handle(c.key), handle(c.key_cache), handle(c.slots), handle(c.value),
              handle(c.value_cache), handle(c.lens), handle(c.offsets), handle(c.seqs),
              c.cache_mode.data(), c.scatter_mode.data(), steps, offsets, s, e);
        },
        code, words);
    if (steps != nullptr) aclDestroyIntArray(steps);
    if (offsets != nullptr) aclDestroyIntArray(offsets);
  };
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID, kNull = ACLNN_ERR_PARAM_NULLPTR;
  const auto with = [&](const auto& change) {
    Call call = right;
    change(call);
    return call;
  };
  refused(with([](Call& c) { c.key = nullptr; }), kNull, {"key is null"});
  refused(with([](Call& c) { c.value = nullptr; }), kNull, {"value is null"});
  refused(with([](Call& c) { c.value_cache = nullptr; }), kNull, {"valueCacheRef is null"});
  refused(with([](Call& c) { c.slots = nullptr; }), kNull, {"slotMapping is null"});
  refused(with([&](Call& c) {
            c.key = make({5, 2, 32}, ACL_FLOAT);
          }),
          kInvalid, {"key.dtype = FLOAT"});
  refused(with([&](Call& c) {
            c.value = make({5, 2, 64}, ACL_BF16);
          }),
          kInvalid, {"value.dtype = BF16"});
  refused(with([&](Call& c) {
            c.value_cache = make({3, 16, 2, 64}, ACL_INT8);
          }),
          kInvalid, {"valueCacheRef.dtype = INT8"});
  refused(with([&](Call& c) { c.slots = make({5}, ACL_FLOAT); }), kInvalid, {"slotMapping.dtype"});
  refused(with([&](Call& c) { c.seqs = make({5}, ACL_INT64); }), kInvalid,
          {"seqLensOptional.dtype = INT64", "INT32 as slotMapping.dtype"});
  refused(with([&](Call& c) { c.lens = make({5}, ACL_INT32); }), kTiling,
          {"compressLensOptional is given", "None"});
  refused(with([&](Call& c) { c.offsets = make({5}, ACL_INT32); }), kTiling,
          {"compressSeqOffsetOptional is given"});
  for (const char* mode : {"Alibi", "Rope", "Omni"}) {
    refused(with([&](Call& c) { c.scatter_mode = mode; }), kTiling,
            {mode, "compressed caches are not offered"});
  }
  refused(with([](Call& c) { c.scatter_mode = "nct"; }), kTiling,
          {"scatterModeOptional = \"nct\""});
  refused(with([](Call& c) { c.cache_mode = "NZ"; }), kTiling, {"cacheModeOptional = \"NZ\""});
  refused(with([&](Call& c) { c.key = make({5, 1, 2, 32}); }), kTiling, {"key.shape", "rank 4"});
  refused(with([&](Call& c) { c.value = make({5, 64}); }), kTiling, {"value.shape", "rank 2"});
  refused(with([&](Call& c) { c.value = make({4, 2, 64}); }), kTiling, {"value.shape[0] = 4"});
  refused(with([&](Call& c) { c.value = make({5, 3, 64}); }), kTiling, {"value.shape[1] = 3"});
  refused(with([&](Call& c) { c.slots = make({4}, ACL_INT32); }), kTiling,
          {"slotMapping.shape[0] = 4"});
  refused(with([&](Call& c) { c.value = make({}); }), kTiling,
          {"valueCacheRef.shape = [3, 16, 2, 64]", "a single number or none"});
  refused(with([&](Call& c) { c.value_cache = make({0}); }), kTiling,
          {"valueCacheRef.shape = [0]", "blocks of slots"});
  refused(with([&](Call& c) {
            c.key_cache = make({3, 16, 2, 16});
          }),
          kTiling, {"keyCacheRef.shape = [3, 16, 2, 16]", "[blocks, slots, 2, 32]"});
  refused(with([&](Call& c) {
            c.value_cache = make({3, 16, 4, 64});
          }),
          kTiling, {"valueCacheRef.shape = [3, 16, 4, 64]", "[blocks, slots, 2, 64]"});
  refused(with([&](Call& c) {
            c.value_cache = make({3, 8, 2, 64});
          }),
          kTiling, {"valueCacheRef.shape", "3 blocks of 16 slots"});
  refused(with([&](Call& c) {
            c.value_cache = make({2, 16, 2, 64});
          }),
          kTiling, {"valueCacheRef.shape[0] = 2", "3"});
  refused(with([](Call& c) { c.cache_mode = "PA_NZ"; }), kTiling,
          {"keyCacheRef.shape = [3, 16, 2, 32]", "[blocks, 2 * 32 / c, slots, c]"});
  const auto pieces = [&](const Shape& keys, const Shape& values) {
    return with([&](Call& c) {
      c.cache_mode = "PA_NZ";
      c.key_cache = make(keys);
      c.value_cache = make(values);
    });
  };
  refused(pieces({3, 2, 2, 16, 16}, {3, 2, 3, 16, 16}), kTiling, {"valueCacheRef.shape"});
  refused(pieces({3, 2, 2, 16, 16}, {3, 2, 4, 8, 16}), kTiling, {"3 blocks of 16 slots"});
  refused(pieces({3, 4, 16, 0}, {3, 8, 16, 16}), kTiling, {"keyCacheRef.shape = [3, 4, 16, 0]"});
  const auto apart = [&](const Shape& steps, const Shape& offsets) {
    return with([&](Call& c) {
      c.scatter_mode = "Nct";
      c.steps = steps;
      c.token_offsets = offsets;
    });
  };
  refused(apart({}, {0, 0}), kTiling, {"stridesOptional has 0 values, expected 2"});
  refused(apart({64, 128}, {0}), kTiling, {"offsetsOptional has 1 values, expected 2"});
  refused(apart({0, 128}, {0, 0}), kTiling, {"stridesOptional[0] = 0", "at least 1"});
  refused(apart({64, -1}, {0, 0}), kTiling, {"stridesOptional[1] = -1"});
  refused(apart({64, 128}, {0, -1}), kTiling, {"offsetsOptional[1] = -1", "at least 0"});
  Call nz = apart({64, 128}, {0, 0});
  nz.cache_mode = "PA_NZ";
  refused(nz, kTiling, {"\"Nct\"", "\"PA_NZ\""});
}

TEST_F(KvSlotsTest, RefusesPanelsThatAreNoPieces) {
  const auto check = [&](const Shape& dims, const Shape& storage, const char* mode, int code,
                         std::initializer_list<std::string_view> words) {
    const Tensor cache(
        {.dims = dims, .dtype = ACL_FLOAT16, .format = ACL_FORMAT_FRACTAL_NZ, .storage = storage});
    const Tensor key = Made({2, 2, 32}, ACL_FLOAT16), slots = Made({2}, ACL_INT32);
    std::string text = mode;
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnScatterPaKvCacheGetWorkspaceSize(
              key.handle(), cache.handle(), slots.handle(), key.handle(), cache.handle(), nullptr,
              nullptr, nullptr, text.data(), nullptr, nullptr, nullptr, s, e);
        },
        code, words);
  };
  check({2, 16, 2, 32}, {2, 16, 2, 1, 16, 16}, "Norm", ACLNN_ERR_PARAM_INVALID,
        {"keyCacheRef has the format FRACTAL_NZ"});
  check({2, 4, 8, 16}, {2, 4, 1, 1, 16, 16}, "PA_NZ", kTiling, {"a multiple of 16, 16"});
  check({2, 2, 16, 32}, {2, 2, 2, 1, 16, 16}, "PA_NZ", kTiling, {"a multiple of 16, 16"});
}

TEST_F(KvSlotsTest, TokensApartMustLieInTheirMemory) {
  const Tensor key = Made({4, 1, 8}, ACL_FLOAT16), cache = Made({2, 4, 1, 8}, ACL_FLOAT16);
  const Tensor slots = Holding({4}, ACL_INT32, {0, 1, 2, 3});
  std::string scatter = "Nct";
  const int64_t steps[] = {int64_t{1} << 40, 8}, offsets[] = {0, 0};
  const aclIntArray* const step_array = aclCreateIntArray(steps, 2);
  const aclIntArray* const offset_array = aclCreateIntArray(offsets, 2);
  const Prepared prepared = Prepare([&](uint64_t* s, aclOpExecutor** e) {
    return aclnnScatterPaKvCacheGetWorkspaceSize(
        key.handle(), cache.handle(), slots.handle(), key.handle(), cache.handle(), nullptr,
        nullptr, nullptr, nullptr, scatter.data(), step_array, offset_array, s, e);
  });
  ASSERT_OK(prepared.code);
  const DeviceBuffer workspace(std::max<uint64_t>(1, prepared.workspace_size));
  EXPECT_NE(
      aclnnScatterPaKvCache(workspace.data(), prepared.workspace_size, prepared.executor, stream()),
      ACL_SUCCESS);
  TakeMessages();
  aclDestroyIntArray(step_array);
  aclDestroyIntArray(offset_array);
}

}  // namespace
}  // namespace anyacl::test::kv_slots
