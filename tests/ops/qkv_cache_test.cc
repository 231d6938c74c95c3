// SPDX-License-Identifier: Apache-2.0
// Queries and keys of a product normalised and turned, keys and values put into caches, against the
// document's formula in double precision.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_qkv_rms_norm_rope_cache.h"
#include "ops/rotary_case.h"

namespace anyacl::test {
namespace {

using namespace rotary;

struct Splitting {
  int64_t batch = 2, tokens = 3, queries = 3, heads = 2, dim = 32;
  int64_t blocks = 2, places = 32;
  aclDataType type = ACL_FLOAT16;
  bool quantises_keys = false, quantises_values = false, offsets = false;
  bool writes = true, strided = false;
  bool exact = false;  // what the cache of values holds before it is rounded

  int64_t rows() const { return batch * tokens; }
  int64_t all() const { return queries + 2 * heads; }
};

class QkvCacheTest : public RotaryCaseTest {
 protected:
  static constexpr double kEps = 1e-3;
  static constexpr double kOld = 7;  // what the caches hold before

  struct Cache {
    Numbers scales, offsets;
    Tensor tensor, scale, offset;
  };
  Cache CacheOf(const Splitting& c, bool quantises) {
    const int64_t group = quantises ? 32 : 16, columns = c.heads * c.dim;
    const auto count = static_cast<size_t>(columns);
    const auto draw = [&] { return Drawn(ACL_FLOAT, count, 0.02, 0.2); };
    Numbers scales = c.exact ? DrawPowers(count) : draw();
    Numbers offsets = c.exact ? DrawQuarters(count, 8) : draw();
    const Shape factors = {c.heads, c.dim};
    Tensor tensor = Made({c.blocks, columns / group, c.places, group},
                         quantises ? ACL_INT8 : c.type, c.strided);
    WriteAs(tensor, Numbers(static_cast<size_t>(tensor.count()), kOld));
    Tensor scale = Holding(factors, ACL_FLOAT, scales, c.strided);
    Tensor offset = Holding(factors, ACL_FLOAT, offsets, c.strided);
    return {std::move(scales), std::move(offsets), std::move(tensor), std::move(scale),
            std::move(offset)};
  }
  // `rows`: [rows, heads, dim].
  static void ExpectCache(const Splitting& c, const Cache& cache, bool quantises,
                          const std::vector<int64_t>& index, const Numbers& rows,
                          bool exact = false) {
    const int64_t group = quantises ? 32 : 16, columns = c.heads * c.dim;
    Numbers expected(static_cast<size_t>(cache.tensor.count()), kOld);
    for (int64_t row = 0; row < c.rows(); ++row) {
      const int64_t place = index[static_cast<size_t>(row)];
      for (int64_t i = 0; i < columns && place >= 0; ++i) {
        double value = rows[static_cast<size_t>(row * columns + i)];
        if (quantises) value /= cache.scales[static_cast<size_t>(i)];
        if (quantises && c.offsets) value += cache.offsets[static_cast<size_t>(i)];
        const int64_t block = place / c.places, inner = place % c.places;
        const int64_t at =
            ((block * columns / group + i / group) * c.places + inner) * group + i % group;
        expected[static_cast<size_t>(at)] = value;
      }
    }
    const Numbers actual = ReadAs(cache.tensor);
    const aclDataType type = cache.tensor.layout().dtype;
    for (size_t i = 0; i < actual.size(); ++i) {
      if (quantises) {
        ExpectQuantised(actual[i], expected[i], exact, i);
      } else {
        ASSERT_NEAR(actual[i], expected[i], 0x1p-19 + 1.01 * HalfUnitOf(type, expected[i])) << i;
      }
    }
    EXPECT_TRUE(cache.tensor.GuardsIntact());
  }

