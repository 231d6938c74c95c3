// SPDX-License-Identifier: Apache-2.0
// Scalars, arrays and lists: creation, sizes, ownership, destruction.
#include <cstdint>
#include <string>
#include <vector>

#include "aclnn/acl_meta.h"
#include "aclnn/opdev/op_errno.h"
#include "runtime/expect_fails.h"

namespace anyacl::test {
namespace {

aclTensor* NewTensor() {
  const int64_t dims[] = {2, 2};
  return aclCreateTensor(dims, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 2, nullptr);
}

aclScalar* NewScalar() {
  float value = 1;
  return aclCreateScalar(&value, ACL_FLOAT);
}

bool IsAlive(const aclTensor* tensor) {
  int64_t offset = 0;
  const bool alive = aclGetViewOffset(tensor, &offset) == 0;
  TakeMessages();
  return alive;
}

constexpr int kNull = ACLNN_ERR_PARAM_NULLPTR;

TEST(ScalarTest, NullValueGivesNull) {
  TakeMessages();
  EXPECT_EQ(aclCreateScalar(nullptr, ACL_FLOAT), nullptr);
  const std::string message = TakeMessages();
  EXPECT_TRUE(HasWord(message, "aclCreateScalar")) << message;
  EXPECT_TRUE(HasWord(message, "value")) << message;
}

TEST(ScalarTest, ReadsNoMoreThanTheTypeHas) {
  // Heap blocks of exactly the value's size: AddressSanitizer sees a longer read.
  for (int dtype = -1; dtype <= 41; ++dtype) {
    size_t size = aclDataTypeSize(static_cast<aclDataType>(dtype));
    if (dtype >= ACL_FLOAT6_E3M2) size = 1;  // sub-byte types whose documented size is 8
    if (size == 0) size = 1;
    std::vector<char> value(size, 1);
    aclScalar* scalar = aclCreateScalar(value.data(), static_cast<aclDataType>(dtype));
    if (scalar != nullptr) {
      EXPECT_OK(aclDestroyScalar(scalar));
    }
  }
}

TEST(ScalarTest, EveryNumericTypeCanBeMade) {
  for (aclDataType dtype :
       {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64,
        ACL_UINT8, ACL_UINT16, ACL_UINT32, ACL_UINT64, ACL_BOOL, ACL_COMPLEX64, ACL_COMPLEX128}) {
    uint64_t value[2] = {1, 2};
    aclScalar* scalar = aclCreateScalar(value, dtype);
    EXPECT_NE(scalar, nullptr) << dtype;
    EXPECT_OK(aclDestroyScalar(scalar));
  }
}

TEST(ArrayTest, SizesAreKept) {
  const std::vector<int64_t> ints = {1, 2, 3};
  const std::vector<float> floats = {1, 2};
  const bool bools[] = {true, false, true, true};
  aclIntArray* int_array = aclCreateIntArray(ints.data(), 3);
  aclFloatArray* float_array = aclCreateFloatArray(floats.data(), 2);
  aclBoolArray* bool_array = aclCreateBoolArray(bools, 4);
  uint64_t size = 0;
  EXPECT_OK(aclGetIntArraySize(int_array, &size));
  EXPECT_EQ(size, 3u);
  EXPECT_OK(aclGetFloatArraySize(float_array, &size));
  EXPECT_EQ(size, 2u);
  EXPECT_OK(aclGetBoolArraySize(bool_array, &size));
  EXPECT_EQ(size, 4u);
  EXPECT_OK(aclDestroyIntArray(int_array));
  EXPECT_OK(aclDestroyFloatArray(float_array));
  EXPECT_OK(aclDestroyBoolArray(bool_array));
}

TEST(ArrayTest, NullOrZeroGivesAnEmptyArray) {
  const int64_t number = 1;
  const float real = 1;
  const bool flag = true;
  uint64_t size = 99;
  for (aclIntArray* array : {aclCreateIntArray(nullptr, 0), aclCreateIntArray(nullptr, 5),
                             aclCreateIntArray(&number, 0)}) {
    ASSERT_NE(array, nullptr);
    EXPECT_OK(aclGetIntArraySize(array, &size));
    EXPECT_EQ(size, 0u);
    EXPECT_OK(aclDestroyIntArray(array));
  }
  for (aclFloatArray* array : {aclCreateFloatArray(nullptr, 0), aclCreateFloatArray(nullptr, 5),
                               aclCreateFloatArray(&real, 0)}) {
    ASSERT_NE(array, nullptr);
    EXPECT_OK(aclGetFloatArraySize(array, &size));
    EXPECT_EQ(size, 0u);
    EXPECT_OK(aclDestroyFloatArray(array));
  }
  for (aclBoolArray* array : {aclCreateBoolArray(nullptr, 0), aclCreateBoolArray(nullptr, 5),
                              aclCreateBoolArray(&flag, 0)}) {
    ASSERT_NE(array, nullptr);
    EXPECT_OK(aclGetBoolArraySize(array, &size));
    EXPECT_EQ(size, 0u);
    EXPECT_OK(aclDestroyBoolArray(array));
  }
}

TEST(ArrayTest, SizeGettersRefuseNull) {
  aclIntArray* ints = aclCreateIntArray(nullptr, 0);
  aclFloatArray* floats = aclCreateFloatArray(nullptr, 0);
  aclBoolArray* bools = aclCreateBoolArray(nullptr, 0);
  aclTensorList* tensors = aclCreateTensorList(nullptr, 0);
  aclScalarList* scalars = aclCreateScalarList(nullptr, 0);
  uint64_t size = 0;
  EXPECT_FAILS(kNull, aclGetIntArraySize(nullptr, &size), "array", "null");
  EXPECT_FAILS(kNull, aclGetIntArraySize(ints, nullptr), "size", "null");
  EXPECT_FAILS(kNull, aclGetFloatArraySize(nullptr, &size), "array", "null");
  EXPECT_FAILS(kNull, aclGetFloatArraySize(floats, nullptr), "size", "null");
  EXPECT_FAILS(kNull, aclGetBoolArraySize(nullptr, &size), "array", "null");
  EXPECT_FAILS(kNull, aclGetBoolArraySize(bools, nullptr), "size", "null");
  EXPECT_FAILS(kNull, aclGetTensorListSize(nullptr, &size), "tensorList", "null");
  EXPECT_FAILS(kNull, aclGetTensorListSize(tensors, nullptr), "size", "null");
  EXPECT_FAILS(kNull, aclGetScalarListSize(nullptr, &size), "scalarList", "null");
  EXPECT_FAILS(kNull, aclGetScalarListSize(scalars, nullptr), "size", "null");
  EXPECT_OK(aclDestroyIntArray(ints));
  EXPECT_OK(aclDestroyFloatArray(floats));
  EXPECT_OK(aclDestroyBoolArray(bools));
  EXPECT_OK(aclDestroyTensorList(tensors));
  EXPECT_OK(aclDestroyScalarList(scalars));
}

TEST(ArrayTest, DestroyingNullSucceeds) {
  EXPECT_OK(aclDestroyScalar(nullptr));
  EXPECT_OK(aclDestroyIntArray(nullptr));
  EXPECT_OK(aclDestroyFloatArray(nullptr));
  EXPECT_OK(aclDestroyBoolArray(nullptr));
  EXPECT_OK(aclDestroyTensorList(nullptr));
  EXPECT_OK(aclDestroyScalarList(nullptr));
}

TEST(ListTest, EmptyListsAreValid) {
  uint64_t size = 99;
  aclTensorList* tensors = aclCreateTensorList(nullptr, 0);
  ASSERT_NE(tensors, nullptr);
  EXPECT_OK(aclGetTensorListSize(tensors, &size));
  EXPECT_EQ(size, 0u);
  EXPECT_OK(aclDestroyTensorList(tensors));
  aclScalarList* scalars = aclCreateScalarList(nullptr, 0);
  ASSERT_NE(scalars, nullptr);
  EXPECT_OK(aclGetScalarListSize(scalars, &size));
  EXPECT_EQ(size, 0u);
  EXPECT_OK(aclDestroyScalarList(scalars));
}

TEST(ListTest, CopiesThePointersNotTheTensors) {
  const aclTensor* members[] = {NewTensor(), NewTensor()};
  const aclTensor* const first = members[0];
  aclTensorList* list = aclCreateTensorList(members, 2);
  members[0] = nullptr;
  uint64_t size = 0;
  EXPECT_OK(aclGetTensorListSize(list, &size));
  EXPECT_EQ(size, 2u);
  EXPECT_TRUE(IsAlive(first));
  EXPECT_OK(aclDestroyTensorList(list));
  EXPECT_FALSE(IsAlive(first));
}

TEST(ListTest, DestroyingAListDestroysItsMembers) {
  const std::vector<const aclTensor*> members = {NewTensor(), NewTensor(), NewTensor()};
  aclTensorList* list = aclCreateTensorList(members.data(), members.size());
  EXPECT_OK(aclDestroyTensorList(list));
  for (const aclTensor* member : members) EXPECT_FALSE(IsAlive(member));

  aclScalar* scalar = NewScalar();
  aclScalarList* scalars = aclCreateScalarList(&scalar, 1);
  EXPECT_OK(aclDestroyScalarList(scalars));
  EXPECT_NE(aclDestroyScalar(scalar), 0);
  TakeMessages();
}

TEST(ListTest, MembersDestroyedBeforeTheListAreNoError) {
  // The attention example does so, and never destroys the list.
  const aclTensor* members[] = {NewTensor(), NewTensor()};
  aclTensorList* list = aclCreateTensorList(members, 2);
  EXPECT_OK(aclDestroyTensor(members[0]));
  EXPECT_OK(aclDestroyTensorList(list));
  EXPECT_FALSE(IsAlive(members[1]));
}

TEST(ListTest, OneTensorInTwoListsDiesOnce) {
  const aclTensor* member = NewTensor();
  aclTensorList* first = aclCreateTensorList(&member, 1);
  aclTensorList* second = aclCreateTensorList(&member, 1);
  EXPECT_OK(aclDestroyTensorList(first));
  EXPECT_FALSE(IsAlive(member));
  EXPECT_OK(aclDestroyTensorList(second));
}

TEST(ListTest, OneTensorTwiceInAListDiesOnce) {
  const aclTensor* tensor = NewTensor();
  const aclTensor* members[] = {tensor, tensor};
  aclTensorList* list = aclCreateTensorList(members, 2);
  EXPECT_OK(aclDestroyTensorList(list));
  EXPECT_FALSE(IsAlive(tensor));
}

TEST(ListTest, NullMembersAreTolerated) {
  const aclTensor* members[] = {nullptr, NewTensor(), nullptr};
  aclTensorList* list = aclCreateTensorList(members, 3);
  ASSERT_NE(list, nullptr);
  EXPECT_OK(aclDestroyTensorList(list));
  EXPECT_FALSE(IsAlive(members[1]));
}

TEST(ListTest, SecondDestructionIsNoCrash) {
  const aclTensor* member = NewTensor();
  aclTensorList* list = aclCreateTensorList(&member, 1);
  EXPECT_OK(aclDestroyTensorList(list));
  EXPECT_FAILS(ACLNN_ERR_PARAM_INVALID, aclDestroyTensorList(list), "array");
  EXPECT_FAILS(ACLNN_ERR_PARAM_INVALID, aclDestroyTensor(member), "tensor");
  aclIntArray* ints = aclCreateIntArray(nullptr, 0);
  EXPECT_OK(aclDestroyIntArray(ints));
  EXPECT_FAILS(ACLNN_ERR_PARAM_INVALID, aclDestroyIntArray(ints), "array");
}

}  // namespace
}  // namespace anyacl::test
