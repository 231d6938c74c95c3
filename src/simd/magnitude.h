// SPDX-License-Identifier: Apache-2.0
// The largest |x| of a run of fp16 or bf16 numbers, found on their integer bits: without the sign
// they order as the magnitudes do, infinity above all numbers and NaN above infinity.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace anyacl {

// max over i < n of x[i] & 0x7fff; 0 for n = 0.
using MaxMagnitude16Function = uint16_t (*)(const uint16_t* x, size_t n);

#if defined(ANYACL_ISA)
namespace ANYACL_ISA {
uint16_t MaxMagnitude16(const uint16_t* x, size_t n);
}
#endif

}  // namespace anyacl
