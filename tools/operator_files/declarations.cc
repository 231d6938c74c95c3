// SPDX-License-Identifier: Apache-2.0
// Operators in C: headers and entry points.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <sstream>

#include "operator_files/files.h"

namespace anyacl {
namespace {

constexpr size_t kWidth = 100;
constexpr char kNotice[] =
    "// SPDX-License-Identifier: Apache-2.0\n"
    "// Made from the operators' declarations by the target update_operator_files.\n"
    "// clang-format off\n";

// Words after `begin`, each line at most kWidth long, further lines after `indent`.
std::string Wrapped(const std::string& begin, const std::vector<std::string>& words,
                    const std::string& indent) {
  std::string text;
  std::string line = begin;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string gap = i == 0 ? "" : " ";
    if (line.size() + gap.size() + words[i].size() > kWidth && line != indent) {
      text += line + "\n";
      line = indent + words[i];
    } else {
      line += gap + words[i];
    }
  }
  return text + line;
}

std::vector<std::string> WordsOf(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string Comment(const std::string& begin, const std::string& text, const std::string& indent) {
  return Wrapped(begin, WordsOf(text), indent) + "\n";
}

// The arguments of a function, the last one followed by `end`.
std::string Declared(const std::string& head, std::vector<std::string> arguments, const char* end) {
  for (size_t i = 0; i + 1 < arguments.size(); ++i) arguments[i] += ",";
  arguments.back() += end;
  const bool fits = head.size() <= 50;
  const std::string indent(fits ? head.size() : 4, ' ');
  return fits ? Wrapped(head, arguments, indent)
              : fmt::format("{}\n{}", head, Wrapped(indent, arguments, indent));
}

std::string PhaseOneDeclaration(const OpSpec& spec, const char* name, const char* visibility,
                                const char* end) {
  std::vector<std::string> arguments;
  for (const ParamSpec& row : spec.params) {
    arguments.push_back(fmt::format("{} {}", TypeOf(row), row.name));
  }
  arguments.push_back("uint64_t* workspaceSize");
  arguments.push_back("aclOpExecutor** executor");
  return Declared(fmt::format("{}aclnnStatus {}(", visibility, name), arguments, end);
}

std::string PhaseTwoDeclaration(const OpSpec& spec, const char* visibility, const char* end) {
  return Declared(fmt::format("{}aclnnStatus {}(", visibility, spec.op.phase_two),
                  {"void* workspace", "uint64_t workspaceSize", "aclOpExecutor* executor",
                   "aclrtStream stream"},
                  end);
}

std::string DimsText(const ParamSpec& row) {
  if (std::string_view(row.dims) == "*") return row.elements ? row.elements : "any shape";
  std::string text = fmt::format("[{}]", row.dims);
  for (size_t at = 0; (at = text.find(" | ", at)) != std::string::npos; at += 6) {
    text.replace(at, 3, "] or [");
  }
  return text;
}

// One line, or a few, of the docstring.
std::string RowText(std::span<const ParamSpec> params, const ParamSpec& row) {
  std::string text;
  if (row.need == Need::kReserved) {
    text = "reserved: ignored";
  } else if (IsTensor(row.kind)) {
    text = row.dtypes.ToString(", ");
    if (row.same_dtype_as >= 0) {
      for (const ParamSpec& other : params) {
        if (other.id != row.same_dtype_as) continue;
        const bool narrower = row.dtypes.ToString(", ") != other.dtypes.ToString(", ");
        text = fmt::format("{}type of {}", narrower ? text + "; " : "", other.name);
      }
    }
    text += fmt::format("; {}", DimsText(row));
    if (row.packed_dims != nullptr) text += fmt::format("; INT32: [{}]", row.packed_dims);
    if (row.strides == Strides::kContiguous) text += "; contiguous";
    if (row.direction == Direction::kInOut) text += "; changed in place";
    if (row.direction == Direction::kOutput) text += "; output";
    if (row.formats == Formats::kFractalNz) text += "; FRACTAL_NZ";
    if (row.formats == Formats::kPlainOrFractalNz) text += "; ND or FRACTAL_NZ";
    if (row.needed_if != nullptr) {
      text += fmt::format("; needed if {}", row.needed_if);
    } else if (row.need == Need::kOptional) {
      text += "; may be null";
    }
  } else if (const std::string range = RangeText(row); !range.empty()) {
    text = range;
  } else if (IsPointer(row.kind) && row.need == Need::kOptional) {
    text = "may be null";
  } else if (row.null_code != 0) {
    text = fmt::format("{} if null", row.null_code);
  }
  if (row.note != nullptr) text += fmt::format("{}{}", text.empty() ? "" : "; ", row.note);
  return text;
}

std::string Docstring(const OpSpec& spec) {
  std::string text = Comment("// ", fmt::format("{}: {}.", spec.op.phase_two, spec.summary), "// ");
  text +=
      "// First phase: checks the arguments, tells the workspace in bytes and creates the "
      "executor.\n";
  size_t longest = 0;
  for (const ParamSpec& row : spec.params) {
    longest = std::max(longest, std::string_view(row.name).size());
  }
  const std::string indent = fmt::format("//   {}", std::string(longest + 2, ' '));
  const auto rows = [&](std::span<const ParamSpec> params) {
    for (const ParamSpec& row : params) {
      const std::string about = RowText(params, row);
      if (about.empty()) continue;
      text += Comment(fmt::format("//   {:{}}  ", row.name, longest), about, indent);
    }
  };
  if (spec.variants.empty()) rows(spec.params);
  for (const TableVariant& variant : spec.variants) {
    text += fmt::format("// {}:\n", variant.title);
    rows(variant.params);
  }
  const CheckCodes& codes = spec.codes;
  text +=
      fmt::format("//   {}  a required argument, workspaceSize or executor is null\n", codes.null);
  if (codes.dtype != codes.shape) text += fmt::format("//   {}  a data type\n", codes.dtype);
  if (codes.format != codes.shape) text += fmt::format("//   {}  a format\n", codes.format);
  if (spec.constraint_code != 0) {
    text += fmt::format("//   {}  what breaks a rule about values or what goes together\n",
                        spec.constraint_code);
  }
  text += fmt::format("//   {}  any other wrong argument\n", codes.shape);
  text += Comment("// ", fmt::format("CANN's document: {}", spec.document), "// ");
  return text;
}

std::string GuardOf(const std::string& path) {
  std::string guard = "ANYACL_";
  for (char c : path) guard += std::isalnum(c) ? static_cast<char>(std::toupper(c)) : '_';
  return guard + "_";
}

// Further text of a header, which a declaration cannot say: what stands in <header>.in for C++, in
// <header>.c.in for both languages.
std::string ExtraText(const std::filesystem::path& source, const std::string& file) {
  std::ifstream in(source / "include" / "aclnnop" / file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string EntryText(const OpSpec& spec) {
  std::vector<std::string> names;
  for (const ParamSpec& row : spec.params) names.push_back(row.name);
  const auto phase = [&](const char* name, const char* function) {
    std::string body = fmt::format("\n{}\n", PhaseOneDeclaration(spec, name, "", ") {"));
    body += fmt::format("  return {}(Find(kOperators, \"{}\"),\n", function, spec.op.phase_two);
    const std::string begin = std::string(10 + std::string_view(function).size(), ' ') + "{";
    return body + Declared(begin, names, "}, workspaceSize, executor);") + "\n}\n";
  };
  std::string text = phase(spec.op.phase_one, "PhaseOne");
  if (spec.phase_most != nullptr) text += phase(spec.phase_most, "PhaseMost");
  text += "\n";
  text += PhaseTwoDeclaration(spec, "", ") {") + "\n";
  text += fmt::format("  return anyaclRunExecutor(Find(kOperators, \"{}\").op, workspace,\n",
                      spec.op.phase_two);
  text += "                           workspaceSize, executor, stream);\n}\n";
  return text;
}

}  // namespace

std::string TypeOf(const ParamSpec& row) {
  switch (row.kind) {
    case Kind::kTensor:
    case Kind::kTensorList: {
      const char* type = row.kind == Kind::kTensor ? "aclTensor*" : "aclTensorList*";
      const bool writes = row.direction != Direction::kInput && !row.const_handle;
      return writes ? type : fmt::format("const {}", type);
    }
    case Kind::kScalar:
      return "const aclScalar*";
    case Kind::kScalarList:
      return "const aclScalarList*";
    case Kind::kIntArray:
      return "const aclIntArray*";
    case Kind::kFloatArray:
      return "const aclFloatArray*";
    case Kind::kBoolArray:
      return "const aclBoolArray*";
    case Kind::kInt64:
      return "int64_t";
    case Kind::kInt32:
      return "int32_t";
    case Kind::kInt8:
      return "int8_t";
    case Kind::kUint64:
      return "uint64_t";
    case Kind::kDouble:
      return "double";
    case Kind::kFloat:
      return "float";
    case Kind::kBool:
      return "bool";
    case Kind::kDataType:
      return "aclDataType";
    case Kind::kText:
      return "const char*";
    case Kind::kMutableText:
      return "char*";
  }
  return "";
}

std::string RangeText(const ParamSpec& row) {
  if (!IsInteger(row.kind) || (row.min == INT64_MIN && row.max == INT64_MAX)) return "";
  if (row.max == INT64_MAX) return fmt::format("{} or more", row.min);
  if (row.min == INT64_MIN) return fmt::format("at most {}", row.max);
  return row.min == row.max ? fmt::format("{}", row.min)
                            : fmt::format("{} to {}", row.min, row.max);
}

std::string HeaderText(const std::filesystem::path& source, const std::string& header,
                       const std::vector<const OpSpec*>& operators) {
  const std::string guard = GuardOf(fmt::format("aclnnop/{}", header));
  std::string text = kNotice;
  text += fmt::format("#ifndef {0}\n#define {0}\n\n", guard);
  // <array>: programs use std::array with no include of their own but these.
  text += "#ifdef __cplusplus\n#include <array>\n#endif\n\n";
  text += "#include \"aclnn/aclnn_base.h\"\n#include \"aclnnop/aclnn_util.h\"\n\n";
  text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  for (const OpSpec* spec : operators) {
    text += fmt::format("\n{}{}\n\n", Docstring(*spec),
                        PhaseOneDeclaration(*spec, spec->op.phase_one, "ACLNN_API ", ");"));
    if (spec->phase_most != nullptr) {
      text +=
          "// First phase that tells the workspace in bytes of every such call, whatever the "
          "values in "
          "its\n// arrays are. Codes as above.\n";
      text += PhaseOneDeclaration(*spec, spec->phase_most, "ACLNN_API ", ");") + "\n\n";
    }
    text +=
        "// Second phase: queues the operator. 161001: executor null, or workspace null where one "
        "is needed.\n";
    if (spec->op.phase_two_code != 0) {
      text +=
          fmt::format("// {}: whatever else is wrong with the call.\n", spec->op.phase_two_code);
    }
    text += PhaseTwoDeclaration(*spec, "ACLNN_API ", ");") + "\n";
  }
  text += ExtraText(source, header + ".c.in");
  text += "\n#ifdef __cplusplus\n}\n";
  text += ExtraText(source, header + ".in");
  text += fmt::format("#endif\n\n#endif  // {}\n", guard);
  return text;
}

std::string OldHeaderText(const std::string& header) {
  const std::string guard = GuardOf(fmt::format("aclnnop/level2/{}", header));
  return fmt::format(
      "{0}// The former place of aclnnop/{1}, for programs that still name it.\n#ifndef "
      "{2}\n#define {2}\n\n#include \"aclnnop/{1}\"\n\n#endif  // {2}\n",
      kNotice, header, guard);
}

std::string EntryPointsText(const char* folder, std::span<const OpSpec> operators) {
  std::string text = kNotice;
  std::set<std::string> headers;
  for (const OpSpec& spec : operators) headers.insert(spec.header);
  text += "#define ANYACL_NO_OVERLOADS\n";
  for (const std::string& header : headers)
    text += fmt::format("#include \"aclnnop/{}\"\n", header);
  text += "#include \"nnop/phases.h\"\n";
  text += fmt::format("#include \"ops/{}/operators.h\"\n\n", folder);
  text += fmt::format("using namespace anyacl;\nusing anyacl::{}::kOperators;\n\n", folder);
  text += "extern \"C\" {\n";
  for (const OpSpec& spec : operators) text += EntryText(spec);
  return text + "}\n";
}

}  // namespace anyacl
