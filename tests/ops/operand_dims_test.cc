// SPDX-License-Identifier: Apache-2.0
// Words of dimensions that operators' tables have for readers only, against a table of the test's.
#include <stdexcept>

#include "nnop/operands.h"
#include "support/device_test.h"

namespace anyacl::test {
namespace {

constexpr ParamSpec kRows[] = {In(0, "x", {ACL_FLOAT}, "B S"), In(1, "mask", {ACL_FLOAT}, "B? S+")};
constexpr OpSpec kSpec = {.op = {"first", "second"}, .params = kRows};

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

}  // namespace
}  // namespace anyacl::test
