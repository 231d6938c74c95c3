// SPDX-License-Identifier: Apache-2.0
// Every member of the family that copies between views, against the oracle.
#include <algorithm>
#include <cmath>
#include <memory>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_channel_shuffle.h"
#include "aclnnop/aclnn_constant_pad_nd.h"
#include "aclnnop/aclnn_flip.h"
#include "aclnnop/aclnn_permute.h"
#include "aclnnop/aclnn_repeat.h"
#include "aclnnop/aclnn_repeat_interleave.h"
#include "aclnnop/aclnn_roll.h"
#include "aclnnop/aclnn_slice.h"
#include "aclnnop/aclnn_stack.h"
#include "aclnnop/aclnn_tril.h"
#include "aclnnop/aclnn_triu.h"
#include "ops/movement_case.h"

namespace anyacl::test {
namespace {

constexpr std::span<const aclDataType> kSmallTypes = std::span(kSizedTypes).first(4);

// Calls first(self, array, out) of an operator with one array.
template <class First>
auto WithArray(const std::vector<int64_t>& values, First first) {
  auto array = std::make_shared<IntArrayHandle>(values);
  return [array, first](const aclTensor* self, aclTensor* out) -> Phase1 {
    return [=](uint64_t* size, aclOpExecutor** executor) {
      return first(self, array->get(), out, size, executor);
    };
  };
}

TEST_F(MovementTest, Permute) {
  const std::pair<Shape, std::vector<int64_t>> cases[] = {
      {{}, {}},
      {{7}, {0}},
      {{3, 0, 2}, {2, 0, 1}},
      {{2, 3, 5}, {2, 0, -2}},
      {{5, 33}, {1, 0}},
      {{130, 131}, {1, 0}},
      {{1, 67, 3, 41}, {0, 2, 3, 1}},
      {{67, 41, 3}, {2, 0, 1}},
      {{19, 40, 4}, {1, 0, 2}},
      {{6, 20, 17}, {0, 2, 1}},
      {{2, 3, 2, 3, 2, 3, 2, 3}, {7, 5, 3, 1, 6, 4, 2, 0}},
      {{300, 517}, {1, 0}},
      {{7, 50, 9, 64}, {0, 2, 1, 3}},
  };
  for (const auto& [shape, dims] : cases) {
    SCOPED_TRACE(::testing::PrintToString(shape) + ::testing::PrintToString(dims));
    Check(shape, PermuteOf(shape, dims), WithArray(dims, aclnnPermuteGetWorkspaceSize),
          aclnnPermute);
  }
}

TEST_F(MovementTest, ChannelShuffle) {
  for (const auto& [shape, groups] : {std::pair<Shape, int64_t>{{2, 6, 5}, 3},
                                      {{1, 12, 3, 4}, 4},
                                      {{3, 4, 2, 2, 2, 2, 2}, 2},
                                      {{2, 0, 3}, 5},
                                      {{2, 5, 7, 33}, 5}}) {
    SCOPED_TRACE(::testing::PrintToString(shape) + std::to_string(groups));
    Check(
        shape, ChannelShuffleOf(shape, groups),
        [groups = groups](const aclTensor* self, aclTensor* out) -> Phase1 {
          return [=](uint64_t* size, aclOpExecutor** executor) {
            return aclnnChannelShuffleGetWorkspaceSize(self, groups, out, size, executor);
          };
        },
        aclnnChannelShuffle);
  }
}

TEST_F(MovementTest, Slice) {
  struct Case {
    Shape shape;
    int64_t dim, start, end, step;
  };
  const Case cases[] = {
      {{9}, 0, 2, 7, 2},       {{9}, 0, -3, INT64_MAX, 1},  {{9}, -1, -20, -20, 1},
      {{9}, 0, 5, 2, 1},       {{9}, 0, 0, 9, INT64_MAX},   {{5, 6, 7}, 1, 1, -1, 3},
      {{5, 6, 7}, 2, 0, 7, 2}, {{5, 6, 7}, 0, -5, 100, 4},  {{2, 1, 3}, 1, 0, 1, 9},
      {{0, 4}, 0, 0, 3, 1},    {{40, 3000}, 1, 17, 2901, 1}};
  for (const Case& c : cases) {
    SCOPED_TRACE(::testing::Message() << ::testing::PrintToString(c.shape) << c.dim << " "
                                      << c.start << ":" << c.end << ":" << c.step);
    const Moved moved = c.step == INT64_MAX ? SliceOf(c.shape, c.dim, c.start, c.end, 1000)
                                            : SliceOf(c.shape, c.dim, c.start, c.end, c.step);
    Check(
        c.shape, moved,
        [&](const aclTensor* self, aclTensor* out) -> Phase1 {
          return [=](uint64_t* size, aclOpExecutor** executor) {
            return aclnnSliceGetWorkspaceSize(self, c.dim, c.start, c.end, c.step, out, size,
                                              executor);
          };
        },
        aclnnSlice, kSmallTypes);
  }
}

TEST_F(MovementTest, Repeat) {
  const std::pair<Shape, std::vector<int64_t>> cases[] = {
      {{3, 2}, {2, 4}},
      {{3, 2}, {2, 4, 2}},
      {{}, {5}},
      {{4}, {0, 3}},
      {{1}, {3000}},
      {{2, 3, 4}, {1, 1, 1}},
      {{3, 1, 5}, {1, 7, 1}},
      {{5, 1}, {1, 2}},
      {{33, 2}, {1, 3}},
      {{2, 1, 2, 3, 1, 2, 2, 1}, {3, 1, 2, 1, 1, 2, 1, 2}},
      {{100, 400}, {2, 3}}};
  for (const auto& [shape, repeats] : cases) {
    SCOPED_TRACE(::testing::PrintToString(shape) + ::testing::PrintToString(repeats));
    Check(shape, RepeatOf(shape, repeats), WithArray(repeats, aclnnRepeatGetWorkspaceSize),
          aclnnRepeat);
  }
}

TEST_F(MovementTest, RepeatInterleave) {
  struct Case {
    Shape shape;
    int64_t repeats, dim;
  };
  const Case cases[] = {{{3, 2}, 2, 0},       {{3, 2}, 2, 1},    {{5}, 0, 0},
                        {{1, 4}, 3, 0},       {{4, 5, 6}, 1, 1}, {{200, 300}, 2, -1},
                        {{2, 70, 33}, 11, -1}};
  for (const Case& c : cases) {
    SCOPED_TRACE(::testing::PrintToString(c.shape));
    const Moved moved = RepeatInterleaveOf(c.shape, c.repeats, c.dim);
    const int64_t size =
        moved.shape[static_cast<size_t>(c.dim < 0 ? c.dim + std::ssize(c.shape) : c.dim)];
    Check(
        c.shape, moved,
        [&](const aclTensor* self, aclTensor* out) -> Phase1 {
          return [=](uint64_t* workspace, aclOpExecutor** executor) {
            return aclnnRepeatInterleaveIntWithDimGetWorkspaceSize(self, c.repeats, c.dim, size,
                                                                   out, workspace, executor);
          };
        },
        aclnnRepeatInterleaveIntWithDim, kSmallTypes);
  }
}

TEST_F(MovementTest, Flip) {
  const std::pair<Shape, std::vector<int64_t>> cases[] = {
      {{}, {}},           {{9}, {0}},    {{4, 5}, {}},      {{4, 5}, {1}},         {{4, 5}, {0, 1}},
      {{3, 1, 70}, {-1}}, {{2, 0}, {0}}, {{300, 401}, {1}}, {{2, 3, 4, 5}, {0, 2}}};
  for (const auto& [shape, dims] : cases) {
    SCOPED_TRACE(::testing::PrintToString(shape) + ::testing::PrintToString(dims));
    Check(shape, FlipOf(shape, dims), WithArray(dims, aclnnFlipGetWorkspaceSize), aclnnFlip);
  }
}

TEST_F(MovementTest, Roll) {
  struct Case {
    Shape shape;
    std::vector<int64_t> shifts, dims;
  };
  const Case cases[] = {{{4, 2}, {1}, {0}},
                        {{4, 5}, {-7, 3}, {0, 1}},
                        {{4, 5}, {1, 2}, {1, -1}},
                        {{4, 5}, {3}, {}},
                        {{3, 4, 5}, {-13}, {}},
                        {{3, 4, 5}, {INT64_MIN}, {}},
                        {{6}, {INT64_MAX, INT64_MAX}, {0, 0}},
                        {{2, 1, 3}, {1}, {1}},
                        {{}, {2}, {}},
                        {{0, 3}, {1}, {0}},
                        {{200, 301}, {77, -33}, {0, 1}}};
  for (const Case& c : cases) {
    SCOPED_TRACE(::testing::PrintToString(c.shape) + ::testing::PrintToString(c.shifts));
    std::vector<int64_t> shifts = c.shifts;  // without overflow in the oracle's sums
    const int64_t all = std::max<int64_t>(CountOf(c.shape), 1);
    for (int64_t& shift : shifts) shift %= all;
    const IntArrayHandle shift_array(c.shifts), dim_array(c.dims);
    Check(
        c.shape, RollOf(c.shape, shifts, c.dims),
        [&](const aclTensor* self, aclTensor* out) -> Phase1 {
          return [&, self, out](uint64_t* size, aclOpExecutor** executor) {
            return aclnnRollGetWorkspaceSize(self, shift_array.get(), dim_array.get(), out, size,
                                             executor);
          };
        },
        aclnnRoll, kSmallTypes);
  }
}

TEST_F(MovementTest, ConstantPadNd) {
  const std::pair<Shape, std::vector<int64_t>> cases[] = {{{}, {}},
                                                          {{3}, {2, 1}},
                                                          {{3, 4}, {1, 2}},
                                                          {{3, 4}, {0, 0, 5, 1}},
                                                          {{3, 4}, {-1, 2}},
                                                          {{3, 4}, {-1, -1, 3, -2}},
                                                          {{3, 4}, {-4, 0}},
                                                          {{3, 0}, {0, 0, -1, 0}},
                                                          {{3, 4}, {-6, 9}},
                                                          {{2, 3, 4, 5}, {1, 1, 0, 2, -1, 1}},
                                                          {{40, 80}, {0, 16}},
                                                          {{200, 300}, {3, 4, 5, 6}},
                                                          {{70001}, {7, 70001}},
                                                          {{7, 3, 2}, {0, 0, 2, 1}}};
  double zero = 0;
  aclScalar* value = aclCreateScalar(&zero, ACL_DOUBLE);
  for (const auto& [shape, pad] : cases) {
    SCOPED_TRACE(::testing::PrintToString(shape) + ::testing::PrintToString(pad));
    Check(shape, PadOf(shape, pad),
          WithArray(pad,
                    [value](auto self, auto array, auto out, auto size, auto executor) {
                      return aclnnConstantPadNdGetWorkspaceSize(self, array, value, out, size,
                                                                executor);
                    }),
          aclnnConstantPadNd);
  }
  aclDestroyScalar(value);
}

template <class T>
T PaddingOf(aclDataType type, const void* value, aclDataType value_type,
            const std::function<void(const Phase1&, Phase2)>& run) {
  Tensor self({.dims = {1}, .dtype = type}), out({.dims = {2}, .dtype = type});
  self.Write(std::vector<T>(1));
  const IntArrayHandle pad({0, 1});
  aclScalar* scalar = aclCreateScalar(const_cast<void*>(value), value_type);
  run(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnConstantPadNdGetWorkspaceSize(self.handle(), pad.get(), scalar, out.handle(),
                                                  size, executor);
      },
      aclnnConstantPadNd);
  aclDestroyScalar(scalar);
  return out.Read<T>()[1];
}

// Scalars have the types that clients have: double, int64, bool, float.
TEST_F(MovementTest, APaddingIsConvertedToTheTensorsType) {
  const auto run = [this](const Phase1& phase1, Phase2 phase2) { RunTwoPhase(phase1, phase2); };
  const double real = -2.75;
  const int64_t whole = 300;
  const float infinity = -INFINITY;
  const bool yes = true;
  EXPECT_EQ(PaddingOf<float>(ACL_FLOAT, &real, ACL_DOUBLE, run), -2.75f);
  EXPECT_EQ(PaddingOf<uint16_t>(ACL_FLOAT16, &real, ACL_DOUBLE, run), 0xC180);
  EXPECT_EQ(PaddingOf<uint16_t>(ACL_BF16, &infinity, ACL_FLOAT, run), 0xFF80);
  EXPECT_EQ(PaddingOf<int64_t>(ACL_INT64, &real, ACL_DOUBLE, run), -2);
  EXPECT_EQ(PaddingOf<int32_t>(ACL_INT32, &infinity, ACL_FLOAT, run), INT32_MIN);
  EXPECT_EQ(PaddingOf<uint8_t>(ACL_UINT8, &whole, ACL_INT64, run), 44);
  EXPECT_EQ(PaddingOf<uint8_t>(ACL_BOOL, &whole, ACL_INT64, run), 1);
  EXPECT_EQ(PaddingOf<double>(ACL_DOUBLE, &yes, ACL_BOOL, run), 1.0);
  // The real part, and an imaginary one of 0.
  EXPECT_EQ(PaddingOf<uint64_t>(ACL_COMPLEX64, &real, ACL_DOUBLE, run), 0xC0300000u);
}

// Of pairs that lie together, which move as one element.
TEST_F(MovementTest, APaddingOfPairs) {
  Tensor self({.dims = {3, 2}, .dtype = ACL_INT32}), out({.dims = {5, 2}, .dtype = ACL_INT32});
  self.Write(std::vector<int32_t>{1, 2, 3, 4, 5, 6});
  const IntArrayHandle pad({0, 0, 1, 1});
  int64_t nine = 9;
  aclScalar* scalar = aclCreateScalar(&nine, ACL_INT64);
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnConstantPadNdGetWorkspaceSize(self.handle(), pad.get(), scalar, out.handle(),
                                                  size, executor);
      },
      aclnnConstantPadNd);
  aclDestroyScalar(scalar);
  EXPECT_EQ(out.Read<int32_t>(), (std::vector<int32_t>{9, 9, 1, 2, 3, 4, 5, 6, 9, 9}));
}

