// SPDX-License-Identifier: Apache-2.0
// What ranks bring to a step, and who receives what.
#include <algorithm>
#include <cmath>
#include <random>

#include "ops/moe_rank.h"
#include "support/half.h"

namespace anyacl::test {

float Decode(aclDataType dtype, uint16_t bits) {
  return dtype == ACL_BF16 ? DecodeBf16(bits) : DecodeFp16(bits);
}
uint16_t Encode(aclDataType dtype, double value) {
  return dtype == ACL_BF16 ? EncodeBf16(static_cast<float>(value))
                           : EncodeFp16(static_cast<float>(value));
}

int64_t MoeShape::max_tokens() const { return *std::max_element(tokens.begin(), tokens.end()); }

int64_t MoeShape::RowsOf(int64_t rank) const {
  const int64_t global = max_tokens() * ranks();
  if (rank >= shared_ranks) return global * std::min(local(), chosen);
  // As op-plugin makes it: the document's quotient, upwards.
  const int64_t copies = shared_ranks / shared;
  return max_tokens() * ((ranks() + copies - 1) / copies);
}

MoeTokens TokensOf(const MoeShape& shape, uint64_t seed, int64_t rank, int64_t step) {
  std::mt19937_64 random(seed * 1000003 + static_cast<uint64_t>(rank * 1009 + step));
  std::normal_distribution<float> normal;
  const int64_t count = shape.tokens[static_cast<size_t>(rank)];
  MoeTokens tokens;
  for (int64_t i = 0; i < count * shape.hidden; ++i) {
    tokens.x.push_back(Encode(shape.dtype, normal(random)));
    tokens.shared_x.push_back(Encode(shape.dtype, normal(random)));
    if (shape.norm) tokens.residual.push_back(Encode(shape.dtype, normal(random)));
  }
  for (int64_t t = 0; t < count; ++t) {
    std::vector<int32_t> experts(static_cast<size_t>(shape.experts()));
    for (size_t e = 0; e < experts.size(); ++e) experts[e] = static_cast<int32_t>(e);
    std::shuffle(experts.begin(), experts.end(), random);
    // Some ranks get nothing in some steps.
    if (step % 3 == 1) std::sort(experts.begin(), experts.end());
    for (int64_t k = 0; k < shape.chosen; ++k) {
      tokens.expert_ids.push_back(experts[static_cast<size_t>(k)]);
      const double weight = std::fabs(normal(random));
      tokens.weights.push_back(shape.weighs ? static_cast<float>(weight) : 1.0f);
    }
  }
  // Products of a few: both parts of the mixture matter.
  const float shrink = 1 / std::sqrt(static_cast<float>(shape.hidden));
  for (int64_t i = 0; i < shape.constant * shape.hidden; ++i) {
    tokens.alpha1.push_back(Encode(shape.dtype, normal(random) * shrink));
    tokens.alpha2.push_back(Encode(shape.dtype, normal(random) * shrink));
    tokens.constants.push_back(Encode(shape.dtype, normal(random)));
  }
  const auto taken = static_cast<int64_t>(random() % static_cast<uint64_t>(count + 1));
  for (int64_t t = 0; t < count; ++t) {
    bool any = false;
    for (int64_t k = 0; k < shape.chosen; ++k) {
      const bool on = shape.mask == MoeMask::kNone     ? true
                      : shape.mask == MoeMask::kTokens ? t < taken
                                                       : random() % 2 == 0;
      tokens.rows.push_back(on);
      any |= on;
      if (shape.mask == MoeMask::kRows) tokens.mask.push_back(on ? 1 : 0);
    }
    tokens.active.push_back(any);
    if (shape.mask != MoeMask::kRows) tokens.mask.push_back(any ? 1 : 0);
  }
  return tokens;
}

std::vector<MoeRow> RowsAt(const MoeShape& shape, const std::vector<MoeTokens>& all, int64_t rank) {
  std::vector<MoeRow> rows;
  if (rank < shape.shared_ranks) {
    const int64_t copies = shape.shared_ranks / shape.shared;
    const int64_t j = rank / copies;
    for (int64_t s = 0; s < shape.ranks(); ++s) {
      if (s % copies != rank % copies) continue;
      for (int64_t t = 0; t < shape.tokens[static_cast<size_t>(s)]; ++t) {
        if (all[static_cast<size_t>(s)].active[static_cast<size_t>(t)])
          rows.push_back({s, t, shape.chosen + j, shape.routed + j});
      }
    }
    return rows;
  }
  const int64_t first = (rank - shape.shared_ranks) * shape.local();
  for (int64_t expert = first; expert < first + shape.local(); ++expert) {
    for (int64_t s = 0; s < shape.ranks(); ++s) {
      const MoeTokens& from = all[static_cast<size_t>(s)];
      for (size_t i = 0; i < from.expert_ids.size(); ++i) {
        if (from.expert_ids[i] != expert || !from.rows[i]) continue;
        const auto row = static_cast<int64_t>(i);
        rows.push_back({s, row / shape.chosen, row % shape.chosen, expert});
      }
    }
  }
  return rows;
}

}  // namespace anyacl::test
