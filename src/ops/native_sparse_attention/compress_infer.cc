// SPDX-License-Identifier: Apache-2.0
// aclnnNsaCompressAttentionInfer: attention to compressed keys in pages, a token a batch entry of
// the engine with a copy of its sequence's table, and then the choice of blocks.
#include "attention/plan.h"
#include "base/division.h"
#include "nnop/workspace.h"
#include "ops/native_sparse_attention/importance.h"
#include "ops/native_sparse_attention/infer.h"

namespace anyacl::native_sparse_attention {
namespace {

// A group of query heads is a divisor of it.
constexpr int64_t kGroups = 128;

class InferPlan final : public BookedPlan {
 public:
  InferPlan(attention::Params attention, ImportanceParams importance)
      : tokens_(attention.batch),
        columns_(attention.block_table.sizes[1]),
        sequences_(importance.sequences),
        pages_(importance.pages),
        attention_(attention::MakePlan(std::move(attention))),
        importance_(MakeImportance(std::move(importance))) {
    tables_ = book_.Book<int32_t>(static_cast<size_t>(tokens_ * columns_));
    workspace_ =
        book_.Book<char>(std::max(attention_->workspace_size(), importance_->workspace_size()));
  }

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    if (Status s = CopyTables(bindings); !s.ok()) return s;
    std::vector<char*> data(bindings.data.begin(), bindings.data.end());
    data.push_back(reinterpret_cast<char*>(tables_.In(bindings)));
    const Bindings inner{data, workspace_.In(bindings)};
    if (Status s = attention_->Run(inner, stop); !s.ok()) return s;
    return importance_->Run(inner, stop);
  }

 private:
  Status CopyTables(const Bindings& bindings) const {
    for (const ScoredSequence& sequence : sequences_) {
      const AttendedSequence& s = sequence.rows_and_keys;
      const KeyPlaces places(pages_, bindings, s.index, s.keys);
      for (int64_t page = 0; page * pages_.page_size < s.keys.count; ++page) {
        int64_t row = 0, run = 0;
        if (Status f = places.Find(page * pages_.page_size, 1, &row, &run); !f.ok()) return f;
        for (int64_t i = 0; i < s.rows.count; ++i) {
          tables_.In(bindings)[(s.rows.first + i) * columns_ + page] =
              static_cast<int32_t>(row / pages_.page_size);
        }
      }
    }
    return {};
  }

