// SPDX-License-Identifier: Apache-2.0
// Operators with index tensors against the oracle. Values are small integers, so that sums are
// exact in every type and can be compared bit by bit.
#include "reference/indexing.h"

#include <functional>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_gather.h"
#include "aclnnop/aclnn_index.h"
#include "aclnnop/aclnn_index_add.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_index_fill.h"
#include "aclnnop/aclnn_index_put_impl.h"
#include "aclnnop/aclnn_put.h"
#include "aclnnop/aclnn_scatter.h"
#include "aclnnop/aclnn_scatter_add.h"
#include "aclnnop/aclnn_take.h"
#include "ops/movement_case.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                  ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8};
// On which every layout is tried.
constexpr aclDataType kFewTypes[] = {ACL_FLOAT, ACL_BF16, ACL_INT64};

class Scalar {
 public:
  explicit Scalar(double value) : handle_(aclCreateScalar(&value, ACL_DOUBLE)) {}
  Scalar(const Scalar&) = delete;
  Scalar& operator=(const Scalar&) = delete;
  ~Scalar() { aclDestroyScalar(handle_); }
  const aclScalar* get() const { return handle_; }

 private:
  aclScalar* handle_;
};

class IndexingTest : public DeviceTest {
 protected:
  std::vector<int64_t> Indices(int64_t count, int64_t limit, bool negative = false) {
    std::vector<int64_t> index;
    for (int64_t i = 0; i < count; ++i) {
      index.push_back(random().Int(negative ? -limit : 0, limit - 1));
    }
    return index;
  }
  std::vector<double> Numbers(int64_t count, int64_t most = 3) {
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) {
      values.push_back(static_cast<double>(random().Int(0, most)));
    }
    return values;
  }
  static Tensor IndexTensor(const Shape& shape, const std::vector<int64_t>& values,
                            aclDataType type = ACL_INT64, Lie lie = Lie::kDense) {
    Tensor tensor(Lying(shape, type, lie));
    if (type == ACL_INT64) {
      tensor.Write(values);
    } else {
      tensor.Write(std::vector<int32_t>(values.begin(), values.end()));
    }
    return tensor;
  }

  // body(type, layout of what is read, layout of what is written): every type once, and every pair
  // of layouts.
  static void ForLayouts(const std::function<void(aclDataType, Lie, Lie)>& body) {
    for (aclDataType type : kTypes) body(type, Lie::kGaps, Lie::kDense);
    for (aclDataType type : kFewTypes) {
      for (Lie from : {Lie::kDense, Lie::kColumns, Lie::kGaps, Lie::kBackwards}) {
        for (Lie to : kOutputLies) {
          SCOPED_TRACE(::testing::Message() << "type " << type << ", layouts "
                                            << static_cast<int>(from) << static_cast<int>(to));
          body(type, from, to);
        }
      }
    }
  }
  // Large tensors are worth few layouts.
  static bool Worth(int64_t elements, aclDataType type, Lie from, Lie to) {
    const bool few = type == ACL_FLOAT || type == ACL_BF16;
    return elements < 2000 ||
           (few && from == Lie::kDense && to != Lie::kColumns && to != Lie::kBackwards);
  }
  static void Expect(const Tensor& actual, const std::vector<double>& expected) {
    const std::vector<double> values = ReadAs(actual);
    ASSERT_EQ(values.size(), expected.size());
    for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], expected[i]) << "element " << i;
    EXPECT_TRUE(actual.GuardsIntact());
  }

  // Runs both phases; the task must fail so, and `untouched` stay as it was.
  void ExpectTaskFails(const Phase1& phase1, Phase2 phase2, const Tensor& untouched,
                       std::initializer_list<std::string_view> words) {
    const auto before = untouched.Bytes();
    const Prepared prepared = Prepare(phase1);
    ASSERT_OK(prepared.code);
    const DeviceBuffer workspace(prepared.workspace_size + 1);
    int code = phase2(workspace.data(), prepared.workspace_size, prepared.executor, stream());
    if (code == ACL_SUCCESS) code = aclrtSynchronizeStream(stream());
    ExpectFailure(code, ACL_ERROR_RT_AICORE_EXCEPTION, words);
    EXPECT_EQ(untouched.Bytes(), before);
  }
};

