// SPDX-License-Identifier: Apache-2.0
// One rank as a program of its own, which finds the others by a file: what programs on several
// hosts do. Sums of lengths that go all ways, a ring of messages. usage: hccl_host_rank RANK RANKS
// ROOT_INFO_FILE
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "host_root.h"

int main(int count, char** arguments) {
  if (count != 4) return 2;
  const auto rank = static_cast<uint32_t>(std::atoi(arguments[1]));
  const auto ranks = static_cast<uint32_t>(std::atoi(arguments[2]));
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStream(&stream));
  const HcclRootInfo root = anyacl::test::hccl::RootInfo(rank, arguments[3]);
  HcclComm comm = nullptr;
  CHECK(HcclCommInitRootInfo(ranks, &root, rank, &comm));

  for (size_t elements : {size_t{1}, size_t{1000}, size_t{100'003}, size_t{3'000'001}}) {
    float *sum = nullptr, *from_left = nullptr;
    CHECK(aclrtMalloc(reinterpret_cast<void**>(&sum), elements * 4, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(
        aclrtMalloc(reinterpret_cast<void**>(&from_left), elements * 4, ACL_MEM_MALLOC_HUGE_FIRST));
    for (size_t i = 0; i < elements; ++i) sum[i] = static_cast<float>(rank + i % 1000);
    CHECK(HcclAllReduce(sum, sum, elements, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comm, stream));
    HcclSendRecvItem items[] = {
        {HCCL_SEND, sum, elements, HCCL_DATA_TYPE_FP32, (rank + 1) % ranks},
        {HCCL_RECV, from_left, elements, HCCL_DATA_TYPE_FP32, (rank + ranks - 1) % ranks}};
    CHECK(HcclBatchSendRecv(items, 2, comm, stream));
    CHECK(aclrtSynchronizeStream(stream));
    for (size_t i = 0; i < elements; ++i) {
      const auto expected = static_cast<float>(ranks * (i % 1000) + ranks * (ranks - 1) / 2);
      if (sum[i] != expected || from_left[i] != expected) {
        std::fprintf(stderr, "FAILED: element %zu of %zu is %g and %g, expected %g\n", i, elements,
                     static_cast<double>(sum[i]), static_cast<double>(from_left[i]),
                     static_cast<double>(expected));
        return 1;
      }
    }
    CHECK(aclrtFree(sum));
    CHECK(aclrtFree(from_left));
  }
  CHECK(HcclCommDestroy(comm));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclFinalize());
  std::printf("rank %u of %u: as expected\n", rank, ranks);
  return 0;
}
