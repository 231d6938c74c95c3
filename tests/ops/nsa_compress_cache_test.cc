// SPDX-License-Identifier: Apache-2.0
// Keys of caches compressed as tokens come, against the document's sums in double.
#include <cstring>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_nsa_compress_with_cache.h"
#include "ops/nsa_case.h"

namespace anyacl::test {
namespace {

using namespace nsa;

constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID, kNull = ACLNN_ERR_PARAM_NULLPTR;
constexpr int kRule = ACLNN_ERR_INNER_TILING_ERROR;

struct Case {
  // 32, 48 and 128 have a new block of 32 every 16, the others have not.
  Lengths lengths = {32, 31, 48, 0, 47, 128};
  int64_t heads = 3, dim = 32, window = 32, stride = 16;
  bool paged = true, strided = false;
  bool one_slot = false;
  // slotMapping lies in the first row of the cache that is written to.
  bool slots_in_cache = false;
  aclDataType type = ACL_BF16;
};

class NsaCompressCacheTest : public NsaTest {
 protected:
  static constexpr int64_t kPage = 64, kColumns = 3, kPages = 19, kSlots = 9;

  struct Call {
    std::unique_ptr<Tensor> input, weight, slots, table, cache;
    std::unique_ptr<aclTensor, decltype(&aclDestroyTensor)> inner_slots = {nullptr,
                                                                           aclDestroyTensor};
    std::unique_ptr<IntArray> lengths;
    int64_t window, stride, ends_type = 1, page = kPage;
    std::string layout = "TND";

    aclnnStatus PhaseOne(uint64_t* s, aclOpExecutor** e) {
      return aclnnNsaCompressWithCacheGetWorkspaceSize(
          HandleOf(input), HandleOf(weight), inner_slots ? inner_slots.get() : HandleOf(slots),
          lengths == nullptr ? nullptr : lengths->handle(), HandleOf(table), layout.data(), window,
          stride, ends_type, page, ResultOf(cache), s, e);
    }
  };
  struct Data {
    Numbers input, weight, cache;
    Integers slots, table;
  };

  static int32_t SlotOf(const Case& c, int64_t b) {
    return static_cast<int32_t>(c.one_slot ? 4 : (b + 3) % kSlots);
  }
  static void PutSlotsIntoCache(const Data& data, Call* call) {
    const std::vector<int64_t>& dims = call->cache->layout().dims;
    char* const at = static_cast<char*>(call->cache->data()) + 3 * dims[1] * dims[2] * 2;
    std::memcpy(at, data.slots.data(), data.slots.size() * sizeof(int32_t));
    const auto count = static_cast<int64_t>(data.slots.size());
    const int64_t step = 1;
    call->inner_slots.reset(
        aclCreateTensor(&count, 1, ACL_INT32, &step, 0, ACL_FORMAT_ND, &count, 1, at));
  }

  Call Prepared(const Case& c, Data* data) {
    const auto batch = static_cast<int64_t>(c.lengths.size());
    const Shape rows = c.paged ? Shape{kPages, kPage, c.heads, c.dim}
                               : Shape{Total(c.lengths) + 2, c.heads, c.dim};
    // Slots and pages that nothing needs are none.
    for (int64_t b = 0; b < batch; ++b) {
      const int64_t length = c.lengths[static_cast<size_t>(b)];
      const bool complete = length >= c.window && (length - c.window) % c.stride == 0;
      data->slots.push_back(complete ? SlotOf(c, b) : -5);
      for (int64_t column = 0; column < kColumns; ++column) {
        const bool used = column * kPage < length;
        data->table.push_back(used ? static_cast<int32_t>((b * kColumns + column) * 5 % kPages)
                                   : 1000);
      }
    }
    Call call = {.input = Filled(rows, c.type, &data->input, c.strided),
                 .weight = Filled({c.window, c.heads}, c.type, &data->weight, c.strided),
                 .slots = std::make_unique<Tensor>(
                     Holding({batch}, ACL_INT32, AsNumbers(data->slots), c.strided)),
                 .table = nullptr,
                 .cache = Filled({kSlots, c.heads, c.dim}, c.type, &data->cache, c.strided),
                 .lengths = std::make_unique<IntArray>(c.lengths),
                 .window = c.window,
                 .stride = c.stride};
    if (c.paged) {
      call.table = std::make_unique<Tensor>(
          Holding({batch, kColumns}, ACL_INT32, AsNumbers(data->table), c.strided));
    }
    return call;
  }

