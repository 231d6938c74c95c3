// SPDX-License-Identifier: Apache-2.0
#include "hccl/collectives.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/fnv.h"
#include "base/format.h"
#include "hccl/data_type.h"
#include "hccl/exchange.h"
#include "hccl/reduce.h"

namespace anyacl::hccl {
namespace {

// A vector that all ranks send to all whole, in one step instead of two: as long as a message costs
// more than its bytes.
constexpr size_t kWholeBytes = 8192;
// Of a slice, so that what came in is in the cache when it is added up; half of them are on their
// way meanwhile.
constexpr size_t kPieceBytes = 256 * 1024;
constexpr size_t kPiecesUnderWay = 4;
// The step in which ranks compare what they cut into pieces.
constexpr uint32_t kAlike = 2;
// The step of vectors that are sent whole: a rank whose vector is cut into pieces takes none of it.
constexpr uint32_t kWhole = 3;
// A vector that the root sends whole; longer ones it sends a slice to each rank, and these pass
// them on.
constexpr size_t kBinomialBytes = 64 * 1024;

// What all ranks must say of a vector that is cut into pieces.
struct Alike {
  uint64_t elements;
  uint64_t slices;  // a hash of their lengths
  uint64_t root;
};

uint64_t HashOf(const std::vector<SliceReduction::Slice>& slices) {
  uint64_t hash = Fnv64("");
  for (const auto& slice : slices) {
    hash = Fnv64({reinterpret_cast<const char*>(&slice.count), sizeof slice.count}, hash);
  }
  return hash;
}

// Empty: none.
std::string Difference(const Alike& theirs, const Alike& ours) {
  if (theirs.elements != ours.elements) {
    return Format("{} elements, expected {}", theirs.elements, ours.elements);
  }
  if (theirs.root != ours.root) {
    return Format("root {}, expected {}", theirs.root, ours.root);
  }
  return theirs.slices == ours.slices ? ""
                                      : "other counts of the ranks' elements, expected the same";
}

// Others first that come behind this rank: not all send to the same one at once.
template <class Body>
void ForOthers(const Exchange& exchange, Body body) {
  for (uint32_t i = 1; i < exchange.ranks(); ++i) body((exchange.rank() + i) % exchange.ranks());
}

void Reduce(const SliceReduction& reduction, char* to, const std::vector<const void*>& from,
            size_t elements) {
  FindReduction(reduction.type, reduction.op)(to, from.data(), static_cast<int>(from.size()),
                                              elements);
}

// Everybody sends everything to everybody, or to the root.
Status RunWhole(const SliceReduction& reduction, Exchange& exchange) {
  const bool for_root = reduction.result == SliceReduction::Result::kRoot;
  const bool mine = !for_root || reduction.root == exchange.rank();
  const size_t element = SizeOf(reduction.type);
  size_t elements = 0;
  for (const auto& slice : reduction.slices) elements += slice.count;
  const size_t bytes = elements * element;
  const size_t room = (bytes + 63) / 64 * 64;
  char* scratch = exchange.Scratch(room * exchange.ranks());
  const auto part = [&](uint32_t rank) { return scratch + room * rank; };
  // The output may be the input, and what was sent need not have been taken when the sum is there.
  if (bytes != 0) std::memcpy(part(exchange.rank()), reduction.input, bytes);
  if (mine)
    ForOthers(exchange, [&](uint32_t rank) { exchange.Receive(rank, kWhole, part(rank), bytes); });
  const size_t received = exchange.posted();
  const auto end = for_root ? Engine::End::kTaken : Engine::End::kSent;
  ForOthers(exchange, [&](uint32_t rank) {
    if (!for_root || rank == reduction.root)
      exchange.Send(rank, kWhole, part(exchange.rank()), bytes, end);
  });
  if (!mine) return {};
  if (const Status status = exchange.WaitFor(received); !status.ok()) return status;
  std::vector<const void*> parts;
  for (uint32_t rank = 0; rank < exchange.ranks(); ++rank) parts.push_back(part(rank));
  Reduce(reduction, reduction.output, parts, elements);
  return {};
}

}  // namespace

std::vector<SliceReduction::Slice> EvenSlices(size_t count, size_t element_size, uint32_t ranks) {
  const size_t line = std::max<size_t>(64 / element_size, 1);
  const size_t each = ((count + ranks - 1) / ranks + line - 1) / line * line;
  std::vector<SliceReduction::Slice> slices;
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    const size_t first = std::min(count, each * rank);
    slices.push_back({first, std::min(count, first + each) - first});
  }
  return slices;
}

