// SPDX-License-Identifier: Apache-2.0
// Memory of kernels' results with room around it, and which of its elements a call writes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace anyacl::test {

// `count` elements on a cache line, with as much as a kernel could overrun by on both sides.
template <class T>
class Padded {
 public:
  explicit Padded(int64_t count, uint8_t fill = 0x5A)
      : count_(count),
        fill_(fill),
        bytes_(static_cast<size_t>(count) * sizeof(T) + 2 * kMargin + 64, fill) {}
  Padded(const Padded& other)
      : count_(other.count_), fill_(other.fill_), bytes_(other.bytes_.size()) {
    std::memcpy(begin(), other.begin(), size());
  }
  Padded& operator=(const Padded&) = delete;

  T* data() { return reinterpret_cast<T*>(begin() + kMargin); }
  const T* data() const { return reinterpret_cast<const T*>(begin() + kMargin); }
  T& operator[](int64_t i) { return data()[i]; }
  const T& operator[](int64_t i) const { return data()[i]; }
  int64_t count() const { return count_; }

  // Whether the room around the elements is as it was.
  bool RoomIsIntact() const {
    const auto intact = [this](const uint8_t* from) {
      return std::count(from, from + kMargin, fill_) == static_cast<std::ptrdiff_t>(kMargin);
    };
    return intact(begin()) && intact(begin() + size() - kMargin);
  }
  // The bits of both, room around included.
  bool Same(const Padded& other) const { return std::memcmp(begin(), other.begin(), size()) == 0; }
  bool SameAt(const Padded& other, int64_t i) const {
    return std::memcmp(data() + i, other.data() + i, sizeof(T)) == 0;
  }

 private:
  static constexpr size_t kMargin = 256;

  size_t size() const { return static_cast<size_t>(count_) * sizeof(T) + 2 * kMargin; }
  uint8_t* begin() { return bytes_.data() + Shift(); }
  const uint8_t* begin() const { return bytes_.data() + Shift(); }
  size_t Shift() const { return 64 - reinterpret_cast<uintptr_t>(bytes_.data()) % 64; }

  int64_t count_;
  uint8_t fill_;
  std::vector<uint8_t> bytes_;
};

// Which elements write(memory) writes, found by two runs over memory of different bytes. Whatever
// it writes beside them fails.
template <class T, class Write>
std::vector<bool> WrittenBy(int64_t count, const Write& write) {
  Padded<T> first(count, 0x5A), second(count, 0xA5);
  write(first.data());
  write(second.data());
  EXPECT_TRUE(first.RoomIsIntact() && second.RoomIsIntact()) << "written beside the memory";
  std::vector<bool> written;
  for (int64_t i = 0; i < count; ++i) written.push_back(first.SameAt(second, i));
  return written;
}

}  // namespace anyacl::test
