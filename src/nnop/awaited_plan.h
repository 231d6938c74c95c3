// SPDX-License-Identifier: Apache-2.0
// A plan whose every run other ranks of a communicator wait for.
#pragma once

namespace anyacl {

class AwaitedPlan {
 public:
  virtual ~AwaitedPlan() = default;
  // A run was in a stream, which gave it up before it began. Does not wait.
  virtual void Dropped() const = 0;
};

}  // namespace anyacl
