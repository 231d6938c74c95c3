// SPDX-License-Identifier: Apache-2.0
#include "ranks.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <thread>

namespace anyacl::test::hccl {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

void Nap() { std::this_thread::sleep_for(milliseconds(1)); }

struct Unmap {
  void operator()(Shared* shared) const { munmap(shared, sizeof(Shared)); }
};

std::unique_ptr<Shared, Unmap> MakeShared() {
  void* memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  return std::unique_ptr<Shared, Unmap>(new (memory) Shared());
}

pid_t Start(uint32_t ranks, const std::function<void()>& body) {
  std::fflush(nullptr);
  const pid_t pid = fork();
  if (pid != 0) return pid;
  setenv("ANYACL_DEVICES", std::to_string(std::max(8u, ranks)).c_str(), 1);
  if (aclInit(nullptr) != ACL_SUCCESS) std::abort();
  body();
  std::fflush(nullptr);
  // Ranks end as processes of PyTorch do, without going through destructors.
  _exit(::testing::Test::HasFailure() ? 1 : 0);
}

}  // namespace

void Shared::Meet(int number, uint32_t count) {
  ++met[number];
  while (met[number] < count) Nap();
}

std::string Rank::Message() {
  const char* message = aclGetRecentErrMsg();
  return message == nullptr ? "" : message;
}

HcclResult AsyncError(Rank& rank) {
  HcclResult error = HCCL_SUCCESS;
  EXPECT_HCCL_OK(HcclGetCommAsyncError(rank.comm, &error));
  return error;
}

void Rank::Open(const HcclCommConfig* config) {
  ASSERT_EQ(aclrtSetDevice(device), ACL_SUCCESS) << Message();
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS) << Message();
  ASSERT_EQ(Join(0, rank, ranks, config, &comm), HCCL_SUCCESS) << Message();
}

HcclResult Rank::Join(int number, uint32_t place, uint32_t count, const HcclCommConfig* config,
                      HcclComm* made) {
  HcclRootInfo& root = shared.roots[number];
  if (place == 0) {
    const HcclResult result = HcclGetRootInfo(&root);
    shared.is_root_known[number] = result == HCCL_SUCCESS ? 1 : -1;
    if (result != HCCL_SUCCESS) return result;
  }
  while (shared.is_root_known[number] == 0) Nap();
  if (shared.is_root_known[number] < 0) return HCCL_E_UNAVAIL;
  if (config == nullptr) return HcclCommInitRootInfo(count, &root, place, made);
  return HcclCommInitRootInfoConfig(count, &root, place, config, made);
}

void Rank::Close() {
  if (comm != nullptr) {
    EXPECT_HCCL_OK(HcclCommDestroy(comm));
  }
  if (stream != nullptr) {
    EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS) << Message();
  }
  comm = nullptr;
  stream = nullptr;
}

Outcome RunRanksFreely(Kind kind, uint32_t ranks, const Body& body) {
  const auto shared = MakeShared();
  std::vector<pid_t> children;
  if (kind == Kind::kProcesses) {
    for (uint32_t r = 0; r < ranks; ++r) {
      children.push_back(Start(ranks, [&, r] {
        shared->pids[r] = getpid();
        Rank rank(*shared, r, ranks);
        body(rank);
      }));
    }
  } else {
    children.push_back(Start(ranks, [&] {
      std::vector<std::thread> threads;
      for (uint32_t r = 0; r < ranks; ++r) {
        threads.emplace_back([&, r] {
          shared->pids[r] = getpid();
          Rank rank(*shared, r, ranks);
          body(rank);
        });
      }
      for (std::thread& thread : threads) thread.join();
    }));
  }
  Outcome outcome;
  outcome.statuses.resize(children.size());
  const auto limit = steady_clock::now() + std::chrono::seconds(290);
  for (size_t i = 0; i < children.size(); ++i) {
    while (waitpid(children[i], &outcome.statuses[i], WNOHANG) == 0) {
      if (steady_clock::now() > limit) {
        outcome.timed_out = true;
        for (size_t j = i; j < children.size(); ++j) {
          kill(children[j], SIGKILL);
          waitpid(children[j], &outcome.statuses[j], 0);
        }
        return outcome;
      }
      Nap();
    }
  }
  return outcome;
}

void RunRanks(Kind kind, uint32_t ranks, const Body& body) {
  SCOPED_TRACE(std::to_string(ranks) + " " + NameOf(kind));
  const Outcome outcome = RunRanksFreely(kind, ranks, [&](Rank& rank) {
    SCOPED_TRACE("rank " + std::to_string(rank.rank) + " of " + std::to_string(rank.ranks));
    rank.Open();
    if (rank.comm == nullptr) return;
    body(rank);
    rank.Close();
  });
  EXPECT_FALSE(outcome.timed_out);
  for (size_t i = 0; i < outcome.statuses.size(); ++i) {
    EXPECT_EQ(outcome.statuses[i], 0) << "child " << i << ", as waitpid says";
  }
}

void ExpectAll(const std::vector<std::function<void()>>& cases) {
  std::vector<pid_t> children;
  for (const auto& check : cases) {
    std::fflush(nullptr);
    children.push_back(fork());
    if (children.back() != 0) continue;
    // Nothing leaves this function here: the child would go on with the tests that follow.
    try {
      check();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    std::fflush(nullptr);
    _exit(::testing::Test::HasFailure() || ::testing::Test::IsSkipped() ? 1 : 0);
  }
  for (size_t i = 0; i < children.size(); ++i) {
    int status = -1;
    EXPECT_EQ(waitpid(children[i], &status, 0), children[i]);
    EXPECT_EQ(status, 0) << "case " << i << ", as waitpid says";
  }
}

Buffer::Buffer(size_t bytes, char fill) : bytes_(bytes) {
  EXPECT_EQ(aclrtMalloc(&data_, bytes + 1, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemset(data_, bytes + 1, fill, bytes + 1), ACL_SUCCESS);
}

void Buffer::Write(const std::vector<char>& bytes) {
  if (bytes.empty()) return;
  EXPECT_EQ(aclrtMemcpy(data_, bytes_, bytes.data(), bytes.size(), ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_SUCCESS);
}

std::vector<char> Buffer::Read() const {
  std::vector<char> bytes(bytes_);
  if (bytes_ == 0) return bytes;
  EXPECT_EQ(aclrtMemcpy(bytes.data(), bytes_, data_, bytes_, ACL_MEMCPY_DEVICE_TO_HOST),
            ACL_SUCCESS);
  return bytes;
}

std::string NameOf(HcclComm comm) {
  char name[COMM_NAME_MAX_LENGTH] = {};
  EXPECT_HCCL_OK(HcclGetCommName(comm, name));
  return name;
}

}  // namespace anyacl::test::hccl
