// SPDX-License-Identifier: Apache-2.0
// Links between tokens and their permuted rows, read from a call's data by one thread before all
// threads work on rows. Places are what sortedIndices has numbers for: a token's places side by
// side, or, where experts have a fixed number of rows, an expert's rows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/status.h"
#include "nnop/view.h"

namespace anyacl::moe {

struct Link {
  int32_t token;
  int32_t row;     // -1: none
  int32_t expert;  // the column of its factor; -1: none
};

// Which of the numbers in places are rows of the call's permuted tensor, the first one its row 0.
struct RowRange {
  int64_t begin = 0, end = INT64_MAX;
};

// What the places of a call are.
struct Places {
  TensorView places{};     // rows of places, or if padded tokens of rows
  TensorView token_ids{};  // if given, padded places are any rows: `places` has them, this their
                           // tokens
  TensorView map{};        // which experts a token has; absent: column k is its place k's
  const char* name = "";   // of the argument that has `places`
  const char* token_name = "";
  const char* map_name = "";
  int64_t tokens = 0;
  int64_t rows = 0;    // of the permuted tensor
  int64_t named = -1;  // rows that places may have; -1: as many as there are places
  RowRange range{};
  int64_t per_token = 1;   // places of a token, if not padded
  int64_t per_expert = 0;  // rows of an expert; above 0: padded
  bool may_lack = false;   // -1 stands for no row

  int64_t count() const { return places.sizes[0]; }
};

// links[i] of place i. What the client's data names must be there.
Status ReadLinks(const Places& p, const Bindings& bindings, Link* links);

// Padded links in the order of their tokens, those of a token in their own, into `sorted`; those of
// token t begin at begins[t] and end at begins[t + 1].
void SortByToken(const Link* links, int64_t count, int64_t tokens, int64_t* begins, Link* sorted);

// by_row[r] = the number of row r's link; -1: it has none. A row with two links is an error.
Status IndexByRow(const Places& p, const Link* links, int64_t* by_row);

// Which experts a token has.
class ExpertMap {
 public:
  ExpertMap(const TensorView& map, const Bindings& bindings)
      : map_(map), data_(map.Address(bindings)) {}
  int64_t tokens() const { return map_.sizes[0]; }
  int64_t experts() const { return map_.sizes[1]; }
  bool At(int64_t token, int64_t expert) const {
    return data_[token * map_.strides[0] + expert * map_.strides[1]] != 0;
  }

 private:
  const TensorView& map_;
  const char* data_;
};

// No token has more than `most` experts, which are its places.
Status CheckExperts(const ExpertMap& map, const char* name, int64_t most);

// to[i] = the factor of a token and an expert, {token, expert} = of(i); 0 where either is none.
template <class Of>
void GatherFactors(const Bindings& bindings, const TensorView& factors, const TensorView& to,
                   int64_t count, const Of& of) {
  const int64_t bytes = BytesOf(factors);
  for (int64_t i = 0; i < count; ++i) {
    char* const address = to.Address(bindings) + i * to.strides[0] * bytes;
    const auto [token, expert] = of(i);
    if (token < 0 || expert < 0) {
      std::fill_n(address, bytes, char{0});
      continue;
    }
    const int64_t from = token * factors.strides[0] + expert * factors.strides[1];
    std::copy_n(factors.Address(bindings) + from * bytes, bytes, address);
  }
}

// Rows of the experts of a map: those of expert 0 first, an expert's by token.
class MapRows {
 public:
  // `begins` is room for a number for each expert.
  MapRows(const TensorView& map, const Bindings& bindings, int64_t* begins);
  int64_t rows() const { return rows_; }  // all of them

  // visit(expert, row) for the experts of a token, which is one more than the last call's.
  template <class Visit>
  void ForExperts(int64_t token, const Visit& visit) {
    for (int64_t e = 0; e < map_.experts(); ++e) {
      if (map_.At(token, e)) visit(e, begins_[e]++);
    }
  }

 private:
  const ExpertMap map_;
  int64_t* begins_;
  int64_t rows_ = 0;
};

}  // namespace anyacl::moe
