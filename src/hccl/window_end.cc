// SPDX-License-Identifier: Apache-2.0
// How what windows are used for ends: with a failure, with a rank that has gone, with the own
// communicator.

#include <chrono>
#include <thread>
#include <utility>

#include "acl/acl.h"
#include "base/format.h"
#include "hccl/label.h"
#include "hccl/window.h"
#include "runtime/exports.h"

namespace anyacl::hccl {
namespace {

int64_t NowInMs() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::milliseconds(1);
}

}  // namespace

Status WindowGroup::Failure() const {
  const std::shared_ptr<Communicator> communicator = communicator_.lock();
  if (communicator == nullptr || closed_) {
    return Fail(ACL_ERROR_RT_AICPU_EXCEPTION, "communicator {} has been destroyed", name_);
  }
  // Asking the root's connection is a system call: once in a millisecond.
  const int64_t now = NowInMs();
  if (heard_.exchange(now, std::memory_order_relaxed) != now) communicator->Hear();
  if (!communicator->failed()) {
    if (const auto lost = communicator->AnyLost()) communicator->Abort(lost->code, lost->text);
    LookForLost(*communicator, now);
  }
  return communicator->failed() ? communicator->FailAsBefore(true) : Status();
}

// Without the root nobody tells of ranks that are killed. A connection that breaks says less: the
// rank may have left, which news of it says within the second until the next look.
void WindowGroup::LookForLost(Communicator& communicator, int64_t now) const {
  int64_t last = looked_.load(std::memory_order_relaxed);
  if (now - last < 1000 || !looked_.compare_exchange_strong(last, now)) return;
  for (uint32_t rank = 0; rank < size_; ++rank) {
    if (rank == rank_ || !communicator.engine().Lost(rank) || communicator.Gone(rank)) continue;
    if (!broken_[rank].exchange(true)) continue;
    communicator.Abort(HCCL_E_REMOTE, communicator.NameOf(rank) +
                                          " is lost: the connection to it broke, and it has not "
                                          "said that it leaves");
  }
}

std::optional<hccl::Failure> WindowGroup::Gone(Communicator& communicator, uint32_t rank) const {
  std::optional<hccl::Failure> gone = communicator.Gone(rank);
  if (!gone && rank != rank_ && communicator.engine().Lost(rank)) {
    gone = {HCCL_E_REMOTE, Format("the connection to {} broke", communicator.NameOf(rank))};
  }
  return gone;
}

void WindowGroup::Abort(const std::string& text) {
  const std::shared_ptr<Communicator> communicator = communicator_.lock();
  if (communicator == nullptr) return;
  communicator->Abort(HCCL_E_INTERNAL, Format("{} on {}", text, communicator->NameOf(rank_)));
}

Status WindowGroup::Missing(uint32_t rank) {
  const std::shared_ptr<Communicator> communicator = communicator_.lock();
  if (communicator == nullptr || communicator->failed()) return Failure();
  std::optional<hccl::Failure> gone;
  if (rank != kAnyRank) {
    gone = Gone(*communicator, rank);
    if (!gone) return {};
  } else {
    for (uint32_t other = 0; other < size_; ++other) {
      if (other == rank_) continue;
      gone = Gone(*communicator, other);
      if (!gone) return {};
    }
    if (!gone) return {};  // there never was anybody else
    gone->text = "all other ranks have gone; " + gone->text;
    rank = rank_;  // nobody else asks for it
  }
  // Its last words may come behind the news.
  constexpr int64_t kLastWords = 100;
  int64_t since = 0;
  const int64_t now = NowInMs();
  if (missed_[rank].compare_exchange_strong(since, now) || now - since < kLastWords) return {};
  communicator->Abort(gone->code, gone->text);
  return communicator->FailAsBefore(true);
}

std::string WindowGroup::NameOf(uint32_t rank) const {
  const std::shared_ptr<Communicator> communicator = communicator_.lock();
  return communicator == nullptr ? RankGroup::NameOf(rank) : communicator->NameOf(rank);
}

// What operators do is given 200 ms, as collectives are, and then fails.
void WindowGroup::EndTasks() {
  const std::shared_ptr<Communicator> communicator = communicator_.lock();
  const int64_t end = NowInMs() + 200;
  do {
    while (at_work()) {
      if (communicator != nullptr && NowInMs() > end) {
        communicator->Abort(HCCL_E_UNAVAIL,
                            Format("{} destroyed the communicator while an operator waited",
                                   communicator->NameOf(rank_)));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    closed_ = true;
  } while (at_work());
}

void WindowGroup::TellLeaving(Communicator& communicator) {
  // Who has memory that others write may wait for them; its word of that may just have come. Where
  // nobody else tells, all others may have such memory later.
  for (int round = 0; round < 3 && Serve(); ++round) continue;
  communicator.Hear();
  if (communicator.failed()) return;
  const bool has_root = communicator.control().fd() >= 0;
  std::lock_guard lock(mutex_);
  for (uint32_t rank = 0; rank < size_; ++rank) {
    const PeerBuffer& peer = buffers_[rank];
    if (rank == rank_ || (has_root && !peer.told && !peer.registered)) continue;
    Notify(communicator, rank, WindowNotice::kLeft);
  }
}

void WindowGroup::Close() {
  anyaclUnregisterRankGroup(this);
  EndTasks();
  MemoryWindows().RemoveIf([this](const MemoryWindow& window) { return window.group == this; });
  const std::shared_ptr<Communicator> communicator = communicator_.lock();
  if (communicator != nullptr) {
    TellLeaving(*communicator);
    // What was sent last may still be on its way.
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
    for (;;) {
      {
        std::lock_guard lock(mutex_);
        communicator->engine().Progress();
        Reap(*communicator);
        if (outgoing_.empty() || communicator->failed() || std::chrono::steady_clock::now() > end)
          break;
      }
      std::this_thread::yield();
    }
  }
  std::shared_ptr<MemoryWindow> last;
  std::shared_ptr<BufferMemory> buffer;
  std::vector<PeerBuffer> buffers(size_);
  std::lock_guard lock(mutex_);
  begin_ = end_ = buffer_begin_ = 0;
  last = std::exchange(window_, nullptr);
  buffer = std::exchange(buffer_, nullptr);
  buffers_.swap(buffers);
}

}  // namespace anyacl::hccl
