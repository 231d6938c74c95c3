// SPDX-License-Identifier: Apache-2.0
#include "ops/moe_distribute/special.h"

#include <algorithm>
#include <cmath>

#include "ops/blocks/blocks.h"

namespace anyacl::moe_distribute {

SpecialRows::SpecialRows(const CombineParams& params, const Bindings& bindings,
                         const Active& active, int64_t token)
    : p_(params), bindings_(bindings), token_(token) {
  if (active.special.empty()) return;
  for (int64_t k = 0; k < p_.chosen; ++k) {
    const int32_t expert = active.special[static_cast<size_t>(token * p_.chosen + k)];
    if (expert >= p_.special.zero) mixes_[static_cast<size_t>(k)] = MixOf(expert - p_.special.zero);
  }
}

// Of those behind the zero experts.
SpecialRows::Mix SpecialRows::MixOf(int64_t expert) const {
  if (expert < p_.special.copy) return {.given = true};
  const int64_t constant = expert - p_.special.copy;
  const double first = Product(p_.alphas[0], constant), second = Product(p_.alphas[1], constant);
  return {.given = true,
          .constant = constant,
          .of_token = static_cast<float>(1 / (1 + std::exp(second - first))),
          .of_constant = static_cast<float>(1 / (1 + std::exp(first - second)))};
}

double SpecialRows::Product(const TensorView& alphas, int64_t constant) const {
  std::array<float, blocks::kBlock> x, alpha;
  double sum = 0;
  for (int64_t h = 0; h < p_.hidden; h += blocks::kBlock) {
    const int64_t count = std::min(blocks::kBlock, p_.hidden - h);
    LoadColumns(p_.original, token_, h, count, x.data());
    LoadColumns(alphas, constant, h, count, alpha.data());
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) sum += double{x[i]} * alpha[i];
  }
  return sum;
}

void SpecialRows::LoadColumns(const TensorView& view, int64_t index, int64_t first, int64_t count,
                              float* to) const {
  blocks::LoadRow(
      view.dtype,
      view.Address(bindings_) + view.OffsetOf(index * p_.hidden + first) * BytesOf(view),
      view.strides[1], count, to);
}

bool SpecialRows::Load(int64_t place, int64_t first, int64_t count, float* row) const {
  if (place >= p_.chosen) return false;
  const Mix& mix = mixes_[static_cast<size_t>(place)];
  if (!mix.given) return false;
  LoadColumns(p_.original, token_, first, count, row);
  if (mix.constant < 0) return true;
  std::array<float, blocks::kBlock> constant;
  LoadColumns(p_.constants, mix.constant, first, count, constant.data());
  for (int64_t i = 0; i < count; ++i) {
    row[i] = row[i] * mix.of_token + constant[static_cast<size_t>(i)] * mix.of_constant;
  }
  return true;
}

}  // namespace anyacl::moe_distribute
