// SPDX-License-Identifier: Apache-2.0
#include "atb/atb_acl.h"
#include "atb/function_operation.h"

namespace anyacl::atb_library {
namespace {

struct FusedAddTopkDiv final : FunctionOperation {
  static constexpr char kFunction[] = "AtbFusedAddTopkDiv";
  FusedAddTopkDiv() : FunctionOperation("FusedAddTopkDivOperation", kFunction, 4, 2) {}
};

constexpr int kSigmoid = 8;  // of ATB's types of activations

}  // namespace
}  // namespace anyacl::atb_library

extern "C" {

atb::Status AtbFusedAddTopkDivGetWorkspaceSize(
    const aclTensor* x, const aclTensor* addNum, const aclTensor* mappingNum,
    const aclTensor* mappingTable, uint32_t groupNum, uint32_t groupTopk, uint32_t n, uint32_t k,
    int activationType, bool isNorm, float scale, bool enableExpertMapping, aclTensor* y,
    aclTensor* indices, uint64_t* workspaceSize, atb::Operation** op, atb::Context* context) {
  using namespace anyacl;
  using namespace anyacl::atb_library;
  const auto set_up = [&](const auto& prepare) -> anyacl::Status {
    if (activationType != kSigmoid) {
      return Fail(atb::ERROR_INVALID_PARAM, "activationType = {}, expected {}: sigmoid",
                  activationType, kSigmoid);
    }
    if (enableExpertMapping && (mappingNum == nullptr || mappingTable == nullptr)) {
      return Fail(atb::ERROR_INVALID_TENSOR_ADDR,
                  "{} is null, expected a tensor as enableExpertMapping is true",
                  mappingNum == nullptr ? "mappingNum" : "mappingTable");
    }
    const auto pointer = [](const void* address) { return Argument(address); };
    const Argument arguments[] = {pointer(x),
                                  pointer(addNum),
                                  pointer(enableExpertMapping ? mappingNum : nullptr),
                                  pointer(enableExpertMapping ? mappingTable : nullptr),
                                  Argument(int64_t{groupNum}),
                                  Argument(int64_t{groupTopk}),
                                  Argument(int64_t{n}),
                                  Argument(int64_t{k}),
                                  Argument(isNorm),
                                  Argument(double{scale}),
                                  pointer(y),
                                  pointer(indices)};
    return prepare(arguments);
  };
  return SetUpFunction<FusedAddTopkDiv>("AtbFusedAddTopkDivGetWorkspaceSize", workspaceSize, op,
                                        context, set_up);
}

atb::Status AtbFusedAddTopkDiv(void* workspace, uint64_t workspaceSize, atb::Operation* op,
                               atb::Context* context) {
  using namespace anyacl::atb_library;
  return RunFunction<FusedAddTopkDiv>(workspace, workspaceSize, op, context);
}
}
