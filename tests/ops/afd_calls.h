// SPDX-License-Identifier: Apache-2.0
// Calls of the operators of attention/FFN disaggregation, with no fixture: ranks may be processes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aclnnop/aclnn_attention_to_ffn.h"
#include "aclnnop/aclnn_ffn_to_attention.h"
#include "aclnnop/aclnn_ffn_worker_batching.h"
#include "ops/ffn_case.h"
#include "reference/afd.h"
#include "support/tensor.h"

namespace anyacl::test {

namespace field {
inline constexpr Field kTokenSize{"attn_to_ffn_token_size", 20, 4};
}  // namespace field

inline constexpr aclDataType kTokenTypes[] = {ACL_FLOAT16, ACL_BF16, ACL_INT8};

// Both phases with a workspace that lives as long as this; the code of the first that fails.
class Caller {
 public:
  int Launch(const Phase1& phase1, Phase2 phase2, aclrtStream stream);
  int Run(const Phase1& phase1, Phase2 phase2, aclrtStream stream) {
    const int code = Launch(phase1, phase2, stream);
    return code != 0 ? code : aclrtSynchronizeStream(stream);
  }

 private:
  std::vector<Tensor> workspaces_;
};

// The tensors of batching calls.
class Batching {
 public:
  // {A, BS, K, H}
  Batching(std::vector<int64_t> max_out_shape, int64_t token_dtype, int64_t experts,
           bool empty_scale = false);
  ~Batching();
  Batching(const Batching&) = delete;
  Batching& operator=(const Batching&) = delete;

  Phase1 PhaseOne(const aclTensor* context, int64_t need_schedule, int64_t layers = 0) const;
  int Launch(const aclTensor* context, int64_t need_schedule, aclrtStream stream);
  int Run(const aclTensor* context, int64_t need_schedule, aclrtStream stream) {
    const int code = Launch(context, need_schedule, stream);
    return code != 0 ? code : aclrtSynchronizeStream(stream);
  }
  int64_t rows() const { return y.layout().dims[0]; }
  int64_t count() const { return actual.Read<int64_t>()[0]; }
  bool GuardsIntact() const;

  const int64_t token_dtype, experts;
  aclIntArray* const max_out_shape;
  Tensor y, group_list, sessions, micro_batches, tokens, offsets, scales, actual;

 private:
  Caller caller_;
};

// What both sides agree on. Ranks: attention workers, then FFN workers.
struct PipelineShape {
  int64_t attention = 2;
  int64_t ffn = 2;
  int64_t micro_batches = 2;
  int64_t tokens = 3;
  int64_t chosen = 2;
  int64_t shared = 1;
  int64_t routed = 5;
  int64_t hidden = 1024;
  int64_t row = 1024;  // HS
  int64_t quant = 0;
  int64_t sync = 0;

  int64_t world() const { return attention + ffn; }
  int64_t experts() const { return chosen + shared; }
  int64_t ids() const { return tokens * experts(); }
  int64_t row_bytes() const { return row * (quant == 2 ? 1 : 2); }
  int64_t slot_bytes() const { return 4 * (2 + ids()); }
  int64_t width() const { return 2 * ffn + 1; }
  static int64_t Align(int64_t bytes) { return (bytes + 511) / 512 * 512; }
  int64_t ffn_rows() const { return Align(attention * micro_batches * slot_bytes()); }
  int64_t ffn_window() const {
    return ffn_rows() + attention * micro_batches * ids() * row_bytes();
  }
  int64_t attention_rows() const { return Align(4 * micro_batches * ids()); }
  int64_t attention_window() const { return attention_rows() + micro_batches * ids() * hidden * 2; }
  std::vector<uint64_t> windows() const;
};

class IntArray {
 public:
  explicit IntArray(const std::vector<int64_t>& values)
      : handle_(aclCreateIntArray(values.data(), values.size())) {}
  ~IntArray() { aclDestroyIntArray(handle_); }
  IntArray(const IntArray&) = delete;
  IntArray& operator=(const IntArray&) = delete;
  const aclIntArray* handle() const { return handle_; }

 private:
  aclIntArray* handle_;
};

struct SendCall {
  explicit SendCall(const PipelineShape& shape, std::string group = "afd", bool strided = false,
                    aclDataType type = ACL_FLOAT16);

  Phase1 PhaseOne() const;
  int Launch(aclrtStream stream) { return caller.Launch(PhaseOne(), aclnnAttentionToFFN, stream); }
  int Run(aclrtStream stream) {
    const int code = Launch(stream);
    return code != 0 ? code : aclrtSynchronizeStream(stream);
  }

  PipelineShape shape;
  std::string group;
  Tensor x, session, micro_batch, layer, expert_ids, rank_table, scales, mask;
  bool has_scales = false, has_mask = false;
  IntArray info, data, flags;
  Caller caller;
};

struct ReturnCall {
  ReturnCall(const PipelineShape& shape, int64_t rows, std::string group = "afd",
             bool strided = false);

  Phase1 PhaseOne() const;
  int Launch(aclrtStream stream) { return caller.Launch(PhaseOne(), aclnnFFNToAttention, stream); }
  int Run(aclrtStream stream) {
    const int code = Launch(stream);
    return code != 0 ? code : aclrtSynchronizeStream(stream);
  }

  PipelineShape shape;
  std::string group;
  Tensor x, sessions, micro_batches, tokens, offsets, actual, rank_table;
  bool has_table = false;
  IntArray info, data;
  Caller caller;
};

// A table in which expert e has 1 to all of the FFN ranks, and local ids of its own.
std::vector<int32_t> RandomTable(const PipelineShape& shape, Random& random);

}  // namespace anyacl::test
