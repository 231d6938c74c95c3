// SPDX-License-Identifier: Apache-2.0
// The tokens of sequences brought together from a cache in blocks, against loops that follow the
// document.
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_gather_pa_kv_cache.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

struct Gathering {
  Integers lengths = {5, 0, 7, 1};
  int64_t heads = 2, key = 32, value = 64;
  int64_t blocks = 9, slots = 4, columns = 3;
  int64_t spare = 2;  // tokens behind the last one
  aclDataType type = ACL_BF16, index = ACL_INT32;
  bool pieces = false, flat = false, offsets = false, ends = false, strided = false;

  int64_t batch() const { return static_cast<int64_t>(lengths.size()); }
  int64_t tokens() const {
    int64_t sum = spare;
    for (int32_t length : lengths) sum += length;
    return sum;
  }
};

class GatherKvCacheTest : public MoeTest {
 protected:
  static constexpr double kOld = 7;
  struct Data {
    Numbers keys, values, table, offsets;
  };

  static int64_t PieceOf(const Gathering& c) { return c.type == ACL_INT8 ? 32 : 16; }
  static Shape CacheShape(const Gathering& c, int64_t head) {
    if (!c.pieces) return {c.blocks, c.slots, c.heads, head};
    return {c.blocks, c.heads * head / PieceOf(c), c.slots, PieceOf(c)};
  }
  static Shape TokenShape(const Gathering& c, int64_t head) {
    return c.flat ? Shape{c.tokens(), c.heads * head} : Shape{c.tokens(), c.heads, head};
  }
  Numbers DrawCache(const Gathering& c, int64_t head) {
    const auto count = static_cast<size_t>(c.blocks * c.slots * c.heads * head);
    Numbers values;
    for (size_t i = 0; i < count; ++i) {
      values.push_back(static_cast<double>(random().Int(-100, 100)));
    }
    return values;
  }
  // Column `column` of a slot.
  static double At(const Gathering& c, const Numbers& cache, int64_t head, int64_t block,
                   int64_t slot, int64_t column) {
    const int64_t all = c.heads * head, piece = PieceOf(c);
    const int64_t at =
        c.pieces
            ? ((block * all / piece + column / piece) * c.slots + slot) * piece + column % piece
            : (block * c.slots + slot) * all + column;
    return cache[static_cast<size_t>(at)];
  }
  static Numbers Expected(const Gathering& c, const Data& data, const Numbers& cache,
                          int64_t head) {
    Numbers out;
    for (int64_t b = 0; b < c.batch(); ++b) {
      const int64_t first =
          c.offsets ? static_cast<int64_t>(data.offsets[static_cast<size_t>(b)]) / c.slots : 0;
      for (int64_t j = 0; j < c.lengths[static_cast<size_t>(b)]; ++j) {
        const int64_t column = first + j / c.slots;
        const int64_t block =
            column < c.columns
                ? static_cast<int64_t>(data.table[static_cast<size_t>(b * c.columns + column)])
                : -1;
        for (int64_t d = 0; d < c.heads * head; ++d) {
          const bool there = block >= 0 && block < c.blocks;
          out.push_back(there ? At(c, cache, head, block, j % c.slots, d) : 0);
        }
      }
    }
    out.resize(static_cast<size_t>(c.tokens() * c.heads * head), kOld);
    return out;
  }

  void Check(const Gathering& c) {
    SCOPED_TRACE(::testing::Message() << "type " << c.type << " index " << c.index << " pieces "
                                      << c.pieces << " flat " << c.flat << " offsets " << c.offsets
                                      << " ends " << c.ends << " strided " << c.strided);
    Data data{DrawCache(c, c.key), DrawCache(c, c.value), {}, {}};
    for (int64_t i = 0; i < c.batch() * c.columns; ++i) {
      // None, and one that there is not.
      data.table.push_back(i == 1   ? -1
                           : i == 7 ? static_cast<double>(c.blocks)
                                    : static_cast<double>(i * 5 % c.blocks));
    }
    for (int64_t b = 0; b < c.batch(); ++b) {
      data.offsets.push_back(static_cast<double>(b * (c.slots + 1)));
    }
    Numbers lengths;
    double sum = 0;
    if (c.ends) lengths.push_back(0);
    for (int32_t length : c.lengths) lengths.push_back(c.ends ? sum += length : length);
    const Tensor keys = Holding(CacheShape(c, c.key), c.type, data.keys, c.strided);
    const Tensor values = Holding(CacheShape(c, c.value), c.type, data.values, c.strided);
    const Tensor table = Holding({c.batch(), c.columns}, c.index, data.table, c.strided);
    const Tensor seq = Holding({static_cast<int64_t>(lengths.size())}, c.index, lengths, c.strided);
    const Tensor offsets = Holding({c.batch()}, c.index, data.offsets, c.strided);
    const auto old = [&](int64_t head) {
      const auto count = static_cast<size_t>(c.tokens() * c.heads * head);
      return Holding(TokenShape(c, head), c.type, Numbers(count, kOld), c.strided && !c.pieces);
    };
    const Tensor key = old(c.key), value = old(c.value);
    std::string mode = c.pieces ? "PA_NZ" : "Norm";
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnGatherPaKvCacheGetWorkspaceSize(
              keys.handle(), values.handle(), table.handle(), seq.handle(), key.handle(),
              value.handle(), c.offsets ? offsets.handle() : nullptr, mode.data(), c.ends, s, e);
        },
        aclnnGatherPaKvCache);
    EXPECT_EQ(ReadAs(key), Expected(c, data, data.keys, c.key));
    EXPECT_EQ(ReadAs(value), Expected(c, data, data.values, c.value));
    EXPECT_TRUE(key.GuardsIntact());
    EXPECT_TRUE(value.GuardsIntact());
  }
};

