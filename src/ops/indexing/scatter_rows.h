// SPDX-License-Identifier: Apache-2.0
// Scattering once the offsets are known.
#pragma once

#include "ops/indexing/access.h"
#include "ops/indexing/single_index.h"

namespace anyacl::indexing {

// x's positions are `units` times the dependent ones, in whose order sums are made, and
// scattering.table has their offsets.
void ScatterTable(const Access& x, int64_t units, const Scattering& scattering);

// Positions of one unit, or some of them.
struct Rows {
  char* target;
  const char* plain;
  const int64_t* offsets;  // of target
  int64_t count;
  int64_t step;  // of plain, from one position to the next
  int64_t n;     // elements of a row
  int64_t target_step, plain_step;
  int64_t low, high;   // offsets outside are left out
  const char* factor;  // null: 1
};
using RowsFunction = void (*)(const Rows& rows);

// Some positions of single elements, in their order.
struct Singles {
  char* target;
  const char* plain;
  const int64_t* offsets;  // of target
  int64_t count;
  int64_t step;  // of plain, from one position to the next
};
using SinglesFunction = void (*)(const Singles& singles);

// The same on their way into buckets, which are ranges of target: each goes to the next place of
// its bucket, together with where in the bucket it belongs.
struct PlacedRun {
  const char* plain;
  int64_t step;
  const int64_t* offsets;
  int64_t count;
  int64_t low;     // offset of the first bucket
  int shift;       // of an offset to the number of its bucket
  int scale;       // of an offset in target to one in what stands for it
  uint32_t* next;  // by bucket
  char* placed;
};
using PlaceFunction = void (*)(const PlacedRun& run);
// Elements of one bucket, in their order.
using PlacedFunction = void (*)(char* target, const char* placed, int64_t count);

struct Combiners {
  RowsFunction rows;
  SinglesFunction singles;
  LineFunction lines[2];  // by whether the index is wide
  PlaceFunction place;
  PlacedFunction placed;
};
Combiners CombinersOf(aclDataType dtype, Reduce reduce);

// Positions of equal offsets, in their order.
struct Group {
  char* target;
  const char* plain;
  const Entry* entries;  // of its members
  int64_t members;
  int64_t n, target_step, plain_step;
  const char* factor;
  bool mean;
};
using GroupFunction = void (*)(const Group& group);
// Of FLOAT, FLOAT16 and BF16, sums or products.
GroupFunction GroupOf(aclDataType dtype, Reduce reduce);

}  // namespace anyacl::indexing
