// SPDX-License-Identifier: Apache-2.0
#include "support/tensor.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "support/expect.h"

namespace anyacl::test {
namespace {

// The reach of a layout, and position 0.
Reach MemoryOf(const Layout& layout) {
  const Reach reach = ReachOf(layout);
  if (reach.first > reach.last) return reach;
  return {.first = std::min<Int128>(reach.first, 0), .last = std::max<Int128>(reach.last, 0)};
}

// Bytes of that memory, or -1 if they are more than max_bytes.
int64_t MemoryBytes(const Layout& layout, int64_t max_bytes) {
  const Reach memory = MemoryOf(layout);
  const Int128 count = memory.last - memory.first + 1;
  if (count > INT64_MAX) return -1;
  const Int128 bytes = (count * BitsOf(layout.dtype) + 7) / 8;
  return bytes > max_bytes ? -1 : static_cast<int64_t>(bytes);
}

}  // namespace

std::vector<int64_t> ContiguousStrides(const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size(), 1);
  uint64_t stride = 1;  // Sizes of negative tests may wrap.
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = static_cast<int64_t>(stride);
    stride *= static_cast<uint64_t>(dims[i]);
  }
  return strides;
}

Reach ReachOf(const Layout& layout) {
  const std::vector<int64_t> strides =
      layout.strides.empty() ? ContiguousStrides(layout.dims) : layout.strides;
  Reach reach{.first = layout.offset, .last = layout.offset};
  for (size_t i = 0; i < layout.dims.size(); ++i) {
    if (layout.dims[i] <= 0) return {};
    const Int128 span = static_cast<Int128>(layout.dims[i] - 1) * strides[i];
    (span < 0 ? reach.first : reach.last) += span;
  }
  return reach;
}

DeviceBuffer::DeviceBuffer(size_t size) : size_(size) {
  void* memory = nullptr;
  EXPECT_OK(aclrtMalloc(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST));
  data_ = static_cast<uint8_t*>(memory);
  EXPECT_OK(aclrtMemset(data_, size, Tensor::kCanary, size));
}

DeviceBuffer::~DeviceBuffer() {
  if (data_ != nullptr) {
    EXPECT_OK(aclrtFree(data_));
  }
}

void DeviceBuffer::Upload(const std::vector<uint8_t>& bytes) const {
  ASSERT_EQ(bytes.size(), size_);
  EXPECT_OK(aclrtMemcpy(data_, size_, bytes.data(), bytes.size(), ACL_MEMCPY_HOST_TO_DEVICE));
}

std::vector<uint8_t> DeviceBuffer::Download() const {
  std::vector<uint8_t> bytes(size_);
  EXPECT_OK(aclrtMemcpy(bytes.data(), bytes.size(), data_, size_, ACL_MEMCPY_DEVICE_TO_HOST));
  return bytes;
}

Tensor::Tensor(const Layout& layout, int64_t max_bytes)
    : layout_(layout),
      fits_(MemoryBytes(layout, max_bytes) >= 0),
      buffer_(
          static_cast<size_t>(std::max<int64_t>(MemoryBytes(layout, max_bytes), 0) + 2 * kGuard)) {
  if (layout_.strides.empty()) layout_.strides = ContiguousStrides(layout_.dims);
  uint64_t count = 1;  // Sizes of negative tests may wrap.
  for (int64_t dim : layout_.dims) count *= static_cast<uint64_t>(dim);
  count_ = static_cast<int64_t>(count);
  const Reach memory = MemoryOf(layout_);
  if (fits_ && memory.first <= memory.last) first_ = static_cast<int64_t>(memory.first);
  if (layout_.storage.empty()) {
    const bool contiguous = layout.strides.empty() && layout.offset == 0;
    layout_.storage = contiguous || !fits_
                          ? layout_.dims
                          : std::vector<int64_t>{static_cast<int64_t>(memory.last + 1)};
  }
  handle_ = aclCreateTensor(layout_.dims.data(), layout_.dims.size(), layout_.dtype,
                            layout_.strides.data(), layout_.offset, layout_.format,
                            layout_.storage.data(), layout_.storage.size(), data());
  EXPECT_NE(handle_, nullptr) << TakeMessages();
}

void Tensor::Destroy() {
  if (handle_ != nullptr) {
    EXPECT_OK(aclDestroyTensor(std::exchange(handle_, nullptr)));
  }
}

void* Tensor::tensor_data_for(const DeviceBuffer& buffer) const {
  const uintptr_t elements = reinterpret_cast<uintptr_t>(buffer.data()) + kGuard;
  // An odd first_ of 4-bit elements occupies a byte more.
  return reinterpret_cast<void*>(elements + (-first_ * BitsOf(layout_.dtype) + 7) / 8);
}

std::vector<uint8_t> Tensor::ElementBytes() const {
  const std::vector<uint8_t> bytes = Bytes();
  return {bytes.begin() + kGuard, bytes.end() - kGuard};
}

bool Tensor::HasEndsAlone() const {
  if (layout_.offset == 0 && layout_.strides == ContiguousStrides(layout_.dims)) return true;
  // 2^58 elements with a stride of 0 fit into any memory.
  Int128 elements = 1;
  for (int64_t dim : layout_.dims) {
    if (dim <= 0) return false;
    elements *= dim;
    if (elements > std::max<Int128>(kMostVisited, static_cast<Int128>(buffer_.size()) * 2)) {
      return true;
    }
  }
  return false;
}

bool Tensor::GuardsIntact() const {
  if (HasEndsAlone()) {
    std::vector<uint8_t> guards(2 * kGuard);
    EXPECT_OK(
        aclrtMemcpy(guards.data(), kGuard, buffer_.data(), kGuard, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_OK(aclrtMemcpy(guards.data() + kGuard, kGuard, buffer_.data() + buffer_.size() - kGuard,
                          kGuard, ACL_MEMCPY_DEVICE_TO_HOST));
    return std::ranges::all_of(guards, [](uint8_t byte) { return byte == kCanary; });
  }
  std::vector<uint8_t> bytes = Bytes();
  uint8_t* const elements = bytes.data() + kGuard;
  const int bits = BitsOf(layout_.dtype);
  const auto restore = [&]<class Element>(Element) {
    Element canaries;
    std::memset(&canaries, kCanary, sizeof(canaries));
    ForEach([&](int64_t, int64_t position) {
      std::memcpy(elements + position * bits / 8, &canaries, sizeof(canaries));
    });
  };
  switch (bits) {
    case 16:
      restore(uint16_t{});
      break;
    case 32:
      restore(uint32_t{});
      break;
    case 64:
      restore(uint64_t{});
      break;
    case 128:
      restore(std::array<uint64_t, 2>{});
      break;
    default:
      restore(uint8_t{});
  }
  return std::ranges::all_of(bytes, [](uint8_t byte) { return byte == kCanary; });
}

}  // namespace anyacl::test
