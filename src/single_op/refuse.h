// SPDX-License-Identifier: Apache-2.0
// The answer to every call that asks for a single operator by its graph name. C linkage, because
// libacl_op_compiler answers with it, too.
#pragma once

#include "acl/acl_op.h"

#pragma GCC visibility push(default)
extern "C" {

// 100024 (100000 for a null name or negative counts), with a message that names the operator and
// its tensors as far as they are alive.
int anyaclOperatorNotFound(const char* api, const char* op_type, int num_inputs,
                           const aclTensorDesc* const inputs[], int num_outputs,
                           const aclTensorDesc* const outputs[]);
}
#pragma GCC visibility pop
