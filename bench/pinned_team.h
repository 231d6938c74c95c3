// SPDX-License-Identifier: Apache-2.0
// Threads that sit on one core each and do a piece of work at the same moment, for ceilings.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace anyacl::bench {

class PinnedTeam {
 public:
  explicit PinnedTeam(int threads);
  ~PinnedTeam();
  PinnedTeam(const PinnedTeam&) = delete;
  PinnedTeam& operator=(const PinnedTeam&) = delete;

  int size() const { return static_cast<int>(members_.size()); }

  // Runs work(0), work(1), ... at once, each on its thread. Returns the seconds from the first
  // start to the last end. Between calls the threads sleep, so that they disturb nobody.
  double Run(const std::function<void(int)>& work);

 private:
  void Serve(int index, int cpu);

  const std::function<void(int)>* work_ = nullptr;
  std::atomic<int> round_ = 0;
  std::atomic<int> ready_ = 0;
  std::atomic<int> done_ = 0;
  bool stop_ = false;
  std::vector<double> starts_;
  std::vector<double> ends_;
  std::vector<std::thread> members_;
};

}  // namespace anyacl::bench