  void Check(const Case& c) {
    SCOPED_TRACE(testing::Message() << (c.paged ? "pages" : "rows") << ", " << c.window << " every "
                                    << c.stride << " of type " << c.type);
    Data data;
    Call call = Prepared(c, &data);
    if (c.slots_in_cache) PutSlotsIntoCache(data, &call);
    RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); },
                aclnnNsaCompressWithCache);
    Summed expected(data.cache.size());
    expected.values = data.cache;
    const auto token = static_cast<size_t>(c.heads * c.dim);
    int64_t begin = 0;
    for (size_t b = 0; b < c.lengths.size(); ++b) {
      CompressProblem p = {.ends = {c.lengths[b]},
                           .heads = c.heads,
                           .dim = c.dim,
                           .window = c.window,
                           .stride = c.stride,
                           .weight = data.weight};
      for (int64_t i = 0; i < c.lengths[b]; ++i) {
        const int64_t page = data.table[b * kColumns + static_cast<size_t>(i / kPage)];
        const int64_t row = c.paged ? page * kPage + i % kPage : begin + i;
        const auto from = data.input.begin() +
                          static_cast<std::ptrdiff_t>(row) * static_cast<std::ptrdiff_t>(token);
        p.input.insert(p.input.end(), from, from + static_cast<std::ptrdiff_t>(token));
      }
      begin += c.lengths[b];
      if (data.slots[b] < 0) continue;
      const Summed blocks = Compress(p);
      const size_t last = blocks.values.size() - token;
      for (size_t d = 0; d < token; ++d) {
        const size_t at = static_cast<size_t>(data.slots[b]) * token + d;
        expected.values[at] = blocks.values[last + d];
        expected.sizes[at] = blocks.sizes[last + d];
      }
    }
    ExpectNear(*call.cache, expected, 0x1p-24 * static_cast<double>(c.window));
  }
};

TEST_F(NsaCompressCacheTest, SumsUpTheLastRowsOfSequencesWithANewBlock) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (const bool paged : {true, false}) {
      Check({.paged = paged, .type = type});
      Check({.paged = paged, .strided = true, .type = type});
      Check({.lengths = {64, 80, 128, 127},
             .window = 64,
             .stride = 64,
             .paged = paged,
             .type = type});
      Check({.lengths = {16}, .heads = 1, .dim = 192, .window = 16, .paged = paged, .type = type});
      Check({.lengths = {70}, .heads = 64, .paged = paged, .type = type});
      // Rows of two pages.
      Check({.lengths = {80, 144, 64}, .paged = paged, .type = type});
    }
  }
}

TEST_F(NsaCompressCacheTest, OfEqualSlotsTheLastSequenceCounts) {
  for (const bool paged : {true, false}) {
    Check({.paged = paged, .one_slot = true});
    Check({.lengths = Lengths(40, 48), .heads = 2, .paged = false, .one_slot = true});
  }
}

TEST_F(NsaCompressCacheTest, SlotsAreNotReadAgainOnceTheyWereLookedAt) {
  for (const bool paged : {true, false}) Check({.paged = paged, .slots_in_cache = true});
}

TEST_F(NsaCompressCacheTest, ResultsAreTheSameBitsEverywhere) {
  Data data;
  Call call = Prepared({.heads = 24, .dim = 128}, &data);
  Fix(call.input, 1), Fix(call.weight, 2), Fix(call.cache, 3);
  RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); },
              aclnnNsaCompressWithCache);
  EXPECT_EQ(HashOf({call.cache.get()}), 10229484881201808769u);
}

