// SPDX-License-Identifier: Apache-2.0
// What the operator examples share: checked calls, a device with a stream, tensors on the device.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

// Ends the program with the library's own explanation if a call failed.
inline void Check(int code, const std::string& call) {
  if (code == ACL_SUCCESS) return;
  const char* message = aclGetRecentErrMsg();
  std::fprintf(stderr, "%s failed with code %d\n%s\n", call.c_str(), code, message ? message : "");
  std::exit(EXIT_FAILURE);
}

// Device 0 with one stream, for the life of the object.
class Device {
 public:
  Device() {
    Check(aclInit(nullptr), "aclInit");
    Check(aclrtSetDevice(0), "aclrtSetDevice");
    Check(aclrtCreateStream(&stream_), "aclrtCreateStream");
  }
  ~Device() {
    aclrtDestroyStream(stream_);
    aclrtResetDevice(0);
    aclFinalize();
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  aclrtStream stream() const { return stream_; }

 private:
  aclrtStream stream_ = nullptr;
};

// A contiguous tensor and its device memory.
class DeviceTensor {
 public:
  DeviceTensor(aclDataType type, const std::vector<int64_t>& shape) {
    size_t elements = 1;
    for (int64_t size : shape) elements *= static_cast<size_t>(size);
    // aclDataTypeSize counts whole bytes; two INT4 share one.
    bytes_ = type == ACL_INT4 ? elements / 2 : elements * aclDataTypeSize(type);
    Check(aclrtMalloc(&data_, bytes_, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    tensor_ = aclCreateTensor(shape.data(), shape.size(), type, nullptr, 0, ACL_FORMAT_ND,
                              shape.data(), shape.size(), data_);
  }
  template <class T>
  DeviceTensor(aclDataType type, const std::vector<int64_t>& shape, const std::vector<T>& values)
      : DeviceTensor(type, shape) {
    Check(aclrtMemcpy(data_, bytes_, values.data(), values.size() * sizeof(T),
                      ACL_MEMCPY_HOST_TO_DEVICE),
          "aclrtMemcpy to the device");
  }
  ~DeviceTensor() {
    aclDestroyTensor(tensor_);
    aclrtFree(data_);
  }
  DeviceTensor(const DeviceTensor&) = delete;
  DeviceTensor& operator=(const DeviceTensor&) = delete;

  aclTensor* get() const { return tensor_; }
  void* data() const { return data_; }

  template <class T>
  std::vector<T> Download() const {
    std::vector<T> values(bytes_ / sizeof(T));
    Check(aclrtMemcpy(values.data(), bytes_, data_, bytes_, ACL_MEMCPY_DEVICE_TO_HOST),
          "aclrtMemcpy to the host");
    return values;
  }

 private:
  size_t bytes_ = 0;
  void* data_ = nullptr;
  aclTensor* tensor_ = nullptr;
};

using SecondPhase = aclnnStatus (*)(void*, uint64_t, aclOpExecutor*, aclrtStream);

// Runs the second phase with the workspace that the first one asked for, and waits for the result.
inline void RunAndWait(const std::string& name, SecondPhase second_phase, uint64_t workspace_size,
                       aclOpExecutor* executor, aclrtStream stream) {
  void* workspace = nullptr;
  if (workspace_size > 0) {
    Check(aclrtMalloc(&workspace, workspace_size, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  }
  Check(second_phase(workspace, workspace_size, executor, stream), name);
  Check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream after " + name);
  if (workspace != nullptr) Check(aclrtFree(workspace), "aclrtFree");
}
