// SPDX-License-Identifier: Apache-2.0
// The attributes of one call as the newest version of the operator has them; older versions leave
// the defaults.
#pragma once

#include <cstdint>

namespace anyacl::fused_infer_attention {

struct Args {
  int64_t num_heads = 0;
  double scale = 1.0;
  int64_t pre_tokens = INT32_MAX;
  int64_t next_tokens = INT32_MAX;
  const char* layout = nullptr;
  int64_t num_kv_heads = 0;
  int64_t sparse_mode = 0;
  int64_t inner_precise = 0;
  int64_t block_size = 0;
  int64_t antiquant_mode = 0;
  bool lse_flag = false;
  int64_t key_mode = 0;
  int64_t value_mode = 0;
  int64_t query_mode = 0;
  int64_t pse_type = 0;
};

}  // namespace anyacl::fused_infer_attention
