// SPDX-License-Identifier: Apache-2.0
// Products with an all-to-all or with norms, and the barrier, against plain loops over what all
// ranks bring. Whole numbers, which fp16 and bf16 hold, are compared exactly.
#include "matmul_exchange_case.h"

namespace anyacl::test::hccl {
namespace {

class ExchangeTest : public ::testing::TestWithParam<std::tuple<Kind, uint32_t>> {
 protected:
  void OnRanks(const Body& body) {
    RunRanks(std::get<0>(GetParam()), std::get<1>(GetParam()), body);
  }
};
INSTANTIATE_TEST_SUITE_P(Ranks, ExchangeTest,
                         ::testing::Values(std::tuple(Kind::kThreads, 1u),
                                           std::tuple(Kind::kThreads, 4u),
                                           std::tuple(Kind::kProcesses, 2u),
                                           std::tuple(Kind::kProcesses, 3u)),
                         [](const auto& info) {
                           return std::string(hccl::NameOf(std::get<0>(info.param))) + "_" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST_P(ExchangeTest, AllToAllBeforeTheProduct) {
  OnRanks([](Rank& rank) {
    const std::string name = NameOf(rank.comm);
    const char* group = name.c_str();
    const int64_t r = rank.ranks, rows = 3, m = rows * r, h = 6, k = h * r, n = 10;
    for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
      for (const bool turned : {false, true}) {
        const Numbers x2 = NumbersOf(2, rank.rank, k * n), bias = NumbersOf(3, rank.rank, n);
        Numbers left(static_cast<size_t>(rows * k));
        for (int64_t source = 0; source < r; ++source) {
          const Numbers x = NumbersOf(1, static_cast<uint64_t>(source), m * h);
          for (int64_t i = 0; i < rows; ++i) {
            for (int64_t j = 0; j < h; ++j) {
              left[static_cast<size_t>(i * k + source * h + j)] =
                  x[static_cast<size_t>((rank.rank * rows + i) * h + j)];
            }
          }
        }
        Numbers expected = Product(left, x2, rows, k, n);
        for (size_t i = 0; i < expected.size(); ++i) expected[i] += bias[i % size_t(n)];
        const Matrix a(type, {m, h}, NumbersOf(1, rank.rank, m * h), turned);
        const Matrix b(type, turned ? Dims{n, k} : Dims{k, n}, turned ? Transposed(x2, k, n) : x2);
        const Matrix c(turned ? ACL_FLOAT : type, {n}, bias);
        const Matrix out(type, {rows, n}, turned), moved(type, {rows, k});
        if (turned) {
          Call(
              rank,
              [&](uint64_t* size, aclOpExecutor** executor) {
                return aclnnAlltoAllMatmulV2GetWorkspaceSize(a.handle(), b.handle(), c.handle(),
                                                             nullptr, group, "ai_cpu", false, true,
                                                             out.handle(), nullptr, size, executor);
              },
              aclnnAlltoAllMatmulV2);
        } else {
          const int64_t axes[] = {-2, -1};
          aclIntArray* array = aclCreateIntArray(axes, 2);
          Call(
              rank,
              [&](uint64_t* size, aclOpExecutor** executor) {
                return aclnnAlltoAllMatmulGetWorkspaceSize(a.handle(), b.handle(), c.handle(),
                                                           array, group, false, false, out.handle(),
                                                           moved.handle(), size, executor);
              },
              aclnnAlltoAllMatmul);
          aclDestroyIntArray(array);
          EXPECT_EQ(moved.Read(), left);
        }
        EXPECT_EQ(out.Read(), expected);
        EXPECT_TRUE(out.GuardsIntact());
      }
    }
  });
}

TEST_P(ExchangeTest, AllToAllBehindTheProduct) {
  OnRanks([](Rank& rank) {
    const std::string name = NameOf(rank.comm);
    const char* group = name.c_str();
    const int64_t r = rank.ranks, m = 3, k = 12, columns = 5, n = columns * r;
    for (const bool quantised : {false, true}) {
      for (const bool later : {false, true}) {
        const aclDataType in = quantised ? ACL_INT8 : ACL_FLOAT16;
        Numbers expected;
        for (uint64_t source = 0; source < rank.ranks; ++source) {
          const Numbers whole =
              Product(NumbersOf(1, source, m * k), NumbersOf(2, source, k * n), m, k, n);
          const Numbers bias = NumbersOf(3, source, n);
          for (int64_t i = 0; i < m; ++i) {
            for (int64_t j = rank.rank * columns; j < (rank.rank + 1) * columns; ++j) {
              const double scale = quantised ? std::exp2(i % 2) * std::exp2(-(j % 2)) : 1;
              expected.push_back(whole[static_cast<size_t>(i * n + j)] * scale +
                                 bias[static_cast<size_t>(j)]);
            }
          }
        }
        const Numbers x2 = NumbersOf(2, rank.rank, k * n);
        const Matrix a(in, {m, k}, NumbersOf(1, rank.rank, m * k));
        const Matrix b(in, later ? Dims{n, k} : Dims{k, n}, later ? Transposed(x2, k, n) : x2);
        const Matrix c(later ? ACL_FLOAT : ACL_FLOAT16, {n}, NumbersOf(3, rank.rank, n));
        Numbers row_scale, column_scale;
        for (int64_t i = 0; i < m; ++i) row_scale.push_back(std::exp2(i % 2));
        for (int64_t j = 0; j < n; ++j) column_scale.push_back(std::exp2(-(j % 2)));
        const Matrix rows(ACL_FLOAT, {m}, row_scale), scales(ACL_FLOAT, {n}, column_scale);
        const Matrix out(ACL_FLOAT16, {m * r, columns}, later);
        const auto one = [&](uint64_t* size, aclOpExecutor** executor) -> int {
          if (quantised && later) {
            return aclnnQuantMatmulAlltoAllV2GetWorkspaceSize(
                a.handle(), b.handle(), c.handle(), rows.handle(), scales.handle(), nullptr,
                nullptr, nullptr, nullptr, group, "aiv", 3, 2, 0, -1, 0, false, true, out.handle(),
                size, executor);
          }
          if (quantised) {
            return aclnnQuantMatmulAlltoAllGetWorkspaceSize(
                a.handle(), b.handle(), c.handle(), rows.handle(), scales.handle(), nullptr,
                nullptr, nullptr, nullptr, group, 3, 2, 0, -1, 0, false, false, out.handle(), size,
                executor);
          }
          return later ? aclnnMatmulAlltoAllV2GetWorkspaceSize(a.handle(), b.handle(), c.handle(),
                                                               nullptr, group, "aiv", false, true,
                                                               out.handle(), size, executor)
                       : aclnnMatmulAlltoAllGetWorkspaceSize(a.handle(), b.handle(), c.handle(),
                                                             nullptr, group, false, false,
                                                             out.handle(), size, executor);
        };
        Call(rank, one,
             quantised ? (later ? aclnnQuantMatmulAlltoAllV2 : aclnnQuantMatmulAlltoAll)
                       : (later ? aclnnMatmulAlltoAllV2 : aclnnMatmulAlltoAll));
        EXPECT_EQ(out.Read(), expected);
        EXPECT_TRUE(out.GuardsIntact());
      }
    }
  });
}

TEST_P(ExchangeTest, ExpertsThereAndBack) {
  OnRanks([](Rank& rank) {
    const std::string name = NameOf(rank.comm);
    const char* group = name.c_str();
    const int64_t ranks = rank.ranks, own = rank.rank, experts = 3, h = 8, n = 6, k = 4, w = 5;
    const auto weight = [&](int64_t of, int64_t expert) {
      return NumbersOf(static_cast<uint64_t>(900 + expert), static_cast<uint64_t>(of), h * n);
    };
    for (const bool later : {false, true}) {
      std::vector<int64_t> sent, received;
      Numbers x, permuted, y, back, returned;
      int64_t sends = 0, receives = 0;
      for (int64_t other = 0; other < ranks; ++other) {
        for (int64_t e = 0; e < experts; ++e) {
          sent.push_back(RowsBetween(own, other, e));
          received.push_back(RowsBetween(other, own, e));
          sends += sent.back();
          receives += received.back();
          for (int64_t i = 0; i < sent.back(); ++i) {
            Append(x, ExpertRow(own, other, e, i, h));
            // What comes back of them.
            Append(returned, Product(ExpertRow(own, other, e, i, h), weight(other, e), 1, h, n));
          }
        }
      }
      for (int64_t e = 0; e < experts; ++e) {
        for (int64_t other = 0; other < ranks; ++other) {
          for (int64_t i = 0; i < RowsBetween(other, own, e); ++i) {
            Append(permuted, ExpertRow(other, own, e, i, h));
            Append(y, Product(ExpertRow(other, own, e, i, h), weight(own, e), 1, h, n));
          }
        }
      }
      Numbers weights;
      for (int64_t e = 0; e < experts; ++e) {
        Append(weights, later ? Transposed(weight(own, e), h, n) : weight(own, e));
      }
      const Matrix gx(ACL_BF16, {sends, h}, x, later);
      const Matrix gw(ACL_BF16, later ? Dims{experts, n, h} : Dims{experts, h, n}, weights);
      const Numbers shared = NumbersOf(5, rank.rank, 2 * k), dense = NumbersOf(6, rank.rank, k * w);
      const Matrix mx(ACL_BF16, {2, k}, shared);
      const Matrix mw(ACL_BF16, later ? Dims{w, k} : Dims{k, w},
                      later ? Transposed(dense, k, w) : dense);
      const Matrix gy(ACL_BF16, {receives, n}), my(ACL_BF16, {2, w}), rows(ACL_BF16, {receives, h});
      const ArrayOf to(sent), from(received);
      Call(
          rank,
          [&](uint64_t* size, aclOpExecutor** executor) {
            return later ? aclnnAlltoAllvGroupedMatMulV2GetWorkspaceSize(
                               gx.handle(), gw.handle(), nullptr, nullptr, nullptr, nullptr, group,
                               "ai_cpu", ranks, to.array, from.array, true, false, true,
                               gy.handle(), nullptr, rows.handle(), size, executor)
                         : aclnnAlltoAllvGroupedMatMulGetWorkspaceSize(
                               gx.handle(), gw.handle(), nullptr, nullptr, mx.handle(), mw.handle(),
                               group, ranks, to.array, from.array, false, false, false, gy.handle(),
                               my.handle(), nullptr, size, executor);
          },
          later ? aclnnAlltoAllvGroupedMatMulV2 : aclnnAlltoAllvGroupedMatMul);
      EXPECT_EQ(gy.Read(), y);
      EXPECT_TRUE(gy.GuardsIntact());
      if (later) {
        EXPECT_EQ(rows.Read(), permuted);
      } else {
        EXPECT_EQ(my.Read(), Product(shared, dense, 2, k, w));
      }
      const Matrix bx(ACL_BF16, {receives, h}, permuted), by(ACL_BF16, {sends, n}, later);
      Call(
          rank,
          [&](uint64_t* size, aclOpExecutor** executor) {
            return later ? aclnnGroupedMatMulAlltoAllvV2GetWorkspaceSize(
                               bx.handle(), gw.handle(), nullptr, nullptr, mx.handle(), mw.handle(),
                               group, "ai_cpu", ranks, from.array, to.array, true, true,
                               by.handle(), my.handle(), size, executor)
                         : aclnnGroupedMatMulAlltoAllvGetWorkspaceSize(
                               bx.handle(), gw.handle(), nullptr, nullptr, nullptr, nullptr, group,
                               ranks, from.array, to.array, false, false, by.handle(), nullptr,
                               size, executor);
          },
          later ? aclnnGroupedMatMulAlltoAllvV2 : aclnnGroupedMatMulAlltoAllv);
      EXPECT_EQ(by.Read(), returned);
      EXPECT_TRUE(by.GuardsIntact());
      EXPECT_EQ(my.Read(), Product(shared, dense, 2, k, w));
    }
  });
}

TEST_P(ExchangeTest, NormsBehindTheSum) {
  OnRanks([](Rank& rank) {
    const std::string name = NameOf(rank.comm);
    const char* group = name.c_str();
    const int64_t b = 2, s = 3, k = 32, n = 16, m = b * s;
    constexpr double kEpsilon = 1e-3;
    enum Form { kPlain, kQuant, kWeightQuant };
    for (const Form form : {kPlain, kQuant, kWeightQuant}) {
      for (const bool in_place : {false, true}) {
        const aclDataType type = form == kQuant ? ACL_BF16 : ACL_FLOAT16;
        const Numbers residual = NumbersOf(4, 0, m * n), gamma = NumbersOf(5, 0, n);
        Numbers y(static_cast<size_t>(m * n));
        for (uint64_t source = 0; source < rank.ranks; ++source) {
          const Numbers product =
              Product(NumbersOf(1, source, m * k), NumbersOf(2, source, k * n), m, k, n);
          for (size_t i = 0; i < y.size(); ++i) y[i] += product[i];
        }
        for (size_t i = 0; i < y.size(); ++i) y[i] += residual[i];
        Numbers norm;
        for (int64_t i = 0; i < m; ++i) {
          double squares = 0;
          for (int64_t j = 0; j < n; ++j) {
            squares += y[static_cast<size_t>(i * n + j)] * y[static_cast<size_t>(i * n + j)];
          }
          const double root = std::sqrt(squares / double(n) + kEpsilon);
          for (int64_t j = 0; j < n; ++j) {
            norm.push_back(y[static_cast<size_t>(i * n + j)] / root *
                           gamma[static_cast<size_t>(j)]);
          }
        }
        const Matrix x1(form == kQuant ? ACL_INT8 : type, in_place ? Dims{m, k} : Dims{b, s, k},
                        NumbersOf(1, rank.rank, m * k));
        const Matrix x2(form == kPlain ? type : ACL_INT8, {k, n}, NumbersOf(2, rank.rank, k * n));
        const Matrix scale(type, {n}, Numbers(static_cast<size_t>(n), 1.0));
        const Matrix before(type, {b, s, n}, residual), factors(type, {n}, gamma);
        const Matrix sum(type, {b, s, n}), out(type, {b, s, n}, true);
        const aclTensor *a = x1.handle(), *w = x2.handle(), *f = scale.handle(),
                        *res = before.handle(), *g = factors.handle(), *o = out.handle(),
                        *ys = sum.handle();
        const auto one = [&](uint64_t* size, aclOpExecutor** executor) -> int {
          if (form == kQuant) {
            return in_place ? aclnnInplaceQuantMatmulAllReduceAddRmsNormGetWorkspaceSize(
                                  a, w, nullptr, f, res, g, kEpsilon, group, "sum", 0, 1, o, size,
                                  executor)
                            : aclnnQuantMatmulAllReduceAddRmsNormGetWorkspaceSize(
                                  a, w, nullptr, f, res, g, kEpsilon, group, "sum", 0, 1, ys, o,
                                  size, executor);
          }
          if (form == kWeightQuant) {
            return in_place ? aclnnInplaceWeightQuantMatmulAllReduceAddRmsNormGetWorkspaceSize(
                                  a, w, nullptr, f, nullptr, res, g, kEpsilon, group, "sum", 0, 1,
                                  0, o, size, executor)
                            : aclnnWeightQuantMatmulAllReduceAddRmsNormGetWorkspaceSize(
                                  a, w, nullptr, f, nullptr, res, g, kEpsilon, group, "sum", 0, 1,
                                  0, ys, o, size, executor);
          }
          return in_place
                     ? aclnnInplaceMatmulAllReduceAddRmsNormGetWorkspaceSize(
                           a, w, nullptr, res, g, kEpsilon, group, "sum", 0, 1, o, size, executor)
                     : aclnnMatmulAllReduceAddRmsNormGetWorkspaceSize(a, w, nullptr, res, g,
                                                                      kEpsilon, group, "sum", 0, 1,
                                                                      ys, o, size, executor);
        };
        const auto two = form == kQuant ? (in_place ? aclnnInplaceQuantMatmulAllReduceAddRmsNorm
                                                    : aclnnQuantMatmulAllReduceAddRmsNorm)
                         : form == kWeightQuant
                             ? (in_place ? aclnnInplaceWeightQuantMatmulAllReduceAddRmsNorm
                                         : aclnnWeightQuantMatmulAllReduceAddRmsNorm)
                             : (in_place ? aclnnInplaceMatmulAllReduceAddRmsNorm
                                         : aclnnMatmulAllReduceAddRmsNorm);
        Call(rank, one, two);
        EXPECT_EQ((in_place ? before : sum).Read(), y);
        if (!in_place) {
          EXPECT_EQ(before.Read(), residual);
        }
        const Numbers actual = out.Read();
        ASSERT_EQ(actual.size(), norm.size());
        const double unit = type == ACL_BF16 ? 0x1p-8 : 0x1p-11;
        for (size_t i = 0; i < norm.size(); ++i) {
          ASSERT_NEAR(actual[i], norm[i], unit * std::abs(norm[i]) * 1.01) << i;
        }
        EXPECT_TRUE(out.GuardsIntact());
      }
    }
  });
}

TEST_P(ExchangeTest, BarrierHoldsBackWhoIsEarly) {
  OnRanks([](Rank& rank) {
    const std::string name = NameOf(rank.comm);
    const Matrix x(ACL_FLOAT16, {3}, Numbers{1, 2, 3});
    if (rank.rank + 1 == rank.ranks) {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      rank.shared.slots[0] = 1;
    }
    Call(
        rank,
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnDistributeBarrierGetWorkspaceSize(x.handle(), name.c_str(), rank.ranks, size,
                                                        executor);
        },
        aclnnDistributeBarrier);
    EXPECT_EQ(rank.shared.slots[0], 1);
    EXPECT_EQ(x.Read(), (Numbers{1, 2, 3}));
  });
}

}  // namespace
}  // namespace anyacl::test::hccl
