// SPDX-License-Identifier: Apache-2.0
// What the tables cannot say: windows, and the shapes of what says where the largest elements are.
#include <limits>

#include "base/format.h"
#include "ops/blocks/images.h"
#include "ops/max_pool/op.h"
#include "ops/steps.h"

namespace anyacl::max_pool {
namespace {

// Of an axis: indices of an image are int32 in the largest documented case.
constexpr int64_t kMostSize = int64_t{1} << 26;

Status CheckImages(Operands& operands, int spatial) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = blocks::CheckChannelsSecond(operands, {kSelf, kForward, kOut, kIndices});
      !s.ok()) {
    return s;
  }
  for (int id : {kSelf, kOut}) {
    const Dims& shape = operands[id].shape();
    const auto rank = static_cast<int>(shape.rank());
    if (rank != spatial + 1 && rank != spatial + 2) {
      return Fail(operands.spec().codes.shape, "{}.shape = {}, expected rank {} or {}",
                  operands.NameOf(id), shape.ToString(), spatial + 1, spatial + 2);
    }
    for (int64_t size : shape) {
      if (size <= kMostSize) continue;
      return Fail(operands.spec().codes.shape, "{}.shape = {}, expected sizes up to {}",
                  operands.NameOf(id), shape.ToString(), kMostSize);
    }
  }
  return {};
}

// Only the batch may have no members.
Status CheckChannels(const Operands& operands, int spatial) {
  const Dims& shape = operands[kSelf].shape();
  if (shape[shape.rank() - static_cast<size_t>(spatial) - 1] > 0) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected channels",
              operands.NameOf(kSelf), shape.ToString());
}

// How many elements an image has; more than fit where there are no images.
int64_t ImageSize(const Dims& shape, int spatial) {
  return ElementCount(Dims(shape.end() - spatial, static_cast<size_t>(spatial)))
      .value_or(INT64_MAX);
}

// What an index of INT32 can say.
Status CheckImageSize(const Operands& operands, int id, int spatial) {
  const Dims& shape = operands[id].shape();
  if (ImageSize(shape, spatial) <= std::numeric_limits<int32_t>::max()) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected images of up to {} elements",
              operands.NameOf(id), shape.ToString(), std::numeric_limits<int32_t>::max());
}

Status ReadAxes(const Operands& operands, int spatial, const TensorView& large,
                const TensorView& small, int small_id, Params* p) {
  int64_t kernel[kSpatial], stride[kSpatial], padding[kSpatial], dilation[kSpatial];
  if (Status s = blocks::ReadWindow(operands, kKernelSize, spatial, 1, nullptr, kernel); !s.ok())
    return s;
  if (Status s = blocks::ReadWindow(operands, kStride, spatial, 1, kernel, stride); !s.ok())
    return s;
  if (Status s = blocks::ReadWindow(operands, kPadding, spatial, 0, nullptr, padding); !s.ok())
    return s;
  if (Status s = blocks::ReadWindow(operands, kDilation, spatial, 1, nullptr, dilation); !s.ok())
    return s;
  for (int i = 0; i < spatial; ++i) {
    const int at = kSpatial - spatial + i;
    Axis& axis = p->axes[at];
    axis = {false,     large.sizes[2 + at], small.sizes[2 + at], kernel[i],
            stride[i], padding[i],          dilation[i]};
    if (2 * axis.padding > axis.kernel) {
      return Fail(operands.spec().codes.shape,
                  "padding = [{}] with kernelSize = [{}], expected at most half of it",
                  Joined(operands.Ints(kPadding)), Joined(operands.Ints(kKernelSize)));
    }
    const int64_t size = blocks::PooledSize(
        {axis.in, axis.kernel, axis.stride, axis.padding, axis.dilation}, operands.Flag(kCeilMode));
    if (size == axis.out && size > 0 && axis.in > 0) continue;
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected {} windows in dimension {}",
                operands.NameOf(small_id), operands[small_id].shape().ToString(), size,
                static_cast<int>(operands[small_id].shape().rank()) - spatial + i);
  }
  return {};
}

// [top, left, bottom, right], two numbers for both sides of each axis, one for all, or none.
Status ReadPads(const Operands& operands, int64_t (*pads)[2]) {
  const std::span<const int64_t> values = operands.Ints(kPadding);
  const size_t count = values.size();
  if (count == 3 || count > 4) {
    return Fail(operands.spec().codes.shape, "pads has {} elements, expected 0, 1, 2 or 4", count);
  }
  for (size_t i = 0; i < 4; ++i) {
    const int64_t value = count == 0 ? 0 : values[i % count];
    if (value < 0 || value > kMostSize) {
      return Fail(operands.spec().codes.shape, "pads = [{}], expected 0 to {}", Joined(values),
                  kMostSize);
    }
    pads[i % 2][i / 2] = value;
  }
  return {};
}

