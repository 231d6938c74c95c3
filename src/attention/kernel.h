// SPDX-License-Identifier: Apache-2.0
// The kernels' contracts. One step of attention takes up to kTile columns (keys and values) and
// some rows (query rows of the heads that share them) from the running state (m, l, extra, o) to
// the next. For each row r and column j of [begin[r], end[r]):
// clang-format off
//   s[r][j]  = (q[r] . k[j]) * column_scale[j] + row_shift[r] + row_sum[r] * column_shift[j] + add[r][j],
//              or masked_score where masked[r][j]
//   m'       = max(m, max over j of s[r][j])
//   o, l, extra  *= exp(m - m')
//   p[j]     = exp(s[r][j] - m')
//   l       += sum over j of p[j]
//   p[j]     = p[j] * value_scale[j], or sat8(rint(p[j] * quant)), or
//              p[j] * keep_scale where keep[r][j], else 0
//   extra   += sum over j of p[j] * value_shift[j]
//   o[r]    += sum over j of p[j] * v[j]
// clang-format on
// in fp32. Null pointers leave their term out. The state starts as m = -inf, the rest 0.
//
// Two forms compute it. Decode, for a few rows, keeps one row's d in the lanes of a vector and
// reads keys and values where they lie; prefill has a row per lane, so each key is converted once
// for all.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/element.h"

namespace anyacl::attention {

// How many of some elements are masked.
enum class Masked { kNone, kSome, kAll };

inline constexpr int kTile = 64;  // columns of a step
inline constexpr int kMaxDim = 768;
inline constexpr int kMaxDecodeRows = 8;  // of the form decode
inline constexpr int kPrefillRows = 48;   // rows of the form prefill: three vectors of accumulators

// What both forms take.
struct Step {
  int columns;    // 1 to kTile
  int dim;        // of keys, and of values unless value_dim says otherwise
  int value_dim;  // at most dim, only in prefill
  // [kTile], readable to the end whatever `columns` is.
  const float* column_scale;
  const float* column_shift;
  const float* value_scale;
  const float* value_shift;
  float quant;  // 0: probabilities stay as they are; only in prefill
  // Begin and end of each row's columns, counted from the step's first; null: all count.
  const int32_t* begin;
  const int32_t* end;
  // [row][kTile] in decode, [column][kPrefillRows] in prefill.
  const float* add;
  const int8_t* masked;
  float masked_score;
  // As `masked`; only in prefill.
  const int8_t* keep;
  float keep_scale;
  bool max_only;  // leave after m'; only in prefill
  // The state, [row]; decode reads and writes 16 of each.
  float* m;
  float* l;
  float* extra;
  const float* row_shift;
  const float* row_sum;
  float* scores;  // scratch: kTile * kPrefillRows floats, aligned to 64
};

// rows <= kMaxDecodeRows. q and o: [row][row_step] floats, row_step a multiple of 16, zeros behind
// dim.
struct DecodeStep : Step {
  // 16 bits per factor are precise enough for the scores (as place_query was told), and for the
  // sums over values. Only both together of bf16.
  bool narrow_scores;
  bool narrow_values;
  int rows;
  int row_step;
  const float* q;           // as place_query has left it
  const float* query_step;  // [row], what it returned
  float* o;
  const char* const* keys;  // kTile rows of the cache's type
  const char* const* values;
  // Those of the step that follows, to fetch ahead; null: none.
  const char* const* next_keys;
  const char* const* next_values;
  int next_columns;
};

// 16 * vectors rows in lanes, lane_step floats from d to d. k and v: [kTile][tile_step] elements of
// the arithmetic's type, zeros behind dim; up to the next multiple of 8 behind `columns` zeros or
// columns that no row sees.
//   fp32: q[d][lane]; k, v floats
//   bf16: q[d / 2][lane] pairs; k bf16; v as pack_prefill_values leaves it. tile_step is a multiple
//         of 32, up to which q has zeros, too, and o has room.
struct PrefillStep : Step {
  int vectors;  // 1 to 3
  int lane_step;
  int tile_step;
  const void* q;
  float* o;  // [d][lane]
  const void* k;
  const void* v;
};

// Of rows in lanes what slopes add to the scores of a tile's columns:
// out[j][lane] = -slope[lane] * |place[lane] - j|, or -slope times the root of the distance.
struct SlopeTile {
  int vectors;  // 1 to 3
  int columns;
  const float* slope;    // [kPrefillRows]
  const int32_t* place;  // [kPrefillRows]
  bool roots;
  float* out;  // [column][kPrefillRows]
};

// A row of the result: ((o + extra) / l + value_offset) * value_scale, then to the output's type.
struct OutRow {
  const float* o;
  float l;
  float extra;
  int dim;
  const float* value_scale;   // [dim], null: 1
  const float* value_offset;  // [dim], null: 0
  const float* out_scale;     // INT8: [dim]
  const float* out_offset;
  void* out;
  int64_t step;  // elements
};

// What splits of the columns have left of a row: m, l, and o from kPartialHead on, for split s at
// s * split_step; into the same of all columns, splits in order.
struct MergeRow {
  const float* partials;
  int64_t split_step;
  int splits;
  int dim;
  float m;
  float l;
  float* o;  // [dim rounded up to 16]
};
inline constexpr int kPartialHead = 16;

using DecodeFunction = void (*)(const DecodeStep&);
using PrefillFunction = void (*)(const PrefillStep&);

// Sources: fp32, fp16, bf16, int8 and int4. Targets: all of these but int4.
struct KernelSet {
  DecodeFunction (*decode)(Element source);
  // Turns a query row of decode into what is multiplied with `source`, in place; scores of that are
  // to be multiplied with what it returns. `narrow`: see DecodeStep::narrow_scores.
  float (*place_query)(Element source, bool narrow, int dim, float* q);
  PrefillFunction prefill_fp32;
  PrefillFunction prefill_bf16;
  // `dim` elements as floats (or bf16), zeros up to a multiple of 16.
  void (*to_float)(Element source, const char* row, int dim, float* out);
  // A square of 16 rows [16][row_step] as lanes: out[d][lane_step], of which 16 are written; and
  // back. Pairs: out[d / 2][lane], the upper halves of two floats.
  void (*place_lanes)(const float* rows, int row_step, int dim, int lane_step, float* out);
  void (*place_pairs)(const float* rows, int row_step, int dim, int lane_step, uint32_t* out);
  void (*take_lanes)(const float* lanes, int lane_step, int dim, int row_step, float* out);
  // Bytes of kTile per row, [16 * vectors][kTile], as lanes: out[column][kPrefillRows].
  void (*place_bytes)(const int8_t* rows, int vectors, int columns, int8_t* out);
  void (*place_slopes)(const SlopeTile& tile);
  // Whether none, some or all of [rows][kTile] bytes are not 0: `columns` of each, and those up to
  // the next multiple of 16, which repeat one of them.
  Masked (*look_at_bytes)(const int8_t* rows, int count, int columns);
  // Rows of a tile: [columns rounded up to 8][tile_step], zeros where there is no data; values in
  // pairs of columns.
  void (*pack_fp32)(Element source, const char* const* rows, int columns, int dim, int tile_step,
                    float* out);
  void (*pack_keys_bf16)(const char* const* rows, int columns, int dim, int tile_step,
                         uint16_t* out);
  void (*pack_values_bf16)(const char* const* rows, int columns, int dim, int tile_step,
                           uint32_t* out);
  // For prefill_bf16, in an order of the tier's.
  void (*pack_prefill_values)(const char* const* rows, int columns, int dim, int tile_step,
                              uint32_t* out);
  void (*merge_row)(MergeRow& row);
  void (*write_row)(Element target, const OutRow& row);
};

}  // namespace anyacl::attention

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

