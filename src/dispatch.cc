// SPDX-License-Identifier: Apache-2.0
// Picks the table of kernels.
#include <cstdlib>

#include "kernels.h"

namespace anyacl {

// Of each tier's kernels_table.cc. Weak: null if the build has no such tier.
namespace base {
[[gnu::weak]] extern const KernelTable kKernels;
}
namespace avx2 {
[[gnu::weak]] extern const KernelTable kKernels;
}
namespace avx512 {
[[gnu::weak]] extern const KernelTable kKernels;
}
namespace avx512_bf16 {
[[gnu::weak]] extern const KernelTable kKernels;
}
namespace neon {
[[gnu::weak]] extern const KernelTable kKernels;
}

const KernelTable* KernelsOf(IsaTier tier) {
  switch (tier) {
    case IsaTier::kBase:
      return &base::kKernels;
    case IsaTier::kAvx2:
      return &avx2::kKernels;
    case IsaTier::kAvx512:
      return &avx512::kKernels;
    case IsaTier::kAvx512Bf16:
      return &avx512_bf16::kKernels;
    case IsaTier::kNeon:
      return &neon::kKernels;
  }
  return nullptr;
}

const KernelTable& Kernels() {
  static const KernelTable& chosen = *KernelsOf(ChooseTier(std::getenv("ANYACL_ISA")));
  return chosen;
}

}  // namespace anyacl
