// SPDX-License-Identifier: Apache-2.0
// What the tables cannot say: sizes that arrays and windows ask for.
#include <cmath>
#include <limits>

#include "base/format.h"
#include "base/wide.h"
#include "ops/blocks/images.h"
#include "ops/resampling/plan.h"

namespace anyacl::resampling {
namespace {

// Elements of an axis, and of all windows of one.
constexpr int64_t kMostSize = int64_t{1} << 26;
constexpr int64_t kMostTaps = int64_t{1} << 28;

Status CheckSizes(const Operands& operands, std::initializer_list<int> ids) {
  for (int id : ids) {
    for (int64_t size : operands[id].shape()) {
      if (size <= kMostSize) continue;
      return Fail(operands.spec().codes.shape, "{}.shape = {}, expected sizes up to {}",
                  operands.NameOf(id), operands[id].shape().ToString(), kMostSize);
    }
  }
  return {};
}

bool Repeats(std::span<const int64_t> values, const Dims& shape, size_t first) {
  return values.size() == shape.rank() - first &&
         std::equal(values.begin(), values.end(), shape.begin() + first);
}

// An array that repeats sizes of a shape from `first` on.
Status CheckArray(const Operands& operands, int id, const Dims& shape, size_t first) {
  const std::span<const int64_t> values = operands.Ints(id);
  if (Repeats(values, shape, first)) return {};
  return Fail(operands.spec().codes.shape, "{} = [{}], expected the {} sizes of {}",
              operands.NameOf(id), Joined(values), first == 0 ? "" : "spatial", shape.ToString());
}

// The shape of the result, which the caller `gave`. That of a volume with channels last may have
// them second, too: CANN's document and its own call differ.
Status CheckInputSize(const Operands& operands, const Dims& gave, int spatial) {
  const Dims& turned = operands[kOut].shape();
  if (spatial == 3 && Repeats(operands.Ints(kInputSize), turned, 0)) return {};
  return CheckArray(operands, kInputSize, gave, 0);
}

Status CheckSpatial(const Operands& operands, int id, int spatial) {
  const Dims& shape = operands[id].shape();
  for (size_t i = shape.rank() - static_cast<size_t>(spatial); i < shape.rank(); ++i) {
    if (shape[i] > 0) continue;
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected spatial sizes of 1 or more",
                operands.NameOf(id), shape.ToString());
  }
  return {};
}

// The operators whose documents have formats with channels last.
bool TakesChannelsLast(Mode mode, int spatial, bool backward) {
  if (mode == Mode::kNearestExact) return !backward || spatial == 3;
  return mode == Mode::kNearest || mode == Mode::kLinear;
}

// As in PyTorch, most results have channels. Documents that take tensors without elements are
// those of a few images; on a device bilinear interpolation of images takes them, too.
Status CheckNotEmpty(const Operands& operands, Mode mode, int spatial) {
  const Dims& shape = operands[kSelf].shape();
  const bool images = spatial == 2 && mode != Mode::kCubic && mode != Mode::kLinearAntialias;
  const bool batches =
      mode == Mode::kLinearAntialias || (mode == Mode::kNearestExact && spatial == 1);
  if (images || (shape[1] > 0 && (shape[0] > 0 || !batches))) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected sizes of 1 or more{}",
              operands.NameOf(kSelf), shape.ToString(), batches ? "" : " but for the first");
}

// Whose documents refuse scales below 0.
bool TakesNoNegativeScales(Mode mode, int spatial, bool backward) {
  if (mode == Mode::kLinear) return spatial == 2 && !backward;
  if (mode == Mode::kNearestExact) return spatial != 3 && backward;
  return mode == Mode::kLinearAntialias || (mode == Mode::kCubicAntialias && backward);
}

Status CheckScales(const Operands& operands, Mode mode, int spatial, bool backward) {
  if (!TakesNoNegativeScales(mode, spatial, backward)) return {};
  for (int id = kScaleW - spatial + 1; id <= kScaleW; ++id) {
    if (!(operands.Real(id) < 0)) continue;
    return Fail(operands.spec().codes.shape, "{} = {}, expected 0 or more", operands.NameOf(id),
                operands.Real(id));
  }
  return {};
}

