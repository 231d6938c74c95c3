// SPDX-License-Identifier: Apache-2.0
// The arithmetic fp32: numbers of any type, widened while they are packed.
#include "gemm/kernel_block.h"
#include "simd/float_tile.h"

namespace anyacl::ANYACL_ISA {
namespace {

using gemm::Type;

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
  template <class Function>
  static void WithColumns(Type type, Function f) {
    switch (type) {
      case Type::kFp32:
      case Type::kInt32:
        return f(FormatFp32());
      case Type::kFp16:
        return f(FormatFp16());
      case Type::kBf16:
        return f(FormatBf16());
      case Type::kInt8:
      case Type::kInt4:  // widened before
        return f(FormatI8AsFp32());
    }
  }
  template <class Function>
  static void WithRows(Type type, Function f) {
    WithColumns(type, f);
  }
};

}  // namespace

extern constinit const gemm::Arithmetic kGemmFp32;
constinit const gemm::Arithmetic kGemmFp32 = ArithmeticOf<PanelFp32>();

}  // namespace anyacl::ANYACL_ISA
