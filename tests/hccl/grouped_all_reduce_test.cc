// SPDX-License-Identifier: Apache-2.0
// Products of groups whose results all ranks add up, in whole numbers, which every type holds.
#include <numeric>

#include "aclnnop/aclnn_grouped_mat_mul_all_reduce.h"
#include "hccl/hccl_comm.h"
#include "ranks.h"
#include "support/expect.h"
#include "support/numbers.h"
#include "support/tensor.h"

namespace anyacl::test::hccl {
namespace {

struct Case {
  int64_t split = 0;
  std::vector<int64_t> rows = {5, 3};  // of each group
  std::vector<int64_t> ks = {16, 24}, ns = {10, 7};
  aclDataType type = ACL_FLOAT16;
  bool bias = true;
  std::vector<int64_t> leading = {};  // of x and y, before the rows
  aclDataType bias_type = ACL_DT_UNDEFINED;
  std::optional<int64_t> told = {};  // another splitItem than the lists are made for

  bool splits_x() const { return split % 2 == 1; }
  bool splits_y() const { return split >= 2; }
};

// Tensors and the list of them, which has handles of its own.
class List {
 public:
  void Add(const std::vector<int64_t>& dims, aclDataType type, const std::vector<double>& values) {
    tensors_.push_back(std::make_unique<Tensor>(Layout{.dims = dims, .dtype = type}));
    if (!values.empty()) WriteAs(*tensors_.back(), values);
  }
  ~List() {
    if (handle_ != nullptr) aclDestroyTensorList(handle_);
  }
  const aclTensorList* handle() {
    if (handle_ != nullptr) return handle_;
    std::vector<const aclTensor*> members;
    for (const auto& tensor : tensors_) {
      const std::vector<int64_t>& dims = tensor->layout().dims;
      members.push_back(aclCreateTensor(dims.data(), dims.size(), tensor->layout().dtype,
                                        ContiguousStrides(dims).data(), 0, ACL_FORMAT_ND,
                                        dims.data(), dims.size(), tensor->data()));
    }
    return handle_ = aclCreateTensorList(members.data(), members.size());
  }
  const Tensor& operator[](size_t i) const { return *tensors_[i]; }
  size_t size() const { return tensors_.size(); }

 private:
  std::vector<std::unique_ptr<Tensor>> tensors_;
  const aclTensorList* handle_ = nullptr;
};

double NumberOf(int which, uint32_t rank, size_t group, int64_t i) {
  return double((i * 7 + int64_t(group) * 3 + rank * 5 + which) % 5) - 2;
}
std::vector<double> NumbersOf(int which, uint32_t rank, size_t group, int64_t count) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(NumberOf(which, rank, group, i));
  return numbers;
}

std::vector<double> ExpectedOf(const Case& c, size_t group, int64_t rows, uint32_t ranks) {
  const int64_t k = c.ks[group], n = c.ns[group];
  std::vector<double> sums(static_cast<size_t>(rows * n));
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        double sum = c.bias ? NumberOf(2, rank, group, j) : 0;
        for (int64_t l = 0; l < k; ++l) {
          sum += NumberOf(0, rank, group, i * k + l) * NumberOf(1, rank, group, l * n + j);
        }
        sums[static_cast<size_t>(i * n + j)] += sum;
      }
    }
  }
  return sums;
}

