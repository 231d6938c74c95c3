// SPDX-License-Identifier: Apache-2.0
// The way of a micro batch to an FFN worker: AttentionToFFN in one process, the scheduler, which
// sees the flag, and batching in another one; 72 rows of 7168 bf16. Over shared memory beside the
// copies themselves: 1 MiB by the first CPU into the window and by the second one out of it. By
// messages beside UCX's own active message of as many bytes. What is compared is measured in turn;
// figures are medians. Rows and lists are checked once. usage: afd_bench [NAMESPACE NAMESPACE]:
// network namespaces of the two processes, for the messages
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_attention_to_ffn.h"
#include "aclnnop/aclnn_ffn_worker_batching.h"
#include "aclnnop/aclnn_ffn_worker_scheduler.h"
#include "hccl/hccl.h"
#include "hccl/hccl_comm.h"
#include "hccl_ranks.h"
#include "measure.h"

namespace anyacl::bench {
namespace {

// 72 rows: of 8 tokens with 9 experts each, or of as many tokens.
struct Form {
  int64_t tokens, chosen, shared;
  int64_t experts() const { return chosen + shared; }
};
constexpr Form kForms[] = {{8, 8, 1}, {72, 1, 0}};
Form form = kForms[0];
constexpr int64_t kRouted = 16, kHidden = 7168;
constexpr int64_t kRows = 72;
constexpr size_t kRowBytes = kHidden * 2;
constexpr size_t kSlotBytes = 4 * (2 + kRows);
constexpr size_t kFirstRow = 512;
static_assert(kSlotBytes <= kFirstRow);
constexpr size_t kWindowBytes = kFirstRow + kRows * kRowBytes;
constexpr int kTurns = 5, kRounds = 200;

void Must(int code, const char* what) {
  if (code == 0) return;
  const char* message = aclGetRecentErrMsg();
  std::fprintf(stderr, "%s failed with %d: %s\n", what, code, message == nullptr ? "" : message);
  std::exit(1);
}
#define MUST(call) Must((call), #call)

// A round begins when rank 1 waits in it; rank 0 says when it began.
struct Rounds {
  std::atomic<int> waiting{0};
  std::atomic<int> flag{0};
  double begin = 0;
  uint32_t words[2]{};
};
Rounds& RoundsIn(Meeting& meeting) { return *reinterpret_cast<Rounds*>(meeting.blobs[1]); }

void AwaitPeer(Rounds& rounds, int round) {
  while (rounds.waiting < round) sched_yield();
  // Until the other one's thread is in its wait.
  const double begin = Now();
  while (Now() - begin < 100e-6) {
  }
}

template <class T>
T* Device(size_t count) {
  void* data = nullptr;
  MUST(aclrtMalloc(&data, count * sizeof(T), ACL_MEM_MALLOC_HUGE_FIRST));
  std::memset(data, 0, count * sizeof(T));
  return static_cast<T*>(data);
}

aclTensor* Tensor(void* data, aclDataType type, const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size(), 1);
  for (size_t i = dims.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * dims[i];
  return aclCreateTensor(dims.data(), dims.size(), type, strides.data(), 0, ACL_FORMAT_ND,
                         dims.data(), dims.size(), data);
}

aclIntArray* Ints(const std::vector<int64_t>& values) {
  return aclCreateIntArray(values.data(), values.size());
}

// What a row of a token holds, and which expert it is for.
uint16_t ValueOf(int64_t token, int64_t column) {
  return static_cast<uint16_t>(token * 31 + column);
}
int32_t ExpertOf(int64_t token, int64_t j) {
  return static_cast<int32_t>(j < form.chosen ? (token + j * 2) % kRouted : kRouted);
}

class Worker {
 public:
  // A window in memory of the runtime's can be mapped by the other process.
  Worker(int rank, Meeting& meeting, bool mapped) : rounds_(RoundsIn(meeting)) {
    MUST(aclInit(nullptr));
    MUST(aclrtSetDevice(rank));
    MUST(aclrtCreateStream(&stream_));
    auto* root = reinterpret_cast<HcclRootInfo*>(meeting.blobs[0]);
    if (rank == 0) MUST(HcclGetRootInfo(root));
    meeting.Wait(0);
    MUST(HcclCommInitRootInfo(2, root, static_cast<uint32_t>(rank), &comm_));
    MUST(HcclGetCommName(comm_, name_));
    plain_.resize(mapped ? 0 : kWindowBytes / 8 + 64);
    window_ = mapped ? Device<char>(kWindowBytes) : reinterpret_cast<char*>(plain_.data());
    MUST(HcclCommRegister(comm_, window_, kWindowBytes, &handle_, 0));
    uint32_t peers[] = {0, 1};
    MUST(HcclCommExchangeMem(comm_, handle_, peers, 2));
  }
  void End(Meeting& meeting) {
    meeting.Wait(1);
    MUST(HcclCommDestroy(comm_));
  }

