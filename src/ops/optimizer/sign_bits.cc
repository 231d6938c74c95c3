// SPDX-License-Identifier: Apache-2.0
// Signs as bits, eight to a byte, and back: what Adam with gradients of one bit sends.
#include <algorithm>

#include "ops/blocks/blocks.h"
#include "ops/optimizer/operators.h"
#include "runtime/parallel.h"

namespace anyacl::optimizer {
namespace {

constexpr int64_t kBits = 8;
constexpr int64_t kBytes = 256;  // at a time
constexpr int64_t kGrain = 8 * kBytes;

// Visits bytes in row-major order, each with its number from `begin` on.
template <class Visit>
void ForBytes(const TensorView& view, char* data, int64_t begin, int64_t count,
              const Visit& visit) {
  blocks::ForTiles(view, data, begin, begin + count, [&](const blocks::Tile& tile, int64_t before) {
    for (int64_t row = 0; row < tile.rows; ++row) {
      char* const at = tile.data + row * tile.row_stride;
      for (int64_t i = 0; i < tile.cols; ++i) {
        visit(reinterpret_cast<uint8_t*>(at + i * tile.col_stride), before + row * tile.cols + i);
      }
    }
  });
}

// What a byte lacks is negative.
class SignsPlan final : public Plan {
 public:
  SignsPlan(const TensorView& numbers, const TensorView& bytes, bool packs)
      : numbers_(numbers), bytes_(bytes), packs_(packs) {
    CoalesceInOrder(std::span(&numbers_, 1));
    CoalesceInOrder(std::span(&bytes_, 1));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    char* const numbers = numbers_.Address(bindings);
    char* const bytes = bytes_.Address(bindings);
    const auto load = blocks::Loader(Element::kFp32, numbers_.dtype);
    const auto store = blocks::Storer(Element::kFp32, numbers_.dtype);
    ParallelFor(bytes_.elements(), kGrain, [&](int64_t begin, int64_t end) {
      alignas(64) float x[kBits * kBytes];
      for (; begin < end; begin += kBytes) {
        const int64_t count = std::min(kBytes, end - begin);
        const int64_t first = kBits * begin;
        const int64_t last = std::min(first + kBits * count, numbers_.elements());
        if (packs_) {
          std::fill(x + (last - first), x + kBits * count, -1.0f);
          blocks::ForTiles(
              numbers_, numbers, first, last,
              [&](const blocks::Tile& tile, int64_t before) { load(tile, x + before); });
          ForBytes(bytes_, bytes, begin, count, [&x](uint8_t* byte, int64_t i) {
            unsigned bits = 0;
            for (int64_t k = 0; k < kBits; ++k) bits |= unsigned{x[kBits * i + k] >= 0} << k;
            *byte = static_cast<uint8_t>(bits);
          });
        } else {
          ForBytes(bytes_, bytes, begin, count, [&x](const uint8_t* byte, int64_t i) {
            for (int64_t k = 0; k < kBits; ++k) {
              x[kBits * i + k] = (*byte >> k & 1) != 0 ? 1.0f : -1.0f;
            }
          });
          blocks::ForTiles(
              numbers_, numbers, first, last,
              [&](const blocks::Tile& tile, int64_t before) { store(x + before, tile); });
        }
      }
    });
    return {};
  }

 private:
  TensorView numbers_, bytes_;
  const bool packs_;
};

Status CheckCount(const Operands& operands, bool fits, const char* expected) {
  if (fits) return {};
  return Fail(operands.spec().codes.shape, "out.shape = {}, expected {} of self.shape = {}",
              operands[kOut].shape().ToString(), expected, operands[kSelf].shape().ToString());
}

}  // namespace

Status PrepareSignBitsPack(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView self = ViewOf(operands, kSelf), out = ViewOf(operands, kOut);
  const int64_t count = self.sizes[0];
  const bool fits = out.elements() == count / kBits + (count % kBits != 0 ? 1 : 0);
  if (Status s = CheckCount(operands, fits, "a byte for 8 elements"); !s.ok()) return s;
  if (count > 0) call->plan = std::make_shared<SignsPlan>(self, out, true);
  return {};
}

Status PrepareSignBitsUnpack(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView self = ViewOf(operands, kSelf), out = ViewOf(operands, kOut);
  if (operands.DType(kType) != out.dtype) {
    return Fail(operands.spec().codes.dtype, "dtype = {}, expected {} as out.dtype",
                NameOf(operands.DType(kType)), NameOf(out.dtype));
  }
  const bool fits = out.elements() % kBits == 0 && out.elements() / kBits == self.sizes[0];
  if (Status s = CheckCount(operands, fits, "8 elements for a byte"); !s.ok()) return s;
  if (self.sizes[0] > 0) call->plan = std::make_shared<SignsPlan>(out, self, false);
  return {};
}

}  // namespace anyacl::optimizer
