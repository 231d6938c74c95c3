// SPDX-License-Identifier: Apache-2.0
#include "runtime/device.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <utility>

#include "base/fork_locks.h"
#include "runtime/callback.h"
#include "runtime/capture.h"
#include "runtime/event.h"
#include "runtime/graph.h"
#include "runtime/memory.h"
#include "runtime/model_build.h"
#include "runtime/settings.h"
#include "runtime/state_callbacks.h"

namespace anyacl {
namespace {

using ContextTable = HandleTable<Context, HandleKind::kContext>;

ContextTable& Contexts() {
  static ContextTable* table = ContextTable::NewGlobal();
  return *table;
}

struct Device {
  int uses = 0;
  void* primary = nullptr;
  std::vector<void*> contexts;  // the primary one included
  std::vector<void*> streams;   // default streams included
  // A reset found contexts that the program created: what no context owns goes with the last one.
  bool release_pending = false;
  bool announced = false;  // to the program's callbacks, since it last had no context
};

// Which contexts and streams belong to which device. The lock is never held while waiting.
struct Devices {
  std::mutex mutex;
  std::map<int32_t, Device> by_id;
};

Devices& AllDevices() {
  static Devices* devices = [] {
    auto* created = new Devices;
    ForkLocks::Add(ForkOrder::kDevices, created->mutex);
    return created;
  }();
  return *devices;
}

std::atomic<int32_t> g_default_device{-1};
std::atomic<uint64_t> g_resets{0};

// A handle, not a pointer: the context may be destroyed by another thread.
thread_local void* t_current = nullptr;

// Called with the lock of `devices` held.
void* AddContext(Device& device, int32_t id, bool is_primary) {
  auto context = std::make_shared<Context>(id, is_primary);
  void* handle = Contexts().Add(context);
  void* stream = Streams().Add(Stream::Create(id, handle));
  context->set_default_stream(stream);
  device.contexts.push_back(handle);
  device.announced = true;
  device.streams.push_back(stream);
  return handle;
}

void TellDefaultStream(const void* context) {
  if (const std::shared_ptr<Context> made = Contexts().Find(context)) {
    TellStreamState(made->default_stream(), ACL_RT_STREAM_STATE_CREATE_POST);
  }
}

// Before the first context of a device is made.
void AnnounceDevice(int32_t id) {
  {
    Devices& devices = AllDevices();
    std::lock_guard lock(devices.mutex);
    if (std::exchange(devices.by_id[id].announced, true)) return;
  }
  TellDeviceState(id, ACL_RT_DEVICE_STATE_SET_PRE);
}

void* PrimaryContext(int32_t id, bool count_use) {
  AnnounceDevice(id);
  Devices& devices = AllDevices();
  std::unique_lock lock(devices.mutex);
  Device& device = devices.by_id[id];
  if (count_use) ++device.uses;
  if (device.primary != nullptr) return device.primary;
  void* made = device.primary = AddContext(device, id, true);
  lock.unlock();
  TellDefaultStream(made);
  return made;
}

// Streams without a handle whose tasks are still being waited for.
struct EndingStreams {
  std::mutex mutex;
  std::vector<std::shared_ptr<Stream>> streams;
};

EndingStreams& AllEndingStreams() {
  static EndingStreams* all = [] {
    auto* created = new EndingStreams;
    ForkLocks::Add(ForkOrder::kDevices, created->mutex);
    return created;
  }();
  return *all;
}

// Takes the handle away; from before that until the end of its life the stream is an ending one.
class EndingStream {
 public:
  explicit EndingStream(void* handle) {
    EndingStreams& all = AllEndingStreams();
    std::lock_guard lock(all.mutex);
    stream_ = Streams().Remove(handle);
    if (stream_ != nullptr) all.streams.push_back(stream_);
  }
  ~EndingStream() {
    if (stream_ == nullptr) return;
    EndingStreams& all = AllEndingStreams();
    std::lock_guard lock(all.mutex);
    all.streams.erase(std::find(all.streams.begin(), all.streams.end(), stream_));
  }
  EndingStream(EndingStream&& other) noexcept : stream_(std::move(other.stream_)) {}
  EndingStream(const EndingStream&) = delete;
  EndingStream& operator=(const EndingStream&) = delete;
  EndingStream& operator=(EndingStream&&) = delete;

  const std::shared_ptr<Stream>& stream() const { return stream_; }

