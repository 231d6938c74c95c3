// SPDX-License-Identifier: Apache-2.0
// Writes what follows from the operators' declarations: headers, entry points, symbols, the support
// page and the files for programs, and with --check tells which of these files are out of date
// instead. usage: operator_files [--check] SOURCE_DIR
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "base/division.h"
#include "operator_files/files.h"
#include "ops/operators.h"

namespace anyacl {
namespace {

using Files = std::map<std::string, std::string>;  // path below the source folder, and text

std::string SymbolsText() {
  std::string text =
      "# What libopapi exports for the operators: made from their declarations by the target\n"
      "# update_operator_files.\n\nlibopapi:\n";
  for (const OperatorFolder& folder : OperatorFolders()) {
    text += fmt::format("\n# src/ops/{}\n", folder.name);
    for (const OpSpec& spec : folder.operators) {
      text += fmt::format("{}\n{}\n", spec.op.phase_one, spec.op.phase_two);
      if (spec.phase_most != nullptr) text += fmt::format("{}\n", spec.phase_most);
    }
  }
  return text;
}

// api.cc, api_2.cc, ...: files of about equal size, which somebody can read.
std::vector<std::pair<std::string, std::span<const OpSpec>>> EntryPointFiles(
    const OperatorFolder& folder) {
  // Lines: of both functions, and of an argument's declaration and use.
  constexpr size_t kOfOperator = 12, kOfArgument = 1, kMost = 490;
  const auto size_of = [](const OpSpec& spec) {
    return kOfOperator + kOfArgument * spec.params.size();
  };
  size_t all = 0;
  for (const OpSpec& spec : folder.operators) all += size_of(spec);
  const size_t parts = CeilDivide(all, kMost);
  std::vector<std::pair<std::string, std::span<const OpSpec>>> files;
  size_t begin = 0, before = 0;
  for (size_t i = 1; i <= parts; ++i) {
    size_t end = begin;
    while (end < folder.operators.size() && before < i * all / parts) {
      before += size_of(folder.operators[end++]);
    }
    const std::string number = i > 1 ? fmt::format("_{}", i) : "";
    files.emplace_back(fmt::format("src/ops/{}/api{}.cc", folder.name, number),
                       folder.operators.subspan(begin, end - begin));
    begin = end;
  }
  return files;
}

Files AllFiles(const std::filesystem::path& source) {
  Files files;
  std::map<std::string, std::vector<const OpSpec*>> by_header;
  for (const OperatorFolder& folder : OperatorFolders()) {
    for (const OpSpec& spec : folder.operators) by_header[spec.header].push_back(&spec);
    for (const auto& [name, operators] : EntryPointFiles(folder)) {
      files[name] = EntryPointsText(folder.name, operators);
    }
  }
  for (const auto& [header, operators] : by_header) {
    files[fmt::format("include/aclnnop/{}", header)] = HeaderText(source, header, operators);
    files[fmt::format("include/aclnnop/level2/{}", header)] = OldHeaderText(header);
  }
  files["abi/operators.txt"] = SymbolsText();
  files["docs/support.md"] = SupportText();
  files["share/anyacl/operators.json"] = JsonText();
  files["share/anyacl/single_operators.json"] = SingleJsonText();
  return files;
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

int Run(bool check, const std::filesystem::path& source) {
  int stale = 0;
  for (const auto& [path, text] : AllFiles(source)) {
    if (ReadFile(source / path) == text) continue;
    ++stale;
    std::cout << path << (check ? " is out of date\n" : " written\n");
    if (check) continue;
    std::filesystem::create_directories((source / path).parent_path());
    std::ofstream(source / path) << text;
  }
  return check && stale > 0 ? 1 : 0;
}

}  // namespace
}  // namespace anyacl

int main(int argc, char** argv) {
  const bool check = argc == 3 && std::string_view(argv[1]) == "--check";
  if (argc != (check ? 3 : 2)) {
    std::fputs("usage: operator_files [--check] SOURCE_DIR\n", stderr);
    return 2;
  }
  return anyacl::Run(check, argv[argc - 1]);
}
