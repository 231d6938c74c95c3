// SPDX-License-Identifier: Apache-2.0
#include "ops/inner_call.h"

#include <utility>

#include "aclnn/acl_meta.h"
#include "nnop/exports.h"
#include "nnop/view.h"
#include "ops/operators.h"

namespace anyacl {
namespace {

// The handles that a first phase looks up; they live as long as that takes.
class Handles {
 public:
  Handles() = default;
  ~Handles() {
    for (const aclTensorList* list : lists_) aclDestroyTensorList(list);  // and their members
    for (const auto& [handle, tensor] : tensors_) {
      if (handle != nullptr) aclDestroyTensor(handle);
    }
    for (const aclScalar* scalar : scalars_) aclDestroyScalar(scalar);
    for (const aclIntArray* array : arrays_) aclDestroyIntArray(array);
    for (const aclBoolArray* array : bools_) aclDestroyBoolArray(array);
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;

  Status Make(const InnerTensor& tensor, Argument* argument) {
    *argument = Argument(static_cast<const void*>(nullptr));
    if (!tensor.given()) return {};
    const TensorLayout& l = tensor.layout;
    const aclTensor* handle =
        aclCreateTensor(l.shape.begin(), l.shape.rank(), l.dtype, l.strides.begin(), l.offset,
                        l.format, l.storage_shape.begin(), l.storage_shape.rank(), nullptr);
    std::shared_ptr<Tensor> object;
    if (handle == nullptr || !anyaclFindTensor(handle, &object)) {
      return Fail(ACLNN_ERR_INNER, "{} of shape {} is not possible, see the message before",
                  tensor.name, l.shape.ToString());
    }
    tensors_.emplace_back(handle, std::move(object));
    outer_.push_back(&tensor);
    *argument = Argument(static_cast<const void*>(handle));
    return {};
  }
  Status Make(const InnerTensors& tensors, Argument* argument) {
    std::vector<const aclTensor*> members;
    for (const InnerTensor& tensor : tensors) {
      if (Status s = Make(tensor, argument); !s.ok()) return s;
      members.push_back(tensors_.back().first);
    }
    *argument = Argument(static_cast<const void*>(nullptr));
    if (members.empty()) return {};
    const aclTensorList* list = aclCreateTensorList(members.data(), members.size());
    if (list == nullptr) {
      return Fail(ACLNN_ERR_INNER, "a list of {} tensors is not possible, see the message before",
                  members.size());
    }
    lists_.push_back(list);
    for (size_t i = tensors_.size() - members.size(); i < tensors_.size(); ++i) {
      tensors_[i].first = nullptr;
    }
    *argument = Argument(static_cast<const void*>(list));
    return {};
  }
  Status Make(int64_t value, Argument* argument) {
    *argument = Argument(value);
    return {};
  }
  Status Make(double value, Argument* argument) {
    *argument = Argument(value);
    return {};
  }
  Status Make(float value, Argument* argument) {
    scalars_.push_back(aclCreateScalar(&value, ACL_FLOAT));
    *argument = Argument(static_cast<const void*>(scalars_.back()));
    return {};
  }
  Status Make(Scalar value, Argument* argument) {
    scalars_.push_back(aclCreateScalar(value.bytes.data(), value.dtype));
    *argument = Argument(static_cast<const void*>(scalars_.back()));
    return {};
  }
  Status Make(const IntArray& values, Argument* argument) {
    arrays_.push_back(aclCreateIntArray(values.data(), values.size()));
    *argument = Argument(static_cast<const void*>(arrays_.back()));
    return {};
  }
  Status Make(const char* text, Argument* argument) {
    *argument = Argument(static_cast<const void*>(text));
    return {};
  }

  Status Make(const BoolArray& values, Argument* argument) {
    static_assert(sizeof(bool) == sizeof(values[0]));
    bools_.push_back(
        aclCreateBoolArray(reinterpret_cast<const bool*>(values.data()), values.size()));
    *argument = Argument(static_cast<const void*>(bools_.back()));
    return {};
  }

  const InnerTensor* Find(const Tensor* object) const {
    for (size_t i = 0; i < tensors_.size(); ++i) {
      if (tensors_[i].second.get() == object) return outer_[i];
    }
    return nullptr;
  }

 private:
  // Without a handle: a member of a list, which owns it.
  std::vector<std::pair<const aclTensor*, std::shared_ptr<Tensor>>> tensors_;
  std::vector<const aclTensorList*> lists_;
  std::vector<const InnerTensor*> outer_;
  std::vector<const aclScalar*> scalars_;
  std::vector<const aclIntArray*> arrays_;
  std::vector<const aclBoolArray*> bools_;
};

}  // namespace

bool InnerTensor::IsContiguous() const {
  const Dims expected = ContiguousStrides(layout.shape);
  for (size_t i = 0; i < layout.shape.rank(); ++i) {
    if (layout.shape[i] != 1 && layout.strides[i] != expected[i]) return false;
  }
  return true;
}

uint64_t InnerTensor::bytes() const {
  return static_cast<uint64_t>(ElementCount(layout.shape).value_or(0)) *
         static_cast<uint64_t>(BitsOf(layout.dtype)) / 8;
}

char* InnerTensor::Address(const Bindings& bindings) const {
  char* base = slot >= 0 ? bindings.data[static_cast<size_t>(slot)] : piece.In(bindings);
  return base == nullptr ? nullptr : base + layout.offset * BitsOf(layout.dtype) / 8;
}

InnerTensor InnerTensor::As(const Dims& shape, const Dims& strides) const {
  InnerTensor seen = *this;
  seen.layout.format = ACL_FORMAT_ND;
  seen.layout.shape = seen.layout.storage_shape = shape;
  seen.layout.strides = strides;
  return seen;
}

InnerTensor InnerTensor::Rows(int64_t begin, int64_t count) const {
  Dims shape = layout.shape;
  shape[0] = count;
  InnerTensor rows = As(shape);
  rows.layout.offset += begin * ContiguousStrides(layout.shape)[0];
  return rows;
}

InnerTensor InnerTensor::Turned() const {
  Dims shape = layout.shape, strides = layout.strides;
  const size_t last = shape.rank() - 1;
  std::swap(shape[last], shape[last - 1]);
  std::swap(strides[last], strides[last - 1]);
  return As(shape, strides);
}

InnerTensor InnerTensor::Permuted(std::initializer_list<size_t> order) const {
  Dims shape = layout.shape, strides = layout.strides;
  size_t i = 0;
  for (size_t from : order) {
    shape[i] = layout.shape[from];
    strides[i++] = layout.strides[from];
  }
  return As(shape, strides);
}

InnerTensor TensorOf(const Operands& operands, int id) {
  InnerTensor tensor;
  if (!operands.Given(id)) return tensor;
  tensor.name = operands.NameOf(id);
  tensor.slot = operands.SlotIndex(id);
  tensor.layout = *operands[id].layout;
  const TensorView view = ViewOf(operands, id);
  for (int i = 0; i < view.rank; ++i) {
    tensor.layout.strides[static_cast<size_t>(i)] = view.strides[i];
  }
  return tensor;
}

InnerTensors TensorsOf(const Operands& operands, int id) {
  InnerTensors tensors;
  if (!operands.Given(id)) return tensors;
  int slot = operands.SlotIndex(id);
  for (const Operand& operand : operands.List(id)) {
    InnerTensor tensor;
    tensor.name = operands.NameOf(id);
    tensor.slot = slot++;
    tensor.layout = *operand.layout;
    tensors.push_back(tensor);
  }
  return tensors;
}

Status InnerCall::Make(const char* api, std::initializer_list<InnerArgument> arguments,
                       std::shared_ptr<const InnerCall>* made) {
  const OpSpec* const found = FindOperator(api);
  if (found == nullptr || found->params.size() != arguments.size()) {
    return Fail(ACLNN_ERR_INNER, "{} with {} arguments is not offered", api, arguments.size());
  }
  // Messages name what the client knows.
  std::vector<ParamSpec> rows(found->params.begin(), found->params.end());
  OpSpec spec = *found;
  Handles handles;
  std::vector<Argument> values;
  for (const InnerArgument& argument : arguments) {
    const auto* tensor = std::get_if<InnerTensor>(&argument);
    const auto* tensors = std::get_if<InnerTensors>(&argument);
    if (tensors != nullptr && !tensors->empty()) tensor = &tensors->front();
    if (tensor != nullptr && *tensor->name != '\0') rows[values.size()].name = tensor->name;
    Argument value(int64_t{0});
    const auto make = [&](const auto& given) { return handles.Make(given, &value); };
    if (Status s = std::visit(make, argument); !s.ok()) return s;
    values.push_back(value);
  }
  spec.params = rows;
  Operands operands(spec, values);
  if (Status s = operands.Resolve(); !s.ok()) return s;
  PreparedCall prepared;
  prepared.op = &found->op;
  if (Status s = found->prepare(operands, &prepared); !s.ok()) return s;
  const auto call = std::make_shared<InnerCall>();
  call->plan_ = prepared.plan;
  if (call->plan_ != nullptr) {
    if (Status s = call->plan_->CheckRunnable(); !s.ok()) return s;
  }
  for (const Slot& slot : operands.Slots()) {
    const InnerTensor* tensor = slot.tensor == nullptr || slot.begin == slot.end
                                    ? nullptr
                                    : handles.Find(slot.tensor.get());
    Source source;
    if (tensor != nullptr) {
      source.slot = tensor->slot;
      if (tensor->slot < 0) source.piece = tensor->piece;
    }
    call->sources_.push_back(source);
  }
  *made = call;
  return {};
}

Status InnerCall::Run(const Bindings& outer, char* scratch, const StopToken& stop) const {
  if (plan_ == nullptr) return {};
  std::vector<char*> data;
  for (const Source& source : sources_) {
    data.push_back(source.piece       ? source.piece->In(outer)
                   : source.slot >= 0 ? outer.data[static_cast<size_t>(source.slot)]
                                      : nullptr);
  }
  return plan_->Run({data, scratch}, stop);
}

}  // namespace anyacl
