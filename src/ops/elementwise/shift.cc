// SPDX-License-Identifier: Apache-2.0
// Shifts of integers, as 64-bit numbers: by as many places as the type has, or by negative ones, a
// left shift is 0 and a right shift what the sign leaves.
#include <algorithm>

#include "ops/blocks/walk.h"
#include "ops/elementwise/build.h"
#include "ops/elementwise/prepare.h"
#include "runtime/parallel.h"

namespace anyacl::elementwise {
namespace {

class ShiftPlan final : public Plan {
 public:
  ShiftPlan(const TensorView& out, const TensorView& x, const TensorView& y, bool left)
      : views_{out, x, y},
        bits_(BitsOf(out.dtype)),
        left_(left),
        is_signed_(out.dtype != ACL_UINT64) {
    Coalesce(views_);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t count = views_[0].elements();
    constexpr int64_t kBlock = blocks::kWalkBlock;
    ParallelFor((count + kBlock - 1) / kBlock, 4, [&](int64_t begin, int64_t end) {
      for (int64_t block = begin; block < end; ++block) {
        RunBlock(bindings, block, std::min(kBlock, count - block * kBlock));
      }
    });
    return {};
  }

 private:
  void RunBlock(const Bindings& bindings, int64_t block, int64_t size) const {
    int64_t x[blocks::kWalkBlock], y[blocks::kWalkBlock];
    const auto read = [&](const TensorView& view, int64_t* to) {
      const auto load = blocks::Loader(Element::kInt64, view.dtype);
      blocks::Walk::ForTiles(bindings, view, block,
                             [&](const blocks::Tile& tile, int64_t at) { load(tile, to + at); });
    };
    read(views_[1], x);
    read(views_[2], y);
    for (int64_t i = 0; i < size; ++i) x[i] = left_ ? Left(x[i], y[i]) : Right(x[i], y[i]);
    const auto store = blocks::Storer(Element::kInt64, views_[0].dtype);
    blocks::Walk::ForTiles(bindings, views_[0], block,
                           [&](const blocks::Tile& tile, int64_t at) { store(x + at, tile); });
  }

  int64_t Left(int64_t x, int64_t y) const {
    return y < 0 || y >= bits_ ? 0 : static_cast<int64_t>(static_cast<uint64_t>(x) << y);
  }
  int64_t Right(int64_t x, int64_t y) const {
    const bool beyond = y < 0 || y >= bits_;
    if (is_signed_) return x >> (beyond ? 63 : y);
    return beyond ? 0 : static_cast<int64_t>(static_cast<uint64_t>(x) >> y);
  }

  TensorView views_[3];
  const int bits_;
  const bool left_, is_signed_;
};

}  // namespace

Status PrepareShift(bool left, Operands& operands, PreparedCall* call) {
  constexpr int kInputs[] = {kSelf, kOther};
  if (Status s = CheckCall(operands, kInputs); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const TensorView out = ViewOf(operands, kOut);
  const std::span<const int64_t> sizes(out.sizes, static_cast<size_t>(out.rank));
  call->plan = std::make_shared<ShiftPlan>(out, *Broadcast(ViewOf(operands, kSelf), sizes),
                                           *Broadcast(ViewOf(operands, kOther), sizes), left);
  return {};
}

}  // namespace anyacl::elementwise
