// SPDX-License-Identifier: Apache-2.0
// Calls that break one rule each, and calls that rows of the table want accepted.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ops/attention_problem.h"

namespace anyacl::test {

using Change = std::function<void(AttentionCall&)>;

struct Break {
  const char* row;
  AttentionOptions options;  // of a right call
  Change change;
  std::vector<std::string> words;  // in the message
  const char* rule = nullptr;      // whose rule answers; null: the row's
};

// By the sections of the table.
std::vector<Break> TypeBreaks();
std::vector<Break> HeadBreaks();
std::vector<Break> SizeBreaks();
std::vector<Break> ListBreaks();
std::vector<Break> MaskBreaks();
std::vector<Break> LengthBreaks();
std::vector<Break> PagedBreaks();
std::vector<Break> PaddingBreaks();
std::vector<Break> PrefixBreaks();
std::vector<Break> QuantBreaks();
std::vector<Break> CombinedBreaks();
std::vector<Break> SeparateBreaks();
std::vector<Break> SeparateTogetherBreaks();
std::vector<Break> Int4Breaks();
std::vector<Break> OutputBreaks();

std::vector<Break> AcceptedCalls();

// Right calls to start from.
AttentionOptions PromptCall();
AttentionOptions OneTokenCall();
AttentionOptions PagedPrompt();
AttentionOptions PagedOneToken();
AttentionOptions ListCall(int64_t query_size);
AttentionOptions Int8Prompt();
AttentionOptions Int8Out(AttentionOptions options);
AttentionOptions Quantised(aclDataType type, int64_t mode);  // keys and values, one token
AttentionOptions Combined(int64_t query_size);
AttentionOptions SeparatePrompt();
AttentionOptions WithPrefix(AttentionOptions options);

}  // namespace anyacl::test
