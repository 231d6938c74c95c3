// SPDX-License-Identifier: Apache-2.0
// What the tests of permuted tokens share: sums and gradients over links of tokens and rows.
#pragma once

#include <string>

#include "ops/moe_case.h"

namespace anyacl::test::moe {

struct Linked {
  int64_t token, row;
  double factor;
};

class PermutedTest : public MoeTest {
 protected:
  static size_t At(int64_t row, int64_t length, int64_t column) {
    return static_cast<size_t>(row * length + column);
  }

  // out[token] = the sum of factor * x[row], terms of up to 4 and `most` of them.
  static void ExpectSums(const Tensor& out, const Numbers& x, const std::vector<Linked>& links,
                         int64_t most) {
    const int64_t length = out.layout().dims[1];
    Numbers expected(static_cast<size_t>(out.count()));
    for (const Linked& link : links) {
      for (int64_t j = 0; j < length; ++j) {
        expected[At(link.token, length, j)] += link.factor * x[At(link.row, length, j)];
      }
    }
    const auto terms = static_cast<double>(most);
    ExpectClose(out, expected, terms * terms * 4 * 0x1p-24);
  }

  // out[row] = factor * g[token], and zeros in rows without a link.
  static void ExpectRows(const Tensor& out, const Numbers& g, const std::vector<Linked>& links) {
    const int64_t length = out.layout().dims.back();
    Numbers expected(static_cast<size_t>(out.count()));
    for (const Linked& link : links) {
      for (int64_t j = 0; j < length; ++j) {
        expected[At(link.row, length, j)] = link.factor * g[At(link.token, length, j)];
      }
    }
    ExpectClose(out, expected, 4 * 0x1p-24);
  }

  // out[at] = the sum of g[token] * x[row], and zeros elsewhere. Sums of blocks are 22 additions
  // deep, of terms of up to 4.
  static void ExpectFactors(const Tensor& out, const Numbers& g, const Numbers& x, int64_t length,
                            const std::vector<Linked>& links, const std::vector<int64_t>& at) {
    Numbers expected(static_cast<size_t>(out.count()));
    for (size_t i = 0; i < links.size(); ++i) {
      for (int64_t j = 0; j < length; ++j) {
        expected[static_cast<size_t>(at[i])] +=
            g[At(links[i].token, length, j)] * x[At(links[i].row, length, j)];
      }
    }
    ExpectClose(out, expected, 23 * 4 * static_cast<double>(length) * 0x1p-24);
  }

 private:
  static void ExpectClose(const Tensor& out, const Numbers& expected, double error) {
    const Numbers values = ReadAs(out);
    for (size_t i = 0; i < values.size(); ++i) {
      ASSERT_NEAR(values[i], expected[i],
                  error + 1.01 * HalfUnitOf(out.layout().dtype, expected[i]))
          << i;
    }
    EXPECT_TRUE(out.GuardsIntact());
  }
};

}  // namespace anyacl::test::moe
