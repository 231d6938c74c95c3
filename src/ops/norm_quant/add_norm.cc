// SPDX-License-Identifier: Apache-2.0
// Row by row in fp32: the sum, which is not rounded before its norm, the norm, and what becomes of
// it. Threads share rows.
#include "ops/norm_quant/add_norm.h"

#include <algorithm>
#include <cmath>

#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/int4_rows.h"
#include "ops/blocks/rows.h"
#include "runtime/parallel.h"

namespace anyacl::norm_quant {
namespace {

using elementwise::Op;

class AddNormPlan final : public BookedPlan {
 public:
  explicit AddNormPlan(const Params& params) : p_(params) {
    const auto n = static_cast<size_t>(p_.length);
    const auto slots = static_cast<size_t>(std::min(ThreadCount(), p_.rows));
    numbers_ = book_.Book<float>(slots, kBuffers * n);
    gamma_ = book_.Book<float>(p_.gamma.given() ? n : 0);
    beta_ = book_.Book<float>(p_.beta.given() ? n : 0);
    shift_ = book_.Book<float>(p_.shift.given() ? n : 0);
    for (int i = 0; i < 2; ++i) {
      const Quantised& q = i == 0 ? p_.first : p_.second;
      scales_[i] = book_.Book<float>(q.scales.given() ? n : 0);
      offsets_[i] = book_.Book<float>(q.offsets.given() ? n : 0);
    }
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (p_.gamma.given()) Load(bindings, p_.gamma, 0, gamma_.In(bindings));
    if (p_.beta.given()) Load(bindings, p_.beta, 0, beta_.In(bindings));
    if (p_.shift.given()) Load(bindings, p_.shift, 0, shift_.In(bindings));
    for (int i = 0; i < 2; ++i) {
      const Quantised& q = i == 0 ? p_.first : p_.second;
      if (q.scales.given()) Load(bindings, q.scales, 0, scales_[i].In(bindings));
      if (q.offsets.given()) Load(bindings, q.offsets, 0, offsets_[i].In(bindings));
    }
    constexpr int64_t kWorth = 1 << 13;  // elements: 5 us
    ParallelFor(p_.rows, std::max<int64_t>(1, kWorth / p_.length),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  float* const numbers = numbers_.In(bindings) + slot * kBuffers * p_.length;
                  for (int64_t row = begin; row < end; ++row) RunRow(bindings, row, numbers);
                });
    return {};
  }

 private:
  static constexpr int64_t kBuffers = 3;  // of a row: y, a quantised one, its magnitudes

  // A row's numbers, whose dimensions may be several.
  void Load(const Bindings& bindings, const TensorView& view, int64_t row, float* to) const {
    const auto load = blocks::Loader(Element::kFp32, view.dtype);
    blocks::ForTiles(view, view.Address(bindings), row * p_.length, (row + 1) * p_.length,
                     [&](const blocks::Tile& tile, int64_t before) { load(tile, to + before); });
  }
  void Store(const Bindings& bindings, const TensorView& view, int64_t row,
             const float* from) const {
    if (!view.given()) return;
    const auto store = blocks::Storer(Element::kFp32, view.dtype);
    blocks::ForTiles(view, view.Address(bindings), row * p_.length, (row + 1) * p_.length,
                     [&](const blocks::Tile& tile, int64_t before) { store(from + before, tile); });
  }

  void WriteNumber(const Bindings& bindings, const TensorView& view, int64_t row,
                   double number) const {
    if (!view.given()) return;
    blocks::StoreOne(number, view.dtype,
                     view.Address(bindings) + view.OffsetOf(row) * BytesOf(view));
  }

