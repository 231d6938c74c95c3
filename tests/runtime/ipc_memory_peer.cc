// SPDX-License-Identifier: Apache-2.0
// The other process of the tests of shared memory. Reads commands, answers each with one number:
//   key K      imports an allocation, answers the code
//   handle N   imports physical memory and maps it, answers the code
//   read I     answers the byte at index I of what was imported last
//   write I B  sets it, answers 0
//   device I B sets it by a task on a stream, answers the code
//   close K    closes the key, answers the code
//   export     exports an allocation of a page, answers the code, then the key on a line
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>

#include "acl/acl.h"

namespace {

constexpr size_t kGranularity = size_t{2} << 20;

int MapHandle(uint64_t shareable, char** memory) {
  aclrtDrvMemHandle handle = nullptr;
  int code = aclrtMemImportFromShareableHandle(shareable, 0, &handle);
  if (code != 0) return code;
  void* address = nullptr;
  code = aclrtReserveMemAddress(&address, kGranularity, 0, nullptr, 0);
  if (code == 0) code = aclrtMapMem(address, kGranularity, 0, handle, 0);
  if (code == 0) code = aclrtFreePhysical(handle);
  *memory = static_cast<char*>(address);
  return code;
}

int Export(std::string* key) {
  void* memory = nullptr;
  int code = aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
  char text[65] = {};
  if (code == 0) {
    code = aclrtIpcMemGetExportKey(memory, 4096, text, sizeof(text),
                                   ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION);
  }
  *key = text;
  return code;
}

}  // namespace

int main() {
  if (aclInit(nullptr) != 0 || aclrtSetDevice(0) != 0) return 2;
  char* memory = nullptr;
  std::string command, text;
  size_t index = 0;
  int byte = 0;
  while (std::cin >> command) {
    int64_t answer = -1;
    if (command == "key") {
      std::cin >> text;
      void* address = nullptr;
      answer = aclrtIpcMemImportByKey(&address, text.c_str(), 0);
      if (answer == 0) memory = static_cast<char*>(address);
    } else if (command == "handle") {
      uint64_t shareable = 0;
      std::cin >> shareable;
      answer = MapHandle(shareable, &memory);
    } else if (command == "read") {
      std::cin >> index;
      answer = memory[index];
    } else if (command == "write") {
      std::cin >> index >> byte;
      memory[index] = static_cast<char>(byte);
      answer = 0;
    } else if (command == "device") {
      std::cin >> index >> byte;
      answer = aclrtMemsetAsync(memory + index, 1, byte, 1, nullptr);
      if (answer == 0) answer = aclrtSynchronizeStream(nullptr);
    } else if (command == "close") {
      std::cin >> text;
      answer = aclrtIpcMemClose(text.c_str());
    } else if (command == "export") {
      answer = Export(&text);
      std::cout << answer << "\n" << text << std::endl;
      continue;
    }
    std::cout << answer << std::endl;
  }
  return 0;
}