 private:
  std::shared_ptr<Stream> stream_;
};

// Ends streams whose handles are removed from the device already. Those that wait for another party
// are told to stop before any is waited for, because one may wait for another.
void EndStreams(const std::vector<void*>& handles) {
  std::vector<EndingStream> ending;
  ending.reserve(handles.size());
  for (void* handle : handles) {
    EndingStream stream(handle);
    if (stream.stream() != nullptr) ending.push_back(std::move(stream));
  }
  for (const EndingStream& each : ending) {
    AbandonCapture(*each.stream());
    ReleaseStream(*each.stream());
    each.stream()->StartDraining();
  }
  for (const EndingStream& each : ending) {
    each.stream()->Drain();
    EndSubscription(*each.stream());
    each.stream()->RetireWorker();
  }
}

// Called with the lock of the devices held. Whether this thread runs a task of a stream that `of`,
// null for all, owns: it would wait for itself.
Status CheckNotInTaskOf(const Device& device, const void* of) {
  for (void* handle : device.streams) {
    const std::shared_ptr<Stream> stream = Streams().Find(handle);
    if (stream == nullptr || stream->context() != of || !stream->RunsInThisThread()) continue;
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "called from a task of stream {}, which would wait for itself", stream->id());
  }
  return {};
}

// What no context owns, of what was made before this reset.
void ReleaseRest(int32_t device, uint64_t reset) {
  EndGraphsIf(
      [&](const Graph& graph) { return graph.device() == device && graph.resets() < reset; });
  Events().RemoveIf(
      [&](const Event& event) { return event.device() == device && event.resets() < reset; });
  ReleaseDeviceMemory(device, reset);
  ReleasePhysicalMemory(device, reset);
}

// Called with the lock of the devices held. The number of the reset that is now to release the rest
// of the device; nothing while a context lives.
std::optional<uint64_t> TakePendingRelease(Device& device) {
  if (!device.contexts.empty()) return std::nullopt;
  device.announced = false;
  if (!device.release_pending) return std::nullopt;
  device.release_pending = false;
  return ++g_resets;
}

// Before the streams of a context end; they and the context still live.
void TellEndOfStreams(int32_t id, const void* context) {
  std::vector<void*> told;
  {
    Devices& devices = AllDevices();
    std::lock_guard lock(devices.mutex);
    for (void* handle : devices.by_id[id].streams) {
      const std::shared_ptr<Stream> stream = Streams().Find(handle);
      if (stream != nullptr && stream->context() == context) told.push_back(handle);
    }
  }
  for (void* handle : told) TellStreamState(handle, ACL_RT_STREAM_STATE_DESTROY_PRE);
}

std::vector<void*> TakeStreamsOf(Device& device, const void* context) {
  std::vector<void*> taken;
  std::erase_if(device.streams, [&](void* handle) {
    const std::shared_ptr<Stream> stream = Streams().Find(handle);
    if (stream != nullptr && stream->context() != context) return false;
    taken.push_back(handle);
    return true;
  });
  return taken;
}

}  // namespace

std::optional<int64_t> Context::sys_param(int option) const {
  std::lock_guard lock(mutex_);
  return sys_params_[static_cast<size_t>(option)];
}

void Context::set_sys_param(int option, int64_t value) {
  std::lock_guard lock(mutex_);
  sys_params_[static_cast<size_t>(option)] = value;
}

StreamTable& Streams() {
  static StreamTable* table = StreamTable::NewGlobal();
  return *table;
}
[[maybe_unused]] static const bool kDeviceMadeAtLoad =
    (AllDevices(), AllEndingStreams(), Contexts(), Streams(), true);

Status CheckDevice(int32_t device) {
  const auto devices = static_cast<int32_t>(Env().devices);
  if (device >= 0 && device < devices) return {};
  return Fail(ACL_ERROR_RT_INVALID_DEVICEID,
              "deviceId is {}, expected 0..{} (ANYACL_DEVICES sets how many there are)", device,
              devices - 1);
}

Status SetDevice(int32_t device) {
  if (Status s = CheckDevice(device); !s.ok()) return s;
  t_current = PrimaryContext(device, true);
  TellDeviceState(device, ACL_RT_DEVICE_STATE_SET_POST);
  return {};
}

