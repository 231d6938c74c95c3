// SPDX-License-Identifier: Apache-2.0
// What the operators accept, for programs. What is as in most rows is left out: strides "any",
// formats "ND", 8 as the highest rank, shapes that the table checks.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "operator_files/files.h"
#include "ops/operators.h"
#include "ops/single_operators.h"

namespace anyacl {
namespace {

using Json = nlohmann::ordered_json;

const char* NeedText(const ParamSpec& row) {
  if (row.need == Need::kReserved) return "reserved";
  if (row.needed_if != nullptr) return "if";
  return row.need == Need::kRequired ? "yes" : "no";
}

Json TensorJson(std::span<const ParamSpec> params, const ParamSpec& row) {
  Json json;
  json["direction"] = row.direction == Direction::kInput    ? "in"
                      : row.direction == Direction::kOutput ? "out"
                                                            : "inout";
  json["dtypes"] = Json::array();
  for (int dtype = 0; dtype < 64; ++dtype) {
    if (row.dtypes.Contains(static_cast<aclDataType>(dtype))) json["dtypes"].push_back(dtype);
  }
  for (const ParamSpec& other : params) {
    if (other.id == row.same_dtype_as) json["same_dtype_as"] = other.name;
  }
  json["dims"] = row.dims;
  if (row.packed_dims != nullptr) json["packed_dims"] = row.packed_dims;
  if (row.elements != nullptr) json["elements"] = row.elements;
  if (row.strides == Strides::kContiguous) json["strides"] = "contiguous";
  if (row.strides == Strides::kRepeating) json["strides"] = "any, 0 too";
  if (row.formats != Formats::kPlain) json["formats"] = FormatsText(row.formats);
  return json;
}

Json JsonOf(std::span<const ParamSpec> params, const ParamSpec& row) {
  Json json = {{"name", row.name}, {"type", TypeOf(row)}, {"needed", NeedText(row)}};
  if (row.needed_if != nullptr) json["needed_if"] = row.needed_if;
  if (row.null_code != 0) json["null_code"] = row.null_code;
  if (IsTensor(row.kind)) json.update(TensorJson(params, row));
  if (IsInteger(row.kind) && row.min != INT64_MIN) json["min"] = row.min;
  if (IsInteger(row.kind) && row.max != INT64_MAX) json["max"] = row.max;
  if (row.names_size) json["names_size"] = true;
  if (row.note != nullptr) json["note"] = row.note;
  return json;
}

Json JsonOf(std::span<const ParamSpec> params) {
  Json rows = Json::array();
  for (const ParamSpec& row : params) rows.push_back(JsonOf(params, row));
  return rows;
}

Json JsonOf(const CheckCodes& codes) {
  Json json = {{"null", codes.null},
               {"dtype", codes.dtype},
               {"format", codes.format},
               {"shape", codes.shape}};
  return json;
}

// What calls through a C function and calls by name have in common.
void AddChecks(const OpSpec& spec, Json& json) {
  json["codes"] = JsonOf(spec.codes);
  if (spec.constraint_code != 0) json["codes"]["constraint"] = spec.constraint_code;
  if (spec.max_rank != 8) json["max_rank"] = spec.max_rank;
  if (spec.shapes_by_rules) json["shapes"] = "rules";
  json["arguments"] = JsonOf(spec.params);
  for (const TableVariant& variant : spec.variants) {
    json["variants"].push_back({{"title", variant.title}, {"arguments", JsonOf(variant.params)}});
  }
}

Json JsonOf(const OpSpec& spec) {
  Json json = {{"name", spec.op.phase_two},
               {"header", std::string("aclnnop/") + spec.header},
               {"summary", spec.summary},
               {"document", spec.document}};
  if (spec.phase_most != nullptr) json["max_workspace"] = spec.phase_most;
  if (spec.op.phase_two_code != 0) json["phase_two_code"] = spec.op.phase_two_code;
  AddChecks(spec, json);
  return json;
}

struct SourceJson {
  Json operator()(const Input& from) const {
    Json json = {{"input", from.input}};
    if (from.swapped_if != nullptr) json["swapped_if"] = from.swapped_if;
    return json;
  }
  Json operator()(const InputList& from) const { return {{"inputs_from", from.first}}; }
  Json operator()(const InputValues& from) const { return {{"values_of_input", from.input}}; }
  Json operator()(const InputScalar& from) const { return {{"number_of_input", from.input}}; }
  Json operator()(const Output& from) const { return {{"output", from.output}}; }
  Json operator()(const OutputType& from) const { return {{"type_of_output", from.output}}; }
  Json operator()(const Constant& from) const { return {{"constant", from.value}}; }
  template <class T>
  Json operator()(const Attribute<T>& from) const {
    Json json = {{"attribute", from.name}};
    if constexpr (std::is_empty_v<T>) {  // lists
      json["absent"] = Json::array();
    } else {
      json["absent"] = from.absent;
    }
    return json;
  }
};

// Of an operator that a C function offers, too, its name there; otherwise its rows.
Json JsonOf(const SingleOpSpec& named) {
  Json json = {{"name", named.type}, {"operator", named.spec->op.phase_two}};
  if (std::string_view(named.spec->op.phase_two) == named.type) AddChecks(*named.spec, json);
  json["sources"] = Json::array();
  for (size_t i = 0; i < named.sources.size(); ++i) {
    Json source = {{"argument", named.spec->params[i].name}};
    source.update(std::visit(SourceJson{}, named.sources[i]));
    json["sources"].push_back(source);
  }
  for (const char* ignored : named.ignored) json["ignored"].push_back(ignored);
  for (const FixedAttribute& fixed : named.fixed) json["fixed"][fixed.name] = fixed.value;
  if (named.inputs != 0) json["inputs"] = named.inputs;
  return json;
}

// A line for each operator.
std::string LinesOf(const Json& operators) {
  std::string text = "[\n";
  for (size_t i = 0; i < operators.size(); ++i) {
    text += operators[i].dump() + (i + 1 < operators.size() ? ",\n" : "\n");
  }
  return text + "]\n";
}

}  // namespace

std::string JsonText() {
  Json operators = Json::array();
  for (const OperatorFolder& folder : OperatorFolders()) {
    for (const OpSpec& spec : folder.operators) operators.push_back(JsonOf(spec));
  }
  return LinesOf(operators);
}

std::string SingleJsonText() {
  Json operators = Json::array();
  for (const auto table : SingleOperatorTables()) {
    for (const SingleOpSpec& named : table) operators.push_back(JsonOf(named));
  }
  return LinesOf(operators);
}

}  // namespace anyacl
