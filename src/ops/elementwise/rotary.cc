// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding: the elements of a row in pairs, each turned by an angle of its place.
#include "ops/elementwise/rotary.h"

#include <algorithm>
#include <array>

#include "base/division.h"
#include "kernels.h"
#include "ops/elementwise/build.h"
#include "ops/elementwise/chain.h"
#include "ops/elementwise/prepare.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::elementwise {

Parts PartsOf(const TensorView& view, Pairs pairs) {
  const int last = view.rank - 1;
  const int64_t half = view.sizes[last] / 2;
  switch (pairs) {
    case Pairs::kNeighbours:
      return {Sliced(view, last, 0, half, 2), Sliced(view, last, 1, half, 2)};
    case Pairs::kQuarters: {
      const TensorView halves = WithLastSplit(view, half);
      return {Sliced(halves, last + 1, 0, half / 2), Sliced(halves, last + 1, half / 2, half / 2)};
    }
    default:
      return {Sliced(view, last, 0, half), Sliced(view, last, half, half)};
  }
}

namespace {

std::shared_ptr<const Plan> MakePartsPlan(const Parts& x, const Parts& cos, const Parts& sin,
                                          const Parts& to) {
  return MakeChainPlan({.inputs = {x.first, x.second, cos.first, cos.second, sin.first, sin.second},
                        .steps = {{Op::kMul, {0, 2}},
                                  {Op::kAddcmul, {6, 1, 4}, -1},
                                  {Op::kMul, {1, 3}},
                                  {Op::kAddcmul, {8, 0, 5}, 1}},
                        .outputs = {{to.first, 7}, {to.second, 9}}});
}

constexpr int64_t kTurned = 1 << 14;  // elements: 3 us

// Rows of elements of one type, each beside the next one in memory.
class TurnPlan final : public Plan {
 public:
  TurnPlan(std::array<TensorView, 4> views, TurnFunction turn)
      : length_(views[0].sizes[views[0].rank - 1]), bytes_(BytesOf(views[0])), turn_(turn) {
    for (size_t i = 0; i < 4; ++i) views_[i] = WithoutDim(views[i], views[i].rank - 1);
    Coalesce(views_);
    for (TensorView& view : views_) view = AtLeastVector(view);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const TensorView& to = views_[0];
    const int last = to.rank - 1;
    const int64_t size = to.sizes[last];
    const auto address = [&](const TensorView& view, int64_t row) {
      return view.Address(bindings) + view.OffsetOf(row) * bytes_;
    };
    const auto step = [&](const TensorView& view) { return view.strides[last] * bytes_; };
    ParallelFor(to.elements(), CeilDivide(kTurned, length_), [&](int64_t begin, int64_t end) {
      while (begin < end) {
        const int64_t rows = std::min(end - begin, size - begin % size);
        turn_({.x = address(views_[1], begin),
               .cos = address(views_[2], begin),
               .sin = address(views_[3], begin),
               .out = address(to, begin),
               .x_step = step(views_[1]),
               .cos_step = step(views_[2]),
               .sin_step = step(views_[3]),
               .out_step = step(to),
               .rows = rows,
               .length = length_});
        begin += rows;
      }
    });
    return {};
  }

 private:
  std::array<TensorView, 4> views_;  // to, x, cos, sin: of rows
  const int64_t length_, bytes_;
  const TurnFunction turn_;
};

}  // namespace

