// SPDX-License-Identifier: Apache-2.0
// The row kernel of dynamic quantisation, on every tier that this machine has, against the oracle:
// quotients that nearly are half-integers, scales of all sizes, stores past the caches, strides,
// and memory of which not a byte too much may be touched.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "kernels.h"
#include "reference/dynamic_quant.h"
#include "simd/tiers.h"
#include "support/guarded_bytes.h"
#include "support/half.h"
#include "support/random.h"

namespace anyacl::test {
namespace {

using dynamic_quant::Form;
using dynamic_quant::Row;
using dynamic_quant::RowKernel;

std::vector<Form> Forms() {
  std::vector<Form> forms;
  for (Element source : {Element::kFp16, Element::kBf16}) {
    for (Element target : {Element::kInt8, Element::kInt4}) {
      for (bool asymmetric : {false, true}) {
        for (bool smooth : {false, true}) forms.push_back({source, target, asymmetric, smooth});
      }
    }
  }
  return forms;
}

// How a row lies in memory.
struct Steps {
  int64_t x = 1;
  int64_t smooth = 1;
  int64_t y = 1;  // As Row::y_step counts.
  bool past_caches = false;
  size_t y_misaligned_by = 0;
};

using Halves = std::vector<uint16_t>;

// Each case runs on every tier: most of the time goes into what is expected, of all the same.
class KernelTest : public testing::TestWithParam<Form> {
 protected:
  static constexpr uint8_t kCanary = 0xC5;

  KernelTest()
      : form_(GetParam()),
        seed_(SeedOr(21)),
        trace_(__FILE__, __LINE__, "ANYACL_TEST_SEED=" + std::to_string(seed_)),
        random_(seed_) {
    for (IsaTier tier : TiersHere()) {
      kernels_.emplace_back(NameOf(tier), KernelsOf(tier)->dynamic_quant.select_row(form_));
    }
  }

  bool IsInt8() const { return form_.target == Element::kInt8; }
  uint16_t Encode(float value) const {
    return form_.source == Element::kBf16 ? EncodeBf16(value) : EncodeFp16(value);
  }
  float Decode(uint16_t half) const {
    return form_.source == Element::kBf16 ? DecodeBf16(half) : DecodeFp16(half);
  }
  std::vector<float> Decoded(const Halves& halves) const {
    std::vector<float> values;
    for (uint16_t half : halves) values.push_back(Decode(half));
    return values;
  }
  // Of a length that the target takes.
  bool Takes(size_t cols) const { return IsInt8() || cols % 2 == 0; }

  DynamicQuantOutput Expected(const Halves& x, const Halves& smooth) const {
    return DynamicQuant({.rows = 1,
                         .cols = static_cast<int64_t>(x.size()),
                         .x = Decoded(x),
                         .smooth = form_.smooth ? Decoded(smooth) : std::vector<float>(),
                         .group = {},
                         .asymmetric = form_.asymmetric,
                         .bits = IsInt8() ? 8 : 4});
  }

  // The bytes of y from its first to its last, gaps as they were.
  std::vector<uint8_t> Image(const std::vector<int8_t>& y, int64_t step) const {
    std::vector<uint8_t> image;
    const auto byte_at = [&](size_t at) -> uint8_t& {
      if (image.size() <= at) image.resize(at + 1, kCanary);
      return image[at];
    };
    for (size_t j = 0; j < y.size(); ++j) {
      if (IsInt8()) {
        byte_at(j * static_cast<size_t>(step)) = static_cast<uint8_t>(y[j]);
        continue;
      }
      uint8_t& byte = byte_at(j / 8 * static_cast<size_t>(step) * 4 + j % 8 / 2);
      const auto nibble = static_cast<uint8_t>(y[j] & 15);
      byte = static_cast<uint8_t>(j % 2 == 0 ? nibble : byte | nibble << 4);
    }
    return image;
  }

  static Halves Spread(const Halves& values, int64_t step) {
    Halves spread((values.size() - 1) * static_cast<size_t>(std::abs(step)) + 1, 0x7fff);
    for (size_t j = 0; j < values.size(); ++j) {
      const size_t at = j * static_cast<size_t>(std::abs(step));
      spread[step > 0 ? at : spread.size() - 1 - at] = values[j];
    }
    return spread;
  }

