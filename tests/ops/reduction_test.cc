// SPDX-License-Identifier: Apache-2.0
// The reductions against the oracle: all members, types, layouts and loops.
#include <algorithm>
#include <cmath>
#include <limits>

#include "aclnnop/aclnn_max_v2.h"
#include "aclnnop/aclnn_mean.h"
#include "aclnnop/aclnn_reduce_log_sum.h"
#include "ops/reduction_case.h"

namespace anyacl::test::reduction {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

struct Shape {
  std::vector<int64_t> dims;
  std::vector<int64_t> reduce;
};

// Strides of the layout whose axes lie in memory in this order, `gap` elements apart.
std::vector<int64_t> StridesInOrder(const std::vector<int64_t>& dims, std::vector<size_t> order,
                                    int64_t gap) {
  std::vector<int64_t> strides(dims.size());
  int64_t step = gap;
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = step;
    step *= dims[order[i]];
  }
  return strides;
}

std::vector<size_t> Reversed(size_t rank) {
  std::vector<size_t> order;
  for (size_t i = rank; i-- > 0;) order.push_back(i);
  return order;
}

class EveryReduction : public ReductionTest, public ::testing::WithParamInterface<Reduction> {
 protected:
  bool Takes(aclDataType type) const {
    const auto& types = GetParam().types;
    return std::find(types.begin(), types.end(), type) != types.end();
  }
};

TEST_P(EveryReduction, ShapesTypesAndLayouts) {
  // All, inner, outer, middle and mixed dimensions; one element, and single dimensions.
  const std::vector<Shape> shapes = {{{70}, {0}},
                                     {{5, 70}, {-1}},
                                     {{70, 40}, {0}},
                                     {{3, 40, 6}, {1}},
                                     {{3, 5, 37}, {0, 2}},
                                     {{2, 3, 2, 33}, {1, -1}},
                                     {{600, 3}, {0}},
                                     {{1, 1}, {1}},
                                     {{}, {}},
                                     {{2, 1, 3, 1, 2, 1, 2, 2}, {0, 2, 6}}};
  for (aclDataType type : GetParam().types) {
    for (const Shape& shape : shapes) {
      if (GetParam().one_dim && shape.reduce.size() != 1) continue;
      for (int layout = 0; layout < 4; ++layout) {
        ReductionProblem p{.op = &GetParam(),
                           .self = {.dims = shape.dims, .dtype = type},
                           .dims = shape.reduce,
                           .keep = layout % 2 == 1};
        const size_t rank = shape.dims.size();
        if (layout > 0 && rank == 0) continue;
        if (layout == 1) p.self.strides = StridesInOrder(shape.dims, Reversed(rank), 1);
        if (layout == 2) p.self.strides = StridesInOrder(shape.dims, Reversed(rank), 3);
        if (layout == 3) {
          p.self.strides = ContiguousStrides(shape.dims);
          int64_t reach = 0;
          for (size_t i = 0; i < rank; ++i) {
            p.self.strides[i] *= -1;
            reach -= p.self.strides[i] * (shape.dims[i] - 1);
          }
          p.self.offset = reach;
          const Layout out = p.OutLayout();
          p.out_strides = StridesInOrder(out.dims, Reversed(out.dims.size()), 2);
        }
        SCOPED_TRACE(::testing::Message()
                     << "type " << type << " rank " << rank << " layout " << layout);
        ExpectCorrect(p);
      }
    }
  }
}

TEST_P(EveryReduction, LengthsAroundLanesBlocksAndSegments) {
  for (int64_t n : {1, 15, 16, 17, 31, 32, 33, 511, 512, 513, 2047, 2048, 2049, 6000}) {
    for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32}) {
      if (!Takes(type)) continue;
      ExpectCorrect({.op = &GetParam(), .self = {.dims = {2, n}, .dtype = type}, .dims = {1}});
      ExpectCorrect({.op = &GetParam(), .self = {.dims = {n, 3}, .dtype = type}, .dims = {0}});
      ExpectCorrect({.op = &GetParam(), .self = {.dims = {n, 33}, .dtype = type}, .dims = {0}});
    }
  }
  ExpectCorrect({.op = &GetParam(), .self = {.dims = {1500, 5}}, .dims = {1}});
  ExpectCorrect({.op = &GetParam(), .self = {.dims = {3, 300}}, .dims = {0}});
}

