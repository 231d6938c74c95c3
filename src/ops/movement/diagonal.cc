// SPDX-License-Identifier: Apache-2.0
// Diagonals of matrices, taken out or put among zeros.
#include <algorithm>
#include <memory>

#include "base/shape.h"
#include "nnop/ordered_plan.h"
#include "ops/movement/move.h"

namespace anyacl::movement {
namespace {

// The first `count` elements of a diagonal, as a vector.
TensorView DiagonalOf(const TensorView& matrix, int64_t diagonal, int64_t count) {
  TensorView view = matrix;
  view.offset += diagonal >= 0 ? diagonal * matrix.strides[1] : -diagonal * matrix.strides[0];
  view.rank = 1;
  view.sizes[0] = count;
  view.strides[0] = matrix.strides[0] + matrix.strides[1];
  return view;
}

std::shared_ptr<MovePlan> Zeros(const Operands& operands) {
  auto zeros = std::make_shared<MovePlan>();
  if (!operands[kOut].IsEmpty()) zeros->Fill(ViewOf(operands, kOut));
  return zeros;
}

Status PutOnDiagonal(Operands& operands, PreparedCall* call) {
  const Dims& shape = operands[kSelf].shape();
  const int64_t diagonal = operands.Int(kDiagonal);
  const auto count = static_cast<uint64_t>(ElementCount(shape).value_or(0));
  // Beyond 2^63 it is no tensor's size.
  const auto size =
      static_cast<int64_t>(std::min(Magnitude(diagonal) + count, uint64_t{INT64_MAX}));
  if (Status s = CheckShapeIs(operands, kOut, {size, size}); !s.ok()) return s;
  const TensorView line = DiagonalOf(ViewOf(operands, kOut), diagonal, static_cast<int64_t>(count));
  auto elements = std::make_shared<MovePlan>();
  elements->Copy(Reshaped(line, shape, line.strides[0]), ViewOf(operands, kSelf));
  call->plan = InOrder({Zeros(operands), std::move(elements)});
  return {};
}

}  // namespace

Status PrepareDiagFlat(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (!operands[kSelf].IsEmpty()) return PutOnDiagonal(operands, call);
  call->plan = Zeros(operands);  // whatever out is, as devices do not look
  return {};
}

Status PrepareDiag(Operands& operands, PreparedCall* call) {
  if (operands[kSelf].shape().rank() != 2) return PrepareDiagFlat(operands, call);
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands[kSelf].IsEmpty()) {
    call->plan = Zeros(operands);
    return {};
  }
  const int64_t rows = operands[kSelf].shape()[0], columns = operands[kSelf].shape()[1];
  const int64_t diagonal = operands.Int(kDiagonal);
  if (diagonal < -rows || diagonal > columns) {
    return Fail(operands.spec().codes.shape, "diagonal = {}, expected {} to {} as self.shape = {}",
                diagonal, -rows, columns, operands[kSelf].shape().ToString());
  }
  const int64_t count =
      diagonal >= 0 ? std::min(rows, columns - diagonal) : std::min(rows + diagonal, columns);
  if (Status s = CheckShapeIs(operands, kOut, {count}); !s.ok()) return s;
  if (count == 0) return {};
  auto plan = std::make_shared<MovePlan>();
  plan->Copy(ViewOf(operands, kOut), DiagonalOf(ViewOf(operands, kSelf), diagonal, count));
  call->plan = std::move(plan);
  return {};
}

}  // namespace anyacl::movement
