// SPDX-License-Identifier: Apache-2.0
// StridedSliceAssignV2 against plain loops.
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_strided_slice_assign_v2.h"
#include "ops/movement_case.h"

namespace anyacl::test {
namespace {

using Integers = std::vector<int64_t>;

class SliceAssignTest : public DeviceTest {
 protected:
  static Phase1 Call(const Tensor& var, const Tensor& value, const Integers& begin,
                     const Integers& end, const Integers& strides, const Integers* axes) {
    return [=, &var, &value](uint64_t* size, aclOpExecutor** e) {
      const IntArrayHandle begins(begin), ends(end), steps(strides);
      const IntArrayHandle dims(axes == nullptr ? Integers{} : *axes);
      return aclnnStridedSliceAssignV2GetWorkspaceSize(
          var.handle(), value.handle(), begins.get(), ends.get(), steps.get(),
          axes == nullptr ? nullptr : dims.get(), size, e);
    };
  }
};

TEST_F(SliceAssignTest, ElementsOfTheSliceAreTheValues) {
  const Integers axes = {2, 0};
  for (aclDataType type :
       {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT8, ACL_INT32, ACL_INT64}) {
    for (Lie to : kOutputLies) {
      for (Lie from : {Lie::kDense, Lie::kBackwards}) {
        for (bool named : {false, true}) {
          const Shape shape = {5, 4, 7};
          // Of dimensions 0 and 2: [1:4:2] and [-5:99:1], the same by either way of naming.
          Tensor var(Lying(shape, type, to)), value(Lying({2, 4, 5}, type, from));
          std::vector<double> before, values;
          for (int i = 0; i < 140; ++i) before.push_back(static_cast<double>(i % 50));
          for (int i = 0; i < 40; ++i) values.push_back(static_cast<double>(60 + i));
          WriteAs(var, before);
          WriteAs(value, values);
          RunTwoPhase(named ? Call(var, value, {-5, 1}, {99, 4}, {1, 2}, &axes)
                            : Call(var, value, {1, 0, 2}, {-1, 4, 7}, {2, 1, 1}, nullptr),
                      aclnnStridedSliceAssignV2);
          for (size_t i = 0; i < 2; ++i) {
            for (size_t j = 0; j < 4; ++j) {
              for (size_t k = 0; k < 5; ++k) {
                before[(1 + 2 * i) * 28 + j * 7 + 2 + k] = values[i * 20 + j * 5 + k];
              }
            }
          }
          EXPECT_EQ(ReadAs(var), before);
          EXPECT_TRUE(var.GuardsIntact());
        }
      }
    }
  }
}

TEST_F(SliceAssignTest, WhatDoesNotFitIsRefused) {
  const Tensor var({.dims = {4, 3}}), value({.dims = {2, 3}}), none({.dims = {0, 3}});
  const Integers twice = {0, 0}, beyond = {2};
  const int code = ACLNN_ERR_PARAM_INVALID;
  ExpectRefused(Call(var, value, {0}, {3}, {1}, nullptr), code,
                {"inputValue.shape = [2, 3]", "[3, 3]"});
  ExpectRefused(Call(var, value, {0}, {2}, {0}, nullptr), code, {"strides[0] = 0"});
  ExpectRefused(Call(var, value, {0, 0}, {2}, {1, 1}, nullptr), code, {"2, 1"});
  ExpectRefused(Call(var, value, {0, 0}, {2, 2}, {1, 1}, &twice), code, {"axesOptional[1] = 0"});
  ExpectRefused(Call(var, value, {0}, {2}, {1}, &beyond), code, {"axesOptional = 2"});
  const auto before = var.Bytes();
  RunTwoPhase(Call(var, none, {3}, {1}, {1}, nullptr), aclnnStridedSliceAssignV2);
  EXPECT_EQ(var.Bytes(), before);
}

}  // namespace
}  // namespace anyacl::test
