// SPDX-License-Identifier: Apache-2.0
// Lists of index tensors, which broadcast: Index and IndexPutImpl against the oracle; GatherNd and
// ScatterNd, which have them as the columns of one.
#include <memory>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_gather_nd.h"
#include "aclnnop/aclnn_index.h"
#include "aclnnop/aclnn_index_put_impl.h"
#include "aclnnop/aclnn_scatter_nd.h"
#include "aclnnop/aclnn_tf_scatter_add.h"
#include "ops/indexing_case.h"

namespace anyacl::test {
namespace {

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

// x[True, False]: one index of one element, one of none, which is not of self's type.
TEST_F(AdvancedTest, AnIndexWithoutElementsBesideAnother) {
  Tensor self({.dims = {1, 1, 4}}), none({.dims = {0, 4}}), whole({.dims = {1, 1, 4}});
  WriteAs(self, {1, 2, 3, 4});
  Tensor first({.dims = {1}, .dtype = ACL_INT64});
  const Tensor second({.dims = {0}, .dtype = ACL_INT64});
  WriteAs(first, {0});
  const Tensor dimension({.dims = {0}});
  const auto run = [&](const Tensor& last, const Tensor& out) {
    // The list owns its members.
    const auto copy = [](const Tensor& tensor) {
      const std::vector<int64_t>& dims = tensor.layout().dims;
      const int64_t one = 1;
      return aclCreateTensor(dims.data(), 1, tensor.layout().dtype, &one, 0, ACL_FORMAT_ND,
                             dims.data(), 1,
                             const_cast<void*>(static_cast<const void*>(tensor.data())));
    };
    const aclTensor* members[] = {copy(first), copy(last)};
    const aclTensorList* list = aclCreateTensorList(members, 2);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnIndexGetWorkspaceSize(self.handle(), list, out.handle(), size, executor);
        },
        aclnnIndex);
    aclDestroyTensorList(list);
  };
  run(second, none);
  run(dimension, whole);
  EXPECT_EQ(ReadAs(whole), (std::vector<double>{1, 2, 3, 4}));
}

// x[:, mask] = value where nothing of the mask is true, and such an index beside another.
TEST_F(AdvancedTest, WithAnIndexWithoutElementsNothingIsWritten) {
  const IndexMember none{.shape = {}, .values = {}, .absent = true};
  const IndexMember empty{.shape = {0}, .values = {}};
  struct Case {
    std::vector<IndexMember> members;
    Shape value;
    bool beside_another = false;
  };
  const std::vector<Case> cases = {{{none, empty}, {}},
                                   {{none, empty}, {6}},
                                   {{none, empty}, {4, 0, 6}},
                                   {{empty, none}, {5, 6}},
                                   {{none, none, empty}, {4, 5, 1}},
                                   {{none, empty, empty}, {}},
                                   {{empty, none, empty}, {5}},
                                   {{{.shape = {1}, .values = {2}}, empty}, {6}, true},
                                   {{empty, {.shape = {3, 1}, .values = {0, 1, 2}}}, {}, true}};
  for (const aclDataType type :
       {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_BOOL, ACL_INT32, ACL_INT64}) {
    for (const Case& x : cases) {
      for (const bool adds : {false, true}) {
        // An INT64 that has no elements beside an index is a dimension of an INT64 self.
        if (type == ACL_INT64 && x.beside_another) continue;
        Tensor self({.dims = {4, 5, 6}, .dtype = type}), value({.dims = x.value, .dtype = type});
        WriteAs(self, Numbers(120));
        WriteAs(value, std::vector<double>(static_cast<size_t>(CountOf(x.value)), 1));
        const auto before = self.Bytes();
        const Members members(x.members, type, ACL_INT64, Lie::kDense);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnIndexPutImplGetWorkspaceSize(self.handle(), members.get(), value.handle(),
                                                       adds, false, size, executor);
            },
            aclnnIndexPutImpl);
        EXPECT_EQ(self.Bytes(), before) << ::testing::PrintToString(x.value);
      }
    }
  }
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

struct CoordinatesCase {
  Shape self, indices;
};
const CoordinatesCase kCoordinatesCases[] = {
    {{7}, {5, 1}},          {{7}, {1}},          {{5, 4}, {2}},          {{5, 4}, {6, 2}},
    {{5, 4}, {3, 2, 1}},    {{4, 3, 5}, {7, 2}}, {{4, 3, 5}, {2, 3, 3}}, {{2, 3, 2, 3, 2}, {9, 4}},
    {{40, 300}, {100, 1}},  {{5, 4}, {0, 2}},    {{30, 30}, {2000, 2}},  {{20, 30}, {9000, 2}},
    {{3, 50, 1500}, {4, 1}}};

