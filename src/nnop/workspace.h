// SPDX-License-Identifier: Apache-2.0
// The workspace of a call: booked by type and count when the plan is made, granted as pointers when
// it runs.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "base/status.h"
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

// Addresses end there.
inline constexpr uint64_t kMostWorkspace = uint64_t{1} << 57;

// `code`: the operator's for sizes.
inline Status CheckWorkspace(uint64_t size, int code) {
  if (size <= kMostWorkspace) return {};
  return Fail(code, "the call needs a workspace of 2^57 bytes or more");
}

class WorkspaceBook {
 public:
  // Pieces start on cache lines of their own, so that threads can own them. Sizes that no address
  // space holds, which tensors with strides of 0 may have, add up to kMostWorkspace: CheckWorkspace
  // refuses it.
  template <class T>
  WorkspaceSlot<T> Book(size_t count) {
    const size_t offset = size_;
    if (count > (kMostWorkspace - size_) / sizeof(T)) {
      size_ = kMostWorkspace;
    } else {
      size_ +=
          (count * sizeof(T) + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment;
    }
    return {offset};
  }
  // `each` elements for each of `count`, such as threads: the product may not fit 64 bits.
  template <class T>
  WorkspaceSlot<T> Book(std::integral auto count, std::integral auto each) {
    const auto pieces = static_cast<uint64_t>(count), size = static_cast<uint64_t>(each);
    const bool too_many = size != 0 && pieces > kMostWorkspace / size;
    return Book<T>(static_cast<size_t>(too_many ? kMostWorkspace : pieces * size));
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
