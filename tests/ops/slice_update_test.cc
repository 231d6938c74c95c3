// SPDX-License-Identifier: Apache-2.0
// Slices put where indices say, against the documents' words element by element.
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_scatter_nd_update.h"
#include "aclnnop/aclnn_scatter_update.h"
#include "ops/moe_case.h"

namespace anyacl::test::slice_update {
namespace {

using namespace moe;

int64_t CountOf(const Shape& dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
}

class SliceUpdateTest : public MoeTest {
 protected:
  Numbers Whole(int64_t count) {
    Numbers values;
    for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(random().Int(0, 100)));
    return values;
  }
  // `strides`: a target whose first dimension alone has gaps, as slices of larger tensors.
  static Tensor TargetOf(const Shape& dims, aclDataType type, int strides) {
    if (strides != 2) return Made(dims, type, strides == 1);
    Layout layout{.dims = dims, .dtype = type, .strides = ContiguousStrides(dims)};
    layout.strides[0] += 9;
    return Tensor(layout);
  }

  void CheckNd(const Shape& target, const Shape& leading, int64_t count, aclDataType type,
               aclDataType index_type, int strides, bool repeats = false) {
    SCOPED_TRACE(::testing::Message()
                 << "target of rank " << target.size() << ", " << count << " indices, type " << type
                 << " " << index_type << " strides " << strides << " repeats " << repeats);
    Shape index_dims = leading, update_dims = leading;
    index_dims.push_back(count);
    update_dims.insert(update_dims.end(), target.begin() + count, target.end());
    const int64_t slices = CountOf(leading);
    const int64_t size = CountOf({target.begin() + count, target.end()});
    // Places of slices, each once unless they repeat.
    const int64_t all = CountOf({target.begin(), target.begin() + count});
    std::vector<int64_t> order(static_cast<size_t>(all));
    std::iota(order.begin(), order.end(), int64_t{0});
    for (size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1],
                order[static_cast<size_t>(random().Int(0, static_cast<int64_t>(i) - 1))]);
    }
    Numbers indices, expected = Whole(CountOf(target));
    const Numbers old = expected, updates = Whole(slices * size);
    for (int64_t i = 0; i < slices; ++i) {
      const int64_t place = order[static_cast<size_t>(repeats ? i % 3 : i)];
      int64_t rest = place, step = all;
      for (int64_t k = 0; k < count; ++k) {
        step /= target[static_cast<size_t>(k)];
        indices.push_back(static_cast<double>(rest / step));
        rest %= step;
      }
      std::copy_n(updates.begin() + i * size, size, expected.begin() + place * size);
    }
    Tensor to = TargetOf(target, type, strides);
    const auto as_type = [&](Numbers values) {
      for (double& value : values) value = type == ACL_BOOL ? value > 50 : value;
      return values;
    };
    WriteAs(to, as_type(old));
    const Tensor index = Holding(index_dims, index_type, indices, strides == 1);
    const Tensor from = Holding(update_dims, type, as_type(updates), strides == 1);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnScatterNdUpdateGetWorkspaceSize(to.handle(), index.handle(), from.handle(), s,
                                                      e);
        },
        aclnnScatterNdUpdate);
    EXPECT_EQ(ReadAs(to), as_type(expected));
    EXPECT_TRUE(to.GuardsIntact());
  }

  // data[b][.., offset + k, ..] = updates[i][.., k, ..] with b = i, or the first of two indices.
  void CheckUpdate(const Shape& data, int64_t slices, int64_t length, int axis, bool paired,
                   aclDataType type, aclDataType index_type, int strides) {
    SCOPED_TRACE(::testing::Message()
                 << slices << " slices of " << length << " axis " << axis << " paired " << paired
                 << " type " << type << " " << index_type << " strides " << strides);
    const auto rank = static_cast<int>(data.size());
    const auto at = static_cast<size_t>(axis < 0 ? axis + rank : axis);
    Shape dims = data;
    dims[0] = slices;
    dims[at] = length;
    Numbers indices, expected = Whole(CountOf(data));
    const Numbers old = expected, updates = Whole(CountOf(dims));
    const int64_t outer = CountOf({data.begin() + 1, data.begin() + static_cast<int64_t>(at)});
    const int64_t inner = CountOf({data.begin() + static_cast<int64_t>(at) + 1, data.end()});
    for (int64_t i = 0; i < slices; ++i) {
      const int64_t batch = paired ? (i * 2 + 1) % data[0] : i;
      const int64_t offset = random().Int(0, data[at] - length);
      if (paired) indices.push_back(static_cast<double>(batch));
      indices.push_back(static_cast<double>(offset));
      for (int64_t o = 0; o < outer; ++o) {
        for (int64_t k = 0; k < length; ++k) {
          const int64_t from = ((i * outer + o) * length + k) * inner;
          const int64_t to = ((batch * outer + o) * data[at] + offset + k) * inner;
          std::copy_n(updates.begin() + from, inner, expected.begin() + to);
        }
      }
    }
    Tensor to = TargetOf(data, type, strides);
    WriteAs(to, old);
    const Tensor from = Holding(dims, type, updates, strides == 1);
    const Tensor index =
        Holding(paired ? Shape{slices, 2} : Shape{slices}, index_type, indices, strides == 1);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnInplaceScatterUpdateGetWorkspaceSize(to.handle(), index.handle(),
                                                           from.handle(), axis, s, e);
        },
        aclnnInplaceScatterUpdate);
    EXPECT_EQ(ReadAs(to), expected);
    EXPECT_TRUE(to.GuardsIntact());
  }
};

