// SPDX-License-Identifier: Apache-2.0
#include "hccl/window.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "acl/acl.h"
#include "base/format.h"
#include "hccl/exchange.h"
#include "hccl/label.h"
#include "hccl/window_server.h"
#include "runtime/exports.h"

namespace anyacl::hccl {
namespace {

using nlohmann::json;

constexpr size_t kMaxTelling = 4096;  // bytes of what a rank says of its window
constexpr uintptr_t kPage = 4096;
constexpr uint64_t kAnyProcess = ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION;

// Failures here mean another way, not an error: their messages must not reach the client's list.
template <class Body>
bool Try(Body body) {
  // The runtime records a failure in the calling thread's list: another thread's nobody reads.
  bool good = false;
  std::thread([&] { good = body() == ACL_SUCCESS; }).join();
  return good;
}

}  // namespace

std::shared_ptr<ImportedMemory> ImportedMemory::Import(int32_t device, const std::string& key) {
  std::shared_ptr<ImportedMemory> made(new ImportedMemory(key));
  // A thread has no device of its own to map memory for.
  const bool good = Try([&] {
    const int code = aclrtSetDevice(device);
    return code != ACL_SUCCESS ? code : aclrtIpcMemImportByKey(&made->base_, key.c_str(), 0);
  });
  if (!good) made->base_ = nullptr;
  return good ? made : nullptr;
}

ImportedMemory::~ImportedMemory() {
  if (base_ != nullptr) Try([&] { return aclrtIpcMemClose(key_.c_str()); });
}

MemoryWindow::~MemoryWindow() {
  if (!key.empty()) Try([&] { return aclrtIpcMemClose(key.c_str()); });
}

WindowGroup::WindowGroup(const std::shared_ptr<Communicator>& communicator)
    : communicator_(communicator),
      name_(communicator->name()),
      rank_(communicator->rank()),
      size_(communicator->ranks()),
      half_(communicator->config().buffer_megabytes << 20),
      buffers_(size_),
      shared_(size_),
      under_way_(size_),
      sent_(size_),
      held_(size_),
      broken_(size_),
      missed_(size_) {}

WindowGroup::~WindowGroup() = default;

Status WindowGroup::Register(void* address, uint64_t size, void** handle) {
  std::lock_guard lock(mutex_);
  if (window_ != nullptr) {
    return Fail(HCCL_E_NOT_SUPPORT, "communicator {} has a window of {} bytes, expected none",
                name_, window_->size);
  }
  window_ = std::make_shared<MemoryWindow>();
  window_->base = static_cast<char*>(address);
  window_->size = size;
  window_->peers.resize(size_);
  window_->peers[rank_] = {true, true, {window_->base, size}, nullptr};
  begin_ = reinterpret_cast<uintptr_t>(address);
  end_ = begin_ + size;
  *handle = window_.get();
  NotifyAll(WindowNotice::kRegistered);
  return {};
}

bool WindowGroup::Deregister(const void* handle) {
  std::shared_ptr<MemoryWindow> last;  // its end takes time: outside the lock
  std::lock_guard lock(mutex_);
  if (window_ == nullptr || handle != window_.get()) return false;
  begin_ = end_ = 0;
  last = std::exchange(window_, nullptr);
  // What still waits for a guard was checked against this window, not against the next one.
  const auto mark = [](std::list<Incoming>& messages) {
    for (Incoming& incoming : messages) {
      if (incoming.label == MakeLabel(Operation::kWindow)) incoming.stale = true;
    }
  };
  mark(incoming_);
  for (auto& [row, messages] : waiting_) mark(messages);
  NotifyAll(WindowNotice::kDeregistered);
  return true;
}

void WindowGroup::NotifyAll(WindowNotice notice) {
  const std::shared_ptr<Communicator> communicator = communicator_.lock();
  if (communicator == nullptr || communicator->failed()) return;
  for (uint32_t rank = 0; rank < size_; ++rank) {
    if (rank != rank_) Notify(*communicator, rank, notice);
  }
}

void WindowGroup::Notify(Communicator& communicator, uint32_t rank, WindowNotice notice) {
  Block bytes = TakeBlock(1);
  *bytes.data() = static_cast<char>(notice);
  Post(communicator, rank, MakeLabel(Operation::kNotice), std::move(bytes), 1, Engine::End::kSent,
       1);
}

void WindowGroup::ServeApart(Communicator& communicator) {
  if (!communicator.served_.exchange(true)) ServeInBackground(shared_from_this());
}

Status WindowGroup::Share(const void* handle, std::span<const uint32_t> peers) {
  std::shared_ptr<MemoryWindow> window;
  {
    std::lock_guard lock(mutex_);
    window = window_;
  }
  if (window == nullptr || handle != window.get()) {
    return Fail(HCCL_E_NOT_FOUND, "windowHandle is none of communicator {}", name_);
  }
  return ShareWith(window.get(), peers);
}

Status WindowGroup::RegisterSymmetric(void* address, uint64_t size,
                                      std::shared_ptr<MemoryWindow>* made) {
  auto window = std::make_shared<MemoryWindow>();
  window->group = this;
  window->base = static_cast<char*>(address);
  window->size = size;
  window->peers.resize(size_);
  window->peers[rank_] = {true, true, {window->base, size}, nullptr};
  std::vector<uint32_t> all;
  for (uint32_t rank = 0; rank < size_; ++rank) all.push_back(rank);
  if (const Status status = ShareWith(window.get(), all); !status.ok()) return status;
  for (uint32_t rank = 0; rank < size_; ++rank) {
    if (window->peers[rank].window.base == nullptr) {
      return Fail(HCCL_E_NOT_SUPPORT, "this process cannot map the memory of rank {}", rank);
    }
    if (!window->peers[rank].maps) {
      return Fail(HCCL_E_NOT_SUPPORT,
                  "rank {} cannot map addr, expected memory of HcommMemAlloc or aclrtMalloc and "
                  "ranks of one host",
                  rank);
    }
  }
  *made = std::move(window);
  return {};
}

// Both sides tell address and key, try to map, and tell whether they could.
Status WindowGroup::ShareWith(MemoryWindow* window, std::span<const uint32_t> peers) {
  const std::shared_ptr<Communicator> communicator = communicator_.lock();
  if (communicator == nullptr)
    return Fail(HCCL_E_UNAVAIL, "communicator {} has been destroyed", name_);
  if (communicator->failed()) return communicator->FailAsBefore(false);
  const std::lock_guard one_at_a_time(sharing_);
  const auto& members = communicator->members();
  const Member& self = members[rank_];
  std::vector<uint32_t> others;
  for (const uint32_t peer : peers) {
    if (peer != rank_) others.push_back(peer);
  }
  const auto same_process = [&](uint32_t peer) { return members[peer].token == self.token; };
  // The key is of whole pages; what is above the window's first byte in them is the offset.
  const uintptr_t begin = reinterpret_cast<uintptr_t>(window->base);
  const uint64_t offset = begin % kPage;
  if (window->key.empty() && std::any_of(others.begin(), others.end(),
                                         [&](uint32_t peer) { return !same_process(peer); })) {
    char key[128] = {};
    if (Try([&] {
          return aclrtIpcMemGetExportKey(window->base - offset, window->size + offset, key, 65,
                                         kAnyProcess);
        })) {
      window->key = key;
    }
  }
  const std::string telling =
      json({{"address", begin}, {"size", window->size}, {"offset", offset}, {"key", window->key}})
          .dump();

  Work sharing{{"HcclCommExchangeMem"}, MakeLabel(Operation::kWindow), {}, {}};
  Environment environment;
  if (const Status status = ReadEnvironment(&environment); !status.ok()) return status;
  Exchange exchange(*communicator, sharing, 0, nullptr, environment.connect_timeout);
  // Numbers that no HcclSend of the pair has.
  const auto pass = [&](uint32_t peer, bool receives, uint64_t phase, void* data, size_t bytes) {
    exchange.Pass({peer, receives, data, bytes, sharing.label,
                   (uint64_t{1} << 31) + 2 * shared_[peer] + phase});
  };
  // What we tell, what each of the others tells, and whether it could map ours, and we theirs.
  char* own = exchange.Scratch((1 + others.size()) * kMaxTelling + 2 * others.size());
  const auto told = [&](size_t i) { return own + (1 + i) * kMaxTelling; };
  char* they_do = told(others.size());
  char* we_do = they_do + others.size();
  std::fill(own, own + kMaxTelling, ' ');
  if (telling.size() > kMaxTelling) return Fail(HCCL_E_INTERNAL, "a window's key is too long");
  std::memcpy(own, telling.data(), telling.size());
  for (size_t i = 0; i < others.size(); ++i) {
    pass(others[i], true, 0, told(i), kMaxTelling);
    pass(others[i], false, 0, own, kMaxTelling);
  }
  if (const Status status = exchange.WaitForAll(); !status.ok()) return status;

  std::vector<MemoryWindow::Peer> found(others.size());
  for (size_t i = 0; i < others.size(); ++i) {
    const uint32_t peer = others[i];
    MemoryWindow::Peer& entry = found[i];
    try {
      const json said = json::parse(told(i), told(i) + kMaxTelling);
      entry.window.size = said.at("size").get<uint64_t>();
      const auto key = said.at("key").get<std::string>();
      if (same_process(peer)) {
        entry.window.base = reinterpret_cast<char*>(said.at("address").get<uintptr_t>());
      } else if (members[peer].host == self.host && !key.empty()) {
        // A key opens the same memory each time, and closing it ends the newest.
        const auto& before = window->peers[peer].memory;
        entry.memory = before != nullptr && before->key() == key
                           ? before
                           : ImportedMemory::Import(communicator->device(), key);
        if (entry.memory != nullptr) {
          entry.window.base = entry.memory->base() + said.at("offset").get<uint64_t>();
        }
      }
    } catch (const json::exception& error) {
      return Fail(HCCL_E_INTERNAL, "rank {} tells nonsense of its window: {}", peer, error.what());
    }
    entry.known = true;
    we_do[i] = entry.window.base != nullptr;
    pass(peer, true, 1, &they_do[i], 1);
    pass(peer, false, 1, &we_do[i], 1);
  }
  if (const Status status = exchange.Finish(); !status.ok()) return status;
  {
    std::lock_guard lock(mutex_);
    for (size_t i = 0; i < others.size(); ++i) {
      MemoryWindow::Peer& peer = window->peers[others[i]];
      found[i].maps = they_do[i] != 0;
      std::swap(peer, found[i]);
      if (found[i].memory != nullptr && found[i].memory != peer.memory)
        window->earlier.push_back(std::move(found[i].memory));
      ++shared_[others[i]];
    }
  }
  const bool needs_server = std::any_of(they_do, we_do, [](char one) { return one == 0; });
  if (needs_server) ServeApart(*communicator);
  return {};
}

// The rank's own word decides which memory that is.
Status WindowGroup::Window(uint32_t rank, RankWindow* window) {
  if (rank >= size_) {
    return Fail(ACL_ERROR_INVALID_PARAM, "rank {} of communicator {}, expected less than {}", rank,
                name_, size_);
  }
  {
    std::lock_guard lock(mutex_);
    if (window_ != nullptr && window_->peers[rank].known) {
      *window = window_->peers[rank].window;
      return {};
    }
  }
  // Its word may have come: one round finds it, another one takes it in.
  for (int round = 0; round < 3 && Serve(); ++round) continue;
  {
    std::lock_guard lock(mutex_);
    if (buffers_[rank].registered) {
      return Fail(ACL_ERROR_INVALID_PARAM,
                  "rank {} has a window that it has not exchanged with rank {} of communicator {}: "
                  "expected HcclCommRegister and HcclCommExchangeMem on both",
                  rank, rank_, name_);
    }
  }
  return Half(rank, 0, window);
}

bool WindowGroup::InOwnWindow(const void* address) const {
  const auto at = reinterpret_cast<uintptr_t>(address);
  const uintptr_t buffer = buffer_begin_.load(std::memory_order_relaxed);
  if (buffer != 0 && at >= buffer && at - buffer < 2 * half_) return true;
  return at >= begin_.load(std::memory_order_relaxed) && at < end_.load(std::memory_order_relaxed);
}

// The buffer comes into being, and every other rank is told how to write to it.
Status WindowGroup::MakeBuffer(Communicator& communicator) {
  if (buffer_ != nullptr) return {};
  buffer_ = BufferMemory::Make(communicator.device(), 2 * half_);
  if (buffer_ == nullptr) {
    return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "device {} has no {} MB for the buffer of communicator {}: HCCL_BUFFSIZE is {} MB",
                communicator.device(), 2 * half_ >> 20, name_, half_ >> 20);
  }
  buffer_begin_ = reinterpret_cast<uintptr_t>(buffer_->base());
  buffers_[rank_] = {true, true, false, "", buffer_, half_};
  const std::string telling =
      json({{"address", buffer_begin_.load()}, {"half", half_}, {"token", buffer_->token()}})
          .dump();
  const auto& members = communicator.members();
  bool takes_messages = false;
  for (uint32_t rank = 0; rank < size_; ++rank) {
    if (rank == rank_) continue;
    takes_messages |= !members[rank].Sees(members[rank_]);
    Block bytes = TakeBlock(telling.size());
    telling.copy(bytes.data(), telling.size());
    // Of some ranks nobody ever asks.
    Post(communicator, rank, MakeLabel(Operation::kBufferTelling), std::move(bytes), telling.size(),
         Engine::End::kSent, telling.size());
  }
  if (takes_messages) ServeApart(communicator);
  return {};
}