 protected:
  template <class Phase1, class Phase2>
  void Launch(Phase1 phase1, Phase2 phase2) {
    uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;
    MUST(phase1(&bytes, &executor));
    if (bytes > workspace_bytes_) {
      workspace_ = Device<char>(bytes);
      workspace_bytes_ = bytes;
    }
    MUST(phase2(workspace_, bytes, executor, stream_));
  }

  Rounds& rounds_;
  aclrtStream stream_ = nullptr;
  HcclComm comm_ = nullptr;
  char name_[COMM_NAME_MAX_LENGTH] = {};
  std::vector<int64_t> plain_;
  char* window_ = nullptr;
  void* handle_ = nullptr;
  char* workspace_ = nullptr;
  size_t workspace_bytes_ = 0;
};

class AttentionWorker : Worker {
 public:
  AttentionWorker(Meeting& meeting, bool mapped) : Worker(0, meeting, mapped) {
    auto* x = Device<uint16_t>(form.tokens * kHidden);
    for (int64_t i = 0; i < form.tokens * kHidden; ++i) x[i] = ValueOf(i / kHidden, i % kHidden);
    auto* ids = Device<int32_t>(form.tokens * form.chosen);
    for (int64_t i = 0; i < form.tokens * form.chosen; ++i)
      ids[i] = ExpertOf(i / form.chosen, i % form.chosen);
    auto* table = Device<int32_t>((kRouted + form.shared) * 3);
    for (int32_t e = 0; e < kRouted + form.shared; ++e) {
      table[3 * e] = 1;
      table[3 * e + 1] = 1;
      table[3 * e + 2] = e;
    }
    x_ = Tensor(x, ACL_BF16, {1, form.tokens, kHidden});
    zero_ = Tensor(Device<int32_t>(1), ACL_INT32, {1});
    ids_ = Tensor(ids, ACL_INT32, {1, form.tokens, form.chosen});
    table_ = Tensor(table, ACL_INT32, {1, kRouted + form.shared, 3});
  }

  void Run(Meeting& meeting) {
    for (int round = 1; round <= kRounds; ++round) {
      AwaitPeer(rounds_, round);
      rounds_.begin = Now();
      Launch(
          [&](uint64_t* bytes, aclOpExecutor** executor) {
            return aclnnAttentionToFFNGetWorkspaceSize(x_, zero_, zero_, zero_, ids_, table_,
                                                       nullptr, nullptr, name_, 2, info_, data_,
                                                       flags_, kRouted, 0, 0, 1, bytes, executor);
          },
          aclnnAttentionToFFN);
      MUST(aclrtSynchronizeStream(stream_));
    }
    End(meeting);
  }

 private:
  aclTensor *x_, *zero_, *ids_, *table_;
  aclIntArray* info_ = Ints({1, 1, 2 + kRows});
  aclIntArray* data_ = Ints({1, 1, form.tokens, form.experts(), kHidden});
  aclIntArray* flags_ = Ints({1, form.tokens, form.experts()});
};

class FfnWorker : Worker {
 public:
  FfnWorker(Meeting& meeting, bool mapped) : Worker(1, meeting, mapped) {
    Put<uint32_t>(0, 1);
    Put<uint32_t>(4, 1);
    Put<uint32_t>(8, form.tokens);
    Put<uint32_t>(12, form.experts());
    Put<uint32_t>(20, kRowBytes);
    Put<int32_t>(128, 1);  // run_flag
    PutBuffer(384, window_, kFirstRow);
    PutBuffer(400, window_ + kFirstRow, kWindowBytes - kFirstRow);
    const size_t lists[] = {4, 4, 4, 4 * kRows};
    for (size_t i = 0; i < 4; ++i) PutBuffer(512 + 16 * i, Device<char>(lists[i]), lists[i]);
  }

