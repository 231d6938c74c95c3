// SPDX-License-Identifier: Apache-2.0
// Fake quantisation: numbers to the integers they would be quantised to, and back, with a mask of
// those within the range. In fp32, each step rounded.
#include <algorithm>

#include "nnop/view.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "ops/elementwise/prepare.h"
#include "runtime/parallel.h"

namespace anyacl::elementwise {
namespace {

constexpr int64_t kTile = 1024;  // numbers of a row at a time: four buffers within L1
constexpr int64_t kGrain = 16;   // tiles: 5 us or more

struct FakeQuantParams {
  TensorView x, scale, zero, out, mask;  // scale and zero spread over x
  int64_t min = 0, max = 0;
  bool enabled = true;
  bool rounds_once = false;  // behind the addition of a zero point that is no integer
};

class FakeQuantPlan final : public Plan {
 public:
  explicit FakeQuantPlan(const FakeQuantParams& params) : p_(params) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t tiles = (columns() + kTile - 1) / kTile;
    ParallelFor(p_.x.elements() / columns() * tiles, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t column = i % tiles * kTile;
        RunTile(bindings, i / tiles * columns() + column, std::min(kTile, columns() - column));
      }
    });
    return {};
  }

 private:
  int64_t columns() const { return p_.x.sizes[p_.x.rank - 1]; }

  static char* At(const Bindings& bindings, const TensorView& view, int64_t at) {
    return view.Address(bindings) + view.OffsetOf(at) * BytesOf(view);
  }
  static void Load(const Bindings& bindings, const TensorView& view, int64_t at, int64_t count,
                   float* to) {
    blocks::LoadRow(view.dtype, At(bindings, view, at), view.strides[view.rank - 1], count, to);
  }

  void RunTile(const Bindings& bindings, int64_t at, int64_t count) const {
    alignas(64) float v[kTile], scale[kTile], zero[kTile], held[kTile];
    alignas(64) uint8_t within[kTile];
    Load(bindings, p_.x, at, count, v);
    if (p_.enabled) {
      const blocks::Rows rows(count);
      Load(bindings, p_.scale, at, count, scale);
      Load(bindings, p_.zero, at, count, zero);
      rows(Op::kDiv, v, v, scale);
      if (!p_.rounds_once) rows(Op::kRound, v, v);
      rows(Op::kAdd, v, v, zero);
      if (p_.rounds_once) rows(Op::kRound, v, v);
      Block clamp = {};
      clamp.in[0] = v;
      clamp.step[0] = 1;
      clamp.out = held;
      clamp.count = count;
      clamp.p = {static_cast<float>(p_.min), static_cast<double>(p_.min), p_.min};
      clamp.q = {static_cast<float>(p_.max), static_cast<double>(p_.max), p_.max};
      anyacl::Kernels().elementwise.Find(Op::kClamp, Element::kFp32)(clamp);
      Block equal = {};
      equal.in[0] = v;
      equal.in[1] = held;
      equal.step[0] = equal.step[1] = 1;
      equal.out = within;
      equal.count = count;
      anyacl::Kernels().elementwise.Find(Op::kEqual, Element::kFp32)(equal);
      rows(Op::kSub, held, held, zero);
      rows(Op::kMul, v, held, scale);
    } else {
      std::fill_n(within, count, uint8_t{1});
    }
    blocks::StoreRow(v, count, p_.out.dtype, At(bindings, p_.out, at),
                     p_.out.strides[p_.out.rank - 1]);
    char* const mask = At(bindings, p_.mask, at);
    const int64_t step = p_.mask.strides[p_.mask.rank - 1];
    for (int64_t i = 0; i < count; ++i) mask[i * step] = static_cast<char>(within[i]);
  }

  const FakeQuantParams p_;
};

TensorView SpreadNumbers(const TensorView& numbers, const TensorView& x, int dim) {
  TensorView spread = x;
  spread.slot = numbers.slot;
  spread.dtype = numbers.dtype;
  spread.offset = numbers.offset;
  std::fill_n(spread.strides, x.rank, 0);
  if (dim >= 0) spread.strides[dim] = numbers.strides[0];
  return spread;
}

// `dim` < 0: one number for all elements.
Status CheckNumbers(const Operands& operands, int id, int dim) {
  const Dims& numbers = operands[id].shape();
  if (dim >= 0) {
    return CheckShapeIs(operands, id, Dims{operands[kSelf].shape()[static_cast<size_t>(dim)]});
  }
  if (ElementCount(numbers) == 1) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected one element",
              operands.NameOf(id), numbers.ToString());
}

Status Prepare(Operands& operands, int dim, bool enabled, PreparedCall* call) {
  for (int id : {kOther, kThird}) {
    if (Status s = CheckNumbers(operands, id, dim); !s.ok()) return s;
  }
  FakeQuantParams p;
  p.min = operands.Int(kMin);
  p.max = operands.Int(kMax);
  if (p.min > p.max) {
    return Fail(operands.spec().codes.shape, "quantMin = {}, expected at most quantMax = {}", p.min,
                p.max);
  }
  if (operands[kOut].IsEmpty()) return {};
  p.x = AtLeastVector(ViewOf(operands, kSelf));
  p.scale = SpreadNumbers(ViewOf(operands, kOther), p.x, dim);
  p.zero = SpreadNumbers(ViewOf(operands, kThird), p.x, dim);
  p.out = AtLeastVector(ViewOf(operands, kOut));
  p.mask = AtLeastVector(ViewOf(operands, kMask));
  p.enabled = enabled;
  p.rounds_once = p.zero.dtype != ACL_INT32;
  call->plan = std::make_shared<FakeQuantPlan>(p);
  return {};
}

}  // namespace

Status PrepareFakeQuant(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  return Prepare(operands, -1, operands.Real(kScalar) >= 1, call);
}

Status PrepareFakeQuantChannels(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const size_t rank = operands[kSelf].shape().rank();
  if (rank == 0) {
    return Fail(operands.spec().codes.shape, "self.shape = [], expected the dimension axis = {}",
                operands.Int(kDim));
  }
  int dim = 0;
  if (Status s = CheckDim(operands, "axis", operands.Int(kDim), rank, &dim); !s.ok()) return s;
  return Prepare(operands, dim, true, call);
}

}  // namespace anyacl::elementwise
