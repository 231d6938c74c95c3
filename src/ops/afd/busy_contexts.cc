// SPDX-License-Identifier: Apache-2.0
#include "ops/afd/busy_contexts.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "acl/acl_base.h"
#include "base/fork_locks.h"

namespace anyacl::afd {
namespace {

// Never destroyed: a call may still run while the process exits.
struct BusyContexts {
  std::mutex mutex;
  std::vector<const void*> contexts;

  static BusyContexts& Instance() {
    static BusyContexts* instance = [] {
      auto* created = new BusyContexts;
      // A forked child has none of the parent's calls.
      ForkLocks::Add(ForkOrder::kCalls,
                     {[created] { created->mutex.lock(); }, [created] { created->mutex.unlock(); },
                      [created] { created->contexts.clear(); }});
      return created;
    }();
    return *instance;
  }

  bool Add(const void* context) {
    std::lock_guard lock(mutex);
    if (std::find(contexts.begin(), contexts.end(), context) != contexts.end()) return false;
    contexts.push_back(context);
    return true;
  }
  void Remove(const void* context) {
    std::lock_guard lock(mutex);
    std::erase(contexts, context);
  }
};
[[maybe_unused]] const bool kBusyMadeAtLoad = (BusyContexts::Instance(), true);

}  // namespace

Status ContextHold::Acquire(const void* context) {
  if (!BusyContexts::Instance().Add(context)) {
    return Fail(ACL_ERROR_RT_AICPU_EXCEPTION,
                "the context at {} is in use by another running call, expected one at a time",
                context);
  }
  context_ = context;
  return {};
}

ContextHold::~ContextHold() {
  if (context_ != nullptr) BusyContexts::Instance().Remove(context_);
}

}  // namespace anyacl::afd
