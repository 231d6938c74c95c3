// SPDX-License-Identifier: Apache-2.0
// The order of work on channels. Channels one after the other: pieces are folded, what they give
// is joined for each channel in their order, and pieces are written; a thread does all of that for
// a channel, whose elements its second cache may then still hold, but where channels are too few
// for all threads they share the pieces. Side by side: chunks of rows give sums in fp32, which are
// added in double in their order. The shape alone decides on pieces and chunks.
#pragma once

#include "ops/batch_norm/channels.h"
#include "ops/batch_norm/kernel.h"
#include "runtime/parallel.h"

namespace anyacl::batch_norm {

class Passes {
 public:
  // Workspace of passes that fold.
  Passes(const Channels& channels, bool folds, WorkspaceBook& book) : channels_(channels) {
    if (channels.side_by_side()) {
      if (!folds) return;
      const auto sums = static_cast<size_t>(channels.chunks() * channels.channels());
      first_ = book.Book<float>(sums);
      second_ = book.Book<float>(sums);
      totals_ = book.Book<Sums>(static_cast<size_t>(channels.channels()));
      return;
    }
    shares_ = channels.channels() < 4 * ThreadCount() && channels.pieces() > 1;
    const int64_t owners = shares_ ? channels.channels() : ThreadCount();
    if (folds) parts_ = book.Book<Sums>(static_cast<size_t>(owners * channels.pieces()));
  }

  // fold(piece, buffers, next) gives Sums, next being the piece to be folded after it;
  // join(channel, parts) is called once for each channel, write(piece, buffers, is_read) for all of
  // its pieces; is_read: the buffers still hold what fold left there.
  template <class Buffers, class Fold, class Join, class Write>
  void Run(const Bindings& bindings, const Fold& fold, const Join& join, const Write& write) const {
    const int64_t pieces = channels_.pieces();
    Sums* parts = parts_.In(bindings);
    if (!shares_) {
      ForMany(channels_.channels(), channels_.count(), [&](int64_t c, int64_t slot) {
        Buffers buffers;
        Sums* own = parts + slot * pieces;
        for (int64_t p = 0; p < pieces; ++p) {
          own[p] = fold(channels_.PieceOf(c, p), buffers, PieceAfter(c, p));
        }
        join(c, own);
        for (int64_t p = 0; p < pieces; ++p) write(channels_.PieceOf(c, p), buffers, pieces == 1);
      });
      return;
    }
    ForMany(channels_.channels() * pieces, channels_.count() / pieces, [&](int64_t i, int64_t) {
      Buffers buffers;
      const Piece piece = channels_.PieceOf(i / pieces, i % pieces);
      parts[i] = fold(piece, buffers, piece);
    });
    for (int64_t c = 0; c < channels_.channels(); ++c) join(c, parts + c * pieces);
    ForPieces<Buffers>(write);
  }

  template <class Buffers, class Write>
  void ForPieces(const Write& write) const {
    const int64_t pieces = channels_.pieces();
    ForMany(channels_.channels() * pieces, channels_.count() / pieces, [&](int64_t i, int64_t) {
      Buffers buffers;
      write(channels_.PieceOf(i / pieces, i % pieces), buffers, false);
    });
  }

  // body(tile) for all tiles of all chunks.
  template <class Body>
  void ForTiles(const Body& body) const {
    const int64_t tiles = channels_.tiles();
    const int64_t work = kChunkRows * channels_.channels() / tiles;
    ForMany(channels_.chunks() * tiles, work,
            [&](int64_t i, int64_t) { body(channels_.TileOf(i / tiles, i % tiles)); });
  }

  // fold(tile, first, second) leaves sums of a tile's columns there; the totals of all channels.
  template <class Fold>
  const Sums* SumTiles(const Bindings& bindings, const Fold& fold) const {
    const int64_t n = channels_.channels();
    float* first = first_.In(bindings);
    float* second = second_.In(bindings);
    ForTiles([&](const Tile& tile) {
      const int64_t at = tile.row / kChunkRows * n + tile.channel;
      fold(tile, first + at, second + at);
    });
    Sums* totals = totals_.In(bindings);
    const int64_t chunks = channels_.chunks();
    ParallelFor(n, std::max<int64_t>(64, kWorth / chunks), [&](int64_t begin, int64_t end) {
      std::fill(totals + begin, totals + end, Sums{0, 0});
      for (int64_t k = 0; k < chunks; ++k) {
        for (int64_t c = begin; c < end; ++c) {
          totals[c].first += static_cast<double>(first[k * n + c]);
          totals[c].second += static_cast<double>(second[k * n + c]);
        }
      }
    });
    return totals;
  }

 private:
  Piece PieceAfter(int64_t channel, int64_t piece) const {
    if (piece + 1 < channels_.pieces()) return channels_.PieceOf(channel, piece + 1);
    return channels_.PieceOf(std::min(channel + 1, channels_.channels() - 1), 0);
  }

  static constexpr int64_t kWorth = 1 << 14;  // elements: 3 us in the caches

  template <class Body>
  void ForMany(int64_t count, int64_t work, const Body& body) const {
    ParallelFor(count, std::max<int64_t>(1, kWorth / std::max<int64_t>(1, work)),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  for (int64_t i = begin; i < end; ++i) body(i, slot);
                  if (channels_.past_caches()) Kernels().blocks.fence();
                });
  }

  const Channels& channels_;
  bool shares_ = false;
  WorkspaceSlot<Sums> parts_, totals_;
  WorkspaceSlot<float> first_, second_;
};

// Factors of each channel.
struct FactorSlots {
  WorkspaceSlot<float> centre, a, b, c;
  FactorSlots(int64_t channels, WorkspaceBook& book) {
    for (auto* slot : {&centre, &a, &b, &c})
      *slot = book.Book<float>(static_cast<size_t>(channels));
  }
  Factors<float*> In(const Bindings& bindings) const {
    return {centre.In(bindings), a.In(bindings), b.In(bindings), c.In(bindings)};
  }
};
inline Factors<float> At(const Factors<float*>& f, int64_t channel) {
  return {f.centre[channel], f.a[channel], f.b[channel], f.c[channel]};
}
inline Factors<const float*> From(const Factors<float*>& f, int64_t channel) {
  return {f.centre + channel, f.a + channel, f.b + channel, f.c + channel};
}

}  // namespace anyacl::batch_norm
