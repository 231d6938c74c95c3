// SPDX-License-Identifier: Apache-2.0
// What libatb uses of libopapi; see runtime/exports.h for the linkage.
#pragma once

#include <cstddef>
#include <cstdint>

#include "aclnn/acl_meta.h"
#include "nnop/operands.h"

#pragma GCC visibility push(default)
extern "C" {

// Both phases of an operation of src/ops/atb/operators.h, or of an operator of the aclnn API
// ("aclnnAdd"). Arguments in the order of its rows.
int anyaclPrepareByName(const char* name, const anyacl::Argument* arguments, size_t count,
                        uint64_t* workspace_size, aclOpExecutor** executor);
int anyaclRunByName(const char* name, void* workspace, uint64_t workspace_size,
                    aclOpExecutor* executor, aclrtStream stream);
}
#pragma GCC visibility pop
