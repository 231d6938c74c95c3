// SPDX-License-Identifier: Apache-2.0
// What the members of this family share: a plan of copies, and checks of dimensions and shapes.
#pragma once

#include <array>
#include <vector>

#include "nnop/copy.h"
#include "nnop/operands.h"
#include "nnop/view.h"
#include "ops/blocks/convert.h"
#include "ops/movement/operators.h"

namespace anyacl::movement {

// Copies, fills with one value and conversions that touch different elements.
class MovePlan final : public CopyPlan {
 public:
  void Copy(const TensorView& to, const TensorView& from);
  // Where the views do not say it.
  void Copy(const CopyLoops& loops, int to, int from) { copies.Add(loops, to, from); }
  void Convert(const TensorView& to, const TensorView& from, aclDataType via);
  // With the constant.
  void Fill(const TensorView& to);

  Status Run(const Bindings& bindings, const StopToken& stop) const override;

 private:
  std::vector<blocks::StridedConversion> conversions_;
};

// A stride of some steps. One that does not fit is that of a single entry, which nothing follows.
inline int64_t StepsOf(int64_t count, int64_t step) {
  return static_cast<int64_t>(static_cast<uint64_t>(count) * static_cast<uint64_t>(step));
}

// Whether matrices have a rank that can become FRACTAL_NZ.
Status CheckPlainRank(const char* name, const Dims& shape, int code);

}  // namespace anyacl::movement
