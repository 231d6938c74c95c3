// SPDX-License-Identifier: Apache-2.0
// Keys and values normalised, turned and put into a cache, against the document's formula in double
// precision: every mode of the cache, with and without quantisation.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_kv_rms_norm_rope_cache.h"
#include "aclnnop/aclnn_kv_rms_norm_rope_cache_v2.h"
#include "ops/rotary_case.h"

namespace anyacl::test {
namespace {

using namespace rotary;

struct Caching {
  int64_t batch = 2, tokens = 5, norm = 64, turned = 32;
  int64_t outer = 3, places = 32;  // of the cache: batches, or blocks, and places in each
  std::string mode = "Norm";
  aclDataType type = ACL_FLOAT16;
  bool quantises_rope = false, quantises_norm = false, offsets = false;
  int factors = 1;  // the rank of factors; 0: one for all
  bool one_angle = false, writes = true, strided = false;
  bool second = false;   // the second version
  int64_t values = 0;    // its values' length; 0: none, kv has the rows of both caches
  int64_t heads = 1;     // with values
  bool by_head = false;  // angles
  bool exact = false;    // what the cache of values holds before it is rounded

  int64_t length() const { return values > 0 ? norm : norm + turned; }
  int64_t keys() const { return values > 0 ? norm : turned; }
  int64_t others() const { return values > 0 ? values : norm; }
  bool paged() const { return mode != "Norm"; }
  bool by_block() const { return mode.find("BLK") != std::string::npos; }
  bool fractal() const { return mode.find("NZ") != std::string::npos; }
};

class KvCacheTest : public RotaryCaseTest {
 protected:
  static constexpr double kEps = 1e-3;
  static constexpr double kOld = 7;  // what the caches hold before

  // Where the row of a place begins, and how far apart the columns of a place are, as the document
  // has it: 16 or 32 columns of a block's places side by side in FRACTAL_NZ.
  static size_t CacheAt(const Caching& c, int64_t length, aclDataType type, int64_t place,
                        int64_t head, int64_t column) {
    const int64_t block = place / c.places, inner = place % c.places;
    if (!c.paged()) {
      return static_cast<size_t>(((block * c.heads + head) * c.places + inner) * length + column);
    }
    if (!c.fractal()) return static_cast<size_t>((place * c.heads + head) * length + column);
    const int64_t group = type == ACL_INT8 ? 32 : 16;
    return static_cast<size_t>(block * c.places * c.heads * length +
                               (head * length + column) / group * c.places * group + inner * group +
                               column % group);
  }
  Shape CacheShape(const Caching& c, int64_t length) const {
    return c.paged() ? Shape{c.outer, c.places, c.heads, length}
                     : Shape{c.outer, c.heads, c.places, length};
  }
  // Of each token a place, some -1.
  std::vector<int64_t> DrawIndex(const Caching& c) {
    std::vector<int64_t> index;
    if (c.by_block()) {
      // Blocks of their own, named by any place of theirs, and one token's that is nowhere.
      const int64_t blocks = c.batch * ((c.tokens + c.places - 1) / c.places);
      for (int64_t i = 0; i < blocks; ++i) {
        index.push_back(i == 1 ? -1 : (c.outer - 1 - i) * c.places + random().Int(0, c.places - 1));
      }
      return index;
    }
    for (int64_t i = 0; i < c.batch * c.tokens; ++i) {
      const int64_t place = (c.paged() ? i : i % c.tokens) * 3 + 1;
      index.push_back(i % 4 == 3 ? -1 : place);
    }
    return index;
  }
  static int64_t PlaceOf(const Caching& c, const std::vector<int64_t>& index, int64_t batch,
                         int64_t token) {
    if (!c.paged()) {
      const int64_t at = index[static_cast<size_t>(batch * c.tokens + token)];
      return at < 0 ? -1 : batch * c.places + at;
    }
    if (!c.by_block()) return index[static_cast<size_t>(batch * c.tokens + token)];
    const int64_t blocks = (c.tokens + c.places - 1) / c.places;
    const int64_t at = index[static_cast<size_t>(batch * blocks + token / c.places)];
    return at < 0 ? -1 : at / c.places * c.places + token % c.places;
  }
  Tensor FactorsOf(const Caching& c, int64_t length, Numbers* values) {
    const Shape dims = c.factors == 0   ? Shape{1}
                       : c.factors == 1 ? Shape{length}
                                        : Shape{c.heads, length};
    const int64_t count = c.factors == 0 ? 1 : c.factors == 1 ? length : c.heads * length;
    *values = c.exact ? DrawPowers(static_cast<size_t>(count))
                      : Drawn(ACL_FLOAT, static_cast<size_t>(count), 5, 90);
    return Holding(dims, ACL_FLOAT, *values, c.strided);
  }

