// SPDX-License-Identifier: Apache-2.0
// aclop* functions that would run, load or compile a single operator: none is offered.
#include <filesystem>

#include "base/dtype.h"
#include "base/entry.h"
#include "base/format.h"
#include "runtime/arguments.h"
#include "single_op/exports.h"
#include "single_op/objects.h"

namespace anyacl {
namespace {

// Enough to recognise the call; a message has one line.
constexpr int kMaxDescribed = 8;

std::string Describe(int count, const aclTensorDesc* const descs[]) {
  if (count <= 0 || descs == nullptr) return "none";
  std::string text;
  for (int i = 0; i < count && i < kMaxDescribed; ++i) {
    if (i > 0) text += ", ";
    const auto desc = TensorDescs().Find(descs[i]);
    if (desc == nullptr) {
      text += "not a description";
      continue;
    }
    text += Format("{} [{}]", NameOf(desc->dtype), Joined(desc->dims));
    if (desc->storage_format != ACL_FORMAT_UNDEFINED && desc->storage_format != desc->format) {
      text += Format(" as {}", NameOf(desc->storage_format));
    }
  }
  if (count > kMaxDescribed) text += Format(" and {} more", count - kMaxDescribed);
  return text;
}

aclError RefuseSingleOperators(const char* api, const char* what) {
  return Entry(api, [&] {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "{} are not offered, operators are called through "
                "aclnn functions",
                what);
  });
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

int anyaclOperatorNotFound(const char* api, const char* op_type, int num_inputs,
                           const aclTensorDesc* const inputs[], int num_outputs,
                           const aclTensorDesc* const outputs[]) {
  return Entry(api, [&]() -> Status {
    if (Status s = NotNull(op_type, "opType"); !s.ok()) return s;
    if (num_inputs < 0 || num_outputs < 0) {
      return Fail(ACL_ERROR_INVALID_PARAM, "numInputs is {} and numOutputs {}, expected 0 or more",
                  num_inputs, num_outputs);
    }
    return Fail(ACL_ERROR_OP_NOT_FOUND,
                "single operator \"{0}\" is not offered by anyacl (inputs: {1}; outputs: {2}); "
                "operators are called through aclnn functions, and programs that fall back to this "
                "did not find aclnn{0} or its like",
                op_type, Describe(num_inputs, inputs), Describe(num_outputs, outputs));
  });
}

bool anyaclFindTensorDesc(const aclTensorDesc* handle, std::shared_ptr<TensorDesc>* desc) {
  *desc = TensorDescs().Find(handle);
  return *desc != nullptr;
}

aclError aclopExecute(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[],
                      const aclDataBuffer* const*, int numOutputs,
                      const aclTensorDesc* const outputDesc[], aclDataBuffer* const*,
                      const aclopAttr*, aclrtStream) {
  return anyaclOperatorNotFound("aclopExecute", opType, numInputs, inputDesc, numOutputs,
                                outputDesc);
}

aclError aclopExecuteV2(const char* opType, int numInputs, aclTensorDesc* inputDesc[],
                        aclDataBuffer**, int numOutputs, aclTensorDesc* outputDesc[],
                        aclDataBuffer**, aclopAttr*, aclrtStream) {
  return anyaclOperatorNotFound("aclopExecuteV2", opType, numInputs, inputDesc, numOutputs,
                                outputDesc);
}

aclError aclopInferShape(const char* opType, int numInputs, aclTensorDesc* inputDesc[],
                         aclDataBuffer**, int numOutputs, aclTensorDesc* outputDesc[], aclopAttr*) {
  return anyaclOperatorNotFound("aclopInferShape", opType, numInputs, inputDesc, numOutputs,
                                outputDesc);
}

aclError aclopUpdateParams(const char* opType, int numInputs,
                           const aclTensorDesc* const inputDesc[], int numOutputs,
                           const aclTensorDesc* const outputDesc[], const aclopAttr*) {
  return anyaclOperatorNotFound("aclopUpdateParams", opType, numInputs, inputDesc, numOutputs,
                                outputDesc);
}

aclError aclopCast(const aclTensorDesc* srcDesc, const aclDataBuffer*, const aclTensorDesc* dstDesc,
                   aclDataBuffer*, uint8_t, aclrtStream) {
  return anyaclOperatorNotFound("aclopCast", "Cast", 1, &srcDesc, 1, &dstDesc);
}

aclError aclopCreateHandle(const char* opType, int numInputs,
                           const aclTensorDesc* const inputDesc[], int numOutputs,
                           const aclTensorDesc* const outputDesc[], const aclopAttr*,
                           aclopHandle** handle) {
  if (handle != nullptr) *handle = nullptr;
  return anyaclOperatorNotFound("aclopCreateHandle", opType, numInputs, inputDesc, numOutputs,
                                outputDesc);
}

aclError aclopCreateHandleForCast(aclTensorDesc* srcDesc, aclTensorDesc* dstDesc, uint8_t,
                                  aclopHandle** handle) {
  if (handle != nullptr) *handle = nullptr;
  return anyaclOperatorNotFound("aclopCreateHandleForCast", "Cast", 1, &srcDesc, 1, &dstDesc);
}

void aclopDestroyHandle(aclopHandle*) {}

aclError aclopExecWithHandle(aclopHandle* handle, int, const aclDataBuffer* const*, int,
                             aclDataBuffer* const*, aclrtStream) {
  return Entry("aclopExecWithHandle", [&] {
    return Fail(ACL_ERROR_INVALID_PARAM,
                "handle {} is not a prepared operator; single operators are not offered",
                static_cast<void*>(handle));
  });
}

aclError aclopSetModelDir(const char* modelDir) {
  return Entry("aclopSetModelDir", [&]() -> Status {
    if (Status s = NotNull(modelDir, "modelDir"); !s.ok()) return s;
    std::error_code ignored;
    if (!std::filesystem::is_directory(modelDir, ignored)) {
      return Fail(ACL_ERROR_INVALID_PARAM, "modelDir \"{}\" is not a folder", modelDir);
    }
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "operator models such as those in \"{}\" are not offered", modelDir);
  });
}

aclError aclopSetMaxOpQueueNum(uint64_t maxOpNum) {
  return Entry("aclopSetMaxOpQueueNum", [&]() -> Status {
    if (maxOpNum == 0) return Fail(ACL_ERROR_INVALID_PARAM, "maxOpNum is 0, expected at least 1");
    return {};
  });
}

aclError aclopLoad(const void*, size_t) {
  return RefuseSingleOperators("aclopLoad", "operator models");
}

aclError aclopCreateKernel(const char*, const char*, const char*, void*, int, aclopEngineType,
                           aclDataDeallocator) {
  return RefuseSingleOperators("aclopCreateKernel", "kernels for an NPU");
}

aclError aclopRegisterCompileFunc(const char*, aclopCompileFunc) {
  return RefuseSingleOperators("aclopRegisterCompileFunc", "kernels for an NPU");
}

aclError aclopUnregisterCompileFunc(const char*) {
  return RefuseSingleOperators("aclopUnregisterCompileFunc", "kernels for an NPU");
}

aclError aclopSetKernelArgs(aclopKernelDesc*, const char*, uint32_t, const void*, uint32_t) {
  return RefuseSingleOperators("aclopSetKernelArgs", "kernels for an NPU");
}

aclError aclopSetKernelWorkspaceSizes(aclopKernelDesc*, int, size_t*) {
  return RefuseSingleOperators("aclopSetKernelWorkspaceSizes", "kernels for an NPU");
}
}
