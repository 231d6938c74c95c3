// SPDX-License-Identifier: Apache-2.0
// A call by name: tensors and arrays from descriptions, buffers and attributes, and the task.
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "aclnn/acl_meta.h"
#include "base/dtype.h"
#include "base/entry.h"
#include "base/shape.h"
#include "nnop/exports.h"
#include "nnop/phases.h"
#include "nnop/workspace.h"
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
  Formats formats = Formats::kPlain;  // that the row takes
  std::shared_ptr<TensorDesc> desc;   // null: left out
  Dims dims;
  Dims storage;  // dims, or those of panels
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
    for (const aclFloatArray* array : real_arrays_) aclDestroyFloatArray(array);
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
      const auto make = [&](const auto& source) {
        return Make(source, spec_.spec->params[i], &argument);
      };
      if (Status s = std::visit(make, spec_.sources[i]); !s.ok()) return s;
      arguments.push_back(argument);
    }
    const auto prepared = std::make_shared<PreparedCall>();
    const PrepareFunction prepare = spec_.spec->prepare;
    if (Status s = PrepareCall(*spec_.spec, prepare, arguments, prepared.get()); !s.ok()) return s;
    if (prepared->plan != nullptr && (prepared->workspace_size > 0 || !copies_.empty())) {
      prepared->plan = std::make_shared<HostedPlan>(std::move(prepared->plan), std::move(copies_));
      prepared->workspace_size = 0;
    }
    aclOpExecutor* executor = anyaclMakeExecutor(prepared);
    const int code = anyaclRunExecutor(spec_.spec->op, nullptr, 0, executor, stream);
    return Replay(code);
  }

 private:
  Status CheckCounts() const {
    int outputs = 0;
    for (const Source& source : spec_.sources) {
      const auto* output = std::get_if<Output>(&source);
      if (output != nullptr) outputs = std::max(outputs, output->output + 1);
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

  // Null if it reads none.
  static const char* AttributeOf(const Source& source) {
    const auto name = [](const auto& from) -> const char* {
      if constexpr (requires { from.name; }) return from.name;
      if constexpr (requires { from.swapped_if; }) return from.swapped_if;
      return nullptr;
    };
    return std::visit(name, source);
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
        const char* attribute = AttributeOf(source);
        known |= attribute != nullptr && name == attribute;
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
    const bool lies = spec_.as_stored && desc.storage_format == ACL_FORMAT_FRACTAL_NZ;
    const bool panels = given->formats == Formats::kPlainOrFractalNz &&
                        desc.storage_format == ACL_FORMAT_FRACTAL_NZ;
    const bool stored_plain =
        desc.storage_format == ACL_FORMAT_UNDEFINED || IsPlainFormat(desc.storage_format);
    if (!IsPlainFormat(desc.format) || !(stored_plain || panels || lies)) {
      return Fail(ACL_ERROR_INVALID_PARAM,
                  "{}[{}] of {} is stored as {}, expected {}: torch_npu stores ND with "
                  "torch.npu.config.allow_internal_format = False",
                  name, place, spec_.type, NameOf(desc.storage_format),
                  FormatsText(given->formats));
    }
    // What lies may be named by the sizes of its panels.
    const bool named = lies && desc.storage_dims == desc.dims;
    if ((panels || lies) && !named && desc.storage_dims.size() != desc.dims.size() + 2) {
      return Fail(ACL_ERROR_INVALID_PARAM,
                  "{}[{}] of {} is stored as FRACTAL_NZ in {} dimensions, expected {}: panels of a "
                  "tensor of {}",
                  name, place, spec_.type, desc.storage_dims.size(), desc.dims.size() + 2,
                  desc.dims.size());
    }
    const std::vector<int64_t>& seen = lies ? desc.storage_dims : desc.dims;
    const std::vector<int64_t>& storage = panels ? desc.storage_dims : seen;
    for (const std::vector<int64_t>& dims : {seen, storage}) {
      if (dims.size() <= Dims::kMaxRank) continue;
      return Fail(ACL_ERROR_INVALID_PARAM, "{}[{}] has {} dimensions, expected at most {}", name,
                  place, dims.size(), Dims::kMaxRank);
    }
    given->dims = Dims(seen.data(), seen.size());
    given->storage = Dims(storage.data(), storage.size());
    const int64_t elements = ElementCount(given->storage).value_or(-1);
    const int bits = BitsOf(desc.dtype);
    if (elements < 0 || bits < 8 || elements > INT64_MAX / bits) {
      return Fail(ACL_ERROR_INVALID_PARAM, "{}[{}] is {} {}, expected whole bytes and known sizes",
                  name, place, NameOf(desc.dtype), given->storage.ToString());
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
                name, place, size, given->bytes, NameOf(desc.dtype), given->storage.ToString());
  }

  static bool InHostMemory(const Given& given) {
    return given.desc->placement != ACL_MEMTYPE_DEVICE || !given.desc->constant.empty();
  }

  // Null for a tensor that is left out. `swapped`: with the last two dimensions the other way
  // round.
  Status MakeTensor(bool output, int place, const aclTensor** tensor, bool swapped = false,
                    Formats formats = Formats::kPlain) {
    Given given;
    given.formats = formats;
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
                              given.storage == given.dims ? ACL_FORMAT_ND : ACL_FORMAT_FRACTAL_NZ,
                              given.storage.begin(), given.storage.rank(), given.data);
    if (*tensor == nullptr) {
      return Fail(ACL_ERROR_INVALID_PARAM,
                  "tensor {} of {} is not possible, see the message before", place, spec_.type);
    }
    tensors_.push_back(*tensor);
    return {};
  }

  Status MakeTensor(bool output, int place, Argument* argument, bool swapped = false,
                    Formats formats = Formats::kPlain) {
    const aclTensor* tensor = nullptr;
    Status s = MakeTensor(output, place, &tensor, swapped, formats);
    *argument = static_cast<const void*>(tensor);
    return s;
  }

  // A tensor of few integers, such as axes, that is known when the call is made.
  Status Make(const InputValues& source, const ParamSpec& row, Argument* argument) {
    Given given;
    if (Status s = Read(false, source.input, &given); !s.ok()) return s;
    const bool wide = given.desc != nullptr && given.desc->dtype == ACL_INT64;
    if (given.desc == nullptr || (!wide && given.desc->dtype != ACL_INT32) ||
        !InHostMemory(given)) {
      return Fail(ACL_ERROR_INVALID_PARAM,
                  "inputDesc[{}] of {} ({}) is not INT32 or INT64 in host memory", source.input,
                  spec_.type, row.name);
    }
    std::vector<int64_t> values;
    for (int64_t i = 0; i < given.bytes / (wide ? 8 : 4); ++i) {
      const char* from = static_cast<const char*>(given.data) + i * (wide ? 8 : 4);
      int64_t value = 0;
      int32_t narrow = 0;
      std::memcpy(wide ? static_cast<void*>(&value) : &narrow, from, wide ? 8 : 4);
      values.push_back(wide ? value : narrow);
    }
    return MakeArray(values, argument);
  }

  // A number that is known when the call is made.
  Status Make(const InputScalar& source, const ParamSpec& row, Argument* argument) {
    Given given;
    if (Status s = Read(false, source.input, &given); !s.ok()) return s;
    if (given.desc == nullptr || !InHostMemory(given) || ElementCount(given.dims) != 1) {
      return Fail(ACL_ERROR_INVALID_PARAM,
                  "inputDesc[{}] of {} ({}) is not one number in host memory", source.input,
                  spec_.type, row.name);
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

  Status Make(const InputList& source, const ParamSpec& row, Argument* argument) {
    std::vector<const aclTensor*> members;
    for (int i = source.first; i < call_.num_inputs; ++i) {
      const aclTensor* tensor = nullptr;
      if (Status s = MakeTensor(false, i, &tensor); !s.ok()) return s;
      if (tensor == nullptr) {
        return Fail(ACL_ERROR_INVALID_PARAM, "{}[{}] of {} is left out, expected a tensor",
                    row.name, i - source.first, spec_.type);
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

  Status WrongAttribute(const char* name, const char* expected) const {
    return Fail(ACL_ERROR_INVALID_PARAM, "attribute \"{}\" of {} is of another type, expected {}",
                name, spec_.type, expected);
  }

  Status Make(const TextAttribute& source, const ParamSpec&, Argument* argument) {
    const OpAttributes::Value* value = FindAttribute(source.name);
    *argument = static_cast<const void*>(source.absent);
    // torch_npu hands some texts over as a bool, which a C string turns into on its way.
    if (value == nullptr || std::holds_alternative<bool>(*value)) return {};
    const auto* text = std::get_if<std::string>(value);
    if (text == nullptr) return WrongAttribute(source.name, "a text");
    *argument = static_cast<const void*>(text->c_str());
    return {};
  }
  Status Make(const RealAttribute& source, const ParamSpec& row, Argument* argument) {
    const OpAttributes::Value* value = FindAttribute(source.name);
    double real = source.absent;
    if (value != nullptr) {
      const auto* given = std::get_if<float>(value);
      if (given == nullptr) return WrongAttribute(source.name, "a float");
      real = *given;
    }
    if (row.kind == Kind::kScalar) {
      auto narrow = static_cast<float>(real);
      return MakeScalar(&narrow, ACL_FLOAT, argument);
    }
    *argument = real;
    return {};
  }
  Status Make(const ListAttribute& source, const ParamSpec&, Argument* argument) {
    const OpAttributes::Value* value = FindAttribute(source.name);
    if (value == nullptr) return MakeArray({}, argument);
    const auto* list = std::get_if<std::vector<int64_t>>(value);
    if (list == nullptr) return WrongAttribute(source.name, "a list of integers");
    return MakeArray(*list, argument);
  }
  Status Make(const RealListAttribute& source, const ParamSpec&, Argument* argument) {
    const OpAttributes::Value* value = FindAttribute(source.name);
    const std::vector<float> none;
    const auto* list = value == nullptr ? &none : std::get_if<std::vector<float>>(value);
    if (list == nullptr) return WrongAttribute(source.name, "a list of floats");
    real_arrays_.push_back(aclCreateFloatArray(list->data(), list->size()));
    *argument = static_cast<const void*>(real_arrays_.back());
    return {};
  }
  Status Make(const IntAttribute& source, const ParamSpec&, Argument* argument) {
    const OpAttributes::Value* value = FindAttribute(source.name);
    int64_t integer = source.absent;
    if (value != nullptr && !ReadInteger(*value, &integer)) {
      // A list of one, as nodes have axes.
      const auto* list = std::get_if<std::vector<int64_t>>(value);
      if (list == nullptr || list->size() != 1) {
        return WrongAttribute(source.name, "an integer or a bool");
      }
      integer = list->front();
    }
    *argument = integer;
    return {};
  }

  Status Make(const Input& source, const ParamSpec& row, Argument* argument) {
    const OpAttributes::Value* value =
        source.swapped_if != nullptr ? FindAttribute(source.swapped_if) : nullptr;
    int64_t swapped = 0;
    if (value != nullptr && !ReadInteger(*value, &swapped)) {
      return WrongAttribute(source.swapped_if, "a bool");
    }
    return MakeTensor(false, source.input, argument, swapped != 0, row.formats);
  }
  Status Make(const Output& source, const ParamSpec&, Argument* argument) {
    return MakeTensor(true, source.output, argument);
  }
  Status Make(const OutputType& source, const ParamSpec&, Argument* argument) {
    Given given;
    if (Status s = Read(true, source.output, &given); !s.ok()) return s;
    *argument = int64_t{given.desc != nullptr ? given.desc->dtype : ACL_DT_UNDEFINED};
    return {};
  }
  Status Make(const Constant& source, const ParamSpec& row, Argument* argument) {
    int64_t value = source.value;
    if (row.kind == Kind::kScalar) return MakeScalar(&value, ACL_INT64, argument);
    *argument = value;
    return {};
  }

  const SingleOpSpec& spec_;
  const SingleOpCall& call_;
  std::shared_ptr<OpAttributes> attributes_;
  std::vector<const aclTensor*> tensors_;
  std::vector<const aclTensorList*> lists_;
  std::vector<const aclIntArray*> arrays_;
  std::vector<const aclFloatArray*> real_arrays_;
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
