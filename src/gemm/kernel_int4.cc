// SPDX-License-Identifier: Apache-2.0
// Integers of four bits become bytes before they are packed.
#include "gemm/kernel.h"

namespace anyacl::ANYACL_ISA {

void GemmWiden(const gemm::WidenArgs& args) {
  for (int64_t line = 0; line < args.lines; ++line) {
    const auto* const from = static_cast<const int8_t*>(args.from) + line * args.from_step;
    int8_t* const to = args.to + line * args.to_step;
    const int64_t pairs = args.count / 2;
    for (int64_t i = 0; i < pairs; ++i) {
      to[2 * i] = static_cast<int8_t>(static_cast<int8_t>(from[i] * 16) >> 4);
      to[2 * i + 1] = static_cast<int8_t>(from[i] >> 4);
    }
    if (args.count % 2 != 0) {
      to[2 * pairs] = static_cast<int8_t>(static_cast<int8_t>(from[pairs] * 16) >> 4);
    }
  }
}

}  // namespace anyacl::ANYACL_ISA
