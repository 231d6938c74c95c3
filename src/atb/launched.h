// SPDX-License-Identifier: Apache-2.0
// What all operations of libatb.so have in common: tensors become those of an operator underneath,
// Setup is its first phase and Execute its second.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aclnn/acl_meta.h"
#include "atb/operation.h"
#include "base/entry.h"
#include "nnop/operands.h"

namespace anyacl::atb_library {

Dims DimsOf(const atb::Tensor& tensor);

// The arguments of an operator, in the order of its rows, and the handles behind them.
class Call {
 public:
  // `name`: of ops/atb/operators.h, or that of an operator of the aclnn API.
  Call(const char* name, const atb::VariantPack& pack) : name_(name), pack_(&pack) {}
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // Tensors of the pack by their place, in `dims` if given. A tensor without dimensions and data is
  // none: only OptionalInput takes it.
  Status Input(size_t index, std::optional<Dims> dims = {});
  Status OptionalInput(size_t index);
  // None unless `there` is one.
  Status InputIf(bool there, size_t index, std::optional<Dims> dims = {});
  Status Output(size_t index, std::optional<Dims> dims = {});
  // Whose sizes say how it lies in pieces, if it is in FRACTAL_NZ.
  Status OutputInPieces(size_t index);
  // An input in host memory.
  Status Lengths(size_t index);
  void Nothing() { arguments_.push_back(static_cast<const void*>(nullptr)); }
  void Integer(int64_t value) { arguments_.push_back(value); }
  void Real(double value) { arguments_.push_back(value); }
  void Scalar(float value);
  void Scalar(int64_t value);

  // [T, heads * D] as [T, heads, D].
  Dims ByHead(size_t index, int64_t heads) const;
  Dims OutputByHead(size_t index, int64_t heads) const;
  const atb::VariantPack& pack() const { return *pack_; }

  Status Prepare(uint64_t* workspace_size);
  // With the tensors where `pack` says they are.
  Status Run(const atb::VariantPack& pack, void* workspace, uint64_t workspace_size,
             aclrtStream stream) const;

 private:
  struct Handle {
    aclTensor* tensor;
    bool output;
    size_t index;
  };
  Status Add(const atb::Tensor& tensor, bool output, size_t index, std::optional<Dims> dims,
             bool in_pieces = false);

  const char* const name_;
  const atb::VariantPack* pack_;  // of Setup, until Prepare
  std::vector<Argument> arguments_;
  std::vector<Handle> tensors_;
  std::vector<const aclIntArray*> arrays_;
  std::vector<const aclScalar*> scalars_;
  aclOpExecutor* executor_ = nullptr;  // repeatable
  uint64_t workspace_size_ = 0;
};

class LaunchedOperation : public atb::Operation {
 public:
  LaunchedOperation(const char* name, size_t inputs, size_t outputs)
      : name_(name), inputs_(inputs), outputs_(outputs) {}

  std::string GetName() const override { return name_; }
  uint32_t GetInputNum() const override { return static_cast<uint32_t>(inputs_); }
  uint32_t GetOutputNum() const override { return static_cast<uint32_t>(outputs_); }
  atb::Status InferShape(const atb::SVector<atb::TensorDesc>& inputs,
                         atb::SVector<atb::TensorDesc>& outputs) const override;
  atb::Status Setup(const atb::VariantPack& pack, uint64_t& workspace_size,
                    atb::Context* context) override;
  atb::Status Execute(const atb::VariantPack& pack, uint8_t* workspace, uint64_t workspace_size,
                      atb::Context* context) override;

 protected:
  // The operator that computes the operation, if it is not one of this name.
  virtual const char* api() const { return name_; }
  virtual Status Arrange(Call& call) const = 0;
  // As many outputs as there are. Descriptions have at most MAX_DIM dimensions.
  virtual Status Infer(const atb::SVector<atb::TensorDesc>& inputs,
                       atb::SVector<atb::TensorDesc>& outputs) const = 0;

 private:
  Status CheckPack(const atb::VariantPack& pack, const atb::Context* context) const;

  const char* const name_;
  const size_t inputs_, outputs_;
  std::unique_ptr<Call> call_;  // of the last Setup
};

// ATB's own, and those that stand for codes of operators and of exceptions, which are larger.
atb::Status AtbCode(int code);

template <class Body>
atb::Status AtbEntry(const char* name, Body body) {
  return AtbCode(Entry(name, body));
}

// The body of CreateOperation: `check` says what of the parameters is not offered.
template <class Made, class OpParam, class Check>
atb::Status Create(const char* name, const OpParam& param, atb::Operation** operation,
                   Check check) {
  return AtbEntry(name, [&]() -> Status {
    if (operation == nullptr) {
      return Fail(atb::ERROR_INVALID_OPERATION_ADDR, "operation is null, expected an address");
    }
    *operation = nullptr;
    if (Status s = check(param); !s.ok()) return s;
    *operation = new Made(param);
    return {};
  });
}

// Of parameters that must have one value: Expect("quantType", param.quantType, 0).
inline Status Expect(const char* name, int64_t value, int64_t offered) {
  if (value == offered) return {};
  return Fail(atb::ERROR_INVALID_PARAM, "{} = {}, expected {}: anyacl offers nothing else", name,
              value, offered);
}

}  // namespace anyacl::atb_library
