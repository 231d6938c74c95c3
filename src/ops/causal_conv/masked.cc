// SPDX-License-Identifier: Apache-2.0
// The masked convolution and its gradients. Both go along a sequence with a window of tokens: of x
// behind zeros, and of the gradient before zeros, whose taps are turned round. Of the gradient
// threads share columns alone, so that the sums for weights have one order. A result may be x or
// the gradient: what a thread still reads no other one has written.
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/causal_conv/checks.h"
#include "ops/causal_conv/window.h"
#include "runtime/parallel.h"

namespace anyacl::causal_conv {
namespace {

using elementwise::Op;

constexpr int64_t kRun = 1024;  // tokens that a thread takes at once
constexpr int64_t kPart = 256;  // tokens whose products are summed before they join the others

// Of column `column` of token `i` of sequence `j`; of weights and masks the first two.
char* At(const Bindings& bindings, const TensorView& view, int64_t i, int64_t j,
         int64_t column = 0) {
  const int64_t offset =
      i * view.strides[0] + j * view.strides[1] + (view.rank > 2 ? column * view.strides[2] : 0);
  return view.Address(bindings) + offset * BytesOf(view);
}

bool IsMasked(const Bindings& bindings, const TensorView& mask, int64_t i, int64_t j) {
  return mask.given() && *At(bindings, mask, j, i) == 0;
}

void LoadWeights(const Bindings& bindings, const TensorView& weight, int64_t first, int64_t count,
                 bool turned, const Window& window) {
  const int64_t taps = weight.sizes[0];
  for (int64_t k = 0; k < taps; ++k) {
    blocks::LoadRow(weight.dtype, At(bindings, weight, k, first), weight.strides[1], count,
                    window.weight(turned ? taps - 1 - k : k));
  }
}

struct ForwardParams {
  TensorView x, weight, mask, out;
};

class ForwardPlan final : public BookedPlan {
 public:
  explicit ForwardPlan(const ForwardParams& params)
      : p_(params),
        tokens_(p_.x.sizes[0]),
        taps_(p_.weight.sizes[0]),
        columns_(p_.x.sizes[2]),
        runs_(CeilDivide(tokens_, kRun)),
        tiles_(columns_, ThreadCount()) {
    scratch_ = book_.Book<float>(ThreadCount(), scratch_floats());
    seams_ = book_.Book<float>(p_.x.sizes[1] * (runs_ - 1) * (taps_ - 1), columns_);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    ParallelFor(p_.x.sizes[1] * (runs_ - 1), 16, [&](int64_t begin, int64_t end) {
      for (int64_t seam = begin; seam < end; ++seam) LoadSeam(bindings, seam);
    });
    const int64_t runs = runs_, tiles = tiles_.count();
    ParallelFor(p_.x.sizes[1] * tiles * runs, 1, [&](int64_t begin, int64_t end, int64_t slot) {
      float* const scratch = scratch_.In(bindings) + static_cast<size_t>(slot) * scratch_floats();
      for (int64_t i = begin; i < end; ++i) {
        RunTokens(bindings, i / runs / tiles, i / runs % tiles, i % runs * kRun, scratch);
      }
    });
    return {};
  }

 private:
  size_t scratch_floats() const { return Window::Floats(taps_, tiles_.width()); }

  // The tokens before a run that its first ones see. Before run `i` of a sequence seam i - 1 is.
  float* SeamAt(const Bindings& bindings, int64_t seam) const {
    return seams_.In(bindings) + seam * (taps_ - 1) * columns_;
  }
  void LoadSeam(const Bindings& bindings, int64_t seam) const {
    const int64_t sequence = seam / (runs_ - 1);
    const int64_t first = (seam % (runs_ - 1) + 1) * kRun - (taps_ - 1);
    for (int64_t k = 0; k < taps_ - 1; ++k) {
      blocks::LoadRow(p_.x.dtype, At(bindings, p_.x, first + k, sequence), p_.x.strides[2],
                      columns_, SeamAt(bindings, seam) + k * columns_);
    }
  }

  void RunTokens(const Bindings& bindings, int64_t sequence, int64_t tile, int64_t first,
                 float* scratch) const {
    const int64_t column = tiles_.Begin(tile), count = tiles_.Count(tile);
    Window window(scratch, taps_, count);
    LoadWeights(bindings, p_.weight, column, count, false, window);
    const int64_t end = std::min(tokens_, first + kRun);
    const float* seam =
        first == 0 ? nullptr : SeamAt(bindings, sequence * (runs_ - 1) + first / kRun - 1) + column;
    for (int64_t i = first - taps_ + 1; i < end; ++i) {
      float* const row = window.Next();
      if (i < 0) {
        std::fill_n(row, count, 0.0f);
      } else if (i < first) {
        std::copy_n(seam, count, row);
        seam += columns_;
      } else {
        blocks::LoadRow(p_.x.dtype, At(bindings, p_.x, i, sequence, column), p_.x.strides[2], count,
                        row);
      }
      if (i < first) continue;
      const float* const sum =
          IsMasked(bindings, p_.mask, i, sequence) ? window.Zero() : window.Sum();
      blocks::StoreRow(sum, count, p_.out.dtype, At(bindings, p_.out, i, sequence, column),
                       p_.out.strides[2]);
    }
  }