Status CheckNoDilation(const Operands& operands) {
  const std::span<const int64_t> values = operands.Ints(kDilation);
  bool ones = values.size() != 3 && values.size() <= 4;
  for (int64_t value : values) ones &= value == 1;
  if (ones) return {};
  return Fail(operands.spec().codes.shape, "dilations = [{}], expected none, or 1, 2 or 4 times 1",
              Joined(values));
}

// A last window that would begin behind the image and its padding before it is none.
int64_t WindowCount(const Axis& axis, int64_t behind, bool ceil_mode) {
  const int64_t left = axis.in + axis.padding + behind - axis.kernel;
  if (left < 0 && !(ceil_mode && left > -axis.stride)) return 0;
  int64_t count = (left + (ceil_mode ? axis.stride - 1 : 0)) / axis.stride + 1;
  if (ceil_mode && (count - 1) * axis.stride >= axis.in + axis.padding) --count;
  return count;
}

// A row of bits for each tap, for all windows of an image, in the size that CANN's document says.
Dims MaskShape(const Params& p, const Dims& pooled) {
  Dims shape(pooled.begin(), pooled.rank() - 2);
  const int64_t windows = p.axes[1].out * p.axes[2].out;
  shape.push_back(p.axes[1].kernel * p.axes[2].kernel);
  shape.push_back(((windows + 15) / 16 + 1) * 32);
  return shape;
}

// As [outer, channels, taps, bytes, 1].
TensorView MaskOf(const Operands& operands) {
  const TensorView view = ViewOf(operands, kIndices);
  TensorView mask = view;
  mask.rank = 5;
  const int outer = view.rank - 2;
  mask.sizes[0] = outer > 1 ? view.sizes[0] : 1;
  mask.sizes[1] = view.sizes[outer - 1];
  mask.sizes[2] = view.sizes[outer];
  mask.sizes[3] = view.sizes[outer + 1];
  mask.sizes[4] = 1;
  return mask;
}

Status ReadPlaces(const Operands& operands, int spatial, int small, Params* p) {
  if (p->kind == Places::kNone) return {};
  const Dims& shape = operands[small].shape();
  if (p->kind == Places::kMask) {
    if (Status s = CheckShapeIs(operands, kIndices, MaskShape(*p, shape)); !s.ok()) return s;
    p->places = MaskOf(operands);
    return {};
  }
  if (Status s = CheckShapeIs(operands, kIndices, shape); !s.ok()) return s;
  p->places = blocks::ImagesOf(ViewOf(operands, kIndices), spatial);
  return {};
}

// `id`: the tensor whose spatial sizes these are.
Status CheckOutputSize(const Operands& operands, int spatial, int id = kOut) {
  const std::span<const int64_t> sizes = operands.Ints(kOutputSize);
  const Dims& out = operands[id].shape();
  const size_t first = out.rank() - static_cast<size_t>(spatial);
  if (sizes.size() == static_cast<size_t>(spatial) &&
      std::equal(sizes.begin(), sizes.end(), out.begin() + first)) {
    return {};
  }
  return Fail(operands.spec().codes.shape, "outputSize = [{}], expected the spatial sizes of {}",
              Joined(sizes), out.ToString());
}

// Three numbers each, which change nothing.
Status CheckUnusedWindow(const Operands& operands) {
  int64_t unused[kSpatial];
  for (int id : {kStride, kPadding}) {
    const int64_t least = id == kStride ? 1 : std::numeric_limits<int32_t>::min();
    if (Status s = blocks::ReadWindow(operands, id, kSpatial, least, nullptr, unused); !s.ok())
      return s;
  }
  return {};
}

// Of volumes alone: those that were pooled have elements, and no more than come of them.
Status CheckVolumes(const Operands& operands) {
  const Dims &pooled = operands[kForward].shape(), &grad = operands[kSelf].shape();
  for (size_t i = 1; i < pooled.rank(); ++i) {
    if (pooled[i] > 0) continue;
    return Fail(operands.spec().codes.shape, "self.shape = {}, expected no 0 but for the first",
                pooled.ToString());
  }
  if (ImageSize(grad, kSpatial) >= ImageSize(pooled, kSpatial)) return {};
  return Fail(operands.spec().codes.shape,
              "outputSize = [{}], expected at least as many elements as of self.shape = {}",
              Joined(operands.Ints(kOutputSize)), pooled.ToString());
}

}  // namespace

