// SPDX-License-Identifier: Apache-2.0
// share/anyacl/operators.json and single_operators.json say what the declarations do, nothing less:
// read by the names of their fields, as programs read them.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "ops/operators.h"
#include "ops/single_operators.h"

namespace anyacl {
namespace {

using Json = nlohmann::json;

Json Read(const char* name) {
  std::ifstream in(std::string(ANYACL_SHARE) + "/" + name);
  return Json::parse(in);
}

std::string Text(const char* text) { return text == nullptr ? "" : text; }

const char* TypeWord(Kind kind) {
  constexpr const char* kWords[] = {
      "aclTensor*",     "aclTensorList*", "aclScalar*", "aclScalarList*", "aclIntArray*",
      "aclFloatArray*", "aclBoolArray*",  "int64_t",    "int32_t",        "int8_t",
      "uint64_t",       "double",         "float",      "bool",           "aclDataType",
      "const char*",    "char*"};
  return kWords[static_cast<size_t>(kind)];
}

std::string NeededOf(const ParamSpec& row) {
  if (row.need == Need::kReserved) return "reserved";
  if (row.need == Need::kRequired) return "yes";
  return row.needed_if == nullptr ? "no" : "if";
}

void ExpectTensor(const ParamSpec& row, const Json& json, std::span<const ParamSpec> rows) {
  constexpr const char* kDirections[] = {"in", "out", "inout"};
  EXPECT_EQ(json.at("direction"), kDirections[static_cast<size_t>(row.direction)]);
  std::vector<int> types;
  for (int type = 0; type < 64; ++type) {
    if (row.dtypes.Contains(static_cast<aclDataType>(type))) types.push_back(type);
  }
  EXPECT_EQ(json.at("dtypes"), Json(types));
  std::string owner;
  for (const ParamSpec& other : rows) {
    if (row.same_dtype_as == other.id) owner = other.name;
  }
  EXPECT_EQ(json.value("same_dtype_as", ""), owner);
  EXPECT_EQ(json.at("dims"), row.dims);
  EXPECT_EQ(json.value("packed_dims", ""), Text(row.packed_dims));
  EXPECT_EQ(json.value("elements", ""), Text(row.elements));
  constexpr const char* kStrides[] = {"any", "contiguous", "any, 0 too"};
  EXPECT_EQ(json.value("strides", "any"), kStrides[static_cast<size_t>(row.strides)]);
  constexpr const char* kFormats[] = {"ND", "FRACTAL_NZ", "ND or FRACTAL_NZ"};
  EXPECT_EQ(json.value("formats", "ND"), kFormats[static_cast<size_t>(row.formats)]);
}

void ExpectRow(const ParamSpec& row, const Json& json, std::span<const ParamSpec> rows) {
  SCOPED_TRACE(row.name);
  EXPECT_EQ(json.at("name"), row.name);
  const std::string type = json.at("type");
  EXPECT_TRUE(type.ends_with(TypeWord(row.kind))) << type;
  EXPECT_EQ(json.at("needed"), NeededOf(row));
  EXPECT_EQ(json.value("needed_if", ""), Text(row.needed_if));
  EXPECT_EQ(json.value("null_code", 0), row.null_code);
  EXPECT_EQ(json.value("note", ""), Text(row.note));
  EXPECT_EQ(json.value("names_size", false), row.names_size);
  if (IsInteger(row.kind)) {
    EXPECT_EQ(json.value("min", INT64_MIN), row.min);
    EXPECT_EQ(json.value("max", INT64_MAX), row.max);
  }
  if (IsTensor(row.kind)) ExpectTensor(row, json, rows);
}

void ExpectRows(std::span<const ParamSpec> rows, const Json& json) {
  ASSERT_EQ(json.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) ExpectRow(rows[i], json[i], rows);
}

void ExpectChecks(const OpSpec& spec, const Json& json) {
  const Json& codes = json.at("codes");
  EXPECT_EQ(codes.at("null"), spec.codes.null);
  EXPECT_EQ(codes.at("dtype"), spec.codes.dtype);
  EXPECT_EQ(codes.at("format"), spec.codes.format);
  EXPECT_EQ(codes.at("shape"), spec.codes.shape);
  EXPECT_EQ(codes.value("constraint", 0), spec.constraint_code);
  EXPECT_EQ(json.value("max_rank", 8), spec.max_rank);
  EXPECT_EQ(json.value("shapes", "") == "rules", spec.shapes_by_rules);
  ExpectRows(spec.params, json.at("arguments"));
  const Json variants = json.value("variants", Json::array());
  ASSERT_EQ(variants.size(), spec.variants.size());
  for (size_t i = 0; i < variants.size(); ++i) {
    EXPECT_EQ(variants[i].at("title"), spec.variants[i].title);
    ExpectRows(spec.variants[i].params, variants[i].at("arguments"));
  }
}

TEST(OperatorJsonTest, IsWhatTheDeclarationsSay) {
  const Json operators = Read("operators.json");
  size_t next = 0;
  for (const OperatorFolder& folder : OperatorFolders()) {
    for (const OpSpec& spec : folder.operators) {
      SCOPED_TRACE(spec.op.phase_two);
      ASSERT_LT(next, operators.size());
      const Json& json = operators[next++];
      EXPECT_EQ(json.at("name"), spec.op.phase_two);
      EXPECT_EQ(json.at("header"), std::string("aclnnop/") + spec.header);
      EXPECT_EQ(json.at("summary"), spec.summary);
      EXPECT_EQ(json.at("document"), spec.document);
      EXPECT_EQ(json.value("max_workspace", ""), Text(spec.phase_most));
      EXPECT_EQ(json.value("phase_two_code", 0), spec.op.phase_two_code);
      ExpectChecks(spec, json);
    }
  }
  EXPECT_EQ(next, operators.size());
}

TEST(OperatorJsonTest, OperatorsByNameSayWhereTheirArgumentsComeFrom) {
  const Json operators = Read("single_operators.json");
  size_t next = 0;
  for (const auto table : SingleOperatorTables()) {
    for (const SingleOpSpec& named : table) {
      SCOPED_TRACE(named.type);
      ASSERT_LT(next, operators.size());
      const Json& json = operators[next++];
      EXPECT_EQ(json.at("name"), named.type);
      EXPECT_EQ(json.at("operator"), named.spec->op.phase_two);
      if (json.contains("arguments")) ExpectChecks(*named.spec, json);
      EXPECT_EQ(json.contains("arguments"),
                std::string_view(named.spec->op.phase_two) == named.type);
      ASSERT_EQ(json.at("sources").size(), named.sources.size());
      for (size_t i = 0; i < named.sources.size(); ++i) {
        const Json& source = json.at("sources")[i];
        EXPECT_EQ(source.at("argument"), named.spec->params[i].name);
        const auto* input = std::get_if<Input>(&named.sources[i]);
        EXPECT_EQ(source.value("input", -1), input == nullptr ? -1 : input->input);
        const auto* output = std::get_if<Output>(&named.sources[i]);
        EXPECT_EQ(source.value("output", -1), output == nullptr ? -1 : output->output);
      }
      EXPECT_EQ(json.value("ignored", Json::array()).size(), named.ignored.size());
      EXPECT_EQ(json.value("fixed", Json::object()).size(), named.fixed.size());
    }
  }
  EXPECT_EQ(next, operators.size());
}

}  // namespace
}  // namespace anyacl