// A list of index tensors; absent ones have no elements and self's type, as torch_npu hands them.
class Members {
 public:
  Members(const std::vector<IndexMember>& members, aclDataType self, aclDataType type, Lie lie) {
    for (const IndexMember& member : members) {
      if (member.absent) {
        tensors_.push_back(std::make_unique<Tensor>(Layout{.dims = {0}, .dtype = self}));
        continue;
      }
      const aclDataType dtype = member.mask ? ACL_BOOL : type;
      tensors_.push_back(std::make_unique<Tensor>(Lying(member.shape, dtype, lie)));
      WriteAs(*tensors_.back(), std::vector<double>(member.values.begin(), member.values.end()));
    }
    std::vector<const aclTensor*> handles;
    for (const auto& tensor : tensors_) handles.push_back(tensor->handle());
    list_ = aclCreateTensorList(handles.data(), handles.size());
  }
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;
  ~Members() {
    for (const auto& tensor : tensors_) tensor->Destroy();
    aclDestroyTensorList(list_);
  }
  const aclTensorList* get() const { return list_; }

 private:
  std::vector<std::unique_ptr<Tensor>> tensors_;
  const aclTensorList* list_;
};

struct AdvancedCase {
  Shape self;
  std::vector<IndexMember> members;  // shapes; values are made up
};

std::vector<AdvancedCase> AdvancedCases() {
  const IndexMember none{.shape = {}, .values = {}, .absent = true};
  const auto index = [](const Shape& shape) { return IndexMember{.shape = shape, .values = {}}; };
  const auto mask = [](const Shape& shape) {
    return IndexMember{.shape = shape, .values = {}, .mask = true};
  };
  return {{{7}, {index({5})}},
          {{7}, {index({})}},
          {{5, 4}, {index({3})}},
          {{5, 4}, {none, index({3, 2})}},
          {{5, 4}, {index({3, 1}), index({4})}},
          {{5, 4, 3}, {index({2}), none, index({2})}},
          {{5, 4, 3}, {none, index({6}), index({2, 6})}},
          {{5, 4, 3}, {index({2, 3})}},
          {{4, 3, 2, 5}, {none, index({2}), none, index({3, 2})}},
          {{5, 4}, {mask({5, 4})}},
          {{5, 4}, {mask({5})}},
          {{5, 4, 3}, {none, mask({4, 3})}},
          {{5, 4, 3}, {mask({5, 4}), index({1})}},
          {{40, 300}, {index({100})}},
          {{2, 50, 1500}, {none, index({9})}},
          {{30, 30}, {index({2000}), index({2000})}},
          {{20, 30}, {index({9000}), index({9000})}}};
}

class AdvancedTest : public IndexingTest {
 protected:
  void Fill(AdvancedCase* x, bool negative) {
    size_t dim = 0;
    for (IndexMember& member : x->members) {
      if (member.mask) {
        for (int64_t i = 0; i < CountOf(member.shape); ++i) {
          member.values.push_back(random().Chance(0.4));
        }
        dim += member.shape.size();
      } else {
        if (!member.absent) {
          member.values = Indices(CountOf(member.shape), x->self[dim], negative);
        }
        ++dim;
      }
    }
  }
};

TEST_F(AdvancedTest, Index) {
  for (AdvancedCase x : AdvancedCases()) {
    SCOPED_TRACE(::testing::PrintToString(x.self));
    Fill(&x, true);
    const Moved moved = AdvancedOf(x.self, x.members);
    const std::vector<double> values = Numbers(CountOf(x.self), 100);
    std::vector<double> expected;
    for (int64_t from : moved.from) expected.push_back(values[static_cast<size_t>(from)]);
    ForLayouts([&](aclDataType type, Lie from, Lie to) {
      if (!Worth(CountOf(moved.shape) + CountOf(x.self), type, from, to)) return;
      Tensor self(Lying(x.self, type, from)), out(Lying(moved.shape, type, to));
      const Members members(x.members, type, type == ACL_BF16 ? ACL_INT32 : ACL_INT64, from);
      WriteAs(self, values);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnIndexGetWorkspaceSize(self.handle(), members.get(), out.handle(), size,
                                              executor);
          },
          aclnnIndex);
      Expect(out, expected);
    });
  }
}