// Of aclnnUpsampleLinear1d a scale that is given must lead to the size of the result, of its
// gradient the sizes may differ 500 times at most.
Status CheckLinearScale(const Operands& operands, bool backward) {
  const int code = operands.spec().codes.shape;
  const int64_t from = operands[kSelf].shape()[2], to = operands[kOut].shape()[2];
  if (backward) {
    if (from <= 500 * to) return {};
    return Fail(code, "outputSize[0] = {}, expected at most 500 * {}", from, to);
  }
  const double scale = operands.Real(kScaleW);
  const double size = std::floor(static_cast<double>(from) * scale);
  if (!(scale >= 0) || size == static_cast<double>(to)) return {};
  return Fail(code,
              "scales = {}, expected less than 0 or one by which {} becomes outputSize[0] = {}",
              scale, from, to);
}

Params ParamsOf(const Operands& operands, int spatial, bool backward) {
  Params p;
  p.from = blocks::ImagesOf(ViewOf(operands, kSelf), spatial);
  p.to = blocks::ImagesOf(ViewOf(operands, kOut), spatial);
  p.backward = backward;
  for (int i = 0; i < kSpatial; ++i) {
    p.axes[i].in = (backward ? p.to : p.from).sizes[2 + i];
    p.axes[i].out = (backward ? p.from : p.to).sizes[2 + i];
  }
  return p;
}

void Finish(const Operands& operands, const Params& params, PreparedCall* call) {
  if (!operands[kOut].IsEmpty()) call->plan = MakePlan(params);
}

Status PrepareUpsampling(Operands& operands, Mode mode, int spatial, bool backward,
                         PreparedCall* call) {
  const Dims out = operands[kOut].shape();
  if (TakesChannelsLast(mode, spatial, backward)) {
    if (Status s = blocks::TurnChannelsSecond(operands, {kSelf, kOut}); !s.ok()) return s;
  }
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = blocks::CheckChannelsSecond(operands, {kSelf, kOut}); !s.ok()) return s;
  if (Status s = CheckSizes(operands, {kSelf, kOut}); !s.ok()) return s;
  const int large = backward ? kSelf : kOut;
  if (Status s = CheckArray(operands, kOutputSize, operands[large].shape(), 2); !s.ok()) return s;
  if (backward) {
    if (Status s = CheckInputSize(operands, out, spatial); !s.ok()) return s;
  } else if (Status s = CheckNotEmpty(operands, mode, spatial); !s.ok()) {
    return s;
  }
  for (int id : {kSelf, kOut}) {
    if (Status s = CheckSpatial(operands, id, spatial); !s.ok()) return s;
  }
  if (Status s = CheckScales(operands, mode, spatial, backward); !s.ok()) return s;
  if (mode == Mode::kLinear && spatial == 1) {
    if (Status s = CheckLinearScale(operands, backward); !s.ok()) return s;
  }
  Params p = ParamsOf(operands, spatial, backward);
  for (int i = 0; i < spatial; ++i) {
    Axis& axis = p.axes[kSpatial - spatial + i];
    const int scale = kScaleW - (spatial - 1 - i);
    axis.kind = Axis::Kind::kUpsample;
    axis.mode = mode;
    axis.align_corners = operands.HasRow(kAlignCorners) && operands.Flag(kAlignCorners);
    axis.scale = operands.HasRow(scale) ? operands.Real(scale) : 0;
    // torch_npu passes 1 for a scale that was not given, and so does CANN take it.
    if (axis.scale == 1 && axis.in != axis.out) axis.scale = 0;
  }
  Finish(operands, p, call);
  return {};
}

// Of aclnnResize: a size and its scale, within CANN's error of scales.
Status CheckResized(const Operands& operands, size_t dim) {
  constexpr double kError = 1e-5;
  const auto from = static_cast<double>(operands[kSelf].shape()[dim]);
  const auto to = static_cast<double>(operands[kOut].shape()[dim]);
  const double scale = operands.Floats(kScales)[dim];
  if (to >= std::trunc(from * (scale - kError)) && to <= std::trunc(from * (scale + kError))) {
    return {};
  }
  return Fail(operands.spec().codes.shape, "out.shape[{}] = {}, expected {} * scales[{}] = {}", dim,
              operands[kOut].shape()[dim], operands[kSelf].shape()[dim], dim, from * scale);
}

