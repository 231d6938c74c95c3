// SPDX-License-Identifier: Apache-2.0
// The kernels' contract. Rows m of one expert, columns n, depth k in groups g of equal size:
//   INT8   c[m, n] = (float(sum_k x[m, k] w[k, n]) * x_scale[m]) * scale[n]
//   INT4   v_g     = float(sum_{k in g} (x[m, k] - 8) w[k, n])
//          c[m, n] = (v_0 scale[0, n] + v_1 scale[1, n] + ... + bias[n]) * x_scale[m]
// then for each row, with half = N / 2:
//   s[j]  = c[j] / (1 + e^-c[j]) * c[half + j]     scale = max|s| / 127     q = rint(s / scale)
// The sums of products are exact integers, all else is fp32: terms are added in order of g, each
// fused with its product. A NaN or an infinity among s makes the scale NaN or infinite and q zero.
//
// |sum| stays below 2^31: K < 65536 products of at most 2^14 for INT8, K < 20000 of at most
// 136 * 8 for INT4. Sums with biased weights, of K * 255 * 128, may wrap around, and wrap back.
#pragma once

#include <stdint.h>

#include "base/element.h"

namespace anyacl::grouped_matmul {

// A panel: all k of 32 bytes of columns, k rows of 32 bytes one behind the other, as FRACTAL_NZ has
// them. INT4: the even column in the low nibble.
inline constexpr int64_t kPanelBytes = 32;
constexpr int64_t PanelColumns(Element weights) {
  return weights == Element::kInt8 ? kPanelBytes : 2 * kPanelBytes;
}

// k in groups of one scale each. Each group of a panel is padded to a multiple of four with rows of
// zeros. Inline in every kernel whatever the optimiser thinks: the linker might keep a tier's copy.
struct Depth {
  int64_t groups = 1;
  int64_t size = 0;
  [[gnu::always_inline]] int64_t padded() const { return (size + 3) / 4 * 4; }
  [[gnu::always_inline]] int64_t total() const { return groups * padded(); }
};

// Rows of x as tiles read them: `packed` takes total() * KernelSet::packed_bytes_per_k bytes for
// each row. sums[m * groups + g] is the sum of row m over group g, times what
// the kernel adds to weights.
struct PackArgs {
  Element weights;
  const int8_t* x;
  int64_t row_step;
  int64_t column_step;
  int64_t rows;
  Depth depth;
  int8_t* packed;
  int32_t* sums;
};

// All rows of an expert times one panel. Scales, bias and column sums stand in the order of the
// kernel's lanes: column n of an INT4 panel at LaneOf(n).
struct PanelArgs {
  Element weights;
  const int8_t* panel;
  const int8_t* packed;
  const int32_t* sums;
  int64_t rows;
  Depth depth;
  const float* x_scale;
  int64_t x_scale_step;
  const float* scales;   // [groups, columns]
  const float* bias;     // [columns], INT4
  float* c;              // whole panels
  int64_t c_step;        // from row to row
  int32_t* column_sums;  // scratch, [groups, columns], INT4
  float* totals;         // scratch, kTileTotals, INT4
  int8_t* operands;      // scratch, total() * KernelSet::operand_bytes_per_k
  const int8_t* next;    // what is likely to be the next panel
};

constexpr int64_t LaneOf(int64_t n) { return n / 32 * 32 + n % 2 * 16 + n % 32 / 2; }

// One row of c, which is overwritten, to one row of the result.
struct RowArgs {
  float* c;
  const float* next;  // the row that is likely to follow
  int64_t half;
  int8_t* q;
  int64_t q_step;
  float* scale;
};

// Of the largest tile of any kernel.
inline constexpr int64_t kTileTotals = 6 * 64;

// Scales of whole INT4 panels, each in the lower half of 64 bits, dense within a group; the next
// panel's follow and are fetched ahead. out[g, LaneOf(n)].
struct LowHalvesArgs {
  const uint64_t* from;
  int64_t groups;
  int64_t group_step;
  float* out;
};

struct KernelSet {
  int64_t packed_bytes_per_k;
  int64_t operand_bytes_per_k;
  void (*load_low_halves)(const LowHalvesArgs& args);
  int64_t (*tile_count)(Element weights, int64_t rows);
  void (*pack_tile)(const PackArgs& args, int64_t tile);
  void (*multiply_panel)(const PanelArgs& args);
  void (*finish_row)(const RowArgs& args);
};

}  // namespace anyacl::grouped_matmul

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const grouped_matmul::KernelSet kGroupedMatmulKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
