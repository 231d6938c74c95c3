// SPDX-License-Identifier: Apache-2.0
#include "ops/indexing/positions.h"

#include <algorithm>

#include "nnop/copy_runs.h"

namespace anyacl::indexing {
namespace {

// Steps of `outer` are `size` steps of `inner`.
bool IsOneStep(const Axis& outer, const Axis& inner, int indices) {
  bool one = outer.target == inner.size * inner.target && outer.plain == inner.size * inner.plain &&
             outer.apart == inner.apart;
  for (size_t k = 0; k < static_cast<size_t>(indices); ++k) {
    one &= outer.index[k] == inner.size * inner.index[k];
  }
  return one;
}

// The last axis, as far as it matters to one index.
struct Line {
  const char* at;
  int64_t step;
  int64_t count;
  int64_t first, target_step;  // offsets without any index
};

template <class T, bool kAdds>
bool AddOffsets(const Index& index, int64_t wrap, const Line& line, int64_t* offsets) {
  const auto limit = static_cast<uint64_t>(index.limit);
  const auto step = static_cast<uint64_t>(index.step);
  const char* at = line.at;
  int64_t own = line.first;
  bool wrong = false;
  for (int64_t i = 0; i < line.count; ++i, at += line.step, own += line.target_step) {
    int64_t value = LoadElement<T>(at);
    value += value >> 63 & wrap;
    wrong |= static_cast<uint64_t>(value) >= limit;
    const auto offset = static_cast<int64_t>(static_cast<uint64_t>(value) * step);
    offsets[i] = (kAdds ? offsets[i] : own) + offset;
  }
  return !wrong;
}

// Positions that are left out, among offsets that are complete but for them.
template <class T>
bool LeaveOut(const Access& x, const Index& index, const Line& line, int64_t* offsets) {
  bool wrong = false;
  for (int64_t i = 0; i < line.count; ++i) {
    int64_t value = LoadElement<T>(line.at + i * line.step);
    value += value < 0 && x.wraps ? index.limit : 0;
    const bool outside = static_cast<uint64_t>(value) >= static_cast<uint64_t>(index.limit);
    wrong |= outside;
    if ((x.skips_outside && outside) || value == x.skipped) offsets[i] = kSkipped;
  }
  return x.skips_outside || !wrong;
}

template <class T>
bool Offsets(const Access& x, int k, const Line& line, int64_t* offsets) {
  const Index& index = x.indices[k];
  const int64_t wrap = x.wraps ? index.limit : 0;
  const bool right = k == 0 ? AddOffsets<T, false>(index, wrap, line, offsets)
                            : AddOffsets<T, true>(index, wrap, line, offsets);
  return x.LeavesOut() ? LeaveOut<T>(x, index, line, offsets) : right;
}

int64_t ValueAt(const Index& index, int64_t offset) {
  return index.wide ? LoadElement<int64_t>(index.data + offset)
                    : LoadElement<int32_t>(index.data + offset);
}

}  // namespace

void Join(Axes* axes, int indices) {
  Axes joined;
  for (const Axis& axis : *axes) {
    if (axis.size == 1) continue;
    if (joined.count > 0 && IsOneStep(joined.back(), axis, indices)) {
      Axis& last = joined[joined.count - 1];
      const int64_t size = last.size * axis.size;
      last = axis;
      last.size = size;
    } else {
      joined.push_back(axis);
    }
  }
  if (joined.count == 0) joined.push_back({});
  *axes = joined;
}

void SortByTarget(Axes* axes) {
  std::stable_sort(axes->begin(), axes->end(), [](const Axis& a, const Axis& b) {
    return Magnitude(a.target) > Magnitude(b.target);
  });
}

void SplitLongBoxes(Access* x) {
  constexpr int64_t kMost = 256 << 10;
  while (x->inner.count > 1 && CountOf(x->inner) * x->element_bytes > kMost) {
    Axis axis = x->inner[0];
    axis.apart = true;
    // Before the others: they stay together as the order of the sums has them.
    Axes positions;
    positions.push_back(axis);
    for (const Axis& other : x->positions) positions.push_back(other);
    x->positions = positions;
    Axes inner;
    for (int i = 1; i < x->inner.count; ++i) inner.push_back(x->inner[i]);
    x->inner = inner;
  }
}

Row RowAt(const Access& x, int64_t position) {
  Row row;
  row.left = x.positions.back().size - position % x.positions.back().size;
  for (int i = x.positions.count; i-- > 0 && position > 0;) {
    const Axis& axis = x.positions[i];
    const int64_t at = i == 0 ? position : position % axis.size;
    position /= axis.size;
    row.target += at * axis.target;
    row.plain += at * axis.plain;
    for (size_t k = 0; k < static_cast<size_t>(x.indices.count); ++k) {
      row.index[k] += at * axis.index[k];
    }
  }
  return row;
}

RowWalk::RowWalk(const Access& x, int64_t position) : x_(x), row_(RowAt(x, position)) {
  for (int i = x.positions.count; i-- > 0 && position > 0;) {
    at_[static_cast<size_t>(i)] = i == 0 ? position : position % x.positions[i].size;
    position /= x.positions[i].size;
  }
}

void RowWalk::Move(int axis, int64_t steps) {
  const Axis& a = x_.positions[axis];
  at_[static_cast<size_t>(axis)] += steps;
  row_.target += steps * a.target;
  row_.plain += steps * a.plain;
  for (size_t k = 0; k < static_cast<size_t>(x_.indices.count); ++k) {
    row_.index[k] += steps * a.index[k];
  }
}

void RowWalk::Carry(int axis) {
  for (; axis > 0 && at_[static_cast<size_t>(axis)] == x_.positions[axis].size; --axis) {
    Move(axis, -x_.positions[axis].size);
    Move(axis - 1, 1);
  }
}

void RowWalk::Advance(int64_t count) {
  const int last = x_.positions.count - 1;
  Move(last, count);
  row_.left -= count;
  if (row_.left > 0) return;
  row_.left = x_.positions[last].size;
  Carry(last);
}

int64_t RowWalk::Rows(int64_t count) const {
  const int outer = x_.positions.count - 2;
  const int64_t size = x_.positions.back().size;
  if (outer < 0 || row_.left != size) return 0;
  return std::min(count / size, x_.positions[outer].size - at_[static_cast<size_t>(outer)]);
}

void RowWalk::AdvanceRows(int64_t rows) {
  Move(x_.positions.count - 2, rows);
  Carry(x_.positions.count - 2);
}

bool ReadOffsets(const Access& x, const Row& row, int64_t count, int64_t* offsets) {
  const Axis& last = x.positions.back();
  bool right = true;
  for (int k = 0; k < x.indices.count; ++k) {
    const Index& index = x.indices[k];
    const auto place = static_cast<size_t>(k);
    const Line line{.at = index.data + row.index[place],
                    .step = last.index[place],
                    .count = count,
                    .first = row.target,
                    .target_step = last.target};
    right &=
        index.wide ? Offsets<int64_t>(x, k, line, offsets) : Offsets<int32_t>(x, k, line, offsets);
  }
  if (x.indices.count == 0) {
    for (int64_t i = 0; i < count; ++i) offsets[i] = row.target + i * last.target;
  }
  return right;
}

Status CheckIndices(const Access& x, const Names& names) {
  const int64_t count = x.skips_outside ? 0 : CountOf(x.positions);
  for (int64_t position = 0; position < count; ++position) {
    Dims at;
    for (const Axis& axis : x.positions) at.push_back(axis.size);
    int64_t rest = position;
    for (size_t i = at.rank(); i-- > 0;) {
      const int64_t size = at[i];
      at[i] = rest % size;
      rest /= size;
    }
    for (int k = 0; k < x.indices.count; ++k) {
      const Index& index = x.indices[k];
      int64_t offset = 0;
      for (int i = 0; i < x.positions.count; ++i) {
        offset += at[static_cast<size_t>(i)] * x.positions[i].index[static_cast<size_t>(k)];
      }
      const int64_t value = ValueAt(index, offset);
      if (value < index.limit && value >= (x.wraps ? -index.limit : 0)) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "{} = {} at position {}, expected {} to {}: an index into {}", names.index, value,
                  at.ToString(), x.wraps ? -index.limit : 0, index.limit - 1, names.target);
    }
  }
  return {};
}

}  // namespace anyacl::indexing
