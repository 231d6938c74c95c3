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

// Calls visit(line) for each line of a table.
template <class Visit>
void ForEachLine(const char* name, Visit visit) {
  std::ifstream file(kFolder / name);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') visit(line);
  }
}

std::string FirstWord(const std::string& line) { return line.substr(0, line.find(' ')); }

// The rules and "Suite.Name" of all tests of the operator.
std::set<std::string> Known() {
  std::set<std::string> known;
  ForEachLine("attention_rules.txt",
              [&](const std::string& line) { known.insert(FirstWord(line)); });
  known.erase("section");  // a heading
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
  std::set<std::string> ideas;
  ForEachLine("attention_ideas.txt", [&](const std::string& line) {
    const size_t end = line.find(": ");
    ASSERT_NE(end, std::string::npos) << line;
    const std::string idea = line.substr(0, end);
    EXPECT_TRUE(ideas.insert(idea).second) << idea << " stands there twice";
    std::istringstream words(line.substr(end + 2));
    std::string name;
    int names = 0;
    for (; words >> name; ++names) EXPECT_EQ(known.count(name), 1u) << idea << ": " << name;
    EXPECT_GT(names, 0) << idea;
  });
  EXPECT_EQ(ideas.size(), 95u);
}

}  // namespace
}  // namespace anyacl::test
