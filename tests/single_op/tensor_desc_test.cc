// SPDX-License-Identifier: Apache-2.0
// aclTensorDesc.
#include <vector>

#include "fixture.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace anyacl::test {
namespace {

aclTensorDesc* NewDesc(const std::vector<int64_t>& dims, aclDataType type = ACL_FLOAT16) {
  return aclCreateTensorDesc(type, static_cast<int>(dims.size()), dims.data(), ACL_FORMAT_ND);
}

TEST(TensorDescTest, GivesBackWhatItWasMadeOf) {
  aclTensorDesc* desc = NewDesc({2, 3, 5});
  ASSERT_NE(desc, nullptr);
  EXPECT_EQ(aclGetTensorDescType(desc), ACL_FLOAT16);
  EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_ND);
  EXPECT_EQ(aclGetTensorDescNumDims(desc), 3u);
  EXPECT_EQ(aclGetTensorDescElementCount(desc), 30u);
  EXPECT_EQ(aclGetTensorDescSize(desc), 60u);
  int64_t dim = 0;
  EXPECT_OK(aclGetTensorDescDimV2(desc, 2, &dim));
  EXPECT_EQ(dim, 5);
  EXPECT_EQ(aclGetTensorDescDim(desc, 1), 3);
  EXPECT_EQ(aclGetTensorDescDim(desc, 3), -1);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclGetTensorDescDimV2(desc, 3, &dim), "index", "3");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclGetTensorDescDimV2(desc, 0, nullptr), "dimSize");
  aclDestroyTensorDesc(desc);
}

TEST(TensorDescTest, ScalarHasOneElement) {
  aclTensorDesc* desc = aclCreateTensorDesc(ACL_INT64, 0, nullptr, ACL_FORMAT_ND);
  ASSERT_NE(desc, nullptr);
  EXPECT_EQ(aclGetTensorDescNumDims(desc), 0u);
  EXPECT_EQ(aclGetTensorDescSize(desc), 8u);
  aclDestroyTensorDesc(desc);
}

TEST(TensorDescTest, WhatIsNotKnownHasNoSize) {
  aclTensorDesc* dim = NewDesc({-1, 3});
  EXPECT_EQ(aclGetTensorDescElementCount(dim), 0u);
  EXPECT_EQ(aclGetTensorDescNumDims(dim), 2u);
  aclDestroyTensorDesc(dim);
  aclTensorDesc* rank = NewDesc({-2});
  EXPECT_EQ(aclGetTensorDescNumDims(rank), ACL_UNKNOWN_RANK);
  EXPECT_EQ(aclGetTensorDescSize(rank), 0u);
  aclDestroyTensorDesc(rank);
}

TEST(TensorDescTest, SizesBeyond64BitsAreRefusedNotWrapped) {
  const int64_t huge = int64_t{1} << 62;
  aclTensorDesc* desc = NewDesc({huge, 4});
  TakeMessages();
  EXPECT_EQ(aclGetTensorDescElementCount(desc), 0u);
  EXPECT_TRUE(HasWord(TakeMessages(), "aclGetTensorDescElementCount"));
  aclDestroyTensorDesc(desc);
  aclTensorDesc* empty = NewDesc({huge, 4, 0});
  EXPECT_EQ(aclGetTensorDescElementCount(empty), 0u);
  EXPECT_EQ(TakeMessages(), "");
  aclDestroyTensorDesc(empty);
}

TEST(TensorDescTest, BadShapesGiveNull) {
  const int64_t dims[] = {2, -3};
  const int64_t unknown[] = {-2, 4};
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, -1, dims, ACL_FORMAT_ND), nullptr);
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, 2, nullptr, ACL_FORMAT_ND), nullptr);
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, 2, dims, ACL_FORMAT_ND), nullptr);
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, 2, unknown, ACL_FORMAT_ND), nullptr);
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, 1 << 30, dims, ACL_FORMAT_ND), nullptr);
}

TEST(TensorDescTest, NameBelongsToTheDescription) {
  aclTensorDesc* desc = NewDesc({1});
  EXPECT_STREQ(aclGetTensorDescName(desc), "");
  {
    std::string name = "x1";
    aclSetTensorDescName(desc, name.c_str());
    name = "gone";
  }
  EXPECT_STREQ(aclGetTensorDescName(desc), "x1");
  aclSetTensorDescName(desc, nullptr);
  EXPECT_STREQ(aclGetTensorDescName(desc), "");
  aclDestroyTensorDesc(desc);
}

