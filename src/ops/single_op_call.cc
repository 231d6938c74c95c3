// SPDX-License-Identifier: Apache-2.0
// A call by name: tensors and arrays from descriptions, buffers and attributes, and the task.
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <variant>
#include <vector>

#include "aclnn/acl_meta.h"
#include "base/dtype.h"
#include "base/entry.h"
#include "base/shape.h"
#include "nnop/exports.h"
#include "nnop/operands.h"
#include "ops/single_op_exports.h"
#include "ops/single_operators.h"
#include "single_op/exports.h"

namespace anyacl {
namespace {

struct AlignedDelete {
  void operator()(char* bytes) const {
    ::operator delete[](bytes, std::align_val_t{kWorkspaceAlignment});
  }
};
using AlignedBytes = std::unique_ptr<char[], AlignedDelete>;
AlignedBytes NewBytes(uint64_t size) {
  return AlignedBytes(static_cast<char*>(
      ::operator new[](std::max<uint64_t>(size, 1), std::align_val_t{kWorkspaceAlignment})));
}

// A plan with what a call by name has no memory of the client's for: the workspace, which lives as
// long as a run, and copies of tensors from host memory.
class HostedPlan final : public Plan {
 public:
  HostedPlan(std::shared_ptr<const Plan> plan, std::vector<AlignedBytes> copies)
      : plan_(std::move(plan)), copies_(std::move(copies)) {}
  Status CheckRunnable() const override { return plan_->CheckRunnable(); }
  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    const AlignedBytes workspace = NewBytes(plan_->workspace_size());
    return plan_->Run({bindings.data, workspace.get()}, stop);
  }

