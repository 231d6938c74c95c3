// SPDX-License-Identifier: Apache-2.0
// Words of dimensions that operators' tables have for readers only, against a table of the test's.
#include <stdexcept>

#include "nnop/operands.h"
#include "support/device_test.h"

namespace anyacl::test {
namespace {

constexpr ParamSpec kRows[] = {In(0, "x", {ACL_FLOAT}, "B S"), In(1, "mask", {ACL_FLOAT}, "B? S+")};
constexpr OpSpec kSpec = {.op = {"first", "second"}, .params = kRows};
constexpr ParamSpec kOptionalRows[] = {In(0, "x", {ACL_FLOAT}, "*"),
                                       In(1, "mask", {ACL_FLOAT}, "*", Need::kOptional)};
constexpr OpSpec kOptional = {.op = {"first", "second"}, .params = kOptionalRows};

class OperandDimsTest : public DeviceTest {
 protected:
  bool Fits(const std::vector<int64_t>& mask) {
    const Tensor x({.dims = {2, 3}}), other({.dims = mask});
    const Argument arguments[] = {x.handle(), other.handle()};
    Operands operands(kSpec, arguments);
    EXPECT_TRUE(operands.Resolve().ok());
    const bool fits = operands.CheckShapes().ok();
    if (fits) {
      EXPECT_EQ(operands.Size("B"), 2);
      EXPECT_EQ(operands.Size("S"), 3);
    }
    EXPECT_THROW((void)operands.Size("T"), std::logic_error);
    return fits;
  }
};

TEST_F(OperandDimsTest, AtLeastAndOrOne) {
  EXPECT_TRUE(Fits({2, 3}));
  EXPECT_TRUE(Fits({1, 3}));
  EXPECT_TRUE(Fits({2, 4}));
  EXPECT_FALSE(Fits({3, 3}));
  EXPECT_FALSE(Fits({2, 2}));
  EXPECT_FALSE(Fits({0, 3}));
  EXPECT_FALSE(Fits({2, 3, 1}));
}

// What one number is repeated to is work, whatever memory it takes.
TEST_F(OperandDimsTest, ElementsOfACallAreThoseOfAllItsTensors) {
  const auto count = [](std::vector<int64_t> x_dims, std::vector<int64_t> x_strides, bool with_mask,
                        int64_t most) {
    const Tensor mask({.dims = {2, 3}});
    const aclTensor* const x =
        aclCreateTensor(x_dims.data(), x_dims.size(), ACL_FLOAT, x_strides.data(), 0, ACL_FORMAT_ND,
                        x_dims.data(), x_dims.size(), nullptr);
    const Argument arguments[] = {x, with_mask ? mask.handle() : nullptr};
    Operands operands(kOptional, arguments);
    EXPECT_TRUE(operands.Resolve().ok());
    EXPECT_OK(aclDestroyTensor(x));
    return operands.HasAtMost(most);
  };
  EXPECT_TRUE(count({7, 3}, {3, 1}, false, 21));
  EXPECT_FALSE(count({7, 3}, {3, 1}, false, 20));
  EXPECT_TRUE(count({7, 3}, {3, 1}, true, 27));
  EXPECT_FALSE(count({7, 3}, {3, 1}, true, 26));
  EXPECT_FALSE(count({4, 1024}, {0, 0}, false, 4095));
  EXPECT_TRUE(count({0, 1024}, {0, 0}, false, 0));
  EXPECT_FALSE(count({INT64_MAX, INT64_MAX}, {0, 0}, true, 1 << 20));
}

}  // namespace
}  // namespace anyacl::test
