// SPDX-License-Identifier: Apache-2.0
// Convolutions of sequences whose steps come first: [time, batch, channels]. They are
// aclnnConvolution and its gradients of the same memory seen as [batch, channels, time].
#include "ops/convolution/operators.h"
#include "ops/steps.h"

namespace anyacl::convolution {
namespace {

constexpr int64_t kNotTransposed = 0, kOneGroup = 1;

InnerTensor ByBatch(const Operands& operands, int id) {
  return TensorOf(operands, id).Permuted({1, 2, 0});
}
// [taps, in, out] as [out, in, taps].
InnerTensor ByOutput(const Operands& operands, int id) {
  return TensorOf(operands, id).Permuted({2, 1, 0});
}

// Of the result, or its gradient.
Status CheckSteps(const Operands& operands, int id) {
  const int64_t steps = operands.Size("T"), pad = operands.Int(kPad), taps = operands.Size("K");
  int64_t expected;
  // Sizes may be anything that strides of 0 make possible.
  if (__builtin_add_overflow(steps, 2 * pad + 1 - taps, &expected)) expected = -1;
  if (operands.Size("U") == expected) return {};
  return Fail(operands.spec().codes.shape, "{}.shape[0] = {}, expected {} + 2 * {} - {} + 1",
              operands.NameOf(id), operands.Size("U"), steps, pad, taps);
}

}  // namespace

Status PrepareTbc(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckSteps(operands, kOutput); !s.ok()) return s;
  const IntArray one = {1}, none = {0}, pad = {operands.Int(kPad)};
  Steps steps(operands);
  if ((operands[kInput].IsEmpty() || operands[kWeight].IsEmpty()) && !operands[kOutput].IsEmpty()) {
    Status s = steps.Copy(TensorOf(operands, kOutput), TensorOf(operands, kBias));
    if (!s.ok()) return s;
    return steps.Finish(call);
  }
  const Status s = steps.Call("aclnnConvolution",
                              {ByBatch(operands, kInput), ByOutput(operands, kWeight),
                               TensorOf(operands, kBias), one, pad, one, kNotTransposed, none,
                               kOneGroup, ByBatch(operands, kOutput), operands.Int(kCubeMathType)});
  if (!s.ok()) return s;
  return steps.Finish(call);
}

Status PrepareTbcBackward(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckSteps(operands, kGradOutput); !s.ok()) return s;
  const IntArray one = {1}, none = {0}, pad = {operands.Int(kPad)};
  const IntArray bias = {operands.Size("O")};
  Steps steps(operands);
  if (operands.Size("K") == 0) {  // no taps
    const InnerTensor gradient = TensorOf(operands, kGradOutput);
    Status s = steps.Call("aclnnInplaceZero", {TensorOf(operands, kGradInput)});
    if (s.ok()) {
      s = steps.Call("aclnnReduceSum",
                     {gradient, IntArray{0, 1}, false, int64_t{gradient.layout.dtype},
                      TensorOf(operands, kGradBias)});
    }
    if (!s.ok()) return s;
    return steps.Finish(call);
  }
  const Status s =
      steps.Call("aclnnConvolutionBackward",
                 {ByBatch(operands, kGradOutput), ByBatch(operands, kInput),
                  ByOutput(operands, kWeight), bias, one, pad, one, kNotTransposed, none, kOneGroup,
                  BoolArray{1, 1, 1}, operands.Int(kCubeMathType), ByBatch(operands, kGradInput),
                  ByOutput(operands, kGradWeight), TensorOf(operands, kGradBias)});
  if (!s.ok()) return s;
  return steps.Finish(call);
}

}  // namespace anyacl::convolution