  // A cache's part of a row.
  static void ExpectCache(const Caching& c, const Tensor& cache, int64_t length,
                          const std::vector<int64_t>& places, const std::vector<Numbers>& rows,
                          const Numbers* scale, const Numbers* offset, bool exact = false) {
    const aclDataType type = cache.layout().dtype;
    Numbers expected(static_cast<size_t>(cache.count()), kOld);
    for (size_t r = 0; r < rows.size(); ++r) {
      const int64_t head = static_cast<int64_t>(r) / c.tokens % c.heads;
      for (int64_t i = 0; i < length && places[r] >= 0; ++i) {
        const auto at = [&](const Numbers& of) {
          const bool all = of.size() > static_cast<size_t>(length);
          return of[of.size() == 1 ? 0 : static_cast<size_t>((all ? head * length : 0) + i)];
        };
        double value = rows[r][static_cast<size_t>(i)];
        if (scale != nullptr) value *= at(*scale);
        if (offset != nullptr) value += at(*offset);
        expected[CacheAt(c, length, type, places[r], head, i)] = value;
      }
    }
    const Numbers actual = ReadAs(cache);
    for (size_t i = 0; i < actual.size(); ++i) {
      if (type == ACL_INT8) {
        ExpectQuantised(actual[i], expected[i], exact, i);
      } else {
        ASSERT_NEAR(actual[i], expected[i], 0x1p-19 + 1.01 * HalfUnitOf(type, expected[i])) << i;
      }
    }
    EXPECT_TRUE(cache.GuardsIntact());
  }

  struct Inputs {
    const Numbers &kv, &values, &gamma, &cos, &sin;
  };
  // What goes to each cache, by batch, head and token.
  struct Rows {
    std::vector<Numbers> rope, norm;
    Numbers all_rope, all_norm;
  };
  static Rows RowsOf(const Caching& c, const Inputs& in) {
    const int64_t angle_rows = c.one_angle ? 1 : c.tokens, angle_heads = c.by_head ? c.heads : 1;
    Rows rows;
    for (int64_t row = 0; row < c.batch * c.heads * c.tokens; ++row) {
      const int64_t batch = row / c.tokens / c.heads, token = row % c.tokens;
      const int64_t head = row / c.tokens % c.heads;
      const Numbers part = RowOf(in.kv, row, c.length());
      Numbers norm(part.begin(), part.begin() + c.norm);
      double squares = 0;
      for (double value : norm) squares += value * value;
      const double rms = std::sqrt(squares / static_cast<double>(c.norm) + kEps);
      for (size_t i = 0; i < norm.size(); ++i) norm[i] = norm[i] / rms * in.gamma[i];
      const int64_t at =
          (batch * angle_heads + (c.by_head ? head : 0)) * angle_rows + (c.one_angle ? 0 : token);
      const auto turn = [&](const Numbers& of) {
        return TurnRow(of, RowOf(in.cos, at, c.turned), RowOf(in.sin, at, c.turned), "to halves");
      };
      Numbers rope;
      if (c.values > 0) {
        rope = turn({norm.begin(), norm.begin() + c.turned});
        rope.insert(rope.end(), norm.begin() + c.turned, norm.end());
        norm = RowOf(in.values, row, c.values);
      } else {
        rope = turn({part.begin() + c.norm, part.end()});
      }
      rows.rope.push_back(rope);
      rows.norm.push_back(norm);
      rows.all_rope.insert(rows.all_rope.end(), rope.begin(), rope.end());
      rows.all_norm.insert(rows.all_norm.end(), norm.begin(), norm.end());
    }
    return rows;
  }

