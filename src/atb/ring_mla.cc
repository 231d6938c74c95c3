// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "atb/atb_acl.h"
#include "atb/function_operation.h"
#include "base/dtype.h"

namespace anyacl::atb_library {
namespace {

struct RingMla final : FunctionOperation {
  static constexpr char kFunction[] = "AtbRingMLA";
  RingMla() : FunctionOperation("RingMLAOperation", kFunction, 9, 2) {}
};

// The lengths of queries and of keys.
Status ReadLengths(const aclTensor* tensor, std::vector<int64_t>* rows,
                   std::vector<int64_t>* columns) {
  int64_t* dims = nullptr;
  uint64_t rank = 0;
  aclDataType type = ACL_DT_UNDEFINED;
  void* data = nullptr;
  if (tensor == nullptr || aclGetViewShape(tensor, &dims, &rank) != 0 ||
      aclGetDataType(tensor, &type) != 0 || aclGetRawTensorAddr(tensor, &data) != 0) {
    return Fail(atb::ERROR_INVALID_TENSOR_ADDR, "seqLen is no tensor, expected lengths");
  }
  const std::unique_ptr<int64_t[]> owned(dims);
  int64_t* stride_values = nullptr;
  uint64_t stride_count = 0;
  int64_t offset = 0;
  if (aclGetViewStrides(tensor, &stride_values, &stride_count) != 0 ||
      aclGetViewOffset(tensor, &offset) != 0) {
    return Fail(atb::ERROR_INVALID_TENSOR_ADDR, "seqLen is no tensor, expected lengths");
  }
  const std::unique_ptr<int64_t[]> strides(stride_values);
  if (type != ACL_INT32) {
    return Fail(atb::ERROR_INVALID_TENSOR_DTYPE, "seqLen.dtype = {}, expected INT32", NameOf(type));
  }
  const bool both = rank == 2 && dims[0] == 2;
  const int64_t count = both ? dims[1] : rank == 1 ? dims[0] : -1;
  constexpr int64_t kMost = 1 << 20;
  if (count < 0 || count > kMost) {
    return Fail(atb::ERROR_INVALID_TENSOR_DIM,
                "seqLen has {} dimensions, expected [B] or [2, B] of at most {} sequences", rank,
                kMost);
  }
  if (data == nullptr && count > 0) {
    return Fail(atb::ERROR_INVALID_TENSOR_ADDR, "seqLen has no data, expected lengths");
  }
  const auto* row = static_cast<const int32_t*>(data) + offset;
  const int32_t* const column = both ? row + strides[0] : row;
  const int64_t step = count > 0 ? strides[rank - 1] : 0;
  for (int64_t i = 0; i < count; ++i) {
    rows->push_back(row[i * step]);
    columns->push_back(column[i * step]);
  }
  return {};
}

Status CheckModes(int kernel, int mask, int layout, int calc) {
  if (kernel < 0 || kernel > 1) return Expect("kernelType", kernel, 1);
  if (mask < 0 || mask > 1) return Expect("maskType", mask, 1);
  if (calc < 0 || calc > 1) return Expect("calcType", calc, 1);
  return Expect("inputLayout", layout, 0);
}

}  // namespace
}  // namespace anyacl::atb_library

extern "C" {

atb::Status AtbRingMLAGetWorkspaceSize(
    const aclTensor* querySplit1, const aclTensor* querySplit2, const aclTensor* keySplit1,
    const aclTensor* keySplit2, const aclTensor* value, const aclTensor*, const aclTensor* seqLen,
    const aclTensor* prevOut, const aclTensor* prevLse, int32_t headNum, int32_t kvHeadNum,
    float qkScale, int kernelType, int maskType, int inputLayout, int calcType, aclTensor* output,
    aclTensor* softmaxLse, uint64_t* workspaceSize, atb::Operation** op, atb::Context* context) {
  using namespace anyacl;
  using namespace anyacl::atb_library;
  const auto set_up = [&](const auto& prepare) -> anyacl::Status {
    if (anyacl::Status s = CheckModes(kernelType, maskType, inputLayout, calcType); !s.ok()) {
      return s;
    }
    const bool first = calcType == 1;
    if (!first && (prevOut == nullptr || prevLse == nullptr)) {
      return Fail(atb::ERROR_INVALID_TENSOR_ADDR,
                  "prevOut or prevLse is null, expected both as calcType = 0");
    }
    std::vector<int64_t> rows, columns;
    if (anyacl::Status s = ReadLengths(seqLen, &rows, &columns); !s.ok()) return s;
    const aclIntArray* row_array = aclCreateIntArray(rows.data(), rows.size());
    const aclIntArray* column_array = aclCreateIntArray(columns.data(), columns.size());
    const auto pointer = [](const void* address) { return Argument(address); };
    const Argument arguments[] = {pointer(querySplit1),
                                  pointer(querySplit2),
                                  pointer(keySplit1),
                                  pointer(keySplit2),
                                  pointer(value),
                                  pointer(first ? nullptr : prevOut),
                                  pointer(first ? nullptr : prevLse),
                                  pointer(row_array),
                                  pointer(column_array),
                                  pointer(output),
                                  pointer(softmaxLse),
                                  Argument(headNum),
                                  Argument(kvHeadNum),
                                  Argument(double{qkScale}),
                                  Argument(maskType == 1)};
    const anyacl::Status status = prepare(arguments);
    aclDestroyIntArray(row_array);
    aclDestroyIntArray(column_array);
    return status;
  };
  return SetUpFunction<RingMla>("AtbRingMLAGetWorkspaceSize", workspaceSize, op, context, set_up);
}

atb::Status AtbRingMLA(void* workspace, uint64_t workspaceSize, atb::Operation* op,
                       atb::Context* context) {
  using namespace anyacl::atb_library;
  return RunFunction<RingMla>(workspace, workspaceSize, op, context);
}
}
