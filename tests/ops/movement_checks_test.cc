// SPDX-License-Identifier: Apache-2.0
// The rules of the documents that no row of a table can say.
#include <memory>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_channel_shuffle.h"
#include "aclnnop/aclnn_constant_pad_nd.h"
#include "aclnnop/aclnn_embedding.h"
#include "aclnnop/aclnn_flip.h"
#include "aclnnop/aclnn_gather_v2.h"
#include "aclnnop/aclnn_gather_v3.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_index_select.h"
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

constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;

class MovementChecksTest : public DeviceTest {
 protected:
  aclTensor* T(const Shape& shape, aclDataType type = ACL_FLOAT) {
    tensors_.push_back(std::make_unique<Tensor>(Layout{.dims = shape, .dtype = type}));
    return tensors_.back()->handle();
  }
  const aclIntArray* A(const std::vector<int64_t>& values) {
    arrays_.push_back(std::make_unique<IntArrayHandle>(values));
    return arrays_.back()->get();
  }
  // The members stay with their Tensor, so the list is left to the process.
  const aclTensorList* L(const std::vector<const aclTensor*>& members) {
    return aclCreateTensorList(members.data(), members.size());
  }
  template <class First, class... Arguments>
  static Phase1 Call(First first, Arguments... arguments) {
    return [=](uint64_t* size, aclOpExecutor** executor) {
      return first(arguments..., size, executor);
    };
  }

 private:
  std::vector<std::unique_ptr<Tensor>> tensors_;
  std::vector<std::unique_ptr<IntArrayHandle>> arrays_;
};

TEST_F(MovementChecksTest, ChannelShuffle) {
  const auto shuffle = [&](const Shape& shape, int64_t groups) {
    return Call(aclnnChannelShuffleGetWorkspaceSize, T(shape), groups, T(shape));
  };
  ExpectRefused(shuffle({2, 6, 3}, 4), kInvalid, {"groups = 4", "self.shape[1] = 6"});
  ExpectRefused(shuffle({2, 6, 3}, 0), kInvalid, {"groups is 0", "at least 1"});
  ExpectRefused(shuffle({2, 6}, 2), kInvalid, {"self"});
}

TEST_F(MovementChecksTest, Cat) {
  const auto cat = [&](const aclTensorList* list, int64_t dim, aclTensor* out) {
    return Call(aclnnCatGetWorkspaceSize, list, dim, out);
  };
  ExpectRefused(cat(L({T({2, 3}), T({2, 4})}), 0, T({4, 3})), kInvalid,
                {"tensors[1]", "[2, 4]", "[2, 3]"});
  ExpectRefused(cat(L({T({2, 3}), T({2})}), 0, T({4, 3})), kInvalid, {"tensors[1]", "[2]"});
  ExpectRefused(cat(L({T({2, 3})}), 2, T({2, 3})), kInvalid, {"dim", "2", "-2 to 1"});
  ExpectRefused(cat(L({T({2, 3}), T({2, 3})}), 0, T({5, 3})), kInvalid,
                {"out", "[5, 3]", "[4, 3]"});
  ExpectRefused(cat(L({}), 0, T({1})), kInvalid, {"tensors", "empty"});
  ExpectRefused(cat(L({T({1}, ACL_FLOAT8_E5M2), T({1})}), 0, T({2})), kInvalid,
                {"tensors[1]", "FLOAT"});
  ExpectRefused(cat(L({T({1}, ACL_COMPLEX64), T({1}, ACL_DOUBLE)}), 0, T({2}, ACL_COMPLEX64)),
                kInvalid, {"tensors[1]", "promote to COMPLEX128"});
  // The words that op-plugin's tests look for, of every operator that promotes types.
  ExpectRefused(cat(L({T({1}, ACL_INT64), T({1})}), 0, T({2}, ACL_INT64)), kInvalid,
                {"out.dtype = INT64", "expected one that holds FLOAT",
                 "result type Float can't be cast to the desired output type Long"});
}

TEST_F(MovementChecksTest, Triangles) {
  const Tensor self({.dims = {2, 2}}), out({.dims = {2, 2}, .format = ACL_FORMAT_NCHW});
  ExpectRefused(Call(aclnnTrilGetWorkspaceSize, self.handle(), 0, out.handle()), kInvalid,
                {"out.format = NCHW", "expected ND"});
  ExpectRefused(Call(aclnnTriuGetWorkspaceSize, T({0}), 0, T({2, 2})), kInvalid,
                {"out.shape = [2, 2]", "expected [0]"});
  ExpectRefused(Call(aclnnTriuGetWorkspaceSize, T({1}), 0, T({1})), kInvalid,
                {"self.shape[0] = 1", "expected 0"});
  RunTwoPhase(Call(aclnnTriuGetWorkspaceSize, T({0}), 0, T({0})), aclnnTriu);
}

