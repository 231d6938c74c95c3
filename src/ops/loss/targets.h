// SPDX-License-Identifier: Apache-2.0
// The classes that rows are to have, as the client's data name them.
#pragma once

#include <cstdint>

#include "nnop/view.h"

namespace anyacl::loss {

struct Targets {
  TensorView view{};
  const char* name = "";  // in messages
  int64_t classes = 0;
  int64_t ignore = 0;  // rows with this target count for nothing

  // Copies them, -1 where they are to be ignored. One beyond the classes fails the task, which has
  // written nothing yet.
  Status Read(const Bindings& bindings, int64_t* to) const;
};

}  // namespace anyacl::loss
