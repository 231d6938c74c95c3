// SPDX-License-Identifier: Apache-2.0
#include "reference/afd.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace anyacl::test {

std::vector<BatchedRow> ReferenceBatching(const std::vector<ListedIds>& listed, size_t experts) {
  std::vector<BatchedRow> rows;
  for (const ListedIds& entry : listed) {
    for (size_t i = 0; i < entry.ids.size(); ++i) {
      if (entry.ids[i] >= 1'000'000) continue;
      rows.push_back({entry.session, entry.micro_batch, static_cast<int32_t>(i / experts),
                      static_cast<int32_t>(i % experts), entry.ids[i]});
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const BatchedRow& a, const BatchedRow& b) { return a.expert < b.expert; });
  return rows;
}

std::vector<int64_t> ReferenceGroupList(const std::vector<BatchedRow>& rows, size_t expert_num) {
  std::map<int32_t, int64_t> counts;
  for (const BatchedRow& row : rows) ++counts[row.expert];
  std::vector<int64_t> list;
  for (const auto& [expert, count] : counts) {
    list.push_back(expert);
    list.push_back(count);
  }
  list.resize(2 * expert_num, 0);
  return list;
}

Combined ReferenceCombine(const std::vector<double>& rows, const std::vector<float>& scales,
                          size_t tokens, size_t experts, size_t chosen, size_t hidden) {
  Combined result;
  for (size_t t = 0; t < tokens; ++t) {
    for (size_t h = 0; h < hidden; ++h) {
      double sum = 0, magnitude = 0;
      for (size_t j = 0; j < experts; ++j) {
        const double scale = j < chosen ? static_cast<double>(scales[t * chosen + j]) : 1.0;
        const double term = scale * rows[(t * experts + j) * hidden + h];
        sum += term;
        magnitude += std::fabs(term);
      }
      result.y.push_back(sum);
      result.magnitudes.push_back(magnitude);
    }
  }
  return result;
}

QuantisedRow ReferenceQuantise(const std::vector<double>& x) {
  double most = 0;
  for (const double v : x) most = std::max(most, std::fabs(v));
  QuantisedRow row;
  row.scale = most / 127;
  for (const double v : x) row.quotients.push_back(most == 0 ? 0 : v / row.scale);
  return row;
}

std::vector<SentRow> ReferenceRoute(const Routing& routing, int64_t session, int64_t tokens) {
  std::vector<SentRow> rows;
  for (int64_t t = 0; t < tokens; ++t) {
    for (int64_t j = 0; j < routing.chosen + routing.shared; ++j) {
      const int64_t expert = j < routing.chosen
                                 ? routing.expert_ids[static_cast<size_t>(t * routing.chosen + j)]
                                 : routing.routed + j - routing.chosen;
      const int32_t* row = routing.rank_table.data() + expert * routing.width;
      const int64_t replica = session % row[0];
      rows.push_back({t, j, expert, row[1 + 2 * replica], row[2 + 2 * replica]});
    }
  }
  return rows;
}

}  // namespace anyacl::test
