// SPDX-License-Identifier: Apache-2.0
// Panels in the order of the arithmetic int8, and sums to fp32.
#include "gemm/kernel.h"
#include "simd/panel.h"

namespace anyacl::ANYACL_ISA {
namespace {

// Bytes that a panel is fetched ahead of its use.
constexpr int64_t kPanelAhead = 2048;

template <class Panel>
void PackPanelOf(const gemm::PackPanelArgs& args) {
  constexpr int kVectors = Panel::kVectors;
  const int64_t step = args.panel_columns * gemm::kUnitBytes;
  char* to[kVectors];
  VecI32 sums[kVectors];
#pragma GCC unroll 4
  for (int i = 0; i < kVectors; ++i) {
    const int64_t column = 16 * i;
    to[i] = args.to + column / args.panel_columns * args.panel_bytes +
            column % args.panel_columns * gemm::kUnitBytes;
    if constexpr (Panel::kSumsColumns) sums[i] = Load(args.column_sums + column);
  }
  for (int64_t k = 0; k < args.depth; k += kDepth) {
    const int8_t* const rows = args.panel + k * gemm::kPanelBytes;
    PrefetchL1(rows + kPanelAhead);
    PrefetchL1(rows + kPanelAhead + 64);
    const auto read = Panel::Read(rows);
#pragma GCC unroll 4
    for (int i = 0; i < kVectors; ++i) {
      const VecI8 operand = Panel::Operand(read, i);
      if constexpr (Panel::kSumsColumns) sums[i] = SumOperand(sums[i], operand);
      Store(reinterpret_cast<int8_t*>(to[i]), operand);
      to[i] += step;
    }
  }
  if constexpr (Panel::kSumsColumns) {
    for (int i = 0; i < kVectors; ++i) Store(args.column_sums + 16 * i, sums[i]);
  }
}

void PackPanel(const gemm::PackPanelArgs& args) {
  args.b == Element::kInt8 ? PackPanelOf<SignedI8>(args) : PackPanelOf<SignedI4>(args);
}

void DequantiseI8(const gemm::DequantiseArgs& args) {
  const VecF32 scale[2] = {Load(args.scales), Load(args.scales + 16)};
  for (int64_t r = 0; r < args.rows; ++r) {
    const VecF32 row_scale = SetF32(args.row_scale[r * args.row_scale_step]);
    for (int i = 0; i < 2; ++i) {
      const VecF32 sum = ToF32(Load(args.sums + r * args.sums_step + 16 * i));
      Store(args.c + r * args.c_step + 16 * i, Mul(Mul(sum, row_scale), scale[i]));
    }
  }
}

// Half a panel: the even columns of 32, then the odd ones.
void DequantiseI4(const gemm::DequantiseArgs& args, int64_t lane) {
  VecF32 scale[2];
  VecI32 columns[2];
  for (int i = 0; i < 2; ++i) {
    scale[i] = Load(args.scales + lane + 16 * i);
    columns[i] = ShiftLeft<3>(Load(args.column_sums + lane + 16 * i));
  }
  for (int64_t r = 0; r < args.rows; ++r) {
    const int32_t* const sums = args.sums + r * args.sums_step + lane;
    float* const c = args.c + r * args.c_step + lane;
    VecF32 total[2];
    for (int i = 0; i < 2; ++i) {
      const VecF32 before = args.first ? SetF32(0.0f) : Load(c + 16 * i);
      total[i] = Fma(ToF32(Sub(Load(sums + 16 * i), columns[i])), scale[i], before);
    }
    if (!args.last) {
      for (int i = 0; i < 2; ++i) Store(c + 16 * i, total[i]);
      continue;
    }
    const VecF32 row_scale = SetF32(args.row_scale[r * args.row_scale_step]);
    for (int i = 0; i < 2; ++i) {
      total[i] = Mul(Add(total[i], Load(args.bias + lane + 16 * i)), row_scale);
    }
    StoreColumns(c, total);
  }
}

void Dequantise(const gemm::DequantiseArgs& args) {
  if (args.b == Element::kInt8) return DequantiseI8(args);
  DequantiseI4(args, 0);
  DequantiseI4(args, 32);
}

void LoadLowHalves(const gemm::LowHalvesArgs& args) {
  constexpr int64_t kColumns = gemm::PanelColumns(Element::kInt4);
  const uint64_t* from = args.from;
  float* out = args.out;
  for (int64_t g = 0; g < args.groups; ++g, from += args.group_step, out += kColumns) {
    for (int64_t n = 0; n < kColumns; n += 8) PrefetchL2(from + kColumns + n);
    StoreLowHalves(from, out);
    StoreLowHalves(from + kColumns / 2, out + kColumns / 2);
  }
}

}  // namespace

extern constinit const gemm::ListKernels kGemmList;
constinit const gemm::ListKernels kGemmList = {
    .pack_panel = PackPanel,
    .dequantise = Dequantise,
    .load_low_halves = LoadLowHalves,
    .in_place = kPanelsInPlace ? &kGemmInPlace : nullptr,
};

}  // namespace anyacl::ANYACL_ISA
