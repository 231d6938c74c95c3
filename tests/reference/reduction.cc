// SPDX-License-Identifier: Apache-2.0
#include "reference/reduction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace anyacl::test {
namespace {

using Elements = std::vector<double>;

double Sum(const Elements& x) {
  long double sum = 0;
  for (double value : x) sum += value;
  return static_cast<double>(sum);
}

double SizeOfSum(const Elements& x) {
  double sum = 0;
  for (double value : x) sum += std::fabs(value);
  return sum;
}

// NaN counts as better than all, the first one as the best.
size_t BestOf(const Elements& x, bool largest) {
  size_t best = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[best])) break;
    if (std::isnan(x[i]) || (largest ? x[i] > x[best] : x[i] < x[best])) best = i;
  }
  return best;
}

double LogSumExp(const Elements& x) {
  if (x.empty()) return -std::numeric_limits<double>::infinity();
  double largest = x[BestOf(x, true)];
  if (std::isinf(largest)) largest = 0;
  double sum = 0;
  for (double value : x) sum += std::exp(value - largest);
  return std::log(sum) + largest;
}

double NanSum(const Elements& x) {
  double sum = 0;
  for (double value : x) sum += std::isnan(value) ? 0 : value;
  return sum;
}

double Product(const Elements& x) {
  double product = 1;
  for (double value : x) product *= value;
  return product;
}

template <int kPower>
double Norm(const Elements& x) {
  double sum = 0;
  for (double value : x) sum += std::pow(std::fabs(value), kPower);
  return std::pow(sum, 1.0 / kPower);
}

double Largest(const Elements& x) {
  Elements absolute;
  for (double value : x) absolute.push_back(std::fabs(value));
  return absolute[BestOf(absolute, true)];
}

double Smallest(const Elements& x) {
  Elements absolute;
  for (double value : x) absolute.push_back(std::fabs(value));
  return absolute[BestOf(absolute, false)];
}

double MeanOf(const Elements& x) { return Sum(x) / static_cast<double>(x.size()); }

template <int kCorrection>
double Variance(const Elements& x) {
  const double mean = MeanOf(x);
  double sum = 0;
  for (double value : x) sum += (value - mean) * (value - mean);
  return sum / std::max(0.0, static_cast<double>(x.size()) - kCorrection);
}

template <int kCorrection>
double Deviation(const Elements& x) {
  return std::sqrt(Variance<kCorrection>(x));
}

}  // namespace

ReductionOracle OracleOf(const std::string& name) {
  static const std::map<std::string, ReductionOracle> kOracles = {
      {"ReduceSum", [](const Elements& x) { return Sum(x); }},
      {"Mean", [](const Elements& x) { return Sum(x) / static_cast<double>(x.size()); }},
      {"Amax", [](const Elements& x) { return x[BestOf(x, true)]; }},
      {"MeanV2", MeanOf},
      {"MaxV2", [](const Elements& x) { return x[BestOf(x, true)]; }},
      {"ReduceLogSum", [](const Elements& x) { return std::log(Sum(x)); }},
      {"Amin", [](const Elements& x) { return x[BestOf(x, false)]; }},
      {"Max", [](const Elements& x) { return x[BestOf(x, true)]; }},
      {"Min", [](const Elements& x) { return x[BestOf(x, false)]; }},
      {"All", [](const Elements& x) { return double(std::count(x.begin(), x.end(), 0.0) == 0); }},
      {"Any",
       [](const Elements& x) {
         return double(std::count(x.begin(), x.end(), 0.0) < std::ssize(x));
       }},
      {"LogSumExp", LogSumExp},
      {"ArgMax", [](const Elements& x) { return double(BestOf(x, true)); }},
      {"ArgMin", [](const Elements& x) { return double(BestOf(x, false)); }},
      {"MaxDim", [](const Elements& x) { return x[BestOf(x, true)]; }},
      {"MaxDimIndices", [](const Elements& x) { return double(BestOf(x, true)); }},
      {"MinDim", [](const Elements& x) { return x[BestOf(x, false)]; }},
      {"MinDimIndices", [](const Elements& x) { return double(BestOf(x, false)); }},
      {"Aminmax", [](const Elements& x) { return x[BestOf(x, false)]; }},
      {"AminmaxLargest", [](const Elements& x) { return x[BestOf(x, true)]; }},
      {"AminmaxAll", [](const Elements& x) { return x[BestOf(x, false)]; }},
      {"AminmaxAllLargest", [](const Elements& x) { return x[BestOf(x, true)]; }},
      {"AminmaxDim", [](const Elements& x) { return x[BestOf(x, false)]; }},
      {"AminmaxDimLargest", [](const Elements& x) { return x[BestOf(x, true)]; }},
      {"Prod", Product},
      {"ProdDim", Product},
      {"ReduceNansum", NanSum},
      {"LinalgVectorNorm", Norm<2>},
      {"Norm1", Norm<1>},
      {"Norm3", Norm<3>},
      {"Norm0",
       [](const Elements& x) {
         return double(std::ssize(x) - std::count(x.begin(), x.end(), 0.0));
       }},
      {"NormInfinity", Largest},
      {"NormMinusInfinity", Smallest},
      {"Var", Variance<1>},
      {"VarCorrection", Variance<3>},
      {"VarMean", Variance<0>},
      {"VarMeanMean", MeanOf},
      {"Std", Deviation<1>},
      {"StdMeanCorrection", Deviation<2>},
  };
  return kOracles.at(name);
}

double BoundOf(const std::string& name, const Elements& x) {
  constexpr double kUnit = 0x1p-24;
  if (name == "ReduceSum") return 22 * kUnit * SizeOfSum(x);
  if (name == "ReduceNansum") return 22 * kUnit * SizeOfSum(x);
  if (name == "Mean" || name == "MeanV2" || name == "VarMeanMean")
    return 22 * kUnit * SizeOfSum(x) / std::max<double>(1, double(x.size()));
  // The logarithm of a sum whose relative error is that of 21 additions and two exponentials.
  if (name == "LogSumExp") return 26 * kUnit;
  if (name == "ReduceLogSum") {
    const double sum = std::fabs(Sum(x));
    return sum == 0 ? 0 : 24 * kUnit * (1 + SizeOfSum(x) / sum);
  }
  // Roundings of terms, sums of what is positive.
  if (name == "Norm1" || name == "LinalgVectorNorm") return 24 * kUnit * OracleOf(name)(x);
  // A power is within 1.5 units.
  if (name == "Norm3") return 26 * kUnit * OracleOf(name)(x);
  if (name.starts_with("Prod")) return double(x.size()) * kUnit * std::fabs(Product(x));
  if (name.starts_with("Var") || name.starts_with("Std")) return 27 * kUnit * OracleOf(name)(x);
  return 0;
}

std::vector<Elements> Grouped(const std::vector<int64_t>& dims, const Elements& values,
                              uint32_t reduce) {
  int64_t results = 1;
  for (size_t i = 0; i < dims.size(); ++i) results *= (reduce >> i & 1) ? 1 : dims[i];
  std::vector<Elements> groups(static_cast<size_t>(results));
  for (size_t k = 0; k < values.size(); ++k) {
    auto rest = static_cast<int64_t>(k);
    int64_t group = 0, step = 1;
    for (size_t i = dims.size(); i-- > 0; rest /= dims[i]) {
      if (reduce >> i & 1) continue;
      group += rest % dims[i] * step;
      step *= dims[i];
    }
    groups[static_cast<size_t>(group)].push_back(values[k]);
  }
  return groups;
}

}  // namespace anyacl::test
