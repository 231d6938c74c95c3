// SPDX-License-Identifier: Apache-2.0
// Rules on lengths, paged caches, padding and shared prefixes.
#include "base/division.h"
#include "ops/fused_infer_attention/rules.h"

namespace anyacl::fused_infer_attention {
namespace {

constexpr int64_t kMaxPageRow = 65535;

Status CheckLengthCount(const Problem& p, const IntArray* lengths, const char* name) {
  if (lengths == nullptr || lengths->size() == 1) return {};
  if (static_cast<int64_t>(lengths->size()) >= p.batch) return {};
  return Fail(kConstraint, "{} has {} entries, expected 1 or at least {} as query.shape[0]", name,
              lengths->size(), p.batch);
}

// As the operator at hand calls them.
const char* LengthsName(const Problem& p, int id) {
  return p.operands.Given(id) ? p.operands.NameOf(id) : "";
}

Status CheckQueryLengthCount(const Problem& p) {
  return CheckLengthCount(p, p.query_lengths.get(), LengthsName(p, kQueryLengths));
}

Status CheckKvLengthCount(const Problem& p) {
  return CheckLengthCount(p, p.kv_lengths.get(), LengthsName(p, kKvLengths));
}

Status CheckQueryLengths(const Problem& p) {
  return p.ForLengths([&](int64_t b) -> Status {
    const int64_t length = p.QueryLength(b);
    if (length >= 0 && length <= p.query_size) return {};
    return Fail(kConstraint, "{}[{}] = {}, expected 0 to {} = query.shape[{}]",
                LengthsName(p, kQueryLengths), b, length, p.query_size, SizeDim(p.layout));
  });
}

Status CheckKvLengths(const Problem& p) {
  // A Status for each of 128 lengths takes 0.6 us.
  const auto fits = [&](int64_t b) {
    return p.KvLength(b) >= 0 && (p.paged || p.KvLength(b) <= p.KvSize(b));
  };
  if (p.EveryLength(fits)) return {};
  return p.ForLengths([&](int64_t b) -> Status {
    const int64_t length = p.KvLength(b);
    if (length < 0) {
      return Fail(kConstraint, "{}[{}] = {}, expected 0 or more", LengthsName(p, kKvLengths), b,
                  length);
    }
    if (p.paged || length <= p.KvSize(b)) return {};
    return Fail(kConstraint, "{}[{}] = {}, expected at most {}, key's S",
                LengthsName(p, kKvLengths), b, length, p.KvSize(b));
  });
}

constexpr Rule kOfLengths[] = {
    {"ActualSeqLengthsCount", section::kParameters, Branch::kPrompt, CheckQueryLengthCount},
    {"ActualSeqLengthsKvCount", section::kParameters, Branch::kBoth, CheckKvLengthCount},
    {"ActualSeqLengthsRange", section::kParameters, Branch::kPrompt, CheckQueryLengths},
    {"ActualSeqLengthsKvRange", section::kParameters, Branch::kBoth, CheckKvLengths},
};

const Operand& Pool(const Problem& p) { return p.key[0]; }

Status CheckTableNotEmpty(const Problem& p) {
  if (!p.paged || !p.at(kBlockTable).IsEmpty()) return {};
  return Fail(kConstraint, "{}.shape = {} is empty, expected [B, blocks]",
              ParameterOf(p, kBlockTable), p.at(kBlockTable).shape().ToString());
}

Status CheckPagedLengthsGiven(const Problem& p) {
  if (!p.paged || p.kv_lengths != nullptr) return {};
  return Fail(kConstraint, "{} is null or empty, expected lengths as {} is given",
              ParameterOf(p, kKvLengths), ParameterOf(p, kBlockTable));
}

// V4 takes smaller steps, and up to 1024 tokens, for the usual sizes of heads.
bool FitsFineBlocks(const Problem& p) {
  const int64_t size = p.args.block_size;
  return p.version >= 4 && p.KeyType() == p.QueryType() && (p.dim == 64 || p.dim == 128) &&
         size > 0 && size <= 1024 && size % 16 == 0;
}

Status CheckPromptBlockSize(const Problem& p) {
  if (p.paged && FitsFineBlocks(p)) return {};
  const int64_t size = p.args.block_size;
  const int64_t most = p.version >= 4 ? 1024 : 512;
  if (!p.paged || (size >= 128 && size <= most && size % 128 == 0)) return {};
  return Fail(
      kConstraint,
      "blockSize = {}, expected a multiple of 128 from 128 to {} where query has more than 1 "
      "row{}",
      size, most, most == 512 ? "" : " (of 16 from 16 for D = 64 or 128 unquantised)");
}

Status CheckOneTokenBlockSize(const Problem& p) {
  if (p.paged && FitsFineBlocks(p)) return {};
  const int64_t size = p.args.block_size;
  const int64_t unit = p.KeyType() == ACL_INT8 ? 32 : 16;
  if (!p.paged || (size > 0 && size <= 512 && size % unit == 0)) return {};
  return Fail(kConstraint, "blockSize = {}, expected a multiple of {} from {} to 512 for {} keys",
              size, unit, unit, NameOf(p.KeyType()));
}

Status CheckTableRank(const Problem& p) {
  if (!p.paged) return {};
  const Dims& table = p.at(kBlockTable).shape();
  if (table.rank() == 2 && table[0] == p.batch) return {};
  return Fail(kConstraint, "{}.shape = {}, expected [{}, blocks]", ParameterOf(p, kBlockTable),
              table.ToString(), p.batch);
}

Status CheckTableWidth(const Problem& p) {
  if (!p.paged) return {};
  // Far more than memory holds, and few enough that sizes in bytes fit 64 bits.
  constexpr int64_t kMaxTokens = int64_t{1} << 40;
  if (p.max_kv_length <= kMaxTokens && p.at(kBlockTable).shape()[1] >= p.max_blocks) return {};
  return Fail(kConstraint, "{}.shape[1] = {}, expected at least {}: {} tokens in blocks of {}",
              ParameterOf(p, kBlockTable), p.at(kBlockTable).shape()[1], p.max_blocks,
              p.max_kv_length, p.args.block_size);
}

Status CheckPoolRank(const Problem& p) {
  if (!p.paged) return {};
  const size_t rank = Pool(p).shape().rank();
  const bool by_head = p.layout == Layout::kBnsd || p.version >= 4;
  if (rank == 3 || (rank == 4 && by_head)) return {};
  return Fail(kConstraint, "key.shape = {} has rank {}, expected 3{} for a paged cache",
              Pool(p).shape().ToString(), rank, by_head ? " or 4" : "");
}

Status CheckPoolShape(const Problem& p) {
  if (!p.paged) return {};
  const Dims& shape = Pool(p).shape();
  Dims expected{shape[0], p.args.block_size, p.kv_heads * p.dim};
  if (shape.rank() == 4) expected = {shape[0], p.kv_heads, p.args.block_size, p.dim};
  if (shape != expected) {
    return Fail(kConstraint, "key.shape = {}, expected {}: blocks of blockSize = {} tokens",
                shape.ToString(), expected.ToString(), p.args.block_size);
  }
  if (p.value[0].shape() == shape) return {};
  return Fail(kConstraint, "value.shape = {}, expected {} as key", p.value[0].shape().ToString(),
              shape.ToString());
}

Status CheckPoolRow(const Problem& p) {
  if (!p.paged || Pool(p).shape().rank() != 3 || p.kv_heads * p.dim <= kMaxPageRow) return {};
  return Fail(kConstraint, "key.shape[2] = {}, expected at most {} in a cache of rank 3",
              p.kv_heads * p.dim, kMaxPageRow);
}

Status CheckPoolSize(const Problem& p) {
  if (!p.paged) return {};
  int64_t needed = 0;
  for (int64_t b = 0; b < p.batch; ++b) needed += CeilDivide(p.KvLength(b), p.args.block_size);
  if (Pool(p).shape()[0] >= needed) return {};
  return Fail(kConstraint, "key.shape[0] = {}, expected at least {}, the blocks of all sequences",
              Pool(p).shape()[0], needed);
}

Status CheckPagedQueryType(const Problem& p) {
  if (!p.paged || p.QueryType() != ACL_INT8) return {};
  return Fail(kConstraint, "query.dtype = INT8, expected FLOAT16 or BF16 with {}",
              ParameterOf(p, kBlockTable));
}

Status CheckPagedPromptType(const Problem& p) {
  if (!p.paged || p.KeyType() == p.QueryType()) return {};
  return Fail(kConstraint,
              "key.dtype = {}, expected {} as query with {} where query has more than 1 row",
              NameOf(p.KeyType()), NameOf(p.QueryType()), ParameterOf(p, kBlockTable));
}

Status CheckPagedNotPadded(const Problem& p) {
  for (int id : {kQueryPadding, kKvPadding}) {
    if (!p.paged || !p.Given(id)) continue;
    return Fail(kConstraint, "{} is given with {}, expected null", ParameterOf(p, id),
                ParameterOf(p, kBlockTable));
  }
  return {};
}

Status CheckPagedNotInt4(const Problem& p) {
  if (!p.paged || p.KeyType() != ACL_INT4) return {};
  return Fail(kConstraint, "key.dtype = INT4 (or INT32), expected FLOAT16, BF16 or INT8 with {}",
              ParameterOf(p, kBlockTable));
}

Status CheckPagedWithoutPrefix(const Problem& p) {
  if (!p.paged || !p.HasPrefix()) return {};
  return Fail(kConstraint, "{} is given with {}, expected null", ParameterOf(p, kKeyPrefix),
              ParameterOf(p, kBlockTable));
}

constexpr Rule kOfPages[] = {
    {"BlockTableIsNotEmpty", section::kPages, Branch::kBoth, CheckTableNotEmpty},
    {"BlockTableNotWithInt4", section::kPages, Branch::kBoth, CheckPagedNotInt4},
    {"BlockTableNotWithInt8Query", section::kPages, Branch::kPrompt, CheckPagedQueryType},
    {"PromptBlockTableNotWithAntiquant", section::kPages, Branch::kPrompt, CheckPagedPromptType},
    {"BlockTableNotWithPadding", section::kPages, Branch::kPrompt, CheckPagedNotPadded},
    {"BlockTableNotWithPrefix", section::kPrefix, Branch::kBoth, CheckPagedWithoutPrefix},
    {"BlockTableNeedsActualSeqLengthsKv", section::kPages, Branch::kBoth, CheckPagedLengthsGiven},
    {"PromptBlockSize", section::kPages, Branch::kPrompt, CheckPromptBlockSize},
    {"OneTokenBlockSize", section::kPages, Branch::kOneToken, CheckOneTokenBlockSize},
    {"PagedCacheRank", section::kPages, Branch::kBoth, CheckPoolRank},
    {"PagedRowLimit", section::kPages, Branch::kBoth, CheckPoolRow},
    {"PagedCacheShape", section::kPages, Branch::kBoth, CheckPoolShape},
    {"BlockTableHasARowPerBatchEntry", section::kPages, Branch::kBoth, CheckTableRank},
};

Status CheckPaddingShape(const Problem& p) {
  for (int id : {kQueryPadding, kKvPadding}) {
    if (!p.Given(id) || p.at(id).shape() == Dims{1}) continue;
    return Fail(kConstraint, "{}.shape = {}, expected [1]", ParameterOf(p, id),
                p.at(id).shape().ToString());
  }
  return {};
}

Status CheckPaddingNotInt4(const Problem& p) {
  if (!p.Given(kKvPadding) || p.KeyType() != ACL_INT4) return {};
  return Fail(kConstraint, "{} is given for INT4 keys, expected null", ParameterOf(p, kKvPadding));
}

Status CheckPaddingWithoutPrefix(const Problem& p) {
  if (!p.HasPrefix()) return {};
  for (int id : {kQueryPadding, kKvPadding}) {
    if (!p.Given(id) || (p.one_token && id == kQueryPadding)) continue;
    return Fail(kConstraint, "{} is given with {}, expected null", ParameterOf(p, id),
                ParameterOf(p, kKeyPrefix));
  }
  return {};
}

Status CheckPaddingNotSeparated(const Problem& p) {
  if (!p.Separated()) return {};
  for (int id : {kQueryPadding, kKvPadding}) {
    if (!p.Given(id)) continue;
    return Fail(kConstraint, "{} is given with {}, expected null", ParameterOf(p, id),
                ParameterOf(p, kKeyScale));
  }
  return {};
}

Status CheckPaddingNotPerChannel(const Problem& p) {
  if (p.OutType() != ACL_INT8 || !p.Has(kQuantScale2)) return {};
  if (ElementCount(p.at(kQuantScale2).shape()) == 1) return {};
  for (int id : {kQueryPadding, kKvPadding}) {
    if (!p.Given(id)) continue;
    return Fail(kConstraint, "{} is given with {} per channel, expected null", ParameterOf(p, id),
                ParameterOf(p, kQuantScale2));
  }
  return {};
}

constexpr Rule kOfPadding[] = {
    {"BlockTableHoldsTheLongestSequence", section::kPages, Branch::kBoth, CheckTableWidth},
    {"PromptPagesHoldAllSequences", section::kPages, Branch::kPrompt, CheckPoolSize},
    {"PaddingSizeIsOneElement", section::kDevice, Branch::kPrompt, CheckPaddingShape},
    {"KvPaddingNotWithInt4", section::kKvPaddings, Branch::kOneToken, CheckPaddingNotInt4},
    {"PaddingNotWithPrefix", section::kPrefix, Branch::kBoth, CheckPaddingWithoutPrefix},
    {"PaddingNotWithSeparateScales", section::kSeparate, Branch::kPrompt, CheckPaddingNotSeparated},
    {"PaddingNotWithQuantScale2PerChannel", section::kPrompt, Branch::kPrompt,
     CheckPaddingNotPerChannel},
};

Status CheckPrefixPair(const Problem& p) {
  if (p.Given(kKeyPrefix) == p.Given(kValuePrefix)) return {};
  const size_t missing = p.Given(kKeyPrefix) ? kValuePrefix : kKeyPrefix;
  return Fail(kConstraint, "{} is null and {} is given, expected both or none",
              ParameterOf(p, missing),
              ParameterOf(p, missing == kKeyPrefix ? kValuePrefix : kKeyPrefix));
}

Status CheckPrefixKind(const Problem& p) {
  if (!p.HasPrefix()) return {};
  for (int id : {kKeyPrefix, kValuePrefix}) {
    const Operand& prefix = p.at(id);
    if (prefix.dtype() != p.KeyType()) {
      return Fail(kConstraint, "{}.dtype = {}, expected {} as key", ParameterOf(p, id),
                  NameOf(prefix.dtype()), NameOf(p.KeyType()));
    }
    if (prefix.shape().rank() == p.key[0].shape().rank()) continue;
    return Fail(kConstraint, "{}.shape = {} has rank {}, expected {} as key", ParameterOf(p, id),
                prefix.shape().ToString(), prefix.shape().rank(), p.key[0].shape().rank());
  }
  return {};
}

Status CheckPrefixShapes(const Problem& p) {
  if (!p.HasPrefix()) return {};
  const Dims& key = p.at(kKeyPrefix).shape();
  const Dims& value = p.at(kValuePrefix).shape();
  if (p.at(kKeyPrefix).IsEmpty() || p.at(kValuePrefix).IsEmpty()) {
    return Fail(kConstraint, "{}.shape = {} and {}.shape = {}, expected no size 0",
                ParameterOf(p, kKeyPrefix), key.ToString(), ParameterOf(p, kValuePrefix),
                value.ToString());
  }
  const auto size = static_cast<size_t>(SizeDim(p.layout));
  if (key[size] == value[size]) return {};
  return Fail(kConstraint, "{}.shape[{}] = {}, expected {} as {}", ParameterOf(p, kValuePrefix),
              size, value[size], key[size], ParameterOf(p, kKeyPrefix));
}

Status CheckPrefixBatch(const Problem& p) {
  if (!p.HasPrefix()) return {};
  for (int id : {kKeyPrefix, kValuePrefix}) {
    if (p.at(id).shape()[0] == 1) continue;
    return Fail(kConstraint, "{}.shape[0] = {}, expected 1", ParameterOf(p, id),
                p.at(id).shape()[0]);
  }
  return {};
}

Status CheckPrefixHeads(const Problem& p) {
  if (!p.HasPrefix()) return {};
  for (int id : {kKeyPrefix, kValuePrefix}) {
    for (size_t dim = 1; dim < p.at(id).shape().rank(); ++dim) {
      if (dim == static_cast<size_t>(SizeDim(p.layout))) continue;
      if (p.at(id).shape()[dim] == p.key[0].shape()[dim]) continue;
      return Fail(kConstraint, "{}.shape[{}] = {}, expected {} as key", ParameterOf(p, id), dim,
                  p.at(id).shape()[dim], p.key[0].shape()[dim]);
    }
  }
  return {};
}

Status CheckPrefixLengthCount(const Problem& p) {
  if (!p.HasPrefix() || !p.prefix_lengths || p.prefix_lengths->size() == 1) return {};
  return Fail(kConstraint, "{} has {} entries, expected 1", ParameterOf(p, kPrefixLength),
              p.prefix_lengths->size());
}

Status CheckPrefixLength(const Problem& p) {
  if (!p.HasPrefix() || !p.prefix_lengths) return {};
  const int64_t length = (*p.prefix_lengths)[0];
  const int64_t size = p.at(kKeyPrefix).shape()[static_cast<size_t>(SizeDim(p.layout))];
  if (length >= 0 && length <= size) return {};
  return Fail(kConstraint, "{}[0] = {}, expected 0 to {}, the S of {}",
              ParameterOf(p, kPrefixLength), length, size, ParameterOf(p, kKeyPrefix));
}

Status CheckPrefixedSize(const Problem& p) {
  if (!p.HasPrefix()) return {};
  const int64_t size = p.at(kKeyPrefix).shape()[static_cast<size_t>(SizeDim(p.layout))];
  if (size + p.kv_size <= kMaxSequence) return {};
  return Fail(kConstraint, "{} and key have {} + {} tokens, expected at most {} together",
              ParameterOf(p, kKeyPrefix), size, p.kv_size, kMaxSequence);
}

Status CheckPrefixNotInt8(const Problem& p) {
  if (!p.HasPrefix() || p.QueryType() != ACL_INT8) return {};
  return Fail(kConstraint, "{} is given for an INT8 query, expected null",
              ParameterOf(p, kKeyPrefix));
}

constexpr Rule kOfPrefix[] = {
    {"PrefixesInPairs", section::kPrefix, Branch::kBoth, CheckPrefixPair},
    {"PrefixTypeAndRankAreThoseOfKey", section::kPrefix, Branch::kBoth, CheckPrefixKind},
    {"PrefixBatchIsOne", section::kPrefix, Branch::kBoth, CheckPrefixBatch},
    {"PrefixHeadsAreThoseOfKey", section::kPrefix, Branch::kBoth, CheckPrefixHeads},
    {"PrefixSizesAgree", section::kPrefix, Branch::kBoth, CheckPrefixShapes},
    {"ActualSharedPrefixLenCount", section::kPrefix, Branch::kBoth, CheckPrefixLengthCount},
    {"ActualSharedPrefixLenRange", section::kPrefix, Branch::kBoth, CheckPrefixLength},
    {"PrefixedSequenceLimit", section::kPrefix, Branch::kBoth, CheckPrefixedSize},
    {"PrefixNotWithInt8Query", section::kPrefix, Branch::kPrompt, CheckPrefixNotInt8},
};

}  // namespace

const std::span<const Rule> kPagedRules = kOfPages;
const std::span<const Rule> kLengthRules = kOfLengths;
const std::span<const Rule> kPaddingRules = kOfPadding;
const std::span<const Rule> kPrefixRules = kOfPrefix;

}  // namespace anyacl::fused_infer_attention
