// SPDX-License-Identifier: Apache-2.0
// What libacl_op_compiler and libopapi use of libascendcl: descriptions of tensors, attributes, and
// the answer to every call that asks for an operator which is not offered by its graph name.
#pragma once

#include <memory>

#include "acl/acl_op.h"
#include "single_op/objects.h"

#pragma GCC visibility push(default)
extern "C" {

// 100024 (100000 for a null name or negative counts), with a message that names the operator and
// its tensors as far as they are alive.
int anyaclOperatorNotFound(const char* api, const char* op_type, int num_inputs,
                           const aclTensorDesc* const inputs[], int num_outputs,
                           const aclTensorDesc* const outputs[]);

// False if the handle is not alive.
bool anyaclFindTensorDesc(const aclTensorDesc* handle, std::shared_ptr<anyacl::TensorDesc>* desc);
bool anyaclFindOpAttributes(const aclopAttr* handle,
                            std::shared_ptr<anyacl::OpAttributes>* attributes);
}
#pragma GCC visibility pop
