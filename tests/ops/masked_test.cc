// SPDX-License-Identifier: Apache-2.0
// Operators with masks, and those whose result's shape is known only when they have run.
#include <cmath>
#include <memory>

#include "aclnnop/aclnn_masked_fill_tensor.h"
#include "aclnnop/aclnn_masked_scatter.h"
#include "aclnnop/aclnn_masked_select.h"
#include "aclnnop/aclnn_nonzero.h"
#include "aclnnop/aclnn_nonzero_v2.h"
#include "ops/movement_case.h"
#include "reference/indexing.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                  ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8,  ACL_BOOL};
constexpr Lie kLies[] = {Lie::kDense, Lie::kColumns, Lie::kGaps, Lie::kBackwards};

Shape ShapeNow(const Tensor& tensor) {
  int64_t* dims = nullptr;
  uint64_t rank = 0;
  EXPECT_OK(aclGetViewShape(tensor.handle(), &dims, &rank));
  const Shape shape(dims, dims + rank);
  delete[] dims;
  return shape;
}

class MaskedTest : public DeviceTest {
 protected:
  std::vector<double> Truth(int64_t count, double share) {
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) values.push_back(random().Chance(share) ? 1 : 0);
    return values;
  }
  std::vector<double> Numbers(int64_t count) {
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) {
      values.push_back(static_cast<double>(random().Int(0, 100)));
    }
    return values;
  }
};

TEST_F(MaskedTest, Nonzero) {
  const Shape shapes[] = {{7}, {3, 4}, {2, 3, 4, 5}, {}, {0, 3}, {60, 300}, {40000}};
  for (const Shape& shape : shapes) {
    for (double share : {0.0, 0.3, 1.0}) {
      std::vector<double> values = Truth(CountOf(shape), share);
      const std::vector<int64_t> places = NonzeroOf(shape, values);
      int64_t count = 0;
      for (double value : values) count += value != 0;
      const int64_t rank = std::ssize(shape);
      for (aclDataType type : kTypes) {
        for (Lie lie : kLies) {
          if (CountOf(shape) > 1000 && (type != ACL_BOOL && type != ACL_FLOAT)) continue;
          SCOPED_TRACE(::testing::PrintToString(shape) + std::to_string(type));
          Tensor self(Lying(shape, type, lie));
          // Minus zero is zero.
          std::vector<double> given = values;
          for (double& value : given) value = value == 0 ? -0.0 : value;
          WriteAs(self, given);
          for (bool columns : {false, true}) {
            const Shape most = columns ? Shape{rank, CountOf(shape)} : Shape{CountOf(shape), rank};
            Tensor out({.dims = most, .dtype = ACL_INT64});
            RunTwoPhase(
                [&](uint64_t* size, aclOpExecutor** executor) {
                  return columns ? aclnnNonzeroV2GetWorkspaceSize(self.handle(), out.handle(), size,
                                                                  executor)
                                 : aclnnNonzeroGetWorkspaceSize(self.handle(), out.handle(), size,
                                                                executor);
                },
                columns ? aclnnNonzeroV2 : aclnnNonzero);
            ASSERT_EQ(ShapeNow(out), columns ? (Shape{rank, count}) : (Shape{count, rank}));
            const std::vector<int64_t> actual = out.Read<int64_t>();
            for (int64_t i = 0; i < count; ++i) {
              for (int64_t d = 0; d < rank; ++d) {
                const int64_t at = columns ? d * count + i : i * rank + d;
                ASSERT_EQ(actual[static_cast<size_t>(at)],
                          places[static_cast<size_t>(i * rank + d)]);
              }
            }
            EXPECT_TRUE(out.GuardsIntact());
          }
        }
      }
    }
  }
}

TEST_F(MaskedTest, NonzeroScalarIntoNoElements) {
  for (double value : {0.0, 1.0}) {
    Tensor self({.dims = {}}), out({.dims = {0, 0}, .dtype = ACL_INT64});
    WriteAs(self, std::vector<double>{value});
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnNonzeroGetWorkspaceSize(self.handle(), out.handle(), size, executor);
        },
        aclnnNonzero);
    EXPECT_EQ(ShapeNow(out), (Shape{value != 0, 0}));
  }
}

