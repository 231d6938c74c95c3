// SPDX-License-Identifier: Apache-2.0
// The divergence of Kullback and Leibler where its batch counts or an input repeats, and its
// gradients.
#include <cmath>

#include "aclnnop/aclnn_kl_div.h"
#include "aclnnop/aclnn_kl_div_backward.h"
#include "aclnnop/aclnn_kl_div_target_backward.h"
#include "ops/loss_case.h"

namespace anyacl::test::loss {
namespace {

class KlDivTest : public LossCase {};

// The sum over the batch, not over the elements.
TEST_F(KlDivTest, ByBatch) {
  Tensor x({.dims = {2, 4}}), y({.dims = {2, 4}}), g({.dims = {}});
  const Tensor one({.dims = {1}}), dx({.dims = {2, 4}});
  WriteAs(x, std::vector<double>(8, 1));
  WriteAs(y, std::vector<double>(8, 1));
  WriteAs(g, {1});
  const auto value = Run(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnKlDivGetWorkspaceSize(x.handle(), y.handle(), 3, false, one.handle(), s, e);
      },
      aclnnKlDiv, one);
  EXPECT_EQ(value[0], -4);
  const auto gradient = Run(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnKlDivBackwardGetWorkspaceSize(g.handle(), x.handle(), y.handle(), 3, false,
                                                  dx.handle(), s, e);
      },
      aclnnKlDivBackward, dx);
  EXPECT_EQ(gradient, std::vector<double>(8, -0.5));
  // Of what both inputs broadcast to.
  Tensor row({.dims = {4}});
  WriteAs(row, std::vector<double>(4, 1));
  const auto of_row = Run(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnKlDivGetWorkspaceSize(row.handle(), y.handle(), 3, false, one.handle(), s, e);
      },
      aclnnKlDiv, one);
  EXPECT_EQ(of_row[0], -4);
  // (log y - x + 1) / 2 where x = 2.
  WriteAs(row, std::vector<double>(4, 2));
  const auto by_target = Run(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnKlDivTargetBackwardGetWorkspaceSize(g.handle(), row.handle(), y.handle(), 3,
                                                        false, dx.handle(), s, e);
      },
      aclnnKlDivTargetBackward, dx);
  EXPECT_EQ(by_target, std::vector<double>(8, -0.5));
}

// Of what the other input repeats: the sum over its repetitions.
TEST_F(KlDivTest, GradientsOfInputsThatRepeat) {
  const std::vector<int64_t> wide = {2, 3, 4};
  const std::vector<std::vector<int64_t>> narrow = {{4}, {3, 1}, {2, 1, 4}, {1, 3, 4}, {}};
  for (const auto& dims : narrow) {
    for (const bool in_target : {false, true}) {
      for (int64_t reduction : {0, 1, 3, 7}) {
        Tensor few({.dims = dims, .dtype = ACL_FLOAT16}), many({.dims = wide}), g({.dims = {}});
        const Tensor out({.dims = dims, .dtype = ACL_FLOAT16});
        const std::vector<double> fs = Drawn(few), ms = Drawn(many);
        WriteAs(g, {1.5});
        const Tensor& x = in_target ? many : few;
        const Tensor& y = in_target ? few : many;
        const auto result = Run(
            [&](uint64_t* s, aclOpExecutor** e) {
              const auto first = in_target ? aclnnKlDivTargetBackwardGetWorkspaceSize
                                           : aclnnKlDivBackwardGetWorkspaceSize;
              return first(g.handle(), x.handle(), y.handle(), reduction, true, out.handle(), s, e);
            },
            in_target ? aclnnKlDivTargetBackward : aclnnKlDivBackward, out);
        std::vector<double> sums(fs.size()), sizes(fs.size());
        const double by = reduction == 1 ? 1.5 / 24 : reduction == 3 ? 1.5 / 2 : 1.5;
        for (size_t i = 0; i < ms.size(); ++i) {
          const size_t at = At(i, wide, dims);
          const double in = in_target ? ms[i] : fs[at], of = in_target ? fs[at] : ms[i];
          const double one = by * std::exp(of) * (in_target ? of - in + 1 : -1);
          sums[at] += one;
          sizes[at] += std::fabs(one);
        }
        for (size_t i = 0; i < sums.size(); ++i) {
          EXPECT_NEAR(result[i], sums[i], 0x1p-10 * std::fabs(sums[i]) + 0x1p-20 * sizes[i]);
        }
      }
    }
  }
}

TEST_F(KlDivTest, GradientsHaveTheShapeOfTheirInput) {
  const Tensor x({.dims = {2, 3}}), y({.dims = {3}}), wide({.dims = {4, 2, 3}});
  const auto refused = [&](const Tensor& g, const Tensor& self, const Tensor& target,
                           const Tensor& out, auto first,
                           std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return first(g.handle(), self.handle(), target.handle(), 0, false, out.handle(), s, e);
        },
        161002, words);
  };
  refused(x, x, y, x, aclnnKlDivTargetBackwardGetWorkspaceSize, {"gradTarget"});
  refused(x, y, x, x, aclnnKlDivBackwardGetWorkspaceSize, {"out"});
  refused(wide, y, x, y, aclnnKlDivBackwardGetWorkspaceSize, {"gradOutput", "[4, 2, 3]"});
}

}  // namespace
}  // namespace anyacl::test::loss
