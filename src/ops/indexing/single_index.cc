// SPDX-License-Identifier: Apache-2.0
#include "ops/indexing/single_index.h"

#include <algorithm>

namespace anyacl::indexing {
namespace {

template <class T, class I>
bool GatherLine(const SingleLine& line) {
  return ForLine<T, I>(
      line, [](const char* target, char* plain) { StoreElement(plain, LoadElement<T>(target)); });
}

template <class I>
bool CheckLine(const SingleLine& x) {
  const auto limit = static_cast<uint64_t>(x.limit);
  bool right = true;
  for (int64_t row = 0; row < x.rows; ++row) {
    const char* index = x.index + row * x.index_row;
    for (int64_t i = 0; i < x.count; ++i, index += x.index_step) {
      int64_t value = LoadElement<I>(index);
      value += value >> 63 & x.wrap;
      right &= static_cast<uint64_t>(value) < limit;
    }
  }
  return right;
}

}  // namespace

LineFunction GatherLineOf(int64_t bytes, bool wide) {
  if (!IsElementSize(bytes)) return nullptr;
  return WithBytes(bytes, [&]<class T>(T) -> LineFunction {
    return wide ? GatherLine<T, int64_t> : GatherLine<T, int32_t>;
  });
}

LineFunction CheckLineOf(bool wide) { return wide ? CheckLine<int64_t> : CheckLine<int32_t>; }

bool ForLines(const Access& x, LineFunction function, int64_t begin, int64_t end) {
  bool right = true;
  RowWalk walk(x, begin);
  while (begin < end) {
    const int64_t rows = walk.Rows(end - begin);
    const int64_t count = rows > 1 ? walk.row().left : std::min(end - begin, walk.row().left);
    right &= function(LineAt(x, walk.row(), count, std::max<int64_t>(rows, 1)));
    if (rows > 1) {
      walk.AdvanceRows(rows);
      begin += rows * count;
    } else {
      walk.Advance(count);
      begin += count;
    }
  }
  return right;
}

}  // namespace anyacl::indexing