  const int64_t tokens_;
  const int64_t columns_;
  const std::vector<ScoredSequence> sequences_;
  const Pages pages_;
  const std::shared_ptr<const Plan> attention_, importance_;
  WorkspaceSlot<int32_t> tables_;
  WorkspaceSlot<char> workspace_;
};

// Of how many rows of a sequence the last compressed key is not seen: it ends behind their tokens.
Status ReadMasked(const Operands& operands, size_t index, AttendedSequence* s, int64_t* rows) {
  const auto lengths = operands.Ints(kSelectEnds);
  if (s->rows.count == 1 || !operands.Given(kMask)) return {};
  const Blocks sizes = {operands.Int(kCompressBlockSize), operands.Int(kCompressStride)};
  const int code = operands.spec().codes.shape;
  if (index >= lengths.size()) {
    return Fail(code,
                "{} has {} values, expected at least {}, as sequence {} has {} rows and a mask",
                operands.NameOf(kSelectEnds), lengths.size(), index + 1, index, s->rows.count);
  }
  if (sizes.Count(lengths[index]) != s->keys.count) {
    return Fail(code,
                "{}[{}] = {}, the keys of {} compressed ones, expected those of {} compressed",
                operands.NameOf(kSelectEnds), index, lengths[index], sizes.Count(lengths[index]),
                s->keys.count);
  }
  const int64_t end = (s->keys.count - 1) * sizes.stride + sizes.window;
  *rows = std::max<int64_t>(0, s->rows.count - 1 - (lengths[index] - end));
  return {};
}

// The blocks of each sequence, and what its rows see.
Status ReadSequences(const Operands& operands, const InferSizes& sizes, ImportanceParams* p) {
  std::vector<AttendedSequence> sequences;
  if (Status s = ReadLengths(operands, true, sizes, &sequences); !s.ok()) return s;
  const int64_t count = operands.Int(kSelectBlockCount);
  for (size_t b = 0; b < sequences.size(); ++b) {
    ScoredSequence scored{sequences[b]};
    Status s = ReadMasked(operands, b, &sequences[b], &scored.rows_without_last);
    if (!s.ok()) return s;
    const int64_t tokens = (sequences[b].keys.count - 1) * operands.Int(kCompressStride) +
                           operands.Int(kCompressBlockSize);
    scored.blocks = CeilDivide(tokens, operands.Int(kSelectBlockSize));
    if (scored.blocks < count) {
      return Fail(operands.spec().codes.shape,
                  "selectBlockCount = {}, expected at most {}, the blocks of sequence {}", count,
                  scored.blocks, b);
    }
    p->sequences.push_back(scored);
  }
  return {};
}

// Compressed keys of all heads in pages.
attention::TokenMap InPages(const TensorView& rows, int64_t page_size) {
  attention::TokenMap map;
  map.slot = rows.slot;
  map.base = rows.offset * BytesOf(rows);
  map.unit = rows.strides[2] * BytesOf(rows);
  map.head = rows.strides[1] * BytesOf(rows);
  map.token = rows.strides[0] * BytesOf(rows);
  map.block = page_size * map.token;
  return map;
}

attention::Params AttentionOf(const Operands& operands, const InferSizes& sizes,
                              const ImportanceParams& p) {
  attention::Params a;
  // TND: rows behind those of all sequences belong to none.
  const Rows& last = p.sequences.back().rows_and_keys.rows;
  a.batch = sizes.ragged ? last.first + last.count : sizes.tokens;
  auto lengths = std::make_shared<IntArray>(static_cast<size_t>(a.batch));
  for (const ScoredSequence& s : p.sequences) {
    const auto& [index, rows, keys] = s.rows_and_keys;
    for (int64_t i = 0; i < rows.count; ++i) {
      const int64_t seen = keys.count - (i < s.rows_without_last ? 1 : 0);
      (*lengths)[static_cast<size_t>(rows.first + i)] = seen;
    }
    a.max_kv_length = std::max(a.max_kv_length, keys.count);
  }
  a.kv_lengths = std::move(lengths);
  a.query_size = 1;
  a.kv_heads = sizes.key_heads;
  a.group = sizes.heads / sizes.key_heads;
  a.dim = sizes.dim;
  a.value_dim = sizes.value_dim;
  a.kv_size = a.max_kv_length;
  a.scale = p.scale;
  a.masked_score = -__builtin_inff();
  a.correct_rows = true;
  a.query_type = a.cache_type = a.out_type = ElementOf(p.query.dtype);
  a.query = WithDim(Sliced(p.query, 0, 0, a.batch), 2);
  const TensorView out = RowsOf(operands, kAttention, sizes.tokens, sizes.heads);
  a.out = WithDim(Sliced(out, 0, 0, a.batch), 2);
  const int64_t rows = sizes.pages.page_count * sizes.pages.page_size;
  a.keys = {InPages(p.key, sizes.pages.page_size)};
  a.values = {InPages(RowsOf(operands, kValue, rows, sizes.key_heads), sizes.pages.page_size)};
  a.block_size = sizes.pages.page_size;
  a.block_count = sizes.pages.page_count;
  const int64_t columns = CeilDivide(a.max_kv_length, sizes.pages.page_size);
  // Behind the call's own tensors.
  a.block_table = {.slot = static_cast<int>(operands.Slots().size()),
                   .dtype = ACL_INT32,
                   .rank = 2,
                   .sizes = {a.batch, columns},
                   .strides = {columns, 1}};
  return a;
}

}  // namespace

Status PrepareCompressInfer(Operands& operands, PreparedCall* call) {
  InferSizes sizes;
  if (Status s = CheckInfer(operands, {.bsh = false, .group = kGroups}, &sizes); !s.ok()) return s;
  if (kGroups % (sizes.heads / sizes.key_heads) != 0) {
    return Fail(operands.spec().codes.shape,
                "numHeads = {} and numKeyValueHeads = {}, expected 1, 2, 4 ... or {} times as many",
                sizes.heads, sizes.key_heads, kGroups);
  }
  if (operands.Given(kMask) && !ElementCount(operands[kMask].shape())) {
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected the sizes of a tensor",
                operands.NameOf(kMask), operands[kMask].shape().ToString());
  }
  if (Status s = CheckBlockSizes(operands); !s.ok()) return s;
  Status indices =
      CheckRows(operands, kIndices, sizes, {sizes.key_heads, operands.Int(kSelectBlockCount)});
  if (!indices.ok()) return indices;
  ImportanceParams p;
  if (Status s = ReadSequences(operands, sizes, &p); !s.ok()) return s;
  p.query = RowsOf(operands, kQuery, sizes.tokens, sizes.heads);
  p.key = RowsOf(operands, kKey, sizes.pages.page_count * sizes.pages.page_size, sizes.key_heads);
  p.indices = RowsOf(operands, kIndices, sizes.tokens, sizes.key_heads);
  p.scale = static_cast<float>(operands.Real(kScale));
  p.overlap = {.block_steps = operands.Int(kSelectBlockSize) / operands.Int(kCompressStride),
               .key_steps = operands.Int(kCompressBlockSize) / operands.Int(kCompressStride)};
  p.pages = sizes.pages;
  p.ends_first = true;
  attention::Params attention = AttentionOf(operands, sizes, p);
  call->plan = std::make_shared<InferPlan>(std::move(attention), std::move(p));
  return {};
}

}  // namespace anyacl::native_sparse_attention
