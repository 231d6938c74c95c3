// SPDX-License-Identifier: Apache-2.0
// The declaration of the Fourier transform of sliding windows (README.md).
#pragma once

#include "nnop/operator.h"

namespace anyacl::stft {

enum : int {
  kSelf,
  kWindow,
  kOut,
  kSize,
  kHop,
  kWindowLength,
  kNormalized,
  kOnesided,
  kReturnComplex,
};

Status PrepareStft(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kTypes = {ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128};
// Indices of the transform stay below 2^31 when counted in eighths.
inline constexpr int64_t kMostPoints = int64_t{1} << 24;

constexpr ParamSpec Count(int id, const char* name, int64_t max, const char* note) {
  return {.name = name, .id = id, .kind = Kind::kInt64, .min = 1, .max = max, .note = note};
}
constexpr ParamSpec NamesSize(ParamSpec row) {
  row.names_size = true;
  return row;
}

inline constexpr ParamSpec kParams[] = {
    In(kSelf, "self", kTypes, "L | B L"),
    {.name = "windowOptional",
     .id = kWindow,
     .need = Need::kOptional,
     .dtypes = kTypes,
     .dims = "winLength",
     .same_dtype_as = kSelf,
     .note = "null stands for ones; lies in the middle of the nFft points, the others are 0"},
    {.name = "out",
     .id = kOut,
     .direction = Direction::kOutput,
     .dtypes = kTypes,
     .dims = "*",
     .note = "[N, T] or [B, N, T] of complex numbers, else [N, T, 2] or [B, N, T, 2]; N = nFft or "
             "nFft / 2 + 1, T = (L - nFft) / hopLength + 1"},
    Count(kSize, "nFft", kMostPoints, "the points of a transform, at most L"),
    Count(kHop, "hopLength", INT64_MAX, "from one window to the next"),
    NamesSize(Count(kWindowLength, "winLength", kMostPoints, "at most nFft")),
    Value(kNormalized, "normalized", Kind::kBool, "divide by the root of nFft"),
    Value(kOnesided, "onesided", Kind::kBool,
          "the first nFft / 2 + 1 frequencies, of real numbers"),
    Value(kReturnComplex, "returnComplex", Kind::kBool, "out holds complex numbers")};

inline constexpr OpSpec kOperators[] = {
    {.op = {"aclStftGetWorkspaceSize", "aclStft"},
     .params = kParams,
     .prepare = PrepareStft,
     .header = "acl_stft.h",
     .summary = "out[w, m] = sum over k of window[k] * self[m * hopLength + k] * e^(-2 pi i w k / "
                "nFft)",
     .document = "ops-math: math/stft/docs/aclStft.md"},
};

}  // namespace anyacl::stft
