// SPDX-License-Identifier: Apache-2.0
#ifndef ANYACL_ATB_UTILS_H_
#define ANYACL_ATB_UTILS_H_

#include <cstdint>
#include <string>

#include "atb/types.h"

namespace atb {

class ACL_FUNC_VISIBILITY Utils {
 public:
  // CANN's, as aclsysGetVersionStr tells it.
  static std::string GetAtbVersion();
  // Bytes; 0 for a tensor without dimensions, and for one with a size or a type that is not valid.
  static uint64_t GetTensorSize(const Tensor& tensor);
  static uint64_t GetTensorSize(const TensorDesc& tensorDesc);
  // Elements, likewise.
  static uint64_t GetTensorNumel(const Tensor& tensor);
  static uint64_t GetTensorNumel(const TensorDesc& tensorDesc);
};

}  // namespace atb

#endif  // ANYACL_ATB_UTILS_H_
