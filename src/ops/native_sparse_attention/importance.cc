// SPDX-License-Identifier: Apache-2.0
// Some tokens at a time against all keys of their sequence. Scores are products of the matrix
// engine in fp32 on every tier: which blocks are chosen must not depend on it.
#include "ops/native_sparse_attention/importance.h"

#include <algorithm>

#include "base/division.h"
#include "gemm/gemm.h"
#include "kernels.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/entries.h"
#include "ops/native_sparse_attention/head_rows.h"
#include "runtime/parallel.h"

namespace anyacl::native_sparse_attention {
namespace {

constexpr int64_t kMostTokens = 16;
// Of fp32, 4 MiB: scores that stay in L2 and L3 until they are summed up.
constexpr int64_t kScores = 1 << 20;
constexpr int64_t kColumnStep = 64, kMostColumns = 1024;

int64_t MostKeys(const ImportanceParams& p) {
  int64_t most = 1;
  for (const ScoredSequence& s : p.sequences) most = std::max(most, s.rows_and_keys.keys.count);
  return most;
}

int64_t MostRows(const ImportanceParams& p) {
  int64_t most = 1;
  for (const ScoredSequence& s : p.sequences) most = std::max(most, s.rows_and_keys.rows.count);
  return most;
}

class ImportancePlan final : public BookedPlan {
 public:
  explicit ImportancePlan(ImportanceParams params)
      : p_(std::move(params)),
        group_(p_.query.sizes[1] / p_.key.sizes[1]),
        dim_(p_.query.sizes[2]),
        columns_(std::min(RoundUp(MostKeys(p_), kColumnStep), kMostColumns)),
        row_(RoundUp(MostKeys(p_), columns_)),
        tokens_(
            std::clamp<int64_t>(kScores / (group_ * row_), 1, std::min(kMostTokens, MostRows(p_)))),
        product_(Product()) {
    queries_ = book_.Book<uint16_t>(static_cast<size_t>(tokens_ * group_ * dim_));
    keys_ = book_.Book<uint16_t>(static_cast<size_t>(columns_ * dim_));
    scores_ = book_.Book<float>(static_cast<size_t>(tokens_ * group_ * row_));
    sums_ = book_.Book<float>(static_cast<size_t>(tokens_ * row_));
    masked_ = book_.Book<int8_t>(static_cast<size_t>(tokens_ * row_));
    entries_ = book_.Book<uint64_t>(static_cast<size_t>(tokens_ * row_));
    scratch_ = book_.Book<char>(product_.workspace_bytes());
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    for (const ScoredSequence& s : p_.sequences) {
      for (int64_t head = 0; head < p_.key.sizes[1]; ++head) {
        const int64_t count = s.rows_and_keys.rows.count;
        for (int64_t first = 0; first < count; first += tokens_) {
          const Rows rows{first, std::min(tokens_, count - first)};
          if (Status f = Score(bindings, s.rows_and_keys, head, rows); !f.ok()) return f;
          ParallelFor(rows.count, 1, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) Choose(bindings, s, head, first + i, i);
          });
        }
      }
    }
    return {};
  }

 private:
  gemm::Problem Product() const {
    gemm::Problem p;
    const Element type = ElementOf(p_.query.dtype);
    p.rows = tokens_ * group_;
    p.columns = columns_;
    p.depth = dim_;
    p.a = {.type = type, .row_step = dim_};
    p.b = {.type = type, .row_step = 1, .column_step = dim_};
    p.c = {.type = Element::kFp32, .row_step = row_};
    p.same_bits = true;
    return p;
  }

  // Products of some rows of a sequence, the first ones of the scratch, with all of its keys.
  Status Score(const Bindings& bindings, const AttendedSequence& s, int64_t head,
               const Rows& rows) const {
    uint16_t* const queries = queries_.In(bindings);
    const HeadRows from_queries(p_.query, bindings), from_keys(p_.key, bindings);
    std::fill_n(queries, tokens_ * group_ * dim_, uint16_t{0});
    for (int64_t i = 0; i < rows.count; ++i) {
      const int64_t row = s.rows.first + rows.first + i;
      from_queries.CopyHeads(row, head * group_, group_, queries + i * group_ * dim_);
    }
    const KeyPlaces places(p_.pages, bindings, s.index, s.keys);
    for (int64_t key = 0; key < s.keys.count; key += columns_) {
      const int64_t count = std::min(columns_, s.keys.count - key);
      uint16_t* const keys = keys_.In(bindings);
      for (int64_t done = 0, run = 0; done < count; done += run) {
        int64_t row = 0;
        if (Status f = places.Find(key + done, count - done, &row, &run); !f.ok()) return f;
        from_keys.CopyRows(row, run, head, keys + done * dim_);
      }
      std::fill(keys + count * dim_, keys + columns_ * dim_, uint16_t{0});
      product_.Run({.a = queries, .b = keys, .c = scores_.In(bindings) + key},
                   scratch_.In(bindings));
    }
    return {};
  }

