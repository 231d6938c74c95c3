// SPDX-License-Identifier: Apache-2.0
// Elements cut where they differ from the one before them.
#pragma once

#include <memory>

#include "base/element_width.h"
#include "nnop/executor.h"
#include "ops/sorting/rows.h"

namespace anyacl::sorting {

// What is wanted of distinct elements or slices; others are not given.
struct Distinct {
  TensorView values, inverse, counts;
  std::shared_ptr<Tensor> values_tensor, counts_tensor;  // whose shapes are set
};

// Places and counts are INT64 or INT32.
inline void PutNumber(char* to, int64_t bytes, int64_t number) {
  bytes == 8 ? StoreElement(to, number) : StoreElement(to, static_cast<int32_t>(number));
}

// Of all elements, which are no complex numbers; `ordered`: sorted before.
std::shared_ptr<const Plan> MakeUnique(const TensorView& self, const Distinct& out, bool ordered);

}  // namespace anyacl::sorting
