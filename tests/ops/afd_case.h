// SPDX-License-Identifier: Apache-2.0
// Calls of the operators that turn what lies in windows into tensors, and the windows.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/ffn_case.h"
#include "support/tensor.h"

namespace anyacl::test {

namespace field {
inline constexpr Field kTokenSize{"attn_to_ffn_token_size", 20, 4};
}  // namespace field

inline constexpr aclDataType kTokenTypes[] = {ACL_FLOAT16, ACL_BF16, ACL_INT8};

inline std::vector<uint8_t> RandomBytes(Random& random, size_t count) {
  std::vector<uint8_t> bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.Int(0, 255));
  return bytes;
}

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

// An FFN worker with token rows.
struct RowsShape {
  FfnShape slots;
  uint32_t hidden = 32;
  uint32_t row_bytes = 64;
};
class FfnWorkerWithRows : public FfnWorker {
 public:
  FfnWorkerWithRows(const RowsShape& shape, Random& random);

  const uint8_t* Row(int64_t session, int64_t micro_batch, int64_t id) const;
  // Ids below `experts`, or of no row.
  void PublishRandom(Random& random, uint32_t session, uint32_t micro_batch, int32_t experts);

 private:
  RowsShape shape_;
  GuardedBuffer rows_;
};

}  // namespace anyacl::test
