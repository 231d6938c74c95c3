// SPDX-License-Identifier: Apache-2.0
// What the tests of aclnnMlaProlog share: problems, their tensors, and calls of all versions.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "aclnnop/aclnn_mla_prolog.h"
#include "aclnnop/aclnn_mla_prolog_v2_weight_nz.h"
#include "aclnnop/aclnn_mla_prolog_v3_weight_nz.h"
#include "ops/rotary_case.h"
#include "reference/mla_prolog.h"
#include "support/near.h"

namespace anyacl::test {
namespace prolog {

using namespace rotary;

// How weights are given.
enum class Order { kRows, kStrided, kPanels, kPanelDims };

struct Call {
  int64_t batch = 2, length = 3;
  bool merged = false;  // [T, ..] instead of [B, S, ..]
  int64_t width = 64, query_rank = 32, heads = 3, plain = 32, key_rank = 64, turned = 32;
  int64_t blocks = 3, places = 16;
  bool int8_tokens = false, int8_queries = false, int8_keys = false, smooth = false;
  Order order = Order::kPanels;
  const char* mode = "PA_BSND";
  bool strided = false;  // all but weights
  int version = 2;
  double query_factor = 1, key_factor = 1;
  bool norm = false;  // as a result
  bool null_mode = false;
  bool together = false;  // tokens share two places
  bool zeros = false;     // the first token's numbers

  int64_t tokens() const { return batch * length; }
  bool fractal() const { return std::string_view(mode).find("NZ") != std::string_view::npos; }
  bool by_block() const { return std::string_view(mode).find("BLK") != std::string_view::npos; }
  bool paged() const { return std::string_view(mode).find("PA") == 0; }
  bool int8_ropes() const { return int8_keys && !int8_tokens; }
  bool int8_results() const { return int8_keys && int8_tokens; }
};

class MlaPrologTest : public RotaryCaseTest {
 protected:
  static constexpr double kOld = 7;  // what the caches hold before
  static constexpr double kEps = 1e-3;

  Numbers Some(aclDataType type, const Shape& dims, double low, double high) {
    int64_t count = 1;
    for (int64_t size : dims) count *= size;
    return Drawn(type, static_cast<size_t>(count), low, high);
  }
  Numbers SomeOf(bool integers, const Shape& dims) {
    Numbers values =
        Some(integers ? ACL_INT8 : ACL_BF16, dims, integers ? -128 : -1, integers ? 127 : 1);
    return values;
  }

  // By hand: the format's document. Panels are whole; what no row or column reaches is 99.
  static Numbers InPanels(const Numbers& rows, int64_t height, int64_t width, int64_t group) {
    const int64_t whole = (height + 15) / 16 * 16;
    Numbers panels(static_cast<size_t>(whole * ((width + group - 1) / group * group)), 99.0);
    for (int64_t r = 0; r < height; ++r) {
      for (int64_t c = 0; c < width; ++c) {
        panels[static_cast<size_t>(c / group * whole * group + r * group + c % group)] =
            rows[static_cast<size_t>(r * width + c)];
      }
    }
    return panels;
  }
  struct Weight {
    std::unique_ptr<Tensor> memory;
    aclTensor* panels = nullptr;  // of the memory, where they are called by the matrix's sizes
    Weight() = default;
    Weight(Weight&& other) noexcept
        : memory(std::move(other.memory)), panels(std::exchange(other.panels, nullptr)) {}
    ~Weight() {
      if (panels != nullptr) aclDestroyTensor(panels);
    }
    aclTensor* handle() const { return panels != nullptr ? panels : memory->handle(); }
  };
  static Weight WeightOf(const Call& c, bool integers, const Shape& dims, const Numbers& values) {
    const aclDataType type = integers ? ACL_INT8 : ACL_BF16;
    Weight weight;
    const bool rows = c.order == Order::kRows || c.order == Order::kStrided;
    if (rows) {
      weight.memory = std::make_unique<Tensor>(Made(dims, type, c.order == Order::kStrided));
      WriteAs(*weight.memory, values);
      return weight;
    }
    const int64_t group = integers ? 32 : 16;
    const Shape storage = {(dims[1] + group - 1) / group, (dims[0] + 15) / 16, 16, group};
    weight.memory = std::make_unique<Tensor>(
        Layout{.dims = storage,
               .dtype = type,
               .format = c.order == Order::kPanelDims ? ACL_FORMAT_FRACTAL_NZ : ACL_FORMAT_ND});
    WriteAs(*weight.memory, InPanels(values, dims[0], dims[1], group));
    if (c.order == Order::kPanels) {
      const Shape strides = ContiguousStrides(dims);
      weight.panels =
          aclCreateTensor(dims.data(), 2, type, strides.data(), 0, ACL_FORMAT_FRACTAL_NZ,
                          storage.data(), 4, weight.memory->data());
    }
    return weight;
  }

