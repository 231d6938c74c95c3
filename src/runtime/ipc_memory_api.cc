// SPDX-License-Identifier: Apache-2.0
// aclrt* functions for memory that several processes use: allocations by keys, physical memory by
// shareable handles.
#include <unistd.h>

#include <charconv>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "base/fork_locks.h"
#include "base/format.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/memory.h"
#include "runtime/shared_extent.h"
#include "runtime/system_memory.h"
#include "runtime/virtual_memory.h"

namespace anyacl {
namespace {

// What clients give the key room for, with the terminating zero.
constexpr size_t kKeySize = 65;
constexpr uint64_t kWithoutValidation = 1;

// A part of an exported allocation: text, because clients handle keys as such.
struct Key {
  uint64_t token = 0;
  size_t offset = 0;
  size_t size = 0;

  std::string Text() const { return Format("anyacl-{:x}-{:x}-{:x}", token, offset, size); }
  static Status Parse(const char* text, Key* key);
};

Status Key::Parse(const char* text, Key* key) {
  constexpr std::string_view kPrefix = "anyacl";
  if (Status s = NotNull(text, "key"); !s.ok()) return s;
  const std::string_view all(text, strnlen(text, kKeySize));
  const char* at = all.data() + kPrefix.size();
  const char* end = all.data() + all.size();
  bool good = all.substr(0, kPrefix.size()) == kPrefix;
  for (uint64_t* number : {&key->token, &key->offset, &key->size}) {
    good = good && at < end && *at == '-';
    if (!good) break;
    const auto [rest, error] = std::from_chars(at + 1, end, *number, 16);
    good = error == std::errc() && rest != at + 1;
    at = rest;
  }
  if (good && at == end) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "key is \"{}\", expected one of aclrtIpcMemGetExportKey",
              all);
}

struct Keys {
  std::mutex mutex;
  std::map<std::string, std::vector<void*>> imported;  // the addresses of the mappings
  // Once for each export.
  std::map<std::string, std::vector<std::weak_ptr<SharedExtent>>> exported;
};

Keys& AllKeys() {
  static Keys* keys = [] {
    auto* created = new Keys;
    ForkLocks::Add(ForkOrder::kIpcKeys, created->mutex);
    return created;
  }();
  return *keys;
}
[[maybe_unused]] const bool kIpcMemoryApiMadeAtLoad = (AllKeys(), true);

Status CheckIpcFlags(uint64_t flags) {
  if (flags <= kWithoutValidation) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "flags is {:#x}, expected 0 or 1", flags);
}

Status ExportKey(void* address, size_t size, uint64_t flags, std::string* text) {
  Allocation allocation;
  if (Status s = Share(address, &allocation); !s.ok()) return s;
  Key key;
  key.offset = reinterpret_cast<uintptr_t>(address) - allocation.base;
  key.size = size;
  if (key.offset % PageSize() != 0) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "devPtr {} lies {} bytes into its allocation, expected a multiple of the page ({})",
                address, key.offset, PageSize());
  }
  if (size == 0 || size > allocation.padded - key.offset) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "size is {}, expected 1..{}, which the allocation has",
                size, allocation.padded - key.offset);
  }
  if (Status s = allocation.shared->Export(flags == kWithoutValidation, &key.token); !s.ok()) {
    return s;
  }
  *text = key.Text();
  Keys& keys = AllKeys();
  std::lock_guard lock(keys.mutex);
  keys.exported[*text].push_back(allocation.shared);
  return {};
}

Status ImportKey(const char* text, int32_t device, void** address) {
  Key key;
  if (Status s = Key::Parse(text, &key); !s.ok()) return s;
  std::shared_ptr<SharedExtent> extent;
  if (Status s = SharedExtent::Import(key.token, &extent); !s.ok()) return s;
  if (key.offset > extent->size() || key.size > extent->size() - key.offset) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "key \"{}\" names {} bytes from {} on, expected bytes within {}", text, key.size,
                key.offset, extent->size());
  }
  void* base = extent->Map(nullptr, extent->size());
  if (base == nullptr) {
    return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "the system cannot map {} bytes", extent->size());
  }
  const size_t end = key.offset + key.size;
  Allocation region{
      reinterpret_cast<uintptr_t>(base), end, end, MemoryKind::kImported, device, ResetsSoFar()};
  region.shared = std::move(extent);
  if (Status s = AddRegion(region); !s.ok()) return s;
  *address = static_cast<char*>(base) + key.offset;
  Keys& keys = AllKeys();
  std::lock_guard lock(keys.mutex);
  keys.imported[text].push_back(base);
  return {};
}

