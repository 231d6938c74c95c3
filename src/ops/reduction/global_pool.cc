// SPDX-License-Identifier: Apache-2.0
// Pools over all of an image: means and extremes of every dimension behind the channels.
#include "ops/reduction/operators.h"
#include "ops/steps.h"

namespace anyacl::reduction {
namespace {

// What the documents have: channels are the second dimension.
Status CheckPoolFormats(const Operands& operands) {
  const aclFormat format = operands[kSelf].layout->format, out = operands[kOut].layout->format;
  const int code = operands.spec().codes.format;
  if (format != ACL_FORMAT_ND && format != ACL_FORMAT_NCHW && format != ACL_FORMAT_NCDHW) {
    return Fail(code, "self.format = {}, expected ND, NCHW or NCDHW", NameOf(format));
  }
  if (out == format) return {};
  return Fail(code, "out.format = {}, expected {} as self.format", NameOf(out), NameOf(format));
}

}  // namespace

template <bool kLargest>
Status PrepareGlobalPool(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckPoolFormats(operands); !s.ok()) return s;
  const InnerTensor self = TensorOf(operands, kSelf), out = TensorOf(operands, kOut);
  Dims pooled = self.layout.shape;
  IntArray dims;
  for (size_t i = 2; i < pooled.rank(); ++i) {
    pooled[i] = 1;
    dims.push_back(static_cast<int64_t>(i));
  }
  if (Status s = CheckShapeIs(operands, kOut, pooled); !s.ok()) return s;
  Steps steps(operands);
  const Status s =
      kLargest ? steps.Call("aclnnAmax", {self, dims, true, out})
               : steps.Call("aclnnMean", {self, dims, true, int64_t{out.layout.dtype}, out});
  return s.ok() ? steps.Finish(call) : s;
}
template Status PrepareGlobalPool<false>(Operands&, PreparedCall*);
template Status PrepareGlobalPool<true>(Operands&, PreparedCall*);

}  // namespace anyacl::reduction