  static Shape Tokens(const Call& c, std::initializer_list<int64_t> rest) {
    Shape dims = c.merged ? Shape{c.tokens()} : Shape{c.batch, c.length};
    dims.insert(dims.end(), rest);
    return dims;
  }

  MlaProlog ProblemOf(const Call& c) {
    const int64_t t = c.tokens(), up = c.heads * (c.plain + c.turned);
    const int64_t down = c.key_rank + c.turned;
    const auto factors = [&](bool given, int64_t count) {
      return given ? Some(ACL_FLOAT, {count}, 0.001, 0.003) : Numbers{};
    };
    const auto scales = [&](bool given, int64_t count) {
      return given ? Some(ACL_FLOAT, {count}, 30, 60) : Numbers{};
    };
    return {.tokens = t,
            .width = c.width,
            .query_rank = c.query_rank,
            .heads = c.heads,
            .plain = c.plain,
            .key_rank = c.key_rank,
            .turned = c.turned,
            .int8_tokens = c.int8_tokens,
            .int8_queries = c.int8_queries,
            .int8_keys = c.int8_keys,
            .x = SomeOf(c.int8_tokens, {t, c.width}),
            .weight_dq = SomeOf(c.int8_tokens, {c.width, c.query_rank}),
            .weight_uq_qr = SomeOf(c.int8_queries, {c.query_rank, up}),
            .weight_uk = SomeOf(false, {c.heads, c.plain, c.key_rank}),
            .weight_dkv_kr = SomeOf(c.int8_tokens, {c.width, down}),
            .gamma_cq = SomeOf(false, {c.query_rank}),
            .gamma_ckv = SomeOf(false, {c.key_rank}),
            .sin = SomeOf(false, {t, c.turned}),
            .cos = SomeOf(false, {t, c.turned}),
            .factors_x = factors(c.int8_tokens, t),
            .factors_dq = factors(c.int8_tokens, c.query_rank),
            .factors_uq_qr = factors(c.int8_queries, up),
            .factors_dkv_kr = factors(c.int8_tokens, down),
            .scale_ckv = scales(c.int8_keys, c.key_rank),
            .scale_ckr = scales(c.int8_ropes(), c.turned),
            .smooth = c.smooth ? Some(ACL_FLOAT, {c.query_rank}, 0.5, 2) : Numbers{},
            .eps_cq = kEps,
            .eps_ckv = 2 * kEps,
            .query_factor = c.query_factor,
            .key_factor = c.key_factor};
  }

  static void ExpectNear(const Tensor& tensor, const std::vector<Near>& expected) {
    ExpectWithin(
        tensor, expected.size(), [&](size_t i) { return expected[i].value; },
        [&](size_t i) { return expected[i].error; });
  }

  // Where a cache has the column of a place, as the document has it.
  static size_t CacheAt(const Call& c, int64_t columns, bool integers, int64_t place,
                        int64_t column) {
    if (!c.fractal()) return static_cast<size_t>(place * columns + column);
    const int64_t group = integers ? 32 : 16, block = place / c.places, inner = place % c.places;
    return static_cast<size_t>(block * c.places * columns + column / group * c.places * group +
                               inner * group + column % group);
  }
  static void ExpectCache(const Call& c, const Tensor& cache, int64_t columns, bool integers,
                          const std::vector<int64_t>& places, const std::vector<Near>& rows) {
    std::vector<Near> expected(static_cast<size_t>(cache.count()), {kOld, 0});
    for (size_t i = 0; i < rows.size(); ++i) {
      const int64_t place = places[i / static_cast<size_t>(columns)];
      if (place < 0 || expected.empty()) continue;
      expected[CacheAt(c, columns, integers, place, static_cast<int64_t>(i) % columns)] = rows[i];
    }
    ExpectNear(cache, expected);
  }

