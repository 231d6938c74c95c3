// SPDX-License-Identifier: Apache-2.0
// Where the elements of a result come from, written from the documents' definitions, index by
// index.
#pragma once

#include <cstdint>
#include <vector>

namespace anyacl::test {

using Shape = std::vector<int64_t>;

struct Moved {
  Shape shape;                // of the result
  std::vector<int64_t> from;  // row-major: the element of the input, -1 for the constant
};

Moved PermuteOf(const Shape& self, const std::vector<int64_t>& dims);
Moved ChannelShuffleOf(const Shape& self, int64_t groups);
Moved SliceOf(const Shape& self, int64_t dim, int64_t start, int64_t end, int64_t step);
Moved ExpandOf(const Shape& self, const Shape& sizes);
Moved FlattenOf(const Shape& self, int64_t axis);
Moved DiagOf(const Shape& self, int64_t diagonal);
Moved DiagFlatOf(const Shape& self, int64_t diagonal);
// One after the other.
Moved Then(const Moved& first, const Moved& second);
Moved RepeatOf(const Shape& self, const std::vector<int64_t>& repeats);
Moved RepeatInterleaveOf(const Shape& self, int64_t repeats, int64_t dim);
Moved FlipOf(const Shape& self, const std::vector<int64_t>& dims);
Moved RollOf(const Shape& self, const std::vector<int64_t>& shifts,
             const std::vector<int64_t>& dims);
Moved PadOf(const Shape& self, const std::vector<int64_t>& pad);
Moved GatherOf(const Shape& self, int64_t dim, const Shape& index_shape,
               const std::vector<int64_t>& index);
Moved TrilOf(const Shape& self, int64_t diagonal);
Moved TriuOf(const Shape& self, int64_t diagonal);
// Of selfRef's elements and, from `offset` on, source's.
Moved IndexCopyOf(const Shape& self, int64_t dim, const std::vector<int64_t>& index,
                  int64_t offset);
// Of the elements of all tensors, one tensor after the other.
Moved CatOf(const std::vector<Shape>& tensors, int64_t dim);
Moved StackOf(const Shape& tensor, int64_t count, int64_t dim);

int64_t CountOf(const Shape& shape);

}  // namespace anyacl::test
