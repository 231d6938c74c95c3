// SPDX-License-Identifier: Apache-2.0
// ChunkCat against the document's words, element by element.
#include <algorithm>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_chunk_cat.h"
#include "ops/moe_case.h"
#include "support/tensor_list.h"

namespace anyacl::test {
namespace {

using namespace moe;

// The first dimension follows itself: no dimension is a step of another.
Layout Turned(const Shape& shape, aclDataType type) {
  Layout layout{.dims = shape, .dtype = type};
  int64_t step = 1;
  for (int64_t size : shape) {
    layout.strides.push_back(step);
    step *= size;
  }
  return layout;
}

class ChunkCatTest : public MoeTest {
 protected:
  void Check(const std::vector<Shape>& shapes, int64_t chunks, aclDataType type,
             aclDataType out_type, bool strided, bool turned = false) {
    SCOPED_TRACE(::testing::Message()
                 << ::testing::PrintToString(shapes) << " in " << chunks << " type " << type
                 << " to " << out_type << " strided " << strided);
    Tensors tensors;
    std::vector<Numbers> rows(static_cast<size_t>(chunks));
    for (const Shape& shape : shapes) {
      int64_t columns = 1;
      for (size_t i = 1; i < shape.size(); ++i) columns *= shape[i];
      const Numbers numbers = Drawn(type, static_cast<size_t>(shape[0] * columns), -9, 9);
      if (turned) {
        tensors.push_back(std::make_unique<Tensor>(Turned(shape, type)));
        WriteAs(*tensors.back(), numbers);
      } else {
        tensors.push_back(std::make_unique<Tensor>(Holding(shape, type, numbers, strided)));
      }
      const int64_t per = (shape[0] + chunks - 1) / chunks;
      for (int64_t c = 0; c < chunks; ++c) {
        for (int64_t i = c * per * columns; i < (c + 1) * per * columns; ++i) {
          const bool is = i < shape[0] * columns;
          rows[static_cast<size_t>(c)].push_back(
              is ? AsHeld(out_type, numbers[static_cast<size_t>(i)]) : 0);
        }
      }
    }
    const Tensor out = Made({chunks, static_cast<int64_t>(rows[0].size())}, out_type, strided);
    const TensorList list(tensors);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnChunkCatGetWorkspaceSize(list.handle(), 0, chunks, out.handle(), s, e);
        },
        aclnnChunkCat);
    Numbers expected;
    for (const Numbers& row : rows) expected.insert(expected.end(), row.begin(), row.end());
    EXPECT_EQ(ReadAs(out), expected);
    EXPECT_TRUE(out.GuardsIntact());
  }
};

TEST_F(ChunkCatTest, IsTheDocument) {
  for (const auto& [type, out] : {std::pair(ACL_FLOAT, ACL_FLOAT),
                                  {ACL_FLOAT16, ACL_FLOAT16},
                                  {ACL_BF16, ACL_BF16},
                                  {ACL_BF16, ACL_FLOAT},
                                  {ACL_FLOAT16, ACL_FLOAT},
                                  {ACL_FLOAT16, ACL_BF16}}) {
    for (bool strided : {false, true}) {
      for (int64_t chunks : {1, 2, 3, 4, 7}) {
        Check({{4, 6, 8}, {5, 3}, {1}, {7}}, chunks, type, out, strided);
        Check({{2, 3, 2, 2, 3, 1, 2}, {3, 1, 5}}, chunks, type, out, strided);
      }
      Check({{0, 3}, {4, 0}, {5}}, 2, type, out, strided);
      Check({{0, 3}}, 2, type, out, strided);
      Check({{1000, 37}, {333}}, 8, type, out, strided);
    }
    Check({{3, 2, 1, 2, 3, 1, 2, 2}}, 2, type, out, false);
    for (int64_t chunks : {1, 2, 3, 7}) {
      Check({{5, 3, 4}, {6, 2, 1, 2, 2, 2, 2, 1}, {9}, {4, 5}}, chunks, type, out, true, true);
      // A dimension more than views have, of chunks and of rows that do not join.
      Check({{2, 3}, {4, 3, 4, 3, 2, 3, 3, 4}, {3}}, chunks, type, out, true, true);
    }
  }
}

TEST_F(ChunkCatTest, RefusesWhatDoesNotFit) {
  const auto refused = [&](const std::vector<std::pair<Shape, aclDataType>>& given, int64_t dim,
                           int64_t chunks, const Tensor& out,
                           std::initializer_list<std::string_view> words) {
    Tensors tensors;
    for (const auto& [shape, type] : given) {
      tensors.push_back(std::make_unique<Tensor>(Made(shape, type)));
    }
    const TensorList list(tensors);
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnChunkCatGetWorkspaceSize(list.handle(), dim, chunks, out.handle(), s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  const Tensor out = Made({2, 6}, ACL_FLOAT), half = Made({2, 6}, ACL_FLOAT16);
  const std::pair<Shape, aclDataType> right = {{4, 3}, ACL_FLOAT};
  refused({}, 0, 2, out, {"tensors is empty"});
  refused({right}, 1, 2, out, {"dim is 1", "0"});
  refused({right}, 0, 0, out, {"numChunks is 0"});
  refused({right}, 0, 2, half, {"out.dtype = FLOAT16", "FLOAT as"});
  refused({right, {{4, 3}, ACL_BF16}}, 0, 2, out, {"tensors[1].dtype = BF16"});
  refused({{{4, 3}, ACL_INT32}}, 0, 2, out, {"tensors[0].dtype = INT32"});
  refused({right, right}, 0, 2, out, {"out.shape = [2, 6]", "[2, 12]"});
  refused({right}, 0, 3, out, {"out.shape", "[3, 6]"});
  refused({{{}, ACL_FLOAT}}, 0, 2, out, {"tensors.shape = []"});
}

}  // namespace
}  // namespace anyacl::test
