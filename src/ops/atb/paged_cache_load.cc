// SPDX-License-Identifier: Apache-2.0
// PagedCacheLoad: the rows of sequences that lie in a cache's blocks, as rows of tokens, one
// sequence after the other. Lengths, starts and block ids are device data: they are checked before
// anything is written.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "acl/error_codes/rt_error_codes.h"
#include "base/division.h"
#include "nnop/view.h"
#include "ops/atb/caches.h"
#include "ops/atb/operators.h"
#include "runtime/parallel.h"

namespace anyacl::atb_operations {
namespace {

// Keys or values: a row is `parts` of `part_bytes` in the cache, and one piece of memory outside.
struct LoadedSide {
  TensorView cache, rows;
  int64_t block_step = 0, row_step = 0, part_step = 0;  // in the cache, in bytes
  int64_t parts = 0, part_bytes = 0;
};

// What one block has of a sequence.
struct BlockRows {
  int64_t token, block, count;
};

struct LoadParams {
  LoadedSide keys, values;
  TensorView blocks, lengths, starts;
  bool cumulative = false;  // lengths
  int64_t block_count = 0, block_size = 0;
  int64_t tokens = 0;  // outside
};

class PagedCacheLoadPlan final : public Plan {
 public:
  explicit PagedCacheLoadPlan(const LoadParams& params) : p_(params) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    std::vector<BlockRows> runs;
    if (Status s = ReadRuns(bindings, &runs); !s.ok()) return s;
    Load(p_.keys, runs, bindings);
    Load(p_.values, runs, bindings);
    return {};
  }

 private:
  static int32_t At(const TensorView& view, const Bindings& bindings, int64_t row,
                    int64_t column = 0) {
    const auto* const from = reinterpret_cast<const int32_t*>(view.Address(bindings));
    return from[row * view.strides[0] + column * view.strides[1]];
  }

  Status ReadRuns(const Bindings& bindings, std::vector<BlockRows>* runs) const {
    int64_t token = 0;
    for (int64_t b = 0; b < p_.blocks.sizes[0]; ++b) {
      const int64_t begin = p_.cumulative ? At(p_.lengths, bindings, b) : token;
      const int64_t end =
          p_.cumulative ? At(p_.lengths, bindings, b + 1) : token + At(p_.lengths, bindings, b);
      if (begin < 0 || end < begin || end > p_.tokens) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                    "contextLens[{}] = {}: tokens {} to {}, expected some of the {} of key", b,
                    At(p_.lengths, bindings, p_.cumulative ? b + 1 : b), begin, end, p_.tokens);
      }
      const int64_t start = p_.starts.given() ? At(p_.starts, bindings, b) : 0;
      const int64_t first = start / p_.block_size;
      const int64_t count = CeilDivide(end - begin, p_.block_size);
      if (count > 0 && (start < 0 || first + count > p_.blocks.sizes[1])) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                    "seqStarts[{}] = {} and {} tokens, expected at most {} blocks of {} tokens", b,
                    start, end - begin, p_.blocks.sizes[1], p_.block_size);
      }
      for (int64_t i = 0; i < count; ++i) {
        const int64_t block = At(p_.blocks, bindings, b, first + i);
        if (block < 0 || block >= p_.block_count) {
          return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                      "blockTables[{}, {}] = {}, expected a block from 0 to {}", b, first + i,
                      block, p_.block_count - 1);
        }
        const int64_t at = begin + i * p_.block_size;
        runs->push_back({at, block, std::min(p_.block_size, end - at)});
      }
      token = end;
    }
    return {};
  }

  static void Load(const LoadedSide& side, const std::vector<BlockRows>& runs,
                   const Bindings& bindings) {
    const char* const cache = side.cache.Address(bindings);
    char* const rows = side.rows.Address(bindings);
    const int64_t row_bytes = side.parts * side.part_bytes;
    constexpr int64_t kChunkBytes = 1 << 16;
    const int64_t block_bytes = std::max<int64_t>(1, runs.empty() ? 1 : runs[0].count * row_bytes);
    ParallelFor(static_cast<int64_t>(runs.size()), CeilDivide(kChunkBytes, block_bytes),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    const auto& run = runs[static_cast<size_t>(i)];
                    for (int64_t row = 0; row < run.count; ++row) {
                      const char* const from =
                          cache + run.block * side.block_step + row * side.row_step;
                      char* const to = rows + (run.token + row) * row_bytes;
                      for (int64_t part = 0; part < side.parts; ++part) {
                        std::memcpy(to + part * side.part_bytes, from + part * side.part_step,
                                    static_cast<size_t>(side.part_bytes));
                      }
                    }
                  }
                });
  }

  const LoadParams p_;
};

