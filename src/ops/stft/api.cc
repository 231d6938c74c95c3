// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/acl_stft.h"
#include "nnop/phases.h"
#include "ops/stft/operators.h"

using namespace anyacl;
using anyacl::stft::kOperators;

extern "C" {

aclnnStatus aclStftGetWorkspaceSize(const aclTensor* self, const aclTensor* windowOptional,
                                    aclTensor* out, int64_t nFft, int64_t hopLength,
                                    int64_t winLength, bool normalized, bool onesided,
                                    bool returnComplex, uint64_t* workspaceSize,
                                    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclStft"),
                  {self, windowOptional, out, nFft, hopLength, winLength, normalized, onesided,
                   returnComplex}, workspaceSize, executor);
}

aclnnStatus aclStft(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                    aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclStft").op, workspace,
                           workspaceSize, executor, stream);
}
}
