// SPDX-License-Identifier: Apache-2.0
// Channels that carry tensors between the program and the device (libacl_tdt_channel). A channel is
// a queue in this process: what one thread sends, another receives, in order. On a device the other
// end is an operator that reads or writes the queue; anyacl has none of those.
//
// Handles are numbers, not addresses; a stale or foreign one is refused (100000, or the value that
// a getter returns for failure).
#ifndef ANYACL_ACL_ACL_TDT_H_
#define ANYACL_ACL_ACL_TDT_H_

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum acltdtTensorType {
  ACL_TENSOR_DATA_UNDEFINED = -1,
  ACL_TENSOR_DATA_TENSOR = 0,
  ACL_TENSOR_DATA_END_OF_SEQUENCE = 1,
  ACL_TENSOR_DATA_ABNORMAL = 2,
  ACL_TENSOR_DATA_SLICE_TENSOR = 3,
  ACL_TENSOR_DATA_END_TENSOR = 4
} acltdtTensorType;

typedef struct acltdtDataItem acltdtDataItem;
typedef struct acltdtDataset acltdtDataset;
typedef struct acltdtChannelHandle acltdtChannelHandle;

// A tensor, or with another tdtType a sign without data, whose dims must be null and whose type and
// size are dropped. dims is null if and only if dimNum is 0; dimNum is at most 128. data is kept as
// an address of size bytes, host or device, which acltdtSendTensor reads. Null on failure.
ACL_FUNC_VISIBILITY acltdtDataItem* acltdtCreateDataItem(acltdtTensorType tdtType,
                                                         const int64_t* dims, size_t dimNum,
                                                         aclDataType dataType, void* data,
                                                         size_t size);
ACL_FUNC_VISIBILITY aclError acltdtDestroyDataItem(acltdtDataItem* dataItem);

// On failure: ACL_TENSOR_DATA_UNDEFINED, ACL_DT_UNDEFINED, null, 0, 0.
ACL_FUNC_VISIBILITY acltdtTensorType acltdtGetTensorTypeFromItem(const acltdtDataItem* dataItem);
ACL_FUNC_VISIBILITY aclDataType acltdtGetDataTypeFromItem(const acltdtDataItem* dataItem);
ACL_FUNC_VISIBILITY void* acltdtGetDataAddrFromItem(const acltdtDataItem* dataItem);
ACL_FUNC_VISIBILITY size_t acltdtGetDataSizeFromItem(const acltdtDataItem* dataItem);
ACL_FUNC_VISIBILITY size_t acltdtGetDimNumFromItem(const acltdtDataItem* dataItem);

// dims has room for dimNum dimensions, at least as many as the item has.
ACL_FUNC_VISIBILITY aclError acltdtGetDimsFromItem(const acltdtDataItem* dataItem, int64_t* dims,
                                                   size_t dimNum);

// Both are 0: only operators of a device cut tensors into slices.
ACL_FUNC_VISIBILITY aclError acltdtGetSliceInfoFromItem(const acltdtDataItem* dataItem,
                                                        size_t* sliceNum, size_t* sliceId);

// A list of items, which it does not own unless they were received.
ACL_FUNC_VISIBILITY acltdtDataset* acltdtCreateDataset(void);
ACL_FUNC_VISIBILITY aclError acltdtDestroyDataset(acltdtDataset* dataset);

// 200006 if the dataset has received: it holds items of its own. 100000 if device and host memory
// would meet in one dataset.
ACL_FUNC_VISIBILITY aclError acltdtAddDataItem(acltdtDataset* dataset, acltdtDataItem* dataItem);
ACL_FUNC_VISIBILITY acltdtDataItem* acltdtGetDataItem(const acltdtDataset* dataset, size_t index);
ACL_FUNC_VISIBILITY size_t acltdtGetDatasetSize(const acltdtDataset* dataset);

// Empty: only operators of a device name what they send. Null on failure.
ACL_FUNC_VISIBILITY const char* acltdtGetDatasetName(const acltdtDataset* dataset);

// Null, with a message: channels without a capacity need CANN's transfer process, which CANN itself
// offers on none of the devices that anyacl presents.
ACL_FUNC_VISIBILITY acltdtChannelHandle* acltdtCreateChannel(uint32_t deviceId, const char* name);

// A channel for 2 to 8192 messages. name has at most 127 characters and is the only one of its kind
// on the device. Null on failure.
ACL_FUNC_VISIBILITY acltdtChannelHandle* acltdtCreateChannelWithCapacity(uint32_t deviceId,
                                                                         const char* name,
                                                                         size_t capacity);

// Ends the waits of senders and receivers, these and later ones, as if their time were up; without
// waiting they may go on.
ACL_FUNC_VISIBILITY aclError acltdtStopChannel(acltdtChannelHandle* handle);

// Whoever still waits gets 107000.
ACL_FUNC_VISIBILITY aclError acltdtDestroyChannel(acltdtChannelHandle* handle);

// Drops all messages.
ACL_FUNC_VISIBILITY aclError acltdtCleanChannel(acltdtChannelHandle* handle);

// The number of messages.
ACL_FUNC_VISIBILITY aclError acltdtQueryChannelSize(const acltdtChannelHandle* handle,
                                                    size_t* size);

// Puts a copy of the items into the channel. timeout: milliseconds to wait for room, 0 not at all,
// -1 for ever; then 207014. A dataset needs at least one item; only tensors, ends of sequence and
// ACL_TENSOR_DATA_ABNORMAL can be sent (100000).
ACL_FUNC_VISIBILITY aclError acltdtSendTensor(const acltdtChannelHandle* handle,
                                              const acltdtDataset* dataset, int32_t timeout);

// Takes the oldest message. timeout: milliseconds to wait for one, 0 not at all, -1 for ever; then
// 207013. The dataset must be empty or have received before (100000); its items and their memory,
// 64-byte aligned, last until it receives again or is destroyed.
ACL_FUNC_VISIBILITY aclError acltdtReceiveTensor(const acltdtChannelHandle* handle,
                                                 acltdtDataset* dataset, int32_t timeout);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACL_ACL_TDT_H_
