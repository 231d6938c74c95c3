// SPDX-License-Identifier: Apache-2.0
// The CPUs on which this process may compute.
#pragma once

#include <sched.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace anyacl {

class Cpus {
 public:
  // The main thread's, not the calling one's: a client that pins the thread from which it starts
  // everything does not want all work on that CPU.
  Cpus();

  // How many threads can run at once, at least 1.
  size_t count() const { return count_; }

  // Lets the calling thread run on all of them, or with ANYACL_PIN=1 on number `index`, counted
  // round and round. A thread inherits the CPUs of the one that starts it, which may be a client's
  // with few of them.
  void Bind(uint32_t index) const;

 private:
  cpu_set_t set_;
  std::vector<int> numbers_;
  size_t count_;
};

// Those of this process, looked up once.
const Cpus& ProcessCpus();

}  // namespace anyacl
