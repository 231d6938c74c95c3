// SPDX-License-Identifier: Apache-2.0
// Manifold-constrained hyper-connections in double precision, written from CANN's documents
// (ops-transformer: mhc/*/docs) and op-plugin's tests: what is kept first is the softmax without
// eps, and the gradient of the mean of squares is that of x, not of x times gamma.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace anyacl::test {

// A number, and what the magnitudes of its terms add up to, to which its error is in proportion.
struct Sized {
  double value = 0, size = 0;

  Sized() = default;
  Sized(double number) : value(number), size(std::abs(number)) {}
  Sized(double number, double magnitude) : value(number), size(magnitude) {}
  friend Sized operator+(const Sized& a, const Sized& b) {
    return {a.value + b.value, a.size + b.size};
  }
  friend Sized operator-(const Sized& a, const Sized& b) {
    return {a.value - b.value, a.size + b.size};
  }
  friend Sized operator*(const Sized& a, const Sized& b) {
    return {a.value * b.value, a.size * b.size};
  }
  Sized& operator+=(const Sized& a) { return *this = *this + a; }
};
using SizedNumbers = std::vector<Sized>;

// Matrices [T][n][n], and what steps leave: norms[k] [T][n][n], sums[k] [T][n], sums[0] ones.
struct SinkhornSteps {
  std::vector<std::vector<double>> norms, sums;
  const std::vector<double>& out() const { return norms.back(); }
};
SinkhornSteps Sinkhorn(const std::vector<double>& x, int64_t streams, int64_t iterations,
                       double eps);
std::vector<double> SinkhornGradient(const std::vector<double>& grad, int64_t streams,
                                     const SinkhornSteps& steps);

// [T][n][D], [T][n][n] (empty: the unit matrix), [T][D] and [T][n].
struct PostProblem {
  int64_t tokens = 1, streams = 1, columns = 1;
  std::vector<double> x = {}, residual = {}, hidden = {}, post = {};
};
SizedNumbers Post(const PostProblem& problem);
struct PostGradients {
  SizedNumbers x, residual, hidden, post;
};
PostGradients PostGradient(const PostProblem& problem, const std::vector<double>& grad);

// x [T][n][D], phi [K][n * D], gamma [n * D] (empty: ones).
struct PreProblem {
  int64_t tokens = 1, streams = 1, columns = 1;
  double norm_eps = 0, gate_eps = 0;
  std::vector<double> x = {}, phi = {}, alpha = {}, bias = {}, gamma = {};

  int64_t mixed() const { return alpha.size() == 3 ? streams * (streams + 2) : 2 * streams; }
};
struct PreResults {
  SizedNumbers hidden, post, residual, inverse_rms, mix, pre;
};
PreResults Pre(const PreProblem& problem);

// Gradients of hIn [T][D], hPost [T][n], hRes [T][n][n], and what joins that of x (empty: zeros).
struct PreGradProblem {
  std::vector<double> hidden = {}, post = {}, residual = {}, x_post = {};
};
struct PreGradients {
  SizedNumbers x, phi, alpha, bias, gamma;
};
PreGradients PreGradient(const PreProblem& problem, const PreResults& results,
                         const PreGradProblem& grads);

}  // namespace anyacl::test
