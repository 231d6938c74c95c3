// SPDX-License-Identifier: Apache-2.0
// Queries, keys and values that are turned and quantised into caches, against the document's
// formulas in double precision.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_dequant_rope_quant_kvcache.h"
#include "ops/rotary_case.h"

namespace anyacl::test {
namespace {

using namespace rotary;

struct Quantising {
  int64_t batch = 2, tokens = 3;
  bool flat = false;  // x is [B, H]
  int64_t query_heads = 3, heads = 2, dim = 16;
  int64_t outer = 4, places = 7;
  aclDataType type = ACL_INT32, turned = ACL_FLOAT16;
  aclDataType bias = ACL_DT_UNDEFINED;  // none
  bool token_scale = true, offsets = true, writes = true, paged = true, strided = false;
  bool exact = false;  // all numbers before they are rounded to integers

  int64_t rows() const { return batch * (flat ? 1 : tokens); }
  int64_t queries() const { return query_heads * dim; }
  int64_t part() const { return heads * dim; }
  int64_t columns() const { return queries() + 2 * part(); }
};

class QuantKvCacheTest : public RotaryCaseTest {
 protected:
  static constexpr double kOld = 7;  // what the caches hold before

  Shape Of(const Quantising& c, Shape inner) const {
    Shape dims = c.flat ? Shape{c.batch} : Shape{c.batch, c.tokens};
    dims.insert(dims.end(), inner.begin(), inner.end());
    return dims;
  }
  Numbers DrawX(const Quantising& c) {
    const auto count = static_cast<size_t>(c.rows() * c.columns());
    if (c.exact && c.type != ACL_INT32) return DrawQuarters(count, 60);
    if (c.type != ACL_INT32) return Drawn(c.type, count, -2, 2);
    Numbers x;
    for (size_t i = 0; i < count; ++i) {
      x.push_back(static_cast<double>(random().Int(-3000, 3000)));
    }
    return x;
  }
  Numbers DrawBias(const Quantising& c) {
    const auto count = static_cast<size_t>(c.columns());
    if (c.exact && c.bias != ACL_INT32) return DrawQuarters(count, 4);
    if (c.bias != ACL_INT32) return Drawn(c.bias, count, -1, 1);
    Numbers bias;
    for (size_t i = 0; i < count; ++i) {
      bias.push_back(static_cast<double>(random().Int(-900, 900)));
    }
    return bias;
  }
  // The first place of each batch, or the place of each token, of which two are nowhere.
  std::vector<int32_t> DrawIndex(const Quantising& c) {
    std::vector<int32_t> index;
    if (!c.paged) {
      const int64_t most = c.places - (c.flat ? 1 : c.tokens);
      for (int64_t b = 0; b < c.batch; ++b) {
        index.push_back(static_cast<int32_t>(random().Int(0, most)));
      }
      return index;
    }
    const int64_t all = c.outer * c.places;
    for (int64_t i = 0; i < c.rows(); ++i) {
      index.push_back(i == 2 ? -1 : i == 4 ? INT32_MIN : static_cast<int32_t>((i * 5 + 1) % all));
    }
    return index;
  }
  static int64_t PlaceOf(const Quantising& c, const std::vector<int32_t>& index, int64_t row) {
    if (c.paged) return index[static_cast<size_t>(row)];
    const int64_t length = c.flat ? 1 : c.tokens, b = row / length;
    return b * c.places + index[static_cast<size_t>(b)] + row % length;
  }

  // Exact ones are -1, 0 and 1.
  Numbers DrawAngles(const Quantising& c, const Shape& dims) {
    Numbers angles = Draw(c.turned, dims);
    for (double& angle : angles) {
      if (c.exact) angle = static_cast<double>(random().Int(-1, 1));
    }
    return angles;
  }

  static void ExpectCache(const Tensor& cache, const Numbers& expected, bool exact) {
    const Numbers actual = ReadAs(cache);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i) {
      ExpectQuantised(actual[i], expected[i], exact, i);
    }
    EXPECT_TRUE(cache.GuardsIntact());
  }

