// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "atb/atb_acl.h"
#include "atb/function_operation.h"
#include "atb/host_lengths.h"

namespace anyacl::atb_library {
namespace {

struct LatentAttention final : FunctionOperation {
  static constexpr char kFunction[] = "AtbMLA";
  LatentAttention() : FunctionOperation("MultiLatentAttentionOperation", kFunction, 10, 2) {}
};

// Of MultiLatentAttentionParam.
enum : int { kNoMask, kMaskOfRows, kMaskFree, kCausalMask, kMaskTypes };
enum : int { kOneRowEach, kSeveralRows, kRing, kSeveralRowsAndRing, kCalcTypes };
constexpr uint8_t kSplitCaches = 1;

Status CheckModes(int mask, int calc, uint8_t cache) {
  if (mask < 0 || mask >= kMaskTypes) {
    return Fail(atb::ERROR_INVALID_PARAM, "maskType = {}, expected 0 to {}", mask, kMaskTypes - 1);
  }
  if (calc < 0 || calc >= kCalcTypes) {
    return Fail(atb::ERROR_INVALID_PARAM, "calcType = {}, expected 0 to {}", calc, kCalcTypes - 1);
  }
  if (cache != kSplitCaches) {
    return Fail(atb::ERROR_INVALID_PARAM,
                "cacheMode = {}, expected {}: ctKV and kRope in blocks of rows, not quantised",
                cache, kSplitCaches);
  }
  if (mask != kNoMask && calc != kSeveralRows && calc != kSeveralRowsAndRing) {
    return Fail(atb::ERROR_INVALID_PARAM, "maskType = {} with calcType = {}, expected 0", mask,
                calc);
  }
  return {};
}

}  // namespace
}  // namespace anyacl::atb_library

extern "C" {

atb::Status AtbMLAGetWorkspaceSize(const aclTensor* qNope, const aclTensor* qRope,
                                   const aclTensor* ctKV, const aclTensor* kRope,
                                   const aclTensor* blockTables, const aclTensor* contextLens,
                                   const aclTensor* mask, const aclTensor* qSeqLen,
                                   const aclTensor* qkDescale, const aclTensor* pvDescale,
                                   int32_t headNum, float qkScale, int32_t kvHeadNum, int maskType,
                                   int calcType, uint8_t cacheMode, aclTensor* attenOut,
                                   aclTensor* lse, uint64_t* workspaceSize, atb::Operation** op,
                                   atb::Context* context) {
  using namespace anyacl;
  using namespace anyacl::atb_library;
  const auto set_up = [&](const auto& prepare) -> anyacl::Status {
    if (anyacl::Status s = CheckModes(maskType, calcType, cacheMode); !s.ok()) return s;
    if (qkDescale != nullptr || pvDescale != nullptr) {
      return Fail(atb::ERROR_INVALID_PARAM, "{} is given, expected none as cacheMode = {}",
                  qkDescale != nullptr ? "qkDescale" : "pvDescale", cacheMode);
    }
    const bool several = calcType == kSeveralRows || calcType == kSeveralRowsAndRing;
    const bool ring = calcType == kRing || calcType == kSeveralRowsAndRing;
    if (maskType == kMaskOfRows && mask == nullptr) {
      return Fail(atb::ERROR_INVALID_TENSOR_ADDR, "mask is null, expected one as maskType = {}",
                  maskType);
    }
    if (ring && lse == nullptr) {
      return Fail(atb::ERROR_INVALID_TENSOR_ADDR, "lse is null, expected a tensor as calcType = {}",
                  calcType);
    }
    std::vector<std::vector<int64_t>> columns, rows(1);
    anyacl::Status s = ReadHostLengths(contextLens, "contextLens", 1, &columns);
    if (s.ok() && several) s = ReadHostLengths(qSeqLen, "qSeqLen", 1, &rows);
    if (!s.ok()) return s;
    const aclIntArray* column_array = aclCreateIntArray(columns[0].data(), columns[0].size());
    const aclIntArray* row_array =
        several ? aclCreateIntArray(rows[0].data(), rows[0].size()) : nullptr;
    const auto pointer = [](const void* address) { return Argument(address); };
    const Argument arguments[] = {pointer(qNope),
                                  pointer(qRope),
                                  pointer(ctKV),
                                  pointer(kRope),
                                  pointer(ctKV),
                                  pointer(blockTables),
                                  pointer(maskType == kMaskOfRows ? mask : nullptr),
                                  pointer(row_array),
                                  pointer(column_array),
                                  pointer(attenOut),
                                  pointer(ring ? lse : nullptr),
                                  Argument(headNum),
                                  Argument(kvHeadNum),
                                  Argument(double{qkScale}),
                                  Argument(maskType == kMaskFree || maskType == kCausalMask)};
    s = prepare(arguments);
    aclDestroyIntArray(column_array);
    if (row_array != nullptr) aclDestroyIntArray(row_array);
    return s;
  };
  return SetUpFunction<LatentAttention>("AtbMLAGetWorkspaceSize", workspaceSize, op, context,
                                        set_up);
}

atb::Status AtbMLA(void* workspace, uint64_t workspaceSize, atb::Operation* op,
                   atb::Context* context) {
  using namespace anyacl::atb_library;
  return RunFunction<LatentAttention>(workspace, workspaceSize, op, context);
}
}
