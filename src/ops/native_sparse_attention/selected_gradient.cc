// SPDX-License-Identifier: Apache-2.0
// aclnnNsaSelectedAttentionGrad: for each head of keys some tokens at a time. The keys of a token
// are brought together, all products are the matrix engine's, and what a token adds to the
// gradients of its keys goes to sums in fp32, token after token.
#include <algorithm>

#include "attention/kernel.h"
#include "gemm/batched.h"
#include "kernels.h"
#include "nnop/workspace.h"
#include "ops/blocks/row_sums.h"
#include "ops/native_sparse_attention/head_rows.h"
#include "ops/native_sparse_attention/selected.h"
#include "runtime/parallel.h"

namespace anyacl::native_sparse_attention {
namespace {

// What is brought together at a time; a token of 1,024 keys of 192 and 128 numbers takes 2 MiB.
constexpr int64_t kBytes = 32 << 20;
constexpr int64_t kMostGradientTokens = 16;
// Whose gradients one thread stores: keys.
constexpr int64_t kKeysOfPiece = 64;

struct SelectedGradientParams {
  SelectedCall call;
  // [row][head][number]
  TensorView query, key, value, out, dy, max, sum, dq, dk, dv;
};

struct Sizes {
  int64_t group, dim, value_dim;
  int64_t keys;    // of a token, made up to whole vectors
  int64_t tokens;  // at a time
  Element type;

  explicit Sizes(const SelectedGradientParams& p)
      : group(p.query.sizes[1] / p.key.sizes[1]),
        dim(p.query.sizes[2]),
        value_dim(p.value.sizes[2]),
        keys(p.call.selection.most_keys()),
        type(ElementOf(p.query.dtype)) {
    const int64_t bytes = keys * (6 * (dim + value_dim) + 8 * group + 4);
    int64_t longest = 1;
    for (const AttendedSequence& s : p.call.sequences) longest = std::max(longest, s.rows.count);
    tokens = std::clamp<int64_t>(kBytes / bytes, 1, std::min(kMostGradientTokens, longest));
  }

  gemm::Factor Rows(int64_t numbers) const { return {type, numbers, 1, group * numbers}; }
  gemm::Factor Keys(int64_t numbers) const { return {type, numbers, 1, keys * numbers}; }
  gemm::Factor Scores() const { return {Element::kFp32, keys, 1, group * keys}; }
};

class GradientPlan final : public BookedPlan {
 public:
  explicit GradientPlan(SelectedGradientParams params)
      : p_(std::move(params)),
        z_(p_),
        scores_of_(gemm::ProblemOf({z_.tokens, z_.group, z_.keys, z_.dim}, z_.Rows(z_.dim),
                                   z_.Keys(z_.dim).Turned())),
        dp_of_(gemm::ProblemOf({z_.tokens, z_.group, z_.keys, z_.value_dim}, z_.Rows(z_.value_dim),
                               z_.Keys(z_.value_dim).Turned())),
        dq_of_(
            gemm::ProblemOf({z_.tokens, z_.group, z_.dim, z_.keys}, z_.Scores(), z_.Keys(z_.dim))),
        dk_of_(gemm::ProblemOf({z_.tokens, z_.keys, z_.dim, z_.group}, z_.Scores().Turned(),
                               z_.Rows(z_.dim))),
        dv_of_(gemm::ProblemOf({z_.tokens, z_.keys, z_.value_dim, z_.group}, z_.Scores().Turned(),
                               z_.Rows(z_.value_dim))) {
    const auto book = [&]<class T>(WorkspaceSlot<T>& slot, int64_t rows, int64_t numbers) {
      slot = book_.Book<T>(static_cast<size_t>(rows) * static_cast<size_t>(numbers));
    };
    const int64_t rows = z_.tokens * z_.group, keys = z_.tokens * z_.keys;
    book(lists_, keys, 1);
    book(q_, rows, z_.dim);
    book(dy_, rows, z_.value_dim);
    book(k_, keys, z_.dim);
    book(v_, keys, z_.value_dim);
    book(p_scores_, rows, z_.keys);
    book(ds_, rows, z_.keys);
    book(dq_, rows, z_.dim);
    book(dk_, keys, z_.dim);
    book(dv_, keys, z_.value_dim);
    book(numbers_, 2 * z_.tokens, z_.value_dim);
    int64_t longest = 0;
    for (const AttendedSequence& s : p_.call.sequences) longest = std::max(longest, s.keys.count);
    key_sums_ = blocks::RowSums(&book_, longest, z_.dim);
    value_sums_ = blocks::RowSums(&book_, longest, z_.value_dim);
    uint64_t most = 0;
    for (const gemm::Plan* plan : {&scores_of_, &dp_of_, &dq_of_, &dk_of_, &dv_of_}) {
      most = std::max(most, plan->workspace_bytes());
    }
    scratch_ = book_.Book<char>(most);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    for (int64_t head = 0; head < p_.key.sizes[1]; ++head) {
      for (const AttendedSequence& s : p_.call.sequences) {
        if (Status f = AddSequence(bindings, s, head); !f.ok()) return f;
      }
    }
    const AttendedSequence& last = p_.call.sequences.back();
    ClearFrom(bindings, last.rows.first + last.rows.count, p_.dq);
    for (const TensorView* of_keys : {&p_.dk, &p_.dv}) {
      ClearFrom(bindings, last.keys.first + last.keys.count, *of_keys);
    }
    return {};
  }

