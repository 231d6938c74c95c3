// SPDX-License-Identifier: Apache-2.0
// What becomes of the losses of all elements, by the numbers of the argument reduction.
#pragma once

#include <cstdint>

namespace anyacl::loss {

enum Reduced : int64_t { kNone, kMean, kSum, kBatchMean };

}  // namespace anyacl::loss