  void Check(const Splitting& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.batch << "x" << c.tokens << " heads " << c.queries << "+2*" << c.heads
                 << " of " << c.dim << " type " << c.type << " quantises " << c.quantises_keys
                 << c.quantises_values << " offsets " << c.offsets << " writes " << c.writes
                 << " strided " << c.strided);
    const auto held = [&](const Shape& dims, const Numbers& values) {
      return Holding(dims, c.type, values, c.strided);
    };
    const Shape dims = {c.rows(), c.all() * c.dim}, angle_dims = {c.rows(), c.dim};
    Numbers x = Draw(c.type, dims);
    if (c.exact) x = DrawQuarters(x.size(), 60);
    const Numbers q_gamma = Draw(c.type, {c.dim});
    const Numbers k_gamma = Draw(c.type, {c.dim});
    const Numbers cos = Draw(c.type, angle_dims), sin = Draw(c.type, angle_dims);
    std::vector<int64_t> index;
    for (int64_t i = 0; i < c.rows(); ++i) {
      index.push_back(i % 4 == 3 ? -1 : (c.rows() - i) * 2 % (c.blocks * c.places));
    }
    Tensor index_in = Made({c.rows()}, ACL_INT64, c.strided);
    index_in.Write(index);
    const Tensor qkv = held(dims, x), q_in = held({c.dim}, q_gamma), k_in = held({c.dim}, k_gamma);
    const Tensor cos_in = held(angle_dims, cos), sin_in = held(angle_dims, sin);
    const Cache keys = CacheOf(c, c.quantises_keys), values = CacheOf(c, c.quantises_values);
    const Shape q_dims = {c.rows(), c.queries * c.dim}, k_dims = {c.rows(), c.heads * c.dim};
    const Tensor q_out = Made(q_dims, c.type, c.strided), q_plain = Made(q_dims, c.type, c.strided);
    const Tensor k_plain = Made(k_dims, c.type, c.strided),
                 v_plain = Made(k_dims, c.type, c.strided);
    const int64_t sizes[] = {c.batch, c.tokens, c.all(), c.dim};
    const int64_t heads[] = {c.queries, c.heads, c.heads};
    aclIntArray* const size_array = aclCreateIntArray(sizes, 4);
    aclIntArray* const head_array = aclCreateIntArray(heads, 3);
    char mode[] = "PA_NZ";
    const auto when = [](bool given, const Tensor& t) { return given ? t.handle() : nullptr; };
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnQkvRmsNormRopeCacheGetWorkspaceSize(
              qkv.handle(), q_in.handle(), k_in.handle(), cos_in.handle(), sin_in.handle(),
              index_in.handle(), q_out.handle(), keys.tensor.handle(), values.tensor.handle(),
              when(c.quantises_keys, keys.scale), when(c.quantises_values, values.scale),
              when(c.quantises_keys && c.offsets, keys.offset),
              when(c.quantises_values && c.offsets, values.offset), size_array, head_array, kEps,
              mode, when(c.writes, q_plain), when(c.writes, k_plain), when(c.writes, v_plain), s,
              e);
        },
        aclnnQkvRmsNormRopeCache);
    aclDestroyIntArray(size_array);
    aclDestroyIntArray(head_array);

    Numbers parts[3];
    for (int64_t row = 0; row < c.rows(); ++row) {
      for (int64_t h = 0; h < c.all(); ++h) {
        Numbers head = RowOf(x, row * c.all() + h, c.dim);
        const size_t part = h < c.queries ? 0 : h < c.queries + c.heads ? 1 : 2;
        if (part < 2) {
          double squares = 0;
          for (const double value : head) squares += value * value;
          const double rms = std::sqrt(squares / static_cast<double>(c.dim) + kEps);
          const Numbers& gamma = part == 0 ? q_gamma : k_gamma;
          for (size_t i = 0; i < head.size(); ++i) head[i] = head[i] / rms * gamma[i];
          head = TurnRow(head, RowOf(cos, row, c.dim), RowOf(sin, row, c.dim), "half");
        }
        parts[part].insert(parts[part].end(), head.begin(), head.end());
      }
    }
    ExpectClose(q_out, parts[0], 0x1p-19);
    if (c.writes) {
      ExpectClose(q_plain, parts[0], 0x1p-19);
      ExpectClose(k_plain, parts[1], 0x1p-19);
      ExpectClose(v_plain, parts[2]);
    }
    ExpectCache(c, keys, c.quantises_keys, index, parts[1]);
    ExpectCache(c, values, c.quantises_values, index, parts[2], c.exact);
  }
};

