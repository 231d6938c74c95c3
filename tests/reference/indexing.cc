// SPDX-License-Identifier: Apache-2.0
#include "reference/indexing.h"

#include <algorithm>

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

int64_t Wrapped(int64_t index, int64_t size) { return index < 0 ? index + size : index; }

// Where the element at `index` of a larger shape is read in a smaller one.
int64_t Broadcasted(const Index& index, const Shape& shape) {
  Index at(shape.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    at[i] = shape[i] == 1 ? 0 : index[index.size() - shape.size() + i];
  }
  return FlatOf(at, shape);
}

Shape BroadcastShapes(const Shape& a, const Shape& b) {
  Shape shape(std::max(a.size(), b.size()), 1);
  for (const Shape* s : {&a, &b}) {
    for (size_t i = 0; i < s->size(); ++i) {
      int64_t& size = shape[shape.size() - s->size() + i];
      if ((*s)[i] != 1) size = (*s)[i];
    }
  }
  return shape;
}

}  // namespace

Moved AdvancedOf(const Shape& self, const std::vector<IndexMember>& members) {
  // Masks become integers first.
  std::vector<IndexMember> integers;
  for (const IndexMember& member : members) {
    if (!member.mask) {
      integers.push_back(member);
      continue;
    }
    const std::vector<double> truth(member.values.begin(), member.values.end());
    const std::vector<int64_t> places = NonzeroOf(member.shape, truth);
    const size_t rank = member.shape.size();
    for (size_t d = 0; d < rank; ++d) {
      IndexMember one;
      for (size_t i = d; i < places.size(); i += rank) one.values.push_back(places[i]);
      one.shape = {static_cast<int64_t>(one.values.size())};
      integers.push_back(one);
    }
  }
  integers.resize(self.size(), {.shape = {}, .values = {}, .absent = true});
  Shape indices;
  std::vector<size_t> used;
  for (size_t d = 0; d < self.size(); ++d) {
    if (integers[d].absent) continue;
    indices = BroadcastShapes(indices, integers[d].shape);
    used.push_back(d);
  }
  const bool adjacent = !used.empty() && used.back() - used.front() + 1 == used.size();
  const size_t place = adjacent ? used.front() : 0;
  Moved moved;
  std::vector<size_t> rest;
  for (size_t d = 0; d < self.size(); ++d) {
    if (integers[d].absent) rest.push_back(d);
  }
  for (size_t i = 0; i < place; ++i) moved.shape.push_back(self[rest[i]]);
  moved.shape.insert(moved.shape.end(), indices.begin(), indices.end());
  for (size_t i = place; i < rest.size(); ++i) moved.shape.push_back(self[rest[i]]);
  for (int64_t k = 0; k < CountOf(moved.shape); ++k) {
    const Index at = IndexOf(k, moved.shape);
    const auto from = at.begin() + static_cast<std::ptrdiff_t>(place);
    const Index point(from, from + static_cast<std::ptrdiff_t>(indices.size()));
    Index in(self.size());
    for (size_t i = 0; i < rest.size(); ++i) {
      in[rest[i]] = at[i < place ? i : i + indices.size()];
    }
    for (size_t d : used) {
      const int64_t place_of = Broadcasted(point, integers[d].shape);
      in[d] = Wrapped(integers[d].values[static_cast<size_t>(place_of)], self[d]);
    }
    moved.from.push_back(FlatOf(in, self));
  }
  return moved;
}

Moved ElementsOf(const Shape& self, int64_t dim, const Shape& index_shape,
                 const std::vector<int64_t>& index) {
  Moved moved{index_shape, {}};
  const auto d = static_cast<size_t>(Wrapped(dim, static_cast<int64_t>(self.size())));
  for (int64_t k = 0; k < CountOf(index_shape); ++k) {
    Index at = IndexOf(k, index_shape);
    at[d] = Wrapped(index[static_cast<size_t>(k)], self[d]);
    moved.from.push_back(FlatOf(at, self));
  }
  return moved;
}

Moved AlongOf(const Shape& self, int64_t dim, const std::vector<int64_t>& index) {
  const auto d = static_cast<size_t>(Wrapped(dim, static_cast<int64_t>(self.size())));
  Moved moved{self, {}};
  moved.shape[d] = static_cast<int64_t>(index.size());
  for (int64_t k = 0; k < CountOf(moved.shape); ++k) {
    Index at = IndexOf(k, moved.shape);
    at[d] = Wrapped(index[static_cast<size_t>(at[d])], self[d]);
    moved.from.push_back(at[d] < 0 || at[d] >= self[d] ? -1 : FlatOf(at, self));
  }
  return moved;
}

std::vector<double> WrittenOf(std::vector<double> self, const Moved& moved,
                              const std::vector<double>& values, Writing writing) {
  for (size_t k = 0; k < moved.from.size(); ++k) {
    if (moved.from[k] < 0) continue;
    double& element = self[static_cast<size_t>(moved.from[k])];
    element = writing == Writing::kReplace ? values[k]
              : writing == Writing::kAdd   ? element + values[k]
                                           : element * values[k];
  }
  return self;
}

std::vector<int64_t> NonzeroOf(const Shape& shape, const std::vector<double>& values) {
  std::vector<int64_t> places;
  for (size_t k = 0; k < values.size(); ++k) {
    if (values[k] == 0) continue;
    for (int64_t i : IndexOf(static_cast<int64_t>(k), shape)) places.push_back(i);
  }
  return places;
}

std::vector<double> BroadcastOf(const Shape& from, const Shape& to,
                                const std::vector<double>& values) {
  std::vector<double> wide;
  for (int64_t k = 0; k < CountOf(to); ++k) {
    wide.push_back(values[static_cast<size_t>(Broadcasted(IndexOf(k, to), from))]);
  }
  return wide;
}

}  // namespace anyacl::test
