// SPDX-License-Identifier: Apache-2.0
// Calls of other operators inside a plan, as steps of a fused one: the same checks, plans and
// kernels as if a client made the call. Their tensors are those of the outer call, seen otherwise
// perhaps, and pieces of its workspace.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "nnop/operands.h"
#include "nnop/workspace.h"

namespace anyacl {

// A tensor of the outer call (its slot) or in its workspace.
struct InnerTensor {
  const char* name = "";  // in messages
  int slot = -1;
  WorkspaceSlot<char> piece;
  TensorLayout layout;

  bool given() const { return layout.dtype != ACL_DT_UNDEFINED; }
  bool IsContiguous() const;
  uint64_t bytes() const;  // of a contiguous one
  // Of the first element.
  char* Address(const Bindings& bindings) const;
  // The same memory in another shape, row-major or by `strides`.
  InnerTensor As(const Dims& shape) const { return As(shape, ContiguousStrides(shape)); }
  InnerTensor As(const Dims& shape, const Dims& strides) const;
  // Of a contiguous one: `count` rows behind the first `begin`.
  InnerTensor Rows(int64_t begin, int64_t count) const;
  // With the last two dimensions swapped.
  InnerTensor Turned() const;
  // Dimension i is what was dimension order[i].
  InnerTensor Permuted(std::initializer_list<size_t> order) const;
};

// The tensor of a row as it is, but for strides that ViewOf would not keep; one that is not given()
// if the row is absent.
InnerTensor TensorOf(const Operands& operands, int id);

// The members of a list, each of which is given.
using InnerTensors = std::vector<InnerTensor>;
// None if the row is absent.
InnerTensors TensorsOf(const Operands& operands, int id);

// An argument: a tensor (null if it is not given) or several (null if there are none), an integer
// or a bool, a number, one that becomes an aclScalar, an aclScalar's value, integers or truths that
// become an array, or a text.
using InnerArgument = std::variant<InnerTensor, InnerTensors, int64_t, double, float, Scalar,
                                   IntArray, BoolArray, const char*>;

class InnerCall {
 public:
  // The first phase of `api`, "aclnnMm", with its arguments in their order.
  static Status Make(const char* api, std::initializer_list<InnerArgument> arguments,
                     std::shared_ptr<const InnerCall>* made);

  uint64_t workspace_size() const { return plan_ == nullptr ? 0 : plan_->workspace_size(); }
  // `scratch` has workspace_size() bytes.
  Status Run(const Bindings& outer, char* scratch, const StopToken& stop) const;

 private:
  struct Source {
    int slot = -1;  // of the outer call
    std::optional<WorkspaceSlot<char>> piece;
  };

  std::shared_ptr<const Plan> plan_;  // null: there is nothing to compute
  std::vector<Source> sources_;       // by the inner call's slots
};

}  // namespace anyacl
