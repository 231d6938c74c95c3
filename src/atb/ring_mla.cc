// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "atb/atb_acl.h"
#include "atb/function_operation.h"
#include "atb/host_lengths.h"

namespace anyacl::atb_library {
namespace {

struct RingMla final : FunctionOperation {
  static constexpr char kFunction[] = "AtbRingMLA";
  RingMla() : FunctionOperation("RingMLAOperation", kFunction, 9, 2) {}
};

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
    std::vector<std::vector<int64_t>> lengths;  // of queries, and of keys
    if (anyacl::Status s = ReadHostLengths(seqLen, "seqLen", 2, &lengths); !s.ok()) return s;
    const std::vector<int64_t>&rows = lengths.front(), &columns = lengths.back();
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