TEST_P(EveryReduction, RepeatedElements) {
  ReductionProblem p{.op = &GetParam(), .self = {.dims = {4, 9}, .strides = {1, 0}}, .dims = {1}};
  for (double value : {1.0, -2.0, 3.0, 0.5}) p.values.insert(p.values.end(), 9, value);
  ExpectCorrect(p);
}

TEST_P(EveryReduction, NaNAndInfinity) {
  const std::string name = GetParam().name;
  for (int64_t width : {1, 40}) {
    for (double bad : {kNaN, kInf, -kInf}) {
      ReductionProblem p{.op = &GetParam(), .self = {.dims = {700, width}}, .dims = {0}};
      p.values = RandomValues(p.self);
      p.values[531 * width] = bad;
      p.values[650 * width] = bad;
      const std::vector<double> actual = Run(p);
      const double expected = OracleOf(name)(Grouped(p.self.dims, p.values, p.reduce())[0]);
      EXPECT_TRUE(std::isnan(expected)
                      ? std::isnan(actual[0])
                      : actual[0] == expected || std::fabs(actual[0] - expected) < 1e-5)
          << name << actual[0] << expected;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryReduction, ::testing::ValuesIn(AllReductions()),
                         [](const auto& info) { return std::string(info.param.name); });

// A layout may choose the loop, not the order of one dimension's sum.
TEST_F(ReductionTest, StridesOfOneDimensionDoNotShowInTheBits) {
  struct Case {
    int64_t n, width;
    aclDataType type;
  };
  for (const char* name : {"ReduceSum", "Mean", "LogSumExp", "Amax"}) {
    // Of the wide ones, one is a whole tile and some columns, one has rows that are left over.
    for (const Case& c :
         {Case{40, 40, ACL_FLOAT}, Case{700, 40, ACL_FLOAT}, Case{5000, 40, ACL_FLOAT},
          Case{140, 5000, ACL_FLOAT}, Case{700, 140, ACL_FLOAT16}, Case{2200, 70, ACL_BF16}}) {
      ReductionProblem p{.op = &ReductionNamed(name),
                         .self = {.dims = {c.n, c.width}, .dtype = c.type},
                         .dims = {0}};
      for (int64_t i = 0; i < c.n * c.width; ++i) {
        p.values.push_back(AsHeld(c.type, random().Normal(0, 3)));
      }
      const std::vector<double> side_by_side = Run(p);
      p.self.strides = {1, c.n};
      EXPECT_EQ(Run(p), side_by_side) << name << " " << c.width;
      p.self.strides = {2, 2 * c.n};
      EXPECT_EQ(Run(p), side_by_side) << name << " " << c.width;
    }
  }
}

// The whole sum of a permuted tensor goes through memory as that of the tensor does.
TEST_F(ReductionTest, WholeSumsOfPermutedTensorsAreEqual) {
  ReductionProblem p{.op = &ReductionNamed("ReduceSum"), .self = {.dims = {50, 70}}, .dims = {}};
  std::vector<double> flat;
  for (int i = 0; i < 3500; ++i) flat.push_back(AsHeld(ACL_FLOAT, random().Normal(0, 3)));
  p.values = flat;
  const std::vector<double> expected = Run(p);
  p.self = {.dims = {70, 50}, .strides = {1, 70}};
  for (int i = 0; i < 70; ++i) {
    for (int j = 0; j < 50; ++j) p.values[i * 50 + j] = flat[j * 70 + i];
  }
  EXPECT_EQ(Run(p), expected);
}

// A million equal numbers that no binary fraction is: sequential sums in fp32 would be off by 1e-3.
TEST_F(ReductionTest, LongSumsKeepTheirAccuracy) {
  ReductionProblem p{.op = &ReductionNamed("ReduceSum"), .self = {.dims = {1 << 20}}, .dims = {0}};
  p.values.assign(1 << 20, AsHeld(ACL_FLOAT, 0.1));
  const double exact = p.values[0] * (1 << 20);
  EXPECT_NEAR(Run(p)[0], exact, 22 * 0x1p-24 * exact);
  p.self.dtype = ACL_FLOAT16;
  p.out = ACL_FLOAT;
  EXPECT_NEAR(Run(p)[0], AsHeld(ACL_FLOAT16, 0.1) * (1 << 20), 22 * 0x1p-24 * exact);
}

TEST_F(ReductionTest, SumsBecomeDtype) {
  const auto sum = [&](aclDataType self, aclDataType out, std::vector<double> values) {
    ReductionProblem p{.op = &ReductionNamed("ReduceSum"), .dims = {0}};
    p.self = {.dims = {static_cast<int64_t>(values.size())}, .dtype = self};
    p.values = std::move(values);
    p.out = out;
    return Run(p)[0];
  };
  EXPECT_EQ(sum(ACL_BOOL, ACL_INT64, {1, 0, 1, 1}), 3);
  EXPECT_EQ(sum(ACL_BOOL, ACL_FLOAT, {1, 0, 1, 1}), 3);
  EXPECT_EQ(sum(ACL_INT32, ACL_FLOAT, {1, -2, 4}), 3);
  EXPECT_EQ(sum(ACL_FLOAT, ACL_INT32, {0.75, 0.75, 1.5}), 1);  // truncated before the sum
  EXPECT_EQ(sum(ACL_FLOAT, ACL_BOOL, {0.25, -0.25}), 1);       // whether one is not 0
  EXPECT_EQ(sum(ACL_INT32, ACL_INT8, {127, 2}), -127);
  EXPECT_EQ(sum(ACL_INT32, ACL_INT64, {INT32_MAX, INT32_MAX}), 2.0 * INT32_MAX);
  EXPECT_EQ(sum(ACL_FLOAT16, ACL_FLOAT, {60000, 60000}), AsHeld(ACL_FLOAT16, 60000) * 2);
  EXPECT_EQ(sum(ACL_FLOAT16, ACL_FLOAT16, {60000, 60000, -60000}), AsHeld(ACL_FLOAT16, 60000));
  EXPECT_EQ(sum(ACL_DOUBLE, ACL_DOUBLE, {1e300, 1e300, -1e300}), 1e300);
  EXPECT_EQ(sum(ACL_FLOAT, ACL_DOUBLE, {0x1p40, 1}), 0x1p40 + 1);
}

TEST_F(ReductionTest, EmptySumsHaveTheNeutralElement) {
  const auto empty = [&](const char* name, aclDataType type) {
    ReductionProblem p{
        .op = &ReductionNamed(name), .self = {.dims = {0, 3}, .dtype = type}, .dims = {0}};
    const std::vector<double> actual = Run(p);
    EXPECT_EQ(actual.size(), 3u);
    p = {.op = &ReductionNamed(name), .self = {.dims = {0, 3}, .dtype = type}, .dims = {1}};
    EXPECT_TRUE(Run(p).empty());
    return actual[2];
  };
  EXPECT_EQ(empty("ReduceSum", ACL_FLOAT), 0);
  EXPECT_EQ(empty("ReduceSum", ACL_INT32), 0);
  EXPECT_TRUE(std::isnan(empty("Mean", ACL_FLOAT)));
  EXPECT_EQ(empty("Mean", ACL_INT32), 0);
  EXPECT_TRUE(std::isnan(empty("MeanV2", ACL_FLOAT)));
  EXPECT_EQ(empty("ReduceLogSum", ACL_FLOAT), 0.0);
  EXPECT_EQ(empty("All", ACL_FLOAT), 1);
  EXPECT_EQ(empty("Any", ACL_BOOL), 0);
  EXPECT_EQ(empty("LogSumExp", ACL_FLOAT), -kInf);
}

TEST_F(ReductionTest, FirstOfEqualElementsAndNaN) {
  const auto arg = [&](const char* name, std::vector<double> values) {
    ReductionProblem p{.op = &ReductionNamed(name), .dims = {0}};
    p.self = {.dims = {static_cast<int64_t>(values.size())}};
    p.values = std::move(values);
    return Run(p)[0];
  };
  EXPECT_EQ(arg("ArgMax", {1, 5, 3, 5}), 1);
  EXPECT_EQ(arg("ArgMin", {4, 2, 3, 2}), 1);
  EXPECT_EQ(arg("ArgMax", {1, kInf, kNaN, kNaN}), 2);
  EXPECT_EQ(arg("ArgMin", {1, -kInf, kNaN, kNaN}), 2);
  EXPECT_EQ(arg("ArgMax", {-0.0, 0.0}), 0);
  EXPECT_EQ(arg("ArgMax", {-kInf, -kInf}), 0);
  std::vector<double> ties(5000, 1.0);
  EXPECT_EQ(arg("ArgMax", ties), 0);
  ties[4999] = 2;
  EXPECT_EQ(arg("ArgMax", ties), 4999);
}

// Of two NaNs the one that the tree over 32 lanes meets first, however results lie: of elements 1
// and 8 the latter (lane 0 takes lane 8 before lane 1).
TEST_F(ReductionTest, TheSameNaNOfRowsAndColumns) {
  constexpr int64_t kLength = 32;
  for (const int64_t results : {1, 3, 24, 40}) {
    for (const bool rows : {false, true}) {
      for (const char* name : {"Amax", "Amin"}) {
        const Reduction& op = ReductionNamed(name);
        Tensor self({.dims = rows ? std::vector<int64_t>{results, kLength}
                                  : std::vector<int64_t>{kLength, results}});
        const Tensor out({.dims = {results}});
        std::vector<uint32_t> bits(static_cast<size_t>(kLength * results), 0);
        for (int64_t r = 0; r < results; ++r) {
          const auto at = [&](int64_t i) {
            return static_cast<size_t>(rows ? r * kLength + i : i * results + r);
          };
          bits[at(1)] = 0x7fc00001;
          bits[at(8)] = 0x7fc00002;
        }
        self.Write(bits);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return op.phase1(self.handle(), {rows ? 1 : 0}, false, ACL_FLOAT, out.handle(), size,
                               executor);
            },
            op.phase2);
        EXPECT_EQ(out.Read<uint32_t>(),
                  std::vector<uint32_t>(static_cast<size_t>(results), 0x7fc00002))
            << name << ' ' << results << (rows ? " rows" : " columns");
      }
    }
  }
}

