// SPDX-License-Identifier: Apache-2.0
// Rules on the scales and offsets of quantised keys and values.
#include "ops/fused_infer_attention/antiquant.h"
#include "ops/fused_infer_attention/rules.h"

namespace anyacl::fused_infer_attention {
namespace {

bool IsInt8Or4(const Problem& p) { return p.NeedsAntiquant(); }

// Key per channel, value per token.
bool IsMixed(const Problem& p) {
  return p.one_token && p.args.key_mode == 0 && p.args.value_mode == 1;
}

bool UsesCombined(const Problem& p) { return IsInt8Or4(p) && !p.Separated(); }

std::string ShapeOf(const Problem& p, int id) {
  return p.Given(id) ? p.at(id).shape().ToString() : "null";
}

Status CheckCombinedMode(const Problem& p) {
  if (p.args.antiquant_mode == 0 || p.args.antiquant_mode == 1) return {};
  return Fail(kConstraint, "antiquantMode = {}, expected 0 or 1", p.args.antiquant_mode);
}

Status CheckSeparateModes(const Problem& p) {
  const int64_t last = p.one_token ? 5 : 1;
  for (const auto& [name, mode] : {std::pair("keyAntiquantMode", p.args.key_mode),
                                   std::pair("valueAntiquantMode", p.args.value_mode)}) {
    if (mode >= 0 && mode <= last) continue;
    return Fail(kConstraint, "{} = {}, expected 0 to {}{}", name, mode, last,
                p.one_token ? "" : " where query has more than 1 row");
  }
  return {};
}

Status CheckNotNeeded(const Problem& p) {
  if (p.NeedsAntiquant()) return {};
  for (int id :
       {kAntiquantScale, kAntiquantOffset, kKeyScale, kKeyOffset, kValueScale, kValueOffset}) {
    if (!p.Given(id)) continue;
    return Fail(kConstraint, "{} is given for key.dtype = {}, expected null", ParameterOf(p, id),
                NameOf(p.KeyType()));
  }
  return {};
}

Status CheckInt4Prompt(const Problem& p) {
  if (p.KeyType() != ACL_INT4) return {};
  return Fail(kConstraint,
              "key.dtype = INT4 (or INT32) with more than 1 query row, expected 1 row");
}

Status CheckInt4Out(const Problem& p) {
  if (p.KeyType() != ACL_INT4 || p.OutType() != ACL_INT8) return {};
  return Fail(kConstraint, "attentionOut.dtype = INT8 with INT4 keys, expected {}",
              NameOf(p.QueryType()));
}

Status CheckInt4Mode(const Problem& p) {
  if (p.KeyType() != ACL_INT4) return {};
  if (!p.Separated()) {
    return Fail(kConstraint, "{} is null, expected scales of their own for INT4 keys",
                ParameterOf(p, kKeyScale));
  }
  for (const auto& [name, mode] : {std::pair("keyAntiquantMode", p.args.key_mode),
                                   std::pair("valueAntiquantMode", p.args.value_mode)}) {
    if (mode == 0 || mode == 1 || mode == 3) continue;
    return Fail(kConstraint, "{} = {}, expected 0, 1 or 3 for INT4 keys", name, mode);
  }
  const bool per_tensor = p.args.key_mode == 0 && p.kv_heads * p.dim > 1 && p.Given(kKeyScale) &&
                          ElementCount(p.at(kKeyScale).shape()) == 1;
  if (!per_tensor) return {};
  return Fail(kConstraint, "{}.shape = {}, expected {} channels for INT4 keys",
              ParameterOf(p, kKeyScale), ShapeOf(p, kKeyScale), p.kv_heads * p.dim);
}

Status CheckCombinedGiven(const Problem& p) {
  if (!UsesCombined(p) || p.Given(kAntiquantScale) || p.Given(kAntiquantOffset)) return {};
  return Fail(kConstraint, "{} is null and {}, too, expected scales for key.dtype = {}",
              ParameterOf(p, kAntiquantScale), ParameterOf(p, kKeyScale), NameOf(p.KeyType()));
}

Status CheckCombinedOffset(const Problem& p) {
  if (!UsesCombined(p) || !p.Given(kAntiquantOffset)) return {};
  if (!p.Given(kAntiquantScale)) {
    return Fail(kConstraint, "{} is null with {} given, expected both or no offset",
                ParameterOf(p, kAntiquantScale), ParameterOf(p, kAntiquantOffset));
  }
  const Operand& scale = p.at(kAntiquantScale);
  const Operand& offset = p.at(kAntiquantOffset);
  if (offset.shape() == scale.shape() && offset.dtype() == scale.dtype()) return {};
  return Fail(kConstraint, "{} is {} {}, expected {} {} as {}", ParameterOf(p, kAntiquantOffset),
              NameOf(offset.dtype()), offset.shape().ToString(), NameOf(scale.dtype()),
              scale.shape().ToString(), ParameterOf(p, kAntiquantScale));
}

bool CombinedPerToken(const Problem& p) { return p.one_token && p.args.antiquant_mode == 1; }

Status CheckCombinedShape(const Problem& p) {
  if (!UsesCombined(p)) return {};
  const Dims& shape = p.at(kAntiquantScale).shape();
  if (CombinedPerToken(p)) {
    if (shape.rank() == 3 && shape[0] == 2 && shape[1] == p.batch) return {};
    return Fail(kConstraint, "{}.shape = {}, expected [2, {}, S] for antiquantMode = 1",
                ParameterOf(p, kAntiquantScale), shape.ToString(), p.batch);
  }
  const int64_t n = p.kv_heads, d = p.dim;
  if (IsOneOf(shape, {{2}, {2, n, 1, d}, {2, 1, n, d}, {2, n, d}, {2, n * d}})) return {};
  return Fail(kConstraint, "{}.shape = {}, expected [2], [2, {}, 1, {}], [2, {}, {}] or [2, {}]",
              ParameterOf(p, kAntiquantScale), shape.ToString(), n, d, n, d, n * d);
}

Status CheckCombinedTypeOneToken(const Problem& p) {
  if (!UsesCombined(p)) return {};
  const aclDataType expected = CombinedPerToken(p) ? ACL_FLOAT : p.QueryType();
  if (p.at(kAntiquantScale).dtype() == expected) return {};
  return Fail(kConstraint, "{}.dtype = {}, expected {}", ParameterOf(p, kAntiquantScale),
              NameOf(p.at(kAntiquantScale).dtype()), NameOf(expected));
}

Status CheckCombinedTypePrompt(const Problem& p) {
  if (!UsesCombined(p)) return {};
  if (p.QueryType() != ACL_FLOAT16) {
    return Fail(kConstraint,
                "query.dtype = {} with {}, expected FLOAT16 where query has more than 1 row",
                NameOf(p.QueryType()), ParameterOf(p, kAntiquantScale));
  }
  if (p.at(kAntiquantScale).dtype() == ACL_FLOAT16) return {};
  return Fail(kConstraint, "{}.dtype = {}, expected FLOAT16 where query has more than 1 row",
              ParameterOf(p, kAntiquantScale), NameOf(p.at(kAntiquantScale).dtype()));
}

bool OffsetWithoutScale(const Problem& p, size_t scale, size_t offset) {
  return p.Given(offset) && !p.Given(scale);
}

Status CheckSeparatePairs(const Problem& p) {
  for (const auto& [key, value] :
       {std::pair(kKeyScale, kValueScale), std::pair(kKeyOffset, kValueOffset)}) {
    if (p.Given(key) == p.Given(value)) continue;
    const int missing = p.Given(key) ? value : key;
    return Fail(kConstraint, "{} is null and {} is given, expected both or none",
                ParameterOf(p, missing), ParameterOf(p, missing == key ? value : key));
  }
  if (!OffsetWithoutScale(p, kKeyScale, kKeyOffset)) return {};
  return Fail(kConstraint, "{} is null with {} given, expected both or no offset",
              ParameterOf(p, kKeyScale), ParameterOf(p, kKeyOffset));
}

bool UsesSeparate(const Problem& p) { return p.NeedsAntiquant() && p.Separated(); }

Status CheckModesAgree(const Problem& p) {
  if (!UsesSeparate(p) || p.args.key_mode == p.args.value_mode || IsMixed(p)) return {};
  return Fail(kConstraint, "keyAntiquantMode = {} and valueAntiquantMode = {}, expected equal{}",
              p.args.key_mode, p.args.value_mode, p.one_token ? " or 0 and 1" : "");
}

Status CheckSameKind(const Problem& p, int id, int like, bool types) {
  if (!p.Given(id) || !p.Given(like)) return {};
  const Operand& a = p.at(id);
  const Operand& b = p.at(like);
  if (a.shape() == b.shape() && (!types || a.dtype() == b.dtype())) return {};
  return Fail(kConstraint, "{} is {} {}, expected {} {} as {}", ParameterOf(p, id),
              NameOf(a.dtype()), a.shape().ToString(), NameOf(b.dtype()), b.shape().ToString(),
              ParameterOf(p, like));
}

Status CheckSeparateShapesAgree(const Problem& p) {
  if (!UsesSeparate(p)) return {};
  if (!IsMixed(p)) {
    if (Status s = CheckSameKind(p, kValueScale, kKeyScale, false); !s.ok()) return s;
    if (Status s = CheckSameKind(p, kValueOffset, kKeyOffset, false); !s.ok()) return s;
  }
  if (Status s = CheckSameKind(p, kKeyOffset, kKeyScale, true); !s.ok()) return s;
  return CheckSameKind(p, kValueOffset, kValueScale, true);
}

bool ShapeFitsMode(const Problem& p, const Dims& shape, int64_t mode) {
  const int64_t n = p.kv_heads, d = p.dim, blocks = p.key[0].shape()[0], bs = p.args.block_size;
  switch (mode) {
    case 0:
      if (!p.one_token) return IsOneOf(shape, {{n, d}, {n, 1, d}, {n * d}});
      return IsOneOf(shape, {{1}, {1, n, 1, d}, {1, 1, n, d}, {1, n, d}, {1, n * d}});
    case 1: {
      const size_t leading = p.one_token && shape.rank() == 3 ? 1 : 0;
      return shape.rank() == leading + 2 && (leading == 0 || shape[0] == 1) &&
             shape[leading] == p.batch;
    }
    case 2:
      return shape == Dims{n};
    case 3:
      return shape.rank() == 3 && shape[0] == p.batch && shape[1] == n;
    case 4:
      return shape == Dims{blocks, bs};
    default:
      return shape == Dims{blocks, n, bs};
  }
}

const char* ShapesOfMode(const Problem& p, int64_t mode) {
  constexpr const char* kOneToken[] = {"[1], [1, Nk, 1, D], [1, Nk, D] or [1, Nk * D]",
                                       "[1, B, S]",
                                       "[Nk]",
                                       "[B, Nk, S]",
                                       "[blocks, blockSize]",
                                       "[blocks, Nk, blockSize]"};
  constexpr const char* kPrompt[] = {"[Nk, D], [Nk, 1, D] or [Nk * D]", "[B, S]"};
  return p.one_token ? kOneToken[mode] : kPrompt[mode];
}

Status CheckSeparateShape(const Problem& p, int id, const char* mode_name, int64_t mode) {
  const Operand& scale = p.at(id);
  if (!ShapeFitsMode(p, scale.shape(), mode)) {
    return Fail(kConstraint, "{}.shape = {}, expected {} for {} = {} (B = {}, Nk = {}, D = {})",
                ParameterOf(p, id), scale.shape().ToString(), ShapesOfMode(p, mode), mode_name,
                mode, p.batch, p.kv_heads, p.dim);
  }
  const bool per_token = mode == 1 || mode >= 3;
  const aclDataType expected = per_token ? ACL_FLOAT : p.one_token ? p.QueryType() : ACL_BF16;
  if (scale.dtype() == expected) return {};
  return Fail(kConstraint, "{}.dtype = {}, expected {} for {} = {}", ParameterOf(p, id),
              NameOf(scale.dtype()), NameOf(expected), mode_name, mode);
}

Status CheckSeparateShapes(const Problem& p) {
  if (!UsesSeparate(p)) return {};
  if (Status s = CheckSeparateShape(p, kKeyScale, "keyAntiquantMode", p.args.key_mode); !s.ok())
    return s;
  return CheckSeparateShape(p, kValueScale, "valueAntiquantMode", p.args.value_mode);
}

Status CheckPagedModes(const Problem& p) {
  if (!UsesSeparate(p) || p.paged || p.args.key_mode < 4) return {};
  return Fail(kConstraint, "keyAntiquantMode = {} with {} null, expected 0 to 3", p.args.key_mode,
              ParameterOf(p, kBlockTable));
}

// The size S of a per-token tensor; -1 if the tensor has none.
int64_t TokensOf(const Problem& p, int id, ScaleKind kind) {
  return kind == ScaleKind::kToken || kind == ScaleKind::kTokenHead ? p.at(id).shape().back() : -1;
}

Status CheckTokens(const Problem& p, int id, ScaleKind kind) {
  const int64_t tokens = TokensOf(p, id, kind);
  if (tokens < 0 || tokens >= NeededColumns(p)) return {};
  return Fail(kConstraint, "{}.shape = {} has {} tokens, expected at least {}", ParameterOf(p, id),
              p.at(id).shape().ToString(), tokens, NeededColumns(p));
}

Status CheckTokenCounts(const Problem& p) {
  if (UsesCombined(p)) return CheckTokens(p, kAntiquantScale, CombinedKind(p));
  if (!UsesSeparate(p)) return {};
  if (Status s = CheckTokens(p, kKeyScale, SeparateKind(p, kKeyScale, p.args.key_mode)); !s.ok())
    return s;
  return CheckTokens(p, kValueScale, SeparateKind(p, kValueScale, p.args.value_mode));
}

Status CheckPrefixedTokens(const Problem& p) {
  return p.HasPrefix() ? CheckTokenCounts(p) : Status();
}

Status CheckMixedTypes(const Problem& p) {
  if (!UsesSeparate(p) || !IsMixed(p) || p.KeyType() != ACL_INT8) return {};
  if (p.QueryType() == ACL_FLOAT16 && p.OutType() == ACL_FLOAT16) return {};
  return Fail(kConstraint,
              "query.dtype = {} and attentionOut.dtype = {}, expected FLOAT16 for keyAntiquantMode "
              "= 0 with valueAntiquantMode = 1",
              NameOf(p.QueryType()), NameOf(p.OutType()));
}

Status CheckSeparatePrompt(const Problem& p) {
  if (!p.Separated() || !p.NeedsAntiquant()) return {};
  if (p.query_size > 16) {
    return Fail(kConstraint, "query.shape[{}] = {}, expected at most 16 with {}", SizeDim(p.layout),
                p.query_size, ParameterOf(p, kKeyScale));
  }
  if (p.QueryType() == ACL_BF16 && p.OutType() == ACL_BF16) return {};
  return Fail(kConstraint,
              "query.dtype = {} and attentionOut.dtype = {}, expected BF16 with {} where query has "
              "more than 1 row",
              NameOf(p.QueryType()), NameOf(p.OutType()), ParameterOf(p, kKeyScale));
}

// The rules on lists and on padding have refused those.
Status CheckSeparateNotPaged(const Problem& p) {
  if (!p.Separated() || !p.paged) return {};
  return Fail(kConstraint, "{} is given with {}, expected null where query has more than 1 row",
              ParameterOf(p, kKeyScale), ParameterOf(p, kBlockTable));
}

constexpr Rule kOfAntiquant[] = {
    {"PromptCacheIsNotInt4", section::kSeparate, Branch::kPrompt, CheckInt4Prompt},
    {"Int4CacheNotWithInt8Out", section::kSeparate, Branch::kOneToken, CheckInt4Out},
    {"AntiquantModeRange", section::kParameters, Branch::kBoth, CheckCombinedMode},
    {"SeparateModeRange", section::kParameters, Branch::kBoth, CheckSeparateModes},
    {"OneTokenAntiquantNeedsQuantisedCache", section::kDevice, Branch::kOneToken, CheckNotNeeded},
    {"SeparateScalesInPairs", section::kSeparate, Branch::kBoth, CheckSeparatePairs},
    {"Int4NeedsSeparateScales", section::kSeparate, Branch::kOneToken, CheckInt4Mode},
    {"QuantisedCacheNeedsAntiquantScale", section::kAntiquant, Branch::kBoth, CheckCombinedGiven},
    {"AntiquantOffsetIsLikeAntiquantScale", section::kAntiquant, Branch::kBoth,
     CheckCombinedOffset},
    {"AntiquantScaleShape", section::kAntiquant, Branch::kBoth, CheckCombinedShape},
    {"OneTokenAntiquantScaleType", section::kAntiquant, Branch::kOneToken,
     CheckCombinedTypeOneToken},
    {"PromptAntiquantTypes", section::kSizes, Branch::kPrompt, CheckCombinedTypePrompt},
    {"PromptSeparateScalesNotWithBlockTable", section::kSeparate, Branch::kPrompt,
     CheckSeparateNotPaged},
    {"PromptSeparateScaleTypes", section::kSeparate, Branch::kPrompt, CheckSeparatePrompt},
    {"SeparateModesAgree", section::kSeparate, Branch::kBoth, CheckModesAgree},
    {"PagedModesNeedBlockTable", section::kSeparate, Branch::kOneToken, CheckPagedModes},
    {"SeparateShapesAgree", section::kSeparate, Branch::kBoth, CheckSeparateShapesAgree},
    {"SeparateScaleShape", section::kSeparate, Branch::kBoth, CheckSeparateShapes},
    {"OneTokenPrefixCountsAsTokens", section::kDevice, Branch::kOneToken, CheckPrefixedTokens},
    {"TokenScalesCoverAllColumns", section::kPages, Branch::kBoth, CheckTokenCounts},
    {"ChannelKeysWithTokenValuesNeedFloat16", section::kSeparate, Branch::kOneToken,
     CheckMixedTypes},
};

}  // namespace

const std::span<const Rule> kAntiquantRules = kOfAntiquant;

ScaleKind CombinedKind(const Problem& p) {
  if (!p.Given(kAntiquantScale)) return ScaleKind::kNone;
  if (CombinedPerToken(p)) return ScaleKind::kToken;
  return p.at(kAntiquantScale).shape().rank() == 1 ? ScaleKind::kTensor : ScaleKind::kChannel;
}

ScaleKind SeparateKind(const Problem& p, int id, int64_t mode) {
  if (!p.Given(id)) return ScaleKind::kNone;
  switch (mode) {
    case 0:
      return ElementCount(p.at(id).shape()) == 1 ? ScaleKind::kTensor : ScaleKind::kChannel;
    case 1:
      return ScaleKind::kToken;
    case 2:
      return ScaleKind::kHead;
    case 3:
      return ScaleKind::kTokenHead;
    case 4:
      return ScaleKind::kPage;
    default:
      return ScaleKind::kPageHead;
  }
}

int64_t NeededColumns(const Problem& p) {
  if (p.paged) return p.max_blocks * p.args.block_size;
  return p.prefix + (p.KvIsPadded() ? p.kv_size : p.max_kv_length);
}

bool IsOneOf(const Dims& shape, std::initializer_list<Dims> shapes) {
  return std::find(shapes.begin(), shapes.end(), shape) != shapes.end();
}

}  // namespace anyacl::fused_infer_attention
