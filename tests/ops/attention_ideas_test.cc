// SPDX-License-Identifier: Apache-2.0
// The list of test ideas is complete, and what it names exists.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace anyacl::test {
namespace {

const std::filesystem::path kFolder = ANYACL_ATTENTION_TESTS;

// Calls visit(words) for each line of a table.
template <class Visit>
void ForEachLine(const char* name, Visit visit) {
  std::ifstream file(kFolder / name);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    if (!line.empty() && line[0] != '#') visit(words);
  }
}

// Rows of the validation table and "Suite.Name" of all tests of the operator.
std::set<std::string> Known() {
  std::set<std::string> known;
  ForEachLine("attention_rows.txt", [&](std::istringstream& words) {
    std::string row;
    words >> row;
    known.insert(row);
  });
  const std::regex test(R"(TEST_F\((\w+),\s*(\w+)\))");
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("attention_", 0) != 0 || entry.path().extension() != ".cc") continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const std::string source = text.str();
    for (std::sregex_iterator at(source.begin(), source.end(), test), end; at != end; ++at) {
      known.insert((*at)[1].str() + "." + (*at)[2].str());
    }
  }
  return known;
}

TEST(AttentionIdeas, EveryIdeaHasATestThatExists) {
  const std::set<std::string> known = Known();
  int next = 1;
  ForEachLine("attention_ideas.txt", [&](std::istringstream& words) {
    std::string idea, name;
    words >> idea;
    EXPECT_EQ(idea, (next < 10 ? "T0" : "T") + std::to_string(next));
    ++next;
    int names = 0;
    for (; words >> name; ++names) EXPECT_EQ(known.count(name), 1u) << idea << " " << name;
    EXPECT_GT(names, 0) << idea;
  });
  EXPECT_EQ(next, 96);
}

}  // namespace
}  // namespace anyacl::test
