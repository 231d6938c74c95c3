// SPDX-License-Identifier: Apache-2.0
// One element of a tensor or matrix as its bits and as a number.
#pragma once

#include <cstdint>

#include "acl/acl_base.h"

namespace anyacl::test {

// Bits of one element; 8 for types that no test fills.
int BitsOf(aclDataType dtype);

// Rounded to nearest even by way of fp32, integers towards zero. 4-bit and complex types have none.
uint64_t EncodeElement(aclDataType dtype, double value);
// Of the lowest BitsOf(dtype) bits.
double DecodeElement(aclDataType dtype, uint64_t bits);

// Element `index` of dense memory.
void StoreElement(aclDataType dtype, double value, void* memory, int64_t index);
double LoadElement(aclDataType dtype, const void* memory, int64_t index);

}  // namespace anyacl::test