 private:
  // What the tokens of a chunk have in common.
  struct Chunk {
    int64_t head;
    Rows rows;
    Rows keys;
    std::vector<int64_t> counts;  // of each token's keys
  };

  // Rows that no sequence has do not change what was computed.
  static void ClearFrom(const Bindings& bindings, int64_t first, const TensorView& view) {
    static constexpr float kZeros[attention::kMaxDim] = {};
    const HeadRows rows(view, bindings);
    ParallelFor(view.sizes[0] - first, kKeysOfPiece, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        for (int64_t head = 0; head < view.sizes[1]; ++head) {
          rows.Store(kZeros, first + i, head);
        }
      }
    });
  }

  Status AddSequence(const Bindings& bindings, const AttendedSequence& s, int64_t head) const {
    key_sums_.Clear(bindings, s.keys.count);
    value_sums_.Clear(bindings, s.keys.count);
    for (int64_t i = 0; i < s.rows.count; i += z_.tokens) {
      Chunk chunk{head, {s.rows.first + i, std::min(z_.tokens, s.rows.count - i)}, s.keys, {}};
      for (int64_t t = 0; t < chunk.rows.count; ++t) {
        int64_t count = 0;
        int32_t* const list = lists_.In(bindings) + t * z_.keys;
        if (Status f = p_.call.selection.Read(bindings, s, i + t, head, list, &count); !f.ok()) {
          return f;
        }
        chunk.counts.push_back(count);
      }
      Multiply(bindings, chunk);
      AddSums(bindings, chunk);
    }
    const HeadRows dk(p_.dk, bindings), dv(p_.dv, bindings);
    key_sums_.ForRows(bindings, s.keys.count, [&](int64_t key, const float* sums) {
      dk.Store(sums, s.keys.first + key, head);
    });
    value_sums_.ForRows(bindings, s.keys.count, [&](int64_t key, const float* sums) {
      dv.Store(sums, s.keys.first + key, head);
    });
    return {};
  }

