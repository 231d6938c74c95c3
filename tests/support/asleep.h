// SPDX-License-Identifier: Apache-2.0
// Whether threads sleep while they wait. The state of a thread tells it on any machine; the CPU
// time that it takes depends on who else is there.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace anyacl::test {

// A thread of this process, open for as long as it is looked at: a look takes no descriptor.
class WatchedThread {
 public:
  explicit WatchedThread(pid_t thread)
      : fd_(open(("/proc/self/task/" + std::to_string(thread) + "/stat").c_str(),
                 O_RDONLY | O_CLOEXEC)) {}
  WatchedThread(WatchedThread&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  WatchedThread(const WatchedThread&) = delete;
  WatchedThread& operator=(const WatchedThread&) = delete;
  ~WatchedThread() {
    if (fd_ >= 0) close(fd_);
  }

  bool Asleep() const {
    char bytes[256];
    const ssize_t size = pread(fd_, bytes, sizeof(bytes), 0);
    if (size <= 0) return true;  // it has ended, as one of the test before may while it is watched
    // `pid (name) state ...`
    const std::string_view line(bytes, static_cast<size_t>(size));
    const size_t name_end = line.rfind(") ");
    return name_end != std::string_view::npos && line.substr(name_end + 2, 1) == "S";
  }

 private:
  int fd_;
};

inline std::vector<WatchedThread> OtherThreads() {
  std::vector<WatchedThread> threads;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    const pid_t thread = std::stoi(entry.path().filename().string());
    if (thread != gettid()) threads.emplace_back(thread);
  }
  return threads;
}

// Looks until all were found asleep several times. One that polls without a pause never is, however
// long a busy machine takes for the looks.
inline bool SeenAsleep(const std::vector<WatchedThread>& threads) {
  constexpr int kLooks = 20'000, kEnough = 20;
  for (int look = 0, seen = 0; look < kLooks; ++look) {
    bool all = true;
    for (const WatchedThread& thread : threads) all = all && thread.Asleep();
    if (all && ++seen == kEnough) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}
inline bool SeenAsleep(pid_t thread) {
  std::vector<WatchedThread> threads;
  threads.emplace_back(thread);
  return SeenAsleep(threads);
}

}  // namespace anyacl::test
