// SPDX-License-Identifier: Apache-2.0
// Where the elements of such a call lie: what its maker and its oracle share.
#pragma once

#include <numeric>
#include <string>
#include <vector>

#include "ops/attention_extended_case.h"

namespace anyacl::test {

using Values = std::vector<double>;
constexpr int64_t kRope = 64;

inline int64_t Batch(const ExtendedOptions& o) {
  return static_cast<int64_t>(o.query_lengths.size());
}
inline aclDataType OutType(const ExtendedOptions& o) {
  return o.type == ACL_INT8 ? ACL_BF16 : o.type;
}
// All are INT8.
inline bool Latent8(const ExtendedOptions& o) { return o.type == ACL_INT8; }
// Of a head behind its own elements.
inline int64_t TailOf(const ExtendedOptions& o) { return o.rope ? kRope : 0; }
inline std::string InLayout(const ExtendedOptions& o) {
  return o.layout.substr(0, o.layout.find('_'));
}
inline std::string OutLayout(const ExtendedOptions& o) {
  return o.layout.substr(o.layout.find('_') + 1);
}

// One tensor in a layout: its dimensions, and where an element lies.
struct Place {
  std::string layout;
  int64_t batch, heads, size, dim;
  std::vector<int64_t> starts;  // ragged: of each batch entry

  std::vector<int64_t> Dims() const {
    if (layout == "BSH") return {batch, size, heads * dim};
    if (layout == "BSND") return {batch, size, heads, dim};
    if (layout == "BNSD") return {batch, heads, size, dim};
    if (layout == "NBSD") return {heads, batch, size, dim};
    if (layout == "TND") return {size, heads, dim};
    return {heads, size, dim};
  }
  int64_t At(int64_t b, int64_t n, int64_t s) const {
    const bool ragged = layout == "TND" || layout == "NTD";
    const int64_t row = s + (ragged ? starts[static_cast<size_t>(b)] : 0);
    if (layout == "TND") return (row * heads + n) * dim;
    if (layout == "NTD") return (n * size + row) * dim;
    if (layout == "BNSD") return ((b * heads + n) * size + s) * dim;
    if (layout == "NBSD") return ((n * batch + b) * size + s) * dim;
    return ((b * size + s) * heads + n) * dim;
  }
};

inline std::vector<int64_t> StartsOf(const std::vector<int64_t>& lengths) {
  std::vector<int64_t> starts(lengths.size());
  std::exclusive_scan(lengths.begin(), lengths.end(), starts.begin(), int64_t{0});
  return starts;
}

inline Place QueryPlace(const ExtendedProblem& p, const std::string& layout, int64_t dim) {
  const ExtendedOptions& o = p.options;
  return {layout, Batch(o), o.heads, p.query_size, dim, StartsOf(o.query_lengths)};
}

}  // namespace anyacl::test
