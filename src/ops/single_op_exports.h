// SPDX-License-Identifier: Apache-2.0
// What libacl_op_compiler looks up in libopapi.
#pragma once

#include "acl/acl_op.h"

#pragma GCC visibility push(default)
extern "C" {

bool anyaclOffersSingleOperator(const char* op_type);

// The operator is offered. `api` is the function that the client called.
int anyaclRunSingleOperator(const char* api, const char* op_type, int num_inputs,
                            const aclTensorDesc* const input_descs[],
                            const aclDataBuffer* const inputs[], int num_outputs,
                            const aclTensorDesc* const output_descs[],
                            const aclDataBuffer* const outputs[], const aclopAttr* attributes,
                            aclrtStream stream);
}
#pragma GCC visibility pop
