// SPDX-License-Identifier: Apache-2.0
#include "op_compiler/operators.h"

#include "op_compiler/format_side.h"

namespace anyacl {

bool IsOffered(const char* op_type) {
  static auto* const offers = Operator<bool(const char*)>("anyaclOffersSingleOperator");
  return op_type != nullptr && offers != nullptr && offers(op_type);
}

int RunOperator(const char* api, const SingleOpCall& call, const aclopAttr* attributes,
                aclrtStream stream) {
  using Run = int(const char*, const char*, int, const aclTensorDesc* const*,
                  const aclDataBuffer* const*, int, const aclTensorDesc* const*,
                  const aclDataBuffer* const*, const aclopAttr*, aclrtStream);
  static auto* const run = Operator<Run>("anyaclRunSingleOperator");
  return run(api, call.op_type, call.num_inputs, call.input_descs, call.inputs, call.num_outputs,
             call.output_descs, call.outputs, attributes, stream);
}

}  // namespace anyacl
