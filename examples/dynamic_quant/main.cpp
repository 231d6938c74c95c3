// SPDX-License-Identifier: Apache-2.0
// aclnnDynamicQuantV2: quantises a small matrix in four ways and shows what each loses.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "../device.h"
#include "aclnnop/aclnn_dynamic_quant_v2.h"

namespace {

constexpr int kRows = 4;
constexpr int kColumns = 6;

// Rows of very different size: a row has a scale of its own, so that each keeps its precision. The
// third has no negative values and the fourth is all zero.
// clang-format off
const std::vector<float> kX = {
    0.5f,  -1,    2,     4,  -3,    1.5f,
    10,    -20,   30,    40, -50,   60,
    0.25f, 0.5f,  0.75f, 1,  1.25f, 1.5f,  //
    0,     0,     0,     0,  0,     0,
};

// One row of factors per expert, and the row after the last one of each expert: the first expert
// has rows 0 and 1, the second rows 2 and 3.
const std::vector<float> kSmooth = {
    1, 1, 1, 0.5f, 0.5f, 0.5f,
    4, 4, 2, 2,    1,    1,
};
// clang-format on
const std::vector<int32_t> kGroupEnds = {2, 4};

struct Variant {
  std::string title;
  aclDataType y_type;
  bool symmetric;
  bool smooth;
};

struct Result {
  std::vector<int> y;
  std::vector<float> scale;
  std::vector<float> offset;  // zeros if symmetric
};

std::vector<aclFloat16> ToFloat16(const std::vector<float>& values) {
  std::vector<aclFloat16> halves(values.size());
  std::transform(values.begin(), values.end(), halves.begin(), aclFloatToFloat16);
  return halves;
}

// Two INT4 values share a byte, the first in the low half.
std::vector<int> UnpackInt4(const std::vector<uint8_t>& bytes) {
  std::vector<int> values;
  for (uint8_t byte : bytes) {
    for (int half : {byte & 15, byte >> 4}) values.push_back(half < 8 ? half : half - 16);
  }
  return values;
}

Result Quantise(const Variant& variant, aclrtStream stream) {
  const DeviceTensor x(ACL_FLOAT16, {kRows, kColumns}, ToFloat16(kX));
  const DeviceTensor smooth(ACL_FLOAT16, {2, kColumns}, ToFloat16(kSmooth));
  const DeviceTensor group_ends(ACL_INT32, {2}, kGroupEnds);
  const DeviceTensor y(variant.y_type, {kRows, kColumns});
  const DeviceTensor scale(ACL_FLOAT, {kRows});
  const DeviceTensor offset(ACL_FLOAT, {kRows});

  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  Check(aclnnDynamicQuantV2GetWorkspaceSize(
            x.get(), variant.smooth ? smooth.get() : nullptr,
            variant.smooth ? group_ends.get() : nullptr, variant.y_type, y.get(), scale.get(),
            variant.symmetric ? nullptr : offset.get(), &workspace_size, &executor),
        "aclnnDynamicQuantV2GetWorkspaceSize");
  RunAndWait("aclnnDynamicQuantV2", aclnnDynamicQuantV2, workspace_size, executor, stream);

  Result result;
  if (variant.y_type == ACL_INT4) {
    result.y = UnpackInt4(y.Download<uint8_t>());
  } else {
    const std::vector<int8_t> values = y.Download<int8_t>();
    result.y.assign(values.begin(), values.end());
  }
  result.scale = scale.Download<float>();
  result.offset = variant.symmetric ? std::vector<float>(kRows, 0.0f) : offset.Download<float>();
  return result;
}

// The scale that the operator's definition gives for a row of values.
float ExpectedScale(const Variant& variant, const std::vector<float>& row) {
  const bool int4 = variant.y_type == ACL_INT4;
  if (variant.symmetric) {
    float largest = 0;
    for (float value : row) largest = std::max(largest, std::abs(value));
    return largest / (int4 ? 7.0f : 127.0f);
  }
  const auto range = std::minmax_element(row.begin(), row.end());
  return std::max((*range.second - *range.first) / (int4 ? 15.0f : 255.0f), 1e-12f);
}

// Prints one row and tells whether dequantising it gives the values back as exactly as its scale
// allows: to half a step.
bool ShowRow(const Variant& variant, const Result& result, int row) {
  std::vector<float> values;
  float largest_error = 0;
  for (int column = 0; column < kColumns; ++column) {
    float value = kX[row * kColumns + column];
    // Rows 0 and 1 belong to the first expert, rows 2 and 3 to the second.
    if (variant.smooth) value *= kSmooth[row / 2 * kColumns + column];
    values.push_back(value);
    const float dequantised =
        (static_cast<float>(result.y[row * kColumns + column]) - result.offset[row]) *
        result.scale[row];
    largest_error = std::max(largest_error, std::abs(dequantised - value));
  }

  for (float value : values) std::printf("%7.2f", value);
  std::printf(" |");
  for (int column = 0; column < kColumns; ++column) {
    std::printf("%5d", result.y[row * kColumns + column]);
  }
  std::printf(" | %9.3g |", result.scale[row]);
  if (variant.symmetric) {
    std::printf("        -");
  } else {
    std::printf(" %8.2f", result.offset[row]);
  }
  std::printf(" | %7.4f\n", largest_error);

  const float expected = ExpectedScale(variant, values);
  // A last bit in the scale, and rounding of the float arithmetic above.
  const bool scale_right = std::abs(result.scale[row] - expected) <= 1e-6f * expected;
  const bool error_right = largest_error <= 0.5f * expected * 1.001f;
  if (!scale_right || !error_right) {
    std::fprintf(stderr, "FAILED: row %d of %s: expected scale %g and an error of at most %g\n",
                 row, variant.title.c_str(), expected, 0.5f * expected);
  }
  return scale_right && error_right;
}

}  // namespace

int main() {
  const std::vector<Variant> variants = {
      {"symmetric INT8", ACL_INT8, true, false},
      {"asymmetric INT8", ACL_INT8, false, false},
      {"symmetric INT4", ACL_INT4, true, false},
      {"asymmetric INT8, smooth scales of two experts", ACL_INT8, false, true},
  };

  const Device device;
  bool right = true;
  for (const Variant& variant : variants) {
    const Result result = Quantise(variant, device.stream());
    std::printf("\n%s\n%42s | %29s | %9s | %8s | %7s\n", variant.title.c_str(),
                variant.smooth ? "x * smooth" : "x", "y", "scale", "offset", "error");
    for (int row = 0; row < kRows; ++row) right &= ShowRow(variant, result, row);
  }
  std::printf("\nx is about (y - offset) * scale; error is the largest difference in the row.\n");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
