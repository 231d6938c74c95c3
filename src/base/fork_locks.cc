// SPDX-License-Identifier: Apache-2.0
#include "base/fork_locks.h"

#include <pthread.h>

#include <algorithm>
#include <utility>

namespace anyacl {

ForkLocks::ForkLocks() { pthread_atfork(Prepare, Parent, Child); }

ForkLocks& ForkLocks::Instance() {
  static ForkLocks* instance = new ForkLocks;
  return *instance;
}

void ForkLocks::Add(ForkOrder order, Stage stage) {
  ForkLocks& all = Instance();
  auto* node = new Node{order, std::move(stage), all.newest_.load()};
  while (!all.newest_.compare_exchange_weak(node->next, node)) {
  }
}

void ForkLocks::Prepare() {
  ForkLocks& all = Instance();
  all.forks_.lock();
  all.locked_.clear();
  for (Node* node = all.newest_.load(); node != nullptr; node = node->next) {
    all.locked_.push_back(node);
  }
  std::stable_sort(all.locked_.begin(), all.locked_.end(),
                   [](const Node* a, const Node* b) { return a->order < b->order; });
  for (Node* node : all.locked_) node->stage.lock();
}

void ForkLocks::Parent() {
  ForkLocks& all = Instance();
  std::for_each(all.locked_.rbegin(), all.locked_.rend(), [](Node* node) { node->stage.unlock(); });
  all.forks_.unlock();
}

void ForkLocks::Child() {
  for (Node* node : Instance().locked_) {
    if (node->stage.in_child) node->stage.in_child();
  }
  Parent();
}

}  // namespace anyacl
