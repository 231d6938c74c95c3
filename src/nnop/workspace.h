// SPDX-License-Identifier: Apache-2.0
// The workspace of a call: booked by type and count when the plan is made, granted as pointers when
// it runs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "nnop/executor.h"

namespace anyacl {

// A booked piece of the workspace.
template <class T>
struct WorkspaceSlot {
  size_t offset = 0;

  T* In(const Bindings& bindings) const {
    return reinterpret_cast<T*>(bindings.workspace + offset);
  }
};

class WorkspaceBook {
 public:
  // Pieces start on cache lines of their own, so that threads can own them.
  template <class T>
  WorkspaceSlot<T> Book(size_t count) {
    const size_t offset = size_;
    size_ +=
        (count * sizeof(T) + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment;
    return {offset};
  }

  // What phase 1 reports: with room to align whatever address the client brings.
  uint64_t size() const { return size_ == 0 ? 0 : size_ + kWorkspaceAlignment; }

 private:
  size_t size_ = 0;
};

// A plan that books workspace when it is made.
class BookedPlan : public Plan {
 public:
  uint64_t workspace_size() const final { return book_.size(); }

 protected:
  WorkspaceBook book_;
};

}  // namespace anyacl
