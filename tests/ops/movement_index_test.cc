// SPDX-License-Identifier: Apache-2.0
// The members with an index tensor, and what a wrong index does: nothing but a failure.
#include "aclnnop/aclnn_embedding.h"
#include "aclnnop/aclnn_gather_v2.h"
#include "aclnnop/aclnn_gather_v3.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_index_select.h"
#include "ops/movement_case.h"

namespace anyacl::test {
namespace {

void WriteIndex(Tensor& tensor, const std::vector<int64_t>& values) {
  if (tensor.layout().dtype == ACL_INT64) {
    tensor.Write(values);
  } else {
    tensor.Write(std::vector<int32_t>(values.begin(), values.end()));
  }
}

class IndexTest : public MovementTest {
 protected:
  std::vector<int64_t> RandomIndex(int64_t count, int64_t limit) {
    std::vector<int64_t> index;
    for (int64_t i = 0; i < count; ++i) index.push_back(random().Int(0, limit - 1));
    return index;
  }
};

TEST_F(IndexTest, Gather) {
  struct Case {
    Shape self;
    int64_t dim;
    Shape index;
  };
  const Case cases[] = {{{5, 3}, 0, {4}},     {{5, 3}, 1, {2, 3}},    {{4, 6, 5}, -2, {3, 0}},
                        {{4, 6, 5}, -1, {7}}, {{4, 6, 5}, 0, {2, 2}}, {{9}, 0, {2, 3, 4}},
                        {{0, 3}, 1, {2}},     {{30, 500}, 0, {100}},  {{60, 70}, 1, {90}},
                        {{3, 20000}, 0, {5}}};
  for (const Case& c : cases) {
    SCOPED_TRACE(::testing::PrintToString(c.self) + ::testing::PrintToString(c.index));
    const size_t d = static_cast<size_t>(c.dim < 0 ? c.dim + std::ssize(c.self) : c.dim);
    const std::vector<int64_t> values = RandomIndex(CountOf(c.index), c.self[d]);
    for (aclDataType type : {ACL_INT32, ACL_INT64}) {
      for (Lie lie : {Lie::kDense, Lie::kBackwards}) {
        Tensor index(Lying(c.index, type, lie));
        WriteIndex(index, values);
        const auto call = [&](auto first) -> Call {
          return [&index, c, first](const aclTensor* self, aclTensor* out) -> Phase1 {
            return [=, &index](uint64_t* size, aclOpExecutor** executor) {
              return first(self, c.dim, index.handle(), out, size, executor);
            };
          };
        };
        const Moved moved = GatherOf(c.self, c.dim, c.index, values);
        Check(c.self, moved, call(aclnnGatherV2GetWorkspaceSize), aclnnGatherV2);
        if (d == 0) {
          const int64_t mode = type == ACL_INT32 ? 1 : 0;
          Check(
              c.self, moved,
              [&](const aclTensor* self, aclTensor* out) -> Phase1 {
                return [=, &index](uint64_t* size, aclOpExecutor** executor) {
                  return aclnnGatherV3GetWorkspaceSize(self, c.dim, index.handle(), 0, mode, out,
                                                       size, executor);
                };
              },
              aclnnGatherV3);
        }
        if (c.index.size() == 1 && lie == Lie::kDense) {
          Check(c.self, moved, call(aclnnIndexSelectGetWorkspaceSize), aclnnIndexSelect);
        }
        if (c.self.size() == 2 && d == 0) {
          Check(
              c.self, moved,
              [&](const aclTensor* self, aclTensor* out) -> Phase1 {
                return [=, &index](uint64_t* size, aclOpExecutor** executor) {
                  return aclnnEmbeddingGetWorkspaceSize(self, index.handle(), out, size, executor);
                };
              },
              aclnnEmbedding);
        }
      }
    }
  }
}

// A single index counts as a vector of one; Embedding leaves no dimension for it.
TEST_F(IndexTest, IndexOfRankZero) {
  Tensor index({.dims = {}, .dtype = ACL_INT64});
  index.Write(std::vector<int64_t>{2});
  Check(
      {4, 3}, GatherOf({4, 3}, 0, {1}, {2}),
      [&](const aclTensor* self, aclTensor* out) -> Phase1 {
        return [=, &index](uint64_t* size, aclOpExecutor** executor) {
          return aclnnGatherV2GetWorkspaceSize(self, 0, index.handle(), out, size, executor);
        };
      },
      aclnnGatherV2);
  Check(
      {4, 3}, GatherOf({4, 3}, 0, {}, {2}),
      [&](const aclTensor* self, aclTensor* out) -> Phase1 {
        return [=, &index](uint64_t* size, aclOpExecutor** executor) {
          return aclnnEmbeddingGetWorkspaceSize(self, index.handle(), out, size, executor);
        };
      },
      aclnnEmbedding);
}

// As CANN's example of GatherV2 has them.
TEST_F(IndexTest, NegativeIndicesOfGatherCountFromTheEnd) {
  Tensor index({.dims = {2, 2}, .dtype = ACL_INT64});
  index.Write(std::vector<int64_t>{-2, -1, 0, 1});
  Check(
      {2, 2}, GatherOf({2, 2}, 0, {2, 2}, {0, 1, 0, 1}),
      [&](const aclTensor* self, aclTensor* out) -> Phase1 {
        return [=, &index](uint64_t* size, aclOpExecutor** executor) {
          return aclnnGatherV2GetWorkspaceSize(self, 0, index.handle(), out, size, executor);
        };
      },
      aclnnGatherV2);
}

TEST_F(IndexTest, IndexCopyTheLastOfEqualIndicesWins) {
  struct Case {
    Shape self;
    int64_t dim, count;
  };
  const Case cases[] = {{{6, 4}, 0, 3}, {{6, 4}, 1, 9}, {{3, 5, 4}, 1, 4},  {{3, 5, 4}, -1, 2},
                        {{7}, 0, 20},   {{5, 2}, 0, 0}, {{40, 3000}, 0, 70}};
  for (const Case& c : cases) {
    const size_t d = static_cast<size_t>(c.dim < 0 ? c.dim + std::ssize(c.self) : c.dim);
    const std::vector<int64_t> values = RandomIndex(c.count, c.self[d]);
    Shape source_shape = c.self;
    source_shape[d] = c.count;
    const Moved moved = IndexCopyOf(c.self, c.dim, values, CountOf(c.self));
    for (aclDataType type : kSizedTypes) {
      for (Lie lie : kOutputLies) {
        SCOPED_TRACE(::testing::PrintToString(c.self));
        Tensor index({.dims = {c.count}, .dtype = type == ACL_FLOAT ? ACL_INT32 : ACL_INT64});
        WriteIndex(index, values);
        Tensor self(Lying(c.self, type, lie)), source(Lying(source_shape, type, Lie::kGaps));
        Elements given = FillRandomly(self, random());
        const Elements more = FillRandomly(source, random());
        given.insert(given.end(), more.begin(), more.end());
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnInplaceIndexCopyGetWorkspaceSize(self.handle(), c.dim, index.handle(),
                                                           source.handle(), size, executor);
            },
            aclnnInplaceIndexCopy);
        const Elements actual = ReadBits(self);
        for (size_t k = 0; k < actual.size(); ++k) {
          ASSERT_EQ(actual[k], given[static_cast<size_t>(moved.from[k])]) << k;
        }
        EXPECT_TRUE(self.GuardsIntact());
      }
    }
  }
}

