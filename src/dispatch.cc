// SPDX-License-Identifier: Apache-2.0
// Picks the table of kernels.
#include <cstdlib>

#include "kernels.h"

namespace anyacl {

// Each tier's table, in kernels_table.cc.
#define ANYACL_TIER_ROW(tier, name, kernels, narrow) \
  namespace name {                                   \
  extern const KernelTable kKernels;                 \
  }
ANYACL_TIERS(ANYACL_TIER_ROW)
#undef ANYACL_TIER_ROW

namespace {

IsaTier ChosenTier() {
  static const IsaTier tier = ChooseTier(std::getenv("ANYACL_ISA"));
  return tier;
}

IsaTier NarrowTier(IsaTier of) {
  switch (of) {
#define ANYACL_TIER_ROW(tier, name, kernels, narrow) \
  case IsaTier::tier:                                \
    return IsaTier::narrow;
    ANYACL_ALL_TIERS(ANYACL_TIER_ROW)
#undef ANYACL_TIER_ROW
  }
  return of;
}

}  // namespace

const KernelTable* KernelsOf(IsaTier of) {
  switch (of) {
#define ANYACL_TIER_ROW(tier, name, kernels, narrow) \
  case IsaTier::tier:                                \
    return &name::kKernels;
    ANYACL_TIERS(ANYACL_TIER_ROW)
#undef ANYACL_TIER_ROW
    default:
      return nullptr;
  }
}

const KernelTable& Kernels() {
  static const KernelTable& chosen = *KernelsOf(ChosenTier());
  return chosen;
}

const KernelTable& NarrowKernels() {
  static const KernelTable& chosen = *KernelsOf(NarrowTier(ChosenTier()));
  return chosen;
}

}  // namespace anyacl