// What one lane has too much of another has too little of: in fp32 the lanes' product would be 0 or
// infinite on the way.
TEST_F(ReductionTest, ProductsOfLanesLeaveFp32) {
  constexpr int64_t kLength = 512;
  const Reduction& op = ReductionNamed("ProdDim");
  for (const int64_t results : {1, 3, 40, 200}) {
    for (const bool rows : {false, true}) {
      Tensor self({.dims = rows ? std::vector<int64_t>{results, kLength}
                                : std::vector<int64_t>{kLength, results}});
      const Tensor out({.dims = {results}});
      std::vector<float> numbers(static_cast<size_t>(kLength * results), 1.0f);
      for (int64_t r = 0; r < results; ++r) {
        for (int64_t i = 0; i < 16; ++i) {
          const int64_t at = rows ? r * kLength + i : i * results + r;
          numbers[static_cast<size_t>(at)] = i % 4 < 2 ? 0x1p-60f : 0x1p60f;
        }
        numbers[static_cast<size_t>(rows ? r * kLength + 16 : 16 * results + r)] =
            static_cast<float>(r + 1);
      }
      self.Write(numbers);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return op.phase1(self.handle(), {rows ? 1 : 0}, false, ACL_FLOAT, out.handle(), size,
                             executor);
          },
          op.phase2);
      for (int64_t r = 0; r < results; ++r) {
        ASSERT_EQ(out.Read<float>()[static_cast<size_t>(r)], static_cast<float>(r + 1))
            << r << " of " << results << (rows ? " rows" : " columns");
      }
    }
  }
}

