// SPDX-License-Identifier: Apache-2.0
#include "ops/moe/routed_rows.h"

#include <algorithm>
#include <cmath>

#include "kernels.h"
#include "nnop/copy_runs.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/int4_rows.h"
#include "ops/blocks/rows.h"
#include "runtime/parallel.h"

namespace anyacl::moe {

using elementwise::Op;

void RoutedRows::Book(WorkspaceBook& book, int64_t rows) {
  if (quant == Quant::kNone) return;
  const Element source = ElementOf(x.dtype);
  if (quant == Quant::kDynamic && !scale.given() && expanded.dtype == ACL_INT8 &&
      (source == Element::kFp16 || source == Element::kBf16)) {
    quantise_ = Kernels().dynamic_quant.select_row({.source = source});
  }
  const auto pieces = static_cast<size_t>(std::min(ThreadCount(), rows) * length());
  numbers_ = book.Book<float>(pieces);
  factors_ = book.Book<float>(pieces);
}

void RoutedRows::Write(const Bindings& bindings, int64_t row, int64_t token, int64_t expert,
                       int64_t slot) const {
  float scale_of_row = 0;
  if (length() == 0) {
    // There is a scale alone.
  } else if (token >= 0 && quantise_ != nullptr) {
    const int64_t last = expanded.rank - 1;
    quantise_({.x = reinterpret_cast<const uint16_t*>(x.Address(bindings)) + token * x.strides[0],
               .x_step = x.strides[1],
               .smooth = nullptr,
               .smooth_step = 0,
               .cols = length(),
               .y = reinterpret_cast<unsigned char*>(To(bindings, row)),
               .y_step = expanded.strides[last],
               .scale = &scale_of_row,
               .offset = nullptr,
               .past_caches = false});
  } else if (quant != Quant::kNone) {
    float* const v = numbers_.In(bindings) + slot * length();
    if (token < 0) {
      std::fill_n(v, length(), 0.0F);
    } else {
      scale_of_row = Quantise(bindings, token, expert, v, factors_.In(bindings) + slot * length());
    }
    Store(bindings, row, v);
  } else if (token < 0) {
    Clear(bindings, row);
  } else {
    Copy(bindings, row, token);
    if (scale.given()) {
      scale_of_row = LoadElement<float>(scale.Address(bindings) + token * scale.strides[0] * 4);
    }
  }
  if (!row_scale.given()) return;
  StoreElement(row_scale.Address(bindings) + row_scale.OffsetOf(row) * 4, scale_of_row);
}

char* RoutedRows::To(const Bindings& bindings, int64_t row) const {
  return expanded.Address(bindings) + expanded.OffsetOf(row, expanded.rank - 1) * BytesOf(expanded);
}

void RoutedRows::Copy(const Bindings& bindings, int64_t row, int64_t token) const {
  const int64_t bytes = BytesOf(x), step = expanded.strides[expanded.rank - 1];
  char* const from = x.Address(bindings) + token * x.strides[0] * bytes;
  char* const to = To(bindings, row);
  if (step == 1 && x.strides[1] == 1) return CopyRun(to, from, length() * bytes);
  blocks::Copier(bytes)({from, 1, length(), 0, x.strides[1], false},
                        {to, 1, length(), 0, step, false});
}

// Zeros of all types are zero bytes.
void RoutedRows::Clear(const Bindings& bindings, int64_t row) const {
  const int64_t bytes = BytesOf(x), step = expanded.strides[expanded.rank - 1];
  char* const to = To(bindings, row);
  if (step == 1) {
    std::fill_n(to, length() * bytes, char{0});
    return;
  }
  for (int64_t i = 0; i < length(); ++i) std::fill_n(to + i * step * bytes, bytes, char{0});
}

// Puts whole numbers to `v`; returns the row's scale, if it has one of its own.
float RoutedRows::Quantise(const Bindings& bindings, int64_t token, int64_t expert, float* v,
                           float* factors) const {
  const int64_t n = length();
  const blocks::Rows numbers(n);
  blocks::LoadRow(x.dtype, x.Address(bindings) + token * x.strides[0] * BytesOf(x), x.strides[1], n,
                  v);
  float scale_of_row = 0;
  if (quant == Quant::kStatic) {
    const bool given = scale.given();
    numbers(Op::kMulScalar, v, v, nullptr, nullptr,
            given ? LoadElement<float>(scale.Address(bindings)) : factor);
    numbers(Op::kAddScalar, v, v, nullptr, nullptr,
            given ? LoadElement<float>(offset.Address(bindings)) : summand);
  } else {
    if (scale.given()) {
      const int64_t from = scale.sizes[0] == 1 ? 0 : expert;
      blocks::LoadRow(ACL_FLOAT, scale.Address(bindings) + from * scale.strides[0] * 4,
                      scale.strides[1], n, factors);
      numbers(Op::kMul, v, v, factors);
    }
    numbers(Op::kAbs, factors, v);
    const float most = expanded.dtype == ACL_INT4 ? 7.0F : 127.0F;
    scale_of_row = Kernels().rowwise.Of(Element::kFp32).softmax.max(factors, n) / most;
    // Without quotients the row is zeros: of zeros, and of what has no finite scale.
    if (!(scale_of_row > 0 && std::isfinite(scale_of_row))) {
      std::fill_n(v, n, 0.0F);
      return scale_of_row;
    }
    numbers(Op::kDivScalar, v, v, nullptr, nullptr, scale_of_row);
  }
  numbers(Op::kRound, v, v);
  return scale_of_row;
}

void RoutedRows::Store(const Bindings& bindings, int64_t row, const float* v) const {
  char* const to = expanded.Address(bindings);
  for (int64_t i = 0; i < length(); i += blocks::kMostIntegers) {
    blocks::StoreIntegers(v + i, std::min(blocks::kMostIntegers, length() - i), expanded, to,
                          row * length() + i);
  }
}

}  // namespace anyacl::moe
