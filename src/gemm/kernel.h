// SPDX-License-Identifier: Apache-2.0
// The kernels' contract, and the hook for tiers with tiles of their own (AMX, SVE): who fills in an
// Arithmetic decides how packed operands look and how a block is multiplied.
//
//   pack_rows      lines of A (rows of the product), all k of a block
//   pack_columns   lines of B (columns of the product): panels of panel_columns
//   multiply       S[m, n] = (resume ? S[m, n] : 0) + sum_k A[m, k] * B[k, n] for packed operands;
//                  in vectors A may lie where it is, and a panel of B in lines
//   multiply_few   the same for up to kFewRows and tile_rows packed rows, and B where it lies
//   scale          packed columns of integers by their factors
//   widen          int4 to int8, as which they are packed
//   doubt          sums that may have lost digits, which fp32 keeps, become NaNs
//   scale_few      multiply_few of columns with factors, not packed
//   finite         whether no sum is infinite or a NaN
//   finish         rows of S to rows of C
//
// Sums are fp32 or, of integers, int32 modulo 2^32. Those in fp32 are fused multiplications and
// additions in the order of k, whatever the tile, so they have the same bits everywhere; of the
// arithmetic bf16 see simd/dot_tile.h, of bf16, half, whole and int8 in matrix registers
// simd/matrix_tile.h and kernel_matrix.cc.
#pragma once

#include <stdint.h>

#include "base/element.h"
#include "gemm/kernel_list.h"

