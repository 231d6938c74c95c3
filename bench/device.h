// SPDX-License-Identifier: Apache-2.0
// The public API in objects: a device with its stream, tensors in device memory, checked calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

namespace anyacl::bench {

// Ends the program with the library's message if a call failed.
void Check(int code, const char* call);

// Device 0 and one stream, for the life of the object.
class Device {
 public:
  Device();
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  aclrtStream stream() const { return stream_; }

 private:
  aclrtStream stream_ = nullptr;
};

// A contiguous tensor and its memory.
class Tensor {
 public:
  Tensor(aclDataType type, const std::vector<int64_t>& shape);
  ~Tensor();
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  const aclTensor* get() const { return tensor_; }
  void* data() const { return data_; }
  size_t bytes() const { return bytes_; }
  void Upload(const void* data) const;
  void Download(void* data) const;

 private:
  size_t bytes_ = 0;
  void* data_ = nullptr;
  aclTensor* tensor_ = nullptr;
};

}  // namespace anyacl::bench
