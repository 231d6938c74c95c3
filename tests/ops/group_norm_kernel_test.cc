// SPDX-License-Identifier: Apache-2.0
// The kernels of group normalisation on every tier that this machine has: the bits of the base
// tier, stores past the caches, and memory of which not a byte too much may be touched.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include "kernels.h"
#include "simd/tiers.h"
#include "support/guarded_bytes.h"
#include "support/half.h"
#include "support/random.h"

namespace anyacl::test {
namespace {

using group_norm::Kernels;
using group_norm::Moments;
using group_norm::Slab;
using group_norm::Sums;

class KernelTest : public testing::TestWithParam<std::tuple<IsaTier, Element>> {
 protected:
  static constexpr char kCanary = 0x5A;

  KernelTest()
      : element_(std::get<1>(GetParam())),
        kernels_(KernelsOf(std::get<0>(GetParam()))->group_norm.Of(element_)),
        base_(KernelsOf(IsaTier::kBase)->group_norm.Of(element_)),
        bytes_(BytesOf(element_)),
        seed_(SeedOr(31)),
        trace_(__FILE__, __LINE__, "ANYACL_TEST_SEED=" + std::to_string(seed_)),
        random_(seed_) {}

  void Put(char* to, float value) const {
    if (element_ == Element::kFp32) return void(std::memcpy(to, &value, 4));
    const uint16_t bits = element_ == Element::kFp16 ? EncodeFp16(value) : EncodeBf16(value);
    std::memcpy(to, &bits, 2);
  }
  float Get(const char* from) const {
    if (element_ == Element::kFp32) {
      float value;
      std::memcpy(&value, from, 4);
      return value;
    }
    uint16_t bits;
    std::memcpy(&bits, from, 2);
    return element_ == Element::kFp16 ? DecodeFp16(bits) : DecodeBf16(bits);
  }

  // Numbers of magnitudes around 2^exponent, encoded.
  std::vector<char> Numbers(int64_t count, int exponent) {
    std::vector<char> bytes(static_cast<size_t>(count) * bytes_);
    for (size_t i = 0; i < bytes.size(); i += bytes_) {
      Put(&bytes[i], std::ldexp(static_cast<float>(random_.Uniform(-2, 2)),
                                exponent + static_cast<int>(random_.Int(-2, 2))));
    }
    return bytes;
  }
  std::vector<float> Gammas(int64_t count) {
    std::vector<float> gammas;
    for (int64_t i = 0; i < count; ++i) {
      gammas.push_back(static_cast<float>(random_.Normal(1, 0.5)));
    }
    return gammas;
  }

  bool SameNumber(const char* a, const char* b) const {
    return std::memcmp(a, b, bytes_) == 0 || (std::isnan(Get(a)) && std::isnan(Get(b)));
  }

  // Runs the tier and base, into memory whose begin lies `shift` elements behind a cache line.
  void ExpectBitsOfBase(int64_t rows, int64_t cols, float mean, float rstd, int exponent,
                        bool stream, size_t shift) {
    const std::vector<char> dy = Numbers(rows * cols, exponent);
    const std::vector<char> x = Numbers(rows * cols, 0);
    const std::vector<float> gamma = Gammas(rows);
    Slab slab = {dy.data(), x.data(), rows, cols, mean, rstd, 0};
    if (stream) slab.ahead = int64_t{1} << 40;  // what is prefetched need not exist
    std::vector<Sums> sums(static_cast<size_t>(rows)), base_sums(sums.size());
    kernels_.sum_products(slab, sums.data());
    base_.sum_products(slab, base_sums.data());
    for (size_t r = 0; r < sums.size(); ++r) {
      ASSERT_TRUE(SameBits(sums[r].dy, base_sums[r].dy)) << "row " << r;
      ASSERT_TRUE(SameBits(sums[r].dy_xh, base_sums[r].dy_xh)) << "row " << r;
    }
    const float c1 = std::ldexp(0.25f, exponent), c2 = std::ldexp(-0.5f, exponent);
    ExpectSameWrites(dy.size(), shift, [&](const Kernels& kernels, char* dx, bool tested) {
      kernels.write_gradient(slab, {dx, gamma.data(), c1, c2, stream && tested});
    });
    ExpectForwardBitsOfBase(slab, gamma, exponent, stream, shift);
  }

