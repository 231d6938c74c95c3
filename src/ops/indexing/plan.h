// SPDX-License-Identifier: Apache-2.0
// What the members with index tensors share: one plan, and checks of their arguments.
#pragma once

#include <string>

#include "nnop/copy.h"
#include "nnop/operands.h"
#include "nnop/view.h"
#include "nnop/workspace.h"
#include "ops/indexing/access.h"
#include "ops/indexing/operators.h"

namespace anyacl::indexing {

Status CheckDimOf(const Operands& operands, const TensorView& self, int* dim);
// A table with an entry for each of `count` positions fits into memory.
Status CheckTableSize(const Operands& operands, int64_t count);
// A scalar argument as an element of a type.
Status ReadElement(const Operands& operands, int id, aclDataType dtype,
                   std::array<char, 16>* element);

// An access of one call, made step by step and without addresses.
class IndexedPlan final : public BookedPlan {
 public:
  Access access;
  Names names;
  TensorView target, plain;  // absent plain: `constant`
  Few<TensorView, kMaxIndices> index_views;
  // The indices of an absent index view.
  std::shared_ptr<const IntArray> list;
  alignas(16) std::array<char, 16> constant{};
  bool gathers = false;
  Scattering scattering;

  explicit IndexedPlan(const TensorView& target_view) : target(target_view) {
    access.element_bytes = BytesOf(target);
  }

  // An index of a dimension of target; its steps go into the axes.
  void AddIndex(const TensorView& index, int64_t limit, int64_t target_stride);
  // Before anything else: target = source, unless they are the same elements; or target = 0.
  void CopyFirst(const TensorView& source);
  void ZeroFirst();
  // Books scratch, when all else is known.
  void Finish();

  Status Run(const Bindings& bindings, const StopToken&) const override;

 private:
  bool IsSame(const Bindings& bindings) const;

  TensorView source_;
  bool copies_itself_ = false;  // Scatter() does
  CopyList first_;
  Few<WorkspaceSlot<int64_t>, kMaxIndices> widened_;  // indices of other types
  WorkspaceSlot<int64_t> table_;
  WorkspaceSlot<Entry> entries_;
};

}  // namespace anyacl::indexing
