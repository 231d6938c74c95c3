// SPDX-License-Identifier: Apache-2.0
#include "reference/movement.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

namespace anyacl::test {
namespace {

using Index = std::vector<int64_t>;

Index IndexOf(int64_t flat, const Shape& shape) {
  Index index(shape.size());
  for (size_t i = shape.size(); i-- > 0; flat /= shape[i]) index[i] = flat % shape[i];
  return index;
}

int64_t FlatOf(const Index& index, const Shape& shape) {
  int64_t flat = 0;
  for (size_t i = 0; i < shape.size(); ++i) flat = flat * shape[i] + index[i];
  return flat;
}

size_t DimOf(int64_t dim, size_t rank) {
  return static_cast<size_t>(dim < 0 ? dim + static_cast<int64_t>(rank) : dim);
}

int64_t Modulo(int64_t a, int64_t n) { return ((a % n) + n) % n; }

// source(index of the result) is an index of self, or empty for the constant.
Moved Make(const Shape& shape, const Shape& self, const std::function<Index(Index)>& source) {
  Moved moved{shape, {}};
  for (int64_t k = 0; k < CountOf(shape); ++k) {
    const Index index = source(IndexOf(k, shape));
    moved.from.push_back(index.size() != self.size() ? -1 : FlatOf(index, self));
  }
  return moved;
}

const Index kConstant(99);

}  // namespace

int64_t CountOf(const Shape& shape) {
  int64_t count = 1;
  for (int64_t size : shape) count *= size;
  return count;
}

Moved ChannelShuffleOf(const Shape& self, int64_t groups) {
  Moved moved = {.shape = self, .from = {}};
  const int64_t channels = self[1];
  int64_t inner = 1;
  for (size_t i = 2; i < self.size(); ++i) inner *= self[i];
  for (int64_t i = 0; i < CountOf(self); ++i) {
    const int64_t n = i / inner / channels, channel = i / inner % channels, x = i % inner;
    const int64_t from = channel % groups * (channels / groups) + channel / groups;
    moved.from.push_back((n * channels + from) * inner + x);
  }
  return moved;
}

Moved PermuteOf(const Shape& self, const std::vector<int64_t>& dims) {
  Shape shape;
  for (int64_t dim : dims) shape.push_back(self[DimOf(dim, self.size())]);
  return Make(shape, self, [&](const Index& out) {
    Index in(self.size());
    for (size_t i = 0; i < dims.size(); ++i) in[DimOf(dims[i], self.size())] = out[i];
    return in;
  });
}

Moved SliceOf(const Shape& self, int64_t dim, int64_t start, int64_t end, int64_t step) {
  const size_t d = DimOf(dim, self.size());
  const int64_t n = self[d];
  start = start < -n ? 0 : start >= n ? n : Modulo(start, n);
  end = end < -n ? start : end >= n ? n : std::max(start, Modulo(end, n));
  Shape shape = self;
  shape[d] = (end - start + step - 1) / step;
  return Make(shape, self, [&](Index out) {
    out[d] = start + out[d] * step;
    return out;
  });
}

Moved ExpandOf(const Shape& self, const Shape& sizes) {
  const size_t added = sizes.size() - self.size();
  return Make(sizes, self, [&](const Index& out) {
    Index in(self.size());
    for (size_t i = 0; i < self.size(); ++i) in[i] = self[i] == 1 ? 0 : out[i + added];
    return in;
  });
}

Moved FlattenOf(const Shape& self, int64_t axis) {
  const auto cut = self.begin() + (axis < 0 ? axis + std::ssize(self) : axis);
  Moved moved = {{CountOf({self.begin(), cut}), CountOf({cut, self.end()})}, {}};
  for (int64_t i = 0; i < CountOf(self); ++i) moved.from.push_back(i);
  return moved;
}

Moved DiagFlatOf(const Shape& self, int64_t diagonal) {
  const int64_t size = CountOf(self) + std::abs(diagonal);
  Moved moved = {{size, size}, {}};
  for (int64_t row = 0; row < size; ++row) {
    for (int64_t column = 0; column < size; ++column) {
      moved.from.push_back(column - row == diagonal ? std::min(row, column) : -1);
    }
  }
  return moved;
}

Moved DiagOf(const Shape& self, int64_t diagonal) {
  if (self.size() == 1) return DiagFlatOf(self, diagonal);
  Moved moved;
  for (int64_t row = 0; row < self[0]; ++row) {
    const int64_t column = row + diagonal;
    if (column >= 0 && column < self[1]) moved.from.push_back(row * self[1] + column);
  }
  moved.shape = {std::ssize(moved.from)};
  return moved;
}

Moved Then(const Moved& first, const Moved& second) {
  Moved moved = {second.shape, {}};
  for (int64_t k : second.from) moved.from.push_back(first.from[static_cast<size_t>(k)]);
  return moved;
}

Moved RepeatOf(const Shape& self, const std::vector<int64_t>& repeats) {
  const size_t added = repeats.size() - self.size();
  Shape shape;
  for (size_t i = 0; i < repeats.size(); ++i) {
    shape.push_back(repeats[i] * (i < added ? 1 : self[i - added]));
  }
  return Make(shape, self, [&](const Index& out) {
    Index in(self.size());
    for (size_t i = 0; i < self.size(); ++i) in[i] = out[i + added] % self[i];
    return in;
  });
}

Moved RepeatInterleaveOf(const Shape& self, int64_t repeats, int64_t dim) {
  const size_t d = DimOf(dim, self.size());
  Shape shape = self;
  shape[d] *= repeats;
  return Make(shape, self, [&](Index out) {
    out[d] /= repeats;
    return out;
  });
}

Moved FlipOf(const Shape& self, const std::vector<int64_t>& dims) {
  return Make(self, self, [&](Index out) {
    for (int64_t dim : dims) {
      const size_t d = DimOf(dim, self.size());
      out[d] = self[d] - 1 - out[d];
    }
    return out;
  });
}

Moved RollOf(const Shape& self, const std::vector<int64_t>& shifts,
             const std::vector<int64_t>& dims) {
  if (dims.empty()) {
    const int64_t count = CountOf(self);
    return Make(self, self, [&](const Index& out) {
      return IndexOf(Modulo(FlatOf(out, self) - shifts[0], count), self);
    });
  }
  return Make(self, self, [&](Index out) {
    for (size_t i = 0; i < dims.size(); ++i) {
      const size_t d = DimOf(dims[i], self.size());
      out[d] = Modulo(out[d] - shifts[i], self[d]);
    }
    return out;
  });
}

Moved PadOf(const Shape& self, const std::vector<int64_t>& pad) {
  Shape shape = self;
  Index before(self.size(), 0);
  for (size_t i = 0; 2 * i < pad.size(); ++i) {
    const size_t d = self.size() - 1 - i;
    before[d] = pad[2 * i];
    shape[d] += pad[2 * i] + pad[2 * i + 1];
  }
  return Make(shape, self, [&](Index out) {
    for (size_t d = 0; d < self.size(); ++d) {
      out[d] -= before[d];
      if (out[d] < 0 || out[d] >= self[d]) return kConstant;
    }
    return out;
  });
}

Moved GatherOf(const Shape& self, int64_t dim, const Shape& index_shape,
               const std::vector<int64_t>& index) {
  const size_t d = DimOf(dim, self.size());
  const size_t rank = index_shape.size();
  Shape shape(self.begin(), self.begin() + static_cast<int64_t>(d));
  shape.insert(shape.end(), index_shape.begin(), index_shape.end());
  shape.insert(shape.end(), self.begin() + static_cast<int64_t>(d) + 1, self.end());
  return Make(shape, self, [&](const Index& out) {
    Index in(self.size());
    const Index at(out.begin() + static_cast<int64_t>(d),
                   out.begin() + static_cast<int64_t>(d + rank));
    for (size_t i = 0; i < self.size(); ++i) {
      in[i] = i < d    ? out[i]
              : i == d ? index[static_cast<size_t>(FlatOf(at, index_shape))]
                       : out[i + rank - 1];
    }
    return in;
  });
}

Moved TrilOf(const Shape& self, int64_t diagonal) {
  return Make(self, self, [&](const Index& out) {
    return out[out.size() - 2] + diagonal >= out.back() ? out : kConstant;
  });
}

Moved TriuOf(const Shape& self, int64_t diagonal) {
  return Make(self, self, [&](const Index& out) {
    return out[out.size() - 2] + diagonal <= out.back() ? out : kConstant;
  });
}

Moved IndexCopyOf(const Shape& self, int64_t dim, const std::vector<int64_t>& index,
                  int64_t offset) {
  const size_t d = DimOf(dim, self.size());
  Shape source = self;
  source[d] = static_cast<int64_t>(index.size());
  Moved moved{self, {}};
  for (int64_t k = 0; k < CountOf(self); ++k) {
    Index at = IndexOf(k, self);
    const auto last = std::find(index.rbegin(), index.rend(), at[d]);
    if (last == index.rend()) {
      moved.from.push_back(k);
    } else {
      at[d] = index.rend() - last - 1;
      moved.from.push_back(offset + FlatOf(at, source));
    }
  }
  return moved;
}

Moved CatOf(const std::vector<Shape>& tensors, int64_t dim) {
  const size_t d = DimOf(dim, tensors[0].size());
  Moved moved{tensors[0], {}};
  moved.shape[d] = 0;
  for (const Shape& tensor : tensors) moved.shape[d] += tensor[d];
  for (int64_t k = 0; k < CountOf(moved.shape); ++k) {
    Index at = IndexOf(k, moved.shape);
    int64_t first = 0;
    for (const Shape& tensor : tensors) {
      if (at[d] < tensor[d]) {
        moved.from.push_back(first + FlatOf(at, tensor));
        break;
      }
      at[d] -= tensor[d];
      first += CountOf(tensor);
    }
  }
  return moved;
}

Moved StackOf(const Shape& tensor, int64_t count, int64_t dim) {
  const size_t d = DimOf(dim, tensor.size() + 1);
  Moved moved{tensor, {}};
  moved.shape.insert(moved.shape.begin() + static_cast<int64_t>(d), count);
  for (int64_t k = 0; k < CountOf(moved.shape); ++k) {
    Index at = IndexOf(k, moved.shape);
    const int64_t which = at[d];
    at.erase(at.begin() + static_cast<int64_t>(d));
    moved.from.push_back(which * CountOf(tensor) + FlatOf(at, tensor));
  }
  return moved;
}

}  // namespace anyacl::test
