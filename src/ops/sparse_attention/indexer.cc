// SPDX-License-Identifier: Apache-2.0
// aclnnLightningIndexer and aclnnQuantLightningIndexer, and aclnnDenseLightningIndexerSoftmaxLse,
// which sums scores up instead: some tokens of a sequence at a time against its keys, piece by
// piece. Rows of queries and keys are brought together and made up with zeros, so that all products
// have one shape. They are multiplied in fp32 on every tier, or as integers: indices must not
// depend on it.
#include <algorithm>
#include <cstring>

#include "base/division.h"
#include "base/half_types.h"
#include "gemm/gemm.h"
#include "kernels.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/entries.h"
#include "ops/sparse_attention/sequences.h"
#include "runtime/parallel.h"

namespace anyacl::sparse_attention {
namespace {

constexpr int64_t kMostTokens = 16;
// Of fp32, 4 MiB: products that stay in L2 and L3 until they are summed up.
constexpr int64_t kProducts = 1 << 20;
constexpr int64_t kLeastColumns = 512, kMostColumns = 8192, kColumnStep = 64;
static_assert(kColumnStep % kVector == 0);
// 5 us.
constexpr int64_t kWorthScores = 1 << 14;

struct IndexerParams {
  Geometry geometry;
  SplitRows query, weights, indices, values, key;
  // Instead of indices: the largest score of a token's keys, and the sum of their exponentials.
  SplitRows max, sum;
  // Of INT8: what the numbers of a head, and of a key, stand for.
  SplitRows query_scale, key_scale;
  int64_t count = 0;
};

class IndexerPlan final : public BookedPlan {
 public:
  explicit IndexerPlan(const IndexerParams& params)
      : p_(params),
        // Sequences of one token each are not made up to sixteen.
        most_tokens_(std::clamp<int64_t>(CeilDivide(g().tokens, g().batch), 1, kMostTokens)),
        most_rows_(std::min(kMostTokens, g().tokens)),
        columns_(std::min(
            std::clamp(kProducts / (most_tokens_ * g().heads), kLeastColumns, kMostColumns) /
                kColumnStep * kColumnStep,
            RoundUp(g().key_size, kColumnStep))),
        row_(RoundUp(g().key_size, columns_)),
        bytes_(BytesOf(params.query)),
        sequences_(g(), &book_),
        product_(ProblemOf(rows(), columns_, ElementOf(params.query.dtype), !params.max.given())) {
    queries_ = book_.Book<char>(static_cast<size_t>(rows() * kIndexerDim * bytes_));
    keys_ = book_.Book<char>(static_cast<size_t>(columns_ * kIndexerDim * bytes_));
    if (scaled()) {
      query_scales_ = book_.Book<float>(static_cast<size_t>(rows()));
      key_scales_ = book_.Book<float>(static_cast<size_t>(columns_));
    }
    weights_ = book_.Book<float>(static_cast<size_t>(rows()));
    products_ = book_.Book<float>(static_cast<size_t>(rows() * columns_));
    scores_ = book_.Book<float>(static_cast<size_t>(most_rows_ * row_));
    const int64_t slots = std::min(ThreadCount(), most_rows_);
    if (!p_.max.given()) entries_ = book_.Book<uint64_t>(slots, g().key_size);
    found_ = book_.Book<float>(slots, p_.count);
    scratch_ = book_.Book<char>(product_.workspace_bytes());
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (Status s = sequences_.Read(bindings); !s.ok()) return s;
    const std::span<const Sequence> sequences = sequences_.All(bindings);
    std::vector<Row> rows;
    for (size_t b = 0; b < sequences.size(); ++b) {
      const Sequence& s = sequences[b];
      const KeyRows keys = sequences_.KeysOf(bindings, b);
      for (int64_t i = 0; i < s.rows; i += most_tokens_) {
        const int64_t tokens = std::min(most_tokens_, s.rows - i);
        const auto waiting = static_cast<int64_t>(rows.size());
        if (waiting + tokens > most_rows_) Choose(bindings, &rows);
        const int64_t visible = s.Visible(g(), std::min(i + tokens, s.count) - 1);
        if (i < s.count && visible > 0) {
          Score(bindings, s, keys, i, std::min(tokens, s.count - i), visible,
                scores_.In(bindings) + static_cast<int64_t>(rows.size()) * row_);
        }
        for (int64_t t = i; t < i + tokens; ++t) {
          rows.push_back({s.first + t, s.Visible(g(), t)});
        }
      }
    }
    Choose(bindings, &rows);
    return {};
  }

