// SPDX-License-Identifier: Apache-2.0
// IEEE binary16 and bfloat16 for tests, written apart from the library's own conversions.
#pragma once

#include <cstdint>

namespace anyacl::test {

// Round to nearest, ties to even; too large values become infinite.
uint16_t EncodeFp16(float value);
uint16_t EncodeBf16(float value);

float DecodeFp16(uint16_t bits);
float DecodeBf16(uint16_t bits);

}  // namespace anyacl::test
