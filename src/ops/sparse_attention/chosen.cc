// SPDX-License-Identifier: Apache-2.0
#include "ops/sparse_attention/chosen.h"

#include <bit>
#include <cassert>

#include "base/division.h"
#include "ops/blocks/blocks.h"
#include "runtime/parallel.h"

namespace anyacl::sparse_attention {
namespace {

constexpr int64_t kWorth = 1 << 14;  // numbers: 5 us

}  // namespace

void GatherHeads(const SplitRows& view, const Bindings& bindings, int64_t token, int64_t count,
                 uint16_t* to, int64_t step) {
  for (int64_t n = 0; n < count; ++n) {
    CopyNumbers(RowAt(view, bindings, token, n), view.strides[2], view.sizes[2],
                reinterpret_cast<char*>(to + n * step), 2);
  }
}

void GatherKeys(const SplitRows& view, const Bindings& bindings, const int32_t* rows, int64_t count,
                int64_t padded, uint16_t* to, int64_t step) {
  const int64_t columns = view.sizes[2];
  ParallelFor(padded, CeilDivide(kWorth, columns), [&](int64_t begin, int64_t end) {
    for (int64_t l = begin; l < end; ++l) {
      if (l < count) {
        CopyNumbers(RowAt(view, bindings, rows[l], 0), view.strides[2], columns,
                    reinterpret_cast<char*>(to + l * step), 2);
      } else {
        std::fill_n(to + l * step, columns, uint16_t{0});
      }
    }
  });
}

gemm::Problem ScoresOf(const TokenSizes& sizes, float alpha) {
  gemm::Problem p;
  p.rows = sizes.heads;
  p.columns = sizes.keys;
  p.depth = sizes.width;
  p.a = {.type = sizes.type, .row_step = sizes.width};
  p.b = {.type = sizes.type, .row_step = 1, .column_step = sizes.width};
  p.c = {.type = Element::kFp32, .row_step = sizes.keys};
  p.alpha = alpha;
  return p;
}

gemm::Problem QueriesOf(const TokenSizes& sizes) {
  gemm::Problem p;
  p.rows = sizes.heads;
  p.columns = sizes.width;
  p.depth = sizes.keys;
  p.a = {.type = Element::kFp32, .row_step = sizes.keys};
  p.b = {.type = sizes.type, .row_step = sizes.width};
  p.c = {.type = Element::kFp32, .row_step = sizes.width};
  return p;
}

gemm::Problem KeysOf(const TokenSizes& sizes) {
  gemm::Problem p;
  p.rows = sizes.keys;
  p.columns = sizes.width;
  p.depth = sizes.heads;
  p.a = {.type = Element::kFp32, .row_step = 1, .column_step = sizes.keys};
  p.b = {.type = sizes.type, .row_step = sizes.width};
  p.c = {.type = Element::kFp32, .row_step = sizes.width};
  return p;
}

int64_t ProductsOfKeys::Padded(int64_t count, int64_t most) {
  const auto steps = static_cast<uint64_t>(CeilDivide(count, kStep));
  return std::min(static_cast<int64_t>(std::bit_ceil(steps)) * kStep, RoundUp(most, kStep));
}

uint64_t ProductsOfKeys::workspace_bytes() const {
  uint64_t bytes = 0;
  for (const Sized& sized : plans_) bytes = std::max(bytes, sized.plan.workspace_bytes());
  return bytes;
}

void ProductsOfKeys::Run(int64_t padded, const gemm::Addresses& addresses, char* scratch) const {
  for (const Sized& sized : plans_) {
    if (sized.keys == padded) return sized.plan.Run(addresses, scratch);
  }
  assert(false && "no plan has so many keys");
}

void StoreSums(const blocks::RowSums& sums, const Bindings& bindings, int64_t first,
               const SplitRows& to) {
  sums.ForRows(bindings, sums.rows(), [&](int64_t row, const float* numbers) {
    blocks::StoreRow(numbers + first, to.sizes[2], to.dtype, RowAt(to, bindings, row, 0),
                     to.strides[2]);
  });
}

}  // namespace anyacl::sparse_attention
