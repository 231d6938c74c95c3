// SPDX-License-Identifier: Apache-2.0
// What the tables cannot say: arrays, channels, and the sizes of the images.
#include <limits>

#include "base/format.h"
#include "base/wide.h"
#include "nnop/promotion.h"
#include "ops/blocks/images.h"
#include "ops/convolution/op.h"

namespace anyacl::convolution {
namespace {

// Of a stride, dilation or padding: what fits into CANN's int32.
constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
// Positions of all images of a tensor, expanded ones included.
constexpr int64_t kMostElements = int64_t{1} << 48;
constexpr int64_t kUseFp16 = 2;  // of cubeMathType

struct Geometry {
  int spatial = 0;
  bool whole = false;  // arrays begin with batch and channels, or are left out
  int64_t stride[kSpatial] = {1, 1, 1};
  int64_t before[kSpatial] = {};
  int64_t after[kSpatial] = {};
  int64_t dilation[kSpatial] = {1, 1, 1};
  int64_t extra[kSpatial] = {};  // outputPadding
};

Status CheckRanks(const Operands& operands, int image, int other) {
  const size_t rank = operands[image].shape().rank();
  for (int id : {static_cast<int>(kWeight), other}) {
    if (operands[id].shape().rank() == rank) continue;
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected rank {} as of {}",
                operands.NameOf(id), operands[id].shape().ToString(), rank, operands.NameOf(image));
  }
  for (int id : {image, static_cast<int>(kWeight), other}) {
    const std::optional<int64_t> count = ElementCount(operands[id].shape());
    if (count && *count <= kMostElements) continue;
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected at most {} elements",
                operands.NameOf(id), operands[id].shape().ToString(), kMostElements);
  }
  return {};
}

// Values of an array for the last dimensions, each within [least, kMost]. `whole`: those of batch
// and channels, which are the least, come before.
Status ReadArray(const Operands& operands, int id, int spatial, bool whole, int64_t least,
                 int64_t* to) {
  std::span<const int64_t> values = operands.Ints(id);
  if (whole) {
    if (values.empty()) return {};
    if (values.size() == static_cast<size_t>(spatial) + 2 && values[0] == least &&
        values[1] == least) {
      values = values.subspan(2);
    }
  }
  if (values.size() != static_cast<size_t>(spatial)) {
    const std::string first = whole ? Format("{0}, {0} and ", least) : "";
    return Fail(operands.spec().codes.shape, "{} = [{}], expected {}{} elements",
                operands.NameOf(id), Joined(values), first, spatial);
  }
  for (int i = 0; i < spatial; ++i) {
    const int64_t value = values[static_cast<size_t>(i)];
    if (value < least || value > kMost) {
      return Fail(operands.spec().codes.shape, "{}[{}] = {}, expected {} to {}",
                  operands.NameOf(id), i, value, least, kMost);
    }
    to[kSpatial - spatial + i] = value;
  }
  return {};
}

Status ReadPadding(const Operands& operands, Geometry* g) {
  const std::span<const int64_t> values = operands.Ints(kPadding);
  const auto spatial = static_cast<size_t>(g->spatial);
  if (values.size() != spatial && values.size() != 2 * spatial) {
    return Fail(operands.spec().codes.shape, "padding has {} elements, expected {} or {}",
                values.size(), spatial, 2 * spatial);
  }
  const bool both = values.size() == 2 * spatial;
  for (size_t i = 0; i < spatial; ++i) {
    const size_t dim = kSpatial - spatial + i;
    g->before[dim] = values[both ? 2 * i : i];
    g->after[dim] = values[both ? 2 * i + 1 : i];
    for (int64_t value : {g->before[dim], g->after[dim]}) {
      if (value >= 0 && value <= kMost) continue;
      return Fail(operands.spec().codes.shape, "padding = [{}], expected 0 to {}", Joined(values),
                  kMost);
    }
  }
  return {};
}

Status ReadExtra(const Operands& operands, Geometry* g) {
  if (!operands.Flag(kTransposed)) return {};
  if (Status s = ReadArray(operands, kOutputPadding, g->spatial, g->whole, 0, g->extra); !s.ok())
    return s;
  for (int i = 0; i < kSpatial; ++i) {
    if (g->extra[i] == 0 || g->extra[i] < std::max(g->stride[i], g->dilation[i])) continue;
    return Fail(operands.spec().codes.shape,
                "outputPadding = [{}], expected less than stride or dilation",
                Joined(operands.Ints(kOutputPadding)));
  }
  return {};
}

Status ReadGeometry(const Operands& operands, Geometry* g) {
  g->spatial = static_cast<int>(operands[kInput].shape().rank()) - 2;
  if (Status s = ReadArray(operands, kStride, g->spatial, g->whole, 1, g->stride); !s.ok())
    return s;
  if (Status s = ReadPadding(operands, g); !s.ok()) return s;
  if (Status s = ReadArray(operands, kDilation, g->spatial, g->whole, 1, g->dilation); !s.ok())
    return s;
  return ReadExtra(operands, g);
}

