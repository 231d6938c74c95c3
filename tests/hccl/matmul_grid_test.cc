// SPDX-License-Identifier: Apache-2.0
// Products on a grid of ranks, of two communicators, against plain loops over what all ranks bring.
// Rank r is number r / tp of its group of experts and number r % tp of the one that shares.
#include <sys/wait.h>

#include <csignal>

#include "aclnnop/aclnn_all_to_all_all_gather_batch_matmul.h"
#include "aclnnop/aclnn_batch_matmul_reduce_scatter_all_to_all.h"
#include "matmul_exchange_case.h"

namespace anyacl::test::hccl {
namespace {

constexpr int64_t kExperts = 3, kRows = 4, kDepth = 6, kWidth = 5;  // of a rank

struct Groups {
  explicit Groups(Rank& rank)
      : tp(rank.ranks % 3 == 0 ? 3 : 2),
        ep(rank.ranks / tp),
        own_ep(rank.rank / tp),
        own_tp(rank.rank % tp) {
    EXPECT_HCCL_OK(rank.Join(1 + static_cast<int>(own_tp), static_cast<uint32_t>(own_ep),
                             static_cast<uint32_t>(ep), nullptr, &experts));
    EXPECT_HCCL_OK(rank.Join(1 + static_cast<int>(tp + own_ep), static_cast<uint32_t>(own_tp),
                             static_cast<uint32_t>(tp), nullptr, &shares));
    if (experts != nullptr) ep_name = NameOf(experts);
    if (shares != nullptr) tp_name = NameOf(shares);
  }
  void Destroy() {
    EXPECT_HCCL_OK(HcclCommDestroy(experts));
    EXPECT_HCCL_OK(HcclCommDestroy(shares));
  }
  const int64_t tp, ep, own_ep, own_tp;
  HcclComm experts = nullptr, shares = nullptr;
  std::string ep_name, tp_name;
};

size_t At(int64_t i) { return static_cast<size_t>(i); }

double Activated(int64_t kind, double y) {
  switch (kind) {
    case 1:
      return 0.5 * y * (1 + std::tanh(std::sqrt(2 / M_PI) * (y + 0.044715 * y * y * y)));
    case 2:
      return y / (1 + std::exp(-y));
    case 3:
      return std::max(y, 0.0);
    case 4:
      return y / (1 + std::exp(-1.702 * y));
    default:
      return y;
  }
}

struct GatherCase {
  int64_t shard = 0, activation = 0;
  aclDataType type = ACL_FLOAT16;
  bool bias = false, strided = false;
};

struct Gather {
  Gather(const GatherCase& c, const Groups& g, Rank& rank) : c(c), g(g) {
    const int64_t all = g.ep * kExperts, size = all * kRows * kDepth;
    const int64_t depth = c.shard == 0 ? kDepth * g.tp : kDepth;
    const int64_t rows = g.ep * kRows * (c.shard == 0 ? 1 : g.tp);
    // y2 by the formula: element by element of where it comes from.
    for (int64_t e = 0; e < kExperts; ++e) {
      for (int64_t row = 0; row < rows; ++row) {
        for (int64_t k = 0; k < depth; ++k) {
          const int64_t by_rank = rows / g.ep, c_index = row % by_rank;
          const int64_t from_tp = c.shard == 0 ? k / kDepth : c_index / kRows;
          const Numbers& x = Of(row / by_rank * g.tp + from_tp, size);
          left.push_back(
              x[At(((g.own_ep * kExperts + e) * kRows + c_index % kRows) * kDepth + k % kDepth)]);
        }
      }
    }
    weights = NumbersOf(2, rank.rank, kExperts * depth * kWidth);
    const Numbers added = NumbersOf(3, rank.rank, kExperts * kWidth);
    for (int64_t e = 0; e < kExperts; ++e) {
      const auto part = [&](const Numbers& of, int64_t count) {
        return Numbers(of.begin() + e * count, of.begin() + (e + 1) * count);
      };
      Numbers y =
          Product(part(left, rows * depth), part(weights, depth * kWidth), rows, depth, kWidth);
      for (size_t i = 0; c.bias && i < y.size(); ++i) y[i] += added[At(e * kWidth) + i % kWidth];
      Append(product, y);
    }
    x.emplace(c.type, Dims{all, kRows, kDepth}, NumbersOf(1, rank.rank, size), c.strided);
    w.emplace(c.type, Dims{kExperts, depth, kWidth}, weights, c.strided);
    if (c.bias) {
      bias.emplace(c.type == ACL_BF16 ? ACL_FLOAT : ACL_FLOAT16,
                   c.strided ? Dims{kExperts, kWidth} : Dims{kExperts, 1, kWidth}, added);
    }
    y1.emplace(c.type, Dims{kExperts, rows, kWidth}, c.strided);
    y2.emplace(c.type, Dims{kExperts, rows, depth}, c.strided);
    if (c.activation != 0) y3.emplace(c.type, Dims{kExperts, rows, kWidth}, c.strided);
  }

