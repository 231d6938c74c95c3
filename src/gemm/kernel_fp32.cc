// SPDX-License-Identifier: Apache-2.0
// The arithmetic fp32: numbers of any type, widened while they are packed.
#include "gemm/kernel_block.h"
#include "gemm/kernel_factors.h"
#include "simd/float_tile.h"

namespace anyacl::ANYACL_ISA {
namespace {

struct PanelFp32 {
  using Sum = VecF32;
  static constexpr int kVectors = kFloatTileVectors;
  static constexpr int kTileRows = kFloatTileRows;
  static constexpr int64_t kUnitDepth = 1;
  static constexpr int64_t kFewLines = ANYACL_ISA::kFewLines;
  static const float* Read(const int8_t* p) { return reinterpret_cast<const float*>(p); }
  static VecF32 Operand(const float* read, int i) { return Load(read + 16 * i); }
  static VecF32 FromBits(VecI32 bits) { return FloatFromBits(bits); }
  static VecF32 Dot(VecF32 sum, VecF32 b, const int8_t* a) { return FmaBroadcast(sum, b, a); }
  static constexpr bool kKeepsRows = kFloatTileKeepsRows;
  static VecF32 Row(const int8_t* a) {
    float value;
    __builtin_memcpy(&value, a, sizeof(value));
    return SetF32(value);
  }
  static VecF32 Dot(VecF32 sum, VecF32 b, VecF32 row) { return FmaTile(sum, b, row); }
  template <class Function>
  static void WithColumns(Element type, Function f) {
    switch (type) {
      case Element::kFp16:
        return f(FormatFp16());
      case Element::kBf16:
        return f(FormatBf16());
      case Element::kInt8:
      case Element::kInt4:  // widened before
        return f(FormatI8AsFp32());
      default:
        return f(FormatFp32());
    }
  }
  template <class Function>
  static void WithRows(Element type, Function f) {
    WithColumns(type, f);
  }
};

}  // namespace

extern constinit const gemm::Arithmetic kGemmFp32;
constinit const gemm::Arithmetic kGemmFp32 =
    ArithmeticOf<PanelFp32>(PackRowsOf<PanelFp32>, ScaleColumns<kFloatTileVectors>, 1);

}  // namespace anyacl::ANYACL_ISA
