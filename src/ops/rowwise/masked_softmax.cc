// SPDX-License-Identifier: Apache-2.0
// Softmax of scaled numbers with a mask or a bias, along the last dimension, and its gradient.
#include "ops/rowwise/operators.h"
#include "ops/rowwise/softmax_work.h"

namespace anyacl::rowwise {
namespace {

// A tensor as one of x's shape, or of a longer one that x is seen in.
TensorView Spread(const TensorView& view, const TensorView& x) {
  return *Broadcast(view, {x.sizes, static_cast<size_t>(x.rank)});
}

constexpr int64_t kMostColumns = 4096;  // of scaled softmax with a mask

// The last dimension, and the mask: x's shape with any of the first two sizes 1.
Status CheckScaledMasked(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  const Dims& x = operands[kX].shape();
  const Dims& mask = operands[kMask].shape();
  if (x.back() < 1 || x.back() > kMostColumns) {
    return Fail(code, "{}.shape[3] = {}, expected 1 to {}", operands.NameOf(kX), x.back(),
                kMostColumns);
  }
  bool fits = mask.rank() == x.rank();
  for (size_t i = 0; fits && i < x.rank(); ++i) fits = mask[i] == x[i] || (i < 2 && mask[i] == 1);
  if (!fits) {
    return Fail(code, "mask.shape = {}, expected {}, or 1 for the first two sizes", mask.ToString(),
                x.ToString());
  }
  if (!operands.Flag(kTriangle)) return {};
  return Fail(code, "fixTriuMask = true, expected false");
}

// x, the mask and the bias as [B, W, N, S1, S2].
struct Windows {
  TensorView x, out, mask, bias;
};
Status ReadWindows(const Operands& operands, Windows* w) {
  const int code = operands.spec().codes.shape;
  const Dims& x = operands[kX].shape();
  if (x.rank() != 4 && x.rank() != 5) {
    return Fail(code, "x.shape = {}, expected four or five dimensions", x.ToString());
  }
  const Dims tail(x.end() - 3, 3);  // N, S1, S2
  const auto fails = [&](int id, const char* expected) {
    return Fail(code, "{}.shape = {}, expected {} as x.shape = {}", operands.NameOf(id),
                operands[id].shape().ToString(), expected, x.ToString());
  };
  const Dims& bias = operands[kBias].shape();
  bool fits = bias.rank() >= 3 && bias.rank() <= 5;
  for (size_t i = 0; fits && i < bias.rank(); ++i) {
    const size_t front = bias.rank() - 3;
    fits = bias[i] == (i < front ? 1 : tail[i - front]);
  }
  if (!fits) return fails(kBias, "[N, S1, S2], [1, N, S1, S2] or [1, 1, N, S1, S2]");
  int64_t windows = x.rank() == 5 ? x[1] : 1;
  if (operands.Given(kMask)) {
    const Dims& mask = operands[kMask].shape();
    fits = mask.rank() >= 3 && mask.rank() <= 5;
    if (fits) {
      const size_t first = mask.rank() == 5 ? 1 : 0;
      const int64_t found = mask[first];
      fits = x.rank() == 5 ? found == windows : found > 0 ? x[0] % found == 0 : x[0] == 0;
      fits &= first == 0 || mask[0] == 1;
      fits &= mask.rank() == 3 || mask[first + 1] == 1;
      fits &= mask[mask.rank() - 2] == tail[1] && mask[mask.rank() - 1] == tail[2];
      if (x.rank() == 4) windows = std::max<int64_t>(1, found);
    }
    if (!fits) return fails(kMask, "[W, S1, S2], [W, 1, S1, S2] or [1, W, 1, S1, S2]");
  }
  const auto split = [&](int id) {
    TensorView view = ViewOf(operands, id);
    if (view.rank == 5) return view;
    view = WithDim(view, 0);
    view.sizes[0] = view.sizes[1] / windows;
    view.strides[0] = view.strides[1] * windows;
    view.sizes[1] = windows;
    return view;
  };
  w->x = split(kX);
  w->out = split(kOut);
  w->bias = Spread(ViewOf(operands, kBias), w->x);
  if (!operands.Given(kMask)) return {};
  TensorView mask = ViewOf(operands, kMask);
  if (mask.rank == 3) mask = WithDim(mask, 1);
  w->mask = Spread(mask, w->x);
  return {};
}

}  // namespace

Status PrepareMaskedSoftmaxWithBias(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Windows w;
  if (Status s = ReadWindows(operands, &w); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  Rows rows({RowsOf(w.x, 1), RowsOf(w.out, 1), RowsOf(w.mask, 1), RowsOf(w.bias, 1)},
            {.as_numbers = true});
  const Options options = {.combines = true, .scale = static_cast<float>(operands.Real(kScale))};
  call->plan = std::make_shared<RowPlan<SoftmaxWork<float>>>(std::move(rows), options);
  return {};
}

Status PrepareScaledMaskedSoftmax(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckScaledMasked(operands); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const TensorView x = ViewOf(operands, kX);
  Rows rows({RowsOf(x, 1), RowsOf(ViewOf(operands, kOut), 1),
             RowsOf(Spread(ViewOf(operands, kMask), x), 1)},
            {.as_numbers = true});
  const Options options = {
      .combines = true, .scale = static_cast<float>(operands.Real(kScale)), .hides = true};
  call->plan = std::make_shared<RowPlan<SoftmaxWork<float>>>(std::move(rows), options);
  return {};
}

Status PrepareScaledMaskedSoftmaxBackward(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckScaledMasked(operands); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const TensorView g = ViewOf(operands, kX);
  Rows rows({RowsOf(g, 1), RowsOf(ViewOf(operands, kX2), 1), RowsOf(ViewOf(operands, kOut), 1),
             RowsOf(Spread(ViewOf(operands, kMask), g), 1)},
            {.as_numbers = true});
  const Options options = {.combines = true, .scale = static_cast<float>(operands.Real(kScale))};
  call->plan = std::make_shared<RowPlan<GradWork>>(std::move(rows), options);
  return {};
}

}  // namespace anyacl::rowwise
