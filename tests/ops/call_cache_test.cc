// SPDX-License-Identifier: Apache-2.0
// Calls that a framework repeats by key, as torch_npu does it: without tensors and without phase 1.
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_dynamic_quant_v2.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_mul.h"
#include "runtime/fixture.h"
#include "support/device_test.h"
#include "support/look.h"
#include "support/tensor_list.h"

namespace anyacl::test {
namespace {

const auto Init = Look<void()>("InitPTACacheThreadLocal");
const auto Uninit = Look<void()>("UnInitPTACacheThreadLocal");
const auto SetHash = Look<void(uint64_t)>("SetPTAHashKey");
const auto SetKey = Look<void(uint8_t*, size_t)>("SetPTACacheHashKey");
const auto CanUse = Look<bool(const char*)>("CanUsePTACache");
const auto Get = Look<aclOpExecutor*(uint64_t, uint64_t*)>("PTAGetExecCache");
const auto FindKey = Look<aclOpExecutor*(uint8_t*, size_t, uint64_t*)>("PTAFindExecCache");
const auto AddAddress = Look<void(void*)>("AddTensorAddrToCachedList");

class CallCacheTest : public DeviceTest {
 protected:
  // What torch_npu does around a call. True: it was a repeated one.
  bool Run(uint64_t hash, const std::vector<const Tensor*>& tensors, const Phase1& phase1,
           Phase2 phase2) {
    Init();
    for (const Tensor* tensor : tensors) AddAddress(tensor->data());
    SetHash(hash);
    uint64_t size = 77;
    aclOpExecutor* executor = Get(hash, &size);
    const bool repeated = executor != nullptr;
    if (!repeated) {
      EXPECT_EQ(size, 77u);
      EXPECT_OK(phase1(&size, &executor));
    }
    const DeviceBuffer workspace(size + 1);
    EXPECT_OK(phase2(size == 0 ? nullptr : workspace.data(), size, executor, stream()));
    Uninit();
    EXPECT_OK(aclrtSynchronizeStream(stream()));
    return repeated;
  }

  // Of a 2 x 3 product of numbers from `first` on; its tensors live no longer than the call.
  bool Multiply(uint64_t hash, float first) {
    const Layout layout = {.dims = {2, 3}};
    Tensor x(layout), y(layout), out(layout);
    x.Write(Range(first));
    y.Write(Range(2));
    const bool repeated = Run(
        hash, {&x, &y, &out},
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnMulGetWorkspaceSize(x.handle(), y.handle(), out.handle(), size, executor);
        },
        aclnnMul);
    EXPECT_TRUE(out.GuardsIntact());
    std::vector<float> expected = Range(first);
    for (size_t i = 0; i < expected.size(); ++i) expected[i] *= Range(2)[i];
    EXPECT_EQ(out.Read<float>(), expected);
    return repeated;
  }

