// SPDX-License-Identifier: Apache-2.0
// Each frame of the signal goes through Eigen's transform in double. A task takes kFrames frames
// that follow each other, whose results lie side by side in the output.
#include <cmath>
#include <complex>
#include <unsupported/Eigen/FFT>
#include <vector>

#include "nnop/operands.h"
#include "nnop/view.h"
#include "ops/blocks/blocks.h"
#include "ops/stft/operators.h"
#include "runtime/parallel.h"

namespace anyacl::stft {
namespace {

using Complex = std::complex<double>;

// A cache line of results in fp32.
constexpr int64_t kFrames = 16;

// Where numbers lie: real parts, and imaginary parts `apart` elements behind, if there are any.
struct Numbers {
  TensorView real;
  int64_t apart = 0;

  bool complex() const { return apart != 0; }
};

Numbers NumbersOf(const TensorView& view) {
  const TensorView real = RealParts(view);
  return {real, real.dtype == view.dtype ? 0 : 1};
}

struct StftProblem {
  Numbers self, window, out;  // [B, L], [winLength], [B, N, T]
  int64_t points, hop, window_length;
  bool normalized;
};

// One transform after the other. Eigen keeps its factors and scratch memory in the object, so that
// each thread has its own.
class Transform {
 public:
  Transform(int64_t points, int64_t frequencies)
      : points_(points), frequencies_(frequencies), spectrum_(static_cast<size_t>(points)) {
    fft_.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  }

  const Complex* Of(const std::vector<double>& numbers) {
    if (points_ == 1) {
      spectrum_[0] = numbers[0];
      return spectrum_.data();
    }
    fft_.fwd(spectrum_.data(), numbers.data(), points_);
    for (int64_t w = points_ / 2 + 1; w < frequencies_; ++w) {
      spectrum_[static_cast<size_t>(w)] = std::conj(spectrum_[static_cast<size_t>(points_ - w)]);
    }
    return spectrum_.data();
  }
  const Complex* Of(const std::vector<Complex>& numbers) {
    if (points_ == 1) return numbers.data();
    fft_.fwd(spectrum_.data(), numbers.data(), points_);
    return spectrum_.data();
  }

 private:
  const int64_t points_, frequencies_;
  std::vector<Complex> spectrum_;
  Eigen::FFT<double> fft_;
};

class StftPlan final : public Plan {
 public:
  explicit StftPlan(const StftProblem& problem)
      : p_(problem),
        frequencies_(p_.out.real.sizes[1]),
        frames_(p_.out.real.sizes[2]),
        blocks_((frames_ + kFrames - 1) / kFrames) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const std::vector<Complex> window = Window(bindings);
    // A transform of some thousand points costs what its factors do.
    const int64_t grain = std::max<int64_t>(1, kWorth / (kFrames * p_.points));
    ParallelFor(p_.self.real.sizes[0] * blocks_, grain, [&](int64_t begin, int64_t end) {
      if (p_.self.complex()) {
        RunBlocks<Complex>(bindings, window, begin, end);
      } else {
        RunBlocks<double>(bindings, window, begin, end);
      }
    });
    return {};
  }

 private:
  static constexpr int64_t kWorth = 1 << 16;

  static void Read(const Bindings& bindings, const TensorView& row, int64_t apart, int64_t at,
                   int64_t n, double* to) {
    const int64_t offset = at * row.strides[0] + apart;
    blocks::LoadRow(row.dtype, row.Address(bindings) + offset * BytesOf(row), row.strides[0], n,
                    to);
  }

  // The factors of all points, with that of normalisation.
  std::vector<Complex> Window(const Bindings& bindings) const {
    const auto n = static_cast<size_t>(p_.window_length);
    std::vector<double> real(n, 1), imaginary(n, 0);
    if (p_.window.real.given()) Read(bindings, p_.window.real, 0, 0, p_.window_length, real.data());
    if (p_.window.complex()) {
      Read(bindings, p_.window.real, p_.window.apart, 0, p_.window_length, imaginary.data());
    }
    const double scale = p_.normalized ? 1 / std::sqrt(static_cast<double>(p_.points)) : 1;
    std::vector<Complex> window(static_cast<size_t>(p_.points), 0);
    const auto left = static_cast<size_t>((p_.points - p_.window_length) / 2);
    for (size_t k = 0; k < n; ++k) window[left + k] = Complex(real[k], imaginary[k]) * scale;
    return window;
  }

  template <class T>
  void RunBlocks(const Bindings& bindings, const std::vector<Complex>& window, int64_t begin,
                 int64_t end) const {
    Transform transform(p_.points, frequencies_);
    std::vector<T> numbers(window.size());
    std::vector<double> real(static_cast<size_t>(frequencies_ * kFrames)), imaginary(real.size());
    for (int64_t block = begin; block < end; ++block) {
      const int64_t batch = block / blocks_, first = block % blocks_ * kFrames;
      const int64_t frames = std::min(kFrames, frames_ - first);
      const TensorView row = WithoutDim(Sliced(p_.self.real, 0, batch, 1), 0);
      for (int64_t m = 0; m < frames; ++m) {
        ReadFrame(bindings, row, (first + m) * p_.hop, window, numbers);
        const Complex* spectrum = transform.Of(numbers);
        for (int64_t w = 0; w < frequencies_; ++w) {
          const auto to = static_cast<size_t>(w * frames + m);
          real[to] = spectrum[w].real();
          imaginary[to] = spectrum[w].imag();
        }
      }
      Write(bindings, batch, first, frames, 0, real);
      Write(bindings, batch, first, frames, p_.out.apart, imaginary);
    }
  }

