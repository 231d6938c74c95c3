// SPDX-License-Identifier: Apache-2.0
// Executors: the exported functions, and phase 2 of every operator.
#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn/opdev/op_errno.h"
#include "base/entry.h"
#include "nnop/call_cache.h"
#include "nnop/executor.h"
#include "nnop/exports.h"
#include "nnop/objects.h"

namespace anyacl {
namespace {

using ExecutorTable = HandleTable<Executor, HandleKind::kExecutor, 4>;

ExecutorTable& Executors() {
  static ExecutorTable* table = ExecutorTable::NewGlobal();
  return *table;
}
[[maybe_unused]] const bool kMadeAtLoad = (Executors(), true);

Status FindExecutor(const aclOpExecutor* handle, std::shared_ptr<Executor>* executor) {
  if (handle == nullptr) {
    return Fail(ACLNN_ERR_INNER_NULLPTR, "executor is null, expected a live executor");
  }
  *executor = Executors().Find(handle);
  if (*executor != nullptr) return {};
  return Fail(ACLNN_ERR_INNER,
              "executor {} is not alive (used up, destroyed, or never created here)",
              static_cast<const void*>(handle));
}

Status Run(const OpInfo& op, void* workspace, uint64_t workspace_size, aclOpExecutor* handle,
           aclrtStream stream) {
  const auto code = [&](int own) { return op.phase_two_code != 0 ? op.phase_two_code : own; };
  if (handle == nullptr) {
    return Fail(code(ACLNN_ERR_PARAM_NULLPTR), "executor is null, expected the one of {}",
                op.phase_one);
  }
  // A one-shot executor is used up whatever comes of the call; of two threads one gets it.
  const std::shared_ptr<Executor> executor = Executors().RemoveUnless(
      handle, [&](const Executor& found) { return found.repeatable() || &found.op() != &op; });
  if (executor == nullptr) {
    return Fail(code(ACLNN_ERR_PARAM_INVALID),
                "executor {} is not alive (used up, destroyed, or never created here)",
                static_cast<const void*>(handle));
  }
  if (&executor->op() != &op) {
    return Fail(code(ACLNN_ERR_PARAM_INVALID), "executor was made by {}, expected one of {}",
                executor->op().phase_one, op.phase_one);
  }
  return executor->Launch(workspace, workspace_size, stream);
}

aclnnStatus SetAddress(const char* api, Executor::Among among, aclOpExecutor* handle, size_t index,
                       aclTensor* tensor, void* address) {
  return Entry(api, [&]() -> Status {
    std::shared_ptr<Executor> executor;
    if (Status s = FindExecutor(handle, &executor); !s.ok()) return s;
    if (tensor == nullptr) {
      return Fail(ACLNN_ERR_INNER_NULLPTR, "tensor is null, expected a live tensor");
    }
    const std::shared_ptr<Tensor> found = Tensors().Find(tensor);
    if (found == nullptr) {
      return Fail(ACLNN_ERR_PARAM_INVALID, "tensor {} is not a live tensor",
                  static_cast<const void*>(tensor));
    }
    return executor->SetAddress(among, index, 0, found, address);
  });
}

aclnnStatus SetListAddress(const char* api, Executor::Among among, aclOpExecutor* handle,
                           size_t index, size_t list_index, aclTensorList* tensors, void* address) {
  return Entry(api, [&]() -> Status {
    std::shared_ptr<Executor> executor;
    if (Status s = FindExecutor(handle, &executor); !s.ok()) return s;
    if (tensors == nullptr) {
      return Fail(ACLNN_ERR_INNER_NULLPTR, "tensors is null, expected a live tensor list");
    }
    const std::shared_ptr<TensorList> list = TensorLists().Find(tensors);
    if (list == nullptr || list_index >= list->size()) {
      return Fail(ACLNN_ERR_PARAM_INVALID, "relativeIndex is {}, expected less than the {} members",
                  list_index, list == nullptr ? 0 : list->size());
    }
    const std::shared_ptr<Tensor> found = Tensors().Find((*list)[list_index]);
    if (found == nullptr) {
      return Fail(ACLNN_ERR_PARAM_INVALID, "member {} of tensors is not a live tensor", list_index);
    }
    return executor->SetAddress(among, index, list_index, found, address);
  });
}

}  // namespace

aclOpExecutor* AddExecutor(std::shared_ptr<Executor> executor) {
  return static_cast<aclOpExecutor*>(Executors().Add(std::move(executor)));
}

}  // namespace anyacl

using namespace anyacl;
using Among = anyacl::Executor::Among;

