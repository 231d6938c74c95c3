// SPDX-License-Identifier: Apache-2.0
// All-reduce of two ranks on two CPUs: the latency of 8 bytes, the time of 64 MiB beside that of
// two streams of memcpy and of UCX's own messages, over shared memory and over TCP. What is
// compared is measured in turn, five times; the figure is the median. usage: hccl_bench [shm | tcp]
// (default both)
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "hccl/hccl.h"
#include "hccl_ranks.h"
#include "measure.h"

namespace anyacl::bench {
namespace {

constexpr size_t kLarge = size_t{64} << 20;
constexpr int kTurns = 5;

void Must(int code, const char* what) {
  if (code == 0) return;
  const char* message = aclGetRecentErrMsg();
  std::fprintf(stderr, "%s failed with %d: %s\n", what, code, message == nullptr ? "" : message);
  std::exit(1);
}
#define MUST(call) Must((call), #call)

class Communicator {
 public:
  Communicator(int rank, Meeting& meeting) : device_(rank) {
    (void)aclInit(nullptr);  // the second thread's is one too many
    MUST(aclrtSetDevice(device_));
    MUST(aclrtCreateStream(&stream_));
    auto* root = reinterpret_cast<HcclRootInfo*>(meeting.blobs[0]);
    static_assert(sizeof(HcclRootInfo) <= Meeting::kBlob);
    if (rank == 0) MUST(HcclGetRootInfo(root));
    meeting.Wait(0);
    MUST(HcclCommInitRootInfo(2, root, static_cast<uint32_t>(rank), &comm_));
  }
  ~Communicator() {
    MUST(HcclCommDestroy(comm_));
    MUST(aclrtDestroyStream(stream_));
  }
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  void AllReduce(float* data, size_t bytes) {
    MUST(
        HcclAllReduce(data, data, bytes / 4, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comm_, stream_));
  }
  // To or from the other one.
  void Pass(float* data, size_t bytes, bool sends) {
    const auto other = static_cast<uint32_t>(1 - device_);
    MUST(sends ? HcclSend(data, bytes / 4, HCCL_DATA_TYPE_FP32, other, comm_, stream_)
               : HcclRecv(data, bytes / 4, HCCL_DATA_TYPE_FP32, other, comm_, stream_));
  }
  void Synchronize() { MUST(aclrtSynchronizeStream(stream_)); }

