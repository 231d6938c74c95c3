// SPDX-License-Identifier: Apache-2.0
// The handle tables.
#include "nnop/objects.h"

namespace anyacl {
namespace {

template <class Table>
Table& Global() {
  static Table* table = Table::NewGlobal();
  return *table;
}

}  // namespace

HandleTable<Tensor, HandleKind::kTensor, 4>& Tensors() {
  return Global<HandleTable<Tensor, HandleKind::kTensor, 4>>();
}
HandleTable<TensorList, HandleKind::kTensorList>& TensorLists() {
  return Global<HandleTable<TensorList, HandleKind::kTensorList>>();
}
HandleTable<Scalar, HandleKind::kScalar>& Scalars() {
  return Global<HandleTable<Scalar, HandleKind::kScalar>>();
}
HandleTable<ScalarList, HandleKind::kScalarList>& ScalarLists() {
  return Global<HandleTable<ScalarList, HandleKind::kScalarList>>();
}
HandleTable<IntArray, HandleKind::kIntArray>& IntArrays() {
  return Global<HandleTable<IntArray, HandleKind::kIntArray>>();
}
HandleTable<FloatArray, HandleKind::kFloatArray>& FloatArrays() {
  return Global<HandleTable<FloatArray, HandleKind::kFloatArray>>();
}
HandleTable<BoolArray, HandleKind::kBoolArray>& BoolArrays() {
  return Global<HandleTable<BoolArray, HandleKind::kBoolArray>>();
}

[[maybe_unused]] static const bool kMadeAtLoad =
    (Tensors(), TensorLists(), Scalars(), ScalarLists(), IntArrays(), FloatArrays(), BoolArrays(),
     true);

}  // namespace anyacl