TEST_F(MovementChecksTest, Stack) {
  const auto stack = [&](const aclTensorList* list, int64_t dim, aclTensor* out) {
    return Call(aclnnStackGetWorkspaceSize, list, dim, out);
  };
  ExpectRefused(stack(L({T({2, 3}), T({3, 2})}), 0, T({2, 2, 3})), kInvalid,
                {"tensors[1]", "[3, 2]"});
  ExpectRefused(stack(L({T({2, 3})}), 3, T({2, 3, 1})), kInvalid, {"dim", "3", "-3 to 2"});
  ExpectRefused(stack(L({T({2, 3})}), 2, T({1, 2, 3})), kInvalid,
                {"out", "[1, 2, 3]", "[2, 3, 1]"});
  ExpectRefused(stack(nullptr, 0, T({1})), ACLNN_ERR_INNER_NULLPTR, {"tensors", "null"});
}

TEST_F(MovementChecksTest, Permute) {
  const auto permute = [&](const std::vector<int64_t>& dims, const Shape& out) {
    return Call(aclnnPermuteGetWorkspaceSize, T({2, 3, 4}), A(dims), T(out));
  };
  ExpectRefused(permute({0, 1}, {2, 3, 4}), kInvalid, {"dims", "2", "3"});
  ExpectRefused(permute({0, 1, 3}, {2, 3, 4}), kInvalid, {"dims", "3", "-3 to 2"});
  ExpectRefused(permute({0, 1, -2}, {2, 3, 4}), kInvalid, {"dims[2]", "-2", "once"});
  ExpectRefused(permute({2, 1, 0}, {2, 3, 4}), kInvalid, {"out", "[2, 3, 4]", "[4, 3, 2]"});
}

TEST_F(MovementChecksTest, SliceRepeatFlipRoll) {
  ExpectRefused(Call(aclnnSliceGetWorkspaceSize, T({5}), 1, 0, 2, 1, T({2})), kInvalid,
                {"dim", "1", "-1 to 0"});
  ExpectRefused(Call(aclnnSliceGetWorkspaceSize, T({5}), 0, 0, 2, 0, T({2})), kInvalid,
                {"step", "0"});
  ExpectRefused(Call(aclnnSliceGetWorkspaceSize, T({5}), 0, 0, 4, 3, T({1})), kInvalid,
                {"out", "[1]", "[2]"});
  ExpectRefused(Call(aclnnRepeatGetWorkspaceSize, T({2, 3}), A({2}), T({2, 6})), kInvalid,
                {"repeats", "1", "2 to 8"});
  ExpectRefused(Call(aclnnRepeatGetWorkspaceSize, T({2, 3}), A({2, -1}), T({2, 6})), kInvalid,
                {"repeats[1]", "-1"});
  ExpectRefused(Call(aclnnRepeatGetWorkspaceSize, T({2, 3}), A({2, INT64_MAX}), T({2, 6})),
                kInvalid, {"repeats[1]"});
  ExpectRefused(
      Call(aclnnRepeatGetWorkspaceSize, T({1, 1, 1, 1, 1}), A({2, 2, 2, 2, 2}), T({2, 2, 2, 2, 2})),
      ACLNN_ERR_INNER_NULLPTR, {"repeats", "5", "4"});
  ExpectRefused(
      Call(aclnnRepeatGetWorkspaceSize, T({1, 1, 1, 1, 1}), A({1, 2, 2, 2, 2}), T({1, 2, 2, 2, 2})),
      ACLNN_ERR_INNER_NULLPTR, {"repeats", "4", "3"});
  ExpectRefused(
      Call(aclnnRepeatInterleaveIntWithDimGetWorkspaceSize, T({2, 3}), 2, 0, 5, T({4, 3})),
      kInvalid, {"outputSize", "5"});
  ExpectRefused(
      Call(aclnnRepeatInterleaveIntWithDimGetWorkspaceSize, T({2, 3}), -1, 0, -2, T({4, 3})),
      kInvalid, {"repeats", "-1"});
  ExpectRefused(Call(aclnnFlipGetWorkspaceSize, T({2, 3}), A({2}), T({2, 3})), kInvalid,
                {"dims", "2", "-2 to 1"});
  ExpectRefused(Call(aclnnFlipGetWorkspaceSize, T({2, 3}), A({1, -1}), T({2, 3})), kInvalid,
                {"dims", "1", "once"});
  ExpectRefused(Call(aclnnRollGetWorkspaceSize, T({2, 3}), A({1}), A({0, 1}), T({2, 3})), kInvalid,
                {"shifts", "1", "2"});
  ExpectRefused(Call(aclnnRollGetWorkspaceSize, T({2, 3}), A({1, 1}), A({}), T({2, 3})), kInvalid,
                {"shifts", "2", "1"});
  ExpectRefused(Call(aclnnRollGetWorkspaceSize, T({2, 3}), A({1}), A({-3}), T({2, 3})), kInvalid,
                {"dims", "-3"});
}

