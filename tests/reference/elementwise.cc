// SPDX-License-Identifier: Apache-2.0
#include "reference/elementwise.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <stdexcept>

namespace anyacl::test {
namespace {

using X = const double*;

double Larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }
double Smaller(double a, double b) { return std::isnan(a) || a < b ? a : b; }

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double Softplus(double x) { return std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x))); }
double NormalFunction(double x) { return 0.5 * std::erfc(-x * M_SQRT1_2); }
double Sinc(double x) {
  if (x == 0) return 1;
  const double whole = std::round(x), sine = std::sin(M_PI * (x - whole)) / (M_PI * x);
  return std::fmod(whole, 2) == 0 ? sine : -sine;
}
// By bisection.
double Erfinv(double x) {
  if (std::fabs(x) == 1) return x * INFINITY;
  if (std::fabs(x) < 1e-6) return x * std::sqrt(M_PI) / 2;
  double low = 0, high = 6;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle) > 1 - std::fabs(x) ? low : high) = middle;
  }
  return std::fabs(x) > 1 ? std::nan("") : std::copysign((low + high) / 2, x);
}
// By recurrence from numbers so large that a few terms of the series are exact.
double Digamma(double x) {
  long double a = x, sum = 0;
  if (x == 0) return std::copysign(INFINITY, -x);
  if (x < 0) {
    const long double fraction = a - std::round(a);
    if (fraction == 0) return std::nan("");
    sum = -M_PIl / std::tan(M_PIl * fraction);
    a = 1 - a;
  }
  for (; a < 60; a += 1) sum -= 1 / a;
  const long double y = 1 / (a * a);
  const long double series = y * (1.0L / 12 - y * (1.0L / 120 - y * (1.0L / 252 - y / 240)));
  return static_cast<double>(sum + std::log(a) - 0.5L / a - series);
}
double Remainder(double a, double b) {
  const double r = std::fmod(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
double FloorDivide(double a, double b) {
  return b == 0 ? a / b : std::floor((a - Remainder(a, b)) / b + 0.5);
}
// The derivative of x sigmoid(2u).
double GeluSlope(double x) {
  const double u = 2 * std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
  const double slope = 2 * std::sqrt(2 / M_PI) * x * (1 + 3 * 0.044715 * x * x);
  return Sigmoid(u) * (1 + slope * Sigmoid(-u));
}
double SwishSlope(double x) { return Sigmoid(x) * (1 + x * Sigmoid(-x)); }
double Elu(double x, double alpha, double scale, double input_scale) {
  return x > 0 ? scale * x : alpha * scale * std::expm1(x * input_scale);
}
constexpr double kSeluAlpha = 1.6732632423543772848, kSeluScale = 1.0507009873554804935;
double MishSlope(double x) {
  const double t = std::tanh(Softplus(x));
  return t + x * Sigmoid(x) * (1 - t * t);
}
int64_t Int(double x) { return static_cast<int64_t>(x); }

constexpr Result kComputed = Result::kComputed, kFloating = Result::kFloating,
                 kBool = Result::kBool;

// clang-format off
const std::map<std::string, ElementwiseReference> kMoreReferences = {
    {"Floor", {[](X x, X) { return std::floor(x[0]); }}},
    {"Ceil", {[](X x, X) { return std::ceil(x[0]); }}},
    {"Round", {[](X x, X) { return std::nearbyint(x[0]); }}},
    {"Trunc", {[](X x, X) { return std::trunc(x[0]); }}},
    {"Frac", {[](X x, X) { return x[0] - std::trunc(x[0]); }}},
    {"FloorDivide", {[](X x, X) { return FloorDivide(x[0], x[1]); }, -8, 8, 0.5, kComputed, 0,
                     [](X x, X) { return x[1] == 0 ? 0 : FloorDivide(x[0], x[1]); }}},
    {"FloorDivides", {[](X x, X s) { return FloorDivide(x[0], s[0]); }}},
    {"DivMod", {[](X x, X) { return std::trunc(x[0] / x[1]); }, -8, 8, 0.5, kComputed, 0,
                [](X x, X) { return x[1] == 0 ? 0 : std::trunc(x[0] / x[1]); }}},
    {"InplaceDivMod", {[](X x, X) { return FloorDivide(x[0], x[1]); }, -8, 8, 0.5, kComputed, 0,
                       [](X x, X) { return x[1] == 0 ? 0 : FloorDivide(x[0], x[1]); }}},
    {"DivMods", {[](X x, X s) { return FloorDivide(x[0], s[0]); }}},
    {"InplaceDivMods", {[](X x, X s) { return std::trunc(x[0] / s[0]); }}},
    {"RemainderTensorTensor", {[](X x, X) { return Remainder(x[0], x[1]); }, -8, 8, 0.5, kComputed, 0,
                               [](X x, X) { return x[1] == 0 ? x[0] : Remainder(x[0], x[1]); }}},
    {"RemainderTensorScalar", {[](X x, X s) { return Remainder(x[0], s[0]); }}},
    {"RemainderScalarTensor", {[](X x, X s) { return Remainder(s[0], x[0]); }, -8, 8, 0.5, kComputed, 0,
                               [](X x, X s) { return x[0] == 0 ? s[0] : Remainder(s[0], x[0]); }}},
    {"FmodTensor", {[](X x, X) { return std::fmod(x[0], x[1]); }, -8, 8, 0.5, kComputed, 0,
                    [](X x, X) { return x[1] == 0 ? x[0] : std::fmod(x[0], x[1]); }}},
    {"FmodScalar", {[](X x, X s) { return std::fmod(x[0], s[0]); }}},
    {"Gcd", {[](X x, X) { return double(std::gcd(Int(x[0]), Int(x[1]))); }, -100, 100}},
    {"BitwiseAndTensor", {[](X x, X) { return double(Int(x[0]) & Int(x[1])); }, -100, 100}},
    {"BitwiseAndTensorOut", {[](X x, X) { return double(Int(x[0]) & Int(x[1])); }, -100, 100}},
    {"BitwiseAndScalar", {[](X x, X s) { return double(Int(x[0]) & Int(s[0])); }, -100, 100}},
    {"BitwiseOrTensor", {[](X x, X) { return double(Int(x[0]) | Int(x[1])); }, -100, 100}},
    {"BitwiseOrScalar", {[](X x, X s) { return double(Int(x[0]) | Int(s[0])); }, -100, 100}},
    {"BitwiseXorTensor", {[](X x, X) { return double(Int(x[0]) ^ Int(x[1])); }, -100, 100}},
    {"BitwiseXorScalar", {[](X x, X s) { return double(Int(x[0]) ^ Int(s[0])); }, -100, 100}},
    {"BitwiseNot", {[](X x, X) { return double(~Int(x[0])); }, -100, 100}},
    {"Addcmul", {[](X x, X s) { return x[0] + s[0] * x[1] * x[2]; }, -8, 8, 1, kComputed, 64}},
    {"Addcdiv", {[](X x, X s) { return x[0] + s[0] * x[1] / x[2]; }, -8, 8, 4, kComputed, 16,
                 [](X x, X s) { return x[0] + (x[2] == 0 ? 0 : std::trunc(s[0] * x[1] / x[2])); }}},
    {"Lerp", {[](X x, X) { return x[0] + x[2] * (x[1] - x[0]); }, -8, 8, 1, kComputed, 128}},
    {"Lerps", {[](X x, X s) { return x[0] + s[0] * (x[1] - x[0]); }, -8, 8, 1, kComputed, 32}},
    {"ClampMin", {[](X x, X s) { return Larger(x[0], s[0]); }}},
    {"ClampMax", {[](X x, X s) { return Smaller(x[0], s[0]); }}},
    {"ClampMinTensor", {[](X x, X) { return Larger(x[0], x[1]); }}},
    {"ClampMaxTensor", {[](X x, X) { return Smaller(x[0], x[1]); }}},
    {"ClampTensor", {[](X x, X) { return Smaller(Larger(x[0], x[1]), x[2]); }}},
    {"Hardtanh", {[](X x, X s) { return Smaller(Larger(x[0], s[0]), s[1]); }}},
    {"Rsub", {[](X x, X s) { return x[1] - s[0] * x[0]; }, -8, 8, 1, kComputed, 8}},
    {"AddV3", {[](X x, X s) { return s[0] + s[1] * x[0]; }}},
    {"Rsubs", {[](X x, X s) { return s[0] - s[1] * x[0]; }}},
    {"IsNegInf", {[](X x, X) { return double(x[0] == -INFINITY); }, -8, 8, 0, kBool}},
    {"IsPosInf", {[](X x, X) { return double(x[0] == INFINITY); }, -8, 8, 0, kBool}},
    {"IsInf", {[](X x, X) { return double(std::isinf(x[0])); }, -8, 8, 0, kBool}},
    {"IsFinite", {[](X x, X) { return double(std::isfinite(x[0])); }, -8, 8, 0, kBool}},
    {"Signbit", {[](X x, X) { return double(std::signbit(x[0])); }, -8, 8, 0, kBool}},
    {"IsClose", {[](X x, X) { return double(std::fabs(x[0] - x[1]) <= 0.5 + 0.25 * std::fabs(x[1])); },
                 -8, 8, 0, kBool}},
    {"MaskedFillScalar", {[](X x, X s) { return x[1] != 0 ? s[0] : x[0]; }}},
    {"NanToNum", {[](X x, X) { return std::isnan(x[0]) ? 1.0 : x[0]; }}},

    {"Exp2", {[](X x, X) { return std::exp2(x[0]); }, -8, 8, 1.5, kFloating}},
    {"Expm1", {[](X x, X) { return std::expm1(x[0]); }, -8, 8, 2, kFloating}},
    {"Log2", {[](X x, X) { return std::log2(x[0]); }, 0, 8, 1, kFloating}},
    {"Log10", {[](X x, X) { return std::log10(x[0]); }, 0, 8, 1, kFloating}},
    {"Log1p", {[](X x, X) { return std::log1p(x[0]); }, -1, 8, 2, kFloating}},
    {"Tan", {[](X x, X) { return std::tan(x[0]); }, -8, 8, 4, kFloating}},
    {"Sinc", {[](X x, X) { return Sinc(x[0]); }, -8, 8, 4, kFloating}},
    {"Asin", {[](X x, X) { return std::asin(x[0]); }, -1.1, 1.1, 2, kFloating}},
    {"Acos", {[](X x, X) { return std::acos(x[0]); }, -1.1, 1.1, 2, kFloating}},
    {"Atan", {[](X x, X) { return std::atan(x[0]); }, -8, 8, 2, kFloating}},
    {"Atan2", {[](X x, X) { return std::atan2(x[0], x[1]); }, -8, 8, 3, kFloating}},
    {"Sinh", {[](X x, X) { return std::sinh(x[0]); }, -8, 8, 2, kFloating}},
    {"Cosh", {[](X x, X) { return std::cosh(x[0]); }, -8, 8, 2, kFloating}},
    {"Asinh", {[](X x, X) { return std::asinh(x[0]); }, -8, 8, 3, kFloating}},
    {"Acosh", {[](X x, X) { return std::acosh(x[0]); }, 0, 8, 3, kFloating}},
    {"Atanh", {[](X x, X) { return std::atanh(x[0]); }, -1.1, 1.1, 3, kFloating}},
    {"Erf", {[](X x, X) { return std::erf(x[0]); }, -8, 8, 1.5, kFloating}},
    {"Erfc", {[](X x, X) { return std::erfc(x[0]); }, -8, 8, 4, kFloating}},
    {"Erfinv", {[](X x, X) { return Erfinv(x[0]); }, -1, 1, 6, kFloating}},
    {"LogAddExp", {[](X x, X) { return std::fmax(x[0], x[1]) + Softplus(-std::fabs(x[0] - x[1])); },
                   -8, 8, 2, kFloating, 16}},
    {"Square", {[](X x, X) { return x[0] * x[0]; }}},
    {"Lgamma", {[](X x, X) { return std::lgamma(x[0]); }}},
    {"Digamma", {[](X x, X) { return Digamma(x[0]); }, -8, 8, 1, kComputed, 8}},
    {"LogAddExp2", {[](X x, X) { return std::log2(std::exp2(x[0]) + std::exp2(x[1])); },
                    -8, 8, 2, kFloating, 16}},
    {"XLogYTensor", {[](X x, X) { return x[0] == 0 ? 0 : x[0] * std::log(x[1]); }, 0, 8, 2, kFloating}},
    {"XLogYScalarOther", {[](X x, X s) { return x[0] == 0 ? 0 : x[0] * std::log(s[0]); }, 0, 8, 2, kFloating}},
    {"XLogYScalarSelf", {[](X x, X s) { return s[0] * std::log(x[0]); }, 0, 8, 2, kFloating}},
    {"PowScalarTensor", {[](X x, X s) { return std::pow(s[0], x[0]); }, 0, 4, 3}},
    {"Logit", {[](X x, X) {
                 const double z = Smaller(Larger(x[0], 0.125), 0.875);
                 return std::log(z / (1 - z));
               }, -0.5, 1.5, 2, kFloating, 2}},
    {"LogitGrad", {[](X x, X) { return x[0] < 0.125 || x[0] > 0.875 ? 0 : x[1] / (x[0] * (1 - x[0])); },
                   -0.5, 1.5, 3, kFloating}},

    {"Hardsigmoid", {[](X x, X) { return Smaller(Larger(x[0] / 6 + 0.5, 0), 1); }, -8, 8, 1, kComputed, 1,
                     [](X x, X) { return double(x[0] >= 3); }}},
    {"Hardswish", {[](X x, X) { return x[0] * Smaller(Larger(x[0] + 3, 0), 6) / 6; }, -8, 8, 2, kComputed, 2}},
    {"Softplus", {[](X x, X s) { return x[0] * s[0] > s[1] ? x[0] : Softplus(x[0] * s[0]) / s[0]; },
                  -8, 8, 8, kFloating, 4}},
    {"LogSigmoid", {[](X x, X) { return -Softplus(-x[0]); }, -8, 8, 2, kFloating}},
    {"Mish", {[](X x, X) { return x[0] * std::tanh(Softplus(x[0])); }, -8, 8, 5, kFloating}},
    {"Elu", {[](X x, X s) { return Elu(x[0], s[0], s[1], s[2]); }, -8, 8, 3, kFloating}},
    {"Celu", {[](X x, X s) { return Elu(x[0], s[0], 1, 1 / s[0]); }, -8, 8, 3, kFloating}},
    {"Selu", {[](X x, X) { return Elu(x[0], kSeluAlpha, kSeluScale, 1); }, -8, 8, 3, kComputed, 0,
              [](X x, X) { return std::trunc(Elu(x[0], kSeluAlpha, kSeluScale, 1)); }}},
    {"Hardshrink", {[](X x, X s) { return std::fabs(x[0]) <= s[0] ? 0 : x[0]; }}},
    {"Softshrink", {[](X x, X s) { return std::fabs(x[0]) <= s[0] ? 0 : x[0] - std::copysign(s[0], x[0]); }}},
    {"Threshold", {[](X x, X s) { return x[0] <= s[0] ? s[1] : x[0]; }}},
    {"Swish", {[](X x, X s) { return x[0] * Sigmoid(s[0] * x[0]); }, -8, 8, 12, kFloating}},
    {"FastGelu", {[](X x, X) { return x[0] * Sigmoid(1.702 * x[0]); }, -8, 8, 12, kFloating}},
    {"GeluV2", {[](X x, X) { return x[0] * NormalFunction(x[0]); }, -8, 8, 5, kFloating}},
    {"Heaviside", {[](X x, X) { return x[0] == 0 ? x[1] : double(x[0] > 0); }}},

    {"ThresholdBackward", {[](X x, X s) { return x[1] <= s[0] ? 0 : x[0]; }}},
    {"GeluBackward", {[](X x, X) { return x[0] * GeluSlope(x[1]); }, -8, 8, 4, kFloating, 64}},
    {"GeluBackwardV2", {[](X x, X) {
                          const double density = std::exp(-x[1] * x[1] / 2) / std::sqrt(2 * M_PI);
                          return x[0] * (NormalFunction(x[1]) + x[1] * density);
                        }, -8, 8, 4, kFloating, 32}},
    {"SiluBackward", {[](X x, X) { return x[0] * SwishSlope(x[1]); }, -8, 8, 4, kFloating, 32}},
    {"SwishBackward", {[](X x, X s) { return x[0] * SwishSlope(s[0] * x[1]); }, -8, 8, 4, kFloating, 64}},
    {"FastGeluBackward", {[](X x, X) { return x[0] * SwishSlope(1.702 * x[1]); }, -8, 8, 4, kFloating, 64}},
    {"TanhBackward", {[](X x, X) { return x[0] * (1 - x[1] * x[1]); }, -1, 1, 1, kFloating, 1}},
    {"SigmoidBackward", {[](X x, X) { return x[0] * (1 - x[1]) * x[1]; }, -8, 8, 3, kFloating}},
    {"SoftplusBackward", {[](X x, X s) { return x[0] * (x[1] * s[0] > s[1] ? 1 : Sigmoid(x[1] * s[0])); },
                          -8, 8, 16, kFloating}},
    {"LeakyReluBackward", {[](X x, X s) { return x[0] * (x[1] > 0 ? 1 : s[0]); }}},
    {"HardswishBackward", {[](X x, X) { return x[0] * (x[1] < -3 ? 0 : x[1] > 3 ? 1 : x[1] / 3 + 0.5); },
                           -8, 8, 2, kFloating, 8}},
    {"HardswishBackwardV2", {[](X x, X) { return x[0] * (x[1] <= -3 ? 0 : x[1] >= 3 ? 1 : x[1] / 3 + 0.5); },
                             -8, 8, 2, kFloating, 8}},
    {"HardsigmoidBackward", {[](X x, X) { return std::fabs(x[1]) < 3 ? x[0] / 6 : 0; }}},
    {"HardtanhBackward", {[](X x, X s) { return x[1] <= s[0] || x[1] >= s[1] ? 0 : x[0]; }}},
    {"EluBackward", {[](X x, X s) {
                       return x[0] * (x[1] > 0 ? s[1] : s[0] * s[1] * s[2] * std::exp(x[1] * s[2]));
                     }, -8, 8, 4, kFloating}},
    {"SeluBackward", {[](X x, X) {
                        return x[0] * kSeluScale * (x[1] > 0 ? 1 : x[1] / kSeluScale + kSeluAlpha);
                      }, -8, 8, 2, kComputed, 32,
                      [](X x, X) {
                        return std::trunc(x[0] * (x[1] > 0 ? kSeluScale : x[1] + kSeluScale * kSeluAlpha));
                      }}},
    {"Shrink", {[](X x, X s) { return x[0] > s[0] ? x[0] - s[1] : x[0] < -s[0] ? x[0] + s[1] : 0; }}},
    {"SquaredRelu", {[](X x, X) { return x[0] > 0 ? x[0] * x[0] : 0; }}},
    {"HardshrinkBackward", {[](X x, X s) { return std::fabs(x[1]) <= s[0] ? 0 : x[0]; }}},
    {"SoftshrinkBackward", {[](X x, X s) { return std::fabs(x[1]) <= s[0] ? 0 : x[0]; }}},
    {"MishBackward", {[](X x, X) { return x[0] * MishSlope(x[1]); }, -8, 8, 4, kFloating, 32}},
};
// clang-format on

const std::map<std::string, ElementwiseReference> kReferences = {
    {"Add", {[](X x, X s) { return x[0] + s[0] * x[1]; }}},
    {"AddRelu", {[](X x, X s) { return Larger(x[0] + s[0] * x[1], 0); }}},
    {"Adds", {[](X x, X s) { return x[0] + s[1] * s[0]; }, -8, 8, 1}},
    {"Sub", {[](X x, X s) { return x[0] - s[0] * x[1]; }}},
    {"Subs", {[](X x, X s) { return x[0] - s[1] * s[0]; }, -8, 8, 1}},
    {"Mul", {[](X x, X) { return x[0] * x[1]; }}},
    {"Muls", {[](X x, X s) { return x[0] * s[0]; }}},
    {"Div", {[](X x, X) { return x[0] / x[1]; }, -8, 8, 0.5, kFloating}},
    {"Divs",
     {[](X x, X s) { return x[0] / s[0]; }, -8, 8, 0.5, kFloating, 0,
      [](X x, X s) { return std::trunc(x[0] / s[0]); }}},
    {"Neg", {[](X x, X) { return -x[0]; }}},
    {"Abs", {[](X x, X) { return std::fabs(x[0]); }}},
    {"Sign", {[](X x, X) { return double((x[0] > 0) - (x[0] < 0)); }}},
    {"Exp", {[](X x, X) { return std::exp(x[0]); }, -8, 8, 1, kFloating}},
    {"Log", {[](X x, X) { return std::log(x[0]); }, 0, 8, 1, kFloating}},
    {"Sqrt", {[](X x, X) { return std::sqrt(x[0]); }, 0, 8, 0.5, kFloating}},
    {"Rsqrt", {[](X x, X) { return 1 / std::sqrt(x[0]); }, 0, 8, 1.5, kFloating}},
    {"Reciprocal", {[](X x, X) { return 1 / x[0]; }, -8, 8, 0.5, kFloating}},
    {"Sigmoid", {[](X x, X) { return 1 / (1 + std::exp(-x[0])); }, -8, 8, 3, kFloating}},
    {"Silu", {[](X x, X) { return x[0] / (1 + std::exp(-x[0])); }, -8, 8, 3, kFloating}},
    // 2u = 1.6 (x + 0.045 x^3) is -7.2 for x = -3: the error of e^-2u, in ulp.
    {"Gelu",
     {[](X x, X) {
        const double u = std::sqrt(2 / M_PI) * (x[0] + 0.044715 * x[0] * x[0] * x[0]);
        return x[0] / (1 + std::exp(-2 * u));
      },
      -3, 8, 32}},
    {"Relu", {[](X x, X) { return x[0] < 0 ? 0 : x[0]; }, -8, 8, 0.5, kFloating}},
    {"LeakyRelu", {[](X x, X s) { return x[0] < 0 ? s[0] * x[0] : x[0]; }}},
    {"Tanh", {[](X x, X) { return std::tanh(x[0]); }, -8, 8, 2, kFloating}},
    {"Cos", {[](X x, X) { return std::cos(x[0]); }, -8, 8, 2, kFloating}},
    {"Sin", {[](X x, X) { return std::sin(x[0]); }, -8, 8, 2, kFloating}},
    {"PowTensorScalar", {[](X x, X s) { return std::pow(x[0], s[0]); }, 0, 4, 3}},
    {"PowTensorTensor", {[](X x, X) { return std::pow(x[0], x[1]); }, 0, 3, 3}},
    {"Maximum", {[](X x, X) { return Larger(x[0], x[1]); }}},
    {"Minimum", {[](X x, X) { return Smaller(x[0], x[1]); }}},
    {"EqTensor", {[](X x, X) { return double(x[0] == x[1]); }, -8, 8, 0.5, kBool}},
    {"NeTensor", {[](X x, X) { return double(x[0] != x[1]); }, -8, 8, 0.5, kBool}},
    {"LtTensor", {[](X x, X) { return double(x[0] < x[1]); }, -8, 8, 0.5, kBool}},
    {"LeTensor", {[](X x, X) { return double(x[0] <= x[1]); }, -8, 8, 0.5, kBool}},
    {"GtTensor", {[](X x, X) { return double(x[0] > x[1]); }, -8, 8, 0.5, kBool}},
    {"GeTensor", {[](X x, X) { return double(x[0] >= x[1]); }, -8, 8, 0.5, kBool}},
    {"EqScalar", {[](X x, X s) { return double(x[0] == s[0]); }, -8, 8, 0.5, kBool}},
    {"NeScalar", {[](X x, X s) { return double(x[0] != s[0]); }, -8, 8, 0.5, kBool}},
    {"LtScalar", {[](X x, X s) { return double(x[0] < s[0]); }, -8, 8, 0.5, kBool}},
    {"LeScalar", {[](X x, X s) { return double(x[0] <= s[0]); }, -8, 8, 0.5, kBool}},
    {"GtScalar", {[](X x, X s) { return double(x[0] > s[0]); }, -8, 8, 0.5, kBool}},
    {"GeScalar", {[](X x, X s) { return double(x[0] >= s[0]); }, -8, 8, 0.5, kBool}},
    {"LogicalAnd", {[](X x, X) { return double(x[0] != 0 && x[1] != 0); }, -1, 1, 0.5, kBool}},
    {"LogicalOr", {[](X x, X) { return double(x[0] != 0 || x[1] != 0); }, -1, 1, 0.5, kBool}},
    {"LogicalXor", {[](X x, X) { return double((x[0] != 0) != (x[1] != 0)); }, -1, 1, 0.5, kBool}},
    {"LogicalNot", {[](X x, X) { return double(x[0] == 0); }, -1, 1, 0.5, kBool}},
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
  for (const auto* references : {&kReferences, &kMoreReferences}) {
    for (const std::string& key : {name, plain}) {
      if (const auto known = references->find(key); known != references->end()) {
        return known->second;
      }
    }
  }
  throw std::logic_error("no reference for " + name);
}

}  // namespace anyacl::test
