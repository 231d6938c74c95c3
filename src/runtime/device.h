// SPDX-License-Identifier: Apache-2.0
// Devices and contexts. A device is the whole machine; ANYACL_DEVICES=n shows n of them, which
// differ in their contexts, streams and allocations only.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "acl/acl_rt.h"
#include "base/status.h"
#include "runtime/handle_table.h"
#include "runtime/stream.h"

namespace anyacl {

class Context {
 public:
  // Options 0..2 exist per context (aclrtCtxSetSysParamOpt).
  static constexpr int kSysParams = 3;

  Context(int32_t device, bool is_primary) : device_(device), is_primary_(is_primary) {}

  int32_t device() const { return device_; }
  bool is_primary() const { return is_primary_; }
  void* default_stream() const { return default_stream_; }
  void set_default_stream(void* handle) { default_stream_ = handle; }

  std::optional<int64_t> sys_param(int option) const;
  void set_sys_param(int option, int64_t value);

 private:
  const int32_t device_;
  const bool is_primary_;
  void* default_stream_ = nullptr;
  mutable std::mutex mutex_;
  std::array<std::optional<int64_t>, kSysParams> sys_params_;
};

using StreamTable = HandleTable<Stream, HandleKind::kStream, 4>;
StreamTable& Streams();

Status CheckDevice(int32_t device);

// Binds the device's primary context to this thread and counts the use.
Status SetDevice(int32_t device);
// Gives one use back; the last one, or `force`, ends the primary context with its streams and
// events, and releases everything else on the device unless the program's own contexts live on.
Status ResetDevice(int32_t device, bool force);
// How many resets have released something. A reset waits for streams; what another thread makes
// meanwhile, after it has set the device again, is not its to release.
uint64_t ResetsSoFar();
bool HasPrimaryContext(int32_t device);
// aclInit's defaultDevice: for threads that never chose one.
void SetDefaultDevice(int32_t device);

Status CreateContext(int32_t device, void** context);
Status DestroyContext(void* context);
Status SetCurrentContext(void* context);

struct CurrentContext {
  void* handle = nullptr;
  std::shared_ptr<Context> context;
};
// 107002 if this thread has none.
Status GetCurrentContext(CurrentContext* current);

// A live stream; null stands for the current context's default stream. For whoever works with the
// stream: a thread without a context is refused (107002) whatever the stream, and so is a stream of
// another device than the current context's (107003).
Status FindStream(aclrtStream handle, std::shared_ptr<Stream>* stream);
// The same for a mere look at the stream, which needs a context for null alone.
Status FindAnyStream(aclrtStream handle, std::shared_ptr<Stream>* stream);

bool IsDefaultStream(const Stream& stream);

// How many streams may be alive on a device.
inline constexpr int kMaxStreams = 1984;
inline constexpr uint32_t kLeastPriority = 7;  // 0 comes first
Status CreateStream(aclrtStream* handle, uint32_t priority = 0, uint32_t flags = 0);
// Waits for the stream's tasks first unless `force`, which drops them.
Status DestroyStream(aclrtStream handle, bool force);

std::vector<std::shared_ptr<Stream>> StreamsOf(int32_t device);
// All streams whose tasks may still run: those that have a handle and those just losing it.
std::vector<std::shared_ptr<Stream>> LiveStreams();
// Waits for every stream of the device; the first error met. A negative timeout is none.
Status SynchronizeDevice(int32_t device, int64_t timeout_ms);
// Ends tasks that poll and lets idle worker threads end; streams stay usable.
void QuietStreams();

}  // namespace anyacl
