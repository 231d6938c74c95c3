// SPDX-License-Identifier: Apache-2.0
#include "ops/dynamic_quant/kernel.h"

#include <cmath>
#include <limits>

#include "base/half.h"

namespace anyacl::dynamic_quant {
namespace {

template <Source kSource>
float Load(uint16_t bits) {
  return kSource == Source::kBf16 ? FloatFromBf16(bits) : FloatFromFp16(bits);
}

template <Source kSource, bool kSmooth>
float Value(const Row& row, int64_t column) {
  const float x = Load<kSource>(row.x[column * row.x_step]);
  return kSmooth ? x * Load<kSource>(row.smooth[column * row.smooth_step]) : x;
}

template <Target kTarget>
struct Range {
  static constexpr float kQ = kTarget == Target::kInt8 ? 127.0f : 7.0f;
  static constexpr float kR = kTarget == Target::kInt8 ? 255.0f : 15.0f;
};

template <Target kTarget>
int Quantize(float quotient) {
  if (std::isnan(quotient)) return 0;
  constexpr float kQ = Range<kTarget>::kQ;
  return static_cast<int>(std::nearbyint(std::fmin(std::fmax(quotient, -kQ - 1.0f), kQ)));
}

template <Target kTarget>
void Store(const Row& row, int64_t column, int value) {
  if constexpr (kTarget == Target::kInt8) {
    row.y[column * row.y_step] = static_cast<unsigned char>(value);
  } else {
    unsigned char& byte = row.y[column / 8 * row.y_step * 4 + column % 8 / 2];
    const auto nibble = static_cast<unsigned char>(value & 0xf);
    byte = column % 2 == 0 ? nibble : static_cast<unsigned char>(byte | nibble << 4);
  }
}

struct Extremes {
  float min = std::numeric_limits<float>::infinity();
  float max = -std::numeric_limits<float>::infinity();
  bool has_nan = false;
};

template <Source kSource, bool kSmooth>
Extremes FindExtremes(const Row& row) {
  Extremes extremes;
  for (int64_t j = 0; j < row.cols; ++j) {
    const float v = Value<kSource, kSmooth>(row, j);
    extremes.has_nan |= std::isnan(v);
    extremes.min = v < extremes.min ? v : extremes.min;
    extremes.max = v > extremes.max ? v : extremes.max;
  }
  return extremes;
}

template <Source kSource, Target kTarget, bool kAsymmetric, bool kSmooth>
void QuantizeRow(const Row& row) {
  constexpr float kQ = Range<kTarget>::kQ;
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const Extremes extremes = FindExtremes<kSource, kSmooth>(row);
  float scale = 0.0f;
  float offset = 0.0f;
  if constexpr (kAsymmetric) {
    const float step = (extremes.max - extremes.min) / Range<kTarget>::kR;
    scale = step < 1e-12f ? 1e-12f : step;
    if (std::isnan(step)) scale = std::numeric_limits<float>::infinity();  // inf - inf
    offset = kQ - extremes.max / scale;
  } else {
    scale = std::fmax(std::fabs(extremes.min), std::fabs(extremes.max)) / kQ;
  }
  // One bit pattern for every NaN, so that results do not depend on how it came about.
  if (extremes.has_nan) scale = kNaN;
  if (std::isnan(scale) || std::isnan(offset)) offset = kNaN;
  *row.scale = scale;
  if (kAsymmetric) *row.offset = offset;
  for (int64_t j = 0; j < row.cols; ++j) {
    const float v = Value<kSource, kSmooth>(row, j);
    // In a row of zeros, and where the scale underflows, 0 / 0 or v / 0 stands for 0.
    const float quotient = scale == 0.0f ? 0.0f : v / scale;
    Store<kTarget>(row, j, Quantize<kTarget>(kAsymmetric ? quotient + offset : quotient));
  }
}

template <Source kSource, Target kTarget>
RowKernel Select(bool asymmetric, bool smooth) {
  if (asymmetric) {
    return smooth ? QuantizeRow<kSource, kTarget, true, true>
                  : QuantizeRow<kSource, kTarget, true, false>;
  }
  return smooth ? QuantizeRow<kSource, kTarget, false, true>
                : QuantizeRow<kSource, kTarget, false, false>;
}

template <Source kSource>
RowKernel Select(const Form& form) {
  return form.target == Target::kInt8
             ? Select<kSource, Target::kInt8>(form.asymmetric, form.smooth)
             : Select<kSource, Target::kInt4>(form.asymmetric, form.smooth);
}

}  // namespace

RowKernel SelectKernel(const Form& form) {
  return form.source == Source::kBf16 ? Select<Source::kBf16>(form) : Select<Source::kFp16>(form);
}

}  // namespace anyacl::dynamic_quant
