// SPDX-License-Identifier: Apache-2.0
// Members that see a tensor in another shape: expanded, flat, in slices of several dimensions, as a
// diagonal or in parts.
#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <tuple>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_confusion_transpose.h"
#include "aclnnop/aclnn_diag.h"
#include "aclnnop/aclnn_diag_flat.h"
#include "aclnnop/aclnn_expand.h"
#include "aclnnop/aclnn_flatten.h"
#include "aclnnop/aclnn_slice_v2.h"
#include "aclnnop/aclnn_split_tensor.h"
#include "aclnnop/aclnn_strided_slice.h"
#include "ops/movement_case.h"

namespace anyacl::test {
namespace {

constexpr std::span<const aclDataType> kShapeTypes = std::span(kSizedTypes).first(4);
constexpr int kRefused = ACLNN_ERR_PARAM_INVALID;

class MovementShapesTest : public MovementTest {
 protected:
  const aclIntArray* A(const std::vector<int64_t>& values) {
    arrays_.push_back(std::make_unique<IntArrayHandle>(values));
    return arrays_.back()->get();
  }
  // first(self, arguments.., out)
  template <class First, class... Arguments>
  static auto With(First first, Arguments... arguments) {
    return [=](const aclTensor* self, aclTensor* out) -> Phase1 {
      return [=](uint64_t* size, aclOpExecutor** executor) {
        return first(self, arguments..., out, size, executor);
      };
    };
  }
  template <class Call>
  void Refuses(const Call& call, const Shape& self, const Shape& out, int code,
               std::initializer_list<std::string_view> words) {
    const Tensor from({.dims = self}), to({.dims = out});
    ExpectRefused(call(from.handle(), to.handle()), code, words);
  }

