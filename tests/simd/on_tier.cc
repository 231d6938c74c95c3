// SPDX-License-Identifier: Apache-2.0
// on_tier TIER PROGRAM [ARGUMENT...]: runs a test with the kernels of one tier, as ANYACL_ISA in
// its environment says. Where the machine lacks it the library would take its best tier, which has
// an entry of its own: 77, for ctest a skipped test.
#include <unistd.h>

#include <cstdio>

#include "base/cpu.h"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: on_tier TIER PROGRAM [ARGUMENT...]\n");
    return 2;
  }
  for (const anyacl::IsaTier tier : anyacl::kIsaTiers) {
    if (anyacl::NameOf(tier) != argv[1] || !anyacl::CpuSupports(tier)) continue;
    execv(argv[2], argv + 2);
    std::perror(argv[2]);
    return 1;
  }
  std::printf("SKIPPED: this machine lacks %s\n", argv[1]);
  return 77;
}
