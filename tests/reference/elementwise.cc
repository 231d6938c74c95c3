// SPDX-License-Identifier: Apache-2.0
#include "reference/elementwise.h"

#include <cmath>
#include <map>
#include <stdexcept>

namespace anyacl::test {
namespace {

using X = const double*;

double Larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }
double Smaller(double a, double b) { return std::isnan(a) || a < b ? a : b; }

const std::map<std::string, ElementwiseReference> kReferences = {
    {"Add", {[](X x, X s) { return x[0] + s[0] * x[1]; }}},
    {"Adds", {[](X x, X s) { return x[0] + s[1] * s[0]; }, -8, 8, 1}},
    {"Sub", {[](X x, X s) { return x[0] - s[0] * x[1]; }}},
    {"Subs", {[](X x, X s) { return x[0] - s[1] * s[0]; }, -8, 8, 1}},
    {"Mul", {[](X x, X) { return x[0] * x[1]; }}},
    {"Muls", {[](X x, X s) { return x[0] * s[0]; }}},
    {"Div", {[](X x, X) { return x[0] / x[1]; }}},
    {"Divs", {[](X x, X s) { return x[0] / s[0]; }}},
    {"Neg", {[](X x, X) { return -x[0]; }}},
    {"Abs", {[](X x, X) { return std::fabs(x[0]); }}},
    {"Sign", {[](X x, X) { return double((x[0] > 0) - (x[0] < 0)); }}},
    {"Exp", {[](X x, X) { return std::exp(x[0]); }, -8, 8, 1}},
    {"Log", {[](X x, X) { return std::log(x[0]); }, 0, 8, 1}},
    {"Sqrt", {[](X x, X) { return std::sqrt(x[0]); }, 0, 8}},
    {"Rsqrt", {[](X x, X) { return 1 / std::sqrt(x[0]); }, 0, 8, 1.5}},
    {"Reciprocal", {[](X x, X) { return 1 / x[0]; }}},
    {"Sigmoid", {[](X x, X) { return 1 / (1 + std::exp(-x[0])); }, -8, 8, 3}},
    {"Silu", {[](X x, X) { return x[0] / (1 + std::exp(-x[0])); }, -8, 8, 3}},
    // 2u = 1.6 (x + 0.045 x^3) is -7.2 for x = -3: the error of e^-2u, in ulp.
    {"Gelu",
     {[](X x, X) {
        const double u = std::sqrt(2 / M_PI) * (x[0] + 0.044715 * x[0] * x[0] * x[0]);
        return x[0] / (1 + std::exp(-2 * u));
      },
      -3, 8, 32}},
    {"Relu", {[](X x, X) { return x[0] < 0 ? 0 : x[0]; }}},
    {"LeakyRelu", {[](X x, X s) { return x[0] < 0 ? s[0] * x[0] : x[0]; }}},
    {"Tanh", {[](X x, X) { return std::tanh(x[0]); }, -8, 8, 2}},
    {"Cos", {[](X x, X) { return std::cos(x[0]); }, -8, 8, 2}},
    {"Sin", {[](X x, X) { return std::sin(x[0]); }, -8, 8, 2}},
    {"PowTensorScalar", {[](X x, X s) { return std::pow(x[0], s[0]); }, 0, 4, 3}},
    {"PowTensorTensor", {[](X x, X) { return std::pow(x[0], x[1]); }, 0, 3, 3}},
    {"Maximum", {[](X x, X) { return Larger(x[0], x[1]); }}},
    {"Minimum", {[](X x, X) { return Smaller(x[0], x[1]); }}},
    {"EqTensor", {[](X x, X) { return double(x[0] == x[1]); }}},
    {"NeTensor", {[](X x, X) { return double(x[0] != x[1]); }}},
    {"LtTensor", {[](X x, X) { return double(x[0] < x[1]); }}},
    {"LeTensor", {[](X x, X) { return double(x[0] <= x[1]); }}},
    {"GtTensor", {[](X x, X) { return double(x[0] > x[1]); }}},
    {"GeTensor", {[](X x, X) { return double(x[0] >= x[1]); }}},
    {"EqScalar", {[](X x, X s) { return double(x[0] == s[0]); }}},
    {"NeScalar", {[](X x, X s) { return double(x[0] != s[0]); }}},
    {"LtScalar", {[](X x, X s) { return double(x[0] < s[0]); }}},
    {"LeScalar", {[](X x, X s) { return double(x[0] <= s[0]); }}},
    {"GtScalar", {[](X x, X s) { return double(x[0] > s[0]); }}},
    {"GeScalar", {[](X x, X s) { return double(x[0] >= s[0]); }}},
    {"LogicalAnd", {[](X x, X) { return double(x[0] != 0 && x[1] != 0); }, -1, 1}},
    {"LogicalOr", {[](X x, X) { return double(x[0] != 0 || x[1] != 0); }, -1, 1}},
    {"LogicalXor", {[](X x, X) { return double((x[0] != 0) != (x[1] != 0)); }, -1, 1}},
    {"LogicalNot", {[](X x, X) { return double(x[0] == 0); }, -1, 1}},
    {"SWhere", {[](X x, X) { return x[0] != 0 ? x[1] : x[2]; }}},
    {"Clamp", {[](X x, X s) { return Smaller(Larger(x[0], s[0]), s[1]); }}},
    {"Cast", {[](X x, X) { return x[0]; }}},
    {"Copy", {[](X x, X) { return x[1]; }}},
    {"Zero", {[](X, X) { return 0.0; }}},
    {"One", {[](X, X) { return 1.0; }}},
    {"FillScalar", {[](X, X s) { return s[0]; }}},
};

}  // namespace

const ElementwiseReference& ReferenceOf(const std::string& name) {
  const std::string plain = name.starts_with("Inplace") ? name.substr(7) : name;
  const auto known = kReferences.find(plain);
  if (known == kReferences.end()) throw std::logic_error("no reference for " + name);
  return known->second;
}

}  // namespace anyacl::test