// `indices` [.., C] as C members, and what they stand for.
Moved CoordinatesOf(const CoordinatesCase& c, const std::vector<int64_t>& indices) {
  const Shape rows(c.indices.begin(), c.indices.end() - 1);
  std::vector<IndexMember> members(static_cast<size_t>(c.indices.back()),
                                   {.shape = rows, .values = {}});
  for (size_t i = 0; i < indices.size(); ++i) {
    members[i % members.size()].values.push_back(indices[i]);
  }
  return AdvancedOf(c.self, members);
}

TEST_F(AdvancedTest, CoordinatesOfBoxes) {
  for (const CoordinatesCase& c : kCoordinatesCases) {
    SCOPED_TRACE(::testing::PrintToString(c.self) + ::testing::PrintToString(c.indices));
    for (bool negative : {false, true}) {
      std::vector<int64_t> indices;
      for (int64_t i = 0; i < CountOf(c.indices); ++i) {
        const int64_t limit = c.self[static_cast<size_t>(i % c.indices.back())];
        indices.push_back(random().Int(negative ? -limit : 0, limit - 1));
      }
      const Moved moved = CoordinatesOf(c, indices);
      const std::vector<double> before = Numbers(CountOf(c.self), 100);
      const std::vector<double> values = Numbers(CountOf(moved.shape), 100);
      std::vector<double> gathered;
      for (int64_t from : moved.from) gathered.push_back(before[static_cast<size_t>(from)]);
      const auto scattered = WrittenOf(before, moved, values, Writing::kReplace);
      ForLayouts([&](aclDataType type, Lie from, Lie to) {
        if (type == ACL_DOUBLE || type == ACL_INT16) return;
        if (!Worth(CountOf(moved.shape) + CountOf(c.self), type, from, to)) return;
        Tensor self(Lying(c.self, type, from)), out(Lying(moved.shape, type, to));
        const Tensor index =
            IndexTensor(c.indices, indices, type == ACL_BF16 ? ACL_INT32 : ACL_INT64, from);
        WriteAs(self, before);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnGatherNdGetWorkspaceSize(self.handle(), index.handle(), negative,
                                                   out.handle(), size, executor);
            },
            aclnnGatherNd);
        Expect(out, gathered);
        if (negative || (type != ACL_FLOAT && type != ACL_FLOAT16 && type != ACL_BF16)) return;
        Tensor updates(Lying(moved.shape, type, from)), written(Lying(c.self, type, to));
        WriteAs(updates, values);
        const auto scatter = [&](const Tensor& into) {
          RunTwoPhase(
              [&](uint64_t* size, aclOpExecutor** executor) {
                return aclnnScatterNdGetWorkspaceSize(
                    self.handle(), index.handle(), updates.handle(), into.handle(), size, executor);
              },
              aclnnScatterNd);
          Expect(into, scattered);
        };
        scatter(written);
        // In place.
        scatter(self);
      });
    }
  }
}

// Sums with what is there, at coordinates or at indices of the first dimension.
TEST_F(AdvancedTest, TfScatterAdd) {
  struct Case {
    Shape self, indices;
    bool single = false;
  };
  const Case cases[] = {{{5, 3, 2}, {4, 2, 3}},  {{5, 3, 2}, {7, 2}},
                        {{5, 3, 2}, {2}},        {{6}, {50, 1}},
                        {{6}, {50}, true},       {{5, 3, 2}, {4, 2}, true},
                        {{40, 70}, {300}, true}, {{3}, {1, 2, 1, 2, 1, 2, 1, 2}, true}};
  for (const Case& c : cases) {
    SCOPED_TRACE(::testing::PrintToString(c.self) + ::testing::PrintToString(c.indices));
    std::vector<int64_t> indices;
    for (int64_t i = 0; i < CountOf(c.indices); ++i) {
      indices.push_back(
          random().Int(0, c.self[c.single ? 0 : static_cast<size_t>(i % c.indices.back())] - 1));
    }
    CoordinatesCase coordinates = {c.self, c.indices};
    if (c.single) coordinates.indices.push_back(1);
    const Moved moved = CoordinatesOf(coordinates, indices);
    const std::vector<double> before = Numbers(CountOf(c.self));
    const std::vector<double> values = Numbers(CountOf(moved.shape));
    const auto after = WrittenOf(before, moved, values, Writing::kAdd);
    ForLayouts([&](aclDataType type, Lie from, Lie to) {
      if (type == ACL_DOUBLE || type == ACL_INT16 || type == ACL_INT64) return;
      if (!Worth(CountOf(moved.shape) + CountOf(c.self), type, from, to)) return;
      Tensor self(Lying(c.self, type, to)), updates(Lying(moved.shape, type, from));
      const Tensor index =
          IndexTensor(c.indices, indices, type == ACL_BF16 ? ACL_INT32 : ACL_INT64, from);
      WriteAs(self, before);
      WriteAs(updates, values);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnTfScatterAddGetWorkspaceSize(self.handle(), index.handle(),
                                                     updates.handle(), size, executor);
          },
          aclnnTfScatterAdd);
      Expect(self, AsHeld(type, after));
    });
  }
}