TEST_F(AdvancedTest, IndexPut) {
  for (AdvancedCase x : AdvancedCases()) {
    SCOPED_TRACE(::testing::PrintToString(x.self));
    Fill(&x, true);
    const Moved moved = AdvancedOf(x.self, x.members);
    const std::vector<double> before = Numbers(CountOf(x.self));
    Shape last = moved.shape.empty() ? Shape{} : Shape{moved.shape.back()};
    for (const Shape& shape : {moved.shape, last, Shape{}}) {
      const std::vector<double> few = Numbers(CountOf(shape), 1);
      const std::vector<double> values = BroadcastOf(shape, moved.shape, few);
      for (bool adds : {false, true}) {
        const auto after =
            WrittenOf(before, moved, values, adds ? Writing::kAdd : Writing::kReplace);
        ForLayouts([&](aclDataType type, Lie from, Lie to) {
          if (!Worth(CountOf(moved.shape) + CountOf(x.self), type, from, to)) return;
          Tensor self(Lying(x.self, type, to)), written(Lying(shape, type, from));
          const Members members(x.members, type, type == ACL_BF16 ? ACL_INT32 : ACL_INT64, from);
          WriteAs(self, before);
          WriteAs(written, few);
          RunTwoPhase(
              [&](uint64_t* size, aclOpExecutor** executor) {
                return aclnnIndexPutImplGetWorkspaceSize(
                    self.handle(), members.get(), written.handle(), adds, false, size, executor);
              },
              aclnnIndexPutImpl);
          Expect(self, AsHeld(type, after));
        });
      }
    }
  }
}

// All indices without elements: nothing is selected. Beside others they stand for dimensions.
TEST_F(AdvancedTest, EmptyIndices) {
  Tensor self({.dims = {3, 4}}), none({.dims = {0, 4}}), value({.dims = {}});
  WriteAs(self, Numbers(12));
  WriteAs(value, {7});
  const auto before = self.Bytes();
  const Members members({{.shape = {0}, .values = {}}}, ACL_FLOAT, ACL_INT64, Lie::kDense);
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnIndexGetWorkspaceSize(self.handle(), members.get(), none.handle(), size,
                                          executor);
      },
      aclnnIndex);
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnIndexPutImplGetWorkspaceSize(self.handle(), members.get(), value.handle(),
                                                 false, false, size, executor);
      },
      aclnnIndexPutImpl);
  EXPECT_EQ(self.Bytes(), before);
}

TEST_F(AdvancedTest, WrongIndicesFailTheTask) {
  for (int64_t wrong : {int64_t{5}, int64_t{-6}, INT64_MAX, INT64_MIN}) {
    Tensor self({.dims = {5, 3}}), out({.dims = {2, 40, 3}}), value({.dims = {}});
    WriteAs(self, Numbers(15));
    WriteAs(value, {1});
    std::vector<int64_t> values(80, 4);
    values[47] = values[48] = wrong;
    const Members members({{.shape = {2, 40}, .values = values}}, ACL_FLOAT, ACL_INT64,
                          Lie::kDense);
    // Larger than a double holds.
    Tensor index = IndexTensor({2, 40}, values);
    const aclTensor* handle = index.handle();
    const aclTensorList* list = aclCreateTensorList(&handle, 1);
    ExpectTaskFails(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnIndexGetWorkspaceSize(self.handle(), list, out.handle(), size, executor);
        },
        aclnnIndex, self, {"indices", std::to_string(wrong), "[1, 7]", "-5 to 4"});
    ExpectTaskFails(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnIndexPutImplGetWorkspaceSize(self.handle(), list, value.handle(), true, false,
                                                   size, executor);
        },
        aclnnIndexPutImpl, self, {"indices", std::to_string(wrong), "[1, 7]", "-5 to 4"});
    index.Destroy();
    aclDestroyTensorList(list);
  }
}

