// SPDX-License-Identifier: Apache-2.0
#include "nnop/operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "nnop/exports.h"

namespace anyacl {
namespace {

// Marks of a run of sizes, of at least one or of any number.
constexpr std::string_view kRun = "..";
constexpr std::string_view kAnyRun = "*";

bool IsAnyRun(std::string_view word) { return word.ends_with(kAnyRun); }
bool IsRun(std::string_view word) { return word.ends_with(kRun) || IsAnyRun(word); }

std::string_view RunSymbol(std::string_view word) {
  return word.substr(0, word.size() - (IsAnyRun(word) ? kAnyRun : kRun).size());
}

// Whether a shape of this rank may have these dimensions.
bool FitsRank(std::span<const std::string_view> words, size_t rank, size_t max_rank) {
  const auto run = std::find_if(words.begin(), words.end(), IsRun);
  if (run == words.end()) return rank == words.size();
  return rank + (IsAnyRun(*run) ? 1 : 0) >= words.size() && rank <= max_rank;
}

// "H/8" -> {"H", 8}; "H" -> {"H", 1}.
struct Quotient {
  std::string_view symbol;
  int64_t divisor = 1;
};

Quotient ParseQuotient(std::string_view word) {
  const size_t slash = word.find('/');
  if (slash == std::string_view::npos) return {word, 1};
  Quotient quotient{word.substr(0, slash), 1};
  std::from_chars(word.data() + slash + 1, word.data() + word.size(), quotient.divisor);
  return quotient;
}

// 64 bits times 64 bits, so that no stride or size that a client can name overflows.
__extension__ typedef __int128 Wide;

// The bytes that the elements of a view touch, relative to the tensor's address.
struct Extent {
  int64_t begin;
  int64_t end;
};

Wide FloorDiv(Wide a, Wide b) { return a / b - (a % b < 0 ? 1 : 0); }

// Nothing if a byte is 2^60 or more away, which no address space reaches. The tensor has elements.
std::optional<Extent> ExtentOf(const TensorLayout& layout) {
  constexpr Wide kLimit = Wide{1} << 60;
  Wide low = layout.offset;
  Wide high = layout.offset;
  for (size_t i = 0; i < layout.shape.rank(); ++i) {
    const Wide step = Wide{layout.shape[i] - 1} * layout.strides[i];
    (step < 0 ? low : high) += step;
    if (low < -kLimit || high > kLimit) return {};  // before 25 such steps could overflow, too
  }
  const Wide bits = BitsOf(layout.dtype);
  const Wide begin = FloorDiv(low * bits, 8);
  const Wide end = FloorDiv((high + 1) * bits + 7, 8);
  if (begin < -kLimit || end > kLimit) return {};
  return Extent{static_cast<int64_t>(begin), static_cast<int64_t>(end)};
}

// True if stepping through the dimensions from the smallest stride up never returns to an address.
// Sufficient, and necessary for every layout that views of dense tensors can have.
bool ElementsAreDistinct(const TensorLayout& layout) {
  struct Dim {
    uint64_t stride;
    uint64_t size;
  };
  std::vector<Dim> dims;
  for (size_t i = 0; i < layout.shape.rank(); ++i) {
    const auto stride = static_cast<uint64_t>(layout.strides[i]);
    const bool negative = layout.strides[i] < 0;
    if (layout.shape[i] > 1) {
      dims.push_back({negative ? ~stride + 1 : stride, static_cast<uint64_t>(layout.shape[i])});
    }
  }
  std::sort(dims.begin(), dims.end(), [](Dim a, Dim b) { return a.stride < b.stride; });
  uint64_t reach = 1;  // elements spanned so far; cannot overflow after ExtentOf
  for (const Dim& dim : dims) {
    if (dim.stride < reach) return false;
    reach += dim.stride * (dim.size - 1);
  }
  return true;
}

// "~B*": a shape that broadcasts to B*, which the operator checks.
bool IsBroadcast(std::string_view word) { return word[0] == '~'; }

bool IsNumber(std::string_view word) { return word[0] >= '0' && word[0] <= '9'; }

bool Accepts(Formats formats, aclFormat format) {
  if (format == ACL_FORMAT_FRACTAL_NZ) return formats != Formats::kPlain;
  return formats != Formats::kFractalNz && IsPlainFormat(format);
}

const char* FormatsText(Formats formats) {
  switch (formats) {
    case Formats::kPlain:
      return "ND";
    case Formats::kFractalNz:
      return "FRACTAL_NZ";
    case Formats::kPlainOrFractalNz:
      return "ND or FRACTAL_NZ";
  }
  return "";
}

const char* DirectionText(Direction direction) {
  switch (direction) {
    case Direction::kInput:
      return "in";
    case Direction::kOutput:
      return "out";
    case Direction::kInOut:
      return "in, out";
  }
  return "";
}

// "a tensor": what an argument of this kind is.
const char* ObjectOf(Kind kind) {
  switch (kind) {
    case Kind::kTensor:
      return "tensor";
    case Kind::kTensorList:
      return "tensor list";
    case Kind::kScalar:
      return "scalar";
    case Kind::kScalarList:
      return "scalar list";
    case Kind::kIntArray:
      return "array of integers";
    case Kind::kFloatArray:
      return "array of floats";
    case Kind::kBoolArray:
      return "array of bools";
    default:
      return "text";
  }
}

}  // namespace

std::vector<std::vector<std::string_view>> ParseDims(std::string_view dims) {
  std::vector<std::vector<std::string_view>> alternatives(1);
  size_t begin = 0;
  while (begin < dims.size()) {
    const size_t end = std::min(dims.find(' ', begin), dims.size());
    const std::string_view word = dims.substr(begin, end - begin);
    if (word == "|") {
      alternatives.emplace_back();
    } else if (!word.empty()) {
      alternatives.back().push_back(word);
    }
    begin = end + 1;
  }
  return alternatives;
}

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
  return fmt::format("{}[{}]", spec->name, list_index);
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
              "{} is {}, which is not a live {} (destroyed, or never created here)", spec.name,
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
    return Fail(spec_.codes.null, "{} is null, expected a {}", spec.name, ObjectOf(spec.kind));
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
  return Fail(spec_.codes.null, "{} is null, expected a {} as {} is true", spec.name,
              ObjectOf(spec.kind), spec.needed_if);
}

