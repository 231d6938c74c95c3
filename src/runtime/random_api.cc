// SPDX-License-Identifier: Apache-2.0
// aclrtRandomNumAsync: its arguments, most of which may be addresses, become numbers when the task
// runs.
#include <algorithm>
#include <cstring>

#include "acl/acl_rt.h"
#include "base/dtype.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/memory.h"
#include "runtime/random_numbers.h"

namespace anyacl {
namespace {

constexpr size_t kCounterBytes = 16;
constexpr size_t kParameterBytes = 16;

struct Parameter {
  bool in_memory = false;
  uint64_t bits = 0;  // the value, or its address
  size_t size = 0;    // of the value
  const char* name = "";

  Status Check() const {
    if (!in_memory) return {};
    return CheckDeviceMemory(reinterpret_cast<const void*>(bits), size, 1, name);
  }
  // The value; the address has been checked.
  uint64_t Read() const {
    if (!in_memory) return bits;
    uint64_t value = 0;
    std::memcpy(&value, reinterpret_cast<const void*>(bits), size);
    return value;
  }
};

Status Take(const aclrtRandomParaInfo& info, size_t size, const char* name, Parameter* parameter) {
  if (info.isAddr > 1) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "{}.isAddr is {}, expected 0 or 1", name, info.isAddr);
  }
  const size_t most = info.isAddr == 1 ? sizeof(uint64_t) : size;
  if (info.size == 0 || info.size > most) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "{}.size is {}, expected 1..{}", name, info.size, most);
  }
  *parameter = {info.isAddr == 1, 0, size, name};
  std::memcpy(&parameter->bits, info.valueOrAddr, info.size);
  return parameter->Check();
}

struct Arguments {
  aclrtRandomNumFuncType function{};
  aclDataType type{};
  Parameter first{}, second{}, seed{}, count{};
  void* stored = nullptr;  // where first and second are read from instead, 8 bytes each
  void* result = nullptr;
  const void* counter = nullptr;

  RandomNumbers Typed() const { return {function, type, 0, 0, 0, 0, 0, 0}; }

  Status TakeParameters(const aclrtRandomNumFuncParaInfo& info, size_t size) {
    const auto& values = info.paramInfo;
    switch (function) {
      case ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK:
        return Take(values.dropoutBitmaskInfo.dropoutRation, size, "dropoutRation", &first);
      case ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS:
        if (Status s = Take(values.uniformDisInfo.min, size, "min", &first); !s.ok()) return s;
        return Take(values.uniformDisInfo.max, size, "max", &second);
      default:
        if (Status s = Take(values.normalDisInfo.mean, size, "mean", &first); !s.ok()) return s;
        return Take(values.normalDisInfo.stddev, size, "stddev", &second);
    }
  }

  Status CheckResult(uint64_t bytes) const {
    const bool mask = function == ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK;
    const size_t alignment = mask ? 1 : static_cast<size_t>(BitsOf(type)) / 8;
    return CheckDeviceMemory(result, bytes, alignment, "randomResultAddr");
  }

  // What can be found wrong when the task is enqueued.
  Status CheckNow() const {
    if (Status s = CheckDeviceMemory(counter, kCounterBytes, 1, "randomCounterAddr"); !s.ok()) {
      return s;
    }
    RandomNumbers numbers = Typed();
    if (!first.in_memory && !second.in_memory && stored == nullptr) {
      numbers.first = first.bits;
      numbers.second = second.bits;
      if (Status s = numbers.CheckParameters(); !s.ok()) return s;
    }
    if (count.in_memory) return CheckResult(1);
    numbers.count = count.bits;
    return CheckResult(numbers.Bytes());
  }

  Status Run() const {
    Parameter parameters[] = {first, second};
    if (stored != nullptr) {
      std::memcpy(&parameters[0].bits, stored, sizeof(uint64_t));
      std::memcpy(&parameters[1].bits, static_cast<char*>(stored) + 8, sizeof(uint64_t));
      for (const Parameter& parameter : parameters) {
        if (Status s = parameter.Check(); !s.ok()) return s;
      }
    }
    RandomNumbers numbers = Typed();
    numbers.first = parameters[0].Read();
    numbers.second = parameters[1].Read();
    numbers.seed = seed.Read();
    numbers.count = count.Read();
    std::memcpy(&numbers.counter_low, counter, sizeof(uint64_t));
    std::memcpy(&numbers.counter_high, static_cast<const char*>(counter) + 8, sizeof(uint64_t));
    if (Status s = numbers.CheckParameters(); !s.ok()) return s;
    if (Status s = CheckResult(numbers.Bytes()); !s.ok()) return s;
    numbers.Generate(result);
    return {};
  }
};

Status TakeAll(const aclrtRandomNumTaskInfo& info, Arguments* arguments) {
  arguments->function = info.randomNumFuncParaInfo.funcType;
  arguments->type = info.dataType;
  arguments->stored = info.randomParaAddr;
  arguments->result = info.randomResultAddr;
  arguments->counter = info.randomCounterAddr;
  if (Status s = arguments->Typed().CheckType(); !s.ok()) return s;
  for (const auto& [address, name] :
       {std::pair<const void*, const char*>{info.randomCounterAddr, "randomCounterAddr"},
        {info.randomResultAddr, "randomResultAddr"}}) {
    if (address == nullptr) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "{} is null, expected an address", name);
    }
  }
  if (Status s = Take(info.randomSeed, 8, "randomSeed", &arguments->seed); !s.ok()) return s;
  if (Status s = Take(info.randomNum, 8, "randomNum", &arguments->count); !s.ok()) return s;
  const auto size = static_cast<size_t>(BitsOf(info.dataType)) / 8;
  return arguments->TakeParameters(info.randomNumFuncParaInfo, size);
}

Status Store(const Arguments& arguments) {
  if (Status s = CheckDeviceMemory(arguments.stored, kParameterBytes, 1, "randomParaAddr");
      !s.ok()) {
    return s;
  }
  const uint64_t bits[] = {arguments.first.bits, arguments.second.bits};
  std::memcpy(arguments.stored, bits, sizeof(bits));
  return {};
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclrtRandomNumAsync(const aclrtRandomNumTaskInfo* taskInfo, const aclrtStream stream,
                             void* reserve) {
  return Entry("aclrtRandomNumAsync", [&]() -> Status {
    if (Status s = NotNull(taskInfo, "taskInfo"); !s.ok()) return s;
    if (reserve != nullptr) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "reserve is {}, expected null", reserve);
    }
    Arguments arguments;
    if (Status s = TakeAll(*taskInfo, &arguments); !s.ok()) return s;
    if (Status s = arguments.CheckNow(); !s.ok()) return s;
    std::shared_ptr<Stream> on;
    if (Status s = FindStream(stream, &on); !s.ok()) return s;
    if (arguments.stored != nullptr) {
      if (Status s = Store(arguments); !s.ok()) return s;
    }
    auto run = [arguments]() -> Status { return arguments.Run(); };
    return on->Enqueue(MakeTask(TaskKind::kCompute, "aclrtRandomNumAsync", run));
  });
}
}