template <int kDims, Places kPlaces>
Status PrepareMaxPool(Operands& operands, PreparedCall* call) {
  if (Status s = CheckImages(operands, kDims); !s.ok()) return s;
  if (Status s = CheckChannels(operands, kDims); !s.ok()) return s;
  Params p;
  p.kind = kPlaces;
  p.from = blocks::ImagesOf(ViewOf(operands, kSelf), kDims);
  p.to = blocks::ImagesOf(ViewOf(operands, kOut), kDims);
  if (Status s = ReadAxes(operands, kDims, p.from, p.to, kOut, &p); !s.ok()) return s;
  if (Status s = ReadPlaces(operands, kDims, kOut, &p); !s.ok()) return s;
  if (!operands[kOut].IsEmpty()) call->plan = MakeForward(p);
  return {};
}

Status PreparePlainMaxPool(Operands& operands, PreparedCall* call) {
  constexpr int kPlane = 2;
  if (Status s = CheckImages(operands, kPlane); !s.ok()) return s;
  int64_t kernel[kPlane], stride[kPlane], pads[kPlane][2];
  const int64_t ones[] = {1, 1};
  if (Status s = blocks::ReadWindow(operands, kKernelSize, kPlane, 1, nullptr, kernel); !s.ok())
    return s;
  if (Status s = blocks::ReadWindow(operands, kStride, kPlane, 1, ones, stride); !s.ok()) return s;
  if (Status s = ReadPads(operands, pads); !s.ok()) return s;
  if (Status s = CheckNoDilation(operands); !s.ok()) return s;
  Params p;
  p.from = blocks::ImagesOf(ViewOf(operands, kSelf), kPlane);
  p.to = blocks::ImagesOf(ViewOf(operands, kOut), kPlane);
  for (int i = 0; i < kPlane; ++i) {
    const int at = kSpatial - kPlane + i;
    Axis& axis = p.axes[at];
    axis = {false, p.from.sizes[2 + at], p.to.sizes[2 + at], kernel[i], stride[i], pads[i][0], 1};
    if (pads[i][0] + pads[i][1] > kernel[i]) {
      return Fail(operands.spec().codes.shape,
                  "pads = [{}] with kernelShape = [{}], expected at most the window in sum",
                  Joined(operands.Ints(kPadding)), Joined(operands.Ints(kKernelSize)));
    }
    const int64_t count = WindowCount(axis, pads[i][1], operands.Int(kCeilMode) != 0);
    if (count == axis.out && count > 0 && axis.in > 0) continue;
    return Fail(operands.spec().codes.shape, "out.shape = {}, expected {} windows in dimension {}",
                operands[kOut].shape().ToString(), count,
                static_cast<int>(operands[kOut].shape().rank()) - kPlane + i);
  }
  if (!operands[kOut].IsEmpty()) call->plan = MakeForward(p);
  return {};
}

template <int kDims>
Status PrepareAdaptiveMaxPool(Operands& operands, PreparedCall* call) {
  // The document of two dimensions has NHWC.
  if (kDims == 2) {
    if (Status s = blocks::TurnChannelsSecond(operands, {kSelf, kOut, kIndices}); !s.ok()) return s;
  }
  if (Status s = CheckImages(operands, kDims); !s.ok()) return s;
  if (Status s = CheckOutputSize(operands, kDims); !s.ok()) return s;
  Params p;
  p.kind = Places::kIndex;
  p.from = blocks::ImagesOf(ViewOf(operands, kSelf), kDims);
  p.to = blocks::ImagesOf(ViewOf(operands, kOut), kDims);
  if (Status s = ReadPlaces(operands, kDims, kOut, &p); !s.ok()) return s;
  for (int i = 0; i < kSpatial; ++i) {
    Axis& axis = p.axes[i];
    axis.in = p.from.sizes[2 + i];
    axis.out = p.to.sizes[2 + i];
    axis.adaptive = axis.out == 0 || axis.in % axis.out != 0;
    // All windows are alike.
    if (!axis.adaptive) axis.kernel = axis.stride = axis.in / axis.out;
    if (axis.in > 0) continue;
    return Fail(operands.spec().codes.shape, "self.shape = {}, expected spatial sizes of 1 or more",
                operands[kSelf].shape().ToString());
  }
  if (!operands[kOut].IsEmpty()) call->plan = MakeForward(p);
  return {};
}