// Nothing is written, though most indices are right: 9000 are shared by threads, 3 rows are not.
TEST_F(IndexingTest, WrongIndicesOfSingleElements) {
  for (const Shape& shape : {Shape{9000}, Shape{3, 3000}}) {
    SCOPED_TRACE(::testing::PrintToString(shape));
    const int64_t dim = std::ssize(shape) - 1;
    Tensor self({.dims = shape}), other({.dims = shape});
    WriteAs(self, Numbers(9000));
    WriteAs(other, Numbers(9000));
    std::vector<int64_t> values(9000, 7);
    for (int64_t wrong : {shape.back(), -shape.back() - 1, INT64_MAX, INT64_MIN}) {
      values[2100] = values[8000] = wrong;
      const Tensor index = IndexTensor(shape, values);
      const std::string position = dim == 0 ? "[2100]" : "[0, 2100]";
      ExpectTaskFails(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnInplaceScatterGetWorkspaceSize(self.handle(), dim, index.handle(),
                                                       other.handle(), 1, size, executor);
          },
          aclnnInplaceScatter, self, {"index", std::to_string(wrong), position});
      ExpectTaskFails(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnGatherGetWorkspaceSize(self.handle(), dim, index.handle(), other.handle(),
                                               size, executor);
          },
          aclnnGather, self, {"index", std::to_string(wrong), position});
    }
  }
}

TEST_F(AdvancedTest, ShapesThatDoNotFitAreRefused) {
  Tensor self({.dims = {5, 3}}), out({.dims = {4, 3}}), value({.dims = {2}});
  const auto refuse = [&](const std::vector<IndexMember>& list,
                          std::initializer_list<std::string_view> words) {
    const Members members(list, ACL_FLOAT, ACL_INT64, Lie::kDense);
    const auto call = [&](uint64_t* size, aclOpExecutor** executor) {
      return aclnnIndexGetWorkspaceSize(self.handle(), members.get(), out.handle(), size, executor);
    };
    ExpectRefused(call, ACLNN_ERR_PARAM_INVALID, words);
  };
  const IndexMember two{.shape = {2}, .values = {0, 0}}, three{.shape = {3}, .values = {0, 0, 0}};
  refuse({two}, {"out", "[4, 3]", "[2, 3]"});
  refuse({two, three}, {"indices[1]", "[3]", "[2]"});
  refuse({two, two, two}, {"indices[2]", "2"});
  refuse({{.shape = {4}, .values = {1, 1, 1, 1}, .mask = true}}, {"indices", "[4]", "5"});
}

struct ElementCase {
  Shape self;
  int64_t dim;
  Shape index;
};
const ElementCase kElementCases[] = {{{7}, 0, {5}},
                                     {{5, 4}, 0, {3, 4}},
                                     {{5, 4}, 1, {2, 9}},
                                     {{4, 3, 5}, -2, {4, 6, 5}},
                                     {{4, 3, 5}, -1, {1, 3, 2}},
                                     {{4, 3, 5}, 0, {0, 3, 5}},
                                     {{}, 0, {}},
                                     {{100, 60}, 1, {100, 50}},
                                     {{50}, 0, {9000}},
                                     {{3, 30, 40}, 0, {5, 30, 40}},
                                     // Pieces of a dimension that is apart, rows by the many.
                                     {{6, 300}, 0, {70, 300}},
                                     {{2, 700}, 0, {9, 700}},
                                     {{400, 33}, 1, {400, 20}}};

