// SPDX-License-Identifier: Apache-2.0
// Slices put into the tensors of a list, and slices that are quantised on their way, against the
// documents' words element by element.
#include <cmath>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_quant_scatter.h"
#include "aclnnop/aclnn_scatter_list.h"
#include "ops/moe_case.h"
#include "support/tensor_list.h"

namespace anyacl::test::slice_list {
namespace {

using namespace moe;

constexpr int kTiling = ACLNN_ERR_INNER_TILING_ERROR;
constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;

int64_t CountOf(const Shape& dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
}

class SliceListTest : public MoeTest {
 protected:
  Numbers Whole(int64_t count) {
    Numbers values;
    for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(random().Int(0, 99)));
    return values;
  }

  struct Listed {
    size_t tensors = 4;
    Shape target = {3, 9, 5};
    int64_t length = 2, axis = -2;
    aclDataType type = ACL_FLOAT, index_type = ACL_INT32;
    bool paired = false, masked = false, strided = false;
    const char* reduce = "update";
  };
  void CheckList(const Listed& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.tensors << " tensors of rank " << c.target.size() << " length " << c.length
                 << " axis " << c.axis << " type " << c.type << " " << c.index_type << " paired "
                 << c.paired << " masked " << c.masked << " strided " << c.strided);
    const auto rank = static_cast<int64_t>(c.target.size());
    const auto at = static_cast<size_t>(c.axis < 0 ? c.axis + rank : c.axis - 1);
    Shape dims = {static_cast<int64_t>(c.tensors)};
    dims.insert(dims.end(), c.target.begin(), c.target.end());
    dims[at + 1] = c.length;
    const Numbers updates = Whole(CountOf(dims));
    const int64_t outer = CountOf({c.target.begin(), c.target.begin() + static_cast<int64_t>(at)});
    const int64_t inner =
        CountOf({c.target.begin() + static_cast<int64_t>(at) + 1, c.target.end()});
    Tensors targets;
    std::vector<Numbers> expected;
    Numbers indices, mask;
    for (size_t b = 0; b < c.tensors; ++b) {
      expected.push_back(Whole(CountOf(c.target)));
      targets.push_back(
          std::make_unique<Tensor>(Holding(c.target, c.type, expected[b], c.strided)));
      // 1 alone updates.
      mask.push_back(static_cast<double>(b % 3));
      const int64_t length = c.paired ? random().Int(0, c.length) : c.length;
      const int64_t begin = random().Int(0, c.target[at] - length);
      const bool updated = !c.masked || mask[b] == 1;
      // Where nothing is updated the index may be any.
      indices.push_back(static_cast<double>(updated ? begin : 1000));
      if (c.paired) indices.push_back(static_cast<double>(length));
      if (!updated) continue;
      for (int64_t o = 0; o < outer; ++o) {
        for (int64_t k = 0; k < length; ++k) {
          const int64_t from = ((static_cast<int64_t>(b) * outer + o) * c.length + k) * inner;
          const int64_t to = (o * c.target[at] + begin + k) * inner;
          std::copy_n(updates.begin() + from, inner, expected[b].begin() + to);
        }
      }
    }
    const TensorList list(targets);
    const Tensor from = Holding(dims, c.type, updates, c.strided);
    const Tensor index =
        Holding(c.paired ? Shape{dims[0], 2} : Shape{dims[0]}, c.index_type, indices, c.strided);
    const Tensor masks = Holding({dims[0]}, ACL_UINT8, mask, c.strided);
    std::string reduce = c.reduce == nullptr ? "" : c.reduce;
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnScatterListGetWorkspaceSize(
              list.handle(), index.handle(), from.handle(), c.masked ? masks.handle() : nullptr,
              c.reduce == nullptr ? nullptr : reduce.data(), c.axis, s, e);
        },
        aclnnScatterList);
    for (size_t b = 0; b < c.tensors; ++b) {
      EXPECT_EQ(ReadAs(*targets[b]), expected[b]) << b;
      EXPECT_TRUE(targets[b]->GuardsIntact());
    }
  }

  struct Quantised {
    Shape target = {4, 9, 32};
    int64_t slices = 3, length = 2;
    aclDataType type = ACL_BF16, index_type = ACL_INT32;
    bool zero_points = true, strided = false;
  };
  void CheckQuantised(const Quantised& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.slices << " slices of " << c.length << " type " << c.type << " "
                 << c.index_type << " zero points " << c.zero_points << " strided " << c.strided);
    const bool bf16 = c.type == ACL_BF16;
    const int64_t columns = c.target[2];
    const auto count = static_cast<size_t>(columns);
    const aclDataType scale_type = bf16 ? ACL_BF16 : ACL_FLOAT;
    const aclDataType zero_type = bf16 ? ACL_BF16 : ACL_INT32;
    const Numbers scales = Drawn(scale_type, count, 0.01, 0.3);
    const Numbers zeros = Drawn(zero_type, count, -20, 20);
    const Shape dims = {c.slices, c.length, columns};
    const Numbers updates = Drawn(c.type, static_cast<size_t>(CountOf(dims)), -8, 8);
    Numbers expected = Whole(CountOf(c.target)), indices;
    Numbers exact(expected.size(), NAN);
    Tensor target = Holding(c.target, ACL_INT8, expected, c.strided);
    for (int64_t i = 0; i < c.slices; ++i) {
      const int64_t begin = random().Int(0, c.target[1] - c.length);
      indices.push_back(static_cast<double>(begin));
      for (int64_t k = 0; k < c.length; ++k) {
        for (int64_t d = 0; d < columns; ++d) {
          const auto at = static_cast<size_t>((i * c.target[1] + begin + k) * columns + d);
          const auto from = static_cast<size_t>((i * c.length + k) * columns + d);
          const auto column = static_cast<size_t>(d);
          exact[at] = updates[from] / scales[column] + (c.zero_points ? zeros[column] : 0);
        }
      }
    }
    const Tensor from = Holding(dims, c.type, updates, c.strided);
    const Tensor index = Holding({c.slices}, c.index_type, indices, c.strided);
    const Tensor scale = Holding({1, 1, columns}, scale_type, scales, c.strided);
    const Tensor zero = Holding({1, 1, columns}, zero_type, zeros, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnInplaceQuantScatterGetWorkspaceSize(
              target.handle(), index.handle(), from.handle(), scale.handle(),
              c.zero_points ? zero.handle() : nullptr, -2, -1, 1, s, e);
        },
        aclnnInplaceQuantScatter);
    const Numbers actual = ReadAs(target);
    for (size_t i = 0; i < actual.size(); ++i) {
      if (std::isnan(exact[i])) {
        ASSERT_EQ(actual[i], expected[i]) << i;
      } else {
        // Where it is near the middle between two integers, either.
        ASSERT_NEAR(actual[i], std::clamp(exact[i], -128.0, 127.0), 0.5 + 1e-4) << i;
      }
    }
    EXPECT_TRUE(target.GuardsIntact());
  }
};

