// SPDX-License-Identifier: Apache-2.0
// FlashAttentionScore and its gradient. From the C arguments to something that runs.
#pragma once

#include <cstdint>

#include "attention/params.h"
#include "nnop/executor.h"
#include "nnop/operands.h"
#include "ops/flash_attention/operators.h"

namespace anyacl::flash_attention {

inline constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;

enum class Layout { kBsh, kSbh, kBsnd, kBnsd, kTnd };

attention::Axes AxesOf(Layout layout);

struct Sizes {
  Layout layout = Layout::kBsh;
  int64_t batch = 0;  // 1 of kTnd, whose sequences follow each other
  int64_t query = 0;  // Sq
  int64_t key = 0;    // S2
  int64_t heads = 0;
  int64_t kv_heads = 0;
  int64_t dim = 0;
  int64_t rope_dim = 0;  // kTnd: of queries and keys, in tensors of their own
  int64_t value_dim = 0;
  bool statistics_by_head = false;  // kTnd: [N, rows] of each sequence, one after the other

  bool no_columns() const { return key == 0 || dim == 0; }
};

// What realShift is: pseType, which first versions lack.
enum class Pse { kAddedToScaled, kAddedBeforeScaling, kSlopes, kRootSlopes };
inline Pse PseOf(const Operands& operands) {
  return operands.Given(kPseType) ? static_cast<Pse>(operands.Int(kPseType))
                                  : Pse::kAddedBeforeScaling;
}
inline bool HasSlopes(const Operands& operands) { return PseOf(operands) >= Pse::kSlopes; }

inline bool Has(const Operands& operands, int id) {
  return operands.Given(id) && !operands[id].IsEmpty();
}

// The checks, in the document's order. Nothing to do: all outputs are empty.
Status CheckForward(Operands& operands, Sizes* sizes, bool* nothing_to_do);
Status CheckGradient(Operands& operands, Sizes* sizes, bool* nothing_to_do);

// Parts of them, for layouts that have rules of their own.
Status CheckTypesOf(const Operands& operands, std::initializer_list<int> results,
                    bool* nothing_to_do);
Status CheckShapes(const Operands& operands, Sizes* sizes);
Status CheckDropBits(const Operands& operands, int64_t bits, bool no_columns);
Status CheckCompressedMask(const Operands& operands);
Status CheckPseType(const Operands& operands);
// Of `batch` sequences or batch entries with `size` rows or columns.
Status CheckSlopes(const Operands& operands, int64_t batch, int64_t heads, int64_t size);
Status CheckSink(const Operands& operands, const Sizes& sizes);
Status CheckReserved(const Operands& operands);
Status CheckResults(const Operands& operands, const Sizes& sizes);
Status CheckGradients(const Operands& operands, const Sizes& sizes);
// Not that of slopes, and of a pse only if no two rows or batch entries share it.
bool WritesPseGradient(const Operands& operands, const Sizes& sizes);

// The columns of a sparse mode.
attention::Window WindowOf(const Operands& operands, int64_t mode);
// qStartIdx - kvStartIdx if both are given: a device ignores one alone.
int64_t StartShift(const Operands& operands);

// [batch][head][row][column], the last dimensions of a tensor.
TensorView LastDims(const Operands& operands, int id);
// Rows of a tensor in the call's layout, `dim` elements each.
TensorView RowsOf(const Operands& operands, int id, const Sizes& sizes, int64_t dim);

// What the engine of the forward call and the gradient have in common: all but keys, values and
// where results go.
attention::Params CommonParams(const Operands& operands, const Sizes& sizes);

}  // namespace anyacl::flash_attention