  void Run(Meeting& meeting) {
    std::vector<double> seconds;
    for (int round = 1; round <= kRounds; ++round) {
      Launch(
          [&](uint64_t* bytes, aclOpExecutor** executor) {
            return aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(context_tensor_, 1, 0, bytes,
                                                                  executor);
          },
          aclnnInplaceFfnWorkerScheduler);
      Launch(
          [&](uint64_t* bytes, aclOpExecutor** executor) {
            return aclnnFfnWorkerBatchingGetWorkspaceSize(
                context_tensor_, kRouted + form.shared, shape_, 1, 0, 0, y_tensor_, groups_tensor_,
                lists_[0], lists_[1], lists_[2], lists_[3], scales_, actual_tensor_, bytes,
                executor);
          },
          aclnnFfnWorkerBatching);
      rounds_.waiting = round;
      MUST(aclrtSynchronizeStream(stream_));
      const double end = Now();
      if (round == 1) Check();
      if (round > kRounds / 10) seconds.push_back(end - rounds_.begin);
    }
    meeting.figures[0] = Median(seconds);
    End(meeting);
  }

 private:
  template <class T>
  void Put(size_t offset, T value) {
    std::memcpy(context_ + offset, &value, sizeof(value));
  }
  void PutBuffer(size_t offset, const void* address, size_t bytes) {
    Put(offset, reinterpret_cast<uint64_t>(address));
    Put(offset + 8, uint64_t{bytes});
  }

  void Check() const {
    bool good = *actual_ == kRows;
    for (int64_t i = 0, group = 0, left = groups_[1]; good && i < kRows; ++i, --left) {
      while (left == 0) left = groups_[2 * ++group + 1];
      const int64_t token = where_[2][i], j = where_[3][i];
      good = token < form.tokens && j < form.experts() && ExpertOf(token, j) == groups_[2 * group];
      for (int64_t h = 0; good && h < kHidden; ++h) {
        good = y_[i * kHidden + h] == ValueOf(token, h);
      }
    }
    if (good) return;
    std::fprintf(stderr, "FAILED: what batching gives is not what was sent\n");
    std::exit(1);
  }

