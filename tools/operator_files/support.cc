// SPDX-License-Identifier: Apache-2.0
// What the operators accept: the page for readers and the file for programs.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

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

// The rows as a Markdown table.
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

// What an attribute is that is left out.
std::string TextOf(const char* text, Kind) { return fmt::format("\"{}\"", text); }
std::string TextOf(double real, Kind) { return fmt::format("{}", real); }
std::string TextOf(std::monostate, Kind) { return "[]"; }
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
  text += fmt::format("\n{}", SupportTable(spec.params));
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

nlohmann::ordered_json JsonOf(const ParamSpec& row) {
  nlohmann::ordered_json json = {{"name", row.name}, {"type", TypeOf(row)}};
  json["needed"] = row.need == Need::kRequired   ? "yes"
                   : row.need == Need::kOptional ? "no"
                                                 : "reserved";
  if (IsTensor(row.kind)) {
    json["direction"] = row.direction == Direction::kInput    ? "in"
                        : row.direction == Direction::kOutput ? "out"
                                                              : "inout";
    json["dtypes"] = nlohmann::json::array();
    for (int dtype = 0; dtype < 64; ++dtype) {
      if (row.dtypes.Contains(static_cast<aclDataType>(dtype))) json["dtypes"].push_back(dtype);
    }
    json["dims"] = row.dims;
  }
  if (IsInteger(row.kind) && row.min != INT64_MIN) json["min"] = row.min;
  if (IsInteger(row.kind) && row.max != INT64_MAX) json["max"] = row.max;
  if (row.note != nullptr) json["note"] = row.note;
  return json;
}

}  // namespace

std::string SupportText() {
  std::string text =
      "# What the operators accept\n\n"
      "Made from the tables that check the calls by `cmake --build <build> --target "
      "update_operator_files`; a test fails when it is out of date. A word in brackets names a "
      "size "
      "that all tensors of the call share; `B..` stands for one or more sizes, `X*` for any number "
      "of them, `~X*` for a shape that broadcasts to `X*`, `H/8` for an exact quotient, `*` for "
      "any "
      "shape. Formats: ND and those that only name axes. What happens where an output overlaps an "
      "input: [one rule](adding-an-operator.md#overlapping-tensors).\n";
  for (const OperatorFolder& folder : OperatorFolders()) {
    for (const OpSpec& spec : folder.operators) {
      text += fmt::format("\n## {}\n\n{}.\n", spec.op.phase_two, spec.summary);
      if (spec.variants.empty()) text += fmt::format("\n{}", SupportTable(spec.params));
      for (const TableVariant& variant : spec.variants) {
        text += fmt::format("\n{}:\n\n{}", variant.title, SupportTable(variant.params));
      }
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

std::string JsonText() {
  nlohmann::ordered_json operators = nlohmann::ordered_json::array();
  for (const OperatorFolder& folder : OperatorFolders()) {
    for (const OpSpec& spec : folder.operators) {
      nlohmann::ordered_json json = {{"name", spec.op.phase_two},
                                     {"header", std::string("aclnnop/") + spec.header},
                                     {"summary", spec.summary},
                                     {"document", spec.document},
                                     {"arguments", nlohmann::ordered_json::array()}};
      for (const ParamSpec& row : spec.params) json["arguments"].push_back(JsonOf(row));
      operators.push_back(std::move(json));
    }
  }
  // A line for each operator.
  std::string text = "[\n";
  for (size_t i = 0; i < operators.size(); ++i) {
    text += operators[i].dump() + (i + 1 < operators.size() ? ",\n" : "\n");
  }
  return text + "]\n";
}

}  // namespace anyacl
