// SPDX-License-Identifier: Apache-2.0
#include "ops/rowwise/row_checks.h"

#include <algorithm>

#include "nnop/view.h"
#include "ops/rowwise/operators.h"

namespace anyacl::rowwise {
namespace {

Dims WithoutOnes(const int64_t* sizes, size_t rank) {
  Dims dims;
  for (size_t i = 0; i < rank; ++i) {
    if (sizes[i] != 1) dims.push_back(sizes[i]);
  }
  return dims;
}

}  // namespace

Status CheckPerRow(const Operands& operands, int id, size_t row_rank) {
  if (!operands.Given(id)) return {};
  const Dims& x = operands[kX].shape();
  const Dims& shape = operands[id].shape();
  const size_t kept = x.rank() - row_rank;
  const Dims expected = WithoutOnes(x.begin(), kept);
  const Dims given = WithoutOnes(shape.begin(), shape.rank());
  if (given == expected) return {};
  // op-plugin's LayerNorm joins the dimensions when there are no rows.
  if (given == Dims{0} && std::ranges::find(expected, 0) != expected.end()) return {};
  Dims whole(x.begin(), kept);
  for (size_t i = 0; i < row_rank; ++i) whole.push_back(1);
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected {} as {}.shape = {}",
              operands.NameOf(id), shape.ToString(), whole.ToString(), operands.NameOf(kX),
              x.ToString());
}

Status CheckRow(const Operands& operands, const char* name, const Dims& row) {
  const Dims& x = operands[kX].shape();
  const bool fits = row.rank() >= 1 && row.rank() <= x.rank() &&
                    std::equal(row.begin(), row.end(), x.end() - row.rank());
  if (fits) return {};
  return Fail(operands.spec().codes.shape, "{} = {}, expected the last sizes of {}.shape = {}",
              name, row.ToString(), operands.NameOf(kX), x.ToString());
}

Status ReadNormalizedShape(const Operands& operands, std::span<const int> columns, Dims* row) {
  const int code = operands.spec().codes.shape;
  const auto sizes = operands.Ints(kNormalizedShape);
  if (sizes.size() > TensorView::kMaxRank) {
    return Fail(code, "normalizedShape has {} sizes, expected at most {}", sizes.size(),
                TensorView::kMaxRank);
  }
  *row = Dims(sizes.data(), sizes.size());
  if (Status s = CheckRow(operands, "normalizedShape", *row); !s.ok()) return s;
  for (int id : columns) {
    if (!operands.Given(id) || operands[id].shape() == *row) continue;
    return Fail(code, "{}.shape = {}, expected {} as normalizedShape", operands.NameOf(id),
                operands[id].shape().ToString(), row->ToString());
  }
  return {};
}

}  // namespace anyacl::rowwise