class ReductionCallTest : public ReductionTest {
 protected:
  void ExpectBad(const ReductionProblem& p, const Layout& out_layout, aclDataType dtype,
                 std::initializer_list<std::string_view> words) {
    const Tensor self(p.self), out(out_layout);
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return p.op->phase1(self.handle(), p.dims, p.keep, dtype, out.handle(), size, executor);
        },
        161002, words);
  }
};

TEST_F(ReductionCallTest, DimensionsAreChecked) {
  for (const char* name : {"ReduceSum", "Mean", "Amax", "All", "LogSumExp"}) {
    const Reduction& op = ReductionNamed(name);
    const char* dims = name == std::string("ReduceSum") ? "dims" : "dim";
    ReductionProblem p{.op = &op, .self = {.dims = {2, 3}}, .dims = {1}};
    const Layout out = p.OutLayout();
    p.dims = {2};
    ExpectBad(p, out, out.dtype, {dims, "2"});
    p.dims = {-3};
    ExpectBad(p, out, out.dtype, {dims, "-3"});
    p.dims = {1, -1};
    ExpectBad(p, out, out.dtype, {dims, "-1"});
    p.dims = {0};
    ExpectBad(p, out, out.dtype, {"out", "[2]", "[3]"});
  }
  ReductionProblem p{.op = &ReductionNamed("ArgMax"), .self = {.dims = {2, 3}}, .dims = {2}};
  ExpectBad(p, {.dims = {2}, .dtype = ACL_INT64}, ACL_INT64, {"dim", "2"});
}

