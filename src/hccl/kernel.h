// SPDX-License-Identifier: Apache-2.0
// The contract of the reductions' kernels, compiled once per tier:
//   to[i] = (..(from[0][i] op from[1][i]) op ..) op from[sources - 1][i]
// 16-bit floating numbers become fp32 first and are rounded once, to nearest even; integers wrap
// around. MAX and MIN of a NaN and a number are the NaN, of equal numbers the later one. The same
// bits on every tier, but for the sign and payload of a NaN.
#pragma once

#include <stddef.h>

namespace anyacl::hccl {

// `to` may be one of the sources; otherwise it meets none. sources >= 1.
using ReduceFunction = void (*)(void* to, const void* const* from, int sources, size_t elements);

inline constexpr int kReductions = 4;       // of HcclReduceOp
inline constexpr int kReducibleTypes = 12;  // the first of HcclDataType

// By HcclDataType.
struct TypedReductions {
  ReduceFunction of[kReducibleTypes];
};

struct KernelSet {
  TypedReductions reduce[kReductions];
};

}  // namespace anyacl::hccl

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const hccl::KernelSet kHcclKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
