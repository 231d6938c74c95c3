// SPDX-License-Identifier: Apache-2.0
// What the operators accept, for readers.
#include <fmt/format.h>

#include <algorithm>

#include "operator_files/files.h"
#include "ops/operators.h"
#include "ops/single_operators.h"

namespace anyacl {
namespace {

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

// A cell of a table, in which "|" would begin the next one.
std::string CellOf(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.replace(at, 1, "\\|");
  }
  return text;
}

std::string NeededText(const ParamSpec& row) {
  if (row.need == Need::kReserved) return "reserved: ignored";
  if (row.needed_if != nullptr) return fmt::format("if {}", row.needed_if);
  if (row.need == Need::kOptional) return "optional";
  return row.null_code != 0 ? fmt::format("yes; null: {}", row.null_code) : "yes";
}

std::string DimsCell(const ParamSpec& row) {
  std::string dims = fmt::format("[{}]", row.dims);
  if (row.elements != nullptr) dims += fmt::format("; {} elements", row.elements);
  if (row.packed_dims != nullptr) dims += fmt::format("; INT32: [{}]", row.packed_dims);
  for (size_t at = 0; (at = dims.find(" | ", at)) != std::string::npos; at += 6) {
    dims.replace(at, 3, "] or [");
  }
  if (row.formats != Formats::kPlain) dims += fmt::format("; {}", FormatsText(row.formats));
  return dims;
}

std::string TensorTable(std::span<const ParamSpec> params) {
  std::string table =
      "| parameter | direction | needed | dtypes | dimensions | strides | |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const ParamSpec& row : params) {
    if (!IsTensor(row.kind)) continue;
    if (row.need == Need::kReserved) {
      table += fmt::format("| {} | {} | {} | | | | |\n", row.name, DirectionText(row.direction),
                           NeededText(row));
      continue;
    }
    std::string dtypes = row.dtypes.ToString(", ");
    for (const ParamSpec& other : params) {
      if (other.id == row.same_dtype_as) dtypes += fmt::format(" (as {})", other.name);
    }
    const char* strides = row.strides == Strides::kContiguous  ? "contiguous"
                          : row.strides == Strides::kRepeating ? "any, 0 too"
                          : row.dtypes.Contains(ACL_INT4)      ? "any; INT4 contiguous"
                                                               : "any";
    table += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", row.name,
                         DirectionText(row.direction), NeededText(row), dtypes, DimsCell(row),
                         strides, row.note == nullptr ? "" : CellOf(row.note));
  }
  return table;
}

std::string AttributeTable(std::span<const ParamSpec> params) {
  std::string table;
  for (const ParamSpec& row : params) {
    if (IsTensor(row.kind)) continue;
    table += fmt::format("| {} | {} | {} | {} | {} |\n", row.name, TypeOf(row),
                         IsPointer(row.kind) ? NeededText(row) : "yes", RangeText(row),
                         row.note == nullptr ? "" : CellOf(row.note));
  }
  if (table.empty()) return "";
  return "\n| argument | type | needed | values | |\n|---|---|---|---|---|\n" + table;
}

// The rows as Markdown tables.
std::string SupportTables(std::span<const ParamSpec> params) {
  return TensorTable(params) + AttributeTable(params);
}

std::string CodesText(const OpSpec& spec) {
  const CheckCodes& codes = spec.codes;
  std::string text = fmt::format("Refused: null {}", codes.null);
  if (codes.dtype != codes.shape) text += fmt::format(", a data type {}", codes.dtype);
  if (codes.format != codes.shape) text += fmt::format(", a format {}", codes.format);
  if (spec.constraint_code != 0) {
    text += fmt::format(", what breaks a rule {}", spec.constraint_code);
  }
  return text + fmt::format(", anything else {}.\n", codes.shape);
}

// `folder` is null for an operator that is offered by name only.
std::string SpecText(const OpSpec& spec, const char* folder) {
  std::string text;
  if (spec.variants.empty()) text += fmt::format("\n{}", SupportTables(spec.params));
  for (const TableVariant& variant : spec.variants) {
    text += fmt::format("\n{}:\n\n{}", variant.title, SupportTables(variant.params));
  }
  if (spec.shapes_by_rules) {
    text += fmt::format(
        "\nWhich of the dimensions go together follows from attributes; named rules check it: "
        "[README](../src/ops/{}/README.md).\n",
        folder);
  }
  return text + fmt::format("\n{}", CodesText(spec));
}

// What an attribute is that is left out.
std::string TextOf(const char* text, Kind) { return fmt::format("\"{}\"", text); }
std::string TextOf(double real, Kind) { return fmt::format("{}", real); }
std::string TextOf(std::monostate, Kind) { return "[]"; }
std::string TextOf(NoReals, Kind) { return "[]"; }
std::string TextOf(int64_t integer, Kind kind) {
  return kind == Kind::kBool ? fmt::format("{}", integer != 0) : fmt::format("{}", integer);
}

// Operators that are called by the name of a graph's node.
std::string NamedText(const SingleOpSpec& named) {
  const OpSpec& spec = *named.spec;
  std::string text = fmt::format("\n### {}\n", named.type);
  if (std::string_view(spec.op.phase_two) != named.type) {
    return text + fmt::format("\nAs `{}`.\n", spec.op.phase_two);
  }
  text += SpecText(spec, nullptr);
  std::string attributes;
  for (size_t i = 0; i < named.sources.size(); ++i) {
    const auto append = [&](const auto& source) {
      if constexpr (requires { source.absent; }) {
        attributes += fmt::format("{}`{}` {}", attributes.empty() ? "" : ", ", source.name,
                                  TextOf(source.absent, spec.params[i].kind));
      }
    };
    std::visit(append, named.sources[i]);
  }
  if (attributes.empty()) return text;
  return text + fmt::format("\nAttributes and what they are if left out: {}.\n", attributes);
}

}  // namespace

std::string SupportText() {
  std::string text =
      "# What the operators accept\n\n"
      "Made from the tables that check the calls by `cmake --build <build> --target "
      "update_operator_files`; a test fails when it is out of date. A word in brackets names a "
      "size "
      "that all tensors of the call share; `B..` stands for one or more sizes, `X*` for any number "
      "of them, `~X*` for a shape that broadcasts to `X*`, `H/8` for an exact quotient, `S+` for S "
      "or more, `B?` for B or 1, `*` for any shape. Formats: ND and those that only name axes. "
      "What "
      "happens where an output overlaps an input: [one "
      "rule](adding-an-operator.md#overlapping-tensors).\n";
  for (const OperatorFolder& folder : OperatorFolders()) {
    for (const OpSpec& spec : folder.operators) {
      text += fmt::format("\n## {}\n\n{}.\n", spec.op.phase_two, spec.summary);
      text += SpecText(spec, folder.name);
    }
  }
  text +=
      "\n## Operators by name\n\nCalled by `aclopCompileAndExecute`, with tensors in the order of "
      "CANN's prototypes.\n";
  for (const auto table : SingleOperatorTables()) {
    for (const SingleOpSpec& named : table) text += NamedText(named);
  }
  return text;
}

}  // namespace anyacl
