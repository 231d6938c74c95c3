// SPDX-License-Identifier: Apache-2.0
#include "ops/batch_norm/checks.h"

#include "ops/batch_norm/operators.h"

namespace anyacl::batch_norm {
namespace {

constexpr int kParameters[] = {kWeight,   kBias,     kRunningMean, kRunningVar, kGradWeight,
                               kGradBias, kSaveMean, kSaveInvstd,  kSumDy,      kSumDyXmu};

bool ChannelsAreLast(aclFormat format) {
  return format == ACL_FORMAT_NHWC || format == ACL_FORMAT_NDHWC;
}

}  // namespace

int ChannelDim(const Operands& operands, int id) {
  const Operand& data = operands[id];
  return ChannelsAreLast(data.layout->format) ? static_cast<int>(data.shape().rank()) - 1 : 1;
}

Status KeepSaved(Operands& operands, bool training) {
  for (int id : {kSaveMean, kSaveInvstd}) {
    if (!training) {
      operands.Drop(id);
    } else if (Status s = operands.Require(id); !s.ok()) {
      return s;
    }
  }
  return {};
}

Status CheckChannels(const Operands& operands, int data, std::span<const int> like) {
  const Dims& shape = operands[data].shape();
  const int code = operands.spec().codes.shape;
  if (shape.rank() < 2) {
    return Fail(code, "{}.shape = {}, expected 2 to 8 dimensions", operands.NameOf(data),
                shape.ToString());
  }
  const bool last = ChannelsAreLast(operands[data].layout->format);
  for (int id : like) {
    if (!operands.Given(id) || ChannelsAreLast(operands[id].layout->format) == last) continue;
    return Fail(operands.spec().codes.format, "{}.format = {}, expected {} as {}.format",
                operands.NameOf(id), NameOf(operands[id].layout->format),
                NameOf(operands[data].layout->format), operands.NameOf(data));
  }
  const int64_t channels = shape[static_cast<size_t>(ChannelDim(operands, data))];
  for (int id : kParameters) {
    if (!operands.Given(id) || operands[id].shape() == Dims{channels}) continue;
    return Fail(code, "{}.shape = {}, expected [{}] as {}.shape = {}", operands.NameOf(id),
                operands[id].shape().ToString(), channels, operands.NameOf(data), shape.ToString());
  }
  return {};
}

Status CheckSomeChannels(const Operands& operands, int data, std::span<const int> like) {
  if (Status s = CheckChannels(operands, data, like); !s.ok()) return s;
  const Dims& shape = operands[data].shape();
  if (shape[static_cast<size_t>(ChannelDim(operands, data))] != 0) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected a channel or more",
              operands.NameOf(data), shape.ToString());
}

}  // namespace anyacl::batch_norm
