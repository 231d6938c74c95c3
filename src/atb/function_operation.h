// SPDX-License-Identifier: Apache-2.0
// The operations of atb/atb_acl.h, which no parameters make: their functions have them beside the
// tensors.
#pragma once

#include <utility>

#include "atb/launched.h"
#include "ops/atb/exports.h"

namespace anyacl::atb_library {

// What lies between the two phases of a pair of functions.
class FunctionOperation : public atb::Operation {
 public:
  ~FunctionOperation() override { Drop(); }
  FunctionOperation(const FunctionOperation&) = delete;
  FunctionOperation& operator=(const FunctionOperation&) = delete;

  std::string GetName() const override { return name_; }
  uint32_t GetInputNum() const override { return inputs_; }
  uint32_t GetOutputNum() const override { return outputs_; }
  atb::Status InferShape(const atb::SVector<atb::TensorDesc>&,
                         atb::SVector<atb::TensorDesc>&) const override {
    return ByFunctions();
  }
  atb::Status Setup(const atb::VariantPack&, uint64_t& workspace_size, atb::Context*) override {
    workspace_size = 0;
    return ByFunctions();
  }
  atb::Status Execute(const atb::VariantPack&, uint8_t*, uint64_t, atb::Context*) override {
    return ByFunctions();
  }

  Status Prepare(std::span<const Argument> arguments, uint64_t* workspace_size) {
    Drop();
    const int code =
        anyaclPrepareByName(name_, arguments.data(), arguments.size(), workspace_size, &executor_);
    return code == 0 ? Status() : Replay(AtbCode(code));
  }
  Status Run(void* workspace, uint64_t workspace_size, aclrtStream stream) {
    if (executor_ == nullptr) {
      return Fail(atb::ERROR_INTERNAL_ERROR, "op is not set up, expected one of {}GetWorkspaceSize",
                  function_);
    }
    const int code = anyaclRunByName(name_, workspace, workspace_size,
                                     std::exchange(executor_, nullptr), stream);
    return code == 0 ? Status() : Replay(atb::ERROR_RT_FAIL);
  }

 protected:
  FunctionOperation(const char* name, const char* function, uint32_t inputs, uint32_t outputs)
      : name_(name), function_(function), inputs_(inputs), outputs_(outputs) {}

 private:
  atb::Status ByFunctions() const {
    return AtbEntry(name_, [this] {
      return Fail(atb::ERROR_INVALID_OPERATION_ADDR, "called as an operation, expected {}",
                  function_);
    });
  }
  void Drop() {
    if (executor_ != nullptr) aclDestroyAclOpExecutor(executor_);
    executor_ = nullptr;
  }

  const char* const name_;      // of ops/atb/operators.h
  const char* const function_;  // of the second phase
  const uint32_t inputs_, outputs_;
  aclOpExecutor* executor_ = nullptr;
};

inline Status OfAnotherFunction(const char* function) {
  return Fail(atb::ERROR_INVALID_OPERATION_ADDR,
              "op is another operation, expected one of {}GetWorkspaceSize", function);
}

// The first phase: `set_up(prepare)` checks what it gets and calls `prepare` with the arguments of
// an operation Made, which is *op from a call before, or a new one.
template <class Made, class SetUp>
atb::Status SetUpFunction(const char* function, uint64_t* workspace_size, atb::Operation** op,
                          const atb::Context* context, const SetUp& set_up) {
  return AtbEntry(function, [&]() -> Status {
    if (context == nullptr) return Fail(atb::ERROR_INVALID_CONTEXT_ADDR, "context is null");
    if (op == nullptr || workspace_size == nullptr) {
      return Fail(atb::ERROR_INVALID_OPERATION_ADDR, "op or workspaceSize is null");
    }
    *workspace_size = 0;
    std::unique_ptr<Made> made;
    if (*op == nullptr) made = std::make_unique<Made>();
    Made* const own = *op == nullptr ? made.get() : dynamic_cast<Made*>(*op);
    if (own == nullptr) return OfAnotherFunction(Made::kFunction);
    const Status status = set_up([&](std::span<const Argument> arguments) {
      return own->Prepare(arguments, workspace_size);
    });
    if (status.ok() && made != nullptr) *op = made.release();
    return status;
  });
}

template <class Made>
atb::Status RunFunction(void* workspace, uint64_t workspace_size, atb::Operation* op,
                        atb::Context* context) {
  return AtbEntry(Made::kFunction, [&]() -> Status {
    if (context == nullptr) return Fail(atb::ERROR_INVALID_CONTEXT_ADDR, "context is null");
    if (op == nullptr) return Fail(atb::ERROR_INVALID_OPERATION_ADDR, "op is null");
    auto* const own = dynamic_cast<Made*>(op);
    if (own == nullptr) return OfAnotherFunction(Made::kFunction);
    return own->Run(workspace, workspace_size, context->GetExecuteStream());
  });
}

}  // namespace anyacl::atb_library
