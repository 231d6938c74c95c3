// SPDX-License-Identifier: Apache-2.0
// Shifts of integers, as 64-bit numbers that are cut to the type in which self and the places
// promote. By as many places as that type has, a left shift is 0 and a right shift what the sign
// leaves; by negative ones, too, but for aclnnRightShift, whose document takes them for 0.
#include <algorithm>

#include "nnop/promotion.h"
#include "nnop/scalar.h"
#include "ops/blocks/walk.h"
#include "ops/elementwise/build.h"
#include "ops/elementwise/prepare.h"
#include "runtime/parallel.h"

namespace anyacl::elementwise {
namespace {

struct Shifts {
  TensorView out = {}, x = {};
  TensorView places = {};  // unless there is one number for all
  bool has_places = false;
  int64_t all = 0;
  aclDataType computed{};
  ShiftKind kind{};
};

class ShiftPlan final : public Plan {
 public:
  explicit ShiftPlan(const Shifts& s)
      : views_{s.out, s.x, s.has_places ? s.places : s.x},
        has_places_(s.has_places),
        all_(s.all),
        bits_(BitsOf(s.computed)),
        kind_(s.kind),
        is_signed_(s.computed != ACL_UINT8 && s.computed != ACL_UINT16 &&
                   s.computed != ACL_UINT32 && s.computed != ACL_UINT64) {
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
    if (has_places_) {
      read(views_[2], y);
    } else {
      std::fill_n(y, size, all_);
    }
    const bool unsigned_places = has_places_ && views_[2].dtype == ACL_UINT64;
    for (int64_t i = 0; i < size; ++i) {
      const int64_t places = unsigned_places && y[i] < 0 ? bits_ : y[i];
      x[i] = kind_ == ShiftKind::kLeft ? Left(x[i], places) : Right(Cut(x[i]), places);
    }
    const auto store = blocks::Storer(Element::kInt64, views_[0].dtype);
    blocks::Walk::ForTiles(bindings, views_[0], block,
                           [&](const blocks::Tile& tile, int64_t at) { store(x + at, tile); });
  }

  // The number that the computed type makes of these bits.
  int64_t Cut(int64_t x) const {
    const int above = 64 - bits_;
    const uint64_t up = static_cast<uint64_t>(x) << above;
    return is_signed_ ? static_cast<int64_t>(up) >> above : static_cast<int64_t>(up >> above);
  }
  int64_t Left(int64_t x, int64_t y) const {
    return y < 0 || y >= bits_ ? 0 : Cut(static_cast<int64_t>(static_cast<uint64_t>(x) << y));
  }
  int64_t Right(int64_t x, int64_t y) const {
    if (y < 0 && kind_ == ShiftKind::kRightFromZero) return x;
    const bool beyond = y < 0 || y >= bits_;
    if (is_signed_) return x >> (beyond ? 63 : y);
    return beyond ? 0 : static_cast<int64_t>(static_cast<uint64_t>(x) >> y);
  }

  TensorView views_[3];
  const bool has_places_;
  const int64_t all_;
  const int bits_;
  const ShiftKind kind_;
  const bool is_signed_;
};

void SetPlan(const Operands& operands, Shifts shifts, PreparedCall* call) {
  if (operands[kOut].IsEmpty()) return;
  shifts.out = ViewOf(operands, kOut);
  const std::span<const int64_t> sizes(shifts.out.sizes, static_cast<size_t>(shifts.out.rank));
  shifts.x = *Broadcast(ViewOf(operands, kSelf), sizes);
  if (shifts.has_places) shifts.places = *Broadcast(ViewOf(operands, kOther), sizes);
  call->plan = std::make_shared<ShiftPlan>(shifts);
}

}  // namespace

Status PrepareShift(ShiftKind kind, Operands& operands, PreparedCall* call) {
  constexpr int kInputs[] = {kSelf, kOther};
  if (Status s = CheckCall(operands, kInputs); !s.ok()) return s;
  Shifts shifts{.has_places = true, .kind = kind};
  if (Status s = PromoteTensors(operands, kSelf, kOther, &shifts.computed); !s.ok()) return s;
  SetPlan(operands, shifts, call);
  return {};
}

Status PrepareShiftByScalar(Operands& operands, PreparedCall* call) {
  constexpr int kInputs[] = {kSelf};
  if (Status s = CheckCall(operands, kInputs); !s.ok()) return s;
  ScalarValue places;
  if (Status s = ReadScalar(operands, kScalar, &places); !s.ok()) return s;
  if (CategoryOf(places.dtype) != Category::kInteger) {
    return Fail(operands.spec().codes.dtype, "shiftBits.dtype = {}, expected an integer",
                NameOf(places.dtype));
  }
  SetPlan(operands,
          {.all = places.integer, .computed = operands[kSelf].dtype(), .kind = ShiftKind::kLeft},
          call);
  return {};
}

}  // namespace anyacl::elementwise
