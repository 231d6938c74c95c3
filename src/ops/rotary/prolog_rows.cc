// SPDX-License-Identifier: Apache-2.0
// Row by row in fp32, rounded once. Threads share rows.
#include "ops/rotary/prolog_rows.h"

#include <algorithm>

#include "nnop/workspace.h"
#include "ops/blocks/int4_rows.h"
#include "runtime/parallel.h"

namespace anyacl::rotary {
namespace {

using elementwise::Op;

constexpr int64_t kWorth = 1 << 13;  // elements: 5 us

char* RowOf(const Bindings& bindings, const TensorView& view, int64_t row) {
  return view.Address(bindings) + row * view.strides[0] * BytesOf(view);
}

class NormRowsPlan final : public BookedPlan {
 public:
  explicit NormRowsPlan(const NormRows& params)
      : p_(params), rows_(p_.x.sizes[0]), length_(p_.x.sizes[1]) {
    const auto slots = static_cast<size_t>(std::min(ThreadCount(), rows_));
    const auto n = static_cast<size_t>(length_);
    numbers_ = book_.Book<float>(slots, 2 * n);
    gamma_ = book_.Book<float>(n);
    smooth_ = book_.Book<float>(p_.smooth.given() ? n : 0);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const auto load = [&](const TensorView& view, float* to) {
      blocks::LoadRow(view.dtype, view.Address(bindings), view.strides[0], length_, to);
    };
    load(p_.gamma, gamma_.In(bindings));
    if (p_.smooth.given()) load(p_.smooth, smooth_.In(bindings));
    ParallelFor(rows_, std::max<int64_t>(1, kWorth / length_),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  float* const numbers = numbers_.In(bindings) + slot * 2 * length_;
                  for (int64_t row = begin; row < end; ++row) RunRow(bindings, row, numbers);
                });
    return {};
  }

 private:
  void RunRow(const Bindings& bindings, int64_t row, float* x) const {
    LoadScaled(bindings, p_.x, RowOf(bindings, p_.x, row), row, 0, 1, length_, p_.factors, x);
    RmsNorm(x, length_, p_.eps, gamma_.In(bindings), p_.factor);
    if (!p_.steps.given()) {
      blocks::StoreRow(x, length_, p_.out.dtype, RowOf(bindings, p_.out, row), p_.out.strides[1]);
      return;
    }
    const blocks::Rows rows(length_);
    if (p_.smooth.given()) rows(Op::kMul, x, x, smooth_.In(bindings));
    float* const magnitudes = x + length_;
    rows(Op::kAbs, magnitudes, x);
    const float step = Kernels().rowwise.fp32.softmax.max(magnitudes, length_) / 127;
    blocks::StoreOne(step, ACL_FLOAT, RowOf(bindings, p_.steps, row));
    rows(Op::kDivScalar, x, x, nullptr, nullptr, step);
    rows(Op::kRound, x, x);
    for (int64_t at = 0; at < length_; at += blocks::kMostIntegers) {
      blocks::StoreIntegers(x + at, std::min(blocks::kMostIntegers, length_ - at), p_.out,
                            p_.out.Address(bindings), row * length_ + at);
    }
  }

  const NormRows p_;
  const int64_t rows_, length_;
  WorkspaceSlot<float> numbers_, gamma_, smooth_;
};

class HeadRowsPlan final : public BookedPlan {
 public:
  explicit HeadRowsPlan(const HeadRows& params)
      : p_(params),
        tokens_(p_.x.sizes[0]),
        heads_(p_.x.sizes[1]),
        turned_(p_.cos.sizes[1]),
        plain_(p_.x.sizes[2] - turned_),
        room_(2 * turned_ + std::max(plain_, 2 * turned_)) {
    const auto slots = static_cast<size_t>(std::min(ThreadCount(), tokens_ * heads_));
    numbers_ = book_.Book<float>(slots, room_);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t each = plain_ + turned_;
    ParallelFor(tokens_ * heads_, std::max<int64_t>(1, kWorth / each),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  float* const numbers = numbers_.In(bindings) + slot * room_;
                  int64_t loaded = -1;
                  for (int64_t i = begin; i < end; ++i) {
                    const int64_t token = i / heads_;
                    if (token != loaded) LoadAngles(bindings, token, numbers);
                    loaded = token;
                    RunHead(bindings, token, i % heads_, numbers);
                  }
                });
    return {};
  }

 private:
  // Cosines, then sines.
  void LoadAngles(const Bindings& bindings, int64_t token, float* numbers) const {
    for (const TensorView* view : {&p_.cos, &p_.sin}) {
      blocks::LoadRow(view->dtype, RowOf(bindings, *view, token), view->strides[1], turned_,
                      numbers);
      numbers += turned_;
    }
  }

  void RunHead(const Bindings& bindings, int64_t token, int64_t head, float* angles) const {
    float* const numbers = angles + 2 * turned_;
    const auto load = [&](int64_t first, int64_t step, int64_t count, float* to) {
      const int64_t at = head * p_.x.strides[1] + first * p_.x.strides[2];
      LoadScaled(bindings, p_.x, RowOf(bindings, p_.x, token) + at * BytesOf(p_.x), token,
                 head * p_.x.sizes[2] + first, step, count, p_.factors, to);
    };
    const auto store = [&](const TensorView& view, const float* from, int64_t count) {
      blocks::StoreRow(from, count, view.dtype,
                       RowOf(bindings, view, token) + head * view.strides[1] * BytesOf(view),
                       view.strides[2]);
    };
    if (p_.plain.given()) {
      load(0, 1, plain_, numbers);
      store(p_.plain, numbers, plain_);
    }
    const int64_t pairs = turned_ / 2;
    float* const a = numbers + turned_;
    float* const b = a + pairs;
    load(plain_, 2, pairs, a);
    load(plain_ + 1, 2, pairs, b);
    TurnToHalves(a, b, angles, angles + turned_, pairs, numbers);
    store(p_.turned, numbers, turned_);
  }

  const HeadRows p_;
  const int64_t tokens_, heads_, turned_, plain_, room_;
  WorkspaceSlot<float> numbers_;
};

}  // namespace

std::shared_ptr<const Plan> MakeNormRowsPlan(const NormRows& params) {
  return std::make_shared<NormRowsPlan>(params);
}
std::shared_ptr<const Plan> MakeHeadRowsPlan(const HeadRows& params) {
  return std::make_shared<HeadRowsPlan>(params);
}

}  // namespace anyacl::rotary
