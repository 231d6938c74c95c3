// SPDX-License-Identifier: Apache-2.0
// Shapes against the symbolic dimensions of their rows.
#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "base/format.h"
#include "nnop/operands.h"

namespace anyacl {
namespace {

// Marks of a run of sizes, of at least one or of any number.
constexpr std::string_view kRun = "..";
constexpr std::string_view kAnyRun = "*";
constexpr char kOrMore = '+';
constexpr char kOrOne = '?';

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

// "~B*": a shape that broadcasts to B*, which the operator checks.
bool IsBroadcast(std::string_view word) { return word[0] == '~'; }

bool IsNumber(std::string_view word) { return word[0] >= '0' && word[0] <= '9'; }

}  // namespace

bool DimAlternatives::Next() {
  if (!more_) return false;
  count_ = 0;
  more_ = false;
  while (!left_.empty() && !more_) {
    const size_t end = std::min(left_.find(' '), left_.size());
    const std::string_view word = left_.substr(0, end);
    left_.remove_prefix(std::min(end + 1, left_.size()));
    if (word == "|") {
      more_ = true;
    } else if (!word.empty()) {
      words_.at(count_++) = word;
    }
  }
  return true;
}

std::string Operands::Binding::Source() const {
  if (IsInteger(from->kind)) return "the argument";
  return dim < 0 ? from->name : Format("{}.shape[{}]", from->name, dim);
}

Status Operands::CheckShapes() {
  bindings_.clear();
  bindings_.reserve(params_.size());
  for (size_t row = 0; row < params_.size(); ++row) {
    const ParamSpec& spec = params_[row];
    if (!spec.names_size) continue;
    bindings_.push_back({spec.name, arguments_[row].integer, {}, &spec});
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
              Joined({factors.begin(), factors.end()}, " * "),
              factors.rank() == 1 ? ""
              : product           ? Format(" = {}", *product)
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
  for (DimAlternatives alternatives(dims); alternatives.Next();) {
    const std::span<const std::string_view> words = alternatives.words();
    if (FitsRank(words, shape.rank(), spec_.max_rank)) return Match(operand, words);
  }
  return Fail(spec_.codes.shape, "{}.shape = {} has rank {}, expected dimensions \"{}\"{}",
              spec.name, shape.ToString(), shape.rank(), dims,
              std::string_view(dims).find_first_of(".*") != std::string_view::npos
                  ? Format(" with rank at most {}", spec_.max_rank)
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
  const std::span<const int64_t> sizes(operand.shape().begin() + begin, count);
  const Binding* known = Find(symbol);
  if (known == nullptr) {
    bindings_.push_back({symbol, sizes.empty() ? -1 : sizes[0], sizes, operand.spec});
    return {};
  }
  if (std::ranges::equal(sizes, known->sizes)) return {};
  if (IsAnyRun(word) && begin == 0 && count == operand.shape().rank()) {
    return Fail(spec_.codes.shape, "{}.shape = {}, expected [{}] as {}.shape", operand.spec->name,
                operand.shape().ToString(), Joined(known->sizes), known->Source());
  }
  return Fail(spec_.codes.shape, "{}.shape = {}, expected [{}] as the {} sizes of {}",
              operand.spec->name, operand.shape().ToString(), Joined(known->sizes),
              begin == 0 ? "leading" : "last", known->Source());
}

Status Operands::MatchSize(const Operand& operand, size_t dim, std::string_view word) {
  const int64_t size = operand.shape()[dim];
  if (IsNumber(word)) {
    if (std::to_string(size) == word) return {};
    return Fail(spec_.codes.shape, "{}.shape[{}] = {}, expected {}", operand.spec->name, dim, size,
                word);
  }
  if (word.ends_with(kOrMore)) return MatchAtLeast(operand, dim, word);
  if (word.ends_with(kOrOne)) {
    if (size == 1) return {};
    word.remove_suffix(1);
  }
  const Quotient quotient = ParseQuotient(word);
  const Binding* known = Find(quotient.symbol);
  if (known == nullptr) {
    int64_t whole = 0;
    if (__builtin_mul_overflow(size, quotient.divisor, &whole)) {
      return Fail(spec_.codes.shape, "{}.shape[{}] = {}, expected less than 2^63 / {}",
                  operand.spec->name, dim, size, quotient.divisor);
    }
    bindings_.push_back({quotient.symbol, whole, {}, operand.spec, static_cast<int>(dim)});
    return {};
  }
  const int64_t whole = known->size;
  if (whole % quotient.divisor != 0) {
    return Fail(spec_.codes.shape, "{} = {} (from {}), expected a multiple of {} for {}",
                quotient.symbol, whole, known->Source(), quotient.divisor, operand.spec->name);
  }
  if (size == whole / quotient.divisor) return {};
  return Fail(spec_.codes.shape, "{}.shape[{}] = {}, expected {} = {} ({} = {} from {})",
              operand.spec->name, dim, size, word, whole / quotient.divisor, quotient.symbol, whole,
              known->Source());
}

const Operands::Binding* Operands::Find(std::string_view symbol) const {
  for (const Binding& binding : bindings_) {
    if (binding.symbol == symbol) return &binding;
  }
  return nullptr;
}

Status Operands::MatchAtLeast(const Operand& operand, size_t dim, std::string_view word) const {
  const Binding* known = Find(SymbolOf(word));
  const int64_t size = operand.shape()[dim];
  if (known == nullptr || size >= known->size) return {};
  return Fail(spec_.codes.shape, "{}.shape[{}] = {}, expected {} or more ({} = {} from {})",
              operand.spec->name, dim, size, known->size, known->symbol, known->size,
              known->Source());
}

int64_t Operands::Size(std::string_view symbol) const {
  const Binding* known = Find(symbol);
  if (known != nullptr) return known->size;
  if (HasSymbol(params_, symbol)) return -1;
  throw std::logic_error("the operator's table lacks the symbol " + std::string(symbol));
}

}  // namespace anyacl
