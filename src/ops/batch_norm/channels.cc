// SPDX-License-Identifier: Apache-2.0
#include "ops/batch_norm/channels.h"

#include "runtime/cache_share.h"

namespace anyacl::batch_norm {
namespace {

// Runs of fewer elements share a piece.
constexpr int64_t kShortRun = 256;
constexpr int64_t kFewChannels = 16;

int64_t StrideAt(const TensorView& view, int from_end) {
  return view.rank >= from_end ? view.strides[view.rank - from_end] : 0;
}

}  // namespace

Channels::Channels(std::vector<TensorView> views, int channel_dim) {
  std::vector<TensorView> rest;
  double bytes = 0;
  for (const TensorView& view : views) {
    rest.push_back(view.given() ? WithoutDim(view, channel_dim) : view);
    if (!view.given()) continue;
    bytes +=
        static_cast<double>(view.elements()) * static_cast<double>(blocks::BytesOf(view.dtype));
  }
  Coalesce(rest);
  for (size_t i = 0; i < views.size(); ++i) {
    members_.push_back({rest[i], views[i].given() ? views[i].strides[channel_dim] : 0});
  }
  channels_ = views[0].sizes[channel_dim];
  past_caches_ = bytes / 2 * 3 > static_cast<double>(LastCacheShare());
  const TensorView& lead = rest[0];
  count_ = lead.elements();
  if (lead.rank > 0) cols_ = lead.sizes[lead.rank - 1];
  if (lead.rank > 1) rows_ = lead.sizes[lead.rank - 2];
  outer_ = count_ / std::max<int64_t>(1, rows_ * cols_);
  if (cols_ < kShortRun) piece_rows_ = std::clamp<int64_t>(kPiece / cols_, 1, rows_);
  row_blocks_ = (rows_ + piece_rows_ - 1) / piece_rows_;
  col_blocks_ = (cols_ + kPiece - 1) / kPiece;
  side_by_side_ = lead.rank == 1 && channels_ >= kFewChannels;
  for (const Member& member : members_) {
    if (!member.rest.given()) continue;
    side_by_side_ &= member.channel_stride == 1;
    same_type_ &= member.rest.dtype == lead.dtype;
  }
  if (!same_type_) tile_ = kBufferedTile;
}

Piece Channels::PieceOf(int64_t channel, int64_t index) const {
  Piece piece = {};
  piece.channel = channel;
  piece.col = index % col_blocks_ * kPiece;
  piece.cols = std::min(kPiece, cols_ - piece.col);
  index /= col_blocks_;
  piece.row = index % row_blocks_ * piece_rows_;
  piece.rows = std::min(piece_rows_, rows_ - piece.row);
  piece.outer = index / row_blocks_;
  return piece;
}

Tile Channels::TileOf(int64_t chunk, int64_t tile) const {
  const int64_t row = chunk * kChunkRows, channel = tile * tile_;
  return {row, std::min(kChunkRows, count_ - row), channel, std::min(tile_, channels_ - channel)};
}

bool Channels::IsRun(const Member& member, const Piece& piece) {
  return (piece.cols == 1 || StrideAt(member.rest, 1) == 1) &&
         (piece.rows == 1 || StrideAt(member.rest, 2) == piece.cols);
}

bool Channels::IsPlain(const Piece& piece) const {
  return same_type_ && std::all_of(members_.begin(), members_.end(), [&](const Member& member) {
           return !member.rest.given() || IsRun(member, piece);
         });
}

const ElementKernels& Channels::KernelsFor(bool plain) const {
  const KernelSet& kernels = Kernels().batch_norm;
  return plain ? kernels.Of(ElementOf(members_[0].rest.dtype)) : kernels.fp32;
}

char* Channels::Address(const Bindings& bindings, size_t view, const Piece& piece) const {
  return Place(bindings, members_[view], piece).data;
}

blocks::Tile Channels::Place(const Bindings& bindings, const Member& member,
                             const Piece& piece) const {
  const TensorView& rest = member.rest;
  const int64_t at = piece.channel * member.channel_stride + piece.row * StrideAt(rest, 2) +
                     piece.col * StrideAt(rest, 1) + rest.OffsetOf(piece.outer, rest.rank - 2);
  return {rest.Address(bindings) + at * blocks::BytesOf(rest.dtype),
          piece.rows,
          piece.cols,
          StrideAt(rest, 2),
          StrideAt(rest, 1),
          false};
}

blocks::Tile Channels::Place(const Bindings& bindings, const Member& member,
                             const Tile& tile) const {
  const int64_t pitch = StrideAt(member.rest, 1);
  const int64_t at = tile.row * pitch + tile.channel * member.channel_stride;
  return {member.rest.Address(bindings) + at * blocks::BytesOf(member.rest.dtype),
          tile.rows,
          tile.n,
          pitch,
          member.channel_stride,
          false};
}

void Channels::Read(const Bindings& bindings, size_t view, const Piece& piece,
                    float* buffer) const {
  const Member& member = members_[view];
  const blocks::Tile from = Place(bindings, member, piece);
  if (from.col_stride == 1 || from.cols == 1) {
    const ElementKernels& kernels = Kernels().batch_norm.Of(ElementOf(member.rest.dtype));
    kernels.gather({from.data, from.row_stride}, from.rows, from.cols, buffer);
  } else {
    blocks::Loader(Element::kFp32, member.rest.dtype)(from, buffer);
  }
}

Matrix Channels::Read(const Bindings& bindings, size_t view, const Tile& tile,
                      float* buffer) const {
  const Member& member = members_[view];
  const blocks::Tile from = Place(bindings, member, tile);
  if (same_type_) return {from.data, from.row_stride};
  blocks::Loader(Element::kFp32, member.rest.dtype)(from, buffer);
  return {buffer, tile.n};
}

Matrix Channels::Target(const Bindings& bindings, size_t view, const Tile& tile,
                        float* buffer) const {
  const blocks::Tile to = Place(bindings, members_[view], tile);
  return same_type_ ? Matrix{to.data, to.row_stride} : Matrix{buffer, tile.n};
}

void Channels::Written(const Bindings& bindings, size_t view, const Tile& tile,
                       const float* from) const {
  if (same_type_) return;
  const Member& member = members_[view];
  blocks::Storer(Element::kFp32, member.rest.dtype)(from, Place(bindings, member, tile));
}

void ReadNumbers(const Bindings& bindings, const TensorView& view, float otherwise, int64_t n,
                 float* to) {
  if (!view.given()) {
    std::fill_n(to, n, otherwise);
    return;
  }
  blocks::LoadRow(view.dtype, view.Address(bindings), view.strides[0], n, to);
}

void ReadNumbers(const Bindings& bindings, const TensorView& view, int64_t n, double* to) {
  blocks::LoadRow(view.dtype, view.Address(bindings), view.strides[0], n, to);
}

void WriteNumbers(const Bindings& bindings, const TensorView& view, int64_t n, const double* from) {
  if (!view.given()) return;
  blocks::StoreRow(from, n, view.dtype, view.Address(bindings), view.strides[0]);
}

double Total(const Bindings& bindings, const TensorView& view) {
  const auto load = blocks::Loader(Element::kFp64, view.dtype);
  const int64_t count = view.elements();
  double total = 0;
  for (int64_t at = 0; at < count; at += blocks::kBlock) {
    double numbers[blocks::kBlock];
    const int64_t end = std::min(count, at + blocks::kBlock);
    blocks::ForTiles(
        view, view.Address(bindings), at, end,
        [&](const blocks::Tile& tile, int64_t before) { load(tile, numbers + before); });
    for (int64_t i = 0; i < end - at; ++i) total += numbers[i];
  }
  return total;
}

}  // namespace anyacl::batch_norm
