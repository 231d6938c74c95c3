// SPDX-License-Identifier: Apache-2.0
// The arithmetic int8: sums in int32, modulo 2^32. Where the machine multiplies unsigned by signed
// bytes, B has 128 added, and the corrections of A's rows say what the sums have too much.
#include "gemm/kernel_block.h"

namespace anyacl::ANYACL_ISA {
namespace {

constexpr int kBias = PanelI8::kBias;

struct PanelPackedI8 : PanelSums {
  static constexpr int kVectors = PanelI8::kVectors;
  static constexpr int kTileRows = PanelI8::kTileRows;
  static constexpr int64_t kUnitDepth = kDepth;
  static constexpr int64_t kFewLines = ANYACL_ISA::kFewLines;
  static const int8_t* Read(const int8_t* p) { return p; }
  static VecI8 Operand(const int8_t* read, int i) { return Load(read + 64 * i); }
  static VecI8 FromBits(VecI32 bits) { return __builtin_bit_cast(VecI8, bits); }
  template <class Function>
  static void WithColumns(Element, Function f) {
    f(FormatI8<kBias>());
  }
  template <class Function>
  static void WithRows(Element, Function f) {
    f(FormatI8<0>());
  }
};

void PackRows(const gemm::PackArgs& args) {
  PackRowsOf<PanelPackedI8>(args);
  if constexpr (kBias == 0) return;
  const auto* const from = static_cast<const int8_t*>(args.from);
  for (int64_t line = 0; line < args.lines; ++line) {
    args.corrections[line] += kBias * SumI8(from + line * args.line_step, args.k_step, args.depth);
  }
}

}  // namespace

extern constinit const gemm::Arithmetic kGemmInt8;
constinit const gemm::Arithmetic kGemmInt8 = ArithmeticOf<PanelPackedI8>(PackRows);

}  // namespace anyacl::ANYACL_ISA
