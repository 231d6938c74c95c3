// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding: the elements of a row in pairs, each turned by an angle of its place.
#include "ops/elementwise/rotary.h"

#include "ops/elementwise/build.h"
#include "ops/elementwise/chain.h"
#include "ops/elementwise/prepare.h"
#include "ops/steps.h"

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

std::shared_ptr<const Plan> MakeRotaryPlan(const Parts& x, const Parts& cos, const Parts& sin,
                                           const Parts& to) {
  return MakeChainPlan({.inputs = {x.first, x.second, cos.first, cos.second, sin.first, sin.second},
                        .steps = {{Op::kMul, {0, 2}},
                                  {Op::kAddcmul, {6, 1, 4}, -1},
                                  {Op::kMul, {1, 3}},
                                  {Op::kAddcmul, {8, 0, 5}, 1}},
                        .outputs = {{to.first, 7}, {to.second, 9}}});
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
  const bool to_halves = pairs == Pairs::kNeighboursToHalves;
  const Pairs results = to_halves ? Pairs::kHalves : pairs;
  const Parts x = PartsOf(ViewOf(operands, kSelf), to_halves ? Pairs::kNeighbours : pairs);
  const Parts cos = PartsOf(*Broadcast(ViewOf(operands, kOther), sizes), results);
  const Parts sin = PartsOf(*Broadcast(ViewOf(operands, kThird), sizes), results);
  const Parts to = PartsOf(out, results);
  call->plan = MakeRotaryPlan(x, cos, sin, to);
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
