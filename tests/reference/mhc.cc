// SPDX-License-Identifier: Apache-2.0
#include "reference/mhc.h"

#include <algorithm>

namespace anyacl::test {
namespace {

size_t At(int64_t a, int64_t rows, int64_t b, int64_t columns = 1, int64_t c = 0) {
  return static_cast<size_t>((a * rows + b) * columns + c);
}

// Divides the entries of a matrix by the sums of its rows or columns.
void Normalise(std::vector<double>& y, int64_t t, int64_t n, bool rows, double eps,
               std::vector<double>& sums) {
  for (int64_t a = 0; a < n; ++a) {
    double sum = 0;
    for (int64_t b = 0; b < n; ++b) sum += y[rows ? At(t, n, a, n, b) : At(t, n, b, n, a)];
    sum += eps;
    for (int64_t b = 0; b < n; ++b) y[rows ? At(t, n, a, n, b) : At(t, n, b, n, a)] /= sum;
    sums[At(t, n, a)] = sum;
  }
}

Sized Sigmoid(const Sized& z) {
  const double s = 1 / (1 + std::exp(-z.value));
  return {s, s + z.size / 4};
}

double GammaOf(const PreProblem& p, int64_t i, int64_t d) {
  return p.gamma.empty() ? 1 : p.gamma[At(i, p.columns, d)];
}

// Which factor of alpha entry k of a mixture has.
size_t GroupOf(const PreProblem& p, int64_t k) {
  return static_cast<size_t>(std::min<int64_t>(k / p.streams, 2));
}

}  // namespace

SinkhornSteps Sinkhorn(const std::vector<double>& x, int64_t n, int64_t iterations, double eps) {
  const int64_t tokens = static_cast<int64_t>(x.size()) / (n * n);
  SinkhornSteps steps;
  std::vector<double> y = x, sums(static_cast<size_t>(tokens * n), 1.0);
  for (int64_t row = 0; row < tokens * n; ++row) {
    const auto first = y.begin() + row * n;
    const double max = *std::max_element(first, first + n);
    double sum = 0;
    for (auto at = first; at != first + n; ++at) sum += * at = std::exp(*at - max);
    for (auto at = first; at != first + n; ++at) *at /= sum;
  }
  steps.norms.push_back(y);
  steps.sums.push_back(sums);
  for (double& number : y) number += eps;
  for (int64_t k = 0; k < iterations; ++k) {
    for (bool rows : {true, false}) {
      if (k == 0 && rows) continue;
      for (int64_t t = 0; t < tokens; ++t) Normalise(y, t, n, rows, eps, sums);
      steps.norms.push_back(y);
      steps.sums.push_back(sums);
    }
  }
  return steps;
}

std::vector<double> SinkhornGradient(const std::vector<double>& grad, int64_t n,
                                     const SinkhornSteps& steps) {
  std::vector<double> g = grad;
  const int64_t tokens = static_cast<int64_t>(g.size()) / (n * n);
  for (size_t k = steps.norms.size(); k-- > 0;) {
    const bool rows = k % 2 == 0;
    for (int64_t t = 0; t < tokens; ++t) {
      for (int64_t a = 0; a < n; ++a) {
        const auto at = [&](int64_t b) { return rows ? At(t, n, a, n, b) : At(t, n, b, n, a); };
        double dot = 0;
        for (int64_t b = 0; b < n; ++b) dot += g[at(b)] * steps.norms[k][at(b)];
        for (int64_t b = 0; b < n; ++b) {
          g[at(b)] -= dot;
          g[at(b)] *= k == 0 ? steps.norms[0][at(b)] : 1 / steps.sums[k][At(t, n, a)];
        }
      }
    }
  }
  return g;
}

SizedNumbers Post(const PostProblem& p) {
  SizedNumbers out(p.x.size());
  for (int64_t t = 0; t < p.tokens; ++t) {
    for (int64_t j = 0; j < p.streams; ++j) {
      for (int64_t d = 0; d < p.columns; ++d) {
        Sized sum = Sized(p.post[At(t, p.streams, j)]) * p.hidden[At(t, p.columns, d)];
        for (int64_t i = 0; i < p.streams; ++i) {
          const double weight =
              p.residual.empty() ? i == j : p.residual[At(t, p.streams, i, p.streams, j)];
          sum += Sized(weight) * p.x[At(t, p.streams, i, p.columns, d)];
        }
        out[At(t, p.streams, j, p.columns, d)] = sum;
      }
    }
  }
  return out;
}

PostGradients PostGradient(const PostProblem& p, const std::vector<double>& grad) {
  const int64_t n = p.streams;
  PostGradients r = {.x = SizedNumbers(p.x.size()),
                     .residual = SizedNumbers(static_cast<size_t>(p.tokens * n * n)),
                     .hidden = SizedNumbers(p.hidden.size()),
                     .post = SizedNumbers(p.post.size())};
  for (int64_t t = 0; t < p.tokens; ++t) {
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t d = 0; d < p.columns; ++d) {
        const Sized g = grad[At(t, n, j, p.columns, d)];
        r.hidden[At(t, p.columns, d)] += g * p.post[At(t, n, j)];
        r.post[At(t, n, j)] += g * p.hidden[At(t, p.columns, d)];
        for (int64_t i = 0; i < n; ++i) {
          const double weight = p.residual.empty() ? i == j : p.residual[At(t, n, i, n, j)];
          r.x[At(t, n, i, p.columns, d)] += g * weight;
          r.residual[At(t, n, i, n, j)] += g * p.x[At(t, n, i, p.columns, d)];
        }
      }
    }
  }
  return r;
}