TEST_F(IndexingTest, Gather) {
  for (const ElementCase& c : kElementCases) {
    SCOPED_TRACE(::testing::PrintToString(c.self) + ::testing::PrintToString(c.index));
    const Shape shape = c.self.empty() ? Shape{1} : c.self;
    const Shape index_shape = c.self.empty() ? Shape{1} : c.index;
    const auto d = static_cast<size_t>(c.dim < 0 ? c.dim + std::ssize(shape) : c.dim);
    const auto indices = Indices(CountOf(index_shape), shape[d], true);
    const Moved moved = ElementsOf(shape, c.dim, index_shape, indices);
    const std::vector<double> values = Numbers(CountOf(shape), 100);
    std::vector<double> expected;
    for (int64_t from : moved.from) expected.push_back(values[static_cast<size_t>(from)]);
    ForLayouts([&](aclDataType type, Lie from, Lie to) {
      if (!Worth(CountOf(index_shape) + CountOf(shape), type, from, to)) return;
      Tensor self(Lying(c.self, type, from)), out(Lying(c.index, type, to));
      Tensor index = IndexTensor(c.index, indices, type == ACL_BF16 ? ACL_INT32 : ACL_INT64, from);
      WriteAs(self, values);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnGatherGetWorkspaceSize(self.handle(), c.dim, index.handle(), out.handle(),
                                               size, executor);
          },
          aclnnGather);
      Expect(out, expected);
    });
  }
}

TEST_F(IndexingTest, Scatter) {
  for (const ElementCase& c : kElementCases) {
    SCOPED_TRACE(::testing::PrintToString(c.self) + ::testing::PrintToString(c.index));
    const Shape shape = c.self.empty() ? Shape{1} : c.self;
    const Shape index_shape = c.self.empty() ? Shape{1} : c.index;
    const auto d = static_cast<size_t>(c.dim < 0 ? c.dim + std::ssize(shape) : c.dim);
    const auto indices = Indices(CountOf(index_shape), shape[d]);
    const Moved moved = ElementsOf(shape, c.dim, index_shape, indices);
    const std::vector<double> before = Numbers(CountOf(shape), 2);
    const std::vector<double> values = Numbers(CountOf(index_shape), 1);
    for (int64_t reduce : {0, 1, 2}) {
      const auto writing = static_cast<Writing>(reduce);
      const auto after = WrittenOf(before, moved, values, writing);
      ForLayouts([&](aclDataType type, Lie from, Lie to) {
        if (!Worth(CountOf(index_shape) + CountOf(shape), type, from, to)) return;
        Tensor self(Lying(c.self, type, from)), out(Lying(c.self, type, to));
        Tensor inplace(Lying(c.self, type, to)), source(Lying(c.index, type, from));
        Tensor index =
            IndexTensor(c.index, indices, type == ACL_BF16 ? ACL_INT32 : ACL_INT64, from);
        WriteAs(self, before);
        WriteAs(inplace, before);
        WriteAs(source, values);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnScatterGetWorkspaceSize(self.handle(), c.dim, index.handle(),
                                                  source.handle(), reduce, out.handle(), size,
                                                  executor);
            },
            aclnnScatter);
        Expect(out, AsHeld(type, after));
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnInplaceScatterGetWorkspaceSize(inplace.handle(), c.dim, index.handle(),
                                                         source.handle(), reduce, size, executor);
            },
            aclnnInplaceScatter);
        Expect(inplace, AsHeld(type, after));
        if (reduce != 1) return;
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnScatterAddGetWorkspaceSize(self.handle(), c.dim, index.handle(),
                                                     source.handle(), out.handle(), size, executor);
            },
            aclnnScatterAdd);
        Expect(out, AsHeld(type, after));
      });
    }
  }
}

