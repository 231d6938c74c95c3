// SPDX-License-Identifier: Apache-2.0
// Task: one entry of a stream's queue. Header only, because operators in another library derive
// from it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/status.h"

namespace anyacl {

enum class TaskKind {
  kCompute,  // computes or copies; never blocks; may be run by the thread that synchronises
  kHost,     // runs the client's function; may block; always on the stream's own thread
  kMark,     // records a point in time; never blocks
  kWait,     // waits for another stream or thread; touches no device memory
  kPoll,     // waits for memory that other workers write; ends early when asked to stop
  kGraph,    // computes and waits; ends early when asked to stop; may be run by the thread that
             // synchronises without a time limit
};

// Tells a running task that it should end.
class StopToken {
 public:
  StopToken(const std::atomic<uint64_t>& aborted_through,
            const std::atomic<uint64_t>& drained_through, uint64_t ticket)
      : aborted_through_(&aborted_through), drained_through_(&drained_through), ticket_(ticket) {}

  // The stream was aborted: end now.
  bool Aborted() const { return aborted_through_->load(std::memory_order_acquire) >= ticket_; }
  // The stream was aborted, or its device is being reset: do not wait for anything that only
  // another party can bring about.
  bool Requested() const {
    return Aborted() || drained_through_->load(std::memory_order_acquire) >= ticket_;
  }

 private:
  const std::atomic<uint64_t>* aborted_through_;
  const std::atomic<uint64_t>* drained_through_;
  uint64_t ticket_;
};

// The tensors of an operator, as the tables of a profile have them: "64,256;256" of "FLOAT;FLOAT"
// in "ND;ND".
struct TaskOperands {
  struct Side {
    std::string shapes, types, formats;
  };
  Side inputs, outputs;
};

class Task {
 public:
  // `name` is the API that messages of this task carry; it must live forever. A small task, one
  // that computes or any mark, takes less time than to hand it to another thread: whoever enqueues
  // it behind nothing runs it.
  Task(TaskKind kind, const char* name, bool small = false)
      : kind_(kind), small_(small || kind == TaskKind::kMark), name_(name) {}
  virtual ~Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  // A task that ends early because of `stop` fails; its stream then counts it as dropped.
  virtual Status Run(const StopToken& stop) = 0;

  // Called from another thread after `stop` was raised: a task that sleeps must look at it again.
  virtual void Wake() {}

  // A wait without a time limit, which nobody notices until something stands behind it.
  virtual bool MayRest() const { return false; }
  // One that would end at once. Takes locks, but no stream's for longer than a look.
  virtual bool IsOver() const { return false; }

  // A graph's run ended before it came to this node. Does not wait.
  virtual void Dropped() {}

  // Null where no profile asked for them when the task was made.
  virtual std::shared_ptr<const TaskOperands> operands() const { return nullptr; }

  TaskKind kind() const { return kind_; }
  bool small() const { return small_; }
  const char* name() const { return name_; }

 private:
  const TaskKind kind_;
  const bool small_;
  const char* const name_;
};

// A task from a callable that returns Status.
template <class Body>
class FunctionTask final : public Task {
 public:
  FunctionTask(TaskKind kind, const char* name, Body body, bool small = false)
      : Task(kind, name, small), body_(std::move(body)) {}
  Status Run(const StopToken&) override { return body_(); }

 private:
  Body body_;
};

// A task that calls `body`, a Status().
template <class Body>
std::shared_ptr<Task> MakeTask(TaskKind kind, const char* name, Body body, bool small = false) {
  return std::make_shared<FunctionTask<Body>>(kind, name, std::move(body), small);
}

}  // namespace anyacl
