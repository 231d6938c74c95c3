// SPDX-License-Identifier: Apache-2.0
#include "reference/loss.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace anyacl::test {
namespace {

double Sign(double d) { return double(d > 0) - double(d < 0); }
double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double SoftPlus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }

struct Functions {
  double (*value)(const LossTerms&);
  double (*gradient)(const LossTerms&);
};

const std::map<std::string, Functions>& All() {
  using T = const LossTerms&;
  static const std::map<std::string, Functions> kFunctions = {
      {"MseLoss",
       {[](T t) { return (t.x - t.y) * (t.x - t.y); }, [](T t) { return 2 * (t.x - t.y); }}},
      {"L1Loss", {[](T t) { return std::fabs(t.x - t.y); }, [](T t) { return Sign(t.x - t.y); }}},
      {"SmoothL1Loss",
       {[](T t) {
          const double d = std::fabs(t.x - t.y);
          return d < t.beta ? 0.5 * d * d / t.beta : d - 0.5 * t.beta;
        },
        [](T t) {
          const double d = t.x - t.y;
          return std::fabs(d) < t.beta ? d / t.beta : Sign(d);
        }}},
      {"BinaryCrossEntropy",
       {[](T t) {
          const double yes = std::max(-100.0, std::log(t.x));
          const double no = std::max(-100.0, std::log1p(-t.x));
          return -t.w * (t.y * yes + (1 - t.y) * no);
        },
        [](T t) { return t.w * (t.x - t.y) / std::max(1e-12, t.x * (1 - t.x)); }}},
      {"BinaryCrossEntropyWithLogits",
       {[](T t) {
          const double p = (t.pos_weight - 1) * t.y + 1;
          return t.w * ((1 - t.y) * t.x + p * SoftPlus(-t.x));
        },
        [](T t) {
          const double v = t.pos_weight * t.y;
          return t.w * ((v + 1 - t.y) * Sigmoid(t.x) - v);
        }}},
      {"BinaryCrossEntropyWithLogitsTarget",
       {[](T t) {
          const double p = (t.pos_weight - 1) * t.y + 1;
          return t.w * ((1 - t.y) * t.x + p * SoftPlus(-t.x));
        },
        [](T t) { return t.w * ((t.pos_weight - 1) * SoftPlus(-t.x) - t.x); }}},
      {"KlDiv",
       {[](T t) { return t.y == 0 ? 0 : t.y * (std::log(t.y) - t.x); },
        [](T t) { return t.y <= 0 ? 0 : -t.y; }}},
      {"KlDivLog",
       {[](T t) { return std::exp(t.y) * (t.y - t.x); }, [](T t) { return -std::exp(t.y); }}},
      // The document has log 0 where target is 0, PyTorch's CPU has 0.
      {"KlDivTarget",
       {[](T t) { return t.y == 0 ? 0 : t.y * (std::log(t.y) - t.x); },
        [](T t) { return t.y == 0 ? 0 : std::log(t.y) - t.x + 1; }}},
      {"KlDivTargetLog",
       {[](T t) { return std::exp(t.y) * (t.y - t.x); },
        [](T t) { return std::exp(t.y) * (t.y - t.x + 1); }}},
      {"SoftMarginLoss",
       {[](T t) { return SoftPlus(-t.x * t.y); }, [](T t) { return -t.y * Sigmoid(-t.x * t.y); }}},
  };
  return kFunctions;
}

}  // namespace

double LossValue(const std::string& name, const LossTerms& terms) {
  return All().at(name).value(terms);
}
double LossGradient(const std::string& name, const LossTerms& terms) {
  return All().at(name).gradient(terms);
}

}  // namespace anyacl::test
