// SPDX-License-Identifier: Apache-2.0
#include "atb/host_lengths.h"

#include <memory>

#include "atb/types.h"
#include "base/dtype.h"
#include "base/format.h"

namespace anyacl::atb_library {

Status ReadHostLengths(const aclTensor* tensor, const char* name, int64_t lines,
                       std::vector<std::vector<int64_t>>* lengths) {
  const auto no_tensor = [name] {
    return Fail(atb::ERROR_INVALID_TENSOR_ADDR, "{} is no tensor, expected lengths", name);
  };
  int64_t* dims = nullptr;
  uint64_t rank = 0;
  aclDataType type = ACL_DT_UNDEFINED;
  void* data = nullptr;
  if (tensor == nullptr || aclGetViewShape(tensor, &dims, &rank) != 0) return no_tensor();
  const std::unique_ptr<int64_t[]> owned(dims);
  if (aclGetDataType(tensor, &type) != 0 || aclGetRawTensorAddr(tensor, &data) != 0) {
    return no_tensor();
  }
  int64_t* stride_values = nullptr;
  uint64_t stride_count = 0;
  int64_t offset = 0;
  if (aclGetViewStrides(tensor, &stride_values, &stride_count) != 0) return no_tensor();
  const std::unique_ptr<int64_t[]> strides(stride_values);
  if (aclGetViewOffset(tensor, &offset) != 0) return no_tensor();
  if (type != ACL_INT32) {
    return Fail(atb::ERROR_INVALID_TENSOR_DTYPE, "{}.dtype = {}, expected INT32", name,
                NameOf(type));
  }
  const bool all = lines > 1 && rank == 2 && dims[0] == lines;
  const int64_t count = all ? dims[1] : rank == 1 ? dims[0] : -1;
  constexpr int64_t kMost = 1 << 20;
  if (count < 0 || count > kMost) {
    return Fail(atb::ERROR_INVALID_TENSOR_DIM,
                "{} has {} dimensions, expected [B]{} of at most {} sequences", name, rank,
                lines > 1 ? Format(" or [{}, B]", lines) : "", kMost);
  }
  if (data == nullptr && count > 0) {
    return Fail(atb::ERROR_INVALID_TENSOR_ADDR, "{} has no data, expected lengths", name);
  }
  const auto* const first = static_cast<const int32_t*>(data) + offset;
  const int64_t step = count > 0 ? strides[rank - 1] : 0;
  lengths->assign(all ? static_cast<size_t>(lines) : 1, {});
  for (size_t line = 0; line < lengths->size(); ++line) {
    const int32_t* const row = all ? first + static_cast<int64_t>(line) * strides[0] : first;
    for (int64_t i = 0; i < count; ++i) (*lengths)[line].push_back(row[i * step]);
  }
  return {};
}

}  // namespace anyacl::atb_library