 private:
  // A token whose scores wait to be chosen from.
  struct Row {
    int64_t token;
    int64_t visible;
  };

  const Geometry& g() const { return p_.geometry; }
  int64_t rows() const { return most_tokens_ * g().heads; }
  bool scaled() const { return p_.query_scale.given(); }

  static gemm::Problem ProblemOf(int64_t rows, int64_t columns, Element type, bool same_bits) {
    gemm::Problem p;
    p.rows = rows;
    p.columns = columns;
    p.depth = kIndexerDim;
    p.a = {.type = type, .row_step = kIndexerDim};
    p.b = {.type = type, .row_step = 1, .column_step = kIndexerDim};
    p.c = {.type = Element::kFp32, .row_step = columns};
    p.same_bits = same_bits;
    p.has_row_scale = p.has_column_scale = type == Element::kInt8;
    return p;
  }

  static float NumberAt(const TensorView& view, const char* at) {
    return FloatAt(ElementOf(view.dtype), at, 0);
  }

  void LoadQueries(const Bindings& bindings, const Sequence& s, int64_t first,
                   int64_t tokens) const {
    const int64_t heads = g().heads;
    const int64_t row_bytes = kIndexerDim * bytes_;
    char* const queries = queries_.In(bindings);
    float* const weights = weights_.In(bindings);
    for (int64_t r = 0; r < tokens * heads; ++r) {
      const int64_t token = s.first + first + r / heads;
      CopyNumbers(RowAt(p_.query, bindings, token, r % heads), p_.query.strides[2], kIndexerDim,
                  queries + r * row_bytes, bytes_);
      weights[r] = NumberAt(p_.weights, RowAt(p_.weights, bindings, token, r % heads));
      if (!scaled()) continue;
      query_scales_.In(bindings)[r] =
          NumberAt(p_.query_scale, RowAt(p_.query_scale, bindings, token, r % heads));
    }
    std::fill(queries + tokens * heads * row_bytes, queries + rows() * row_bytes, char{0});
    if (scaled()) {
      std::fill_n(query_scales_.In(bindings) + tokens * heads, rows() - tokens * heads, 0.0f);
    }
  }

  // Column j of a piece; -1: zeros.
  void LoadKey(const Bindings& bindings, int64_t j, int64_t row) const {
    char* const to = keys_.In(bindings) + j * kIndexerDim * bytes_;
    if (row < 0) {
      std::fill_n(to, kIndexerDim * bytes_, char{0});
    } else {
      CopyNumbers(RowAt(p_.key, bindings, row, 0), p_.key.strides[2], kIndexerDim, to, bytes_);
    }
    if (!scaled()) return;
    key_scales_.In(bindings)[j] =
        row < 0 ? 0 : NumberAt(p_.key_scale, RowAt(p_.key_scale, bindings, row, 0));
  }

  // The scores of `tokens` tokens from number `first` on, of the keys that the last one sees.
  void Score(const Bindings& bindings, const Sequence& s, const KeyRows& key_rows, int64_t first,
             int64_t tokens, int64_t visible, float* scores) const {
    LoadQueries(bindings, s, first, tokens);
    const float* const products = products_.In(bindings);
    for (int64_t begin = 0; begin < visible; begin += columns_) {
      const int64_t count = std::min(columns_, visible - begin);
      ParallelFor(columns_, 256, [&](int64_t from, int64_t to) {
        for (int64_t j = from; j < to; ++j) {
          LoadKey(bindings, j, j < count ? key_rows.At(begin + j) : -1);
        }
      });
      gemm::Addresses addresses = {
          .a = queries_.In(bindings), .b = keys_.In(bindings), .c = products_.In(bindings)};
      if (scaled()) {
        addresses.row_scale = query_scales_.In(bindings);
        addresses.column_scale = key_scales_.In(bindings);
      }
      product_.Run(addresses, scratch_.In(bindings));
      const int64_t pieces = columns_ / kColumnStep;
      const int64_t grain = CeilDivide(kWorthScores, g().heads * kColumnStep);
      ParallelFor(tokens * pieces, grain, [&](int64_t from, int64_t to) {
        for (int64_t i = from; i < to; ++i) {
          const int64_t token = i / pieces, column = i % pieces * kColumnStep;
          Kernels().sparse_attention.sum_rectified(
              products + token * g().heads * columns_ + column, columns_,
              weights_.In(bindings) + token * g().heads, g().heads, kColumnStep,
              scores + token * row_ + begin + column);
        }
      });
    }
  }

