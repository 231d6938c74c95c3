// SPDX-License-Identifier: Apache-2.0
// Rules of the calls that V2 does not know: ropes, ragged layouts, layouts of the output, heads of
// values of another size, sinks. Their sections are of the documents of V3 and V4.
#include "attention/kernel.h"
#include "ops/fused_infer_attention/rules.h"

namespace anyacl::fused_infer_attention {
namespace {

constexpr char kMla[] = "MLA";
constexpr char kTnd[] = "TND";
constexpr int64_t kRopeDim = 64;
static_assert(kMaxHeadSize + kRopeDim <= attention::kMaxDim);
constexpr size_t kMaxEntries = 4096;

// Of the document's tables of sizes: heads of queries, keys and values.
constexpr int64_t kWideDim = 192, kNarrowValues = 128, kLatentDim = 512, kRopedDim = 128;

Status CheckRopePair(const Problem& p) {
  if (p.Given(kQueryRope) == p.Given(kKeyRope)) return {};
  const int missing = p.Given(kQueryRope) ? kKeyRope : kQueryRope;
  return Fail(kConstraint, "{} is null and {} is given, expected both or none",
              ParameterOf(p, missing), ParameterOf(p, missing == kKeyRope ? kQueryRope : kKeyRope));
}

Status CheckQueryMode(const Problem& p) {
  const int64_t expected = p.HasQueryScale() ? 3 : 0;
  if (p.args.query_mode == expected) return {};
  return Fail(kConstraint, "queryQuantMode = {}, expected {} {} dequantScaleQueryOptional",
              p.args.query_mode, expected, expected == 3 ? "with" : "without");
}

Status CheckExtendedPseType(const Problem& p) {
  if (p.args.pse_type != 0) return Fail(kConstraint, "pseType = {}, expected 0", p.args.pse_type);
  for (const auto& [id, name] :
       {std::pair(kQueryStart, "qStartIdxOptional"), std::pair(kKvStart, "kvStartIdxOptional")}) {
    const std::shared_ptr<const IntArray> start =
        p.version < 5 ? nullptr : p.operands.IntArrayAt(id);
    if (start == nullptr || start->empty()) continue;
    return Fail(kConstraint, "{} is given for pseType = 0, expected null", name);
  }
  return {};
}

constexpr Rule kOfVersions[] = {
    {"RopesInPairs", kMla, Branch::kBoth, CheckRopePair},
    {"QueryQuantMode", section::kParameters, Branch::kBoth, CheckQueryMode},
    {"PseTypeIsZero", section::kParameters, Branch::kBoth, CheckExtendedPseType},
};

const char* KindOf(const Problem& p) {
  if (p.HasRope()) return "queryRopeOptional";
  if (p.Given(kSink)) return "learnableSinkOptional";
  if (p.HasTreeMask()) return "sparseMode = 9";
  if (p.layout != p.out_layout || p.Ragged()) return p.args.layout;
  return "a cache of rank 5 or values with heads of another size";
}

Status CheckFeatures(const Problem& p) {
  for (int id : {kPseShift, kQueryPadding, kKvPadding, kKeyPrefix, kValuePrefix, kAntiquantScale,
                 kAntiquantOffset, kKeyOffset, kValueOffset, kDeqScale1, kQuantScale1, kDeqScale2,
                 kQuantScale2, kQuantOffset2}) {
    if (!p.Given(id)) continue;
    return Fail(kConstraint, "{} is given with {}, expected null", ParameterOf(p, id), KindOf(p));
  }
  return {};
}

Status CheckNoLists(const Problem& p) {
  if (p.key.size() == 1 && p.value.size() == 1) return {};
  return Fail(kConstraint, "key has {} and value {} tensors with {}, expected 1", p.key.size(),
              p.value.size(), KindOf(p));
}

Status CheckInnerPrecise(const Problem& p) {
  if (p.args.inner_precise >= 0 && p.args.inner_precise <= 3) return {};
  return Fail(kConstraint, "innerPrecise = {}, expected 0 to 3", p.args.inner_precise);
}

// INT8 stands for one of the two quantised forms, and nothing else.
Status CheckExtendedTypes(const Problem& p) {
  const bool int8_query = p.QueryType() == ACL_INT8;
  if (int8_query != p.HasQueryScale()) {
    return Fail(kConstraint, "dequantScaleQueryOptional is {} for query.dtype = {}, expected {}",
                p.HasQueryScale() ? "given" : "null", NameOf(p.QueryType()),
                int8_query ? "scales" : "null");
  }
  if (p.OutType() == ACL_INT8) {
    return Fail(kConstraint, "attentionOut.dtype = INT8 with {}, expected FLOAT16 or BF16",
                KindOf(p));
  }
  const bool cache = p.KeyType() == p.QueryType() ||
                     (p.KeyType() == ACL_INT8 && p.QueryType() == ACL_BF16 && !p.HasRope());
  if (!cache) {
    return Fail(kConstraint, "key.dtype = {} for query.dtype = {} with {}, expected {}{}",
                NameOf(p.KeyType()), NameOf(p.QueryType()), KindOf(p), NameOf(p.QueryType()),
                p.QueryType() == ACL_BF16 && !p.HasRope() ? " or INT8" : "");
  }
  if (!p.HasRope()) return {};
  const aclDataType rope = int8_query ? ACL_BF16 : p.QueryType();
  for (int id : {kQueryRope, kKeyRope}) {
    if (p.at(id).dtype() == rope) continue;
    return Fail(kConstraint, "{}.dtype = {}, expected {} for query.dtype = {}", ParameterOf(p, id),
                NameOf(p.at(id).dtype()), NameOf(rope), NameOf(p.QueryType()));
  }
  return {};
}

constexpr Rule kOfFeatures[] = {
    {"ExtendedFeatures", kMla, Branch::kBoth, CheckFeatures},
    {"ExtendedLists", kMla, Branch::kBoth, CheckNoLists},
    {"ExtendedInnerPrecise", section::kParameters, Branch::kBoth, CheckInnerPrecise},
    {"ExtendedTypes", kMla, Branch::kBoth, CheckExtendedTypes},
};

Status CheckRank(const Problem& p, int id, size_t expected) {
  if (p.at(id).shape().rank() == expected) return {};
  return Fail(kConstraint, "{}.shape = {} has rank {}, expected {} for inputLayout \"{}\"",
              ParameterOf(p, id), p.at(id).shape().ToString(), p.at(id).shape().rank(), expected,
              p.args.layout == nullptr ? "BSH" : p.args.layout);
}

Status CheckRanks(const Problem& p) {
  const size_t rank = AxesOf(p.layout).rank;
  if (Status s = CheckRank(p, kQuery, rank); !s.ok()) return s;
  if (Status s = CheckRank(p, kAttentionOut, AxesOf(p.out_layout).rank); !s.ok()) return s;
  for (int id : {kKey, kValue}) {
    const Dims& shape = p.at(id).shape();
    if (!p.Given(kBlockTable)) {
      if (Status s = CheckRank(p, id, rank); !s.ok()) return s;
    } else if (shape.rank() < 3 || shape.rank() > 5) {
      return Fail(kConstraint, "{}.shape = {} has rank {}, expected 3, 4 or 5 for a paged cache",
                  ParameterOf(p, id), shape.ToString(), shape.rank());
    }
  }
  return {};
}

Status CheckRaggedGiven(const Problem& p) {
  if (!p.Ragged()) return {};
  for (const auto& [lengths, name] :
       {std::pair(p.query_lengths.get(), "actualSeqLengthsOptional"),
        std::pair(p.kv_lengths.get(), "actualSeqLengthsKvOptional")}) {
    if (lengths == nullptr) {
      return Fail(kConstraint, "{} is null or empty, expected lengths for inputLayout \"{}\"", name,
                  p.args.layout);
    }
    if (lengths->size() <= kMaxEntries && lengths->size() == p.query_lengths->size()) continue;
    return Fail(kConstraint, "{} has {} entries, expected at most {} and as many as query's", name,
                lengths->size(), kMaxEntries);
  }
  return {};
}

// Sums of the lengths so far, none above the size of the tensor.
Status CheckSums(const Problem& p, const IntArray& sums, const char* name, int id) {
  const int64_t size = p.at(id).shape()[static_cast<size_t>(SizeDim(p.layout))];
  int64_t last = 0;
  for (size_t i = 0; i < sums.size(); ++i) {
    if (sums[i] < last || sums[i] > size) {
      return Fail(kConstraint,
                  "{}[{}] = {}, expected {} to {}: sums of lengths, within {}.shape = {}", name, i,
                  sums[i], last, size, ParameterOf(p, id), p.at(id).shape().ToString());
    }
    last = sums[i];
  }
  return {};
}

Status CheckRaggedSums(const Problem& p) {
  if (!p.Ragged()) return {};
  if (Status s = CheckSums(p, *p.query_lengths, "actualSeqLengthsOptional", kQuery); !s.ok())
    return s;
  if (p.Given(kBlockTable)) return {};
  return CheckSums(p, *p.kv_lengths, "actualSeqLengthsKvOptional", kKey);
}

constexpr Rule kOfExtendedRanks[] = {
    {"ExtendedRanks", section::kParameters, Branch::kBoth, CheckRanks},
    {"RaggedLayoutsNeedLengths", kTnd, Branch::kBoth, CheckRaggedGiven},
    {"RaggedLengthsAreSums", kTnd, Branch::kBoth, CheckRaggedSums},
};

Status CheckHeadSizes(const Problem& p) {
  if (p.HasRope()) {
    if ((p.dim == kLatentDim || p.dim == kRopedDim) && p.value_dim == p.dim) return {};
    return Fail(
        kConstraint,
        "the head sizes of query and value are {} and {}, expected {} or {}, and equal, with "
        "queryRopeOptional",
        p.dim, p.value_dim, kLatentDim, kRopedDim);
  }
  const bool narrow = p.dim == kWideDim && p.value_dim == kNarrowValues;
  const bool fits = p.dim > 0 && p.dim <= kMaxHeadSize && p.dim % 16 == 0;
  if (fits && (p.value_dim == p.dim || narrow)) return {};
  return Fail(kConstraint,
              "the head sizes of query and value are {} and {}, expected a multiple of 16 up to {} "
              "and the same, or {} and {}",
              p.dim, p.value_dim, kMaxHeadSize, kWideDim, kNarrowValues);
}

Status CheckLatentHeads(const Problem& p) {
  if (!p.HasRope() || p.dim != kLatentDim) return {};
  const bool power = (p.heads & (p.heads - 1)) == 0;
  if (p.kv_heads != 1) {
    return Fail(kConstraint, "numKeyValueHeads = {}, expected 1 for heads of size {} with ropes",
                p.kv_heads, kLatentDim);
  }
  if (!power || p.heads > 128) {
    return Fail(kConstraint,
                "numHeads = {}, expected 1, 2, 4, ... or 128 for heads of size {} with ropes",
                p.heads, kLatentDim);
  }
  if (p.paged) return {};
  return Fail(kConstraint,
              "blockTableOptional is null, expected a paged cache for heads of size {} with ropes",
              kLatentDim);
}

Status CheckExtendedOut(const Problem& p) {
  const Dims& query = p.at(kQuery).shape();
  const Axes from = AxesOf(p.layout), to = AxesOf(p.out_layout);
  Dims expected = p.at(kAttentionOut).shape();  // of the right rank
  if (to.batch >= 0) expected[static_cast<size_t>(to.batch)] = p.batch;
  expected[static_cast<size_t>(to.size)] = query[static_cast<size_t>(from.size)];
  if (to.head >= 0) expected[static_cast<size_t>(to.head)] = p.heads;
  expected[expected.rank() - 1] = to.head < 0 ? p.heads * p.value_dim : p.value_dim;
  if (p.at(kAttentionOut).shape() == expected) return {};
  return Fail(kConstraint, "attentionOut.shape = {}, expected {}",
              p.at(kAttentionOut).shape().ToString(), expected.ToString());
}

// As query, or as a cache that is not paged, but for the size of heads.
Status CheckRopeLike(const Problem& p, int id, int like, int64_t heads) {
  Dims expected = p.at(like).shape();
  expected[expected.rank() - 1] = p.layout == Layout::kBsh ? heads * kRopeDim : kRopeDim;
  if (p.at(id).shape() == expected) return {};
  return Fail(kConstraint, "{}.shape = {}, expected {}: as {}, with heads of {}",
              ParameterOf(p, id), p.at(id).shape().ToString(), expected.ToString(),
              ParameterOf(p, like), kRopeDim);
}

Status CheckQueryRope(const Problem& p) {
  return p.HasRope() ? CheckRopeLike(p, kQueryRope, kQuery, p.heads) : Status();
}

Status CheckSinkShape(const Problem& p) {
  if (!p.Given(kSink)) return {};
  if (p.at(kSink).shape() != Dims{p.heads} || p.at(kSink).dtype() != p.QueryType()) {
    return Fail(kConstraint,
                "learnableSinkOptional is {} {}, expected {} [{}]: one number per head",
                NameOf(p.at(kSink).dtype()), p.at(kSink).shape().ToString(), NameOf(p.QueryType()),
                p.heads);
  }
  if (p.value_dim == 64 || p.value_dim == 128) return {};
  return Fail(kConstraint,
              "the head size of value is {}, expected 64 or 128 with learnableSinkOptional",
              p.value_dim);
}

constexpr Rule kOfSizes[] = {
    {"ExtendedHeadSizes", kMla, Branch::kBoth, CheckHeadSizes},
    {"LatentHeads", kMla, Branch::kBoth, CheckLatentHeads},
    {"ExtendedAttentionOutShape", section::kParameters, Branch::kBoth, CheckExtendedOut},
    {"QueryRopeShape", kMla, Branch::kBoth, CheckQueryRope},
    {"LearnableSink", section::kParameters, Branch::kBoth, CheckSinkShape},
};

// One of the three forms of pages, each of so many heads of a size; `piece`: elements that lie
// together in FRACTAL_NZ.
Status CheckPages(const Problem& p, int id, int64_t dim, int64_t piece) {
  const Dims& shape = p.at(id).shape();
  const int64_t blocks = p.at(kKey).shape()[0], size = p.args.block_size, heads = p.kv_heads;
  if (shape.rank() == p.at(kKey).shape().rank() &&
      IsOneOf(shape, {{blocks, size, heads * dim},
                      {blocks, heads, size, dim},
                      {blocks, heads, dim / piece, size, piece}}))
    return {};
  return Fail(kConstraint,
              "{}.shape = {}, expected [{}, {}, {}], [{}, {}, {}, {}] or [{}, {}, {}, {}, {}], the "
              "same form as key: blocks of blockSize = {} tokens",
              ParameterOf(p, id), shape.ToString(), blocks, size, heads * dim, blocks, heads, size,
              dim, blocks, heads, dim / piece, size, piece, size);
}

Status CheckPagedCache(const Problem& p) {
  if (!p.paged) return {};
  const int64_t size = p.args.block_size;
  if (size <= 0 || size > 1024 || size % 16 != 0) {
    return Fail(kConstraint, "blockSize = {}, expected a multiple of 16 from 16 to 1024", size);
  }
  const int64_t piece = p.KeyType() == ACL_INT8 ? 32 : 16;
  if (Status s = CheckPages(p, kKey, p.dim, piece); !s.ok()) return s;
  if (Status s = CheckPages(p, kValue, p.value_dim, piece); !s.ok()) return s;
  return p.HasRope() ? CheckPages(p, kKeyRope, kRopeDim, 16) : Status();
}

Status CheckCache(const Problem& p) {
  if (p.paged) return {};
  const Dims& key = p.at(kKey).shape();
  const Axes axes = AxesOf(p.layout);
  Dims expected = key;
  if (axes.batch >= 0) expected[static_cast<size_t>(axes.batch)] = p.batch;
  if (axes.head >= 0) expected[static_cast<size_t>(axes.head)] = p.kv_heads;
  const int64_t rows = axes.head < 0 ? p.kv_heads : 1;
  expected[expected.rank() - 1] = rows * p.dim;
  if (key != expected) {
    return Fail(kConstraint, "key.shape = {}, expected {}", key.ToString(), expected.ToString());
  }
  expected[expected.rank() - 1] = rows * p.value_dim;
  if (p.at(kValue).shape() != expected) {
    return Fail(kConstraint, "value.shape = {}, expected {}", p.at(kValue).shape().ToString(),
                expected.ToString());
  }
  return p.HasRope() ? CheckRopeLike(p, kKeyRope, kKey, p.kv_heads) : Status();
}

constexpr Rule kOfCaches[] = {
    {"ExtendedPages", section::kPages, Branch::kBoth, CheckPagedCache},
    {"ExtendedCache", section::kParameters, Branch::kBoth, CheckCache},
};

Status CheckScaleShape(const Problem& p, int id, std::initializer_list<Dims> shapes,
                       aclDataType type) {
  if (p.Given(id) && p.at(id).dtype() == type && IsOneOf(p.at(id).shape(), shapes)) return {};
  std::string text;
  for (const Dims& shape : shapes) text += (text.empty() ? "" : " or ") + shape.ToString();
  if (!p.Given(id)) {
    return Fail(kConstraint, "{} is null, expected {} {}", ParameterOf(p, id), NameOf(type), text);
  }
  return Fail(kConstraint, "{} is {} {}, expected {} {}", ParameterOf(p, id),
              NameOf(p.at(id).dtype()), p.at(id).shape().ToString(), NameOf(type), text);
}

// An INT8 query of latent heads: a scale per row and head, and one for all keys and all values.
Status CheckQuantisedQuery(const Problem& p) {
  if (!p.HasQueryScale()) return {};
  if (!p.HasRope() || p.dim != kLatentDim || p.at(kKey).shape().rank() != 5) {
    return Fail(
        kConstraint,
        "query.dtype = INT8 with a head size of {} {} ropes and a key of rank {}, expected {}, "
        "ropes and 5",
        p.dim, p.HasRope() ? "with" : "without", p.at(kKey).shape().rank(), kLatentDim);
  }
  const Dims& query = p.at(kQuery).shape();
  Dims rows{p.batch, p.query_size, p.heads};
  if (p.layout != Layout::kBsh) {
    rows = query.rank() == 4 ? Dims{query[0], query[1], query[2]} : Dims{query[0], query[1]};
  }
  if (Status s = CheckScaleShape(p, kQueryScale, {rows}, ACL_FLOAT); !s.ok()) return s;
  for (int id : {kKeyScale, kValueScale}) {
    if (Status s = CheckScaleShape(p, id, {Dims{1}}, ACL_FLOAT); !s.ok()) return s;
  }
  for (const auto& [name, mode] : {std::pair("keyAntiquantMode", p.args.key_mode),
                                   std::pair("valueAntiquantMode", p.args.value_mode)}) {
    if (mode != 0) return Fail(kConstraint, "{} = {}, expected 0 for an INT8 query", name, mode);
  }
  return {};
}

// INT8 keys and values in FRACTAL_NZ for a query of BF16.
Status CheckQuantisedCache(const Problem& p) {
  if (p.HasQueryScale()) return {};
  if (p.KeyType() == p.QueryType()) {
    for (int id : {kKeyScale, kValueScale}) {
      if (!p.Given(id)) continue;
      return Fail(kConstraint, "{} is given for key.dtype = {}, expected null", ParameterOf(p, id),
                  NameOf(p.KeyType()));
    }
    return {};
  }
  if (p.at(kKey).shape().rank() != 5 || p.Given(kSink)) {
    return Fail(kConstraint, "key.dtype = INT8 with key.shape = {}{}, expected rank 5{}",
                p.at(kKey).shape().ToString(), p.Given(kSink) ? " and learnableSinkOptional" : "",
                p.Given(kSink) ? " and null" : "");
  }
  const int64_t mode = p.args.key_mode, n = p.kv_heads, d = p.dim;
  if ((mode != 0 && mode != 1) || p.args.value_mode != mode) {
    return Fail(kConstraint,
                "keyAntiquantMode = {} and valueAntiquantMode = {}, expected 0 or 1, and equal",
                mode, p.args.value_mode);
  }
  const int64_t tokens =
      p.at(kBlockTable).shape().rank() == 2 ? p.at(kBlockTable).shape()[1] * p.args.block_size : 0;
  for (int id : {kKeyScale, kValueScale}) {
    if (mode == 0) {
      const Status s = CheckScaleShape(p, id, {{n, d}, {n, 1, d}, {n * d}}, ACL_BF16);
      if (!s.ok()) return s;
      continue;
    }
    const bool fits = p.Given(id) && p.at(id).dtype() == ACL_FLOAT &&
                      p.at(id).shape().rank() == 2 && p.at(id).shape()[0] == p.batch &&
                      p.at(id).shape()[1] >= tokens;
    if (fits) continue;
    return Fail(kConstraint, "{} is {}, expected FLOAT [{}, {}] or more columns",
                ParameterOf(p, id), p.Given(id) ? p.at(id).shape().ToString() : "null", p.batch,
                tokens);
  }
  return {};
}

constexpr Rule kOfQuant[] = {
    {"QuantisedLatentQuery", kMla, Branch::kBoth, CheckQuantisedQuery},
    {"QuantisedFractalCache", section::kAntiquant, Branch::kBoth, CheckQuantisedCache},
};

Status CheckTable(const Problem& p) {
  if (!p.paged) return {};
  const Dims& table = p.at(kBlockTable).shape();
  if (p.kv_lengths == nullptr) {
    return Fail(
        kConstraint,
        "actualSeqLengthsKvOptional is null or empty, expected lengths as blockTableOptional "
        "is given");
  }
  constexpr int64_t kMaxTokens = int64_t{1} << 40;
  if (table.rank() == 2 && table[0] == p.batch && p.max_kv_length <= kMaxTokens &&
      table[1] >= p.max_blocks)
    return {};
  return Fail(kConstraint, "blockTableOptional.shape = {}, expected [{}, {}] or more columns",
              table.ToString(), p.batch, p.max_blocks);
}

Status CheckTreeMask(const Problem& p) {
  if (!p.HasTreeMask()) return {};
  if (!p.HasMask()) {
    return Fail(kConstraint,
                "attenMaskOptional is null or empty, expected a mask for sparseMode = 9");
  }
  const Dims& mask = p.at(kAttenMask).shape();
  int64_t squares = 0;
  for (int64_t b = 0; b < p.batch; ++b) {
    squares += p.QueryLength(b) * p.QueryLength(b);
    if (p.QueryLength(b) <= p.KvLength(b)) continue;
    return Fail(
        kConstraint,
        "batch entry {} has {} query rows and {} tokens, expected at least as many tokens for "
        "sparseMode = 9",
        b, p.QueryLength(b), p.KvLength(b));
  }
  const Dims expected = p.Ragged() ? Dims{squares} : Dims{p.batch, p.query_size, p.query_size};
  if (mask == expected) return {};
  return Fail(kConstraint, "attenMaskOptional.shape = {}, expected {} for sparseMode = 9",
              mask.ToString(), expected.ToString());
}

Status CheckExtendedSparseMode(const Problem& p) {
  const int64_t mode = p.args.sparse_mode;
  if ((mode >= 0 && mode <= 4) || mode == Problem::kTreeMode) return {};
  return Fail(kConstraint, "sparseMode = {}, expected 0 to 4 or 9", mode);
}

// Rows of a full mask count from the start of an entry, which ragged layouts do not have.
Status CheckRaggedMask(const Problem& p) {
  if (!p.Ragged() || !p.HasMask() || p.args.sparse_mode > 1) return {};
  return Fail(
      kConstraint,
      "attenMaskOptional is given for inputLayout \"{}\" and sparseMode = {}, expected null, or "
      "sparseMode = 2, 3, 4 or 9",
      p.args.layout, p.args.sparse_mode);
}

constexpr Rule kOfTables[] = {
    {"ExtendedBlockTable", section::kPages, Branch::kBoth, CheckTable},
};

constexpr Rule kOfExtendedMasks[] = {
    {"ExtendedSparseMode", section::kParameters, Branch::kBoth, CheckExtendedSparseMode},
    {"RaggedMask", kTnd, Branch::kBoth, CheckRaggedMask},
    {"TreeMask", section::kParameters, Branch::kBoth, CheckTreeMask},
};

Status CheckLse(const Problem& p) {
  if (!p.args.lse_flag) return {};
  const Dims expected =
      p.Ragged() ? Dims{p.total_rows, p.heads, 1} : Dims{p.batch, p.heads, p.query_size, 1};
  if (p.at(kSoftmaxLse).shape() == expected) return {};
  return Fail(kConstraint, "softmaxLse.shape = {}, expected {}",
              p.at(kSoftmaxLse).shape().ToString(), expected.ToString());
}

constexpr Rule kOfExtendedOutputs[] = {
    {"ExtendedSoftmaxLseShape", section::kParameters, Branch::kBoth, CheckLse},
};

}  // namespace

const std::span<const Rule> kVersionRules = kOfVersions;
const std::span<const Rule> kExtendedFeatureRules = kOfFeatures;
const std::span<const Rule> kExtendedRankRules = kOfExtendedRanks;
const std::span<const Rule> kExtendedSizeRules = kOfSizes;
const std::span<const Rule> kExtendedCacheRules = kOfCaches;
const std::span<const Rule> kExtendedQuantRules = kOfQuant;
const std::span<const Rule> kExtendedTableRules = kOfTables;
const std::span<const Rule> kExtendedMaskRules = kOfExtendedMasks;
const std::span<const Rule> kExtendedOutputRules = kOfExtendedOutputs;

}  // namespace anyacl::fused_infer_attention