Status ReadLoadedSide(const Operands& operands, int cache, int rows, LoadedSide* side) {
  const Dims& shape = operands[cache].shape();
  const Dims& out = operands[rows].shape();
  const int code = operands.spec().codes.shape;
  const bool in_pieces = operands.Flag(kInPieces);
  side->cache = ViewOf(operands, cache);
  side->rows = ViewOf(operands, rows);
  const int64_t element = BytesOf(side->cache);
  if (in_pieces) {
    const int64_t in_piece = kPieceBytes / element;
    if (shape[3] != in_piece || out.rank() != 2 || out[1] != shape[1] * in_piece) {
      return Fail(code,
                  "{}.shape = {} and {}.shape = {}, expected [blocks, H/{}, blockSize, {}] and "
                  "[tokens, H]",
                  operands.NameOf(cache), shape.ToString(), operands.NameOf(rows), out.ToString(),
                  in_piece, in_piece);
    }
  } else if (out.rank() != 3 || out[1] != shape[2] || out[2] != shape[3]) {
    return Fail(code, "{}.shape = {}, expected [tokens, {}, {}] as {}.shape = {}",
                operands.NameOf(rows), out.ToString(), shape[2], shape[3], operands.NameOf(cache),
                shape.ToString());
  }
  const int64_t* const strides = side->cache.strides;
  if (shape[3] > 1 && strides[3] != 1) {
    return Fail(code, "{}.strides = {}, expected 1 as the last one", operands.NameOf(cache),
                operands[cache].strides().ToString());
  }
  const int row = RowDim(operands), part = 3 - row;
  side->block_step = strides[0] * element;
  side->row_step = strides[row] * element;
  side->part_step = strides[part] * element;
  side->parts = shape[static_cast<size_t>(part)];
  side->part_bytes = shape[3] * element;
  if (side->parts == 1 || side->part_step == side->part_bytes) {
    side->part_bytes *= std::exchange(side->parts, 1);
  }
  return {};
}

Status CheckSequences(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  const Dims& blocks = operands[kBlocks].shape();
  const int64_t lengths = operands[kLengths].shape()[0];
  const int64_t expected = blocks[0] + (operands.Flag(kCumulative) ? 1 : 0);
  if (lengths != expected) {
    return Fail(code, "contextLens.shape = [{}], expected [{}] for blockTables.shape = {}", lengths,
                expected, blocks.ToString());
  }
  if (Status s = CheckSameBlocks(operands); !s.ok()) return s;
  const Dims& keys = operands[kKeyCache].shape();
  if (keys[static_cast<size_t>(RowDim(operands))] > 0) return {};
  return Fail(code, "keyCache.shape = {}, expected blocks of some rows", keys.ToString());
}

}  // namespace

Status PreparePagedCacheLoad(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckSequences(operands); !s.ok()) return s;
  LoadParams params;
  if (Status s = ReadLoadedSide(operands, kKeyCache, kNewKey, &params.keys); !s.ok()) return s;
  if (Status s = ReadLoadedSide(operands, kValueCache, kNewValue, &params.values); !s.ok())
    return s;
  params.blocks = ViewOf(operands, kBlocks);
  params.lengths = ViewOf(operands, kLengths);
  params.starts = ViewOf(operands, kStarts);
  params.cumulative = operands.Flag(kCumulative);
  params.block_count = params.keys.cache.sizes[0];
  params.block_size = params.keys.cache.sizes[RowDim(operands)];
  params.tokens = params.keys.rows.sizes[0];
  call->plan = std::make_shared<PagedCacheLoadPlan>(params);
  return {};
}

}  // namespace anyacl::atb_operations
