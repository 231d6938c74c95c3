// SPDX-License-Identifier: Apache-2.0
#include "atb/launched.h"

#include <algorithm>

#include "aclnn/aclnn_base.h"
#include "atb/utils.h"
#include "base/dtype.h"
#include "ops/atb/exports.h"

namespace anyacl::atb_library {
namespace {

Status CheckCount(const char* name, const char* of, size_t count, size_t expected, int code) {
  if (count == expected) return {};
  return Fail(code, "{}.size() = {}, expected {} of {}", of, count, expected, name);
}

bool IsNone(const atb::Tensor& tensor) {
  return tensor.desc.shape.dimNum == 0 && tensor.deviceData == nullptr &&
         tensor.hostData == nullptr;
}

// Sizes that there can be, and as much data.
Status CheckTensor(const atb::Tensor& tensor, const char* side, size_t index) {
  if (IsNone(tensor)) {
    return Fail(atb::ERROR_INVALID_TENSOR_ADDR, "{}[{}] is empty, expected a tensor", side, index);
  }
  const uint64_t rank = tensor.desc.shape.dimNum;
  if (rank < 1 || rank > atb::MAX_DIM) {
    return Fail(atb::ERROR_INVALID_TENSOR_DIM_NUM, "{}[{}] has {} dimensions, expected 1 to {}",
                side, index, rank, atb::MAX_DIM);
  }
  const Dims dims = DimsOf(tensor);
  const std::optional<int64_t> count = ElementCount(dims);
  const uint64_t bytes = atb::Utils::GetTensorSize(tensor);
  if (!count || (*count > 0 && bytes == 0)) {
    return Fail(atb::ERROR_INVALID_TENSOR_DIM,
                "{}[{}] has shape {} and type {}, expected sizes of "
                "0 or more and less than 2^64 bits",
                side, index, dims.ToString(), NameOf(tensor.desc.dtype));
  }
  if (tensor.dataSize >= bytes) return {};
  return Fail(atb::ERROR_INVALID_TENSOR_SIZE, "{}[{}].dataSize = {}, expected {} for shape {}",
              side, index, tensor.dataSize, bytes, dims.ToString());
}

Dims Split(const Dims& dims, int64_t heads) {
  if (dims.rank() != 2 || heads < 1 || dims[1] % heads != 0) return dims;
  return {dims[0], heads, dims[1] / heads};
}

}  // namespace

atb::Status AtbCode(int code) {
  constexpr int kAtbCodes = 100;
  if (code < kAtbCodes) return code;
  switch (code) {
    case ACLNN_ERR_PARAM_NULLPTR:
      return atb::ERROR_INVALID_TENSOR_ADDR;
    case ACLNN_ERR_PARAM_INVALID:
      return atb::ERROR_INVALID_TENSOR_DIM;
    case ACL_ERROR_BAD_ALLOC:
      return atb::ERROR_OUT_OF_HOST_MEMORY;
    default:
      return code < ACLNN_ERR_INNER ? atb::ERROR_INTERNAL_ERROR : atb::ERROR_CANN_ERROR;
  }
}

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

Status Call::Add(const atb::Tensor& tensor, bool output, size_t index, std::optional<Dims> dims,
                 bool in_pieces) {
  const char* side = output ? "outTensors" : "inTensors";
  if (Status s = CheckTensor(tensor, side, index); !s.ok()) return s;
  if (!IsPlainFormat(tensor.desc.format) &&
      !(in_pieces && tensor.desc.format == ACL_FORMAT_FRACTAL_NZ)) {
    return Fail(atb::ERROR_INVALID_TENSOR_FORMAT, "{}[{}].format = {}, expected ND", side, index,
                NameOf(tensor.desc.format));
  }
  if (tensor.deviceData == nullptr && tensor.dataSize > 0) {
    return Fail(atb::ERROR_INVALID_TENSOR_ADDR, "{}[{}].deviceData is null, expected {} bytes",
                side, index, tensor.dataSize);
  }
  const Dims sizes = dims.value_or(DimsOf(tensor));
  aclTensor* handle =
      aclCreateTensor(sizes.begin(), sizes.rank(), tensor.desc.dtype, nullptr, 0, ACL_FORMAT_ND,
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

Status Call::InputIf(bool there, size_t index, std::optional<Dims> dims) {
  if (there) return Input(index, dims);
  Nothing();
  return {};
}

Status Call::OptionalInput(size_t index) {
  return InputIf(!IsNone(pack_->inTensors[index]), index);
}

Status Call::Output(size_t index, std::optional<Dims> dims) {
  return Add(pack_->outTensors[index], true, index, dims);
}

Status Call::OutputInPieces(size_t index) {
  return Add(pack_->outTensors[index], true, index, {}, true);
}

Status Call::Lengths(size_t index) {
  const atb::Tensor& tensor = pack_->inTensors[index];
  if (Status s = CheckTensor(tensor, "inTensors", index); !s.ok()) return s;
  if (tensor.desc.dtype != ACL_INT32) {
    return Fail(atb::ERROR_INVALID_TENSOR_DTYPE, "inTensors[{}].dtype = {}, expected INT32", index,
                NameOf(tensor.desc.dtype));
  }
  const auto count = static_cast<int64_t>(atb::Utils::GetTensorNumel(tensor));
  if (tensor.hostData == nullptr && count > 0) {
    return Fail(atb::ERROR_INVALID_TENSOR_ADDR,
                "inTensors[{}].hostData is null, expected {} lengths in host memory", index, count);
  }
  const auto* values = static_cast<const int32_t*>(tensor.hostData);
  const std::vector<int64_t> lengths(values, values + count);
  arrays_.push_back(aclCreateIntArray(lengths.data(), lengths.size()));
  arguments_.push_back(static_cast<const void*>(arrays_.back()));
  return {};
}

void Call::Scalar(float value) {
  scalars_.push_back(aclCreateScalar(&value, ACL_FLOAT));
  arguments_.push_back(static_cast<const void*>(scalars_.back()));
}

void Call::Scalar(int64_t value) {
  scalars_.push_back(aclCreateScalar(&value, ACL_INT64));
  arguments_.push_back(static_cast<const void*>(scalars_.back()));
}

Status Call::Prepare(uint64_t* workspace_size) {
  pack_ = nullptr;
  int code = anyaclPrepareByName(name_, arguments_.data(), arguments_.size(), &workspace_size_,
                                 &executor_);
  if (code != 0) return Replay(AtbCode(code));
  code = aclSetAclOpExecutorRepeatable(executor_);
  if (code != 0) return Replay(atb::ERROR_CANN_ERROR);
  *workspace_size = workspace_size_;
  return {};
}

Status Call::Run(const atb::VariantPack& pack, void* workspace, uint64_t workspace_size,
                 aclrtStream stream) const {
  if (workspace_size < workspace_size_) {
    return Fail(atb::ERROR_INVALID_WORKSPACE_SIZE, "workspaceSize = {}, expected {} as Setup said",
                workspace_size, workspace_size_);
  }
  if (workspace == nullptr && workspace_size_ > 0) {
    return Fail(atb::ERROR_INVALID_WORKSPACE_ADDR, "workspace is null, expected {} bytes",
                workspace_size_);
  }
  for (const Handle& handle : tensors_) {
    const auto& side = handle.output ? pack.outTensors : pack.inTensors;
    aclSetRawTensorAddr(handle.tensor, side[handle.index].deviceData);
  }
  const int code = anyaclRunByName(name_, workspace, workspace_size, executor_, stream);
  if (code == 0) return {};
  const bool address = code == ACLNN_ERR_PARAM_NULLPTR || code == ACLNN_ERR_PARAM_INVALID;
  return Replay(address ? atb::ERROR_INVALID_TENSOR_ADDR : atb::ERROR_RT_FAIL);
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
  return AtbEntry(name_, [&]() -> Status {
    if (Status s = CheckCount(name_, "inTensorDescs", inputs.size(), inputs_,
                              atb::ERROR_INVALID_IN_TENSOR_NUM);
        !s.ok()) {
      return s;
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
      const uint64_t rank = inputs[i].shape.dimNum;
      if (rank <= atb::MAX_DIM) continue;
      return Fail(atb::ERROR_INVALID_TENSOR_DIM_NUM,
                  "inTensorDescs[{}] has {} dimensions, expected at most {}", i, rank,
                  atb::MAX_DIM);
    }
    outputs.clear();
    return Infer(inputs, outputs);
  });
}

atb::Status LaunchedOperation::Setup(const atb::VariantPack& pack, uint64_t& workspace_size,
                                     atb::Context* context) {
  workspace_size = 0;
  call_.reset();
  return AtbEntry(name_, [&]() -> Status {
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
  return AtbEntry(name_, [&]() -> Status {
    if (Status s = CheckPack(pack, context); !s.ok()) return s;
    if (call_ == nullptr) {
      return Fail(atb::ERROR_INTERNAL_ERROR, "Execute without a Setup that succeeded before");
    }
    return call_->Run(pack, workspace, workspace_size, context->GetExecuteStream());
  });
}

}  // namespace anyacl::atb_library

namespace atb {

Status DestroyOperation(Operation* operation) {
  delete operation;
  return NO_ERROR;
}

}  // namespace atb
