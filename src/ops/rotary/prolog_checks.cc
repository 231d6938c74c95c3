// SPDX-License-Identifier: Apache-2.0
// Which types, factors and sizes of aclnnMlaProlog go together.
#include <algorithm>
#include <string>

#include "ops/rotary/operators.h"
#include "ops/rotary/prolog.h"

namespace anyacl::rotary {
namespace {

bool IsThirdVersion(const Operands& operands) { return operands.HasRow(kKeyFactor); }

Status CheckType(const Operands& operands, int id, bool integers, const char* because) {
  const aclDataType type = operands[id].dtype(), expected = integers ? ACL_INT8 : ACL_BF16;
  if (type == expected) return {};
  return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} {}", operands.NameOf(id),
              NameOf(type), NameOf(expected), because);
}

Status CheckGiven(const Operands& operands, int id, bool needed, const char* because) {
  if (operands.Given(id) == needed) return {};
  const char* const name = operands.NameOf(id);
  if (needed)
    return Fail(operands.spec().codes.null, "{} is null, expected a tensor {}", name, because);
  return Fail(operands.spec().codes.shape, "{} is given, expected null {}", name, because);
}

// The document's list of what goes together.
Status ReadTypes(const Operands& operands, Quantised* quantised) {
  Quantised& q = *quantised;
  q.tokens = operands[kTokenX].dtype() == ACL_INT8;
  q.queries = operands[kWeightUqQr].dtype() == ACL_INT8;
  q.keys = operands[kKvCache].dtype() == ACL_INT8;
  q.ropes = q.keys && !q.tokens;
  const char* const of_tokens = q.tokens ? "as tokenX.dtype is INT8" : "as tokenX.dtype is BF16";
  const char* const of_queries =
      q.queries ? "as weightUqQr.dtype is INT8" : "as weightUqQr.dtype is BF16";
  const char* const of_keys =
      q.keys ? "as kvCacheRef.dtype is INT8" : "as kvCacheRef.dtype is BF16";
  const char* const of_both = q.keys && q.tokens ? "as tokenX and kvCacheRef are INT8"
                              : q.keys           ? "as kvCacheRef is INT8 and tokenX is BF16"
                                                 : of_keys;
  if (q.tokens && !operands.HasRow(kQueryFactorsOut)) {
    if (Status s = CheckType(operands, kKvCache, false, of_tokens); !s.ok()) return s;
  }
  for (int id : {kWeightDq, kWeightDkvKr}) {
    if (Status s = CheckType(operands, id, q.tokens, of_tokens); !s.ok()) return s;
  }
  if (q.tokens) {
    if (Status s = CheckType(operands, kWeightUqQr, true, of_tokens); !s.ok()) return s;
  }
  if (!q.queries) {
    if (Status s = CheckType(operands, kKvCache, false, of_queries); !s.ok()) return s;
  }
  if (Status s = CheckType(operands, kKrCache, q.ropes, of_both); !s.ok()) return s;
  if (Status s = CheckType(operands, kQueryOut, q.results(), of_both); !s.ok()) return s;
  for (int id : {kFactorsX, kFactorsDq, kFactorsDkvKr}) {
    if (Status s = CheckGiven(operands, id, q.tokens, of_tokens); !s.ok()) return s;
  }
  if (Status s = CheckGiven(operands, kFactorsUqQr, q.queries, of_queries); !s.ok()) return s;
  if (Status s = CheckGiven(operands, kScaleCkv, q.keys, of_keys); !s.ok()) return s;
  if (Status s = CheckGiven(operands, kScaleCkr, q.ropes, of_both); !s.ok()) return s;
  if (!q.queries && operands.Given(kSmooth))
    return CheckGiven(operands, kSmooth, false, of_queries);
  return {};
}