  void Check(const Caching& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.mode << " tokens " << c.batch << "x" << c.tokens << " of " << c.norm << "+"
                 << c.turned << " type " << c.type << " quantises " << c.quantises_rope
                 << c.quantises_norm << " offsets " << c.offsets << " factors " << c.factors
                 << " one angle " << c.one_angle << " writes " << c.writes << " strided "
                 << c.strided << " second " << c.second << " values " << c.values << " heads "
                 << c.heads << " by head " << c.by_head);
    const int64_t angle_rows = c.one_angle ? 1 : c.tokens, angle_heads = c.by_head ? c.heads : 1;
    const Shape kv_dims = {c.batch, c.heads, c.tokens, c.length()};
    const Shape value_dims = {c.batch, c.heads, c.tokens, c.values};
    const Shape angle_dims = {c.batch, angle_heads, angle_rows, c.turned};
    Numbers v = Draw(c.type, value_dims);
    if (c.exact) v = DrawQuarters(v.size(), 60);
    const Tensor values = Holding(value_dims, c.type, v, c.strided);
    const Numbers x = Draw(c.type, kv_dims), g = Draw(c.type, {c.norm});
    const Numbers cos = Draw(c.type, angle_dims), sin = Draw(c.type, angle_dims);
    const std::vector<int64_t> index = DrawIndex(c);
    const Tensor kv = Holding(kv_dims, c.type, x, c.strided);
    const Tensor gamma = Holding({c.norm}, c.type, g, c.strided);
    const Tensor cos_in = Holding(angle_dims, c.type, cos, c.strided);
    const Tensor sin_in = Holding(angle_dims, c.type, sin, c.strided);
    const auto indices = static_cast<int64_t>(index.size());
    Tensor index_in =
        Made(c.paged() ? Shape{indices} : Shape{c.batch, c.tokens}, ACL_INT64, c.strided);
    index_in.Write(index);
    const auto cache_of = [&](int64_t columns, bool quantises) {
      const aclDataType type = quantises ? ACL_INT8 : c.type;
      Tensor cache = Made(CacheShape(c, columns), type, c.strided && !c.fractal());
      WriteAs(cache, Numbers(static_cast<size_t>(cache.count()), kOld));
      return cache;
    };
    const Tensor rope_cache = cache_of(c.keys(), c.quantises_rope);
    const Tensor norm_cache = cache_of(c.others(), c.quantises_norm);
    Numbers rope_scales, norm_scales, rope_offsets, norm_offsets;
    const Tensor rope_scale = FactorsOf(c, c.keys(), &rope_scales);
    const Tensor norm_scale = FactorsOf(c, c.others(), &norm_scales);
    const Tensor rope_offset = FactorsOf(c, c.keys(), &rope_offsets);
    const Tensor norm_offset = FactorsOf(c, c.others(), &norm_offsets);
    const Tensor rope_out = Made({c.batch, c.heads, c.tokens, c.keys()}, c.type, c.strided);
    const Tensor norm_out = Made({c.batch, c.heads, c.tokens, c.others()}, c.type, c.strided);
    std::string mode = c.mode;
    const auto when = [](bool given, const Tensor& t) { return given ? t.handle() : nullptr; };
    const auto first = [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnKvRmsNormRopeCacheGetWorkspaceSize(
          kv.handle(), gamma.handle(), cos_in.handle(), sin_in.handle(), index_in.handle(),
          rope_cache.handle(), norm_cache.handle(), when(c.quantises_rope, rope_scale),
          when(c.quantises_norm, norm_scale), when(c.quantises_rope && c.offsets, rope_offset),
          when(c.quantises_norm && c.offsets, norm_offset), kEps, mode.data(), c.writes,
          when(c.writes, rope_out), when(c.writes, norm_out), s, e);
    };
    const auto second = [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnKvRmsNormRopeCacheV2GetWorkspaceSize(
          kv.handle(), gamma.handle(), cos_in.handle(), sin_in.handle(), index_in.handle(),
          rope_cache.handle(), norm_cache.handle(), when(c.quantises_rope, rope_scale),
          when(c.quantises_norm, norm_scale), when(c.quantises_rope && c.offsets, rope_offset),
          when(c.quantises_norm && c.offsets, norm_offset), when(c.values > 0, values), kEps,
          mode.data(), c.writes, when(c.writes, rope_out), when(c.writes, norm_out), s, e);
    };
    if (c.second) {
      RunTwoPhase(second, aclnnKvRmsNormRopeCacheV2);
    } else {
      RunTwoPhase(first, aclnnKvRmsNormRopeCache);
    }

