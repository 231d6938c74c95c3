// SPDX-License-Identifier: Apache-2.0
// The declaration of an operator: one row per argument of its first phase, in the order of the
// signature. From it follow the checks and their messages, both C entry points, the public header,
// the exported symbols, the support page, operators.json and the generated tests.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "aclnn/opdev/op_errno.h"
#include "base/dtype.h"
#include "nnop/executor.h"

namespace anyacl {

// What an argument is, and with it its C type.
enum class Kind : uint8_t {
  kTensor,
  kTensorList,
  kScalar,
  kScalarList,
  kIntArray,
  kFloatArray,
  kBoolArray,
  kInt64,
  kInt32,
  kInt8,
  kUint64,
  kDouble,
  kFloat,
  kBool,
  kDataType,
  kText,         // const char*
  kMutableText,  // char*: CANN's prototype, though nothing is written
};

constexpr bool IsTensor(Kind kind) { return kind == Kind::kTensor || kind == Kind::kTensorList; }
constexpr bool IsInteger(Kind kind) { return kind >= Kind::kInt64 && kind <= Kind::kUint64; }
// Arguments that are addresses, and so can be null.
constexpr bool IsPointer(Kind kind) { return kind <= Kind::kBoolArray || kind >= Kind::kText; }

// kReserved: a tensor that is given is ignored, with a warning, whatever it is.
enum class Need : uint8_t { kRequired, kOptional, kReserved };
// kInOut: an input whose data the operator changes.
enum class Direction : uint8_t { kInput, kOutput, kInOut };
// kRepeating: an output of which each element becomes the same, so that strides may be 0, too.
enum class Strides : uint8_t { kAny, kContiguous, kRepeating };
// kPlain: ND and the formats that only name axes.
enum class Formats : uint8_t { kPlain, kFractalNz, kPlainOrFractalNz };

// Ids of rows are below this, so that they can be looked up in a small array.
inline constexpr int kMaxParams = 48;

struct ParamSpec {
  const char* name;
  // A constant of the operator's folder, by which its code asks for the argument.
  int id = -1;
  Kind kind = Kind::kTensor;
  Direction direction = Direction::kInput;
  Need need = Need::kRequired;
  DTypeSet dtypes = {};
  // Symbolic dimensions, one word each. A word names a size, which the first tensor that has it
  // fixes for the others ("H"); "B.." stands for one or more sizes, "B*" for any number of them, a
  // lone "*" for any shape; "H/8" for an exact quotient; "16" for itself; "S+" for S or more, which
  // something else fixes; "B?" for B or 1; "~B*" for a shape that broadcasts to B*. Alternatives of
  // different rank are separated by "|".
  const char* dims = "*";
  // The dimensions of an INT32 tensor whose elements hold eight 4-bit values each.
  const char* packed_dims = nullptr;
  // The id of the parameter with whose dtype this one's must agree.
  int same_dtype_as = -1;
  // The code of a required argument that is null, where it is not the operator's.
  int null_code = 0;
  // How many elements there are, where the shape is free: a product of the call's attributes.
  const char* elements = nullptr;
  // The argument of the call that makes an optional tensor a required one; the operator checks it.
  // "training", or a member of an array: "outputMask[0]".
  const char* needed_if = nullptr;
  // Who may be strided. INT4 tensors are always contiguous: a stride would split bytes.
  Strides strides = Strides::kAny;
  Formats formats = Formats::kPlain;
  // The values that an integer may have.
  int64_t min = INT64_MIN;
  int64_t max = INT64_MAX;
  // Dimensions and element counts name this integer, which therefore is not negative.
  bool names_size = false;
  // What the argument means, for the header and the support page.
  const char* note = nullptr;
  // CANN's prototype writes const where the operator writes the tensor's data.
  bool const_handle = false;
};

// Rows of families, which have many alike.
constexpr ParamSpec In(int id, const char* name, DTypeSet dtypes, const char* dims = "*",
                       Need need = Need::kRequired) {
  return {.name = name, .id = id, .need = need, .dtypes = dtypes, .dims = dims};
}
constexpr ParamSpec Out(int id, const char* name, DTypeSet dtypes, const char* dims = "*",
                        Need need = Need::kRequired) {
  return {.name = name,
          .id = id,
          .direction = Direction::kOutput,
          .need = need,
          .dtypes = dtypes,
          .dims = dims};
}
constexpr ParamSpec InOut(int id, const char* name, DTypeSet dtypes, const char* dims = "*") {
  return {.name = name, .id = id, .direction = Direction::kInOut, .dtypes = dtypes, .dims = dims};
}
constexpr ParamSpec Value(int id, const char* name, Kind kind, const char* note = nullptr) {
  return {.name = name, .id = id, .kind = kind, .note = note};
}
constexpr ParamSpec Noted(ParamSpec row, const char* note) {
  row.note = note;
  return row;
}
// Written, though CANN's prototype has const there.
constexpr ParamSpec ConstHandle(ParamSpec row) {
  row.const_handle = true;
  return row;
}
// Of the type of `other`.
constexpr ParamSpec Like(int other, ParamSpec row) {
  row.same_dtype_as = other;
  return row;
}
constexpr ParamSpec Named(ParamSpec row, const char* name) {
  row.name = name;
  return row;
}
constexpr ParamSpec Optional(ParamSpec row) {
  row.need = Need::kOptional;
  return row;
}
// Required where this argument of the call says so, else optional.
constexpr ParamSpec NeededIf(ParamSpec row, const char* argument) {
  row.needed_if = argument;
  return Optional(row);
}
// Never strided.
constexpr ParamSpec Dense(ParamSpec row) {
  row.strides = Strides::kContiguous;
  return row;
}
constexpr ParamSpec PlainOrFractalNz(ParamSpec row) {
  row.formats = Formats::kPlainOrFractalNz;
  return row;
}
// INT32 holds eight 4-bit values.
constexpr ParamSpec Packed(ParamSpec row, const char* packed_dims) {
  row.packed_dims = packed_dims;
  return row;
}
constexpr ParamSpec Ranged(ParamSpec row, int64_t min, int64_t max) {
  row.min = min;
  row.max = max;
  return row;
}
// An output, though CANN's prototype has const there.
constexpr ParamSpec ConstResult(ParamSpec row) {
  row.direction = Direction::kOutput;
  return ConstHandle(row);
}

// Which code a failed check has; operators' documents differ.
struct CheckCodes {
  int null = ACLNN_ERR_PARAM_NULLPTR;
  int dtype = ACLNN_ERR_PARAM_INVALID;
  int format = ACLNN_ERR_PARAM_INVALID;
  int shape = ACLNN_ERR_PARAM_INVALID;
};

class Operands;
struct Argument;

// One of several tables of an operator, all with the same rows.
struct TableVariant {
  const char* title;  // "INT8 weights"
  std::span<const ParamSpec> params;
};

// Checks what the table cannot say, in the document's order, and makes the plan. The handles have
// been looked up, and nothing required is null.
using PrepareFunction = Status (*)(Operands& operands, PreparedCall* call);

struct OpSpec {
  OpInfo op;
  std::span<const ParamSpec> params;
  PrepareFunction prepare = nullptr;
  // Of a few operators a further first phase, aclnnXGetMaxWorkspaceSize: the workspace that is
  // enough for whatever values the call's arrays may have.
  const char* phase_most = nullptr;
  PrepareFunction prepare_most = nullptr;
  const char* header = "";    // "aclnn_add.h"
  const char* summary = "";   // what it computes, as a formula where there is one
  const char* document = "";  // of CANN's public operator documents: repository and path
  CheckCodes codes = {};
  uint16_t max_rank = 8;
  // Dimensions are for readers only: which go together follows from attributes, and named rules,
  // which the folder's README tells, check it.
  bool shapes_by_rules = false;
  // The code of named rules on values and on what goes together, where the document gives them one
  // of their own; 0: codes.shape.
  int constraint_code = 0;
  // Where the type of a tensor decides which table a call is checked against: all tables, and the
  // index of a call's.
  std::span<const TableVariant> variants = {};
  size_t (*variant_of)(std::span<const Argument> arguments) = nullptr;
};

// A string as a template argument.
template <size_t kSize>
struct FixedString {
  consteval FixedString(const char (&text)[kSize]) { std::copy_n(text, kSize, chars); }
  char chars[kSize]{};
};

template <FixedString kName>
struct OpNames {
  static constexpr auto Join(std::string_view end) {
    constexpr size_t kLength = sizeof(kName.chars) - 1;
    std::array<char, 5 + kLength + 19 + 1> text{};
    auto at = std::copy_n("aclnn", 5, text.begin());
    at = std::copy_n(kName.chars, kLength, at);
    std::copy(end.begin(), end.end(), at);
    return text;
  }
  static constexpr auto kPhaseOne = Join("GetWorkspaceSize");
  static constexpr auto kPhaseMost = Join("GetMaxWorkspaceSize");
  static constexpr auto kPhaseTwo = Join("");
};

// kNames<"Add">: the two exported names of aclnnAdd.
template <FixedString kName>
inline constexpr OpInfo kNames = {OpNames<kName>::kPhaseOne.data(),
                                  OpNames<kName>::kPhaseTwo.data()};

// Every row has an id of its own, by which Operands finds it.
consteval bool IdsAreDistinct(std::span<const ParamSpec> params) {
  for (size_t i = 0; i < params.size(); ++i) {
    if (params[i].id < 0 || params[i].id >= kMaxParams) return false;
    for (size_t k = 0; k < i; ++k) {
      if (params[k].id == params[i].id) return false;
    }
  }
  return true;
}

// What stands in front of the marks of a word of ParamSpec::dims: "H" of "H/8", "S+" and "~H*".
constexpr std::string_view SymbolOf(std::string_view word) {
  if (word.starts_with('~')) word.remove_prefix(1);
  return word.substr(0, word.find_first_of("./*+?"));
}

// A row whose dimensions, or whose value, fix this symbol.
constexpr bool HasSymbol(std::span<const ParamSpec> params, std::string_view symbol) {
  for (const ParamSpec& row : params) {
    if (row.names_size && row.name == symbol) return true;
    for (const char* text : {row.dims, row.packed_dims}) {
      std::string_view dims = text == nullptr ? "" : text;
      while (!dims.empty()) {
        const size_t end = std::min(dims.find(' '), dims.size());
        const std::string_view word = dims.substr(0, end);
        const bool fixes = !word.starts_with('~') && !word.ends_with('+');
        if (fixes && SymbolOf(word) == symbol) return true;
        dims.remove_prefix(std::min(end + 1, dims.size()));
      }
    }
  }
  return false;
}

// Names in the texts of rows are those of symbols and of other rows.
consteval bool TextsAreKnown(std::span<const ParamSpec> params) {
  for (const ParamSpec& row : params) {
    bool owned = row.same_dtype_as < 0, needed = row.needed_if == nullptr;
    for (const ParamSpec& other : params) {
      owned |= other.id == row.same_dtype_as;
      if (row.needed_if == nullptr) continue;
      const std::string_view condition = row.needed_if;
      needed |= condition.substr(0, condition.find('[')) == other.name;
    }
    if (!owned || !needed) return false;
    std::string_view product = row.elements == nullptr ? "" : row.elements;
    while (!product.empty()) {
      const size_t end = std::min(product.find('*'), product.size());
      if (!HasSymbol(params, product.substr(0, end))) return false;
      product.remove_prefix(std::min(end + 1, product.size()));
    }
  }
  return true;
}

consteval void CheckRows(std::span<const ParamSpec> params) {
  if (!IdsAreDistinct(params)) throw "rows share an id, or have none";
  if (!TextsAreKnown(params)) throw "a row names a row or a symbol that there is not";
}

// The operator of a table whose second phase has this name. A misspelt one does not compile, nor
// one whose rows are not told apart or name what there is not.
consteval const OpSpec& Find(std::span<const OpSpec> operators, std::string_view name) {
  for (const OpSpec& spec : operators) {
    if (spec.op.phase_two != name) continue;
    CheckRows(spec.params);
    for (const TableVariant& variant : spec.variants) CheckRows(variant.params);
    return spec;
  }
  throw "no such operator";
}

}  // namespace anyacl