template <class First>
auto WithDiagonal(int64_t diagonal, First first) {
  return [=](const aclTensor* self, aclTensor* out) -> Phase1 {
    return [=](uint64_t* size, aclOpExecutor** executor) {
      return first(self, diagonal, out, size, executor);
    };
  };
}

TEST_F(MovementTest, Triangles) {
  for (const Shape& shape :
       {Shape{4, 4}, {3, 7}, {7, 3}, {2, 3, 5, 6}, {1, 5}, {5, 1}, {0, 3}, {250, 190}}) {
    for (int64_t diagonal :
         {int64_t{0}, int64_t{1}, int64_t{-2}, int64_t{100}, INT64_MIN, INT64_MAX}) {
      SCOPED_TRACE(::testing::PrintToString(shape) + std::to_string(diagonal));
      const int64_t near = std::clamp<int64_t>(diagonal, -1000, 1000);
      Check(shape, TrilOf(shape, near), WithDiagonal(diagonal, aclnnTrilGetWorkspaceSize),
            aclnnTril, kSmallTypes);
      Check(shape, TriuOf(shape, near), WithDiagonal(diagonal, aclnnTriuGetWorkspaceSize),
            aclnnTriu, kSmallTypes);
    }
  }
}

TEST_F(MovementTest, TrianglesInPlace) {
  const Shape shape = {2, 5, 7};
  for (Lie lie : kOutputLies) {
    for (bool lower : {false, true}) {
      Tensor self(Lying(shape, ACL_FLOAT, lie));
      const Elements given = FillRandomly(self, random());
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return lower ? aclnnInplaceTrilGetWorkspaceSize(self.handle(), 1, size, executor)
                         : aclnnInplaceTriuGetWorkspaceSize(self.handle(), 1, size, executor);
          },
          lower ? aclnnInplaceTril : aclnnInplaceTriu);
      const Moved moved = lower ? TrilOf(shape, 1) : TriuOf(shape, 1);
      const Elements actual = ReadBits(self);
      for (size_t k = 0; k < actual.size(); ++k) {
        const Int128 expected = moved.from[k] < 0 ? 0 : given[k];
        ASSERT_EQ(actual[k], expected) << k;
      }
      EXPECT_TRUE(self.GuardsIntact());
    }
  }
}

