// SPDX-License-Identifier: Apache-2.0
#include "atb/utils.h"

#include <algorithm>

#include "acl/acl_rt.h"
#include "base/dtype.h"
#include "base/shape.h"

namespace atb {

std::string Utils::GetAtbVersion() {
  // ATB is of CANN's version; packages have no other ones here.
  char package[] = "runtime", version[ACL_PKG_VERSION_MAX_SIZE] = {};
  return aclsysGetVersionStr(package, version) == ACL_SUCCESS ? version : "";
}

uint64_t Utils::GetTensorNumel(const TensorDesc& desc) {
  const uint64_t rank = desc.shape.dimNum;
  if (rank == 0 || rank > MAX_DIM) return 0;
  const anyacl::Dims dims(desc.shape.dims, rank);
  return static_cast<uint64_t>(anyacl::ElementCount(dims).value_or(0));
}

uint64_t Utils::GetTensorSize(const TensorDesc& desc) {
  const auto bits = static_cast<uint64_t>(std::max(anyacl::BitsOf(desc.dtype), 0));
  uint64_t all = 0;
  if (__builtin_mul_overflow(GetTensorNumel(desc), bits, &all)) return 0;
  return all / 8 + (all % 8 != 0 ? 1 : 0);
}

uint64_t Utils::GetTensorNumel(const Tensor& tensor) { return GetTensorNumel(tensor.desc); }
uint64_t Utils::GetTensorSize(const Tensor& tensor) { return GetTensorSize(tensor.desc); }

}  // namespace atb