  void ExpectExact(const Halves& x, const Halves& smooth, const Steps& steps = {}) {
    const DynamicQuantOutput expected = Expected(x, smooth);
    const std::vector<uint8_t> image = Image(expected.y, steps.y);
    const Halves x_memory = Spread(x, steps.x);
    const Halves smooth_memory = form_.smooth ? Spread(smooth, steps.smooth) : Halves();
    for (const auto& [tier, kernel] : kernels_) {
      SCOPED_TRACE(tier);
      // Canaries on both sides; 64 is the alignment that stores past the caches need.
      std::vector<uint8_t> memory(image.size() + 3 * 64 + steps.y_misaligned_by, kCanary);
      const auto start = reinterpret_cast<uintptr_t>(memory.data());
      const size_t before = 128 - start % 64 + steps.y_misaligned_by;
      float scale = -1;
      float offset = -1;
      kernel({.x = &x_memory[steps.x > 0 ? 0 : x_memory.size() - 1],
              .x_step = steps.x,
              .smooth = form_.smooth ? smooth_memory.data() : nullptr,
              .smooth_step = steps.smooth,
              .cols = static_cast<int64_t>(x.size()),
              .y = memory.data() + before,
              .y_step = steps.y,
              .scale = &scale,
              .offset = form_.asymmetric ? &offset : nullptr,
              .past_caches = steps.past_caches});
      ASSERT_TRUE(SameBits(scale, expected.scale[0]));
      if (form_.asymmetric) {
        ASSERT_TRUE(SameBits(offset, expected.offset[0]));
      }
      for (size_t i = 0; i < memory.size(); ++i) {
        const bool inside = i >= before && i < before + image.size();
        ASSERT_EQ(memory[i], inside ? image[i - before] : kCanary)
            << "byte " << static_cast<int64_t>(i - before) << " of " << image.size() << ", "
            << x.size() << " columns, scale " << scale << " offset " << offset;
      }
    }
  }

  Halves RandomHalves(size_t count, double mean, double deviation) {
    Halves halves(count);
    for (uint16_t& half : halves) {
      half = Encode(static_cast<float>(random_.Normal(mean, deviation)));
    }
    return halves;
  }

