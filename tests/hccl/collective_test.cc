// SPDX-License-Identifier: Apache-2.0
// Every collective operation for 1 to 5 ranks, as processes and as the threads of one: reductions
// of every type against the oracle, moves of every type byte by byte, in place and not, with all
// lengths of messages that go different ways.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "oracle.h"
#include "ranks.h"

namespace anyacl::test::hccl {
namespace {

constexpr HcclDataType kReduced[] = {
    HCCL_DATA_TYPE_INT8,   HCCL_DATA_TYPE_INT16,  HCCL_DATA_TYPE_INT32,  HCCL_DATA_TYPE_FP16,
    HCCL_DATA_TYPE_FP32,   HCCL_DATA_TYPE_INT64,  HCCL_DATA_TYPE_UINT64, HCCL_DATA_TYPE_UINT8,
    HCCL_DATA_TYPE_UINT16, HCCL_DATA_TYPE_UINT32, HCCL_DATA_TYPE_FP64,   HCCL_DATA_TYPE_BFP16};
constexpr HcclDataType kMovedOnly[] = {HCCL_DATA_TYPE_INT128, HCCL_DATA_TYPE_HIF8,
                                       HCCL_DATA_TYPE_FP8E4M3, HCCL_DATA_TYPE_FP8E5M2,
                                       HCCL_DATA_TYPE_FP8E8M0};
constexpr HcclReduceOp kOps[] = {HCCL_REDUCE_SUM, HCCL_REDUCE_PROD, HCCL_REDUCE_MAX,
                                 HCCL_REDUCE_MIN};
// Alone, around lines, below and above a page, and more than a piece of any size.
constexpr size_t kCounts[] = {0, 1, 3, 16, 1023, 4097};
constexpr size_t kManyElements = 300'007;

std::vector<HcclDataType> AllTypes() {
  std::vector<HcclDataType> types(std::begin(kReduced), std::end(kReduced));
  types.insert(types.end(), std::begin(kMovedOnly), std::end(kMovedOnly));
  return types;
}

// The same on every rank that asks for it. Eight bytes of splitmix64 at a time (Steele 2014): ranks
// make each other's numbers, and a state of 2,500 bytes for each row took half of the test's time.
std::vector<char> BytesOf(uint32_t rank, HcclDataType type, size_t count, unsigned salt = 0) {
  uint64_t state =
      1 + rank + 100 * static_cast<uint64_t>(type) + 10'000 * count + 1'000'000'000ull * salt;
  std::vector<char> bytes(count * SizeOf(type));
  for (size_t i = 0; i < bytes.size(); i += 8) {
    uint64_t bits = state += 0x9e3779b97f4a7c15;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
    bits ^= bits >> 31;
    std::memcpy(&bytes[i], &bits, std::min<size_t>(8, bytes.size() - i));
  }
  // Floating numbers near 1, so that sums are numbers.
  const bool floating = type == HCCL_DATA_TYPE_FP16 || type == HCCL_DATA_TYPE_BFP16 ||
                        type == HCCL_DATA_TYPE_FP32 || type == HCCL_DATA_TYPE_FP64;
  if (floating) {
    for (size_t i = SizeOf(type) - 1; i < bytes.size(); i += SizeOf(type)) {
      bytes[i] = static_cast<char>((bytes[i] & 0x80) | 0x3c | (bytes[i] & 0x03));
    }
  }
  return bytes;
}

// Kept until another type is asked for: all reductions of one take the same.
const std::vector<std::vector<char>>& AllRows(uint32_t ranks, HcclDataType type, size_t count) {
  thread_local HcclDataType kept_type = type;
  thread_local std::map<std::pair<uint32_t, size_t>, std::vector<std::vector<char>>> kept;
  if (type != kept_type) kept.clear();
  kept_type = type;
  auto& rows = kept[{ranks, count}];
  for (auto r = static_cast<uint32_t>(rows.size()); r < ranks; ++r) {
    rows.push_back(BytesOf(r, type, count));
  }
  return rows;
}

std::vector<char> Slice(const std::vector<char>& bytes, size_t first, size_t count) {
  return {bytes.begin() + static_cast<ptrdiff_t>(first),
          bytes.begin() + static_cast<ptrdiff_t>(first + count)};
}

void ExpectReduced(HcclDataType type, HcclReduceOp op, const std::vector<char>& actual,
                   const std::vector<char>& expected, const char* what) {
  ASSERT_EQ(actual.size(), expected.size());
  const size_t count = expected.size() / SizeOf(type);
  EXPECT_EQ(FirstDifference(type, actual.data(), expected.data(), count), count)
      << what << ", type " << type << ", op " << op << ", " << count << " elements";
}

void ExpectMoved(HcclDataType type, const std::vector<char>& actual,
                 const std::vector<char>& expected, const char* what) {
  const size_t first = static_cast<size_t>(
      std::mismatch(actual.begin(), actual.end(), expected.begin(), expected.end()).first -
      actual.begin());
  EXPECT_EQ(first, expected.size()) << what << ", type " << type << ", byte";
}

void CheckAllReduce(Rank& rank, HcclDataType type, HcclReduceOp op, size_t count) {
  const auto& rows = AllRows(rank.ranks, type, count);
  const auto expected = Reduced(type, op, rows, count);
  Buffer send(rows[rank.rank]), receive(expected.size());
  EXPECT_HCCL_OK(
      HcclAllReduce(send.data(), receive.data(), count, type, op, rank.comm, rank.stream));
  rank.Synchronize();
  ExpectReduced(type, op, receive.Read(), expected, "all-reduce");
  ExpectMoved(type, send.Read(), rows[rank.rank], "what all-reduce read");
  EXPECT_HCCL_OK(HcclAllReduce(send.data(), send.data(), count, type, op, rank.comm, rank.stream));
  rank.Synchronize();
  ExpectReduced(type, op, send.Read(), expected, "all-reduce in place");
}

void CheckReduce(Rank& rank, HcclDataType type, HcclReduceOp op, size_t count) {
  const auto& rows = AllRows(rank.ranks, type, count);
  const auto expected = Reduced(type, op, rows, count);
  for (uint32_t root = 0; root < rank.ranks; ++root) {
    Buffer send(rows[rank.rank]), receive(expected.size());
    const auto untouched = receive.Read();
    EXPECT_HCCL_OK(
        HcclReduce(send.data(), receive.data(), count, type, op, root, rank.comm, rank.stream));
    rank.Synchronize();
    if (rank.rank == root) {
      ExpectReduced(type, op, receive.Read(), expected, "reduce");
    } else {
      ExpectMoved(type, receive.Read(), untouched, "a buffer that reduce does not write");
    }
  }
}

void CheckReduceScatter(Rank& rank, HcclDataType type, HcclReduceOp op, size_t count) {
  const auto& rows = AllRows(rank.ranks, type, count * rank.ranks);
  const size_t bytes = count * SizeOf(type);
  const auto expected =
      Slice(Reduced(type, op, rows, count * rank.ranks), rank.rank * bytes, bytes);
  Buffer send(rows[rank.rank]), receive(bytes);
  EXPECT_HCCL_OK(
      HcclReduceScatter(send.data(), receive.data(), count, type, op, rank.comm, rank.stream));
  rank.Synchronize();
  ExpectReduced(type, op, receive.Read(), expected, "reduce-scatter");
  // Into the own row of what is sent.
  char* own = send.data() + rank.rank * bytes;
  EXPECT_HCCL_OK(HcclReduceScatter(send.data(), own, count, type, op, rank.comm, rank.stream));
  rank.Synchronize();
  ExpectReduced(type, op, Slice(send.Read(), rank.rank * bytes, bytes), expected,
                "reduce-scatter in place");
}

void CheckReductions(Rank& rank) {
  for (HcclDataType type : kReduced) {
    for (HcclReduceOp op : kOps) {
      for (size_t count : kCounts) {
        CheckAllReduce(rank, type, op, count);
        CheckReduceScatter(rank, type, op, count);
      }
      CheckReduce(rank, type, op, 1023);
    }
  }
  for (HcclDataType type : {HCCL_DATA_TYPE_FP32, HCCL_DATA_TYPE_BFP16, HCCL_DATA_TYPE_INT8}) {
    CheckAllReduce(rank, type, HCCL_REDUCE_SUM, kManyElements);
    CheckReduceScatter(rank, type, HCCL_REDUCE_MAX, kManyElements);
    CheckReduce(rank, type, HCCL_REDUCE_SUM, kManyElements);
  }
}

void CheckBroadcast(Rank& rank, HcclDataType type, size_t count) {
  for (uint32_t root = 0; root < rank.ranks; ++root) {
    Buffer buffer(BytesOf(rank.rank, type, count));
    EXPECT_HCCL_OK(HcclBroadcast(buffer.data(), count, type, root, rank.comm, rank.stream));
    rank.Synchronize();
    ExpectMoved(type, buffer.Read(), BytesOf(root, type, count), "broadcast");
  }
}

std::vector<char> Joined(const std::vector<std::vector<char>>& rows) {
  std::vector<char> all;
  for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

void CheckAllGather(Rank& rank, HcclDataType type, size_t count) {
  const auto& rows = AllRows(rank.ranks, type, count);
  const auto expected = Joined(rows);
  Buffer send(rows[rank.rank]), receive(expected.size());
  EXPECT_HCCL_OK(HcclAllGather(send.data(), receive.data(), count, type, rank.comm, rank.stream));
  rank.Synchronize();
  ExpectMoved(type, receive.Read(), expected, "all-gather");
  // From the own row of what is received.
  Buffer both(expected.size());
  char* own = both.data() + rank.rank * rows[0].size();
  EXPECT_EQ(aclrtMemcpy(own, rows[0].size() + 1, rows[rank.rank].data(), rows[0].size(),
                        ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_SUCCESS);
  EXPECT_HCCL_OK(HcclAllGather(own, both.data(), count, type, rank.comm, rank.stream));
  rank.Synchronize();
  ExpectMoved(type, both.Read(), expected, "all-gather in place");
}

void CheckScatter(Rank& rank, HcclDataType type, size_t count) {
  for (uint32_t root = 0; root < rank.ranks; ++root) {
    const auto all = BytesOf(root, type, count * rank.ranks);
    const size_t bytes = count * SizeOf(type);
    Buffer send(all), receive(bytes);
    EXPECT_HCCL_OK(HcclScatter(rank.rank == root ? send.data() : nullptr, receive.data(), count,
                               type, root, rank.comm, rank.stream));
    rank.Synchronize();
    ExpectMoved(type, receive.Read(), Slice(all, rank.rank * bytes, bytes), "scatter");
  }
}

void CheckAllToAll(Rank& rank, HcclDataType type, size_t count) {
  const size_t bytes = count * SizeOf(type);
  std::vector<char> expected;
  for (uint32_t from = 0; from < rank.ranks; ++from) {
    const auto row = Slice(BytesOf(from, type, count * rank.ranks), rank.rank * bytes, bytes);
    expected.insert(expected.end(), row.begin(), row.end());
  }
  Buffer send(BytesOf(rank.rank, type, count * rank.ranks)), receive(expected.size());
  EXPECT_HCCL_OK(
      HcclAlltoAll(send.data(), count, type, receive.data(), count, type, rank.comm, rank.stream));
  rank.Synchronize();
  ExpectMoved(type, receive.Read(), expected, "all-to-all");
}

// How much rank `from` has for rank `to`: for some nothing.
size_t Uneven(uint32_t from, uint32_t to, size_t most) {
  return (from + 2 * to) % 3 == 0 ? 0 : most / (1 + from + to);
}

// Rows of all ranks, each at a place of its own with gaps between.
struct Rows {
  std::vector<uint64_t> counts;
  std::vector<uint64_t> places;
  size_t elements = 0;  // all, with the gaps

  void Add(size_t count, size_t gap) {
    counts.push_back(count);
    places.push_back(elements + gap);
    elements += count + gap;
  }
};

void CheckAllToAllV(Rank& rank, HcclDataType type, size_t most) {
  const size_t size = SizeOf(type);
  Rows sends, receives;
  for (uint32_t other = 0; other < rank.ranks; ++other) {
    sends.Add(Uneven(rank.rank, other, most), other % 2);
    receives.Add(Uneven(other, rank.rank, most), 3);
  }
  const auto row = [&](uint32_t from, uint32_t to) {
    return BytesOf(from, type, Uneven(from, to, most), 1 + to);
  };
  std::vector<char> sent(sends.elements * size), expected(receives.elements * size, 0x5a);
  for (uint32_t other = 0; other < rank.ranks; ++other) {
    const auto outgoing = row(rank.rank, other), incoming = row(other, rank.rank);
    std::copy(outgoing.begin(), outgoing.end(), sent.data() + sends.places[other] * size);
    std::copy(incoming.begin(), incoming.end(), expected.data() + receives.places[other] * size);
  }
  Buffer send(sent), receive(expected.size());
  EXPECT_HCCL_OK(HcclAlltoAllV(send.data(), sends.counts.data(), sends.places.data(), type,
                               receive.data(), receives.counts.data(), receives.places.data(), type,
                               rank.comm, rank.stream));
  // They may be changed at once.
  std::fill(sends.counts.begin(), sends.counts.end(), UINT64_MAX);
  std::fill(receives.places.begin(), receives.places.end(), UINT64_MAX);
  rank.Synchronize();
  ExpectMoved(type, receive.Read(), expected, "all-to-all of rows");
}

void CheckAllToAllVC(Rank& rank, HcclDataType type, size_t most) {
  std::vector<uint64_t> matrix;
  for (uint32_t from = 0; from < rank.ranks; ++from) {
    for (uint32_t to = 0; to < rank.ranks; ++to) matrix.push_back(Uneven(from, to, most));
  }
  std::vector<char> sent, expected;
  for (uint32_t other = 0; other < rank.ranks; ++other) {
    const auto outgoing = BytesOf(rank.rank, type, Uneven(rank.rank, other, most), 1 + other);
    const auto incoming = BytesOf(other, type, Uneven(other, rank.rank, most), 1 + rank.rank);
    sent.insert(sent.end(), outgoing.begin(), outgoing.end());
    expected.insert(expected.end(), incoming.begin(), incoming.end());
  }
  Buffer send(sent), receive(expected.size());
  EXPECT_HCCL_OK(HcclAlltoAllVC(send.data(), matrix.data(), type, receive.data(), type, rank.comm,
                                rank.stream));
  std::fill(matrix.begin(), matrix.end(), UINT64_MAX);
  rank.Synchronize();
  ExpectMoved(type, receive.Read(), expected, "all-to-all by a matrix");
}

void CheckAllGatherV(Rank& rank, HcclDataType type, size_t most) {
  const size_t size = SizeOf(type);
  Rows rows;
  for (uint32_t r = 0; r < rank.ranks; ++r) rows.Add(r == 1 ? 0 : most / (1 + r), 2);
  std::vector<char> expected(rows.elements * size, 0x5a);
  for (uint32_t r = 0; r < rank.ranks; ++r) {
    const auto row = BytesOf(r, type, rows.counts[r]);
    std::copy(row.begin(), row.end(), expected.data() + rows.places[r] * size);
  }
  const size_t own = rows.counts[rank.rank];
  Buffer send(BytesOf(rank.rank, type, own)), receive(expected.size());
  EXPECT_HCCL_OK(HcclAllGatherV(send.data(), own, receive.data(), rows.counts.data(),
                                rows.places.data(), type, rank.comm, rank.stream));
  rank.Synchronize();
  ExpectMoved(type, receive.Read(), expected, "all-gather of rows");
}

void CheckReduceScatterV(Rank& rank, HcclDataType type, HcclReduceOp op, size_t most) {
  const size_t size = SizeOf(type);
  Rows rows;
  for (uint32_t r = 0; r < rank.ranks; ++r) rows.Add(r == 1 ? 0 : most / (1 + r), 1);
  const auto& all = AllRows(rank.ranks, type, rows.elements);
  const size_t own = rows.counts[rank.rank];
  const auto expected =
      Slice(Reduced(type, op, all, rows.elements), rows.places[rank.rank] * size, own * size);
  Buffer send(all[rank.rank]), receive(own * size);
  EXPECT_HCCL_OK(HcclReduceScatterV(send.data(), rows.counts.data(), rows.places.data(),
                                    receive.data(), own, type, op, rank.comm, rank.stream));
  rank.Synchronize();
  ExpectReduced(type, op, receive.Read(), expected, "reduce-scatter of rows");
}

void CheckMoves(Rank& rank) {
  for (HcclDataType type : AllTypes()) {
    for (size_t count : kCounts) {
      CheckBroadcast(rank, type, count);
      CheckAllGather(rank, type, count);
      CheckScatter(rank, type, count);
      CheckAllToAll(rank, type, count);
      CheckAllToAllV(rank, type, count);
      CheckAllToAllVC(rank, type, count);
      CheckAllGatherV(rank, type, count);
    }
  }
  for (HcclReduceOp op : kOps) {
    for (HcclDataType type : kReduced) CheckReduceScatterV(rank, type, op, 1000);
  }
  const HcclDataType type = HCCL_DATA_TYPE_UINT32;
  CheckBroadcast(rank, type, kManyElements);
  CheckAllGather(rank, type, kManyElements);
  CheckScatter(rank, type, kManyElements);
  CheckAllToAll(rank, type, kManyElements);
  CheckAllToAllV(rank, type, kManyElements);
  CheckAllToAllVC(rank, type, kManyElements);
  CheckAllGatherV(rank, type, kManyElements);
  CheckReduceScatterV(rank, HCCL_DATA_TYPE_FP16, HCCL_REDUCE_SUM, kManyElements);
}

// Messages of sends and receives, batches and groups.
void CheckMessages(Rank& rank) {
  const HcclDataType type = HCCL_DATA_TYPE_FP16;
  for (size_t count : {size_t{0}, size_t{1}, size_t{4097}, kManyElements}) {
    // To the next rank, the even ones first: these calls wait for each other.
    if (rank.ranks > 1) {
      const uint32_t next = rank.rank ^ 1u;
      if (next < rank.ranks) {
        Buffer send(BytesOf(rank.rank, type, count)), receive(count * 2);
        const auto send_it = [&] {
          EXPECT_HCCL_OK(HcclSend(send.data(), count, type, next, rank.comm, rank.stream));
        };
        if (rank.rank % 2 == 0) send_it();
        EXPECT_HCCL_OK(HcclRecv(receive.data(), count, type, next, rank.comm, rank.stream));
        if (rank.rank % 2 == 1) send_it();
        rank.Synchronize();
        ExpectMoved(type, receive.Read(), BytesOf(next, type, count), "a message");
      }
    }
    // Around the ring, all at once; then the other way in a group.
    const uint32_t right = (rank.rank + 1) % rank.ranks;
    const uint32_t left = (rank.rank + rank.ranks - 1) % rank.ranks;
    Buffer send(BytesOf(rank.rank, type, count)), receive(count * 2), back(count * 2);
    HcclSendRecvItem items[] = {{HCCL_SEND, send.data(), count, type, right},
                                {HCCL_RECV, receive.data(), count, type, left}};
    EXPECT_HCCL_OK(HcclBatchSendRecv(items, 2, rank.comm, rank.stream));
    items[0] = items[1] = {HCCL_RECV, nullptr, 0, type, 0};  // may be changed at once
    rank.Synchronize();
    ExpectMoved(type, receive.Read(), BytesOf(left, type, count), "a batch's message");
    EXPECT_HCCL_OK(HcclGroupStart());
    EXPECT_HCCL_OK(HcclSend(send.data(), count, type, left, rank.comm, rank.stream));
    EXPECT_HCCL_OK(HcclRecv(back.data(), count, type, right, rank.comm, rank.stream));
    EXPECT_HCCL_OK(HcclGroupEnd());
    rank.Synchronize();
    ExpectMoved(type, back.Read(), BytesOf(right, type, count), "a group's message");
  }
}

// Whatever the streams, operations of one communicator go in the order of calls.
void CheckOrder(Rank& rank) {
  aclrtStream other = nullptr;
  ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
  constexpr int kRounds = 50;
  std::vector<int64_t> values(1, 1);
  Buffer a(std::vector<char>(8)), b(std::vector<char>(8));
  int64_t one = rank.rank + 1;
  std::memcpy(a.data(), &one, 8);
  std::memcpy(b.data(), &one, 8);
  for (int i = 0; i < kRounds; ++i) {
    EXPECT_HCCL_OK(HcclAllReduce(a.data(), a.data(), 1, HCCL_DATA_TYPE_INT64, HCCL_REDUCE_MAX,
                                 rank.comm, rank.stream));
    EXPECT_HCCL_OK(HcclAllReduce(b.data(), b.data(), 1, HCCL_DATA_TYPE_INT64, HCCL_REDUCE_MIN,
                                 rank.comm, other));
    EXPECT_HCCL_OK(HcclBarrier(rank.comm, rank.stream));
  }
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS) << Rank::Message();
  rank.Synchronize();
  int64_t most = 0, least = 0;
  std::memcpy(&most, a.data(), 8);
  std::memcpy(&least, b.data(), 8);
  EXPECT_EQ(most, rank.ranks);
  EXPECT_EQ(least, 1);
  EXPECT_EQ(aclrtDestroyStream(other), ACL_SUCCESS);
}

// After the barrier everybody has written.
void CheckBarrier(Rank& rank) {
  for (int i = 0; i < 20; ++i) {
    rank.shared.slots[rank.rank] = i + 1;
    EXPECT_HCCL_OK(HcclBarrier(rank.comm, rank.stream));
    rank.Synchronize();
    for (uint32_t r = 0; r < rank.ranks; ++r) EXPECT_GT(rank.shared.slots[r], i);
    EXPECT_HCCL_OK(HcclBarrier(rank.comm, rank.stream));
    rank.Synchronize();
  }
}

struct Case {
  Kind kind;
  uint32_t ranks;
};

class CollectiveTest : public ::testing::TestWithParam<Case> {
 protected:
  void Run(const Body& body) { RunRanks(GetParam().kind, GetParam().ranks, body); }
};

TEST_P(CollectiveTest, Reductions) { Run(CheckReductions); }
TEST_P(CollectiveTest, Moves) { Run(CheckMoves); }
TEST_P(CollectiveTest, Messages) { Run(CheckMessages); }
TEST_P(CollectiveTest, Order) { Run(CheckOrder); }
TEST_P(CollectiveTest, Barrier) { Run(CheckBarrier); }

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (Kind kind : {Kind::kProcesses, Kind::kThreads}) {
    for (uint32_t ranks = 1; ranks <= 5; ++ranks) cases.push_back({kind, ranks});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Ranks, CollectiveTest, ::testing::ValuesIn(Cases()), [](const auto& info) {
  return std::to_string(info.param.ranks) + NameOf(info.param.kind);
});

// Far more ranks than CPUs, whole and in slices.
TEST(ManyRanksTest, SixteenThreadsOfOneProcess) {
  RunRanks(Kind::kThreads, 16, [](Rank& rank) {
    const HcclDataType type = HCCL_DATA_TYPE_FP32;
    for (size_t count : {size_t{1023}, size_t{4097}}) {
      CheckAllReduce(rank, type, HCCL_REDUCE_SUM, count);
      CheckReduce(rank, type, HCCL_REDUCE_MAX, count);
      CheckReduceScatter(rank, type, HCCL_REDUCE_SUM, count);
      CheckReduceScatterV(rank, type, HCCL_REDUCE_SUM, count);
      CheckBroadcast(rank, type, 16 * count);
      CheckAllGather(rank, type, count);
      CheckAllGatherV(rank, type, count);
      CheckScatter(rank, type, count);
      CheckAllToAll(rank, type, count);
      CheckAllToAllV(rank, type, count);
      CheckAllToAllVC(rank, type, count);
    }
    CheckMessages(rank);
    CheckBarrier(rank);
  });
}

}  // namespace
}  // namespace anyacl::test::hccl