TEST_F(SliceListTest, TensorsOfAListAreUpdated) {
  for (aclDataType type : {ACL_INT8, ACL_INT16, ACL_INT32, ACL_UINT8, ACL_UINT16, ACL_UINT32,
                           ACL_FLOAT16, ACL_BF16, ACL_FLOAT}) {
    for (bool strided : {false, true}) {
      CheckList({.type = type, .strided = strided});
      CheckList({.type = type,
                 .index_type = ACL_INT64,
                 .paired = true,
                 .masked = true,
                 .strided = strided});
    }
  }
  for (int64_t axis : {1, 2, 3, -1, -2, -3}) {
    CheckList({.axis = axis, .masked = true});
    CheckList({.axis = axis, .paired = true});
  }
  CheckList({.tensors = 1, .target = {7}, .axis = 1, .reduce = nullptr});
  CheckList({.tensors = 2, .target = {2, 1, 2, 3, 2, 5, 2}, .axis = 6});
  CheckList({.tensors = 3, .target = {4, 300, 256}, .length = 200});
  CheckList({.length = 9});
}

TEST_F(SliceListTest, SlicesAreQuantised) {
  for (aclDataType type : {ACL_BF16, ACL_FLOAT16}) {
    for (aclDataType index : {ACL_INT32, ACL_INT64}) {
      for (bool zero_points : {false, true}) {
        CheckQuantised({.type = type, .index_type = index, .zero_points = zero_points});
        CheckQuantised(
            {.type = type, .index_type = index, .zero_points = zero_points, .strided = true});
      }
    }
    CheckQuantised({.target = {1, 1, 32}, .slices = 1, .length = 1, .type = type});
    CheckQuantised({.target = {40, 70, 96}, .slices = 40, .length = 33, .type = type});
  }
}

TEST_F(SliceListTest, NothingToUpdate) {
  Tensors targets;
  targets.push_back(std::make_unique<Tensor>(Holding({2, 3}, ACL_FLOAT, Numbers(6, 1))));
  const TensorList list(targets);
  const Tensor index = Made({1}, ACL_INT32), updates = Made({1, 0, 3}, ACL_FLOAT);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnScatterListGetWorkspaceSize(list.handle(), index.handle(), updates.handle(),
                                                nullptr, nullptr, -2, s, e);
      },
      aclnnScatterList);
  const Tensor target = Made({2, 3, 4}, ACL_INT8), none = Made({0}, ACL_INT32);
  const Tensor slices = Made({0, 1, 4}, ACL_BF16), scales = Made({4}, ACL_BF16);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnInplaceQuantScatterGetWorkspaceSize(target.handle(), none.handle(),
                                                        slices.handle(), scales.handle(), nullptr,
                                                        -2, 2, 1, s, e);
      },
      aclnnInplaceQuantScatter);
  EXPECT_EQ(ReadAs(*targets[0]), Numbers(6, 1));
}

