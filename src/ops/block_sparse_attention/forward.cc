// SPDX-License-Identifier: Apache-2.0
// aclnnBlockSparseAttention on the engine of attention: of each head the blocks of queries are
// batch entries, and the keys are a cache in blocks, whose table follows from the mask when the
// task runs. Rows behind the last whole block are a call of their own.
#include <limits>
#include <set>
#include <utility>

#include "attention/plan.h"
#include "base/division.h"
#include "nnop/workspace.h"
#include "ops/block_sparse_attention/problem.h"
#include "ops/blocks/blocks.h"
#include "runtime/parallel.h"

namespace anyacl::block_sparse_attention {
namespace {

using attention::Params;

struct ForwardParams {
  Problem problem;
  TensorView query, key, value, out, lse;  // [batch][head][row][column]
  int table_slot = 0;
  Element type = Element::kFp16;
};

class ForwardPlan final : public BookedPlan {
 public:
  explicit ForwardPlan(ForwardParams params)
      : f_(std::move(params)),
        most_blocks_(CeilDivide(p().most_keys(), p().block_keys)),
        most_entries_(std::max<int64_t>(1, p().most_rows() / p().block_rows)) {
    tables_ = book_.Book<int32_t>(most_entries_, most_blocks_);
    uint64_t most = 0;
    const auto allow = [&](int64_t count, int64_t most_rows) {
      if (count == 0 || most_rows == 0 || most_blocks_ == 0) return;
      most = std::max(most, attention::MostWorkspace(ParamsOf({}, 0, count, most_rows), most_rows,
                                                     p().most_keys()));
    };
    std::set<int64_t> counts;
    int64_t most_rest = 0;
    for (const Sequence& q : p().sequences) {
      counts.insert(q.rows / p().block_rows);
      most_rest = std::max(most_rest, q.rows % p().block_rows);
    }
    for (const int64_t count : counts) allow(count, p().block_rows);
    allow(1, most_rest);
    workspace_ = book_.Book<char>(most);
  }

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    for (int64_t b = 0; b < p().batch; ++b) {
      const Sequence& s = p().SequenceOf(b);
      for (int64_t head = 0; head < p().heads; ++head) {
        const int64_t whole = s.keys == 0 ? 0 : s.rows / p().block_rows;
        const int64_t rest = s.keys == 0 ? 0 : s.rows % p().block_rows;
        const Part parts[] = {{b, head, 0, whole, p().block_rows}, {b, head, whole, 1, rest}};
        for (const Part& part : parts) {
          if (part.count == 0 || part.rows == 0) continue;
          if (Status f = Attend(bindings, part, stop); !f.ok()) return f;
        }
        Clear(bindings, b, head, s.keys == 0 ? 0 : s.rows);
      }
    }
    if (p().ragged) ClearBehind(bindings);
    return {};
  }

 private:
  // Some blocks of the rows of a head, all of so many rows.
  struct Part {
    int64_t b = 0, head = 0, first = 0, count = 0, rows = 0;
  };

  const Problem& p() const { return f_.problem; }

  Status Attend(const Bindings& bindings, const Part& part, const StopToken& stop) const {
    auto lengths = std::make_shared<IntArray>();
    for (int64_t i = 0; i < part.count; ++i) {
      int32_t* table = tables_.In(bindings) + i * most_blocks_;
      int64_t length = 0;
      p().ForChosen(bindings, part.b, part.head, part.first + i, [&](int64_t block, int64_t keys) {
        *table++ = static_cast<int32_t>(block);
        length += keys;
      });
      lengths->push_back(length);
    }
    std::vector<char*> data(bindings.data.begin(), bindings.data.end());
    data.push_back(reinterpret_cast<char*>(tables_.In(bindings)));
    Params params = ParamsOf(part, part.first * p().block_rows, part.count, part.rows);
    params.kv_lengths = std::move(lengths);
    return attention::MakePlan(params)->Run({data, workspace_.In(bindings)}, stop);
  }

