// SPDX-License-Identifier: Apache-2.0
// Fourier transforms of sliding windows against the sums that define them.
#include <cmath>
#include <complex>
#include <numbers>

#include "aclnnop/acl_stft.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test::stft {
namespace {

using Complex = std::complex<double>;
using Values = std::vector<Complex>;

bool IsComplex(aclDataType type) { return type == ACL_COMPLEX64 || type == ACL_COMPLEX128; }
bool IsWide(aclDataType type) { return type == ACL_DOUBLE || type == ACL_COMPLEX128; }

struct Case {
  int64_t batch;  // 0: one signal without a dimension for it
  int64_t length, points, hop, window_length;
  bool window = true, normalized = false, onesided = false, complex = true;
  bool strided = false;

  int64_t frequencies() const { return onesided ? points / 2 + 1 : points; }
  int64_t frames() const { return (length - points) / hop + 1; }
  std::vector<int64_t> OutDims() const {
    std::vector<int64_t> dims = {frequencies(), frames()};
    if (batch > 0) dims.insert(dims.begin(), batch);
    if (!complex) dims.push_back(2);
    return dims;
  }
};

class StftTest : public DeviceTest, public ::testing::WithParamInterface<aclDataType> {
 protected:
  Values Fill(Tensor& tensor) {
    Values values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      const double imaginary = IsComplex(GetParam()) ? random().Uniform(-2.0, 2.0) : 0;
      values.emplace_back(random().Uniform(-2.0, 2.0), imaginary);
    }
    WriteComplex(tensor, values);
    return ReadComplex(tensor);
  }
  static aclDataType OutType(const Case& c) {
    if (c.complex) return IsWide(GetParam()) ? ACL_COMPLEX128 : ACL_COMPLEX64;
    return IsWide(GetParam()) ? ACL_DOUBLE : ACL_FLOAT;
  }
  static Phase1 Call(const Case& c, const Tensor& self, const Tensor* window, const Tensor& out) {
    return [&c, &self, window, &out](uint64_t* s, aclOpExecutor** e) {
      return aclStftGetWorkspaceSize(self.handle(), window ? window->handle() : nullptr,
                                     out.handle(), c.points, c.hop, c.window_length, c.normalized,
                                     c.onesided, c.complex, s, e);
    };
  }

  static Values Expected(const Case& c, const Values& self, const Values& window) {
    Values all;
    const int64_t left = (c.points - c.window_length) / 2;
    for (int64_t b = 0; b < std::max<int64_t>(1, c.batch); ++b) {
      for (int64_t w = 0; w < c.frequencies(); ++w) {
        for (int64_t m = 0; m < c.frames(); ++m) {
          Complex sum = 0;
          for (int64_t k = 0; k < c.window_length; ++k) {
            const int64_t turn = w * (left + k) % c.points;
            const double angle = -2 * std::numbers::pi * double(turn) / double(c.points);
            sum += window[size_t(k)] * self[size_t(b * c.length + m * c.hop + left + k)] *
                   std::polar(1.0, angle);
          }
          all.push_back(c.normalized ? sum / std::sqrt(double(c.points)) : sum);
        }
      }
    }
    return all;
  }