  // Short sequences together: a sort is one thread's.
  void Choose(const Bindings& bindings, std::vector<Row>* rows) const {
    const auto count = static_cast<int64_t>(rows->size());
    ParallelFor(count, 1, [&](int64_t begin, int64_t end, int64_t slot) {
      uint64_t* const entries = entries_.In(bindings) + slot * g().key_size;
      float* const found = found_.In(bindings) + slot * p_.count;
      for (int64_t i = begin; i < end; ++i) {
        const auto [token, visible] = (*rows)[static_cast<size_t>(i)];
        const float* const scores = scores_.In(bindings) + i * row_;
        if (p_.max.given()) {
          Summarise(bindings, token, scores, visible);
          continue;
        }
        for (int64_t j = 0; j < visible; ++j) entries[j] = blocks::FallingEntryOf(scores[j], j);
        const int64_t chosen = std::min(visible, p_.count);
        blocks::SortFirst(entries, chosen, visible);
        Write(bindings, token, {entries, static_cast<size_t>(chosen)}, scores, found);
      }
    });
    rows->clear();
  }

  // Of a token that sees no key both are 0, as those of attention.
  void Summarise(const Bindings& bindings, int64_t token, const float* scores,
                 int64_t visible) const {
    const auto& softmax = Kernels().rowwise.fp32.softmax;
    const float max = visible > 0 ? softmax.max(scores, visible) : 0;
    const double sum = softmax.exp_sum(scores, visible, max, nullptr);
    *reinterpret_cast<float*>(RowAt(p_.max, bindings, token, 0)) = max;
    *reinterpret_cast<float*>(RowAt(p_.sum, bindings, token, 0)) = static_cast<float>(sum);
  }

  void Write(const Bindings& bindings, int64_t token, std::span<const uint64_t> chosen,
             const float* scores, float* found) const {
    auto* to = reinterpret_cast<int32_t*>(RowAt(p_.indices, bindings, token, 0));
    const auto count = static_cast<int64_t>(chosen.size());
    for (int64_t k = 0; k < p_.count; ++k, to += p_.indices.strides[2]) {
      *to = k < count ? static_cast<int32_t>(blocks::PlaceOf(chosen[static_cast<size_t>(k)])) : -1;
    }
    if (!p_.values.given()) return;
    for (int64_t k = 0; k < p_.count; ++k) {
      found[k] =
          k < count ? scores[blocks::PlaceOf(chosen[static_cast<size_t>(k)])] : -__builtin_inff();
    }
    blocks::StoreRow(found, p_.count, p_.values.dtype, RowAt(p_.values, bindings, token, 0),
                     p_.values.strides[2]);
  }

  const IndexerParams p_;
  const int64_t most_tokens_;  // that are multiplied at a time
  const int64_t most_rows_;    // whose scores are kept
  const int64_t columns_;      // keys of a piece
  const int64_t row_;          // scores from token to token
  const int64_t bytes_;        // of a number of queries and keys
  const Sequences sequences_;
  const gemm::Plan product_;
  WorkspaceSlot<char> queries_, keys_;
  WorkspaceSlot<float> weights_, query_scales_, key_scales_, products_, scores_, found_;
  WorkspaceSlot<uint64_t> entries_;
  WorkspaceSlot<char> scratch_;
};

Status CheckCount(const Operands& operands) {
  constexpr int64_t kMostFree = 2048, kMost = 8192, kStep = 1024;
  const int code = operands.spec().codes.shape;
  const int64_t count = operands.Int(kCount);
  if (count >= 1 && count <= kMostFree) return {};
  if (operands.HasRow(kQueryScale)) {
    return Fail(code, "sparseCount = {}, expected 1 to {}", count, kMostFree);
  }
  if (count > 0 && count <= kMost && count % kStep == 0) return {};
  return Fail(code, "sparseCount = {}, expected 1 to {}, or a multiple of {} up to {}", count,
              kMostFree, kStep, kMost);
}

// A number for each head of a token and for each key.
Status CheckScales(const Operands& operands, const Geometry& g) {
  if (!operands.HasRow(kQueryScale)) return {};
  for (int id : {kQueryQuantMode, kKeyQuantMode}) {
    if (operands.Int(id) == 0) continue;
    return Fail(operands.spec().codes.shape,
                "{} = {}, expected 0: a factor for each token and head", operands.NameOf(id),
                operands.Int(id));
  }
  if (Status s = CheckTokenShape(operands, g, kQueryScale, {g.heads}); !s.ok()) return s;
  Dims expected;
  const Dims& key = operands[kKey].shape();
  for (size_t i = 0; i + 1 < key.rank(); ++i) expected.push_back(key[i]);
  return CheckShapeIs(operands, kKeyScale, expected);
}

// Values only where they are asked for.
Status CheckValues(const Operands& operands, const Geometry& g) {
  if (!operands.HasRow(kReturnValues)) return {};
  if (Status s = CheckAskedFor(operands, kValues, kReturnValues); !s.ok()) return s;
  if (!operands.Flag(kReturnValues)) return {};
  if (g.keys == Keys::kBlocks) {
    return Fail(operands.spec().codes.shape,
                "returnValues is true, expected false as layoutKeyOptional is PA_BSND");
  }
  return CheckTokenShape(operands, g, kValues, {1, operands.Int(kCount)});
}

Status CheckWeights(const Operands& operands) {
  const aclDataType type = operands[kQuery].dtype(), weight = operands[kWeights].dtype();
  if (type == ACL_INT8 || weight == type || weight == ACL_FLOAT) return {};
  return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} as {}, or FLOAT",
              operands.NameOf(kWeights), NameOf(weight), NameOf(type), operands.NameOf(kQuery));
}

}  // namespace

