// SPDX-License-Identifier: Apache-2.0
// One gradient of a convolution, called by name: aclnnConvolutionBackward without the others.
#include <vector>

#include "ops/convolution/operators.h"
#include "ops/steps.h"

namespace anyacl::convolution {
namespace {

// Those of the last `spatial` dimensions; all of them but for batch and channels are checked there.
Status SpatialOf(const Operands& operands, int id, size_t spatial, IntArray* values) {
  const std::span<const int64_t> given = operands.Ints(id);
  if (given.empty()) {
    values->assign(spatial, 1);
    return {};
  }
  if (given.size() != spatial + 2 || given[0] != 1 || given[1] != 1) {
    return Fail(operands.spec().codes.shape, "{} = [{}], expected 1, 1 and {} elements",
                operands.NameOf(id), anyacl::Joined(given), spatial);
  }
  values->assign(given.begin() + 2, given.end());
  return {};
}

// The result stands for the tensor whose gradient it is, too, of which the sizes alone count.
Status PrepareGradient(Operands& operands, bool of_input, PreparedCall* call) {
  if (Status s =
          operands.CheckText(kDataFormat, {"NCHW", "NCDHW"}, nullptr, operands.spec().codes.format);
      !s.ok()) {
    return s;
  }
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const InnerTensor result = TensorOf(operands, of_input ? kGradInput : kGradWeight);
  const InnerTensor gradient = TensorOf(operands, kGradOutput);
  const size_t rank = gradient.layout.shape.rank(), spatial = rank < 2 ? 0 : rank - 2;
  IntArray stride, dilation;
  if (Status s = SpatialOf(operands, kStride, spatial, &stride); !s.ok()) return s;
  if (Status s = SpatialOf(operands, kDilation, spatial, &dilation); !s.ok()) return s;
  const std::span<const int64_t> pads = operands.Ints(kPadding);
  const IntArray padding(pads.begin(), pads.end()), none(spatial, 0), no_bias = {0};
  const BoolArray mask = {of_input, !of_input, 0};
  Steps steps(operands);
  if (Status s = steps.Call(
          "aclnnConvolutionBackward",
          {gradient, of_input ? result : TensorOf(operands, kInput),
           of_input ? TensorOf(operands, kWeight) : result, no_bias, stride, padding, dilation,
           int64_t{0}, none, operands.Int(kGroups), mask, int64_t{0},
           of_input ? result : InnerTensor{}, of_input ? InnerTensor{} : result, InnerTensor{}});
      !s.ok()) {
    return s;
  }
  return steps.Finish(call);
}

}  // namespace

Status PrepareInputGradNode(Operands& operands, PreparedCall* call) {
  return PrepareGradient(operands, true, call);
}
Status PrepareWeightGradNode(Operands& operands, PreparedCall* call) {
  return PrepareGradient(operands, false, call);
}

}  // namespace anyacl::convolution
