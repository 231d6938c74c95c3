// SPDX-License-Identifier: Apache-2.0
#include "gemm/panels.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/half_types.h"

namespace anyacl::gemm {
namespace {

// Columns of a panel that exist: the last one of an ND weight can be cut short.
int64_t ColumnsIn(const ListProblem& p, int64_t panel) {
  const int64_t width = PanelColumns(p.b_type);
  return std::min(width, p.columns - panel * width);
}

float ValueOf(float value) { return value; }
float ValueOf(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
float ValueOf(Fp16 value) { return value.ToFloat(); }
float ValueOf(Bf16 value) { return value.ToFloat(); }

// `count` columns, widened, to their lanes.
template <class T>
void LoadColumns(const T* from, int64_t step, Element b, int64_t count, float* out) {
  if (b == Element::kInt8) {
    for (int64_t n = 0; n < count; ++n) out[n] = ValueOf(from[n * step]);
    return;
  }
  for (int64_t n = 0; n < count; ++n) out[LaneOf(n)] = ValueOf(from[n * step]);
}

// The first column of a panel.
template <class T>
const T* ColumnsAt(const ListProblem& p, const ColumnView& view, const char* data, int64_t matrix,
                   int64_t panel) {
  return reinterpret_cast<const T*>(data) + matrix * view.matrix_step +
         panel * PanelColumns(p.b_type) * view.column_step;
}

template <class T>
void LoadView(const ListProblem& p, const ColumnView& view, int64_t groups, const char* data,
              int64_t matrix, int64_t panel, float* out) {
  const int64_t width = PanelColumns(p.b_type);
  const int64_t count = ColumnsIn(p, panel);
  const T* from = ColumnsAt<T>(p, view, data, matrix, panel);
  for (int64_t g = 0; g < groups; ++g, from += view.group_step, out += width) {
    if (count < width) std::fill_n(out, width, 0.0f);
    LoadColumns(from, view.column_step, p.b_type, count, out);
  }
}

}  // namespace

bool PanelsAreReady(const ListProblem& p) {
  const PanelView& view = p.b;
  return view.unit_step == view.unit_bytes && view.row_step == kPanelBytes &&
         view.block_step == 16 * kPanelBytes && p.columns % PanelColumns(p.b_type) == 0 &&
         p.depth.size == p.depth.padded();
}

void GatherPanel(const ListProblem& p, const char* b, int64_t matrix, int64_t panel, int8_t* out) {
  const PanelView& view = p.b;
  const int8_t* const from = PanelAt(p, b, matrix, panel);
  const int64_t bytes = ColumnsIn(p, panel) * kPanelBytes / PanelColumns(p.b_type);
  const int64_t units = bytes / view.unit_bytes;
  const bool dense = view.unit_step == view.unit_bytes;
  int64_t k = 0;
  for (int64_t g = 0; g < p.depth.groups; ++g) {
    for (int64_t i = 0; i < p.depth.padded(); ++i, out += kPanelBytes) {
      if (i >= p.depth.size) {
        std::memset(out, 0, kPanelBytes);
        continue;
      }
      const int8_t* row = from + k / 16 * view.block_step + k % 16 * view.row_step;
      ++k;
      if (dense && bytes == kPanelBytes) {
        // Rows that are far apart are nothing that the hardware would fetch ahead.
        __builtin_prefetch(row + 16 * view.row_step);
        std::memcpy(out, row, kPanelBytes);
        continue;
      }
      std::memset(out, 0, kPanelBytes);
      if (dense) {
        std::memcpy(out, row, static_cast<size_t>(bytes));
      } else if (view.unit_bytes == 4) {
        for (int64_t j = 0; j < units; ++j) std::memcpy(out + 4 * j, row + j * view.unit_step, 4);
      } else {
        for (int64_t j = 0; j < units; ++j) out[j] = row[j * view.unit_step];
      }
    }
  }
}

void LoadScales(const ListProblem& p, const ListKernels& kernels, const char* scale, int64_t matrix,
                int64_t panel, float* out) {
  const int64_t groups = p.depth.groups;
  if (p.b_type == Element::kInt4 && BytesOf(p.scale_type) == 8 && p.scale.column_step == 1 &&
      ColumnsIn(p, panel) == PanelColumns(p.b_type)) {
    return kernels.load_low_halves(
        {ColumnsAt<uint64_t>(p, p.scale, scale, matrix, panel), groups, p.scale.group_step, out});
  }
  switch (p.scale_type) {
    case Element::kFp32:
      return LoadView<float>(p, p.scale, groups, scale, matrix, panel, out);
    case Element::kFp16:
      return LoadView<Fp16>(p, p.scale, groups, scale, matrix, panel, out);
    case Element::kBf16:
      return LoadView<Bf16>(p, p.scale, groups, scale, matrix, panel, out);
    default:
      return LoadView<uint64_t>(p, p.scale, groups, scale, matrix, panel, out);
  }
}

void LoadBias(const ListProblem& p, const float* bias, int64_t matrix, int64_t panel, float* out) {
  LoadView<float>(p, p.bias, 1, reinterpret_cast<const char*>(bias), matrix, panel, out);
}

}  // namespace anyacl::gemm