  struct Factors {
    Numbers weight, token, bias, key_scale, key_offset, value_scale, value_offset;
  };
  Factors DrawFactors(const Quantising& c) {
    const auto part = static_cast<size_t>(c.part());
    if (c.exact) {
      Numbers weight = DrawPowers(static_cast<size_t>(c.columns()));
      for (double& factor : weight) factor /= 64;
      return {weight,
              DrawPowers(static_cast<size_t>(c.rows())),
              c.bias == ACL_DT_UNDEFINED ? Numbers() : DrawBias(c),
              DrawPowers(part),
              DrawQuarters(part, 8),
              DrawPowers(part),
              DrawQuarters(part, 8)};
    }
    return {Drawn(ACL_FLOAT, static_cast<size_t>(c.columns()), 1e-3, 2e-3),
            Drawn(ACL_FLOAT, static_cast<size_t>(c.rows()), 0.2, 0.5),
            c.bias == ACL_DT_UNDEFINED ? Numbers() : DrawBias(c),
            Drawn(ACL_FLOAT, part, 0.01, 0.03),
            Drawn(ACL_FLOAT, part, -30, 30),
            Drawn(ACL_FLOAT, part, 0.01, 0.03),
            Drawn(ACL_FLOAT, part, -30, 30)};
  }
  static double Dequantised(const Quantising& c, const Factors& f, double x, int64_t row,
                            size_t column) {
    if (c.type != ACL_INT32) return x;
    if (c.bias == ACL_INT32) x += f.bias[column];
    x *= f.weight[column];
    if (c.token_scale) x *= f.token[static_cast<size_t>(row)];
    if (c.bias != ACL_DT_UNDEFINED && c.bias != ACL_INT32) x += f.bias[column];
    return x;
  }

  struct Results {
    Numbers query, key, value, key_cache, value_cache;
  };
  Results Expected(const Quantising& c, const Numbers& x, const Numbers& cos, const Numbers& sin,
                   const Factors& f, const std::vector<int32_t>& index) {
    Results r;
    r.key_cache = r.value_cache = Numbers(static_cast<size_t>(c.outer * c.places * c.part()), kOld);
    for (int64_t row = 0; row < c.rows(); ++row) {
      Numbers line = RowOf(x, row, c.columns());
      for (size_t i = 0; i < line.size(); ++i) line[i] = Dequantised(c, f, line[i], row, i);
      const auto turned = [&](int64_t first) {
        return TurnRow({line.begin() + first, line.begin() + first + c.dim}, RowOf(cos, row, c.dim),
                       RowOf(sin, row, c.dim), "half");
      };
      for (int64_t first = 0; first < c.queries(); first += c.dim) {
        const Numbers head = turned(first);
        r.query.insert(r.query.end(), head.begin(), head.end());
      }
      const int64_t place = PlaceOf(c, index, row);
      for (int64_t first = 0; first < c.part(); first += c.dim) {
        const Numbers head = turned(c.queries() + first);
        for (int64_t d = 0; d < c.dim; ++d) {
          const auto i = static_cast<size_t>(first + d);
          const double key = head[static_cast<size_t>(d)];
          const double value = line[static_cast<size_t>(c.queries() + c.part()) + i];
          r.key.push_back(key);
          r.value.push_back(value);
          if (place < 0) continue;
          const size_t at = static_cast<size_t>(place * c.part()) + i;
          r.key_cache[at] = key / f.key_scale[i] + (c.offsets ? f.key_offset[i] : 0);
          r.value_cache[at] = value / f.value_scale[i] + (c.offsets ? f.value_offset[i] : 0);
        }
      }
    }
    return r;
  }