// [rows, columns], or the panels of such a matrix.
Status CheckWeight(const Operands& operands, int id, int64_t rows, int64_t columns) {
  const TensorLayout& layout = *operands[id].layout;
  const int64_t group = layout.dtype == ACL_INT8 ? 32 : 16;
  const Dims plain = {rows, columns};
  const Dims panels = {columns / group, rows / 16, 16, group};
  if (layout.shape == plain) return {};
  const bool whole = columns % group == 0 && rows % 16 == 0;
  if (whole && layout.shape == panels && layout.format == ACL_FORMAT_FRACTAL_NZ) {
    if (operands[id].IsContiguous()) return {};
    return Fail(operands.spec().codes.shape, "{}.strides = {}, expected contiguous panels",
                operands.NameOf(id), layout.strides.ToString());
  }
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected {}{}", operands.NameOf(id),
              layout.shape.ToString(), plain.ToString(),
              whole ? ", or " + panels.ToString() + " in FRACTAL_NZ" : "");
}

Status ReadSizes(const Operands& operands, Sizes* sizes) {
  const int code = operands.spec().codes.shape;
  const Dims& x = operands[kTokenX].shape();
  const Dims& up = operands[kWeightUk].shape();
  for (int id : {kRopeSin, kRopeCos, kCacheIndex, kQueryOut, kQueryRopeOut}) {
    if (id == kCacheIndex && IsThirdVersion(operands)) continue;
    const size_t rank = id == kCacheIndex                        ? x.rank() - 1
                        : id == kQueryOut || id == kQueryRopeOut ? x.rank() + 1
                                                                 : x.rank();
    if (operands[id].shape().rank() == rank) continue;
    return Fail(code, "{}.shape = {}, expected {} dimensions: {}.shape = {}", operands.NameOf(id),
                operands[id].shape().ToString(), rank, operands.NameOf(kTokenX), x.ToString());
  }
  for (int id : {kWeightDq, kWeightUqQr, kWeightUk, kWeightDkvKr, kGammaCq, kGammaCkv}) {
    if (!operands[id].IsEmpty()) continue;
    return Fail(code, "{}.shape = {}, expected some elements", operands.NameOf(id),
                operands[id].shape().ToString());
  }
  // Strides of 0 make any sizes possible, but for those whose products would be none.
  for (int id : {kTokenX, kGammaCq, kWeightUk, kRopeCos}) {
    const Dims& shape = operands[id].shape();
    if (std::ranges::all_of(shape, [](int64_t size) { return size <= INT32_MAX; })) continue;
    return Fail(code, "{}.shape = {}, expected sizes of at most {}", operands.NameOf(id),
                shape.ToString(), INT32_MAX);
  }
  Sizes& s = *sizes;
  s.tokens = x.rank() == 2 ? x[0] : x[0] * x[1];
  s.width = x.back();
  s.query_rank = operands[kGammaCq].shape()[0];
  s.heads = up[0];
  s.plain = up[1];
  s.key_rank = up[2];
  s.turned = operands[kRopeCos].shape().back();
  if (s.turned < 2 || s.turned % 2 != 0) {
    return Fail(code, "{}.shape = {}, expected an even number of columns, 2 or more",
                operands.NameOf(kRopeCos), operands[kRopeCos].shape().ToString());
  }
  return {};
}

Status CheckSizes(const Operands& operands, const Sizes& sizes) {
  const struct {
    int id;
    int64_t rows, columns;
  } kWeights[] = {{kWeightDq, sizes.width, sizes.query_rank},
                  {kWeightUqQr, sizes.query_rank, sizes.heads * sizes.head()},
                  {kWeightDkvKr, sizes.width, sizes.key_rank + sizes.turned}};
  for (const auto& weight : kWeights) {
    if (Status s = CheckWeight(operands, weight.id, weight.rows, weight.columns); !s.ok()) return s;
  }
  const struct {
    int id;
    Dims shape;
  } kFactors[] = {{kFactorsX, {sizes.tokens, 1}},
                  {kFactorsUqQr, {1, sizes.heads * sizes.head()}},
                  {kFactorsDkvKr, {1, sizes.key_rank + sizes.turned}}};
  for (const auto& factors : kFactors) {
    if (!operands.Given(factors.id)) continue;
    if (Status s = CheckShapeIs(operands, factors.id, factors.shape); !s.ok()) return s;
  }
  return {};
}

