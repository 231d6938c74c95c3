// SPDX-License-Identifier: Apache-2.0
// Phase 1 of aclnnDynamicQuantV2: every wrong argument gets its code and a message that names the
// parameter, what it is and what was expected.
#include <functional>
#include <string>
#include <vector>

#include "ops/dynamic_quant_case.h"

namespace anyacl::test {
namespace {

constexpr int kNullptr = 161001;
constexpr int kInvalid = 161002;
constexpr int kFormat = 561002;
constexpr int kDtype = 561003;

// x of shape [6, 24] with three experts, asymmetric: every parameter is there to be broken.
class ChecksTest : public DynamicQuantTest {
 protected:
  void SetUp() override {
    DynamicQuantTest::SetUp();
    problem_ = RandomProblem({.asymmetric = true, .smooth = Smooth::kPerExpert}, {6, 24}, random());
    layouts_ = LayoutsOf(problem_);
  }

  void NoGroup() {
    problem_.group.clear();
    problem_.smooth.resize(24);
    layouts_ = LayoutsOf(problem_);
  }

  // Phase 1 with the tensors as they are laid out. Tensors that can hold values get none: phase 1
  // reads no data.
  Phase1 Call() {
    tensors_.clear();
    const auto add = [&](bool present, const Layout& layout) -> const aclTensor* {
      if (!present) return nullptr;
      tensors_.push_back(Tensor(layout));
      return tensors_.back().handle();
    };
    const aclTensor* x = add(true, layouts_.x);
    const aclTensor* smooth = add(!problem_.smooth.empty(), layouts_.smooth);
    const aclTensor* group = add(!problem_.group.empty(), layouts_.group);
    const aclTensor* y = add(true, layouts_.y);
    const aclTensor* scale = add(true, layouts_.scale);
    const aclTensor* offset = add(problem_.asymmetric, layouts_.offset);
    return [=](uint64_t* workspace_size, aclOpExecutor** executor) {
      return aclnnDynamicQuantV2GetWorkspaceSize(x, smooth, group, 2, y, scale, offset,
                                                 workspace_size, executor);
    };
  }

  void ExpectCode(int code, std::initializer_list<std::string_view> words) {
    ExpectRefused(Call(), code, words);
    const Prepared prepared = Prepare(Call());
    EXPECT_TRUE(HasWord(TakeMessages(), "aclnnDynamicQuantV2GetWorkspaceSize"));
    EXPECT_EQ(prepared.code, code);
  }

  void ExpectAccepted() {
    const Prepared prepared = Prepare(Call());
    EXPECT_OK(prepared.code);
    ASSERT_NE(prepared.executor, nullptr);
    EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
  }