    std::vector<int64_t> places;
    for (int64_t row = 0; row < c.batch * c.heads * c.tokens; ++row) {
      places.push_back(PlaceOf(c, index, row / c.tokens / c.heads, row % c.tokens));
    }
    const Rows rows = RowsOf(c, {x, v, g, cos, sin});
    if (c.writes) {
      ExpectClose(rope_out, rows.all_rope, 0x1p-20);
      ExpectClose(norm_out, rows.all_norm, 0x1p-20);
    }
    ExpectCache(c, rope_cache, c.keys(), places, rows.rope,
                c.quantises_rope ? &rope_scales : nullptr,
                c.quantises_rope && c.offsets ? &rope_offsets : nullptr);
    ExpectCache(c, norm_cache, c.others(), places, rows.norm,
                c.quantises_norm ? &norm_scales : nullptr,
                c.quantises_norm && c.offsets ? &norm_offsets : nullptr, c.exact);
  }
};

TEST_F(KvCacheTest, IsTheFormulaInEveryMode) {
  for (const char* mode : {"Norm", "PA", "PA_BNSD", "PA_NZ", "PA_BLK_BNSD", "PA_BLK_NZ"}) {
    for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
      for (bool strided : {false, true}) {
        for (int quantises = 0; quantises < 4; ++quantises) {
          Caching c = {.mode = mode, .type = type};
          c.quantises_rope = quantises % 2 > 0;
          c.quantises_norm = quantises / 2 > 0;
          c.offsets = type == ACL_BF16;
          c.factors = quantises - 1;
          if (c.factors < 0) c.factors = 0;
          c.one_angle = quantises == 2;
          c.writes = quantises != 1;
          c.strided = strided;
          Check(c);
          c.second = true;
          Check(c);
          // Values of their own, of one head and of three.
          c.values = 96;
          Check(c);
          c.heads = 3;
          c.by_head = quantises % 2 > 0;
          c.factors = quantises == 3 ? 2 : 1;
          Check(c);
        }
      }
      // Several blocks of a batch's tokens, rows as models have them.
      Check({.batch = 2,
             .tokens = 70,
             .norm = 512,
             .turned = 64,
             .outer = 7,
             .places = std::string(mode) == "Norm" ? 300 : 64,
             .mode = mode,
             .type = type,
             .quantises_norm = true});
    }
  }
  Check({.batch = 1, .tokens = 1, .norm = 1, .turned = 2});
  Check({.norm = 3000, .turned = 2});
  Check({.norm = 2, .turned = 300});
  Check({.tokens = 0});
  Check({.batch = 0});
  for (const char* mode : {"Norm", "PA"}) {
    Check({.norm = 0, .turned = 0, .mode = mode});
    Check({.norm = 0, .mode = mode});
    Check({.turned = 0, .mode = mode});
  }
}

