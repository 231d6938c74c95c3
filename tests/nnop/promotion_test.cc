// SPDX-License-Identifier: Apache-2.0
// The deduction of types of CANN's documents (docs/zh/context/deduction_relationship.md of the
// operator repositories), which is PyTorch's, as a table.
#include "nnop/promotion.h"

#include <gtest/gtest.h>

#include <array>

namespace anyacl {
namespace {

constexpr aclDataType kUndefined = ACL_DT_UNDEFINED;
constexpr aclDataType kB = ACL_BOOL, kU8 = ACL_UINT8, kI8 = ACL_INT8, kI16 = ACL_INT16,
                      kI32 = ACL_INT32, kI64 = ACL_INT64, kH = ACL_FLOAT16, kBf = ACL_BF16,
                      kF = ACL_FLOAT, kD = ACL_DOUBLE, kC64 = ACL_COMPLEX64, kC128 = ACL_COMPLEX128;

constexpr std::array kTypes = {kB, kU8, kI8, kI16, kI32, kI64, kH, kBf, kF, kD, kC64, kC128};

// Row by row in the order of kTypes.
constexpr aclDataType kTable[kTypes.size()][kTypes.size()] = {
    {kB, kU8, kI8, kI16, kI32, kI64, kH, kBf, kF, kD, kC64, kC128},
    {kU8, kU8, kI16, kI16, kI32, kI64, kH, kBf, kF, kD, kC64, kC128},
    {kI8, kI16, kI8, kI16, kI32, kI64, kH, kBf, kF, kD, kC64, kC128},
    {kI16, kI16, kI16, kI16, kI32, kI64, kH, kBf, kF, kD, kC64, kC128},
    {kI32, kI32, kI32, kI32, kI32, kI64, kH, kBf, kF, kD, kC64, kC128},
    {kI64, kI64, kI64, kI64, kI64, kI64, kH, kBf, kF, kD, kC64, kC128},
    {kH, kH, kH, kH, kH, kH, kH, kF, kF, kD, kC64, kC128},
    {kBf, kBf, kBf, kBf, kBf, kBf, kF, kBf, kF, kD, kC64, kC128},
    {kF, kF, kF, kF, kF, kF, kF, kF, kF, kD, kC64, kC128},
    {kD, kD, kD, kD, kD, kD, kD, kD, kD, kD, kC128, kC128},
    {kC64, kC64, kC64, kC64, kC64, kC64, kC64, kC64, kC64, kC128, kC64, kC128},
    {kC128, kC128, kC128, kC128, kC128, kC128, kC128, kC128, kC128, kC128, kC128, kC128},
};

TEST(PromotionTest, OfTwoTensorsIsTheTables) {
  for (size_t i = 0; i < kTypes.size(); ++i) {
    for (size_t k = 0; k < kTypes.size(); ++k) {
      EXPECT_EQ(Promote(kTypes[i], kTypes[k]), kTable[i][k])
          << NameOf(kTypes[i]) << " and " << NameOf(kTypes[k]) << " give "
          << NameOf(Promote(kTypes[i], kTypes[k]));
    }
  }
}

TEST(PromotionTest, WiderUnsignedTypesPromoteWithThemselvesAlone) {
  for (aclDataType type : {ACL_UINT16, ACL_UINT32, ACL_UINT64}) {
    EXPECT_EQ(Promote(type, type), type);
    for (aclDataType other : kTypes) {
      EXPECT_EQ(Promote(type, other), kUndefined) << NameOf(type) << " and " << NameOf(other);
      EXPECT_EQ(Promote(other, type), kUndefined) << NameOf(other) << " and " << NameOf(type);
    }
  }
  EXPECT_EQ(Promote(ACL_UINT16, ACL_UINT32), kUndefined);
}

TEST(PromotionTest, WiderUnsignedTypesAndScalars) {
  for (aclDataType type : {ACL_UINT16, ACL_UINT32, ACL_UINT64}) {
    EXPECT_EQ(PromoteScalar(type, kI64), type);
    EXPECT_EQ(PromoteScalar(type, kB), type);
    EXPECT_EQ(PromoteScalar(type, kF), kUndefined);
    EXPECT_EQ(PromoteScalar(type, kC64), kC64);
    EXPECT_EQ(PromoteScalar(kF, type), kF);
    EXPECT_EQ(PromoteScalar(kI8, type), kI8);
    EXPECT_EQ(PromoteScalar(kB, type), kUndefined);
  }
}

TEST(PromotionTest, TypesThatNoNumberHasDoNotPromote) {
  for (aclDataType type : {ACL_STRING, ACL_INT4, kUndefined}) {
    EXPECT_EQ(Promote(type, kF), kUndefined);
    EXPECT_EQ(Promote(kF, type), kUndefined);
    EXPECT_EQ(PromoteScalar(kF, type), kUndefined);
    EXPECT_FALSE(CanCast(type, kF));
    EXPECT_FALSE(CanCast(kF, type));
  }
}

// The scalar's own width does not count.
TEST(PromotionTest, AScalarCountsByItsCategory) {
  EXPECT_EQ(PromoteScalar(kH, kD), kH);
  EXPECT_EQ(PromoteScalar(kBf, kI64), kBf);
  EXPECT_EQ(PromoteScalar(kI8, kI64), kI8);
  EXPECT_EQ(PromoteScalar(kI32, kD), kF);
  EXPECT_EQ(PromoteScalar(kB, kD), kF);
  EXPECT_EQ(PromoteScalar(kB, kI64), kI64);
  EXPECT_EQ(PromoteScalar(kB, kB), kB);
  EXPECT_EQ(PromoteScalar(kF, kC128), kC64);
  EXPECT_EQ(PromoteScalar(kD, kC64), kC128);
}

TEST(PromotionTest, ResultsAreStoredInTypesOfTheirCategoryOrAbove) {
  EXPECT_TRUE(CanCast(kD, kH));
  EXPECT_TRUE(CanCast(kI64, kU8));
  EXPECT_TRUE(CanCast(kB, kI8));
  EXPECT_TRUE(CanCast(kI32, kF));
  EXPECT_TRUE(CanCast(kF, kC64));
  EXPECT_FALSE(CanCast(kF, kI64));
  EXPECT_FALSE(CanCast(kI8, kB));
  EXPECT_FALSE(CanCast(kF, kB));
  EXPECT_FALSE(CanCast(kC64, kF));
}

}  // namespace
}  // namespace anyacl
