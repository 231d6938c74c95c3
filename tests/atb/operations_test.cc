// SPDX-License-Identifier: Apache-2.0
// The operations beside attention against their formulas in double.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "atb/atb_case.h"

namespace anyacl::test {
namespace {

using atb::infer::ElewiseParam;
using atb::infer::GroupedMatmulInplaceAddParam;
using atb::infer::GroupTopkParam;
using atb::infer::LinearParam;
using atb::infer::ReshapeAndCacheParam;
using atb::infer::RmsNormParam;
using atb::infer::RopeParam;

class AtbOperationsTest : public AtbTest {
 protected:
  void RunCache(aclDataType key_type, aclDataType value_type, ReshapeAndCacheParam::KvCacheCfg kind,
                int64_t heads, int64_t dim, int64_t value_dim) {
    const int64_t blocks = 5, size = 8;
    // The third token is left out; of the two in slot 17 the last one stays.
    const std::vector<int32_t> slots = {17, 3, -1, 39, 17, 0, 24};
    const auto tokens = static_cast<int64_t>(slots.size());
    Tensor places({.dims = {tokens}, .dtype = ACL_INT32});
    places.Write(slots);
    const bool pieces = kind == ReshapeAndCacheParam::K_CACHE_V_CACHE_NZ;
    const bool both = kind != ReshapeAndCacheParam::K_CACHE_V_BYPASS;
    struct Side {
      Tensor rows, cache;
      Numbers expected;
    };
    const auto side = [&](aclDataType type, int64_t d) {
      const int64_t width = heads * d, piece = type == ACL_INT8 ? 32 : 16;
      Side made = {Tensor({.dims = {tokens, heads, d}, .dtype = type}),
                   Tensor({.dims = pieces ? Shape{blocks, width / piece, size, piece}
                                          : Shape{blocks, size, heads, d},
                           .dtype = type}),
                   {}};
      const Numbers rows = Fill(made.rows, -100, 100);
      made.expected = Fill(made.cache, -100, 100);
      for (size_t t = 0; t < slots.size(); ++t) {
        if (slots[t] < 0) continue;
        const int64_t block = slots[t] / size, row = slots[t] % size;
        for (int64_t i = 0; i < width; ++i) {
          const int64_t at =
              pieces ? ((block * (width / piece) + i / piece) * size + row) * piece + i % piece
                     : (block * size + row) * width + i;
          made.expected[static_cast<size_t>(at)] =
              rows[t * static_cast<size_t>(width) + static_cast<size_t>(i)];
        }
      }
      return made;
    };
    const Side keys = side(key_type, dim), values = side(value_type, value_dim);
    atb::VariantPack pack;
    pack.inTensors = {OnDevice(keys.rows)};
    if (both) pack.inTensors.push_back(OnDevice(values.rows));
    pack.inTensors.push_back(OnDevice(keys.cache));
    if (both) pack.inTensors.push_back(OnDevice(values.cache));
    pack.inTensors.push_back(OnDevice(places));
    pack.outTensors = {OnDevice(keys.cache)};
    if (both) pack.outTensors.push_back(OnDevice(values.cache));
    ReshapeAndCacheParam param;
    param.kvCacheCfg = kind;
    const auto operation = Make(param);
    Run(*operation, pack);
    ExpectClose(keys.cache, keys.expected, 0);
    if (both) ExpectClose(values.cache, values.expected, 0);
  }