// As models have them: 192 keys, of which 64 are turned, and 128 values, of 1 to 8 heads.
TEST_F(KvCacheTest, ValuesOfTheirOwn) {
  for (const char* mode : {"Norm", "PA", "PA_BLK_NZ"}) {
    for (int64_t heads : {1, 2, 4, 8}) {
      Check({.batch = 2,
             .tokens = 70,
             .norm = 192,
             .turned = 64,
             .outer = 7,
             .places = std::string(mode) == "Norm" ? 300 : 64,
             .mode = mode,
             .type = ACL_BF16,
             .quantises_norm = heads == 2,
             .second = true,
             .values = 128,
             .heads = heads});
    }
  }
  for (bool offsets : {false, true}) {
    Check({.quantises_norm = true,
           .offsets = offsets,
           .second = true,
           .values = 96,
           .heads = 3,
           .exact = true});
  }
  Check({.norm = 2, .turned = 2, .second = true, .values = 1, .heads = 5});
  Check({.norm = 3, .turned = 0, .second = true, .values = 700});
  Check({.tokens = 0, .second = true, .values = 8});
}

TEST_F(KvCacheTest, TheSecondVersionRefusesWhatDoesNotFit) {
  struct Call {
    Shape kv = {2, 4, 5, 96}, gamma = {96}, cos = {2, 1, 5, 32};
    Shape key = {3, 32, 4, 96}, value = {3, 32, 4, 64};
    Shape values = {2, 4, 5, 64}, scale = {};
    Shape key_out = {2, 4, 5, 96}, value_out = {2, 4, 5, 64};
    bool writes = false;
  };
  const auto refused = [&](const Call& c, std::initializer_list<std::string_view> words) {
    const Tensor kv = Made(c.kv, ACL_FLOAT16), gamma = Made(c.gamma, ACL_FLOAT16);
    const Tensor cos = Made(c.cos, ACL_FLOAT16), index = Made({10}, ACL_INT64);
    const Tensor key = Made(c.key, c.scale.empty() ? ACL_FLOAT16 : ACL_INT8);
    const Tensor value = Made(c.value, ACL_FLOAT16);
    const Tensor values = Made(c.values.empty() ? Shape{1} : c.values, ACL_FLOAT16);
    const Tensor scale = Made(c.scale.empty() ? Shape{1} : c.scale);
    const Tensor key_out = Made(c.key_out, ACL_FLOAT16), value_out = Made(c.value_out, ACL_FLOAT16);
    char mode[] = "PA";
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnKvRmsNormRopeCacheV2GetWorkspaceSize(
              kv.handle(), gamma.handle(), cos.handle(), cos.handle(), index.handle(), key.handle(),
              value.handle(), c.scale.empty() ? nullptr : scale.handle(), nullptr, nullptr, nullptr,
              c.values.empty() ? nullptr : values.handle(), 1e-5, mode, c.writes, key_out.handle(),
              value_out.handle(), s, e);
        },
        ACLNN_ERR_INNER_TILING_ERROR, words);
  };
  refused({.values = {}}, {"kv.shape[3] = 96", "96 + 32"});
  refused({.kv = {2, 4, 5, 128}, .values = {}}, {"one head in dimension 1 as vOptional is null"});
  refused({.gamma = {64}}, {"kv.shape[3] = 96, expected 64 of gamma"});
  refused({.cos = {2, 1, 5, 98}}, {"cos.shape[3] = 98", "up to 96"});
  refused({.cos = {2, 1, 5, 31}}, {"cos.shape[3] = 31", "even"});
  refused({.cos = {2, 3, 5, 32}}, {"cos.shape[1] = 3, expected 4 or 1"});
  refused({.cos = {2, 4, 4, 32}}, {"cos.shape[2] = 4, expected 5 or 1"});
  refused({.values = {2, 1, 5, 64}}, {"vOptional.shape"});
  refused({.key = {3, 32, 4, 32}}, {"kCacheRef.shape[3] = 32, expected 96"});
  refused({.value = {3, 32, 4, 96}}, {"ckvCacheRef.shape[3] = 96, expected 64"});
  refused({.key = {3, 32, 1, 96}, .value = {3, 32, 1, 64}}, {"kCacheRef.shape", "4 heads"});
  refused({.scale = {2, 96}}, {"kRopeScaleOptional.shape = [2, 96]", "[4, 96]"});
  refused({.key_out = {2, 4, 5, 32}, .writes = true}, {"kRopeOut.shape[3] = 32, expected 96"});
  refused({.value_out = {2, 4, 5, 96}, .writes = true}, {"cKvOut.shape[3] = 96, expected 64"});
}