  void ExpectForwardBitsOfBase(const Slab& slab, const std::vector<float>& gamma, int exponent,
                               bool stream, size_t shift) {
    const auto rows = static_cast<size_t>(slab.rows);
    std::vector<Moments> moments(rows), base_moments(rows);
    kernels_.find_moments(slab, moments.data());
    base_.find_moments(slab, base_moments.data());
    for (size_t r = 0; r < rows; ++r) {
      ASSERT_TRUE(SameBits(moments[r].mean, base_moments[r].mean)) << "row " << r;
      ASSERT_TRUE(SameBits(moments[r].squares, base_moments[r].squares)) << "row " << r;
    }
    std::vector<float> beta;
    for (float value : gamma) beta.push_back(std::ldexp(value, exponent));
    const size_t size = rows * static_cast<size_t>(slab.cols) * bytes_;
    ExpectSameWrites(size, shift, [&](const Kernels& kernels, char* out, bool tested) {
      kernels.normalize(slab, {out, beta.data(), gamma.data(), 1e-8f, stream && tested});
    });
  }

  // write(kernels, to, whether these are the tested ones) writes `size` bytes.
  template <class Write>
  void ExpectSameWrites(size_t size, size_t shift, const Write& write) const {
    std::vector<char> actual(size + 4 * 64, kCanary), expected(size);
    char* at = actual.data() + 64;
    at += 64 - reinterpret_cast<uintptr_t>(at) % 64 + shift * bytes_;
    write(kernels_, at, true);
    write(base_, expected.data(), false);
    for (size_t i = 0; i < expected.size(); i += bytes_) {
      ASSERT_TRUE(SameNumber(at + i, &expected[i]))
          << "element " << i / bytes_ << ": " << Get(at + i) << ", expected " << Get(&expected[i]);
    }
    EXPECT_EQ(std::count(actual.data(), at, kCanary), at - actual.data());
    EXPECT_EQ(std::count(at + size, actual.data() + actual.size(), kCanary),
              actual.data() + actual.size() - (at + size));
  }