 private:
  const int32_t device_;
  aclrtStream stream_ = nullptr;
  HcclComm comm_ = nullptr;
};

float* Memory(size_t bytes) {
  void* data = nullptr;
  MUST(aclrtMalloc(&data, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  std::memset(data, 0, bytes);
  return static_cast<float*>(data);
}

struct Latencies {
  double alone = -1;   // call and synchronisation
  double queued = -1;  // one of a thousand that are enqueued before
};

Latencies SmallAllReduce(bool threads) {
  Meeting* meeting = RunTwo(threads, [](int rank, Meeting& shared) {
    Communicator communicator(rank, shared);
    float* data = Memory(64);
    std::vector<double> alone, queued;
    for (int i = 0; i < 20'000; ++i) {
      const double begin = Now();
      communicator.AllReduce(data, 8);
      communicator.Synchronize();
      alone.push_back(Now() - begin);
    }
    constexpr int kQueued = 1000;
    for (int i = 0; i < 20; ++i) {
      const double begin = Now();
      for (int j = 0; j < kQueued; ++j) communicator.AllReduce(data, 8);
      communicator.Synchronize();
      queued.push_back((Now() - begin) / kQueued);
    }
    if (rank == 0) {
      shared.figures[0] = Median(alone);
      shared.figures[1] = Median(queued);
    }
    shared.Wait(1);
  });
  if (meeting == nullptr) return {};
  return {meeting->figures[0], meeting->figures[1]};
}

double LargeAllReduce(bool threads) {
  Meeting* meeting = RunTwo(threads, [](int rank, Meeting& shared) {
    Communicator communicator(rank, shared);
    float* data = Memory(kLarge);
    std::vector<double> seconds;
    for (int i = 0; i < 8; ++i) {
      const double begin = Now();
      communicator.AllReduce(data, kLarge);
      communicator.Synchronize();
      if (i > 0) seconds.push_back(Now() - begin);
    }
    if (rank == 0) shared.figures[0] = Median(seconds);
    shared.Wait(1);
  });
  return meeting == nullptr ? -1 : meeting->figures[0];
}

// HcclSend and HcclRecv, back and forth: seconds of one way.
double LargeMessage() {
  Meeting* meeting = RunTwo(false, [](int rank, Meeting& shared) {
    Communicator communicator(rank, shared);
    float* data = Memory(kLarge);
    std::vector<double> seconds;
    for (int i = 0; i < 8; ++i) {
      const double begin = Now();
      communicator.Pass(data, kLarge, rank == 0);
      communicator.Pass(data, kLarge, rank == 1);
      communicator.Synchronize();
      if (i > 0) seconds.push_back((Now() - begin) / 2);
    }
    if (rank == 0) shared.figures[0] = Median(seconds);
    shared.Wait(1);
  });
  return meeting == nullptr ? -1 : meeting->figures[0];
}

// Two processes that copy 64 MiB each at the same time.
double Copies() {
  Meeting* meeting = RunTwo(false, [](int rank, Meeting& shared) {
    std::vector<char> from(kLarge, 1), to(kLarge, 2);
    std::vector<double> seconds;
    shared.Wait(0);
    for (int i = 0; i < 8; ++i) {
      const double begin = Now();
      std::memcpy(to.data(), from.data(), kLarge);
      if (i > 0) seconds.push_back(Now() - begin);
    }
    if (rank == 0) shared.figures[0] = Median(seconds);
    shared.Wait(1);
  });
  return meeting == nullptr ? -1 : meeting->figures[0];
}

void Report(const char* transport) {
  std::printf("== %s\n", transport);
  const bool tcp = std::strcmp(transport, "tcp") == 0;
  if (tcp) {
    setenv("UCX_TLS", "tcp", 1);
  } else {
    unsetenv("UCX_TLS");
  }
  std::vector<double> threads, queued_threads, processes, queued_processes, message;
  std::vector<double> large_threads, large, copy, large_message, exchange, passed;
  for (int turn = 0; turn < kTurns; ++turn) {
    message.push_back(UcxMessage(8, 5000));
    if (!tcp) {
      const Latencies of_threads = SmallAllReduce(true);
      threads.push_back(of_threads.alone);
      queued_threads.push_back(of_threads.queued);
    }
    const Latencies of_processes = SmallAllReduce(false);
    processes.push_back(of_processes.alone);
    queued_processes.push_back(of_processes.queued);
    copy.push_back(Copies());
    large.push_back(LargeAllReduce(false));
    if (!tcp) large_threads.push_back(LargeAllReduce(true));
    large_message.push_back(UcxMessage(kLarge, 7));
    passed.push_back(LargeMessage());
    exchange.push_back(UcxExchange(kLarge, 7));
  }
  const auto us = [](const std::vector<double>& seconds) { return Median(seconds) * 1e6; };
  const auto ms = [](const std::vector<double>& seconds) { return Median(seconds) * 1e3; };
  std::printf("8 B message, UCX alone, half a round trip   %8.2f us\n", us(message));
  if (!tcp) {
    std::printf("8 B all-reduce, threads: alone, in a queue  %8.2f us %8.2f us\n", us(threads),
                us(queued_threads));
  }
  std::printf("8 B all-reduce, processes: alone, in a queue%8.2f us %8.2f us\n", us(processes),
              us(queued_processes));
  std::printf("64 MiB memcpy, two at once                  %8.1f ms\n", ms(copy));
  std::printf("64 MiB message, UCX alone, one way          %8.1f ms\n", ms(large_message));
  std::printf("64 MiB HcclSend, one way                    %8.1f ms: %.0f %% of UCX\n", ms(passed),
              100 * ms(large_message) / ms(passed));
  std::printf("64 MiB messages, UCX alone, both ways       %8.1f ms\n", ms(exchange));
  // Each rank copies 32 MiB in, adds as many, which reads and writes as a copy does, and copies the
  // others' 32 MiB in: one and a half times the copy.
  std::printf(
      "64 MiB all-reduce, processes                %8.1f ms: %.0f %% of memcpy, %.0f %% of UCX\n",
      ms(large), 150 * ms(copy) / ms(large), 100 * ms(exchange) / ms(large));
  if (!tcp) {
    std::printf("64 MiB all-reduce, threads                  %8.1f ms: %.0f %% of memcpy\n",
                ms(large_threads), 150 * ms(copy) / ms(large_threads));
  }
  std::fflush(stdout);
}

}  // namespace
}  // namespace anyacl::bench

int main(int count, char** arguments) {
  setenv("ANYACL_DEVICES", "2", 0);
  // What libhccl sets, for UCX alone.
  setenv("UCX_POSIX_ERROR_HANDLING", "y", 0);
  setenv("UCX_SYSV_ERROR_HANDLING", "y", 0);
  for (const char* transport : {"shm", "tcp"}) {
    if (count < 2 || std::strcmp(arguments[1], transport) == 0) anyacl::bench::Report(transport);
  }
  return 0;
}