// Of tokens for one place the last one stays, whoever ran first.
TEST_F(KvCacheTest, TheLastTokenOfAPlaceStays) {
  const int64_t tokens = 200, norm = 64, turned = 32;
  const Numbers x = Draw(ACL_BF16, {1, 1, tokens, norm + turned});
  const Tensor kv = Holding({1, 1, tokens, norm + turned}, ACL_BF16, x);
  const Tensor gamma = Holding({norm}, ACL_BF16, Numbers(norm, 1));
  const Tensor cos = Holding({1, 1, 1, turned}, ACL_BF16, Numbers(turned, 1));
  const Tensor sin = Holding({1, 1, 1, turned}, ACL_BF16, Numbers(turned, 0));
  Tensor index = Made({tokens}, ACL_INT64);
  index.Write(std::vector<int64_t>(tokens, 5));
  const Tensor rope_cache = Holding({1, 16, 1, turned}, ACL_BF16, Numbers(16 * turned, 0));
  const Tensor norm_cache = Holding({1, 16, 1, norm}, ACL_BF16, Numbers(16 * norm, 0));
  char mode[] = "PA";
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnKvRmsNormRopeCacheGetWorkspaceSize(
            kv.handle(), gamma.handle(), cos.handle(), sin.handle(), index.handle(),
            rope_cache.handle(), norm_cache.handle(), nullptr, nullptr, nullptr, nullptr, 0, mode,
            false, nullptr, nullptr, s, e);
      },
      aclnnKvRmsNormRopeCache);
  const Numbers rope = ReadAs(rope_cache), normed = ReadAs(norm_cache);
  const Numbers last = RowOf(x, tokens - 1, norm + turned);
  for (int64_t i = 0; i < turned; ++i) {
    const int64_t from = i < turned / 2 ? 2 * i : 2 * (i - turned / 2) + 1;
    EXPECT_EQ(rope[static_cast<size_t>(5 * turned + i)], last[static_cast<size_t>(norm + from)]);
  }
  double squares = 0;
  for (int64_t i = 0; i < norm; ++i) {
    squares += last[static_cast<size_t>(i)] * last[static_cast<size_t>(i)];
  }
  for (int64_t i = 0; i < norm; ++i) {
    const double expected =
        last[static_cast<size_t>(i)] / std::sqrt(squares / static_cast<double>(norm));
    EXPECT_NEAR(normed[static_cast<size_t>(5 * norm + i)], expected,
                0x1p-19 + 1.01 * HalfUnitOf(ACL_BF16, expected));
  }
}