TEST(TensorDescTest, RangesAreReadBack) {
  aclTensorDesc* desc = NewDesc({-1, -1});
  int64_t ranges[][2] = {{1, 16}, {2, -1}};
  int64_t range[2] = {};
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclGetTensorDescDimRange(desc, 0, 2, range), "index");
  EXPECT_OK(aclSetTensorShapeRange(desc, 2, ranges));
  EXPECT_OK(aclGetTensorDescDimRange(desc, 1, 2, range));
  EXPECT_EQ(range[0], 2);
  EXPECT_EQ(range[1], -1);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclGetTensorDescDimRange(desc, 2, 2, range), "index", "2");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclGetTensorDescDimRange(desc, 0, 1, range), "dimRangeNum");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclSetTensorShapeRange(desc, 2, nullptr), "null");
  EXPECT_OK(aclSetTensorValueRange(desc, 1, ranges));
  aclDestroyTensorDesc(desc);
}

TEST(TensorDescTest, SettersCheckWhatTheyAreGiven) {
  aclTensorDesc* desc = NewDesc({4, 4});
  const int64_t dims[] = {1, 1, 16, 16};
  EXPECT_OK(aclSetTensorFormat(desc, ACL_FORMAT_FRACTAL_NZ));
  EXPECT_OK(aclSetTensorShape(desc, 4, dims));
  EXPECT_OK(aclSetTensorStorageFormat(desc, ACL_FORMAT_FRACTAL_NZ));
  EXPECT_OK(aclSetTensorStorageShape(desc, 4, dims));
  EXPECT_OK(aclSetTensorOriginFormat(desc, ACL_FORMAT_ND));
  EXPECT_OK(aclSetTensorOriginShape(desc, 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclSetTensorShape(desc, -1, dims), "numDims", "-1");
  EXPECT_OK(aclSetTensorPlaceMent(desc, ACL_MEMTYPE_HOST));
  for (int type : BeyondEnum({-1, 3})) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
                 aclSetTensorPlaceMent(desc, static_cast<aclMemType>(type)), "memType");
  }
  EXPECT_OK(aclSetTensorDynamicInput(desc, "x"));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclSetTensorDynamicInput(desc, nullptr), "null");
  int32_t constant = 7;
  EXPECT_OK(aclSetTensorConst(desc, &constant, sizeof(constant)));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclSetTensorConst(desc, &constant, 0), "length", "0");
  // What lies in memory otherwise does not change what the program sees.
  EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_ND);
  EXPECT_EQ(aclGetTensorDescNumDims(desc), 2u);
  aclDestroyTensorDesc(desc);
}

TEST(TensorDescTest, OnlyACopyInAnotherFormatIsOffered) {
  aclTensorDesc* desc = NewDesc({4, 4});
  aclTensorDesc* other = desc;
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclTransTensorDescFormat(desc, ACL_FORMAT_FRACTAL_NZ, &other), "dstFormat");
  EXPECT_EQ(other, nullptr);
  EXPECT_OK(aclTransTensorDescFormat(desc, ACL_FORMAT_ND, &other));
  EXPECT_NE(other, desc);
  EXPECT_EQ(aclGetTensorDescElementCount(other), 16u);
  aclDestroyTensorDesc(other);
  EXPECT_EQ(aclGetTensorDescByIndex(desc, 0), nullptr);
  EXPECT_EQ(aclGetTensorDescAddress(desc), nullptr);
  aclDestroyTensorDesc(desc);
}

TEST(TensorDescTest, StaleDescriptionsAreFoundOut) {
  aclTensorDesc* desc = NewDesc({4});
  aclDestroyTensorDesc(desc);
  aclDestroyTensorDesc(desc);
  aclDestroyTensorDesc(nullptr);
  TakeMessages();
  EXPECT_EQ(aclGetTensorDescType(desc), ACL_DT_UNDEFINED);
  EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_UNDEFINED);
  EXPECT_EQ(aclGetTensorDescNumDims(desc), 0u);
  EXPECT_EQ(aclGetTensorDescSize(nullptr), 0u);
  EXPECT_STREQ(aclGetTensorDescName(desc), "");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclSetTensorFormat(desc, ACL_FORMAT_ND), "desc");
}

}  // namespace
}  // namespace anyacl::test
