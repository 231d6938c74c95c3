// SPDX-License-Identifier: Apache-2.0
// What collectives do, once their arguments are bytes at addresses: moves, reductions of slices, a
// broadcast. The API's functions say which (api_collective.cc).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/status.h"
#include "hccl/hccl_types.h"

namespace anyacl::hccl {

class Exchange;

// Each rank sends pieces to others and receives pieces from them, all at once. By rank; the own
// piece is copied.
struct Moves {
  struct Piece {
    char* data = nullptr;
    size_t bytes = 0;
  };
  std::vector<Piece> sends;
  std::vector<Piece> receives;
  // To and from these ranks alone; empty: all.
  std::vector<bool> sends_to;
  std::vector<bool> receives_from;
  // What is sent lies where something else is received: it is copied before.
  bool stage = false;
  // Ranks that only send do not run ahead of those that receive.
  bool one_way = false;
};
Status Run(const Moves& moves, Exchange& exchange);

// A vector of elements cut into a slice for each rank: who owns it gets it from all ranks and
// reduces it.
struct SliceReduction {
  HcclDataType type = HCCL_DATA_TYPE_FP32;
  HcclReduceOp op = HCCL_REDUCE_SUM;
  const char* input = nullptr;
  struct Slice {
    size_t first = 0;  // element of the input
    size_t count = 0;
  };
  std::vector<Slice> slices;  // by rank
  char* output = nullptr;
  enum class Result {
    kOwner,  // the output is the own slice
    kAll,    // the output is the whole vector, on all ranks
    kRoot,   // on one; the others' output is not written
  };
  Result result = Result::kOwner;
  uint32_t root = 0;
  bool stage = false;  // the output lies over other elements of the input
};
Status Run(const SliceReduction& reduction, Exchange& exchange);

// `bytes` at `data` of the root become everybody's.
struct Broadcast {
  char* data = nullptr;
  size_t bytes = 0;
  uint32_t root = 0;
};
Status Run(const Broadcast& broadcast, Exchange& exchange);

// Nobody is through before all are there.
Status RunBarrier(Exchange& exchange);

// `count` elements in slices of equal length but for the last ones, which begin at lines of 64
// bytes.
std::vector<SliceReduction::Slice> EvenSlices(size_t count, size_t element_size, uint32_t ranks);

}  // namespace anyacl::hccl