Status CloseKey(const char* text) {
  Key key;
  if (Status s = Key::Parse(text, &key); !s.ok()) return s;
  Keys& keys = AllKeys();
  std::unique_lock lock(keys.mutex);
  if (const auto it = keys.imported.find(text); it != keys.imported.end()) {
    void* base = it->second.back();
    it->second.pop_back();
    if (it->second.empty()) keys.imported.erase(it);
    lock.unlock();
    return Free(base, "key", MemoryKind::kImported);
  }
  const auto it = keys.exported.find(text);
  if (it == keys.exported.end()) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "key \"{}\" is open neither by export nor by import in this process", text);
  }
  const std::shared_ptr<SharedExtent> extent = it->second.back().lock();
  it->second.pop_back();
  if (it->second.empty()) keys.exported.erase(it);
  // Other keys of the same allocation may still be open.
  bool open = false;
  for (const auto& [other, extents] : keys.exported) {
    for (const auto& each : extents) open = open || each.lock() == extent;
  }
  if (extent != nullptr && !open) extent->CloseExport();
  return {};
}

Status CheckPids(const int32_t* pids, size_t count, const char* parameter) {
  if (Status s = NotNull(pids, parameter); !s.ok()) return s;
  if (count > 0 && count <= INT32_MAX) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "the number of processes is {}, expected 1..{}", count,
              INT32_MAX);
}

Status CheckShareType(aclrtMemSharedHandleType type) {
  if (type == ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT || type == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC) {
    return {};
  }
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "shareType is {}, expected 1 (default) or 2 (fabric)",
              static_cast<int>(type));
}

// The token stands first in handles of both types.
uint64_t TokenIn(const void* shareable) {
  uint64_t token = 0;
  std::memcpy(&token, shareable, sizeof(token));
  return token;
}

Status ExportPhysical(aclrtDrvMemHandle handle, uint64_t flags, uint64_t* token) {
  if (Status s = NotNull(handle, "handle"); !s.ok()) return s;
  if (Status s = CheckIpcFlags(flags); !s.ok()) return s;
  std::shared_ptr<PhysicalMemory> memory;
  if (Status s = FindPhysical(handle, &memory); !s.ok()) return s;
  return memory->extent().Export(flags == kWithoutValidation, token);
}

Status ImportPhysical(uint64_t token, int32_t device, aclrtDrvMemHandle* handle) {
  if (Status s = NotNull(handle, "handle"); !s.ok()) return s;
  if (Status s = CheckDevice(device); !s.ok()) return s;
  std::shared_ptr<SharedExtent> extent;
  if (Status s = SharedExtent::Import(token, &extent); !s.ok()) return s;
  *handle = PhysicalMemories().Add(std::make_shared<PhysicalMemory>(std::move(extent), device));
  return {};
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclrtDeviceGetBareTgid(int32_t* pid) {
  return Entry("aclrtDeviceGetBareTgid", [&]() -> Status {
    if (Status s = NotNull(pid, "pid"); !s.ok()) return s;
    *pid = getpid();
    return {};
  });
}

aclError aclrtIpcMemGetExportKey(void* devPtr, size_t size, char* key, size_t len, uint64_t flags) {
  return Entry("aclrtIpcMemGetExportKey", [&]() -> Status {
    if (Status s = NotNull(devPtr, "devPtr"); !s.ok()) return s;
    if (Status s = NotNull(key, "key"); !s.ok()) return s;
    if (Status s = CheckIpcFlags(flags); !s.ok()) return s;
    if (len < kKeySize) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "len is {}, expected {}", len, kKeySize);
    }
    std::string text;
    if (Status s = ExportKey(devPtr, size, flags, &text); !s.ok()) return s;
    std::memset(key, 0, kKeySize);
    std::memcpy(key, text.data(), text.size());
    return {};
  });
}

aclError aclrtIpcMemSetImportPid(const char* key, int32_t* pid, size_t num) {
  return Entry("aclrtIpcMemSetImportPid", [&]() -> Status {
    Key parsed;
    if (Status s = Key::Parse(key, &parsed); !s.ok()) return s;
    if (Status s = CheckPids(pid, num, "pid"); !s.ok()) return s;
    return SharedExtent::Allow(parsed.token, pid, num);
  });
}

aclError aclrtIpcMemImportPidInterServer(const char* key, aclrtServerPid* serverPids, size_t num) {
  return Entry("aclrtIpcMemImportPidInterServer", [&]() -> Status {
    Key parsed;
    if (Status s = Key::Parse(key, &parsed); !s.ok()) return s;
    if (Status s = NotNull(serverPids, "serverPids"); !s.ok()) return s;
    for (size_t i = 0; i < num; ++i) {
      if (Status s = CheckPids(serverPids[i].pid, serverPids[i].num, "serverPids->pid"); !s.ok()) {
        return s;
      }
      if (Status s = SharedExtent::Allow(parsed.token, serverPids[i].pid, serverPids[i].num);
          !s.ok()) {
        return s;
      }
    }
    return {};
  });
}

