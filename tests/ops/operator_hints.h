// SPDX-License-Identifier: Apache-2.0
// What the lists of hints share.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "ops/operator_calls.h"

namespace anyacl::test {

inline CallArgument Integer(int64_t value) { return {.integer = value}; }
inline CallArgument Array(std::vector<int64_t> values) { return {.array = std::move(values)}; }
inline CallArgument Shaped(std::vector<int64_t> dims, aclDataType type) {
  return {.layout = Layout{.dims = std::move(dims), .dtype = type}};
}

// Of a table's row.
size_t RowOf(std::string_view table, std::string_view name);

// Reductions, norms, losses and optimisers, and what models are quantised with.
void AddTraining(std::map<std::string, CallHints>& hints);
// Attention, and products of integers and of groups.
void AddAttention(std::map<std::string, CallHints>& hints);
void AddQuantised(std::map<std::string, CallHints>& hints);
// Later versions of attention for training, made of what the lists above say of the first ones.
void AddFlashVersions(std::map<std::string, CallHints>& hints);
// Tokens and their experts.
void AddRouting(std::map<std::string, CallHints>& hints);
// Permuted tokens, positions and caches.
void AddInference(std::map<std::string, CallHints>& hints);
// Keys compressed in blocks, attention to them and to chosen ones.
void AddNativeSparseAttention(std::map<std::string, CallHints>& hints);
// Attention over chosen keys, and what chooses them.
void AddSparseAttention(std::map<std::string, CallHints>& hints);
// Operators that name a communicator.
void AddAfd(std::map<std::string, CallHints>& hints);
void AddLinearAlgebra(std::map<std::string, CallHints>& hints);
// What moves elements, finds them, sums along a dimension, or makes them.
void AddData(std::map<std::string, CallHints>& hints);
// Convolutions, pools and other work on planes.
void AddImages(std::map<std::string, CallHints>& hints);

}  // namespace anyacl::test