  // Where tokens go, -1: nowhere, and what tells it.
  struct Places {
    std::vector<int64_t> of_tokens, index;
    Shape dims;
    std::vector<int32_t> ends;  // of sequences
  };
  static Places PlacesOf(const Call& c) {
    Places p;
    p.dims = Tokens(c, {});
    for (int64_t b = 0; b < c.batch; ++b) {
      // The last token is of no sequence.
      const int64_t end = b + 1 == c.batch ? c.tokens() - 1 : (b + 1) * c.length + b % 2;
      p.ends.push_back(static_cast<int32_t>(std::max<int64_t>(end, 0)));
    }
    if (!c.by_block()) {
      for (int64_t t = 0; t < c.tokens(); ++t) {
        p.index.push_back(t % 4 == 3 ? -1 : c.together ? t % 2 : 7 * t + 1);
        p.of_tokens.push_back(c.paged() ? p.index.back() : t);
      }
      return p;
    }
    int64_t begin = 0;
    for (int64_t b = 0; b < c.batch; ++b) {
      const int64_t end = c.merged ? p.ends[static_cast<size_t>(b)] : begin + c.length;
      for (int64_t t = begin; t < end; ++t) {
        if ((t - begin) % c.places == 0) {
          const auto block = static_cast<int64_t>(p.index.size());
          p.index.push_back(block == 1 ? -1 : c.blocks - 1 - block);
        }
        const int64_t block = p.index.back();
        p.of_tokens.push_back(block < 0 ? -1 : block * c.places + (t - begin) % c.places);
      }
      begin = end;
    }
    p.of_tokens.resize(static_cast<size_t>(c.tokens()), -1);
    p.dims = c.merged ? Shape{static_cast<int64_t>(p.index.size())}
                      : Shape{c.batch, (c.length + c.places - 1) / c.places};
    return p;
  }

