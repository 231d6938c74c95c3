// SPDX-License-Identifier: Apache-2.0
// Runs a function as the ranks of a communicator, in processes or in the threads of one: always in
// children of the test program, which stays clean, and never longer than a limit.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "hccl/hccl.h"

namespace anyacl::test::hccl {

enum class Kind { kProcesses, kThreads };
inline const char* NameOf(Kind kind) { return kind == Kind::kThreads ? "threads" : "processes"; }
// The communicator's, for operators.
std::string NameOf(HcclComm comm);

// What the ranks of one run share, whatever they are.
struct Shared {
  static constexpr int kSlots = 64;
  HcclRootInfo roots[8];
  std::atomic<int> is_root_known[8];
  std::atomic<int> pids[kSlots];
  std::atomic<int64_t> slots[kSlots];  // for the test
  // Waits until `count` ranks have called it with this number.
  void Meet(int number, uint32_t count);
  std::atomic<uint32_t> met[kSlots];
};

class Rank {
 public:
  Rank(Shared& shared, uint32_t rank, uint32_t ranks)
      : shared(shared), rank(rank), ranks(ranks), device(static_cast<int32_t>(rank)) {}

  // Device, stream, communicator; fails the test if that fails.
  void Open(const HcclCommConfig* config = nullptr);
  // Joins another communicator: the first of its ranks, of which `place` is 0, makes the root info
  // of this number.
  HcclResult Join(int number, uint32_t place, uint32_t count, const HcclCommConfig* config,
                  HcclComm* made);
  void Synchronize() { EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS) << Message(); }
  void Close();

  // The messages since the last look.
  static std::string Message();

  Shared& shared;
  const uint32_t rank;
  const uint32_t ranks;
  const int32_t device;
  HcclComm comm = nullptr;
  aclrtStream stream = nullptr;
};

// Of the communicator.
HcclResult AsyncError(Rank& rank);

// Sets a variable for the ranks that are started in its life.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

inline double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

using Body = std::function<void(Rank&)>;

// How a child ended: EXPECT_ in the body failed, or it was meant to be killed.
struct Outcome {
  std::vector<int> statuses;  // of waitpid
  bool timed_out = false;     // after minutes: ctest would end the test, but not its ranks
};

// Without judgement.
Outcome RunRanksFreely(Kind kind, uint32_t ranks, const Body& body);
// Every rank must end in time and without a failure. The body gets an open communicator.
void RunRanks(Kind kind, uint32_t ranks, const Body& body);
// Cases that mostly wait, side by side, each of them and its ranks from a process of its own.
void ExpectAll(const std::vector<std::function<void()>>& cases);

// Memory of the device.
class Buffer {
 public:
  explicit Buffer(size_t bytes, char fill = 0x5a);
  explicit Buffer(const std::vector<char>& bytes) : Buffer(bytes.size()) { Write(bytes); }
  ~Buffer() { aclrtFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  char* data() const { return static_cast<char*>(data_); }
  void Write(const std::vector<char>& bytes);
  std::vector<char> Read() const;

 private:
  void* data_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace anyacl::test::hccl

#define EXPECT_HCCL_OK(call) \
  EXPECT_EQ((call), HCCL_SUCCESS) << ::anyacl::test::hccl::Rank::Message()
#define ASSERT_HCCL_OK(call) \
  ASSERT_EQ((call), HCCL_SUCCESS) << ::anyacl::test::hccl::Rank::Message()
