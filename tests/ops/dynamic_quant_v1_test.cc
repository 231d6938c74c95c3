// SPDX-License-Identifier: Apache-2.0
// aclnnDynamicQuant: the symmetric case of V2 without groups, with codes of its own.
#include <string>
#include <vector>

#include "ops/dynamic_quant_case.h"

namespace anyacl::test {
namespace {

constexpr int kNullptr = 161001;
constexpr int kInvalid = 161002;

class V1Test : public DynamicQuantTest {
 protected:
  void ExpectRefusal(const QuantProblem& problem, const QuantLayouts& layouts, int code,
                     std::initializer_list<std::string_view> words) {
    const QuantTensors tensors = MakeTensors(problem, layouts);
    ExpectRefused(tensors.V1(), code, words);
    Prepare(tensors.V1());
    EXPECT_TRUE(HasWord(TakeMessages(), "aclnnDynamicQuantGetWorkspaceSize"));
  }
};

TEST_F(V1Test, EqualsV2WithoutGroupsAndOffset) {
  for (const QuantForm& form : AllForms()) {
    if (form.asymmetric || form.smooth == Smooth::kPerExpert) continue;
    SCOPED_TRACE(NameOf(form));
    for (const std::vector<int64_t>& dims :
         std::vector<std::vector<int64_t>>{{1, 8}, {7, 40}, {3, 2, 264}, {2, 4096}}) {
      const QuantProblem problem = RandomProblem(form, dims, random());
      const QuantTensors tensors = MakeTensors(problem);
      RunTwoPhase(tensors.V1(), &aclnnDynamicQuant);
      EXPECT_TRUE(tensors.GuardsIntact());
      const DynamicQuantOutput output = ReadOutput(tensors);
      ExpectSameOutput(output, ReferenceOf(problem), problem.cols());
      ExpectSameOutput(output, Run(problem), problem.cols());
    }
  }
}

TEST_F(V1Test, EmptyTensorsSucceed) {
  for (const std::vector<int64_t>& dims : std::vector<std::vector<int64_t>>{{0, 16}, {4, 0}}) {
    const QuantTensors tensors = MakeTensors({.dims = dims});
    const std::vector<uint8_t> before = tensors.OutputBytes();
    const Prepared prepared = Prepare(tensors.V1());
    ASSERT_OK(prepared.code);
    EXPECT_EQ(prepared.workspace_size, 0u);
    ASSERT_OK(aclnnDynamicQuant(nullptr, 0, prepared.executor, stream()));
    ASSERT_OK(aclrtSynchronizeStream(stream()));
    EXPECT_EQ(tensors.OutputBytes(), before);
  }
}

TEST_F(V1Test, NullArguments) {
  const QuantTensors t = MakeTensors(RandomProblem({.smooth = Smooth::kRow}, {3, 8}, random()));
  const auto expect = [&](const aclTensor* x, const aclTensor* y, const aclTensor* scale,
                          const char* name) {
    ExpectRefused(
        [=](uint64_t* workspace_size, aclOpExecutor** executor) {
          return aclnnDynamicQuantGetWorkspaceSize(x, nullptr, y, scale, workspace_size, executor);
        },
        kNullptr, {name, "null"});
  };
  expect(nullptr, t.y.handle(), t.scale.handle(), "x");
  expect(t.x.handle(), nullptr, t.scale.handle(), "yOut");
  expect(t.x.handle(), t.y.handle(), nullptr, "scaleOut");
  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  ExpectFailure(t.V1()(nullptr, &executor), kNullptr, {"workspaceSize"});
  ExpectFailure(t.V1()(&workspace_size, nullptr), kNullptr, {"executor"});
}

// Types and formats are 161002 here and 561003 and 561002 in V2.
TEST_F(V1Test, TypesAndFormats) {
  const QuantProblem problem = RandomProblem({.smooth = Smooth::kRow}, {3, 8}, random());
  const QuantLayouts good = LayoutsOf(problem);
  struct Parameter {
    const char* name;
    Layout QuantLayouts::*layout;
    std::vector<aclDataType> bad;
  };
  for (const Parameter& parameter : std::vector<Parameter>{
           {"x", &QuantLayouts::x, {ACL_FLOAT, ACL_INT8}},
           {"smoothScalesOptional", &QuantLayouts::smooth, {ACL_FLOAT, ACL_BF16}},
           {"yOut", &QuantLayouts::y, {ACL_FLOAT16, ACL_UINT8}},
           {"scaleOut", &QuantLayouts::scale, {ACL_FLOAT16, ACL_DOUBLE}}}) {
    SCOPED_TRACE(parameter.name);
    QuantLayouts layouts = good;
    for (aclDataType dtype : parameter.bad) {
      (layouts.*parameter.layout).dtype = dtype;
      // Only the description is looked at, so the values need not fit the type.
      const Tensor x(layouts.x), smooth(layouts.smooth), y(layouts.y), scale(layouts.scale);
      ExpectRefused(
          [&](uint64_t* workspace_size, aclOpExecutor** executor) {
            return aclnnDynamicQuantGetWorkspaceSize(x.handle(), smooth.handle(), y.handle(),
                                                     scale.handle(), workspace_size, executor);
          },
          kInvalid, {parameter.name});
    }
    layouts = good;
    (layouts.*parameter.layout).format = ACL_FORMAT_FRACTAL_NZ;
    ExpectRefusal(problem, layouts, kInvalid, {parameter.name, "FRACTAL_NZ", "ND"});
  }
}

TEST_F(V1Test, Shapes) {
  const QuantProblem problem = RandomProblem({.smooth = Smooth::kRow}, {6, 24}, random());
  const QuantLayouts good = LayoutsOf(problem);
  QuantLayouts layouts = good;
  layouts.scale.dims = {5};
  ExpectRefusal(problem, layouts, kInvalid, {"scaleOut", "5", "6"});
  layouts = good;
  layouts.scale.dims = {6, 1};
  ExpectRefusal(problem, layouts, kInvalid, {"scaleOut"});
  layouts = good;
  layouts.y.dims = {6, 25};
  ExpectRefusal(problem, layouts, kInvalid, {"yOut", "25", "24"});
  // Smooth scales per expert are V2's.
  layouts = good;
  layouts.smooth.dims = {1, 24};
  ExpectRefusal(problem, layouts, kInvalid, {"smoothScalesOptional", "2"});
  layouts = good;
  layouts.smooth.dims = {25};
  layouts.smooth.storage = {25};
  QuantProblem wide = problem;
  wide.smooth.resize(25);
  ExpectRefusal(wide, layouts, kInvalid, {"smoothScalesOptional", "25", "24"});
}

TEST_F(V1Test, FourBitResults) {
  const QuantProblem odd{.dims = {2, 7}, .y_type = ACL_INT4, .x = std::vector<float>(14)};
  ExpectRefusal(odd, LayoutsOf(odd), kInvalid, {"7"});
  const QuantProblem packed{.dims = {16, 32}, .y_type = ACL_INT32, .x = std::vector<float>(512)};
  QuantLayouts layouts = LayoutsOf(packed);
  layouts.y.dims = {16, 32};
  ExpectRefusal(packed, layouts, kInvalid, {"yOut", "32", "4"});
}

TEST_F(V1Test, RanksOfX) {
  for (const std::vector<int64_t>& dims :
       std::vector<std::vector<int64_t>>{{24}, std::vector<int64_t>(9, 2)}) {
    QuantProblem problem{.dims = dims};
    problem.x.resize(static_cast<size_t>(problem.rows() * problem.cols()));
    ExpectRefusal(problem, LayoutsOf(problem), kInvalid, {"x", std::to_string(dims.size())});
  }
}

TEST_F(V1Test, PhaseTwoRefusesWhatIsNoExecutorOfIt) {
  const QuantTensors tensors = MakeTensors(RandomProblem({}, {3, 8}, random()));
  int on_stack = 0;
  TakeMessages();
  ExpectFailure(aclnnDynamicQuant(nullptr, 0, nullptr, stream()), kNullptr,
                {"aclnnDynamicQuant", "executor", "null"});
  const int foreign =
      aclnnDynamicQuant(nullptr, 0, reinterpret_cast<aclOpExecutor*>(&on_stack), stream());
  EXPECT_NE(foreign, ACL_SUCCESS);
  ExpectFailure(foreign, foreign, {"aclnnDynamicQuant", "executor"});
  const Prepared prepared = Prepare(tensors.V1());
  ASSERT_OK(prepared.code);
  ASSERT_OK(aclnnDynamicQuant(nullptr, 0, prepared.executor, stream()));
  const int used_up = aclnnDynamicQuant(nullptr, 0, prepared.executor, stream());
  EXPECT_NE(used_up, ACL_SUCCESS);
  ExpectFailure(used_up, used_up, {"executor"});
  ASSERT_OK(aclrtSynchronizeStream(stream()));
}

}  // namespace
}  // namespace anyacl::test
