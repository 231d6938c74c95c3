// SPDX-License-Identifier: Apache-2.0
// Convolution of samples: an image of all positions' taps, [N, C, Y * K, X * L], that a usual
// convolution with strides of [K, L] then reads. The samples alone, and their gradients, by name.
#include <algorithm>
#include <limits>
#include <vector>

#include "ops/detection/corners.h"
#include "ops/detection/nodes.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::detection {
namespace {

constexpr int64_t kMostSize = std::numeric_limits<int32_t>::max();
constexpr int64_t kChannelsOfUnit = 8;  // of a unit of work, for which taps are placed once
constexpr int64_t kMostTaps = 2048, kMostWeights = 65535;  // of a kernel, and with its channels

struct TapParams {
  int64_t batch, channels, height, width;
  int64_t groups;  // deformable ones
  // Of rows and columns.
  int64_t taps[2] = {}, out[2] = {}, stride[2] = {}, before[2] = {}, dilation[2] = {};
  InnerTensor x = {}, offset = {}, sampled = {};  // FLOAT

  int64_t kernel() const { return taps[0] * taps[1]; }
};

// Where an element of x lies, and how much of it a sample has.
struct Part {
  int64_t at;
  double weight;
};
struct Sample {
  int count = 0;
  Part parts[4];
};

// A sample of a deformable group: tap (k, l) at position (i, j), or (row, s) of the image of
// samples.
struct Tap {
  Tap(const TapParams& p, const float* offset, int64_t n, int64_t group, int64_t row, int64_t s) {
    const int64_t i = row / p.taps[0], k = row % p.taps[0], j = s / p.taps[1], l = s % p.taps[1];
    const int64_t area = p.out[0] * p.out[1], part = p.groups * p.kernel();
    at = (n * 3 * part + (group * p.taps[0] + k) * p.taps[1] + l) * area + i * p.out[1] + j;
    step = part * area;
    const auto position = [&](int axis, int64_t out, int64_t tap, float moved) {
      return static_cast<double>(out * p.stride[axis] - p.before[axis] + tap * p.dilation[axis]) +
             static_cast<double>(moved);
    };
    factor = static_cast<double>(offset[at + 2 * step]);
    corners = CornersAt(position(0, i, k, offset[at + step]), position(1, j, l, offset[at]),
                        p.height, p.width);
  }

