// SPDX-License-Identifier: Apache-2.0
// aclnnMlaProlog in double precision, from its documents: the numbers of every tensor that it
// writes, and how far rounding may take a result from them.
#pragma once

#include <cstdint>
#include <vector>

namespace anyacl::test {

// A number, and how far off it a computation in fp32 may be.
struct Near {
  double value = 0, error = 0;
};

struct MlaProlog {
  int64_t tokens = 0, width = 0, query_rank = 0, heads = 0, plain = 0, key_rank = 0, turned = 0;
  // tokenX, weightUqQr, kvCacheRef are INT8; krCacheRef is where the first is not and the last is.
  bool int8_tokens = false, int8_queries = false, int8_keys = false;
  std::vector<double> x = {}, weight_dq = {}, weight_uq_qr = {}, weight_uk = {},
                      weight_dkv_kr = {};  // [K, N] each
  std::vector<double> gamma_cq = {}, gamma_ckv = {}, sin = {}, cos = {};
  std::vector<double> factors_x = {}, factors_dq = {}, factors_uq_qr = {}, factors_dkv_kr = {};
  std::vector<double> scale_ckv = {}, scale_ckr = {}, smooth = {};  // empty: none
  double eps_cq = 0, eps_ckv = 0;
  double query_factor = 1, key_factor = 1;  // of the norms
};

struct MlaPrologResult {
  std::vector<Near> query, query_rope, query_factors;  // the last of INT8 queries
  std::vector<Near> keys, ropes;                       // a row for each token
  std::vector<Near> norm, norm_factors;                // what weightUqQr is multiplied by
};

MlaPrologResult ExactMlaProlog(const MlaProlog& problem);

}  // namespace anyacl::test
