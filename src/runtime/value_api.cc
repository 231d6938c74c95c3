// SPDX-License-Identifier: Apache-2.0
// aclrtValue*: words of memory that streams write and wait for.
#include <algorithm>
#include <chrono>
#include <thread>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/memory.h"
#include "runtime/spin.h"

namespace anyacl {
namespace {

constexpr size_t kWord = sizeof(uint64_t);

bool IsMet(uint64_t word, uint64_t value, uint32_t condition) {
  switch (condition) {
    case ACL_STREAM_WAIT_VALUE_GEQ:
      return static_cast<int64_t>(word - value) >= 0;
    case ACL_STREAM_WAIT_VALUE_EQ:
      return word == value;
    case ACL_STREAM_WAIT_VALUE_AND:
      return (word & value) != 0;
    default:
      return ~(word | value) != 0;
  }
}

// Anybody may write the word, the host included, so that nobody can wake the task: it looks.
class ValueWaitTask final : public Task {
 public:
  ValueWaitTask(const void* address, uint64_t value, uint32_t condition)
      : Task(TaskKind::kWait, "aclrtValueWait"),
        address_(address),
        value_(value),
        condition_(condition) {}

  Status Run(const StopToken& stop) override {
    Outcome outcome = Look();
    SpinUntil([&] { return (outcome = Look()) != Outcome::kNotYet; });
    // Each look after a sleep of up to 200 us: 1 % of a core.
    auto sleep = std::chrono::microseconds(10);
    while (outcome == Outcome::kNotYet) {
      if (stop.Requested()) {
        return Fail(ACL_ERROR_RT_STREAM_ABORT, "ended before the word at {} met its condition",
                    address_);
      }
      std::this_thread::sleep_for(sleep);
      sleep = std::min(2 * sleep, std::chrono::microseconds(200));
      outcome = Look();
    }
    if (outcome == Outcome::kMet) return {};
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "devAddr {} was freed while a stream waits for it",
                address_);
  }

 private:
  enum class Outcome { kMet, kNotYet, kGone };
  Outcome Look() const {
    const std::optional<uint64_t> word = LoadWord(address_);
    if (!word) return Outcome::kGone;
    return IsMet(*word, value_, condition_) ? Outcome::kMet : Outcome::kNotYet;
  }

  const void* const address_;
  const uint64_t value_;
  const uint32_t condition_;
};

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclrtValueWrite(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream) {
  return Entry("aclrtValueWrite", [&]() -> Status {
    if (Status s = NotNull(devAddr, "devAddr"); !s.ok()) return s;
    if (flag != 0) return Fail(ACL_ERROR_RT_PARAM_INVALID, "flag is {:#x}, expected 0", flag);
    if (Status s = CheckDeviceMemory(devAddr, kWord, kWord, "devAddr"); !s.ok()) return s;
    std::shared_ptr<Stream> on;
    if (Status s = FindStream(stream, &on); !s.ok()) return s;
    auto write = [devAddr, value]() -> Status {
      __atomic_store_n(static_cast<uint64_t*>(devAddr), value, __ATOMIC_RELEASE);
      return {};
    };
    return on->Enqueue(MakeTask(TaskKind::kCompute, "aclrtValueWrite", write));
  });
}

aclError aclrtValueWait(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream) {
  return Entry("aclrtValueWait", [&]() -> Status {
    if (Status s = NotNull(devAddr, "devAddr"); !s.ok()) return s;
    if (flag > ACL_STREAM_WAIT_VALUE_NOR) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "flag is {:#x}, expected 0..3", flag);
    }
    if (Status s = CheckDeviceMemory(devAddr, kWord, kWord, "devAddr"); !s.ok()) return s;
    std::shared_ptr<Stream> on;
    if (Status s = FindStream(stream, &on); !s.ok()) return s;
    return on->Enqueue(std::make_shared<ValueWaitTask>(devAddr, value, flag));
  });
}
}
