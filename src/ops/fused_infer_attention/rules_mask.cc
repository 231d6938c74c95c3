// SPDX-License-Identifier: Apache-2.0
// Rules on masks, token windows, pseShift and softmaxLse.
#include "ops/fused_infer_attention/antiquant.h"
#include "ops/fused_infer_attention/rules.h"

namespace anyacl::fused_infer_attention {
namespace {

constexpr int64_t kCompressed = 2048;

// Columns that a full mask or pseShift of several query rows must have.
int64_t FullColumns(const Problem& p) {
  return p.paged ? p.max_blocks * p.args.block_size : p.prefix + p.kv_size;
}

bool MaskIsFull(const Problem& p) { return p.SparseMode() < 2; }
bool MaskIsCompressed(const Problem& p) { return !MaskIsFull(p) && !p.HasTreeMask(); }

Status CheckSparseMode(const Problem& p) {
  if (p.args.sparse_mode >= 0 && p.args.sparse_mode <= 4) return {};
  return Fail(kConstraint, "sparseMode = {}, expected 0 to 4", p.args.sparse_mode);
}

Status CheckMaskGiven(const Problem& p) {
  if (p.args.sparse_mode == 0 || p.HasMask()) return {};
  return Fail(kConstraint, "{} is null or empty, expected a mask for sparseMode = {}",
              ParameterOf(p, kAttenMask), p.args.sparse_mode);
}

Status CheckCompressedMask(const Problem& p) {
  if (!MaskIsCompressed(p)) return {};
  constexpr int64_t s = kCompressed;
  if (IsOneOf(p.at(kAttenMask).shape(), {{s, s}, {1, s, s}, {1, 1, s, s}})) return {};
  return Fail(kConstraint,
              "{}.shape = {}, expected [{}, {}], [1, {}, {}] or [1, 1, {}, {}] for sparseMode = {}",
              ParameterOf(p, kAttenMask), p.at(kAttenMask).shape().ToString(), s, s, s, s, s, s,
              p.args.sparse_mode);
}

Status CheckMaskRank(const Problem& p) {
  if (!p.HasMask() || !MaskIsFull(p)) return {};
  const size_t rank = p.at(kAttenMask).shape().rank();
  if (rank >= 2 && rank <= 4) return {};
  return Fail(kConstraint, "{}.shape = {} has rank {}, expected 2, 3 or 4",
              ParameterOf(p, kAttenMask), p.at(kAttenMask).shape().ToString(), rank);
}

Status CheckPagedColumns(const Problem& p, int id) {
  if (!p.paged || !p.Has(id) || p.at(id).shape().rank() == 0) return {};
  if (id == kAttenMask && !MaskIsFull(p)) return {};
  if (p.at(id).shape().back() >= FullColumns(p)) return {};
  return Fail(kConstraint, "{}.shape = {} has {} columns, expected at least {}: {} blocks of {}",
              ParameterOf(p, id), p.at(id).shape().ToString(), p.at(id).shape().back(),
              FullColumns(p), p.max_blocks, p.args.block_size);
}

Status CheckAllPagedColumns(const Problem& p) {
  if (Status s = CheckPagedColumns(p, kAttenMask); !s.ok()) return s;
  return CheckPagedColumns(p, kPseShift);
}

Status CheckPromptMask(const Problem& p) {
  if (!p.HasMask() || !MaskIsFull(p)) return {};
  const Dims& shape = p.at(kAttenMask).shape();
  const size_t rank = shape.rank();
  const bool batch_fits = rank == 2 || shape[0] == 1 || shape[0] == p.batch;
  const bool head_fits = rank < 4 || shape[1] == 1;
  if (batch_fits && head_fits && shape[rank - 2] >= p.query_size && shape.back() >= FullColumns(p))
    return {};
  return Fail(kConstraint, "{}.shape = {}, expected [{}, {}] or more, with 1 or {} (and 1) before",
              ParameterOf(p, kAttenMask), shape.ToString(), p.query_size, FullColumns(p), p.batch);
}

Status CheckOneTokenMask(const Problem& p) {
  if (!p.HasMask()) return {};
  const Dims& shape = p.at(kAttenMask).shape();
  bool fits = shape.rank() >= 2 && shape.rank() <= 4 && (shape[0] == p.batch || shape[0] == 1);
  for (size_t i = 1; i + 1 < shape.rank(); ++i) fits = fits && shape[i] == 1;
  if (fits && shape.back() >= NeededColumns(p)) return {};
  return Fail(kConstraint, "{}.shape = {}, expected [{}, {}] or more columns, with sizes 1 between",
              ParameterOf(p, kAttenMask), shape.ToString(), p.batch, NeededColumns(p));
}

Status CheckPrefixedColumns(const Problem& p) {
  for (int id : {kAttenMask, kPseShift}) {
    if (!p.HasPrefix() || !p.Has(id) || p.at(id).shape().rank() == 0) continue;
    if (p.at(id).shape().back() >= NeededColumns(p)) continue;
    return Fail(kConstraint,
                "{}.shape = {} has {} columns, expected at least {}, those of the "
                "prefix included",
                ParameterOf(p, id), p.at(id).shape().ToString(), p.at(id).shape().back(),
                NeededColumns(p));
  }
  return {};
}

Status CheckPseShape(const Problem& p) {
  if (!p.Has(kPseShift)) return {};
  const Dims& shape = p.at(kPseShift).shape();
  const int64_t columns = p.one_token ? NeededColumns(p) : FullColumns(p);
  if (shape.rank() == 4 && (shape[0] == 1 || shape[0] == p.batch) && shape[1] == p.heads &&
      (p.one_token ? shape[2] == 1 : shape[2] >= p.query_size) && shape[3] >= columns)
    return {};
  return Fail(kConstraint, "{}.shape = {}, expected [{} or 1, {}, {}, {}] or more columns",
              ParameterOf(p, kPseShift), shape.ToString(), p.batch, p.heads, p.query_size, columns);
}

Status CheckPseType(const Problem& p) {
  if (!p.Has(kPseShift)) return {};
  const aclDataType expected = p.QueryType() == ACL_BF16 ? ACL_BF16 : ACL_FLOAT16;
  if (p.at(kPseShift).dtype() == expected) return {};
  return Fail(kConstraint, "{}.dtype = {}, expected {} for query.dtype = {}",
              ParameterOf(p, kPseShift), NameOf(p.at(kPseShift).dtype()), NameOf(expected),
              NameOf(p.QueryType()));
}

Status CheckPseDim(const Problem& p) {
  if (!p.Has(kPseShift) || p.dim % 16 == 0) return {};
  return Fail(kConstraint, "the head size D of query is {}, expected a multiple of 16 with {}",
              p.dim, ParameterOf(p, kPseShift));
}

constexpr Rule kOfMasks[] = {
    {"SparseModeRange", section::kSizes, Branch::kPrompt, CheckSparseMode},
    {"SparseModeNeedsAttenMask", section::kParameters, Branch::kPrompt, CheckMaskGiven},
    {"CompressedMaskShape", section::kSizes, Branch::kPrompt, CheckCompressedMask},
    {"PromptMaskRank", section::kParameters, Branch::kPrompt, CheckMaskRank},
    {"OneTokenPrefixCountsAsColumns", section::kDevice, Branch::kOneToken, CheckPrefixedColumns},
    {"PagesNeedColumnsOfWholeBlocks", section::kPages, Branch::kBoth, CheckAllPagedColumns},
    {"PromptMaskShape", section::kParameters, Branch::kPrompt, CheckPromptMask},
    {"OneTokenMaskShape", section::kParameters, Branch::kOneToken, CheckOneTokenMask},
    {"PseShiftTypeFollowsQuery", section::kParameters, Branch::kBoth, CheckPseType},
    {"PseShiftShape", section::kParameters, Branch::kBoth, CheckPseShape},
    {"OneTokenPseShiftHeadSize", section::kPseShifts, Branch::kOneToken, CheckPseDim},
};

constexpr Rule kOfFullMasks[] = {
    {"SparseModeNeedsAttenMask", section::kParameters, Branch::kPrompt, CheckMaskGiven},
    {"CompressedMaskShape", section::kSizes, Branch::kPrompt, CheckCompressedMask},
    {"PromptMaskRank", section::kParameters, Branch::kPrompt, CheckMaskRank},
    {"PagesNeedColumnsOfWholeBlocks", section::kPages, Branch::kBoth, CheckAllPagedColumns},
    {"PromptMaskShape", section::kParameters, Branch::kPrompt, CheckPromptMask},
};

Status CheckBandTokensNotNegative(const Problem& p) {
  if (p.args.sparse_mode != 4 || p.PreTokens() >= 0 || p.NextTokens() >= 0) return {};
  return Fail(kConstraint, "preTokens = {} and nextTokens = {}, expected one of them not negative",
              p.args.pre_tokens, p.args.next_tokens);
}

Status CheckMaskTokensNotNegative(const Problem& p) {
  if (!p.UsesTokens() || p.args.sparse_mode != 0) return {};
  if (p.PreTokens() >= 0 || p.NextTokens() >= 0) return {};
  return Fail(kConstraint,
              "preTokens = {} and nextTokens = {} with {}, expected one of them not negative",
              p.args.pre_tokens, p.args.next_tokens, ParameterOf(p, kAttenMask));
}

Status CheckWindowNotEmpty(const Problem& p) {
  if (!p.UsesTokens() || p.PreTokens() + p.NextTokens() >= 0) return {};
  return Fail(kConstraint, "preTokens = {} and nextTokens = {}, expected a sum of 0 or more",
              p.args.pre_tokens, p.args.next_tokens);
}

// A negative bound must leave some of `size` rows or columns.
Status CheckBound(const char* name, int64_t bound, const char* what, int64_t size, int64_t b) {
  if (bound >= 0 || -bound < size) return {};
  return Fail(kConstraint, "{} = {}, expected more than -{}, the {} of batch entry {}", name, bound,
              size, what, b);
}

// Lengths of entries without any row or column leave nothing to bound.
Status CheckNextOfMask(const Problem& p) {
  if (!p.UsesTokens() || p.args.sparse_mode != 0) return {};
  if (Status s = CheckBound("nextTokens", p.NextTokens(), "query rows", p.query_size, 0); !s.ok())
    return s;
  return p.ForLengths([&](int64_t b) {
    return CheckBound("nextTokens", p.NextTokens(), "query rows", p.QueryLength(b), b);
  });
}

Status CheckPreOfMask(const Problem& p) {
  if (!p.UsesTokens() || p.args.sparse_mode != 0) return {};
  if (Status s = CheckBound("preTokens", p.PreTokens(), "columns", FullColumns(p), 0); !s.ok())
    return s;
  return p.ForLengths([&](int64_t b) {
    return CheckBound("preTokens", p.PreTokens(), "columns", p.prefix + p.KvLength(b), b);
  });
}

Status CheckNextOfBand(const Problem& p) {
  if (p.args.sparse_mode != 4) return {};
  return p.ForLengths([&](int64_t b) {
    return CheckBound("nextTokens", p.NextTokens(), "columns", p.prefix + p.KvLength(b), b);
  });
}

Status CheckPreOfBand(const Problem& p) {
  if (p.args.sparse_mode != 4) return {};
  return p.ForLengths([&](int64_t b) {
    return CheckBound("preTokens", p.PreTokens(), "query rows", p.QueryLength(b), b);
  });
}

Status CheckInt8Band(const Problem& p) {
  if (p.OutType() != ACL_INT8 || p.args.sparse_mode != 4) return {};
  if (p.PreTokens() >= 0 && p.NextTokens() >= 0) return {};
  return Fail(kConstraint,
              "preTokens = {} and nextTokens = {}, expected none negative for INT8 "
              "output and sparseMode = 4",
              p.args.pre_tokens, p.args.next_tokens);
}

// Rows that the window leaves without columns would get no offset.
bool LeavesRowsOut(const Problem& p, int64_t b) {
  const int64_t rows = p.QueryLength(b), columns = p.prefix + p.KvLength(b);
  switch (p.args.sparse_mode) {
    case 0:
      return p.UsesTokens() && (rows - columns - p.PreTokens() > 0 || p.NextTokens() < 0);
    case 3:
      return columns - rows < 0;
    case 4:
      return p.PreTokens() < 0 || p.NextTokens() + columns - rows < 0;
    default:
      return false;
  }
}

Status CheckOffsetReachesRows(const Problem& p) {
  if (p.OutType() != ACL_INT8 || !p.Has(kQuantOffset2)) return {};
  return p.ForLengths([&](int64_t b) -> Status {
    if (!LeavesRowsOut(p, b)) return {};
    return Fail(kConstraint,
                "{} is given and batch entry {} has rows without columns ({} rows, {} columns, "
                "sparseMode = {}), expected null",
                ParameterOf(p, kQuantOffset2), b, p.QueryLength(b), p.prefix + p.KvLength(b),
                p.args.sparse_mode);
  });
}

constexpr Rule kOfWindow[] = {
    {"BandTokensNotBothNegative", section::kDevice, Branch::kPrompt, CheckBandTokensNotNegative},
    {"MaskTokensNotBothNegative", section::kDevice, Branch::kPrompt, CheckMaskTokensNotNegative},
    {"WindowIsNotEmpty", section::kDevice, Branch::kPrompt, CheckWindowNotEmpty},
    {"MaskNextTokensLeaveRows", section::kDevice, Branch::kPrompt, CheckNextOfMask},
    {"MaskPreTokensLeaveColumns", section::kDevice, Branch::kPrompt, CheckPreOfMask},
    {"Int8OutBandTokensNotNegative", section::kPrompt, Branch::kPrompt, CheckInt8Band},
    {"BandNextTokensLeaveColumns", section::kDevice, Branch::kPrompt, CheckNextOfBand},
    {"BandPreTokensLeaveRows", section::kDevice, Branch::kPrompt, CheckPreOfBand},
    {"QuantOffset2ReachesAllRows", section::kPrompt, Branch::kPrompt, CheckOffsetReachesRows},
};

Status CheckLseShape(const Problem& p) {
  if (!p.args.lse_flag) return {};
  const Dims expected{p.batch, p.heads, p.query_size, 1};
  if (p.at(kSoftmaxLse).shape() == expected) return {};
  return Fail(kConstraint, "softmaxLse.shape = {}, expected {}",
              p.at(kSoftmaxLse).shape().ToString(), expected.ToString());
}

constexpr Rule kOfOutputs[] = {
    {"SoftmaxLseShape", section::kParameters, Branch::kBoth, CheckLseShape},
};

}  // namespace

const std::span<const Rule> kMaskRules = kOfMasks;
const std::span<const Rule> kFullMaskRules = kOfFullMasks;
const std::span<const Rule> kWindowRules = kOfWindow;
const std::span<const Rule> kOutputRules = kOfOutputs;

}  // namespace anyacl::fused_infer_attention
