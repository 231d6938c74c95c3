// SPDX-License-Identifier: Apache-2.0
// aclrtReduceAsync: every type and kind, against numbers worked out here.
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "capture_calls.h"

namespace anyacl::test {
namespace {

using ReduceTest = RuntimeTest;

constexpr auto kSum = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;
constexpr auto kMax = ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX;
constexpr auto kMin = ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN;

template <class T>
class Buffer {
 public:
  explicit Buffer(const std::vector<T>& values)
      : data_(static_cast<T*>(NewDeviceMemory(values.size() * sizeof(T)))), count_(values.size()) {
    std::memcpy(data_, values.data(), bytes());
  }
  ~Buffer() { EXPECT_OK(aclrtFree(data_)); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T* data() { return data_; }
  uint64_t bytes() const { return count_ * sizeof(T); }
  std::vector<T> values() const { return {data_, data_ + count_}; }

 private:
  T* const data_;
  const size_t count_;
};

template <class T>
std::vector<T> Reduce(aclrtReduceKind kind, aclDataType type, const std::vector<T>& dst,
                      const std::vector<T>& src) {
  aclrtStream stream = NewStream();
  Buffer<T> to(dst), from(src);
  EXPECT_OK(aclrtReduceAsync(to.data(), from.data(), to.bytes(), kind, type, stream, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(std::memcmp(from.data(), src.data(), from.bytes()), 0);
  return to.values();
}

template <class T>
void ExpectIntegers(aclDataType type) {
  using Limits = std::numeric_limits<T>;
  const std::vector<T> a{1, 2, Limits::max(), Limits::min(), 7};
  const std::vector<T> b{5, 1, 1, Limits::max(), 7};
  EXPECT_EQ(
      Reduce<T>(kSum, type, a, b),
      (std::vector<T>{6, 3, Limits::min(), static_cast<T>(Limits::min() + Limits::max()), 14}));
  EXPECT_EQ(Reduce<T>(kMax, type, a, b), (std::vector<T>{5, 2, Limits::max(), Limits::max(), 7}));
  EXPECT_EQ(Reduce<T>(kMin, type, a, b), (std::vector<T>{1, 1, 1, Limits::min(), 7}));
}

TEST_F(ReduceTest, IntegersWrapAround) {
  ExpectIntegers<int8_t>(ACL_INT8);
  ExpectIntegers<int16_t>(ACL_INT16);
  ExpectIntegers<int32_t>(ACL_INT32);
  ExpectIntegers<uint32_t>(ACL_UINT32);
}

TEST_F(ReduceTest, Floats) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> a{1.5f, -2.0f, infinity, 3.0e38f, 1.0f};
  const std::vector<float> b{2.25f, 5.0f, 1.0f, 3.0e38f, 0x1p-25f};
  EXPECT_EQ(Reduce(kSum, ACL_FLOAT, a, b),
            (std::vector<float>{3.75f, 3.0f, infinity, infinity, 1.0f}));
  EXPECT_EQ(Reduce(kMax, ACL_FLOAT, a, b),
            (std::vector<float>{2.25f, 5.0f, infinity, 3.0e38f, 1.0f}));
  EXPECT_EQ(Reduce(kMin, ACL_FLOAT, a, b),
            (std::vector<float>{1.5f, -2.0f, 1.0f, 3.0e38f, 0x1p-25f}));
}

TEST_F(ReduceTest, ANanStays) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (auto kind : {kSum, kMax, kMin}) {
    for (float value : Reduce<float>(kind, ACL_FLOAT, {nan, 1.0f, nan}, {1.0f, nan, nan})) {
      EXPECT_TRUE(std::isnan(value)) << kind;
    }
  }
}

// 1, 2048, 65504 (the greatest), 1 and their like.
TEST_F(ReduceTest, HalvesAreRoundedOnceToNearestEven) {
  const std::vector<uint16_t> a{0x3c00, 0x6800, 0x7bff, 0xbc00, 0x6801};
  const std::vector<uint16_t> b{0x3c00, 0x3c00, 0x7bff, 0x3800, 0x3c00};
  EXPECT_EQ(Reduce(kSum, ACL_FLOAT16, a, b),
            (std::vector<uint16_t>{0x4000, 0x6800, 0x7c00, 0xb800, 0x6802}));
  EXPECT_EQ(Reduce(kMax, ACL_FLOAT16, a, b),
            (std::vector<uint16_t>{0x3c00, 0x6800, 0x7bff, 0x3800, 0x6801}));
  EXPECT_EQ(Reduce(kMin, ACL_FLOAT16, a, b),
            (std::vector<uint16_t>{0x3c00, 0x3c00, 0x7bff, 0xbc00, 0x3c00}));
}

// 1 + 1, 256 + 1 (a tie, to even), 258 + 1 (likewise), -1 and 0.5.
TEST_F(ReduceTest, Bf16IsRoundedOnceToNearestEven) {
  const std::vector<uint16_t> a{0x3f80, 0x4380, 0x4381, 0xbf80};
  const std::vector<uint16_t> b{0x3f80, 0x3f80, 0x3f80, 0x3f00};
  EXPECT_EQ(Reduce(kSum, ACL_BF16, a, b), (std::vector<uint16_t>{0x4000, 0x4380, 0x4382, 0xbf00}));
  EXPECT_EQ(Reduce(kMax, ACL_BF16, a, b), (std::vector<uint16_t>{0x3f80, 0x4380, 0x4381, 0x3f00}));
  EXPECT_EQ(Reduce(kMin, ACL_BF16, a, b), (std::vector<uint16_t>{0x3f80, 0x3f80, 0x3f80, 0xbf80}));
}

// More elements than a thread takes at once, and a rest.
TEST_F(ReduceTest, ManyElements) {
  std::vector<int32_t> a(70001), b(70001), expected(70001);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<int32_t>(i * 7);
    b[i] = static_cast<int32_t>(i % 13);
    expected[i] = a[i] + b[i];
  }
  EXPECT_EQ(Reduce(kSum, ACL_INT32, a, b), expected);
}

TEST_F(ReduceTest, BothBuffersMayBeTheSame) {
  aclrtStream stream = NewStream();
  Buffer<int32_t> buffer({1, 2, 3});
  EXPECT_OK(aclrtReduceAsync(buffer.data(), buffer.data(), 12, kSum, ACL_INT32, stream, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(buffer.values(), (std::vector<int32_t>{2, 4, 6}));
}

TEST_F(ReduceTest, IsCapturedAndRunsWithEachReplay) {
  aclrtStream stream = NewStream();
  Buffer<int32_t> to({1, 2}), from({10, 20});
  Begin(stream);
  EXPECT_OK(aclrtReduceAsync(to.data(), from.data(), 8, kSum, ACL_INT32, stream, nullptr));
  aclmdlRI graph = End(stream);
  EXPECT_EQ(to.values(), (std::vector<int32_t>{1, 2}));
  Replay(graph, stream);
  Replay(graph, stream);
  EXPECT_EQ(to.values(), (std::vector<int32_t>{21, 42}));
  EXPECT_OK(aclmdlRIDestroy(graph));
}

TEST_F(ReduceTest, RefusesWrongArguments) {
  aclrtStream s = NewStream();
  Buffer<float> to({1, 2, 3, 4}), from({1, 2, 3, 4});
  float* dst = to.data();
  float* src = from.data();
  char* odd = reinterpret_cast<char*>(src) + 1;
  float host[4] = {};
  const int invalid = ACL_ERROR_RT_PARAM_INVALID;
  EXPECT_FAILS(100000, aclrtReduceAsync(nullptr, src, 16, kSum, ACL_FLOAT, s, nullptr), "dst");
  EXPECT_FAILS(100000, aclrtReduceAsync(dst, nullptr, 16, kSum, ACL_FLOAT, s, nullptr), "src");
  EXPECT_FAILS(100000, aclrtReduceAsync(dst, src, 16, kSum, ACL_FLOAT, s, dst), "reserve");
  EXPECT_FAILS(100000, aclrtReduceAsync(dst, src, 16, kSum, ACL_DOUBLE, s, nullptr), "DOUBLE");
  EXPECT_FAILS(invalid, aclrtReduceAsync(dst, src, 0, kSum, ACL_FLOAT, s, nullptr), "0");
  EXPECT_FAILS(invalid, aclrtReduceAsync(dst, src, 6, kSum, ACL_FLOAT, s, nullptr), "6");
  EXPECT_FAILS(invalid, aclrtReduceAsync(dst, odd, 4, kSum, ACL_FLOAT, s, nullptr), "src");
  EXPECT_FAILS(invalid, aclrtReduceAsync(dst, src, 1 << 20, kSum, ACL_FLOAT, s, nullptr), "dst");
  EXPECT_FAILS(invalid, aclrtReduceAsync(dst, host, 16, kSum, ACL_FLOAT, s, nullptr), "src");
  EXPECT_FAILS(invalid, aclrtReduceAsync(host, src, 16, kSum, ACL_FLOAT, s, nullptr), "dst");
  EXPECT_FAILS(invalid, aclrtReduceAsync(dst, dst + 1, 8, kSum, ACL_FLOAT, s, nullptr), "overlap");
  EXPECT_FAILS(
      ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
      aclrtReduceAsync(dst, src, 16, ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL, ACL_FLOAT, s, nullptr),
      "13");
  for (int kind : {9, 14}) {
    EXPECT_FAILS(
        invalid,
        aclrtReduceAsync(dst, src, 16, static_cast<aclrtReduceKind>(kind), ACL_FLOAT, s, nullptr),
        "kind");
  }
  EXPECT_FAILS(
      ACL_ERROR_RT_INVALID_HANDLE,
      aclrtReduceAsync(dst, src, 16, kSum, ACL_FLOAT, reinterpret_cast<aclrtStream>(8), nullptr),
      "stream");
  EXPECT_EQ(to.values(), (std::vector<float>{1, 2, 3, 4}));
}

}  // namespace
}  // namespace anyacl::test