PreResults Pre(const PreProblem& p) {
  const int64_t n = p.streams, mixed = p.mixed();
  PreResults r;
  r.hidden.resize(static_cast<size_t>(p.tokens * p.columns));
  for (int64_t t = 0; t < p.tokens; ++t) {
    double squares = 0;
    SizedNumbers mix(static_cast<size_t>(mixed));
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t d = 0; d < p.columns; ++d) {
        const double x = p.x[At(t, n, i, p.columns, d)];
        squares += x * x;
        for (int64_t k = 0; k < mixed; ++k) {
          mix[static_cast<size_t>(k)] +=
              Sized(x * GammaOf(p, i, d)) * p.phi[At(k, n, i, p.columns, d)];
        }
      }
    }
    const double mean = squares / static_cast<double>(n * p.columns);
    const Sized inverse = 1 / std::sqrt(mean + p.norm_eps);
    r.inverse_rms.push_back(inverse);
    r.mix.insert(r.mix.end(), mix.begin(), mix.end());
    for (int64_t k = 0; k < mixed; ++k) {
      const auto at = static_cast<size_t>(k);
      const Sized z = mix[at] * inverse * p.alpha[GroupOf(p, k)] + p.bias[at];
      if (k < n) r.pre.push_back(Sigmoid(z) + p.gate_eps);
      if (k >= n && k < 2 * n) {
        r.post.push_back(Sized(2) * Sigmoid(z) + (p.alpha.size() == 2 ? p.gate_eps : 0));
      }
      if (k >= 2 * n) r.residual.push_back(z);
    }
    if (p.alpha.size() == 2) r.residual.resize(r.residual.size() + static_cast<size_t>(n * n));
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t d = 0; d < p.columns; ++d) {
        r.hidden[At(t, p.columns, d)] += r.pre[At(t, n, i)] * p.x[At(t, n, i, p.columns, d)];
      }
    }
  }
  return r;
}

PreGradients PreGradient(const PreProblem& p, const PreResults& results,
                         const PreGradProblem& grads) {
  const int64_t n = p.streams, mixed = p.mixed();
  const double numbers = static_cast<double>(n * p.columns);
  PreGradients r = {.x = SizedNumbers(p.x.size()),
                    .phi = SizedNumbers(p.phi.size()),
                    .alpha = SizedNumbers(3),
                    .bias = SizedNumbers(p.bias.size()),
                    .gamma = SizedNumbers(static_cast<size_t>(n * p.columns))};
  for (int64_t t = 0; t < p.tokens; ++t) {
    const Sized inverse = results.inverse_rms[static_cast<size_t>(t)];
    SizedNumbers of_mix;
    Sized of_inverse;
    for (int64_t k = 0; k < mixed; ++k) {
      Sized g;
      if (k < n) {
        for (int64_t d = 0; d < p.columns; ++d) {
          g += Sized(grads.hidden[At(t, p.columns, d)]) * p.x[At(t, n, k, p.columns, d)];
        }
        const Sized s = results.pre[At(t, n, k)] - p.gate_eps;
        g = g * s * (Sized(1) - s);
      } else if (k < 2 * n) {
        const Sized post = results.post[At(t, n, k - n)];
        g = Sized(grads.post[At(t, n, k - n)]) * post * (Sized(1) - post * 0.5);
      } else {
        g = grads.residual[At(t, n * n, k - 2 * n)];
      }
      const Sized mix = results.mix[At(t, mixed, k)];
      const size_t group = GroupOf(p, k);
      r.bias[static_cast<size_t>(k)] += g;
      r.alpha[group] += g * mix * inverse;
      of_mix.push_back(g * p.alpha[group] * inverse);
      of_inverse += g * p.alpha[group] * mix;
    }
    const Sized factor = of_inverse * inverse * inverse * inverse * (-1 / numbers);
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t d = 0; d < p.columns; ++d) {
        const size_t at = At(t, n, i, p.columns, d);
        Sized product;
        for (int64_t k = 0; k < mixed; ++k) {
          const Sized g = of_mix[static_cast<size_t>(k)];
          product += g * p.phi[At(k, n, i, p.columns, d)];
          r.phi[At(k, n, i, p.columns, d)] += g * p.x[at] * GammaOf(p, i, d);
        }
        r.gamma[At(i, p.columns, d)] += product * p.x[at];
        r.x[at] = product * GammaOf(p, i, d) + factor * p.x[at] +
                  results.pre[At(t, n, i)] * grads.hidden[At(t, p.columns, d)] +
                  (grads.x_post.empty() ? 0 : grads.x_post[at]);
      }
    }
  }
  return r;
}

}  // namespace anyacl::test
