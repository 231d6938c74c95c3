// SPDX-License-Identifier: Apache-2.0
// What HcclDataType and HcclReduceOp say of elements.
#pragma once

#include <cstddef>

#include "hccl/hccl_types.h"

namespace anyacl::hccl {

// Bytes of an element; 0: there is no such type.
constexpr size_t SizeOf(HcclDataType type) {
  switch (static_cast<int>(type)) {
    case HCCL_DATA_TYPE_INT8:
    case HCCL_DATA_TYPE_UINT8:
    case HCCL_DATA_TYPE_HIF8:
    case HCCL_DATA_TYPE_FP8E4M3:
    case HCCL_DATA_TYPE_FP8E5M2:
    case HCCL_DATA_TYPE_FP8E8M0:
      return 1;
    case HCCL_DATA_TYPE_INT16:
    case HCCL_DATA_TYPE_UINT16:
    case HCCL_DATA_TYPE_FP16:
    case HCCL_DATA_TYPE_BFP16:
      return 2;
    case HCCL_DATA_TYPE_INT32:
    case HCCL_DATA_TYPE_UINT32:
    case HCCL_DATA_TYPE_FP32:
      return 4;
    case HCCL_DATA_TYPE_INT64:
    case HCCL_DATA_TYPE_UINT64:
    case HCCL_DATA_TYPE_FP64:
      return 8;
    case HCCL_DATA_TYPE_INT128:
      return 16;
    default:
      return 0;
  }
}

// As HCCL's documents write them.
constexpr const char* NameOf(HcclDataType type) {
  switch (static_cast<int>(type)) {
    case HCCL_DATA_TYPE_INT8:
      return "int8";
    case HCCL_DATA_TYPE_INT16:
      return "int16";
    case HCCL_DATA_TYPE_INT32:
      return "int32";
    case HCCL_DATA_TYPE_FP16:
      return "float16";
    case HCCL_DATA_TYPE_FP32:
      return "float32";
    case HCCL_DATA_TYPE_INT64:
      return "int64";
    case HCCL_DATA_TYPE_UINT64:
      return "uint64";
    case HCCL_DATA_TYPE_UINT8:
      return "uint8";
    case HCCL_DATA_TYPE_UINT16:
      return "uint16";
    case HCCL_DATA_TYPE_UINT32:
      return "uint32";
    case HCCL_DATA_TYPE_FP64:
      return "float64";
    case HCCL_DATA_TYPE_BFP16:
      return "bfp16";
    case HCCL_DATA_TYPE_INT128:
      return "int128";
    case HCCL_DATA_TYPE_HIF8:
      return "hifloat8";
    case HCCL_DATA_TYPE_FP8E4M3:
      return "float8-e4m3";
    case HCCL_DATA_TYPE_FP8E5M2:
      return "float8-e5m2";
    case HCCL_DATA_TYPE_FP8E8M0:
      return "float8-e8m0";
    default:
      return "an unknown type";
  }
}

constexpr const char* NameOf(HcclReduceOp op) {
  switch (static_cast<int>(op)) {
    case HCCL_REDUCE_SUM:
      return "sum";
    case HCCL_REDUCE_PROD:
      return "prod";
    case HCCL_REDUCE_MAX:
      return "max";
    case HCCL_REDUCE_MIN:
      return "min";
    default:
      return "an unknown operation";
  }
}

// Whether reductions take the type: upstream's devices int8 to int64, fp16, bf16 and fp32, those of
// the 950 series uint64 and fp64 too; a CPU the other unsigned ones as well, and products of int16
// and bf16. Every type is moved.
constexpr bool IsReducible(HcclDataType type) {
  return static_cast<unsigned>(type) <= HCCL_DATA_TYPE_BFP16;
}

}  // namespace anyacl::hccl