 private:
  const std::shared_ptr<const Plan> plan_;
  const std::vector<AlignedBytes> copies_;
};

// A tensor of the call.
struct Given {
  std::shared_ptr<TensorDesc> desc;  // null: left out
  Dims dims;
  void* data = nullptr;
  int64_t bytes = 0;
};

class Call {
 public:
  Call(const SingleOpSpec& spec, const SingleOpCall& call) : spec_(spec), call_(call) {}
  ~Call() {
    for (const aclTensorList* list : lists_) aclDestroyTensorList(list);
    for (const aclTensor* tensor : tensors_) aclDestroyTensor(tensor);
    for (const aclIntArray* array : arrays_) aclDestroyIntArray(array);
    for (const aclScalar* scalar : scalars_) aclDestroyScalar(scalar);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Status Run(aclrtStream stream) {
    if (Status s = CheckCounts(); !s.ok()) return s;
    if (Status s = ReadAttributes(); !s.ok()) return s;
    std::vector<Argument> arguments;
    for (size_t i = 0; i < spec_.sources.size(); ++i) {
      Argument argument(int64_t{0});
      if (Status s = Make(spec_.sources[i], spec_.spec->params[i], &argument); !s.ok()) return s;
      arguments.push_back(argument);
    }
    Operands operands(*spec_.spec, arguments);
    if (Status s = operands.Resolve(); !s.ok()) return s;
    PreparedCall prepared;
    prepared.op = &spec_.spec->op;
    if (Status s = spec_.spec->prepare(operands, &prepared); !s.ok()) return s;
    prepared.slots = operands.Slots();
    if (prepared.plan != nullptr && (prepared.plan->workspace_size() > 0 || !copies_.empty())) {
      prepared.plan = std::make_shared<HostedPlan>(std::move(prepared.plan), std::move(copies_));
    }
    aclOpExecutor* executor = anyaclMakeExecutor(std::move(prepared));
    const int code = anyaclRunExecutor(spec_.spec->op, nullptr, 0, executor, stream);
    return Replay(code);
  }

 private:
  using From = Source::From;

  Status CheckCounts() const {
    int outputs = 0;
    for (const Source& source : spec_.sources) {
      if (source.from == From::kOutput) outputs = std::max(outputs, source.place + 1);
    }
    if (const int inputs = MostInputs(spec_); call_.num_inputs > inputs) {
      return Fail(ACL_ERROR_INVALID_PARAM, "{} has {} inputs, expected at most {}", spec_.type,
                  call_.num_inputs, inputs);
    }
    if (call_.num_outputs == outputs) return {};
    return Fail(ACL_ERROR_INVALID_PARAM, "{} has {} outputs, expected {}", spec_.type,
                call_.num_outputs, outputs);
  }

  // Of an integer or a bool.
  static bool ReadInteger(const OpAttributes::Value& value, int64_t* integer) {
    if (const auto* flag = std::get_if<bool>(&value)) {
      *integer = int64_t{*flag};
      return true;
    }
    if (const auto* number = std::get_if<int64_t>(&value)) {
      *integer = *number;
      return true;
    }
    return false;
  }

  const OpAttributes::Value* FindAttribute(const char* name) const {
    if (attributes_ == nullptr) return nullptr;
    const auto found = attributes_->values.find(name);
    return found == attributes_->values.end() ? nullptr : &found->second;
  }

  Status ReadAttributes() {
    if (call_.attributes == nullptr) return {};
    if (!anyaclFindOpAttributes(call_.attributes, &attributes_)) {
      return Fail(ACL_ERROR_INVALID_PARAM, "attr {} is not a live set of attributes",
                  static_cast<const void*>(call_.attributes));
    }
    for (const auto& [name, value] : attributes_->values) {
      bool known = false;
      for (const Source& source : spec_.sources) {
        known |= source.attribute != nullptr && name == source.attribute;
      }
      for (const char* ignored : spec_.ignored) known |= name == ignored;
      for (const FixedAttribute& fixed : spec_.fixed) {
        if (name != fixed.name) continue;
        known = true;
        int64_t integer = 0;
        if (ReadInteger(value, &integer) && integer == fixed.value) continue;
        return Fail(ACL_ERROR_INVALID_PARAM, "attribute \"{}\" of {} is expected to be {}", name,
                    spec_.type, fixed.value);
      }
      if (known) continue;
      return Fail(ACL_ERROR_INVALID_PARAM, "attribute \"{}\" of {} is not known here", name,
                  spec_.type);
    }
    return {};
  }

  // Of the inputs or outputs.
  Status Read(bool output, int place, Given* given) const {
    const int count = output ? call_.num_outputs : call_.num_inputs;
    const aclTensorDesc* const* descs = output ? call_.output_descs : call_.input_descs;
    const aclDataBuffer* const* buffers = output ? call_.outputs : call_.inputs;
    const char* name = output ? "outputDesc" : "inputDesc";
    if (place >= count) return {};
    if (descs == nullptr || buffers == nullptr) {
      return Fail(ACL_ERROR_INVALID_PARAM, "{} or its buffers are null, expected {} of them", name,
                  count);
    }
    if (!anyaclFindTensorDesc(descs[place], &given->desc)) {
      return Fail(ACL_ERROR_INVALID_PARAM, "{}[{}] {} is not a live tensor description", name,
                  place, static_cast<const void*>(descs[place]));
    }
    const TensorDesc& desc = *given->desc;
    if (desc.dtype == ACL_DT_UNDEFINED) {  // an optional input that is left out
      given->desc.reset();
      return {};
    }
    if (!IsPlainFormat(desc.format) ||
        (desc.storage_format != ACL_FORMAT_UNDEFINED && !IsPlainFormat(desc.storage_format))) {
      return Fail(ACL_ERROR_INVALID_PARAM,
                  "{}[{}] of {} is stored as {}, expected ND: torch_npu sets that with "
                  "torch.npu.config.allow_internal_format = False",
                  name, place, spec_.type, NameOf(desc.storage_format));
    }
    if (desc.dims.size() > Dims::kMaxRank) {
      return Fail(ACL_ERROR_INVALID_PARAM, "{}[{}] has {} dimensions, expected at most {}", name,
                  place, desc.dims.size(), Dims::kMaxRank);
    }
    given->dims = Dims(desc.dims.data(), desc.dims.size());
    const int64_t elements = ElementCount(given->dims).value_or(-1);
    const int bits = BitsOf(desc.dtype);
    if (elements < 0 || bits < 8 || elements > INT64_MAX / bits) {
      return Fail(ACL_ERROR_INVALID_PARAM, "{}[{}] is {} {}, expected whole bytes and known sizes",
                  name, place, NameOf(desc.dtype), given->dims.ToString());
    }
    given->bytes = elements * (bits / 8);
    given->data = aclGetDataBufferAddr(buffers[place]);
    const size_t size = aclGetDataBufferSizeV2(buffers[place]);
    if (desc.constant.size() >= static_cast<uint64_t>(given->bytes) && given->data == nullptr) {
      given->data = given->desc->constant.data();
      return {};
    }
    if (given->data == nullptr && given->bytes > 0) {
      return Fail(ACL_ERROR_INVALID_PARAM, "the buffer of {}[{}] is at null, expected {} bytes",
                  name, place, given->bytes);
    }
    if (output && InHostMemory(*given)) {
      return Fail(ACL_ERROR_INVALID_PARAM, "{}[{}] is in host memory, expected a device's", name,
                  place);
    }
    if (size >= static_cast<uint64_t>(given->bytes)) return {};
    return Fail(ACL_ERROR_INVALID_PARAM, "the buffer of {}[{}] has {} bytes, expected {} for {} {}",
                name, place, size, given->bytes, NameOf(desc.dtype), given->dims.ToString());
  }

  static bool InHostMemory(const Given& given) {
    return given.desc->placement != ACL_MEMTYPE_DEVICE || !given.desc->constant.empty();
  }

  // Null for a tensor that is left out. `swapped`: with the last two dimensions the other way
  // round.
  Status MakeTensor(bool output, int place, const aclTensor** tensor, bool swapped = false) {
    Given given;
    *tensor = nullptr;
    if (Status s = Read(output, place, &given); !s.ok() || given.desc == nullptr) return s;
    if (InHostMemory(given) && given.data != nullptr) {
      copies_.push_back(NewBytes(static_cast<uint64_t>(given.bytes)));
      std::memcpy(copies_.back().get(), given.data, static_cast<size_t>(given.bytes));
      given.data = copies_.back().get();
    }
    Dims strides = ContiguousStrides(given.dims), dims = given.dims;
    if (const size_t rank = dims.rank(); swapped && rank >= 2) {
      std::swap(dims[rank - 2], dims[rank - 1]);
      std::swap(strides[rank - 2], strides[rank - 1]);
    }
    *tensor = aclCreateTensor(dims.begin(), dims.rank(), given.desc->dtype, strides.begin(), 0,
                              ACL_FORMAT_ND, given.dims.begin(), given.dims.rank(), given.data);
    if (*tensor == nullptr) {
      return Fail(ACL_ERROR_INVALID_PARAM,
                  "tensor {} of {} is not possible, see the message before", place, spec_.type);
    }
    tensors_.push_back(*tensor);
    return {};
  }

  // A tensor of few integers, such as axes, that is known when the call is made.
  Status ReadIntegers(int place, const char* parameter, std::vector<int64_t>* values) const {
    Given given;
    if (Status s = Read(false, place, &given); !s.ok()) return s;
    const bool wide = given.desc != nullptr && given.desc->dtype == ACL_INT64;
    if (given.desc == nullptr || (!wide && given.desc->dtype != ACL_INT32) ||
        !InHostMemory(given)) {
      return Fail(ACL_ERROR_INVALID_PARAM,
                  "inputDesc[{}] of {} ({}) is not INT32 or INT64 in host memory", place,
                  spec_.type, parameter);
    }
    for (int64_t i = 0; i < given.bytes / (wide ? 8 : 4); ++i) {
      const char* from = static_cast<const char*>(given.data) + i * (wide ? 8 : 4);
      int64_t value = 0;
      int32_t narrow = 0;
      std::memcpy(wide ? static_cast<void*>(&value) : &narrow, from, wide ? 8 : 4);
      values->push_back(wide ? value : narrow);
    }
    return {};
  }

  // A number that is known when the call is made.
  Status MakeScalar(int place, const char* parameter, Argument* argument) {
    Given given;
    if (Status s = Read(false, place, &given); !s.ok()) return s;
    if (given.desc == nullptr || !InHostMemory(given) || ElementCount(given.dims) != 1) {
      return Fail(ACL_ERROR_INVALID_PARAM,
                  "inputDesc[{}] of {} ({}) is not one number in host memory", place, spec_.type,
                  parameter);
    }
    return MakeScalar(given.data, given.desc->dtype, argument);
  }
  Status MakeScalar(void* value, aclDataType dtype, Argument* argument) {
    const aclScalar* scalar = aclCreateScalar(value, dtype);
    if (scalar == nullptr) {
      return Fail(ACL_ERROR_INVALID_PARAM, "a scalar of {} is not possible, see the message before",
                  spec_.type);
    }
    scalars_.push_back(scalar);
    *argument = static_cast<const void*>(scalar);
    return {};
  }

  Status MakeList(int place, const ParamSpec& row, Argument* argument) {
    std::vector<const aclTensor*> members;
    for (int i = place; i < call_.num_inputs; ++i) {
      const aclTensor* tensor = nullptr;
      if (Status s = MakeTensor(false, i, &tensor); !s.ok()) return s;
      if (tensor == nullptr) {
        return Fail(ACL_ERROR_INVALID_PARAM, "{}[{}] of {} is left out, expected a tensor",
                    row.name, i - place, spec_.type);
      }
      members.push_back(tensor);
    }
    // The list owns its members.
    tensors_.resize(tensors_.size() - members.size());
    lists_.push_back(aclCreateTensorList(members.data(), members.size()));
    *argument = static_cast<const void*>(lists_.back());
    return {};
  }

  Status MakeArray(std::span<const int64_t> values, Argument* argument) {
    arrays_.push_back(aclCreateIntArray(values.data(), values.size()));
    *argument = static_cast<const void*>(arrays_.back());
    return {};
  }

  Status MakeAttribute(const Source& source, const ParamSpec& row, Argument* argument) {
    const OpAttributes::Value* value = FindAttribute(source.attribute);
    switch (row.kind) {
      case Kind::kText:
        *argument = static_cast<const void*>(source.text);
        // torch_npu hands some texts over as a bool, which a C string turns into on its way.
        if (value == nullptr || std::holds_alternative<bool>(*value)) return {};
        if (const auto* text = std::get_if<std::string>(value)) {
          *argument = static_cast<const void*>(text->c_str());
          return {};
        }
        break;
      case Kind::kDouble:
        *argument = source.real;
        if (value == nullptr) return {};
        if (const auto* real = std::get_if<float>(value)) {
          *argument = static_cast<double>(*real);
          return {};
        }
        break;
      case Kind::kScalar: {
        auto real = static_cast<float>(source.real);
        if (value == nullptr) return MakeScalar(&real, ACL_FLOAT, argument);
        if (const auto* given = std::get_if<float>(value)) {
          real = *given;
          return MakeScalar(&real, ACL_FLOAT, argument);
        }
        break;
      }
      case Kind::kIntArray:
        if (value == nullptr) return MakeArray({}, argument);
        if (const auto* list = std::get_if<std::vector<int64_t>>(value)) {
          return MakeArray(*list, argument);
        }
        break;
      default: {
        int64_t integer = source.integer;
        if (value == nullptr || ReadInteger(*value, &integer)) {
          *argument = integer;
          return {};
        }
        // A list of one, as nodes have axes.
        const auto* list = std::get_if<std::vector<int64_t>>(value);
        if (list != nullptr && list->size() == 1) {
          *argument = list->front();
          return {};
        }
      }
    }
    return Fail(ACL_ERROR_INVALID_PARAM, "attribute \"{}\" of {} is of another type, expected {}",
                source.attribute, spec_.type,
                row.kind == Kind::kText                                  ? "a text"
                : row.kind == Kind::kDouble || row.kind == Kind::kScalar ? "a float"
                : row.kind == Kind::kIntArray                            ? "a list of integers"
                                                                         : "an integer or a bool");
  }

  Status Make(const Source& source, const ParamSpec& row, Argument* argument) {
    switch (source.from) {
      case From::kInput:
      case From::kOutput: {
        const aclTensor* tensor = nullptr;
        int64_t swapped = 0;
        if (source.attribute != nullptr) {
          const OpAttributes::Value* value = FindAttribute(source.attribute);
          if (value != nullptr && !ReadInteger(*value, &swapped)) {
            return Fail(ACL_ERROR_INVALID_PARAM,
                        "attribute \"{}\" of {} is of another type, expected a bool",
                        source.attribute, spec_.type);
          }
        }
        Status s = MakeTensor(source.from == From::kOutput, source.place, &tensor, swapped != 0);
        *argument = static_cast<const void*>(tensor);
        return s;
      }
      case From::kInputList:
        return MakeList(source.place, row, argument);
      case From::kInputValues: {
        std::vector<int64_t> values;
        if (Status s = ReadIntegers(source.place, row.name, &values); !s.ok()) return s;
        return MakeArray(values, argument);
      }
      case From::kOutputType: {
        Given given;
        if (Status s = Read(true, source.place, &given); !s.ok()) return s;
        *argument = int64_t{given.desc != nullptr ? given.desc->dtype : ACL_DT_UNDEFINED};
        return {};
      }
      case From::kInputScalar:
        return MakeScalar(source.place, row.name, argument);
      case From::kConstant: {
        int64_t value = source.integer;
        if (row.kind == Kind::kScalar) return MakeScalar(&value, ACL_INT64, argument);
        *argument = value;
        return {};
      }
      case From::kAttribute:
        return MakeAttribute(source, row, argument);
    }
    return {};
  }

  const SingleOpSpec& spec_;
  const SingleOpCall& call_;
  std::shared_ptr<OpAttributes> attributes_;
  std::vector<const aclTensor*> tensors_;
  std::vector<const aclTensorList*> lists_;
  std::vector<const aclIntArray*> arrays_;
  std::vector<const aclScalar*> scalars_;
  std::vector<AlignedBytes> copies_;
};

}  // namespace

Status RunSingleOperator(const SingleOpSpec& spec, const SingleOpCall& call, aclrtStream stream) {
  return Call(spec, call).Run(stream);
}

}  // namespace anyacl

extern "C" {

bool anyaclOffersSingleOperator(const char* op_type) {
  return op_type != nullptr && anyacl::FindSingleOperator(op_type) != nullptr;
}

int anyaclRunSingleOperator(const char* api, const char* op_type, int num_inputs,
                            const aclTensorDesc* const input_descs[],
                            const aclDataBuffer* const inputs[], int num_outputs,
                            const aclTensorDesc* const output_descs[],
                            const aclDataBuffer* const outputs[], const aclopAttr* attributes,
                            aclrtStream stream) {
  return anyacl::Entry(api, [&] {
    return anyacl::RunSingleOperator(
        *anyacl::FindSingleOperator(op_type, num_inputs),
        {num_inputs, input_descs, inputs, num_outputs, output_descs, outputs, attributes}, stream);
  });
}
}
