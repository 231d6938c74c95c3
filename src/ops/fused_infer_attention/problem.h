// SPDX-License-Identifier: Apache-2.0
// What the rules look at: the tensors behind the handles and the sizes that follow from them. Each
// stage of sizes is filled in once the rules that guard it have passed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nnop/operands.h"
#include "ops/fused_infer_attention/args.h"
#include "ops/fused_infer_attention/operators.h"

namespace anyacl::fused_infer_attention {

// The order of dimensions. T: the rows of all batch entries, one after the other ("ragged").
// kNbsd: of an output only.
enum class Layout { kBsh, kBsnd, kBnsd, kTnd, kNtd, kNbsd };

// The operators before FusedInferAttentionScore are each one of its branches.
enum class Form { kFused, kPrompt, kIncre };

struct Problem {
  explicit Problem(Operands& call, Form the_form = Form::kFused);

  Form form;
  Operands& operands;
  Args args;
  std::span<const Operand> key;  // all members; INT32 as the INT4 that they pack
  std::span<const Operand> value;
  std::shared_ptr<const IntArray> query_lengths;  // null: not given, or empty
  std::shared_ptr<const IntArray> kv_lengths;
  std::shared_ptr<const IntArray> prefix_lengths;

  int version = 2;  // of the operator; 2 also for the first
  // Since V3 there are calls that V2 does not know: with ropes, other layouts, heads of values of
  // another size, sinks. They have rules of their own, and none of Sq = 1.
  bool extended = false;

  // Of the query.
  Layout layout = Layout::kBsh;
  Layout out_layout = Layout::kBsh;
  bool one_token = false;  // the rules of Sq = 1
  int64_t batch = 0;
  int64_t query_size = 0;  // Sq
  int64_t heads = 0;       // N
  int64_t kv_heads = 0;    // Nk
  int64_t dim = 0;         // D
  int64_t value_dim = 0;   // of values: D but in extended calls
  // Ragged: T, and where the rows (and, unless paged, the tokens) of each batch entry begin.
  int64_t total_rows = 0;
  std::vector<int64_t> query_starts, kv_starts;
  // Of keys and values.
  bool paged = false;
  bool listed = false;  // one tensor per batch entry
  int64_t kv_size = 0;  // S2, the longest one of a list; paged: all blocks of the longest sequence
  int64_t max_kv_length = 0;
  int64_t max_blocks = 0;  // paged: of the longest sequence
  int64_t prefix_size = 0;
  int64_t prefix = 0;  // P

  // The name of the rule that has failed.
  const char* failed_rule = nullptr;

  const Operand& at(int id) const { return operands[id]; }
  bool Given(int id) const { return at(id).given(); }
  // Given and not empty.
  bool Has(int id) const { return Given(id) && !at(id).IsEmpty(); }
  aclDataType QueryType() const { return at(kQuery).dtype(); }
  aclDataType KeyType() const { return key[0].dtype(); }
  aclDataType OutType() const { return at(kAttentionOut).dtype(); }

  bool HasMask() const { return Has(kAttenMask); }
  bool HasRope() const { return Given(kQueryRope) || Given(kKeyRope); }
  // An INT8 query with a scale per row and head, and INT8 keys and values with one each.
  bool HasQueryScale() const { return Given(kQueryScale); }
  bool Ragged() const { return layout == Layout::kTnd || layout == Layout::kNtd; }
  bool HasTreeMask() const { return extended && args.sparse_mode == kTreeMode; }
  static constexpr int64_t kTreeMode = 9;
  bool Separated() const { return Given(kKeyScale) || Given(kValueScale); }
  bool HasPrefix() const { return Given(kKeyPrefix) || Given(kValuePrefix); }
  bool NeedsAntiquant() const { return KeyType() != QueryType(); }
  bool KvIsEmpty() const { return kv_size == 0 && !paged; }
  // The attributes of Sq > 1 that Sq = 1 does not look at.
  int64_t SparseMode() const { return one_token ? 0 : args.sparse_mode; }
  // A padding tensor counts together with its lengths.
  bool QueryIsPadded() const { return !one_token && Has(kQueryPadding) && query_lengths; }
  bool KvIsPadded() const { return Has(kKvPadding) && kv_lengths && !paged && !listed; }
  // Tokens narrow the columns of mode 0 with a mask, and of mode 4.
  bool UsesTokens() const {
    if (one_token) return false;
    if (args.sparse_mode == 4) return true;
    return args.sparse_mode == 0 && HasMask() && !QueryIsPadded() && !KvIsPadded();
  }
  // As they are used: without risk of overflow.
  int64_t PreTokens() const { return Clamped(args.pre_tokens); }
  int64_t NextTokens() const { return Clamped(args.next_tokens); }

  int64_t QueryLength(int64_t b) const {
    return one_token || !query_lengths ? query_size : Entry(*query_lengths, b);
  }
  // Without the prefix.
  int64_t KvLength(int64_t b) const { return kv_lengths ? Entry(*kv_lengths, b) : KvSize(b); }
  // S2 of one batch entry; paged: what its row of the table can hold.
  int64_t KvSize(int64_t b) const;
  // How many entries can differ in their lengths: one if all are alike.
  int64_t LengthCount() const {
    const bool differ = listed || (query_lengths && query_lengths->size() > 1) ||
                        (kv_lengths && kv_lengths->size() > 1);
    return differ ? batch : std::min<int64_t>(batch, 1);
  }
  // Calls f(b) for those.
  template <class Function>
  Status ForLengths(const Function& f) const {
    const int64_t count = LengthCount();
    for (int64_t b = 0; b < count; ++b) {
      if (Status s = f(b); !s.ok()) return s;
    }
    return {};
  }
  // Whether f(b) is true for all of those.
  template <class Function>
  bool EveryLength(const Function& f) const {
    const int64_t count = LengthCount();
    for (int64_t b = 0; b < count; ++b) {
      if (!f(b)) return false;
    }
    return true;
  }

 private:
  static int64_t Entry(const IntArray& array, int64_t b) {
    return array[array.size() == 1 ? 0 : static_cast<size_t>(b)];
  }
  static int64_t Clamped(int64_t tokens) {
    return std::clamp<int64_t>(tokens, -INT32_MAX, INT32_MAX);
  }
};

// Whether the call is one that V2 does not know. The layout has been read.
bool IsExtended(const Problem& problem);

// What lists must be, and tensors of packed INT4 turned into those.
Status CheckLists(Problem& problem);

// Which dimension of a tensor in a layout is S or T, N (-1 in BSH), and B (-1 in ragged ones).
struct Axes {
  int size;
  int head;
  int batch;
  size_t rank;
};
constexpr Axes AxesOf(Layout layout) {
  switch (layout) {
    case Layout::kBsh:
      return {1, -1, 0, 3};
    case Layout::kBsnd:
      return {1, 2, 0, 4};
    case Layout::kBnsd:
      return {2, 1, 0, 4};
    case Layout::kTnd:
      return {0, 1, -1, 3};
    case Layout::kNtd:
      return {1, 0, -1, 3};
    case Layout::kNbsd:
      return {2, 0, 1, 4};
  }
  return {};
}
constexpr int SizeDim(Layout layout) { return AxesOf(layout).size; }
constexpr int HeadDim(Layout layout) { return AxesOf(layout).head; }

}  // namespace anyacl::fused_infer_attention
