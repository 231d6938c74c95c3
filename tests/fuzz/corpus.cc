// SPDX-License-Identifier: Apache-2.0
#include "fuzz/corpus.h"

#include <gtest/gtest.h>

#include <cctype>
#include <chrono>
#include <fstream>
#include <random>

#include "support/random.h"

namespace anyacl::test {
namespace {

// However little a slow machine gets done in five seconds: of so many calls of operator_fuzz_test
// each code that it looks for, of which the rarest comes with one call in 20, is among them.
constexpr uint64_t kLeastCalls = 300;

std::vector<uint8_t> BytesOf(const std::string& hex) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

std::string WithoutNumbers(const std::string& message) {
  std::string kind;
  for (char c : message) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0 && c != '-') kind += c;
  }
  return kind;
}

void ReplayFile(const std::string& name, const std::function<Outcome(Choices&)>& fuzz,
                Replay& replay) {
  std::ifstream file(ANYACL_FUZZ_CORPUS "/" + name);
  for (std::string line; std::getline(file, line) && !testing::Test::HasFailure();) {
    if (line.empty() || line[0] == '#') continue;
    SCOPED_TRACE("input " + line);
    const std::vector<uint8_t> bytes = BytesOf(line);
    Choices choices(bytes.data(), bytes.size());
    const Outcome outcome = fuzz(choices);
    ++replay.inputs;
    ++replay.codes[outcome.code];
    if (outcome.code != 0) replay.refusals.insert(WithoutNumbers(outcome.message));
  }
}

}  // namespace

std::map<int, int> FuzzRandomly(const std::function<Outcome(Choices&)>& fuzz) {
  const uint64_t first = SeedOr(std::random_device{}());
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  std::map<int, int> codes;
  for (uint64_t calls = 0; !testing::Test::HasFailure() &&
                           (calls < kLeastCalls || std::chrono::steady_clock::now() < end);
       ++calls) {
    const uint64_t seed = first + calls;
    SCOPED_TRACE("ANYACL_TEST_SEED=" + std::to_string(seed));
    Choices choices(seed);
    ++codes[fuzz(choices).code];
  }
  for (const auto& [code, count] : codes) {
    testing::Test::RecordProperty(std::to_string(code), count);
  }
  return codes;
}

Replay ReplayCorpus(const std::string& name, const std::function<Outcome(Choices&)>& fuzz) {
  Replay replay;
  for (const char* suffix : {".txt", "_found.txt"}) ReplayFile(name + suffix, fuzz, replay);
  return replay;
}

}  // namespace anyacl::test