Status CheckEpsilons(const Operands& operands) {
  for (int id : {kEpsilonCq, kEpsilonCkv}) {
    const double eps = operands.Real(id);
    if (eps >= 0) continue;
    return Fail(operands.spec().codes.shape, "{} = {}, expected 0 or more", operands.NameOf(id),
                eps);
  }
  return {};
}

Status ReadPrologMode(const Operands& operands, CacheMode* mode) {
  static constexpr CacheMode kModes[] = {
      {Index::kOfToken, true, false},     {Index::kOfToken, true, true},
      {Index::kBlockNumber, true, false}, {Index::kBlockNumber, true, true},
      {Index::kNone, true, false},        {Index::kNone, true, false}};
  size_t place = 0;
  Status s = IsThirdVersion(operands)
                 ? operands.CheckText(
                       kPrologMode, {"PA_BSND", "PA_NZ", "PA_BLK_BSND", "PA_BLK_NZ", "BSND", "TND"},
                       &place)
                 : operands.CheckText(kPrologMode, {"PA_BSND", "PA_NZ"}, &place);
  *mode = kModes[place];
  if (!s.ok() || mode->index != Index::kNone) return s;
  const bool merged = operands[kTokenX].shape().rank() == 2;
  if ((place == 5) == merged) return {};
  return Fail(operands.spec().codes.shape, "{} is \"{}\", expected {}: {}.shape = {}",
              operands.NameOf(kPrologMode), operands.Text(kPrologMode), merged ? "TND" : "BSND",
              operands.NameOf(kTokenX), operands[kTokenX].shape().ToString());
}

Status CheckCaches(const Operands& operands, const Quantised& q, const Sizes& sizes,
                   const CacheMode& mode) {
  const int code = operands.spec().codes.shape;
  const struct {
    int id;
    bool integers;
    int64_t columns;
  } kCaches[] = {{kKvCache, q.keys, sizes.key_rank}, {kKrCache, q.ropes, sizes.turned}};
  for (const auto& cache : kCaches) {
    const Dims& shape = operands[cache.id].shape();
    const char* const of = operands.NameOf(cache.id);
    if (mode.index == Index::kNone) {
      Dims expected = operands[kTokenX].shape();
      expected[expected.rank() - 1] = 1;
      expected.push_back(cache.columns);
      if (Status s = CheckShapeIs(operands, cache.id, expected); !s.ok()) return s;
    } else if (shape.rank() != 4) {
      return Fail(code, "{}.shape = {}, expected 4 dimensions: blocks", of, shape.ToString());
    }
    if (!mode.fractal) continue;
    const int64_t group = cache.integers ? 32 : 16;
    if (cache.columns % group != 0) {
      return Fail(code, "{}.shape[3] = {}, expected a multiple of {} in FRACTAL_NZ of {}", of,
                  cache.columns, group, NameOf(operands[cache.id].dtype()));
    }
    if (operands[cache.id].IsContiguous()) continue;
    return Fail(code, "{}.strides = {}, expected contiguous blocks in FRACTAL_NZ", of,
                operands[cache.id].strides().ToString());
  }
  return {};
}

// Of the third version, whose indices may be those of blocks, or none.
Status CheckIndex(const Operands& operands, const CacheMode& mode) {
  const bool wanted = mode.index != Index::kNone;
  const char* const text = operands.Text(kPrologMode);
  const std::string because =
      Format("as {} is {}", operands.NameOf(kPrologMode), text == nullptr ? "PA_BSND" : text);
  if (Status s = CheckGiven(operands, kCacheIndex, wanted, because.c_str()); !s.ok()) return s;
  const Dims& x = operands[kTokenX].shape();
  const bool merged = x.rank() == 2, blocks = mode.index == Index::kBlockNumber;
  if (!wanted) return {};
  const int64_t places = operands[kKvCache].shape()[1];
  if (!blocks) {
    return CheckShapeIs(operands, kCacheIndex, merged ? Dims{x[0]} : Dims{x[0], x[1]});
  }
  if (!merged) {
    if (places == 0) return {};
    return CheckShapeIs(operands, kCacheIndex, {x[0], x[1] / places + (x[1] % places != 0)});
  }
  if (Status s = CheckGiven(operands, kEnds, true, because.c_str()); !s.ok()) return s;
  if (operands[kCacheIndex].shape().rank() == 1) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected one dimension: blocks",
              operands.NameOf(kCacheIndex), operands[kCacheIndex].shape().ToString());
}