class Call {
 public:
  Call(const Case& c, const Rank& rank) : c_(c), group(NameOf(rank.comm)) {
    std::vector<double> all_x;
    const int64_t copies =
        std::accumulate(c.leading.begin(), c.leading.end(), int64_t{1}, std::multiplies<>());
    for (size_t g = 0; g < c.rows.size(); ++g) {
      const int64_t rows = c.rows[g] * copies;
      const auto x = NumbersOf(0, rank.rank, g, rows * c.ks[g]);
      std::vector<int64_t> x_dims = c.leading, y_dims = c.leading;
      for (const int64_t size : {c.rows[g], c.ks[g]}) x_dims.push_back(size);
      for (const int64_t size : {c.rows[g], c.ns[g]}) y_dims.push_back(size);
      if (!c.splits_x()) x_.Add(x_dims, c.type, x);
      all_x.insert(all_x.end(), x.begin(), x.end());
      weight_.Add({c.ks[g], c.ns[g]}, c.type, NumbersOf(1, rank.rank, g, c.ks[g] * c.ns[g]));
      const aclDataType bias = c.bias_type != ACL_DT_UNDEFINED ? c.bias_type
                               : c.type == ACL_BF16            ? ACL_FLOAT
                                                               : c.type;
      if (c.bias) bias_.Add({c.ns[g]}, bias, NumbersOf(2, rank.rank, g, c.ns[g]));
      if (!c.splits_y()) y_.Add(y_dims, c.type, {});
      const auto sums = ExpectedOf(c, g, rows, rank.ranks);
      if (g == 0 || !c.splits_y()) expected_.emplace_back();
      expected_.back().insert(expected_.back().end(), sums.begin(), sums.end());
      ends.push_back((ends.empty() ? 0 : ends.back()) + c.rows[g]);
    }
    if (c.splits_x()) x_.Add({ends.back(), c.ks[0]}, c.type, all_x);
    if (c.splits_y()) y_.Add({ends.back(), c.ns[0]}, c.type, {});
  }

  int PhaseOne() {
    const aclIntArray* list = ends.empty() ? nullptr : aclCreateIntArray(ends.data(), ends.size());
    const int code = aclnnGroupedMatMulAllReduceGetWorkspaceSize(
        x_.handle(), weight_.handle(), bias_.size() == 0 ? nullptr : bias_.handle(),
        gives_ends.value_or(c_.splits_x()) ? list : nullptr, c_.told.value_or(c_.split),
        group.c_str(), op.c_str(), turn, mode, y_.handle(), &size_, &executor_);
    aclDestroyIntArray(list);
    return code;
  }

  int PhaseTwo(const Rank& rank) {
    workspace_ = std::make_unique<DeviceBuffer>(std::max<uint64_t>(size_, 1));
    return aclnnGroupedMatMulAllReduce(workspace_->data(), size_, executor_, rank.stream);
  }

  void Run(const Rank& rank) {
    ASSERT_EQ(PhaseOne(), 0) << Rank::Message();
    ASSERT_EQ(PhaseTwo(rank), 0) << Rank::Message();
    ASSERT_EQ(aclrtSynchronizeStream(rank.stream), 0) << Rank::Message();
    Check();
  }

  void Check() const {
    for (size_t i = 0; i < y_.size(); ++i) {
      EXPECT_EQ(ReadAs(y_[i]), expected_[i]) << "y[" << i << "]";
      EXPECT_TRUE(y_[i].GuardsIntact());
    }
  }

 private:
  const Case c_;
  List x_, weight_, bias_, y_;
  std::vector<std::vector<double>> expected_;
  uint64_t size_ = 0;
  aclOpExecutor* executor_ = nullptr;
  std::unique_ptr<DeviceBuffer> workspace_;

 public:
  std::string group, op = "sum";
  int64_t turn = 0, mode = 1;
  std::vector<int64_t> ends;
  std::optional<bool> gives_ends;
};

TEST(GroupedAllReduceTest, ComputesWhatTheDocumentSays) {
  for (const Kind kind : {Kind::kThreads, Kind::kProcesses}) {
    RunRanks(kind, 2, [](Rank& rank) {
      for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
        for (const bool bias : {false, true}) {
          for (const int64_t split : {0, 1, 2, 3}) {
            SCOPED_TRACE(::testing::Message() << "type " << type << " split " << split);
            Case c = {.split = split, .type = type, .bias = bias};
            if (c.splits_x()) c.ks = {16, 16};
            if (c.splits_y()) c.ns = {10, 10};
            Call(c, rank).Run(rank);
            c.rows.resize(1);
            Call(c, rank).Run(rank);
          }
        }
      }
      Call({.leading = {2, 2}}, rank).Run(rank);
      Call({.rows = {0, 3}}, rank).Run(rank);
    });
  }
}

