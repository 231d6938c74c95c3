// SPDX-License-Identifier: Apache-2.0
#include "support/device_test.h"

#include <string>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace anyacl::test {
namespace {

// Initialises once for all tests of a program: that is how clients do it.
class Runtime : public ::testing::Environment {
 public:
  void SetUp() override {
#if defined(__GLIBC__)
    // What tests free stays theirs: a fifth of some programs' time went into pages that the kernel
    // took back and gave again.
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
    ASSERT_OK(aclInit(nullptr));
    ASSERT_OK(aclrtSetDevice(0));
  }
  void TearDown() override {
    EXPECT_OK(aclrtResetDevice(0));
    EXPECT_OK(aclFinalize());
  }
};

[[maybe_unused]] const auto* const kRuntime = ::testing::AddGlobalTestEnvironment(new Runtime);

}  // namespace

Prepared Prepare(const Phase1& phase1) {
  TakeMessages();
  Prepared prepared;
  prepared.code = phase1(&prepared.workspace_size, &prepared.executor);
  return prepared;
}

void ExpectRefused(const Phase1& phase1, int code, std::initializer_list<std::string_view> words) {
  const Prepared prepared = Prepare(phase1);
  ExpectFailure(prepared.code, code, words);
  if (prepared.code == ACL_SUCCESS) {
    aclDestroyAclOpExecutor(prepared.executor);
    return;
  }
  EXPECT_EQ(prepared.executor, nullptr);
  EXPECT_EQ(prepared.workspace_size, 0u);
}

DeviceTest::DeviceTest()
    : seed_(SeedOr(20240229)),
      seed_trace_(__FILE__, __LINE__, "ANYACL_TEST_SEED=" + std::to_string(seed_)),
      random_(seed_) {}

void DeviceTest::SetUp() { ASSERT_OK(aclrtCreateStream(&stream_)); }

void DeviceTest::TearDown() {
  if (stream_ != nullptr) {
    EXPECT_OK(aclrtDestroyStream(stream_));
  }
}

void DeviceTest::RunTwoPhase(const Phase1& phase1, Phase2 phase2) {
  const Prepared prepared = Prepare(phase1);
  ASSERT_OK(prepared.code);
  ASSERT_NE(prepared.executor, nullptr);
  ASSERT_LE(prepared.workspace_size, uint64_t{Tensor::kMaxBytes});
  const int64_t size = static_cast<int64_t>(prepared.workspace_size);
  Tensor workspace({.dims = {size}, .dtype = ACL_UINT8});
  void* address = size > 0 ? workspace.data() : nullptr;
  ASSERT_OK(phase2(address, prepared.workspace_size, prepared.executor, stream_));
  ASSERT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(workspace.GuardsIntact()) << "bytes beyond the workspace were written";
}

}  // namespace anyacl::test