  void ReadFrame(const Bindings& bindings, const TensorView& row, int64_t at,
                 const std::vector<Complex>& window, std::vector<double>& to) const {
    Read(bindings, row, 0, at, p_.points, to.data());
    for (size_t k = 0; k < to.size(); ++k) to[k] *= window[k].real();
  }
  void ReadFrame(const Bindings& bindings, const TensorView& row, int64_t at,
                 const std::vector<Complex>& window, std::vector<Complex>& to) const {
    std::vector<double> real(to.size()), imaginary(to.size());
    Read(bindings, row, 0, at, p_.points, real.data());
    Read(bindings, row, p_.self.apart, at, p_.points, imaginary.data());
    for (size_t k = 0; k < to.size(); ++k) to[k] = Complex(real[k], imaginary[k]) * window[k];
  }

  // Frames of all frequencies.
  void Write(const Bindings& bindings, int64_t batch, int64_t first, int64_t frames, int64_t apart,
             const std::vector<double>& from) const {
    const TensorView& out = p_.out.real;
    const int64_t at = batch * out.strides[0] + first * out.strides[2] + apart;
    blocks::Storer(Element::kFp64, out.dtype)(
        from.data(), {out.Address(bindings) + at * BytesOf(out), frequencies_, frames,
                      out.strides[1], out.strides[2], false});
  }

  const StftProblem p_;
  const int64_t frequencies_, frames_, blocks_;
};

bool IsComplex(aclDataType dtype) { return dtype == ACL_COMPLEX64 || dtype == ACL_COMPLEX128; }

// The type of the result: as wide as the signal's, complex or not.
aclDataType ResultType(aclDataType dtype, bool complex) {
  const bool wide = dtype == ACL_DOUBLE || dtype == ACL_COMPLEX128;
  if (complex) return wide ? ACL_COMPLEX128 : ACL_COMPLEX64;
  return wide ? ACL_DOUBLE : ACL_FLOAT;
}

Status CheckResultType(const Operands& operands) {
  const aclDataType self = operands[kSelf].dtype(), out = operands[kOut].dtype();
  const bool complex = operands.Flag(kReturnComplex);
  const aclDataType expected = ResultType(self, complex);
  if (out == expected) return {};
  return Fail(operands.spec().codes.dtype,
              "out.dtype = {}, expected {} for {} and returnComplex {}", NameOf(out),
              NameOf(expected), NameOf(self), complex);
}

Status CheckLengths(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  const Dims& self = operands[kSelf].shape();
  const int64_t points = operands.Int(kSize), length = self[self.rank() - 1];
  if (operands[kSelf].IsEmpty()) {
    return Fail(code, "self.shape = {}, expected elements", self.ToString());
  }
  if (points > length) {
    return Fail(code, "nFft = {}, expected 1 to {} as self.shape = {}", points, length,
                self.ToString());
  }
  if (operands.Int(kWindowLength) > points) {
    return Fail(code, "winLength = {}, expected 1 to {} as nFft", operands.Int(kWindowLength),
                points);
  }
  if (operands.Flag(kOnesided) && IsComplex(operands[kSelf].dtype())) {
    return Fail(code, "onesided = true, expected false as self.dtype = {}",
                NameOf(operands[kSelf].dtype()));
  }
  return {};
}

Dims ResultShape(const Operands& operands) {
  const Dims& self = operands[kSelf].shape();
  const int64_t points = operands.Int(kSize);
  Dims shape;
  if (self.rank() == 2) shape.push_back(self[0]);
  shape.push_back(operands.Flag(kOnesided) ? points / 2 + 1 : points);
  shape.push_back((self[self.rank() - 1] - points) / operands.Int(kHop) + 1);
  if (!operands.Flag(kReturnComplex)) shape.push_back(2);
  return shape;
}

}  // namespace

Status PrepareStft(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckResultType(operands); !s.ok()) return s;
  if (Status s = CheckLengths(operands); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kOut, ResultShape(operands)); !s.ok()) return s;
  const bool batched = operands[kSelf].shape().rank() == 2;
  const auto in_batch = [&](const TensorView& view) { return batched ? view : WithDim(view, 0); };
  Numbers out;
  const TensorView result = in_batch(ViewOf(operands, kOut));
  if (operands.Flag(kReturnComplex)) {
    out = NumbersOf(result);
  } else {
    out = {WithoutDim(result, 3), result.strides[3]};
  }
  Numbers window;
  if (operands.Given(kWindow)) window = NumbersOf(ViewOf(operands, kWindow));
  call->plan = std::make_shared<StftPlan>(
      StftProblem{NumbersOf(in_batch(ViewOf(operands, kSelf))), window, out, operands.Int(kSize),
                  operands.Int(kHop), operands.Int(kWindowLength), operands.Flag(kNormalized)});
  return {};
}

}  // namespace anyacl::stft