TEST_F(SliceListTest, PlacesThatThereAreNotFailTheTask) {
  const Tensor updates = Holding({2, 3}, ACL_FLOAT, Numbers(6, 2));
  const auto check = [&](const Shape& dims, const Numbers& indices, std::string_view word) {
    Tensors targets;
    for (int i = 0; i < 2; ++i) {
      targets.push_back(std::make_unique<Tensor>(Holding({5}, ACL_FLOAT, Numbers(5, 1))));
    }
    const TensorList list(targets);
    const Tensor index = Holding(dims, ACL_INT64, indices);
    ExpectTaskFails(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnScatterListGetWorkspaceSize(list.handle(), index.handle(), updates.handle(),
                                                  nullptr, nullptr, -1, s, e);
        },
        aclnnScatterList, word);
    EXPECT_EQ(ReadAs(*targets[0]), Numbers(5, 1));
  };
  check({2}, {0, 3}, "indice[1] = 3, expected 0 to 2");
  check({2}, {0, -1}, "indice[1] = -1, expected 0 to 2");
  check({2, 2}, {0, 1, 5, 1}, "indice[1] = 5, expected 0 to 4");
  check({2, 2}, {0, 1, 0, 4}, "indice[1, 1] = 4, expected 0 to 3");
  check({2, 2}, {0, 1, 0, -1}, "indice[1, 1] = -1, expected 0 to 3");

  const Tensor target = Holding({1, 4, 8}, ACL_INT8, Numbers(32, 1));
  const Tensor slices = Holding({1, 2, 8}, ACL_BF16, Numbers(16, 5));
  const Tensor scales = Holding({8}, ACL_BF16, Numbers(8, 1));
  for (double wrong : {3.0, -1.0}) {
    const Tensor index = Holding({1}, ACL_INT32, {wrong});
    ExpectTaskFails(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnInplaceQuantScatterGetWorkspaceSize(target.handle(), index.handle(),
                                                          slices.handle(), scales.handle(), nullptr,
                                                          -2, -1, 1, s, e);
        },
        aclnnInplaceQuantScatter,
        wrong > 0 ? "indices[0] = 3, expected 0 to 2" : "indices[0] = -1");
  }
  EXPECT_EQ(ReadAs(target), Numbers(32, 1));
}

TEST_F(SliceListTest, RefusesListsThatDoNotFit) {
  const auto refused = [&](size_t count, const Shape& target, aclDataType type, const Tensor& index,
                           const Tensor& updates, const Tensor* mask, std::string reduce,
                           int64_t axis, int code, std::initializer_list<std::string_view> words) {
    Tensors targets;
    for (size_t i = 0; i < count; ++i)
      targets.push_back(std::make_unique<Tensor>(Made(target, type)));
    const TensorList list(targets);
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnScatterListGetWorkspaceSize(list.handle(), index.handle(), updates.handle(),
                                                  mask == nullptr ? nullptr : mask->handle(),
                                                  reduce.data(), axis, s, e);
        },
        code, words);
  };
  const Tensor two = Made({2}, ACL_INT32), updates = Made({2, 3, 1, 6}, ACL_FLOAT);
  const Shape target = {3, 5, 6};
  refused(2, target, ACL_FLOAT, two, updates, nullptr, "add", -2, kInvalid,
          {"reduceOptional = \"add\""});
  refused(2, target, ACL_FLOAT16, two, updates, nullptr, "update", -2, kInvalid,
          {"varRef[0].dtype = FLOAT16", "FLOAT as updates.dtype"});
  refused(2, target, ACL_INT64, two, updates, nullptr, "update", -2, kInvalid,
          {"varRef[0].dtype = INT64"});
  refused(2, target, ACL_FLOAT, Made({2}, ACL_FLOAT), updates, nullptr, "update", -2, kInvalid,
          {"indice.dtype = FLOAT"});
  const Tensor int8_mask = Made({2}, ACL_INT8), long_mask = Made({3}, ACL_UINT8);
  refused(2, target, ACL_FLOAT, two, updates, &int8_mask, "update", -2, kInvalid,
          {"maskOptional.dtype = INT8"});
  refused(2, target, ACL_FLOAT, two, updates, &long_mask, "update", -2, kTiling,
          {"shape[0]", "maskOptional"});
  refused(3, target, ACL_FLOAT, two, updates, nullptr, "update", -2, kTiling,
          {"varRef has 3 tensors", "2: updates.shape[0]"});
  refused(0, target, ACL_FLOAT, two, updates, nullptr, "update", -2, kTiling,
          {"varRef has 0 tensors"});
  refused(2, target, ACL_FLOAT, two, updates, nullptr, "update", 0, kTiling, {"axis = 0"});
  refused(2, target, ACL_FLOAT, two, updates, nullptr, "update", -4, kTiling, {"axis = -4"});
  refused(2, target, ACL_FLOAT, two, updates, nullptr, "update", 4, kTiling,
          {"axis = 4", "-4 to 3"});
  refused(2, target, ACL_FLOAT, two, updates, nullptr, "update", -1, kTiling,
          {"updates.shape = [2, 3, 1, 6]"});
  refused(2, {3, 5}, ACL_FLOAT, two, updates, nullptr, "update", -2, kTiling,
          {"updates.shape = [2, 3, 1, 6]", "varRef[0].shape = [3, 5]"});
  refused(2, target, ACL_FLOAT, two, Made({2, 3, 7, 6}, ACL_FLOAT), nullptr, "update", -2, kTiling,
          {"updates.shape = [2, 3, 7, 6]"});
  refused(2, target, ACL_FLOAT, Made({2, 3}, ACL_INT32), updates, nullptr, "update", -2, kTiling,
          {"indice.shape"});
  refused(2, target, ACL_FLOAT, Made({3}, ACL_INT32), updates, nullptr, "update", -2, kTiling,
          {"shape[0]", "indice"});
}

