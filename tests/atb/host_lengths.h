// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "atb/atb_case.h"

namespace anyacl::test {

// A tensor of lengths in host memory, as a client's.
class HostLengths {
 public:
  HostLengths(std::vector<int32_t> values, Shape dims, Shape strides = {}, int64_t offset = 0)
      : values_(std::move(values)), dims_(std::move(dims)) {
    const auto count = static_cast<int64_t>(values_.size());
    handle_ = aclCreateTensor(dims_.data(), dims_.size(), ACL_INT32,
                              strides.empty() ? nullptr : strides.data(), offset, ACL_FORMAT_ND,
                              &count, 1, values_.data());
  }
  ~HostLengths() { aclDestroyTensor(handle_); }
  HostLengths(const HostLengths&) = delete;
  HostLengths& operator=(const HostLengths&) = delete;
  const aclTensor* handle() const { return handle_; }

 private:
  std::vector<int32_t> values_;
  Shape dims_;
  aclTensor* handle_;
};

}  // namespace anyacl::test