// What the program created itself, it destroys itself: its contexts outlive a reset with their
// streams, and until the last of them is gone so does what no context owns, memory above all.
Status ResetDevice(int32_t id, bool force) {
  if (Status s = CheckDevice(id); !s.ok()) return s;
  void* primary = nullptr;
  std::vector<void*> streams;
  std::optional<uint64_t> release;
  {
    Devices& devices = AllDevices();
    std::lock_guard lock(devices.mutex);
    Device& device = devices.by_id[id];
    if (device.primary == nullptr || (device.uses == 0 && !force)) {
      return Fail(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR,
                  "device {} is not set, or reset more often than it was set", id);
    }
    const bool last = force || device.uses == 1;
    if (last) {
      if (Status s = CheckNotInTaskOf(device, device.primary); !s.ok()) return s;
    }
    device.uses = force ? 0 : device.uses - 1;
    if (!last) return {};
    primary = std::exchange(device.primary, nullptr);
    std::erase(device.contexts, primary);
    device.release_pending = true;
    release = TakePendingRelease(device);
  }
  // What a callback adds to the context ends with it.
  TellDeviceState(id, ACL_RT_DEVICE_STATE_RESET_PRE);
  TellEndOfStreams(id, primary);
  {
    Devices& devices = AllDevices();
    std::lock_guard lock(devices.mutex);
    streams = TakeStreamsOf(devices.by_id[id], primary);
  }
  EndStreams(streams);
  Contexts().Remove(primary);
  EndGraphsIf([&](const Graph& graph) { return graph.context() == primary; });
  Events().RemoveIf([&](const Event& event) { return event.context() == primary; });
  if (release) ReleaseRest(id, *release);
  TellDeviceState(id, ACL_RT_DEVICE_STATE_RESET_POST);
  return {};
}

uint64_t ResetsSoFar() { return g_resets; }

bool HasPrimaryContext(int32_t device) {
  Devices& devices = AllDevices();
  std::lock_guard lock(devices.mutex);
  const auto it = devices.by_id.find(device);
  return it != devices.by_id.end() && it->second.primary != nullptr;
}

void SetDefaultDevice(int32_t device) { g_default_device = device; }

Status CreateContext(int32_t id, void** context) {
  if (Status s = CheckDevice(id); !s.ok()) return s;
  AnnounceDevice(id);
  {
    Devices& devices = AllDevices();
    std::lock_guard lock(devices.mutex);
    *context = AddContext(devices.by_id[id], id, false);
  }
  t_current = *context;
  TellDefaultStream(*context);
  return {};
}

Status DestroyContext(void* handle) {
  const std::shared_ptr<Context> context = Contexts().Find(handle);
  if (context == nullptr) {
    return Fail(ACL_ERROR_RT_CONTEXT_NULL, "context {} is not a live context", handle);
  }
  if (context->is_primary()) {
    return Fail(ACL_ERROR_RT_CONTEXT_NULL,
                "context {} is the default context of device {}, which aclrtResetDevice releases",
                handle, context->device());
  }
  Devices& devices = AllDevices();
  {
    std::lock_guard lock(devices.mutex);
    Device& device = devices.by_id[context->device()];
    if (Status s = CheckNotInTaskOf(device, handle); !s.ok()) return s;
    if (std::erase(device.contexts, handle) == 0) {
      return Fail(ACL_ERROR_RT_CONTEXT_NULL, "context {} is destroyed by another thread", handle);
    }
  }
  TellEndOfStreams(context->device(), handle);
  std::vector<void*> streams;
  std::optional<uint64_t> release;
  {
    std::lock_guard lock(devices.mutex);
    Device& device = devices.by_id[context->device()];
    Contexts().Remove(handle);
    streams = TakeStreamsOf(device, handle);
    release = TakePendingRelease(device);
  }
  EndStreams(streams);
  EndGraphsIf([&](const Graph& graph) { return graph.context() == handle; });
  if (release) ReleaseRest(context->device(), *release);
  return {};
}

Status SetCurrentContext(void* handle) {
  if (Contexts().Find(handle) == nullptr) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "context {} is not a live context", handle);
  }
  t_current = handle;
  return {};
}

Status GetCurrentContext(CurrentContext* current) {
  if (t_current == nullptr && g_default_device >= 0) {
    t_current = PrimaryContext(g_default_device, false);
  }
  current->context = Contexts().Find(t_current);
  if (current->context == nullptr) {
    return Fail(ACL_ERROR_RT_CONTEXT_NULL,
                "this thread has no context: call aclrtSetDevice or aclrtSetCurrentContext in it "
                "first{}",
                t_current != nullptr ? " (its context was destroyed or its device reset)" : "");
  }
  current->handle = t_current;
  return {};
}

Status FindAnyStream(aclrtStream handle, std::shared_ptr<Stream>* stream) {
  if (handle == nullptr) {
    CurrentContext current;
    if (Status s = GetCurrentContext(&current); !s.ok()) return s;
    handle = current.context->default_stream();
  }
  *stream = Streams().Find(handle);
  if (*stream != nullptr) return {};
  return Fail(ACL_ERROR_RT_INVALID_HANDLE,
              "stream {} is not a live stream (destroyed, or never created here)", handle);
}