Status CheckPooled(const Operands& operands, const Params& p, int spatial) {
  for (int i = kSpatial - spatial; i < kSpatial; ++i) {
    const Axis& axis = p.axes[i];
    if (2 * axis.padding > axis.kernel) {
      return Fail(operands.spec().codes.shape,
                  "{} = [{}] with kernelSize = [{}], expected at most half of it",
                  operands.NameOf(kPadding), Joined(operands.Ints(kPadding)),
                  Joined(operands.Ints(kKernelSize)));
    }
    const int pooled = p.backward ? kSelf : kOut;
    const int64_t size = blocks::PooledSize({axis.in, axis.kernel, axis.stride, axis.padding},
                                            operands.Flag(kCeilMode));
    if (size != axis.out || size < 1) {
      return Fail(operands.spec().codes.shape, "{}.shape = {}, expected {} windows in dimension {}",
                  operands.NameOf(pooled), operands[pooled].shape().ToString(), size,
                  static_cast<int>(operands[pooled].shape().rank()) - kSpatial + i);
    }
    if (Int128{axis.out} * std::min(axis.kernel, axis.in) > kMostTaps) {
      return Fail(operands.spec().codes.shape,
                  "kernelSize = [{}], expected at most {} elements in "
                  "all windows of a dimension",
                  Joined(operands.Ints(kKernelSize)), kMostTaps);
    }
  }
  return {};
}

// Of both phases: what stays the same and what the gradient repeats.
Status CheckPooling(Operands& operands, int spatial) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = blocks::CheckChannelsSecond(operands, {kSelf, kForward, kOut}); !s.ok()) return s;
  for (int id : {kSelf, kOut}) {
    const size_t rank = operands[id].shape().rank();
    if (rank > static_cast<size_t>(spatial) && rank <= static_cast<size_t>(spatial) + 2) continue;
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected rank {} or {}",
                operands.NameOf(id), operands[id].shape().ToString(), spatial + 1, spatial + 2);
  }
  return CheckSizes(operands, {kSelf, kOut});
}

Status PreparePooling(Operands& operands, int spatial, PreparedCall* call) {
  if (Status s = CheckPooling(operands, spatial); !s.ok()) return s;
  const bool backward = operands[kForward].given();
  Params p = ParamsOf(operands, spatial, backward);
  int64_t kernel[kSpatial], stride[kSpatial], padding[kSpatial];
  if (Status s = blocks::ReadWindow(operands, kKernelSize, spatial, 1, nullptr, kernel); !s.ok())
    return s;
  if (Status s = blocks::ReadWindow(operands, kStride, spatial, 1, kernel, stride); !s.ok())
    return s;
  if (Status s = blocks::ReadWindow(operands, kPadding, spatial, 0, nullptr, padding); !s.ok())
    return s;
  for (int i = 0; i < spatial; ++i) {
    Axis& axis = p.axes[kSpatial - spatial + i];
    axis.kind = Axis::Kind::kWindow;
    axis.kernel = kernel[i];
    axis.stride = stride[i];
    axis.padding = padding[i];
    axis.include_padding = operands.Flag(kCountIncludePad);
  }
  if (Status s = CheckPooled(operands, p, spatial); !s.ok()) return s;
  p.divides = true;
  p.counts = operands.Int(kDivisorOverride) == 0;
  if (!p.counts) p.divisor = static_cast<double>(operands.Int(kDivisorOverride));
  Finish(operands, p, call);
  return {};
}

Status PrepareAdaptive(Operands& operands, int spatial, PreparedCall* call) {
  if (Status s = CheckPooling(operands, spatial); !s.ok()) return s;
  const bool backward = operands[kForward].given();
  if (!backward) {
    const size_t first = operands[kOut].shape().rank() - static_cast<size_t>(spatial);
    if (Status s = CheckArray(operands, kOutputSize, operands[kOut].shape(), first); !s.ok()) {
      return s;
    }
  }
  if (backward && spatial == 3) {
    if (Status s = operands.CheckNotEmpty(); !s.ok()) return s;
  }
  if (!operands[kOut].IsEmpty()) {
    if (Status s = CheckSpatial(operands, kSelf, spatial); !s.ok() && !backward) return s;
  }
  Params p = ParamsOf(operands, spatial, backward);
  for (int i = kSpatial - spatial; i < kSpatial; ++i) p.axes[i].kind = Axis::Kind::kAdaptive;
  p.divides = true;
  Finish(operands, p, call);
  return {};
}

}  // namespace

