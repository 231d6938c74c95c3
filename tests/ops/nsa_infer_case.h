// SPDX-License-Identifier: Apache-2.0
// Sequences of a few rows and of keys in pages, in the layouts of inference.
#pragma once

#include "ops/nsa_case.h"

namespace anyacl::test::nsa {

struct InferSequences {
  std::string layout = "TND";
  Lengths rows = {1, 1, 1}, keys = {130, 64, 33};
  bool given = false;  // the lengths of rows
  int64_t size = 1;    // BSND, BSH: S
  int64_t behind = 0;  // TND: rows behind those of all sequences
  int64_t heads = 4, key_heads = 2, dim = 40, value_dim = 24, page = 64;

  bool ragged() const { return layout == "TND"; }
  int64_t batch() const { return static_cast<int64_t>(rows.size()); }
  int64_t tokens() const { return ragged() ? Total(rows) + behind : batch() * size; }
  int64_t columns() const {
    return (*std::max_element(keys.begin(), keys.end()) + page - 1) / page + 1;
  }
  int64_t pages() const { return batch() * columns() + 2; }

  Shape TokenShape(int64_t n, int64_t inner) const {
    if (ragged()) return {tokens(), n, inner};
    if (layout == "BSH") return {batch(), size, n * inner};
    return {batch(), size, n, inner};
  }
  Shape PageShape(int64_t inner) const {
    if (layout == "BSND") return {pages(), page, key_heads, inner};
    return {pages(), page, key_heads * inner};
  }
  int64_t RowOf(size_t b, int64_t i) const {
    const auto first = static_cast<std::ptrdiff_t>(b);
    return ragged() ? std::accumulate(rows.begin(), rows.begin() + first, i)
                    : static_cast<int64_t>(b) * size + i;
  }
  // Pages that nothing needs are none.
  int32_t Page(size_t b, int64_t column) const {
    if (column * page >= keys[b]) return -1;
    const int64_t place = static_cast<int64_t>(b) * columns() + column;
    return static_cast<int32_t>((place * 7 + 1) % (pages() % 7 == 0 ? pages() - 1 : pages()));
  }
  int64_t KeyRow(size_t b, int64_t key) const { return Page(b, key / page) * page + key % page; }

  Numbers Table() const {
    Numbers table;
    for (size_t b = 0; b < rows.size(); ++b) {
      for (int64_t column = 0; column < columns(); ++column) table.push_back(Page(b, column));
    }
    return table;
  }
};

}  // namespace anyacl::test::nsa
