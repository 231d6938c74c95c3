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

}  // namespace

ReductionOracle OracleOf(const std::string& name) {
  static const std::map<std::string, ReductionOracle> kOracles = {
      {"ReduceSum", [](const Elements& x) { return Sum(x); }},
      {"Mean", [](const Elements& x) { return Sum(x) / static_cast<double>(x.size()); }},
      {"Amax", [](const Elements& x) { return x[BestOf(x, true)]; }},
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
  };
  return kOracles.at(name);
}

double BoundOf(const std::string& name, const Elements& x) {
  constexpr double kUnit = 0x1p-24;
  if (name == "ReduceSum") return 22 * kUnit * SizeOfSum(x);
  if (name == "Mean") return 22 * kUnit * SizeOfSum(x) / std::max<double>(1, double(x.size()));
  // The logarithm of a sum whose relative error is that of 21 additions and two exponentials.
  if (name == "LogSumExp") return 26 * kUnit;
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
