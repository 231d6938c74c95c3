// SPDX-License-Identifier: Apache-2.0
// Clients that round otherwise or flush denormals: operators compute the same bits, and the
// client's settings stay.
#include <cfenv>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "quant_call.h"

namespace anyacl::test {
namespace {

// The settings of the calling thread, for the life of the object.
class UnusualFloatEnvironment {
 public:
  UnusualFloatEnvironment() {
    std::fegetenv(&saved_);
    std::fesetround(FE_UPWARD);
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040);  // flush denormal results, read denormal operands as zero
#endif
  }
  ~UnusualFloatEnvironment() { std::fesetenv(&saved_); }
  UnusualFloatEnvironment(const UnusualFloatEnvironment&) = delete;
  UnusualFloatEnvironment& operator=(const UnusualFloatEnvironment&) = delete;

 private:
  std::fenv_t saved_;
};

using FloatEnvironmentTest = DeviceTest;

// bf16 numbers near 1e-38, whose scale is a denormal, and ties, which must go to even:
// quantised with scale m / 127 by the documented formula.
struct Result {
  std::vector<int8_t> y;
  std::vector<float> scale;
};

Result Quantise(aclrtStream stream, bool unusual) {
  Tensor x({.dims = {2, 4}, .dtype = ACL_BF16});
  Tensor y({.dims = {2, 4}, .dtype = ACL_INT8});
  Tensor scale({.dims = {2}, .dtype = ACL_FLOAT});
  std::vector<uint16_t> values;
  for (float value : {1.001007e-38f, -5.0e-39f, 0.0f, 1e-39f, 127.0f, 0.5f, 1.5f, 2.5f}) {
    values.push_back(EncodeBf16(value));
  }
  x.Write(values);
  const Prepared prepared = Prepare([&](uint64_t* size, aclOpExecutor** executor) {
    return aclnnDynamicQuantV2GetWorkspaceSize(x.handle(), nullptr, nullptr, ACL_INT8, y.handle(),
                                               scale.handle(), nullptr, size, executor);
  });
  EXPECT_OK(prepared.code);
  if (unusual) {
    const UnusualFloatEnvironment environment;
    EXPECT_OK(aclnnDynamicQuantV2(nullptr, 0, prepared.executor, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));  // may run the task in this thread
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
  } else {
    EXPECT_OK(aclnnDynamicQuantV2(nullptr, 0, prepared.executor, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
  }
  return {y.Read<int8_t>(), scale.Read<float>()};
}

TEST_F(FloatEnvironmentTest, OfTheCallerDoesNotChangeResults) {
  const Result usual = Quantise(stream(), false);
  EXPECT_EQ(usual.y[5], 0);  // 0.5, 1.5 and 2.5 are ties
  EXPECT_EQ(usual.y[6], 2);
  EXPECT_EQ(usual.y[7], 2);
  EXPECT_GT(usual.scale[0], 0.0f);
  for (int i = 0; i < 20; ++i) {
    const Result unusual = Quantise(stream(), true);
    EXPECT_EQ(unusual.y, usual.y);
    EXPECT_EQ(unusual.scale, usual.scale);
  }
}

TEST_F(FloatEnvironmentTest, OfTheThreadThatStartsAStreamDoesNotChangeResults) {
  // Threads inherit the settings of the thread that creates them.
  const Result usual = Quantise(stream(), false);
  std::thread([&] {
    EXPECT_OK(aclrtSetDevice(0));
    aclrtStream fresh = nullptr;
    EXPECT_OK(aclrtCreateStream(&fresh));
    {
      const UnusualFloatEnvironment environment;
      EXPECT_OK(aclrtLaunchHostFunc(fresh, [](void*) {}, nullptr));
    }
    const Result result = Quantise(fresh, false);
    EXPECT_EQ(result.y, usual.y);
    EXPECT_EQ(result.scale, usual.scale);
    EXPECT_OK(aclrtDestroyStream(fresh));
    EXPECT_OK(aclrtResetDevice(0));
  }).join();
}

}  // namespace
}  // namespace anyacl::test