TEST_F(SliceUpdateTest, NdIndicesNameSlices) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_FLOAT, ACL_INT64, ACL_BOOL, ACL_INT8}) {
    for (aclDataType index : {ACL_INT32, ACL_INT64}) {
      for (int strides : {0, 1, 2}) {
        CheckNd({4, 5, 6}, {3}, 1, type, index, strides);
        CheckNd({4, 5, 6}, {3, 2}, 2, type, index, strides);
        CheckNd({4, 5, 6}, {7, 3, 2}, 3, type, index, strides);
        CheckNd({40}, {17}, 1, type, index, strides);
        CheckNd({4, 5, 6}, {20}, 2, type, index, strides, true);
      }
    }
  }
  CheckNd({2, 3, 2, 3, 2, 3, 2, 3}, {50}, 7, ACL_FLOAT, ACL_INT32, 0);
  CheckNd({300, 5000}, {100}, 1, ACL_FLOAT, ACL_INT32, 0);
  CheckNd({300, 5000}, {100}, 1, ACL_FLOAT, ACL_INT32, 1);
  CheckNd({3, 70000}, {2}, 1, ACL_FLOAT, ACL_INT32, 2);
  CheckNd({30000}, {20000}, 1, ACL_INT8, ACL_INT64, 0);
  CheckNd({4, 5}, {0}, 1, ACL_FLOAT, ACL_INT32, 0);
  CheckNd({4, 0}, {3}, 1, ACL_FLOAT, ACL_INT32, 0);
}

TEST_F(SliceUpdateTest, OffsetsAlongAnAxisNameSlices) {
  for (aclDataType type : {ACL_INT8, ACL_UINT8, ACL_FLOAT16, ACL_FLOAT, ACL_INT32, ACL_BF16}) {
    for (aclDataType index : {ACL_INT32, ACL_INT64}) {
      for (int strides : {0, 1, 2}) {
        for (bool paired : {false, true}) {
          CheckUpdate({5, 3, 8, 6}, 5, 1, -2, paired, type, index, strides);
          CheckUpdate({5, 3, 8, 6}, 4, 3, 2, paired, type, index, strides);
          CheckUpdate({5, 3, 8, 6}, 3, 2, -1, paired, type, index, strides);
          CheckUpdate({5, 9}, 5, 9, 1, paired, type, index, strides);
        }
      }
    }
  }
  CheckUpdate({4, 16, 300, 128}, 4, 20, 2, false, ACL_FLOAT16, ACL_INT32, 0);
  CheckUpdate({2, 3, 2, 3, 2, 3, 2, 3}, 2, 1, 5, false, ACL_FLOAT, ACL_INT32, 0);
}

// A single number is the place of one slice; of slices that meet the last one stays.
TEST_F(SliceUpdateTest, OneIndexAndSlicesThatMeet) {
  const Tensor data = Holding({2, 6}, ACL_INT32, Numbers(12, 0));
  const Tensor one = Holding({1, 2}, ACL_INT32, {7, 8});
  const Tensor index = Holding({}, ACL_INT64, {3});
  const auto call = [&](const Tensor& indices, const Tensor& updates) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnInplaceScatterUpdateGetWorkspaceSize(data.handle(), indices.handle(),
                                                       updates.handle(), 1, s, e);
    };
  };
  RunTwoPhase(call(index, one), aclnnInplaceScatterUpdate);
  EXPECT_EQ(ReadAs(data), (Numbers{0, 0, 0, 7, 8, 0, 0, 0, 0, 0, 0, 0}));
  const Tensor pairs = Holding({3, 2}, ACL_INT32, {1, 2, 1, 3, 1, 1});
  const Tensor three = Holding({3, 2}, ACL_INT32, {1, 2, 3, 4, 5, 6});
  RunTwoPhase(call(pairs, three), aclnnInplaceScatterUpdate);
  EXPECT_EQ(ReadAs(data), (Numbers{0, 0, 0, 7, 8, 0, 0, 5, 6, 3, 4, 0}));
}