std::shared_ptr<const Plan> MakeRotaryPlan(const TensorView& x, const TensorView& cos,
                                           const TensorView& sin, const TensorView& to,
                                           Pairs pairs) {
  std::array<TensorView, 4> views = {to, x, cos, sin};
  const bool alike = std::all_of(views.begin(), views.end(), [&](const TensorView& view) {
    return view.dtype == to.dtype && view.strides[view.rank - 1] == 1;
  });
  const Element element = ElementOf(to.dtype);
  const bool to_halves = pairs == Pairs::kNeighboursToHalves;
  if (!alike || element > Element::kBf16 || to_halves) {
    const Pairs from = to_halves ? Pairs::kNeighbours : pairs;
    const Pairs others = to_halves ? Pairs::kHalves : pairs;
    return MakePartsPlan(PartsOf(x, from), PartsOf(cos, others), PartsOf(sin, others),
                         PartsOf(to, others));
  }
  if (pairs == Pairs::kQuarters) {
    for (TensorView& view : views) view = WithLastSplit(view, view.sizes[view.rank - 1] / 2);
  }
  const KernelSet& kernels = Kernels().elementwise;
  const auto form = static_cast<size_t>(element);
  return std::make_shared<TurnPlan>(views, pairs == Pairs::kNeighbours
                                               ? kernels.turn_neighbours[form]
                                               : kernels.turn_halves[form]);
}

Status CheckRotary(const Operands& operands, Pairs pairs) {
  const int code = operands.spec().codes.shape;
  const Dims& x = operands[kSelf].shape();
  const char* const name = operands.NameOf(kSelf);
  if (x.rank() != 3 && x.rank() != 4) {
    return Fail(code, "{}.shape = {} has rank {}, expected 3 or 4", name, x.ToString(), x.rank());
  }
  const int64_t multiple = pairs == Pairs::kQuarters ? 4 : 2;
  if (x[x.rank() - 1] % multiple != 0) {
    return Fail(code, "{}.shape[{}] = {}, expected a multiple of {} with mode = {}", name,
                x.rank() - 1, x[x.rank() - 1], multiple, operands.Int(kMode));
  }
  const Dims& cos = operands[kOther].shape();
  bool fits = cos.rank() == x.rank();
  for (size_t i = 0; fits && i < x.rank(); ++i) fits = cos[i] == 1 || cos[i] == x[i];
  if (fits) return {};
  return Fail(code, "cos.shape = {}, expected one that broadcasts to {}.shape = {}", cos.ToString(),
              name, x.ToString());
}

Status PrepareRotary(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const auto pairs = static_cast<Pairs>(operands.Int(kMode));
  if (Status s = CheckRotary(operands, pairs); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const TensorView out = ViewOf(operands, kOut);
  const std::span<const int64_t> sizes(out.sizes, static_cast<size_t>(out.rank));
  call->plan = MakeRotaryPlan(ViewOf(operands, kSelf), *Broadcast(ViewOf(operands, kOther), sizes),
                              *Broadcast(ViewOf(operands, kThird), sizes), out, pairs);
  return {};
}

// A product, then x cos + product sin, in fp32.
Status PrepareRotaryV2(Operands& operands, PreparedCall* call) {
  if (!operands.Given(kX)) return PrepareRotary(operands, call);
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckRotary(operands, Pairs::kHalves); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const Dims& shape = operands[kSelf].shape();
  Steps steps(operands);
  InnerTensor x;
  if (Status s = steps.Contiguous(kSelf, shape, &x); !s.ok()) return s;
  const InnerTensor product = steps.Piece("x @ rotate", x.layout.dtype, shape);
  if (Status s = steps.Call("aclnnMatmul", {x, TensorOf(operands, kX), product, int64_t{0}});
      !s.ok()) {
    return s;
  }
  PlanStep step;
  const TensorView out = step.View(TensorOf(operands, kOut));
  const std::span<const int64_t> sizes(out.sizes, static_cast<size_t>(out.rank));
  const auto angle = [&](int id) { return *Broadcast(step.View(TensorOf(operands, id)), sizes); };
  const TensorView cos = angle(kOther), sin = angle(kThird);
  step.AddTo(steps, MakeChainPlan({.inputs = {step.View(x), step.View(product), cos, sin},
                                   .steps = {{Op::kMul, {0, 2}}, {Op::kAddcmul, {4, 1, 3}, 1}},
                                   .outputs = {{out, 5}}}));
  return steps.Finish(call);
}

}  // namespace anyacl::elementwise
