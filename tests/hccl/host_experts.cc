// SPDX-License-Identifier: Apache-2.0
// One rank of five as a program of its own, on one of several hosts: dispatch and combine, decode
// steps of attention and FFN workers, and workers that leave with the rows of others. Windows are
// the ranks' own buffers. usage: hccl_host_experts RANK RANKS ROOT_INFO_FILE
#include <gtest/gtest.h>

#include <memory>

#include "hccl/hccl_comm.h"
#include "hccl/hccl_res.h"
#include "host_root.h"
#include "ops/afd_rank.h"
#include "ops/moe_rank.h"

namespace anyacl::test::hccl {
namespace {

uint32_t g_rank = 0;
HcclComm g_comm = nullptr;
aclrtStream g_stream = nullptr;

std::string Name() {
  char name[COMM_NAME_MAX_LENGTH] = {};
  CHECK(HcclGetCommName(g_comm, name));
  return name;
}

void Meet() {
  CHECK(HcclBarrier(g_comm, g_stream));
  CHECK(aclrtSynchronizeStream(g_stream));
}

std::unique_ptr<AfdRank> MakeWorker() {
  void* window = nullptr;
  uint64_t size = 0;
  CHECK(HcclGetHcclBuffer(g_comm, &window, &size));
  Meet();
  auto worker = std::make_unique<AfdRank>(PipelineMode{2, 1, true}, 7, g_rank, Name(),
                                          static_cast<char*>(window));
  Meet();
  return worker;
}

TEST(HostTest, Experts) {
  const MoeShape shape = {
      .tokens = {4, 1, 3, 2, 4}, .chosen = 3, .hidden = 1024, .routed = 10, .mask = MoeMask::kRows};
  MoeRank worker(shape, 7, g_rank, Name());
  for (int64_t step = 0; step < 3; ++step) worker.Step(step, g_stream);
  Meet();
}

TEST(HostTest, DecodeSteps) {
  MakeWorker()->Run(g_stream);
  Meet();
}

// The last test: the communicator fails.
TEST(HostTest, LeaversWithRows) {
  const auto worker = MakeWorker();
  if (g_rank == 0) worker->SendAll(g_stream);
  Meet();
  const bool leaves = g_rank >= ShapeOf({}).attention;
  if (g_rank == 0) {
    EXPECT_EQ(worker->Schedule(g_stream), 0);
    EXPECT_EQ(aclrtSynchronizeStream(g_stream), 507018);
    const char* text = aclGetRecentErrMsg();
    const std::string message = text == nullptr ? "" : text;
    EXPECT_NE(message.find("has destroyed its communicator"), std::string::npos) << message;
  } else if (!leaves) {
    // They hear of what rank 0 missed.
    HcclResult error = HCCL_SUCCESS;
    for (int i = 0; i < 1000 && error == HCCL_SUCCESS; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      CHECK(HcclGetCommAsyncError(g_comm, &error));
    }
    EXPECT_EQ(error, HCCL_E_REMOTE);
  }
  CHECK(HcclCommDestroy(g_comm));
}

}  // namespace
}  // namespace anyacl::test::hccl

using namespace anyacl::test::hccl;

int main(int count, char** arguments) {
  ::testing::InitGoogleTest(&count, arguments);
  if (count != 4) return 2;
  g_rank = static_cast<uint32_t>(std::atoi(arguments[1]));
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  CHECK(aclrtCreateStream(&g_stream));
  CHECK(aclrtSetOpExecuteTimeOut(30));
  const HcclRootInfo root = RootInfo(g_rank, arguments[3]);
  CHECK(
      HcclCommInitRootInfo(static_cast<uint32_t>(std::atoi(arguments[2])), &root, g_rank, &g_comm));
  return RUN_ALL_TESTS();
}