// Maps what a rank has told, if it can be.
Status WindowGroup::FindPeerBuffer(Communicator& communicator, uint32_t rank) {
  PeerBuffer& peer = buffers_[rank];
  if (peer.known || !peer.told) return {};
  const auto& members = communicator.members();
  try {
    const json said = json::parse(peer.telling);
    const auto half = said.at("half").get<uint64_t>();
    constexpr uint64_t kMostHalf = uint64_t{1} << 46;  // 64 TiB: twice it is no overflow
    if (half == 0 || half > kMostHalf) {
      return Fail(ACL_ERROR_RT_AICPU_EXCEPTION,
                  "rank {} tells nonsense of its buffer: half of it is {} bytes", rank, half);
    }
    peer.half = half;
    if (members[rank].token == members[rank_].token) {
      peer.memory = BufferMemory::Find(said.at("address").get<uintptr_t>());
    } else if (const auto token = said.at("token").get<uint64_t>();
               token != 0 && members[rank].host == members[rank_].host) {
      peer.memory = BufferMemory::Import(communicator.device(), token, 2 * peer.half);
    }
  } catch (const json::exception& error) {
    return Fail(ACL_ERROR_RT_AICPU_EXCEPTION, "rank {} tells nonsense of its buffer: {}", rank,
                error.what());
  }
  peer.known = true;
  // What members say of themselves does not tell all that may be in the way.
  if (peer.memory == nullptr && members[rank_].Sees(members[rank])) {
    Notify(communicator, rank, WindowNotice::kUnmapped);
  }
  return {};
}

