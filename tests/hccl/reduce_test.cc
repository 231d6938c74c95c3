// SPDX-License-Identifier: Apache-2.0
// The reductions' kernels on every tier that the machine has, against the oracle.
#include "hccl/reduce.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "hccl/data_type.h"
#include "oracle.h"

namespace anyacl::hccl {
namespace {

using namespace test::hccl;
using hccl::SizeOf;

constexpr int kMostSources = 6;

std::vector<std::vector<char>> RandomSources(size_t bytes, size_t element, bool any_bits,
                                             unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<char>> sources(kMostSources, std::vector<char>(bytes + element));
  for (auto& source : sources) {
    for (char& byte : source) byte = static_cast<char>(random());
  }
  if (any_bits) return sources;
  // Floating numbers whose sums and products are seldom infinite: the exponent's upper bits are
  // those of numbers around 1, the last ones and the mantissa are random.
  for (auto& source : sources) {
    for (size_t i = element - 1; i < source.size(); i += element) {
      source[i] = static_cast<char>((source[i] & 0x80) | 0x3c | (source[i] & 0x03));
    }
  }
  return sources;
}

template <class Type>
void Check(HcclDataType type, bool any_bits) {
  using Element = typename Type::Element;
  const size_t lengths[] = {0,  1,   2,   15,   16,   17,   31,   33,   63,
                            65, 511, 513, 2047, 2049, 4095, 4097, 10007};
  constexpr size_t kLongest = 10007;
  constexpr unsigned kSeed = 20261123;
  SCOPED_TRACE(std::string(NameOf(type)) + ", seed " + std::to_string(kSeed));
  const auto original = RandomSources(kLongest * sizeof(Element), sizeof(Element), any_bits, kSeed);
  for (int op_number = 0; op_number < kReductions; ++op_number) {
    const auto op = static_cast<HcclReduceOp>(op_number);
    for (int count : {1, 2, 3, kMostSources}) {
      std::vector<Element> expected(kLongest);
      for (size_t i = 0; i < kLongest; ++i) {
        std::vector<Element> values(static_cast<size_t>(count));
        for (size_t s = 0; s < values.size(); ++s) {
          // One element on, so that vectors are not aligned.
          std::memcpy(&values[s], original[s].data() + (i + 1) * sizeof(Element), sizeof(Element));
        }
        expected[i] = Type::Fold(op, values);
      }
      for (IsaTier tier : kIsaTiers) {
        if (KernelsOf(tier) == nullptr || !CpuSupports(tier)) continue;
        const ReduceFunction reduce = KernelsOf(tier)->reduce[op_number].of[type];
        for (size_t length : lengths) {
          // -1: the result is apart; else it is this source.
          for (int same = -1; same < count; ++same) {
            auto sources = original;
            std::vector<char> apart(original[0].size() + sizeof(Element), 0x5a);
            std::vector<const void*> from;
            for (int s = 0; s < count; ++s) from.push_back(sources[s].data() + sizeof(Element));
            char* to =
                same < 0 ? apart.data() + sizeof(Element) : sources[same].data() + sizeof(Element);
            std::vector<char> before(to - sizeof(Element), to);
            const bool has_after = length < kLongest;
            std::vector<char> after(to + length * sizeof(Element),
                                    to + (length + has_after) * sizeof(Element));
            reduce(to, from.data(), count, length);
            for (size_t i = 0; i < length; ++i) {
              Element actual;
              std::memcpy(&actual, to + i * sizeof(Element), sizeof(Element));
              ASSERT_TRUE(Type::Same(actual, expected[i]))
                  << NameOf(op) << " of " << count << " sources on " << NameOf(tier) << ", element "
                  << i << " of " << length << ", in place of " << same << ": " << +actual
                  << ", expected " << +expected[i];
            }
            ASSERT_EQ(std::memcmp(before.data(), to - sizeof(Element), before.size()), 0);
            ASSERT_EQ(std::memcmp(after.data(), to + length * sizeof(Element), after.size()), 0)
                << NameOf(op) << " wrote behind " << length << " elements";
            for (int s = 0; s < count; ++s) {
              if (s == same) continue;
              ASSERT_EQ(sources[s], original[s]) << "a source was written";
            }
          }
        }
      }
    }
  }
}

TEST(ReduceTest, Int8) { Check<Integers<int8_t>>(HCCL_DATA_TYPE_INT8, true); }
TEST(ReduceTest, Int16) { Check<Integers<int16_t>>(HCCL_DATA_TYPE_INT16, true); }
TEST(ReduceTest, Int32) { Check<Integers<int32_t>>(HCCL_DATA_TYPE_INT32, true); }
TEST(ReduceTest, Int64) { Check<Integers<int64_t>>(HCCL_DATA_TYPE_INT64, true); }
TEST(ReduceTest, Uint8) { Check<Integers<uint8_t>>(HCCL_DATA_TYPE_UINT8, true); }
TEST(ReduceTest, Uint16) { Check<Integers<uint16_t>>(HCCL_DATA_TYPE_UINT16, true); }
TEST(ReduceTest, Uint32) { Check<Integers<uint32_t>>(HCCL_DATA_TYPE_UINT32, true); }
TEST(ReduceTest, Uint64) { Check<Integers<uint64_t>>(HCCL_DATA_TYPE_UINT64, true); }
TEST(ReduceTest, Fp16) { Check<Fp16>(HCCL_DATA_TYPE_FP16, false); }
TEST(ReduceTest, Bf16) { Check<Bf16>(HCCL_DATA_TYPE_BFP16, false); }
TEST(ReduceTest, Fp32) { Check<Floats>(HCCL_DATA_TYPE_FP32, false); }
TEST(ReduceTest, Fp64) { Check<Doubles>(HCCL_DATA_TYPE_FP64, false); }
// Infinities, NaNs, denormals.
TEST(ReduceTest, Fp16OfAnyBits) { Check<Fp16>(HCCL_DATA_TYPE_FP16, true); }
TEST(ReduceTest, Bf16OfAnyBits) { Check<Bf16>(HCCL_DATA_TYPE_BFP16, true); }
TEST(ReduceTest, Fp32OfAnyBits) { Check<Floats>(HCCL_DATA_TYPE_FP32, true); }
TEST(ReduceTest, Fp64OfAnyBits) { Check<Doubles>(HCCL_DATA_TYPE_FP64, true); }

TEST(ReduceTest, KeepsNaNsWhereverTheyStand) {
  const float nan = std::nanf("");
  for (int op = HCCL_REDUCE_MAX; op <= HCCL_REDUCE_MIN; ++op) {
    for (IsaTier tier : kIsaTiers) {
      if (KernelsOf(tier) == nullptr || !CpuSupports(tier)) continue;
      for (size_t place = 0; place < 3; ++place) {
        float values[3][40];
        for (auto& row : values) {
          for (float& value : row) value = 1.0f;
        }
        for (float& value : values[place]) value = nan;
        const void* from[] = {values[0], values[1], values[2]};
        float result[40];
        KernelsOf(tier)->reduce[op].of[HCCL_DATA_TYPE_FP32](result, from, 3, 40);
        for (float value : result) EXPECT_TRUE(std::isnan(value));
      }
    }
  }
}

TEST(ReduceTest, FindsWhatThereIs) {
  for (int type = -1; type < 300; ++type) {
    for (int op = -1; op < 300; ++op) {
      const bool is = type >= 0 && type < 12 && op >= 0 && op < 4;
      EXPECT_EQ(
          FindReduction(static_cast<HcclDataType>(type), static_cast<HcclReduceOp>(op)) != nullptr,
          is)
          << type << " " << op;
    }
  }
}

TEST(DataTypeTest, SizesAndNames) {
  EXPECT_EQ(SizeOf(HCCL_DATA_TYPE_INT8), 1u);
  EXPECT_EQ(SizeOf(HCCL_DATA_TYPE_FP8E8M0), 1u);
  EXPECT_EQ(SizeOf(HCCL_DATA_TYPE_BFP16), 2u);
  EXPECT_EQ(SizeOf(HCCL_DATA_TYPE_UINT32), 4u);
  EXPECT_EQ(SizeOf(HCCL_DATA_TYPE_FP64), 8u);
  EXPECT_EQ(SizeOf(HCCL_DATA_TYPE_INT128), 16u);
  EXPECT_EQ(SizeOf(static_cast<HcclDataType>(13)), 0u);
  EXPECT_EQ(SizeOf(HCCL_DATA_TYPE_RESERVED), 0u);
  EXPECT_STREQ(NameOf(HCCL_DATA_TYPE_BFP16), "bfp16");
  EXPECT_STREQ(NameOf(HCCL_REDUCE_PROD), "prod");
  EXPECT_TRUE(IsReducible(HCCL_DATA_TYPE_UINT64));
  EXPECT_FALSE(IsReducible(HCCL_DATA_TYPE_INT128));
  EXPECT_FALSE(IsReducible(HCCL_DATA_TYPE_FP8E4M3));
  EXPECT_FALSE(IsReducible(static_cast<HcclDataType>(-1)));
}

}  // namespace
}  // namespace anyacl::hccl
