// SPDX-License-Identifier: Apache-2.0
// Statuses and tensors of ATB, the Ascend Transformer Boost library.
#ifndef ANYACL_ATB_TYPES_H_
#define ANYACL_ATB_TYPES_H_

#include <cstdint>

#include "acl/acl.h"
#include "atb/svector.h"

namespace atb {

// 0, or one of ErrorType. aclGetRecentErrMsg() tells what was wrong.
using Status = int32_t;

constexpr uint32_t MAX_DIM = 8;

enum ErrorType : int {
  NO_ERROR = 0,
  ERROR_INVALID_PARAM,  // a parameter of an operation, or a combination of some
  ERROR_INVALID_GRAPH,
  ERROR_INTERNAL_ERROR,
  ERROR_RT_FAIL,                // the runtime refused the call
  ERROR_INVALID_IN_TENSOR_NUM,  // VariantPack::inTensors has too few or too many
  ERROR_INVALID_TENSOR_DTYPE,
  ERROR_INVALID_TENSOR_FORMAT,
  ERROR_INVALID_TENSOR_DIM,  // sizes that do not go together
  ERROR_INVALID_TENSOR_SIZE,
  ERROR_OPERATION_NULL_RUNNER,
  ERROR_GRAPH_INFERSHAPE_FUNC_FAIL,
  ERROR_CANN_ERROR,
  ERROR_INVALID_TENSOR_INI_MATCH,
  ERROR_INVALID_TENSOR_ADDR,  // no data, or data on the wrong side (host, device)
  ERROR_INVALID_TENSOR_NUM,   // VariantPack::outTensors has too few or too many
  ERROR_INVALID_TENSOR_DIM_NUM,
  ERROR_INVALID_SINGLE_OPERATION_PARAM,
  ERROR_GRAPH_NODE_RESHAPE_FUNC_FAIL,
  ERROR_INVALID_GRAPH_NODE_CHUNK,
  ERROR_INVALID_CONTEXT_ADDR,
  ERROR_INVALID_STREAM,
  ERROR_INVALID_WORKSPACE_SIZE,
  ERROR_INVALID_WORKSPACE_ADDR,
  ERROR_INVALID_OPERATION_ADDR,
  ERROR_HCCL_FAIL,
  ERROR_OUT_OF_DEVICE_MEMORY,
  ERROR_OUT_OF_HOST_MEMORY
};

struct Dims {
  int64_t dims[MAX_DIM];
  uint64_t dimNum = 0;
};

struct TensorDesc {
  aclDataType dtype = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  Dims shape;
};

// Row-major, without gaps. Data of lengths is read from hostData while Setup runs; that of every
// other tensor lies at deviceData.
struct Tensor {
  TensorDesc desc;
  void* deviceData = nullptr;
  void* hostData = nullptr;
  uint64_t dataSize = 0;  // bytes, as many as the shape needs or more
};

struct VariantPack {
  SVector<Tensor> inTensors;
  SVector<Tensor> outTensors;
};

}  // namespace atb

#endif  // ANYACL_ATB_TYPES_H_
