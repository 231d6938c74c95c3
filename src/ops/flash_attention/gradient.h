// SPDX-License-Identifier: Apache-2.0
// The gradient for one batch entry, one head of keys and a split of its columns: all query heads of
// the group, tile by tile. Probabilities are computed again from the statistics of the forward
// call, so that there is never more of them than a tile.
#pragma once

#include <array>

#include "attention/bias.h"
#include "attention/bind.h"
#include "ops/flash_attention/kernel.h"

namespace anyacl::flash_attention {

struct GradientParams {
  attention::Params common;
  int64_t dim = 0;  // which may be 0
  TensorView key, value, dy, out, dq, dk, dv, dpse;
  float dpse_scale = 1;  // what ds becomes dpse by
};

std::shared_ptr<const Plan> MakeGradient(GradientParams params);

// Enough for every gradient like this one with at most so many rows and columns.
uint64_t MostWorkspace(const GradientParams& params);

// How columns are cut: as the shape says, whatever the number of threads.
struct Cut {
  int64_t splits = 1;
  int64_t split_columns = 0;  // a multiple of kTile
  int64_t row_blocks = 0;     // of kRows rows, for each query head
  int step = 0;               // floats from row to row: D rounded up to 16, or 32

  int64_t block_floats() const { return int64_t{step} * kRows; }
  int64_t head_floats() const { return row_blocks * block_floats(); }
};
Cut CutOf(const GradientParams& params);

// A block of rows, packed.
struct RowBlock {
  float* q;  // lanes, as GradientStep has them
  float* dy;
  float* q_rows;
  float* dy_rows;
  float* m;
  float* inverse_l;
  float* delta;
};

// The memory of one thread: a part of the workspace.
class GradientScratch {
 public:
  GradientScratch(const GradientParams& params, const Cut& cut, char* memory);

  RowBlock Block(int64_t index) const;
  // What the constructor took of memory that begins at null.
  size_t size() const { return at_; }

  float* blocks;
  float* dq = nullptr;  // of one head; null: partial results take it
  float* k;
  float* k_columns;
  float* v;
  float* dk;  // [split_columns][step]
  float* dv;
  float* p;
  float* ds;
  uint16_t* p_rounded;
  uint16_t* ds_rounded;
  int32_t* ds_pairs;
  int32_t* begin;
  int32_t* end;
  float* add;
  int8_t* masked;
  int8_t* keep;
  attention::BiasBuffers bias;
  float* square;  // two of [16][step]
  char* gathered;
  const char** rows;

 private:
  template <class T>
  T* Take(int64_t count) {
    T* taken = reinterpret_cast<T*>(at_);
    at_ += (static_cast<size_t>(count) * sizeof(T) + 63) / 64 * 64;
    return taken;
  }

  const int64_t block_floats_;
  uintptr_t at_;
};

struct GradientItem {
  int64_t batch;
  int64_t head;  // of keys
  int64_t split;
};

// Writes dk and dv of the split, dpse, and dq if there is one split, else partials [head of the
// group][row block][d][lane], a head `head_step` after the other.
void AddGradient(const attention::Bound& bound, const GradientParams& params, const Cut& cut,
                 const GradientItem& item, char* memory, float* partials, int64_t head_step);

// A head's dq [row block][d][lane] to the tensor; `square` holds [16][step].
void WriteQueryGradient(const attention::Bound& bound, const GradientParams& params, const Cut& cut,
                        int64_t batch, int64_t head, const float* dq, float* square);

}  // namespace anyacl::flash_attention