  // In place. What rounding the mean leaves of it is taken out again, as layer norms do.
  void Normalise(const Bindings& bindings, int64_t row, float* x) const {
    const auto& kernels = Kernels().rowwise.fp32;
    const auto n = static_cast<double>(p_.length);
    rowwise::Norm norm = {0, 0, 0, nullptr, nullptr, true};
    if (p_.gamma.given()) norm.gamma = gamma_.In(bindings);
    if (p_.beta.given()) norm.beta = beta_.In(bindings);
    if (p_.centres) norm.mean = static_cast<float>(kernels.sum(x, p_.length) / n);
    const rowwise::Moments about = kernels.moments(x, p_.length, norm.mean);
    const double off = p_.centres ? about.sum / n : 0;
    norm.residual = static_cast<float>(off);
    const double rstd = 1 / std::sqrt(about.squares / n - off * off + p_.eps);
    norm.rstd = static_cast<float>(rstd);
    WriteNumber(bindings, p_.mean, row, double{norm.mean} + off);
    WriteNumber(bindings, p_.rstd, row, rstd);
    kernels.normalize(x, p_.length, norm, {x, false});
  }

  void StoreIntegers(const Bindings& bindings, const TensorView& view, int64_t row,
                     const float* from) const {
    char* const to = view.Address(bindings);
    for (int64_t at = 0; at < p_.length; at += blocks::kMostIntegers) {
      blocks::StoreIntegers(from + at, std::min(blocks::kMostIntegers, p_.length - at), view, to,
                            row * p_.length + at);
    }
  }

  void Sum(const Bindings& bindings, int64_t row, float* x, float* other) const {
    const blocks::Rows rows(p_.length);
    Load(bindings, p_.x1, row, x);
    if (p_.x2.given()) {
      Load(bindings, p_.x2, row, other);
      if (p_.factor != 1) rows(Op::kMulScalar, x, x, nullptr, nullptr, p_.factor);
      rows(Op::kAdd, x, x, other);
    }
    if (p_.bias.given()) {
      Load(bindings, p_.bias, p_.bias_of_row ? 0 : row, other);
      rows(Op::kAdd, x, x, other);
    }
  }

  void Modulate(const Bindings& bindings, int64_t row, float* y, float* other) const {
    const blocks::Rows rows(p_.length);
    Load(bindings, p_.row_scale, row, other);
    rows(Op::kAddScalar, other, other);
    rows(Op::kMul, y, y, other);
    Load(bindings, p_.row_shift, row, other);
    rows(Op::kAdd, y, y, other);
  }

  // Of y; `magnitudes` is room.
  void Quantise(const Bindings& bindings, int64_t row, int i, const float* y, float* numbers,
                float* magnitudes) const {
    const Quantised& q = i == 0 ? p_.first : p_.second;
    const blocks::Rows rows(p_.length);
    const float* from = y;
    if (q.scales.given()) {
      rows(p_.divides ? Op::kDiv : Op::kMul, numbers, from, scales_[i].In(bindings));
      from = numbers;
    }
    if (q.steps.given()) {
      rows(Op::kAbs, magnitudes, from);
      const float step = Kernels().rowwise.fp32.softmax.max(magnitudes, p_.length) / q.most;
      WriteNumber(bindings, q.steps, row, double{step});
      rows(Op::kDivScalar, numbers, from, nullptr, nullptr, step);
    }
    if (q.offsets.given()) rows(Op::kAdd, numbers, numbers, offsets_[i].In(bindings));
    rows(Op::kRound, numbers, numbers);
    StoreIntegers(bindings, q.out, row, numbers);
  }

  void RunRow(const Bindings& bindings, int64_t row, float* numbers) const {
    float* const x = numbers;
    float* const other = x + p_.length;
    Sum(bindings, row, x, other);
    Store(bindings, p_.sum, row, x);
    Normalise(bindings, row, x);
    if (p_.row_scale.given()) Modulate(bindings, row, x, other);
    Store(bindings, p_.normal, row, x);
    Store(bindings, p_.cast, row, x);
    if (p_.shift.given()) {
      blocks::Rows(p_.length)(Op::kAdd, x, x, shift_.In(bindings));
    }
    for (int i = 0; i < 2; ++i) {
      const Quantised& q = i == 0 ? p_.first : p_.second;
      if (q.out.given()) Quantise(bindings, row, i, x, other, other + p_.length);
    }
  }

  const Params p_;
  WorkspaceSlot<float> numbers_, gamma_, beta_, shift_, scales_[2], offsets_[2];
};

}  // namespace

std::shared_ptr<const Plan> MakePlan(const Params& params) {
  return std::make_shared<AddNormPlan>(params);
}

}  // namespace anyacl::norm_quant
