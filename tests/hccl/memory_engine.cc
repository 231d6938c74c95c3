// SPDX-License-Identifier: Apache-2.0
// An engine between threads of one process, in the place of the one on UCX: nothing is copied
// before both sides are there, so that whoever overwrites too early is found out, and
// ThreadSanitizer sees every access.
#include "memory_engine.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <list>
#include <map>
#include <mutex>

#include "base/format.h"
#include "hccl/engine.h"

namespace anyacl::hccl {

std::atomic<bool> g_memory_engines_busy{false};

namespace {

class MemoryEngine;

struct Sent {
  MemoryEngine* from;
  uint64_t tag;
  const void* data;
  size_t size;
  Transfer* transfer;
};

struct Awaited {
  uint64_t tag;
  void* data;
  size_t size;
  Transfer* transfer;
};

// All engines share one lock: this is about order, not about speed.
std::mutex g_mutex;
std::map<std::string, MemoryEngine*> g_engines;

class MemoryEngine final : public Engine {
 public:
  MemoryEngine() {
    static std::atomic<int> next{0};
    address_ = Format("memory-{}", next++);
    std::lock_guard lock(g_mutex);
    g_engines[address_] = this;
  }
  ~MemoryEngine() override {
    std::lock_guard lock(g_mutex);
    TakeBack();
    g_engines.erase(address_);
    for (const Sent& sent : arrived_) Finish(sent.transfer, Transfer::State::kFailed);
    close(event_);
  }

  const std::string& address() const override { return address_; }

  Status Connect(const std::vector<std::string>& addresses) override {
    peers_ = addresses;
    return {};
  }

  void Send(uint32_t rank, uint64_t tag, const void* data, size_t size, End,
            Transfer* transfer) override {
    std::lock_guard lock(g_mutex);
    const auto peer = g_engines.find(peers_[rank]);
    if (peer == g_engines.end() || aborted_) return Finish(transfer, Transfer::State::kFailed);
    peer->second->arrived_.push_back({this, tag, data, size, transfer});
    peer->second->Wake();
  }

  void Receive(uint64_t tag, void* data, size_t size, Transfer* transfer) override {
    std::lock_guard lock(g_mutex);
    if (aborted_) return Finish(transfer, Transfer::State::kFailed);
    awaited_.push_back({tag, data, size, transfer});
  }

  std::optional<Message> Unexpected(uint64_t tag, uint64_t mask) override {
    std::lock_guard lock(g_mutex);
    for (const Sent& sent : arrived_) {
      const bool received = std::any_of(awaited_.begin(), awaited_.end(),
                                        [&](const Awaited& one) { return one.tag == sent.tag; });
      if (((sent.tag ^ tag) & mask) == 0 && !received) return Message{sent.tag, sent.size};
    }
    return std::nullopt;
  }

  void Release(Transfer*) override {}
  void Flush(Transfer* transfer) override { Finish(transfer, Transfer::State::kDone); }

  bool Progress() override {
    if (g_memory_engines_busy) return true;
    std::lock_guard lock(g_mutex);
    bool moved = false;
    for (auto sent = arrived_.begin(); sent != arrived_.end();) {
      const auto match = std::find_if(awaited_.begin(), awaited_.end(),
                                      [&](const Awaited& one) { return one.tag == sent->tag; });
      if (match == awaited_.end()) {
        ++sent;
        continue;
      }
      const size_t size = std::min(match->size, sent->size);
      if (size != 0) std::memcpy(match->data, sent->data, size);
      match->transfer->size = sent->size;
      match->transfer->truncated = sent->size > match->size;
      Finish(match->transfer, Transfer::State::kDone);
      Finish(sent->transfer, Transfer::State::kDone);
      sent->from->Wake();
      awaited_.erase(match);
      sent = arrived_.erase(sent);
      moved = true;
    }
    return moved;
  }

  int event() const override { return event_; }
  bool Arm() override {
    uint64_t count = 0;
    return read(event_, &count, sizeof(count)) < 0;
  }

  bool Lost(uint32_t rank) const override {
    std::lock_guard lock(g_mutex);
    return !g_engines.contains(peers_[rank]);
  }

  void Abort() override {
    std::lock_guard lock(g_mutex);
    aborted_ = true;
    TakeBack();
  }

  void Cancel(Transfer* transfer) override {
    std::lock_guard lock(g_mutex);
    std::erase_if(awaited_, [&](const Awaited& one) {
      if (one.transfer != transfer) return false;
      Finish(transfer, Transfer::State::kFailed);
      return true;
    });
  }

 private:
  // What nobody has received; its memory ends with this engine's owner.
  void TakeBack() {
    for (auto& [address, engine] : g_engines) {
      std::erase_if(engine->arrived_, [&](const Sent& sent) {
        if (sent.from != this) return false;
        Finish(sent.transfer, Transfer::State::kFailed);
        return true;
      });
    }
  }
  static void Finish(Transfer* transfer, Transfer::State state) {
    transfer->state.store(state, std::memory_order_release);
  }
  void Wake() {
    const uint64_t one = 1;
    static_cast<void>(write(event_, &one, sizeof(one)) < 0);
  }

  std::string address_;
  std::vector<std::string> peers_;
  const int event_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  std::list<Sent> arrived_;
  std::list<Awaited> awaited_;
  bool aborted_ = false;
};

}  // namespace

// Linked before the library's, which loads the one on UCX.
Status MakeEngine(std::unique_ptr<Engine>* engine) {
  *engine = std::make_unique<MemoryEngine>();
  return {};
}

}  // namespace anyacl::hccl
