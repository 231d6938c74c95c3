// SPDX-License-Identifier: Apache-2.0
// aclrtRandomNumAsync: the generator by its published answers, which bits become which number, the
// distributions by their moments, and the arguments.
#include <cmath>
#include <cstring>
#include <vector>

#include "capture_calls.h"

namespace anyacl::test {
namespace {

using RandomNumbersTest = RuntimeTest;

constexpr auto kMask = ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK;
constexpr auto kUniform = ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS;
constexpr auto kNormal = ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS;
constexpr auto kTruncated = ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS;
constexpr size_t kRoom = size_t{1} << 22;

template <class T>
aclrtRandomParaInfo Value(T value) {
  aclrtRandomParaInfo info = {};
  std::memcpy(info.valueOrAddr, &value, sizeof(value));
  info.size = sizeof(value);
  return info;
}

aclrtRandomParaInfo At(const void* address) {
  aclrtRandomParaInfo info = Value(address);
  info.isAddr = 1;
  return info;
}

class Random {
 public:
  Random() : stream(NewStream()), counter(static_cast<uint64_t*>(NewDeviceMemory(16))) {
    counter[0] = counter[1] = 0;
    result = NewDeviceMemory(kRoom);
    std::memset(result, 0xee, kRoom);
  }

  template <class T>
  aclrtRandomNumTaskInfo Info(aclrtRandomNumFuncType function, aclDataType type, T first, T second,
                              uint64_t seed, uint64_t count) const {
    aclrtRandomNumTaskInfo info = {};
    info.dataType = type;
    info.randomNumFuncParaInfo.funcType = function;
    info.randomNumFuncParaInfo.paramInfo.uniformDisInfo.min = Value(first);
    info.randomNumFuncParaInfo.paramInfo.uniformDisInfo.max = Value(second);
    info.randomResultAddr = result;
    info.randomCounterAddr = counter;
    info.randomSeed = Value(seed);
    info.randomNum = Value(count);
    return info;
  }

  int Run(const aclrtRandomNumTaskInfo& info) const {
    if (const int code = aclrtRandomNumAsync(&info, stream, nullptr); code != 0) return code;
    return aclrtSynchronizeStream(stream);
  }

  template <class T>
  std::vector<T> Result(size_t count) const {
    const auto* begin = static_cast<const T*>(result);
    return {begin, begin + count};
  }

