// SPDX-License-Identifier: Apache-2.0
// The kernels' contract of lists of products, whose formulas are in gemm/list.h. B comes in panels;
// there are two ways to multiply by one:
//
//   packed     pack_panel brings a block of k into the order of an arithmetic, which the rows have,
//              too; its sums wait in memory for `dequantise`
//   in_place   few rows read the panel where it lies, and the sums stay in registers. It needs a
//              shuffle of 64 bytes
//
// |sum| stays below 2^31: K < 65536 products of at most 2^14 for INT8, K < 20000 of at most
// 136 * 8 for INT4. Sums with biased weights, of K * 255 * 128, may wrap around, and wrap back.
#pragma once

#include <stdint.h>

#include "base/element.h"

namespace anyacl::gemm {

// A panel: all k of 32 bytes of columns, k rows of 32 bytes one behind the other, as FRACTAL_NZ has
// them. INT4: the even column in the low nibble.
inline constexpr int64_t kPanelBytes = 32;
constexpr int64_t PanelColumns(Element b) {
  return b == Element::kInt8 ? kPanelBytes : 2 * kPanelBytes;
}

// Scales, bias and column sums stand in the order of the kernels' lanes: column n of an INT4 panel
// at LaneOf(n).
constexpr int64_t LaneOf(int64_t n) { return n / 32 * 32 + n % 2 * 16 + n % 32 / 2; }

// k in groups of one scale each. Each group of a panel is padded to a multiple of four with rows of
// zeros. Inline in every kernel whatever the optimiser thinks: the linker might keep a tier's copy.
struct Depth {
  int64_t groups = 1;
  int64_t size = 0;
  [[gnu::always_inline]] int64_t padded() const { return (size + 3) / 4 * 4; }
  [[gnu::always_inline]] int64_t total() const { return groups * padded(); }
};

// `depth` rows of a panel, a multiple of four, as panels of the arithmetic: those of INT8 columns,
// or of INT4 lanes.
struct PackPanelArgs {
  Element b;
  const int8_t* panel;
  int64_t depth;
  char* to;
  int64_t panel_columns;  // of the arithmetic
  int64_t panel_bytes;    // from one of its panels to the next
  int32_t* column_sums;   // INT4: of each lane, added to those before
};

// A group's sums of one panel to fp32:
//   INT8   c = (float(sum) * row_scale) * scale
//   INT4   c = (first ? 0 : c) + float(sum - 8 column_sum) * scale, the lanes in order, and at last
//          c = (c + bias) * row_scale, the columns in order
struct DequantiseArgs {
  Element b;
  const int32_t* sums;
  int64_t sums_step;
  int64_t rows;
  const float* scales;  // of the group
  const float* row_scale;
  int64_t row_scale_step;
  float* c;
  int64_t c_step;
  // INT4:
  const int32_t* column_sums;
  const float* bias;
  bool first;
  bool last;
};

// Rows of A as tiles read them in place: `packed` takes total() bytes for each row.
// sums[m * groups + g] is the sum of row m over group g, times what the kernel adds to weights.
struct PackTileArgs {
  Element b;
  const int8_t* a;
  int64_t row_step;
  int64_t column_step;
  int64_t rows;
  Depth depth;
  int8_t* packed;
  int32_t* sums;
};

// All rows of a product times one panel.
struct PanelArgs {
  Element b;
  const int8_t* panel;
  const int8_t* packed;
  const int32_t* sums;
  int64_t rows;
  Depth depth;
  const float* row_scale;
  int64_t row_scale_step;
  const float* scales;   // [groups, columns]
  const float* bias;     // [columns], INT4
  float* c;              // whole panels
  int64_t c_step;        // from row to row
  int32_t* column_sums;  // scratch, [groups, columns], INT4
  float* totals;         // scratch, kTileTotals, INT4
  const int8_t* next;    // what is likely to be the next panel
};

// Of the largest tile of any kernel.
inline constexpr int64_t kTileTotals = 6 * 64;

struct InPlace {
  int64_t (*tile_count)(Element b, int64_t rows);
  void (*pack_tile)(const PackTileArgs& args, int64_t tile);
  void (*multiply_panel)(const PanelArgs& args);
};

// Scales of whole INT4 panels, each in the lower half of 64 bits, dense within a group; the next
// panel's follow and are fetched ahead. out[g, LaneOf(n)].
struct LowHalvesArgs {
  const uint64_t* from;
  int64_t groups;
  int64_t group_step;
  float* out;
};

struct ListKernels {
  void (*pack_panel)(const PackPanelArgs& args);
  void (*dequantise)(const DequantiseArgs& args);
  void (*load_low_halves)(const LowHalvesArgs& args);
  const InPlace* in_place;  // null: no rows are multiplied in place
};

}  // namespace anyacl::gemm
