// SPDX-License-Identifier: Apache-2.0
// Which elements indices and masks stand for, written from the documents' formulas, index by index.
#pragma once

#include <optional>
#include <vector>

#include "reference/movement.h"

namespace anyacl::test {

// A member of a list of indices: integers of a shape, a mask of zeros and ones, or nothing, for a
// whole dimension.
struct IndexMember {
  Shape shape;
  std::vector<int64_t> values;
  bool mask = false;
  bool absent = false;
};

// self[members]: the shape of the result, and for each of its elements the one of self.
Moved AdvancedOf(const Shape& self, const std::vector<IndexMember>& members);
// Element i, j, k of index stands for self[i, index[i, j, k], k].
Moved ElementsOf(const Shape& self, int64_t dim, const Shape& index_shape,
                 const std::vector<int64_t>& index);
// Of a tensor with as many entries along `dim` as there are indices: where each element goes.
Moved AlongOf(const Shape& self, int64_t dim, const std::vector<int64_t>& index);

// self with values written to the places that `moved` names, in their order.
enum class Writing { kReplace, kAdd, kMultiply };
std::vector<double> WrittenOf(std::vector<double> self, const Moved& moved,
                              const std::vector<double>& values, Writing writing);

// The coordinates of the elements that are not 0, one after the other.
std::vector<int64_t> NonzeroOf(const Shape& shape, const std::vector<double>& values);

// `values` of a shape, as they are read for a shape that it broadcasts to.
std::vector<double> BroadcastOf(const Shape& from, const Shape& to,
                                const std::vector<double>& values);

}  // namespace anyacl::test
