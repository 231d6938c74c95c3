// SPDX-License-Identifier: Apache-2.0
// What framework adapters look up by name around an operator call, and the start of the layer.
#include <cstdint>

#include "aclnn/aclnn_base.h"
#include "runtime/fixture.h"
#include "support/look.h"

namespace anyacl::test {
namespace {

TEST(FrameworkHooksTest, HugeMemoryFunctionsSucceed) {
  auto* init = Look<int(void*, bool)>("InitHugeMemThreadLocal");
  auto* release = Look<void(void*, bool)>("ReleaseHugeMem");
  auto* uninit = Look<void(void*, bool)>("UnInitHugeMemThreadLocal");
  for (bool flag : {false, true}) {
    EXPECT_EQ(init(nullptr, flag), 0);
    release(nullptr, flag);
    uninit(nullptr, flag);
  }
}

// What is repeated: tests/ops/call_cache_test.cc.
TEST(FrameworkHooksTest, AnEmptyCacheHasNothing) {
  auto* init = Look<void()>("InitPTACacheThreadLocal");
  auto* uninit = Look<void()>("UnInitPTACacheThreadLocal");
  auto* set_hash = Look<void(uint64_t)>("SetPTAHashKey");
  auto* set_key = Look<void(uint8_t*, size_t)>("SetPTACacheHashKey");
  auto* can_use = Look<bool(const char*)>("CanUsePTACache");
  auto* get = Look<aclOpExecutor*(uint64_t, uint64_t*)>("PTAGetExecCache");
  auto* find = Look<aclOpExecutor*(uint8_t*, size_t, uint64_t*)>("PTAFindExecCache");
  auto* add = Look<void(void*)>("AddTensorAddrToCachedList");
  init();
  set_hash(42);
  uint8_t key[] = {1, 2, 3};
  set_key(key, sizeof(key));
  set_key(nullptr, 0);
  EXPECT_TRUE(can_use("aclnnDynamicQuantV2"));
  EXPECT_FALSE(can_use(nullptr));
  uint64_t workspace_size = 77;
  EXPECT_EQ(get(42, &workspace_size), nullptr);
  EXPECT_EQ(find(key, sizeof(key), &workspace_size), nullptr);
  EXPECT_EQ(workspace_size, 77u);
  add(nullptr);
  add(key);
  uninit();
}

TEST(LayerStartTest, MayBeRepeatedInAnyOrder) {
  InFreshProcess([] {
    EXPECT_OK(aclnnFinalize());
    EXPECT_OK(aclnnInit(nullptr));
    EXPECT_OK(aclnnInit(nullptr));
    EXPECT_OK(aclnnInit(""));
    EXPECT_OK(aclnnFinalize());
    EXPECT_OK(aclnnFinalize());
    EXPECT_OK(aclnnInit(nullptr));
  });
}

TEST(LayerStartTest, IsNotNeededAndMixesWithTheRuntimes) {
  InFreshProcess([] {
    const aclError code = aclInit(nullptr);  // the test program may have called it already
    EXPECT_TRUE(code == ACL_SUCCESS || code == ACL_ERROR_REPEAT_INITIALIZE) << code;
    EXPECT_OK(aclnnInit(nullptr));
    EXPECT_OK(aclnnFinalize());
    EXPECT_OK(aclFinalize());
    EXPECT_OK(aclnnInit(nullptr));
  });
}

}  // namespace
}  // namespace anyacl::test