Status Run(const Moves& moves, Exchange& exchange) {
  const uint32_t own = exchange.rank();
  const auto sends = [&](uint32_t rank) { return moves.sends_to.empty() || moves.sends_to[rank]; };
  const auto receives = [&](uint32_t rank) {
    return moves.receives_from.empty() || moves.receives_from[rank];
  };
  std::vector<Moves::Piece> from = moves.sends;
  if (moves.stage) {
    size_t total = 0;
    for (const Moves::Piece& piece : from) total += piece.bytes;
    char* at = exchange.Scratch(total);
    for (Moves::Piece& piece : from) {
      if (piece.bytes != 0) std::memcpy(at, piece.data, piece.bytes);
      piece.data = at;
      at += piece.bytes;
    }
  }
  ForOthers(exchange, [&](uint32_t rank) {
    if (receives(rank))
      exchange.Receive(rank, 0, moves.receives[rank].data, moves.receives[rank].bytes);
  });
  const auto end = moves.one_way ? Engine::End::kTaken : Engine::End::kSent;
  ForOthers(exchange, [&](uint32_t rank) {
    if (sends(rank)) exchange.Send(rank, 0, from[rank].data, from[rank].bytes, end);
  });
  if (sends(own) && receives(own) && from[own].data != moves.receives[own].data &&
      from[own].bytes != 0) {
    std::memcpy(moves.receives[own].data, from[own].data, from[own].bytes);
  }
  return {};
}

Status Run(const SliceReduction& reduction, Exchange& exchange) {
  using Result = SliceReduction::Result;
  const uint32_t own = exchange.rank();
  const uint32_t ranks = exchange.ranks();
  const size_t element = SizeOf(reduction.type);
  size_t elements = 0;
  for (const auto& slice : reduction.slices) elements += slice.count;
  if (reduction.result != Result::kOwner && elements * element <= kWholeBytes) {
    return RunWhole(reduction, exchange);
  }
  const char* input = reduction.input;
  if (reduction.stage) {
    size_t end = 0;
    for (const auto& slice : reduction.slices) end = std::max(end, slice.first + slice.count);
    char* copy = exchange.Scratch(end * element);
    if (end != 0) std::memcpy(copy, input, end * element);
    input = copy;
  }
  const bool gathers = reduction.result == Result::kAll ||
                       (reduction.result == Result::kRoot && reduction.root == own);
  const bool for_root = reduction.result == Result::kRoot;
  // The same pieces on all ranks: a piece of the output is only written when every rank's part of
  // it has been taken, so that the output may be the input.
  const size_t per_piece = kPieceBytes / element;
  const auto pieces = [&](uint32_t rank) {
    return (reduction.slices[rank].count + per_piece - 1) / per_piece;
  };
  struct Part {
    size_t first;
    size_t count;
  };
  const auto part = [&](uint32_t rank, size_t piece) -> Part {
    const auto& slice = reduction.slices[rank];
    const size_t first = std::min(piece * per_piece, slice.count);
    return {slice.first + first, std::min(per_piece, slice.count - first)};
  };
  const auto& mine = reduction.slices[own];
  // Where an owner's sum goes on its way to the root.
  char* sums = reduction.output;
  if (for_root && !gathers) sums = exchange.Scratch(std::max<size_t>(mine.count * element, 1));
  const auto sum_at = [&](const Part& at) {
    return sums + (gathers ? at.first : at.first - mine.first) * element;
  };

  const size_t room = per_piece * element;
  const size_t under_way = std::max<size_t>(1, std::min(kPiecesUnderWay, size_t{8} / ranks + 1));
  char* scratch = exchange.Scratch(under_way * room * ranks);
  const auto incoming = [&](uint32_t rank, size_t piece) {
    return scratch + (piece % under_way * ranks + rank) * room;
  };
  size_t most = 0;
  for (uint32_t rank = 0; rank < ranks; ++rank) most = std::max(most, pieces(rank));
  const auto end = for_root ? Engine::End::kTaken : Engine::End::kSent;
  // Pieces of equal length may belong to vectors of different length.
  auto* alike = reinterpret_cast<Alike*>(exchange.Scratch(ranks * sizeof(Alike)));
  alike[own] = {elements, HashOf(reduction.slices), for_root ? reduction.root : 0};
  ForOthers(exchange, [&](uint32_t rank) {
    exchange.Receive(rank, kAlike, &alike[rank], sizeof(Alike));
    exchange.Send(rank, kAlike, &alike[own], sizeof(Alike));
  });
  const size_t told = exchange.posted();
  std::vector<size_t> received(under_way);  // posts, by piece
  const auto post = [&](size_t piece) {
    if (piece >= most) return;
    if (piece < pieces(own)) {
      ForOthers(exchange, [&](uint32_t rank) {
        exchange.Receive(rank, 0, incoming(rank, piece), part(own, piece).count * element);
      });
    }
    ForOthers(exchange, [&](uint32_t rank) {
      if (piece < pieces(rank)) {
        const Part at = part(rank, piece);
        exchange.Send(rank, 0, input + at.first * element, at.count * element, end);
      }
    });
    received[piece % under_way] = exchange.posted();
  };
  for (size_t piece = 0; piece < under_way; ++piece) post(piece);
  if (const Status status = exchange.WaitFor(told); !status.ok()) return status;
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    if (const std::string text = Difference(alike[rank], alike[own]); !text.empty()) {
      return exchange.FailByArguments(rank, text);
    }
  }
  std::vector<const void*> parts(ranks);
  for (size_t piece = 0; piece < most; ++piece) {
    if (const Status status = exchange.WaitFor(received[piece % under_way]); !status.ok())
      return status;
    if (piece < pieces(own)) {
      const Part at = part(own, piece);
      for (uint32_t rank = 0; rank < ranks; ++rank) parts[rank] = incoming(rank, piece);
      parts[own] = input + at.first * element;
      Reduce(reduction, sum_at(at), parts, at.count);
      ForOthers(exchange, [&](uint32_t rank) {
        if (reduction.result == Result::kAll || (for_root && rank == reduction.root)) {
          exchange.Send(rank, 1, sum_at(at), at.count * element);
        }
      });
    }
    if (gathers) {
      ForOthers(exchange, [&](uint32_t rank) {
        if (piece < pieces(rank)) {
          const Part at = part(rank, piece);
          exchange.Receive(rank, 1, reduction.output + at.first * element, at.count * element);
        }
      });
    }
    post(piece + under_way);
  }
  return {};
}

