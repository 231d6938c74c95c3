// SPDX-License-Identifier: Apache-2.0
// Random programs of copies, sets, host functions and event waits on many streams, whose buffers
// must hold what a sequential execution gives. Runs for a fixed time; ANYACL_TEST_SEED replays.
#include <chrono>
#include <cstring>
#include <deque>
#include <thread>

#include "fixture.h"
#include "support/random.h"

namespace anyacl::test::stream_stress {
namespace {

constexpr int kStreams = 10;  // per thread
constexpr int kBuffers = 12;
constexpr size_t kWords = 32;
constexpr size_t kBytes = kWords * sizeof(uint32_t);
constexpr auto kDuration = std::chrono::milliseconds(3000);

using Words = std::vector<uint32_t>;

// A host function of the program: target += source * factor.
struct Combine {
  uint32_t* target;
  const uint32_t* source;
  uint32_t factor;
};

void RunCombine(void* argument) {
  auto* work = static_cast<Combine*>(argument);
  for (size_t i = 0; i < kWords; ++i) work->target[i] += work->source[i] * work->factor;
}

// A device buffer, the model of its contents, and the events that order its next use.
struct Buffer {
  uint32_t* device = nullptr;
  Words model = Words(kWords, 0);
  aclrtEvent written = nullptr;
  std::vector<aclrtEvent> read_since;
};

class Program {
 public:
  explicit Program(uint64_t seed) : random_(seed), buffers_(kBuffers) {
    for (int i = 0; i < kStreams; ++i) streams_.push_back(NewStream());
    for (Buffer& buffer : buffers_) {
      buffer.device = static_cast<uint32_t*>(NewDeviceMemory(kBytes));
      EXPECT_OK(aclrtMemset(buffer.device, kBytes, 0, kBytes));
    }
  }

  ~Program() {
    for (aclrtStream stream : streams_) EXPECT_OK(aclrtDestroyStream(stream));
    for (Buffer& buffer : buffers_) EXPECT_OK(aclrtFree(buffer.device));
  }

  void Run(int steps) {
    for (int i = 0; i < steps; ++i) Step();
    Check();
  }

 private:
  void Step() {
    aclrtStream stream = random_.Pick(streams_);
    const auto from_index = static_cast<size_t>(random_.Int(0, kBuffers - 1));
    const auto to_index =
        (from_index + static_cast<size_t>(random_.Int(1, kBuffers - 1))) % kBuffers;
    Buffer& from = buffers_[from_index];
    Buffer& to = buffers_[to_index];
    const int64_t kind = random_.Int(0, 3);
    const bool reads = kind != 0;
    const bool reallocates = kind == 3;

    // Everything that conflicts with this step has to be waited for.
    WaitFor(stream, to.written);
    for (aclrtEvent event : to.read_since) WaitFor(stream, event);
    if (reads) WaitFor(stream, from.written);

    if (reallocates) {
      // Freed while tasks that use it are queued: they must still find their data.
      EXPECT_OK(aclrtFree(to.device));
      to.device = static_cast<uint32_t*>(NewDeviceMemory(kBytes));
    }
    switch (kind) {
      case 0: {
        const auto value = static_cast<int32_t>(random_.Int(0, 255));
        EXPECT_OK(aclrtMemsetAsync(to.device, kBytes, value, kBytes, stream));
        std::memset(to.model.data(), value, kBytes);
        break;
      }
      case 1: {
        const auto factor = static_cast<uint32_t>(random_.Int(1, 1000));
        combines_.push_back({to.device, from.device, factor});
        EXPECT_OK(aclrtLaunchHostFunc(stream, &RunCombine, &combines_.back()));
        for (size_t i = 0; i < kWords; ++i) to.model[i] += from.model[i] * factor;
        break;
      }
      default:
        EXPECT_OK(aclrtMemcpyAsync(to.device, kBytes, from.device, kBytes,
                                   ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
        to.model = from.model;
        break;
    }

    aclrtEvent done = NewEvent();
    EXPECT_OK(aclrtRecordEvent(done, stream));
    retired_.push_back(done);
    to.written = done;
    to.read_since.clear();
    if (reads) from.read_since.push_back(done);
    if (random_.Chance(0.02)) {
      EXPECT_OK(aclrtSynchronizeStream(random_.Pick(streams_)));
    }
    if (random_.Chance(0.02)) {
      EXPECT_OK(aclrtSynchronizeEvent(done));
    }
    if (random_.Chance(0.01)) ReplaceAStream();
  }

  void WaitFor(aclrtStream stream, aclrtEvent event) {
    if (event == nullptr) return;
    EXPECT_OK(aclrtStreamWaitEvent(stream, event));
  }

  void ReplaceAStream() {
    const auto index = static_cast<size_t>(random_.Int(0, kStreams - 1));
    EXPECT_OK(aclrtDestroyStream(streams_[index]));
    streams_[index] = NewStream();
  }

  void Check() {
    for (aclrtStream stream : streams_) EXPECT_OK(aclrtSynchronizeStream(stream));
    for (Buffer& buffer : buffers_) {
      Words words(kWords);
      EXPECT_OK(
          aclrtMemcpy(words.data(), kBytes, buffer.device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
      EXPECT_EQ(words, buffer.model);
      buffer.written = nullptr;
      buffer.read_since.clear();
    }
    for (aclrtEvent event : retired_) EXPECT_OK(aclrtDestroyEvent(event));
    retired_.clear();
    combines_.clear();
  }

  Random random_;
  std::vector<aclrtStream> streams_;
  std::vector<Buffer> buffers_;
  std::vector<aclrtEvent> retired_;
  std::deque<Combine> combines_;
};

TEST(StreamStressTest, TwentyStreamsAndEventsGiveTheSequentialResult) {
  const uint64_t seed =
      SeedOr(static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()));
  SCOPED_TRACE("ANYACL_TEST_SEED=" + std::to_string(seed));
  const auto end = std::chrono::steady_clock::now() + kDuration;
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 2; ++t) {
    threads.emplace_back([seed, t, end] {
      EXPECT_OK(aclrtSetDevice(0));
      for (uint64_t round = 0; std::chrono::steady_clock::now() < end; ++round) {
        Program program(seed + 1000 * t + round);
        for (int i = 0; i < 5; ++i) program.Run(200);
        if (::testing::Test::HasFailure()) break;
      }
      EXPECT_OK(aclrtResetDevice(0));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace anyacl::test::stream_stress