  int64_t at, step;  // of x in the offsets, and how far behind it y, and then the factor, lies
  double factor;
  Corners corners;
};

// One row of the samples for all channels of a deformable group. `samples` has a row's.
void SampleRow(const TapParams& p, const Bindings& bindings, int64_t n, int64_t group, int64_t row,
               Sample* samples) {
  const auto* x = reinterpret_cast<const float*>(p.x.Address(bindings));
  const auto* offset = reinterpret_cast<const float*>(p.offset.Address(bindings));
  auto* sampled = reinterpret_cast<float*>(p.sampled.Address(bindings));
  const int64_t length = p.out[1] * p.taps[1];
  for (int64_t s = 0; s < length; ++s) {
    const Tap tap(p, offset, n, group, row, s);
    samples[s].count = 0;
    for (int c = 0; c < tap.corners.count; ++c) {
      const double weight = tap.factor * tap.corners.weights[c];
      if (weight != 0) samples[s].parts[samples[s].count++] = {tap.corners.at[c], weight};
    }
  }
  const int64_t channels = p.channels / p.groups;
  for (int64_t c = group * channels; c < (group + 1) * channels; ++c) {
    const float* const plane = x + (n * p.channels + c) * p.height * p.width;
    float* const to = sampled + ((n * p.channels + c) * p.out[0] * p.taps[0] + row) * length;
    for (int64_t s = 0; s < length; ++s) {
      double sum = 0;
      for (int e = 0; e < samples[s].count; ++e) {
        sum += samples[s].parts[e].weight * static_cast<double>(plane[samples[s].parts[e].at]);
      }
      to[s] = static_cast<float>(sum);
    }
  }
}

void SampleAll(const TapParams& p, const Bindings& bindings) {
  const int64_t rows = p.out[0] * p.taps[0], length = p.out[1] * p.taps[1];
  const int64_t cost = length * (1 + p.channels / p.groups);
  ParallelFor(p.batch * p.groups * rows, 1 + 1024 / cost, [&](int64_t begin, int64_t end) {
    std::vector<Sample> samples(static_cast<size_t>(length));
    for (int64_t unit = begin; unit < end; ++unit) {
      SampleRow(p, bindings, unit / rows / p.groups, unit / rows % p.groups, unit % rows,
                samples.data());
    }
  });
}

// The gradients of all samples by the offsets of one row of a group: sums over its channels.
void GradientRow(const TapParams& p, const float* x, const float* offset, const float* gradient,
                 int64_t n, int64_t group, int64_t row, float* by_offset) {
  const int64_t length = p.out[1] * p.taps[1], channels = p.channels / p.groups;
  const int64_t plane = p.height * p.width, samples = p.out[0] * p.taps[0] * length;
  for (int64_t s = 0; s < length; ++s) {
    const Tap tap(p, offset, n, group, row, s);
    double by[3] = {};  // x, y, the factor
    for (int64_t c = n * p.channels + group * channels; c < n * p.channels + (group + 1) * channels;
         ++c) {
      const auto g = static_cast<double>(gradient[c * samples + row * length + s]);
      for (int e = 0; e < tap.corners.count; ++e) {
        const auto value = g * static_cast<double>(x[c * plane + tap.corners.at[e]]);
        by[0] += value * tap.factor * tap.corners.by_x[e];
        by[1] += value * tap.factor * tap.corners.by_y[e];
        by[2] += value * tap.corners.weights[e];
      }
    }
    for (int k = 0; k < 3; ++k) by_offset[tap.at + k * tap.step] = static_cast<float>(by[k]);
  }
}

// The gradients by x of some channels of a group take their parts from all samples in order.
void SpreadSamples(const TapParams& p, const float* offset, const float* gradient, int64_t n,
                   int64_t group, int64_t first, int64_t last, float* by_x) {
  const int64_t length = p.out[1] * p.taps[1], rows = p.out[0] * p.taps[0];
  const int64_t plane = p.height * p.width;
  std::fill(by_x + first * plane, by_x + last * plane, 0.0F);
  for (int64_t sample = 0; sample < rows * length; ++sample) {
    const Tap tap(p, offset, n, group, sample / length, sample % length);
    for (int64_t c = first; c < last; ++c) {
      const double g = tap.factor * static_cast<double>(gradient[c * rows * length + sample]);
      for (int e = 0; e < tap.corners.count; ++e) {
        by_x[c * plane + tap.corners.at[e]] += static_cast<float>(g * tap.corners.weights[e]);
      }
    }
  }
}

// `whole`: begins with the entries of batch and channels, which are 1.
Status CheckArray(const Operands& operands, int id, size_t size, bool whole, int64_t least) {
  const std::span<const int64_t> values = operands.Ints(id);
  bool right = values.size() == size;
  for (size_t i = 0; right && i < size; ++i) {
    const bool one = whole && i < 2;
    right = one ? values[i] == 1 : values[i] >= least && values[i] <= kMostSize;
  }
  if (right) return {};
  return Fail(operands.spec().codes.shape, "{} = [{}], expected {} numbers of {} to {}{}",
              operands.NameOf(id), Joined(values), size, least, kMostSize,
              whole ? ", the first two of them 1" : "");
}

Status ReadTaps(Operands& operands, TapParams* p) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const aclFormat format = operands[kSelf].layout->format;
  if (format != ACL_FORMAT_NCHW) {
    if (Status s = CheckFormatIs(operands, {kSelf}, ACL_FORMAT_ND); !s.ok()) return s;
  }
  if (Status s = CheckFormatIs(operands, {kOffset, kWeight, kOut, kSampled}, format); !s.ok()) {
    return s;
  }
  if (Status s = CheckFormatIs(operands, {kBias}, ACL_FORMAT_ND); !s.ok()) return s;
  if (Status s = CheckArray(operands, kKernelSize, 2, false, 1); !s.ok()) return s;
  if (Status s = CheckArray(operands, kStride, 4, true, 1); !s.ok()) return s;
  if (Status s = CheckArray(operands, kPadding, 4, false, -kMostSize); !s.ok()) return s;
  if (Status s = CheckArray(operands, kDilation, 4, true, 1); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  if (!operands.Flag(kModulated)) return Fail(code, "modulated = false, expected true");

  const Dims &x = operands[kSelf].shape(), &weight = operands[kWeight].shape();
  const int64_t groups = operands.Int(kGroups);
  *p = {.batch = x[0],
        .channels = x[1],
        .height = x[2],
        .width = x[3],
        .groups = operands.Int(kDeformableGroups)};
  if (x[2] > kMostSize || x[3] > kMostSize || x[2] * x[3] > kMostSize) {
    return Fail(code, "x.shape = {}, expected images of at most {} elements", x.ToString(),
                kMostSize);
  }
  if (p->channels % p->groups != 0 || p->channels % groups != 0 || weight[0] % groups != 0) {
    return Fail(code,
                "x.shape = {}, weight.shape = {}, groups = {}, deformableGroups = {}: expected "
                "channels of x by both, of out by groups",
                x.ToString(), weight.ToString(), groups, p->groups);
  }
  for (size_t axis : {0, 1}) {
    p->taps[axis] = operands.Ints(kKernelSize)[axis];
    p->stride[axis] = operands.Ints(kStride)[axis + 2];
    p->dilation[axis] = operands.Ints(kDilation)[axis + 2];
    p->before[axis] = operands.Ints(kPadding)[2 * axis];
  }
  // Each is below 2^31.
  if (p->kernel() > kMostTaps || (p->channels / groups) > kMostWeights / p->kernel()) {
    return Fail(code,
                "kernelSize = [{}], x.shape[1] = {}, groups = {}: expected at most {} taps "
                "and {} weights of each output",
                Joined(operands.Ints(kKernelSize)), p->channels, groups, kMostTaps, kMostWeights);
  }
  for (size_t axis : {0, 1}) {
    const int64_t left = x[axis + 2] + p->before[axis] + operands.Ints(kPadding)[2 * axis + 1] -
                         (p->taps[axis] - 1) * p->dilation[axis] - 1;
    p->out[axis] = left < 0 ? 0 : left / p->stride[axis] + 1;
  }
  const auto check = [&](int id, const Dims& shape) {
    return operands[id].given() ? CheckShapeIs(operands, id, shape) : Status{};
  };
  const int64_t y = p->out[0], z = p->out[1];
  if (Status s = check(kWeight, {weight[0], p->channels / groups, p->taps[0], p->taps[1]});
      !s.ok()) {
    return s;
  }
  if (Status s = check(kOffset, {x[0], 3 * p->groups * p->kernel(), y, z}); !s.ok()) return s;
  if (Status s = check(kOut, {x[0], weight[0], y, z}); !s.ok()) return s;
  return check(kSampled, {x[0], x[1], y * p->taps[0], z * p->taps[1]});
}

// Of the operators by name, whose channels come last: 1, of rows and columns, 1.
Status CheckChannelsLast(const Operands& operands, int id, int64_t* to) {
  const std::span<const int64_t> v = operands.Ints(id);
  const auto right = [](int64_t value) { return value >= 1 && value <= kMostSize; };
  if (v.size() != 4 || v[0] != 1 || v[3] != 1 || !right(v[1]) || !right(v[2])) {
    return Fail(operands.spec().codes.shape, "{} = [{}], expected 1, two of 1 to {}, 1",
                operands.NameOf(id), Joined(v), kMostSize);
  }
  to[0] = v[1];
  to[1] = v[2];
  return {};
}

// `samples`: the row of their image.
Status ReadNamedTaps(Operands& operands, int samples, TapParams* p) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = operands.CheckText(kMode, {"NHWC"}); !s.ok()) return s;
  if (Status s = CheckArray(operands, kKernelSize, 2, false, 1); !s.ok()) return s;
  if (Status s = CheckArray(operands, kPadding, 4, false, -kMostSize); !s.ok()) return s;
  const Dims& x = operands[kSelf].shape();
  *p = {.batch = x[0],
        .channels = x[3],
        .height = x[1],
        .width = x[2],
        .groups = operands.Int(kDeformableGroups)};
  if (Status s = CheckChannelsLast(operands, kStride, p->stride); !s.ok()) return s;
  if (Status s = CheckChannelsLast(operands, kDilation, p->dilation); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  for (size_t axis : {0, 1}) {
    p->taps[axis] = operands.Ints(kKernelSize)[axis];
    p->before[axis] = operands.Ints(kPadding)[2 * axis];
  }
  if (x[1] > kMostSize || x[2] > kMostSize || x[1] * x[2] > kMostSize || p->kernel() > kMostTaps ||
      p->channels % p->groups != 0) {
    return Fail(code,
                "x.shape = {}, ksize = [{}], deformable_groups = {}: expected images of at most {} "
                "elements, at most {} taps and channels by groups",
                x.ToString(), Joined(operands.Ints(kKernelSize)), p->groups, kMostSize, kMostTaps);
  }
  for (size_t axis : {0, 1}) {
    const int64_t left = x[axis + 1] + p->before[axis] + operands.Ints(kPadding)[2 * axis + 1] -
                         (p->taps[axis] - 1) * p->dilation[axis] - 1;
    p->out[axis] = left < 0 ? 0 : left / p->stride[axis] + 1;
  }
  const int64_t y = p->out[0], z = p->out[1];
  if (Status s = CheckShapeIs(operands, kOffset, {x[0], y, z, 3 * p->groups * p->kernel()});
      !s.ok()) {
    return s;
  }
  return CheckShapeIs(operands, samples, {x[0], y * p->taps[0], z * p->taps[1], x[3]});
}

