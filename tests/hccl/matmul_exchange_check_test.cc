// SPDX-License-Identifier: Apache-2.0
// Products with exchanges: what is refused, ranks with nothing to compute, ranks that differ.
#include "aclnnop/aclnn_all_gather_matmul_v2.h"
#include "aclnnop/aclnn_matmul_reduce_scatter.h"
#include "matmul_exchange_case.h"

namespace anyacl::test::hccl {
namespace {

TEST(ExchangeCheckTest, RefusesWhatTheDocumentsRefuse) {
  RunRanks(Kind::kThreads, 2, [](Rank& rank) {
    if (rank.rank != 0) return;
    const std::string name = NameOf(rank.comm);
    const char* group = name.c_str();
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const Matrix x(ACL_FLOAT16, {4, 6}), right(ACL_FLOAT16, {12, 8}), out(ACL_FLOAT16, {2, 8});
    const auto before = [&](const Matrix& left, const Matrix& weight, const char* communicator,
                            const char* mode, bool turned) {
      TakeMessages();
      return aclnnAlltoAllMatmulV2GetWorkspaceSize(left.handle(), weight.handle(), nullptr, nullptr,
                                                   communicator, mode, turned, false, out.handle(),
                                                   nullptr, &size, &executor);
    };
    ExpectFailure(before(x, right, group, "ccu", false), 161002, {"commMode", "ccu"});
    ExpectFailure(before(x, right, group, "aiv", true), 161002, {"transposeX1"});
    ExpectFailure(before(x, right, "", "aiv", false), 161001, {"group"});
    ExpectFailure(before(x, out, group, "aiv", false), 161002, {"x2", "12"});
    ExpectFailure(before(Matrix(ACL_FLOAT16, {5, 6}), right, group, "aiv", false), 161002,
                  {"x1", "5"});
    const Matrix rows(ACL_FLOAT16, {4, 6}), weights(ACL_FLOAT16, {2, 6, 8}), y(ACL_FLOAT16, {4, 8});
    const auto experts = [&](const std::vector<int64_t>& sent, int64_t world) {
      const ArrayOf to(sent), from({1, 1, 1, 1});
      TakeMessages();
      return aclnnAlltoAllvGroupedMatMulGetWorkspaceSize(
          rows.handle(), weights.handle(), nullptr, nullptr, nullptr, nullptr, group, world,
          to.array, from.array, false, false, false, y.handle(), nullptr, nullptr, &size,
          &executor);
    };
    ExpectFailure(experts({1, 1, 1, 1}, 3), 161002, {"epWorldSize", "3"});
    ExpectFailure(experts({1, 1, 2}, 2), 161002, {"sendCounts", "3"});
    ExpectFailure(experts({1, 1, 1, 2}, 2), 161002, {"sendCounts"});
    ExpectFailure(experts({5, -1, 0, 0}, 2), 161002, {"sendCounts"});
    ExpectFailure(experts({1, 1, 1, 0}, 2), 161002, {"sendCounts", "3", "4"});
    ExpectFailure(experts({2, 0, 1, 1}, 2), 161002, {"sendCounts[0]", "2", "recvCounts[0]", "1"});
    TakeMessages();
    ExpectFailure(aclnnDistributeBarrierGetWorkspaceSize(x.handle(), group, 3, &size, &executor),
                  561002, {"worldSize", "3", "2"});
    const Matrix residual(ACL_FLOAT16, {1, 4, 8}), gamma(ACL_FLOAT16, {8}), w(ACL_FLOAT16, {6, 8});
    TakeMessages();
    ExpectFailure(aclnnMatmulAllReduceAddRmsNormGetWorkspaceSize(
                      x.handle(), w.handle(), nullptr, residual.handle(), gamma.handle(), 1.0,
                      group, "sum", 0, 1, residual.handle(), residual.handle(), &size, &executor),
                  161002, {"epsilon"});
  });
}

// Ranks have an x2 of their own, and as many tokens for shared experts as they like: none, too.
TEST(ExchangeCheckTest, ARankWithNothingToComputeTakesPart) {
  RunRanks(Kind::kThreads, 2, [](Rank& rank) {
    const std::string name = NameOf(rank.comm);
    const int64_t n = rank.rank == 0 ? 0 : 4;
    const Matrix x(ACL_FLOAT16, {4, 2}, NumbersOf(1, rank.rank, 8));
    const Matrix right(ACL_FLOAT16, {4, n}, NumbersOf(2, rank.rank, 4 * n));
    const Matrix out(ACL_FLOAT16, {2, n}), moved(ACL_FLOAT16, {2, 4});
    Call(
        rank,
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnAlltoAllMatmulV2GetWorkspaceSize(
              x.handle(), right.handle(), nullptr, nullptr, name.c_str(), "aiv", false, false,
              out.handle(), moved.handle(), size, executor);
        },
        aclnnAlltoAllMatmulV2);
    Numbers left;
    for (size_t row = 2 * rank.rank; row < 2 * rank.rank + 2; ++row) {
      for (uint64_t source : {0, 1}) {
        const Numbers theirs = NumbersOf(1, source, 8);
        Append(left, {theirs[2 * row], theirs[2 * row + 1]});
      }
    }
    EXPECT_EQ(moved.Read(), left);
    EXPECT_EQ(out.Read(), Product(left, NumbersOf(2, rank.rank, 4 * n), 2, 4, n));

    const Matrix rows(ACL_FLOAT16, {2, 4}, NumbersOf(3, rank.rank, 8));
    const Matrix weight(ACL_FLOAT16, {1, 4, 3}, NumbersOf(4, rank.rank, 12));
    const Matrix shared(ACL_FLOAT16, {n, 4}, NumbersOf(5, rank.rank, 4 * n));
    const Matrix dense(ACL_FLOAT16, {4, 3}, NumbersOf(6, rank.rank, 12));
    const Matrix y(ACL_FLOAT16, {2, 3}), shared_y(ACL_FLOAT16, {n, 3});
    const ArrayOf one_each({1, 1});
    Call(
        rank,
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnAlltoAllvGroupedMatMulGetWorkspaceSize(
              rows.handle(), weight.handle(), nullptr, nullptr, shared.handle(), dense.handle(),
              name.c_str(), 2, one_each.array, one_each.array, false, false, false, y.handle(),
              shared_y.handle(), nullptr, size, executor);
        },
        aclnnAlltoAllvGroupedMatMul);
    EXPECT_EQ(shared_y.Read(),
              Product(NumbersOf(5, rank.rank, 4 * n), NumbersOf(6, rank.rank, 12), n, 4, 3));
  });
}