TEST_F(SliceListTest, RefusesQuantisedSlicesThatDoNotFit) {
  const Tensor target = Made({4, 9, 32}, ACL_INT8), index = Made({3}, ACL_INT32);
  const Tensor bf16 = Made({3, 2, 32}, ACL_BF16), scales = Made({1, 1, 32}, ACL_BF16);
  const Tensor half = Made({3, 2, 32}, ACL_FLOAT16), floats = Made({1, 1, 32}, ACL_FLOAT);
  const Tensor integers = Made({1, 1, 32}, ACL_INT32);
  const auto refused = [&](const Tensor& indices, const Tensor& updates, const Tensor& scale,
                           const Tensor* zero, int64_t axis, int64_t quant_axis, int64_t reduction,
                           std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnInplaceQuantScatterGetWorkspaceSize(
              target.handle(), indices.handle(), updates.handle(), scale.handle(),
              zero == nullptr ? nullptr : zero->handle(), axis, quant_axis, reduction, s, e);
        },
        kInvalid, words);
  };
  refused(index, bf16, floats, nullptr, -2, -1, 1,
          {"quantScales.dtype = FLOAT", "BF16 as updates.dtype is BF16"});
  refused(index, bf16, scales, &integers, -2, -1, 1, {"quantZeroPoints.dtype = INT32", "BF16"});
  refused(index, half, scales, nullptr, -2, -1, 1, {"quantScales.dtype = BF16", "FLOAT as"});
  refused(index, half, floats, &scales, -2, -1, 1, {"quantZeroPoints.dtype = BF16", "INT32 as"});
  refused(index, bf16, scales, nullptr, -1, -1, 1, {"axis = -1", "expected -2"});
  refused(index, bf16, scales, nullptr, 3, -1, 1, {"axis = 3"});
  refused(index, bf16, scales, nullptr, -2, -2, 1, {"quantAxis = -2", "expected -1"});
  refused(index, bf16, scales, nullptr, -2, -4, 1, {"quantAxis = -4"});
  refused(index, bf16, scales, nullptr, -2, -1, 0, {"reduction is 0"});
  refused(index, Made({3, 2, 16}, ACL_BF16), scales, nullptr, -2, -1, 1, {"updates.shape[2] = 16"});
  refused(index, Made({3, 10, 32}, ACL_BF16), scales, nullptr, -2, -1, 1,
          {"updates.shape = [3, 10, 32]", "at most selfRef.shape = [4, 9, 32]"});
  refused(Made({5}, ACL_INT32), Made({5, 2, 32}, ACL_BF16), scales, nullptr, -2, -1, 1,
          {"updates.shape = [5, 2, 32]"});
  refused(index, Made({3, 2, 1, 32}, ACL_BF16), scales, nullptr, -2, -1, 1, {"updates.shape"});
  refused(index, bf16, Made({31}, ACL_BF16), nullptr, -2, -1, 1, {"quantScales", "32"});
  refused(Made({3, 1}, ACL_INT32), bf16, scales, nullptr, -2, -1, 1, {"indices.shape"});
  refused(Made({2}, ACL_INT32), bf16, scales, nullptr, -2, -1, 1, {"updates.shape[0] = 3"});
}

}  // namespace
}  // namespace anyacl::test::slice_list