  void RunRope(aclDataType type, aclDataType angles, int32_t pieces, int64_t dim, bool in_place) {
    const int64_t tokens = 5, heads = 6, kv_heads = 2;
    Tensor query({.dims = {tokens, heads * dim}, .dtype = type});
    Tensor key({.dims = {tokens, kv_heads, dim}, .dtype = type});
    Tensor cos({.dims = {tokens, dim}, .dtype = angles}),
        sin({.dims = {tokens, dim}, .dtype = angles});
    std::vector<int32_t> lengths = {5};
    Tensor length({.dims = {1}, .dtype = ACL_INT32});
    length.Write(lengths);
    Tensor query_out(query.layout()), key_out(key.layout());
    const Numbers q = Fill(query), k = Fill(key), c = Fill(cos), s = Fill(sin);
    const int64_t piece = dim / (pieces == dim / 2 && pieces > 4 ? dim : pieces);
    const auto turned = [&](const Numbers& x, int64_t count) {
      Numbers out;
      for (int64_t t = 0; t < tokens; ++t) {
        for (int64_t n = 0; n < count; ++n) {
          for (int64_t d = 0; d < dim; ++d) {
            const bool first = d / piece % 2 == 0;
            const auto at = static_cast<size_t>((t * count + n) * dim + d);
            const auto angle = static_cast<size_t>(t * dim + d);
            const double partner =
                x[first ? at + static_cast<size_t>(piece) : at - static_cast<size_t>(piece)];
            out.push_back(x[at] * c[angle] + (first ? -partner : partner) * s[angle]);
          }
        }
      }
      return out;
    };
    atb::VariantPack pack;
    pack.inTensors = {OnDevice(query), OnDevice(key), OnDevice(cos), OnDevice(sin),
                      OnDevice(length)};
    pack.outTensors = {OnDevice(in_place ? query : query_out), OnDevice(in_place ? key : key_out)};
    RopeParam param;
    param.rotaryCoeff = pieces;
    const auto operation = Make(param);
    Run(*operation, pack);
    ExpectClose(in_place ? query : query_out, turned(q, heads), 1e-6);
    ExpectClose(in_place ? key : key_out, turned(k, kv_heads), 1e-6);
  }

  void RunLinear(aclDataType type, LinearParam param, int64_t m, int64_t k, int64_t n) {
    Tensor x({.dims = param.transposeA ? Shape{k, m} : Shape{m, k}, .dtype = type});
    Tensor weight({.dims = param.transposeB ? Shape{n, k} : Shape{k, n}, .dtype = type});
    const aclDataType out_type = param.enAccum ? ACL_FLOAT : type;
    Tensor bias({.dims = param.enAccum ? Shape{m, n} : Shape{n}, .dtype = out_type});
    Tensor out({.dims = {m, n}, .dtype = out_type});
    const Numbers a = Fill(x), b = Fill(weight), c = Fill(bias);
    Numbers expected;
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        if (param.hasBias) sum = c[static_cast<size_t>(j)];
        if (param.enAccum) sum = c[static_cast<size_t>(i * n + j)];
        for (int64_t l = 0; l < k; ++l) {
          sum += a[static_cast<size_t>(param.transposeA ? l * m + i : i * k + l)] *
                 b[static_cast<size_t>(param.transposeB ? j * k + l : l * n + j)];
        }
        expected.push_back(sum);
      }
    }
    atb::VariantPack pack;
    pack.inTensors = {OnDevice(x), OnDevice(weight)};
    if (param.hasBias || param.enAccum) pack.inTensors.push_back(OnDevice(bias));
    pack.outTensors = {OnDevice(param.enAccum ? bias : out)};  // summed where it lies
    const auto operation = Make(param);
    Run(*operation, pack);
    ExpectClose(param.enAccum ? bias : out, expected, 1e-4);
  }

  struct GroupedAdd {
    int64_t m, n;
    std::vector<int64_t> ends;  // of the groups of k
    bool turned = true, beside = false, in_place = true;
  };

  void RunGroupedAdd(aclDataType type, const GroupedAdd& c) {
    const int64_t k = c.ends.back(), groups = static_cast<int64_t>(c.ends.size());
    Tensor x({.dims = c.turned ? Shape{k, c.m} : Shape{c.m, k}, .dtype = type});
    Tensor weight({.dims = {k, c.n}, .dtype = type});
    Tensor ends({.dims = {groups}, .dtype = ACL_INT64});
    ends.Write(c.ends);
    const Shape dims = c.beside ? Shape{c.m, groups * c.n} : Shape{groups * c.m, c.n};
    Tensor before({.dims = dims}), apart({.dims = dims});
    const Numbers a = Fill(x), b = Fill(weight);
    Numbers expected = Fill(before);
    for (int64_t g = 0, l = 0; g < groups; ++g) {
      for (; l < c.ends[static_cast<size_t>(g)]; ++l) {
        for (int64_t i = 0; i < c.m; ++i) {
          for (int64_t j = 0; j < c.n; ++j) {
            const int64_t at = c.beside ? (i * groups + g) * c.n + j : (g * c.m + i) * c.n + j;
            expected[static_cast<size_t>(at)] +=
                a[static_cast<size_t>(c.turned ? l * c.m + i : i * k + l)] *
                b[static_cast<size_t>(l * c.n + j)];
          }
        }
      }
    }
    Tensor& out = c.in_place ? before : apart;
    atb::VariantPack pack;
    pack.inTensors = {OnDevice(x), OnDevice(weight), OnDevice(ends), OnDevice(before)};
    pack.outTensors = {OnDevice(out)};
    GroupedMatmulInplaceAddParam param;
    param.transposeA = c.turned;
    const auto operation = Make(param);
    Run(*operation, pack);
    ExpectClose(out, expected, 1e-4);
  }
};