  // `row` of the sequence, whose scores are those of number `i`.
  void Choose(const Bindings& bindings, const ScoredSequence& s, int64_t head, int64_t row,
              int64_t i) const {
    const int64_t keys = s.rows_and_keys.keys.count;
    const int64_t seen = keys - (row < s.rows_without_last ? 1 : 0);
    float* const sums = sums_.In(bindings) + i * row_;
    std::fill_n(sums, keys, 0.0f);
    const int8_t* masked = nullptr;
    if (p_.mask.given()) {
      int8_t* const bytes = masked_.In(bindings) + i * row_;
      CopyBytes(bindings, p_.mask, row, keys, bytes);
      masked = bytes;
    }
    for (int64_t g = 0; g < group_; ++g) {
      Kernels().native_sparse_attention.add_probabilities(
          scores_.In(bindings) + (i * group_ + g) * row_, masked, p_.scale, seen, sums);
    }
    uint64_t* const entries = entries_.In(bindings) + i * row_;
    const int64_t blocks = s.blocks;
    for (int64_t block = 0; block < blocks; ++block) {
      const bool first = p_.ends_first && (block == 0 || block + 2 >= blocks);
      const float importance = first ? __builtin_inff() : Importance(sums, keys, block);
      entries[block] = blocks::FallingEntryOf(importance, block);
    }
    if (p_.chosen.given()) {
      int8_t* const bytes = masked_.In(bindings) + i * row_;
      CopyBytes(bindings, p_.chosen, row, blocks, bytes);
      for (int64_t block = 0; block < blocks; ++block) {
        if (bytes[block] == 0) continue;
        entries[block] = blocks::FallingEntryOf(__builtin_inff(), block);
      }
    }
    const TensorView& out = p_.indices;
    blocks::SortFirst(entries, out.sizes[2], blocks);
    auto* const to = reinterpret_cast<int32_t*>(out.Address(bindings)) +
                     (s.rows_and_keys.rows.first + row) * out.strides[0] + head * out.strides[1];
    for (int64_t k = 0; k < out.sizes[2]; ++k) {
      to[k * out.strides[2]] = static_cast<int32_t>(blocks::PlaceOf(entries[k]));
    }
  }

  static void CopyBytes(const Bindings& bindings, const TensorView& view, int64_t row,
                        int64_t count, int8_t* to) {
    const char* const from = view.Address(bindings) + row * view.strides[0];
    blocks::Copier(1)({const_cast<char*>(from), 1, count, 0, view.strides[1], false},
                      {reinterpret_cast<char*>(to), 1, count, 0, 1, false});
  }

  // Of the pairs of a step within the block and one within a compressed key, those that lead to
  // each compressed key.
  float Importance(const float* sums, int64_t keys, int64_t block) const {
    const auto [in_block, in_key] = p_.overlap;
    float sum = 0;
    for (int64_t back = 0; back < in_block + in_key - 1; ++back) {
      const int64_t key = (block + 1) * in_block - back;
      if (key < 0 || key >= keys) continue;
      const int64_t pairs = std::min({back + 1, in_block, in_key, in_block + in_key - 1 - back});
      sum += static_cast<float>(pairs) * sums[key];
    }
    return sum;
  }

  const ImportanceParams p_;
  const int64_t group_;
  const int64_t dim_;
  const int64_t columns_;  // keys of a piece
  const int64_t row_;      // scores from row to row
  const int64_t tokens_;   // at a time
  const gemm::Plan product_;
  WorkspaceSlot<uint16_t> queries_, keys_;
  WorkspaceSlot<float> scores_, sums_;
  WorkspaceSlot<int8_t> masked_;
  WorkspaceSlot<uint64_t> entries_;
  WorkspaceSlot<char> scratch_;
};

}  // namespace

std::shared_ptr<const Plan> MakeImportance(ImportanceParams params) {
  return std::make_shared<ImportancePlan>(std::move(params));
}

}  // namespace anyacl::native_sparse_attention