TEST_F(QkvCacheTest, IsTheFormula) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (const bool strided : {false, true}) {
      for (int quantises = 0; quantises < 4; ++quantises) {
        for (const bool offsets : {false, true}) {
          Check({.type = type,
                 .quantises_keys = quantises % 2 > 0,
                 .quantises_values = quantises / 2 > 0,
                 .offsets = offsets,
                 .writes = offsets,
                 .strided = strided});
        }
      }
    }
    Check({.batch = 4,
           .tokens = 40,
           .queries = 16,
           .heads = 2,
           .dim = 128,
           .blocks = 6,
           .places = 64,
           .type = type,
           .quantises_keys = true});
  }
  for (const bool offsets : {false, true}) {
    Check({.type = ACL_BF16, .quantises_values = true, .offsets = offsets, .exact = true});
  }
  Check({.queries = 0});
  Check({.heads = 0});
  Check({.tokens = 0});
  Check({.batch = 1, .tokens = 1, .queries = 1, .heads = 1, .dim = 16});
}

// Of tokens for one place the last one stays, whoever ran first.
TEST_F(QkvCacheTest, TheLastTokenOfAPlaceStays) {
  const int64_t tokens = 300, dim = 16;
  const Numbers x = Draw(ACL_BF16, {tokens, 3 * dim});
  const Tensor qkv = Holding({tokens, 3 * dim}, ACL_BF16, x);
  const Tensor gamma = Holding({dim}, ACL_BF16, Numbers(dim, 1));
  const Tensor cos = Holding({tokens, dim}, ACL_BF16, Numbers(tokens * dim, 1));
  const Tensor sin = Holding({tokens, dim}, ACL_BF16, Numbers(tokens * dim, 0));
  Tensor index = Made({tokens}, ACL_INT64);
  index.Write(std::vector<int64_t>(tokens, 5));
  const Tensor out = Made({tokens, dim}, ACL_BF16);
  const Tensor keys = Holding({1, 1, 16, dim}, ACL_BF16, Numbers(16 * dim, 0));
  const Tensor values = Holding({1, 1, 16, dim}, ACL_BF16, Numbers(16 * dim, 0));
  const int64_t sizes[] = {tokens, 1, 3, dim}, heads[] = {1, 1, 1};
  aclIntArray* const size_array = aclCreateIntArray(sizes, 4);
  aclIntArray* const head_array = aclCreateIntArray(heads, 3);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnQkvRmsNormRopeCacheGetWorkspaceSize(
            qkv.handle(), gamma.handle(), gamma.handle(), cos.handle(), sin.handle(),
            index.handle(), out.handle(), keys.handle(), values.handle(), nullptr, nullptr, nullptr,
            nullptr, size_array, head_array, 1e-6, nullptr, nullptr, nullptr, nullptr, s, e);
      },
      aclnnQkvRmsNormRopeCache);
  aclDestroyIntArray(size_array);
  aclDestroyIntArray(head_array);
  const Numbers last = RowOf(x, tokens - 1, 3 * dim), actual = ReadAs(values);
  for (size_t i = 0; i < static_cast<size_t>(dim); ++i) {
    EXPECT_EQ(actual[5 * static_cast<size_t>(dim) + i], last[2 * static_cast<size_t>(dim) + i]);
  }
}