  const Form form_;
  std::vector<std::pair<std::string, RowKernel>> kernels_;
  const uint64_t seed_;
  const testing::ScopedTrace trace_;
  Random random_;
};

TEST_P(KernelTest, TouchesNothingBehindItsRow) {
  const GuardedBytes x_memory(4096);
  const GuardedBytes smooth_memory(4096);
  const GuardedBytes y_memory(4096);
  for (size_t cols = 1; cols <= 200; ++cols) {
    if (!Takes(cols)) continue;
    const Halves x = RandomHalves(cols, 0, 2);
    const Halves smooth = RandomHalves(cols, 1, 0.1);
    auto* x_at = x_memory.Last<uint16_t>(cols);
    auto* smooth_at = smooth_memory.Last<uint16_t>(cols);
    std::copy(x.begin(), x.end(), x_at);
    std::copy(smooth.begin(), smooth.end(), smooth_at);
    const DynamicQuantOutput expected = Expected(x, smooth);
    const std::vector<uint8_t> image = Image(expected.y, 1);
    for (const auto& [tier, kernel] : kernels_) {
      SCOPED_TRACE(tier);
      auto* y_at = y_memory.Last<uint8_t>(image.size());
      std::fill_n(y_at, image.size(), kCanary);
      float scale = 0;
      float offset = 0;
      kernel({.x = x_at,
              .x_step = 1,
              .smooth = form_.smooth ? smooth_at : nullptr,
              .smooth_step = 1,
              .cols = static_cast<int64_t>(cols),
              .y = y_at,
              .y_step = 1,
              .scale = &scale,
              .offset = form_.asymmetric ? &offset : nullptr,
              .past_caches = true});
      ASSERT_EQ(std::vector<uint8_t>(y_at, y_at + image.size()), image) << cols << " columns";
    }
  }
}

TEST_P(KernelTest, StoresTheSameBytesPastCaches) {
  for (size_t cols : {2, 62, 64, 66, 128, 192, 200, 1024, 4098}) {
    const Halves x = RandomHalves(cols, 1, 2);
    const Halves smooth = RandomHalves(cols, 1, 0.1);
    for (size_t misaligned : {0, 1, 16, 32}) {
      ExpectExact(x, smooth, {.past_caches = true, .y_misaligned_by = misaligned});
      ExpectExact(x, smooth, {.past_caches = false, .y_misaligned_by = misaligned});
    }
  }
}

TEST_P(KernelTest, StepsInEveryCombination) {
  for (size_t cols : {8, 24, 56, 64, 72, 128, 136}) {
    const Halves x = RandomHalves(cols, 1, 2);
    const Halves smooth = RandomHalves(cols, 1, 0.1);
    for (int64_t x_step : {1, 2, 3, -1, -2}) {
      for (int64_t smooth_step : {1, 2}) {
        for (int64_t y_step : {1, 2, 3}) {
          for (bool past_caches : {false, true}) {
            ExpectExact(
                x, smooth,
                {.x = x_step, .smooth = smooth_step, .y = y_step, .past_caches = past_caches});
          }
        }
      }
    }
  }
}

// Rows made of the values whose quotients come closest to half-integers: where the last bit of a
// shortcut decides.
TEST_P(KernelTest, QuotientsNextToHalvesRoundAsDefined) {
  for (int round = 0; round < 12; ++round) {
    const double size = std::exp2(random_.Uniform(-8, 8));
    Halves candidates = RandomHalves(20000, random_.Uniform(-1, 1) * size, size);
    Halves smooth = RandomHalves(candidates.size(), 1, 0.1);
    // The extremes stay in front: they fix scale and offset for all.
    const DynamicQuantInput all{.rows = 1,
                                .cols = static_cast<int64_t>(candidates.size()),
                                .x = Decoded(candidates),
                                .smooth = form_.smooth ? Decoded(smooth) : std::vector<float>(),
                                .group = {},
                                .asymmetric = form_.asymmetric,
                                .bits = IsInt8() ? 8 : 4};
    const DynamicQuantOutput output = DynamicQuant(all);
    const auto value = [&](size_t j) { return form_.smooth ? all.x[j] * all.smooth[j] : all.x[j]; };
    size_t least = 0;
    size_t largest = 0;
    std::vector<std::pair<float, size_t>> by_distance;
    for (size_t j = 0; j < candidates.size(); ++j) {
      if (value(j) < value(least)) least = j;
      if (value(j) > value(largest)) largest = j;
      float quotient = value(j) / output.scale[0];
      if (form_.asymmetric) quotient += output.offset[0];
      by_distance.emplace_back(std::fabs(quotient - std::floor(quotient) - 0.5f), j);
    }
    std::sort(by_distance.begin(), by_distance.end());
    Halves x = {candidates[least], candidates[largest]};
    Halves x_smooth = {smooth[least], smooth[largest]};
    for (size_t i = 0; i < 510; ++i) {
      x.push_back(candidates[by_distance[i].second]);
      x_smooth.push_back(smooth[by_distance[i].second]);
    }
    ExpectExact(x, x_smooth);
  }
}

// All significands of the maximum, and all values beneath each down to quotients that round to 0.
TEST_P(KernelTest, EveryValueUnderEveryMaximum) {
  if (form_.smooth) return;  // Products are not all of anything.
  const int significands = form_.source == Element::kBf16 ? 128 : 1024;
  const uint16_t one = Encode(1.0f);
  for (int i = 0; i < significands; ++i) {
    Halves x;
    for (int bits = one + i; bits > one - 9 * significands; --bits) {
      const bool negative = bits < one + i && random_.Chance(0.5);
      x.push_back(static_cast<uint16_t>(bits | (negative ? 0x8000 : 0)));
    }
    if (x.size() % 2 == 1) x.push_back(0);
    ExpectExact(x, {});
  }
}

// From the smallest to the largest numbers of the type, including scales that are denormal or
// whose reciprocal would be.
TEST_P(KernelTest, ScalesOfAllSizes) {
  const bool is_bf16 = form_.source == Element::kBf16;
  for (int exponent = is_bf16 ? -133 : -24; exponent <= (is_bf16 ? 127 : 15); ++exponent) {
    for (size_t cols : {30, 64, 130}) {
      Halves x(cols);
      for (uint16_t& half : x) {
        half = Encode(static_cast<float>(std::ldexp(random_.Uniform(-1.9, 1.9), exponent)));
      }
      ExpectExact(x, RandomHalves(cols, 1, 0.1));
    }
  }
}

// Asymmetric rows far from zero, where the offset is many times the range.
TEST_P(KernelTest, NarrowRangesFarFromZero) {
  for (int round = 0; round < 300; ++round) {
    const double center = std::exp2(random_.Uniform(-4, 12)) * (random_.Chance(0.5) ? 1 : -1);
    const double width = std::fabs(center) * std::exp2(random_.Uniform(-12, 0));
    ExpectExact(RandomHalves(130, center, width), RandomHalves(130, 1, 0.001));
  }
}

TEST_P(KernelTest, BitsOfAnyKind) {
  for (int round = 0; round < 300; ++round) {
    const auto cols = static_cast<size_t>(2 * random_.Int(1, 100));
    Halves x(cols);
    Halves smooth = RandomHalves(cols, 1, 0.1);
    const bool finite = random_.Chance(0.7);
    for (uint16_t& half : x) {
      half = static_cast<uint16_t>(random_.Int(0, 0xffff));
      if (finite && !std::isfinite(Decode(half))) half = 0x8000;
    }
    if (random_.Chance(0.3)) {
      for (uint16_t& half : smooth) half = static_cast<uint16_t>(random_.Int(0, 0xffff));
    }
    ExpectExact(x, smooth);
  }
}

INSTANTIATE_TEST_SUITE_P(, KernelTest, testing::ValuesIn(Forms()), [](const auto& info) {
  const Form& form = info.param;
  std::string name = form.source == Element::kBf16 ? "bf16" : "fp16";
  name += form.target == Element::kInt8 ? "_int8" : "_int4";
  name += form.asymmetric ? "_asymmetric" : "_symmetric";
  return name + (form.smooth ? "_smooth" : "");
});

}  // namespace
}  // namespace anyacl::test
