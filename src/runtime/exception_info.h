// SPDX-License-Identifier: Apache-2.0
// Failed tasks, as they are told to the program's callbacks.
#pragma once

#include <cstdint>

namespace anyacl {

struct TaskFailure {
  uint32_t task;
  uint32_t stream;
  uint32_t thread;  // that enqueued it, as the system numbers it
  uint32_t device;
  uint32_t code;
};

// Calls the callbacks, which are the client's code: with no lock held.
void TellTaskFailure(const TaskFailure& failure);

// The system's number of the calling thread.
uint32_t ThisThread();

}  // namespace anyacl