TEST_F(SliceUpdateTest, IndicesThatAreNoneFail) {
  const Tensor target = Holding({4, 5}, ACL_FLOAT, Numbers(20, 1));
  const Tensor updates = Holding({3}, ACL_FLOAT, {1, 2, 3}), rows = Made({2, 2}, ACL_FLOAT);
  for (double wrong : {5.0, -1.0}) {
    const Tensor indices = Holding({3, 2}, ACL_INT32, {0, 1, 2, wrong, 3, 3});
    ExpectTaskFails(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnScatterNdUpdateGetWorkspaceSize(target.handle(), indices.handle(),
                                                      updates.handle(), s, e);
        },
        aclnnScatterNdUpdate, wrong > 0 ? "indices[3] = 5, expected 0 to 4" : "indices[3] = -1");
    const Tensor offsets = Holding({2}, ACL_INT64, {0, wrong > 0 ? 4 : wrong});
    ExpectTaskFails(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnInplaceScatterUpdateGetWorkspaceSize(target.handle(), offsets.handle(),
                                                           rows.handle(), 1, s, e);
        },
        aclnnInplaceScatterUpdate,
        wrong > 0 ? "indices[1] = 4, expected 0 to 3" : "indices[1] = -1");
  }
  EXPECT_EQ(ReadAs(target), Numbers(20, 1));
}

TEST_F(SliceUpdateTest, RefusesWhatDoesNotFit) {
  const int code = ACLNN_ERR_PARAM_INVALID;
  const Tensor target = Made({4, 5, 6}, ACL_FLOAT), half = Made({3, 6}, ACL_FLOAT16);
  const auto nd = [&](const Tensor& indices, const Tensor& updates,
                      std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnScatterNdUpdateGetWorkspaceSize(target.handle(), indices.handle(),
                                                      updates.handle(), s, e);
        },
        code, words);
  };
  nd(Made({3}, ACL_INT32), Made({3, 6}, ACL_FLOAT), {"indices.shape = [3]", "rank 1"});
  nd(Made({3, 4}, ACL_INT32), Made({3}, ACL_FLOAT), {"indices.shape[1] = 4", "1 to 3"});
  nd(Made({3, 0}, ACL_INT32), Made({3}, ACL_FLOAT), {"indices.shape[1] = 0", "1 to 3"});
  nd(Made({3, 2}, ACL_INT32), Made({3, 5}, ACL_FLOAT), {"updates.shape = [3, 5]", "[3, 6]"});
  nd(Made({3, 2}, ACL_INT32), half, {"updates.dtype = FLOAT16"});
  nd(Made({3, 2}, ACL_FLOAT), Made({3, 6}, ACL_FLOAT), {"indices.dtype = FLOAT"});
  const auto update = [&](const Tensor& indices, const Tensor& updates, int64_t axis,
                          std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnInplaceScatterUpdateGetWorkspaceSize(target.handle(), indices.handle(),
                                                           updates.handle(), axis, s, e);
        },
        code, words);
  };
  const Tensor four = Made({4}, ACL_INT32), five = Made({5}, ACL_INT32);
  const Tensor right = Made({4, 2, 6}, ACL_FLOAT);
  update(four, right, 0, {"axis = 0"});
  update(four, right, -3, {"axis = -3"});
  update(four, right, 3, {"axis = 3", "-3 to 2"});
  update(four, right, 2, {"updates.shape = [4, 2, 6]"});
  update(four, Made({4, 6, 6}, ACL_FLOAT), 1, {"updates.shape = [4, 6, 6]", "at most 5"});
  update(five, Made({5, 2, 6}, ACL_FLOAT), 1, {"updates.shape = [5, 2, 6]"});
  update(five, right, 1, {"updates.shape = [4, 2, 6]", "5 in dimension 0"});
  update(four, Made({4, 6}, ACL_FLOAT), 1, {"updates.shape = [4, 6]"});
  update(Made({4, 3}, ACL_INT32), right, 1, {"indices.shape"});
}

}  // namespace
}  // namespace anyacl::test::slice_update
