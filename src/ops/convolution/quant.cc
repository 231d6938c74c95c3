// SPDX-License-Identifier: Apache-2.0
// QuantConvolution: aclnnConvolution of the integers as FLOAT, some channels at a time, so few that
// the sums are exact; those of all channels are added up as INT32.
#include "ops/convolution/operators.h"
#include "ops/steps.h"

namespace anyacl::convolution {
namespace {

// Products of INT8 are up to 2^14, FLOAT holds whole numbers up to 2^24.
constexpr int64_t kExactTerms = 1024;

Status CheckQuant(const Operands& operands) {
  const CheckCodes& codes = operands.spec().codes;
  for (int id : {kInput, kWeight, kOutput}) {
    const aclFormat format = operands[id].layout->format;
    if (format == ACL_FORMAT_NCDHW) continue;
    return Fail(codes.format, "{}.format = {}, expected NCDHW", operands.NameOf(id),
                NameOf(format));
  }
  const aclDataType bias = operands[kBias].dtype(), output = operands[kOutput].dtype();
  if (bias != ACL_FLOAT && bias != output) {
    return Fail(codes.dtype, "bias.dtype = {}, expected FLOAT or {} as output.dtype is {}",
                NameOf(bias), NameOf(output), NameOf(output));
  }
  for (int id : {kStride, kPadding, kDilation}) {
    const std::span<const int64_t> values = operands.Ints(id);
    if (values.size() != 3) {
      return Fail(codes.shape, "{} has {} elements, expected 3", operands.NameOf(id),
                  values.size());
    }
    for (size_t i = 0; i < 3; ++i) {
      // Of width and height the last one is what a device holds.
      const int64_t least = id == kPadding ? 0 : 1;
      const int64_t most = i == 0 ? 1000000 : id == kStride ? 63 : 255;
      if (values[i] >= least && values[i] <= most) continue;
      return Fail(codes.shape, "{}[{}] = {}, expected {} to {}", operands.NameOf(id), i, values[i],
                  least, most);
    }
  }
  for (int id : {kOffset, kRoundMode}) {
    if (!operands.Given(id)) continue;
    return Fail(codes.shape, "{} is given, expected null", operands.NameOf(id));
  }
  if (operands.Flag(kTransposed)) return Fail(codes.shape, "transposed = true, expected false");
  return {};
}

// Some channels of a contiguous tensor.
InnerTensor Channels(const InnerTensor& all, int64_t begin, int64_t count) {
  InnerTensor part = all;
  part.layout.offset += begin * all.layout.strides[1];
  part.layout.shape[1] = count;
  return part;
}

}  // namespace

Status PrepareQuant(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckQuant(operands); !s.ok()) return s;
  if (Status s = operands.CheckNotEmpty(); !s.ok()) return s;
  const Dims &input = operands[kInput].shape(), &weight = operands[kWeight].shape();
  const Dims& output = operands[kOutput].shape();
  Steps steps(operands);
  InnerTensor x, w;
  if (Status s = steps.ContiguousAs(kInput, ACL_FLOAT, &x); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kWeight, ACL_FLOAT, &w); !s.ok()) return s;
  const int64_t channels = input[1];
  const int64_t taps = weight[2] * weight[3] * weight[4];
  const int64_t step = std::min(channels, std::max<int64_t>(1, kExactTerms / taps));
  const InnerTensor sums = steps.Piece("output as FLOAT", ACL_FLOAT, output);
  InnerTensor part, total;
  if (step < channels) {
    part = steps.Piece("output of some channels as INT32", ACL_INT32, output);
    total = steps.Piece("output as INT32", ACL_INT32, output);
  }
  const Scalar one = {.dtype = ACL_INT8, .bytes = {1}};
  constexpr int64_t kNotTransposed = 0, kOneGroup = 1, kKeepTypes = 0;
  for (int64_t c = 0; c < channels; c += step) {
    const int64_t count = std::min(step, channels - c);
    if (Status s = steps.Call("aclnnConvolution",
                              {Channels(x, c, count), Channels(w, c, count), InnerTensor(),
                               *operands.IntArrayAt(kStride), *operands.IntArrayAt(kPadding),
                               *operands.IntArrayAt(kDilation), kNotTransposed, IntArray{0, 0, 0},
                               kOneGroup, sums, kKeepTypes});
        !s.ok()) {
      return s;
    }
    if (step == channels) break;
    if (Status s = steps.Call("aclnnCast", {sums, int64_t{ACL_INT32}, c == 0 ? total : part});
        !s.ok()) {
      return s;
    }
    if (c == 0) continue;
    if (Status s = steps.Call("aclnnInplaceAdd", {total, part, one}); !s.ok()) return s;
  }
  if (step < channels) {
    if (Status s = steps.Copy(sums, total); !s.ok()) return s;
  }
  // A number for each channel of the output.
  const auto of_channels = [&](int id) {
    const InnerTensor tensor = TensorOf(operands, id);
    return tensor.As({output[1], 1, 1, 1}, {tensor.layout.strides[0], 0, 0, 0});
  };
  if (Status s = steps.Call("aclnnInplaceMul", {sums, of_channels(kScale)}); !s.ok()) return s;
  if (Status s = steps.Call("aclnnInplaceAdd", {sums, of_channels(kBias), 1.0f}); !s.ok()) return s;
  if (Status s = steps.Copy(TensorOf(operands, kOutput), sums); !s.ok()) return s;
  return steps.Finish(call);
}

}  // namespace anyacl::convolution
