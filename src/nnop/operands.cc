// SPDX-License-Identifier: Apache-2.0
// What a call gave for each row.
#include "nnop/operands.h"

#include <algorithm>
#include <stdexcept>

#include "base/format.h"
#include "nnop/exports.h"

namespace anyacl {
namespace {

// What an argument of this kind is.
const char* ObjectOf(Kind kind) {
  switch (kind) {
    case Kind::kTensor:
      return "a tensor";
    case Kind::kTensorList:
      return "a tensor list";
    case Kind::kScalar:
      return "a scalar";
    case Kind::kScalarList:
      return "a scalar list";
    case Kind::kIntArray:
      return "an array of integers";
    case Kind::kFloatArray:
      return "an array of floats";
    case Kind::kBoolArray:
      return "an array of bools";
    default:
      return "a text";
  }
}

}  // namespace

bool Operand::IsEmpty() const {
  return std::find(shape().begin(), shape().end(), 0) != shape().end();
}

bool Operand::IsContiguous() const {
  int64_t expected = 1;
  for (size_t i = shape().rank(); i-- > 0;) {
    if (shape()[i] != 1 && strides()[i] != expected) return false;
    expected *= shape()[i];
  }
  return true;
}

std::string Operand::Name() const {
  if (spec->kind != Kind::kTensorList) return spec->name;
  return Format("{}[{}]", spec->name, list_index);
}

std::span<const ParamSpec> Operands::TableOf(const OpSpec& spec,
                                             std::span<const Argument> arguments) {
  if (spec.variant_of == nullptr) return spec.params;
  return spec.variants[spec.variant_of(arguments)].params;
}

Operands::Operands(const OpSpec& spec, std::span<const Argument> arguments)
    : spec_(spec), params_(TableOf(spec, arguments)), arguments_(arguments) {
  row_of_.fill(kMaxParams);
  for (size_t row = 0; row < params_.size(); ++row) {
    row_of_[static_cast<size_t>(params_[row].id)] = static_cast<uint8_t>(row);
  }
}

size_t Operands::Row(int id) const {
  const size_t row = FindRow(id);
  if (row == kMaxParams) throw std::logic_error("the operator's table lacks an argument");
  return row;
}

std::span<const Operand> Operands::List(int id) const {
  const size_t row = FindRow(id);
  if (row == kMaxParams) return {};
  return std::span(operands_).subspan(first_[row], first_[row + 1] - first_[row]);
}

std::span<Operand> Operands::List(int id) {
  const size_t row = Row(id);
  return std::span(operands_).subspan(first_[row], first_[row + 1] - first_[row]);
}

const Operand& Operands::operator[](int id) const {
  static const Operand* const kAbsent = new Operand;
  const std::span<const Operand> list = List(id);
  return list.empty() ? *kAbsent : list.front();
}

int Operands::SlotIndex(int id) const {
  const size_t row = FindRow(id);
  if (row == kMaxParams || !operands_[first_[row]].given()) return -1;
  return static_cast<int>(first_[row]);
}

void Operands::Relabel(int id, TensorLayout layout) {
  operands_[first_[Row(id)]].layout = std::make_shared<const TensorLayout>(std::move(layout));
}

void Operands::Drop(int id) {
  Operand& operand = operands_[first_[Row(id)]];
  operand.tensor.reset();
  operand.layout.reset();
}

bool Operands::Given(int id) const {
  const size_t row = FindRow(id);
  if (row == kMaxParams) return false;
  const ParamSpec& spec = params_[row];
  if (IsTensor(spec.kind)) return (*this)[id].given();
  return !IsPointer(spec.kind) || arguments_[row].pointer != nullptr;
}

const Scalar* Operands::ScalarAt(int id) const {
  return objects_.empty() ? nullptr : static_cast<const Scalar*>(objects_[Row(id)].get());
}

template <class T>
std::span<const T> Operands::Array(int id) const {
  if (objects_.empty()) return {};
  const auto* array = static_cast<const std::vector<T>*>(objects_[Row(id)].get());
  return array == nullptr ? std::span<const T>() : std::span<const T>(*array);
}

std::span<const int64_t> Operands::Ints(int id) const { return Array<int64_t>(id); }
std::shared_ptr<const IntArray> Operands::IntArrayAt(int id) const {
  const size_t row = FindRow(id);
  if (objects_.empty() || row == kMaxParams) return nullptr;
  return std::static_pointer_cast<const IntArray>(objects_[row]);
}
std::span<const float> Operands::Floats(int id) const { return Array<float>(id); }
std::span<const uint8_t> Operands::Bools(int id) const { return Array<uint8_t>(id); }
std::span<const Scalar> Operands::Scalars(int id) const { return Array<Scalar>(id); }

Status Operands::NotAlive(const ParamSpec& spec, const void* handle) const {
  return Fail(spec_.codes.shape,
              "{} is {}, expected {} that is alive (not destroyed, and created here)", spec.name,
              handle, ObjectOf(spec.kind));
}

Status Operands::ResolveTensor(const ParamSpec& spec, const aclTensor* handle, size_t list_index) {
  Operand& operand = operands_.emplace_back();
  operand.spec = &spec;
  operand.list_index = list_index;
  if (handle == nullptr) return {};
  if (!anyaclFindTensor(handle, &operand.tensor)) {
    if (spec.needed_if != nullptr) return {};  // Require() looks at it, if it is needed
    return NotAlive(spec, handle);
  }
  operand.layout = operand.tensor->layout();
  return {};
}

Status Operands::ResolveList(const ParamSpec& spec, const void* handle) {
  std::shared_ptr<TensorList> list;
  if (handle != nullptr &&
      !anyaclFindTensorList(static_cast<const aclTensorList*>(handle), &list)) {
    return NotAlive(spec, handle);
  }
  // An absent list keeps a place among the slots, so that others are counted alike.
  if (list == nullptr || list->empty()) return ResolveTensor(spec, nullptr, 0);
  for (size_t i = 0; i < list->size(); ++i) {
    if ((*list)[i] == nullptr) {
      return Fail(spec_.codes.null, "{}[{}] is null, expected a tensor", spec.name, i);
    }
    if (Status s = ResolveTensor(spec, (*list)[i], i); !s.ok()) return s;
  }
  return {};
}

Status Operands::ResolveObject(size_t row) {
  const ParamSpec& spec = params_[row];
  const void* handle = arguments_[row].pointer;
  if (objects_.empty()) objects_.resize(params_.size());
  if (handle == nullptr) return {};
  if (!anyaclFindObject(spec.kind, handle, &objects_[row])) return NotAlive(spec, handle);
  return {};
}

Status Operands::ResolveRow(size_t row) {
  const ParamSpec& spec = params_[row];
  first_[row] = operands_.size();
  if (!IsPointer(spec.kind)) return {};
  const void* handle = arguments_[row].pointer;
  if (spec.need == Need::kReserved && handle != nullptr) {
    Warn("{} is given, expected null: it is reserved, and ignored", spec.name);
    handle = nullptr;
  } else if (spec.need == Need::kRequired && handle == nullptr) {
    const int code = spec.null_code != 0 ? spec.null_code : spec_.codes.null;
    return Fail(code, "{} is null, expected {}", spec.name, ObjectOf(spec.kind));
  }
  switch (spec.kind) {
    case Kind::kTensor:
      return ResolveTensor(spec, static_cast<const aclTensor*>(handle), 0);
    case Kind::kTensorList:
      return ResolveList(spec, handle);
    case Kind::kText:
    case Kind::kMutableText:
      return {};
    default:
      return ResolveObject(row);
  }
}

Status Operands::Resolve() {
  operands_.reserve(params_.size());
  for (size_t row = 0; row < params_.size(); ++row) {
    if (Status s = ResolveRow(row); !s.ok()) return s;
  }
  first_[params_.size()] = operands_.size();
  return {};
}

Status Operands::Require(int id) const {
  if (Given(id)) return {};
  const size_t row = Row(id);
  const ParamSpec& spec = params_[row];
  if (arguments_[row].pointer != nullptr) return NotAlive(spec, arguments_[row].pointer);
  return Fail(spec_.codes.null, "{} is null, expected {} as {} is true", spec.name,
              ObjectOf(spec.kind), spec.needed_if);
}

}  // namespace anyacl
