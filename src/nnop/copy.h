// SPDX-License-Identifier: Apache-2.0
// StridedCopy: to[i] = from[i] for every index i of a shape, between any strides, for elements of
// which only the size matters. Cast-free InplaceCopy, permutations, slices, concatenations and
// fills are lists of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "nnop/executor.h"
#include "nnop/view.h"

namespace anyacl {

struct Writing;  // copy_runs.h

// The loops of a copy before anything is known about their order: sizes, and steps in bytes. A step
// of 0 repeats what is read.
struct CopyLoops {
  // A tensor's dimensions, and as many that repeat them.
  static constexpr int kMaxRank = 2 * TensorView::kMaxRank;

  int element_bytes = 1;  // 1, 2, 4, 8 or 16
  int64_t to_begin = 0;   // of the first element, from the tensor's address
  int64_t from_begin = 0;
  int rank = 0;
  int64_t sizes[kMaxRank] = {};
  int64_t to[kMaxRank] = {};
  int64_t from[kMaxRank] = {};

  void Add(int64_t size, int64_t to_step, int64_t from_step);
};

// Of views of equal sizes, whose types have equal sizes.
CopyLoops LoopsOf(const TensorView& to, const TensorView& from);
// Of a view whose elements all get one value.
CopyLoops FillLoopsOf(const TensorView& to);

// What one copy does is the same for every number of threads. The tensors either do not overlap, or
// every element is copied to its own place.
class StridedCopy {
 public:
  explicit StridedCopy(const CopyLoops& loops);

  // Independent pieces of about 64 KiB, in which threads share the work.
  int64_t chunks() const { return chunks_; }
  int64_t bytes() const { return bytes_; }
  void RunChunk(int64_t chunk, char* to, const char* from) const;
  // All of them, in this thread.
  void Run(char* to, const char* from) const;

 private:
  // How the elements along the last loop, or the last two, move.
  enum class Inner {
    kRun,        // a run of bytes in both tensors
    kRunTile,    // the same, of tiles over two more loops: one is dense where it writes, one where
                 // it reads
    kRepeat,     // one element, to a run
    kReverse,    // a run backwards
    kStrided,    // element by element
    kTranspose,  // the last loop is dense where it writes, another one is dense where it reads
    kTurn,       // the same of elements of up to 8 bytes that are runs there, in squares
  };
  using RowsFunction = void (*)(char* to, const char* from, int64_t rows, int64_t to_step,
                                int64_t from_step, int64_t count, int64_t to_inner,
                                int64_t from_inner, const Writing& writing);

  void Sort();
  void Join();
  bool Widen();
  void MoveReadLoopNextToLast();
  bool MoveReadLoopBeforeRows();
  void ChooseInner();
  void CutIntoChunks();
  void RunRows(int64_t first, int64_t count, char* to, const char* from) const;
  void RunPieces(int64_t first, int64_t count, char* to, const char* from) const;
  void RunTiles(int64_t first, int64_t count, char* to, const char* from) const;
  void RunTilesOfRuns(int64_t first, int64_t count, char* to, const char* from) const;

  CopyLoops loops_;
  Inner inner_ = Inner::kStrided;
  bool past_caches_ = false;  // past the caches: the result is larger than they are
  RowsFunction rows_function_ = nullptr;
  int64_t bytes_ = 0;
  int64_t units_ = 0;  // rows, pieces of rows, or tiles
  int64_t units_per_chunk_ = 1;
  int64_t chunks_ = 0;
  int64_t piece_ = 0;      // elements of the last loop in a unit
  int64_t pieces_ = 1;     // of the last loop
  int64_t tile_rows_ = 1;  // of the loop before the last one in a tile
  int64_t row_tiles_ = 1;
};

// Copies into and out of tensors of a call, which run one beside the other. Large ones advance
// together, so that a thread fills one part of a tensor that several of them write.
class CopyList {
 public:
  // Slots of the call; a `from` of -1 reads the constant that Run() is given.
  void Add(const CopyLoops& loops, int to, int from);
  bool empty() const { return copies_.empty(); }
  void Run(const Bindings& bindings, const void* constant = nullptr) const;

 private:
  struct Copy {
    StridedCopy copy;
    int to;
    int from;
    int64_t first_chunk;
  };

  void RunTogether(const Bindings& bindings, const void* constant) const;
  void RunChunk(const Copy& copy, int64_t chunk, const Bindings& bindings,
                const void* constant) const;

  std::vector<Copy> copies_;
  int64_t chunks_ = 0;
  int64_t most_chunks_ = 0;  // of one copy
  int64_t bytes_ = 0;
};

// Copies, and fills with one element's bytes.
class CopyPlan : public Plan {
 public:
  CopyList copies;
  alignas(16) std::array<char, 16> constant{};

  Status Run(const Bindings& bindings, const StopToken&) const override {
    copies.Run(bindings, constant.data());
    return {};
  }
};

}  // namespace anyacl