// A list of tensors; their handles go with it.
class List {
 public:
  explicit List(std::vector<Tensor>& tensors) : tensors_(tensors) {
    std::vector<const aclTensor*> handles;
    for (const Tensor& tensor : tensors) handles.push_back(tensor.handle());
    handle_ = aclCreateTensorList(handles.data(), handles.size());
  }
  List(const List&) = delete;
  List& operator=(const List&) = delete;
  ~List() {
    for (Tensor& tensor : tensors_) tensor.Destroy();
    aclDestroyTensorList(handle_);
  }
  const aclTensorList* get() const { return handle_; }

 private:
  std::vector<Tensor>& tensors_;
  aclTensorList* handle_;
};

TEST_F(MovementTest, CatAndStack) {
  struct Case {
    std::vector<Shape> shapes;
    int64_t dim;
    bool stack;
  };
  const Case cases[] = {{{{2, 3}, {1, 3}}, 0, false},
                        {{{2, 3}, {2, 5}, {2, 0}, {2, 1}}, -1, false},
                        {{{4, 2, 3}, {4, 7, 3}}, 1, false},
                        {{{5}}, 0, false},
                        {{{0}, {0}}, 0, false},
                        {{{90, 100}, {90, 333}}, 1, false},
                        {{{2, 3}, {2, 3}, {2, 3}}, 0, true},
                        {{{2, 3}, {2, 3}}, -1, true},
                        {{{2, 3}, {2, 3}}, 1, true},
                        {{{}, {}}, 0, true},
                        {{{0, 3}, {0, 3}}, 1, true}};
  for (const Case& c : cases) {
    SCOPED_TRACE(::testing::PrintToString(c.shapes));
    const Moved moved =
        c.stack ? StackOf(c.shapes[0], std::ssize(c.shapes), c.dim) : CatOf(c.shapes, c.dim);
    for (aclDataType type : kSmallTypes) {
      for (Lie lie : kOutputLies) {
        std::vector<Tensor> inputs;
        Elements given;
        for (size_t i = 0; i < c.shapes.size(); ++i) {
          inputs.emplace_back(Lying(c.shapes[i], type, kInputLies[i % std::size(kInputLies)]));
          const Elements some = FillRandomly(inputs.back(), random());
          given.insert(given.end(), some.begin(), some.end());
        }
        Tensor out(Lying(moved.shape, type, lie));
        const List list(inputs);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return c.stack ? aclnnStackGetWorkspaceSize(list.get(), c.dim, out.handle(), size,
                                                          executor)
                             : aclnnCatGetWorkspaceSize(list.get(), c.dim, out.handle(), size,
                                                        executor);
            },
            c.stack ? aclnnStack : aclnnCat);
        const Elements actual = ReadBits(out);
        for (size_t k = 0; k < actual.size(); ++k) {
          ASSERT_EQ(actual[k], given[static_cast<size_t>(moved.from[k])]) << k;
        }
        EXPECT_TRUE(out.GuardsIntact());
      }
    }
  }
}

