// SPDX-License-Identifier: Apache-2.0
// aclrt* functions on notifies: flags that one stream sets and another waits for and clears.
#include <charconv>
#include <cstring>
#include <string_view>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "base/format.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/flag.h"
#include "runtime/handle_table.h"

namespace anyacl {
namespace {

struct Notify {
  Notify(int32_t on, std::shared_ptr<Flag> state)
      : device(on), flag(std::move(state)), id([] {
          static std::atomic<uint32_t> next{0};
          return next.fetch_add(1);
        }()) {}
  const int32_t device;
  const std::shared_ptr<Flag> flag;
  const uint32_t id;
};

using NotifyTable = HandleTable<Notify, HandleKind::kNotify>;

NotifyTable& Notifies() {
  static NotifyTable* table = NotifyTable::NewGlobal();
  return *table;
}
[[maybe_unused]] const bool kNotifyApiMadeAtLoad = (Notifies(), true);

// What clients give a key room for, with the terminating zero.
constexpr size_t kNotifyKeySize = 65;
constexpr std::string_view kKeyPrefix = "anyacl-notify-";

Status FindNotify(aclrtNotify handle, std::shared_ptr<Notify>* notify) {
  if (Status s = NotNull(handle, "notify"); !s.ok()) return s;
  *notify = Notifies().Find(handle);
  if (*notify != nullptr) return {};
  return Fail(ACL_ERROR_RT_INVALID_HANDLE,
              "notify {} is not a live notify (destroyed, or never created here)", handle);
}

Status Add(std::shared_ptr<Flag> flag, aclrtNotify* notify) {
  CurrentContext current;
  if (Status s = GetCurrentContext(&current); !s.ok()) return s;
  *notify = Notifies().Add(std::make_shared<Notify>(current.context->device(), std::move(flag)));
  return {};
}

Status ParseKey(const char* key, uint64_t* token) {
  const std::string_view text(key, strnlen(key, kNotifyKeySize));
  if (text.substr(0, kKeyPrefix.size()) == kKeyPrefix) {
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + kKeyPrefix.size(), end, *token, 16);
    if (error == std::errc() && rest == end) return {};
  }
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "key is \"{}\", expected one of aclrtNotifyGetExportKey",
              text);
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclrtCreateNotify(aclrtNotify* notify, uint64_t flag) {
  return Entry("aclrtCreateNotify", [&]() -> Status {
    if (Status s = NotNull(notify, "notify"); !s.ok()) return s;
    if (flag != ACL_NOTIFY_DEFAULT && flag != ACL_NOTIFY_DEVICE_USE_ONLY) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "flag is {:#x}, expected 0 or 1", flag);
    }
    return Add(std::make_shared<Flag>(), notify);
  });
}

aclError aclrtDestroyNotify(aclrtNotify notify) {
  return Entry("aclrtDestroyNotify", [&]() -> Status {
    std::shared_ptr<Notify> found;
    if (Status s = FindNotify(notify, &found); !s.ok()) return s;
    // Queued tasks keep the flag alive.
    if (Notifies().Remove(notify) != nullptr) return {};
    return Fail(ACL_ERROR_RT_INVALID_HANDLE, "notify {} is destroyed by another thread", notify);
  });
}

aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream) {
  return Entry("aclrtRecordNotify", [&]() -> Status {
    std::shared_ptr<Notify> found;
    if (Status s = FindNotify(notify, &found); !s.ok()) return s;
    std::shared_ptr<Stream> on;
    if (Status s = FindStream(stream, &on); !s.ok()) return s;
    auto set = [flag = found->flag]() -> Status {
      flag->Set();
      return {};
    };
    return on->Enqueue(MakeTask(TaskKind::kMark, "aclrtRecordNotify", set));
  });
}

aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout) {
  return Entry("aclrtWaitAndResetNotify", [&]() -> Status {
    std::shared_ptr<Notify> found;
    if (Status s = FindNotify(notify, &found); !s.ok()) return s;
    std::shared_ptr<Stream> on;
    if (Status s = FindStream(stream, &on); !s.ok()) return s;
    return on->Enqueue(std::make_shared<FlagWaitTask>("aclrtWaitAndResetNotify", found->flag, true,
                                                      timeout, ACL_ERROR_RT_FFTS_PLUS_TIMEOUT));
  });
}

aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t* notifyId) {
  return Entry("aclrtGetNotifyId", [&]() -> Status {
    if (Status s = NotNull(notifyId, "notifyId"); !s.ok()) return s;
    std::shared_ptr<Notify> found;
    if (Status s = FindNotify(notify, &found); !s.ok()) return s;
    *notifyId = found->id;
    return {};
  });
}

aclError aclrtNotifyBatchReset(aclrtNotify* notifies, size_t num) {
  return Entry("aclrtNotifyBatchReset", [&]() -> Status {
    if (Status s = NotNull(notifies, "notifies"); !s.ok()) return s;
    if (num == 0) return Fail(ACL_ERROR_RT_PARAM_INVALID, "num is 0, expected at least 1");
    std::vector<std::shared_ptr<Notify>> found(num);
    for (size_t i = 0; i < num; ++i) {
      if (Status s = FindNotify(notifies[i], &found[i]); !s.ok()) return s;
    }
    for (const auto& notify : found) notify->flag->Clear();
    return {};
  });
}

aclError aclrtNotifyGetExportKey(aclrtNotify notify, char* key, size_t len, uint64_t flags) {
  return Entry("aclrtNotifyGetExportKey", [&]() -> Status {
    if (Status s = NotNull(key, "key"); !s.ok()) return s;
    if (len < kNotifyKeySize) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "len is {}, expected at least {}", len,
                  kNotifyKeySize);
    }
    if (flags != ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT &&
        flags != ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "flags is {:#x}, expected 0 or 2", flags);
    }
    std::shared_ptr<Notify> found;
    if (Status s = FindNotify(notify, &found); !s.ok()) return s;
    uint64_t token = 0;
    const bool anyone = flags == ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION;
    if (Status s = found->flag->Export(found->device, anyone, &token); !s.ok()) return s;
    const std::string text = Format("{}{:x}", kKeyPrefix, token);
    std::memcpy(key, text.c_str(), text.size() + 1);
    return {};
  });
}

aclError aclrtNotifyImportByKey(aclrtNotify* notify, const char* key, uint64_t flags) {
  return Entry("aclrtNotifyImportByKey", [&]() -> Status {
    if (Status s = NotNull(notify, "notify"); !s.ok()) return s;
    if (Status s = NotNull(key, "key"); !s.ok()) return s;
    if (flags != ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT &&
        flags != ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "flags is {:#x}, expected 0 or 2", flags);
    }
    uint64_t token = 0;
    if (Status s = ParseKey(key, &token); !s.ok()) return s;
    std::shared_ptr<Flag> flag;
    if (Status s = Flag::Import(token, &flag); !s.ok()) return s;
    return Add(std::move(flag), notify);
  });
}

aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t* pid, size_t num) {
  return Entry("aclrtNotifySetImportPid", [&]() -> Status {
    if (Status s = NotNull(pid, "pid"); !s.ok()) return s;
    if (num == 0) return Fail(ACL_ERROR_RT_PARAM_INVALID, "num is 0, expected at least 1");
    std::shared_ptr<Notify> found;
    if (Status s = FindNotify(notify, &found); !s.ok()) return s;
    uint64_t token = 0;
    if (Status s = found->flag->Export(found->device, false, &token); !s.ok()) return s;
    return SharedExtent::Allow(token, pid, num);
  });
}
}