TEST_F(IndexingTest, ScatterValue) {
  const Scalar two(2);
  for (const ElementCase& c : kElementCases) {
    if (c.self.empty()) continue;
    const auto d = static_cast<size_t>(c.dim < 0 ? c.dim + std::ssize(c.self) : c.dim);
    // Distinct enough that products stay small.
    const auto indices = Indices(CountOf(c.index), c.self[d]);
    const Moved moved = ElementsOf(c.self, c.dim, c.index, indices);
    const std::vector<double> before = Numbers(CountOf(c.self), 2);
    for (int64_t reduce : {0, 1}) {
      const auto after = WrittenOf(before, moved, std::vector<double>(moved.from.size(), 2),
                                   static_cast<Writing>(reduce));
      for (aclDataType type : {ACL_DOUBLE, ACL_INT32}) {
        Tensor self(Lying(c.self, type, Lie::kGaps)), out(Lying(c.self, type, Lie::kColumns));
        Tensor index = IndexTensor(c.index, indices);
        WriteAs(self, before);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnScatterValueGetWorkspaceSize(self.handle(), c.dim, index.handle(),
                                                       two.get(), reduce, out.handle(), size,
                                                       executor);
            },
            aclnnScatterValue);
        Expect(out, after);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnInplaceScatterValueGetWorkspaceSize(self.handle(), c.dim, index.handle(),
                                                              two.get(), reduce, size, executor);
            },
            aclnnInplaceScatterValue);
        Expect(self, after);
      }
    }
  }
}

// Of equal indices the last one wins, and sums are made in the order of the indices: 2^24 absorbs
// ones that come after it.
TEST_F(IndexingTest, EqualIndicesInTheirOrder) {
  constexpr int64_t kCount = 50000;
  Tensor self({.dims = {3}}), source({.dims = {kCount}}), out({.dims = {3}});
  std::vector<int64_t> indices;
  std::vector<float> values(kCount, 1.0f);
  for (int64_t i = 0; i < kCount; ++i) indices.push_back(i % 3);
  values[30000] = 0x1p24f;  // to element 0, after 10000 ones
  Tensor index = IndexTensor({kCount}, indices);
  self.Write(std::vector<float>{0, 0, 0});
  source.Write(values);
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnScatterAddGetWorkspaceSize(self.handle(), 0, index.handle(), source.handle(),
                                               out.handle(), size, executor);
      },
      aclnnScatterAdd);
  std::vector<float> expected(3, 0.0f);
  for (int64_t i = 0; i < kCount; ++i) {
    expected[static_cast<size_t>(i % 3)] += values[static_cast<size_t>(i)];
  }
  EXPECT_EQ(out.Read<float>(), expected);
  EXPECT_EQ(expected[0], 0x1p24f + 10000);
  for (int64_t i = 0; i < kCount; ++i) values[static_cast<size_t>(i)] = static_cast<float>(i);
  source.Write(values);
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnScatterGetWorkspaceSize(self.handle(), 0, index.handle(), source.handle(), 0,
                                            out.handle(), size, executor);
      },
      aclnnScatter);
  EXPECT_EQ(out.Read<float>(), (std::vector<float>{49998, 49999, 49997}));
}

// Ones of 16 bits are counted in fp32: bf16 itself stops at 256.
TEST_F(IndexingTest, SumsOfSixteenBitsAreRoundedOnce) {
  Tensor self({.dims = {2}, .dtype = ACL_BF16}), source({.dims = {5000}, .dtype = ACL_BF16});
  Tensor index = IndexTensor({5000}, std::vector<int64_t>(5000, 1));
  WriteAs(self, {3, 0});
  WriteAs(source, std::vector<double>(5000, 1));
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnInplaceScatterGetWorkspaceSize(self.handle(), 0, index.handle(),
                                                   source.handle(), 1, size, executor);
      },
      aclnnInplaceScatter);
  Expect(self, {3, AsHeld(ACL_BF16, 5000)});
}