  void Check(const Quantising& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.batch << "x" << c.tokens << " flat " << c.flat << " heads " << c.query_heads
                 << "+" << c.heads << " of " << c.dim << " type " << c.type << " turned "
                 << c.turned << " bias " << c.bias << " offsets " << c.offsets << " paged "
                 << c.paged << " strided " << c.strided);
    const Shape x_dims = Of(c, {c.columns()});
    const Shape angle_dims = c.flat ? Of(c, {c.dim}) : Of(c, {1, c.dim});
    const Shape cache_dims = {c.outer, c.places, c.heads, c.dim}, part_dims = {c.heads, c.dim};
    const Numbers x = DrawX(c), cos = DrawAngles(c, angle_dims), sin = DrawAngles(c, angle_dims);
    const Factors f = DrawFactors(c);
    const std::vector<int32_t> index = DrawIndex(c);
    const auto held = [&](const Shape& dims, aclDataType type, const Numbers& values) {
      return Holding(dims, type, values, c.strided);
    };
    const Tensor x_in = held(x_dims, c.type, x);
    const Tensor cos_in = held(angle_dims, c.turned, cos), sin_in = held(angle_dims, c.turned, sin);
    const Numbers old(static_cast<size_t>(c.outer * c.places * c.part()), kOld);
    const Tensor key_cache = held(cache_dims, ACL_INT8, old);
    const Tensor value_cache = held(cache_dims, ACL_INT8, old);
    Tensor index_in = Made({static_cast<int64_t>(index.size())}, ACL_INT32, c.strided);
    index_in.Write(index);
    const Tensor key_scale = held(part_dims, ACL_FLOAT, f.key_scale);
    const Tensor value_scale = held({c.part()}, ACL_FLOAT, f.value_scale);
    const Tensor key_offset = held(part_dims, ACL_FLOAT, f.key_offset);
    const Tensor value_offset = held(part_dims, ACL_FLOAT, f.value_offset);
    const Tensor weight = held({c.columns()}, ACL_FLOAT, f.weight);
    const Tensor token = held({c.rows()}, ACL_FLOAT, f.token);
    const bool biased = c.bias != ACL_DT_UNDEFINED;
    const Tensor bias = biased ? held({c.columns()}, c.bias, f.bias) : Made({1}, ACL_FLOAT);
    const Tensor query_out = Made(Of(c, {c.query_heads, c.dim}), c.turned, c.strided);
    const Shape kv_dims = c.writes ? Of(c, {c.heads, c.dim}) : Shape{0};
    const Tensor key_out = Made(kv_dims, c.turned), value_out = Made(kv_dims, c.turned);
    const std::vector<int64_t> splits = {c.queries(), c.part(), c.part()};
    aclIntArray* const sizes = aclCreateIntArray(splits.data(), splits.size());
    std::string quant = "static", layout = "BSND", mode = c.paged ? "page" : "contiguous";
    const bool integers = c.type == ACL_INT32;
    const auto when = [](bool given, const Tensor& t) { return given ? t.handle() : nullptr; };
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnDequantRopeQuantKvcacheGetWorkspaceSize(
              x_in.handle(), cos_in.handle(), sin_in.handle(), key_cache.handle(),
              value_cache.handle(), index_in.handle(), key_scale.handle(), value_scale.handle(),
              when(c.offsets, key_offset), when(c.offsets, value_offset), when(integers, weight),
              when(c.token_scale, token), when(biased, bias), sizes, quant.data(), layout.data(),
              c.writes, mode.data(), query_out.handle(), key_out.handle(), value_out.handle(), s,
              e);
        },
        aclnnDequantRopeQuantKvcache);
    aclDestroyIntArray(sizes);
    const Results r = Expected(c, x, cos, sin, f, index);
    ExpectClose(query_out, r.query, 0x1p-20);
    if (c.writes) {
      ExpectClose(key_out, r.key, 0x1p-20);
      ExpectClose(value_out, r.value, 0x1p-20);
    }
    ExpectCache(key_cache, r.key_cache, c.exact);
    ExpectCache(value_cache, r.value_cache, c.exact);
  }
};

TEST_F(QuantKvCacheTest, TiesGoToTheEven) {
  for (const bool offsets : {false, true}) {
    Check({.type = ACL_FLOAT16, .offsets = offsets, .writes = false, .exact = true});
    for (aclDataType bias : {ACL_DT_UNDEFINED, ACL_FLOAT, ACL_INT32}) {
      Check({.bias = bias, .offsets = offsets, .writes = false, .exact = true});
    }
  }
}

TEST_F(QuantKvCacheTest, IsTheFormula) {
  for (aclDataType turned : {ACL_FLOAT16, ACL_BF16}) {
    for (aclDataType type : {ACL_INT32, turned}) {
      for (bool paged : {false, true}) {
        for (bool strided : {false, true}) {
          Quantising c = {.type = type, .turned = turned, .paged = paged, .strided = strided};
          Check(c);
          c.flat = true;
          c.offsets = false;
          Check(c);
          c.writes = false;
          c.token_scale = false;
          Check(c);
        }
      }
    }
    for (aclDataType bias : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32}) {
      Check({.turned = turned, .bias = bias});
      Check({.turned = turned, .bias = bias, .token_scale = false, .strided = true});
    }
    // Without INT32 the factors of integers have no effect.
    Check({.type = turned, .turned = turned, .bias = ACL_FLOAT, .token_scale = true});
  }
  Check({.batch = 3,
         .tokens = 70,
         .query_heads = 8,
         .heads = 1,
         .dim = 128,
         .outer = 30,
         .places = 128});
  Check({.query_heads = 0});
  Check({.heads = 0});
  Check({.batch = 0});
}

