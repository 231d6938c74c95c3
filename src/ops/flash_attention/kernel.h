// SPDX-License-Identifier: Apache-2.0
// The kernel's contract. One step of the gradient takes up to kTile columns (keys and values) and
// up to kRows rows of one query head. For each row r and column j of [begin[r], end[r]) that is not
// masked
// clang-format off
//   p[r][j]   = exp(q[r] . k[j] * scale + add[r][j] - m[r]) * inverse_l[r],    else 0
//   w[r][j]   = keep_scale where keep[r][j], else 0;                           1 without dropout
//   ds[r][j]  = p[r][j] * (w[r][j] * (dy[r] . v[j]) - delta[r]) * scale
//   dq[r]    += sum over j of ds[r][j] * k[j]
//   dk[j]    += sum over r of ds[r][j] * q[r]
//   dv[j]    += sum over r of w[r][j] * p[r][j] * dy[r]
// clang-format on
// in fp32, or in bf16 products, for which p and ds are rounded to bf16. (Dao 2023, algorithm 2.)
//
// Rows are the lanes of vectors, as in the engine's form prefill. Those that are not there have q,
// dy and inverse_l of 0.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace anyacl::flash_attention {

inline constexpr int kTile = 64;
inline constexpr int kRows = 48;         // three vectors
inline constexpr int kRoundedRows = 64;  // whole steps of matrix registers

// Steps from row to row of k, v, dk, dv, q_rows and dy_rows are `step` elements, a multiple of 16.
// Behind dim, and up to the next multiple of 8 behind `columns`, are zeros.
//   fp32: lanes [d][kRows]; rows [r][step]; k_columns is k
//   bf16: lanes pairs [d / 2][kRows]; rows pairs [r / 2][step] (2 rows, d), zeros up to
//         kRoundedRows; k, v [j][step]; k_columns as attention's pack_prefill_values leaves it.
//         step is a multiple of 32; up to it lanes are zeros, too
struct GradientStep {
  int columns;  // 1 to kTile
  int vectors;  // 1 to 3, of rows
  int dim;
  int value_dim;
  int step;
  const void* q;   // lanes
  const void* dy;  // lanes
  const void* q_rows;
  const void* dy_rows;
  const void* k;
  const void* k_columns;
  const void* v;
  float scale;
  const float* m;  // [kRows]
  const float* inverse_l;
  const float* delta;
  const int32_t* begin;  // [kRows]; null: all columns count
  const int32_t* end;
  const float* add;  // [column][kRows]; null: 0
  const int8_t* masked;
  const int8_t* keep;
  float keep_scale;
  float* dq;  // [d][kRows]
  float* dk;  // [j][step]
  float* dv;
  // Scratch, [kTile][kRows]; ds_out is left as ds.
  float* p_out;
  float* ds_out;
  uint16_t* p_rounded;  // in matrix registers rows of kRoundedRows
  uint16_t* ds_rounded;
  int32_t* ds_pairs;
};

struct KernelSet {
  void (*gradient_fp32)(const GradientStep& step);
  void (*gradient_bf16)(const GradientStep& step);
  // Sum of a[d] * b[d]; both readable up to the next multiple of 16, where they are zeros.
  float (*dot)(const float* a, const float* b, int dim);
  // to[i] += from[i], count a multiple of 16.
  void (*add)(const float* from, int64_t count, float* to);
};

}  // namespace anyacl::flash_attention

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

void FlashAttentionGradientFp32(const flash_attention::GradientStep& step);
void FlashAttentionGradientBf16(const flash_attention::GradientStep& step);
float FlashAttentionDot(const float* a, const float* b, int dim);
void FlashAttentionAdd(const float* from, int64_t count, float* to);

extern const flash_attention::KernelSet kFlashAttentionKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