TEST_F(IndexingTest, TakeAndPut) {
  const Shape self_shape{6, 5}, index_shape{3, 7};
  const auto indices = Indices(21, 30, true);
  Moved moved{index_shape, {}};
  for (int64_t i : indices) moved.from.push_back(i < 0 ? i + 30 : i);
  const std::vector<double> before = Numbers(30, 100), values = Numbers(21, 2);
  std::vector<double> expected;
  for (int64_t from : moved.from) expected.push_back(before[static_cast<size_t>(from)]);
  ForLayouts([&](aclDataType type, Lie from, Lie to) {
    Tensor self(Lying(self_shape, type, to)), out(Lying(index_shape, type, to));
    Tensor source(Lying(to == Lie::kColumns ? Shape{21} : index_shape, type, from));
    Tensor index = IndexTensor(index_shape, indices, ACL_INT64, from);
    WriteAs(self, before);
    WriteAs(source, values);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnTakeGetWorkspaceSize(self.handle(), index.handle(), out.handle(), size,
                                           executor);
        },
        aclnnTake);
    Expect(out, expected);
    for (bool adds : {false, true}) {
      WriteAs(self, before);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnInplacePutGetWorkspaceSize(self.handle(), index.handle(), source.handle(),
                                                   adds, size, executor);
          },
          aclnnInplacePut);
      const auto after = WrittenOf(before, moved, values, adds ? Writing::kAdd : Writing::kReplace);
      Expect(self, AsHeld(type, after));
    }
  });
}

TEST_F(IndexingTest, AlongADimension) {
  struct Case {
    Shape self;
    int64_t dim, count;
  };
  const Case cases[] = {{{6, 4}, 0, 3}, {{6, 4}, 1, 9}, {{3, 5, 4}, 1, 4},   {{3, 5, 4}, -1, 2},
                        {{7}, 0, 20},   {{5, 2}, 0, 0}, {{40, 3000}, 0, 70}, {{2, 4, 70000}, 1, 3}};
  const Scalar alpha(2), value(5);
  for (const Case& c : cases) {
    SCOPED_TRACE(::testing::PrintToString(c.self));
    const auto d = static_cast<size_t>(c.dim < 0 ? c.dim + std::ssize(c.self) : c.dim);
    const auto indices = Indices(c.count, c.self[d]);
    const Moved moved = AlongOf(c.self, c.dim, indices);
    const std::vector<double> before = Numbers(CountOf(c.self), 2);
    const std::vector<double> values = Numbers(CountOf(moved.shape), 1);
    std::vector<double> doubled;
    for (double x : values) doubled.push_back(2 * x);
    auto outside = indices;
    if (!outside.empty()) outside[0] = c.self[d], outside.back() = -1;
    const Moved filled = AlongOf(c.self, c.dim, outside);
    ForLayouts([&](aclDataType type, Lie from, Lie to) {
      if (!Worth(CountOf(c.self), type, from, to)) return;
      Tensor self(Lying(c.self, type, from)), out(Lying(c.self, type, to));
      Tensor source(Lying(moved.shape, type, from));
      Tensor index = IndexTensor({c.count}, indices, type == ACL_BF16 ? ACL_INT32 : ACL_INT64);
      Tensor fill_index = IndexTensor({c.count}, outside);
      WriteAs(self, before);
      WriteAs(source, values);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnIndexAddGetWorkspaceSize(self.handle(), c.dim, index.handle(),
                                                 source.handle(), alpha.get(), out.handle(), size,
                                                 executor);
          },
          aclnnIndexAdd);
      Expect(out, AsHeld(type, WrittenOf(before, moved, doubled, Writing::kAdd)));
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnIndexCopyGetWorkspaceSize(self.handle(), c.dim, index.handle(),
                                                  source.handle(), out.handle(), size, executor);
          },
          aclnnIndexCopy);
      Expect(out, WrittenOf(before, moved, values, Writing::kReplace));
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnIndexFillGetWorkspaceSize(self.handle(), c.dim, fill_index.handle(),
                                                  value.get(), out.handle(), size, executor);
          },
          aclnnIndexFill);
      const std::vector<double> fives(filled.from.size(), 5);
      Expect(out, WrittenOf(before, filled, fives, Writing::kReplace));
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnInplaceIndexFillGetWorkspaceSize(self.handle(), c.dim, fill_index.handle(),
                                                         value.get(), size, executor);
          },
          aclnnInplaceIndexFill);
      Expect(self, WrittenOf(before, filled, fives, Writing::kReplace));
    });
  }
}

}  // namespace
}  // namespace anyacl::test
