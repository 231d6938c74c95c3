// SPDX-License-Identifier: Apache-2.0
// Products with exchanges: what is refused, ranks with nothing to compute, ranks that differ.
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

// What a rank sends is what the other one waits for.
TEST(ExchangeFaultTest, CountsThatDifferAreToldOf) {
  RunRanks(Kind::kThreads, 2, [](Rank& rank) {
    const std::string name = NameOf(rank.comm);
    const bool wrong = rank.rank == 1;
    const Matrix x(ACL_FLOAT16, {2, 4}), w(ACL_FLOAT16, {1, 4, 8});
    const Matrix y(ACL_FLOAT16, {wrong ? 3 : 2, 8});
    const ArrayOf to({1, 1}), from(wrong ? std::vector<int64_t>{2, 1} : std::vector<int64_t>{1, 1});
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    ASSERT_EQ(
        aclnnAlltoAllvGroupedMatMulGetWorkspaceSize(
            x.handle(), w.handle(), nullptr, nullptr, nullptr, nullptr, name.c_str(), 2, to.array,
            from.array, false, false, false, y.handle(), nullptr, nullptr, &size, &executor),
        0)
        << Rank::Message();
    const DeviceBuffer workspace(std::max<uint64_t>(size, 1));
    ASSERT_EQ(aclnnAlltoAllvGroupedMatMul(workspace.data(), size, executor, rank.stream), 0);
    TakeMessages();
    const int code = aclrtSynchronizeStream(rank.stream);
    // The other one may be through, or hear of it.
    if (wrong) ExpectFailure(code, 507018, {"sizes", "aclnnAlltoAllvGroupedMatMul"});
  });
}

}  // namespace
}  // namespace anyacl::test::hccl
