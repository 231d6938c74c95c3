// SPDX-License-Identifier: Apache-2.0
// What changes single scores of a tile, beside the interval of columns of each row: the mask,
// pseShift and dropout, read where they lie and brought into the form of the kernels.
#pragma once

#include "attention/bind.h"

namespace anyacl::attention {

// Up to kPrefillRows rows of one batch entry.
struct TileRows {
  int64_t batch = 0;
  int count = 0;
  int64_t head[kPrefillRows];  // of the query
  int64_t row[kPrefillRows];   // of the tensor
};

// Of what a kernel takes (kernel.h), in decode [row][kTile], in prefill [column][kPrefillRows].
enum class Form { kDecode, kPrefill };

// Scratch memory of one thread.
struct BiasBuffers {
  int8_t* bytes;   // [kPrefillRows][kTile]
  float* floats;   // [16][kTile]
  char* gathered;  // kTile elements
};

class Bias {
 public:
  Bias(const Bound& bound, const BiasBuffers& buffers) : bound_(bound), buffers_(buffers) {}

  // The mask of columns from, from + 1, ... of the tensor; `out` is written if some are masked.
  Masked PlaceMask(const TileRows& rows, int64_t from, int count, Form form, int8_t* out) const;
  // pseShift times its factor, or what slopes make.
  void PlacePse(const TileRows& rows, int64_t from, int count, Form form, float* out) const;
  // The bits of dropout, for prefill.
  void PlaceKept(const TileRows& rows, int64_t from, int count, int8_t* out) const;

 private:
  // A row of bytes of the mask, columns of the tensor.
  void CopyMask(const TileRows& rows, int i, int64_t from, int count, int8_t* to) const;
  // The same of a square mask over the last columns, columns of the entry.
  void CopyTreeMask(const TileRows& rows, int i, int64_t from, int count, int8_t* to) const;
  // What is in the buffer of bytes.
  void Place(const TileRows& rows, int count, Form form, int8_t* out) const;
  void PlaceSlopes(const TileRows& rows, int64_t from, int count, Form form, float* out) const;

  const Bound& bound_;
  const BiasBuffers buffers_;
};

}  // namespace anyacl::attention