  const ForwardParams p_;
  const int64_t tokens_, taps_, columns_;
  const int64_t runs_;  // of a sequence
  const ColumnTiles tiles_;
  WorkspaceSlot<float> scratch_, seams_;
};

struct BackwardParams {
  TensorView grad, x, weight, mask, grad_x, grad_weight;
};

class BackwardPlan final : public BookedPlan {
 public:
  explicit BackwardPlan(const BackwardParams& params)
      : p_(params),
        tokens_(p_.x.sizes[0]),
        taps_(p_.weight.sizes[0]),
        tiles_(p_.x.sizes[2], ThreadCount()) {
    scratch_ = book_.Book<float>(ThreadCount(), scratch_floats());
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    ParallelFor(tiles_.count(), 1, [&](int64_t begin, int64_t end, int64_t slot) {
      float* const scratch = scratch_.In(bindings) + static_cast<size_t>(slot) * scratch_floats();
      for (int64_t tile = begin; tile < end; ++tile) RunTile(bindings, tile, scratch);
    });
    return {};
  }

 private:
  // Behind the window a token of x, and the sums for weights: of a part, and of all.
  size_t scratch_floats() const {
    return Window::Floats(taps_, tiles_.width()) +
           static_cast<size_t>((2 * taps_ + 1) * tiles_.width());
  }

  void RunTile(const Bindings& bindings, int64_t tile, float* scratch) const {
    const int64_t column = tiles_.Begin(tile), count = tiles_.Count(tile);
    float* const part = scratch + Window::Floats(taps_, count) + count;
    float* const total = part + taps_ * count;
    std::fill_n(part, 2 * taps_ * count, 0.0f);
    for (int64_t j = 0; j < p_.x.sizes[1]; ++j) {
      for (int64_t first = 0; first < tokens_; first += kPart) {
        RunPart(bindings, j, first, column, count, scratch);
        blocks::Rows(taps_ * count)(Op::kAdd, total, total, part);
        std::fill_n(part, taps_ * count, 0.0f);
      }
    }
    for (int64_t k = 0; k < taps_; ++k) {
      blocks::StoreRow(total + k * count, count, p_.grad_weight.dtype,
                       At(bindings, p_.grad_weight, k, column), p_.grad_weight.strides[1]);
    }
  }

  void RunPart(const Bindings& bindings, int64_t sequence, int64_t first, int64_t column,
               int64_t count, float* scratch) const {
    Window window(scratch, taps_, count);
    float* const x = scratch + Window::Floats(taps_, count);
    float* const part = x + count;
    LoadWeights(bindings, p_.weight, column, count, true, window);
    const int64_t end = std::min(tokens_, first + kPart);
    for (int64_t i = first; i < end + taps_ - 1; ++i) {
      float* const row = window.Next();
      if (i >= tokens_ || IsMasked(bindings, p_.mask, i, sequence)) {
        std::fill_n(row, count, 0.0f);
      } else {
        blocks::LoadRow(p_.grad.dtype, At(bindings, p_.grad, i, sequence, column),
                        p_.grad.strides[2], count, row);
      }
      const int64_t token = i - taps_ + 1;
      if (token < first) continue;
      blocks::LoadRow(p_.x.dtype, At(bindings, p_.x, token, sequence, column), p_.x.strides[2],
                      count, x);
      blocks::StoreRow(window.Sum(), count, p_.grad_x.dtype,
                       At(bindings, p_.grad_x, token, sequence, column), p_.grad_x.strides[2]);
      for (int64_t k = 0; k < taps_; ++k) {
        float* const sum = part + (taps_ - 1 - k) * count;
        blocks::Rows{count}(Op::kAddcmul, sum, sum, window.row(k), x);
      }
    }
  }

  const BackwardParams p_;
  const int64_t tokens_, taps_;
  const ColumnTiles tiles_;
  WorkspaceSlot<float> scratch_;
};

}  // namespace

Status PrepareMasked(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckSizes(operands); !s.ok()) return s;
  call->plan = std::make_shared<ForwardPlan>(ForwardParams{.x = ViewOf(operands, kX),
                                                           .weight = ViewOf(operands, kWeight),
                                                           .mask = ViewOf(operands, kMask),
                                                           .out = ViewOf(operands, kOut)});
  return {};
}

Status PrepareMaskedBackward(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckSizes(operands); !s.ok()) return s;
  call->plan =
      std::make_shared<BackwardPlan>(BackwardParams{.grad = ViewOf(operands, kGradOut),
                                                    .x = ViewOf(operands, kX),
                                                    .weight = ViewOf(operands, kWeight),
                                                    .mask = ViewOf(operands, kMask),
                                                    .grad_x = ViewOf(operands, kGradX),
                                                    .grad_weight = ViewOf(operands, kGradWeight)});
  return {};
}

}  // namespace anyacl::causal_conv
