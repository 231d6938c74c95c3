// SPDX-License-Identifier: Apache-2.0
// What libopapi uses of libnnopbase; see runtime/exports.h for the linkage.
#pragma once

#include <memory>

#include "aclnn/acl_meta.h"
#include "nnop/executor.h"
#include "nnop/objects.h"
#include "nnop/operator.h"

#pragma GCC visibility push(default)
extern "C" {

// The objects behind handles; false if the handle is not alive.
bool anyaclFindTensor(const aclTensor* handle, std::shared_ptr<anyacl::Tensor>* tensor);
bool anyaclFindTensorList(const aclTensorList* handle, std::shared_ptr<anyacl::TensorList>* list);
// Scalars and arrays: a Scalar, or a std::vector of Scalar, int64_t, float or uint8_t (bools).
bool anyaclFindObject(anyacl::Kind kind, const void* handle, std::shared_ptr<const void>* object);

// Keeps the call for phase 2.
aclOpExecutor* anyaclMakeExecutor(std::shared_ptr<const anyacl::PreparedCall>&& call);
// The same at the end of a phase 1, whose call a framework may have announced (call_cache.h); null:
// it has failed.
aclOpExecutor* anyaclEndPhaseOne(std::shared_ptr<const anyacl::PreparedCall>&& call);

// The whole of phase 2.
aclnnStatus anyaclRunExecutor(const anyacl::OpInfo& op, void* workspace, uint64_t workspace_size,
                              aclOpExecutor* executor, aclrtStream stream);
}
#pragma GCC visibility pop
