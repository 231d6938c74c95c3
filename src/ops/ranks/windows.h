// SPDX-License-Identifier: Apache-2.0
// Writing to other ranks' memory: a communicator by its name, windows, and messages to those that
// this process cannot map.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nnop/operands.h"
#include "ops/ranks/waiter.h"
#include "runtime/rank_group.h"

namespace anyacl::ranks {

// Phase 1: the communicator that the text of row `group` names on this device, which has as many
// ranks as row `world_size` says, if there is one.
Status FindGroup(const Operands& operands, int group, int world_size,
                 std::shared_ptr<RankGroup>* found);

// The window of a rank, which must hold `needed` bytes; waits until a rank whose window is in its
// buffer has told it.
Status FindWindow(Waiter& waiter, RankGroup& group, uint32_t rank, uint64_t needed,
                  RankWindow* window);
// The same of the half of the buffer that operators keep in order themselves.
Status FindExchangeArea(Waiter& waiter, RankGroup& group, uint32_t rank, uint64_t needed,
                        RankWindow* window);

// A message that is built while the rows are found that belong to it; offsets are in the window.
struct RankMessage {
  uint32_t rank = 0;
  uint64_t guard = WindowMessage::kNoGuard;
  std::vector<WindowMessage::Piece> pieces;
  std::vector<WindowMessage::Word> words;
  bool to_buffer = false;

  // Says which memory it is for.
  void Address(uint32_t to, const RankWindow& window);
};

// Sends all of them, and waits until they have been received.
Status SendAll(Waiter& waiter, RankGroup& group, std::span<const RankMessage> messages);

// y = rint(127 / max|v| * v), and the fp32 number that takes y back to v, as the device computes
// it: 1 / (127 / max|v|). Rows of zeros give zeros; a NaN in the row makes the number NaN; what has
// no quotient becomes 0.
float Quantise(const float* v, int64_t count, char* y);

}  // namespace anyacl::ranks
