// SPDX-License-Identifier: Apache-2.0
// aclTensor: creation, description, addresses, destruction.
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "aclnn/acl_meta.h"
#include "aclnn/opdev/op_errno.h"
#include "runtime/expect_fails.h"

namespace anyacl::test {
namespace {

aclTensor* Create(const std::vector<int64_t>& dims, const int64_t* strides = nullptr,
                  int64_t offset = 0, void* data = nullptr) {
  return aclCreateTensor(dims.data(), dims.size(), ACL_FLOAT, strides, offset, ACL_FORMAT_ND,
                         dims.data(), dims.size(), data);
}

using Getter = aclnnStatus (*)(const aclTensor*, int64_t**, uint64_t*);

// The numbers that a getter returns; they come from new[] and are the caller's.
std::vector<int64_t> Get(Getter getter, const aclTensor* tensor) {
  int64_t* values = nullptr;
  uint64_t count = 99;
  EXPECT_OK(getter(tensor, &values, &count));
  const std::unique_ptr<int64_t[]> owner(values);
  return {values, values + count};
}

TEST(TensorTest, KeepsItsDescription) {
  const std::vector<int64_t> view = {2, 3, 4};
  const std::vector<int64_t> strides = {100, 7, 2};
  const std::vector<int64_t> storage = {300};
  int data = 0;
  aclTensor* tensor = aclCreateTensor(view.data(), 3, ACL_BF16, strides.data(), 11, ACL_FORMAT_NCL,
                                      storage.data(), 1, &data);
  ASSERT_NE(tensor, nullptr);
  EXPECT_EQ(Get(&aclGetViewShape, tensor), view);
  EXPECT_EQ(Get(&aclGetViewStrides, tensor), strides);
  EXPECT_EQ(Get(&aclGetStorageShape, tensor), storage);
  int64_t offset = 0;
  EXPECT_OK(aclGetViewOffset(tensor, &offset));
  EXPECT_EQ(offset, 11);
  aclFormat format = ACL_FORMAT_UNDEFINED;
  EXPECT_OK(aclGetFormat(tensor, &format));
  EXPECT_EQ(format, ACL_FORMAT_NCL);
  aclDataType dtype = ACL_DT_UNDEFINED;
  EXPECT_OK(aclGetDataType(tensor, &dtype));
  EXPECT_EQ(dtype, ACL_BF16);
  void* address = nullptr;
  EXPECT_OK(aclGetRawTensorAddr(tensor, &address));
  EXPECT_EQ(address, &data);
  EXPECT_OK(aclDestroyTensor(tensor));
}

TEST(TensorTest, CopiesTheNumbers) {
  std::vector<int64_t> dims = {2, 3};
  std::vector<int64_t> strides = {3, 1};
  aclTensor* tensor = Create(dims, strides.data());
  dims = {9, 9};
  strides = {9, 9};
  EXPECT_EQ(Get(&aclGetViewShape, tensor), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(Get(&aclGetViewStrides, tensor), (std::vector<int64_t>{3, 1}));
  EXPECT_OK(aclDestroyTensor(tensor));
}

TEST(TensorTest, NullStridesMeanContiguous) {
  aclTensor* tensor = Create({2, 3, 4});
  EXPECT_EQ(Get(&aclGetViewStrides, tensor), (std::vector<int64_t>{12, 4, 1}));
  EXPECT_OK(aclDestroyTensor(tensor));
}

TEST(TensorTest, ScalarsHaveNoDims) {
  aclTensor* tensor =
      aclCreateTensor(nullptr, 0, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, nullptr);
  ASSERT_NE(tensor, nullptr);
  EXPECT_EQ(Get(&aclGetViewShape, tensor), std::vector<int64_t>{});
  EXPECT_EQ(Get(&aclGetViewStrides, tensor), std::vector<int64_t>{});
  EXPECT_EQ(Get(&aclGetStorageShape, tensor), std::vector<int64_t>{});
  EXPECT_OK(aclDestroyTensor(tensor));
}

TEST(TensorTest, NullDimsWithACountGiveNull) {
  const int64_t dims[] = {1, 2};
  TakeMessages();
  EXPECT_EQ(aclCreateTensor(nullptr, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 2, nullptr),
            nullptr);
  EXPECT_TRUE(HasWord(TakeMessages(), "viewDims"));
  EXPECT_EQ(aclCreateTensor(dims, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 2, nullptr),
            nullptr);
  const std::string message = TakeMessages();
  EXPECT_TRUE(HasWord(message, "storageDims")) << message;
  EXPECT_TRUE(HasWord(message, "aclCreateTensor")) << message;
}

TEST(TensorTest, NothingElseIsValidated) {
  // Operators check what they get; creation accepts any type, format, size and stride.
  const int64_t dims[] = {-1, 0, std::numeric_limits<int64_t>::max(),
                          std::numeric_limits<int64_t>::min()};
  std::vector<int> numbers = BeyondEnum({99, std::numeric_limits<int>::max()});
  numbers.insert(numbers.end(), {-64, -1, 0, 5, 29, 63});
  for (int dtype : numbers) {
    for (int format : numbers) {
      aclTensor* tensor =
          aclCreateTensor(dims, 4, static_cast<aclDataType>(dtype), dims, dims[3],
                          static_cast<aclFormat>(format), dims, 4, nullptr);
      ASSERT_NE(tensor, nullptr);
      EXPECT_EQ(Get(&aclGetViewShape, tensor), (std::vector<int64_t>(dims, dims + 4)));
      EXPECT_OK(aclDestroyTensor(tensor));
      tensor = aclCreateTensor(dims, 4, static_cast<aclDataType>(dtype), nullptr, 0,
                               static_cast<aclFormat>(format), dims, 4, nullptr);
      ASSERT_NE(tensor, nullptr);
      EXPECT_OK(aclDestroyTensor(tensor));
    }
  }
}

TEST(TensorTest, TwentyFiveDimsAreTheLimit) {
  aclTensor* tensor = Create(std::vector<int64_t>(25, 1));
  ASSERT_NE(tensor, nullptr);
  EXPECT_EQ(Get(&aclGetViewShape, tensor), std::vector<int64_t>(25, 1));
  EXPECT_OK(aclDestroyTensor(tensor));
  TakeMessages();
  for (size_t rank : {26, 100, 100000}) {
    EXPECT_EQ(Create(std::vector<int64_t>(rank, 1)), nullptr);
    const std::string message = TakeMessages();
    EXPECT_TRUE(HasWord(message, std::to_string(rank))) << message;
    EXPECT_TRUE(HasWord(message, "25")) << message;
  }
  const int64_t dims[] = {1};
  EXPECT_EQ(aclCreateTensor(dims, ~uint64_t{0}, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1,
                            nullptr),
            nullptr);
  EXPECT_EQ(aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, ~uint64_t{0},
                            nullptr),
            nullptr);
}

TEST(TensorTest, DestroyingNullSucceeds) { EXPECT_OK(aclDestroyTensor(nullptr)); }

TEST(TensorTest, GettersRefuseNull) {
  aclTensor* tensor = Create({2, 3});
  int64_t* values = nullptr;
  uint64_t count = 0;
  int64_t offset = 0;
  aclFormat format;
  aclDataType dtype;
  constexpr int kNull = ACLNN_ERR_PARAM_NULLPTR;
  EXPECT_FAILS(kNull, aclGetViewShape(nullptr, &values, &count), "tensor", "null");
  EXPECT_FAILS(kNull, aclGetViewShape(tensor, nullptr, &count), "viewDims", "null");
  EXPECT_FAILS(kNull, aclGetViewShape(tensor, &values, nullptr), "viewDimsNum", "null");
  EXPECT_FAILS(kNull, aclGetStorageShape(nullptr, &values, &count), "tensor", "null");
  EXPECT_FAILS(kNull, aclGetStorageShape(tensor, nullptr, &count), "storageDims", "null");
  EXPECT_FAILS(kNull, aclGetStorageShape(tensor, &values, nullptr), "storageDimsNum", "null");
  EXPECT_FAILS(kNull, aclGetViewStrides(nullptr, &values, &count), "tensor", "null");
  EXPECT_FAILS(kNull, aclGetViewStrides(tensor, nullptr, &count), "stridesValue", "null");
  EXPECT_FAILS(kNull, aclGetViewStrides(tensor, &values, nullptr), "stridesNum", "null");
  EXPECT_FAILS(kNull, aclGetViewOffset(nullptr, &offset), "tensor", "null");
  EXPECT_FAILS(kNull, aclGetViewOffset(tensor, nullptr), "offset", "null");
  EXPECT_FAILS(kNull, aclGetFormat(nullptr, &format), "tensor", "null");
  EXPECT_FAILS(kNull, aclGetFormat(tensor, nullptr), "format", "null");
  EXPECT_FAILS(kNull, aclGetDataType(nullptr, &dtype), "tensor", "null");
  EXPECT_FAILS(kNull, aclGetDataType(tensor, nullptr), "dataType", "null");
  EXPECT_EQ(values, nullptr);
  EXPECT_OK(aclDestroyTensor(tensor));
}

TEST(TensorTest, RawAddressCanBeReplacedAndMayBeNull) {
  int first = 0;
  int second = 0;
  aclTensor* tensor = Create({1}, nullptr, 0, &first);
  void* address = nullptr;
  EXPECT_OK(aclSetRawTensorAddr(tensor, &second));
  EXPECT_OK(aclGetRawTensorAddr(tensor, &address));
  EXPECT_EQ(address, &second);
  EXPECT_OK(aclSetRawTensorAddr(tensor, nullptr));
  EXPECT_OK(aclGetRawTensorAddr(tensor, &address));
  EXPECT_EQ(address, nullptr);
  EXPECT_FAILS(ACLNN_ERR_PARAM_NULLPTR, aclSetRawTensorAddr(nullptr, &first), "tensor", "null");
  EXPECT_FAILS(ACLNN_ERR_PARAM_NULLPTR, aclGetRawTensorAddr(nullptr, &address), "tensor", "null");
  EXPECT_FAILS(ACLNN_ERR_PARAM_NULLPTR, aclGetRawTensorAddr(tensor, nullptr), "addr", "null");
  EXPECT_OK(aclDestroyTensor(tensor));
}

TEST(TensorTest, RawAddressDoesNotIncludeTheOffset) {
  float data[16] = {};
  aclTensor* tensor = Create({2}, nullptr, 8, data);
  void* address = nullptr;
  EXPECT_OK(aclGetRawTensorAddr(tensor, &address));
  EXPECT_EQ(address, data);
  EXPECT_OK(aclDestroyTensor(tensor));
}

TEST(TensorTest, InitReplacesTheDescription) {
  int first = 0;
  int second = 0;
  aclTensor* tensor = Create({2, 3}, nullptr, 5, &first);
  const int64_t view[] = {7};
  const int64_t strides[] = {2};
  const int64_t storage[] = {14, 1};
  EXPECT_OK(aclInitTensor(tensor, view, 1, ACL_INT8, strides, 1, ACL_FORMAT_NCHW, storage, 2,
                          &second));
  EXPECT_EQ(Get(&aclGetViewShape, tensor), std::vector<int64_t>{7});
  EXPECT_EQ(Get(&aclGetViewStrides, tensor), std::vector<int64_t>{2});
  EXPECT_EQ(Get(&aclGetStorageShape, tensor), (std::vector<int64_t>{14, 1}));
  int64_t offset = 0;
  EXPECT_OK(aclGetViewOffset(tensor, &offset));
  EXPECT_EQ(offset, 1);
  aclDataType dtype = ACL_DT_UNDEFINED;
  EXPECT_OK(aclGetDataType(tensor, &dtype));
  EXPECT_EQ(dtype, ACL_INT8);
  void* address = nullptr;
  EXPECT_OK(aclGetRawTensorAddr(tensor, &address));
  EXPECT_EQ(address, &second);
  EXPECT_OK(aclDestroyTensor(tensor));
}

TEST(TensorTest, InitRefusesNull) {
  const int64_t dims[] = {7};
  EXPECT_FAILS(
      ACLNN_ERR_PARAM_NULLPTR,
      aclInitTensor(nullptr, dims, 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, dims, 1, nullptr),
      "tensor", "null");
  aclTensor* tensor = Create({2, 3});
  TakeMessages();
  EXPECT_NE(aclInitTensor(tensor, nullptr, 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, dims, 1,
                          nullptr),
            0);
  EXPECT_TRUE(HasWord(TakeMessages(), "viewDims"));
  // A refused call leaves the tensor as it was.
  EXPECT_EQ(Get(&aclGetViewShape, tensor), (std::vector<int64_t>{2, 3}));
  EXPECT_OK(aclDestroyTensor(tensor));
}

TEST(TensorTest, NeedsNoDevice) {
  // Shape inference in tools creates tensors without ever setting a device.
  aclTensor* tensor = Create({1});
  EXPECT_NE(tensor, nullptr);
  EXPECT_OK(aclDestroyTensor(tensor));
}

}  // namespace
}  // namespace anyacl::test