 private:
  std::vector<std::unique_ptr<IntArrayHandle>> arrays_;
};

TEST_F(MovementShapesTest, Expand) {
  const std::pair<Shape, Shape> cases[] = {{{}, {}},
                                           {{}, {3}},
                                           {{1}, {5}},
                                           {{2, 3}, {2, 3}},
                                           {{2, 1, 3}, {2, 4, 3}},
                                           {{3}, {2, 4, 3}},
                                           {{2, 1}, {0, 2, 7}},
                                           {{2, 0, 2}, {2, 0, 2}},
                                           {{1, 2, 1, 2}, {3, 1, 2, 3, 2}},
                                           {{1, 70}, {90, 70}},
                                           {{70, 1}, {70, 90}}};
  for (const auto& [self, sizes] : cases) {
    SCOPED_TRACE(::testing::PrintToString(self) + ::testing::PrintToString(sizes));
    Check(self, ExpandOf(self, sizes), With(aclnnExpandGetWorkspaceSize, A(sizes)), aclnnExpand,
          kShapeTypes);
  }
  const auto expand = [&](const std::vector<int64_t>& sizes) {
    return With(aclnnExpandGetWorkspaceSize, A(sizes));
  };
  Refuses(expand({2, 3}), {2, 2}, {2, 3}, kRefused, {"size = [2, 3]", "[2, 2]"});
  Refuses(expand({2, 2}), {2, 2, 2}, {2, 2, 2}, kRefused, {"size = [2, 2]", "[2, 2, 2]"});
  Refuses(expand({2, -1}), {2, 1}, {2, 1}, kRefused, {"out.shape = [2, 1]"});
  Refuses(expand({2, 2}), {2, 2}, {2, 3}, kRefused, {"out.shape = [2, 3]"});
  Refuses(expand({1, 1, 1, 1, 1, 1, 1, 1, 2}), {2}, {2}, kRefused, {"size"});
}

TEST_F(MovementShapesTest, Flatten) {
  const std::pair<Shape, int64_t> cases[] = {
      {{2, 3, 4, 5}, 2}, {{2, 3, 4, 5}, -2}, {{2, 3, 4, 5}, 0},
      {{2, 3, 4, 5}, 3}, {{7}, 0},           {{7}, -1},
      {{2, 0, 3}, 1},    {{0}, 0},           {{2, 1, 2, 3, 1, 2, 2, 3}, 4}};
  for (const auto& [self, axis] : cases) {
    SCOPED_TRACE(::testing::PrintToString(self) + std::to_string(axis));
    Check(self, FlattenOf(self, axis), With(aclnnFlattenGetWorkspaceSize, axis), aclnnFlatten,
          kShapeTypes);
  }
  Check({}, {{1, 1}, {0}}, With(aclnnFlattenGetWorkspaceSize, int64_t{0}), aclnnFlatten,
        kShapeTypes);
  const auto flatten = [](int64_t axis) { return With(aclnnFlattenGetWorkspaceSize, axis); };
  Refuses(flatten(1), {1}, {1, 1}, kRefused, {"axis = 1", "-1 to 0"});
  Refuses(flatten(3), {2, 3}, {6, 1}, kRefused, {"axis = 3", "-2 to 1"});
  Refuses(flatten(0), {1, 16, 1, 1}, {1, 16, 1, 1}, kRefused, {"out"});
  Refuses(flatten(0), {16, 16}, {16, 16}, kRefused, {"out.shape = [16, 16]", "[1, 256]"});
}

TEST_F(MovementShapesTest, SliceV2) {
  struct Case {
    Shape self;
    std::vector<int64_t> starts, ends, axes, steps;
  };
  const Case cases[] = {{{6, 4}, {0, 0}, {3, 2}, {0, 1}, {1, 1}},
                        {{6, 4}, {}, {}, {}, {}},
                        {{6, 4, 5}, {-3, 1}, {INT64_MAX, -1}, {-1, 0}, {2, 3}},
                        {{6, 4}, {5}, {2}, {0}, {1}},
                        {{6, 4, 0}, {0, 0}, {3, 2}, {0, 1}, {1, 1}},
                        {{5, 1, 1, 12, 1, 1, 1},
                         {-8, -2, 4, -5, 6, -10},
                         {9, 3, -7, 4, -8, -1},
                         {3, 2, 0, 6, 5, 4},
                         {4, 15, 16, 18, 1, 3}},
                        {{40, 3000}, {17, 3}, {2901, 40}, {1, 0}, {2, 1}}};
  for (const Case& c : cases) {
    SCOPED_TRACE(::testing::PrintToString(c.self) + ::testing::PrintToString(c.axes));
    Moved moved = SliceOf(c.self, 0, 0, INT64_MAX, 1);
    for (size_t i = 0; i < c.axes.size(); ++i) {
      moved = Then(moved, SliceOf(moved.shape, c.axes[i], c.starts[i], c.ends[i], c.steps[i]));
    }
    Check(c.self, moved,
          With(aclnnSliceV2GetWorkspaceSize, A(c.starts), A(c.ends), A(c.axes), A(c.steps)),
          aclnnSliceV2, kShapeTypes);
  }
  const auto slice = [&](const std::vector<int64_t>& axes, const std::vector<int64_t>& steps) {
    return With(aclnnSliceV2GetWorkspaceSize, A({0, 0}), A({3, 2}), A(axes), A(steps));
  };
  Refuses(slice({0, 5}, {1, 1}), {6, 4}, {3, 2}, kRefused, {"axes", "5", "-2 to 1"});
  Refuses(slice({0, -2}, {1, 1}), {6, 4}, {3, 2}, kRefused, {"axes[1] = -2", "once"});
  Refuses(slice({0, 1}, {-1, 1}), {6, 4}, {3, 2}, kRefused, {"steps[0] = -1"});
  Refuses(slice({0, 1}, {1}), {6, 4}, {3, 2}, kRefused, {"2, 2, 2 and 1 elements"});
  Refuses(slice({0, 1}, {1, 1}), {6, 4}, {3, 4}, kRefused, {"out.shape = [3, 4]", "[3, 2]"});
}

TEST_F(MovementShapesTest, StridedSlice) {
  const Shape self = {6, 5, 4, 7};
  const auto slice = [&](const std::vector<int64_t>& begin, const std::vector<int64_t>& end,
                         const std::vector<int64_t>& strides, int64_t begin_mask = 0,
                         int64_t end_mask = 0, int64_t ellipsis = 0, int64_t added = 0,
                         int64_t shrunk = 0) {
    return With(aclnnStridedSliceGetWorkspaceSize, A(begin), A(end), A(strides), begin_mask,
                end_mask, ellipsis, added, shrunk);
  };
  const auto sliced = [&](std::initializer_list<std::array<int64_t, 4>> parts) {
    Moved moved = SliceOf(self, 0, 0, INT64_MAX, 1);
    for (const auto& [dim, begin, end, step] : parts) {
      moved = Then(moved, SliceOf(moved.shape, dim, begin, end, step));
    }
    return moved;
  };
  Check(self, sliced({{0, 4, 6, 1}, {1, 1, 3, 1}, {2, 2, 4, 1}, {3, 0, 3, 2}}),
        slice({4, 1, 2, 0}, {6, 3, 4, 3}, {1, 1, 1, 2}), aclnnStridedSlice, kShapeTypes);
  // self[2, ..., None, 1::3]
  Moved masked = sliced({{0, 2, 3, 1}, {3, 1, 7, 3}});
  masked.shape = {5, 4, 1, 2};
  Check(self, masked, slice({2, 9, 9, 1}, {9, 9, 9, 2}, {1, 9, 9, 3}, 0, 8, 2, 4, 1),
        aclnnStridedSlice, kShapeTypes);
  Check(self, Then(sliced({{0, 1, 4, 1}}), FlipOf({3, 5, 4, 7}, {0})), slice({3}, {0}, {-1}),
        aclnnStridedSlice, kShapeTypes);
  Refuses(slice({0}, {1}, {0}), self, {1, 5, 4, 7}, kRefused, {"strides[0] = 0"});
  Refuses(slice({0, 0}, {1, 1}, {1}), self, {1, 1, 4, 7}, kRefused, {"2, 2 and 1 elements"});
  Refuses(slice({0, 0}, {1, 1}, {1, 1}, 0, 0, 3), self, self, kRefused, {"ellipsisMask = 3"});
  Refuses(slice({0}, {1}, {-1}, 0, 0, 0, 0, 1), self, {5, 4, 7}, kRefused,
          {"strides[0] = -1", "shrinkAxisMask"});
  Refuses(slice({0}, {2}, {1}), self, {1, 5, 4, 7}, kRefused, {"out.shape", "[2, 5, 4, 7]"});
}

TEST_F(MovementShapesTest, ConfusionTranspose) {
  const Shape self = {4, 6, 5}, split = {4, 2, 3, 5}, joined = {12, 10};
  struct Case {
    std::vector<int64_t> perm;
    Shape shape;
    bool first;
    Moved moved;
  };
  Moved turned = PermuteOf(self, {2, 0, 1});
  turned.shape = joined;
  const Case cases[] = {{{1, 3, 0, 2}, split, false, PermuteOf(split, {1, 3, 0, 2})},
                        {{2, 0, 1}, joined, true, turned}};
  for (const Case& c : cases) {
    for (aclDataType type : kShapeTypes) {
      Tensor x({.dims = self, .dtype = type}), out({.dims = c.moved.shape, .dtype = type});
      const Elements given = FillRandomly(x, random());
      RunTwoPhase(With(aclnnConfusionTransposeGetWorkspaceSize, A(c.perm), A(c.shape), c.first)(
                      x.handle(), out.handle()),
                  aclnnConfusionTranspose);
      const Elements actual = ReadBits(out);
      for (size_t k = 0; k < actual.size(); ++k) {
        ASSERT_EQ(actual[k], given[static_cast<size_t>(c.moved.from[k])]) << k;
      }
    }
  }
  const auto transpose = [&](const std::vector<int64_t>& perm, const std::vector<int64_t>& shape) {
    return With(aclnnConfusionTransposeGetWorkspaceSize, A(perm), A(shape), false);
  };
  Refuses(transpose({0, 0}, {2, 6}), {2, 6}, {2, 6}, ACLNN_ERR_INNER_NULLPTR, {"perm"});
  Refuses(transpose({0, 1}, {2, 5}), {2, 6}, {2, 6}, ACLNN_ERR_INNER_NULLPTR, {"shape"});
  Refuses(transpose({1, 0}, {2, 6}), {2, 6}, {2, 6}, ACLNN_ERR_INNER_NULLPTR, {"out"});
  for (size_t rank : {9, 25, 26}) {
    std::vector<int64_t> perm(rank), shape(rank, 1);
    std::iota(perm.begin(), perm.end(), 0);
    shape.front() = 12;
    Refuses(transpose(perm, shape), {2, 6}, {2, 6}, ACLNN_ERR_INNER_NULLPTR,
            {"shape = [12, 1", "up to 8 sizes"});
  }
}

TEST_F(MovementShapesTest, DiagAndDiagFlat) {
  for (const auto& [self, diagonal] :
       {std::pair<Shape, int64_t>{{5}, 0}, {{5}, 2}, {{5}, -3}, {{1}, 0}, {{130}, 1}}) {
    SCOPED_TRACE(::testing::PrintToString(self) + std::to_string(diagonal));
    Check(self, DiagOf(self, diagonal), With(aclnnDiagGetWorkspaceSize, diagonal), aclnnDiag,
          kShapeTypes);
    Check(self, DiagFlatOf(self, diagonal), With(aclnnDiagFlatGetWorkspaceSize, diagonal),
          aclnnDiagFlat, kShapeTypes);
  }
  for (const Shape& self : {Shape{3, 5}, {5, 3}, {4, 4}, {1, 6}}) {
    for (int64_t diagonal = -self[0]; diagonal <= self[1]; ++diagonal) {
      SCOPED_TRACE(::testing::PrintToString(self) + std::to_string(diagonal));
      Check(self, DiagOf(self, diagonal), With(aclnnDiagGetWorkspaceSize, diagonal), aclnnDiag,
            kShapeTypes);
      Check(self, DiagFlatOf(self, diagonal), With(aclnnDiagFlatGetWorkspaceSize, diagonal),
            aclnnDiagFlat, kShapeTypes);
    }
  }
  const Shape many = {1, 2, 1, 2, 1, 2, 1, 3};
  Check(many, DiagFlatOf(many, -1), With(aclnnDiagFlatGetWorkspaceSize, int64_t{-1}), aclnnDiagFlat,
        kShapeTypes);
  // Of nothing, whatever out is.
  for (const Shape& self : {Shape{2, 0}, {0}}) {
    Check(self, {{2, 2}, {-1, -1, -1, -1}}, With(aclnnDiagGetWorkspaceSize, int64_t{2}), aclnnDiag,
          kShapeTypes);
    Check(self, {{2, 2}, {-1, -1, -1, -1}}, With(aclnnDiagFlatGetWorkspaceSize, int64_t{2}),
          aclnnDiagFlat, kShapeTypes);
  }
  const auto diag = [](int64_t diagonal) { return With(aclnnDiagGetWorkspaceSize, diagonal); };
  Refuses(diag(6), {3, 5}, {1}, kRefused, {"diagonal = 6", "-3 to 5"});
  Refuses(diag(1), {3, 5}, {4}, kRefused, {"out.shape = [4]", "[3]"});
  Refuses(diag(1), {3}, {3, 3}, kRefused, {"out.shape = [3, 3]", "[4, 4]"});
  Refuses(diag(INT64_MIN), {3}, {3, 3}, kRefused, {"out.shape = [3, 3]"});
  Refuses(diag(0), {3, 3, 3}, {3}, kRefused, {"self", "rank"});
}

TEST_F(MovementShapesTest, SplitTensor) {
  const auto split = [](const Tensor& self, uint64_t part, int64_t dim, aclTensorList* outs) {
    return [&self, part, dim, outs](uint64_t* size, aclOpExecutor** executor) {
      return aclnnSplitTensorGetWorkspaceSize(self.handle(), part, dim, outs, size, executor);
    };
  };
  for (const auto& [self, part, dim] : {std::tuple<Shape, uint64_t, int64_t>{{6, 4}, 4, 0},
                                        {{4, 8, 3}, 2, -2},
                                        {{4, 4}, 1, 1},
                                        {{6, 4}, 6, 0},
                                        {{6, 4}, UINT64_MAX, 0},
                                        {{5, 33}, 4, 1}}) {
    SCOPED_TRACE(::testing::PrintToString(self) + std::to_string(part));
    const int64_t all = self[static_cast<size_t>(dim < 0 ? dim + std::ssize(self) : dim)];
    for (Lie lie : kInputLies) {
      Tensor x(Lying(self, ACL_FLOAT16, lie));
      const Elements given = FillRandomly(x, random());
      std::vector<Tensor> parts;
      std::vector<Moved> moved;
      std::vector<const aclTensor*> members;
      const auto step = static_cast<int64_t>(std::min<uint64_t>(part, INT32_MAX));
      for (int64_t begin = 0; begin < all; begin += step) {
        moved.push_back(SliceOf(self, dim, begin, std::min(begin + step, all), 1));
        parts.emplace_back(Lying(moved.back().shape, ACL_FLOAT16, Lie::kGaps));
      }
      for (Tensor& each : parts) members.push_back(each.handle());
      aclTensorList* list = aclCreateTensorList(members.data(), members.size());
      RunTwoPhase(split(x, part, dim, list), aclnnSplitTensor);
      for (size_t i = 0; i < parts.size(); ++i) {
        const Elements actual = ReadBits(parts[i]);
        for (size_t k = 0; k < actual.size(); ++k) {
          ASSERT_EQ(actual[k], given[static_cast<size_t>(moved[i].from[k])]) << i << " " << k;
        }
        parts[i].Destroy();
      }
      aclDestroyTensorList(list);
    }
  }
  const Tensor self({.dims = {4, 4}}), none({.dims = {0, 4}});
  Tensor half({.dims = {2, 4}}), rest({.dims = {2, 4}});
  const aclTensor* members[] = {half.handle(), rest.handle()};
  aclTensorList* list = aclCreateTensorList(members, 2);
  ExpectRefused(split(self, 0, 0, list), kRefused, {"splitSections = 0", "[4, 4]"});
  ExpectRefused(split(none, 2, 0, list), kRefused, {"splitSections = 2", "[0, 4]"});
  ExpectRefused(split(self, 2, 2, list), kRefused, {"dim = 2", "-2 to 1"});
  ExpectRefused(split(self, 1, 0, list), kRefused, {"out has 2 members", "expected 4"});
  ExpectRefused(split(self, 2, 1, list), kRefused, {"out[0].shape = [2, 4]", "[4, 2]"});
  RunTwoPhase(split(none, 0, 0, list), aclnnSplitTensor);  // which writes nothing
  half.Destroy();
  rest.Destroy();
  aclDestroyTensorList(list);
}

}  // namespace
}  // namespace anyacl::test
