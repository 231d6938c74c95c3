// SPDX-License-Identifier: Apache-2.0
// Loading, storing and copying blocks of every type, on every tier that this machine has: values by
// an oracle written here, layouts by canaries around what may be touched.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels.h"
#include "ops/blocks/kernel.h"
#include "simd/tiers.h"
#include "support/half.h"
#include "support/random.h"

namespace anyacl::test {
namespace {

using blocks::kElements;
using blocks::KernelSet;
using blocks::Tile;

constexpr Element kNumbers[] = {Element::kFp32, Element::kFp64, Element::kInt32, Element::kInt64};

bool IsFloating(Element e) { return e <= Element::kFp64; }

// An element's value; 64 bits of mantissa hold every type's.
long double ValueOf(Element e, const char* at) {
  const auto get = [at](auto value) {
    std::memcpy(&value, at, sizeof(value));
    return value;
  };
  switch (e) {
    case Element::kFp32:
      return get(float{});
    case Element::kFp16:
      return DecodeFp16(get(uint16_t{}));
    case Element::kBf16:
      return DecodeBf16(get(uint16_t{}));
    case Element::kFp64:
      return get(double{});
    case Element::kInt8:
      return get(int8_t{});
    case Element::kUint8:
      return get(uint8_t{});
    case Element::kInt16:
      return get(int16_t{});
    case Element::kUint16:
      return get(uint16_t{});
    case Element::kInt32:
      return get(int32_t{});
    case Element::kUint32:
      return get(uint32_t{});
    case Element::kInt64:
      return get(int64_t{});
    case Element::kUint64:
      return get(uint64_t{});
    default:  // bool
      return get(uint8_t{}) != 0;
  }
}

long double NumberAt(Element n, const char* block, int64_t i) {
  return ValueOf(n, block + i * BytesOf(n));
}

// What loading gives: rounded where the number is narrower, wrapped into int64.
long double Loaded(Element n, long double value) {
  if (n == Element::kFp32) return static_cast<float>(value);
  if (n == Element::kFp64) return static_cast<double>(value);
  if (value >= 0x1p63L) return value - 0x1p64L;
  return value;
}

struct Range {
  long double low, high;
};
Range RangeOf(Element e) {
  const int bits = static_cast<int>(8 * BytesOf(e));
  const bool is_signed =
      e == Element::kInt8 || e == Element::kInt16 || e == Element::kInt32 || e == Element::kInt64;
  if (is_signed) return {-std::ldexp(1.0L, bits - 1), std::ldexp(1.0L, bits - 1) - 1};
  return {0, std::ldexp(1.0L, bits) - 1};
}

// What storing gives.
long double Stored(Element n, long double value, Element e) {
  switch (e) {
    case Element::kFp32:
      return static_cast<float>(value);
    case Element::kFp64:
      return static_cast<double>(value);
    case Element::kFp16:
    case Element::kBf16: {
      // Rounded to odd in 24 bits first: then the second rounding is the only one.
      if (std::isnan(value) || std::isinf(value) || value == 0) {
        const auto same = static_cast<float>(value);
        return e == Element::kFp16 ? DecodeFp16(EncodeFp16(same)) : DecodeBf16(EncodeBf16(same));
      }
      auto odd = static_cast<float>(value);
      if (odd != value) {
        if (std::fabs(static_cast<long double>(odd)) > std::fabs(value))
          odd = std::nextafter(odd, 0.0f);
        odd = std::bit_cast<float>(std::bit_cast<uint32_t>(odd) | 1u);
      }
      return e == Element::kFp16 ? DecodeFp16(EncodeFp16(odd)) : DecodeBf16(EncodeBf16(odd));
    }
    case Element::kBool:
      return value != 0;
    default:
      break;
  }
  const auto [low, high] = RangeOf(e);
  if (n == Element::kFp32 || n == Element::kFp64) {
    if (std::isnan(value)) return 0;
    return std::clamp(std::trunc(value), low, high);
  }
  const long double size = high - low + 1;
  long double wrapped = std::fmod(value - low, size);
  if (wrapped < 0) wrapped += size;
  return wrapped + low;
}

bool SameValue(long double a, long double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b)) ||
         (a == 0 && b == 0);
}

