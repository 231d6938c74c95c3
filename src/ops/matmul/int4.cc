// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul/int4.h"

#include <memory>
#include <utility>

namespace anyacl::matmul {
namespace {

constexpr int64_t kPerInt32 = 8;
// The width of panels of INT8, which a tensor keeps that PyTorch sees as INT32 after the change of
// its format: pairs of INT4 are INT8 to it.
constexpr int64_t kPanelBytes = 32;

// What does not fit is refused by the check of its extent, or is the stride of a single element.
int64_t InInt4(int64_t int32) {
  int64_t count = 0;
  return __builtin_mul_overflow(int32, kPerInt32, &count) ? INT64_MAX : count;
}

}  // namespace

void SeeInt4(Operand& operand) {
  if (!operand.given()) return;
  const TensorLayout& packed = *operand.layout;
  const size_t rank = packed.shape.rank();
  if (packed.dtype != ACL_INT32 || rank < 2) return;
  TensorLayout layout = packed;
  layout.dtype = ACL_INT4;
  layout.offset = InInt4(packed.offset);
  const size_t along =
      packed.strides[rank - 1] == 1 || packed.strides[rank - 2] != 1 ? rank - 1 : rank - 2;
  layout.shape[along] = InInt4(packed.shape[along]);
  for (size_t i = 0; i < rank; ++i) {
    if (i != along) layout.strides[i] = InInt4(packed.strides[i]);
  }
  Dims& storage = layout.storage_shape;
  if (storage.rank() > rank) {
    int64_t& last = storage[storage.rank() - 1];
    last = last == kPanelBytes ? 2 * kPanelBytes : InInt4(last);
  }
  operand.layout = std::make_shared<const TensorLayout>(std::move(layout));
}

void SeeInt4(Operands& operands, int id) {
  for (Operand& operand : operands.List(id)) SeeInt4(operand);
}

bool TurnInt4(Operand& operand) {
  if (!operand.given() || operand.dtype() != ACL_INT4) return false;
  const TensorLayout& matrix = *operand.layout;
  const size_t rank = matrix.shape.rank();
  if (rank < 2 || matrix.strides[rank - 2] != 1 || matrix.shape[rank - 2] == 1) return false;
  TensorLayout layout = matrix;
  std::swap(layout.shape[rank - 2], layout.shape[rank - 1]);
  std::swap(layout.strides[rank - 2], layout.strides[rank - 1]);
  operand.layout = std::make_shared<const TensorLayout>(std::move(layout));
  return true;
}

bool TurnInt4(Operands& operands, int id) { return TurnInt4(operands.List(id).front()); }

Status CheckInt4(const Operands& operands, int id) {
  for (const Operand& matrix : operands.List(id)) {
    if (!matrix.given() || matrix.dtype() != ACL_INT4 || matrix.shape().back() % 2 == 0) continue;
    return Fail(operands.spec().codes.shape,
                "{} has {} INT4 elements in its contiguous dimension, expected an even number",
                matrix.Name(), matrix.shape().back());
  }
  return {};
}

}  // namespace anyacl::matmul