TEST_F(GatherKvCacheTest, BringsTokensTogether) {
  for (aclDataType type : {ACL_INT8, ACL_FLOAT16, ACL_BF16}) {
    for (bool pieces : {false, true}) {
      for (bool strided : {false, true}) {
        Gathering c = {.type = type, .pieces = pieces, .strided = strided};
        Check(c);
        c.flat = pieces;
        c.offsets = true;
        Check(c);
        c.ends = true;
        c.index = ACL_INT64;
        Check(c);
      }
    }
  }
  Check({.lengths = {300, 211},
         .heads = 1,
         .key = 512,
         .value = 64,
         .blocks = 40,
         .slots = 16,
         .columns = 20});
  Check({.lengths = {0}, .spare = 0});
}

TEST_F(GatherKvCacheTest, RefusesWhatDoesNotFit) {
  struct Call {
    Shape keys = {9, 4, 2, 32}, values = {9, 4, 2, 64}, table = {2, 3}, seq = {2};
    Shape key = {6, 2, 32}, value = {6, 2, 64};
    const char* mode = "Norm";
    bool ends = false;
    Integers lengths = {3, 2};
  };
  const auto prepared = [&](const Call& c, const auto& then) {
    const Tensor keys = Made(c.keys, ACL_BF16), values = Made(c.values, ACL_BF16);
    const Tensor table = Holding(c.table, ACL_INT32, Numbers(6, 0));
    const Tensor key = Made(c.key, ACL_BF16), value = Made(c.value, ACL_BF16);
    const bool fits = static_cast<int64_t>(c.lengths.size()) == c.seq[0];
    const Tensor seq =
        fits ? Holding(c.seq, ACL_INT32, AsNumbers(c.lengths)) : Made(c.seq, ACL_INT32);
    std::string mode = c.mode;
    then([&](uint64_t* s, aclOpExecutor** e) {
      return aclnnGatherPaKvCacheGetWorkspaceSize(keys.handle(), values.handle(), table.handle(),
                                                  seq.handle(), key.handle(), value.handle(),
                                                  nullptr, mode.data(), c.ends, s, e);
    });
  };
  const auto refused = [&](const Call& c, std::initializer_list<std::string_view> words) {
    prepared(c, [&](const Phase1& call) { ExpectRefused(call, ACLNN_ERR_PARAM_INVALID, words); });
  };
  refused({.mode = "NZ"}, {"cacheMode = \"NZ\"", "\"Norm\" or \"PA_NZ\""});
  refused({.seq = {3}}, {"seqLens.shape = [3]", "[2]"});
  refused({.ends = true}, {"seqLens.shape = [2]", "[3]"});
  refused({.values = {8, 4, 2, 64}}, {"valueCache.shape[0] = 8", "b = 9"});
  refused({.values = {9, 5, 2, 64}}, {"valueCache.shape = [9, 5, 2, 64]", "9 blocks of 4 slots"});
  refused({.value = {5, 2, 64}}, {"valueRef.shape[0] = 5", "T = 6"});
  refused({.key = {6, 2, 31}}, {"keyRef.shape = [6, 2, 31]", "[tokens, 2, 32]"});
  refused({.key = {6, 64}}, {"keyRef.shape = [6, 64]", "[tokens, 2, 32]"});
  refused({.keys = {9, 4, 4, 16}, .values = {9, 4, 4, 16}, .key = {6, 63}, .mode = "PA_NZ"},
          {"keyRef.shape = [6, 63]", "4 * 16"});
  const auto fails = [&](const Call& c, std::string_view word) {
    prepared(c, [&](const Phase1& call) { ExpectTaskFails(call, aclnnGatherPaKvCache, word); });
  };
  fails({.lengths = {3, 4}}, "seqLens[1] = 4, expected 0 to 3 for 6 tokens");
  fails({.lengths = {-1, 4}}, "seqLens[0] = -1, expected 0 to 6");
  fails({.seq = {3}, .ends = true, .lengths = {0, 4, 3}}, "seqLens[2] = 3, expected 4 to 6");
  fails({.seq = {3}, .ends = true, .lengths = {1, 4, 5}}, "seqLens[0] = 1, expected 0");
}

}  // namespace
}  // namespace anyacl::test
