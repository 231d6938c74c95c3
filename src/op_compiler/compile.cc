// SPDX-License-Identifier: Apache-2.0
// Functions that would compile a single operator. Changes of format are made here; others are run
// by libopapi, if it offers them.
#include "acl/acl_op_compiler.h"
#include "base/entry.h"
#include "op_compiler/format_change.h"
#include "op_compiler/operators.h"
#include "runtime/handle_table.h"
#include "single_op/exports.h"

namespace anyacl {
namespace {

struct GraphDumpOption {};
using GraphDumpOptionTable = HandleTable<GraphDumpOption, HandleKind::kGraphDumpOption>;

GraphDumpOptionTable& GraphDumpOptions() {
  static GraphDumpOptionTable* table = GraphDumpOptionTable::NewGlobal();
  return *table;
}
[[maybe_unused]] const bool kCompilerMadeAtLoad = (GraphDumpOptions(), true);

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclopCompile(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[],
                      int numOutputs, const aclTensorDesc* const outputDesc[], const aclopAttr*,
                      aclopEngineType, aclopCompileType, const char*) {
  return anyaclOperatorNotFound("aclopCompile", opType, numInputs, inputDesc, numOutputs,
                                outputDesc);
}

aclError aclopCompileAndExecute(const char* opType, int numInputs,
                                const aclTensorDesc* const inputDesc[],
                                const aclDataBuffer* const inputs[], int numOutputs,
                                const aclTensorDesc* const outputDesc[],
                                aclDataBuffer* const outputs[], const aclopAttr* attr,
                                aclopEngineType, aclopCompileType, const char*,
                                aclrtStream stream) {
  if (IsFormatChange(opType)) {
    return Entry("aclopCompileAndExecute", [&] {
      return ChangeFormat({opType, numInputs, inputDesc, inputs, numOutputs, outputDesc, outputs},
                          stream);
    });
  }
  if (IsOffered(opType)) {
    return RunOperator("aclopCompileAndExecute",
                       {opType, numInputs, inputDesc, inputs, numOutputs, outputDesc, outputs},
                       attr, stream);
  }
  return anyaclOperatorNotFound("aclopCompileAndExecute", opType, numInputs, inputDesc, numOutputs,
                                outputDesc);
}

aclError aclopCompileAndExecuteV2(const char* opType, int numInputs, aclTensorDesc* inputDesc[],
                                  aclDataBuffer* inputs[], int numOutputs,
                                  aclTensorDesc* outputDesc[], aclDataBuffer* outputs[],
                                  aclopAttr* attr, aclopEngineType, aclopCompileType, const char*,
                                  aclrtStream stream) {
  if (IsFormatChange(opType)) {
    return Entry("aclopCompileAndExecuteV2", [&] {
      return ChangeFormat({opType, numInputs, inputDesc, inputs, numOutputs, outputDesc, outputs},
                          stream);
    });
  }
  if (IsOffered(opType)) {
    return RunOperator("aclopCompileAndExecuteV2",
                       {opType, numInputs, inputDesc, inputs, numOutputs, outputDesc, outputs},
                       attr, stream);
  }
  return anyaclOperatorNotFound("aclopCompileAndExecuteV2", opType, numInputs, inputDesc,
                                numOutputs, outputDesc);
}

aclError aclGenGraphAndDumpForOp(const char* opType, int numInputs,
                                 const aclTensorDesc* const inputDesc[],
                                 const aclDataBuffer* const*, int numOutputs,
                                 const aclTensorDesc* const outputDesc[], aclDataBuffer* const*,
                                 const aclopAttr*, aclopEngineType, const char*,
                                 const aclGraphDumpOption*) {
  return anyaclOperatorNotFound("aclGenGraphAndDumpForOp", opType, numInputs, inputDesc, numOutputs,
                                outputDesc);
}

aclGraphDumpOption* aclCreateGraphDumpOpt(void) {
  void* handle = nullptr;
  (void)Entry("aclCreateGraphDumpOpt", [&]() -> Status {
    handle = GraphDumpOptions().Add(std::make_shared<GraphDumpOption>());
    return {};
  });
  return static_cast<aclGraphDumpOption*>(handle);
}

aclError aclDestroyGraphDumpOpt(const aclGraphDumpOption* graphDumpOpt) {
  return Entry("aclDestroyGraphDumpOpt", [&]() -> Status {
    if (GraphDumpOptions().Remove(graphDumpOpt) != nullptr) return {};
    return Fail(ACL_ERROR_INVALID_PARAM, "graphDumpOpt {} is not a live set of options",
                static_cast<const void*>(graphDumpOpt));
  });
}
}