// out may have room for fewer places than self has elements; it must have enough when the task
// runs.
TEST_F(MaskedTest, NonzeroWithLessRoom) {
  for (int64_t room : {7, 6}) {
    for (bool columns : {false, true}) {
      Tensor self({.dims = {4, 2}});
      Tensor out({.dims = columns ? Shape{2, room} : Shape{room, 2}, .dtype = ACL_INT64});
      WriteAs(self, std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7});
      const auto before = out.Bytes();
      const Prepared prepared = Prepare([&](uint64_t* size, aclOpExecutor** executor) {
        return columns ? aclnnNonzeroV2GetWorkspaceSize(self.handle(), out.handle(), size, executor)
                       : aclnnNonzeroGetWorkspaceSize(self.handle(), out.handle(), size, executor);
      });
      ASSERT_OK(prepared.code);
      const DeviceBuffer workspace(prepared.workspace_size);
      const auto run = columns ? aclnnNonzeroV2 : aclnnNonzero;
      int code = run(workspace.data(), prepared.workspace_size, prepared.executor, stream());
      if (code == ACL_SUCCESS) code = aclrtSynchronizeStream(stream());
      if (room == 7) {
        ASSERT_OK(code);
        EXPECT_EQ(ShapeNow(out), (columns ? Shape{2, 7} : Shape{7, 2}));
        EXPECT_EQ(out.Read<int64_t>()[columns ? 7 : 1], 1);
      } else {
        ExpectFailure(code, ACL_ERROR_RT_AICORE_EXCEPTION, {"out has room for 6", "expected 7"});
        EXPECT_EQ(out.Bytes(), before);
      }
    }
  }
}

struct MaskCase {
  Shape self, mask;
};
const MaskCase kMaskCases[] = {{{7}, {7}},       {{3, 4}, {3, 4}},         {{3, 4}, {4}},
                               {{3, 4}, {3, 1}}, {{2, 3, 4}, {3, 1}},      {{}, {}},
                               {{0, 3}, {0, 3}}, {{100, 200}, {100, 200}}, {{40000}, {40000}}};

TEST_F(MaskedTest, Select) {
  for (const MaskCase& c : kMaskCases) {
    SCOPED_TRACE(::testing::PrintToString(c.self) + ::testing::PrintToString(c.mask));
    const std::vector<double> values = Numbers(CountOf(c.self));
    const std::vector<double> few = Truth(CountOf(c.mask), 0.5);
    const std::vector<double> truth = BroadcastOf(c.mask, c.self, few);
    std::vector<double> expected;
    for (size_t i = 0; i < truth.size(); ++i) {
      if (truth[i] != 0) expected.push_back(values[i]);
    }
    for (aclDataType type : kTypes) {
      for (Lie lie : kLies) {
        if (CountOf(c.self) > 4096 && type != ACL_FLOAT && type != ACL_INT8) continue;
        Tensor self(Lying(c.self, type, lie));
        Tensor mask(Lying(c.mask, type == ACL_INT8 ? ACL_UINT8 : ACL_BOOL, lie));
        Tensor out({.dims = {CountOf(c.self)}, .dtype = type});
        WriteAs(self, values);
        WriteAs(mask, few);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnMaskedSelectGetWorkspaceSize(self.handle(), mask.handle(), out.handle(),
                                                       size, executor);
            },
            aclnnMaskedSelect);
        ASSERT_EQ(ShapeNow(out), Shape{std::ssize(expected)});
        const std::vector<double> actual = ReadAs(out);
        for (size_t i = 0; i < expected.size(); ++i) {
          ASSERT_EQ(actual[i], AsHeld(type, expected[i])) << i;
        }
        EXPECT_TRUE(out.GuardsIntact());
      }
    }
  }
}

TEST_F(MaskedTest, SelectedElementsBecomeTheTypeOfTheResult) {
  const Shape shape = {3, 700};
  const int64_t count = CountOf(shape);
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(i) / 4 - 200.25);
  const std::vector<double> truth = Truth(count, 0.9);
  std::vector<double> expected;
  for (size_t i = 0; i < values.size(); ++i) {
    if (truth[i] != 0) expected.push_back(std::trunc(values[i]));
  }
  for (Lie lie : kLies) {
    Tensor self(Lying(shape, ACL_FLOAT, lie)), mask({.dims = shape, .dtype = ACL_BOOL});
    Tensor out({.dims = {count}, .dtype = ACL_INT64});
    WriteAs(self, values);
    WriteAs(mask, truth);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnMaskedSelectGetWorkspaceSize(self.handle(), mask.handle(), out.handle(), size,
                                                   executor);
        },
        aclnnMaskedSelect);
    ASSERT_EQ(ShapeNow(out), Shape{std::ssize(expected)});
    std::vector<double> selected = ReadAs(out);
    selected.resize(expected.size());
    EXPECT_EQ(selected, expected);
    EXPECT_TRUE(out.GuardsIntact());
  }
}