// The first wrong position in row-major order is named, and nothing is written.
TEST_F(IndexTest, AnIndexOutOfRangeFailsTheTaskAndWritesNothing) {
  for (int64_t wrong : {int64_t{5}, int64_t{-6}, INT64_MAX, INT64_MIN}) {
    Tensor self({.dims = {5, 3}}), index({.dims = {2, 20000}, .dtype = ACL_INT64});
    Tensor out({.dims = {2, 20000, 3}});
    FillRandomly(self, random());
    std::vector<int64_t> values(40000, 4);
    values[20007] = values[20008] = values[39999] = wrong;
    index.Write(values);
    const auto before = out.Bytes();
    const Prepared prepared = Prepare([&](uint64_t* size, aclOpExecutor** executor) {
      return aclnnGatherV2GetWorkspaceSize(self.handle(), 0, index.handle(), out.handle(), size,
                                           executor);
    });
    ASSERT_OK(prepared.code);
    const DeviceBuffer workspace(prepared.workspace_size);
    int code =
        aclnnGatherV2(workspace.data(), prepared.workspace_size, prepared.executor, stream());
    if (code == ACL_SUCCESS) code = aclrtSynchronizeStream(stream());
    ExpectFailure(code, ACL_ERROR_RT_AICORE_EXCEPTION,
                  {"index[1, 7]", std::to_string(wrong), "-5 to 4", "self.shape[0]"});
    EXPECT_EQ(out.Bytes(), before);
  }
}

TEST_F(IndexTest, AnIndexOutOfRangeChangesNothingInPlace) {
  Tensor self({.dims = {5, 3}}), index({.dims = {2}, .dtype = ACL_INT32}), source({.dims = {2, 3}});
  FillRandomly(self, random());
  FillRandomly(source, random());
  index.Write(std::vector<int32_t>{1, 5});
  const auto before = self.Bytes();
  const Prepared prepared = Prepare([&](uint64_t* size, aclOpExecutor** executor) {
    return aclnnInplaceIndexCopyGetWorkspaceSize(self.handle(), 0, index.handle(), source.handle(),
                                                 size, executor);
  });
  ASSERT_OK(prepared.code);
  const DeviceBuffer workspace(prepared.workspace_size);
  int code =
      aclnnInplaceIndexCopy(workspace.data(), prepared.workspace_size, prepared.executor, stream());
  if (code == ACL_SUCCESS) code = aclrtSynchronizeStream(stream());
  ExpectFailure(code, ACL_ERROR_RT_AICORE_EXCEPTION,
                {"index[1]", "5", "0 to 4", "selfRef.shape[0]"});
  EXPECT_EQ(self.Bytes(), before);
}

}  // namespace
}  // namespace anyacl::test
