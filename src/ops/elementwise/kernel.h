// SPDX-License-Identifier: Apache-2.0
// The kernels' contract: out[i] = f(a[i], b[i]; p, q) for 0 <= i < count, where a form names the
// type of a, b, p, q and the result. Floating-point results are rounded once to that type, from
// fp32 for fp16 and bf16; integers wrap around.
#pragma once

#include <stdint.h>

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
  kCount,
};
// clang-format on
inline constexpr Op kFirstComparison = Op::kEqual;
inline constexpr Op kFirstFunction = Op::kExp;

enum class Form : uint8_t { kFp32, kFp16, kBf16, kFp64, kInt32, kInt64, kUint64 };
inline constexpr int kForms = 7;

// A scalar of the call, as a number of each form.
struct Scalar {
  float fp32;
  double fp64;
  int64_t integer;
};

struct Block {
  const void* in[2];
  // Of fp32, fp16 and bf16: 1, or 0 for one element that stands for all. Of others always 1.
  int64_t step[2];
  void* out;
  int64_t count;
  Scalar p, q;
  // Write past the caches, if the form is one of the three; whoever asks for it ends with a fence.
  bool stream;
};

using BlockFunction = void (*)(const Block& block);
// Null where an operation has no such form.
struct Row {
  BlockFunction of[kForms];
};

// out[i] = c[i] != 0 ? a[i] : b[i], of elements of 1, 2, 4 or 8 bytes.
using WhereFunction = void (*)(const uint8_t* c, const void* a, const void* b, int64_t count,
                               void* out);

struct KernelSet {
  const Row* arithmetic;
  const Row* comparison;
  const Row* functions;
  WhereFunction where[4];

  BlockFunction Find(Op op, Form form) const {
    const Row* row = op < kFirstComparison ? arithmetic + static_cast<int>(op)
                     : op < kFirstFunction
                         ? comparison + (static_cast<int>(op) - static_cast<int>(kFirstComparison))
                         : functions + (static_cast<int>(op) - static_cast<int>(kFirstFunction));
    return row->of[static_cast<int>(form)];
  }
};

}  // namespace anyacl::elementwise

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const elementwise::Row kElementwiseArithmetic[];
extern const elementwise::Row kElementwiseComparison[];
extern const elementwise::Row kElementwiseFunctions[];
extern const elementwise::KernelSet kElementwiseKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