// The scales tell sizes alone; positions follow from these.
Status PrepareResize(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const CheckCodes& codes = operands.spec().codes;
  size_t mode = 0;
  if (Status s = operands.CheckText(kInterpolation, {"nearest", "bilinear"}, &mode); !s.ok()) {
    return s;
  }
  for (int id : {kSelf, kOut}) {
    const aclFormat format = operands[id].layout->format;
    if (format == ACL_FORMAT_NCHW) continue;
    return Fail(codes.format, "{}.format = {}, expected NCHW", operands.NameOf(id), NameOf(format));
  }
  if (operands.Floats(kScales).size() != 4) {
    return Fail(codes.shape, "scales has {} elements, expected 4", operands.Floats(kScales).size());
  }
  if (Status s = operands.CheckNotEmpty(); !s.ok()) return s;
  if (Status s = CheckSizes(operands, {kSelf, kOut}); !s.ok()) return s;
  Params p = ParamsOf(operands, 2, false);
  for (size_t dim : {2, 3}) {
    if (Status s = CheckResized(operands, dim); !s.ok()) return s;
    Axis& axis = p.axes[dim - 1];
    axis.kind = Axis::Kind::kUpsample;
    axis.mode = mode == 0 ? Mode::kNearest : Mode::kLinear;
  }
  Finish(operands, p, call);
  return {};
}

template <Mode kMode, int kDims>
Status PrepareUpsample(Operands& operands, PreparedCall* call) {
  return PrepareUpsampling(operands, kMode, kDims, false, call);
}
template <Mode kMode, int kDims>
Status PrepareUpsampleBackward(Operands& operands, PreparedCall* call) {
  return PrepareUpsampling(operands, kMode, kDims, true, call);
}
template <int kDims>
Status PrepareAveragePool(Operands& operands, PreparedCall* call) {
  return PreparePooling(operands, kDims, call);
}
template <int kDims>
Status PrepareAdaptivePool(Operands& operands, PreparedCall* call) {
  return PrepareAdaptive(operands, kDims, call);
}

template Status PrepareUpsample<Mode::kNearest, 1>(Operands&, PreparedCall*);
template Status PrepareUpsampleBackward<Mode::kNearest, 1>(Operands&, PreparedCall*);
template Status PrepareUpsample<Mode::kNearest, 2>(Operands&, PreparedCall*);
template Status PrepareUpsampleBackward<Mode::kNearest, 2>(Operands&, PreparedCall*);
template Status PrepareUpsample<Mode::kNearest, 3>(Operands&, PreparedCall*);
template Status PrepareUpsampleBackward<Mode::kNearest, 3>(Operands&, PreparedCall*);
template Status PrepareUpsample<Mode::kNearestExact, 1>(Operands&, PreparedCall*);
template Status PrepareUpsampleBackward<Mode::kNearestExact, 1>(Operands&, PreparedCall*);
template Status PrepareUpsample<Mode::kNearestExact, 2>(Operands&, PreparedCall*);
template Status PrepareUpsampleBackward<Mode::kNearestExact, 2>(Operands&, PreparedCall*);
template Status PrepareUpsample<Mode::kNearestExact, 3>(Operands&, PreparedCall*);
template Status PrepareUpsampleBackward<Mode::kNearestExact, 3>(Operands&, PreparedCall*);
template Status PrepareUpsample<Mode::kLinear, 1>(Operands&, PreparedCall*);
template Status PrepareUpsampleBackward<Mode::kLinear, 1>(Operands&, PreparedCall*);
template Status PrepareUpsample<Mode::kLinear, 2>(Operands&, PreparedCall*);
template Status PrepareUpsampleBackward<Mode::kLinear, 2>(Operands&, PreparedCall*);
template Status PrepareUpsample<Mode::kLinear, 3>(Operands&, PreparedCall*);
template Status PrepareUpsampleBackward<Mode::kLinear, 3>(Operands&, PreparedCall*);
template Status PrepareUpsample<Mode::kCubic, 2>(Operands&, PreparedCall*);
template Status PrepareUpsampleBackward<Mode::kCubic, 2>(Operands&, PreparedCall*);
template Status PrepareUpsample<Mode::kLinearAntialias, 2>(Operands&, PreparedCall*);
template Status PrepareUpsampleBackward<Mode::kLinearAntialias, 2>(Operands&, PreparedCall*);
template Status PrepareUpsample<Mode::kCubicAntialias, 2>(Operands&, PreparedCall*);
template Status PrepareUpsampleBackward<Mode::kCubicAntialias, 2>(Operands&, PreparedCall*);
template Status PrepareAveragePool<2>(Operands&, PreparedCall*);
template Status PrepareAdaptivePool<2>(Operands&, PreparedCall*);
template Status PrepareAveragePool<3>(Operands&, PreparedCall*);
template Status PrepareAdaptivePool<3>(Operands&, PreparedCall*);

}  // namespace anyacl::resampling
