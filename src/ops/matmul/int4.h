// SPDX-License-Identifier: Apache-2.0
// Matrices of INT4, which clients also bring as INT32, eight numbers in each.
#pragma once

#include <cstdint>

#include "nnop/operands.h"

namespace anyacl::matmul {

// Takes an INT32 tensor of two dimensions or more for the INT4 numbers that its elements hold,
// eight of the contiguous dimension.
void SeeInt4(Operands& operands, int id);

// INT4 is contiguous, but a matrix may be the other way round too: relabels it as it lies and tells
// whether it did.
bool TurnInt4(Operands& operands, int id);

// The two numbers of a byte.
constexpr int8_t LowInt4(uint8_t pair) {
  return static_cast<int8_t>(static_cast<int8_t>(pair << 4) >> 4);
}
constexpr int8_t HighInt4(uint8_t pair) {
  return static_cast<int8_t>(static_cast<int8_t>(pair) >> 4);
}

// Lines of whole bytes.
Status CheckInt4(const Operands& operands, int id);

}  // namespace anyacl::matmul
