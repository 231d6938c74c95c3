// SPDX-License-Identifier: Apache-2.0
// Picks the table of kernels.
#include <cstdlib>

#include "kernels.h"

namespace anyacl {

// Each tier's table, in kernels_table.cc.
namespace base {
extern const KernelTable kKernels;
}
#if defined(__x86_64__)
namespace avx2 {
extern const KernelTable kKernels;
}
namespace avx512 {
extern const KernelTable kKernels;
}
namespace avx512_bf16 {
extern const KernelTable kKernels;
}
namespace amx {
extern const KernelTable kKernels;
}
#elif defined(__aarch64__)
namespace neon {
extern const KernelTable kKernels;
}
#endif

namespace {

// The tiers of cmake/isa.cmake.
constexpr struct {
  IsaTier tier;
  const KernelTable* kernels;
} kTables[] = {
    {IsaTier::kBase, &base::kKernels},
#if defined(__x86_64__)
    {IsaTier::kAvx2, &avx2::kKernels},
    {IsaTier::kAvx512, &avx512::kKernels},
    {IsaTier::kAvx512Bf16, &avx512_bf16::kKernels},
    {IsaTier::kAmx, &amx::kKernels},
#elif defined(__aarch64__)
    {IsaTier::kNeon, &neon::kKernels},
#endif
};

IsaTier ChosenTier() {
  static const IsaTier tier = ChooseTier(std::getenv("ANYACL_ISA"));
  return tier;
}

IsaTier NarrowTier(IsaTier tier) {
  const bool wide =
      tier == IsaTier::kAvx512 || tier == IsaTier::kAvx512Bf16 || tier == IsaTier::kAmx;
  return wide ? IsaTier::kAvx2 : tier;
}

}  // namespace

const KernelTable* KernelsOf(IsaTier tier) {
  for (const auto& table : kTables) {
    if (table.tier == tier) return table.kernels;
  }
  return nullptr;
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
