// SPDX-License-Identifier: Apache-2.0
#include "runtime/flag.h"

#include <sys/mman.h>

#include <new>

#include "acl/acl_rt.h"

namespace anyacl {
namespace {

constexpr size_t kPage = 4096;

}  // namespace

Flag::~Flag() {
  if (extent_ != nullptr) munmap(static_cast<void*>(state_), kPage);
}

Flag::State* Flag::state() const {
  std::lock_guard lock(mutex_);
  return state_;
}

// Under the lock, so that a move takes along what was set before.
void Flag::Set() {
  std::lock_guard lock(mutex_);
  state_->set.store(1, std::memory_order_release);
  state_->changes.WakeAll();
}

void Flag::Clear() {
  std::lock_guard lock(mutex_);
  state_->set.store(0, std::memory_order_release);
}

bool Flag::IsSet() const { return state()->set.load(std::memory_order_acquire) != 0; }

Flag::Wait Flag::Await(bool take, const StopToken* stop,
                       std::optional<EventCount::Clock::time_point> end) {
  for (;;) {
    State& current = *state();
    const uint32_t seen = current.changes.Look();
    const bool set = take ? current.set.exchange(0, std::memory_order_acq_rel) != 0
                          : current.set.load(std::memory_order_acquire) != 0;
    if (set) return Wait::kDone;
    if (stop != nullptr && stop->Requested()) return Wait::kStopped;
    if (end && EventCount::Clock::now() >= *end) return Wait::kTimeout;
    if (&current != state()) continue;  // moved meanwhile
    current.changes.Sleep(seen, end);
  }
}

void Flag::WakeAll() { state()->changes.WakeAll(); }

Status Flag::Export(int32_t device, bool anyone, uint64_t* token) {
  std::lock_guard lock(mutex_);
  if (extent_ == nullptr) {
    std::shared_ptr<SharedExtent> extent = SharedExtent::New(kPage, device);
    void* page = extent == nullptr ? nullptr : extent->Map(nullptr, kPage);
    if (page == nullptr) {
      return Fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "the system has no shared memory");
    }
    auto* shared = new (page) State;
    shared->set.store(local_.set.exchange(0));
    extent_ = std::move(extent);
    state_ = shared;
    local_.changes.WakeAll();
  }
  return extent_->Export(anyone, token);
}

Status Flag::Import(uint64_t token, std::shared_ptr<Flag>* flag) {
  std::shared_ptr<SharedExtent> extent;
  if (Status s = SharedExtent::Import(token, &extent); !s.ok()) return s;
  void* page = extent->size() == kPage ? extent->Map(nullptr, kPage) : nullptr;
  if (page == nullptr || static_cast<State*>(page)->magic != State().magic) {
    if (page != nullptr) munmap(page, kPage);
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "shared memory {:#x} is no notify", token);
  }
  *flag = std::make_shared<Flag>();
  (*flag)->extent_ = std::move(extent);
  (*flag)->state_ = static_cast<State*>(page);
  return {};
}

Status FlagWaitTask::Run(const StopToken& stop) {
  std::optional<EventCount::Clock::time_point> end;
  if (timeout_s_ > 0) end = EventCount::Clock::now() + std::chrono::seconds(timeout_s_);
  switch (flag_->Await(take_, &stop, end)) {
    case Flag::Wait::kTimeout:
      return Fail(timeout_code_, "the wait took longer than {} s", timeout_s_);
    case Flag::Wait::kStopped:
      return Fail(ACL_ERROR_RT_STREAM_ABORT, "the wait was ended");
    case Flag::Wait::kDone:
      break;
  }
  return {};
}

}  // namespace anyacl
