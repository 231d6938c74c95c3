// SPDX-License-Identifier: Apache-2.0
// TaskSink: takes the tasks of a stream in place of its queue, while they are captured into a graph
// or replace the tasks of one.
#pragma once

#include <memory>
#include <optional>

#include "base/status.h"
#include "runtime/task.h"

namespace anyacl {

class Stream;

class TaskSink {
 public:
  virtual ~TaskSink() = default;

  // The outcome for a task that was enqueued on `stream`; none if the stream's own queue is to take
  // it after all, because the diversion has ended meanwhile.
  virtual std::optional<Status> Take(const Stream& stream, const std::shared_ptr<Task>& task) = 0;
};

}  // namespace anyacl