// Of tokens for one place the last one stays, whoever ran first.
TEST_F(QuantKvCacheTest, TheLastTokenOfAPlaceStays) {
  const int64_t tokens = 300, dim = 16;
  const Numbers x = Draw(ACL_BF16, {tokens, 2 * dim});
  const Tensor x_in = Holding({tokens, 2 * dim}, ACL_BF16, x);
  const Tensor cos =
      Holding({tokens, dim}, ACL_BF16, Numbers(static_cast<size_t>(tokens * dim), 1));
  const Tensor sin =
      Holding({tokens, dim}, ACL_BF16, Numbers(static_cast<size_t>(tokens * dim), 0));
  const Tensor key = Made({2, 4, 1, dim}, ACL_INT8), value = Made({2, 4, 1, dim}, ACL_INT8);
  Tensor index = Made({tokens}, ACL_INT32);
  index.Write(std::vector<int32_t>(static_cast<size_t>(tokens), 5));
  const Tensor scale = Holding({dim}, ACL_FLOAT, Numbers(static_cast<size_t>(dim), 1.0 / 32));
  const Tensor query_out = Made({tokens, 0, dim}, ACL_BF16), none = Made({0}, ACL_BF16);
  const std::vector<int64_t> splits = {0, dim, dim};
  aclIntArray* const sizes = aclCreateIntArray(splits.data(), splits.size());
  std::string mode = "page";
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnDequantRopeQuantKvcacheGetWorkspaceSize(
            x_in.handle(), cos.handle(), sin.handle(), key.handle(), value.handle(), index.handle(),
            scale.handle(), scale.handle(), nullptr, nullptr, nullptr, nullptr, nullptr, sizes,
            nullptr, nullptr, false, mode.data(), query_out.handle(), none.handle(), none.handle(),
            s, e);
      },
      aclnnDequantRopeQuantKvcache);
  aclDestroyIntArray(sizes);
  const Numbers keys = ReadAs(key), values = ReadAs(value), last = RowOf(x, tokens - 1, 2 * dim);
  for (int64_t i = 0; i < dim; ++i) {
    const auto at = static_cast<size_t>(5 * dim + i), from = static_cast<size_t>(i);
    EXPECT_EQ(keys[at], std::nearbyint(last[from] * 32));
    EXPECT_EQ(values[at], std::nearbyint(last[static_cast<size_t>(dim) + from] * 32));
  }
}

struct Refusal {
  Shape x = {2, 3, 64}, angles = {2, 3, 1, 16}, key = {4, 7, 1, 16}, value = {4, 7, 1, 16};
  Shape index = {6}, scale = {1, 16}, activation = {6}, query = {2, 3, 2, 16};
  aclDataType type = ACL_INT32;
  bool weight = true, key_offset = true, value_offset = true, writes = false, key_out = true;
  std::vector<int64_t> splits = {32, 16, 16};
  const char* quant = "static";
  const char* layout = "BSND";
  const char* mode = "page";
  std::vector<int32_t> indices = {0, 1, 2, 3, 4, 5};
};

class QuantKvCacheRefusalTest : public QuantKvCacheTest {
 protected:
  template <class Then>
  void Prepared(const Refusal& c, const Then& then) {
    const Tensor x = Made(c.x, c.type), cos = Made(c.angles, ACL_FLOAT16);
    const Tensor key = Made(c.key, ACL_INT8), value = Made(c.value, ACL_INT8);
    Tensor index = Made(c.index, ACL_INT32);
    if (static_cast<int64_t>(c.indices.size()) == index.count()) index.Write(c.indices);
    const Tensor scale = Made(c.scale, ACL_FLOAT), columns = Made({c.x.back()}, ACL_FLOAT);
    const Tensor activation = Made(c.activation, ACL_FLOAT);
    const Tensor query = Made(c.query, ACL_FLOAT16), kv = Made({2, 3, 1, 16}, ACL_FLOAT16);
    aclIntArray* const sizes = aclCreateIntArray(c.splits.data(), c.splits.size());
    std::string quant = c.quant, layout = c.layout, mode = c.mode;
    const auto when = [](bool given, const Tensor& t) { return given ? t.handle() : nullptr; };
    then([&](uint64_t* s, aclOpExecutor** e) {
      return aclnnDequantRopeQuantKvcacheGetWorkspaceSize(
          x.handle(), cos.handle(), cos.handle(), key.handle(), value.handle(), index.handle(),
          scale.handle(), scale.handle(), when(c.key_offset, scale), when(c.value_offset, scale),
          when(c.weight, columns), activation.handle(), nullptr, sizes, quant.data(), layout.data(),
          c.writes, mode.data(), query.handle(), when(c.key_out, kv), kv.handle(), s, e);
    });
    aclDestroyIntArray(sizes);
  }
  void Refused(const Refusal& c, int code, std::initializer_list<std::string_view> words) {
    Prepared(c, [&](const Phase1& call) { ExpectRefused(call, code, words); });
  }
};