// Of the third version: what its numbers say, tensors say, too.
Status CheckModes(const Operands& operands, const Quantised& q) {
  const struct {
    int id;
    int64_t expected;
  } kModes[] = {{kWeightMode, q.tokens    ? 2
                              : q.queries ? 1
                                          : 0},
                {kCacheQuantMode, !q.keys    ? 0
                                  : q.tokens ? 1
                                             : 2},
                {kQueryMode, q.results() ? 1 : 0}};
  for (const auto& mode : kModes) {
    if (operands.Int(mode.id) == mode.expected) continue;
    return Fail(operands.spec().codes.shape,
                "{} = {}, expected {}: tokenX is {}, weightUqQr {} and kvCacheRef {}",
                operands.NameOf(mode.id), operands.Int(mode.id), mode.expected,
                NameOf(operands[kTokenX].dtype()), NameOf(operands[kWeightUqQr].dtype()),
                NameOf(operands[kKvCache].dtype()));
  }
  return {};
}

Status CheckNorm(const Operands& operands, const Quantised& q, const Sizes& sizes) {
  const bool norm = operands.Given(kQueryNormOut), steps = operands.Given(kQueryStepsOut);
  if (q.queries && norm != steps) {
    return CheckGiven(operands, norm ? kQueryStepsOut : kQueryNormOut, true,
                      "as the other one of the queries' norm and its factors is given");
  }
  if (!norm) return {};
  if (Status s = CheckType(operands, kQueryNormOut, q.queries, "as weightUqQr.dtype"); !s.ok()) {
    return s;
  }
  const Dims& x = operands[kTokenX].shape();
  Dims expected = x;
  expected[x.rank() - 1] = sizes.query_rank;
  if (Status s = CheckShapeIs(operands, kQueryNormOut, expected); !s.ok()) return s;
  return q.queries ? CheckShapeIs(operands, kQueryStepsOut, {sizes.tokens, 1}) : Status();
}

Status CheckThirdVersion(const Operands& operands, const PrologCall& call) {
  if (Status s = CheckModes(operands, call.quantised); !s.ok()) return s;
  if (Status s = CheckIndex(operands, call.mode); !s.ok()) return s;
  if (call.quantised.keys && !call.quantised.tokens) {
    const Dims expected = {1, call.sizes.key_rank};
    if (Status s = CheckShapeIs(operands, kScaleCkv, expected); !s.ok()) return s;
  }
  return CheckNorm(operands, call.quantised, call.sizes);
}

}  // namespace

Status CheckProlog(Operands& operands, PrologCall* checked) {
  PrologCall& c = *checked;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = ReadTypes(operands, &c.quantised); !s.ok()) return s;
  if (Status s = ReadSizes(operands, &c.sizes); !s.ok()) return s;
  if (Status s = CheckSizes(operands, c.sizes); !s.ok()) return s;
  if (c.quantised.results()) {
    if (Status s = CheckGiven(operands, kQueryFactorsOut, true, "as queryOut.dtype is INT8");
        !s.ok()) {
      return s;
    }
    const Dims expected = {c.sizes.tokens, c.sizes.heads, 1};
    if (Status s = CheckShapeIs(operands, kQueryFactorsOut, expected); !s.ok()) return s;
  }
  if (Status s = CheckEpsilons(operands); !s.ok()) return s;
  if (Status s = ReadPrologMode(operands, &c.mode); !s.ok()) return s;
  if (Status s = CheckCaches(operands, c.quantised, c.sizes, c.mode); !s.ok()) return s;
  return IsThirdVersion(operands) ? CheckThirdVersion(operands, c) : Status();
}

}  // namespace anyacl::rotary
