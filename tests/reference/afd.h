// SPDX-License-Identifier: Apache-2.0
// The operators of attention/FFN disaggregation by their documents: plain loops in double over
// vectors, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace anyacl::test {

// A row that FfnWorkerBatching gives out: where it comes from, and its expert.
struct BatchedRow {
  int32_t session = 0;
  int32_t micro_batch = 0;
  int32_t token = 0;
  int32_t offset = 0;  // which of its token's rows
  int32_t expert = 0;

  bool operator==(const BatchedRow&) const = default;
};

// What the scheduler has listed: session and micro batch, and ids of `experts` a token.
struct ListedIds {
  int32_t session = 0;
  int32_t micro_batch = 0;
  std::vector<int32_t> ids;
};
// Sorted by expert, those of one expert in the order of the list; ids of 1,000,000 and above stand
// for no row.
std::vector<BatchedRow> ReferenceBatching(const std::vector<ListedIds>& listed, size_t experts);
// {expert, number of rows}, then {0, 0} up to `expert_num` entries.
std::vector<int64_t> ReferenceGroupList(const std::vector<BatchedRow>& rows, size_t expert_num);

// y[t][h] = sum over j of scales[t][j] * rows[t][j][h], a scale being 1 from `chosen` on; and the
// sum of the magnitudes of what is added.
struct Combined {
  std::vector<double> y;
  std::vector<double> magnitudes;
};
Combined ReferenceCombine(const std::vector<double>& rows, const std::vector<float>& scales,
                          size_t tokens, size_t experts, size_t chosen, size_t hidden);

// An int8 row and its scale: y = rint(x * 127 / max|x|), scale = max|x| / 127.
struct QuantisedRow {
  std::vector<double> quotients;  // before rint
  double scale = 0;
};
QuantisedRow ReferenceQuantise(const std::vector<double>& x);

// What AttentionToFFN sends: row (token, offset) to expert `local_id` of a rank.
struct SentRow {
  int64_t token = 0;
  int64_t offset = 0;
  int64_t expert = 0;
  int32_t rank = 0;
  int32_t local_id = 0;
};
struct Routing {
  int64_t chosen = 0;
  int64_t shared = 0;
  int64_t routed = 0;               // of the model
  std::vector<int32_t> expert_ids;  // [tokens][chosen]
  std::vector<int32_t> rank_table;  // [routed + shared][width]
  int64_t width = 0;
};
std::vector<SentRow> ReferenceRoute(const Routing& routing, int64_t session, int64_t tokens);

}  // namespace anyacl::test