TEST_F(QuantKvCacheRefusalTest, WhatDoesNotFitIsRefused) {
  const int code = ACLNN_ERR_INNER_TILING_ERROR, null = ACLNN_ERR_PARAM_NULLPTR;
  Refused({.weight = false}, null, {"weightScaleOptional is null", "INT32"});
  Refused({.writes = true, .key_out = false}, null, {"kOut is null", "kvOutput"});
  Refused({.type = ACL_BF16}, ACLNN_ERR_PARAM_INVALID, {"x.dtype = BF16", "FLOAT16"});
  Refused({.key_offset = false}, code, {"offsetKOptional", "both or neither"});
  Refused({.value_offset = false}, code, {"offsetVOptional", "both or neither"});
  Refused({.quant = "dynamic"}, code, {"quantModeOptional = \"dynamic\"", "static"});
  Refused({.layout = "TND"}, code, {"layoutOptional = \"TND\"", "BSND"});
  Refused({.mode = "pages"}, code, {"cacheModeOptional = \"pages\"", "\"contiguous\" or \"page\""});
  Refused({.splits = {48, 16}}, code, {"sizeSplits has size 2", "3"});
  Refused({.splits = {32, 32, 0}}, code, {"sizeSplits[1] = 32", "1 * 16"});
  Refused({.splits = {32, 16, 32}}, code, {"sizeSplits[2] = 32", "1 * 16"});
  Refused({.splits = {16, 16, 16}}, code, {"sizeSplits = [16, 16, 16]", "H = 64"});
  Refused({.splits = {-32, 16, 16}}, code, {"sizeSplits = [-32, 16, 16]"});
  Refused({.x = {2, 3, 40}, .splits = {8, 16, 16}}, code, {"multiples of D = 16"});
  Refused({.x = {2, 3, 16}, .splits = {-16, 16, 16}}, code, {"H = 16"});
  Refused({.angles = {2, 3, 1, 15},
           .key = {4, 7, 1, 15},
           .value = {4, 7, 1, 15},
           .scale = {15},
           .query = {2, 3, 2, 15}},
          code, {"kCacheRef.shape[3] = 15", "even"});
  Refused({.angles = {6, 16}}, code, {"cos.shape = [6, 16]", "[2, 3, 1, 16]"});
  Refused({.query = {6, 2, 16}}, code, {"qOut.shape = [6, 2, 16]", "[2, 3, 2, 16]"});
  Refused({.index = {2}}, code, {"indices.shape = [2]", "[6]"});
  Refused({.index = {6}, .mode = "contiguous"}, code, {"indices.shape = [6]", "[2]"});
  Refused({.activation = {5}}, code, {"activationScaleOptional.shape = [5]", "6 tokens"});
  Refused({.value = {3, 7, 1, 16}}, code, {"vCacheRef.shape[0] = 3", "4"});
  Refused({.scale = {15}}, code, {"scaleK.shape = [15]", "N*D"});
  const Refusal contiguous = {.index = {2}, .mode = "contiguous"};
  Refusal small = contiguous;
  small.key = small.value = {1, 7, 1, 16};
  Refused(small, code, {"kCacheRef.shape = [1, 7, 1, 16]", "2 or more"});
  small.key = small.value = {2, 2, 1, 16};
  Refused(small, code, {"kCacheRef.shape = [2, 2, 1, 16]", "3 or more"});
}

TEST_F(QuantKvCacheRefusalTest, AnIndexThatIsNoneFailsTheTask) {
  const auto fails = [&](const Refusal& c, std::string_view words) {
    Prepared(
        c, [&](const Phase1& call) { ExpectTaskFails(call, aclnnDequantRopeQuantKvcache, words); });
  };
  fails({.indices = {0, 1, 2, 28, 4, 5}},
        "indices[3] = 28, expected a negative number, or 0 to 27");
  fails({.index = {2}, .mode = "contiguous", .indices = {0, 5}}, "indices[1] = 5, expected 0 to 4");
  fails({.index = {2}, .mode = "contiguous", .indices = {-1, 0}},
        "indices[0] = -1, expected 0 to 4");
}

}  // namespace
}  // namespace anyacl::test
