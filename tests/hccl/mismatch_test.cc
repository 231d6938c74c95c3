// SPDX-License-Identifier: Apache-2.0
// Ranks that call different things: whatever they differ in, all of them fail soon, and none takes
// what the others sent for a result.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ranks.h"

namespace anyacl::test::hccl {
namespace {

using Call = std::function<HcclResult(Rank&, Buffer&)>;

HcclResult AllReduce(Rank& rank, Buffer& buffer, uint64_t count) {
  return HcclAllReduce(buffer.data(), buffer.data(), count, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM,
                       rank.comm, rank.stream);
}

// `call` enqueues one rank's operation.
void ExpectMismatch(const Call& call, const char* what, uint32_t ranks = 2) {
  SCOPED_TRACE(what);
  const Variable limit("HCCL_EXEC_TIMEOUT", "20");
  const auto check = [&](Kind kind) {
    const Outcome outcome = RunRanksFreely(kind, ranks, [&](Rank& rank) {
      rank.Open();
      ASSERT_NE(rank.comm, nullptr);
      Buffer buffer(size_t{4} << 20, 0);
      // A rank that only sends may be through before the other one looks; the next operation
      // tells it.
      const bool failed = call(rank, buffer) != HCCL_SUCCESS ||
                          aclrtSynchronizeStream(rank.stream) != ACL_SUCCESS ||
                          AllReduce(rank, buffer, 4) != HCCL_SUCCESS ||
                          aclrtSynchronizeStream(rank.stream) != ACL_SUCCESS;
      const std::string message = Rank::Message();
      EXPECT_TRUE(failed) << "rank " << rank.rank;
      EXPECT_FALSE(message.empty());
      EXPECT_EQ(AsyncError(rank), HCCL_E_PARA) << message;
    });
    EXPECT_FALSE(outcome.timed_out) << "a rank hangs";
    for (int status : outcome.statuses) EXPECT_EQ(status, 0) << NameOf(kind);
  };
  // Ranks wait a second before they ask each other why nothing comes.
  ExpectAll({[&] { check(Kind::kProcesses); }, [&] { check(Kind::kThreads); }});
}

TEST(MismatchTest, Sizes) {
  ExpectMismatch(
      [](Rank& rank, Buffer& buffer) { return AllReduce(rank, buffer, 100 + rank.rank * 1000); },
      "all-reduce of few elements");
  ExpectMismatch(
      [](Rank& rank, Buffer& buffer) { return AllReduce(rank, buffer, 200'000 + rank.rank); },
      "all-reduce of many elements");
  ExpectMismatch(
      [](Rank& rank, Buffer& buffer) {
        return HcclBroadcast(buffer.data(), 100 + rank.rank, HCCL_DATA_TYPE_INT32, 0, rank.comm,
                             rank.stream);
      },
      "broadcast to a rank that expects more");
}

// 8 KiB are sent whole, more in slices, here of 8 KiB each.
TEST(MismatchTest, SizesOnBothSidesOfALimit) {
  std::vector<std::function<void()>> cases;
  for (const uint32_t ranks : {2u, 3u}) {
    cases.push_back([ranks] {
      ExpectMismatch(
          [](Rank& rank, Buffer& buffer) {
            return AllReduce(rank, buffer, rank.rank == 0 ? 2048 : 2048 * rank.ranks);
          },
          "all-reduce", ranks);
    });
    for (const uint32_t root : {0u, 1u}) {
      cases.push_back([ranks, root] {
        ExpectMismatch(
            [root](Rank& rank, Buffer& buffer) {
              return HcclReduce(buffer.data(), buffer.data(),
                                rank.rank == 0 ? 2048 : 2048 * rank.ranks, HCCL_DATA_TYPE_FP32,
                                HCCL_REDUCE_SUM, root, rank.comm, rank.stream);
            },
            "reduce", ranks);
      });
    }
  }
  // Here the limit is 64 KiB.
  for (const uint32_t other : {0u, 1u, 2u}) {
    cases.push_back([other] {
      ExpectMismatch(
          [other](Rank& rank, Buffer& buffer) {
            return HcclBroadcast(buffer.data(), 65536 + (rank.rank == other ? 64 : 0),
                                 HCCL_DATA_TYPE_INT8, 0, rank.comm, rank.stream);
          },
          "broadcast", 3);
    });
  }
  ExpectAll(cases);
}

TEST(MismatchTest, Types) {
  ExpectMismatch(
      [](Rank& rank, Buffer& buffer) {
        return HcclAllReduce(buffer.data(), buffer.data(), 64,
                             rank.rank == 0 ? HCCL_DATA_TYPE_FP32 : HCCL_DATA_TYPE_INT32,
                             HCCL_REDUCE_SUM, rank.comm, rank.stream);
      },
      "types");
  ExpectMismatch(
      [](Rank& rank, Buffer& buffer) {
        return HcclAllReduce(buffer.data(), buffer.data(), 64, HCCL_DATA_TYPE_FP32,
                             rank.rank == 0 ? HCCL_REDUCE_SUM : HCCL_REDUCE_MAX, rank.comm,
                             rank.stream);
      },
      "operations");
}

TEST(MismatchTest, Order) {
  ExpectMismatch(
      [](Rank& rank, Buffer& buffer) {
        if (rank.rank == 0) return AllReduce(rank, buffer, 64);
        return HcclAllGather(buffer.data() + 4096, buffer.data(), 64, HCCL_DATA_TYPE_FP32,
                             rank.comm, rank.stream);
      },
      "all-reduce and all-gather");
}

TEST(MismatchTest, Roots) {
  ExpectMismatch(
      [](Rank& rank, Buffer& buffer) {
        return HcclBroadcast(buffer.data(), 64, HCCL_DATA_TYPE_FP32, rank.rank, rank.comm,
                             rank.stream);
      },
      "each its own root");
  // Slices that are sent on at once; nobody, or the first rank alone, is its own root.
  for (const auto& roots : {std::vector<uint32_t>{1, 2, 0}, std::vector<uint32_t>{0, 2, 1}}) {
    ExpectMismatch(
        [roots](Rank& rank, Buffer& buffer) {
          return HcclReduce(buffer.data(), buffer.data(), 4096, HCCL_DATA_TYPE_FP32,
                            HCCL_REDUCE_SUM, roots[rank.rank], rank.comm, rank.stream);
        },
        "reduce", 3);
  }
}

// Slices of one and of two whole pieces of 256 KiB, in another order on rank 0.
TEST(MismatchTest, CountsOfEqualTotal) {
  ExpectMismatch(
      [](Rank& rank, Buffer& buffer) {
        constexpr uint64_t kPiece = 65536;
        const std::vector<uint64_t> counts =
            rank.rank == 0 ? std::vector<uint64_t>{kPiece, kPiece, 2 * kPiece}
                           : std::vector<uint64_t>{kPiece, 2 * kPiece, kPiece};
        const std::vector<uint64_t> places = {0, counts[0], counts[0] + counts[1]};
        return HcclReduceScatterV(buffer.data(), counts.data(), places.data(),
                                  buffer.data() + (size_t{2} << 20), counts[rank.rank],
                                  HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, rank.comm, rank.stream);
      },
      "reduce-scatter of rows", 3);
}

// In graphs it is no different.
TEST(MismatchTest, RootsOfACapturedBroadcast) {
  ExpectMismatch(
      [](Rank& rank, Buffer& buffer) {
        aclmdlRI graph = nullptr;
        EXPECT_EQ(aclmdlRICaptureBegin(rank.stream, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL),
                  ACL_SUCCESS);
        EXPECT_HCCL_OK(HcclBroadcast(buffer.data(), 64, HCCL_DATA_TYPE_FP32, rank.rank, rank.comm,
                                     rank.stream));
        EXPECT_EQ(aclmdlRICaptureEnd(rank.stream, &graph), ACL_SUCCESS);
        EXPECT_EQ(aclmdlRIExecuteAsync(graph, rank.stream), ACL_SUCCESS);
        return HCCL_SUCCESS;
      },
      "a broadcast in a graph");
}

}  // namespace
}  // namespace anyacl::test::hccl