// Each in one kernel_*.cc.
attention::DecodeFunction AttentionDecode(Element source);
float AttentionPlaceQuery(Element source, bool narrow, int dim, float* q);
void AttentionPrefillFp32(const attention::PrefillStep& step);
void AttentionPrefillBf16(const attention::PrefillStep& step);
void AttentionToFloat(Element source, const char* row, int dim, float* out);
void AttentionPlaceLanes(const float* rows, int row_step, int dim, int lane_step, float* out);
void AttentionPlacePairs(const float* rows, int row_step, int dim, int lane_step, uint32_t* out);
void AttentionTakeLanes(const float* lanes, int lane_step, int dim, int row_step, float* out);
void AttentionPlaceBytes(const int8_t* rows, int vectors, int columns, int8_t* out);
void AttentionPlaceSlopes(const attention::SlopeTile& tile);
attention::Masked AttentionLookAtBytes(const int8_t* rows, int count, int columns);
void AttentionPackFp32(Element source, const char* const* rows, int columns, int dim, int tile_step,
                       float* out);
void AttentionPackKeysBf16(const char* const* rows, int columns, int dim, int tile_step,
                           uint16_t* out);
void AttentionPackValuesBf16(const char* const* rows, int columns, int dim, int tile_step,
                             uint32_t* out);
void AttentionPackPrefillValues(const char* const* rows, int columns, int dim, int tile_step,
                                uint32_t* out);
void AttentionMergeRow(attention::MergeRow& row);
void AttentionWriteRow(Element target, const attention::OutRow& row);

extern const attention::KernelSet kAttentionKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
