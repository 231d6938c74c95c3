// SPDX-License-Identifier: Apache-2.0
// What gradients over chosen keys share: a token's keys are brought together, multiplied with all
// heads at once, and what they get is added up in fp32, token by token, so that results do not
// depend on the number of threads.
#pragma once

#include <vector>

#include "gemm/gemm.h"
#include "nnop/workspace.h"
#include "ops/blocks/row_sums.h"
#include "ops/sparse_attention/sequences.h"

namespace anyacl::sparse_attention {

// `count` heads of a token, the rows of `to` `step` numbers apart.
void GatherHeads(const SplitRows& view, const Bindings& bindings, int64_t token, int64_t count,
                 uint16_t* to, int64_t step);
// The rows of keys, and zeros up to `padded` of them.
void GatherKeys(const SplitRows& view, const Bindings& bindings, const int32_t* rows, int64_t count,
                int64_t padded, uint16_t* to, int64_t step);

// Of one token: rows of heads and of keys, 16 bits each, of `width` numbers.
struct TokenSizes {
  Element type;
  int64_t heads, keys, width;
};
// [heads][keys] = alpha * rows of heads . rows of keys
gemm::Problem ScoresOf(const TokenSizes& sizes, float alpha);
// [heads][width] = s k: s, in fp32, is [heads][keys].
gemm::Problem QueriesOf(const TokenSizes& sizes);
// [keys][width] = s' q
gemm::Problem KeysOf(const TokenSizes& sizes);

// A product that one of its sizes is the number of keys of: a plan for each of a few numbers, to
// which keys are made up with zeros.
class ProductsOfKeys {
 public:
  template <class ProblemOf>
  ProductsOfKeys(int64_t most, const ProblemOf& problem_of) {
    int64_t keys = 0;
    for (int64_t count = 1; keys < Padded(most, most); count = keys + 1) {
      keys = Padded(count, most);
      plans_.push_back({keys, gemm::Plan(problem_of(keys))});
    }
  }

  static constexpr int64_t kStep = 64;
  // A power of two times kStep, or what holds the most keys that there are.
  static int64_t Padded(int64_t count, int64_t most);

  uint64_t workspace_bytes() const;
  void Run(int64_t padded, const gemm::Addresses& addresses, char* scratch) const;

 private:
  struct Sized {
    int64_t keys;
    gemm::Plan plan;
  };
  std::vector<Sized> plans_;
};

// Columns `first` on of all sums become the rows of a tensor [rows][1][D].
void StoreSums(const blocks::RowSums& sums, const Bindings& bindings, int64_t first,
               const SplitRows& to);

}  // namespace anyacl::sparse_attention
