// SPDX-License-Identifier: Apache-2.0
// The seed and the offset of a call, which choose a sequence of random numbers.
#pragma once

#include "base/element_width.h"
#include "nnop/view.h"

namespace anyacl::blocks {

// The ids of an operator's rows; a table has those of `seed` or those of both tensors.
struct SeedRows {
  int seed, offset, seed_tensor, offset_tensor;
};

// Numbers of the call, or tensors that are read when the task runs; an offset of the call is added
// to that of a tensor.
class SeedAndOffset {
 public:
  SeedAndOffset(const Operands& operands, const SeedRows& rows)
      : offset_(static_cast<uint64_t>(operands.Int(rows.offset))) {
    if (operands.Given(rows.seed_tensor)) {
      seed_tensor_ = ViewOf(operands, rows.seed_tensor);
      offset_tensor_ = ViewOf(operands, rows.offset_tensor);
    } else {
      seed_ = static_cast<uint64_t>(operands.Int(rows.seed));
    }
  }

  uint64_t Seed(const Bindings& bindings) const {
    if (!seed_tensor_.given()) return seed_;
    return LoadElement<uint64_t>(seed_tensor_.Address(bindings));
  }
  uint64_t Offset(const Bindings& bindings) const {
    if (!offset_tensor_.given()) return offset_;
    return offset_ + LoadElement<uint64_t>(offset_tensor_.Address(bindings));
  }

 private:
  TensorView seed_tensor_, offset_tensor_;
  uint64_t seed_ = 0, offset_;
};

}  // namespace anyacl::blocks
