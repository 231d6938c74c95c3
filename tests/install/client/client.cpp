// SPDX-License-Identifier: Apache-2.0
// The data of the example in DynamicQuantV2's document, with the result compared to its formula:
// that example itself prints the INT8 result as if it were float.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_dynamic_quant_v2.h"

namespace {

void Check(int code, const char* call) {
  if (code == ACL_SUCCESS) return;
  const char* message = aclGetRecentErrMsg();
  std::printf("%s failed. ERROR: %d\n%s\n", call, code, message ? message : "no message");
  std::exit(1);
}

struct Tensor {
  void* data;
  aclTensor* tensor;
};

template <class T>
Tensor Upload(const std::vector<int64_t>& shape, aclDataType type, const std::vector<T>& values) {
  Tensor result = {nullptr, nullptr};
  const size_t bytes = values.size() * sizeof(T);
  Check(aclrtMalloc(&result.data, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  Check(aclrtMemcpy(result.data, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE),
        "aclrtMemcpy");
  result.tensor = aclCreateTensor(shape.data(), shape.size(), type, nullptr, 0, ACL_FORMAT_ND,
                                  shape.data(), shape.size(), result.data);
  return result;
}

template <class T>
std::vector<T> Download(const Tensor& tensor, size_t count) {
  std::vector<T> values(count);
  Check(aclrtMemcpy(values.data(), count * sizeof(T), tensor.data, count * sizeof(T),
                    ACL_MEMCPY_DEVICE_TO_HOST),
        "aclrtMemcpy");
  return values;
}

}  // namespace

int main() {
  Check(aclInit(nullptr), "aclInit");
  Check(aclrtSetDevice(0), "aclrtSetDevice");
  aclrtStream stream = nullptr;
  Check(aclrtCreateStream(&stream), "aclrtCreateStream");

  // x = 0..7, smooth = 0..3, rows 0 and 1 for the first expert, 2 and 3 for the second.
  std::vector<aclFloat16> x_values;
  std::vector<aclFloat16> smooth_values;
  for (int i = 0; i < 8; ++i) x_values.push_back(aclFloatToFloat16(static_cast<float>(i)));
  for (int i = 0; i < 4; ++i) smooth_values.push_back(aclFloatToFloat16(static_cast<float>(i)));
  const Tensor x = Upload({4, 2}, ACL_FLOAT16, x_values);
  const Tensor smooth = Upload({2, 2}, ACL_FLOAT16, smooth_values);
  const Tensor group = Upload({2}, ACL_INT32, std::vector<int32_t>{2, 4});
  const Tensor y = Upload({4, 2}, ACL_INT8, std::vector<int8_t>(8, 55));
  const Tensor scale = Upload({4}, ACL_FLOAT, std::vector<float>(4, -1));
  const Tensor offset = Upload({4}, ACL_FLOAT, std::vector<float>(4, -1));

  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  Check(
      aclnnDynamicQuantV2GetWorkspaceSize(x.tensor, smooth.tensor, group.tensor, ACL_INT8, y.tensor,
                                          scale.tensor, offset.tensor, &workspace_size, &executor),
      "aclnnDynamicQuantV2GetWorkspaceSize");
  void* workspace = nullptr;
  if (workspace_size > 0) {
    Check(aclrtMalloc(&workspace, workspace_size, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  }
  Check(aclnnDynamicQuantV2(workspace, workspace_size, executor, stream), "aclnnDynamicQuantV2");
  Check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");

  const std::vector<int8_t> y_values = Download<int8_t>(y, 8);
  const std::vector<float> scales = Download<float>(scale, 4);
  const std::vector<float> offsets = Download<float>(offset, 4);
  int wrong = 0;
  for (int row = 0; row < 4; ++row) {
    // The products grow to the right, so the ends of a row are its smallest and largest value.
    const float low = static_cast<float>(2 * row * (row / 2 * 2));
    const float high = static_cast<float>((2 * row + 1) * (row / 2 * 2 + 1));
    const float expected_scale = (high - low) / 255.0f;
    const float expected_offset = 127.0f - high / expected_scale;
    const bool right = y_values[2 * row] == -128 && y_values[2 * row + 1] == 127 &&
                       std::abs(scales[row] - expected_scale) <= 1e-6f * expected_scale &&
                       std::abs(offsets[row] - expected_offset) <= 1e-3f;
    std::printf("row %d: y %d %d, scale %g, offset %g%s\n", row, y_values[2 * row],
                y_values[2 * row + 1], scales[row], offsets[row], right ? "" : "  WRONG");
    wrong += right ? 0 : 1;
  }
  Check(aclrtResetDevice(0), "aclrtResetDevice");
  Check(aclFinalize(), "aclFinalize");
  return wrong == 0 ? 0 : 1;
}