  void Expect(const Case& c) {
    SCOPED_TRACE(::testing::Message() << c.points << " points, hop " << c.hop << ", window "
                                      << c.window_length << " onesided " << c.onesided);
    const std::vector<int64_t> dims =
        c.batch > 0 ? std::vector<int64_t>{c.batch, c.length} : std::vector<int64_t>{c.length};
    Layout self_layout{.dims = dims, .dtype = GetParam()};
    Layout out_layout{.dims = c.OutDims(), .dtype = OutType(c)};
    if (c.strided) {
      self_layout.strides = {1, c.batch};
      self_layout.offset = 3;
      out_layout.strides = {1, c.batch, c.batch * c.frequencies()};
      if (!c.complex) out_layout.strides.push_back(c.batch * c.frequencies() * c.frames());
    }
    Tensor self(self_layout), window({.dims = {c.window_length}, .dtype = GetParam()});
    const Tensor out(out_layout);
    const Values signal = Fill(self);
    Values factors = Fill(window);
    if (!c.window) factors.assign(factors.size(), 1);
    RunTwoPhase(Call(c, self, c.window ? &window : nullptr, out), aclStft);
    EXPECT_TRUE(out.GuardsIntact());
    Values actual;
    if (c.complex) {
      actual = ReadComplex(out);
    } else {
      const std::vector<double> parts = ReadAs(out);
      for (size_t i = 0; i < parts.size(); i += 2) actual.emplace_back(parts[i], parts[i + 1]);
    }
    const Values expected = Expected(c, signal, factors);
    ASSERT_EQ(actual.size(), expected.size());
    const double tolerance = IsWide(GetParam()) ? 1e-13 : 0x1p-23;
    for (size_t i = 0; i < actual.size(); ++i) {
      ASSERT_LE(std::abs(actual[i] - expected[i]),
                tolerance * (std::abs(expected[i]) + (IsWide(GetParam()) ? 8. * c.points : 0)))
          << i << ": " << actual[i] << " instead of " << expected[i];
    }
  }
};

TEST_P(StftTest, IsTheSumOfTheDocument) {
  for (int64_t points : {1, 2, 3, 4, 6, 7, 8, 10, 16, 22, 45, 49, 60, 101, 128}) {
    Expect({.batch = 0,
            .length = 3 * points + 1,
            .points = points,
            .hop = 1 + points / 4,
            .window_length = points});
    Expect({.batch = 2,
            .length = 23 * points,
            .points = points,
            .hop = points,
            .window_length = (points + 1) / 2,
            .normalized = true});
    if (IsComplex(GetParam())) continue;
    Expect({.batch = 3,
            .length = 2 * points,
            .points = points,
            .hop = 1 + points / 2,
            .window_length = (points + 2) / 3,
            .onesided = true});
  }
}

TEST_P(StftTest, PartsStridesAndNoWindow) {
  for (bool complex : {false, true}) {
    Expect({.batch = 2,
            .length = 40,
            .points = 8,
            .hop = 3,
            .window_length = 5,
            .window = false,
            .complex = complex});
    Expect({.batch = 3,
            .length = 90,
            .points = 12,
            .hop = 4,
            .window_length = 12,
            .complex = complex,
            .strided = true});
  }
}

TEST_P(StftTest, WrongArgumentsAreRefused) {
  const Case right = {.batch = 0, .length = 20, .points = 8, .hop = 4, .window_length = 8};
  const Tensor self({.dims = {20}, .dtype = GetParam()}), none({.dims = {0}, .dtype = GetParam()});
  const Tensor window({.dims = {8}, .dtype = GetParam()}),
      out({.dims = {8, 4}, .dtype = OutType(right)});
  const Tensor other({.dims = {8, 4}, .dtype = ACL_INT32});
  Case c = right;
  RunTwoPhase(Call(c, self, &window, out), aclStft);
  const auto refused = [&](std::initializer_list<std::string_view> words) {
    ExpectRefused(Call(c, self, &window, out), 161002, words);
    c = right;
  };
  c.points = 0;
  refused({"nFft", "0"});
  c.points = 21;
  refused({"nFft", "21", "[20]"});
  c.hop = 0;
  refused({"hopLength", "0"});
  c.window_length = 9;
  refused({"windowOptional.shape", "9"});
  c.hop = 5;
  refused({"out.shape", "[8, 4]", "[8, 3]"});
  c.onesided = true;
  refused({IsComplex(GetParam()) ? "onesided" : "out.shape"});
  c.complex = false;
  refused({"out.dtype", "returnComplex"});
  const Tensor nine({.dims = {9}, .dtype = GetParam()});
  c.window_length = 9;
  ExpectRefused(Call(c, self, &nine, out), 161002, {"winLength", "9", "nFft"});
  ExpectRefused(Call(right, none, &window, out), 161002, {"self.shape", "[0]"});
  ExpectRefused(Call(right, self, &window, other), 161002, {"out", "INT32"});
}

INSTANTIATE_TEST_SUITE_P(Types, StftTest,
                         ::testing::Values(ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128));

}  // namespace
}  // namespace anyacl::test::stft
