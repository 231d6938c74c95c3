// SPDX-License-Identifier: Apache-2.0
// Calls of the operators that write to other ranks' windows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aclnnop/aclnn_attention_to_ffn.h"
#include "aclnnop/aclnn_ffn_to_attention.h"
#include "ops/afd_case.h"
#include "reference/afd.h"

namespace anyacl::test {

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
