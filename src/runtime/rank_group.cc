// SPDX-License-Identifier: Apache-2.0
#include "runtime/rank_group.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "acl/acl_base.h"
#include "base/fork_locks.h"
#include "runtime/device.h"
#include "runtime/error_log.h"

namespace anyacl {
namespace {

// Never destroyed: a task may still look for its group while the process exits.
class RankGroups {
 public:
  struct Entry {
    int32_t device = 0;
    std::shared_ptr<RankGroup> group;
  };

  static RankGroups& Instance() {
    static RankGroups* instance = [] {
      auto* created = new RankGroups;
      // A forked child is no rank of the parent's groups, and must not end their connections.
      ForkLocks::Add(
          ForkOrder::kCalls,
          {[created] { created->mutex_.lock(); }, [created] { created->mutex_.unlock(); },
           [created] { new std::vector<Entry>(std::exchange(created->entries_, {})); }});
      return created;
    }();
    return *instance;
  }

  Status Add(int32_t device, const std::shared_ptr<RankGroup>& group) {
    std::lock_guard lock(mutex_);
    if (Find(device, group->name()) != nullptr) {
      return Fail(ACL_ERROR_REPEAT_INITIALIZE,
                  "device {} has a communicator named \"{}\", expected another name", device,
                  group->name());
    }
    entries_.push_back({device, group});
    return {};
  }
  void Remove(const RankGroup* group) {
    std::shared_ptr<RankGroup> last;  // its end may take long: outside the lock
    std::lock_guard lock(mutex_);
    const auto at = std::find_if(entries_.begin(), entries_.end(),
                                 [&](const Entry& entry) { return entry.group.get() == group; });
    if (at == entries_.end()) return;
    last = std::move(at->group);
    entries_.erase(at);
  }

  std::shared_ptr<RankGroup> ByName(int32_t device, const char* name) {
    std::lock_guard lock(mutex_);
    const Entry* entry = Find(device, name);
    return entry == nullptr ? nullptr : entry->group;
  }
  std::shared_ptr<RankGroup> ByWindow(const void* address) {
    std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_) {
      if (entry.group->InOwnWindow(address)) return entry.group;
    }
    return nullptr;
  }

 private:
  const Entry* Find(int32_t device, const std::string& name) const {
    for (const Entry& entry : entries_) {
      if (entry.device == device && entry.group->name() == name) return &entry;
    }
    return nullptr;
  }

  std::mutex mutex_;
  std::vector<Entry> entries_;
};
[[maybe_unused]] const bool kRankGroupMadeAtLoad = (RankGroups::Instance(), true);

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

int anyaclRegisterRankGroup(int32_t device, const std::shared_ptr<RankGroup>& group) {
  return RankGroups::Instance().Add(device, group).code();
}

void anyaclUnregisterRankGroup(const RankGroup* group) { RankGroups::Instance().Remove(group); }

int anyaclFindRankGroup(const char* argument, const char* name, std::shared_ptr<RankGroup>* group) {
  CurrentContext current;
  if (Status s = GetCurrentContext(&current); !s.ok()) return s.code();
  const int32_t device = current.context->device();
  *group = RankGroups::Instance().ByName(device, name);
  if (*group != nullptr) return 0;
  return Fail(ACL_ERROR_INVALID_PARAM,
              "{} is \"{}\", expected the name of a communicator of device {}", argument, name,
              device)
      .code();
}

bool anyaclFindWindowGroup(const void* address, std::shared_ptr<RankGroup>* group) {
  *group = RankGroups::Instance().ByWindow(address);
  return *group != nullptr;
}

void anyaclTaskFailure(std::string* text) { *text = ErrorCapture::TextInThread(); }
}