  // `count` blocks of `rows` rows each from row `first` of the part's sequence on.
  Params ParamsOf(const Part& part, int64_t first, int64_t count, int64_t rows) const {
    const Sequence& s = p().SequenceOf(part.b);
    const int64_t key_head = part.head / (p().heads / p().key_heads);
    const auto rows_of = [&](const TensorView& view) {
      if (!view.given()) return view;
      TensorView blocks = view;
      blocks.offset =
          attention::RowAt(view, p().ragged ? 0 : part.b, part.head, s.first_row + first);
      blocks.sizes[0] = count;
      blocks.sizes[1] = 1;
      blocks.sizes[2] = rows;
      blocks.strides[0] = p().block_rows * view.strides[2];
      blocks.strides[1] = 0;
      return blocks;
    };
    const auto cache_of = [&](TensorView view) {
      view.offset = attention::RowAt(view, p().ragged ? 0 : part.b, key_head, s.first_key);
      attention::TokenMap map = attention::TokensOf(view);
      map.batch = map.head = 0;
      map.block = p().block_keys * map.token;
      return map;
    };
    Params a;
    a.batch = count;
    a.query_size = rows;
    a.kv_heads = a.group = 1;
    a.dim = a.value_dim = p().dim;
    a.kv_size = a.max_kv_length = p().most_keys();
    a.scale = p().scale;
    a.masked_score = -std::numeric_limits<float>::infinity();
    a.correct_rows = true;
    a.query_type = a.cache_type = a.out_type = f_.type;
    a.query = rows_of(f_.query);
    a.out = rows_of(f_.out);
    a.lse = rows_of(f_.lse);
    a.keys = {cache_of(f_.key)};
    a.values = {cache_of(f_.value)};
    a.block_size = p().block_keys;
    a.block_count = most_blocks_;
    a.block_table = {.slot = f_.table_slot,
                     .dtype = ACL_INT32,
                     .rank = 2,
                     .sizes = {count, most_blocks_},
                     .strides = {most_blocks_, 1}};
    return a;
  }

  // Rows from `first` on of a sequence in a padded layout see nothing.
  void Clear(const Bindings& bindings, int64_t b, int64_t head, int64_t first) const {
    const Sequence& s = p().SequenceOf(b);
    const int64_t end = p().ragged ? s.rows : p().row_size;
    for (int64_t row = first; row < end; ++row) {
      ClearRow(bindings, p().ragged ? 0 : b, head, s.first_row + row);
    }
  }
  // Rows of no sequence.
  void ClearBehind(const Bindings& bindings) const {
    const Sequence& last = p().sequences.back();
    for (int64_t row = last.first_row + last.rows; row < p().row_size; ++row) {
      for (int64_t head = 0; head < p().heads; ++head) ClearRow(bindings, 0, head, row);
    }
  }
  void ClearRow(const Bindings& bindings, int64_t b, int64_t head, int64_t row) const {
    static constexpr float kZeros[attention::kMaxDim] = {};
    const auto at = [&](const TensorView& view) {
      return bindings.data[static_cast<size_t>(view.slot)] +
             attention::RowAt(view, b, head, row) * BytesOf(view);
    };
    blocks::StoreRow(kZeros, p().dim, f_.out.dtype, at(f_.out), f_.out.strides[3]);
    if (!f_.lse.given()) return;
    blocks::StoreOne(std::numeric_limits<float>::infinity(), f_.lse.dtype, at(f_.lse));
  }

  const ForwardParams f_;
  const int64_t most_blocks_, most_entries_;
  WorkspaceSlot<int32_t> tables_;
  WorkspaceSlot<char> workspace_;
};

}  // namespace

Status PrepareForward(Operands& operands, PreparedCall* call) {
  ForwardParams f;
  Problem& p = f.problem;
  if (Status s = CheckProblem(operands, &p); !s.ok()) return s;
  const bool wants_lse = operands.Int(kLseFlag) == 1;
  if (wants_lse && !operands.Given(kLse)) {
    return Fail(operands.spec().codes.null,
                "softmaxLseOptional is null, expected a tensor as softmaxLseFlag = 1");
  }
  // A block that holds all rows, or all keys, ends with them.
  p.block_rows = std::min(p.block_rows, std::max<int64_t>(1, p.most_rows()));
  p.block_keys = std::min(p.block_keys, std::max<int64_t>(1, p.most_keys()));
  f.query = ViewByHead(operands, p, kQuery);
  f.key = ViewByHead(operands, p, kKey);
  f.value = ViewByHead(operands, p, kValue);
  f.out = ViewByHead(operands, p, kOut);
  if (wants_lse) f.lse = ViewByHead(operands, p, kLse);
  f.table_slot = static_cast<int>(operands.Slots().size());
  f.type = ElementOf(operands[kQuery].dtype());
  call->plan = std::make_shared<ForwardPlan>(std::move(f));
  return {};
}

}  // namespace anyacl::block_sparse_attention
