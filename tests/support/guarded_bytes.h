// SPDX-License-Identifier: Apache-2.0
// Memory of which nothing behind the end may be touched: a page that cannot be accessed follows.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

namespace anyacl::test {

class GuardedBytes {
 public:
  GuardedBytes() = default;
  explicit GuardedBytes(size_t size) : size_(size) {
    if (size == 0) return;
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t usable = (size + page - 1) / page * page;
    mapped_ = usable + page;
    void* memory =
        mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    end_ = static_cast<unsigned char*>(memory) + usable;
    if (mprotect(end_, page, PROT_NONE) != 0) std::abort();
  }
  GuardedBytes(const GuardedBytes& from) : GuardedBytes(from.size_) {
    std::copy(from.data(), from.end(), data());
  }
  GuardedBytes& operator=(GuardedBytes from) noexcept {
    std::swap(size_, from.size_);
    std::swap(mapped_, from.mapped_);
    std::swap(end_, from.end_);
    return *this;
  }
  ~GuardedBytes() {
    if (end_ == nullptr) return;
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    munmap(end_ + page - mapped_, mapped_);
  }

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  unsigned char* data() const { return end_ - size_; }
  unsigned char* end() const { return end_; }
  unsigned char& operator[](size_t i) const { return data()[i]; }
  template <class T>
  T* Last(size_t n) const {
    return reinterpret_cast<T*>(end_) - n;
  }

 private:
  size_t size_ = 0;
  size_t mapped_ = 0;
  unsigned char* end_ = nullptr;
};

}  // namespace anyacl::test