// Strides of 0 make them of few bytes.
TEST_F(ReductionCallTest, ElementsThatNoCallCouldRead) {
  const int64_t many = int64_t{1} << 29;
  for (const char* name : {"ReduceSum", "Mean", "Amax", "All", "LogSumExp"}) {
    ReductionProblem p{.op = &ReductionNamed(name),
                       .self = {.dims = {many, many}, .strides = {0, 0}},
                       .dims = {0, 1}};
    const Layout out = p.OutLayout();
    ExpectBad(p, out, out.dtype, {"self.shape", "2^56"});
  }
}

TEST_F(ReductionCallTest, TypesAreChecked) {
  ReductionProblem p{.op = &ReductionNamed("ReduceSum"), .self = {.dims = {2, 3}}, .dims = {1}};
  ExpectBad(p, {.dims = {2}}, ACL_FLOAT16, {"dtype", "FLOAT16", "FLOAT"});
  p.op = &ReductionNamed("Mean");
  ExpectBad(p, {.dims = {2}}, ACL_INT32, {"dtype", "INT32", "FLOAT"});
  ExpectBad(p, {.dims = {2}}, ACL_STRING, {"dtype"});
  ExpectBad(p, {.dims = {2}, .dtype = ACL_INT32}, ACL_FLOAT, {"out", "INT32", "FLOAT"});
}

