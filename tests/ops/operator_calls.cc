// SPDX-License-Identifier: Apache-2.0
#include "ops/operator_calls.h"

#include <algorithm>

namespace anyacl::test {
namespace {

std::vector<int64_t> SizesOf(const CallHints& hints, std::string_view word) {
  const bool any_run = word.ends_with("*");
  const bool run = any_run || word.ends_with("..");
  if (word.starts_with("~")) word.remove_prefix(1);
  if (run) word.remove_suffix(any_run ? 1 : 2);
  if (word.ends_with("+") || word.ends_with("?")) word.remove_suffix(1);
  if (word.empty()) return {2, 3};
  if (word[0] >= '0' && word[0] <= '9') return {std::stoll(std::string(word))};
  int64_t divisor = 1;
  if (const size_t slash = word.find('/'); slash != word.npos) {
    divisor = std::stoll(std::string(word.substr(slash + 1)));
    word = word.substr(0, slash);
  }
  const auto known = hints.sizes.find(word);
  if (known == hints.sizes.end()) return run ? std::vector<int64_t>{2, 3} : std::vector<int64_t>{4};
  std::vector<int64_t> sizes = known->second;
  for (int64_t& size : sizes) size /= divisor;
  return sizes;
}

// "N*C": their product.
int64_t ElementsOf(const CallHints& hints, std::string_view product) {
  int64_t count = 1;
  while (!product.empty()) {
    const size_t end = std::min(product.find('*'), product.size());
    count *= SizesOf(hints, product.substr(0, end)).front();
    product.remove_prefix(std::min(end + 1, product.size()));
  }
  return count;
}

aclDataType FirstType(const ParamSpec& row) {
  for (int type = 0; type < 64; ++type) {
    if (row.dtypes.Contains(static_cast<aclDataType>(type))) return static_cast<aclDataType>(type);
  }
  return ACL_FLOAT;
}

Layout LayoutOf(const OperatorTable& table, const ParamSpec& row) {
  Layout layout;
  layout.dtype = FirstType(row);
  const bool packed = row.packed_dims != nullptr && layout.dtype == ACL_INT32;
  layout.dims = DimsOf(table, row, packed ? row.packed_dims : row.dims);
  const bool nz = row.formats == Formats::kFractalNz ||
                  (row.formats == Formats::kPlainOrFractalNz && layout.dims.size() == 5);
  if (nz) layout.format = ACL_FORMAT_FRACTAL_NZ;
  return layout;
}

std::vector<OperatorTable> MakeTables() {
  std::vector<OperatorTable> tables;
  const auto add = [&tables](const OpSpec& spec, std::span<const ParamSpec> rows,
                             const std::string& name) {
    tables.push_back({&spec, rows, name});
    for (const std::string& hint : HintNames()) {
      if (hint.starts_with(name + "_with_")) tables.push_back({&spec, rows, hint, true});
    }
  };
  for (const OperatorFolder& folder : OperatorFolders()) {
    for (const OpSpec& spec : folder.operators) {
      std::string name = spec.op.phase_two;
      name.erase(0, name.starts_with("aclnn") ? 5 : 3);  // aclStft
      if (spec.variants.empty()) add(spec, spec.params, name);
      for (const TableVariant& variant : spec.variants) {
        std::string title = variant.title;
        std::replace(title.begin(), title.end(), ' ', '_');
        add(spec, variant.params, name + "_" + title);
      }
    }
  }
  return tables;
}

}  // namespace

const std::vector<OperatorTable>& OperatorTables() {
  static const std::vector<OperatorTable> kTables = MakeTables();
  return kTables;
}

std::vector<int64_t> DimsOf(const OperatorTable& table, const ParamSpec& row, const char* dims) {
  const CallHints& hints = HintsOf(table);
  const auto chosen = hints.alternatives.find(row.name);
  size_t left = chosen == hints.alternatives.end() ? SIZE_MAX : chosen->second;
  DimAlternatives alternatives(dims);
  while (alternatives.Next() && left > 0) --left;
  const std::span<const std::string_view> words = alternatives.words();
  if (row.elements != nullptr && words.size() == 1 && words[0] == "*") {
    return {ElementsOf(hints, row.elements)};
  }
  std::vector<int64_t> sizes;
  for (std::string_view word : words) {
    const std::vector<int64_t> some = SizesOf(hints, word);
    sizes.insert(sizes.end(), some.begin(), some.end());
  }
  return sizes;
}

Call RightCall(const OperatorTable& table) {
  const CallHints& hints = HintsOf(table);
  Call call;
  for (const ParamSpec& row : table.rows) {
    CallArgument argument;
    const auto value = hints.values.find(row.name);
    const bool absent =
        std::find(hints.absent.begin(), hints.absent.end(), row.name) != hints.absent.end();
    if (value != hints.values.end()) {
      argument = value->second;
    } else if (IsTensor(row.kind)) {
      if (!absent && row.need != Need::kReserved) argument.layout = LayoutOf(table, row);
    } else if (IsInteger(row.kind)) {
      argument.integer = std::max<int64_t>(row.min, 0);
    } else if (row.kind == Kind::kDouble || row.kind == Kind::kFloat || row.kind == Kind::kScalar ||
               row.kind == Kind::kScalarList) {
      argument.real = 1;
    } else if (row.kind == Kind::kIntArray || row.kind == Kind::kFloatArray ||
               row.kind == Kind::kBoolArray) {
      argument.array = std::vector<int64_t>{0};
    }
    call.push_back(argument);
  }
  return call;
}

bool IsGiven(const ParamSpec& row, const CallArgument& argument) {
  if (!IsPointer(row.kind) || argument.null) return false;
  switch (row.kind) {
    case Kind::kTensor:
    case Kind::kTensorList:
      return argument.layout.has_value();
    case Kind::kIntArray:
    case Kind::kFloatArray:
    case Kind::kBoolArray:
      return argument.array.has_value();
    case Kind::kText:
    case Kind::kMutableText:
      return argument.text != nullptr;
    default:
      return true;
  }
}

CallObjects::CallObjects(const OperatorTable& table, const Call& call) : spec_(*table.spec) {
  for (size_t i = 0; i < call.size(); ++i) arguments_.push_back(ObjectOf(table.rows[i], call[i]));
}

CallObjects::~CallObjects() {
  for (const auto& destroy : destroy_) destroy();
}

std::vector<void*> CallObjects::Addresses() const {
  std::vector<void*> addresses;
  for (const auto& tensor : tensors_) addresses.push_back(tensor->data());
  return addresses;
}

bool CallObjects::fits() const {
  return std::all_of(tensors_.begin(), tensors_.end(),
                     [](const auto& tensor) { return tensor->fits(); });
}

namespace {

// Refused calls look at little memory, or at none.
constexpr int64_t kMostBytes = 1 << 16;

}  // namespace

void CallObjects::Replace(size_t i, const Layout& layout) {
  const auto tensor = std::find_if(tensors_.begin(), tensors_.end(), [&](const auto& t) {
    return t->handle() == arguments_[i].pointer;
  });
  *tensor = std::make_unique<Tensor>(layout, kMostBytes);
  arguments_[i] = (*tensor)->handle();
}

Argument CallObjects::ObjectOf(const ParamSpec& row, const CallArgument& argument) {
  const void* const null = nullptr;
  if (IsPointer(row.kind) && argument.null) return null;
  switch (row.kind) {
    case Kind::kTensor:
    case Kind::kTensorList: {
      if (!argument.layout) return null;
      std::vector<const aclTensor*> members;
      for (size_t i = 0; i < (row.kind == Kind::kTensor ? 1 : argument.members); ++i) {
        tensors_.push_back(std::make_unique<Tensor>(*argument.layout, kMostBytes));
        members.push_back(tensors_.back()->handle());
      }
      if (row.kind == Kind::kTensor) return members[0];
      const aclTensorList* list = aclCreateTensorList(members.data(), members.size());
      destroy_.push_back(
          [this, list, first = tensors_.size() - members.size(), count = members.size()] {
            // A list takes its members along.
            for (size_t i = first; i < first + count; ++i) tensors_[i]->Destroy();
            aclDestroyTensorList(list);
          });
      return list;
    }
    case Kind::kScalar: {
      auto real = static_cast<float>(argument.real);
      auto wide = argument.real;
      auto integer = static_cast<int64_t>(argument.scalar == ACL_FLOAT ? 0 : argument.real);
      auto flag = static_cast<uint8_t>(integer != 0);
      void* const value = argument.scalar == ACL_FLOAT    ? static_cast<void*>(&real)
                          : argument.scalar == ACL_DOUBLE ? static_cast<void*>(&wide)
                          : argument.scalar == ACL_INT64  ? static_cast<void*>(&integer)
                                                          : static_cast<void*>(&flag);
      const aclScalar* scalar = aclCreateScalar(value, argument.scalar);
      destroy_.push_back([scalar] { aclDestroyScalar(scalar); });
      return scalar;
    }
    case Kind::kIntArray: {
      if (!argument.array) return null;
      const aclIntArray* array = aclCreateIntArray(argument.array->data(), argument.array->size());
      destroy_.push_back([array] { aclDestroyIntArray(array); });
      return array;
    }
    case Kind::kBoolArray: {
      if (!argument.array) return null;
      const auto values = std::make_unique<bool[]>(argument.array->size());
      std::copy(argument.array->begin(), argument.array->end(), values.get());
      const aclBoolArray* array = aclCreateBoolArray(values.get(), argument.array->size());
      destroy_.push_back([array] { aclDestroyBoolArray(array); });
      return array;
    }
    case Kind::kFloatArray: {
      if (!argument.array) return null;
      const std::vector<float> values(argument.array->begin(), argument.array->end());
      const aclFloatArray* array = aclCreateFloatArray(values.data(), values.size());
      destroy_.push_back([array] { aclDestroyFloatArray(array); });
      return array;
    }
    case Kind::kScalarList: {
      auto value = static_cast<float>(argument.real);
      const aclScalar* scalar = aclCreateScalar(&value, ACL_FLOAT);
      const aclScalarList* list = aclCreateScalarList(&scalar, 1);
      destroy_.push_back([list] { aclDestroyScalarList(list); });
      return list;
    }
    case Kind::kDouble:
    case Kind::kFloat:
      return argument.real;
    case Kind::kText:
    case Kind::kMutableText:
      return static_cast<const void*>(argument.text);
    default:
      return argument.integer;
  }
}

Phase1 CallObjects::PhaseOne() const {
  return [this](uint64_t* workspace_size, aclOpExecutor** executor) {
    return anyacl::PhaseOne(spec_, std::span<const Argument>(arguments_), workspace_size, executor);
  };
}

}  // namespace anyacl::test
