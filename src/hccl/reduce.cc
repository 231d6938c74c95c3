// SPDX-License-Identifier: Apache-2.0
// Picks the reductions' kernels.
#include "hccl/reduce.h"

#include <cstdlib>

namespace anyacl {

// Each tier's, in kernel_reduce.cc.
#define ANYACL_TIER_ROW(tier, name, kernels, narrow) \
  namespace kernels {                                \
  extern const hccl::KernelSet kHcclKernels;         \
  }
ANYACL_TIERS(ANYACL_TIER_ROW)
#undef ANYACL_TIER_ROW

namespace hccl {

// TypedReductions' order.
static_assert(HCCL_DATA_TYPE_INT8 == 0 && HCCL_DATA_TYPE_FP16 == 3 && HCCL_DATA_TYPE_UINT64 == 6 &&
              HCCL_DATA_TYPE_FP64 == 10 && HCCL_DATA_TYPE_BFP16 + 1 == kReducibleTypes);
static_assert(HCCL_REDUCE_SUM == 0 && HCCL_REDUCE_PROD == 1 && HCCL_REDUCE_MAX == 2 &&
              HCCL_REDUCE_MIN + 1 == kReductions);

const KernelSet* KernelsOf(IsaTier of) {
  switch (of) {
#define ANYACL_TIER_ROW(tier, name, kernels, narrow) \
  case IsaTier::tier:                                \
    return &kernels::kHcclKernels;
    ANYACL_TIERS(ANYACL_TIER_ROW)
#undef ANYACL_TIER_ROW
    default:
      return nullptr;
  }
}

ReduceFunction FindReduction(HcclDataType type, HcclReduceOp op) {
  static const KernelSet& kernels = *KernelsOf(ChooseTier(std::getenv("ANYACL_ISA")));
  const auto type_number = static_cast<unsigned>(type), op_number = static_cast<unsigned>(op);
  if (type_number >= kReducibleTypes || op_number >= kReductions) return nullptr;
  return kernels.reduce[op_number].of[type_number];
}

}  // namespace hccl
}  // namespace anyacl
