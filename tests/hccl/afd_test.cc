// SPDX-License-Identifier: Apache-2.0
// Attention/FFN disaggregation over registered windows: whole decode steps between processes and
// between threads, with windows that peers map and with windows that messages fill.
#include <cstdlib>
#include <memory>

#include "hccl/hccl_comm.h"
#include "ops/afd_rank.h"
#include "ranks.h"

namespace anyacl::test::hccl {
namespace {

void RunPipeline(Kind kind, const PipelineMode& mode, bool mappable) {
  const PipelineShape shape = ShapeOf(mode);
  RunRanks(kind, static_cast<uint32_t>(shape.world()), [&](Rank& rank) {
    ASSERT_EQ(aclrtSetOpExecuteTimeOut(30), ACL_SUCCESS);
    char name[COMM_NAME_MAX_LENGTH];
    ASSERT_HCCL_OK(HcclGetCommName(rank.comm, name));
    const auto size = static_cast<size_t>(shape.windows()[rank.rank]);
    // What the runtime has not given out cannot be mapped by another process.
    std::vector<int64_t> plain(mappable ? 0 : size / 8 + 1);
    std::unique_ptr<Buffer> given = mappable ? std::make_unique<Buffer>(size) : nullptr;
    char* window = mappable ? given->data() : reinterpret_cast<char*>(plain.data());
    // Emptied before the exchange: from then on others write.
    AfdRank worker(mode, 7, rank.rank, name, window);
    void* handle = nullptr;
    ASSERT_HCCL_OK(HcclCommRegister(rank.comm, window, size, &handle, 0));
    std::vector<uint32_t> peers;
    for (uint32_t r = 0; r < rank.ranks; ++r) peers.push_back(r);
    ASSERT_HCCL_OK(HcclCommExchangeMem(rank.comm, handle, peers.data(), rank.ranks));
    worker.Run(rank.stream);
    // Others may still be sending to this window.
    rank.shared.Meet(0, rank.ranks);
    EXPECT_HCCL_OK(HcclCommDeregister(rank.comm, handle));
  });
}

TEST(AfdTest, DecodeStepsBetweenThreads) { RunPipeline(Kind::kThreads, {}, true); }
TEST(AfdTest, DecodeStepsBetweenProcesses) { RunPipeline(Kind::kProcesses, {}, true); }
TEST(AfdTest, DecodeStepsByMessages) { RunPipeline(Kind::kProcesses, {}, false); }
TEST(AfdTest, QuantisedMaskedStepsBetweenProcesses) {
  RunPipeline(Kind::kProcesses, {2, 1, true}, true);
}
TEST(AfdTest, QuantisedMaskedStepsByMessages) {
  RunPipeline(Kind::kProcesses, {2, 1, true}, false);
}

}  // namespace
}  // namespace anyacl::test::hccl
