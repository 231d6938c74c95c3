// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACL_STFT_H_
#define ANYACL_ACLNNOP_ACL_STFT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclStft: out[w, m] = sum over k of window[k] * self[m * hopLength + k] * e^(-2 pi i w k / nFft).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self            FLOAT, DOUBLE, COMPLEX64, COMPLEX128; [L] or [B L]
//   windowOptional  type of self; [winLength]; may be null; null stands for ones; lies in the
//                   middle of the nFft points, the others are 0
//   out             FLOAT, DOUBLE, COMPLEX64, COMPLEX128; any shape; output; [N, T] or [B, N, T] of
//                   complex numbers, else [N, T, 2] or [B, N, T, 2]; N = nFft or nFft / 2 + 1, T =
//                   (L - nFft) / hopLength + 1
//   nFft            1 to 16777216; the points of a transform, at most L
//   hopLength       1 or more; from one window to the next
//   winLength       1 to 16777216; at most nFft
//   normalized      divide by the root of nFft
//   onesided        the first nFft / 2 + 1 frequencies, of real numbers
//   returnComplex   out holds complex numbers
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/stft/docs/aclStft.md
ACLNN_API aclnnStatus aclStftGetWorkspaceSize(const aclTensor* self,
                                              const aclTensor* windowOptional, aclTensor* out,
                                              int64_t nFft, int64_t hopLength, int64_t winLength,
                                              bool normalized, bool onesided, bool returnComplex,
                                              uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclStft(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACL_STFT_H_
