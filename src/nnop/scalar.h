// SPDX-License-Identifier: Apache-2.0
// The value of an aclScalar, whatever its type: clients hand over double, int64, bool or float for
// tensors of any type.
#pragma once

#include <cstdint>
#include <optional>

#include "nnop/operands.h"

namespace anyacl {

struct ScalarValue {
  aclDataType dtype;
  double real;      // rounded, if it is an integer beyond 2^53
  int64_t integer;  // towards zero, held within int64; 0 of NaN; the bits of a uint64
  double imaginary = 0;

  bool is_whole() const;
  // Of integers, by the type whose bits `integer` holds.
  bool is_below_zero() const { return dtype != ACL_UINT64 && integer < 0; }
  bool is_beyond_int64() const { return dtype == ACL_UINT64 && integer < 0; }
};

// Nothing for complex numbers and types that no number has.
std::optional<ScalarValue> ValueOf(const Scalar& scalar);

// The value of a scalar argument that is given; a complex one fails with the code for types.
Status ReadScalar(const Operands& operands, int id, ScalarValue* value);
// Of a complex one, too.
Status ReadComplexScalar(const Operands& operands, int id, ScalarValue* value);

}  // namespace anyacl
