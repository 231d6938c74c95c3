// SPDX-License-Identifier: Apache-2.0
// The operators that are offered by the name of a graph's node, and a call of one.
#pragma once

#include <span>
#include <string_view>

#include "acl/acl_op.h"
#include "base/status.h"
#include "nnop/single_op.h"

namespace anyacl {

// By folder.
std::span<const std::span<const SingleOpSpec>> SingleOperatorTables();
// How many inputs a call may have.
int MostInputs(const SingleOpSpec& spec);
// The first row of this name that takes so many inputs, else the last one; null if there is none.
const SingleOpSpec* FindSingleOperator(std::string_view type, int inputs = 0);

struct SingleOpCall {
  int num_inputs;
  const aclTensorDesc* const* input_descs;
  const aclDataBuffer* const* inputs;
  int num_outputs;
  const aclTensorDesc* const* output_descs;
  const aclDataBuffer* const* outputs;
  const aclopAttr* attributes;
};

// Enqueues the call: what lies in host memory is read at once, the workspace is the task's own.
Status RunSingleOperator(const SingleOpSpec& spec, const SingleOpCall& call, aclrtStream stream);

}  // namespace anyacl
