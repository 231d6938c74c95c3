// SPDX-License-Identifier: Apache-2.0
#include "pinned_team.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>

#include "machine.h"
#include "measure.h"

namespace anyacl::bench {

PinnedTeam::PinnedTeam(int threads) : starts_(threads), ends_(threads) {
  const std::vector<int> cpus = UsableCpus();
  for (int i = 0; i < threads; ++i) {
    members_.emplace_back(&PinnedTeam::Serve, this, i, cpus[i % cpus.size()]);
  }
}

PinnedTeam::~PinnedTeam() {
  stop_ = true;
  round_.fetch_add(1);
  round_.notify_all();
  for (std::thread& member : members_) member.join();
}

double PinnedTeam::Run(const std::function<void(int)>& work) {
  work_ = &work;
  ready_ = 0;
  done_ = 0;
  round_.fetch_add(1);
  round_.notify_all();
  for (int done = done_.load(); done < size(); done = done_.load()) done_.wait(done);
  return *std::max_element(ends_.begin(), ends_.end()) -
         *std::min_element(starts_.begin(), starts_.end());
}

void PinnedTeam::Serve(int index, int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  pthread_setaffinity_np(pthread_self(), sizeof one, &one);
  for (int seen = 0;; ++seen) {
    round_.wait(seen);
    if (stop_) return;
    // The threads wake at different times; they begin together.
    ready_.fetch_add(1);
    while (ready_.load(std::memory_order_acquire) < static_cast<int>(starts_.size())) sched_yield();
    starts_[index] = Now();
    (*work_)(index);
    ends_[index] = Now();
    done_.fetch_add(1);
    done_.notify_one();
  }
}

}  // namespace anyacl::bench