Status Operands::CheckValues() const {
  for (size_t row = 0; row < params_.size(); ++row) {
    const ParamSpec& spec = params_[row];
    if (!IsInteger(spec.kind)) continue;
    const int64_t value = arguments_[row].integer;
    if (value >= spec.min && value <= spec.max) continue;
    if (spec.max == INT64_MAX) {
      return Fail(spec_.codes.shape, "{} is {}, expected at least {}", spec.name, value, spec.min);
    }
    return Fail(spec_.codes.shape, "{} is {}, expected {} to {}", spec.name, value, spec.min,
                spec.max);
  }
  return {};
}

Status Operands::CheckTable() {
  if (Status s = CheckDTypes(); !s.ok()) return s;
  if (Status s = CheckFormats(); !s.ok()) return s;
  if (Status s = CheckValues(); !s.ok()) return s;
  if (Status s = CheckShapes(); !s.ok()) return s;
  return CheckStrides();
}

Status Operands::CheckDTypes() const {
  for (const Operand& operand : operands_) {
    if (!operand.given()) continue;
    const ParamSpec& spec = *operand.spec;
    if (!spec.dtypes.Contains(operand.dtype())) {
      return Fail(spec_.codes.dtype, "{}.dtype = {}, expected {}", operand.Name(),
                  anyacl::NameOf(operand.dtype()), spec.dtypes.ToString());
    }
    if (spec.same_dtype_as < 0) continue;
    const Operand& other = (*this)[spec.same_dtype_as];
    if (other.given() && other.dtype() != operand.dtype()) {
      return Fail(spec_.codes.dtype, "{}.dtype = {}, expected {} as {}.dtype", operand.Name(),
                  anyacl::NameOf(operand.dtype()), anyacl::NameOf(other.dtype()), other.spec->name);
    }
  }
  return {};
}