  QuantProblem problem_;
  QuantLayouts layouts_;
  std::vector<Tensor> tensors_;
};

TEST_F(ChecksTest, UnbrokenCallsPass) {
  ExpectAccepted();
  NoGroup();
  ExpectAccepted();
  problem_.smooth.clear();
  ExpectAccepted();
  problem_.asymmetric = false;
  ExpectAccepted();
}

TEST_F(ChecksTest, NullArguments) {
  const QuantTensors t = MakeTensors(problem_);
  const auto call = [&](bool x, bool y, bool scale) -> Phase1 {
    return [&t, x, y, scale](uint64_t* workspace_size, aclOpExecutor** executor) {
      return aclnnDynamicQuantV2GetWorkspaceSize(x ? t.x.handle() : nullptr, t.smooth->handle(),
                                                 t.group->handle(), 2, y ? t.y.handle() : nullptr,
                                                 scale ? t.scale.handle() : nullptr,
                                                 t.offset->handle(), workspace_size, executor);
    };
  };
  ExpectRefused(call(false, true, true), kNullptr, {"x", "null"});
  ExpectRefused(call(true, false, true), kNullptr, {"yOut", "null"});
  ExpectRefused(call(true, true, false), kNullptr, {"scaleOut", "null"});
}

TEST_F(ChecksTest, NullResultPointers) {
  const QuantTensors t = MakeTensors(problem_);
  const Phase1 call = t.V2();
  uint64_t workspace_size = 1;
  aclOpExecutor* executor = nullptr;
  TakeMessages();
  ExpectFailure(call(nullptr, &executor), kNullptr, {"workspaceSize", "null"});
  ExpectFailure(call(&workspace_size, nullptr), kNullptr, {"executor", "null"});
  ExpectFailure(call(nullptr, nullptr), kNullptr, {"null"});
  // Before anything else is looked at.
  ExpectFailure(aclnnDynamicQuantV2GetWorkspaceSize(nullptr, nullptr, nullptr, 2, nullptr, nullptr,
                                                    nullptr, nullptr, &executor),
                kNullptr, {"workspaceSize"});
}

TEST_F(ChecksTest, TypesOutsideTheLists) {
  const auto expect = [&](Layout& layout, const char* name, std::vector<aclDataType> bad,
                          std::initializer_list<std::string_view> words) {
    const aclDataType good = layout.dtype;
    for (aclDataType dtype : bad) {
      SCOPED_TRACE(std::string(name) + " of type " + std::to_string(dtype));
      layout.dtype = dtype;
      ExpectCode(kDtype, words);
    }
    layout.dtype = good;
  };
  expect(layouts_.x, "x", {ACL_FLOAT, ACL_INT8, ACL_DOUBLE, ACL_DT_UNDEFINED, ACL_FLOAT8_E5M2},
         {"x", "FLOAT16", "BF16"});
  expect(layouts_.smooth, "smoothScalesOptional", {ACL_FLOAT, ACL_INT32, ACL_UINT8},
         {"smoothScalesOptional", "FLOAT16"});
  expect(layouts_.group, "groupIndexOptional", {ACL_INT64, ACL_FLOAT, ACL_UINT32},
         {"groupIndexOptional", "INT32"});
  expect(layouts_.y, "yOut", {ACL_FLOAT16, ACL_UINT8, ACL_INT16, ACL_FLOAT8_E4M3FN, ACL_HIFLOAT8},
         {"yOut", "INT8", "INT4", "INT32"});
  expect(layouts_.scale, "scaleOut", {ACL_FLOAT16, ACL_DOUBLE, ACL_INT32}, {"scaleOut", "FLOAT"});
  expect(layouts_.offset, "offsetOut", {ACL_FLOAT16, ACL_BF16, ACL_INT32}, {"offsetOut", "FLOAT"});
}

TEST_F(ChecksTest, MessagesNameTheWrongType) {
  layouts_.x.dtype = ACL_INT8;
  ExpectCode(kDtype, {"x", "INT8", "FLOAT16", "BF16"});
  layouts_.x.dtype = ACL_FLOAT16;
  layouts_.scale.dtype = ACL_DOUBLE;
  ExpectCode(kDtype, {"scaleOut", "DOUBLE", "FLOAT"});
  layouts_.scale.dtype = static_cast<aclDataType>(63);
  ExpectCode(kDtype, {"scaleOut", "63", "FLOAT"});
}

TEST_F(ChecksTest, SmoothScalesOfAnotherTypeThanX) {
  layouts_.smooth.dtype = ACL_BF16;
  ExpectCode(kDtype, {"smoothScalesOptional", "BF16", "FLOAT16"});
  layouts_.x.dtype = ACL_BF16;
  ExpectAccepted();
  layouts_.smooth.dtype = ACL_FLOAT16;
  ExpectCode(kDtype, {"smoothScalesOptional", "FLOAT16", "BF16"});
}

TEST_F(ChecksTest, BlockedFormats) {
  const std::vector<std::pair<const char*, Layout*>> parameters = {
      {"x", &layouts_.x},
      {"smoothScalesOptional", &layouts_.smooth},
      {"yOut", &layouts_.y},
      {"groupIndexOptional", &layouts_.group},
      {"scaleOut", &layouts_.scale},
      {"offsetOut", &layouts_.offset}};
  for (const auto& [name, layout] : parameters) {
    for (aclFormat format :
         {ACL_FORMAT_FRACTAL_NZ, ACL_FORMAT_NC1HWC0, ACL_FORMAT_FRACTAL_Z, ACL_FORMAT_NDC1HWC0,
          ACL_FORMAT_UNDEFINED, static_cast<aclFormat>(60)}) {
      SCOPED_TRACE(std::string(name) + " in format " + std::to_string(format));
      layout->format = format;
      ExpectCode(kFormat, {name, "ND"});
    }
    layout->format = ACL_FORMAT_FRACTAL_NZ;
    ExpectCode(kFormat, {name, "FRACTAL_NZ"});
    layout->format = ACL_FORMAT_ND;
  }
}

TEST_F(ChecksTest, RanksOfX) {
  problem_.group.clear();
  problem_.smooth.clear();
  problem_.asymmetric = false;
  for (const std::vector<int64_t>& dims :
       std::vector<std::vector<int64_t>>{{24}, {}, std::vector<int64_t>(9, 2)}) {
    layouts_.x.dims = dims;
    layouts_.y.dims = dims;
    layouts_.scale.dims = dims.empty() ? dims : std::vector<int64_t>(dims.begin(), dims.end() - 1);
    const std::string rank = std::to_string(dims.size());
    ExpectCode(kInvalid, {"x", "rank", rank, "8"});
  }
}

TEST_F(ChecksTest, RanksOfTheOthers) {
  layouts_.group.dims = {3, 1};
  ExpectCode(kInvalid, {"groupIndexOptional", "rank", "2"});
  layouts_.group.dims = {};
  ExpectCode(kInvalid, {"groupIndexOptional", "rank", "0"});
  layouts_ = LayoutsOf(problem_);
  layouts_.smooth.dims = {3, 1, 24};
  ExpectCode(kInvalid, {"smoothScalesOptional", "rank", "3"});
  NoGroup();
  layouts_.smooth.dims = {1, 24};
  ExpectCode(kInvalid, {"smoothScalesOptional", "rank", "2", "1"});
}

TEST_F(ChecksTest, SizesThatDoNotFitX) {
  const auto expect = [&](Layout& layout, std::vector<int64_t> dims,
                          std::initializer_list<std::string_view> words) {
    const std::vector<int64_t> good = layout.dims;
    layout.dims = std::move(dims);
    SCOPED_TRACE(::testing::PrintToString(layout.dims));
    ExpectCode(kInvalid, words);
    layout.dims = good;
  };
  expect(layouts_.y, {6, 23}, {"yOut", "23", "24"});
  expect(layouts_.y, {5, 24}, {"yOut", "5", "6"});
  expect(layouts_.y, {6, 24, 1}, {"yOut"});
  expect(layouts_.y, {144}, {"yOut"});
  expect(layouts_.scale, {5}, {"scaleOut", "5", "6"});
  expect(layouts_.scale, {6, 1}, {"scaleOut"});
  expect(layouts_.scale, {}, {"scaleOut"});
  expect(layouts_.offset, {7}, {"offsetOut", "7", "6"});
  expect(layouts_.offset, {6, 1}, {"offsetOut"});
  expect(layouts_.smooth, {3, 25}, {"smoothScalesOptional", "25", "24"});
  expect(layouts_.smooth, {4, 24}, {"smoothScalesOptional", "4", "3"});
  expect(layouts_.group, {4}, {"smoothScalesOptional", "3", "4"});
  NoGroup();
  expect(layouts_.smooth, {25}, {"smoothScalesOptional", "25", "24"});
  expect(layouts_.smooth, {1}, {"smoothScalesOptional", "1", "24"});
}

TEST_F(ChecksTest, EveryDimensionOfHigherRanksIsCompared) {
  problem_ = {.dims = {2, 3, 4, 24}, .asymmetric = true};
  const QuantLayouts good = LayoutsOf(problem_);
  for (Layout QuantLayouts::*which :
       {&QuantLayouts::y, &QuantLayouts::scale, &QuantLayouts::offset}) {
    for (size_t axis = 0; axis < (good.*which).dims.size(); ++axis) {
      layouts_ = good;
      (layouts_.*which).dims[axis] += 7;
      const char* name = which == &QuantLayouts::y       ? "yOut"
                         : which == &QuantLayouts::scale ? "scaleOut"
                                                         : "offsetOut";
      const std::string actual = std::to_string((layouts_.*which).dims[axis]);
      const std::string expected = std::to_string((good.*which).dims[axis]);
      ExpectCode(kInvalid, {name, actual, expected});
    }
  }
}

TEST_F(ChecksTest, GroupsNeedSmoothScales) {
  problem_.smooth.clear();
  ExpectCode(kInvalid, {"groupIndexOptional", "smoothScalesOptional"});
}

TEST_F(ChecksTest, ExpertCountIsLimited) {
  layouts_.group.dims = {1025};
  layouts_.smooth.dims = {1025, 24};
  ExpectCode(kInvalid, {"1025", "1024"});
  layouts_.group.dims = {1024};
  layouts_.smooth.dims = {1024, 24};
  ExpectAccepted();
  layouts_.group.dims = {0};
  layouts_.smooth.dims = {0, 24};
  ExpectCode(kInvalid, {"groupIndexOptional", "0"});
}

TEST_F(ChecksTest, Int4NeedsAnEvenRowLength) {
  problem_ = {.dims = {6, 23}, .y_type = ACL_INT4};
  layouts_ = LayoutsOf(problem_);
  ExpectCode(kInvalid, {"23"});
  problem_.dims = {6, 1};
  layouts_ = LayoutsOf(problem_);
  ExpectCode(kInvalid, {"1"});
}

TEST_F(ChecksTest, Int32HoldsEightColumnsPerElement) {
  problem_ = {.dims = {16, 32}, .y_type = ACL_INT32};
  layouts_ = LayoutsOf(problem_);
  ExpectAccepted();
  layouts_.y.dims = {16, 32};
  ExpectCode(kInvalid, {"yOut", "32", "4"});
  layouts_.y.dims = {16, 5};
  ExpectCode(kInvalid, {"yOut", "5", "4"});
  layouts_.y.dims = {15, 4};
  ExpectCode(kInvalid, {"yOut", "15", "16"});
  layouts_.y.dims = {4};
  ExpectCode(kInvalid, {"yOut"});
  problem_.dims = {16, 12};
  layouts_ = LayoutsOf(problem_);
  ExpectCode(kInvalid, {"12", "8"});
}

TEST_F(ChecksTest, Int32TakesGroups) {
  problem_ = {.dims = {16, 32}, .y_type = ACL_INT32, .smooth = {1}, .group = {8, 16}};
  layouts_ = LayoutsOf(problem_);
  ExpectAccepted();
}

TEST_F(ChecksTest, Int4ResultsMustBeContiguous) {
  problem_ = {.dims = {6, 24}, .y_type = ACL_INT4};
  layouts_ = LayoutsOf(problem_);
  layouts_.y.strides = {26, 1};
  ExpectCode(kInvalid, {"yOut", "INT4", "contiguous"});
  layouts_.y.strides = {1, 6};
  ExpectCode(kInvalid, {"yOut", "INT4", "contiguous"});
}

// Of two elements at one address only one could keep its value.
TEST_F(ChecksTest, ResultsNeedAnAddressForEachElement) {
  problem_ = {.dims = {6, 24}, .asymmetric = true};
  const QuantLayouts good = LayoutsOf(problem_);
  for (const std::vector<int64_t>& strides :
       std::vector<std::vector<int64_t>>{{0, 1}, {24, 0}, {23, 1}, {1, 1}, {1, 5}, {-23, -1}}) {
    layouts_ = good;
    layouts_.y.strides = strides;
    ExpectCode(kInvalid, {"yOut"});
  }
  layouts_ = good;
  layouts_.scale.strides = {0};
  ExpectCode(kInvalid, {"scaleOut"});
  layouts_ = good;
  layouts_.offset.strides = {0};
  ExpectCode(kInvalid, {"offsetOut"});
}

TEST_F(ChecksTest, NegativeSizes) {
  layouts_.x.dims = {-6, 24};
  ExpectCode(kInvalid, {"x", "-6"});
  layouts_.x.dims = {6, -24};
  ExpectCode(kInvalid, {"x", "-24"});
}

TEST_F(ChecksTest, SizesAndStridesBeyondAllMemory) {
  problem_ = {.dims = {6, 24}};
  layouts_ = LayoutsOf(problem_);
  constexpr int64_t kHuge = int64_t{1} << 62;
  layouts_.x.strides = {kHuge, 1};
  ExpectCode(kInvalid, {"x"});
  layouts_.x.strides = {24, INT64_MIN};
  ExpectCode(kInvalid, {"x"});
  layouts_ = LayoutsOf(problem_);
  layouts_.x.offset = INT64_MAX;
  ExpectCode(kInvalid, {"x"});
  problem_.dims = {kHuge, 24};
  layouts_ = LayoutsOf(problem_);
  ExpectCode(kInvalid, {"x"});
}

// Smooth scales of one row for several experts: CANN's device refuses them only when it runs.
TEST_F(ChecksTest, SharedSmoothScalesWithGroupsFailInPhaseTwo) {
  problem_ = RandomProblem({.asymmetric = true, .smooth = Smooth::kPerExpert}, {16, 32}, random());
  problem_.group.assign(8, 16);
  problem_.smooth.assign(32, 1);
  layouts_ = LayoutsOf(problem_);
  layouts_.smooth.dims = {32};
  const QuantTensors tensors = MakeTensors(problem_, layouts_);
  const std::vector<uint8_t> before = tensors.OutputBytes();
  const Prepared prepared = Prepare(tensors.V2());
  ASSERT_OK(prepared.code);
  const Tensor workspace(
      {.dims = {static_cast<int64_t>(prepared.workspace_size) + 1}, .dtype = ACL_UINT8});
  ExpectFailure(
      aclnnDynamicQuantV2(workspace.data(), prepared.workspace_size, prepared.executor, stream()),
      561000, {"aclnnDynamicQuantV2", "smoothScalesOptional"});
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(tensors.OutputBytes(), before);
}

// Of several faults the first in the documented order is reported: missing tensors, then types in
// the order of the parameters, then shapes.
TEST_F(ChecksTest, FirstFaultWins) {
  layouts_.x.dims = {24};
  layouts_.scale.dtype = ACL_FLOAT16;
  ExpectCode(kDtype, {"scaleOut"});
  layouts_.y.dtype = ACL_FLOAT16;
  ExpectCode(kDtype, {"yOut"});
  layouts_.group.dtype = ACL_INT64;
  ExpectCode(kDtype, {"groupIndexOptional"});
  layouts_.smooth.dtype = ACL_FLOAT;
  ExpectCode(kDtype, {"smoothScalesOptional"});
  layouts_.x.dtype = ACL_FLOAT;
  ExpectCode(kDtype, {"x"});
  const QuantTensors t = MakeTensors(problem_, LayoutsOf(problem_));
  const Tensor bad_x(layouts_.x);
  ExpectRefused(
      [&](uint64_t* workspace_size, aclOpExecutor** executor) {
        return aclnnDynamicQuantV2GetWorkspaceSize(bad_x.handle(), nullptr, nullptr, 2,
                                                   t.y.handle(), nullptr, nullptr, workspace_size,
                                                   executor);
      },
      kNullptr, {"scaleOut"});
}

TEST_F(ChecksTest, ShapesAreCheckedInOrder) {
  layouts_.offset.dims = {7};
  layouts_.scale.dims = {5};
  ExpectCode(kInvalid, {"scaleOut"});
  layouts_.y.dims = {6, 23};
  ExpectCode(kInvalid, {"yOut"});
}

TEST_F(ChecksTest, DeadAndForeignHandles) {
  QuantTensors t = MakeTensors(problem_);
  const aclTensor* dead = t.smooth->handle();
  t.smooth->Destroy();
  int64_t on_stack[8] = {};
  const std::vector<const aclTensor*> handles = {
      dead,
      reinterpret_cast<const aclTensor*>(on_stack),
      reinterpret_cast<const aclTensor*>(t.x.data()),
      reinterpret_cast<const aclTensor*>(uintptr_t{0xdeadbeefdeadbeef}),
      reinterpret_cast<const aclTensor*>(stream()),
      reinterpret_cast<const aclTensor*>(~uintptr_t{0})};
  for (const aclTensor* handle : handles) {
    for (int position = 0; position < 6; ++position) {
      const auto at = [&](int i, const Tensor& tensor) {
        return i == position ? handle : tensor.handle();
      };
      const auto call = [&](uint64_t* workspace_size, aclOpExecutor** executor) {
        // Position 1 is where the dead smooth scales stood; elsewhere they are left out.
        return aclnnDynamicQuantV2GetWorkspaceSize(
            at(0, t.x), position == 1 ? handle : nullptr, position == 2 ? handle : nullptr, 2,
            at(3, t.y), at(4, t.scale), at(5, *t.offset), workspace_size, executor);
      };
      const char* const names[] = {
          "x", "smoothScalesOptional", "groupIndexOptional", "yOut", "scaleOut", "offsetOut"};
      SCOPED_TRACE(names[position]);
      ExpectRefused(call, kInvalid, {names[position]});
    }
  }
}

// The thread's list of messages survives any number of failures.
TEST_F(ChecksTest, ManyFailuresKeepTheirMessagesApart) {
  layouts_.scale.dims = {5};
  const Phase1 call = Call();
  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  for (int i = 0; i < 10000; ++i) ASSERT_EQ(call(&workspace_size, &executor), kInvalid);
  EXPECT_TRUE(HasWord(TakeMessages(), "scaleOut"));
  EXPECT_EQ(TakeMessages(), "");
}

}  // namespace
}  // namespace anyacl::test
