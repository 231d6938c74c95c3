// SPDX-License-Identifier: Apache-2.0
// ConvDepthwise2d: a convolution of two dimensions with a group for each channel.
#include "ops/convolution/operators.h"
#include "ops/steps.h"

namespace anyacl::convolution {
namespace {

// What only this operator asks for; the convolution checks the rest.
Status CheckDepthwise(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  const Dims& input = operands[kInput].shape();
  const Dims& weight = operands[kWeight].shape();
  constexpr int64_t kMostChannels = 65535;
  if (input[1] < 1 || input[1] > kMostChannels) {
    return Fail(code, "self.shape[1] = {}, expected 1 to {} channels", input[1], kMostChannels);
  }
  if (weight[1] != 1) {
    return Fail(code, "weight.shape[1] = {}, expected 1: each channel has kernels of its own",
                weight[1]);
  }
  if (weight[0] < 1 || weight[0] % input[1] != 0) {
    return Fail(code, "weight.shape[0] = {}, expected a multiple of self.shape[1] = {}", weight[0],
                input[1]);
  }
  for (int id : {kKernelSize, kStride, kPadding, kDilation}) {
    if (operands.Ints(id).size() == 2) continue;
    return Fail(code, "{} has {} elements, expected 2", operands.NameOf(id),
                operands.Ints(id).size());
  }
  for (size_t i = 0; i < 2; ++i) {
    const int64_t taps = operands.Ints(kKernelSize)[i];
    if (taps == weight[2 + i]) continue;
    return Fail(code, "kernelSize[{}] = {}, expected weight.shape[{}] = {}", i, taps, 2 + i,
                weight[2 + i]);
  }
  return {};
}

}  // namespace

Status PrepareDepthwise(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckDepthwise(operands); !s.ok()) return s;
  constexpr int64_t kNotTransposed = 0;
  const IntArray none = {0, 0};
  Steps steps(operands);
  const Status s = steps.Call(
      "aclnnConvolution",
      {TensorOf(operands, kInput), TensorOf(operands, kWeight), TensorOf(operands, kBias),
       *operands.IntArrayAt(kStride), *operands.IntArrayAt(kPadding),
       *operands.IntArrayAt(kDilation), kNotTransposed, none, operands[kInput].shape()[1],
       TensorOf(operands, kOutput), operands.Int(kCubeMathType)});
  if (!s.ok()) return s;
  return steps.Finish(call);
}

}  // namespace anyacl::convolution