// INT32 and FLOAT16 promote to FLOAT16, in which 2049 is 2048, also on its way to FLOAT.
// Tensors of many chunks each, and one of few, fill the output side by side.
TEST_F(MovementTest, CatOfLargeTensors) {
  constexpr int64_t kRows = 2011, kWidths[] = {301, 17, 700};
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < std::size(kWidths); ++i) {
    inputs.emplace_back(Layout{.dims = {kRows, kWidths[i]}});
    std::vector<float> values(static_cast<size_t>(kRows * kWidths[i]));
    for (size_t k = 0; k < values.size(); ++k) {
      values[k] = static_cast<float>(k) + static_cast<float>(i) * 4e6f;
    }
    inputs.back().Write(values);
  }
  const List list(inputs);
  Tensor out({.dims = {kRows, 301 + 17 + 700}});
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnCatGetWorkspaceSize(list.get(), 1, out.handle(), size, executor);
      },
      aclnnCat);
  const std::vector<float> actual = out.Read<float>();
  size_t at = 0;
  for (int64_t row = 0; row < kRows; ++row) {
    for (size_t i = 0; i < std::size(kWidths); ++i) {
      for (int64_t k = row * kWidths[i]; k < (row + 1) * kWidths[i]; ++k, ++at) {
        ASSERT_EQ(actual[at], static_cast<float>(k) + static_cast<float>(i) * 4e6f) << at;
      }
    }
  }
  EXPECT_TRUE(out.GuardsIntact());
}

