// SPDX-License-Identifier: Apache-2.0
// Memory of a communicator's own, which other processes of the host may map. It is zero at first,
// and costs nothing before it is written.
#pragma once

#include <cstdint>
#include <memory>

namespace anyacl::hccl {

class BufferMemory {
 public:
  // Null where the runtime has none, or another process may not map it.
  static std::shared_ptr<BufferMemory> Make(int32_t device, uint64_t size);
  static std::shared_ptr<BufferMemory> Import(int32_t device, uint64_t token, uint64_t size);
  // Of this process; null if it is gone. Whoever writes it holds it: its rank may end earlier.
  static std::shared_ptr<BufferMemory> Find(uintptr_t address);
  ~BufferMemory();
  BufferMemory(const BufferMemory&) = delete;
  BufferMemory& operator=(const BufferMemory&) = delete;

  char* base() const { return static_cast<char*>(address_); }
  uint64_t size() const { return size_; }
  // What other processes import it by; 0: they cannot.
  uint64_t token() const { return token_; }

 private:
  BufferMemory() = default;
  bool Map(uint64_t size);

  void* handle_ = nullptr;
  void* address_ = nullptr;
  bool mapped_ = false;
  uint64_t size_ = 0;
  uint64_t token_ = 0;
};

}  // namespace anyacl::hccl
