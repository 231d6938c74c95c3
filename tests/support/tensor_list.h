// SPDX-License-Identifier: Apache-2.0
// A list of the tensors of a test, of handles of its own, which end with it.
#pragma once

#include <memory>
#include <vector>

#include "support/tensor.h"

namespace anyacl::test {

using Tensors = std::vector<std::unique_ptr<Tensor>>;

class TensorList {
 public:
  explicit TensorList(const Tensors& tensors) {
    std::vector<const aclTensor*> handles;
    for (const auto& tensor : tensors) {
      const Layout& l = tensor->layout();
      const auto strides = l.strides.empty() ? ContiguousStrides(l.dims) : l.strides;
      handles.push_back(aclCreateTensor(l.dims.data(), l.dims.size(), l.dtype, strides.data(),
                                        l.offset, l.format, l.storage.data(), l.storage.size(),
                                        tensor->data()));
    }
    handle_ = aclCreateTensorList(handles.data(), handles.size());
  }
  ~TensorList() { aclDestroyTensorList(handle_); }
  TensorList(const TensorList&) = delete;
  TensorList& operator=(const TensorList&) = delete;
  aclTensorList* handle() const { return handle_; }

 private:
  aclTensorList* handle_;
};

}  // namespace anyacl::test
