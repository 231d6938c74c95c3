// SPDX-License-Identifier: Apache-2.0
// What one scheduler call does to a context and its buffers, by the operator's description: plain
// loops over int32 arrays, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace anyacl::test {

struct FfnState {
  uint32_t sessions = 0;
  uint32_t micro_batches = 0;
  size_t ids = 0;  // per slot
  bool running = true;
  uint64_t polling_index = 0;
  uint32_t out_num = 0;
  std::vector<int32_t> window;
  std::vector<int32_t> layer_ids;
  std::vector<int32_t> session_ids;
  std::vector<int32_t> micro_batch_ids;
  std::vector<int32_t> expert_ids;

  bool operator==(const FfnState&) const = default;
};

// False if the call would wait with this state; then only out_num has changed.
bool ReferenceSchedule(uint32_t sync_group_size, bool fair, FfnState* state);

}  // namespace anyacl::test