TEST_F(QkvCacheTest, RefusesWhatDoesNotFit) {
  const int code = ACLNN_ERR_PARAM_INVALID, null = ACLNN_ERR_PARAM_NULLPTR;
  struct Call {
    Shape qkv = {6, 160}, gamma = {32}, cos = {6, 32}, out = {6, 96};
    Shape keys = {2, 2, 32, 16}, values = {2, 2, 32, 16}, plain = {6, 32};
    aclDataType key_type = ACL_FLOAT16;
    Shape scale = {}, offset = {};
    std::vector<int64_t> sizes = {2, 3, 5, 32}, heads = {3, 1, 1};
    const char* mode = "PA_NZ";
    double eps = 1e-5;
    std::vector<int64_t> indices = {};
  };
  const auto prepare = [&](const Call& c, const auto& then) {
    const auto made = [](const Shape& dims) { return Made(dims, ACL_FLOAT16); };
    const Tensor qkv = made(c.qkv), gamma = made(c.gamma), cos = made(c.cos), out = made(c.out);
    const Tensor keys = Made(c.keys, c.key_type), values = made(c.values), plain = made(c.plain);
    const Tensor scale = Made(c.scale.empty() ? Shape{1, 1} : c.scale);
    const Tensor offset = Made(c.offset.empty() ? Shape{1, 1} : c.offset);
    Tensor index = Made({6}, ACL_INT64);
    if (!c.indices.empty()) index.Write(c.indices);
    aclIntArray* const sizes = aclCreateIntArray(c.sizes.data(), c.sizes.size());
    aclIntArray* const heads = aclCreateIntArray(c.heads.data(), c.heads.size());
    std::string mode = c.mode;
    then([&](uint64_t* s, aclOpExecutor** e) {
      return aclnnQkvRmsNormRopeCacheGetWorkspaceSize(
          qkv.handle(), gamma.handle(), gamma.handle(), cos.handle(), cos.handle(), index.handle(),
          out.handle(), keys.handle(), values.handle(), c.scale.empty() ? nullptr : scale.handle(),
          nullptr, c.offset.empty() ? nullptr : offset.handle(), nullptr, sizes, heads, c.eps,
          mode.data(), nullptr, plain.handle(), nullptr, s, e);
    });
    aclDestroyIntArray(sizes);
    aclDestroyIntArray(heads);
  };
  const auto refused = [&](const Call& c, int expected,
                           std::initializer_list<std::string_view> words) {
    prepare(c, [&](const Phase1& call) { ExpectRefused(call, expected, words); });
  };
  refused({.mode = "PA_BNSD"}, code, {"cacheModeOptional = \"PA_BNSD\"", "PA_NZ"});
  refused({.sizes = {2, 3, 5}}, code, {"qkvSize has size 3, expected 4"});
  refused({.heads = {3, 1}}, code, {"headNums has size 2, expected 3"});
  refused({.heads = {2, 1, 2}}, code, {"[2, 1, 2]", "as many keys as values"});
  refused({.heads = {-1, 3, 3}}, code, {"[-1, 3, 3]", "0 to 160"});
  refused({.sizes = {2, 3, 6, 32}}, code, {"[.., .., 6, 32]", "5 of headNums"});
  refused({.sizes = {2, 4, 5, 32}}, code, {"qkv.shape = [6, 160]", "[2 * 4, 5 * 32]"});
  refused({.sizes = {-2, -3, 5, 32}}, code, {"[-2 * -3, 5 * 32]"});
  refused({.sizes = {2, 3, 3, 32}, .heads = {1, 1, 1}}, code, {"qkv.shape = [6, 160]"});
  refused({.out = {6, 64}}, code, {"qOut.shape[1] = 64, expected 3 * 32"});
  refused({.plain = {6, 64}}, code, {"kOutBeforeQuant.shape[1] = 64, expected 1 * 32"});
  refused({.key_type = ACL_BF16}, code, {"kCache.dtype = BF16"});
  refused({.keys = {2, 1, 32, 32}, .key_type = ACL_INT8}, null, {"kScaleOptional is null"});
  refused({.scale = {1, 32}}, code, {"kScaleOptional is given", "FLOAT16"});
  refused({.keys = {2, 1, 32, 32}, .key_type = ACL_INT8, .scale = {2, 32}}, code,
          {"kScaleOptional.shape[0] = 2, expected 1"});
  refused({.keys = {2, 4, 32, 8}}, code, {"kCache.shape = [2, 4, 32, 8]", "1 * 32 / 16, 32, 16]"});
  refused({.keys = {2, 2, 24, 16}, .values = {2, 2, 24, 16}}, code,
          {"kCache.shape[2] = 24", "multiple of 16"});
  refused({.eps = -1}, code, {"epsilon = -1"});
  const auto fails = [&](int64_t wrong) {
    prepare({.indices = {0, 1, wrong, 3, 4, 5}}, [&](const Phase1& call) {
      ExpectTaskFails(call, aclnnQkvRmsNormRopeCache,
                      "index[2] = " + std::to_string(wrong) + ", expected -1 to 63");
    });
  };
  fails(64);
  fails(-2);
}

}  // namespace
}  // namespace anyacl::test