class BlocksTest : public testing::TestWithParam<IsaTier> {
 protected:
  static constexpr char kCanary = 0x5A;

  BlocksTest()
      : kernels_(KernelsOf(GetParam())->blocks),
        seed_(SeedOr(41)),
        trace_(__FILE__, __LINE__, "ANYACL_TEST_SEED=" + std::to_string(seed_)),
        random_(seed_) {}

  // An element with any bits, or a number of ordinary size.
  void PutAny(Element e, char* at) {
    const int64_t bytes = BytesOf(e);
    if (!IsFloating(e) || random_.Chance(0.5)) {
      for (int64_t i = 0; i < bytes; ++i) at[i] = static_cast<char>(random_.Int(-128, 127));
      return;
    }
    const double value = random_.Normal(0, std::ldexp(1.0, static_cast<int>(random_.Int(-3, 70))));
    const auto narrow = static_cast<float>(value);
    const uint16_t half = e == Element::kFp16 ? EncodeFp16(narrow) : EncodeBf16(narrow);
    if (e == Element::kFp64) std::memcpy(at, &value, 8);
    if (e == Element::kFp32) std::memcpy(at, &narrow, 4);
    if (bytes == 2) std::memcpy(at, &half, 2);
  }

  const KernelSet& kernels_;
  const uint64_t seed_;
  testing::ScopedTrace trace_;
  Random random_;
};
ANYACL_FOR_EACH_TIER(BlocksTest);

// Contiguous, with gaps, every other element, transposed, that with gaps, backwards, repeated.
std::vector<Tile> Layouts(int64_t rows, int64_t cols, bool repeats) {
  std::vector<Tile> tiles = {
      {nullptr, rows, cols, cols, 1, false},         {nullptr, rows, cols, cols + 3, 1, false},
      {nullptr, rows, cols, 2 * cols + 1, 2, false}, {nullptr, rows, cols, 1, rows, false},
      {nullptr, rows, cols, 1, rows + 3, false},     {nullptr, rows, cols, -cols, -1, false}};
  if (repeats) {
    tiles.push_back({nullptr, rows, cols, 1, 0, false});
    tiles.push_back({nullptr, rows, cols, 0, 1, false});
  }
  return tiles;
}

std::string Trace(Element number, Element element) {
  return "number " + std::to_string(static_cast<int>(number)) + ", element " +
         std::to_string(static_cast<int>(element));
}

struct Memory {
  std::vector<char> bytes;
  Tile tile;
  Memory(Tile layout, int64_t element_bytes, char fill, int64_t shift = 0) : tile(layout) {
    const auto reach = [](int64_t count, int64_t stride) { return (count - 1) * stride; };
    const int64_t r = reach(layout.rows, layout.row_stride),
                  c = reach(layout.cols, layout.col_stride);
    const int64_t low = std::min<int64_t>(r, 0) + std::min<int64_t>(c, 0);
    const int64_t high = std::max<int64_t>(r, 0) + std::max<int64_t>(c, 0);
    bytes.assign(static_cast<size_t>((high - low + 1 + shift) * element_bytes + 64), fill);
    tile.data = bytes.data() + (shift - low) * element_bytes;
  }
  int64_t At(int64_t k) const {
    return k / tile.cols * tile.row_stride + k % tile.cols * tile.col_stride;
  }
};

constexpr std::pair<int64_t, int64_t> kShapes[] = {{1, 1}, {1, 100}, {1, 33},
                                                   {7, 5}, {32, 32}, {35, 70}};