TEST_F(KvCacheTest, RefusesWhatDoesNotFit) {
  const int code = ACLNN_ERR_INNER_TILING_ERROR, null = ACLNN_ERR_PARAM_NULLPTR;
  struct Call {
    Shape kv = {2, 1, 5, 96}, gamma = {64}, cos = {2, 1, 5, 32}, index = {10};
    Shape key = {3, 32, 1, 32}, value = {3, 32, 1, 64};
    aclDataType key_type = ACL_FLOAT16;
    Shape scale = {}, offset = {};
    const char* mode = "PA";
    bool writes = false;
    double eps = 1e-5;
    std::vector<int64_t> indices = {};
  };
  const auto prepare = [&](const Call& c, const auto& then) {
    const Tensor kv = Made(c.kv, ACL_FLOAT16), gamma = Made(c.gamma, ACL_FLOAT16);
    const Tensor cos = Made(c.cos, ACL_FLOAT16);
    Tensor index = Made(c.index, ACL_INT64);
    if (!c.indices.empty()) index.Write(c.indices);
    const Tensor key = Made(c.key, c.key_type), value = Made(c.value, ACL_FLOAT16);
    const Tensor scale = Made(c.scale.empty() ? Shape{1} : c.scale);
    const Tensor offset = Made(c.offset.empty() ? Shape{1} : c.offset);
    std::string mode = c.mode;
    then([&](uint64_t* s, aclOpExecutor** e) {
      return aclnnKvRmsNormRopeCacheGetWorkspaceSize(
          kv.handle(), gamma.handle(), cos.handle(), cos.handle(), index.handle(), key.handle(),
          value.handle(), c.scale.empty() ? nullptr : scale.handle(), nullptr,
          c.offset.empty() ? nullptr : offset.handle(), nullptr, c.eps, mode.data(), c.writes,
          nullptr, nullptr, s, e);
    });
  };
  const auto refused = [&](const Call& c, int expected,
                           std::initializer_list<std::string_view> words) {
    prepare(c, [&](const Phase1& call) { ExpectRefused(call, expected, words); });
  };
  refused({.mode = "PB"}, code, {"cacheModeOptional = \"PB\"", "\"PA_BLK_BNSD\" or \"PA_BLK_NZ\""});
  refused({.writes = true}, null, {"kRopeOut is null", "isOutputKv"});
  refused({.eps = -1}, code, {"epsilon = -1"});
  refused({.kv = {2, 1, 5, 97}}, code, {"kv.shape[3] = 97", "64 + 32"});
  refused({.kv = {2, 1, 5, 95}, .cos = {2, 1, 5, 31}, .key = {3, 32, 1, 31}}, code, {"even"});
  refused({.cos = {2, 1, 4, 32}}, code, {"cos.shape[2] = 4", "5 or 1"});
  refused({.index = {9}}, code, {"index.shape = [9]", "[10]"});
  refused({.index = {2, 5}}, code, {"index.shape = [2, 5]", "[10]"});
  refused({.mode = "Norm"}, code, {"one head in dimension 1"});
  refused({.index = {2, 5}, .key = {1, 1, 32, 32}, .value = {1, 1, 32, 64}, .mode = "Norm"}, code,
          {"kCacheRef.shape[0] = 1", "at least 2"});
  refused({.index = {2}, .key = {3, 24, 1, 32}, .value = {3, 24, 1, 64}, .mode = "PA_BLK_BNSD"},
          code, {"kCacheRef.shape[1] = 24", "multiple of 16"});
  refused({.key = {3, 16, 1, 32}, .value = {3, 16, 1, 64}, .key_type = ACL_INT8, .scale = {1}},
          code, {"kCacheRef.shape[1] = 16", "multiple of 32", "INT8"});
  refused({.kv = {2, 1, 5, 72}, .cos = {2, 1, 5, 8}, .key = {3, 32, 1, 8}, .mode = "PA_NZ"}, code,
          {"kCacheRef.shape[3] = 8", "multiple of 16"});
  refused({.key_type = ACL_BF16}, ACLNN_ERR_PARAM_INVALID, {"kCacheRef.dtype = BF16"});
  refused({.key_type = ACL_INT8}, null, {"kRopeScaleOptional is null", "INT8"});
  refused({.scale = {1}}, code, {"kRopeScaleOptional is given", "FLOAT16"});
  refused({.key_type = ACL_INT8, .scale = {31}}, code, {"kRopeScaleOptional.shape = [31]", "[32]"});
  refused({.key_type = ACL_INT8, .scale = {1}, .offset = {2, 32}}, code,
          {"kRopeOffsetOptional.shape = [2, 32]"});
  const auto fails = [&](int64_t wrong) {
    const Call c = {.indices = {0, 1, 2, wrong, 4, 5, 6, 7, 8, 9}};
    prepare(c, [&](const Phase1& call) {
      ExpectTaskFails(call, aclnnKvRmsNormRopeCache,
                      "index[3] = " + std::to_string(wrong) + ", expected -1 to 95");
    });
  };
  fails(96);
  fails(-2);
}

}  // namespace
}  // namespace anyacl::test
