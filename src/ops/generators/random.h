// SPDX-License-Identifier: Apache-2.0
// What the random operators share: the sequence of a call, and elements of tensors in row-major
// order as blocks of numbers.
#pragma once

#include <algorithm>

#include "nnop/view.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/seed.h"
#include "ops/generators/kernel.h"
#include "ops/generators/operators.h"
#include "runtime/parallel.h"

namespace anyacl::generators {

using blocks::kBlock;

// 16,384 numbers take 8 us or more.
inline constexpr int64_t kChunk = 16 * kBlock;
static_assert(kBlock % kGroup == 0 && kBlock % 128 == 0);

// Calls f(first, count) for blocks of at most kBlock of `count` numbers, from several threads.
template <class Function>
void ForBlocks(int64_t count, const Function& f) {
  ParallelFor(count, kChunk, [&](int64_t begin, int64_t end) {
    for (; begin < end; begin += kBlock) f(begin, std::min(kBlock, end - begin));
  });
}

// The sequence that a call's seed and offset choose.
class Seeds {
 public:
  explicit Seeds(const Operands& operands);

  // The counter of block b is {b, offset}.
  Sequence Read(const Bindings& bindings) const;
  // It is {offset / 4, b}.
  Sequence ReadRisingHigh(const Bindings& bindings) const;

 private:
  blocks::SeedAndOffset given_;
};

// The elements of a view in row-major order, as numbers of one type; complex ones as their real
// parts, the imaginary ones being written as 0.
class Elements {
 public:
  Elements(const TensorView& view, Element number);

  int64_t count() const { return view_.elements(); }
  // Of elements first to first + count - 1; `to` holds kBlock numbers, count <= kBlock.
  void Load(const Bindings& bindings, int64_t first, int64_t count, void* to) const;
  void Store(const Bindings& bindings, int64_t first, int64_t count, const void* from) const;
  // Where the elements from `first` on lie one after the other; else null.
  char* Dense(const Bindings& bindings, int64_t first) const;
  // The same where they are the numbers themselves.
  char* Direct(const Bindings& bindings, int64_t first) const;

 private:
  TensorView view_;
  int64_t bytes_;  // of a real element
  int64_t number_bytes_;
  bool complex_;
  bool dense_;
  bool native_;
  blocks::LoadFunction load_;
  blocks::StoreFunction store_;
};

// Room for a block of fp32 numbers.
struct alignas(64) Floats {
  float at[kBlock];
};

// Makes numbers first to first + count - 1, in `out` itself where they are whole groups of fp32
// there. make(to) writes whole groups.
template <class Make>
void MakeFloats(const Elements& out, const Bindings& bindings, int64_t first, int64_t count,
                const Make& make) {
  char* const direct = out.Direct(bindings, first);
  if (direct != nullptr && count % kGroup == 0) {
    return make(reinterpret_cast<float*>(direct));
  }
  Floats numbers;
  make(numbers.at);
  out.Store(bindings, first, count, numbers.at);
}

// How many of the words 0, 1, ... become a number u = (w + 1/2) * 2^-32 in fp32 for which `holds`,
// which is so for all below some word.
template <class Holds>
int64_t WordsWhere(const Holds& holds) {
  int64_t low = 0, high = int64_t{1} << 32;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    const float scaled = static_cast<float>(static_cast<uint32_t>(middle)) * 0x1p-32f;
    if (holds(scaled + 0x1p-33f)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// The number of a floating-point type nearest to x, the largest below x, and the smallest that is
// not below x.
double Nearest(aclDataType dtype, double x);
double LargestBelow(aclDataType dtype, double x);
double SmallestFrom(aclDataType dtype, double x);
// The smallest and the largest finite number of a type, rounded if it is an integer beyond 2^53.
struct Limits {
  double lowest;
  double highest;
};
Limits LimitsOf(aclDataType dtype);

}  // namespace anyacl::generators
