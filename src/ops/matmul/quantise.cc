// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul/quantise.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels.h"
#include "ops/blocks/blocks.h"
#include "runtime/parallel.h"

namespace anyacl::matmul {
namespace {

using elementwise::Op;

constexpr int64_t kTile = 1024;    // columns at a time: three buffers within L1
constexpr int64_t kGrain = 16384;  // elements: 2 us or more

float ScaleIn(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
float OffsetIn(uint64_t bits) {
  const auto top = static_cast<int64_t>(bits << (64 - kOffsetBit - kOffsetBits));
  return static_cast<float>(top >> (64 - kOffsetBits));
}

int64_t StepOf(const TensorView& view) {
  const int last = view.rank - 1;
  return last < 0 || view.sizes[last] == 1 ? 0 : view.strides[last];
}

void RunKernel(Op op, const float* a, const float* b, int64_t count, float* out) {
  elementwise::Block block = {};
  std::fill_n(block.step, 3, 1);
  block.in[0] = a;
  block.in[1] = b;
  block.out = out;
  block.count = count;
  Kernels().elementwise.Find(op, Element::kFp32)(block);
}

}  // namespace

void ReadQuantParameters(const Bindings& bindings, const TensorView& scale,
                         const TensorView& offset, int64_t count, float* scales, float* offsets) {
  const char* from = scale.Address(bindings);
  for (int64_t n = 0; n < count; ++n, from += 8 * StepOf(scale)) {
    uint64_t bits = 0;
    std::memcpy(&bits, from, sizeof(bits));
    scales[n] = ScaleIn(bits);
    offsets[n] = OffsetIn(bits);
  }
  if (!offset.given()) return;
  const auto* const own = reinterpret_cast<const float*>(offset.Address(bindings));
  for (int64_t n = 0; n < count; ++n) offsets[n] = own[n * StepOf(offset)];
}

void Quantise(const QuantArgs& args) {
  const auto load =
      blocks::Loader(Element::kFp32, args.type == Element::kInt32 ? ACL_INT32 : ACL_FLOAT);
  const auto store = blocks::Storer(Element::kFp32, ACL_INT8);
  const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, args.columns));
  ParallelFor(args.rows, grain, [&](int64_t begin, int64_t end) {
    alignas(64) float v[kTile];
    for (int64_t m = begin; m < end; ++m) {
      for (int64_t n = 0; n < args.columns; n += kTile) {
        const int64_t count = std::min(kTile, args.columns - n);
        const char* const sums = args.sums + 4 * (m * args.columns + n);
        load({const_cast<char*>(sums), 1, count, 0, 1, false}, v);
        RunKernel(Op::kMul, v, args.scales + n, count, v);
        RunKernel(Op::kAdd, v, args.offsets + n, count, v);
        RunKernel(Op::kRound, v, nullptr, count, v);
        char* const y = args.y + m * args.row_step + n * args.column_step;
        store(v, {y, 1, count, 0, args.column_step, false});
      }
    }
  });
}

}  // namespace anyacl::matmul
