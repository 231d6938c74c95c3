// SPDX-License-Identifier: Apache-2.0
#include "device.h"

#include <cstdio>
#include <cstdlib>

namespace anyacl::bench {

void Check(int code, const char* call) {
  if (code == ACL_SUCCESS) return;
  const char* message = aclGetRecentErrMsg();
  std::fprintf(stderr, "anyacl_bench: %s failed with code %d\n%s\n", call, code,
               message != nullptr ? message : "");
  std::exit(EXIT_FAILURE);
}

Device::Device() {
  Check(aclInit(nullptr), "aclInit");
  Check(aclrtSetDevice(0), "aclrtSetDevice");
  Check(aclrtCreateStream(&stream_), "aclrtCreateStream");
}

Device::~Device() {
  aclrtDestroyStream(stream_);
  aclrtResetDevice(0);
  aclFinalize();
}

Tensor::Tensor(aclDataType type, const std::vector<int64_t>& shape) {
  size_t elements = 1;
  for (int64_t size : shape) elements *= static_cast<size_t>(size);
  // aclDataTypeSize counts whole bytes; two INT4 share one.
  bytes_ = type == ACL_INT4 ? elements / 2 : elements * aclDataTypeSize(type);
  Check(aclrtMalloc(&data_, bytes_, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  tensor_ = aclCreateTensor(shape.data(), shape.size(), type, nullptr, 0, ACL_FORMAT_ND,
                            shape.data(), shape.size(), data_);
}

Tensor::~Tensor() {
  aclDestroyTensor(tensor_);
  aclrtFree(data_);
}

void Tensor::Upload(const void* data) const {
  Check(aclrtMemcpy(data_, bytes_, data, bytes_, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
}

void Tensor::Download(void* data) const {
  Check(aclrtMemcpy(data, bytes_, data_, bytes_, ACL_MEMCPY_DEVICE_TO_HOST), "aclrtMemcpy");
}

}  // namespace anyacl::bench
