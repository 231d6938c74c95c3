// SPDX-License-Identifier: Apache-2.0
#include "ops/ffn_worker_scheduler/busy_contexts.h"

#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "acl/acl_base.h"

namespace anyacl::ffn_worker_scheduler {
namespace {

// Never destroyed: a call may still run while the process exits.
struct BusyContexts {
  std::mutex mutex;
  std::vector<const void*> contexts;

  // A forked child has none of the parent's calls.
  static BusyContexts& Instance() {
    static BusyContexts* busy = [] {
      auto* made = new BusyContexts;
      pthread_atfork([] { Instance().mutex.lock(); }, [] { Instance().mutex.unlock(); },
                     [] {
                       Instance().contexts.clear();
                       Instance().mutex.unlock();
                     });
      return made;
    }();
    return *busy;
  }
};

}  // namespace

Status ContextHold::Acquire(const void* context) {
  BusyContexts& busy = BusyContexts::Instance();
  std::lock_guard lock(busy.mutex);
  if (std::find(busy.contexts.begin(), busy.contexts.end(), context) != busy.contexts.end()) {
    return Fail(ACL_ERROR_RT_AICPU_EXCEPTION,
                "the context at {} is in use by another running call, expected one at a time",
                context);
  }
  busy.contexts.push_back(context);
  context_ = context;
  return {};
}

ContextHold::~ContextHold() {
  if (context_ == nullptr) return;
  BusyContexts& busy = BusyContexts::Instance();
  std::lock_guard lock(busy.mutex);
  std::erase(busy.contexts, context_);
}

}  // namespace anyacl::ffn_worker_scheduler
