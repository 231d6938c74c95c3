// SPDX-License-Identifier: Apache-2.0
#include "ops/blocks/images.h"

#include <algorithm>
#include <limits>

#include "base/format.h"

namespace anyacl::blocks {
namespace {

bool ChannelsAreLast(const TensorLayout& layout) {
  return (layout.format == ACL_FORMAT_NHWC && layout.shape.rank() == 4) ||
         (layout.format == ACL_FORMAT_NDHWC && layout.shape.rank() == 5);
}

}  // namespace

Status TurnChannelsSecond(Operands& operands, std::initializer_list<int> ids) {
  const Operand first = operands[*ids.begin()];
  if (!ChannelsAreLast(*first.layout)) return {};
  for (int id : ids) {
    if (!operands[id].given()) continue;
    TensorLayout layout = *operands[id].layout;
    if (layout.shape.rank() != first.shape().rank()) continue;  // the table's check says so
    if (!ChannelsAreLast(layout)) {
      return Fail(operands.spec().codes.format, "{}.format = {}, expected {} as {}.format",
                  operands.NameOf(id), NameOf(layout.format), NameOf(first.layout->format),
                  first.Name());
    }
    for (Dims* dims : {&layout.shape, &layout.strides}) {
      int64_t* const values = &(*dims)[0];
      std::rotate(values + 1, values + dims->rank() - 1, values + dims->rank());
    }
    layout.format = layout.shape.rank() == 4 ? ACL_FORMAT_NCHW : ACL_FORMAT_NCDHW;
    operands.Relabel(id, std::move(layout));
  }
  return {};
}

Status CheckChannelsSecond(const Operands& operands, std::initializer_list<int> ids) {
  for (int id : ids) {
    const Operand& operand = operands[id];
    if (!operand.given()) continue;
    const aclFormat format = operand.layout->format;
    if (format != ACL_FORMAT_NHWC && format != ACL_FORMAT_NDHWC && format != ACL_FORMAT_HWCN) {
      continue;
    }
    return Fail(operands.spec().codes.format, "{}.format = {}, expected ND, NCL, NCHW or NCDHW",
                operand.Name(), NameOf(format));
  }
  return {};
}

TensorView ImagesOf(const TensorView& view, int spatial) {
  TensorView images = view.rank == spatial + 1 ? WithDim(view, 0) : view;
  while (images.rank < 2 + kSpatial) images = WithDim(images, 2);
  return images;
}

Status ReadWindow(const Operands& operands, int id, int spatial, int64_t least,
                  const int64_t* other, int64_t* to) {
  const std::span<const int64_t> values = operands.Ints(id);
  if (values.empty() && other != nullptr) {
    std::copy_n(other, spatial, to);
    return {};
  }
  if (values.size() != 1 && values.size() != static_cast<size_t>(spatial)) {
    return Fail(operands.spec().codes.shape, "{} has {} elements, expected 1 or {}",
                operands.NameOf(id), values.size(), spatial);
  }
  for (int i = 0; i < spatial; ++i) {
    to[i] = values[values.size() == 1 ? 0 : static_cast<size_t>(i)];
    if (to[i] >= least && to[i] <= std::numeric_limits<int32_t>::max()) continue;
    return Fail(operands.spec().codes.shape, "{} = [{}], expected {} or more", operands.NameOf(id),
                Joined(values), least);
  }
  return {};
}

int64_t PooledSize(const PooledAxis& axis, bool ceil_mode) {
  const int64_t left = axis.in + 2 * axis.padding - axis.dilation * (axis.kernel - 1) - 1;
  if (left < 0 && !(ceil_mode && left > -axis.stride)) return 0;
  int64_t size = (left + (ceil_mode ? axis.stride - 1 : 0)) / axis.stride + 1;
  if (ceil_mode && (size - 1) * axis.stride >= axis.in + axis.padding) --size;
  return size;
}

}  // namespace anyacl::blocks
