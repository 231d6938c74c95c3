// SPDX-License-Identifier: Apache-2.0
// Calls of FusedInferAttentionScore that V2 does not know: a choice of features becomes values in
// logical order, tensors in the layouts, and what double arithmetic makes of them.
#pragma once

#include <string>
#include <vector>

#include "ops/attention_call.h"

namespace anyacl::test {

struct ExtendedOptions {
  int version = 4;
  std::string layout = "TND";  // "in" or "in_out"
  aclDataType type = ACL_BF16;
  aclDataType kv_type = ACL_BF16;  // INT8: the cache only, or with a type of INT8 all
  int64_t heads = 4;
  int64_t kv_heads = 2;
  int64_t dim = 128;
  int64_t value_dim = 128;
  bool rope = false;
  std::vector<int64_t> query_lengths = {3, 1, 4};
  std::vector<int64_t> kv_lengths = {70, 5, 131};
  int64_t query_slack = 0;  // rows (ragged: behind all) that no length covers
  size_t pages = 0;         // the rank of the cache, or 0: not paged
  int64_t block_size = 32;
  int64_t sparse_mode = 0;
  int64_t pre_tokens = INT32_MAX;
  int64_t next_tokens = INT32_MAX;
  bool mask = false;  // of modes 0 and 1
  int64_t inner_precise = 0;
  bool sink = false;
  bool lse = true;
  bool per_token = false;  // scales of an INT8 cache under BF16 queries
  bool strided = false;    // gaps in query, ropes and output
  double scale = 0.08;

  bool Ragged() const { return layout[0] == 'T' || layout[0] == 'N'; }
};

std::string NameOf(const ExtendedOptions& options);

// Heads of 512 elements and a rope, which share one head of keys and values.
ExtendedOptions Latent();

struct ExtendedProblem {
  ExtendedOptions options;
  AttentionCall call;
  int64_t query_size = 0;  // Sq, or T
  int64_t kv_size = 0;
  std::vector<int32_t> table;
  // [b][n][i], then the elements of a head, ropes last; keys as stored.
  std::vector<std::vector<double>> q, k, v;
  std::vector<double> query_scale, key_scale, value_scale, sink;
  std::vector<uint8_t> mask;
};

// The call alone, without numbers in queries, keys, values and sinks.
ExtendedProblem MakeExtendedCall(const ExtendedOptions& options, Random& random);

ExtendedProblem MakeExtended(const ExtendedOptions& options, Random& random);

void WriteExtended(const ExtendedProblem& problem, AttentionObjects& objects);

// Compares output and LSE with the oracle.
void ExpectExtended(const ExtendedProblem& problem, const AttentionObjects& objects);

}  // namespace anyacl::test