TEST_F(AtbOperationsTest, ProductsOfGroupsAreAdded) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (const bool turned : {false, true}) {
      for (const bool beside : {false, true}) {
        RunGroupedAdd(type, {7, 9, {16, 16, 21, 40}, turned, beside});
        RunGroupedAdd(type, {33, 64, {128}, turned, beside, false});
      }
    }
  }
}

TEST_F(AtbOperationsTest, TheVersionIsThatOfCann) {
  aclCANNPackageVersion version = {};
  ASSERT_OK(aclsysGetCANNVersion(ACL_PKG_NAME_CANN, &version));
  EXPECT_EQ(atb::Utils::GetAtbVersion(), version.version);
}

TEST_F(AtbOperationsTest, KeysAndValuesGoToTheirSlots) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_INT8}) {
    RunCache(type, type, ReshapeAndCacheParam::K_CACHE_V_CACHE, 3, 24, 10);
    RunCache(type, type, ReshapeAndCacheParam::K_CACHE_V_CACHE, 8, 128, 128);
    RunCache(type, type, ReshapeAndCacheParam::K_CACHE_V_BYPASS, 1, 7, 1);
    RunCache(type, type, ReshapeAndCacheParam::K_CACHE_V_CACHE_NZ, 2, 64, 32);
  }
  RunCache(ACL_INT8, ACL_BF16, ReshapeAndCacheParam::K_CACHE_V_CACHE_NZ, 1, 512, 64);
}

TEST_F(AtbOperationsTest, PiecesOfHeadsTurn) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_FLOAT}) {
    for (bool in_place : {false, true}) {
      RunRope(type, type, 2, 16, in_place);
      RunRope(type, type, 4, 16, in_place);
      RunRope(type, type, 2, 4, in_place);
      RunRope(type, type, 4, 8, in_place);
      RunRope(type, type, 64, 64, in_place);
      RunRope(type, type, 32, 64, in_place);
      RunRope(type, ACL_FLOAT, 2, 64, in_place);
    }
  }
}

TEST_F(AtbOperationsTest, Products) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_FLOAT}) {
    for (bool a : {false, true}) {
      for (bool b : {false, true}) {
        LinearParam param;
        param.transposeA = a;
        param.transposeB = b;
        RunLinear(type, param, 7, 40, 9);
        param.hasBias = false;
        RunLinear(type, param, 33, 17, 5);
        param.enAccum = true;
        RunLinear(type, param, 20, 64, 31);
      }
    }
  }
}

TEST_F(AtbOperationsTest, GroupsWithTheLargestSumsStay) {
  struct Case {
    int64_t tokens, experts;
    int32_t groups, k;
    uint16_t n;
  };
  for (const Case& c :
       {Case{3, 16, 4, 2, 1}, {33, 64, 8, 3, 2}, {1, 15, 5, 5, 3}, {2, 12, 1, 1, 12}}) {
    for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
      Tensor x({.dims = {c.tokens, c.experts}, .dtype = type});
      Tensor index({.dims = {1024}, .dtype = ACL_INT32});
      const Numbers numbers = Fill(x, -2, 2);
      const int64_t size = c.experts / c.groups;
      Numbers expected = numbers;
      for (int64_t t = 0; t < c.tokens; ++t) {
        std::vector<std::pair<double, int64_t>> sums;  // negative: the largest first
        for (int64_t g = 0; g < c.groups; ++g) {
          const auto begin =
              numbers.begin() + static_cast<std::ptrdiff_t>(t * c.experts + g * size);
          Numbers group(begin, begin + static_cast<std::ptrdiff_t>(size));
          std::sort(group.rbegin(), group.rend());
          sums.emplace_back(-AsHeld(type, std::accumulate(group.begin(), group.begin() + c.n, 0.0)),
                            g);
        }
        std::sort(sums.begin(), sums.end());
        for (size_t i = static_cast<size_t>(c.k); i < sums.size(); ++i) {
          const int64_t at = t * c.experts + sums[i].second * size;
          std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(at), size, 0);
        }
      }
      atb::VariantPack pack;
      pack.inTensors = {OnDevice(x), OnDevice(index)};
      pack.outTensors = {OnDevice(x)};
      GroupTopkParam param;
      param.groupNum = c.groups;
      param.k = c.k;
      param.n = c.n;
      if (c.n > 1) param.groupMultiFlag = GroupTopkParam::SUM_MULTI_MAX;
      const auto operation = Make(param);
      Run(*operation, pack);
      ExpectClose(x, expected, 0);
    }
  }
}

