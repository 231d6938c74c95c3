// SPDX-License-Identifier: Apache-2.0
// Where aclnnMhcSinkhorn puts the numbers that its gradient needs. Clients make them themselves,
// too (op-plugin's test), so the places are those of an Ascend 950: tokens are cut into the runs
// that each of 64 cores takes at a time, and a run has, one after the other,
//   normOut  of each of 2 * numIters steps and of the N rows of matrices: [tokens][8]
//   sumOut   of each of numIters iterations: sums of rows [8][tokens], of columns [tokens][8]
// with 0 behind N columns, and 1 in place of the sums of rows that the first iteration lacks, and
// behind those of N rows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/division.h"

namespace anyacl::mhc {

inline constexpr int64_t kKeptColumns = 8;

struct KeptRun {
  int64_t first, count;  // tokens
};

class KeptRuns {
 public:
  KeptRuns(int64_t tokens, int64_t streams)
      : tokens_(tokens), each_(CeilDivide(tokens, kCores)), run_(RunOf(each_, streams)) {}

  // That of a token.
  KeptRun Of(int64_t token) const {
    const int64_t core = token / each_ * each_;
    const int64_t first = core + (token - core) / run_ * run_;
    return {first, std::min({run_, core + each_ - first, tokens_ - first})};
  }

 private:
  // Of a core: half of 248 KiB but 576 bytes.
  static constexpr int64_t kCores = 64, kBuffer = (248 * 1024 - 576) / 2 / 4;

  // All that a core has, or as many of its tokens, in eights, as its buffer has room for: their
  // matrices before and behind, two steps of them and the sums.
  static int64_t RunOf(int64_t tokens, int64_t streams) {
    const auto numbers = [streams](int64_t count) {
      return 2 * RoundUp(count * streams * streams, 8) + 2 * count * (streams + 1) * kKeptColumns;
    };
    return numbers(tokens) <= kBuffer ? tokens : kBuffer / numbers(1) / 8 * 8;
  }

  int64_t tokens_, each_, run_;
};

// The places of some tokens, of one run.
class KeptPlaces {
 public:
  KeptPlaces(float* norms, float* sums, int64_t streams, int64_t iterations, const KeptRun& run,
             int64_t first)
      : norms_(norms + run.first * 2 * iterations * streams * kKeptColumns),
        sums_(sums + run.first * 2 * iterations * kKeptColumns),
        streams_(streams),
        count_(run.count),
        at_(first - run.first) {}

  // Of row i of the matrices at a step: a token's columns lie together.
  float* Norm(int64_t step, int64_t i) const {
    return norms_ + ((step * streams_ + i) * count_ + at_) * kKeptColumns;
  }
  // Of row i: tokens lie together.
  float* RowSums(int64_t iteration, int64_t i) const {
    return sums_ + (2 * iteration * kKeptColumns + i) * count_ + at_;
  }
  float* ColumnSums(int64_t iteration) const {
    return sums_ + (2 * iteration + 1) * kKeptColumns * count_ + at_ * kKeptColumns;
  }

 private:
  float* const norms_;
  float* const sums_;
  const int64_t streams_, count_, at_;
};

}  // namespace anyacl::mhc