aclError aclrtIpcMemImportByKey(void** devPtr, const char* key, uint64_t flags) {
  return Entry("aclrtIpcMemImportByKey", [&]() -> Status {
    if (Status s = NotNull(devPtr, "devPtr"); !s.ok()) return s;
    if (Status s = CheckIpcFlags(flags); !s.ok()) return s;
    CurrentContext current;
    if (Status s = GetCurrentContext(&current); !s.ok()) return s;
    return ImportKey(key, current.context->device(), devPtr);
  });
}

aclError aclrtIpcMemSetAttr(const char* key, aclrtIpcMemAttrType type, uint64_t attr) {
  return Entry("aclrtIpcMemSetAttr", [&]() -> Status {
    if (Status s = NotNull(key, "key"); !s.ok()) return s;
    if (type != ACL_RT_IPC_MEM_ATTR_ACCESS_LINK) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "type is {}, expected 0 (link)",
                  static_cast<int>(type));
    }
    if (attr > ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_MULTI_PORT_PATH) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "attr is {}, expected 0..3", attr);
    }
    return {};
  });
}

aclError aclrtIpcMemClose(const char* key) {
  return Entry("aclrtIpcMemClose", [&] { return CloseKey(key); });
}

aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType,
                                         uint64_t flags, uint64_t* shareableHandle) {
  return Entry("aclrtMemExportToShareableHandle", [&]() -> Status {
    if (Status s = NotNull(shareableHandle, "shareableHandle"); !s.ok()) return s;
    if (handleType != ACL_MEM_HANDLE_TYPE_NONE) {
      return Fail(ACL_ERROR_INVALID_PARAM,
                  "handleType is {}, expected ACL_MEM_HANDLE_TYPE_NONE (0)",
                  static_cast<int>(handleType));
    }
    return ExportPhysical(handle, flags, shareableHandle);
  });
}

aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle handle, uint64_t flags,
                                           aclrtMemSharedHandleType shareType,
                                           void* shareableHandle) {
  return Entry("aclrtMemExportToShareableHandleV2", [&]() -> Status {
    if (Status s = NotNull(shareableHandle, "shareableHandle"); !s.ok()) return s;
    if (Status s = CheckShareType(shareType); !s.ok()) return s;
    uint64_t token = 0;
    if (Status s = ExportPhysical(handle, flags, &token); !s.ok()) return s;
    if (shareType == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC) {
      std::memset(shareableHandle, 0, sizeof(aclrtMemFabricHandle));
    }
    std::memcpy(shareableHandle, &token, sizeof(token));
    return {};
  });
}

aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t* pid, size_t pidNum) {
  return Entry("aclrtMemSetPidToShareableHandle", [&]() -> Status {
    if (Status s = CheckPids(pid, pidNum, "pid"); !s.ok()) return s;
    return SharedExtent::Allow(shareableHandle, pid, pidNum);
  });
}

aclError aclrtMemSetPidToShareableHandleV2(void* shareableHandle,
                                           aclrtMemSharedHandleType shareType, int32_t* pid,
                                           size_t pidNum) {
  return Entry("aclrtMemSetPidToShareableHandleV2", [&]() -> Status {
    if (Status s = NotNull(shareableHandle, "shareableHandle"); !s.ok()) return s;
    if (Status s = CheckShareType(shareType); !s.ok()) return s;
    if (Status s = CheckPids(pid, pidNum, "pid"); !s.ok()) return s;
    return SharedExtent::Allow(TokenIn(shareableHandle), pid, pidNum);
  });
}

aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId,
                                           aclrtDrvMemHandle* handle) {
  return Entry("aclrtMemImportFromShareableHandle",
               [&] { return ImportPhysical(shareableHandle, deviceId, handle); });
}

aclError aclrtMemImportFromShareableHandleV2(void* shareableHandle,
                                             aclrtMemSharedHandleType shareType, uint64_t flags,
                                             aclrtDrvMemHandle* handle) {
  return Entry("aclrtMemImportFromShareableHandleV2", [&]() -> Status {
    if (Status s = NotNull(shareableHandle, "shareableHandle"); !s.ok()) return s;
    if (Status s = CheckShareType(shareType); !s.ok()) return s;
    if (flags != 0) return Fail(ACL_ERROR_INVALID_PARAM, "flags is {:#x}, expected 0", flags);
    CurrentContext current;
    if (Status s = GetCurrentContext(&current); !s.ok()) return s;
    return ImportPhysical(TokenIn(shareableHandle), current.context->device(), handle);
  });
}
}
