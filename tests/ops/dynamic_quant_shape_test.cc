// SPDX-License-Identifier: Apache-2.0
// aclnnDynamicQuantV2: every form over small, odd, model-sized and high-rank shapes, against the
// oracle and against what quantisation promises.
#include <string>
#include <vector>

#include "ops/dynamic_quant_case.h"

namespace anyacl::test {
namespace {

class FormTest : public DynamicQuantTest, public ::testing::WithParamInterface<QuantForm> {
 protected:
  void ExpectCorrect(const std::vector<int64_t>& dims) {
    if (!TakesCols(GetParam().y_type, dims.back())) return;
    SCOPED_TRACE("x of shape " + ::testing::PrintToString(dims));
    const QuantProblem problem = RandomProblem(GetParam(), dims, random());
    const DynamicQuantOutput output = Run(problem);
    ExpectSameOutput(output, ReferenceOf(problem), problem.cols());
    // Asymmetric rows of one column are constant, where no such promise is made.
    if (problem.cols() > 1) {
      EXPECT_EQ(CheckDequantised(InputOf(problem), output), "");
    }
  }
};

TEST_P(FormTest, EveryShortRow) {
  for (int64_t cols = 1; cols <= 80; ++cols) {
    for (int64_t rows : {1, 3}) ExpectCorrect({rows, cols});
  }
}

TEST_P(FormTest, RowLengthsAroundPowersOfTwo) {
  for (int64_t power : {128, 256, 512, 1024}) {
    for (int64_t cols : {power - 8, power - 2, power - 1, power, power + 1, power + 2, power + 8}) {
      ExpectCorrect({2, cols});
    }
  }
}

TEST_P(FormTest, RowCountsThatDoNotDivideAmongThreads) {
  for (int64_t rows : {1, 2, 5, 7, 13, 31, 64, 97}) ExpectCorrect({rows, 48});
}

TEST_P(FormTest, AllRanks) {
  ExpectCorrect({3, 16});
  ExpectCorrect({2, 3, 16});
  ExpectCorrect({2, 1, 3, 16});
  ExpectCorrect({2, 1, 2, 2, 16});
  ExpectCorrect({1, 2, 1, 3, 1, 16});
  ExpectCorrect({1, 2, 1, 2, 1, 2, 16});
  ExpectCorrect({2, 1, 2, 1, 2, 1, 2, 24});
}

TEST_P(FormTest, ModelShapes) {
  ExpectCorrect({4, 4096});
  ExpectCorrect({3, 7168});
  ExpectCorrect({8, 1536});
  ExpectCorrect({300, 128});
  ExpectCorrect({11, 13, 17, 67});
}

INSTANTIATE_TEST_SUITE_P(Forms, FormTest, ::testing::ValuesIn(AllForms()),
                         [](const auto& info) { return NameOf(info.param); });

TEST_F(DynamicQuantTest, VeryLongRowsMatchTheReference) {
  for (const QuantForm& form : AllForms()) {
    if (form.x_type == ACL_BF16) continue;
    for (int64_t cols : {18432, 48640, 100003, 100008}) {
      if (!TakesCols(form.y_type, cols)) continue;
      SCOPED_TRACE(NameOf(form) + " " + std::to_string(cols));
      ExpectMatchesReference(RandomProblem(form, {2, cols}, random()));
    }
  }
}

// The maximum, the minimum and the rest are looked for in every lane and in the tail.
TEST_F(DynamicQuantTest, ExtremesCountWhereverTheyStand) {
  for (bool asymmetric : {false, true}) {
    for (int64_t cols : {37, 64, 72, 139}) {
      for (int64_t at = 0; at < cols; ++at) {
        QuantProblem problem = RandomProblem({.asymmetric = asymmetric}, {2, cols}, random());
        problem.x[at] = 500;
        problem.x[cols + at] = -500;
        ExpectMatchesReference(problem);
      }
    }
  }
}

// Outputs that hold something already, as outputs of a previous call do.
TEST_F(DynamicQuantTest, EarlierContentsOfTheOutputsDoNotMatter) {
  for (const QuantForm& form : AllForms()) {
    SCOPED_TRACE(NameOf(form));
    const QuantProblem problem = RandomProblem(form, {4, 40}, random());
    for (int fill : {0x00, 0x7f, 0xff}) {
      QuantTensors tensors = MakeTensors(problem);
      for (Tensor* tensor : {&tensors.y, &tensors.scale}) {
        tensor->SetBytes(std::vector<uint8_t>(tensor->Bytes().size(), static_cast<uint8_t>(fill)));
      }
      RunTwoPhase(tensors.V2(), &aclnnDynamicQuantV2);
      ExpectSameOutput(ReadOutput(tensors), ReferenceOf(problem), 40);
    }
  }
}

TEST_F(DynamicQuantTest, EmptyTensorsSucceedAndLeaveTheOutputsAlone) {
  for (const std::vector<int64_t>& dims : std::vector<std::vector<int64_t>>{
           {0, 16}, {4, 0}, {3, 0}, {2, 0, 8}, {0, 0}, {0, 3, 1, 8}}) {
    for (aclDataType y_type : {ACL_INT8, ACL_INT4, ACL_INT32}) {
      for (bool asymmetric : {false, true}) {
        SCOPED_TRACE("x of shape " + ::testing::PrintToString(dims));
        const QuantProblem problem{.dims = dims, .y_type = y_type, .asymmetric = asymmetric};
        const QuantTensors tensors = MakeTensors(problem);
        const std::vector<uint8_t> before = tensors.OutputBytes();
        const Prepared prepared = Prepare(tensors.V2());
        ASSERT_OK(prepared.code);
        EXPECT_EQ(prepared.workspace_size, 0u);
        ASSERT_OK(aclnnDynamicQuantV2(nullptr, 0, prepared.executor, stream()));
        ASSERT_OK(aclrtSynchronizeStream(stream()));
        EXPECT_EQ(tensors.OutputBytes(), before);
      }
    }
  }
}

// The second phase has nothing to do, so that no tensor needs memory.
TEST_F(DynamicQuantTest, EmptyProblemsNeedNoMemory) {
  for (const std::vector<int64_t>& dims : std::vector<std::vector<int64_t>>{{0, 16}, {3, 0}}) {
    QuantProblem problem{.dims = dims, .asymmetric = true};
    problem.smooth.assign(static_cast<size_t>(dims[1]), 1);
    const QuantTensors tensors = MakeTensors(problem);
    for (const Tensor* tensor : {&tensors.x, tensors.smooth ? &*tensors.smooth : &tensors.x,
                                 &tensors.y, &tensors.scale, &*tensors.offset}) {
      ASSERT_OK(aclSetRawTensorAddr(tensor->handle(), nullptr));
    }
    const Prepared prepared = Prepare(tensors.V2());
    ASSERT_OK(prepared.code);
    EXPECT_OK(aclnnDynamicQuantV2(nullptr, 0, prepared.executor, stream()));
    EXPECT_OK(aclrtSynchronizeStream(stream()));
  }
}

}  // namespace
}  // namespace anyacl::test
