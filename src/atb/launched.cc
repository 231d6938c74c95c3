// SPDX-License-Identifier: Apache-2.0
#include "atb/launched.h"

#include <algorithm>
#include <utility>

#include "aclnn/aclnn_base.h"
#include "base/dtype.h"
#include "ops/atb/exports.h"

namespace anyacl::atb_library {
namespace {

// ATB's code for one of the operators underneath, whose codes are large numbers.
atb::Status SetupCode(int code) {
  constexpr int kAtbCodes = 100;
  if (code < kAtbCodes) return code;
  switch (code) {
    case ACLNN_ERR_PARAM_NULLPTR:
      return atb::ERROR_INVALID_TENSOR_ADDR;
    case ACLNN_ERR_PARAM_INVALID:
      return atb::ERROR_INVALID_TENSOR_DIM;
    default:
      return atb::ERROR_CANN_ERROR;
  }
}

Status CheckCount(const char* name, const char* of, size_t count, size_t expected, int code) {
  if (count == expected) return {};
  return Fail(code, "{}.size() = {}, expected {} of {}", of, count, expected, name);
}

Dims Split(const Dims& dims, int64_t heads) {
  if (dims.rank() != 2 || heads < 1 || dims[1] % heads != 0) return dims;
  return {dims[0], heads, dims[1] / heads};
}

}  // namespace

Dims DimsOf(const atb::Tensor& tensor) {
  const atb::Dims& shape = tensor.desc.shape;
  return Dims(shape.dims, std::min<uint64_t>(shape.dimNum, atb::MAX_DIM));
}

Call::~Call() {
  if (executor_ != nullptr) aclDestroyAclOpExecutor(executor_);
  for (const Handle& handle : tensors_) aclDestroyTensor(handle.tensor);
  for (const aclIntArray* array : arrays_) aclDestroyIntArray(array);
  for (const aclScalar* scalar : scalars_) aclDestroyScalar(scalar);
}

Dims Call::ByHead(size_t index, int64_t heads) const {
  return Split(DimsOf(pack_->inTensors[index]), heads);
}

Dims Call::OutputByHead(size_t index, int64_t heads) const {
  return Split(DimsOf(pack_->outTensors[index]), heads);
}

Status Call::Add(const atb::Tensor& tensor, bool output, size_t index, std::optional<Dims> dims) {
  const atb::TensorDesc& desc = tensor.desc;
  if (desc.shape.dimNum == 0 && tensor.deviceData == nullptr && tensor.hostData == nullptr) {
    Nothing();
    return {};
  }
  const char* side = output ? "outTensors" : "inTensors";
  if (desc.shape.dimNum > atb::MAX_DIM) {
    return Fail(atb::ERROR_INVALID_TENSOR_DIM_NUM, "{}[{}] has {} dimensions, expected at most {}",
                side, index, desc.shape.dimNum, atb::MAX_DIM);
  }
  if (tensor.deviceData == nullptr && tensor.hostData != nullptr) {
    return Fail(atb::ERROR_INVALID_TENSOR_ADDR, "{}[{}] lies in host memory, expected deviceData",
                side, index);
  }
  const Dims sizes = dims.value_or(DimsOf(tensor));
  aclTensor* handle =
      aclCreateTensor(sizes.begin(), sizes.rank(), desc.dtype, nullptr, 0, ACL_FORMAT_ND,
                      sizes.begin(), sizes.rank(), tensor.deviceData);
  if (handle == nullptr) {
    return Fail(atb::ERROR_INVALID_TENSOR_DIM, "{}[{}] is no tensor, see the message before", side,
                index);
  }
  tensors_.push_back({handle, output, index});
  arguments_.push_back(static_cast<const void*>(handle));
  return {};
}

Status Call::Input(size_t index, std::optional<Dims> dims) {
  return Add(pack_->inTensors[index], false, index, dims);
}

Status Call::Output(size_t index, std::optional<Dims> dims) {
  return Add(pack_->outTensors[index], true, index, dims);
}

Status Call::Lengths(size_t index) {
  const atb::Tensor& tensor = pack_->inTensors[index];
  if (tensor.desc.dtype != ACL_INT32) {
    return Fail(atb::ERROR_INVALID_TENSOR_DTYPE, "inTensors[{}].dtype = {}, expected INT32", index,
                NameOf(tensor.desc.dtype));
  }
  const std::optional<int64_t> count = ElementCount(DimsOf(tensor));
  if (!count) {
    return Fail(atb::ERROR_INVALID_TENSOR_DIM, "inTensors[{}].shape = {}, expected lengths", index,
                DimsOf(tensor).ToString());
  }
  if (tensor.hostData == nullptr && *count > 0) {
    return Fail(atb::ERROR_INVALID_TENSOR_ADDR,
                "inTensors[{}].hostData is null, expected {} lengths in host memory", index,
                *count);
  }
  const auto* values = static_cast<const int32_t*>(tensor.hostData);
  const std::vector<int64_t> lengths(values, values + *count);
  arrays_.push_back(aclCreateIntArray(lengths.data(), lengths.size()));
  arguments_.push_back(static_cast<const void*>(arrays_.back()));
  return {};
}

void Call::Scalar(float value) {
  scalars_.push_back(aclCreateScalar(&value, ACL_FLOAT));
  arguments_.push_back(static_cast<const void*>(scalars_.back()));
}

Status Call::Prepare(uint64_t* workspace_size) {
  pack_ = nullptr;
  const int code =
      anyaclPrepareByName(name_, arguments_.data(), arguments_.size(), workspace_size, &executor_);
  return code == 0 ? Status() : Replay(SetupCode(code));
}

Status Call::Run(const atb::VariantPack& pack, void* workspace, uint64_t workspace_size,
                 aclrtStream stream) {
  for (const Handle& handle : tensors_) {
    const auto& side = handle.output ? pack.outTensors : pack.inTensors;
    aclSetRawTensorAddr(handle.tensor, side[handle.index].deviceData);
  }
  const int code =
      anyaclRunByName(name_, workspace, workspace_size, std::exchange(executor_, nullptr), stream);
  return code == 0 ? Status() : Replay(atb::ERROR_RT_FAIL);
}

Status LaunchedOperation::CheckPack(const atb::VariantPack& pack,
                                    const atb::Context* context) const {
  if (context == nullptr) {
    return Fail(atb::ERROR_INVALID_CONTEXT_ADDR, "context is null, expected an address");
  }
  if (Status s = CheckCount(name_, "inTensors", pack.inTensors.size(), inputs_,
                            atb::ERROR_INVALID_IN_TENSOR_NUM);
      !s.ok()) {
    return s;
  }
  return CheckCount(name_, "outTensors", pack.outTensors.size(), outputs_,
                    atb::ERROR_INVALID_TENSOR_NUM);
}

atb::Status LaunchedOperation::InferShape(const atb::SVector<atb::TensorDesc>& inputs,
                                          atb::SVector<atb::TensorDesc>& outputs) const {
  return anyacl::Entry(name_, [&]() -> Status {
    if (Status s = CheckCount(name_, "inTensorDescs", inputs.size(), inputs_,
                              atb::ERROR_INVALID_IN_TENSOR_NUM);
        !s.ok()) {
      return s;
    }
    outputs.clear();
    Infer(inputs, outputs);
    return {};
  });
}

atb::Status LaunchedOperation::Setup(const atb::VariantPack& pack, uint64_t& workspace_size,
                                     atb::Context* context) {
  workspace_size = 0;
  call_.reset();
  return anyacl::Entry(name_, [&]() -> Status {
    if (Status s = CheckPack(pack, context); !s.ok()) return s;
    auto call = std::make_unique<Call>(api(), pack);
    if (Status s = Arrange(*call); !s.ok()) return s;
    if (Status s = call->Prepare(&workspace_size); !s.ok()) return s;
    call_ = std::move(call);
    return {};
  });
}

atb::Status LaunchedOperation::Execute(const atb::VariantPack& pack, uint8_t* workspace,
                                       uint64_t workspace_size, atb::Context* context) {
  return anyacl::Entry(name_, [&]() -> Status {
    if (Status s = CheckPack(pack, context); !s.ok()) return s;
    if (call_ == nullptr) {
      return Fail(atb::ERROR_INTERNAL_ERROR, "Execute without a Setup that succeeded before");
    }
    const std::unique_ptr<Call> call = std::move(call_);
    return call->Run(pack, workspace, workspace_size, context->GetExecuteStream());
  });
}

}  // namespace anyacl::atb_library

namespace atb {

Status DestroyOperation(Operation* operation) {
  delete operation;
  return NO_ERROR;
}

}  // namespace atb
