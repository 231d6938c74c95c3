// SPDX-License-Identifier: Apache-2.0
#include "reference/rowwise.h"

#include <algorithm>
#include <cmath>

namespace anyacl::test {

Row LogSoftmax(const Row& x) {
  const double max = *std::max_element(x.begin(), x.end());
  double sum = 0;
  for (double value : x) sum += std::exp(value - max);
  Row out;
  for (double value : x) out.push_back(value - max - std::log(sum));
  return out;
}

Row Softmax(const Row& x) {
  Row out = LogSoftmax(x);
  for (double& value : out) value = std::exp(value);
  return out;
}

Row SoftmaxBackward(const Row& g, const Row& y) {
  double sum = 0;
  for (size_t i = 0; i < g.size(); ++i) sum += g[i] * y[i];
  Row out;
  for (size_t i = 0; i < g.size(); ++i) out.push_back((g[i] - sum) * y[i]);
  return out;
}

Row LogSoftmaxBackward(const Row& g, const Row& y) {
  double sum = 0;
  for (double value : g) sum += value;
  Row out;
  for (size_t i = 0; i < g.size(); ++i) out.push_back(g[i] - sum * std::exp(y[i]));
  return out;
}

NormedRow RmsNorm(const Row& x, const Row& gamma, double eps) {
  double squares = 0;
  for (double value : x) squares += value * value;
  NormedRow result = {{}, 0, 1 / std::sqrt(squares / double(x.size()) + eps)};
  for (size_t i = 0; i < x.size(); ++i) result.out.push_back(x[i] * result.rstd * gamma[i]);
  return result;
}

NormedRow LayerNorm(const Row& x, const Row& gamma, const Row& beta, double eps) {
  double mean = 0, squares = 0;
  for (double value : x) mean += value / double(x.size());
  for (double value : x) squares += std::pow(value - mean, 2) / double(x.size());
  NormedRow result = {{}, mean, 1 / std::sqrt(squares + eps)};
  for (size_t i = 0; i < x.size(); ++i) {
    result.out.push_back((x[i] - mean) * result.rstd * (gamma.empty() ? 1 : gamma[i]) +
                         (beta.empty() ? 0 : beta[i]));
  }
  return result;
}

NormGradients LayerNormBackward(const Row& g, const Row& x, const Row& gamma, double mean,
                                double rstd) {
  const auto n = double(x.size());
  const auto weight = [&](size_t i) { return gamma.empty() ? 1 : gamma[i]; };
  double sum = 0, products = 0;
  NormGradients result;
  for (size_t i = 0; i < x.size(); ++i) {
    const double xh = (x[i] - mean) * rstd;
    sum += g[i] * weight(i);
    products += g[i] * weight(i) * xh;
    result.gamma.push_back(g[i] * xh);
    result.beta.push_back(g[i]);
  }
  for (size_t i = 0; i < x.size(); ++i) {
    const double xh = (x[i] - mean) * rstd;
    result.x.push_back(rstd * (g[i] * weight(i) - sum / n - xh * products / n));
  }
  return result;
}

NormGradients RmsNormBackward(const Row& g, const Row& x, const Row& gamma, double rstd) {
  NormGradients result;
  double mean = 0;
  for (size_t i = 0; i < x.size(); ++i) mean += g[i] * gamma[i] * x[i] * rstd / double(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    result.x.push_back((g[i] * gamma[i] - rstd * x[i] * mean) * rstd);
    result.gamma.push_back(rstd * x[i] * g[i]);
  }
  return result;
}

double SwiGlu(double a, double b) { return a / (1 + std::exp(-a)) * b; }

}  // namespace anyacl::test
