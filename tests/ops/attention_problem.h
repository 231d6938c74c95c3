// SPDX-License-Identifier: Apache-2.0
// Problems for FusedInferAttentionScore: a choice of features becomes values in logical order (for
// the oracle), tensors in the operator's layouts, a run and a comparison.
#pragma once

#include <string>
#include <vector>

#include "ops/attention_call.h"
#include "reference/attention.h"

namespace anyacl::test {

enum class Cache { kContiguous, kList, kPagedRows, kPagedHeads };
enum class Antiquant { kNone, kCombined, kSeparate };

struct AttentionOptions {
  std::string layout = "BNSD";
  aclDataType query_type = ACL_FLOAT16;
  aclDataType kv_type = ACL_FLOAT16;
  aclDataType out_type = ACL_FLOAT16;
  int64_t batch = 2;
  int64_t query_size = 1;
  int64_t kv_size = 40;
  int64_t heads = 4;
  int64_t kv_heads = 2;
  int64_t dim = 32;
  double scale = 0.2;

  Cache cache = Cache::kContiguous;
  int64_t block_size = 128;
  bool mask = false;
  double mask_density = 0.3;
  int64_t mask_rank = 2;
  bool mask_per_batch = false;
  int64_t mask_slack = 0;  // rows and columns more than needed
  aclDataType mask_type = ACL_BOOL;
  bool pse = false;
  bool pse_per_batch = false;
  bool lse = false;
  int64_t sparse_mode = 0;
  int64_t pre_tokens = INT32_MAX;
  int64_t next_tokens = INT32_MAX;
  int64_t inner_precise = 0;
  Lengths query_lengths, kv_lengths;
  int64_t prefix_size = 0;
  std::optional<int64_t> prefix;
  std::optional<int64_t> query_padding, kv_padding;
  Antiquant antiquant = Antiquant::kNone;
  int64_t key_mode = 0, value_mode = 0;  // combined: key_mode is antiquantMode
  bool per_tensor = false;               // of mode 0
  bool antiquant_offset = false;
  bool out_per_channel = false;
  bool out_offset = false;
  bool strided = false;  // gaps between the elements of query and output
};

inline bool IsPaged(const AttentionOptions& o) {
  return o.cache == Cache::kPagedRows || o.cache == Cache::kPagedHeads;
}

// For messages.
std::string NameOf(const AttentionOptions& options);

struct AttentionProblem {
  AttentionOptions options;
  ReferenceAttention reference;
  AttentionCall call;
  std::vector<int32_t> table;     // [B][width]
  std::vector<int64_t> kv_sizes;  // of a list's members
};

// All but the values of the sequences, the mask and pseShift: enough for the first phase.
AttentionProblem MakeShapes(const AttentionOptions& options, Random& random);

// Random values; elements that no sequence owns are NaN where the type has it.
AttentionProblem MakeProblem(const AttentionOptions& options, Random& random);

// Writes the values into tensors.
void WriteValues(const AttentionProblem& problem, AttentionObjects& objects);

struct AttentionOutput {
  std::vector<double> out;     // [B][N][Sq][D]
  std::vector<float> lse;      // [B][N][Sq]
  std::vector<uint8_t> bytes;  // of the output tensor
};

AttentionOutput ReadOutput(const AttentionProblem& problem, const AttentionObjects& objects);

// Against the oracle: within bounds from the arithmetic, and within a quarter of the tolerances of
// the operator's users.
void ExpectMatches(const AttentionProblem& problem, const AttentionOutput& output);

class AttentionTest : public DeviceTest {
 protected:
  AttentionOutput Run(const AttentionProblem& problem);
  AttentionOutput RunAndCheck(const AttentionOptions& options);

  // Calls to start from, with an LSE.
  static AttentionOptions Prompt();
  static AttentionOptions OneToken();
  // Another choice of features with the values of a problem.
  AttentionProblem Moved(const AttentionProblem& p, const AttentionOptions& options);
};

// Bit for bit.
void ExpectSame(const AttentionOutput& a, const AttentionOutput& b);

}  // namespace anyacl::test
