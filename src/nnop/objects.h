// SPDX-License-Identifier: Apache-2.0
// What the opaque aclnn handles stand for.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "aclnn/acl_meta.h"
#include "base/shape.h"
#include "runtime/handle_table.h"

namespace anyacl {

// Everything about a tensor but its address. Element (i0, i1, ...) lies at
// data + (offset + sum of i_k * strides[k]) elements.
struct TensorLayout {
  aclDataType dtype = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  Dims shape;
  Dims strides;        // in elements
  int64_t offset = 0;  // in elements
  Dims storage_shape;
};

class Tensor : public std::enable_shared_from_this<Tensor> {
 public:
  // `fill` is called with the address of the layout.
  template <class Fill>
  Tensor(void* data, const Fill& fill) : data_(data) {
    fill(&first_);
  }

  // aclInitTensor. Calls that have taken the layout keep the one they took.
  void Reset(std::shared_ptr<const TensorLayout> layout, void* data) {
    std::lock_guard lock(mutex_);
    later_.swap(layout);
    is_reset_.store(true, std::memory_order_release);
    set_data(data);
  }
  std::shared_ptr<const TensorLayout> layout() const {
    if (!is_reset_.load(std::memory_order_acquire)) return {shared_from_this(), &first_};
    std::lock_guard lock(mutex_);
    return later_;
  }
  void* data() const { return data_.load(std::memory_order_acquire); }
  void set_data(void* data) { data_.store(data, std::memory_order_release); }

 private:
  // Most tensors have one layout only, which needs no memory and no lock of its own.
  TensorLayout first_;  // constant once it is made
  std::atomic<bool> is_reset_{false};
  mutable std::mutex mutex_;  // of later_
  std::shared_ptr<const TensorLayout> later_;
  std::atomic<void*> data_;
};

struct Scalar {
  aclDataType dtype = ACL_DT_UNDEFINED;
  alignas(16) std::array<unsigned char, 16> bytes{};  // the value, in its own type
};

// Lists hold handles: their members can be destroyed one by one.
using TensorList = std::vector<const aclTensor*>;
using ScalarList = std::vector<const aclScalar*>;
using IntArray = std::vector<int64_t>;
using FloatArray = std::vector<float>;
using BoolArray = std::vector<uint8_t>;

// One table per kind of handle.
HandleTable<Tensor, HandleKind::kTensor, 4>& Tensors();
HandleTable<TensorList, HandleKind::kTensorList>& TensorLists();
HandleTable<Scalar, HandleKind::kScalar>& Scalars();
HandleTable<ScalarList, HandleKind::kScalarList>& ScalarLists();
HandleTable<IntArray, HandleKind::kIntArray>& IntArrays();
HandleTable<FloatArray, HandleKind::kFloatArray>& FloatArrays();
HandleTable<BoolArray, HandleKind::kBoolArray>& BoolArrays();

}  // namespace anyacl
