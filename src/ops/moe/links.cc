// SPDX-License-Identifier: Apache-2.0
#include "ops/moe/links.h"

#include <algorithm>

#include "nnop/integers.h"

namespace anyacl::moe {
namespace {

Status OutOfRange(const char* name, int64_t i, int64_t value, int64_t lowest, int64_t end) {
  return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "{}[{}] = {}, expected {} to {}", name, i, value,
              lowest, end - 1);
}

Status ReadPadded(const Places& p, const Bindings& bindings, Link* links) {
  for (int64_t i = 0; i < p.count(); ++i) {
    const bool any = p.token_ids.given();
    const int64_t row = any ? IntegerAt(bindings, p.places, i) : i;
    if (row < 0 || row >= p.rows) return OutOfRange(p.name, i, row, 0, p.rows);
    const int64_t token = IntegerAt(bindings, any ? p.token_ids : p.places, i);
    if (token < 0 || token >= p.tokens) {
      return OutOfRange(any ? p.token_name : p.name, i, token, 0, p.tokens);
    }
    links[i] = {static_cast<int32_t>(token), static_cast<int32_t>(row),
                static_cast<int32_t>(row / p.per_expert)};
  }
  return {};
}

}  // namespace

Status ReadLinks(const Places& p, const Bindings& bindings, Link* links) {
  if (p.per_expert > 0) return ReadPadded(p, bindings, links);
  const int64_t lowest = p.may_lack ? -1 : 0, named = p.named < 0 ? p.count() : p.named;
  const auto& [begin, end] = p.range;
  for (int64_t i = 0; i < p.count(); ++i) {
    const int64_t row = IntegerAt(bindings, p.places, i);
    if (row < lowest || row >= named) return OutOfRange(p.name, i, row, lowest, named);
    // Rows from the last one on were cut off, those out of the range are somebody else's.
    const bool here = row >= begin && row < end && row - begin < p.rows;
    links[i] = {static_cast<int32_t>(i / p.per_token),
                static_cast<int32_t>(here ? row - begin : -1),
                static_cast<int32_t>(p.map.given() ? -1 : i % p.per_token)};
  }
  if (!p.map.given()) return {};
  const ExpertMap map(p.map, bindings);
  if (Status s = CheckExperts(map, p.map_name, p.per_token); !s.ok()) return s;
  for (int64_t t = 0; t < map.tokens(); ++t) {
    Link* next = links + t * p.per_token;
    for (int64_t e = 0; e < map.experts(); ++e) {
      if (map.At(t, e)) (next++)->expert = static_cast<int32_t>(e);
    }
  }
  return {};
}

void SortByToken(const Link* links, int64_t count, int64_t tokens, int64_t* begins, Link* sorted) {
  std::fill_n(begins, tokens + 1, int64_t{0});
  for (int64_t i = 0; i < count; ++i) ++begins[links[i].token + 1];
  for (int64_t t = 0; t < tokens; ++t) begins[t + 1] += begins[t];
  for (int64_t i = 0; i < count; ++i) sorted[begins[links[i].token]++] = links[i];
  for (int64_t t = tokens; t > 0; --t) begins[t] = begins[t - 1];
  begins[0] = 0;
}

Status IndexByRow(const Places& p, const Link* links, int64_t* by_row) {
  std::fill_n(by_row, p.rows, int64_t{-1});
  for (int64_t i = 0; i < p.count(); ++i) {
    const int64_t row = links[i].row;
    if (row < 0) continue;
    if (by_row[row] >= 0) {
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "{}[{}] = {}, expected a row of its own: {}[{}]",
                  p.name, i, row + p.range.begin, p.name, by_row[row]);
    }
    by_row[row] = i;
  }
  return {};
}

Status CheckExperts(const ExpertMap& map, const char* name, int64_t most) {
  for (int64_t t = 0; t < map.tokens(); ++t) {
    int64_t count = 0;
    for (int64_t e = 0; e < map.experts(); ++e) count += map.At(t, e);
    if (count <= most) continue;
    return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                "{}[{}] has {} experts, expected at most {}: the places of a token", name, t, count,
                most);
  }
  return {};
}

MapRows::MapRows(const TensorView& map, const Bindings& bindings, int64_t* begins)
    : map_(map, bindings), begins_(begins) {
  const int64_t experts = map_.experts();
  std::fill_n(begins, experts, int64_t{0});
  for (int64_t t = 0; t < map_.tokens(); ++t) {
    for (int64_t e = 0; e < experts; ++e) begins[e] += map_.At(t, e);
  }
  for (int64_t e = 0; e < experts; ++e) {
    const int64_t count = begins[e];
    begins[e] = rows_;
    rows_ += count;
  }
}

}  // namespace anyacl::moe