TEST_F(AdvancedTest, TfScatterAddLooksAtIndicesAndShapes) {
  Tensor self({.dims = {5, 3}}), updates({.dims = {2, 3}});
  WriteAs(self, Numbers(15));
  WriteAs(updates, Numbers(6));
  const auto call = [&](const Tensor& to, const Tensor& index, const Tensor& from) {
    return [&](uint64_t* size, aclOpExecutor** executor) {
      return aclnnTfScatterAddGetWorkspaceSize(to.handle(), index.handle(), from.handle(), size,
                                               executor);
    };
  };
  for (int64_t wrong : {5, -1}) {
    for (const Shape& shape : {Shape{2}, Shape{2, 1}}) {
      const Tensor index = IndexTensor(shape, {2, wrong});
      ExpectTaskFails(call(self, index, updates), aclnnTfScatterAdd, self,
                      {"indices", std::to_string(wrong), "0 to 4"});
    }
  }
  const Tensor four = IndexTensor({4}, {0, 1, 2, 3}), none = IndexTensor({0}, {});
  const Tensor no_updates({.dims = {0, 3}}), no_rows({.dims = {0, 3}}), wide({.dims = {4, 4}});
  ExpectRefused(call(self, four, updates), ACLNN_ERR_PARAM_INVALID, {"indices", "[5, 3]"});
  ExpectRefused(call(self, four, wide), ACLNN_ERR_PARAM_INVALID, {"indices", "[5, 3]"});
  ExpectRefused(call(no_rows, four, updates), ACLNN_ERR_PARAM_INVALID, {"varRef.shape = [0, 3]"});
  const auto before = self.Bytes();
  RunTwoPhase(call(self, none, no_updates), aclnnTfScatterAdd);
  RunTwoPhase(call(no_rows, none, no_updates), aclnnTfScatterAdd);
  EXPECT_EQ(self.Bytes(), before);
}

TEST_F(AdvancedTest, CoordinatesThatAreNoneAreRefused) {
  Tensor self({.dims = {5, 3}}), out({.dims = {4}}), updates({.dims = {4}}), same({.dims = {5, 3}});
  WriteAs(self, Numbers(15));
  for (int64_t wrong : {3, -1, -4}) {
    const Tensor index = IndexTensor({4, 2}, {0, 1, 4, 2, 2, wrong, 1, 1});
    const auto gather = [&](uint64_t* size, aclOpExecutor** executor) {
      return aclnnGatherNdGetWorkspaceSize(self.handle(), index.handle(), wrong == -4, out.handle(),
                                           size, executor);
    };
    ExpectTaskFails(gather, aclnnGatherNd, self, {"indices", std::to_string(wrong), "[2]"});
    ExpectTaskFails(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnScatterNdGetWorkspaceSize(self.handle(), index.handle(), updates.handle(),
                                                same.handle(), size, executor);
        },
        aclnnScatterNd, self, {"indices", std::to_string(wrong), "[2]", "0 to 2"});
  }
  for (const Shape& shape : {Shape{4, 3}, Shape{4, 0}, Shape{3, 2}, Shape{4, 1}}) {
    const Tensor index({.dims = shape, .dtype = ACL_INT64});
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnGatherNdGetWorkspaceSize(self.handle(), index.handle(), false, out.handle(),
                                               size, executor);
        },
        ACLNN_ERR_PARAM_INVALID, {"[5, 3]", "expected"});
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnScatterNdGetWorkspaceSize(self.handle(), index.handle(), updates.handle(),
                                                same.handle(), size, executor);
        },
        ACLNN_ERR_PARAM_INVALID, {"[5, 3]", "expected"});
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

}  // namespace
}  // namespace anyacl::test
