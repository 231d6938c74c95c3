// SPDX-License-Identifier: Apache-2.0
// Where the elements of a tensor are not 0, in row-major order: counted in chunks by all threads,
// then found.
#pragma once

#include <algorithm>

#include "nnop/view.h"
#include "nnop/workspace.h"
#include "runtime/parallel.h"

namespace anyacl::indexing {

class Nonzero {
 public:
  static constexpr int64_t kChunk = 16384;  // elements: 2 us at least
  static constexpr int64_t kBlock = 512;

  explicit Nonzero(const TensorView& view);

  int64_t chunks() const { return (count_ + kChunk - 1) / kChunk; }
  int64_t elements() const { return count_; }
  // starts[c] = how many there are before chunk c; returns how many there are.
  int64_t Count(const Bindings& bindings, int64_t* starts) const;

  // visit(first, places, n): the numbers of elements `places` in row-major order, which are the
  // first-th and the following ones that are not 0; called by all threads, in order within a chunk.
  template <class Visit>
  void ForEach(const Bindings& bindings, const int64_t* starts, const Visit& visit) const {
    const char* const data = count_ == 0 ? nullptr : view_.Address(bindings);
    ParallelFor(chunks(), 1, [&](int64_t begin, int64_t end) {
      int64_t places[kBlock];
      for (int64_t chunk = begin; chunk < end; ++chunk) {
        int64_t first = starts[chunk];
        const int64_t last = std::min(count_, (chunk + 1) * kChunk);
        for (int64_t at = chunk * kChunk; at < last; at += kBlock) {
          const int64_t n = Find(data, at, std::min(kBlock, last - at), places);
          if (n > 0) visit(first, places, n);
          first += n;
        }
      }
    });
  }

 private:
  // Of elements at to at + count - 1 the numbers of those that are not 0.
  int64_t Find(const char* data, int64_t at, int64_t count, int64_t* places) const;

  TensorView view_;
  int64_t count_;
};

// Coordinates of elements that are visited in row-major order.
class Coordinates {
 public:
  explicit Coordinates(const TensorView& view) : view_(view) {}
  // Moves on to an element; `at` is not before the last one.
  void MoveTo(int64_t at) {
    int64_t rest = at - now_;
    now_ = at;
    for (int i = view_.rank; rest > 0 && i-- > 0;) {
      const int64_t sum = values_[i] + rest;
      if (sum < view_.sizes[i]) {
        values_[i] = sum;
        return;
      }
      values_[i] = sum % view_.sizes[i];
      rest = sum / view_.sizes[i];
    }
  }
  int64_t operator[](int i) const { return values_[i]; }
  // In elements.
  int64_t offset() const {
    int64_t offset = 0;
    for (int i = 0; i < view_.rank; ++i) offset += values_[i] * view_.strides[i];
    return offset;
  }

 private:
  const TensorView& view_;
  int64_t now_ = 0;
  int64_t values_[TensorView::kMaxRank] = {};
};

}  // namespace anyacl::indexing
