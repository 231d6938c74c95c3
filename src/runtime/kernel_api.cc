// SPDX-License-Identifier: Apache-2.0
// Kernels compiled for an NPU: objects that describe them and their arguments; none is run.
#include "acl/acl_rt.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/handle_table.h"

namespace anyacl {
namespace {

// Data in the program's memory.
struct Binary {
  const void* data;
  size_t size;
};

using BinaryTable = HandleTable<Binary, HandleKind::kBinary>;

BinaryTable& Binaries() {
  static BinaryTable* table = BinaryTable::NewGlobal();
  return *table;
}
[[maybe_unused]] const bool kKernelApiMadeAtLoad = (Binaries(), true);

// Handles of kernels, which exist nowhere.
aclError RefuseKernel(const char* api, const char* what, void** handle = nullptr) {
  if (handle != nullptr) *handle = nullptr;
  return Entry(api, [&] {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "this {} a kernel for an NPU, which anyacl does not run", what);
  });
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclrtBinaryLoadFromFile(const char*, aclrtBinaryLoadOptions*, aclrtBinHandle* binHandle) {
  if (binHandle != nullptr) *binHandle = nullptr;
  return NotOffered("aclrtBinaryLoadFromFile", "this loads kernels for an NPU");
}

aclError aclrtBinaryLoadFromData(const void*, size_t, const aclrtBinaryLoadOptions*,
                                 aclrtBinHandle* binHandle) {
  if (binHandle != nullptr) *binHandle = nullptr;
  return NotOffered("aclrtBinaryLoadFromData", "this loads kernels for an NPU");
}

aclError aclrtBinaryUnLoad(aclrtBinHandle) {
  return NotOffered("aclrtBinaryUnLoad", "this unloads kernels for an NPU");
}

aclError aclrtBinaryGetFunction(const aclrtBinHandle, const char*, aclrtFuncHandle* funcHandle) {
  if (funcHandle != nullptr) *funcHandle = nullptr;
  return NotOffered("aclrtBinaryGetFunction", "this finds kernels for an NPU");
}

aclError aclrtGetFunctionAddr(aclrtFuncHandle, void** aicAddr, void** aivAddr) {
  if (aicAddr != nullptr) *aicAddr = nullptr;
  if (aivAddr != nullptr) *aivAddr = nullptr;
  return NotOffered("aclrtGetFunctionAddr", "this finds kernels for an NPU");
}

aclError aclrtLaunchKernel(aclrtFuncHandle, uint32_t, const void*, size_t, aclrtStream) {
  return NotOffered("aclrtLaunchKernel", "this launches kernels for an NPU");
}

aclrtBinary aclrtCreateBinary(const void* data, size_t dataLen) {
  aclrtBinary binary = nullptr;
  Entry("aclrtCreateBinary", [&]() -> Status {
    if (Status s = NotNull(data, "data"); !s.ok()) return s;
    if (dataLen == 0) return Fail(ACL_ERROR_INVALID_PARAM, "dataLen is 0, expected more");
    binary = Binaries().Add(std::make_shared<Binary>(Binary{data, dataLen}));
    return {};
  });
  return binary;
}

aclError aclrtDestroyBinary(aclrtBinary binary) {
  return Entry("aclrtDestroyBinary", [&]() -> Status {
    if (Status s = NotNull(binary, "binary"); !s.ok()) return s;
    if (Binaries().Remove(binary) != nullptr) return {};
    return Fail(ACL_ERROR_RT_INVALID_HANDLE,
                "binary {} is not alive, expected one of aclrtCreateBinary", binary);
  });
}

aclError aclrtBinaryLoad(const aclrtBinary, aclrtBinHandle* binHandle) {
  return RefuseKernel("aclrtBinaryLoad", "loads", binHandle);
}

aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle, uint64_t, aclrtFuncHandle* funcHandle) {
  return RefuseKernel("aclrtBinaryGetFunctionByEntry", "finds", funcHandle);
}

aclError aclrtBinaryGetDevAddress(const aclrtBinHandle, void** binAddr, size_t* binSize) {
  if (binSize != nullptr) *binSize = 0;
  return RefuseKernel("aclrtBinaryGetDevAddress", "finds", binAddr);
}

aclError aclrtGetFunctionName(aclrtFuncHandle, uint32_t maxLen, char* name) {
  if (name != nullptr && maxLen > 0) *name = 0;
  return RefuseKernel("aclrtGetFunctionName", "names");
}

aclError aclrtGetFunctionSize(aclrtFuncHandle, size_t* aicSize, size_t* aivSize) {
  if (aicSize != nullptr) *aicSize = 0;
  if (aivSize != nullptr) *aivSize = 0;
  return RefuseKernel("aclrtGetFunctionSize", "measures");
}

aclError aclrtLaunchKernelV2(aclrtFuncHandle, uint32_t, const void*, size_t, aclrtLaunchKernelCfg*,
                             aclrtStream) {
  return RefuseKernel("aclrtLaunchKernelV2", "launches");
}

aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle, uint32_t, aclrtStream, aclrtLaunchKernelCfg*,
                                     aclrtArgsHandle, void*) {
  return RefuseKernel("aclrtLaunchKernelWithConfig", "launches");
}

aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle, uint32_t, aclrtStream,
                                       aclrtLaunchKernelCfg*, void*, size_t, aclrtPlaceHolderInfo*,
                                       size_t) {
  return RefuseKernel("aclrtLaunchKernelWithHostArgs", "launches");
}

aclError aclrtKernelArgsInit(aclrtFuncHandle, aclrtArgsHandle* argsHandle) {
  return RefuseKernel("aclrtKernelArgsInit", "describes the arguments of", argsHandle);
}

aclError aclrtKernelArgsInitByUserMem(aclrtFuncHandle, aclrtArgsHandle, void*, size_t) {
  return RefuseKernel("aclrtKernelArgsInitByUserMem", "describes the arguments of");
}

aclError aclrtKernelArgsGetHandleMemSize(aclrtFuncHandle, size_t* memSize) {
  if (memSize != nullptr) *memSize = 0;
  return RefuseKernel("aclrtKernelArgsGetHandleMemSize", "describes the arguments of");
}

aclError aclrtKernelArgsGetMemSize(aclrtFuncHandle, size_t, size_t* actualArgsSize) {
  if (actualArgsSize != nullptr) *actualArgsSize = 0;
  return RefuseKernel("aclrtKernelArgsGetMemSize", "describes the arguments of");
}

aclError aclrtKernelArgsAppend(aclrtArgsHandle, void*, size_t, aclrtParamHandle* paramHandle) {
  return RefuseKernel("aclrtKernelArgsAppend", "describes the arguments of", paramHandle);
}

aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle, aclrtParamHandle* paramHandle) {
  return RefuseKernel("aclrtKernelArgsAppendPlaceHolder", "describes the arguments of",
                      paramHandle);
}

aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle, aclrtParamHandle, size_t,
                                             void** bufferAddr) {
  return RefuseKernel("aclrtKernelArgsGetPlaceHolderBuffer", "describes the arguments of",
                      bufferAddr);
}

aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle, aclrtParamHandle, void*, size_t) {
  return RefuseKernel("aclrtKernelArgsParaUpdate", "describes the arguments of");
}

aclError aclrtKernelArgsFinalize(aclrtArgsHandle) {
  return RefuseKernel("aclrtKernelArgsFinalize", "describes the arguments of");
}
}