TEST_F(MovementChecksTest, ConstantPadNd) {
  float zero = 0;
  aclScalar* value = aclCreateScalar(&zero, ACL_FLOAT);
  const auto pad = [&](const Shape& self, const std::vector<int64_t>& sizes, const Shape& out) {
    return Call(aclnnConstantPadNdGetWorkspaceSize, T(self), A(sizes), value, T(out));
  };
  ExpectRefused(pad({3}, {1}, {4}), kInvalid, {"pad", "1", "2"});
  ExpectRefused(pad({3}, {1, 1, 1, 1}, {5}), kInvalid, {"pad", "4", "2"});
  ExpectRefused(pad({3}, {-2, -2}, {0}), kInvalid, {"pad", "[-2, -2]", "0"});
  ExpectRefused(pad({3}, {INT64_MAX, INT64_MAX}, {0}), kInvalid, {"pad"});
  ExpectRefused(pad({3, 0}, {0, 0, 1, 0}, {4, 0}), kInvalid, {"pad", "[4, 0]"});
  ExpectRefused(pad({3}, {1, 1}, {4}), kInvalid, {"out", "[4]", "[5]"});
  aclDestroyScalar(value);
  float complex[2] = {1, 2};
  value = aclCreateScalar(complex, ACL_COMPLEX64);
  ExpectRefused(pad({3}, {1, 1}, {5}), kInvalid, {"value", "COMPLEX64", "FLOAT"});
  aclDestroyScalar(value);
}

// More tensors than 16 bits can count.
TEST_F(MovementChecksTest, ALongListKeepsItsMembersAndTheOutputApart) {
  constexpr int64_t kCount = 70000;
  Tensor one({.dims = {1}}), out({.dims = {kCount}});
  one.Write(std::vector<float>{2.5f});
  const aclTensorList* list = L(std::vector<const aclTensor*>(kCount, one.handle()));
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnCatGetWorkspaceSize(list, 0, out.handle(), size, executor);
      },
      aclnnCat);
  EXPECT_EQ(out.Read<float>(), std::vector<float>(kCount, 2.5f));
  EXPECT_TRUE(out.GuardsIntact());
}

TEST_F(MovementChecksTest, Indices) {
  const auto index = [&](const Shape& shape) { return T(shape, ACL_INT64); };
  ExpectRefused(Call(aclnnGatherV2GetWorkspaceSize, T({5, 3}), 2, index({4}), T({4, 3})), kInvalid,
                {"dim", "2", "-2 to 1"});
  ExpectRefused(Call(aclnnGatherV2GetWorkspaceSize, T({5, 3}), 0, index({4}), T({3, 3})), kInvalid,
                {"out", "[3, 3]", "[4, 3]"});
  const auto third = [&](const Shape& out, int64_t dim, int64_t batch_dims, int64_t mode) {
    return Call(aclnnGatherV3GetWorkspaceSize, T({5, 3}), dim, index({4}), batch_dims, mode,
                T(out));
  };
  ExpectRefused(third({5, 4}, 1, 0, 0), kInvalid, {"dim = 1", "expected 0"});
  ExpectRefused(third({4, 3}, 2, 0, 0), kInvalid, {"dim = 2", "-2 to 1"});
  ExpectRefused(third({4, 3}, 0, 1, 0), kInvalid, {"batchDims is 1"});
  ExpectRefused(third({4, 3}, 0, 0, 2), kInvalid, {"mode is 2"});
  ExpectRefused(third({3, 3}, 0, 0, 1), kInvalid, {"out", "[3, 3]", "[4, 3]"});
  ExpectRefused(Call(aclnnIndexSelectGetWorkspaceSize, T({5, 3}), 0, index({2, 2}), T({2, 2, 3})),
                kInvalid, {"index", "2", "0 or 1"});
  ExpectRefused(Call(aclnnEmbeddingGetWorkspaceSize, T({5, 3}), index({2}), T({2, 4})), kInvalid,
                {"out", "4", "3"});
  ExpectRefused(Call(aclnnInplaceIndexCopyGetWorkspaceSize, T({5, 3}), 0, index({2}), T({3, 3})),
                kInvalid, {"source", "[3, 3]", "[2, 3]"});
  ExpectRefused(Call(aclnnInplaceIndexCopyGetWorkspaceSize, T({5, 3}), 0, index({1, 2}), T({2, 3})),
                kInvalid, {"index", "2", "0 or 1"});
}

}  // namespace
}  // namespace anyacl::test
