// SPDX-License-Identifier: Apache-2.0
// Two ranks of a measurement, each on a CPU of its own: two processes or two threads of one.
#pragma once

#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
#include <thread>

namespace anyacl::bench {

// Memory that both share, and that the program reads afterwards.
struct Meeting {
  static constexpr size_t kBlob = 8192;
  std::atomic<int> arrived[64];
  std::atomic<size_t> blob_bytes[2];
  char blobs[2][kBlob];
  double figures[8];

  void Wait(int number) {
    ++arrived[number];
    while (arrived[number] < 2) sched_yield();
  }
};

// Moves this thread to the index-th CPU that the program may use.
inline void PinTo(int index) {
  cpu_set_t usable, one;
  sched_getaffinity(getppid(), sizeof(usable), &usable);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &usable) && index-- == 0) CPU_SET(cpu, &one);
  }
  sched_setaffinity(0, sizeof(one), &one);
}

inline pid_t InChild(const std::function<void()>& body) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  body();
  _exit(0);
}

using RankBody = std::function<void(int rank, Meeting& meeting)>;

// Null if a rank failed.
inline Meeting* RunTwo(bool threads, const RankBody& body) {
  void* memory =
      mmap(nullptr, sizeof(Meeting), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto* meeting = new (memory) Meeting();
  const auto run = [&](int rank) {
    PinTo(rank);
    body(rank, *meeting);
  };
  pid_t children[2] = {0, 0};
  if (threads) {
    children[0] = InChild([&] {
      // Neither is the main thread, whose CPUs are those of the library's own threads.
      std::thread first([&] { run(0); }), second([&] { run(1); });
      first.join();
      second.join();
    });
  } else {
    for (int rank = 0; rank < 2; ++rank) children[rank] = InChild([&] { run(rank); });
  }
  bool good = true;
  for (pid_t child : children) {
    int status = 0;
    if (child != 0) good &= waitpid(child, &status, 0) == child && status == 0;
  }
  return good ? meeting : nullptr;
}

// Messages of two processes by UCX alone: seconds of half a round trip of `bytes`.
double UcxMessage(size_t bytes, int rounds);
// Active messages instead, each rank moved elsewhere before by `place`.
double UcxActiveMessage(size_t bytes, int rounds, const std::function<void(int rank)>& place);
// The first when both send at once.
double UcxExchange(size_t bytes, int rounds);

}  // namespace anyacl::bench