Status WindowGroup::Half(uint32_t rank, uint64_t which, RankWindow* window) {
  const std::shared_ptr<Communicator> communicator = communicator_.lock();
  if (communicator == nullptr || communicator->failed()) return Failure();
  *window = {};
  std::unique_lock lock(mutex_);
  if (Status s = MakeBuffer(*communicator); !s.ok()) return s;
  if (Status s = FindPeerBuffer(*communicator, rank); !s.ok()) return s;
  const PeerBuffer& peer = buffers_[rank];
  if (!peer.known) {
    lock.unlock();
    MakeBufferOf(*communicator, rank);
    return {};
  }
  window->offset = which * peer.half;
  if (peer.memory != nullptr) window->base = peer.memory->base() + window->offset;
  window->size = peer.half;
  window->in_buffer = true;
  return {};
}

// A rank that calls nothing has a buffer, too, if it is in this process. Then it tells of it as
// any.
void WindowGroup::MakeBufferOf(const Communicator& communicator, uint32_t rank) {
  const Member& member = communicator.members()[rank];
  if (member.token != communicator.members()[rank_].token) return;
  const auto other = Communicators().Find(Communicators().FindHandle([&](const Communicator& c) {
    return c.name() == name_ && c.rank() == rank && c.device() == member.device;
  }));
  if (other == nullptr || other->failed()) return;
  WindowGroup& group = other->windows();
  std::lock_guard lock(group.mutex_);
  // It fails again, and is told, where it is needed.
  (void)group.MakeBuffer(*other);
}

Status WindowGroup::OwnBuffer(void** address, uint64_t* size) {
  const std::shared_ptr<Communicator> communicator = communicator_.lock();
  if (communicator == nullptr) return Fail(HCCL_E_UNAVAIL, "communicator {} has ended", name_);
  if (communicator->failed()) return communicator->FailAsBefore(false);
  std::lock_guard lock(mutex_);
  if (!MakeBuffer(*communicator).ok()) return Replay(HCCL_E_MEMORY);
  // The other half is operators': who clears it breaks their turns.
  *address = buffer_->base();
  *size = half_;
  return {};
}

WindowTable& MemoryWindows() {
  static WindowTable* table = WindowTable::NewGlobal();
  return *table;
}

}  // namespace anyacl::hccl