  static std::vector<float> Range(float first) {
    std::vector<float> numbers(6);
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = first + static_cast<float>(i);
    return numbers;
  }
};

TEST_F(CallCacheTest, ARepeatedCallHasItsOwnAddresses) {
  EXPECT_TRUE(CanUse("aclnnMul"));
  EXPECT_FALSE(CanUse(nullptr));
  EXPECT_FALSE(Multiply(42, 1));
  EXPECT_FALSE(Multiply(42, 7));  // kept, as the second one
  EXPECT_TRUE(Multiply(42, 100));
  EXPECT_TRUE(Multiply(42, -3));
  EXPECT_FALSE(Multiply(43, 5));  // by another key
  EXPECT_TRUE(Multiply(42, 5));
}

TEST_F(CallCacheTest, TheKey0IsNoKey) {
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(Multiply(0, 1));
}

TEST_F(CallCacheTest, WorkspacesAndListsAndWhatIsLeftOut) {
  for (const int time : {1, 2, 3}) {
    const bool repeated = time == 3;
    Tensor a({.dims = {70, 80}}), b({.dims = {80, 90}}), c({.dims = {70, 90}});
    const auto number = static_cast<float>(repeated ? 3 : 2);
    a.Write(std::vector<float>(70 * 80, number));
    b.Write(std::vector<float>(80 * 90, 0.5f));
    EXPECT_EQ(Run(
                  500, {&a, &b, &c},
                  [&](uint64_t* size, aclOpExecutor** executor) {
                    return aclnnMmGetWorkspaceSize(a.handle(), b.handle(), c.handle(), 0, size,
                                                   executor);
                  },
                  aclnnMm),
              repeated);
    EXPECT_EQ(c.Read<float>(), std::vector<float>(70 * 90, number * 40));

    std::vector<std::unique_ptr<Tensor>> parts;
    for (int i = 0; i < 3; ++i) {
      parts.push_back(std::make_unique<Tensor>(Layout{.dims = {6}}));
      parts.back()->Write(Range(number * static_cast<float>(i)));
    }
    Tensor joined({.dims = {18}});
    const TensorList list(parts);
    EXPECT_EQ(Run(
                  501, {parts[0].get(), parts[1].get(), parts[2].get(), &joined},
                  [&](uint64_t* size, aclOpExecutor** executor) {
                    return aclnnCatGetWorkspaceSize(list.handle(), 0, joined.handle(), size,
                                                    executor);
                  },
                  aclnnCat),
              repeated);
    for (size_t i = 0; i < 18; ++i) {
      EXPECT_EQ(joined.Read<float>()[i], Range(number * static_cast<float>(i / 6))[i % 6]);
    }

    Tensor x({.dims = {1, 2}, .dtype = ACL_FLOAT16}), y({.dims = {1, 2}, .dtype = ACL_INT8});
    Tensor scale({.dims = {1}});
    x.Write(std::vector<uint16_t>{static_cast<uint16_t>(repeated ? 0x4000 : 0x3c00), 0});
    EXPECT_EQ(Run(
                  502, {&x, &y, &scale},
                  [&](uint64_t* size, aclOpExecutor** executor) {
                    return aclnnDynamicQuantV2GetWorkspaceSize(x.handle(), nullptr, nullptr,
                                                               ACL_INT8, y.handle(), scale.handle(),
                                                               nullptr, size, executor);
                  },
                  aclnnDynamicQuantV2),
              repeated);
    EXPECT_EQ(y.Read<int8_t>(), (std::vector<int8_t>{127, 0}));
    EXPECT_EQ(scale.Read<float>()[0], (number - 1) / 127);
  }
}

// torch_npu's keys do not say that a weight lies in panels.
TEST_F(CallCacheTest, NoWeightsAreTakenForOthersOnceThereArePanels) {
  InFreshProcess([this] {
    const auto multiply = [this] {
      Tensor a({.dims = {16, 16}}), b({.dims = {16, 16}}), c({.dims = {16, 16}});
      return Run(
          800, {&a, &b, &c},
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnMmGetWorkspaceSize(a.handle(), b.handle(), c.handle(), 0, size, executor);
          },
          aclnnMm);
    };
    for (const bool repeated : {false, false, true}) {
      EXPECT_EQ(multiply(), repeated);
      EXPECT_EQ(Multiply(801, 1), repeated);
    }
    const Tensor panels({.dims = {16, 16},
                         .dtype = ACL_FLOAT16,
                         .format = ACL_FORMAT_FRACTAL_NZ,
                         .storage = {1, 1, 16, 16}});
    EXPECT_FALSE(multiply());
    EXPECT_FALSE(multiply());
    EXPECT_TRUE(Multiply(801, 1));
  });
}

TEST_F(CallCacheTest, LongKeysAreComparedWhole) {
  std::vector<uint8_t> key(900, 7), other = key;
  other[899] = 8;
  const Layout layout = {.dims = {6}};
  Tensor x(layout), out(layout);
  x.Write(Range(1));
  const auto repeated = [&](std::vector<uint8_t>& of) {
    Init();
    AddAddress(x.data());
    AddAddress(x.data());
    AddAddress(out.data());
    SetKey(of.data(), of.size());
    uint64_t size = 0;
    aclOpExecutor* executor = FindKey(of.data(), of.size(), &size);
    const bool found = executor != nullptr;
    if (!found) {
      EXPECT_OK(aclnnMulGetWorkspaceSize(x.handle(), x.handle(), out.handle(), &size, &executor));
    }
    EXPECT_OK(aclnnMul(nullptr, size, executor, stream()));
    Uninit();
    EXPECT_OK(aclrtSynchronizeStream(stream()));
    return found;
  };
  for (const bool expected : {false, false, true}) {
    EXPECT_EQ(repeated(key), expected);
    EXPECT_EQ(repeated(other), expected);
  }
  uint64_t size = 0;
  SetKey(key.data(), key.size());
  EXPECT_EQ(FindKey(key.data(), key.size(), nullptr), nullptr);
  // torch_npu's buffer is shorter than it says where a key does not fit.
  SetKey(nullptr, 0);
  EXPECT_EQ(FindKey(key.data(), size_t{1} << 40, &size), nullptr);
}

