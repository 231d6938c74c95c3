// SPDX-License-Identifier: Apache-2.0
// PReLU, whose weight is one number or one for each channel, and its gradients. The weight's is a
// sum in fp64, of pieces that the shape fixes.
#include <algorithm>
#include <vector>

#include "nnop/promotion.h"
#include "ops/blocks/convert.h"
#include "ops/elementwise/build.h"
#include "ops/elementwise/prepare.h"
#include "runtime/parallel.h"

namespace anyacl::elementwise {
namespace {

// Makes a weight a tensor that broadcasts to self: its elements, in their order, become the second
// dimension.
Status SpreadWeight(Operands& operands, int self, int weight, TensorLayout* spread) {
  const Dims& shape = operands[self].shape();
  const Dims& weight_shape = operands[weight].shape();
  const int64_t channels = shape.rank() > 1 ? shape[1] : 1;
  *spread = *operands[weight].layout;
  const int64_t count = ElementCount(weight_shape).value_or(-1);
  if (count != 1 && count != channels) {
    return Fail(operands.spec().codes.shape,
                "{}.shape = {}, expected one element, or {} as {}.shape = {}",
                operands.NameOf(weight), weight_shape.ToString(), channels, operands.NameOf(self),
                shape.ToString());
  }
  int64_t stride = 0, inner = 1;
  for (size_t i = weight_shape.rank(); i-- > 0 && count > 1;) {
    if (weight_shape[i] == 1) continue;
    if (inner == 1) stride = spread->strides[i];
    if (spread->strides[i] != stride * inner) {
      return Fail(operands.spec().codes.shape,
                  "{}.strides = {} of {}, expected elements that are equally far apart",
                  operands.NameOf(weight), spread->strides.ToString(), weight_shape.ToString());
    }
    inner *= weight_shape[i];
  }
  spread->shape = spread->strides = shape;
  for (size_t i = 0; i < shape.rank(); ++i) {
    spread->shape[i] = i == 1 ? count : 1;
    spread->strides[i] = i == 1 ? stride : 0;
  }
  return {};
}

// Elements of a piece: two buffers of 16 KiB.
constexpr int64_t kPreluPiece = 2048;

// weight_gradient[c] = the sum of gradient * x over the elements of channel c that are 0 or less.
class WeightGradient {
 public:
  WeightGradient(TensorView gradient, TensorView x, const TensorView& out) : out_(out) {
    channels_ = out.elements();
    if (channels_ > 1) {
      for (auto [view, step] : {std::pair{&gradient, &gradient_step_}, {&x, &x_step_}}) {
        *step = view->strides[1];
        *view = WithoutDim(*view, 1);
      }
    }
    TensorView views[] = {gradient, x};
    CoalesceInOrder(views);
    for (TensorView& view : views) {
      if (view.rank > 0) continue;
      view.rank = 1;
      view.sizes[0] = view.strides[0] = 1;
    }
    gradient_ = views[0];
    x_ = views[1];
    length_ = x_.sizes[x_.rank - 1];
    pieces_ = (length_ + kPreluPiece - 1) / kPreluPiece * (x_.elements() / length_);
  }

  void Run(const Bindings& bindings) const {
    std::vector<double> sums(static_cast<size_t>(channels_ * pieces_));
    const int64_t grain = std::max<int64_t>(1, 4096 / std::min(length_, kPreluPiece));
    ParallelFor(channels_ * pieces_, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        sums[static_cast<size_t>(i)] = SumOfPiece(bindings, i / pieces_, i % pieces_);
      }
    });
    int64_t at = 0;
    for (int64_t c = 0; c < channels_; ++c) {
      double sum = 0;
      for (int64_t i = 0; i < pieces_; ++i) sum += sums[static_cast<size_t>(at++)];
      blocks::ConvertElements(ACL_DOUBLE, reinterpret_cast<const char*>(&sum), 0, out_.dtype,
                              AddressOfResult(bindings, c), 0, 1);
    }
  }

