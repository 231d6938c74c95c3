// SPDX-License-Identifier: Apache-2.0
#include "ops/movement_case.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace anyacl::test {

Layout Lying(const Shape& shape, aclDataType type, Lie lie) {
  Layout layout{.dims = shape, .dtype = type};
  layout.strides = ContiguousStrides(shape);
  switch (lie) {
    case Lie::kDense:
      break;
    case Lie::kColumns:
      for (size_t i = 0; i < shape.size(); ++i) {
        layout.strides[i] = i == 0 ? 1 : layout.strides[i - 1] * shape[i - 1];
      }
      break;
    case Lie::kGaps:
      layout.offset = 5;
      for (int64_t& stride : layout.strides) stride *= 2;
      if (!shape.empty()) layout.strides[0] += 3;
      break;
    case Lie::kBackwards:
      for (size_t i = 0; i < shape.size(); ++i) {
        layout.offset += (shape[i] - 1) * layout.strides[i];
        layout.strides[i] = -layout.strides[i];
      }
      layout.offset = std::max<int64_t>(layout.offset, 0);
      break;
    case Lie::kExpanded:
      if (!shape.empty()) layout.strides[0] = 0;
      break;
  }
  return layout;
}

Elements FillRandomly(Tensor& tensor, Random& random) {
  std::vector<Int128> elements(static_cast<size_t>(tensor.count()));
  for (Int128& element : elements) {
    const int64_t halves[] = {random.Int(INT64_MIN, INT64_MAX), random.Int(INT64_MIN, INT64_MAX)};
    std::memcpy(&element, halves, sizeof(element));
  }
  WriteBits(tensor, elements);
  return ReadBits(tensor);
}

void MovementTest::Check(const Shape& self, const Moved& moved, const Call& call, Phase2 phase2,
                         std::span<const aclDataType> types) {
  for (aclDataType type : types) {
    for (Lie from : kInputLies) {
      for (Lie to : kOutputLies) {
        // Large results once a type: dense, and read across.
        const bool plain = to == Lie::kDense && (from == Lie::kDense || from == Lie::kColumns);
        if (CountOf(moved.shape) > 4096 && !plain) continue;
        SCOPED_TRACE(::testing::Message()
                     << "type " << type << ", layouts " << static_cast<int>(from) << " and "
                     << static_cast<int>(to));
        Tensor input(Lying(self, type, from));
        Tensor output(Lying(moved.shape, type, to));
        const Elements given = FillRandomly(input, random());
        RunTwoPhase(call(input.handle(), output.handle()), phase2);
        Elements expected;
        for (int64_t k : moved.from) expected.push_back(k < 0 ? 0 : given[static_cast<size_t>(k)]);
        const Elements actual = ReadBits(output);
        const auto differs = std::mismatch(actual.begin(), actual.end(), expected.begin());
        ASSERT_EQ(differs.first - actual.begin(), std::ssize(actual)) << "the first that differs";
        EXPECT_TRUE(output.GuardsIntact());
        EXPECT_EQ(ReadBits(input), given);
      }
    }
  }
}

}  // namespace anyacl::test