TEST_F(ReductionCallTest, ExtremesOfNothingAreNotWritten) {
  for (const char* name :
       {"Amax", "Amin", "ArgMax", "MaxDim", "MinDim", "Max", "Min", "AminmaxAll"}) {
    ReductionProblem p{.op = &ReductionNamed(name), .self = {.dims = {0, 3}}, .dims = {0}};
    const Tensor self(p.self);
    Tensor out(p.OutLayout());
    const std::vector<double> before(p.whole() ? 1 : 3, 5.0);
    WriteAs(out, before);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return p.op->phase1(self.handle(), p.dims, false, ACL_FLOAT, out.handle(), size,
                              executor);
        },
        p.op->phase2);
    EXPECT_EQ(ReadAs(out), before) << name;
  }
  for (const char* name : {"ArgMin", "Aminmax", "AminmaxDim"}) {
    ReductionProblem p{.op = &ReductionNamed(name), .self = {.dims = {0, 3}}, .dims = {0}};
    ExpectBad(p, p.OutLayout(), ACL_FLOAT, {"self", "[0, 3]"});
  }
}

TEST_F(ReductionCallTest, WithoutDimensionsSelfMayBeTheResult) {
  struct Named {
    aclnnStatus (*first)(const aclTensor*, const aclIntArray*, bool, bool, aclTensor*, uint64_t*,
                         aclOpExecutor**);
    Phase2 second;
    bool any_rank;
  };
  const aclIntArray* none = aclCreateIntArray(nullptr, 0);
  for (const Named& op : {Named{aclnnMaxV2GetWorkspaceSize, aclnnMaxV2, false},
                          Named{aclnnMeanV2GetWorkspaceSize, aclnnMeanV2, true},
                          Named{aclnnReduceLogSumGetWorkspaceSize, aclnnReduceLogSum, true}}) {
    const auto call = [&](const Tensor& self, const Tensor& out) {
      return [&](uint64_t* size, aclOpExecutor** executor) {
        return op.first(self.handle(), none, false, true, out.handle(), size, executor);
      };
    };
    Tensor self({.dims = {3, 5}, .strides = {1, 3}}), one({.dims = {1}});
    const Tensor out({.dims = {3, 5}, .strides = {7, 1}}), single({.dims = {}});
    const Tensor row({.dims = {5}});
    const std::vector<double> values = RandomValues({.dims = {3, 5}});
    WriteAs(self, values);
    RunTwoPhase(call(self, out), op.second);
    EXPECT_EQ(ReadAs(out), values);
    EXPECT_TRUE(out.GuardsIntact());
    ExpectRefused(call(self, row), 161002, {"shape = [5]", "[3, 5]"});
    WriteAs(one, {-7});
    if (!op.any_rank) {
      ExpectRefused(call(one, single), 161002, {"out.shape = []", "[1]"});
      continue;
    }
    RunTwoPhase(call(one, single), op.second);
    EXPECT_EQ(ReadAs(single), std::vector<double>{-7});
  }
  aclDestroyIntArray(none);
}

// A client reduces a vector into one element of rank 1.
TEST_F(ReductionCallTest, OneElementMayHaveAnyRank) {
  Tensor self({.dims = {4}});
  WriteAs(self, {1, 2, 3, 4});
  for (const std::vector<int64_t>& dims : {std::vector<int64_t>{}, {1}, {1, 1}}) {
    const Tensor out({.dims = dims});
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return ReductionNamed("ReduceSum")
              .phase1(self.handle(), {0}, true, ACL_FLOAT, out.handle(), size, executor);
        },
        ReductionNamed("ReduceSum").phase2);
    EXPECT_EQ(ReadAs(out), std::vector<double>{10});
  }
  for (const char* name :
       {"Amax", "Amin", "LogSumExp", "Norm1", "LinalgVectorNorm", "Var", "Std"}) {
    ReductionProblem p{.op = &ReductionNamed(name), .self = {.dims = {4}}, .dims = {0}};
    ExpectBad(p, {.dims = {1}}, ACL_FLOAT, {"out.shape", "[1]", "[]"});
  }
}

}  // namespace
}  // namespace anyacl::test::reduction