// What was not announced as it came is not kept.
TEST_F(CallCacheTest, OnlyTheAnnouncedCallIsKept) {
  const Layout layout = {.dims = {6}};
  Tensor x(layout), y(layout), out(layout);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto announce = [&](uint64_t hash, std::initializer_list<const Tensor*> tensors) {
    Init();
    for (const Tensor* tensor : tensors) AddAddress(tensor->data());
    SetHash(hash);
    return Get(hash, &size);
  };
  const auto prepare = [&] {
    EXPECT_OK(aclnnMulGetWorkspaceSize(x.handle(), y.handle(), out.handle(), &size, &executor));
    EXPECT_OK(aclDestroyAclOpExecutor(executor));
  };
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(announce(600, {&x, &out, &y}), nullptr);  // in another order
    prepare();
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(announce(600, {&x, &y, &out}), nullptr);
    prepare();
    prepare();  // has no key any more
  }
  EXPECT_EQ(announce(600, {&x, &y}), nullptr);  // of other tensors
  executor = announce(600, {&x, &y, &out});
  ASSERT_NE(executor, nullptr);
  // Of another operator, which uses the executor up no more than any other.
  ExpectFailure(aclnnAdd(nullptr, 0, executor, stream()), 161002, {"aclnnMulGetWorkspaceSize"});
  EXPECT_OK(aclnnMul(nullptr, 0, executor, stream()));
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  // A call that is refused leaves no key to the next one.
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(announce(601, {&x, &y, &out}), nullptr);
    EXPECT_NE(aclnnMulGetWorkspaceSize(x.handle(), y.handle(), nullptr, &size, &executor), 0);
    TakeMessages();
    prepare();
  }
  Uninit();
}

// Threads repeat each other's calls.
TEST_F(CallCacheTest, ThreadsShareCalls) {
  std::vector<std::thread> threads;
  std::atomic<int> repeats{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      ASSERT_OK(aclrtSetDevice(0));
      aclrtStream stream = nullptr;
      ASSERT_OK(aclrtCreateStream(&stream));
      for (int i = 0; i < 200; ++i) {
        const int64_t size = 1 + i % 40;
        const Layout layout = {.dims = {size}};
        Tensor x(layout), out(layout);
        const auto number = static_cast<float>(i + 1000 * t);
        x.Write(std::vector<float>(static_cast<size_t>(size), number));
        Init();
        for (void* address : {x.data(), x.data(), out.data()}) AddAddress(address);
        SetHash(900 + static_cast<uint64_t>(size));
        uint64_t bytes = 0;
        aclOpExecutor* executor = Get(0, &bytes);
        repeats += executor != nullptr;
        if (executor == nullptr) {
          EXPECT_OK(
              aclnnMulGetWorkspaceSize(x.handle(), x.handle(), out.handle(), &bytes, &executor));
        }
        EXPECT_OK(aclnnMul(nullptr, bytes, executor, stream));
        Uninit();
        EXPECT_OK(aclrtSynchronizeStream(stream));
        EXPECT_EQ(out.Read<float>(),
                  std::vector<float>(static_cast<size_t>(size), number * number));
      }
      EXPECT_OK(aclrtDestroyStream(stream));
      EXPECT_OK(aclrtResetDevice(0));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(repeats, 4 * 200 - 4 * 2 * 40);  // at most two calls of each key in each thread
}

// Addresses are looked at in every call.
TEST_F(CallCacheTest, AddressesAreChecked) {
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(Multiply(700, 1));
  const DeviceBuffer memory(64);
  Init();
  for (int i = 0; i < 3; ++i) AddAddress(memory.data() + 1);
  SetHash(700);
  uint64_t size = 0;
  aclOpExecutor* executor = Get(700, &size);
  ASSERT_NE(executor, nullptr);
  Uninit();
  ExpectFailure(aclnnMul(nullptr, 0, executor, stream()), 161002, {"self", "element"});
}

}  // namespace
}  // namespace anyacl::test