  const aclrtStream stream;
  uint64_t* const counter;
  void* result = nullptr;
};

// The answers that come with Random123: counter, key, block.
struct Answer {
  uint64_t counter[2];
  uint64_t key;
  uint32_t words[4];
};
const Answer kAnswers[] = {
    {{0, 0}, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{UINT64_MAX, UINT64_MAX}, UINT64_MAX, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x85a308d3243f6a88, 0x0370734413198a2e},
     0x299f31d0a4093822,
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

__extension__ typedef unsigned __int128 Wide;

TEST_F(RandomNumbersTest, BlocksBecomeIntegers) {
  Random random;
  for (const Answer& answer : kAnswers) {
    std::memcpy(random.counter, answer.counter, 16);
    uint64_t parts[2];
    std::memcpy(parts, answer.words, 16);
    const uint32_t range = UINT32_MAX;
    ASSERT_OK(
        random.Run(random.Info(kUniform, ACL_UINT32, uint32_t{0}, uint32_t{range}, answer.key, 2)));
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(random.Result<uint32_t>(2)[i], static_cast<uint32_t>(Wide{parts[i]} * range >> 64));
    }
    // 2^63 values: the upper 63 bits.
    ASSERT_OK(random.Run(
        random.Info(kUniform, ACL_UINT64, uint64_t{0}, uint64_t{1} << 63, answer.key, 1)));
    EXPECT_EQ(random.Result<uint64_t>(1)[0], parts[1] >> 1);
    // 2^64 - 1 values: a 2^64th part of the block's 128 bits less, which may borrow.
    ASSERT_OK(
        random.Run(random.Info(kUniform, ACL_UINT64, uint64_t{0}, UINT64_MAX, answer.key, 1)));
    EXPECT_EQ(random.Result<uint64_t>(1)[0], parts[1] - (parts[0] > parts[1] ? 0 : 1));
    ASSERT_OK(random.Run(
        random.Info(kUniform, ACL_INT64, int64_t{INT64_MIN}, int64_t{0}, answer.key, 1)));
    EXPECT_EQ(random.Result<uint64_t>(1)[0], (parts[1] >> 1) + (uint64_t{1} << 63));
  }
}

TEST_F(RandomNumbersTest, BlocksBecomeFloatsAndBits) {
  Random random;
  for (const Answer& answer : kAnswers) {
    std::memcpy(random.counter, answer.counter, 16);
    ASSERT_OK(random.Run(random.Info(kUniform, ACL_FLOAT, 0.0f, 1.0f, answer.key, 3)));
    for (size_t i = 0; i < 3; ++i) {
      const double exact = answer.words[i] * 0x1p-32;
      const float value = random.Result<float>(3)[i];
      EXPECT_LE(value, exact);
      EXPECT_GT(std::nextafterf(value, 2.0f), exact);
    }
    ASSERT_OK(random.Run(random.Info(kMask, ACL_FLOAT, 0.5f, 0.0f, answer.key, 3)));
    uint8_t expected = 0;
    for (unsigned i = 0; i < 3; ++i) expected |= uint8_t(answer.words[i] < 1u << 31) << i;
    EXPECT_EQ(random.Result<uint8_t>(1)[0], expected);
  }
}

TEST_F(RandomNumbersTest, TheCounterCarriesAndIsNotAdvanced) {
  Random random;
  random.counter[0] = UINT64_MAX;
  ASSERT_OK(random.Run(random.Info(kUniform, ACL_UINT64, uint64_t{0}, uint64_t{1} << 63, 7, 3)));
  const auto across = random.Result<uint64_t>(3);
  EXPECT_EQ(random.counter[0], UINT64_MAX);
  EXPECT_EQ(random.counter[1], 0u);
  random.counter[0] = 0;
  random.counter[1] = 1;
  ASSERT_OK(random.Run(random.Info(kUniform, ACL_UINT64, uint64_t{0}, uint64_t{1} << 63, 7, 2)));
  EXPECT_EQ(random.Result<uint64_t>(1)[0], across[1]);
  EXPECT_EQ(random.Result<uint64_t>(2)[1], across[2]);
}

// Long ones are shared among threads: they begin as short ones do.
TEST_F(RandomNumbersTest, ALongRunBeginsAsAShortOne) {
  Random random;
  const size_t count = 100003;
  for (auto function : {kUniform, kNormal, kTruncated}) {
    ASSERT_OK(random.Run(random.Info(function, ACL_FLOAT, 1.0f, 3.0f, 5, count)));
    const auto all = random.Result<float>(count);
    random.counter[0] = 20000;  // blocks
    ASSERT_OK(random.Run(random.Info(function, ACL_FLOAT, 1.0f, 3.0f, 5, 9)));
    for (size_t i = 0; i < 9; ++i) EXPECT_EQ(random.Result<float>(9)[i], all[80000 + i]);
    random.counter[0] = 0;
  }
}

struct Moments {
  double mean = 0.0, variance = 0.0;
};
Moments MomentsOf(const std::vector<double>& values) {
  Moments m;
  for (double value : values) m.mean += value / static_cast<double>(values.size());
  for (double value : values) {
    m.variance += (value - m.mean) * (value - m.mean) / static_cast<double>(values.size());
  }
  return m;
}

double FromHalf(aclDataType type, uint16_t bits) {
  if (type == ACL_FLOAT16) return aclFloat16ToFloat(bits);
  const uint32_t wide = uint32_t{bits} << 16;
  float value = 0.0f;
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}

std::vector<double> Doubles(const Random& random, aclDataType type, size_t count) {
  std::vector<double> values;
  for (size_t i = 0; i < count; ++i) {
    values.push_back(type == ACL_FLOAT ? double{static_cast<float*>(random.result)[i]}
                                       : FromHalf(type, static_cast<uint16_t*>(random.result)[i]));
  }
  return values;
}

struct Bits {
  aclDataType type;
  uint32_t one, two;  // bits of 1 and 2
};
const Bits kTypes[] = {
    {ACL_FLOAT, 0x3f800000, 0x40000000}, {ACL_FLOAT16, 0x3c00, 0x4000}, {ACL_BF16, 0x3f80, 0x4000}};

aclrtRandomNumTaskInfo FloatInfo(const Random& random, aclrtRandomNumFuncType function,
                                 const Bits& bits, size_t count) {
  if (bits.type == ACL_FLOAT) {
    return random.Info(function, bits.type, bits.one, bits.two, 11, count);
  }
  return random.Info(function, bits.type, static_cast<uint16_t>(bits.one),
                     static_cast<uint16_t>(bits.two), 11, count);
}

// Within five deviations of the moments' own error, at 200,000 numbers, and of rounding.
TEST_F(RandomNumbersTest, FloatsHaveTheMomentsOfTheirDistribution) {
  Random random;
  const size_t count = 200000;
  for (const Bits& bits : kTypes) {
    SCOPED_TRACE(bits.type);
    ASSERT_OK(random.Run(FloatInfo(random, kUniform, bits, count)));
    auto values = Doubles(random, bits.type, count);
    for (double value : values) ASSERT_TRUE(value >= 1.0 && value < 2.0) << value;
    // Numbers in bf16 are rounded down by half of 2^-7 on average.
    EXPECT_NEAR(MomentsOf(values).mean, 1.5, 0.0075);
    EXPECT_NEAR(MomentsOf(values).variance, 1.0 / 12, 0.001);

    ASSERT_OK(random.Run(FloatInfo(random, kNormal, bits, count)));
    const Moments normal = MomentsOf(Doubles(random, bits.type, count));
    EXPECT_NEAR(normal.mean, 1.0, 0.025);
    EXPECT_NEAR(normal.variance, 4.0, 0.07);

    ASSERT_OK(random.Run(FloatInfo(random, kTruncated, bits, count)));
    values = Doubles(random, bits.type, count);
    for (double value : values) ASSERT_TRUE(value >= -3.0 && value <= 5.0) << value;
    EXPECT_NEAR(MomentsOf(values).mean, 1.0, 0.02);
    EXPECT_NEAR(MomentsOf(values).variance, 4.0 * 0.7737413, 0.04);
  }
}

// The share of a normal distribution beyond one and two deviations tells it from others of the
// same moments.
TEST_F(RandomNumbersTest, NormalNumbersHaveTheirTails) {
  Random random;
  const size_t count = 400000;
  ASSERT_OK(random.Run(random.Info(kNormal, ACL_FLOAT, 0.0f, 1.0f, 3, count)));
  double beyond_one = 0, beyond_two = 0;
  for (float value : random.Result<float>(count)) {
    beyond_one += std::fabs(value) > 1.0f;
    beyond_two += std::fabs(value) > 2.0f;
  }
  EXPECT_NEAR(beyond_one / count, 0.3173105, 0.004);
  EXPECT_NEAR(beyond_two / count, 0.0455003, 0.002);
}

TEST_F(RandomNumbersTest, IntegersFillTheirRangeEvenly) {
  Random random;
  const size_t count = 60000;
  ASSERT_OK(random.Run(random.Info(kUniform, ACL_INT32, int32_t{-2}, int32_t{4}, 9, count)));
  std::vector<int> seen(6);
  for (int32_t value : random.Result<int32_t>(count)) {
    ASSERT_TRUE(value >= -2 && value < 4) << value;
    ++seen[static_cast<size_t>(value + 2)];
  }
  for (int times : seen) EXPECT_NEAR(times, 10000, 500);
}

TEST_F(RandomNumbersTest, AMaskHasItsShareOfOnesAndEndsWithZeros) {
  Random random;
  const size_t count = 160003;
  ASSERT_OK(random.Run(random.Info(kMask, ACL_FLOAT, 0.3f, 0.0f, 2, count)));
  const auto bytes = random.Result<uint8_t>(count / 8 + 2);
  double ones = 0;
  for (size_t i = 0; i < count; ++i) ones += bytes[i / 8] >> i % 8 & 1;
  EXPECT_NEAR(ones / count, 0.3, 0.006);
  EXPECT_EQ(bytes[count / 8] >> 3, 0);
  EXPECT_EQ(bytes[count / 8 + 1], 0xee);  // untouched
  ASSERT_OK(random.Run(random.Info(kMask, ACL_FLOAT, 1.0f, 0.0f, 2, 16)));
  EXPECT_EQ(random.Result<uint16_t>(1)[0], 0xffff);
  ASSERT_OK(random.Run(random.Info(kMask, ACL_BF16, uint16_t{0}, uint16_t{0}, 2, 16)));
  EXPECT_EQ(random.Result<uint16_t>(1)[0], 0);
}

TEST_F(RandomNumbersTest, AnEmptyRangeGivesItsOnlyNumber) {
  Random random;
  ASSERT_OK(random.Run(random.Info(kUniform, ACL_FLOAT, 2.5f, 2.5f, 1, 3)));
  EXPECT_EQ(random.Result<float>(3), (std::vector<float>{2.5f, 2.5f, 2.5f}));
  // Two neighbours: the greater one is max, which never comes.
  const float next = std::nextafterf(1.0f, 2.0f);
  ASSERT_OK(random.Run(random.Info(kUniform, ACL_FLOAT, 1.0f, next, 1, 1000)));
  for (float value : random.Result<float>(1000)) ASSERT_EQ(value, 1.0f);
}

TEST_F(RandomNumbersTest, ArgumentsAreReadFromMemoryWhenTheTaskRuns) {
  Random random;
  auto* memory = static_cast<uint64_t*>(NewDeviceMemory(64));
  memory[0] = 0;  // seed
  memory[1] = 1;  // count
  const float limits[] = {5.0f, 5.0f};
  std::memcpy(memory + 2, limits, sizeof(limits));
  auto info = random.Info(kUniform, ACL_FLOAT, 0.0f, 0.0f, 0, 0);
  info.randomSeed = At(memory);
  info.randomNum = At(memory + 1);
  info.randomNumFuncParaInfo.paramInfo.uniformDisInfo.min = At(memory + 2);
  info.randomNumFuncParaInfo.paramInfo.uniformDisInfo.max =
      At(reinterpret_cast<char*>(memory + 2) + 4);
  Begin(random.stream);
  EXPECT_OK(aclrtRandomNumAsync(&info, random.stream, nullptr));
  aclmdlRI graph = End(random.stream);
  memory[1] = 2;
  Replay(graph, random.stream);
  EXPECT_EQ(random.Result<float>(2), (std::vector<float>{5.0f, 5.0f}));
  EXPECT_EQ(random.Result<uint32_t>(3)[2], 0xeeeeeeee);
  // Nonsense in memory fails the task; so does a number of numbers beyond the result's memory.
  memory[1] = kRoom;
  EXPECT_OK(aclmdlRIExecuteAsync(graph, random.stream));
  ExpectFails(ACL_ERROR_RT_PARAM_INVALID, "aclrtRandomNumAsync(",
              [&] { return aclrtSynchronizeStream(random.stream); }, {"randomResultAddr"});
  const float reversed[] = {6.0f, 5.0f};
  std::memcpy(memory + 2, reversed, sizeof(reversed));
  EXPECT_OK(aclmdlRIExecuteAsync(graph, random.stream));
  ExpectFails(ACL_ERROR_RT_PARAM_INVALID, "aclrtRandomNumAsync(",
              [&] { return aclrtSynchronizeStream(random.stream); }, {"min"});
  EXPECT_OK(aclmdlRIDestroy(graph));
}

TEST_F(RandomNumbersTest, ParametersAreStoredWhereTheClientSays) {
  Random random;
  auto* stored = static_cast<uint64_t*>(NewDeviceMemory(16));
  auto info = random.Info(kUniform, ACL_INT64, int64_t{3}, int64_t{4}, 1, 1);
  info.randomParaAddr = stored;
  Gate gate;
  gate.BlockNow(random.stream);
  EXPECT_OK(aclrtRandomNumAsync(&info, random.stream, nullptr));
  EXPECT_EQ(stored[0], 3u);
  EXPECT_EQ(stored[1], 4u);
  stored[0] = 8;
  stored[1] = 9;
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(random.stream));
  EXPECT_EQ(random.Result<int64_t>(1)[0], 8);
}

TEST_F(RandomNumbersTest, RefusesWrongArguments) {
  Random random;
  const int invalid = ACL_ERROR_RT_PARAM_INVALID;
  const auto good = random.Info(kUniform, ACL_FLOAT, 0.0f, 1.0f, 0, 4);
  const auto call = [&](const aclrtRandomNumTaskInfo& info) {
    return aclrtRandomNumAsync(&info, random.stream, nullptr);
  };
  const auto expect = [&](int code, const char* word, const auto& change) {
    auto info = good;
    change(info);
    ExpectFails(code, "aclrtRandomNumAsync(", [&] { return call(info); }, {word});
  };
  EXPECT_FAILS(100000, aclrtRandomNumAsync(nullptr, random.stream, nullptr), "taskInfo");
  EXPECT_FAILS(invalid, aclrtRandomNumAsync(&good, random.stream, random.result), "reserve");
  expect(100000, "dataType", [](auto& i) { i.dataType = ACL_DOUBLE; });
  expect(invalid, "randomCounterAddr", [](auto& i) { i.randomCounterAddr = nullptr; });
  expect(invalid, "randomResultAddr", [](auto& i) { i.randomResultAddr = nullptr; });
  expect(invalid, "randomCounterAddr", [&](auto& i) { i.randomCounterAddr = &i; });
  expect(invalid, "randomResultAddr", [](auto& i) { i.randomNum = Value(uint64_t{kRoom}); });
  expect(invalid, "randomResultAddr", [](auto& i) { i.randomNum = Value(UINT64_MAX); });
  expect(invalid, "randomResultAddr",
         [](auto& i) { i.randomResultAddr = static_cast<char*>(i.randomResultAddr) + 2; });
  expect(invalid, "randomSeed.isAddr", [](auto& i) { i.randomSeed.isAddr = 2; });
  expect(invalid, "randomNum.size", [](auto& i) { i.randomNum.size = 9; });
  expect(invalid, "randomSeed", [&](auto& i) { i.randomSeed = At(&i); });
  expect(invalid, "randomParaAddr", [&](auto& i) { i.randomParaAddr = &i; });
  const auto values = [](auto& i) -> auto& { return i.randomNumFuncParaInfo.paramInfo; };
  expect(invalid, "min.size", [&](auto& i) { values(i).uniformDisInfo.min.size = 5; });
  expect(invalid, "max", [&](auto& i) { values(i).uniformDisInfo.max = Value(-1.0f); });
  expect(invalid, "stddev", [&](auto& i) {
    i.randomNumFuncParaInfo.funcType = kNormal;
    values(i).normalDisInfo.stddev = Value(-1.0f);
  });
  expect(invalid, "dropoutRation", [&](auto& i) {
    i.randomNumFuncParaInfo.funcType = kMask;
    values(i).dropoutBitmaskInfo.dropoutRation = Value(1.5f);
  });
  expect(invalid, "INT32", [](auto& i) {
    i.randomNumFuncParaInfo.funcType = kNormal;
    i.dataType = ACL_INT32;
  });
  for (int function : BeyondEnum({-1, 4})) {
    expect(invalid, "funcType", [&](auto& i) {
      i.randomNumFuncParaInfo.funcType = static_cast<aclrtRandomNumFuncType>(function);
    });
  }
}

}  // namespace
}  // namespace anyacl::test
