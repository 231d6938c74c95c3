// SPDX-License-Identifier: Apache-2.0
// PaddedCopy: a tensor, or what is left of it, with what lies around it: elements that are
// repeated, or a constant. Every row of the result is written once and whole.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "nnop/copy.h"
#include "nnop/executor.h"
#include "nnop/view.h"

namespace anyacl::blocks {

// Where element i of a larger (or smaller) dimension is in another one, and -1 for nowhere:
// begin + i * step within 0 to size - 1, or else continued.
struct Place {
  enum class Beyond { kNowhere, kReflect, kReplicate, kWrap };
  Beyond beyond = Beyond::kNowhere;
  int64_t size = 1;   // of the other one
  int64_t count = 1;  // of the larger one
  int64_t step = 1;
  int64_t begin = 0;

  int64_t Of(int64_t i) const {
    const int64_t at = begin + i * step;
    if (at >= 0 && at < size) return at;
    switch (beyond) {
      case Beyond::kReflect:
        return at < 0 ? -at : 2 * size - 2 - at;
      case Beyond::kReplicate:
        return at < 0 ? 0 : size - 1;
      case Beyond::kWrap:
        return at < 0 ? at + size : at - size;
      default:
        return -1;
    }
  }
};

// Elements first to last - 1 of the larger dimension, of step 1, that are the other one's own.
struct Inside {
  int64_t first, last;
  explicit Inside(const Place& place)
      : first(std::clamp<int64_t>(-place.begin, 0, place.count)),
        last(std::clamp<int64_t>(place.size - place.begin, first, place.count)) {}
};

class PaddedCopy final : public Plan {
 public:
  // Of elements of equal sizes; a place of step 1 for each dimension. What is nowhere becomes
  // `constant`, one element of slot `value`, or where that is absent the member of this name.
  PaddedCopy(const TensorView& to, const TensorView& from, std::span<const Place> places,
             const TensorView& value = {});

  Status Run(const Bindings& bindings, const StopToken&) const override;

  alignas(16) std::array<char, 16> constant{};

 private:
  struct Dimension {
    Place place;
    int64_t to, from;  // steps in bytes
    bool IsWhole() const { return place.begin == 0 && place.size == place.count; }
  };
  // Elements of a row that are read at equal steps, in bytes.
  struct Part {
    int64_t first, last;
    int64_t from, step;
    bool constant;
  };
  // Where a row, or all rows of the dimension before it, begin. `inside`: they are the tensor's
  // own.
  struct Rows {
    char* to;
    const char* from;  // nullptr: nowhere
    bool inside = true;
    void Advance(const Dimension& dimension, int64_t index);
  };
  using MoveFunction = void (*)(char* to, int64_t to_step, const char* from, int64_t from_step,
                                int64_t count, bool past_caches);

  void Join();
  void CutRow();
  void RunUnits(int64_t first, int64_t count, const Rows& all, const char* constant) const;
  void RunPiece(int64_t begin, int64_t end, const Rows& row, const char* constant) const;

  TensorView to_, from_, value_;
  int rank_ = 0;
  Dimension dimensions_[TensorView::kMaxRank];  // two at least; the last one is a row
  Part parts_[3];                               // of a row: before, inside, behind
  int64_t element_bytes_ = 1;
  MoveFunction move_ = nullptr;     // of a run of elements
  int64_t piece_ = 1, pieces_ = 1;  // of a row
  int64_t units_ = 0;               // pieces of all rows
  bool past_caches_ = false;        // the result is larger than the caches
  CopyList inside_;                 // where rows are not read along memory
};

}  // namespace anyacl::blocks
