// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul/int4.h"

#include <utility>

namespace anyacl::matmul {
namespace {

constexpr int64_t kPerInt32 = 8;

// What does not fit is refused by the check of its extent, or is the stride of a single element.
int64_t InInt4(int64_t int32) {
  int64_t count = 0;
  return __builtin_mul_overflow(int32, kPerInt32, &count) ? INT64_MAX : count;
}

}  // namespace

void SeeInt4(Operands& operands, int id) {
  const TensorLayout& packed = *operands[id].layout;
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
  if (storage.rank() > rank) storage[storage.rank() - 1] = InInt4(storage[storage.rank() - 1]);
  operands.Relabel(id, std::move(layout));
}

bool TurnInt4(Operands& operands, int id) {
  const TensorLayout& weight = *operands[id].layout;
  if (weight.dtype != ACL_INT4 || weight.shape.rank() != 2) return false;
  if (weight.strides[0] != 1 || weight.shape[0] == 1) return false;
  TensorLayout layout = weight;
  std::swap(layout.shape[0], layout.shape[1]);
  std::swap(layout.strides[0], layout.strides[1]);
  operands.Relabel(id, std::move(layout));
  return true;
}

Status CheckInt4(const Operands& operands, int id) {
  const Operand& matrix = operands[id];
  if (matrix.dtype() != ACL_INT4 || matrix.shape().back() % 2 == 0) return {};
  return Fail(operands.spec().codes.shape,
              "{} has {} INT4 elements in its contiguous dimension, expected an even number",
              operands.NameOf(id), matrix.shape().back());
}

}  // namespace anyacl::matmul
