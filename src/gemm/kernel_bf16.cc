// SPDX-License-Identifier: Apache-2.0
// The arithmetic bf16: pairs of numbers as they are.
#include "gemm/kernel_block.h"
#include "simd/float_tile.h"

namespace anyacl::ANYACL_ISA {
namespace {

struct PanelBf16 {
  using Sum = VecF32;
  static constexpr int kVectors = kFloatTileVectors;
  static constexpr int kTileRows = kFloatTileRows;
  static constexpr int64_t kUnitDepth = 2;
  static constexpr int64_t kFewLines = ANYACL_ISA::kFewLines;
  static const int16_t* Read(const int8_t* p) { return reinterpret_cast<const int16_t*>(p); }
  static VecI16 Operand(const int16_t* read, int i) { return Load(read + 32 * i); }
  static VecI16 FromBits(VecI32 bits) { return __builtin_bit_cast(VecI16, bits); }
  static VecF32 Dot(VecF32 sum, VecI16 b, const int8_t* a) { return DotBf16Broadcast(sum, b, a); }
  template <class Function>
  static void WithColumns(Element, Function f) {
    f(FormatBf16Pairs());
  }
  template <class Function>
  static void WithRows(Element, Function f) {
    f(FormatBf16Pairs());
  }
};

}  // namespace

extern constinit const gemm::Arithmetic kGemmBf16;
constinit const gemm::Arithmetic kGemmBf16 = ArithmeticOf<PanelBf16>();

}  // namespace anyacl::ANYACL_ISA
