// SPDX-License-Identifier: Apache-2.0
#include "nnop/spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

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

// Smallest and largest element index that a view touches; nothing if one overflows.
struct IndexRange {
  int64_t low;
  int64_t high;
};

std::optional<IndexRange> TouchedIndices(const TensorLayout& layout) {
  IndexRange range{layout.offset, layout.offset};
  for (size_t i = 0; i < layout.shape.rank(); ++i) {
    int64_t step = 0;
    if (__builtin_mul_overflow(layout.shape[i] - 1, layout.strides[i], &step)) return {};
    int64_t& end = step < 0 ? range.low : range.high;
    if (__builtin_add_overflow(end, step, &end)) return {};
  }
  // Byte counts of the widest type must fit, too.
  constexpr int64_t kLimit = INT64_MAX / 32;
  if (range.low < -kLimit || range.high > kLimit) return {};
  return range;
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
  uint64_t reach = 1;  // elements spanned so far; cannot overflow after TouchedIndices
  for (const Dim& dim : dims) {
    if (dim.stride < reach) return false;
    reach += dim.stride * (dim.size - 1);
  }
  return true;
}

bool IsNumber(std::string_view word) { return word[0] >= '0' && word[0] <= '9'; }

bool Accepts(Formats formats, aclFormat format) {
  if (format == ACL_FORMAT_FRACTAL_NZ) return formats != Formats::kPlain;
  return formats != Formats::kFractalNz && IsPlainFormat(format);
}

const char* NameOf(Formats formats) {
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

int64_t FloorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

const char* NameOf(Direction direction) {
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

int Operands::Index(std::string_view name) const {
  for (size_t i = 0; i < spec_.params.size(); ++i) {
    if (spec_.params[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

const Operand& Operands::operator[](std::string_view name) const {
  static const Operand kAbsent;
  const int index = Index(name);
  return index < 0 ? kAbsent : operands_[static_cast<size_t>(index)];
}

Status Operands::Resolve(std::span<const aclTensor* const> handles) {
  operands_.resize(spec_.params.size());
  for (size_t i = 0; i < operands_.size(); ++i) {
    Operand& operand = operands_[i];
    operand.spec = &spec_.params[i];
    if (operand.spec->need == Need::kReserved) {
      if (handles[i] != nullptr) {
        Warn("{} is given, expected null: it is reserved, and ignored", operand.spec->name);
      }
      continue;
    }
    if (handles[i] == nullptr) {
      if (operand.spec->need == Need::kOptional) continue;
      return Fail(spec_.codes.null, "{} is null, expected a tensor", operand.spec->name);
    }
    if (!anyaclFindTensor(handles[i], &operand.tensor)) {
      return Fail(spec_.codes.shape,
                  "{} is {}, which is not a live tensor (destroyed, or never created here)",
                  operand.spec->name, static_cast<const void*>(handles[i]));
    }
    operand.layout = operand.tensor->layout();
  }
  return {};
}

void Operands::Relabel(std::string_view name, TensorLayout layout) {
  operands_[static_cast<size_t>(Index(name))].layout =
      std::make_shared<const TensorLayout>(std::move(layout));
}

Status Operands::CheckDTypes() const {
  for (const Operand& operand : operands_) {
    if (!operand.given()) continue;
    const ParamSpec& spec = *operand.spec;
    if (!spec.dtypes.Contains(operand.dtype())) {
      return Fail(spec_.codes.dtype, "{}.dtype = {}, expected {}", spec.name,
                  NameOf(operand.dtype()), spec.dtypes.ToString());
    }
    if (spec.same_dtype_as == nullptr) continue;
    const Operand& other = (*this)[spec.same_dtype_as];
    if (other.given() && other.dtype() != operand.dtype()) {
      return Fail(spec_.codes.dtype, "{}.dtype = {}, expected {} as {}.dtype", spec.name,
                  NameOf(operand.dtype()), NameOf(other.dtype()), spec.same_dtype_as);
    }
  }
  return {};
}

Status Operands::CheckFormats() const {
  for (const Operand& operand : operands_) {
    if (!operand.given() || Accepts(operand.spec->formats, operand.layout->format)) continue;
    return Fail(spec_.codes.format, "{}.format = {}, expected {}", operand.spec->name,
                NameOf(operand.layout->format), NameOf(operand.spec->formats));
  }
  return {};
}

Status Operands::CheckShapes(std::span<const Attribute> attributes) {
  bindings_.clear();
  for (const Attribute& attribute : attributes) {
    bindings_.push_back({attribute.name, {attribute.value}, "the argument"});
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
    if (IsRun(word)) {
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
  const char* name = operand.spec->name;
  if (!TouchedIndices(*operand.layout)) {
    return Fail(code, "{}.strides = {} with offset {}, expected elements within 2^58 of each other",
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
  if (operand.spec->direction == Direction::kOutput && !ElementsAreDistinct(*operand.layout)) {
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

Slot SlotOf(const Operand& operand) {
  Slot slot;
  slot.parameter = operand.spec->name;
  slot.is_output = operand.spec->direction == Direction::kOutput;
  slot.tensor = operand.tensor;
  if (!operand.given() || operand.IsEmpty()) return slot;
  const IndexRange range = TouchedIndices(*operand.layout).value_or(IndexRange{0, 0});
  const int64_t bits = BitsOf(operand.dtype());
  slot.begin = FloorDiv(range.low * bits, 8);
  slot.end = FloorDiv((range.high + 1) * bits + 7, 8);
  slot.alignment = static_cast<size_t>(std::max<int64_t>(bits / 8, 1));
  return slot;
}

std::vector<Slot> Operands::Slots() const {
  std::vector<Slot> slots;
  slots.reserve(operands_.size());
  for (const Operand& operand : operands_) slots.push_back(SlotOf(operand));
  return slots;
}

std::string SupportTable(const OpSpec& spec) {
  std::string table =
      "| parameter | direction | needed | dtypes | dimensions | strides |\n"
      "|---|---|---|---|---|---|\n";
  for (const ParamSpec& row : spec.params) {
    if (row.need == Need::kReserved) {
      table +=
          fmt::format("| {} | {} | reserved: ignored | | | |\n", row.name, NameOf(row.direction));
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
    if (row.formats != Formats::kPlain) dims += fmt::format("; {}", NameOf(row.formats));
    std::string dtypes = row.dtypes.ToString(", ");
    if (row.same_dtype_as != nullptr) dtypes += fmt::format(" (as {})", row.same_dtype_as);
    const char* strides = row.strides == Strides::kContiguous ? "contiguous"
                          : row.dtypes.Contains(ACL_INT4)     ? "any; INT4 contiguous"
                                                              : "any";
    table += fmt::format("| {} | {} | {} | {} | {} | {} |\n", row.name, NameOf(row.direction),
                         needed, dtypes, dims, strides);
  }
  return table;
}

}  // namespace anyacl
