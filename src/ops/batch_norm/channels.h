// SPDX-License-Identifier: Apache-2.0
// Tensors as channels of `count` elements. A channel is taken in pieces, each a tile of rows of its
// elements; where elements of neighbouring channels lie side by side and those of one far apart,
// channels are taken side by side instead, in chunks of rows that have an element of each.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "nnop/view.h"
#include "nnop/workspace.h"
#include "ops/batch_norm/kernel.h"
#include "ops/blocks/blocks.h"

namespace anyacl::batch_norm {

// Elements of a piece: half of L1 in fp32.
inline constexpr int64_t kPiece = 4096;
// Rows of a chunk, and channels side by side in a tile of it.
inline constexpr int64_t kChunkRows = 64;
inline constexpr int64_t kTile = 512;
inline constexpr int64_t kBufferedTile = kPiece / kChunkRows;

// Elements of one channel.
struct Piece {
  int64_t channel;
  int64_t rows;
  int64_t cols;
  int64_t row;    // within the last dimension but one
  int64_t col;    // within the last
  int64_t outer;  // of the dimensions before
  int64_t n() const { return rows * cols; }
};

// An element of each channel in `n` of them, `rows` times.
struct Tile {
  int64_t row;
  int64_t rows;
  int64_t channel;
  int64_t n;
};

class Channels {
 public:
  // Views of equal shape; the first leads, others may be absent.
  Channels(std::vector<TensorView> views, int channel_dim);

  int64_t channels() const { return channels_; }
  int64_t count() const { return count_; }
  bool side_by_side() const { return side_by_side_; }
  bool past_caches() const { return past_caches_; }

  int64_t pieces() const { return outer_ * row_blocks_ * col_blocks_; }
  Piece PieceOf(int64_t channel, int64_t index) const;
  int64_t chunks() const { return (count_ + kChunkRows - 1) / kChunkRows; }
  int64_t tiles() const { return (channels_ + tile_ - 1) / tile_; }
  Tile TileOf(int64_t chunk, int64_t tile) const;

  // Whether a piece's elements follow each other in all views, which are of one type then.
  bool IsPlain(const Piece& piece) const;
  // For such a piece; others are fp32 numbers one after the other in the buffer.
  const ElementKernels& KernelsFor(bool plain) const;
  char* Address(const Bindings& bindings, size_t view, const Piece& piece) const;
  void Read(const Bindings& bindings, size_t view, const Piece& piece, float* buffer) const;
  // `rows` writes what is computed from such numbers to rows of contiguous elements of a type;
  // `numbers` to a buffer, where elements lie otherwise.
  template <class WriteRows, class WriteNumbers>
  void Write(const Bindings& bindings, size_t view, const Piece& piece, float* buffer,
             const WriteRows& rows, const WriteNumbers& numbers) const {
    const Member& member = members_[view];
    const blocks::Tile to = Place(bindings, member, piece);
    if (to.col_stride == 1 || to.cols == 1) {
      rows(Kernels().batch_norm.Of(ElementOf(member.rest.dtype)), Matrix{to.data, to.row_stride});
      return;
    }
    numbers(buffer);
    blocks::Storer(Element::kFp32, member.rest.dtype)(buffer, to);
  }

  // Of tiles: where they are if all views are of one type, else fp32 numbers in the buffer.
  const ElementKernels& TileKernels() const { return KernelsFor(same_type_); }
  Matrix Read(const Bindings& bindings, size_t view, const Tile& tile, float* buffer) const;
  Matrix Target(const Bindings& bindings, size_t view, const Tile& tile, float* buffer) const;
  void Written(const Bindings& bindings, size_t view, const Tile& tile, const float* from) const;

 private:
  struct Member {
    TensorView rest;  // without channels
    int64_t channel_stride = 0;
  };

  static bool IsRun(const Member& member, const Piece& piece);
  blocks::Tile Place(const Bindings& bindings, const Member& member, const Piece& piece) const;
  blocks::Tile Place(const Bindings& bindings, const Member& member, const Tile& tile) const;

  std::vector<Member> members_;
  int64_t channels_ = 1;
  int64_t count_ = 1;
  int64_t rows_ = 1, cols_ = 1, outer_ = 1;
  int64_t piece_rows_ = 1;
  int64_t row_blocks_ = 1, col_blocks_ = 1;
  int64_t tile_ = kTile;
  bool side_by_side_ = false;
  bool same_type_ = true;
  bool past_caches_ = false;
};

// A number for each channel, of any type; absent: all are `otherwise`.
void ReadNumbers(const Bindings& bindings, const TensorView& view, float otherwise, int64_t n,
                 float* to);
void ReadNumbers(const Bindings& bindings, const TensorView& view, int64_t n, double* to);
void WriteNumbers(const Bindings& bindings, const TensorView& view, int64_t n, const double* from);
// The sum of all elements of a view of any rank.
double Total(const Bindings& bindings, const TensorView& view);

}  // namespace anyacl::batch_norm