namespace anyacl::gemm {

inline constexpr int64_t kFewRows = 4;
// pack_rows and pack_columns may write so many bytes more than the operand has.
inline constexpr int64_t kPackSlack = 64;
// Of the caches.
inline constexpr int64_t kLineBytes = 64;
// A unit of a packed operand: 4 bytes, Arithmetic::unit_depth values of one line.
inline constexpr int64_t kUnitBytes = 4;

// What the magnitudes of packed lines reach, as bits of fp32: the largest, and INT32_MIN minus the
// least that is not 0, or 0 where there is none. Both are maxima, from 0 on.
struct Ranges {
  int32_t* most = nullptr;
  int32_t* least = nullptr;
};

// Lines of elements of `type`, from line to line and from k to k steps in elements. The last unit
// of a line is filled up with zeros.
struct PackArgs {
  Element type;
  const void* from;
  int64_t line_step;
  int64_t k_step;
  int64_t lines;
  int64_t depth;
  void* to;
  // pack_rows of integers: what sums of the line have too much is added to corrections[line].
  int32_t* corrections;
  int64_t panel_bytes;  // of pack_columns: from one panel to the next
  Ranges ranges = {};   // of an arithmetic that has doubts: the lines' become part of them
};

// What to bring into L2 while a block is computed: `rows` pieces of `bytes` bytes.
struct Ahead {
  const char* at = nullptr;
  int64_t rows = 0;
  int64_t row_step = 0;  // in bytes
  int64_t bytes = 0;
};

inline constexpr int kAheads = 3;

// A panel of fp32 that is not packed: k runs over the channels and for each over the taps, whose
// vector i begins at offsets[tap * offset_step + i], in numbers of the channel.
struct PanelLines {
  const float* from;
  int64_t channels;
  int64_t channel_step;
  int64_t taps;
  const int32_t* offsets;
  int64_t offset_step;
};

// Rows, packed or where they lie, times one packed panel, both depth deep. In vectors several
// panels, one after the other for each tile of rows, whose results then follow each other.
struct BlockArgs {
  const char* rows;
  int64_t row_count;
  int64_t row_step = 0;               // in bytes, of rows where they lie; 0: packed
  Element row_type = Element::kBf16;  // of these
  bool fetch_rows = false;            // what follows of these is asked for
  const char* panel;
  int64_t panels = 1;
  int64_t panel_bytes = 0;
  // In place of the panel, one, by packed rows of fp32 in vectors; nothing is fetched ahead.
  const PanelLines* lines = nullptr;
  int64_t depth;
  void* sums;  // whole panels
  int64_t sums_step;
  bool resume;
  Ahead ahead[kAheads];     // rows where they lie; results; the next panel
  void* results = nullptr;  // where sums go that `sums` began; null: there; only of vectors
  int64_t results_step = 0;
  // Of numbers in parts: rows are columns of the product and panels its rows. Sums are the same.
  bool swapped = false;
};

// Sums of `depth` products, of rows and whole vectors of columns with these ranges.
struct DoubtArgs {
  float* sums;
  int64_t sums_step;
  int64_t rows;
  int64_t columns;
  int64_t depth;
  Ranges row_ranges;
  Ranges column_ranges;
};

// Lines of whole bytes of int4, of which the lower half is the first; an odd `count` leaves the
// last half out. Steps in bytes.
struct WidenArgs {
  const void* from;
  int64_t from_step;
  int64_t lines;
  int64_t count;  // elements of a line
  int8_t* to;
  int64_t to_step;
};

// B, with steps in elements, of which one is 1.
struct FewArgs {
  Element type;
  const void* b;
  int64_t k_step;
  int64_t column_step;
  int64_t columns;
  const char* rows;
  int64_t row_count;
  int64_t depth;
  void* sums;  // of whole vectors of columns
  int64_t sums_step;
};

// A matrix or, with steps of 0, what is the same for all its rows or columns.
struct View {
  Element type = Element::kFp32;
  const void* data = nullptr;
  int64_t row_step = 0;
  int64_t column_step = 0;
};

// B's factors, of each column for `group` k at a time, and what is added before; in fp32:
//   B[k, n] = (B[k, n] + offset[k / group, n]) * scale[k / group, n]
// Both count k and n from 0.
struct Groups {
  int64_t group = 0;
  View scale;
  View offset;  // null data: 0
};

// Panels that hold `depth` k from `first` on, of integers as fp32, which become what the arithmetic
// multiplies.
struct ScaleArgs {
  void* panels;
  int64_t panel_bytes;
  int64_t columns;
  int64_t first;
  int64_t depth;
  Groups groups;
};

// For integers s = S - corrections[m] (+ D of int32), else s = S; then, in fp32,
//   C = fma(beta, D, ((s * row_scale[m]) * column_scale[n]) * alpha), rounded to C's type.
// Factors that are null, an alpha of 1 and a D that is null are left out. C of int32 is s.
struct FinishArgs {
  bool integers;
  const void* sums;
  int64_t sums_step;
  const int32_t* corrections;
  int64_t rows;
  int64_t columns;
  const float* row_scale;
  int64_t row_scale_step;
  const float* column_scale;
  int64_t column_scale_step;
  bool column_scale_first;  // multiply with it before row_scale
  float alpha;
  float beta;
  View d;
  View c;
};

// multiply_few takes B's types that pack_columns takes.
struct Arithmetic {
  int64_t unit_depth;     // k of a unit
  int64_t parts = 1;      // of a number, each of which has units of its own
  int64_t tile_rows;      // blocks of a multiple of these are best in matrix registers
  int64_t panel_columns;  // a multiple of 16, at most kMaxPanelColumns
  int64_t block_units;    // of k that are packed at a time
  void (*pack_rows)(const PackArgs& args);
  void (*pack_columns)(const PackArgs& args);
  void (*scale)(const ScaleArgs& args);  // null: takes no factors
  void (*multiply)(const BlockArgs& args);
  void (*multiply_few)(const FewArgs& args);  // null with matrix registers
  void (*doubt)(const DoubtArgs& args) = nullptr;
  // Rows whose k are contiguous and a multiple of so many may be multiplied where they lie, if they
  // have the arithmetic's own type, or, in matrix registers but for integers, 16 bits; 0: none.
  int64_t in_place_depth = 0;
};
// Found by measuring on a core with 32 KiB of L1 and 1 MiB of L2: a panel of 32 columns has 48 KiB,
// a block of 256 rows 384 and its sums for four panels 128.
inline constexpr int64_t kBlockUnits = 384;
inline constexpr int64_t kMaxPanelColumns = 64;

struct KernelSet {
  const Arithmetic* fp32;  // of fp32, fp16, bf16 and int8, in any mixture
  const Arithmetic* bf16;  // of bf16 and bf16; fp32's where the machine has no dot product of bf16
  // Of fp16, bf16 and fp32 in any mixture, and with columns that have factors, all rounded to 16
  // bits. Infinite operands give NaNs. It is fp32's arithmetic where the machine has no matrix
  // registers.
  const Arithmetic* half;
  // Of fp32 and the types of `half` in any mixture. For the rest as `half`.
  const Arithmetic* whole;
  const Arithmetic* int8;  // of int8 and int8
  // The same for up to kFewRows rows, with the same bits.
  const Arithmetic* few_bf16;
  const Arithmetic* few_int8;
  void (*widen)(const WidenArgs& args);
  // B is int8 or int4 with a k_step of 1 and begins at k = `first`; it and groups are multiples of
  // 16.
  void (*scale_few)(const FewArgs& args, const Groups& groups, int64_t first);
  bool (*finite)(const float* sums, int64_t sums_step, int64_t rows, int64_t columns);
  void (*finish)(const FinishArgs& args);
  // Lists of products. What is packed takes the arithmetic int8, which adds nothing to B then.
  const ListKernels* list;
};

}  // namespace anyacl::gemm

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

// Each in its kernel_*.cc.
extern const gemm::Arithmetic kGemmFp32;
extern const gemm::Arithmetic kGemmBf16;
extern const gemm::Arithmetic kGemmInt8;
void GemmWiden(const gemm::WidenArgs& args);
void GemmScaleFew(const gemm::FewArgs& args, const gemm::Groups& groups, int64_t first);
bool GemmFinite(const float* sums, int64_t sums_step, int64_t rows, int64_t columns);
void GemmFinish(const gemm::FinishArgs& args);
extern const gemm::InPlace kGemmInPlace;
extern const gemm::ListKernels kGemmList;

extern const gemm::KernelSet kGemmKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