Status Operands::CheckFormats() const {
  for (const Operand& operand : operands_) {
    if (!operand.given() || Accepts(operand.spec->formats, operand.layout->format)) continue;
    return Fail(spec_.codes.format, "{}.format = {}, expected {}", operand.Name(),
                anyacl::NameOf(operand.layout->format), FormatsText(operand.spec->formats));
  }
  return {};
}

Status Operands::CheckShapes() {
  bindings_.clear();
  for (size_t row = 0; row < params_.size(); ++row) {
    const ParamSpec& spec = params_[row];
    if (!spec.names_size) continue;
    bindings_.push_back({spec.name, {arguments_[row].integer}, "the argument"});
  }
  for (const Operand& operand : operands_) {
    if (!operand.given()) continue;
    if (Status s = CheckShape(operand); !s.ok()) return s;
    if (Status s = CheckElements(operand); !s.ok()) return s;
  }
  return {};
}

// "N*C*HxW": as many elements as the product of these symbols.
Status Operands::CheckElements(const Operand& operand) const {
  if (operand.spec->elements == nullptr) return {};
  const int64_t count = ElementCount(operand.shape()).value_or(-1);
  std::string_view left = operand.spec->elements;
  Dims factors;
  while (!left.empty()) {
    const size_t end = std::min(left.find('*'), left.size());
    factors.push_back(Size(left.substr(0, end)));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  const std::optional<int64_t> product = ElementCount(factors);
  if (product == count) return {};
  return Fail(spec_.codes.shape, "{}.shape = {} has {} elements, expected {} = {}{}",
              operand.spec->name, operand.shape().ToString(), count, operand.spec->elements,
              fmt::join(factors, " * "),
              factors.rank() == 1 ? ""
              : product           ? fmt::format(" = {}", *product)
                                  : ", which is 2^63 or more");
}

Status Operands::CheckShape(const Operand& operand) {
  const ParamSpec& spec = *operand.spec;
  const Dims& shape = operand.shape();
  for (size_t i = 0; i < shape.rank(); ++i) {
    if (shape[i] < 0) {
      return Fail(spec_.codes.shape, "{}.shape[{}] = {}, expected 0 or more", spec.name, i,
                  shape[i]);
    }
  }
  if (!ElementCount(shape)) {
    return Fail(spec_.codes.shape, "{}.shape = {}, expected fewer than 2^63 elements", spec.name,
                shape.ToString());
  }
  const bool packed = spec.packed_dims != nullptr && operand.dtype() == ACL_INT32;
  const char* dims = packed ? spec.packed_dims : spec.dims;
  for (const auto& words : ParseDims(dims)) {
    if (FitsRank(words, shape.rank(), spec_.max_rank)) return Match(operand, words);
  }
  return Fail(spec_.codes.shape, "{}.shape = {} has rank {}, expected dimensions \"{}\"{}",
              spec.name, shape.ToString(), shape.rank(), dims,
              std::string_view(dims).find_first_of(".*") != std::string_view::npos
                  ? fmt::format(" with rank at most {}", spec_.max_rank)
                  : "");
}

Status Operands::Match(const Operand& operand, std::span<const std::string_view> words) {
  const size_t run_length = operand.shape().rank() - (words.size() - 1);
  size_t dim = 0;
  for (std::string_view word : words) {
    if (IsBroadcast(word)) {
      dim += run_length;
    } else if (IsRun(word)) {
      if (Status s = MatchRun(operand, dim, run_length, word); !s.ok()) return s;
      dim += run_length;
    } else {
      if (Status s = MatchSize(operand, dim, word); !s.ok()) return s;
      ++dim;
    }
  }
  return {};
}

Status Operands::MatchRun(const Operand& operand, size_t begin, size_t count,
                          std::string_view word) {
  const std::string_view symbol = RunSymbol(word);
  if (symbol.empty()) return {};
  const int64_t* first = operand.shape().begin() + begin;
  const Binding* known = Find(symbol);
  if (known == nullptr) {
    bindings_.push_back({symbol, {first, first + count}, operand.spec->name});
    return {};
  }
  if (std::equal(first, first + count, known->sizes.begin(), known->sizes.end())) return {};
  if (IsAnyRun(word) && begin == 0 && count == operand.shape().rank()) {
    return Fail(spec_.codes.shape, "{}.shape = {}, expected [{}] as {}.shape", operand.spec->name,
                operand.shape().ToString(), fmt::join(known->sizes, ", "), known->source);
  }
  return Fail(spec_.codes.shape, "{}.shape = {}, expected [{}] as the {} sizes of {}",
              operand.spec->name, operand.shape().ToString(), fmt::join(known->sizes, ", "),
              begin == 0 ? "leading" : "last", known->source);
}

Status Operands::MatchSize(const Operand& operand, size_t dim, std::string_view word) {
  const int64_t size = operand.shape()[dim];
  if (IsNumber(word)) {
    if (std::to_string(size) == word) return {};
    return Fail(spec_.codes.shape, "{}.shape[{}] = {}, expected {}", operand.spec->name, dim, size,
                word);
  }
  const Quotient quotient = ParseQuotient(word);
  const Binding* known = Find(quotient.symbol);
  if (known == nullptr) {
    int64_t whole = 0;
    if (__builtin_mul_overflow(size, quotient.divisor, &whole)) {
      return Fail(spec_.codes.shape, "{}.shape[{}] = {}, expected less than 2^63 / {}",
                  operand.spec->name, dim, size, quotient.divisor);
    }
    bindings_.push_back(
        {quotient.symbol, {whole}, fmt::format("{}.shape[{}]", operand.spec->name, dim)});
    return {};
  }
  const int64_t whole = known->sizes[0];
  if (whole % quotient.divisor != 0) {
    return Fail(spec_.codes.shape, "{} = {} (from {}), expected a multiple of {} for {}",
                quotient.symbol, whole, known->source, quotient.divisor, operand.spec->name);
  }
  if (size == whole / quotient.divisor) return {};
  return Fail(spec_.codes.shape, "{}.shape[{}] = {}, expected {} = {} ({} = {} from {})",
              operand.spec->name, dim, size, word, whole / quotient.divisor, quotient.symbol, whole,
              known->source);
}

const Operands::Binding* Operands::Find(std::string_view symbol) const {
  for (const Binding& binding : bindings_) {
    if (binding.symbol == symbol) return &binding;
  }
  return nullptr;
}

int64_t Operands::Size(std::string_view symbol) const {
  const Binding* known = Find(symbol);
  return known != nullptr ? known->sizes[0] : -1;
}

Status CheckStrides(const Operand& operand, int code) {
  const std::string name = operand.Name();
  if (!ExtentOf(*operand.layout)) {
    return Fail(code, "{}.strides = {} with offset {}, expected bytes within 2^60 of the address",
                name, operand.strides().ToString(), operand.layout->offset);
  }
  const bool needs_contiguous =
      operand.dtype() == ACL_INT4 || operand.spec->strides == Strides::kContiguous;
  if (needs_contiguous && !operand.IsContiguous()) {
    return Fail(code, "{}.strides = {}, expected {} (contiguous) for {}", name,
                operand.strides().ToString(), ContiguousStrides(operand.shape()).ToString(),
                NameOf(operand.dtype()));
  }
  if (operand.dtype() == ACL_INT4 && operand.layout->offset % 2 != 0) {
    return Fail(code, "{}.offset = {}, expected an even number: a byte holds two INT4", name,
                operand.layout->offset);
  }
  if (operand.spec->direction != Direction::kInput && !ElementsAreDistinct(*operand.layout)) {
    return Fail(code,
                "{}.strides = {} for shape {}, expected an address of its own for each element",
                name, operand.strides().ToString(), operand.shape().ToString());
  }
  return {};
}

Status Operands::CheckStrides() const {
  for (const Operand& operand : operands_) {
    if (!operand.given() || operand.IsEmpty()) continue;
    if (Status s = anyacl::CheckStrides(operand, spec_.codes.shape); !s.ok()) return s;
  }
  return {};
}

Status CheckDim(const Operands& operands, const char* name, int64_t value, size_t rank, int* dim) {
  const auto count = static_cast<int64_t>(rank);
  if (value < -count || value >= count) {
    return Fail(operands.spec().codes.shape, "{} = {}, expected {} to {}: the rank is {}", name,
                value, -count, count - 1, rank);
  }
  *dim = static_cast<int>(value < 0 ? value + count : value);
  return {};
}

Status CheckShapeIs(const Operands& operands, int id, const Dims& expected) {
  const Dims& shape = operands[id].shape();
  if (shape == expected) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected {}", operands.NameOf(id),
              shape.ToString(), expected.ToString());
}

