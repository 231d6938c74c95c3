// SPDX-License-Identifier: Apache-2.0
// The kernels' contract: out[i] = f(a[i], b[i], c[i]; p, q, r) for 0 <= i < count, where a form
// is of one type of a, b, c, p, q, r and the result. Floating-point results are rounded once to
// that type, from fp32 for fp16 and bf16; integers wrap around.
#pragma once

#include <stdint.h>

#include "base/element.h"

namespace anyacl::elementwise {

// In the groups of the kernel files.
// clang-format off
enum class Op : uint8_t {
  // kernel_arithmetic.cc: every form
  kAdd,          // a + b
  kAddScaled,    // a + p b
  kSub,          // a - b
  kMul,          // a b
  kDiv,          // a / b                          floating point
  kMaximum,      // NaN if either is
  kMinimum,
  kAddScalar,    // a + p
  kMulScalar,    // a p
  kDivScalar,    // a / p                          floating point
  kNeg,
  kAbs,
  kRelu,         // a < 0 ? 0 : a
  kLeakyRelu,    // a < 0 ? a p : a                floating point
  kClamp,        // min(max(a, p), q)
  kSquare,       // a a
  kCube,         // a a a
  kSqrt,         // floating point, as the next two
  kRsqrt,        // 1 / sqrt(a)
  kReciprocal,   // 1 / a
  kSign,         // (a > 0) - (a < 0): every form
  kScaleAdd,     // p + q a: every form
  // kernel_rounding.cc: every form; of integers, a quotient by 0 is 0, a remainder by 0 a
  kFloor,
  kCeil,
  kRound,        // half to even
  kTrunc,
  kFrac,         // a - trunc a
  kRoundDecimals,          // to multiples of p, or of 1 / p if q == 0
  kTruncDivide,            // trunc(a / b)
  kFloorDivide,            // floor(a / b), as if it did not round
  kFmod,                   // a - b trunc(a / b)
  kRemainder,              // a - b floor(a / b)
  kTruncDivideScalar,      // by p
  kFloorDivideScalar,
  kFmodScalar,
  kRemainderScalar,
  kRemainderOfScalar,      // of p / a
  // integers only
  kGcd,
  kBitAnd,
  kBitOr,
  kBitXor,
  kBitNot,
  kBitAndScalar,
  kBitOrScalar,
  kBitXorScalar,
  // kernel_ternary.cc
  kAddcmul,      // a + p b c
  kAddcdiv,      // a + p b / c
  kClampTensor,  // min(max(a, b), c), NaN if any is
  kLerp,         // a + c (b - a)                  floating point, as all that follow
  kLerpScalar,   // a + p (b - a)
  // kernel_piecewise.cc
  kThreshold,    // a <= p ? q : a: integers too, as the next two
  kThresholdGrad,   // b <= p ? q : a
  kNanToNum,     // NaN becomes p, infinity q, -infinity r
  kHardsigmoid,
  kHardswish,
  kHardshrink,   // -p <= a <= p ? 0 : a
  kSoftshrink,
  kShrink,       // a > p ? a - q : a < -p ? a + q : 0
  kPrelu,        // a > 0 ? a : a b
  kHeaviside,    // a == 0 ? b : a > 0
  kPreluGrad,    // b > 0 ? a : a c
  kHardsigmoidGrad,   // a is the gradient, b the input or the result
  kHardswishGrad,     // linear in [-3, 3]
  kHardswishGradOpen, // linear in (-3, 3)
  kHardtanhGrad,      // p < b < q, or NaN, ? a : 0
  kHardshrinkGrad,    // -p <= b <= p ? 0 : a
  kLeakyReluGrad,     // b > 0 ? a : a p
  kTanhGrad,          // a (1 - b b)
  kSigmoidGrad,       // a (1 - b) b
  // kernel_comparison.cc: every form; results are bytes, 0 or 1
  kEqual,        // a == b
  kNotEqual,
  kLess,         // a < b
  kLessEqual,
  kAnd,          // a != 0 and b != 0
  kOr,
  kXor,
  kEqualScalar,  // a == p
  kNotEqualScalar,
  kLessScalar,   // a < p
  kLessEqualScalar,
  kGreaterScalar,
  kGreaterEqualScalar,
  kIsNegInf,
  kIsPosInf,
  kIsInf,
  kIsFinite,
  kSignbit,
  kIsClose,      // a == b or |a - b| <= q + |p b|, or r and both are NaN: floating point
  // kernel_functions.cc: fp32 and fp64; powers of integers too
  kExp,
  kLog,
  kSigmoid,
  kSilu,
  kGelu,         // with tanh
  kTanh,
  kSin,
  kCos,
  kPow,          // a^b
  kPowScalar,    // a^p
  kPowOfScalar,  // p^a
  // kernel_elementary.cc: fp32 and fp64, as all that follow
  kExp2,
  kExpm1,
  kLog2,
  kLog10,
  kLog1p,
  kTan,
  kSinc,         // sin(pi a) / (pi a)
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kAsinh,
  kAcosh,
  kAtanh,
  kAtan2,        // the angle of (b, a)
  kErf,
  kErfc,
  kErfinv,       // fp32 only
  kLogAddExp,
  kLogAddExp2,
  kXLogY,        // a log b, 0 of a = 0
  kXLogYScalar,  // a log p
  kXScalarLogY,  // p log a
  kLogit,        // log(z / (1 - z)), z = a held between p and 1 - p, or a if p < 0
  kLgamma,       // log |gamma(a)|
  kDigamma,      // its derivative
  // kernel_activation.cc
  kSoftplus,     // p a > q ? a : log(1 + e^(p a)) / p
  kLogSigmoid,
  kMish,         // a tanh log(1 + e^a)
  kSwish,        // a sigmoid(p a)
  kGeluErf,
  kElu,          // a > 0 ? q a : p (e^(r a) - 1)
  kGeluGrad,     // of kGelu; a is the gradient, b the input
  kGeluErfGrad,
  kSiluGrad,
  kSwishGrad,
  kSoftplusGrad,
  kLogSigmoidGrad,
  kMishGrad,
  kEluGrad,          // b > 0 ? a q : a p r e^(r b)
  kEluGradOfResult,  // b > 0 ? a q : a r (b + p)
  kLogitGrad,        // a / (b (1 - b)) where kLogit holds nothing
  kCount,
};
// clang-format on
inline constexpr Op kFirstComparison = Op::kEqual;
inline constexpr Op kFirstFunction = Op::kExp;

// The kernel files, by their first operations.
inline constexpr Op kFirstOfGroup[] = {Op::kAdd,   Op::kFloor, Op::kAddcmul, Op::kThreshold,
                                       Op::kEqual, Op::kExp,   Op::kExp2,    Op::kSoftplus};
inline constexpr int kGroups = sizeof(kFirstOfGroup) / sizeof(Op);
constexpr int SizeOfGroup(int group) {
  const Op end = group + 1 < kGroups ? kFirstOfGroup[group + 1] : Op::kCount;
  return static_cast<int>(end) - static_cast<int>(kFirstOfGroup[group]);
}

// An operation's forms: by the type of the elements, up to kUint64.
inline constexpr int kForms = static_cast<int>(Element::kUint64) + 1;

// A scalar of the call, as a number for each form.
struct Scalar {
  float fp32;
  double fp64;
  int64_t integer;
};

struct Block {
  const void* in[3];
  // Of fp32, fp16 and bf16: 1, or 0 for one element that stands for all. Of others always 1.
  int64_t step[3];
  void* out;
  int64_t count;
  Scalar p, q, r;
  // Write past the caches, if the form is one of the three; whoever asks for it ends with a fence.
  bool past_caches;
};

using BlockFunction = void (*)(const Block& block);
// Null where an operation has no such form.
struct Row {
  BlockFunction of[kForms];
};

// out[i] = c[i] != 0 ? a[i] : b[i], of elements of 1, 2, 4 or 8 bytes.
using WhereFunction = void (*)(const uint8_t* c, const void* a, const void* b, int64_t count,
                               void* out);

// out[i] = c[i] != 0 ? *value : a[i], likewise.
using MaskedFillFunction = void (*)(const uint8_t* c, const void* a, const void* value,
                                    int64_t count, void* out);

// Rows whose pairs (a, b) become (a cos - b sin, b cos + a sin), of fp32, fp16 or bf16 all; `out`
// may be `x`. Steps, in bytes, lead from row to row.
struct TurnArgs {
  const char *x, *cos, *sin;
  char* out;
  int64_t x_step, cos_step, sin_step, out_step;
  int64_t rows;
  int64_t length;  // of a row, even
};
using TurnFunction = void (*)(const TurnArgs& args);

struct KernelSet {
  const Row* groups[kGroups];
  WhereFunction where[4];
  MaskedFillFunction masked_fill[4];
  // By the type of elements, up to kBf16: pairs of both halves of a row, and of neighbours.
  TurnFunction turn_halves[3], turn_neighbours[3];

  BlockFunction Find(Op op, Element form) const {
    if (form > Element::kUint64) return nullptr;
    int group = kGroups - 1;
    while (op < kFirstOfGroup[group]) --group;
    const int row = static_cast<int>(op) - static_cast<int>(kFirstOfGroup[group]);
    return groups[group][row].of[static_cast<int>(form)];
  }
};

}  // namespace anyacl::elementwise

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const elementwise::Row kElementwiseArithmetic[];
extern const elementwise::Row kElementwiseRounding[];
extern const elementwise::Row kElementwiseTernary[];
extern const elementwise::Row kElementwisePiecewise[];
extern const elementwise::Row kElementwiseComparison[];
extern const elementwise::Row kElementwiseFunctions[];
extern const elementwise::Row kElementwiseElementary[];
extern const elementwise::Row kElementwiseActivation[];
extern const elementwise::KernelSet kElementwiseKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
