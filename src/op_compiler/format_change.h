// SPDX-License-Identifier: Apache-2.0
// "Identity" and "TransData": the operators by which torch_npu asks for a tensor in another format.
// They are offered by name because it has no aclnn function for that.
#pragma once

#include "acl/acl_op.h"
#include "base/status.h"

namespace anyacl {

struct SingleOpCall {
  const char* op_type;
  int num_inputs;
  const aclTensorDesc* const* input_descs;
  const aclDataBuffer* const* inputs;
  int num_outputs;
  const aclTensorDesc* const* output_descs;
  const aclDataBuffer* const* outputs;
};

bool IsFormatChange(const char* op_type);

// Copies between equal formats, converts between plain formats and FRACTAL_NZ or those that keep
// channels in blocks, on the stream.
Status ChangeFormat(const SingleOpCall& call, aclrtStream stream);

}  // namespace anyacl