Status PrepareIndexer(Operands& operands, PreparedCall* call) {
  IndexerParams p;
  Geometry& g = p.geometry;
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  if (Status s = CheckWeights(operands); !s.ok()) return s;
  if (Status s = CheckGeometry(operands, {.dim = kIndexerDim, .heads = kMostIndexerHeads}, &g);
      !s.ok())
    return s;
  if (Status s = CheckCount(operands); !s.ok()) return s;
  p.count = operands.Int(kCount);
  if (Status s = CheckScales(operands, g); !s.ok()) return s;
  if (Status s = CheckTokenShape(operands, g, kWeights, {g.heads}); !s.ok()) return s;
  if (Status s = CheckTokenShape(operands, g, kIndices, {1, p.count}); !s.ok()) return s;
  if (Status s = CheckValues(operands, g); !s.ok()) return s;
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  for (const auto& [id, rows] : {std::pair{kQuery, &p.query},
                                 {kWeights, &p.weights},
                                 {kIndices, &p.indices},
                                 {kQueryScale, &p.query_scale},
                                 {kValues, &p.values}}) {
    if (!operands.HasRow(id) || (id == kValues && !operands.Flag(kReturnValues))) continue;
    *rows = Split(ViewOf(operands, id), !g.ragged);
  }
  p.key = Split(ViewOf(operands, kKey), g.keys != Keys::kRagged);
  if (operands.HasRow(kKeyScale)) {
    p.key_scale = Split(ViewOf(operands, kKeyScale), g.keys != Keys::kRagged);
  }
  call->plan = std::make_shared<IndexerPlan>(p);
  return {};
}

Status PrepareIndexerStatistics(Operands& operands, PreparedCall* call) {
  IndexerParams p;
  Geometry& g = p.geometry;
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  if (Status s = CheckWeights(operands); !s.ok()) return s;
  if (Status s = CheckLayouts(operands, &g); !s.ok()) return s;
  if (Status s = CheckIsCausal(operands, g); !s.ok()) return s;
  if (operands[kQuery].IsEmpty()) return {};
  const GeometryLimits limits = {
      .dim = kIndexerDim, .heads = kMostIndexerHeads, .any_window_of_all = true};
  if (Status s = CheckGeometry(operands, limits, &g); !s.ok()) return s;
  if (Status s = CheckTokenShape(operands, g, kWeights, {g.heads}); !s.ok()) return s;
  for (int id : {kMax, kSum}) {
    if (Status s = CheckRowStatistic(operands, g, id); !s.ok()) return s;
  }
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  p.query = Split(ViewOf(operands, kQuery), !g.ragged);
  p.key = Split(ViewOf(operands, kKey), !g.ragged);
  p.weights = Split(ViewOf(operands, kWeights), !g.ragged);
  p.max = SplitStatistic(operands, g, kMax);
  p.sum = SplitStatistic(operands, g, kSum);
  call->plan = std::make_shared<IndexerPlan>(p);
  return {};
}

}  // namespace anyacl::sparse_attention
