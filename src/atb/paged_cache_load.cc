// SPDX-License-Identifier: Apache-2.0
#include "atb/atb_acl.h"
#include "atb/function_operation.h"

namespace anyacl::atb_library {
namespace {

struct PagedCacheLoad final : FunctionOperation {
  static constexpr char kFunction[] = "AtbPagedCacheLoad";
  PagedCacheLoad() : FunctionOperation("PagedCacheLoadOperation", kFunction, 7, 2) {}
};

}  // namespace
}  // namespace anyacl::atb_library

extern "C" {

atb::Status AtbPagedCacheLoadGetWorkspaceSize(
    const aclTensor* keyCache, const aclTensor* valueCache, const aclTensor* blockTables,
    const aclTensor* contextLens, const aclTensor* key, const aclTensor* value,
    const aclTensor* seqStarts, int8_t kvCacheCfg, bool isSeqLensCumsumType, bool hasSeqStarts,
    uint64_t* workspaceSize, atb::Operation** op, atb::Context* context) {
  using namespace anyacl;
  using namespace anyacl::atb_library;
  const auto set_up = [&](const auto& prepare) -> anyacl::Status {
    if (kvCacheCfg < 0 || kvCacheCfg > 1) {
      return Fail(atb::ERROR_INVALID_PARAM, "kvCacheCfg = {}, expected 0 or 1", kvCacheCfg);
    }
    const bool in_pieces = kvCacheCfg == 0;
    if (in_pieces && (isSeqLensCumsumType || hasSeqStarts)) {
      return Fail(
          atb::ERROR_INVALID_PARAM,
          "isSeqLensCumsumType = {} and hasSeqStarts = {}, expected false as kvCacheCfg = 0",
          isSeqLensCumsumType, hasSeqStarts);
    }
    if (hasSeqStarts && seqStarts == nullptr) {
      return Fail(atb::ERROR_INVALID_TENSOR_ADDR,
                  "seqStarts is null, expected a tensor as hasSeqStarts is true");
    }
    const auto pointer = [](const void* address) { return Argument(address); };
    const Argument arguments[] = {pointer(keyCache),
                                  pointer(valueCache),
                                  pointer(blockTables),
                                  pointer(contextLens),
                                  pointer(key),
                                  pointer(value),
                                  pointer(hasSeqStarts ? seqStarts : nullptr),
                                  Argument(in_pieces),
                                  Argument(isSeqLensCumsumType)};
    return prepare(arguments);
  };
  return SetUpFunction<PagedCacheLoad>("AtbPagedCacheLoadGetWorkspaceSize", workspaceSize, op,
                                       context, set_up);
}

atb::Status AtbPagedCacheLoad(void* workspace, uint64_t workspaceSize, atb::Operation* op,
                              atb::Context* context) {
  using namespace anyacl::atb_library;
  return RunFunction<PagedCacheLoad>(workspace, workspaceSize, op, context);
}
}