 private:
  char* AddressOfResult(const Bindings& bindings, int64_t index) const {
    return out_.Address(bindings) + out_.OffsetOf(index) * BytesOf(out_);
  }

  double SumOfPiece(const Bindings& bindings, int64_t channel, int64_t piece) const {
    const int64_t in_row = (length_ + kPreluPiece - 1) / kPreluPiece;
    const int64_t first = piece % in_row * kPreluPiece,
                  count = std::min(kPreluPiece, length_ - first);
    double gradient[kPreluPiece], x[kPreluPiece];
    Load(gradient_, bindings, channel * gradient_step_, piece / in_row, first, count, gradient);
    Load(x_, bindings, channel * x_step_, piece / in_row, first, count, x);
    double sum = 0;
    for (int64_t i = 0; i < count; ++i) sum += x[i] > 0 ? 0 : gradient[i] * x[i];
    return sum;
  }

  static void Load(const TensorView& view, const Bindings& bindings, int64_t at, int64_t row,
                   int64_t first, int64_t count, double* to) {
    const int64_t step = view.strides[view.rank - 1], bytes = BytesOf(view);
    at += view.OffsetOf(row, view.rank - 1) + first * step;
    blocks::ConvertElements(view.dtype, view.Address(bindings) + at * bytes, step * bytes,
                            ACL_DOUBLE, reinterpret_cast<char*>(to), sizeof(double), count);
  }

  TensorView gradient_, x_, out_;
  int64_t gradient_step_ = 0, x_step_ = 0;
  int64_t channels_ = 1, length_ = 1, pieces_ = 1;
};

class PreluBackwardPlan final : public Plan {
 public:
  PreluBackwardPlan(WeightGradient weight, std::shared_ptr<const Plan> input)
      : weight_(std::move(weight)), input_(std::move(input)) {}
  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    weight_.Run(bindings);
    return input_->Run(bindings, stop);
  }

 private:
  const WeightGradient weight_;
  const std::shared_ptr<const Plan> input_;
};

}  // namespace

Status PreparePrelu(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  TensorLayout spread;
  if (Status s = SpreadWeight(operands, kSelf, kOther, &spread); !s.ok()) return s;
  operands.Relabel(kOther, spread);
  constexpr int kInputs[] = {kSelf, kOther};
  if (Status s = CheckShapeIs(operands, kOut, operands[kSelf].shape()); !s.ok()) return s;
  aclDataType type;
  if (Status s = PromoteTensors(operands, kSelf, kOther, &type); !s.ok()) return s;
  return Finish(operands, kInputs, {Op::kPrelu, type}, call);
}

Status PreparePreluBackward(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& shape = operands[kOther].shape();
  for (int id : {kSelf, kOut}) {
    if (Status s = CheckShapeIs(operands, id, shape); !s.ok()) return s;
  }
  if (Status s = CheckShapeIs(operands, kWeightOut, operands[kThird].shape()); !s.ok()) return s;
  TensorLayout spread;
  if (Status s = SpreadWeight(operands, kOther, kThird, &spread); !s.ok()) return s;
  operands.Relabel(kThird, spread);
  aclDataType type, other;
  if (Status s = PromoteTensors(operands, kSelf, kOther, &type); !s.ok()) return s;
  if (Status s = PromoteTensors(operands, kSelf, kThird, &other); !s.ok()) return s;
  constexpr int kInputs[] = {kSelf, kOther, kThird};
  if (Status s = Finish(operands, kInputs, {Op::kPreluGrad, Promote(type, other)}, call); !s.ok()) {
    return s;
  }
  if (operands[kOther].IsEmpty()) {
    SetFillPlan(operands, kWeightOut, {ACL_DOUBLE, 0, 0}, call);
    return {};
  }
  WeightGradient weight(ViewOf(operands, kSelf), ViewOf(operands, kOther),
                        ViewOf(operands, kWeightOut));
  call->plan = std::make_shared<PreluBackwardPlan>(std::move(weight), std::move(call->plan));
  return {};
}

}  // namespace anyacl::elementwise
