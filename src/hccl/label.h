// SPDX-License-Identifier: Apache-2.0
// What the tag of a message says of the operation that it belongs to: 12 bits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fnv.h"
#include "hccl/hccl_types.h"

namespace anyacl::hccl {

enum class Operation : uint32_t {
  kInit,
  kAllReduce,
  kReduce,
  kBroadcast,
  kReduceScatter,
  kReduceScatterV,
  kAllGather,
  kAllGatherV,
  kScatter,
  kAllToAll,
  kAllToAllV,
  kBarrier,
  kSend,  // and its receive
  kSubCommunicator,
  kWindow,
  kBuffer,
  kBufferTelling,  // where a buffer is
  kNotice,         // a WindowNotice
  kOperator,
};

constexpr uint64_t MakeLabel(Operation operation, HcclDataType type = HCCL_DATA_TYPE_INT8,
                             HcclReduceOp reduction = HCCL_REDUCE_SUM) {
  return static_cast<uint64_t>(operation) << 7 | static_cast<uint64_t>(type) << 2 |
         static_cast<uint64_t>(reduction);
}

// An operator's: seven bits of what all ranks must pass alike, so that messages of calls that
// differ do not match.
constexpr uint64_t MakeOperatorLabel(std::string_view alike) {
  return static_cast<uint64_t>(Operation::kOperator) << 7 | Fnv32(alike) >> 25;
}
constexpr bool IsOperator(uint64_t label) {
  return label >> 7 == static_cast<uint64_t>(Operation::kOperator);
}

// "HcclAllReduce (FP32, SUM)"
std::string TextOfLabel(uint64_t label);

}  // namespace anyacl::hccl
