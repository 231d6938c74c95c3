// SPDX-License-Identifier: Apache-2.0
// Which type a computation on several types has: the promotion that the public operator documents
// call type deduction, which is PyTorch's.
#pragma once

#include "base/dtype.h"

namespace anyacl {

// bool < integers < floating point < complex.
enum class Category { kBool, kInteger, kFloating, kComplex, kNone };
Category CategoryOf(aclDataType dtype);

// The type of a complex type's two parts; any other type itself.
aclDataType PartOf(aclDataType dtype);

// The type of a computation on two tensors; ACL_DT_UNDEFINED if there is none: UINT16, UINT32 and
// UINT64 promote with themselves alone.
aclDataType Promote(aclDataType a, aclDataType b);

// Of a tensor and a scalar: the tensor's type, unless the scalar is of a higher category. A
// floating-point scalar then stands for FLOAT, whatever its own type is, a complex one for
// COMPLEX64 (COMPLEX128 beside DOUBLE). ACL_DT_UNDEFINED of UINT16, UINT32 or UINT64 and a
// floating-point scalar, and of BOOL and such a scalar.
aclDataType PromoteScalar(aclDataType tensor, aclDataType scalar);

// Whether a result may be stored as another type: never from complex to real, from floating point
// to integers, or from anything but bool to bool.
bool CanCast(aclDataType from, aclDataType to);

}  // namespace anyacl
