// SPDX-License-Identifier: Apache-2.0
#include "ops/max_pool/kernel.h"

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {
namespace {

using max_pool::LargestArgs;

// Lanes where a step of taps changes nothing are those that are not larger and no NaN.
void Largest(const LargestArgs& args) {
  for (int64_t j = 0; j < args.count; j += static_cast<int64_t>(kLanes)) {
    VecF32 value = Load(args.from + args.offsets[0] + j);
    VecI32 tap = SetI32(0);
    for (int64_t t = 1; t < args.taps; ++t) {
      const VecF32 x = Load(args.from + args.offsets[t] + j);
      const Mask wins = Or(Less(value, x), Not(Equal(x, x)));
      value = Select(wins, x, value);
      tap = Select(wins, SetI32(static_cast<int32_t>(t)), tap);
    }
    Store(args.values + j, value);
    Store(args.largest + j, tap);
  }
}

}  // namespace

extern constinit const max_pool::KernelSet kMaxPoolKernels;
constinit const max_pool::KernelSet kMaxPoolKernels = {.largest = Largest};

}  // namespace anyacl::ANYACL_ISA