extern "C" {

aclOpExecutor* anyaclMakeExecutor(std::shared_ptr<const PreparedCall>&& call) {
  return AddExecutor(std::make_shared<Executor>(std::move(call)));
}

aclOpExecutor* anyaclEndPhaseOne(std::shared_ptr<const PreparedCall>&& call) {
  ComingCall* const coming = ComingCall::OfThreadIfAny();
  if (call == nullptr) {
    if (coming != nullptr) coming->Clear();
    return nullptr;
  }
  if (coming != nullptr) coming->Prepared(call);
  return anyaclMakeExecutor(std::move(call));
}

aclnnStatus anyaclRunExecutor(const OpInfo& op, void* workspace, uint64_t workspace_size,
                              aclOpExecutor* executor, aclrtStream stream) {
  return Entry(op.phase_two, [&] { return Run(op, workspace, workspace_size, executor, stream); });
}

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor) {
  return Entry("aclSetAclOpExecutorRepeatable", [&]() -> Status {
    std::shared_ptr<Executor> found;
    if (Status s = FindExecutor(executor, &found); !s.ok()) return s;
    found->set_repeatable();
    return {};
  });
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
  return Entry("aclDestroyAclOpExecutor", [&]() -> Status {
    std::shared_ptr<Executor> found;
    if (Status s = FindExecutor(executor, &found); !s.ok()) return s;
    Executors().Remove(executor);
    return {};
  });
}

aclnnStatus aclSetTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                             void* addr) {
  return SetAddress("aclSetTensorAddr", Among::kAll, executor, index, tensor, addr);
}

aclnnStatus aclSetInputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                  void* addr) {
  return SetAddress("aclSetInputTensorAddr", Among::kInputs, executor, index, tensor, addr);
}

aclnnStatus aclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                   void* addr) {
  return SetAddress("aclSetOutputTensorAddr", Among::kOutputs, executor, index, tensor, addr);
}

aclnnStatus aclSetDynamicTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                    const size_t relativeIndex, aclTensorList* tensors,
                                    void* addr) {
  return SetListAddress("aclSetDynamicTensorAddr", Among::kAll, executor, irIndex, relativeIndex,
                        tensors, addr);
}

aclnnStatus aclSetDynamicInputTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                         const size_t relativeIndex, aclTensorList* tensors,
                                         void* addr) {
  return SetListAddress("aclSetDynamicInputTensorAddr", Among::kInputs, executor, irIndex,
                        relativeIndex, tensors, addr);
}

aclnnStatus aclSetDynamicOutputTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                          const size_t relativeIndex, aclTensorList* tensors,
                                          void* addr) {
  return SetListAddress("aclSetDynamicOutputTensorAddr", Among::kOutputs, executor, irIndex,
                        relativeIndex, tensors, addr);
}

// The legacy spellings.
aclnnStatus AclSetTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                             void* addr) {
  return SetAddress("AclSetTensorAddr", Among::kAll, executor, index, tensor, addr);
}

aclnnStatus AclSetInputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                  void* addr) {
  return SetAddress("AclSetInputTensorAddr", Among::kInputs, executor, index, tensor, addr);
}

aclnnStatus AclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                   void* addr) {
  return SetAddress("AclSetOutputTensorAddr", Among::kOutputs, executor, index, tensor, addr);
}

aclnnStatus AclSetDynamicTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                    const size_t relativeIndex, aclTensorList* tensors,
                                    void* addr) {
  return SetListAddress("AclSetDynamicTensorAddr", Among::kAll, executor, irIndex, relativeIndex,
                        tensors, addr);
}

aclnnStatus AclSetDynamicInputTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                         const size_t relativeIndex, aclTensorList* tensors,
                                         void* addr) {
  return SetListAddress("AclSetDynamicInputTensorAddr", Among::kInputs, executor, irIndex,
                        relativeIndex, tensors, addr);
}

aclnnStatus AclSetDynamicOutputTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                          const size_t relativeIndex, aclTensorList* tensors,
                                          void* addr) {
  return SetListAddress("AclSetDynamicOutputTensorAddr", Among::kOutputs, executor, irIndex,
                        relativeIndex, tensors, addr);
}

aclnnStatus aclDumpOpTensors(const char* /*opType*/, const char* /*opName*/,
                             aclTensor** /*tensors*/, size_t /*inputTensorNum*/,
                             size_t /*outputTensorNum*/, aclrtStream /*stream*/) {
  return Entry("aclDumpOpTensors", [] {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "dumping tensors is not supported");
  });
}

// The layer needs no start and holds nothing that has an end.
aclnnStatus aclnnInit(const char* /*configPath*/) { return OK; }
aclnnStatus aclnnFinalize(void) { return OK; }
}
