// SPDX-License-Identifier: Apache-2.0
// Rows of an operator's versions, joined from the parts that they share, and operators of a folder.
#pragma once

#include <algorithm>
#include <array>

#include "nnop/operator.h"

namespace anyacl {

template <size_t... kSizes>
consteval auto JoinRows(const std::array<ParamSpec, kSizes>&... parts) {
  std::array<ParamSpec, (kSizes + ...)> all{};
  auto at = all.begin();
  ((at = std::copy(parts.begin(), parts.end(), at)), ...);
  return all;
}

// Rows kBegin to kEnd - 1.
template <size_t kBegin, size_t kEnd, size_t kSize>
consteval auto SliceOf(const std::array<ParamSpec, kSize>& rows) {
  static_assert(kBegin < kEnd && kEnd <= kSize);
  std::array<ParamSpec, kEnd - kBegin> part{};
  std::copy(rows.begin() + kBegin, rows.begin() + kEnd, part.begin());
  return part;
}

// The operators of a folder whose rows stand in several files.
template <size_t... kSizes>
consteval auto JoinOperators(const OpSpec (&... lists)[kSizes]) {
  std::array<OpSpec, (kSizes + ...)> all{};
  auto at = all.begin();
  ((at = std::copy_n(lists, kSizes, at)), ...);
  return all;
}

}  // namespace anyacl
