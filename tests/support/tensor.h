// SPDX-License-Identifier: Apache-2.0
// Tensors for tests, made with the public C functions only: device memory with guard bytes around
// the elements and in the gaps between them, filled and read in logical order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "support/element.h"

namespace anyacl::test {

// The arguments of aclCreateTensor.
struct Layout {
  std::vector<int64_t> dims = {};
  aclDataType dtype = ACL_FLOAT;
  std::vector<int64_t> strides = {};  // Empty: contiguous.
  int64_t offset = 0;
  aclFormat format = ACL_FORMAT_ND;
  std::vector<int64_t> storage = {};  // Empty: dims, or one dimension over all that is reached.
};

std::vector<int64_t> ContiguousStrides(const std::vector<int64_t>& dims);

// Wide enough for the reach of any dims and strides.
__extension__ typedef __int128 Int128;

// Elements at positions first..last, in elements from tensorData; none if first > last.
struct Reach {
  Int128 first = 0;
  Int128 last = -1;
};
Reach ReachOf(const Layout& layout);

// Device memory that is freed at the end of its life.
class DeviceBuffer {
 public:
  explicit DeviceBuffer(size_t size);
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  DeviceBuffer& operator=(DeviceBuffer&&) = delete;
  ~DeviceBuffer();

  uint8_t* data() const { return data_; }
  size_t size() const { return size_; }
  void Upload(const std::vector<uint8_t>& bytes) const;
  std::vector<uint8_t> Download() const;

 private:
  uint8_t* data_ = nullptr;
  size_t size_;
};

class Tensor {
 public:
  // Every byte of the memory starts as kCanary.
  static constexpr uint8_t kCanary = 0xC5;

  static constexpr int64_t kMaxBytes = int64_t{1} << 28;

  // Memory is made from tensorData to whatever the layout reaches, before it and after it, up to
  // max_bytes; larger layouts get a few bytes, and fits() is false.
  explicit Tensor(const Layout& layout, int64_t max_bytes = kMaxBytes);
  Tensor(Tensor&& other) noexcept
      : layout_(std::move(other.layout_)),
        first_(other.first_),
        fits_(other.fits_),
        count_(other.count_),
        buffer_(std::move(other.buffer_)),
        handle_(std::exchange(other.handle_, nullptr)) {}
  Tensor& operator=(Tensor&&) = delete;
  ~Tensor() { Destroy(); }

  const Layout& layout() const { return layout_; }
  aclTensor* handle() const { return handle_; }
  bool fits() const { return fits_; }
  int64_t count() const { return count_; }

  // The address given to aclCreateTensor.
  void* data() const { return tensor_data_for(buffer_); }

  // Destroys the aclTensor, keeps the memory.
  void Destroy();

  // Another buffer of the same layout and its tensorData, for the functions that set addresses.
  DeviceBuffer NewBuffer() const { return DeviceBuffer(buffer_.size()); }
  void* tensor_data_for(const DeviceBuffer& buffer) const;

  // Elements in logical order; T has the element's size, 4-bit elements are int8_t.
  template <class T>
  void Write(const std::vector<T>& values) {
    Write(values, buffer_);
  }
  template <class T>
  void Write(const std::vector<T>& values, const DeviceBuffer& buffer) const;
  template <class T>
  std::vector<T> Read() const {
    return Read<T>(buffer_);
  }
  template <class T>
  std::vector<T> Read(const DeviceBuffer& buffer) const;

  // All bytes, guards included.
  std::vector<uint8_t> Bytes() const { return buffer_.Download(); }
  void SetBytes(const std::vector<uint8_t>& bytes) { buffer_.Upload(bytes); }

  // The bytes that hold elements of a gapless layout.
  std::vector<uint8_t> ElementBytes() const;

  // Whether every byte that belongs to no element is still kCanary. Of more elements than can be
  // visited, which lie over one another, only the bytes around the memory are looked at.
  bool GuardsIntact() const;

 private:
  static constexpr int64_t kGuard = 64;

  static constexpr int64_t kMostVisited = int64_t{1} << 24;
  // Contiguous, or more elements than can be visited and than the memory holds: no gaps to look at.
  bool HasEndsAlone() const;

  // Calls visit(k, position) for the k-th element in logical order; positions count elements from
  // the start of the memory.
  template <class Visit>
  void ForEach(const Visit& visit) const;

  Layout layout_;
  int64_t first_ = 0;  // Position of the first element in memory, 0 or less.
  bool fits_ = true;
  int64_t count_ = 1;
  DeviceBuffer buffer_;
  aclTensor* handle_ = nullptr;
};

template <class Visit>
void Tensor::ForEach(const Visit& visit) const {
  if (!fits_ || std::count_if(layout_.dims.begin(), layout_.dims.end(),
                              [](int64_t dim) { return dim <= 0; }) != 0) {
    return;
  }
  // Rows of the last dimension.
  const size_t outer = std::max<size_t>(layout_.dims.size(), 1) - 1;
  const int64_t length = layout_.dims.empty() ? 1 : layout_.dims.back();
  const int64_t step = layout_.dims.empty() ? 0 : layout_.strides.back();
  std::vector<int64_t> index(outer, 0);
  int64_t row = layout_.offset - first_;
  for (int64_t k = 0;;) {
    if (step == 1) {  // a loop of its own, which compilers make a copy of
      for (int64_t i = 0; i < length; ++i) visit(k + i, row + i);
    } else {
      for (int64_t i = 0; i < length; ++i) visit(k + i, row + i * step);
    }
    k += length;
    size_t axis = outer;
    for (;;) {
      if (axis == 0) return;
      --axis;
      if (++index[axis] < layout_.dims[axis]) break;
      row -= layout_.strides[axis] * (layout_.dims[axis] - 1);
      index[axis] = 0;
    }
    row += layout_.strides[axis];
  }
}

template <class T>
void Tensor::Write(const std::vector<T>& values, const DeviceBuffer& buffer) const {
  std::vector<uint8_t> bytes = buffer.Download();
  uint8_t* elements = bytes.data() + kGuard;
  if (BitsOf(layout_.dtype) == 4) {
    ForEach([&](int64_t k, int64_t position) {
      const int shift = position % 2 == 0 ? 0 : 4;
      uint8_t& byte = elements[position / 2];
      const int nibble = static_cast<int>(values[k]) & 15;
      byte = static_cast<uint8_t>((byte & ~(15 << shift)) | (nibble << shift));
    });
  } else {
    ForEach([&](int64_t k, int64_t position) {
      std::memcpy(elements + position * sizeof(T), &values[k], sizeof(T));
    });
  }
  buffer.Upload(bytes);
}

template <class T>
std::vector<T> Tensor::Read(const DeviceBuffer& buffer) const {
  const std::vector<uint8_t> bytes = buffer.Download();
  const uint8_t* elements = bytes.data() + kGuard;
  std::vector<T> values(static_cast<size_t>(count()));
  if (BitsOf(layout_.dtype) == 4) {
    ForEach([&](int64_t k, int64_t position) {
      const int nibble = (elements[position / 2] >> (position % 2 == 0 ? 0 : 4)) & 15;
      values[k] = static_cast<T>(nibble >= 8 ? nibble - 16 : nibble);
    });
  } else {
    ForEach([&](int64_t k, int64_t position) {
      std::memcpy(&values[k], elements + position * sizeof(T), sizeof(T));
    });
  }
  return values;
}

}  // namespace anyacl::test