// What a rank sends to an expert is what that one's rank waits for, though the sums be the same.
TEST(ExchangeFaultTest, CountsThatDifferAreToldOf) {
  for (const bool back : {false, true}) {
    RunRanks(Kind::kThreads, 2, [back](Rank& rank) {
      const std::string name = NameOf(rank.comm);
      const Matrix x(ACL_FLOAT16, {6, 4}), w(ACL_FLOAT16, {2, 4, 8}), y(ACL_FLOAT16, {6, 8});
      // Rank 0 sends rank 1 one row and two, which expects two and one.
      const ArrayOf to({1, 2, 1, 2});
      const ArrayOf from(rank.rank == 1 ? std::vector<int64_t>{2, 1, 1, 2}
                                        : std::vector<int64_t>{1, 2, 1, 2});
      uint64_t size = 0;
      aclOpExecutor* executor = nullptr;
      ASSERT_EQ(
          back ? aclnnGroupedMatMulAlltoAllvGetWorkspaceSize(
                     x.handle(), w.handle(), nullptr, nullptr, nullptr, nullptr, name.c_str(), 2,
                     to.array, from.array, false, false, y.handle(), nullptr, &size, &executor)
               : aclnnAlltoAllvGroupedMatMulGetWorkspaceSize(
                     x.handle(), w.handle(), nullptr, nullptr, nullptr, nullptr, name.c_str(), 2,
                     to.array, from.array, false, false, false, y.handle(), nullptr, nullptr, &size,
                     &executor),
          0)
          << Rank::Message();
      const DeviceBuffer workspace(std::max<uint64_t>(size, 1));
      const auto phase_two = back ? aclnnGroupedMatMulAlltoAllv : aclnnAlltoAllvGroupedMatMul;
      ASSERT_EQ(phase_two(workspace.data(), size, executor, rank.stream), 0);
      Rank::Message();
      EXPECT_EQ(aclrtSynchronizeStream(rank.stream), 507018);
      // Who fails first names both; the other one may hear of it before it has compared.
      const std::string text = Rank::Message();
      const bool both = text.find("sendCounts[2] of rank 0") != std::string::npos &&
                        text.find("recvCounts[0] of rank 1") != std::string::npos;
      if (both) rank.shared.slots[0]++;
      EXPECT_TRUE(both || text.find("failed on rank") != std::string::npos) << text;
      rank.shared.Meet(0, 2);
      EXPECT_GE(rank.shared.slots[0], 1);
    });
  }
}

// Sizes whose products no address holds; nothing is allocated for them.
TEST(ExchangeCheckTest, RefusesPiecesThatNoAddressHolds) {
  RunRanks(Kind::kThreads, 2, [](Rank& rank) {
    if (rank.rank != 0) return;
    const std::string name = NameOf(rank.comm);
    const int64_t m = int64_t{1} << 30, n = m / 8;
    const int64_t rows[] = {m, 0}, columns[] = {0, n}, out[] = {m / 2, n};
    const auto make = [](const int64_t* shape) {
      return aclCreateTensor(shape, 2, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_ND, shape, 2, nullptr);
    };
    aclTensor* x1 = make(rows);
    aclTensor* x2 = make(columns);
    aclTensor* output = make(out);
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    TakeMessages();
    ExpectFailure(aclnnMatmulReduceScatterGetWorkspaceSize(x1, x2, nullptr, name.c_str(), "sum", 0,
                                                           1, output, &size, &executor),
                  161002, {"x1 @ x2", "2^57"});
    for (const aclTensor* tensor : {x1, x2, output}) aclDestroyTensor(tensor);
  });
}

TEST(ExchangeCheckTest, FactorsOfRowsAreThoseOfTheOwn) {
  RunRanks(Kind::kThreads, 2, [](Rank& rank) {
    if (rank.rank != 0) return;
    const std::string name = NameOf(rank.comm);
    const Matrix x1(ACL_INT8, {4, 16}), x2(ACL_INT8, {16, 8}), output(ACL_FLOAT16, {8, 8});
    const Matrix factors(ACL_FLOAT, {3}), columns(ACL_FLOAT, {8});
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    TakeMessages();
    ExpectFailure(
        aclnnAllGatherMatmulV2GetWorkspaceSize(
            x1.handle(), x2.handle(), nullptr, factors.handle(), columns.handle(), nullptr, 0,
            name.c_str(), 0, 0, 1, 0, "aiv", output.handle(), nullptr, nullptr, &size, &executor),
        161002, {"x1Scale", "3", "4"});
  });
}

}  // namespace
}  // namespace anyacl::test::hccl
