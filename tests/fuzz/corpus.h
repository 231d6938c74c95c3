// SPDX-License-Identifier: Apache-2.0
// Inputs that libFuzzer found, in files of one line of hexadecimal digits each: they reach what the
// random calls of a few seconds may miss. tools/grow_corpus.py finds more of them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/choices.h"

namespace anyacl::test {

// How the first phase of a fuzzed call ended.
struct Outcome {
  int code = 0;
  std::string message;  // of a refused call
};

// Gives the function random choices for five seconds and some hundred calls at the least, or up to
// the first failure, which shows the seed that makes its call the first one. How often each code
// came.
std::map<int, int> FuzzRandomly(const std::function<Outcome(Choices&)>& fuzz);

struct Replay {
  size_t inputs = 0;
  std::map<int, int> codes;
  std::set<std::string> refusals;  // messages without their numbers
};

// Gives every input of tests/fuzz/corpus/<name>.txt, and of <name>_found.txt, which failed once, to
// the function, up to the first failure.
Replay ReplayCorpus(const std::string& name, const std::function<Outcome(Choices&)>& fuzz);

}  // namespace anyacl::test