// The large image's size that has a small one's positions, and the other way round.
Int128 Large(const Geometry& g, int i, int64_t small, int64_t taps) {
  return (Int128{small} - 1) * g.stride[i] - g.before[i] - g.after[i] +
         Int128{g.dilation[i]} * (taps - 1) + g.extra[i] + 1;
}
Int128 Small(const Geometry& g, int i, int64_t large, int64_t taps) {
  const Int128 left =
      Int128{large} + g.before[i] + g.after[i] - Int128{g.dilation[i]} * (taps - 1) - 1;
  return left < 0 ? 0 : left / g.stride[i] + 1;
}

Status CheckChannels(const Operands& operands, int output) {
  const int code = operands.spec().codes.shape;
  const Dims& input = operands[kInput].shape();
  const Dims& weight = operands[kWeight].shape();
  const Dims& out = operands[output].shape();
  const int64_t groups = operands.Int(kGroups);
  const bool transposed = operands.Flag(kTransposed);
  if (weight[0] % groups != 0) {
    return Fail(code, "weight.shape = {} and groups = {}, expected a multiple of groups first",
                weight.ToString(), groups);
  }
  const int64_t many = weight[1] * groups;
  if (input[1] != (transposed ? weight[0] : many)) {
    return Fail(code, "input.shape = {}, weight.shape = {}, groups = {}: expected {} channels",
                input.ToString(), weight.ToString(), groups, transposed ? weight[0] : many);
  }
  if (out[1] != (transposed ? many : weight[0])) {
    return Fail(code, "{}.shape = {}, weight.shape = {}, groups = {}: expected {} channels",
                operands.NameOf(output), out.ToString(), weight.ToString(), groups,
                transposed ? many : weight[0]);
  }
  return {};
}

Status CheckSizes(const Operands& operands, const Geometry& g, int output) {
  const int code = operands.spec().codes.shape;
  const Dims& input = operands[kInput].shape();
  const Dims& weight = operands[kWeight].shape();
  const Dims& out = operands[output].shape();
  if (out[0] != input[0]) {
    return Fail(code, "{}.shape = {}, expected a batch of {} as of input", operands.NameOf(output),
                out.ToString(), input[0]);
  }
  for (size_t d = 2; d < input.rank(); ++d) {
    const int i = kSpatial - g.spatial + static_cast<int>(d) - 2;
    if (weight[d] < 1) {
      return Fail(code, "weight.shape = {}, expected taps in every dimension", weight.ToString());
    }
    const Int128 size = operands.Flag(kTransposed) ? Large(g, i, input[d], weight[d])
                                                   : Small(g, i, input[d], weight[d]);
    if (size < 1) {
      return Fail(code, "input.shape = {} and weight.shape = {} leave nothing of dimension {}",
                  input.ToString(), weight.ToString(), d);
    }
    if (size == out[d]) continue;
    return Fail(code, "{}.shape = {}, expected {} in dimension {}", operands.NameOf(output),
                out.ToString(), size > kMostElements ? kMostElements : static_cast<int64_t>(size),
                d);
  }
  return {};
}

// A tensor of rank 3 to 5 as one of rank 5.
Image ImageOf(const Operands& operands, int id) {
  Image image;
  image.view = ViewOf(operands, id);
  image.outer_step = image.view.strides[0];
  image.channel_step = image.view.strides[1];
  const int spatial = image.view.rank - 2;
  for (int i = 0; i < spatial; ++i) {
    image.sizes[kSpatial - spatial + i] = image.view.sizes[2 + i];
    image.steps[kSpatial - spatial + i] = image.view.strides[2 + i];
  }
  return image;
}

// What both phases of a convolution have: `output` is the forward's output or its gradient.
Status ReadRelation(Operands& operands, int output, bool whole, Relation* r) {
  Geometry g;
  g.whole = whole;
  if (Status s = blocks::CheckChannelsSecond(operands, {kInput, kWeight, output}); !s.ok())
    return s;
  if (Status s = CheckRanks(operands, kInput, output); !s.ok()) return s;
  if (Status s = ReadGeometry(operands, &g); !s.ok()) return s;
  if (Status s = CheckChannels(operands, output); !s.ok()) return s;
  if (Status s = CheckSizes(operands, g, output); !s.ok()) return s;
  r->transposed = operands.Flag(kTransposed);
  r->x = ImageOf(operands, r->transposed ? output : kInput);
  r->y = ImageOf(operands, r->transposed ? kInput : output);
  r->weight = ImageOf(operands, kWeight);
  r->batch = operands[kInput].shape()[0];
  r->groups = operands.Int(kGroups);
  r->y_channels = operands[kWeight].shape()[0] / r->groups;
  r->x_channels = operands[kWeight].shape()[1];
  std::copy(r->weight.sizes, r->weight.sizes + kSpatial, r->kernel);
  std::copy(g.stride, g.stride + kSpatial, r->stride);
  std::copy(g.before, g.before + kSpatial, r->before);
  std::copy(g.dilation, g.dilation + kSpatial, r->dilation);
  return {};
}

