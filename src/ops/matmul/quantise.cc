// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul/quantise.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "runtime/parallel.h"

namespace anyacl::matmul {
namespace {

using elementwise::Op;

constexpr int64_t kTile = 1024;            // columns at a time: three buffers within L1
constexpr int64_t kQuantiseGrain = 16384;  // elements: 2 us or more

float ScaleIn(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
float OffsetIn(uint64_t bits) {
  const auto top = static_cast<int64_t>(bits << (64 - kOffsetBit - kOffsetBits));
  return static_cast<float>(top >> (64 - kOffsetBits));
}

int64_t StepOf(const TensorView& view) {
  const int last = view.rank - 1;
  return last < 0 || view.sizes[last] == 1 ? 0 : view.strides[last];
}

}  // namespace

void ReadFactors(aclDataType dtype, const char* from, int64_t step, int64_t count, float* to) {
  if (BitsOf(dtype) < 64) return blocks::LoadRow(dtype, from, step, count, to);
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, from + 8 * i * step, sizeof(bits));
    to[i] = ScaleIn(bits);
  }
}

void ReadFactors(const TensorView& view, const Bindings& bindings, float* to) {
  const int64_t columns = view.sizes[1], bytes = BytesOf(view);
  const char* const from = view.Address(bindings);
  ParallelFor(view.sizes[0], std::max<int64_t>(1, kQuantiseGrain / std::max<int64_t>(1, columns)),
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i) {
                  ReadFactors(view.dtype, from + i * view.strides[0] * bytes, view.strides[1],
                              columns, to + i * columns);
                }
              });
}

Quantiser::Quantiser(WorkspaceBook& book, Element sums, int64_t rows, int64_t columns)
    : type_(sums == Element::kInt32 ? ACL_INT32 : ACL_FLOAT),
      scales_(book.Book<float>(static_cast<size_t>(columns))),
      offsets_(book.Book<float>(static_cast<size_t>(columns))),
      sums_(book.Book<char>(static_cast<size_t>(4 * columns * RowsOf(rows, columns)))) {}

void Quantiser::ReadParameters(const Bindings& bindings, const Tensors& tensors) const {
  const auto& [y, scale, offset] = tensors;
  const int64_t count = y.sizes[1];
  const char* from = scale.Address(bindings);
  for (int64_t n = 0; n < count; ++n, from += 8 * StepOf(scale)) {
    uint64_t bits = 0;
    std::memcpy(&bits, from, sizeof(bits));
    scales_.In(bindings)[n] = ScaleIn(bits);
    offsets_.In(bindings)[n] = OffsetIn(bits);
  }
  if (!offset.given()) return;
  const auto* const own = reinterpret_cast<const float*>(offset.Address(bindings));
  for (int64_t n = 0; n < count; ++n) offsets_.In(bindings)[n] = own[n * StepOf(offset)];
}

void Quantiser::QuantiseRows(const Bindings& bindings, const TensorView& y) const {
  const auto load = blocks::Loader(Element::kFp32, type_);
  const auto store = blocks::Storer(Element::kFp32, ACL_INT8);
  const int64_t columns = y.sizes[1], column_step = y.strides[1];
  const float* const scales = scales_.In(bindings);
  const float* const offsets = offsets_.In(bindings);
  char* const sums = sums_.In(bindings);
  char* const results = y.Address(bindings);
  const int64_t grain = std::max<int64_t>(1, kQuantiseGrain / std::max<int64_t>(1, columns));
  ParallelFor(y.sizes[0], grain, [&](int64_t begin, int64_t end) {
    alignas(64) float v[kTile];
    for (int64_t m = begin; m < end; ++m) {
      for (int64_t n = 0; n < columns; n += kTile) {
        const int64_t count = std::min(kTile, columns - n);
        load({sums + 4 * (m * columns + n), 1, count, 0, 1, false}, v);
        const blocks::Rows row(count);
        row(Op::kMul, v, v, scales + n);
        row(Op::kAdd, v, v, offsets + n);
        row(Op::kRound, v, v);
        store(v, {results + m * y.strides[0] + n * column_step, 1, count, 0, column_step, false});
      }
    }
  });
}

}  // namespace anyacl::matmul