  void Check(const Call& c) {
    SCOPED_TRACE(::testing::Message()
                 << "tokens " << c.batch << "x" << c.length << (c.merged ? " merged" : "") << " of "
                 << c.width << " ranks " << c.query_rank << "," << c.key_rank << " heads "
                 << c.heads << "x" << c.plain << "+" << c.turned << " integers " << c.int8_tokens
                 << c.int8_queries << c.int8_keys << " smooth " << c.smooth << " order "
                 << static_cast<int>(c.order) << " mode " << c.mode << " strided " << c.strided
                 << " version " << c.version << " norm " << c.norm);
    MlaProlog p = ProblemOf(c);
    if (c.zeros) std::fill_n(p.x.begin(), c.width, 0.0);
    const int64_t up = c.heads * (c.plain + c.turned), down = c.key_rank + c.turned;
    const auto type = [](bool integers) { return integers ? ACL_INT8 : ACL_BF16; };
    const auto held = [&](const Shape& dims, aclDataType of, const Numbers& values) {
      return Holding(dims, of, values, c.strided);
    };
    const Tensor x = held(Tokens(c, {c.width}), type(c.int8_tokens), p.x);
    const Weight dq = WeightOf(c, c.int8_tokens, {c.width, c.query_rank}, p.weight_dq);
    const Weight uq_qr = WeightOf(c, c.int8_queries, {c.query_rank, up}, p.weight_uq_qr);
    const Tensor uk = held({c.heads, c.plain, c.key_rank}, ACL_BF16, p.weight_uk);
    const Weight dkv_kr = WeightOf(c, c.int8_tokens, {c.width, down}, p.weight_dkv_kr);
    const Tensor gamma_cq = held({c.query_rank}, ACL_BF16, p.gamma_cq);
    const Tensor gamma_ckv = held({c.key_rank}, ACL_BF16, p.gamma_ckv);
    const Tensor sin = held(Tokens(c, {c.turned}), ACL_BF16, p.sin);
    const Tensor cos = held(Tokens(c, {c.turned}), ACL_BF16, p.cos);
    const Places places = PlacesOf(c);
    Tensor index_in = Made(places.dims, ACL_INT64, c.strided);
    index_in.Write(places.index);
    Tensor ends = Made({c.batch}, ACL_INT32, c.strided);
    ends.Write(places.ends);
    const auto cache = [&](int64_t columns, bool integers) {
      const Shape dims =
          c.paged() ? Shape{c.blocks, c.places, 1, columns} : Tokens(c, {1, columns});
      Tensor made = Made(dims, type(integers), c.strided && !c.fractal());
      WriteAs(made, Numbers(static_cast<size_t>(made.count()), kOld));
      return made;
    };
    const Tensor kv = cache(c.key_rank, c.int8_keys), kr = cache(c.turned, c.int8_ropes());
    const auto factors = [&](const Shape& dims, const Numbers& values) {
      return held(dims, ACL_FLOAT,
                  values.empty() ? Numbers(static_cast<size_t>(dims[0] * dims[1])) : values);
    };
    const Tensor of_x = factors({c.tokens(), 1}, p.factors_x);
    const Tensor of_dq = factors({1, c.query_rank}, p.factors_dq);
    const Tensor of_uq_qr = factors({1, up}, p.factors_uq_qr);
    const Tensor of_dkv_kr = factors({1, down}, p.factors_dkv_kr);
    const Tensor ckv = factors({1, c.key_rank}, p.scale_ckv);
    const Tensor ckr = factors({1, c.turned}, p.scale_ckr);
    const Tensor smooth = factors({1, c.query_rank}, p.smooth);
    const Tensor query = Made(Tokens(c, {c.heads, c.key_rank}), type(c.int8_results()), c.strided);
    const Tensor query_rope = Made(Tokens(c, {c.heads, c.turned}), ACL_BF16, c.strided);
    const Tensor query_factors =
        Made(c.int8_results() ? Shape{c.tokens(), c.heads, 1} : Shape{1}, ACL_FLOAT, c.strided);
    const Tensor norm = Made(Tokens(c, {c.query_rank}), type(c.int8_queries), c.strided);
    const Tensor norm_factors = Made({c.tokens(), 1}, ACL_FLOAT, c.strided);
    std::string mode = c.mode;
    char* const mode_given = c.null_mode ? nullptr : mode.data();
    const auto when = [](bool given, const Tensor& t) { return given ? t.handle() : nullptr; };
    const auto phase1 = [&](uint64_t* s, aclOpExecutor** e) {
      if (c.version == 3) {
        return aclnnMlaPrologV3WeightNzGetWorkspaceSize(
            x.handle(), dq.handle(), uq_qr.handle(), uk.handle(), dkv_kr.handle(),
            gamma_cq.handle(), gamma_ckv.handle(), sin.handle(), cos.handle(), kv.handle(),
            kr.handle(), when(c.paged(), index_in), when(c.int8_tokens, of_x),
            when(c.int8_tokens, of_dq), when(c.int8_queries, of_uq_qr),
            when(c.int8_tokens, of_dkv_kr), when(c.int8_keys, ckv), when(c.int8_ropes(), ckr),
            when(c.smooth, smooth), when(c.by_block() && c.merged, ends), nullptr, kEps, 2 * kEps,
            mode_given, c.int8_tokens ? 2 : c.int8_queries,
            !c.int8_keys    ? 0
            : c.int8_tokens ? 1
                            : 2,
            c.int8_results(), 0, 0, 128, c.query_factor, c.key_factor, query.handle(),
            query_rope.handle(), when(c.int8_results(), query_factors), when(c.norm, norm),
            when(c.norm && c.int8_queries, norm_factors), s, e);
      }
      const auto call = [&](auto get, auto... more) {
        return get(x.handle(), dq.handle(), uq_qr.handle(), uk.handle(), dkv_kr.handle(),
                   gamma_cq.handle(), gamma_ckv.handle(), sin.handle(), cos.handle(),
                   index_in.handle(), kv.handle(), kr.handle(), when(c.int8_tokens, of_x),
                   when(c.int8_tokens, of_dq), when(c.int8_queries, of_uq_qr),
                   when(c.int8_tokens, of_dkv_kr), when(c.int8_keys, ckv),
                   when(c.int8_ropes(), ckr), when(c.smooth, smooth), kEps, 2 * kEps, mode_given,
                   query.handle(), query_rope.handle(), more..., s, e);
      };
      if (c.version == 1) return call(aclnnMlaPrologGetWorkspaceSize);
      return call(aclnnMlaPrologV2WeightNzGetWorkspaceSize, query_factors.handle());
    };
    RunTwoPhase(phase1, c.version == 1   ? aclnnMlaProlog
                        : c.version == 2 ? aclnnMlaPrologV2WeightNz
                                         : aclnnMlaPrologV3WeightNz);
    const MlaPrologResult exact = ExactMlaProlog(p);
    ExpectNear(query, exact.query);
    ExpectNear(query_rope, exact.query_rope);
    if (c.int8_results()) ExpectNear(query_factors, exact.query_factors);
    if (c.norm) ExpectNear(norm, exact.norm);
    if (c.norm && c.int8_queries) ExpectNear(norm_factors, exact.norm_factors);
    ExpectCache(c, kv, c.key_rank, c.int8_keys, places.of_tokens, exact.keys);
    ExpectCache(c, kr, c.turned, c.int8_ropes(), places.of_tokens, exact.ropes);
  }
};

// What the documents' tables of types have.
inline constexpr Call kScenes[] = {
    {},
    {.int8_queries = true},
    {.int8_queries = true, .int8_keys = true},
    {.int8_tokens = true, .int8_queries = true},
    {.int8_tokens = true, .int8_queries = true, .int8_keys = true},
};

}  // namespace prolog
}  // namespace anyacl::test
