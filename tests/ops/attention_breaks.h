// SPDX-License-Identifier: Apache-2.0
// Calls that break one rule each, and calls that must pass.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ops/attention_problem.h"

namespace anyacl::test {

using Change = std::function<void(AttentionCall&)>;

Change Type(size_t which, aclDataType type);
Change Dims(size_t which, std::vector<int64_t> dims);
Change CacheDims(std::vector<int64_t> dims);  // of the first tensors of keys and of values
Change ScaleDims(std::vector<int64_t> dims);  // of keys' and values' scales
Change Null(size_t which);
Change Give(size_t which, Layout layout);

// Of padding.
inline const Layout kPad = {.dims = {1}, .dtype = ACL_INT64};

struct Break {
  const char* rule;
  AttentionOptions options;  // of a right call
  Change change;
  std::vector<std::string> words;  // in the message
};

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
AttentionOptions Masked(AttentionOptions options, int64_t sparse_mode);
AttentionOptions Lse(AttentionOptions options);
AttentionOptions PerChannel(AttentionOptions options);  // scales of an INT8 output

}  // namespace anyacl::test