Status Run(const Broadcast& broadcast, Exchange& exchange) {
  const uint32_t ranks = exchange.ranks();
  // Counted from the root.
  const uint32_t place = (exchange.rank() + ranks - broadcast.root) % ranks;
  const auto rank_at = [&](uint32_t other) { return (other + broadcast.root) % ranks; };
  if (broadcast.bytes <= kBinomialBytes || ranks <= 2) {
    uint32_t width = 1;
    while (width <= place) width *= 2;
    if (place != 0) {
      exchange.Receive(rank_at(place - width / 2), kWhole, broadcast.data, broadcast.bytes);
      if (const Status status = exchange.WaitForAll(); !status.ok()) return status;
    }
    for (; place + width < ranks; width *= 2) {
      exchange.Send(rank_at(place + width), kWhole, broadcast.data, broadcast.bytes,
                    Engine::End::kTaken);
    }
    return {};
  }
  const auto slices = EvenSlices(broadcast.bytes, 1, ranks);
  const auto data = [&](uint32_t rank) { return broadcast.data + slices[rank].first; };
  const uint32_t own = exchange.rank();
  if (place == 0) {
    ForOthers(exchange, [&](uint32_t rank) {
      exchange.Send(rank, 0, data(rank), slices[rank].count, Engine::End::kTaken);
    });
  } else {
    exchange.Receive(broadcast.root, 0, data(own), slices[own].count);
    const size_t received = exchange.posted();
    ForOthers(exchange,
              [&](uint32_t rank) { exchange.Receive(rank, 1, data(rank), slices[rank].count); });
    if (const Status status = exchange.WaitFor(received); !status.ok()) return status;
  }
  ForOthers(exchange, [&](uint32_t rank) {
    if (rank != broadcast.root)
      exchange.Send(rank, 1, data(own), slices[own].count, Engine::End::kTaken);
  });
  return {};
}

Status RunBarrier(Exchange& exchange) {
  // Each round doubles the number of ranks that this one knows to be there.
  const uint32_t ranks = exchange.ranks();
  uint32_t step = 0;
  for (uint32_t away = 1; away < ranks; away *= 2, ++step) {
    exchange.Receive((exchange.rank() + ranks - away) % ranks, step, nullptr, 0);
    exchange.Send((exchange.rank() + away) % ranks, step, nullptr, 0);
    if (const Status status = exchange.WaitForAll(); !status.ok()) return status;
  }
  return {};
}

}  // namespace anyacl::hccl