int64_t OutChannels(const Operands& operands) {
  const Dims& weight = operands[kWeight].shape();
  return operands.Flag(kTransposed) ? weight[1] * operands.Int(kGroups) : weight[0];
}

bool Wanted(const Operands& operands, int id) {
  return operands.Bools(kOutputMask)[static_cast<size_t>(id - kGradInput)] != 0;
}

Status CheckGradients(const Operands& operands) {
  const std::span<const uint8_t> mask = operands.Bools(kOutputMask);
  if (mask.size() != 3) {
    return Fail(operands.spec().codes.shape, "outputMask has {} elements, expected 3", mask.size());
  }
  const Dims shapes[] = {operands[kInput].shape(), operands[kWeight].shape(),
                         Dims{OutChannels(operands)}};
  for (int id : {kGradInput, kGradWeight, kGradBias}) {
    if (!Wanted(operands, id)) continue;
    if (Status s = operands.Require(id); !s.ok()) return s;
    if (Status s = CheckShapeIs(operands, id, shapes[id - kGradInput]); !s.ok()) return s;
  }
  return {};
}

// As a device, which looks at them only where it has nothing to compute.
Status CheckBiasSizes(const Operands& operands) {
  const bool empty =
      operands[kGradOutput].IsEmpty() || operands[kInput].IsEmpty() || operands[kWeight].IsEmpty();
  if (!empty || !Wanted(operands, kGradBias)) return {};
  const std::span<const int64_t> sizes = operands.Ints(kBiasSizes);
  if (sizes.size() == 1 && sizes[0] == OutChannels(operands)) return {};
  return Fail(operands.spec().codes.shape, "biasSizes = [{}], expected [{}]", Joined(sizes),
              OutChannels(operands));
}

// Atlas A2 has no such product of three dimensions and several groups.
Status CheckWideWeightGradient(const Operands& operands) {
  const bool wide = Wanted(operands, kGradWeight) && operands[kGradWeight].dtype() == ACL_FLOAT;
  const int64_t groups = operands.Int(kGroups);
  if (!wide || groups == 1 || operands[kInput].shape().rank() != 5) return {};
  if (operands.Int(kCubeMathType) == kUseFp16) {
    return Fail(operands.spec().codes.shape,
                "cubeMathType = {} and groups = {}, expected another for gradWeight of FLOAT",
                kUseFp16, groups);
  }
  const aclDataType type = Promote(Promote(operands[kGradOutput].dtype(), operands[kInput].dtype()),
                                   operands[kWeight].dtype());
  if (type == ACL_FLOAT) return {};
  return Fail(operands.spec().codes.dtype,
              "gradWeight.dtype = FLOAT and groups = {}, expected {} as the inputs", groups,
              NameOf(type));
}

// As a device: what has no elements gives a result without some, though padding alone could make
// one, and images to be transposed have channels.
Status CheckEmptyInputs(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  const Dims& input = operands[kInput].shape();
  if (operands.Flag(kTransposed)) {
    if (input[1] > 0) return {};
    return Fail(code, "input.shape = {}, expected channels as transposed is true",
                input.ToString());
  }
  for (int id : {kInput, kWeight}) {
    if (!operands[id].IsEmpty() || operands[kOutput].IsEmpty()) continue;
    return Fail(code, "output.shape = {}, expected one without elements as {}.shape = {}",
                operands[kOutput].shape().ToString(), operands.NameOf(id),
                operands[id].shape().ToString());
  }
  return {};
}

}  // namespace

Status CheckForward(Operands& operands, bool whole, Relation* relation) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = ReadRelation(operands, kOutput, whole, relation); !s.ok()) return s;
  if (!whole) {
    if (Status s = CheckEmptyInputs(operands); !s.ok()) return s;
  }
  if (!operands[kBias].given()) return {};
  if (Status s = blocks::CheckChannelsSecond(operands, {kBias}); !s.ok()) return s;
  relation->bias = ViewOf(operands, kBias);
  if (relation->bias.sizes[0] == OutChannels(operands)) return {};
  return Fail(operands.spec().codes.shape, "bias.shape = {}, expected [{}]",
              operands[kBias].shape().ToString(), OutChannels(operands));
}

Status CheckBackward(Operands& operands, Relation* relation, Gradients* gradients) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = ReadRelation(operands, kGradOutput, false, relation); !s.ok()) return s;
  if (Status s = CheckGradients(operands); !s.ok()) return s;
  if (Status s = CheckBiasSizes(operands); !s.ok()) return s;
  if (Status s = CheckWideWeightGradient(operands); !s.ok()) return s;
  if (Wanted(operands, kGradInput)) gradients->input = ImageOf(operands, kGradInput);
  if (Wanted(operands, kGradWeight)) gradients->weight = ImageOf(operands, kGradWeight);
  if (Wanted(operands, kGradBias)) gradients->bias = ViewOf(operands, kGradBias);
  return {};
}

}  // namespace anyacl::convolution
