// SPDX-License-Identifier: Apache-2.0
// The kernels' contract, of n fp32 numbers each, d = x - y and z = -x y; functions of 1 + small
// numbers lose no bits:
// clang-format off
//                value                                            gradient in x
//   kMse         d^2                                              2 d
//   kL1          |d|                                              sign of d
//   kSmoothL1    |d| < beta ? d^2 / (2 beta) : |d| - beta / 2     |d| < beta ? d / beta : sign of d
//   kBce         -w (y log x + (1 - y) log(1 - x)), no            w d / max(x (1 - x), 1e-12)
//                logarithm being below -100
//   kBceLogits   w ((1 - y) x + p log(1 + e^-x)),                 w ((v + 1 - y) s - v), s = 1 / (1 + e^-x),
//                p = (posWeight - 1) y + 1                        v = posWeight y
//   kKl          y (log y - x), 0 where y is                      -y, 0 where y <= 0
//   kKlLog       e^y (y - x)                                      -e^y
//   kKlInTarget, kKlLogInTarget: gradients of the same in y alone,
//                log y - x + 1, 0 where y is, and e^y (y - x + 1)
//   kBceLogitsInTarget: that of kBceLogits in y, w ((posWeight - 1) log(1 + e^-x) - x)
//   kSoftMargin  log(1 + e^z)                                     -y / (1 + e^-z)
// clang-format on
// Gradients are multiplied by g and by `scale`. w and posWeight may be null: ones.
#pragma once

#include <stdint.h>

#include "base/element.h"

namespace anyacl::loss {

enum class Function : uint8_t {
  kMse,
  kL1,
  kSmoothL1,
  kBce,
  kBceLogits,
  kKl,
  kKlLog,
  kSoftMargin,
  kKlInTarget,
  kKlLogInTarget,
  kBceLogitsInTarget,
};
inline constexpr int kFunctions = 11;

struct Block {
  const float* x;
  const float* y;
  const float* w;
  const float* pos_weight;
  const float* g;  // of gradients
  int64_t n;
  float beta;
  float scale;
};

using BlockFunction = void (*)(const Block& block, float* to);

// Contiguous elements of one format.
struct ElementBlock {
  const void* x;
  const void* y;
  const void* g;  // of gradients; null: all are g_of_all
  float g_of_all;
  int64_t n;
  float beta;
  float scale;
  void* to;
  bool past_caches;  // whoever asks for it ends with the fence of blocks
};

using ElementFunction = void (*)(const ElementBlock& block);

// Null but for kMse, kL1 and kSmoothL1: others take longer to compute than by way of buffers.
struct ElementKernels {
  ElementFunction values[kFunctions];
  ElementFunction gradients[kFunctions];
};

struct KernelSet {
  BlockFunction values[kFunctions];  // null of those that are gradients alone
  BlockFunction gradients[kFunctions];
  // Of up to 2048: by 32 lanes and in fp32 over blocks of 512, in double over those.
  double (*sum)(const float* x, int64_t n);
  OfFloats<ElementKernels> elements;
};

}  // namespace anyacl::loss

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const loss::KernelSet kLossKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