TEST_F(AtbOperationsTest, ElementByElement) {
  struct Case {
    ElewiseParam::ElewiseType type;
    aclDataType in, out;
    std::function<double(double x, double y)> formula;
    bool two;
  };
  const Case cases[] = {
      {ElewiseParam::ELEWISE_CAST, ACL_FLOAT, ACL_FLOAT16, [](double x, double) { return x; },
       false},
      {ElewiseParam::ELEWISE_MULS, ACL_FLOAT, ACL_FLOAT, [](double x, double) { return x * 2.5; },
       false},
      {ElewiseParam::ELEWISE_COS, ACL_FLOAT, ACL_FLOAT,
       [](double x, double) { return std::cos(x); }, false},
      {ElewiseParam::ELEWISE_SIN, ACL_FLOAT, ACL_FLOAT,
       [](double x, double) { return std::sin(x); }, false},
      {ElewiseParam::ELEWISE_TANH, ACL_FLOAT, ACL_FLOAT,
       [](double x, double) { return std::tanh(x); }, false},
      {ElewiseParam::ELEWISE_NEG, ACL_FLOAT16, ACL_FLOAT16, [](double x, double) { return -x; },
       false},
      {ElewiseParam::ELEWISE_LOGICAL_NOT, ACL_INT8, ACL_INT8,
       [](double x, double) { return x == 0 ? 1 : 0; }, false},
      {ElewiseParam::ELEWISE_ADD, ACL_FLOAT, ACL_FLOAT, [](double x, double y) { return x + y; },
       true},
      {ElewiseParam::ELEWISE_SUB, ACL_BF16, ACL_BF16, [](double x, double y) { return x - y; },
       true},
      {ElewiseParam::ELEWISE_MUL, ACL_FLOAT, ACL_FLOAT, [](double x, double y) { return x * y; },
       true},
      {ElewiseParam::ELEWISE_REALDIV, ACL_FLOAT, ACL_FLOAT,
       [](double x, double y) { return x / y; }, true},
      {ElewiseParam::ELEWISE_LOGICAL_AND, ACL_INT8, ACL_INT8,
       [](double x, double y) { return x != 0 && y != 0; }, true},
      {ElewiseParam::ELEWISE_LOGICAL_OR, ACL_INT8, ACL_INT8,
       [](double x, double y) { return x != 0 || y != 0; }, true},
      {ElewiseParam::ELEWISE_LESS, ACL_FLOAT, ACL_INT8, [](double x, double y) { return x < y; },
       true},
      {ElewiseParam::ELEWISE_GREATER, ACL_FLOAT, ACL_INT8, [](double x, double y) { return x > y; },
       true},
      {ElewiseParam::ELEWISE_EQUAL, ACL_FLOAT16, ACL_INT8,
       [](double x, double y) { return x == y; }, true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(static_cast<int>(c.type));
    Tensor x({.dims = {4, 6}, .dtype = c.in}), y({.dims = {6}, .dtype = c.in});
    Tensor out({.dims = {4, 6}, .dtype = c.out});
    const Numbers a = Fill(x, -3, 3), b = Fill(y, 1, 3);
    Numbers expected;
    for (size_t i = 0; i < a.size(); ++i) expected.push_back(c.formula(a[i], b[i % 6]));
    ElewiseParam param;
    param.elewiseType = c.type;
    param.mulsParam.varAttr = 2.5f;
    param.outTensorType = c.out;
    atb::VariantPack pack;
    pack.inTensors = {OnDevice(x)};
    if (c.two) pack.inTensors.push_back(OnDevice(y));
    pack.outTensors = {OnDevice(out)};
    const auto operation = Make(param);
    Run(*operation, pack);
    ExpectClose(out, expected, 1e-6);
  }
}

TEST_F(AtbOperationsTest, QuantisedByChannel) {
  for (bool with_offset : {false, true}) {
    Tensor x({.dims = {3, 5, 8}, .dtype = ACL_FLOAT16}), scale({.dims = {8}, .dtype = ACL_FLOAT16});
    Tensor offset({.dims = {with_offset ? 8 : 0}, .dtype = ACL_INT8});
    Tensor out({.dims = {3, 5, 8}, .dtype = ACL_INT8});
    const Numbers a = Fill(x, -9, 9), s = Fill(scale, 0.05, 1), o = Fill(offset, -20, 20);
    Numbers expected;
    for (size_t i = 0; i < a.size(); ++i) {
      const double steps = std::nearbyint(AsHeld(ACL_FLOAT16, a[i] / s[i % 8]));
      expected.push_back(std::clamp(steps + (with_offset ? o[i % 8] : 0), -128.0, 127.0));
    }
    ElewiseParam param;
    param.elewiseType = ElewiseParam::ELEWISE_QUANT_PER_CHANNEL;
    atb::VariantPack pack;
    pack.inTensors = {OnDevice(x), OnDevice(scale), OnDevice(offset)};
    pack.outTensors = {OnDevice(out)};
    const auto operation = Make(param);
    Run(*operation, pack);
    ExpectClose(out, expected, 0);
  }
}

TEST_F(AtbOperationsTest, RootMeanSquares) {
  Tensor x({.dims = {3, 2, 40}, .dtype = ACL_BF16}), gamma({.dims = {40}, .dtype = ACL_BF16});
  Tensor out({.dims = {3, 2, 40}, .dtype = ACL_BF16});
  const Numbers a = Fill(x), g = Fill(gamma);
  Numbers expected;
  for (size_t row = 0; row < 6; ++row) {
    double squares = 0;
    for (size_t d = 0; d < 40; ++d) squares += a[row * 40 + d] * a[row * 40 + d];
    for (size_t d = 0; d < 40; ++d) {
      expected.push_back(a[row * 40 + d] / std::sqrt(squares / 40 + 1e-3) * g[d]);
    }
  }
  RmsNormParam param;
  param.layerType = RmsNormParam::RMS_NORM_NORM;
  param.normParam.epsilon = 1e-3f;
  atb::VariantPack pack;
  pack.inTensors = {OnDevice(x), OnDevice(gamma)};
  pack.outTensors = {OnDevice(out)};
  const auto operation = Make(param);
  Run(*operation, pack);
  ExpectClose(out, expected, 1e-6);
}

TEST_F(AtbOperationsTest, RootMeanSquaresAsInt8) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_FLOAT}) {
    Tensor x({.dims = {5, 1, 64}, .dtype = type}), gamma({.dims = {1, 64}, .dtype = type});
    Tensor beta({.dims = {1, 64}, .dtype = type}), scale({.dims = {1}, .dtype = type});
    Tensor offset({.dims = {1}, .dtype = ACL_INT8}), out({.dims = {5, 1, 64}, .dtype = ACL_INT8});
    const Numbers a = Fill(x), g = Fill(gamma), b = Fill(beta), s = Fill(scale, 0.02, 0.04);
    WriteAs(offset, {3});
    Numbers expected;
    for (size_t row = 0; row < 5; ++row) {
      double squares = 0;
      for (size_t d = 0; d < 64; ++d) squares += a[row * 64 + d] * a[row * 64 + d];
      for (size_t d = 0; d < 64; ++d) {
        const double y = a[row * 64 + d] / std::sqrt(squares / 64 + 1e-5) * g[d] + b[d];
        expected.push_back(std::clamp(y / s[0] + 3, -128.0, 127.0));
      }
    }
    RmsNormParam param;
    param.layerType = RmsNormParam::RMS_NORM_NORM;
    param.normParam.quantType = atb::infer::QUANT_INT8;
    atb::VariantPack pack;
    pack.inTensors = {OnDevice(x), OnDevice(gamma), OnDevice(beta), OnDevice(scale),
                      OnDevice(offset)};
    pack.outTensors = {OnDevice(out)};
    const auto operation = Make(param);
    Run(*operation, pack);
    ExpectClose(out, expected, 0.5001);
  }
}

}  // namespace
}  // namespace anyacl::test