Status FindStream(aclrtStream handle, std::shared_ptr<Stream>* stream) {
  CurrentContext current;
  if (Status s = GetCurrentContext(&current); !s.ok()) return s;
  if (handle == nullptr) handle = current.context->default_stream();
  if (Status s = FindAnyStream(handle, stream); !s.ok()) return s;
  if (current.context->device() != (*stream)->device()) {
    return Fail(ACL_ERROR_RT_STREAM_CONTEXT,
                "stream {} belongs to device {}, expected device {} of the current context", handle,
                (*stream)->device(), current.context->device());
  }
  return {};
}

bool IsDefaultStream(const Stream& stream) {
  const std::shared_ptr<Context> owner = Contexts().Find(stream.context());
  return owner != nullptr && Streams().Find(owner->default_stream()).get() == &stream;
}

Status CreateStream(aclrtStream* handle, uint32_t priority, uint32_t flags) {
  CurrentContext current;
  if (Status s = GetCurrentContext(&current); !s.ok()) return s;
  const int32_t id = current.context->device();
  Devices& devices = AllDevices();
  std::unique_lock lock(devices.mutex);
  Device& device = devices.by_id[id];
  if (device.streams.size() >= kMaxStreams) {
    return Fail(ACL_ERROR_RT_NO_STREAM_RESOURCE,
                "device {} has {} streams alive, expected fewer than {}", id, device.streams.size(),
                kMaxStreams);
  }
  const std::shared_ptr<Stream> stream = Stream::Create(id, current.handle);
  stream->attributes().priority = priority;
  stream->attributes().flags = flags;
  *handle = Streams().Add(stream);
  device.streams.push_back(*handle);
  lock.unlock();
  TellStreamState(*handle, ACL_RT_STREAM_STATE_CREATE_POST);
  return {};
}

Status DestroyStream(aclrtStream handle, bool force) {
  const std::shared_ptr<Stream> stream = Streams().Find(handle);
  if (stream == nullptr) {
    return Fail(ACL_ERROR_RT_INVALID_HANDLE,
                "stream {} is not a live stream (destroyed, or never created here)", handle);
  }
  const std::shared_ptr<Context> owner = Contexts().Find(stream->context());
  if (owner != nullptr && owner->default_stream() == handle) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "stream {} is the default stream of its context and cannot be destroyed", handle);
  }
  CurrentContext current;
  if (Status s = GetCurrentContext(&current); !s.ok()) return s;
  if (current.handle != stream->context()) {
    return Fail(ACL_ERROR_RT_STREAM_CONTEXT,
                "stream {} was created in context {}, expected the current context {}", handle,
                stream->context(), current.handle);
  }
  if (stream->RunsInThisThread()) {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "called from a task of stream {}", stream->id());
  }
  if (Status s = CheckNotBound(*stream); !s.ok()) return s;
  if (Status s = CheckNotCapturing(*stream); !s.ok()) return s;
  TellStreamState(handle, ACL_RT_STREAM_STATE_DESTROY_PRE);
  const EndingStream ending(handle);
  if (ending.stream() == nullptr) {
    return Fail(ACL_ERROR_RT_INVALID_HANDLE, "stream {} is destroyed by another thread", handle);
  }
  {
    Devices& devices = AllDevices();
    std::lock_guard lock(devices.mutex);
    std::erase(devices.by_id[stream->device()].streams, handle);
  }
  if (force) {
    stream->Abort();
  } else {
    stream->Drain();
  }
  EndSubscription(*stream);
  stream->RetireWorker();
  return {};
}

std::vector<std::shared_ptr<Stream>> LiveStreams() {
  EndingStreams& all = AllEndingStreams();
  std::lock_guard lock(all.mutex);
  std::vector<std::shared_ptr<Stream>> streams = Streams().All();
  streams.insert(streams.end(), all.streams.begin(), all.streams.end());
  return streams;
}

std::vector<std::shared_ptr<Stream>> StreamsOf(int32_t id) {
  Devices& devices = AllDevices();
  std::lock_guard lock(devices.mutex);
  std::vector<std::shared_ptr<Stream>> streams;
  for (void* handle : devices.by_id[id].streams) {
    if (std::shared_ptr<Stream> stream = Streams().Find(handle)) streams.push_back(stream);
  }
  return streams;
}

void QuietStreams() {
  for (const std::shared_ptr<Stream>& stream : Streams().All()) {
    stream->EndPolls();
    stream->RetireWorker();
  }
}

}  // namespace anyacl
