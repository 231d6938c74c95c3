// SPDX-License-Identifier: Apache-2.0
// INT8 results of products: y = v * scale + offset in fp32, each step rounded, then the nearest
// whole number, ties to even, within -128 to 127. Scales are UINT64 or INT64: fp32 in the lower
// half, and in bits 37 to 45 a whole number from -256 to 255, the offset.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/element.h"
#include "nnop/view.h"
#include "nnop/workspace.h"

namespace anyacl::matmul {

// What aclnnTransQuantParamV2 makes: the highest 19 bits of the scale, a bit that is always set,
// and the offset, rounded and held within -256 to 255.
inline constexpr uint64_t kScaleBits = 0xFFFFE000, kParameterBit = uint64_t{1} << 46;
inline constexpr int kOffsetBit = 37, kOffsetBits = 9;
inline constexpr uint64_t kOffsetMask = (uint64_t{1} << kOffsetBits) - 1;
uint64_t QuantParameter(float scale);
uint64_t QuantParameter(float scale, float offset);

// `count` factors, `step` elements apart, in fp32; of 64 bits the lower half.
void ReadFactors(aclDataType dtype, const char* from, int64_t step, int64_t count, float* to);
// Those of a view [rows, columns], one row behind the other.
void ReadFactors(const TensorView& view, const Bindings& bindings, float* to);

// What happens to the sums of a product, some rows of which wait in the workspace at a time.
class Quantiser {
 public:
  // Of y and its columns. Offsets that are given replace those within the scales, which are one for
  // each column or one for all.
  struct Tensors {
    TensorView y, scale, offset;
  };

  // For results of up to so many rows, of so many columns; sums are fp32 or int32.
  Quantiser(WorkspaceBook& book, Element sums, int64_t rows, int64_t columns);

  // How many rows wait: those that have room, 256 at the least, a block of the engine's.
  static constexpr int64_t RowsOf(int64_t rows, int64_t columns) {
    constexpr int64_t kBytes = int64_t{16} << 20;
    return std::min(rows, std::max<int64_t>(256, kBytes / (4 * std::max<int64_t>(1, columns))));
  }

  // sum(first row, rows, sums) puts contiguous rows of sums where they wait.
  template <class Sum>
  Status Run(const Bindings& bindings, const Tensors& tensors, const Sum& sum) const {
    const int64_t rows = tensors.y.sizes[0], step = RowsOf(rows, tensors.y.sizes[1]);
    ReadParameters(bindings, tensors);
    for (int64_t row = 0; row < rows; row += step) {
      const int64_t count = std::min(step, rows - row);
      if (Status s = sum(row, count, sums_.In(bindings)); !s.ok()) return s;
      QuantiseRows(bindings, Sliced(tensors.y, 0, row, count));
    }
    return {};
  }

 private:
  void ReadParameters(const Bindings& bindings, const Tensors& tensors) const;
  void QuantiseRows(const Bindings& bindings, const TensorView& y) const;

  aclDataType type_;
  WorkspaceSlot<float> scales_, offsets_;
  WorkspaceSlot<char> sums_;
};

}  // namespace anyacl::matmul