  static testing::AssertionResult SameBits(double actual, double expected) {
    if (std::memcmp(&actual, &expected, sizeof actual) == 0 ||
        (std::isnan(actual) && std::isnan(expected))) {
      return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << actual << ", expected " << expected;
  }

  const Element element_;
  const Kernels kernels_, base_;
  const size_t bytes_;
  const uint64_t seed_;
  const testing::ScopedTrace trace_;
  Random random_;
};

TEST_P(KernelTest, EveryRowLength) {
  for (int64_t cols = 1; cols <= 140; ++cols) {
    for (bool stream : {false, true}) {
      ExpectBitsOfBase(3, cols, 0.1f, 0.8f, 0, stream, static_cast<size_t>(cols) % 3);
    }
  }
  for (int64_t cols : {511, 512, 513, 1023, 1025, 1600, 4097}) {
    ExpectBitsOfBase(2, cols, -0.3f, 1.7f, 0, true, 0);
  }
}

TEST_P(KernelTest, EveryAlignmentOfStreams) {
  for (size_t shift = 0; shift <= 32; ++shift) {
    ExpectBitsOfBase(2, 200, 0.2f, 1.1f, 0, true, shift);
    ExpectBitsOfBase(1, 7, 0.2f, 1.1f, 0, true, shift);
  }
}

// Among them statistics that are applied to each element instead of whole rows.
TEST_P(KernelTest, StatisticsOfAllSizes) {
  for (float rstd : {0.0f, -1.5f, 0x1p-21f, 0x1p-20f, 0x1p20f, 0x1.8p20f, 1e-30f, 1e30f, 1e-42f,
                     INFINITY, -INFINITY, NAN}) {
    for (float mean : {0.0f, 1.0f, -1e4f, 1e30f, INFINITY, NAN}) {
      ExpectBitsOfBase(2, 77, mean, rstd, 0, false, 0);
    }
  }
}

// Results from denormal to infinite.
TEST_P(KernelTest, GradientsOfAllSizes) {
  const int low = element_ == Element::kFp16 ? -26 : -140;
  const int high = element_ == Element::kFp16 ? 16 : 128;
  for (int exponent = low; exponent <= high; ++exponent) {
    ExpectBitsOfBase(2, 96, 0.5f, 0.9f, exponent, exponent % 2 == 0, 0);
  }
}

// Any bits: NaN, infinities, denormals of both inputs.
TEST_P(KernelTest, BitsOfAnyKind) {
  for (int round = 0; round < 200; ++round) {
    const int64_t cols = random_.Int(1, 90);
    std::vector<char> dy(static_cast<size_t>(cols) * bytes_), x(dy.size());
    for (char& byte : dy) byte = static_cast<char>(random_.Int(-128, 127));
    for (char& byte : x) byte = static_cast<char>(random_.Int(-128, 127));
    const Slab slab = {dy.data(), x.data(), 1, cols, 0.25f, 0.75f, 0};
    Sums sums, base_sums;
    kernels_.sum_products(slab, &sums);
    base_.sum_products(slab, &base_sums);
    EXPECT_TRUE(SameBits(sums.dy, base_sums.dy));
    EXPECT_TRUE(SameBits(sums.dy_xh, base_sums.dy_xh));
    const float gamma = 1.5f;
    std::vector<char> actual(dy.size()), expected(dy.size());
    kernels_.write_gradient(slab, {actual.data(), &gamma, 0.125f, -2.0f, false});
    base_.write_gradient(slab, {expected.data(), &gamma, 0.125f, -2.0f, false});
    for (size_t i = 0; i < expected.size(); i += bytes_) {
      ASSERT_TRUE(SameNumber(&actual[i], &expected[i])) << i / bytes_;
    }
  }
}

// A row cut at a multiple of the block adds up to the same bits.
TEST_P(KernelTest, RowsCutAtBlocks) {
  const int64_t cols = 5 * group_norm::kBlock + 37;
  const std::vector<char> dy = Numbers(cols, 0), x = Numbers(cols, 0);
  Slab slab = {dy.data(), x.data(), 1, cols, 0.1f, 0.8f, 0};
  Sums whole;
  kernels_.sum_products(slab, &whole);
  Sums total = {};
  for (int64_t j = 0; j < cols; j += group_norm::kBlock) {
    slab.dy = dy.data() + static_cast<size_t>(j) * bytes_;
    slab.x = x.data() + static_cast<size_t>(j) * bytes_;
    slab.cols = std::min(group_norm::kBlock, cols - j);
    Sums part;
    kernels_.sum_products(slab, &part);
    total.dy += part.dy;
    total.dy_xh += part.dy_xh;
  }
  EXPECT_TRUE(SameBits(total.dy, whole.dy));
  EXPECT_TRUE(SameBits(total.dy_xh, whole.dy_xh));
}

// Nothing behind the last element is read or written.
TEST_P(KernelTest, StaysInside) {
  const GuardedBytes dy_memory(4096), x_memory(4096), dx_memory(4096);
  for (size_t cols = 1; cols <= 70; ++cols) {
    char* dy = dy_memory.Last<char>(cols * bytes_);
    char* x = x_memory.Last<char>(cols * bytes_);
    for (size_t i = 0; i < cols; ++i) {
      Put(dy + i * bytes_, 1);
      Put(x + i * bytes_, 2);
    }
    const Slab slab = {dy, x, 1, static_cast<int64_t>(cols), 1, 0.5f, 0};
    Sums sums;
    kernels_.sum_products(slab, &sums);
    EXPECT_EQ(sums.dy, static_cast<double>(cols));
    Moments moments;
    kernels_.find_moments(slab, &moments);
    EXPECT_EQ(moments.mean, 2);
    EXPECT_EQ(moments.squares, 0);
    EXPECT_EQ(sums.dy_xh, 0.5 * static_cast<double>(cols));
    const float gamma = 3;
    for (bool stream : {false, true}) {
      char* dx = dx_memory.Last<char>(cols * bytes_);
      kernels_.write_gradient(slab, {dx, &gamma, 0.5f, 1, stream});
      for (size_t i = 0; i < cols; ++i) EXPECT_EQ(Get(dx + i * bytes_), 0.5f);
      kernels_.normalize(slab, {dx, &gamma, &gamma, 0, stream});
      for (size_t i = 0; i < cols; ++i) EXPECT_EQ(Get(dx + i * bytes_), 4.5f);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, KernelTest,
                         testing::Combine(testing::ValuesIn(TiersHere()),
                                          testing::Values(Element::kFp32, Element::kFp16,
                                                          Element::kBf16)),
                         [](const auto& info) {
                           const Element element = std::get<1>(info.param);
                           return std::string(NameOf(std::get<0>(info.param))) +
                                  (element == Element::kFp32   ? "_fp32"
                                   : element == Element::kFp16 ? "_fp16"
                                                               : "_bf16");
                         });

}  // namespace
}  // namespace anyacl::test