TEST(GroupedAllReduceTest, RefusesWhatTheDocumentRefuses) {
  RunRanks(Kind::kThreads, 2, [](Rank& rank) {
    if (rank.rank != 0) return;
    const auto expect = [&](const Case& c, const std::function<void(Call&)>& change, int code,
                            std::initializer_list<std::string_view> words) {
      Call call(c, rank);
      change(call);
      TakeMessages();
      ExpectFailure(call.PhaseOne(), code, words);
    };
    const Case split = {.split = 3, .ks = {16, 16}, .ns = {10, 10}};
    expect({}, [](Call& c) { c.op = "max"; }, 161002, {"reduceOp", "max", "sum"});
    expect({}, [](Call& c) { c.turn = 1; }, 161002, {"commTurn"});
    expect({}, [](Call& c) { c.mode = 0; }, 161002, {"streamMode"});
    expect({}, [](Call& c) { c.group = "nobody"; }, 161002, {"nobody"});
    expect({}, [](Call& c) { c.gives_ends = true; }, 161002, {"groupListOptional", "splitItem"});
    expect(split, [](Call& c) { c.gives_ends = false; }, 161002,
           {"groupListOptional", "0 numbers"});
    expect(split, [](Call& c) { c.ends = {5, 9}; }, 161002, {"groupListOptional", "9", "8"});
    expect(split, [](Call& c) { c.ends = {5, 7}; }, 161002, {"groupListOptional", "7", "8"});
    expect(split, [](Call& c) { c.ends = {8}; }, 161002, {"groupListOptional", "1", "2"});
    Case ones = split;
    ones.rows = {8};
    expect(ones, [](Call& c) { c.ends = {7}; }, 161002, {"groupListOptional", "7", "8"});
    // As many tensors as splitItem says, of as many dimensions.
    Case several = split;
    several.split = 0;
    several.told = 3;
    expect(several, [](Call& c) { c.gives_ends = true; }, 161002,
           {"x has 2 tensors", "expected 1", "splitItem is 3"});
    several.split = 3;
    several.told = 2;
    expect(several, [](Call& c) { c.gives_ends = false; }, 161002,
           {"x has 1 tensors", "expected 2", "splitItem is 2"});
    Case wide = split;
    wide.split = 0;
    wide.leading = {2};
    wide.told = 2;
    expect(wide, [](Call&) {}, 161002, {"y has 2 tensors", "expected 1"});
    wide.rows = {8};
    expect(wide, [](Call&) {}, 161002, {"x[0].shape = [2, 8, 16]", "expected 2 dimensions"});
    expect({.leading = {1, 1, 1, 1, 1}}, [](Call&) {}, 161002, {"x[0].shape", "2 to 6"});
    expect({.bias_type = ACL_FLOAT}, [](Call&) {}, 161002, {"bias[0].dtype = FLOAT", "FLOAT16"});
    Case many;
    many.rows = many.ks = many.ns = std::vector<int64_t>(65, 2);
    expect(many, [](Call&) {}, 161002, {"x has 65 tensors", "64"});
  });
}

TEST(GroupedAllReduceTest, RanksOfOtherShapesAreNamed) {
  RunRanks(Kind::kThreads, 2, [](Rank& rank) {
    Call call({.rows = {5, rank.rank == 0 ? 3 : 4}}, rank);
    ASSERT_EQ(call.PhaseOne(), 0) << Rank::Message();
    TakeMessages();
    const int code = call.PhaseTwo(rank);
    ExpectFailure(code != 0 ? code : aclrtSynchronizeStream(rank.stream), 507018,
                  {"[3, 7]", "[4, 7]"});
  });
}

TEST(GroupedAllReduceTest, AGraphReplaysIt) {
  RunRanks(Kind::kThreads, 2, [](Rank& rank) {
    Call call({}, rank);
    ASSERT_EQ(aclmdlRICaptureBegin(rank.stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED), 0);
    ASSERT_EQ(call.PhaseOne(), 0) << Rank::Message();
    ASSERT_EQ(call.PhaseTwo(rank), 0) << Rank::Message();
    aclmdlRI graph = nullptr;
    ASSERT_EQ(aclmdlRICaptureEnd(rank.stream, &graph), 0);
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(aclmdlRIExecuteAsync(graph, rank.stream), 0);
      ASSERT_EQ(aclrtSynchronizeStream(rank.stream), 0) << Rank::Message();
      call.Check();
    }
    EXPECT_EQ(aclmdlRIDestroy(graph), 0);
  });
}

}  // namespace
}  // namespace anyacl::test::hccl