Slot SlotOf(const Operand& operand) {
  Slot slot;
  slot.parameter = operand.spec->name;
  slot.is_output = operand.spec->direction == Direction::kOutput;
  slot.list_index = operand.list_index;
  slot.tensor = operand.tensor;
  if (!operand.given() || operand.IsEmpty()) return slot;
  const Extent extent = ExtentOf(*operand.layout).value_or(Extent{0, 0});
  slot.begin = extent.begin;
  slot.end = extent.end;
  slot.alignment = static_cast<size_t>(std::max(BitsOf(operand.dtype()) / 8, 1));
  return slot;
}

std::vector<Slot> Operands::Slots() const {
  std::vector<Slot> slots;
  slots.reserve(operands_.size());
  for (const Operand& operand : operands_) slots.push_back(SlotOf(operand));
  return slots;
}

std::string SupportTable(std::span<const ParamSpec> params) {
  std::string table =
      "| parameter | direction | needed | dtypes | dimensions | strides |\n"
      "|---|---|---|---|---|---|\n";
  for (const ParamSpec& row : params) {
    if (!IsTensor(row.kind)) continue;
    if (row.need == Need::kReserved) {
      table += fmt::format("| {} | {} | reserved: ignored | | | |\n", row.name,
                           DirectionText(row.direction));
      continue;
    }
    std::string dims = fmt::format("[{}]", row.dims);
    if (row.elements != nullptr) dims += fmt::format("; {} elements", row.elements);
    const std::string needed = row.needed_if != nullptr      ? fmt::format("if {}", row.needed_if)
                               : row.need == Need::kRequired ? "yes"
                                                             : "optional";
    if (row.packed_dims != nullptr) dims += fmt::format("; INT32: [{}]", row.packed_dims);
    for (size_t at = 0; (at = dims.find(" | ", at)) != std::string::npos; at += 6) {
      dims.replace(at, 3, "] or [");
    }
    if (row.formats != Formats::kPlain) dims += fmt::format("; {}", FormatsText(row.formats));
    std::string dtypes = row.dtypes.ToString(", ");
    if (row.same_dtype_as >= 0) {
      const auto owner = std::find_if(params.begin(), params.end(), [&](const ParamSpec& other) {
        return other.id == row.same_dtype_as;
      });
      dtypes += fmt::format(" (as {})", owner->name);
    }
    const char* strides = row.strides == Strides::kContiguous ? "contiguous"
                          : row.dtypes.Contains(ACL_INT4)     ? "any; INT4 contiguous"
                                                              : "any";
    table += fmt::format("| {} | {} | {} | {} | {} | {} |\n", row.name,
                         DirectionText(row.direction), needed, dtypes, dims, strides);
  }
  return table;
}

}  // namespace anyacl
