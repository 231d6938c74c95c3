// SPDX-License-Identifier: Apache-2.0
// What the operators on rows mean, in double and in plain loops: the oracle of the tests.
#pragma once

#include <vector>

namespace anyacl::test {

using Row = std::vector<double>;

Row Softmax(const Row& x);
Row LogSoftmax(const Row& x);
Row SoftmaxBackward(const Row& g, const Row& y);
Row LogSoftmaxBackward(const Row& g, const Row& y);

struct NormedRow {
  Row out;
  double mean, rstd;
};
NormedRow RmsNorm(const Row& x, const Row& gamma, double eps);
// gamma and beta may be empty: ones and zeros.
NormedRow LayerNorm(const Row& x, const Row& gamma, const Row& beta, double eps);

// What a row gives; the gradients of gamma and beta are sums over the rows.
struct NormGradients {
  Row x, gamma, beta;
};
NormGradients LayerNormBackward(const Row& g, const Row& x, const Row& gamma, double mean,
                                double rstd);

NormGradients RmsNormBackward(const Row& g, const Row& x, const Row& gamma, double rstd);

double SwiGlu(double a, double b);

}  // namespace anyacl::test