// A copy with channels second.
Status ChannelsSecond(Steps& steps, const Operands& operands, int id, InnerTensor* tensor) {
  const Dims& shape = operands[id].shape();
  *tensor = steps.Piece(operands.NameOf(id), ACL_FLOAT, {shape[0], shape[3], shape[1], shape[2]});
  return steps.Copy(*tensor, TensorOf(operands, id).Permuted({0, 3, 1, 2}));
}

}  // namespace

Status PrepareConvolution(Operands& operands, PreparedCall* call) {
  TapParams p;
  if (Status s = ReadTaps(operands, &p); !s.ok()) return s;
  for (int id : {kSelf, kWeight, kOffset}) {
    if (operands[id].IsEmpty()) return {};
  }
  Steps steps(operands);
  if (Status s = steps.ContiguousAs(kSelf, ACL_FLOAT, &p.x); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kOffset, ACL_FLOAT, &p.offset); !s.ok()) return s;
  p.sampled = operands[kSampled].given()
                  ? steps.ContiguousResultAs(kSampled, ACL_FLOAT)
                  : steps.Piece("the samples", ACL_FLOAT,
                                {p.batch, p.channels, p.out[0] * p.taps[0], p.out[1] * p.taps[1]});
  steps.Add([p](const Bindings& bindings, char*, const StopToken&) -> Status {
    SampleAll(p, bindings);
    return {};
  });
  const IntArray none = {0, 0}, one = {1, 1}, taps = {p.taps[0], p.taps[1]};
  if (Status s = steps.Call(
          "aclnnConvolution",
          {p.sampled, TensorOf(operands, kWeight), TensorOf(operands, kBias), taps, none, one,
           int64_t{0}, none, operands.Int(kGroups), TensorOf(operands, kOut), int64_t{0}});
      !s.ok()) {
    return s;
  }
  return steps.Finish(call);
}

