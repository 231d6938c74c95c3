// SPDX-License-Identifier: Apache-2.0
// Which contexts calls of this process are working on: two at once would take slots twice.
#pragma once

#include "base/status.h"

namespace anyacl::afd {

// Holds a context for the length of one call. Calls that queue on one stream follow each other and
// never meet here.
class ContextHold {
 public:
  ContextHold() = default;
  ~ContextHold();
  ContextHold(const ContextHold&) = delete;
  ContextHold& operator=(const ContextHold&) = delete;

  Status Acquire(const void* context);

 private:
  const void* context_ = nullptr;
};

}  // namespace anyacl::afd