  static Numbers Of(int64_t rank, int64_t size) {
    return NumbersOf(1, static_cast<uint64_t>(rank), size);
  }

  int PhaseOne(uint64_t* size, aclOpExecutor** executor, const char* ep, const char* tp) const {
    return aclnnAlltoAllAllGatherBatchMatMulGetWorkspaceSize(
        x->handle(), w->handle(), bias ? bias->handle() : nullptr, ep, tp, g.ep, g.tp, c.shard,
        c.activation, y1->handle(), y2->handle(), y3 ? y3->handle() : nullptr, size, executor);
  }

  void Check() const {
    EXPECT_EQ(y2->Read(), left);
    if (y3) {
      EXPECT_EQ(y3->Read(), product);
      EXPECT_TRUE(y3->GuardsIntact());
    }
    const Numbers y = y1->Read();
    const double epsilon = c.type == ACL_BF16 ? 0x1p-8 : 0x1p-11;
    for (size_t i = 0; i < y.size(); ++i) {
      const double expected = Activated(c.activation, product[i]);
      // One rounding, of fp32's; none without an activation.
      const double tolerance = c.activation == 0 ? 0 : std::abs(expected) * epsilon * 1.01 + 1e-7;
      EXPECT_NEAR(y[i], expected, tolerance) << i;
    }
    EXPECT_TRUE(y1->GuardsIntact());
    EXPECT_TRUE(y2->GuardsIntact());
  }

