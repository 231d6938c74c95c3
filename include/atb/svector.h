// SPDX-License-Identifier: Apache-2.0
// SVector: up to 64 elements without an allocation. It crosses the border between a program and
// libatb.so, so its members lie as in the headers that programs were built with.
#ifndef ANYACL_ATB_SVECTOR_H_
#define ANYACL_ATB_SVECTOR_H_

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <new>
#include <stdexcept>

namespace atb {

// Of reserve().
constexpr std::size_t MAX_SVECTOR_SIZE = 256;
constexpr std::size_t DEFAULT_SVECTOR_SIZE = 64;

// More elements than there is room for.
struct MaxSizeExceeded : public std::exception {};

// Of types that can be copied byte by byte. Room for 64 elements, or for as many as reserve() asked
// for.
template <class T>
class SVector {
 public:
  constexpr SVector() : storage_{} {}
  SVector(std::initializer_list<T> list) : storage_{} {
    for (const T& value : list) push_back(value);
  }
  explicit SVector(std::size_t size, const T& value = T()) : storage_{} {
    for (std::size_t i = 0; i < size; ++i) push_back(value);
  }
  SVector(const SVector& other) : storage_{} { Take(other); }
  SVector& operator=(const SVector& other) {
    if (this != &other) {
      size_ = 0;
      Take(other);
    }
    return *this;
  }
  SVector& operator=(std::initializer_list<T> list) {
    size_ = 0;
    for (const T& value : list) push_back(value);
    return *this;
  }
  ~SVector() { std::free(heap_); }

  void push_back(const T& value) {
    if (size_ == room()) throw MaxSizeExceeded();
    data()[size_++] = value;
  }
  void insert(std::size_t position, const T& value) {
    if (position > size_ || size_ == room()) throw MaxSizeExceeded();
    for (std::size_t i = size_; i > position; --i) data()[i] = data()[i - 1];
    data()[position] = value;
    ++size_;
  }
  void reserve(std::size_t size) {
    if (size > MAX_SVECTOR_SIZE) throw MaxSizeExceeded();
    if (size <= room()) return;
    T* more = static_cast<T*>(std::calloc(size, sizeof(T)));
    if (more == nullptr) throw std::bad_alloc();
    for (std::size_t i = 0; i < size_; ++i) more[i] = data()[i];
    std::free(heap_);
    heap_ = more;
    capacity_ = size;
  }
  void resize(std::size_t size) {
    if (size > room()) throw MaxSizeExceeded();
    size_ = size;
  }
  void clear() noexcept { size_ = 0; }

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T* data() noexcept { return heap_ != nullptr ? heap_ : storage_; }
  const T* data() const noexcept { return heap_ != nullptr ? heap_ : storage_; }
  T* begin() noexcept { return data(); }
  const T* begin() const noexcept { return data(); }
  T* end() noexcept { return data() + size_; }
  const T* end() const noexcept { return data() + size_; }

  T& at(std::size_t i) {
    if (i >= size_) throw std::out_of_range("SVector::at");
    return data()[i];
  }
  const T& at(std::size_t i) const { return const_cast<SVector*>(this)->at(i); }
  T& operator[](std::size_t i) { return at(i); }
  const T& operator[](std::size_t i) const { return at(i); }

  bool operator==(const SVector& other) const {
    if (size_ != other.size_) return false;
    for (std::size_t i = 0; i < size_; ++i) {
      if (data()[i] != other.data()[i]) return false;
    }
    return true;
  }
  bool operator!=(const SVector& other) const { return !(*this == other); }

 private:
  std::size_t room() const { return heap_ != nullptr ? capacity_ : DEFAULT_SVECTOR_SIZE; }
  void Take(const SVector& other) {
    reserve(other.size_);
    for (const T& value : other) push_back(value);
  }

  std::size_t capacity_ = 0;  // of the heap
  std::size_t size_ = 0;
  T storage_[DEFAULT_SVECTOR_SIZE + 1];
  T* heap_ = nullptr;
};

}  // namespace atb

#endif  // ANYACL_ATB_SVECTOR_H_
