// SPDX-License-Identifier: Apache-2.0
// How programs on several hosts find each other: by a file.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "acl/acl.h"
#include "hccl/hccl.h"

namespace anyacl::test::hccl {

inline void Check(int code, const char* what) {
  if (code == 0) return;
  const char* message = aclGetRecentErrMsg();
  std::fprintf(stderr, "FAILED: %s: %d\n%s\n", what, code, message == nullptr ? "" : message);
  std::exit(1);
}
#define CHECK(call) ::anyacl::test::hccl::Check((call), #call)

inline HcclRootInfo RootInfo(uint32_t rank, const std::string& path) {
  HcclRootInfo root;
  if (rank == 0) {
    CHECK(HcclGetRootInfo(&root));
    std::ofstream(path + ".new", std::ios::binary).write(root.internal, sizeof(root.internal));
    Check(std::rename((path + ".new").c_str(), path.c_str()), "rename");
    return root;
  }
  for (;;) {
    std::ifstream file(path, std::ios::binary);
    if (file.read(root.internal, sizeof(root.internal))) return root;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace anyacl::test::hccl