  void Multiply(const Bindings& bindings, const Chunk& chunk) const {
    char* const scratch = scratch_.In(bindings);
    ParallelFor(chunk.rows.count, 1, [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t) Gather(bindings, chunk, t);
    });
    float* const p = p_scores_.In(bindings);
    float* const ds = ds_.In(bindings);
    scores_of_.Run({.a = q_.In(bindings), .b = k_.In(bindings), .c = p}, scratch);
    dp_of_.Run({.a = dy_.In(bindings), .b = v_.In(bindings), .c = ds}, scratch);
    ParallelFor(chunk.rows.count, 1, [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t) Differentiate(bindings, chunk, t);
    });
    dq_of_.Run({.a = ds, .b = k_.In(bindings), .c = dq_.In(bindings)}, scratch);
    dk_of_.Run({.a = ds, .b = q_.In(bindings), .c = dk_.In(bindings)}, scratch);
    dv_of_.Run({.a = p, .b = dy_.In(bindings), .c = dv_.In(bindings)}, scratch);
    const HeadRows dq(p_.dq, bindings);
    ParallelFor(chunk.rows.count * z_.group, 16, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        dq.Store(dq_.In(bindings) + i * z_.dim, chunk.rows.first + i / z_.group,
                 chunk.head * z_.group + i % z_.group);
      }
    });
  }

  // Of token number t its rows, its keys and their values, made up with zeros.
  void Gather(const Bindings& bindings, const Chunk& chunk, int64_t t) const {
    const int64_t row = chunk.rows.first + t, first_head = chunk.head * z_.group;
    const int64_t count = chunk.counts[static_cast<size_t>(t)];
    const int32_t* const list = lists_.In(bindings) + t * z_.keys;
    const auto rows = [&](const TensorView& view, const WorkspaceSlot<uint16_t>& to) {
      HeadRows(view, bindings)
          .CopyHeads(row, first_head, z_.group, to.In(bindings) + t * z_.group * view.sizes[2]);
    };
    rows(p_.query, q_);
    rows(p_.dy, dy_);
    const auto keys = [&](const TensorView& view, const WorkspaceSlot<uint16_t>& slot) {
      const HeadRows from(view, bindings);
      uint16_t* const to = slot.In(bindings) + t * z_.keys * view.sizes[2];
      for (int64_t j = 0; j < count; ++j) {
        from.CopyRows(list[j], 1, chunk.head, to + j * view.sizes[2]);
      }
      std::fill(to + count * view.sizes[2], to + z_.keys * view.sizes[2], uint16_t{0});
    };
    keys(p_.key, k_);
    keys(p_.value, v_);
  }

  // From products to probabilities and the derivatives of scores.
  void Differentiate(const Bindings& bindings, const Chunk& chunk, int64_t t) const {
    const HeadRows out(p_.out, bindings), dy(p_.dy, bindings);
    float* const numbers = numbers_.In(bindings) + 2 * t * z_.value_dim;
    const auto statistic = [&](const TensorView& view, int64_t head) {
      return *reinterpret_cast<const float*>(
          HeadRows(view, bindings).At(chunk.rows.first + t, head));
    };
    for (int64_t g = 0; g < z_.group; ++g) {
      const int64_t head = chunk.head * z_.group + g, at = (t * z_.group + g) * z_.keys;
      out.Load(chunk.rows.first + t, head, numbers);
      dy.Load(chunk.rows.first + t, head, numbers + z_.value_dim);
      const auto& kernels = Kernels().native_sparse_attention;
      kernels.differentiate({.p = p_scores_.In(bindings) + at,
                             .ds = ds_.In(bindings) + at,
                             .count = chunk.counts[static_cast<size_t>(t)],
                             .all = z_.keys,
                             .scale = p_.call.scale,
                             .max = statistic(p_.max, head),
                             .sum = statistic(p_.sum, head),
                             .delta = kernels.dot(numbers, numbers + z_.value_dim, z_.value_dim)});
    }
  }

  // What the tokens have for their keys, in their order.
  void AddSums(const Bindings& bindings, const Chunk& chunk) const {
    for (int64_t t = 0; t < chunk.rows.count; ++t) {
      const std::span<const int32_t> list(
          lists_.In(bindings) + t * z_.keys,
          static_cast<size_t>(chunk.counts[static_cast<size_t>(t)]));
      key_sums_.Add(bindings, list, dk_.In(bindings) + t * z_.keys * z_.dim, 0, z_.dim,
                    chunk.keys.first);
      value_sums_.Add(bindings, list, dv_.In(bindings) + t * z_.keys * z_.value_dim, 0,
                      z_.value_dim, chunk.keys.first);
    }
  }

  const SelectedGradientParams p_;
  const Sizes z_;
  const gemm::Plan scores_of_, dp_of_, dq_of_, dk_of_, dv_of_;
  WorkspaceSlot<int32_t> lists_;
  WorkspaceSlot<uint16_t> q_, dy_, k_, v_;
  // Of each token [row of the group][key], or rows of numbers.
  WorkspaceSlot<float> p_scores_, ds_, dq_, dk_, dv_, numbers_;
  blocks::RowSums key_sums_, value_sums_;  // of a sequence and a head
  WorkspaceSlot<char> scratch_;
};

}  // namespace

Status PrepareSelectedGradient(Operands& operands, PreparedCall* call) {
  SelectedGradientParams p;
  if (Status s = CheckSelected(operands, &p.call); !s.ok()) return s;
  // Whether there is a mask or not, as a device has it.
  if (operands.Int(kSparseMode) == 2) p.call.selection.sees = Sees::kUpToItsNumber;
  const std::pair<int, TensorView*> views[] = {
      {kQuery, &p.query}, {kKey, &p.key}, {kValue, &p.value}, {kAttention, &p.out}, {kDy, &p.dy},
      {kMax, &p.max},     {kSum, &p.sum}, {kDq, &p.dq},       {kDk, &p.dk},         {kDv, &p.dv}};
  for (const auto& [id, view] : views) *view = ViewOf(operands, id);
  call->plan = std::make_shared<GradientPlan>(std::move(p));
  return {};
}

}  // namespace anyacl::native_sparse_attention
