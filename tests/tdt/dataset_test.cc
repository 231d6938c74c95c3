// SPDX-License-Identifier: Apache-2.0
// Data items and datasets.
#include "tdt_case.h"

namespace anyacl::test {
namespace {

TEST(DatasetTest, AnItemKeepsWhatItWasMadeOf) {
  float values[6] = {};
  const int64_t dims[] = {2, 3};
  acltdtDataItem* item =
      acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 2, ACL_FLOAT, values, sizeof(values));
  EXPECT_EQ(acltdtGetTensorTypeFromItem(item), ACL_TENSOR_DATA_TENSOR);
  EXPECT_EQ(acltdtGetDataTypeFromItem(item), ACL_FLOAT);
  EXPECT_EQ(acltdtGetDataAddrFromItem(item), values);
  EXPECT_EQ(acltdtGetDataSizeFromItem(item), sizeof(values));
  EXPECT_EQ(acltdtGetDimNumFromItem(item), 2u);
  int64_t read[3] = {0, 0, 9};
  EXPECT_OK(acltdtGetDimsFromItem(item, read, 3));
  EXPECT_EQ(read[0], 2);
  EXPECT_EQ(read[1], 3);
  EXPECT_EQ(read[2], 9);
  size_t count = 9, id = 9;
  EXPECT_OK(acltdtGetSliceInfoFromItem(item, &count, &id));
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(id, 0u);

  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetDimsFromItem(item, read, 1), "dimNum", "2");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetDimsFromItem(item, nullptr, 2), "dims");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetDimsFromItem(item, read, 0), "dims");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetSliceInfoFromItem(item, nullptr, &id), "sliceNum");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetSliceInfoFromItem(item, &id, nullptr), "sliceId");
  EXPECT_OK(acltdtDestroyDataItem(item));
}

TEST(DatasetTest, WrongItemsAreNotMade) {
  const std::vector<int64_t> dims(129, 1);
  const auto create = [&](acltdtTensorType kind, const int64_t* some, size_t count) {
    TakeMessages();
    EXPECT_EQ(acltdtCreateDataItem(kind, some, count, ACL_FLOAT, nullptr, 0), nullptr);
    return TakeMessages();
  };
  EXPECT_TRUE(HasWord(create(ACL_TENSOR_DATA_TENSOR, nullptr, 1), "dims"));
  EXPECT_TRUE(HasWord(create(ACL_TENSOR_DATA_TENSOR, dims.data(), 0), "dimNum"));
  EXPECT_TRUE(HasWord(create(ACL_TENSOR_DATA_TENSOR, dims.data(), 129), "128"));
  EXPECT_TRUE(HasWord(create(ACL_TENSOR_DATA_END_OF_SEQUENCE, dims.data(), 1), "tdtType"));
}

TEST(DatasetTest, StaleAndForeignHandlesAreFoundOut) {
  acltdtDataItem* item =
      acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, nullptr, 0, ACL_INT8, nullptr, 0);
  ASSERT_OK(acltdtDestroyDataItem(item));
  EXPECT_EQ(acltdtGetTensorTypeFromItem(item), ACL_TENSOR_DATA_UNDEFINED);
  EXPECT_EQ(acltdtGetDataTypeFromItem(nullptr), ACL_DT_UNDEFINED);
  EXPECT_EQ(acltdtGetDataAddrFromItem(item), nullptr);
  EXPECT_EQ(acltdtGetDataSizeFromItem(item), 0u);
  EXPECT_EQ(acltdtGetDimNumFromItem(item), 0u);
  size_t number = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDestroyDataItem(item), "dataItem");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetDimsFromItem(item, nullptr, 0), "dataItem");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetSliceInfoFromItem(item, &number, &number),
               "dataItem");

  int foreign = 0;
  auto* address = reinterpret_cast<acltdtDataset*>(&foreign);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDestroyDataset(address), "dataset");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtAddDataItem(address, item), "dataset");
  EXPECT_EQ(acltdtGetDatasetSize(address), 0u);
  EXPECT_EQ(acltdtGetDatasetName(address), nullptr);
  EXPECT_EQ(acltdtGetDataItem(address, 0), nullptr);
  const DatasetPtr dataset = NewDataset();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtAddDataItem(dataset.get(), item), "dataItem");
  EXPECT_EQ(acltdtGetDataItem(dataset.get(), 0), nullptr);
}

TEST(DatasetTest, NothingIsAddedToWhatWasReceived) {
  const ChannelPtr channel = NewChannel("received");
  const Vector vector({1});
  ASSERT_OK(acltdtSendTensor(channel.get(), vector.dataset.get(), 0));
  const DatasetPtr received = NewDataset();
  ASSERT_OK(acltdtReceiveTensor(channel.get(), received.get(), 0));
  EXPECT_FAILS(ACL_ERROR_FEATURE_UNSUPPORTED, acltdtAddDataItem(received.get(), vector.item),
               "received");
}

}  // namespace
}  // namespace anyacl::test