Status PrepareOffsets(Operands& operands, PreparedCall* call) {
  TapParams p;
  if (Status s = ReadNamedTaps(operands, kOut, &p); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const Dims& out = operands[kOut].shape();
  Steps steps(operands);
  if (Status s = ChannelsSecond(steps, operands, kSelf, &p.x); !s.ok()) return s;
  if (Status s = ChannelsSecond(steps, operands, kOffset, &p.offset); !s.ok()) return s;
  p.sampled = steps.Piece("the samples", ACL_FLOAT, {out[0], out[3], out[1], out[2]});
  steps.Add([p](const Bindings& bindings, char*, const StopToken&) -> Status {
    SampleAll(p, bindings);
    return {};
  });
  if (Status s = steps.Copy(TensorOf(operands, kOut), p.sampled.Permuted({0, 2, 3, 1})); !s.ok()) {
    return s;
  }
  return steps.Finish(call);
}

Status PrepareOffsetsGrad(Operands& operands, PreparedCall* call) {
  TapParams p;
  if (Status s = ReadNamedTaps(operands, kGradOutput, &p); !s.ok()) return s;
  Steps steps(operands);
  if (operands[kGradOutput].IsEmpty()) {
    for (int id : {static_cast<int>(kOut), static_cast<int>(kSampled)}) {
      if (operands[id].IsEmpty()) continue;
      if (Status s = steps.Call("aclnnInplaceZero", {TensorOf(operands, id)}); !s.ok()) return s;
    }
    return steps.Finish(call);
  }
  InnerTensor gradient;
  if (Status s = ChannelsSecond(steps, operands, kGradOutput, &gradient); !s.ok()) return s;
  if (Status s = ChannelsSecond(steps, operands, kSelf, &p.x); !s.ok()) return s;
  if (Status s = ChannelsSecond(steps, operands, kOffset, &p.offset); !s.ok()) return s;
  const InnerTensor by_x = steps.Piece("grad_x", ACL_FLOAT, p.x.layout.shape);
  const InnerTensor by_offset = steps.Piece("grad_offsets", ACL_FLOAT, p.offset.layout.shape);
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    const auto floats = [&](const InnerTensor& tensor) {
      return reinterpret_cast<float*>(tensor.Address(bindings));
    };
    const int64_t rows = p.out[0] * p.taps[0], channels = p.channels / p.groups;
    ParallelFor(p.batch * p.groups * rows, 1, [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        GradientRow(p, floats(p.x), floats(p.offset), floats(gradient), unit / rows / p.groups,
                    unit / rows % p.groups, unit % rows, floats(by_offset));
      }
    });
    const int64_t parts = (channels + kChannelsOfUnit - 1) / kChannelsOfUnit;
    ParallelFor(p.batch * p.groups * parts, 1, [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t n = unit / parts / p.groups, group = unit / parts % p.groups;
        const int64_t base = (n * p.groups + group) * channels;
        const int64_t first = unit % parts * kChannelsOfUnit;
        SpreadSamples(p, floats(p.offset), floats(gradient), n, group, base + first,
                      base + std::min(first + kChannelsOfUnit, channels), floats(by_x));
      }
    });
    return {};
  });
  const InnerTensor back[] = {by_x.Permuted({0, 2, 3, 1}), by_offset.Permuted({0, 2, 3, 1})};
  if (Status s = steps.Copy(TensorOf(operands, kOut), back[0]); !s.ok()) return s;
  if (Status s = steps.Copy(TensorOf(operands, kSampled), back[1]); !s.ok()) return s;
  return steps.Finish(call);
}

}  // namespace anyacl::detection
