// SPDX-License-Identifier: Apache-2.0
// The handle tables. Leaked on purpose: clients destroy objects from static destructors, too.
#include "nnop/objects.h"

namespace anyacl {
namespace {

template <class Table>
Table& Leaked() {
  static Table* table = new Table;
  return *table;
}

}  // namespace

HandleTable<Tensor, HandleKind::kTensor>& Tensors() {
  return Leaked<HandleTable<Tensor, HandleKind::kTensor>>();
}
HandleTable<TensorList, HandleKind::kTensorList>& TensorLists() {
  return Leaked<HandleTable<TensorList, HandleKind::kTensorList>>();
}
HandleTable<Scalar, HandleKind::kScalar>& Scalars() {
  return Leaked<HandleTable<Scalar, HandleKind::kScalar>>();
}
HandleTable<ScalarList, HandleKind::kScalarList>& ScalarLists() {
  return Leaked<HandleTable<ScalarList, HandleKind::kScalarList>>();
}
HandleTable<IntArray, HandleKind::kIntArray>& IntArrays() {
  return Leaked<HandleTable<IntArray, HandleKind::kIntArray>>();
}
HandleTable<FloatArray, HandleKind::kFloatArray>& FloatArrays() {
  return Leaked<HandleTable<FloatArray, HandleKind::kFloatArray>>();
}
HandleTable<BoolArray, HandleKind::kBoolArray>& BoolArrays() {
  return Leaked<HandleTable<BoolArray, HandleKind::kBoolArray>>();
}

}  // namespace anyacl
