// SPDX-License-Identifier: Apache-2.0
// Convolutions in double precision, written from the documents' formulas: a list of all products,
// from which the output and the gradients follow.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace anyacl::test {

struct ConvolutionCase {
  std::vector<int64_t> input;   // [N, C, spatial]
  std::vector<int64_t> weight;  // [O, C / groups, taps], transposed: [C, O / groups, taps]
  std::vector<int64_t> stride = {};
  std::vector<int64_t> padding = {};  // of each dimension, or before and after each
  std::vector<int64_t> dilation = {};
  bool transposed = false;
  std::vector<int64_t> output_padding = {};
  int64_t groups = 1;

  size_t spatial() const { return input.size() - 2; }
  int64_t before(size_t dim) const {
    return padding.size() == spatial() ? padding[dim] : padding[2 * dim];
  }
  int64_t after(size_t dim) const {
    return padding.size() == spatial() ? padding[dim] : padding[2 * dim + 1];
  }
  int64_t out_channels() const { return transposed ? weight[1] * groups : weight[0]; }
  std::vector<int64_t> OutputShape() const;
};

// visit(output, input, weight): row-major indices of the elements of one product.
void ForEachProduct(const ConvolutionCase& c,
                    const std::function<void(int64_t, int64_t, int64_t)>& visit);

// Results and, for bounds on their errors, the sums of the absolute values of their terms.
struct Sums {
  std::vector<double> values, sizes;
};
Sums ConvolutionOf(const ConvolutionCase& c, const std::vector<double>& input,
                   const std::vector<double>& weight, const std::vector<double>& bias);
struct ConvolutionGradients {
  Sums input, weight, bias;
};
ConvolutionGradients GradientsOf(const ConvolutionCase& c, const std::vector<double>& gradient,
                                 const std::vector<double>& input,
                                 const std::vector<double>& weight);

}  // namespace anyacl::test