TEST_F(NsaCompressCacheTest, RefusesWhatDoesNotFit) {
  Data data;
  const auto refused = [&](const Case& c, const std::function<void(Call&)>& change, int code,
                           std::initializer_list<std::string_view> words) {
    Call call = Prepared(c, &data);
    change(call);
    ExpectRefused([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); }, code, words);
  };
  const Case plain = {.paged = false};
  const auto made = [](const Shape& shape, aclDataType type = ACL_BF16) {
    return std::make_unique<Tensor>(Made(shape, type));
  };
  const auto lengths = [](const Lengths& values) { return std::make_unique<IntArray>(values); };
  refused({}, [](Call& c) { c.input = nullptr; }, kNull, {"input is null"});
  refused({}, [](Call& c) { c.slots = nullptr; }, kNull, {"slotMapping is null"});
  refused({}, [](Call& c) { c.lengths = nullptr; }, kNull, {"actSeqLenOptional is null"});
  refused({}, [&](Call& c) { c.lengths = lengths({32, 31}); }, kRule, {"has 2 values", "6"});
  refused({},
          [&](Call& c) {
            c.lengths = lengths({32, 31, -1, 0, 1, 2});
          },
          kRule, {"actSeqLenOptional[2] = -1"});
  refused({},
          [&](Call& c) {
            c.lengths = lengths({32, 31, 193, 0, 1, 2});
          },
          kRule, {"actSeqLenOptional[2] = 193", "0 to 192"});
  refused(plain,
          [&](Call& c) {
            c.lengths = lengths({32, 31, 48, 0, 47, 131});
          },
          kRule, {"actSeqLenOptional[5] = 131", "0 to 130"});
  refused(plain, [](Call& c) { c.layout = "BSND"; }, kRule, {"\"BSND\""});
  refused({}, [](Call& c) { c.ends_type = 0; }, kRule, {"actSeqLenType is 0"});
  refused({}, [](Call& c) { c.page = 96; }, kRule, {"pageBlockSize"});
  refused({}, [](Call& c) { c.stride = 24; }, kRule, {"compressStride = 24"});
  refused({}, [](Call& c) { c.stride = 48; }, kRule, {"compressStride = 48", "at most 32"});
  refused({.window = 80}, [](Call&) {}, kRule, {"compressBlockSize is 80"});
  refused({.heads = 65}, [](Call&) {}, kRule, {"1 to 64 heads"});
  refused({.heads = 51}, [](Call&) {}, kRule, {"at most 50 heads"});
  refused({.dim = 24}, [](Call&) {}, kRule, {"D = 24"});
  refused({}, [&](Call& c) { c.table = nullptr; }, kRule, {"input.shape", "[T, N, D]"});
  refused({}, [&](Call& c) { c.input = made({9, 3, 32}); }, kRule, {"input.shape = [9, 3, 32]"});
  refused({}, [&](Call& c) { c.weight = made({32, 4}); }, kRule, {"weight.shape[1] = 4"});
  refused({}, [&](Call& c) { c.cache = made({9, 3, 16}); }, kRule, {"outputCache.shape[2] = 16"});
  refused({}, [&](Call& c) { c.cache = made({0, 3, 32}); }, kInvalid, {"outputCache.shape"});
  refused({}, [&](Call& c) { c.weight = made({32, 3}, ACL_FLOAT16); }, kInvalid, {"weight.dtype"});
}

TEST_F(NsaCompressCacheTest, DeviceDataIsLookedAt) {
  Data data;
  const auto fails = [&](bool slots, size_t at, double value, std::string_view word) {
    data = {};
    Call call = Prepared({}, &data);
    Tensor& tensor = slots ? *call.slots : *call.table;
    Numbers all = ReadAs(tensor);
    all[at] = value;
    WriteAs(tensor, all);
    ExpectTaskFails([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); },
                    aclnnNsaCompressWithCache, word);
  };
  fails(true, 2, 9, "slotMapping[2] = 9, expected 0 to 8");
  fails(true, 5, -1, "slotMapping[5] = -1");
  fails(false, 0, 19, "blockTableOptional[0][0] = 19, expected 0 to 18");
  fails(false, 16, -1, "blockTableOptional[5][1] = -1");
}

}  // namespace
}  // namespace anyacl::test