TEST_F(MaskedTest, FillAndScatter) {
  for (const MaskCase& c : kMaskCases) {
    SCOPED_TRACE(::testing::PrintToString(c.self) + ::testing::PrintToString(c.mask));
    const std::vector<double> before = Numbers(CountOf(c.self));
    const std::vector<double> few = Truth(CountOf(c.mask), 0.5);
    const std::vector<double> truth = BroadcastOf(c.mask, c.self, few);
    const std::vector<double> more = Numbers(CountOf(c.self) + 3);
    std::vector<double> filled = before, scattered = before;
    size_t next = 0;
    for (size_t i = 0; i < truth.size(); ++i) {
      if (truth[i] == 0) continue;
      filled[i] = 9;
      scattered[i] = more[next++];
    }
    for (aclDataType type : kTypes) {
      for (Lie lie : kOutputLies) {
        if (CountOf(c.self) > 4096 && type != ACL_FLOAT && type != ACL_INT8) continue;
        Tensor self(Lying(c.self, type, lie)), mask(Lying(c.mask, ACL_BOOL, lie));
        Tensor value({.dims = {}, .dtype = ACL_FLOAT}),
            source(Lying({std::ssize(more)}, type, lie));
        WriteAs(self, before);
        WriteAs(mask, few);
        WriteAs(value, {9});
        WriteAs(source, more);
        if (type != ACL_DOUBLE && type != ACL_INT16 && type != ACL_UINT8) {
          RunTwoPhase(
              [&](uint64_t* size, aclOpExecutor** executor) {
                return aclnnInplaceMaskedFillTensorGetWorkspaceSize(self.handle(), mask.handle(),
                                                                    value.handle(), size, executor);
              },
              aclnnInplaceMaskedFillTensor);
          EXPECT_EQ(ReadAs(self), AsHeld(type, filled));
        }
        WriteAs(self, before);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnInplaceMaskedScatterGetWorkspaceSize(self.handle(), mask.handle(),
                                                               source.handle(), size, executor);
            },
            aclnnInplaceMaskedScatter);
        EXPECT_EQ(ReadAs(self), AsHeld(type, scattered));
        EXPECT_TRUE(self.GuardsIntact());
      }
    }
  }
}

TEST_F(MaskedTest, TooShortASourceFailsTheTaskAndWritesNothing) {
  Tensor self({.dims = {6}}), mask({.dims = {6}, .dtype = ACL_BOOL}), source({.dims = {2}});
  WriteAs(self, Numbers(6));
  WriteAs(mask, {1, 0, 1, 1, 0, 0});
  WriteAs(source, {1, 2});
  const auto before = self.Bytes();
  const Prepared prepared = Prepare([&](uint64_t* size, aclOpExecutor** executor) {
    return aclnnInplaceMaskedScatterGetWorkspaceSize(self.handle(), mask.handle(), source.handle(),
                                                     size, executor);
  });
  ASSERT_OK(prepared.code);
  const DeviceBuffer workspace(prepared.workspace_size + 1);
  int code = aclnnInplaceMaskedScatter(workspace.data(), prepared.workspace_size, prepared.executor,
                                       stream());
  if (code == ACL_SUCCESS) code = aclrtSynchronizeStream(stream());
  ExpectFailure(code, ACL_ERROR_RT_AICORE_EXCEPTION, {"source", "2", "3"});
  EXPECT_EQ(self.Bytes(), before);
}

// The tensor may be destroyed before the task has run: nobody asks for its shape then.
TEST_F(MaskedTest, ATensorThatIsDestroyedEarly) {
  Tensor self({.dims = {4}, .dtype = ACL_BOOL}), out({.dims = {4, 1}, .dtype = ACL_INT64});
  WriteAs(self, {0, 1, 0, 1});
  const Prepared prepared = Prepare([&](uint64_t* size, aclOpExecutor** executor) {
    return aclnnNonzeroGetWorkspaceSize(self.handle(), out.handle(), size, executor);
  });
  ASSERT_OK(prepared.code);
  const DeviceBuffer workspace(prepared.workspace_size + 1);
  ASSERT_OK(aclnnNonzero(workspace.data(), prepared.workspace_size, prepared.executor, stream()));
  out.Destroy();
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(out.Read<int64_t>()[0], 1);
  EXPECT_EQ(out.Read<int64_t>()[1], 3);
}

}  // namespace
}  // namespace anyacl::test