TEST_P(BlocksTest, LoadsWhatItIs) {
  for (Element number : kNumbers) {
    for (int e = 0; e < kElements; ++e) {
      const auto load = kernels_.Of(number).load[e];
      if (load == nullptr) continue;
      const auto element = static_cast<Element>(e);
      const int64_t bytes = BytesOf(element);
      SCOPED_TRACE(Trace(number, element));
      for (const auto& [rows, cols] : kShapes) {
        for (const Tile& layout : Layouts(rows, cols, true)) {
          Memory from(layout, bytes, 0);
          for (int64_t k = 0; k < rows * cols; ++k) {
            PutAny(element, from.tile.data + from.At(k) * bytes);
          }
          const auto used = static_cast<size_t>(rows * cols * BytesOf(number));
          std::vector<char> block(used + 64, kCanary);
          load(from.tile, block.data());
          for (int64_t k = 0; k < rows * cols; ++k) {
            const long double value = ValueOf(element, from.tile.data + from.At(k) * bytes);
            ASSERT_TRUE(SameValue(NumberAt(number, block.data(), k), Loaded(number, value)))
                << static_cast<double>(value);
          }
          ASSERT_EQ(std::count(block.begin() + static_cast<int64_t>(used), block.end(), kCanary),
                    64);
        }
      }
    }
  }
}

TEST_P(BlocksTest, StoresRoundedOnceAndNothingBeside) {
  for (Element number : kNumbers) {
    for (int e = 0; e < kElements; ++e) {
      const auto element = static_cast<Element>(e);
      const int64_t bytes = BytesOf(element);
      SCOPED_TRACE(Trace(number, element));
      for (const auto& [rows, cols] : kShapes) {
        for (Tile layout : Layouts(rows, cols, false)) {
          layout.past_caches = random_.Chance(0.5);
          Memory to(layout, bytes, kCanary, random_.Int(0, 20));
          std::vector<char> block(static_cast<size_t>(rows * cols * BytesOf(number)));
          for (int64_t k = 0; k < rows * cols; ++k) {
            PutAny(number, block.data() + k * BytesOf(number));
          }
          kernels_.Of(number).store[e](block.data(), to.tile);
          kernels_.fence();
          std::vector<char> rest = to.bytes;
          for (int64_t k = 0; k < rows * cols; ++k) {
            char* at = to.tile.data + to.At(k) * bytes;
            const long double value = NumberAt(number, block.data(), k);
            ASSERT_TRUE(SameValue(ValueOf(element, at), Stored(number, value, element)))
                << static_cast<double>(value) << " became "
                << static_cast<double>(ValueOf(element, at));
            std::fill_n(rest.data() + (at - to.bytes.data()), bytes, kCanary);
          }
          ASSERT_EQ(std::count(rest.begin(), rest.end(), kCanary),
                    static_cast<int64_t>(rest.size()));
        }
      }
    }
  }
}

TEST_P(BlocksTest, CopiesBits) {
  for (int s = 0; s < 5; ++s) {
    const int64_t bytes = int64_t{1} << s;
    SCOPED_TRACE(std::to_string(bytes) + " bytes");
    for (const auto& [rows, cols] : kShapes) {
      for (const Tile& source : Layouts(rows, cols, true)) {
        for (Tile target : Layouts(rows, cols, false)) {
          target.past_caches = random_.Chance(0.5);
          Memory from(source, bytes, 0), to(target, bytes, kCanary, random_.Int(0, 20));
          for (char& byte : from.bytes) byte = static_cast<char>(random_.Int(-128, 127));
          kernels_.copy[s](from.tile, to.tile);
          kernels_.fence();
          std::vector<char> rest = to.bytes;
          for (int64_t k = 0; k < rows * cols; ++k) {
            char* at = to.tile.data + to.At(k) * bytes;
            ASSERT_EQ(
                std::memcmp(at, from.tile.data + from.At(k) * bytes, static_cast<size_t>(bytes)),
                0);
            std::fill_n(rest.data() + (at - to.bytes.data()), bytes, kCanary);
          }
          ASSERT_EQ(std::count(rest.begin(), rest.end(), kCanary),
                    static_cast<int64_t>(rest.size()));
        }
      }
    }
  }
}

}  // namespace
}  // namespace anyacl::test
