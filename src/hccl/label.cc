// SPDX-License-Identifier: Apache-2.0
#include "hccl/label.h"

#include <array>

#include "base/format.h"
#include "hccl/data_type.h"

namespace anyacl::hccl {
namespace {

constexpr std::array kNames = {
    "HcclCommInit",      "HcclAllReduce",           "HcclReduce",
    "HcclBroadcast",     "HcclReduceScatter",       "HcclReduceScatterV",
    "HcclAllGather",     "HcclAllGatherV",          "HcclScatter",
    "HcclAlltoAll",      "HcclAlltoAllV",           "HcclBarrier",
    "HcclSend",          "HcclCreateSubCommConfig", "a window",
    "a buffer",          "a telling of a buffer",   "a notice of a window",
    "an aclnn operator",
};
static_assert(kNames.size() == static_cast<size_t>(Operation::kOperator) + 1);

}  // namespace

std::string TextOfLabel(uint64_t label) {
  const uint64_t number = label >> 7;
  const auto operation = static_cast<Operation>(number);
  const auto type = static_cast<HcclDataType>(label >> 2 & 31);
  const auto reduction = static_cast<HcclReduceOp>(label & 3);
  const char* name = number < kNames.size() ? kNames[number] : "an unknown operation";
  switch (operation) {
    case Operation::kAllReduce:
    case Operation::kReduce:
    case Operation::kReduceScatter:
    case Operation::kReduceScatterV:
      return Format("{} ({}, {})", name, NameOf(type), NameOf(reduction));
    case Operation::kInit:
    case Operation::kBarrier:
    case Operation::kSubCommunicator:
    case Operation::kWindow:
    case Operation::kBuffer:
    case Operation::kBufferTelling:
    case Operation::kNotice:
    case Operation::kOperator:
      return name;
    default:
      return Format("{} ({})", name, NameOf(type));
  }
}

}  // namespace anyacl::hccl