  const GatherCase c;
  const Groups& g;
  Numbers left, weights, product;
  std::optional<Matrix> x, w, bias, y1, y2, y3;
};

void RunGather(const GatherCase& c, const Groups& g, Rank& rank) {
  const Gather gather(c, g, rank);
  Call(
      rank,
      [&](uint64_t* size, aclOpExecutor** executor) {
        return gather.PhaseOne(size, executor, g.ep_name.c_str(), g.tp_name.c_str());
      },
      aclnnAlltoAllAllGatherBatchMatMul);
  gather.Check();
}

// The way back: every rank's rows of x @ weight, summed over groupTp.
void RunScatter(int64_t shard, aclDataType type, bool more, const Groups& g, Rank& rank) {
  const int64_t rows = g.ep * kRows * (shard == 0 ? 1 : g.tp);
  const int64_t width = shard == 0 ? kWidth * g.tp : kWidth;
  const int64_t x_size = kExperts * rows * kDepth, w_size = kExperts * kDepth * width;
  const auto of = [&](uint64_t tensor, int64_t ep, int64_t tp, int64_t count) {
    return NumbersOf(tensor, static_cast<uint64_t>(ep * g.tp + tp), count);
  };
  Numbers expected;
  for (int64_t ep = 0; ep < g.ep; ++ep) {
    for (int64_t e = 0; e < kExperts; ++e) {
      Numbers sum(At(rows * width));
      for (int64_t tp = 0; tp < g.tp; ++tp) {
        const Numbers x = of(1, ep, tp, x_size), w = of(2, ep, tp, w_size);
        const Numbers y = Product({x.begin() + e * rows * kDepth, x.end()},
                                  {w.begin() + e * kDepth * width, w.end()}, rows, kDepth, width);
        for (size_t i = 0; i < sum.size(); ++i) sum[i] += y[i];
      }
      const Numbers bias = of(3, ep, g.own_tp, kExperts * kWidth);
      for (int64_t c = 0; c < kRows; ++c) {
        for (int64_t h = 0; h < kWidth; ++h) {
          const int64_t row =
              shard == 0 ? g.own_ep * kRows + c : (g.own_ep * g.tp + g.own_tp) * kRows + c;
          const int64_t column = shard == 0 ? g.own_tp * kWidth + h : h;
          expected.push_back(sum[At(row * width + column)] + (more ? bias[At(e * kWidth + h)] : 0));
        }
      }
    }
  }
  const Matrix x(type, {kExperts, rows, kDepth}, of(1, g.own_ep, g.own_tp, x_size), more);
  const Matrix w(type, {kExperts, kDepth, width}, of(2, g.own_ep, g.own_tp, w_size), more);
  const Matrix bias(type == ACL_BF16 ? ACL_FLOAT : ACL_FLOAT16,
                    shard == 0 ? Dims{kExperts, kWidth} : Dims{kExperts, 1, kWidth},
                    of(3, g.own_ep, g.own_tp, kExperts * kWidth));
  const Matrix out(type, {g.ep * kExperts, kRows, kWidth}, more);
  Call(
      rank,
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnBatchMatMulReduceScatterAlltoAllGetWorkspaceSize(
            x.handle(), w.handle(), more ? bias.handle() : nullptr, g.ep_name.c_str(),
            g.tp_name.c_str(), g.ep, g.tp, shard, out.handle(), size, executor);
      },
      aclnnBatchMatMulReduceScatterAlltoAll);
  EXPECT_EQ(out.Read(), expected);
  EXPECT_TRUE(out.GuardsIntact());
}

class GridTest : public ::testing::TestWithParam<std::tuple<Kind, uint32_t>> {};
INSTANTIATE_TEST_SUITE_P(Ranks, GridTest,
                         ::testing::Values(std::tuple(Kind::kThreads, 2u),
                                           std::tuple(Kind::kThreads, 6u),
                                           std::tuple(Kind::kProcesses, 4u)),
                         [](const auto& info) {
                           return std::string(hccl::NameOf(std::get<0>(info.param))) + "_" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST_P(GridTest, ThereAndBack) {
  RunRanks(std::get<0>(GetParam()), std::get<1>(GetParam()), [](Rank& rank) {
    Groups g(rank);
    for (int64_t shard : {0, 1}) {
      for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
        for (int64_t activation = 0; activation < 5; ++activation) {
          const bool odd = activation % 2 == 1;
          RunGather({shard, activation, type, odd || activation == 4, odd}, g, rank);
        }
        for (const bool more : {false, true}) RunScatter(shard, type, more, g, rank);
      }
    }
    g.Destroy();
  });
}

// A call in both directions, and one of each, on two streams that run as they like.
TEST(GridOrderTest, CallsOfOneAndOfTwoGroupsMix) {
  RunRanks(Kind::kThreads, 4, [](Rank& rank) {
    Groups g(rank);
    aclrtStream streams[] = {rank.stream, nullptr};
    ASSERT_EQ(aclrtCreateStream(&streams[1]), 0);
    std::vector<std::unique_ptr<Gather>> calls;
    std::vector<std::unique_ptr<DeviceBuffer>> workspaces;
    const Matrix tensor(ACL_FLOAT16, {2});
    Buffer data[] = {Buffer(64, 0), Buffer(64, 0)};
    for (int i = 0; i < 12; ++i) {
      calls.push_back(std::make_unique<Gather>(GatherCase{i % 2, i % 3}, g, rank));
      uint64_t size = 0;
      aclOpExecutor* executor = nullptr;
      ASSERT_EQ(calls.back()->PhaseOne(&size, &executor, g.ep_name.c_str(), g.tp_name.c_str()), 0)
          << Rank::Message();
      workspaces.push_back(std::make_unique<DeviceBuffer>(std::max<uint64_t>(size, 1)));
      const int s = i / 2 % 2;
      ASSERT_EQ(
          aclnnAlltoAllAllGatherBatchMatMul(workspaces.back()->data(), size, executor, streams[s]),
          0);
      EXPECT_HCCL_OK(HcclAllReduce(data[s].data(), data[s].data(), 8, HCCL_DATA_TYPE_FP32,
                                   HCCL_REDUCE_SUM, i % 2 == 0 ? g.experts : g.shares, streams[s]));
    }
    for (aclrtStream stream : streams) {
      EXPECT_EQ(aclrtSynchronizeStream(stream), 0) << Rank::Message();
    }
    for (const auto& call : calls) call->Check();
    EXPECT_EQ(aclrtDestroyStream(streams[1]), 0);
    g.Destroy();
  });
}

TEST(GridOrderTest, GraphsReplay) {
  RunRanks(Kind::kThreads, 4, [](Rank& rank) {
    Groups g(rank);
    const Gather gather({1, 2, ACL_FLOAT16, true, false}, g, rank);
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    ASSERT_EQ(gather.PhaseOne(&size, &executor, g.ep_name.c_str(), g.tp_name.c_str()), 0);
    const DeviceBuffer workspace(std::max<uint64_t>(size, 1));
    aclmdlRI graph = nullptr;
    ASSERT_EQ(aclmdlRICaptureBegin(rank.stream, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL), 0);
    ASSERT_EQ(aclnnAlltoAllAllGatherBatchMatMul(workspace.data(), size, executor, rank.stream), 0);
    ASSERT_EQ(aclmdlRICaptureEnd(rank.stream, &graph), 0);
    for (int i = 0; i < 3; ++i) ASSERT_EQ(aclmdlRIExecuteAsync(graph, rank.stream), 0);
    RunGather({0, 1, ACL_BF16, false, false}, g, rank);
    rank.Synchronize();
    gather.Check();
    EXPECT_EQ(aclmdlRIDestroy(graph), 0);
    g.Destroy();
  });
}

int Launch(const Gather& gather, Rank& rank, const char* ep, const char* tp) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  if (const int code = gather.PhaseOne(&size, &executor, ep, tp); code != 0) return code;
  const DeviceBuffer workspace(std::max<uint64_t>(size, 1));
  const int code = aclnnAlltoAllAllGatherBatchMatMul(workspace.data(), size, executor, rank.stream);
  TakeMessages();
  return code != 0 ? code : aclrtSynchronizeStream(rank.stream);
}

// Rank 3 is in neither group of rank 0, which waits for others that wait for it.
TEST(GridFaultTest, ADeadRankFailsTheWholeGrid) {
  const Outcome outcome = RunRanksFreely(Kind::kProcesses, 4, [](Rank& rank) {
    rank.Open();
    Groups g(rank);
    RunGather({}, g, rank);
    if (rank.rank == 3) kill(getpid(), SIGKILL);
    const Gather gather({}, g, rank);
    ExpectFailure(Launch(gather, rank, g.ep_name.c_str(), g.tp_name.c_str()), 507018,
                  {"failed", "rank"});
  });
  EXPECT_FALSE(outcome.timed_out);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(outcome.statuses[i], 0);
}

TEST(GridFaultTest, GroupsThatAreSwappedAreToldApart) {
  RunRanks(Kind::kThreads, 4, [](Rank& rank) {
    Groups g(rank);
    const Gather gather({}, g, rank);
    const bool wrong = rank.rank == 1;
    EXPECT_EQ(Launch(gather, rank, wrong ? g.tp_name.c_str() : g.ep_name.c_str(),
                     wrong ? g.ep_name.c_str() : g.tp_name.c_str()),
              507018);
    const std::string text = Rank::Message();
    EXPECT_NE(text.find("aclnnAlltoAllAllGatherBatchMatMul"), std::string::npos) << text;
    const bool both = text.find("first group") != std::string::npos &&
                      text.find("second group") != std::string::npos;
    if (both) rank.shared.slots[0]++;
    rank.shared.Meet(0, 4);
    EXPECT_GE(rank.shared.slots[0], 1) << text;
  });
}

// The other group's ranks wait for this one, and hear that it will not come.
TEST(GridFaultTest, AGroupThatEndedFailsTheOther) {
  RunRanks(Kind::kThreads, 2, [](Rank& rank) {
    HcclComm experts = nullptr, alone = nullptr;
    ASSERT_HCCL_OK(rank.Join(1, rank.rank, 2, nullptr, &experts));
    ASSERT_HCCL_OK(rank.Join(2 + static_cast<int>(rank.rank), 0, 1, nullptr, &alone));
    const std::string ep = NameOf(experts), tp = NameOf(alone);
    const Matrix x(ACL_FLOAT16, {2, 2, 4}), w(ACL_FLOAT16, {1, 4, 3}), y(ACL_FLOAT16, {1, 4, 3});
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    ASSERT_EQ(aclnnAlltoAllAllGatherBatchMatMulGetWorkspaceSize(
                  x.handle(), w.handle(), nullptr, ep.c_str(), tp.c_str(), 2, 1, 0, 0, y.handle(),
                  nullptr, nullptr, &size, &executor),
              0)
        << Rank::Message();
    if (rank.rank == 1) {
      EXPECT_HCCL_OK(HcclCommDestroy(alone));
    }
    const DeviceBuffer workspace(std::max<uint64_t>(size, 1));
    TakeMessages();
    int code = aclnnAlltoAllAllGatherBatchMatMul(workspace.data(), size, executor, rank.stream);
    if (rank.rank == 1) {
      ExpectFailure(code, 507018, {tp, "destroyed"});
      return;
    }
    // It may have heard by now.
    if (code == 0) code = aclrtSynchronizeStream(rank.stream);
    ExpectFailure(code, 507018, {"refused on rank 1"});
  });
}

TEST(GridCheckTest, RefusesWhatTheDocumentsRefuse) {
  RunRanks(Kind::kThreads, 4, [](Rank& rank) {
    Groups g(rank);
    if (rank.rank == 0) {
      const char* ep = g.ep_name.c_str();
      const char* tp = g.tp_name.c_str();
      const Matrix x(ACL_FLOAT16, {4, 3, 6}), w(ACL_FLOAT16, {2, 12, 5}), y(ACL_FLOAT16, {2, 6, 5});
      const Matrix y2(ACL_FLOAT16, {2, 6, 12});
      const auto gather = [&](const Matrix& from, const Matrix& weight, const char* first,
                              const char* second, int64_t world, int64_t shard, int64_t act,
                              const Matrix* bias, const Matrix* y3) {
        uint64_t size = 0;
        aclOpExecutor* executor = nullptr;
        TakeMessages();
        return aclnnAlltoAllAllGatherBatchMatMulGetWorkspaceSize(
            from.handle(), weight.handle(), bias ? bias->handle() : nullptr, first, second, 2,
            world, shard, act, y.handle(), y2.handle(), y3 ? y3->handle() : nullptr, &size,
            &executor);
      };
      const Matrix wrong(ACL_BF16, {2, 5});
      EXPECT_EQ(gather(x, w, ep, tp, 2, 0, 1, nullptr, &y), 0) << Rank::Message();
      ExpectFailure(gather(x, w, ep, ep, 2, 0, 0, nullptr, nullptr), 161002,
                    {"groupTp", "groupEp"});
      ExpectFailure(gather(x, w, ep, "", 2, 0, 0, nullptr, nullptr), 161001, {"groupTp"});
      ExpectFailure(gather(x, w, ep, "nobody's", 2, 0, 0, nullptr, nullptr), 161002, {"nobody's"});
      ExpectFailure(gather(x, w, ep, tp, 4, 0, 0, nullptr, nullptr), 161002,
                    {"tpWorldSize", "4", "2"});
      ExpectFailure(gather(x, w, ep, tp, 2, 2, 0, nullptr, nullptr), 161002, {"xShardType", "2"});
      ExpectFailure(gather(x, w, ep, tp, 2, 1, 0, nullptr, nullptr), 161002, {"x.shape", "rows"});
      ExpectFailure(gather(x, w, ep, tp, 2, 0, 5, nullptr, nullptr), 161002, {"actType", "5"});
      ExpectFailure(gather(x, w, ep, tp, 2, 0, 0, nullptr, &y), 161002,
                    {"y3OutOptional", "actType"});
      ExpectFailure(gather(x, w, ep, tp, 2, 0, 0, &wrong, nullptr), 161002, {"biasOptional"});
      const Matrix float_bias(ACL_FLOAT, {2, 5});
      ExpectFailure(gather(x, w, ep, tp, 2, 0, 0, &float_bias, nullptr), 161002,
                    {"biasOptional", "FLOAT16"});
      const Matrix others(ACL_FLOAT16, {6, 3, 6});
      ExpectFailure(gather(others, w, ep, tp, 2, 0, 0, nullptr, nullptr), 161002, {"x.shape", "6"});
      const Matrix empty(ACL_FLOAT16, {4, 3, 0});
      ExpectFailure(gather(empty, w, ep, tp, 2, 0, 0, nullptr, nullptr), 161002, {"x.shape", "0"});
    }
    g.Destroy();
  });
}

}  // namespace
}  // namespace anyacl::test::hccl
