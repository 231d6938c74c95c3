// SPDX-License-Identifier: Apache-2.0
// Loads, stores, conversions of storage types; exhaustive where an element has 16 bits or fewer.
#include <algorithm>
#include <cstring>

#include "simd/tiers.h"
#include "support/guarded_bytes.h"
#include "support/half.h"

namespace anyacl::test {
namespace {

constexpr size_t kGuarded = 1024;

class VectorMemory : public TierTest {
 protected:
  // A partial load reads nothing behind its n elements and fills up with zeros.
  template <class T, class Probe>
  void ExpectPartialLoad(Probe probe, size_t lanes) {
    const GuardedBytes memory(kGuarded);
    for (size_t n = 0; n <= lanes; ++n) {
      T* x = memory.Last<T>(n);
      for (size_t i = 0; i < n; ++i) x[i] = static_cast<T>(i + 1);
      Vector<T, 64> y;
      std::fill(y.at, y.at + 64, static_cast<T>(99));
      probe(x, n, y);
      for (size_t i = 0; i < lanes; ++i) ASSERT_EQ(y[i], static_cast<T>(i < n ? i + 1 : 0));
    }
  }
  // A partial store writes its n elements and nothing else.
  template <class T, class Probe>
  void ExpectPartialStore(Probe probe, size_t lanes) {
    const GuardedBytes memory(kGuarded);
    Vector<T, 64> x;
    for (size_t i = 0; i < lanes; ++i) x.at[i] = static_cast<T>(i + 1);
    for (size_t n = 0; n <= lanes; ++n) {
      T* y = memory.Last<T>(n);
      y[-1] = static_cast<T>(99);
      probe(x, n, y);
      ASSERT_EQ(y[-1], static_cast<T>(99));
      for (size_t i = 0; i < n; ++i) ASSERT_EQ(y[i], x[i]) << i << " of " << n;
      // In the middle of memory as well: what follows must not be written over either.
      std::fill(y - 2 * lanes, y - lanes, static_cast<T>(99));
      probe(x, n, y - 2 * lanes);
      for (size_t i = n; i < lanes; ++i)
        ASSERT_EQ(y[static_cast<ptrdiff_t>(i) - 2 * static_cast<ptrdiff_t>(lanes)],
                  static_cast<T>(99));
    }
  }
};
ANYACL_FOR_EACH_TIER(VectorMemory);

TEST_P(VectorMemory, PartialLoadsStayInside) {
  ExpectPartialLoad<float>(probes_.load_n_f32, 16);
  ExpectPartialLoad<int32_t>(probes_.load_n_i32, 16);
  ExpectPartialLoad<int16_t>(probes_.load_n_i16, 32);
  ExpectPartialLoad<int8_t>(probes_.load_n_i8, 64);
  ExpectPartialLoad<uint8_t>(probes_.load_n_i4, 32);
}

TEST_P(VectorMemory, PartialStoresStayInside) {
  ExpectPartialStore<float>(probes_.store_n_f32, 16);
  ExpectPartialStore<int32_t>(probes_.store_n_i32, 16);
  ExpectPartialStore<int16_t>(probes_.store_n_i16, 32);
  ExpectPartialStore<int8_t>(probes_.store_n_i8, 64);
  ExpectPartialStore<uint8_t>(probes_.store_n_i4, 32);
}

TEST_P(VectorMemory, PartialWideningLoadsStayInside) {
  const GuardedBytes memory(kGuarded);
  for (size_t n = 0; n <= kLanes; ++n) {
    uint16_t* halves = memory.Last<uint16_t>(n);
    F32s y;
    for (size_t i = 0; i < n; ++i) halves[i] = EncodeFp16(static_cast<float>(i) + 1.5f);
    probes_.load_fp16_n(halves, n, y);
    for (size_t i = 0; i < kLanes; ++i) {
      ASSERT_EQ(y[i], i < n ? static_cast<float>(i) + 1.5f : 0.0f);
    }
    for (size_t i = 0; i < n; ++i) halves[i] = EncodeBf16(static_cast<float>(i) + 1.5f);
    probes_.load_bf16_n(halves, n, y);
    for (size_t i = 0; i < kLanes; ++i) {
      ASSERT_EQ(y[i], i < n ? static_cast<float>(i) + 1.5f : 0.0f);
    }
    int8_t* bytes = memory.Last<int8_t>(n);
    for (size_t i = 0; i < n; ++i) bytes[i] = static_cast<int8_t>(-3 - static_cast<int>(i));
    I32s integers;
    probes_.load_i8_n(bytes, n, integers);
    for (size_t i = 0; i < kLanes; ++i) {
      ASSERT_EQ(integers[i], i < n ? -3 - static_cast<int>(i) : 0);
    }
  }
}

TEST_P(VectorMemory, PartialNarrowingStoresStayInside) {
  const GuardedBytes memory(kGuarded);
  F32s x;
  I32s integers;
  for (size_t i = 0; i < kLanes; ++i) {
    x.at[i] = static_cast<float>(i) + 1.5f;
    integers.at[i] = static_cast<int32_t>(i) - 300;
  }
  for (size_t n = 0; n <= kLanes; ++n) {
    uint16_t* halves = memory.Last<uint16_t>(n);
    halves[-1] = 99;
    probes_.store_fp16_n(x, n, halves);
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(halves[i], EncodeFp16(x[i]));
    probes_.store_bf16_n(x, n, halves);
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(halves[i], EncodeBf16(x[i]));
    ASSERT_EQ(halves[-1], 99);
    int8_t* bytes = memory.Last<int8_t>(n);
    bytes[-1] = 99;
    probes_.store_i8_n(integers, n, bytes);
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(bytes[i], -128);
    ASSERT_EQ(bytes[-1], 99);
  }
}

TEST_P(VectorMemory, WidensEveryHalf) {
  for (uint32_t first = 0; first < 0x10000; first += kLanes) {
    uint16_t x[kLanes];
    for (size_t i = 0; i < kLanes; ++i) x[i] = static_cast<uint16_t>(first + i);
    F32s fp16, bf16;
    probes_.load_fp16(x, fp16);
    probes_.load_bf16(x, bf16);
    for (size_t i = 0; i < kLanes; ++i) {
      ASSERT_TRUE(SameBits(fp16[i], DecodeFp16(x[i]))) << x[i];
      ASSERT_TRUE(SameBits(bf16[i], DecodeBf16(x[i]))) << x[i];
    }
  }
}

TEST_P(VectorMemory, PutsHalvesInOrder) {
  for (uint32_t first = 0; first < 0x10000; first += 2 * kLanes) {
    uint16_t x[2 * kLanes];
    for (size_t i = 0; i < 2 * kLanes; ++i) x[i] = static_cast<uint16_t>(first + i);
    float y[2 * kLanes];
    probes_.load_halves_bf16(x, y);
    for (size_t i = 0; i < 2 * kLanes; ++i) ASSERT_TRUE(SameBits(y[i], DecodeBf16(x[i]))) << x[i];
  }
}

TEST_P(VectorMemory, NarrowsToTheNearestHalf) {
  F32s last = {};
  const auto expect = [&](const F32s& x) {
    uint16_t fp16[kLanes], bf16[kLanes], before[kLanes], both[2 * kLanes], pair[2 * kLanes];
    probes_.store_fp16(x, fp16);
    probes_.store_bf16(x, bf16);
    // 32 at a time those before and these, of which either may have NaNs: with the same bits.
    probes_.store_bf16(last, before);
    float thirty_two[2 * kLanes];
    for (size_t i = 0; i < kLanes; ++i) {
      thirty_two[i] = last[i];
      thirty_two[kLanes + i] = x[i];
    }
    probes_.store_both_bf16(thirty_two, both);
    probes_.store_pair_bf16(last, x, pair);
    for (size_t i = 0; i < kLanes; ++i) {
      ASSERT_EQ(both[i], before[i]) << std::hexfloat << last[i];
      ASSERT_EQ(both[kLanes + i], bf16[i]) << std::hexfloat << x[i];
      ASSERT_EQ(pair[2 * i], before[i]) << std::hexfloat << last[i];
      ASSERT_EQ(pair[2 * i + 1], bf16[i]) << std::hexfloat << x[i];
    }
    last = x;
    for (size_t i = 0; i < kLanes; ++i) {
      if (std::isnan(x[i])) {
        ASSERT_TRUE(std::isnan(DecodeFp16(fp16[i])) && std::isnan(DecodeBf16(bf16[i])));
      } else {
        ASSERT_EQ(fp16[i], EncodeFp16(x[i])) << std::hexfloat << x[i];
        ASSERT_EQ(bf16[i], EncodeBf16(x[i])) << std::hexfloat << x[i];
      }
    }
  };
  // Every half, the middle between it and the next, and the floats around both.
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float values[2] = {DecodeFp16(static_cast<uint16_t>(bits)),
                             DecodeBf16(static_cast<uint16_t>(bits))};
    const uint32_t half_steps[2] = {1u << 12, 1u << 15};
    F32s x;
    for (size_t kind = 0; kind < 2; ++kind) {
      const uint32_t at = std::bit_cast<uint32_t>(values[kind]);
      const float next = kind == 0 ? DecodeFp16(static_cast<uint16_t>(bits + 1)) : 0.0f;
      const bool subnormal_fp16 = kind == 0 && (bits & 0x7fff) < 0x0400;
      const uint32_t middle =
          subnormal_fp16 ? std::bit_cast<uint32_t>((values[0] + next) / 2) : at + half_steps[kind];
      const uint32_t around[8] = {at,         at + 1,     at - 1,     middle,
                                  middle + 1, middle - 1, middle + 7, middle - 9};
      for (size_t i = 0; i < 8; ++i) x.at[8 * kind + i] = std::bit_cast<float>(around[i]);
    }
    expect(x);
    if (HasFatalFailure()) return;
  }
  for (int round = 0; round < 2000; ++round) {
    expect(AnyFloats(random_));
    if (HasFatalFailure()) return;
  }
}

TEST_P(VectorMemory, PackingSaturatesAndKeepsTheOrder) {
  for (int round = 0; round < 2000; ++round) {
    Vector<int32_t, 64> x;
    for (int32_t& value : x.at) value = AnyInt(random_);
    Vector<int8_t, 64> packed, single, unpacked;
    probes_.pack_i8(x, packed);
    for (size_t i = 0; i < 64; i += kLanes) probes_.store_i8(x + i, single + i);
    for (size_t i = 0; i < 64; ++i) {
      ASSERT_EQ(packed[i], std::clamp(x[i], -128, 127));
      ASSERT_EQ(single[i], packed[i]);
    }
    Vector<uint8_t, 32> nibbles;
    probes_.pack_i4(packed, nibbles);
    for (size_t i = 0; i < 32; ++i) {
      const int low = std::clamp(x[2 * i], -8, 7), high = std::clamp(x[2 * i + 1], -8, 7);
      ASSERT_EQ(nibbles[i], (low & 15) | (high & 15) << 4);
    }
    probes_.unpack_i4(nibbles, unpacked);
    for (size_t i = 0; i < 64; ++i) ASSERT_EQ(unpacked[i], std::clamp(x[i], -8, 7));
  }
}

TEST_P(VectorMemory, WidensEveryByte) {
  for (int first = -128; first < 128; first += 64) {
    Vector<int8_t, 64> x;
    for (size_t i = 0; i < 64; ++i) x.at[i] = static_cast<int8_t>(first + static_cast<int>(i));
    Vector<int32_t, 64> widened, loaded;
    probes_.widen(x, widened);
    for (size_t i = 0; i < 64; i += kLanes) probes_.load_i8(x + i, loaded + i);
    for (size_t i = 0; i < 64; ++i) {
      ASSERT_EQ(widened[i], x[i]);
      ASSERT_EQ(loaded[i], x[i]);
    }
  }
}

TEST_P(VectorMemory, StoresPastCachesWhatItLoads) {
  const F32s x = AnyFloats(random_);
  F32s y;
  probes_.stream_f32(x, y);
  EXPECT_EQ(std::memcmp(x.at, y.at, sizeof(x.at)), 0);
  Vector<int8_t, 64> bytes, copy;
  for (int8_t& value : bytes.at) value = static_cast<int8_t>(AnyInt(random_));
  probes_.stream_i8(bytes, copy);
  EXPECT_EQ(std::memcmp(bytes.at, copy.at, 64), 0);
  Vector<uint8_t, 32> nibbles, nibbles_copy;
  for (uint8_t& value : nibbles.at) value = static_cast<uint8_t>(AnyInt(random_));
  probes_.stream_i4(nibbles, nibbles_copy);
  EXPECT_EQ(std::memcmp(nibbles.at, nibbles_copy.at, 32), 0);
}

}  // namespace
}  // namespace anyacl::test
