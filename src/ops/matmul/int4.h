// SPDX-License-Identifier: Apache-2.0
// Matrices of INT4, which clients also bring as INT32, eight numbers in each.
#pragma once

#include <cstdint>

#include "nnop/operands.h"

namespace anyacl::matmul {

// Takes an INT32 tensor of two dimensions or more for the INT4 numbers that its elements hold,
// eight of the contiguous dimension.
void SeeInt4(Operand& operand);
void SeeInt4(Operands& operands, int id);  // of a list all

// INT4 is contiguous, but matrices may be the other way round too: relabels them as they lie and
// tells whether it did so.
bool TurnInt4(Operand& operand);
bool TurnInt4(Operands& operands, int id);  // of a list the first

// The two numbers of a byte.
constexpr int8_t LowInt4(uint8_t pair) {
  return static_cast<int8_t>(static_cast<int8_t>(pair << 4) >> 4);
}
constexpr int8_t HighInt4(uint8_t pair) {
  return static_cast<int8_t>(static_cast<int8_t>(pair) >> 4);
}

// Lines of whole bytes, in all of a list.
Status CheckInt4(const Operands& operands, int id);

}  // namespace anyacl::matmul