template <int kDims>
Status PrepareMaxPoolBackward(Operands& operands, PreparedCall* call) {
  if (Status s = CheckImages(operands, kDims); !s.ok()) return s;
  Params p;
  p.kind = operands[kIndices].dtype() == ACL_INT8 ? Places::kMask : Places::kIndex;
  p.from = blocks::ImagesOf(ViewOf(operands, kSelf), kDims);
  p.to = blocks::ImagesOf(ViewOf(operands, kOut), kDims);
  if (operands.HasRow(kKernelSize)) {
    if (Status s = CheckChannels(operands, kDims); !s.ok()) return s;
    if (Status s = ReadAxes(operands, kDims, p.to, p.from, kSelf, &p); !s.ok()) return s;
  } else if (Status s = CheckImageSize(operands, kOut, kDims); !s.ok()) {
    return s;
  }
  if (Status s = ReadPlaces(operands, kDims, kSelf, &p); !s.ok()) return s;
  if (!operands[kOut].IsEmpty()) call->plan = MakeScatter(p, true);
  return {};
}

template <int kDims>
Status PrepareMaxUnpool(Operands& operands, PreparedCall* call) {
  if (Status s = CheckImages(operands, kDims); !s.ok()) return s;
  if (Status s = CheckOutputSize(operands, kDims); !s.ok()) return s;
  if (kDims == 3) {
    if (Status s = CheckUnusedWindow(operands); !s.ok()) return s;
  }
  Params p;
  p.kind = Places::kIndex;
  p.from = blocks::ImagesOf(ViewOf(operands, kSelf), kDims);
  p.to = blocks::ImagesOf(ViewOf(operands, kOut), kDims);
  if (Status s = ReadPlaces(operands, kDims, kSelf, &p); !s.ok()) return s;
  if (!operands[kOut].IsEmpty()) call->plan = MakeScatter(p, false);
  return {};
}

// Images as rows, along which elements are gathered.
template <int kDims>
Status PrepareMaxUnpoolBackward(Operands& operands, PreparedCall* call) {
  if (Status s = CheckImages(operands, kDims); !s.ok()) return s;
  if (Status s = CheckOutputSize(operands, kDims, kSelf); !s.ok()) return s;
  if (kDims == 3) {
    if (Status s = CheckUnusedWindow(operands); !s.ok()) return s;
    if (Status s = CheckVolumes(operands); !s.ok()) return s;
  }
  const aclDataType dtype = operands[kSelf].dtype();
  if (Status s = CheckResultCast(operands, kOut, dtype); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const Dims &grad = operands[kSelf].shape(), &pooled = operands[kOut].shape();
  if (operands[kSelf].IsEmpty()) {
    return Fail(operands.spec().codes.shape,
                "gradOutput.shape = {}, expected elements as {}.shape"
                " = {}",
                grad.ToString(), operands.NameOf(kForward), pooled.ToString());
  }
  const int64_t size = ImageSize(pooled, kDims), images = *ElementCount(pooled) / size;
  Steps steps(operands);
  InnerTensor from, at;
  if (Status s = steps.Contiguous(kSelf, {images, ImageSize(grad, kDims)}, &from); !s.ok()) {
    return s;
  }
  if (Status s = steps.Contiguous(kIndices, {images, size}, &at); !s.ok()) return s;
  const bool same = operands[kOut].dtype() == dtype;
  const InnerTensor to = same ? steps.Result(kOut, {images, size})
                              : steps.Piece("the gathered elements", dtype, {images, size});
  if (Status s = steps.Call("aclnnGather", {from, int64_t{1}, at, to}); !s.ok()) return s;
  if (!same) {
    if (Status s = steps.Copy(TensorOf(operands, kOut), to.As(pooled)); !s.ok()) return s;
  }
  return steps.Finish(call);
}

template Status PrepareMaxPool<2, Places::kMask>(Operands&, PreparedCall*);
template Status PrepareMaxPool<2, Places::kIndex>(Operands&, PreparedCall*);
template Status PrepareMaxPool<3, Places::kIndex>(Operands&, PreparedCall*);
template Status PrepareAdaptiveMaxPool<2>(Operands&, PreparedCall*);
template Status PrepareAdaptiveMaxPool<3>(Operands&, PreparedCall*);
template Status PrepareMaxPoolBackward<2>(Operands&, PreparedCall*);
template Status PrepareMaxPoolBackward<3>(Operands&, PreparedCall*);
template Status PrepareMaxUnpool<2>(Operands&, PreparedCall*);
template Status PrepareMaxUnpool<3>(Operands&, PreparedCall*);
template Status PrepareMaxUnpoolBackward<2>(Operands&, PreparedCall*);
template Status PrepareMaxUnpoolBackward<3>(Operands&, PreparedCall*);

}  // namespace anyacl::max_pool
