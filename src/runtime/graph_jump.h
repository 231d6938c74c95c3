// SPDX-License-Identifier: Apache-2.0
// GraphJump: a node of a model built by hand that directs its lanes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/status.h"

namespace anyacl {

// A place in a lane, before one of its nodes.
struct GraphTarget {
  uint32_t lane = 0;
  uint32_t node = 0;
};

struct GraphStep {
  std::optional<GraphTarget> start;  // from here on a lane runs
  bool leaves = false;               // the lane of the node does not go on, but for `start`
  bool completes = false;            // this was the end of the model
};

struct GraphJump {
  const char* name;  // of the API
  std::function<Status(GraphStep*)> decide;
};

}  // namespace anyacl
