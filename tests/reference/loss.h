// SPDX-License-Identifier: Apache-2.0
// What the losses of pairs of elements mean, in double: the oracle of the tests.
#pragma once

#include <string>

namespace anyacl::test {

struct LossTerms {
  double x, y;
  double w = 1, pos_weight = 1;
  double beta = 0;
};
// By the operator's name without "aclnn"; KlDiv of a target given as its logarithm: "KlDivLog", and
// with "Target" before that, of which the gradient is that in y.
double LossValue(const std::string& name, const LossTerms& terms);
// In x, or y.
double LossGradient(const std::string& name, const LossTerms& terms);

}  // namespace anyacl::test