  char* context_ = Device<char>(1024);
  aclTensor* context_tensor_ = Tensor(context_, ACL_INT8, {1024});
  aclIntArray* shape_ = Ints({1, form.tokens, form.experts(), kHidden});
  uint16_t* y_ = Device<uint16_t>(kRows * kHidden);
  aclTensor* y_tensor_ = Tensor(y_, ACL_BF16, {kRows, kHidden});
  int64_t* groups_ = Device<int64_t>(2 * (kRouted + form.shared));
  aclTensor* groups_tensor_ = Tensor(groups_, ACL_INT64, {kRouted + form.shared, 2});
  int32_t* where_[4] = {Device<int32_t>(kRows), Device<int32_t>(kRows), Device<int32_t>(kRows),
                        Device<int32_t>(kRows)};  // session, micro batch, token, place
  aclTensor* lists_[4] = {
      Tensor(where_[0], ACL_INT32, {kRows}), Tensor(where_[1], ACL_INT32, {kRows}),
      Tensor(where_[2], ACL_INT32, {kRows}), Tensor(where_[3], ACL_INT32, {kRows})};
  aclTensor* scales_ = Tensor(Device<float>(kRows), ACL_FLOAT, {kRows});
  int64_t* actual_ = Device<int64_t>(1);
  aclTensor* actual_tensor_ = Tensor(actual_, ACL_INT64, {1});
};

using Place = std::function<void(int rank)>;

double Operators(bool mapped, const Place& place) {
  Meeting* meeting = RunTwo(false, [&](int rank, Meeting& shared) {
    place(rank);
    if (rank == 0) {
      AttentionWorker(shared, mapped).Run(shared);
    } else {
      FfnWorker(shared, mapped).Run(shared);
    }
  });
  return meeting == nullptr ? -1 : meeting->figures[0];
}

// The same rows by memcpy: from the tokens into a window that both map, a flag, and out of it.
double Copies() {
  auto* window = static_cast<char*>(
      mmap(nullptr, kRows * kRowBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  Meeting* meeting = RunTwo(false, [&](int rank, Meeting& shared) {
    Rounds& rounds = RoundsIn(shared);
    std::vector<char> own((rank == 0 ? form.tokens : kRows) * kRowBytes, static_cast<char>(rank));
    std::vector<double> seconds;
    for (int round = 1; round <= kRounds; ++round) {
      if (rank == 0) {
        AwaitPeer(rounds, round);
        rounds.begin = Now();
        for (int64_t i = 0; i < kRows; ++i) {
          std::memcpy(window + i * kRowBytes, own.data() + i / form.experts() * kRowBytes,
                      kRowBytes);
        }
        rounds.flag = round;
      } else {
        rounds.waiting = round;
        while (rounds.flag < round) {
        }
        for (int64_t i = 0; i < kRows; ++i) {
          std::memcpy(own.data() + i * kRowBytes, window + i * kRowBytes, kRowBytes);
        }
        if (round > kRounds / 10) seconds.push_back(Now() - rounds.begin);
      }
    }
    if (rank == 1) shared.figures[0] = Median(seconds);
    shared.Wait(1);
  });
  munmap(window, kRows * kRowBytes);
  return meeting == nullptr ? -1 : meeting->figures[0];
}

// One of the two hosts that network namespaces stand for: with shared memory and interfaces of its
// own.
void Enter(const std::string& name) {
  const int fd = open(("/var/run/netns/" + name).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 || setns(fd, CLONE_NEWNET) != 0 || unshare(CLONE_NEWIPC | CLONE_NEWNS) != 0 ||
      mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("none", "/dev/shm", "tmpfs", 0, nullptr) != 0 || umount2("/sys", MNT_DETACH) != 0 ||
      mount("none", "/sys", "sysfs", 0, nullptr) != 0) {
    std::perror(name.c_str());
    std::exit(1);
  }
}

}  // namespace
}  // namespace anyacl::bench

int main(int count, char** arguments) {
  using namespace anyacl::bench;
  if (count != 1 && count != 3) return 2;
  // As libhccl has it, for UCX alone.
  setenv("UCX_POSIX_ERROR_HANDLING", "y", 0);
  setenv("UCX_SYSV_ERROR_HANDLING", "y", 0);
  setenv("UCX_WARN_UNUSED_ENV_VARS", "n", 0);
  setenv("ANYACL_DEVICES", "2", 0);
  const bool hosts = count == 3;
  const Place place = [&](int rank) {
    if (hosts) Enter(arguments[1 + rank]);
  };
  std::vector<double> copies, mapped, active, messages[2];
  for (int turn = 0; turn < kTurns; ++turn) {
    if (!hosts) copies.push_back(Copies());
    if (!hosts) mapped.push_back(Operators(true, place));
    active.push_back(UcxActiveMessage(kRows * kRowBytes, kRounds, place));
    for (int i : {1, 0}) {
      form = kForms[i];
      messages[i].push_back(Operators(false, place));
    }
  }
  const auto us = [](const std::vector<double>& seconds) { return Median(seconds) * 1e6; };
  std::printf("72 rows of 14 KiB to an FFN worker\n");
  if (!hosts) {
    std::printf("memcpy into a window and out of it          %8.1f us\n", us(copies));
    std::printf("operators, mapped window                    %8.1f us: %.1f us above\n", us(mapped),
                us(mapped) - us(copies));
  }
  std::printf("UCX's active message of as many bytes       %8.1f us\n", us(active));
  std::printf("operators, messages: 8 tokens of 9 experts  %8.1f us: %.2f times UCX's\n",
              us(messages[0]), us(messages[0]) / us(active));
  std::printf("operators, messages: 72 tokens of one expert%8.1f us: %.2f times UCX's\n",
              us(messages[1]), us(messages[1]) / us(active));
  return 0;
}
