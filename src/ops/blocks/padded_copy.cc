// SPDX-License-Identifier: Apache-2.0
#include "ops/blocks/padded_copy.h"

#include <algorithm>

#include "base/division.h"
#include "nnop/copy_runs.h"
#include "runtime/cache_share.h"
#include "runtime/parallel.h"

namespace anyacl::blocks {
namespace {

// As much as a thread takes at once, and more than which a row is cut.
constexpr int64_t kPieceBytes = 64 << 10;
// Shorter runs share too much of their lines of memory with what lies around them.
constexpr int64_t kLongRunBytes = 1024;

template <class T>
void Move(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t count,
          bool past_caches) {
  constexpr int64_t kSize = sizeof(T);
  if (to_step == kSize) {
    if (from_step == kSize) {
      const int64_t bytes = count * kSize;
      return past_caches && bytes >= kLongRunBytes ? CopyRunPastCaches(to, from, bytes)
                                                   : CopyRun(to, from, bytes);
    }
    if (from_step == 0) return RepeatElement(to, LoadElement<T>(from), count, false);
    if (from_step == -kSize) return ReverseRun<T>(to, from, count);
  }
  StridedRun<T>(to, to_step, from, from_step, count);
}

}  // namespace

PaddedCopy::PaddedCopy(const TensorView& to, const TensorView& from, std::span<const Place> places,
                       const TensorView& value)
    : to_(to), from_(from), value_(value), element_bytes_(BytesOf(to)) {
  for (int d = 0; d < to.rank; ++d) {
    const Place& place = places[static_cast<size_t>(d)];
    if (place.count == 1 && place.size == 1 && place.begin == 0) continue;
    dimensions_[rank_++] = {place, to.strides[d] * element_bytes_,
                            from.strides[d] * element_bytes_};
  }
  std::stable_sort(dimensions_, dimensions_ + rank_, [](const Dimension& a, const Dimension& b) {
    return Magnitude(a.to) > Magnitude(b.to);
  });
  Join();
  CutRow();
  const Dimension& row = dimensions_[rank_ - 1];
  move_ = WithBytes(element_bytes_, []<class T>(T) -> MoveFunction { return Move<T>; });
  piece_ = std::min(row.place.count, kPieceBytes / element_bytes_);
  pieces_ = CeilDivide(row.place.count, piece_);
  units_ = pieces_;
  for (int d = 0; d < rank_ - 1; ++d) units_ *= dimensions_[d].place.count;
  past_caches_ = to.elements() * BytesOf(to) > LastCacheShare() / 4 * 3;
  if (row.from == element_bytes_) return;
  TensorView to_inside = to, from_inside = from;
  for (int d = 0; d < to.rank; ++d) {
    const Place& place = places[static_cast<size_t>(d)];
    const Inside inside(place);
    const int64_t count = inside.last - inside.first;
    to_inside = Sliced(to_inside, d, inside.first, count);
    from_inside = Sliced(from_inside, d, place.begin + inside.first, count);
  }
  if (to_inside.elements() > 0) inside_.Add(LoopsOf(to_inside, from_inside), to.slot, from.slot);
}

// Whole dimensions that are one step in both tensors become one; a last one of 16 bytes or less
// becomes part of the element.
void PaddedCopy::Join() {
  int kept = 0;
  for (int d = 0; d < rank_; ++d) {
    Dimension& outer = dimensions_[std::max(kept - 1, 0)];
    const Dimension& inner = dimensions_[d];
    const int64_t count = inner.place.count;
    if (kept > 0 && outer.IsWhole() && inner.IsWhole() && outer.to == inner.to * count &&
        outer.from == inner.from * count) {
      const int64_t all = outer.place.count * count;
      outer = inner;
      outer.place.count = outer.place.size = all;
    } else {
      dimensions_[kept++] = inner;
    }
  }
  rank_ = kept;
  if (rank_ > 1) {
    const Dimension& last = dimensions_[rank_ - 1];
    const int64_t bytes = last.place.count * element_bytes_;
    if (last.IsWhole() && last.to == element_bytes_ && last.from == element_bytes_ &&
        IsElementSize(bytes)) {
      --rank_;
      element_bytes_ = bytes;
    }
  }
  for (; rank_ < 2; ++rank_) {
    std::copy_backward(dimensions_, dimensions_ + rank_, dimensions_ + rank_ + 1);
    dimensions_[0] = {{}, element_bytes_, element_bytes_};
  }
}

void PaddedCopy::CutRow() {
  const auto& [place, to, from] = dimensions_[rank_ - 1];
  const Inside inside(place);
  const int64_t borders[] = {0, inside.first, inside.last, place.count};
  const bool turns = place.beyond == Place::Beyond::kReflect;
  const int64_t beyond = turns ? -1 : place.beyond == Place::Beyond::kWrap ? 1 : 0;
  for (int i = 0; i < 3; ++i) {
    const int64_t at = place.Of(borders[i]);
    parts_[i] = {borders[i], borders[i + 1], at * from, (i == 1 ? 1 : beyond) * from, at < 0};
  }
}

Status PaddedCopy::Run(const Bindings& bindings, const StopToken&) const {
  const char* const element = value_.given() ? value_.Address(bindings) : constant.data();
  const int64_t bytes = BytesOf(to_);
  char wide[16];  // as many as are one
  for (int64_t i = 0; i < element_bytes_; i += bytes) std::copy_n(element, bytes, wide + i);
  const Rows all = {to_.Address(bindings),
                    from_.elements() > 0 ? from_.Address(bindings) : nullptr};
  inside_.Run(bindings);
  const int64_t grain = std::max<int64_t>(1, kPieceBytes / (piece_ * element_bytes_));
  ParallelFor(units_, grain, [&](int64_t begin, int64_t end) {
    RunUnits(begin, end - begin, all, wide);
    if (past_caches_) FencePastCaches();
  });
  return {};
}

void PaddedCopy::Rows::Advance(const Dimension& dimension, int64_t index) {
  const int64_t place = dimension.place.Of(index);
  to += index * dimension.to;
  inside &= place == dimension.place.begin + index;
  from = from == nullptr || place < 0 ? nullptr : from + place * dimension.from;
}

void PaddedCopy::RunUnits(int64_t first, int64_t count, const Rows& all,
                          const char* constant) const {
  const Dimension& rows = dimensions_[rank_ - 2];
  const int64_t length = dimensions_[rank_ - 1].place.count;
  int64_t piece = first % pieces_;
  int64_t row = first / pieces_ % rows.place.count;
  for (int64_t unit = first; unit < first + count;) {
    Rows same = all;  // in all dimensions before
    int64_t outer = unit / pieces_ / rows.place.count;
    for (int d = rank_ - 2; d-- > 0; outer /= dimensions_[d].place.count) {
      same.Advance(dimensions_[d], outer % dimensions_[d].place.count);
    }
    for (; row < rows.place.count && unit < first + count; ++row, piece = 0) {
      Rows here = same;
      here.Advance(rows, row);
      for (; piece < pieces_ && unit < first + count; ++piece, ++unit) {
        RunPiece(piece * piece_, std::min((piece + 1) * piece_, length), here, constant);
      }
    }
    row = 0;
  }
}

void PaddedCopy::RunPiece(int64_t begin, int64_t end, const Rows& row, const char* constant) const {
  const int64_t step = dimensions_[rank_ - 1].to;
  if (row.from == nullptr) {
    return move_(row.to + begin * step, step, constant, 0, end - begin, past_caches_);
  }
  for (const Part& part : parts_) {
    const int64_t first = std::max(part.first, begin), last = std::min(part.last, end);
    if (first >= last || (&part == &parts_[1] && row.inside && !inside_.empty())) continue;
    const char* const from =
        part.constant ? constant : row.from + part.from + (first - part.first) * part.step;
    move_(row.to + first * step, step, from, part.constant ? 0 : part.step, last - first,
          past_caches_);
  }
}

}  // namespace anyacl::blocks