TEST_F(MovementTest, CatPromotes) {
  std::vector<Tensor> inputs;
  inputs.emplace_back(Layout{.dims = {2}, .dtype = ACL_INT32});
  inputs.emplace_back(Layout{.dims = {1}, .dtype = ACL_FLOAT16});
  inputs.emplace_back(Layout{.dims = {1}, .dtype = ACL_BOOL});
  inputs[0].Write(std::vector<int32_t>{2049, -7});
  inputs[1].Write(std::vector<uint16_t>{0x3E00});
  inputs[2].Write(std::vector<uint8_t>{1});
  const List list(inputs);
  Tensor out({.dims = {4}, .dtype = ACL_FLOAT});
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnCatGetWorkspaceSize(list.get(), 0, out.handle(), size, executor);
      },
      aclnnCat);
  EXPECT_EQ(out.Read<float>(), (std::vector<float>{2048, -7, 1.5, 1}));
  Tensor integers({.dims = {4}, .dtype = ACL_INT32});
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnCatGetWorkspaceSize(list.get(), 0, integers.handle(), size, executor);
      },
      ACLNN_ERR_PARAM_INVALID, {"out", "INT32", "FLOAT16"});
}

TEST_F(MovementTest, CatLeavesOutEmptyVectors) {
  std::vector<Tensor> inputs;
  inputs.emplace_back(Layout{.dims = {0}});
  inputs.emplace_back(Layout{.dims = {1, 2}, .dtype = ACL_INT32});
  inputs.emplace_back(Layout{.dims = {0}});
  inputs.emplace_back(Layout{.dims = {1, 1}, .dtype = ACL_INT32});
  inputs[1].Write(std::vector<int32_t>{3, 4});
  inputs[3].Write(std::vector<int32_t>{5});
  const List list(inputs);
  const Tensor out({.dims = {1, 3}, .dtype = ACL_INT32});
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnCatGetWorkspaceSize(list.get(), 1, out.handle(), size, executor);
      },
      aclnnCat);
  EXPECT_EQ(out.Read<int32_t>(), (std::vector<int32_t>{3, 4, 5}));
}

}  // namespace
}  // namespace anyacl::test
