// SPDX-License-Identifier: Apache-2.0
// Rules on the shapes of query, key, value and attentionOut, and on the numbers of heads.
#include <string.h>

#include "ops/fused_infer_attention/rules.h"

namespace anyacl::fused_infer_attention {
namespace {

constexpr int64_t kMaxBatch = 65536;
constexpr int64_t kMaxHeads = 256;
constexpr int64_t kMaxGroup = 64;
constexpr int64_t kMaxRowSize = 65535;

size_t RankOf(Layout layout) { return AxesOf(layout).rank; }

// BNSD_BSND, the only one of these layouts whose output has another.
bool Exchanges(const Problem& p) { return p.layout != p.out_layout; }

Status CheckQueryRank(const Problem& p) {
  for (int id : {kQuery, kAttentionOut}) {
    if (p.at(id).IsEmpty() || p.at(id).shape().rank() == RankOf(p.layout)) continue;
    return Fail(kConstraint, "{}.shape = {} has rank {}, expected {} for inputLayout \"{}\"",
                ParameterOf(p, id), p.at(id).shape().ToString(), p.at(id).shape().rank(),
                RankOf(p.layout), p.args.layout == nullptr ? "BSH" : p.args.layout);
  }
  return {};
}

Status CheckLayoutOfOneToken(const Problem& p) {
  if (!Exchanges(p) || p.version >= 4) return {};
  return Fail(
      kConstraint,
      "inputLayout = \"BNSD_BSND\" with query.shape[2] = 1, expected more than 1 query row");
}

Status CheckInnerPreciseOneToken(const Problem& p) {
  const int64_t last = p.version >= 4 ? 3 : 1;
  if (p.args.inner_precise >= 0 && p.args.inner_precise <= last) return {};
  return Fail(kConstraint, "innerPrecise = {}, expected 0 {} {} where query has 1 row",
              p.args.inner_precise, last == 1 ? "or" : "to", last);
}

Status CheckInnerPrecisePrompt(const Problem& p) {
  if (p.args.inner_precise != 4) return {};
  return Fail(kConstraint, "innerPrecise = 4, expected 0 to 3");
}

Status CheckBatch(const Problem& p) {
  if (p.batch <= kMaxBatch) return {};
  return Fail(kConstraint, "query.shape[0] = {}, expected at most {}", p.batch, kMaxBatch);
}

Status CheckQuerySize(const Problem& p) {
  if (p.query_size <= kMaxSequence) return {};
  return Fail(kConstraint, "query.shape[{}] = {}, expected at most {}", SizeDim(p.layout),
              p.query_size, kMaxSequence);
}

Status CheckEmptyQuery(const Problem& p) {
  if (!p.at(kQuery).IsEmpty() || p.at(kAttentionOut).IsEmpty()) return {};
  return Fail(kConstraint, "attentionOut.shape = {}, expected {} as the query, which is empty",
              p.at(kAttentionOut).shape().ToString(), p.at(kQuery).shape().ToString());
}

Status CheckLayout(const Problem& p) {
  Layout layout, out;
  if (ParseLayout(p.args.layout, p.version, &layout, &out)) return {};
  return Fail(kConstraint, "inputLayout = \"{:.40}\", expected {}", p.args.layout,
              p.version < 3    ? "BSH, BSND, BNSD or BNSD_BSND"
              : p.version == 3 ? kLayoutsV3
                               : kLayoutsV4);
}

constexpr Rule kOfLayout[] = {
    {"EmptyQueryNeedsEmptyAttentionOut", section::kConstraints, Branch::kBoth, CheckEmptyQuery},
    {"InputLayoutIsKnown", section::kParameters, Branch::kBoth, CheckLayout},
};

constexpr Rule kOfRanks[] = {
    {"QueryRankFollowsInputLayout", section::kParameters, Branch::kBoth, CheckQueryRank},
};

constexpr Rule kOfQuery[] = {
    {"BnsdBsndNeedsSeveralRows", section::kParameters, Branch::kOneToken, CheckLayoutOfOneToken},
    {"OneTokenInnerPrecise", section::kParameters, Branch::kOneToken, CheckInnerPreciseOneToken},
    {"PromptInnerPrecise", section::kDevice, Branch::kPrompt, CheckInnerPrecisePrompt},
    {"BatchLimit", section::kSizes, Branch::kBoth, CheckBatch},
    {"QuerySequenceLimit", section::kSizes, Branch::kPrompt, CheckQuerySize},
};

Status CheckHeadsPositive(const Problem& p) {
  if (p.args.num_heads > 0) return {};
  return Fail(kConstraint, "numHeads = {}, expected 1 or more", p.args.num_heads);
}

Status CheckKvHeadsPositive(const Problem& p) {
  if (p.args.num_kv_heads >= 0) return {};
  return Fail(kConstraint, "numKeyValueHeads = {}, expected 0 or more", p.args.num_kv_heads);
}

Status CheckHeadsLimit(const Problem& p) {
  if (p.args.num_heads <= kMaxHeads) return {};
  return Fail(kConstraint, "numHeads = {}, expected at most {}", p.args.num_heads, kMaxHeads);
}

Status CheckRowDivides(const Problem& p) {
  if (p.layout != Layout::kBsh || p.at(kQuery).shape()[2] % p.args.num_heads == 0) return {};
  return Fail(kConstraint, "query.shape[2] = {}, expected a multiple of numHeads = {}",
              p.at(kQuery).shape()[2], p.args.num_heads);
}

Status CheckQueryHeads(const Problem& p) {
  if (p.layout == Layout::kBsh) return {};
  const auto dim = static_cast<size_t>(HeadDim(p.layout));
  if (p.at(kQuery).shape()[dim] == p.args.num_heads) return {};
  return Fail(kConstraint, "query.shape[{}] = {}, expected numHeads = {}", dim,
              p.at(kQuery).shape()[dim], p.args.num_heads);
}

Status CheckGroups(const Problem& p) {
  if (p.args.num_heads % p.kv_heads == 0) return {};
  return Fail(kConstraint, "numHeads = {}, expected a multiple of numKeyValueHeads = {}",
              p.args.num_heads, p.kv_heads);
}

Status CheckGroupLimit(const Problem& p) {
  // V4 bounds it for quantised caches only.
  const bool bounded = p.version < 4 || p.KeyType() != p.QueryType() || p.QueryType() == ACL_INT8;
  if (!bounded || p.args.num_heads / p.kv_heads <= kMaxGroup) return {};
  return Fail(kConstraint, "numHeads / numKeyValueHeads = {} / {}, expected at most {}",
              p.args.num_heads, p.kv_heads, kMaxGroup);
}

Status CheckDim(const Problem& p) {
  if (p.dim <= kMaxHeadSize) return {};
  return Fail(kConstraint, "the head size D of query is {}, expected at most {}", p.dim,
              kMaxHeadSize);
}

Status CheckRowSize(const Problem& p) {
  const bool applies = p.layout == Layout::kBsh || p.layout == Layout::kBsnd;
  if (!applies || p.heads * p.dim < kMaxRowSize) return {};
  return Fail(kConstraint,
              "query has N * D = {} * {} = {}, expected less than {} for inputLayout "
              "\"{}\"",
              p.heads, p.dim, p.heads * p.dim, kMaxRowSize,
              p.layout == Layout::kBsh ? "BSH" : "BSND");
}

Status CheckOutShape(const Problem& p) {
  const Dims& query = p.at(kQuery).shape();
  Dims expected = query;
  if (Exchanges(p)) std::swap(expected[1], expected[2]);
  if (p.at(kAttentionOut).shape() == expected) return {};
  return Fail(kConstraint, "attentionOut.shape = {}, expected {}{}",
              p.at(kAttentionOut).shape().ToString(), expected.ToString(),
              Exchanges(p) ? " (query's with N and S exchanged)" : " as query");
}

bool AnyIs(const Problem& p, aclDataType type) {
  return p.QueryType() == type || p.KeyType() == type || p.OutType() == type;
}

Status CheckDimAlignment(const Problem& p) {
  const int64_t unit = AnyIs(p, ACL_INT8) ? 32 : 16;
  if (p.dim % unit == 0) return {};
  return Fail(kConstraint,
              "the head size D of query is {}, expected a multiple of {}{} where query has more "
              "than 1 row",
              p.dim, unit, unit == 32 ? " (a tensor is INT8)" : "");
}

Status CheckPackedDim(const Problem& p) {
  if (p.KeyType() != ACL_INT4 || p.dim % 64 == 0) return {};
  return Fail(kConstraint,
              "the head size D of query is {}, expected a multiple of 64 for INT4 keys and values",
              p.dim);
}

constexpr Rule kOfHeads[] = {
    {"NumHeadsIsPositive", section::kDevice, Branch::kBoth, CheckHeadsPositive},
    {"NumKeyValueHeadsIsNotNegative", section::kDevice, Branch::kBoth, CheckKvHeadsPositive},
    {"NumHeadsLimit", section::kSizes, Branch::kBoth, CheckHeadsLimit},
    {"QueryRowIsAMultipleOfNumHeads", section::kParameters, Branch::kBoth, CheckRowDivides},
    {"QueryHeadsAreNumHeads", section::kParameters, Branch::kBoth, CheckQueryHeads},
};

constexpr Rule kOfGroups[] = {
    {"NumHeadsIsAMultipleOfNumKeyValueHeads", section::kParameters, Branch::kBoth, CheckGroups},
    {"HeadsPerKeyHeadLimit", section::kParameters, Branch::kBoth, CheckGroupLimit},
    {"HeadSizeLimit", section::kSizes, Branch::kBoth, CheckDim},
    {"QueryRowLimit", section::kSizes, Branch::kPrompt, CheckRowSize},
    {"AttentionOutShapeFollowsQuery", section::kParameters, Branch::kBoth, CheckOutShape},
    {"PromptHeadSizeAlignment", section::kSizes, Branch::kPrompt, CheckDimAlignment},
    {"Int4HeadSizeAlignment", section::kSizes, Branch::kOneToken, CheckPackedDim},
};

constexpr Rule kOfGroupCounts[] = {
    {"NumHeadsIsAMultipleOfNumKeyValueHeads", section::kParameters, Branch::kBoth, CheckGroups},
};

// The members that a call uses: all of a list, else the first.
template <class Function>
Status ForMembers(const Problem& p, const Function& check) {
  for (const auto* list : {&p.key, &p.value}) {
    for (size_t i = 0; i < (p.listed ? list->size() : 1); ++i) {
      if (Status s = check((*list)[i], i); !s.ok()) return s;
    }
  }
  return {};
}

Status CheckKvRanks(const Problem& p) {
  if (p.paged) return {};
  return ForMembers(p, [&](const Operand& member, size_t i) -> Status {
    if (member.shape().rank() == RankOf(p.layout)) return {};
    return Fail(kConstraint, "{}[{}].shape = {} has rank {}, expected {} as query",
                member.spec->name, i, member.shape().ToString(), member.shape().rank(),
                RankOf(p.layout));
  });
}

Status CheckMembersAreSingle(const Problem& p) {
  if (!p.listed) return {};
  return ForMembers(p, [&](const Operand& member, size_t i) -> Status {
    if (member.shape()[0] == 1) return {};
    return Fail(kConstraint, "{}[{}].shape[0] = {}, expected 1 in a list of {} tensors",
                member.spec->name, i, member.shape()[0], p.key.size());
  });
}

Status CheckMemberCount(const Problem& p) {
  if (!p.listed) return {};
  for (const auto* list : {&p.key, &p.value}) {
    if (static_cast<int64_t>(list->size()) == p.batch) continue;
    return Fail(kConstraint, "{} has {} tensors, expected {} as query.shape[0]",
                list == &p.key ? "key" : "value", list->size(), p.batch);
  }
  return {};
}

Status CheckMembersAgree(const Problem& p) {
  if (!p.listed) return {};
  return ForMembers(p, [&](const Operand& member, size_t i) -> Status {
    for (size_t dim = 1; dim < member.shape().rank(); ++dim) {
      if (dim == static_cast<size_t>(SizeDim(p.layout))) continue;
      if (member.shape()[dim] == p.key[0].shape()[dim]) continue;
      return Fail(kConstraint, "{}[{}].shape[{}] = {}, expected {} as in key[0]", member.spec->name,
                  i, dim, member.shape()[dim], p.key[0].shape()[dim]);
    }
    return {};
  });
}

Status CheckMemberSizes(const Problem& p) {
  if (!p.listed) return {};
  const auto dim = static_cast<size_t>(SizeDim(p.layout));
  for (size_t i = 0; i < p.key.size(); ++i) {
    if (p.key[i].shape()[dim] == p.value[i].shape()[dim]) continue;
    return Fail(kConstraint, "value[{}].shape[{}] = {}, expected {} as key[{}]", i, dim,
                p.value[i].shape()[dim], p.key[i].shape()[dim], i);
  }
  return {};
}

// N of one tensor in the query's layout.
Status CheckHeadsOf(const Problem& p, const Operand& member) {
  if (p.layout == Layout::kBsh) return {};
  const auto dim = static_cast<size_t>(HeadDim(p.layout));
  if (member.shape()[dim] == p.kv_heads) return {};
  return Fail(kConstraint, "{}.shape[{}] = {}, expected numKeyValueHeads = {}", member.spec->name,
              dim, member.shape()[dim], p.kv_heads);
}

Status CheckListHeads(const Problem& p) { return p.listed ? CheckHeadsOf(p, p.key[0]) : Status(); }

Status CheckKvHeads(const Problem& p) {
  if (p.paged || p.listed) return {};
  if (Status s = CheckHeadsOf(p, p.key[0]); !s.ok()) return s;
  return CheckHeadsOf(p, p.value[0]);
}

Status CheckKvDims(const Problem& p) {
  if (p.paged) return {};
  return ForMembers(p, [&](const Operand& member, size_t i) -> Status {
    const int64_t expected = p.layout == Layout::kBsh ? p.kv_heads * p.dim : p.dim;
    if (member.shape().back() == expected) return {};
    return Fail(kConstraint, "{}[{}].shape[{}] = {}, expected {} ({} = {})", member.spec->name, i,
                member.shape().rank() - 1, member.shape().back(), expected,
                p.layout == Layout::kBsh ? "numKeyValueHeads * D of query" : "D of query",
                expected);
  });
}

Status CheckValueShape(const Problem& p) {
  if (p.listed || p.paged || p.key[0].shape() == p.value[0].shape()) return {};
  return Fail(kConstraint, "value.shape = {}, expected {} as key", p.value[0].shape().ToString(),
              p.key[0].shape().ToString());
}

Status CheckKvBatch(const Problem& p) {
  if (p.listed || p.paged || p.key[0].shape()[0] == p.batch) return {};
  return Fail(kConstraint, "key.shape[0] = {}, expected {} as query.shape[0]", p.key[0].shape()[0],
              p.batch);
}

Status CheckKvSizeLimit(const Problem& p) {
  if (p.paged || p.kv_size <= kMaxSequence) return {};
  return Fail(kConstraint, "key.shape[{}] = {}, expected at most {}", SizeDim(p.layout), p.kv_size,
              kMaxSequence);
}

Status CheckNoMixOfEmptyMembers(const Problem& p) {
  if (!p.listed || p.kv_size == 0) return {};
  for (size_t i = 0; i < p.key.size(); ++i) {
    if (p.KvSize(static_cast<int64_t>(i)) != 0) continue;
    return Fail(kConstraint, "key[{}] is empty, expected all tensors of the list or none", i);
  }
  return {};
}

Status CheckListNotPaged(const Problem& p) {
  if (!p.paged || (p.key.size() == 1 && p.value.size() == 1)) return {};
  return Fail(kConstraint, "key has {} and value {} tensors with {}, expected 1", p.key.size(),
              p.value.size(), ParameterOf(p, kBlockTable));
}

Status CheckListNotPadded(const Problem& p) {
  if (!p.listed) return {};
  for (int id : {kQueryPadding, kKvPadding}) {
    if (!p.Given(id)) continue;
    return Fail(kConstraint, "{} is given for a list of {} keys, expected null", ParameterOf(p, id),
                p.key.size());
  }
  return {};
}

Status CheckListNotSeparated(const Problem& p) {
  if (!p.listed || !p.Separated()) return {};
  return Fail(kConstraint,
              "{} is given for a list of {} keys, expected null where query has more than 1 row",
              ParameterOf(p, kKeyScale), p.key.size());
}

Status CheckListWithoutPrefix(const Problem& p) {
  if (!p.listed || !p.HasPrefix()) return {};
  return Fail(kConstraint, "{} is given for a list of {} keys, expected null",
              ParameterOf(p, kKeyPrefix), p.key.size());
}

constexpr Rule kOfLists[] = {
    {"BlockTableNotWithList", section::kPages, Branch::kBoth, CheckListNotPaged},
    {"KeyRankFollowsInputLayout", section::kParameters, Branch::kBoth, CheckKvRanks},
    {"ListMembersHaveBatchOne", section::kConstraints, Branch::kBoth, CheckMembersAreSingle},
    {"ListHasATensorPerBatchEntry", section::kConstraints, Branch::kBoth, CheckMemberCount},
};

constexpr Rule kOfKvSizes[] = {
    {"ListHeadsAgree", section::kConstraints, Branch::kBoth, CheckMembersAgree},
    {"ListValuesAreAsLongAsKeys", section::kConstraints, Branch::kBoth, CheckMemberSizes},
    {"ListHeadsAreNumKeyValueHeads", section::kParameters, Branch::kBoth, CheckListHeads},
    {"KeyHeadsAreNumKeyValueHeads", section::kParameters, Branch::kBoth, CheckKvHeads},
    {"KeyHeadSizeIsThatOfQuery", section::kDevice, Branch::kBoth, CheckKvDims},
    {"KeyBatchIsThatOfQuery", section::kDevice, Branch::kBoth, CheckKvBatch},
    {"ValueShapeIsThatOfKey", section::kConstraints, Branch::kBoth, CheckValueShape},
    {"KeySequenceLimit", section::kSizes, Branch::kPrompt, CheckKvSizeLimit},
    {"ListIsEmptyAsAWhole", section::kDevice, Branch::kPrompt, CheckNoMixOfEmptyMembers},
    {"PaddingNotWithList", section::kDevice, Branch::kPrompt, CheckListNotPadded},
    {"SeparateScalesNotWithList", section::kSeparate, Branch::kPrompt, CheckListNotSeparated},
    {"PrefixNotWithList", section::kPrefix, Branch::kBoth, CheckListWithoutPrefix},
};

}  // namespace

const std::span<const Rule> kLayoutRules = kOfLayout;
const std::span<const Rule> kRankRules = kOfRanks;
const std::span<const Rule> kQueryRules = kOfQuery;
const std::span<const Rule> kHeadRules = kOfHeads;
const std::span<const Rule> kGroupRules = kOfGroups;
const std::span<const Rule> kGroupCountRules = kOfGroupCounts;
const std::span<const Rule> kListRules = kOfLists;
const std::span<const Rule> kKvSizeRules = kOfKvSizes;

bool ParseLayout(const char* text, int version, Layout* layout, Layout* out) {
  struct Name {
    std::string_view text;
    Layout layout, out;
    int since;
  };
  constexpr Name kNames[] = {{"BSH", Layout::kBsh, Layout::kBsh, 1},
                             {"BSND", Layout::kBsnd, Layout::kBsnd, 1},
                             {"BNSD", Layout::kBnsd, Layout::kBnsd, 1},
                             {"BNSD_BSND", Layout::kBnsd, Layout::kBsnd, 1},
                             {"BSH_NBSD", Layout::kBsh, Layout::kNbsd, 3},
                             {"BSND_NBSD", Layout::kBsnd, Layout::kNbsd, 3},
                             {"BNSD_NBSD", Layout::kBnsd, Layout::kNbsd, 3},
                             {"TND", Layout::kTnd, Layout::kTnd, 3},
                             {"TND_NTD", Layout::kTnd, Layout::kNtd, 3},
                             {"NTD_TND", Layout::kNtd, Layout::kTnd, 3},
                             {"NTD", Layout::kNtd, Layout::kNtd, 4},
                             {"BSH_BNSD", Layout::kBsh, Layout::kBnsd, 4},
                             {"BSND_BNSD", Layout::kBsnd, Layout::kBnsd, 4}};
  // No name is longer: what follows is not read.
  const std::string_view given =
      text == nullptr ? "BSH" : std::string_view(text, strnlen(text, sizeof("BNSD_BSND")));
  for (const Name& name : kNames) {
    if (given != name.text || version < name.since) continue;
    *layout = name.layout;
    *out = name.out;
    return true;
  }
  return false;
}

}  // namespace anyacl::fused_infer_attention
