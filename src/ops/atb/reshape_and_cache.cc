// SPDX-License-Identifier: Apache-2.0
// ReshapeAndCache: the heads of a token go to its slot, as one row of a cache in blocks, or in
// pieces of 32 bytes that lie blockSize apart. Slots are device data: they are checked before
// anything is written. Where two tokens have one slot, the last one stays, as if tokens came one
// after the other: threads share the heads' bytes, not the tokens.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "acl/error_codes/rt_error_codes.h"
#include "nnop/view.h"
#include "ops/atb/caches.h"
#include "ops/atb/operators.h"
#include "runtime/parallel.h"

namespace anyacl::atb_operations {
namespace {

// Keys or values: rows of `bytes`, cut into `pieces` of equal size.
struct Side {
  TensorView from, cache;
  int64_t bytes = 0;
  int64_t pieces = 1;
  int64_t piece_step = 0;  // in the cache
};

class ReshapeAndCachePlan final : public Plan {
 public:
  ReshapeAndCachePlan(std::vector<Side> sides, TensorView slots, int64_t blocks, int64_t block_size)
      : sides_(std::move(sides)), slots_(slots), blocks_(blocks), block_size_(block_size) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const auto* slots = reinterpret_cast<const int32_t*>(slots_.Address(bindings));
    const int64_t tokens = slots_.sizes[0];
    for (int64_t i = 0; i < tokens; ++i) {
      if (slots[i] < blocks_ * block_size_) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "slots[{}] = {}, expected less than {} = {} * {}",
                  i, slots[i], blocks_ * block_size_, blocks_, block_size_);
    }
    for (const Side& side : sides_) Write(side, slots, tokens, bindings);
    return {};
  }

 private:
  void Write(const Side& side, const int32_t* slots, int64_t tokens,
             const Bindings& bindings) const {
    const char* const from = side.from.Address(bindings);
    char* const cache = side.cache.Address(bindings);
    const int64_t size = side.bytes / side.pieces;
    // A row in one piece is cut where threads can share it.
    const int64_t cut = side.pieces > 1 ? size : std::min<int64_t>(size, 256);
    const int64_t cuts = (side.bytes + cut - 1) / cut;
    const int64_t block = side.bytes * block_size_;
    const int64_t worth = std::max<int64_t>(1, (1 << 16) / std::max<int64_t>(1, tokens * cut));
    ParallelFor(cuts, worth, [&](int64_t begin, int64_t end) {
      const bool whole_pieces = side.pieces > 1;
      for (int64_t i = 0; i < tokens; ++i) {
        if (slots[i] < 0) continue;
        const int64_t row = slots[i] % block_size_;
        char* const to =
            cache + slots[i] / block_size_ * block + row * (whole_pieces ? size : side.bytes);
        const char* const source = from + i * side.bytes;
        if (!whole_pieces) {
          const int64_t first = begin * cut, last = std::min(end * cut, side.bytes);
          std::memcpy(to + first, source + first, static_cast<size_t>(last - first));
          continue;
        }
        for (int64_t piece = begin; piece < end; ++piece) {
          std::memcpy(to + piece * side.piece_step, source + piece * size,
                      static_cast<size_t>(size));
        }
      }
    });
  }

  const std::vector<Side> sides_;
  const TensorView slots_;
  const int64_t blocks_, block_size_;
};

// What holds rows like those of `from`.
Status ReadSide(const Operands& operands, int from, int cache, Side* side) {
  const Dims& rows = operands[from].shape();
  const Dims& shape = operands[cache].shape();
  const int64_t element = BitsOf(operands[from].dtype()) / 8;
  const int64_t numbers = rows[1] * rows[2];
  side->from = ViewOf(operands, from);
  side->cache = ViewOf(operands, cache);
  side->bytes = numbers * element;
  const bool in_pieces = operands.Flag(kInPieces);
  const int64_t in_piece = kPieceBytes / element;
  if (in_pieces) {
    side->pieces = std::max<int64_t>(1, side->bytes / kPieceBytes);
    side->piece_step = shape[2] * kPieceBytes;
  }
  const bool fits =
      in_pieces ? numbers % in_piece == 0 && shape[1] == numbers / in_piece && shape[3] == in_piece
                : shape[2] == rows[1] && shape[3] == rows[2];
  if (fits) return {};
  if (in_pieces) {
    return Fail(operands.spec().codes.shape,
                "{}.shape = {}, expected [blocks, {} * {} / {}, blockSize, {}] for {}.shape = {}",
                operands.NameOf(cache), shape.ToString(), rows[1], rows[2], in_piece, in_piece,
                operands.NameOf(from), rows.ToString());
  }
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected [blocks, blockSize, {}, {}]",
              operands.NameOf(cache), shape.ToString(), rows[1], rows[2]);
}

}  // namespace

Status PrepareReshapeAndCache(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& cache = operands[kKeyCache].shape();
  std::vector<Side> sides(1);
  if (Status s = ReadSide(operands, kNewKey, kKeyCache, &sides[0]); !s.ok()) return s;
  if (operands.Given(kNewValue)) {
    if (Status s = CheckSameBlocks(operands); !s.ok()) return s;
    if (Status s = ReadSide(operands, kNewValue, kValueCache, &sides.emplace_back()); !s.ok())
      return s;
  }
  std::erase_if(sides, [](const Side& side) { return side.bytes == 0; });
  if (sides.empty() || operands[kSlots].IsEmpty()) return {};
  call->plan =
      std::make_shared<ReshapeAndCachePlan>(std::move(sides), ViewOf(operands, kSlots), cache[0],
                                            cache[static_cast<size_t>(RowDim(operands))]);
  return {};
}

}  // namespace anyacl::atb_operations
