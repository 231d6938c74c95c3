// SPDX-License-Identifier: Apache-2.0
// Lists of tensors: modes of rounding, zeros, copies that convert, types that do not go together,
// NaN.
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "aclnnop/aclnn_foreach_add_scalar_v2.h"
#include "aclnnop/aclnn_foreach_copy.h"
#include "aclnnop/aclnn_foreach_maximum_scalar_v2.h"
#include "aclnnop/aclnn_foreach_round_off_number_v2.h"
#include "aclnnop/aclnn_foreach_zero_inplace.h"
#include "support/device_test.h"
#include "support/numbers.h"
#include "support/tensor_list.h"

namespace anyacl::test::foreach_call {
namespace {

class ForeachCallTest : public DeviceTest {};

// The modes of rounding; torch_npu takes 7 for what truncation takes away.
TEST_F(ForeachCallTest, RoundingModes) {
  const std::vector<double> values = {-2.5, -1.75, -0.5, 0, 0.5, 1.5, 2.25, 7};
  const struct {
    int64_t mode;
    std::function<double(double)> of;
  } modes[] = {{1, [](double x) { return std::nearbyint(x); }},
               {2, [](double x) { return std::floor(x); }},
               {3, [](double x) { return std::ceil(x); }},
               {5, [](double x) { return std::trunc(x); }},
               {7, [](double x) { return x - std::trunc(x); }}};
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (auto [number, of] : modes) {
      Tensors x, out;
      x.push_back(std::make_unique<Tensor>(Layout{.dims = {8}, .dtype = type}));
      out.push_back(std::make_unique<Tensor>(Layout{.dims = {8}, .dtype = type}));
      WriteAs(*x[0], values);
      const TensorList from(x), to(out);
      auto narrow = static_cast<int8_t>(number);
      const aclScalar* mode = aclCreateScalar(&narrow, ACL_INT8);
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnForeachRoundOffNumberV2GetWorkspaceSize(from.handle(), mode, to.handle(), s,
                                                                e);
          },
          aclnnForeachRoundOffNumberV2);
      aclDestroyScalar(mode);
      std::vector<double> expected;
      for (double value : values) expected.push_back(of(value));
      EXPECT_EQ(ReadAs(*out[0]), expected) << "mode " << number << " type " << type;
    }
  }
}

TEST_F(ForeachCallTest, ZerosAndConvertingCopies) {
  Tensors x;
  x.push_back(std::make_unique<Tensor>(Layout{.dims = {5}, .dtype = ACL_FLOAT16}));
  x.push_back(
      std::make_unique<Tensor>(Layout{.dims = {2, 3}, .dtype = ACL_FLOAT16, .strides = {1, 2}}));
  WriteAs(*x[0], {1, 2, 3, 4, 5});
  WriteAs(*x[1], {1, 2, 3, 4, 5, 6});
  Tensors out;
  out.push_back(std::make_unique<Tensor>(Layout{.dims = {5}}));
  out.push_back(std::make_unique<Tensor>(Layout{.dims = {2, 3}}));
  const TensorList from(x), to(out);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnForeachCopyGetWorkspaceSize(from.handle(), to.handle(), s, e);
      },
      aclnnForeachCopy);
  EXPECT_EQ(ReadAs(*out[0]), ReadAs(*x[0]));
  EXPECT_EQ(ReadAs(*out[1]), ReadAs(*x[1]));
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnForeachZeroInplaceGetWorkspaceSize(from.handle(), s, e);
      },
      aclnnForeachZeroInplace);
  EXPECT_EQ(ReadAs(*x[0]), std::vector<double>(5, 0.0));
  EXPECT_EQ(ReadAs(*x[1]), std::vector<double>(6, 0.0));
  EXPECT_TRUE(x[1]->GuardsIntact());
}

TEST_F(ForeachCallTest, TypesThatDoNotGoTogetherAreRefused) {
  const auto list = [](aclDataType type) {
    Tensors tensors;
    tensors.push_back(std::make_unique<Tensor>(Layout{.dims = {3}, .dtype = type}));
    return tensors;
  };
  const auto added = [&](aclDataType type, aclDataType scalar_type, bool taken) {
    SCOPED_TRACE(::testing::Message() << type << " and a scalar " << scalar_type);
    const Tensors x = list(type);
    const TensorList tensors(x);
    const int64_t zero = 0;
    const aclScalar* scalar = aclCreateScalar(const_cast<int64_t*>(&zero), scalar_type);
    const Phase1 first = [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnForeachAddScalarV2GetWorkspaceSize(tensors.handle(), scalar, tensors.handle(), s,
                                                     e);
    };
    if (taken) {
      RunTwoPhase(first, aclnnForeachAddScalarV2);
    } else {
      ExpectRefused(first, 161002, {"scalar.dtype"});
    }
    aclDestroyScalar(scalar);
  };
  added(ACL_FLOAT, ACL_FLOAT, true);
  added(ACL_FLOAT16, ACL_FLOAT16, true);
  added(ACL_FLOAT16, ACL_FLOAT, false);
  added(ACL_BF16, ACL_INT32, false);
  added(ACL_INT8, ACL_INT32, true);
  added(ACL_INT32, ACL_FLOAT, false);
  const auto copied = [&](aclDataType from, aclDataType to, bool taken) {
    SCOPED_TRACE(::testing::Message() << from << " to " << to);
    const Tensors x = list(from), y = list(to);
    const TensorList source(x), target(y);
    const Phase1 first = [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnForeachCopyGetWorkspaceSize(source.handle(), target.handle(), s, e);
    };
    if (taken) {
      RunTwoPhase(first, aclnnForeachCopy);
    } else {
      ExpectRefused(first, 161002, {"out[0].dtype"});
    }
  };
  copied(ACL_BF16, ACL_FLOAT, true);
  copied(ACL_FLOAT, ACL_BF16, true);
  copied(ACL_FLOAT16, ACL_BF16, false);
  copied(ACL_INT32, ACL_FLOAT, false);
  copied(ACL_FLOAT, ACL_DOUBLE, false);
}

// A bound that is NaN makes everything NaN, and elements that are stay so.
TEST_F(ForeachCallTest, NaN) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  for (double bound : {nan, 1.0}) {
    Tensors x;
    x.push_back(std::make_unique<Tensor>(Layout{.dims = {3}}));
    WriteAs(*x[0], {nan, 0, 2});
    const aclScalar* scalar = aclCreateScalar(&bound, ACL_DOUBLE);
    const TensorList list(x);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnForeachMaximumScalarV2GetWorkspaceSize(list.handle(), scalar, list.handle(),
                                                             s, e);
        },
        aclnnForeachMaximumScalarV2);
    aclDestroyScalar(scalar);
    const auto result = ReadAs(*x[0]);
    EXPECT_TRUE(std::isnan(result[0]));
    EXPECT_TRUE(std::isnan(bound) ? std::isnan(result[2]) : result[1] == 1 && result[2] == 2);
  }
}

}  // namespace
}  // namespace anyacl::test::foreach_call
