// SPDX-License-Identifier: Apache-2.0
// Which of the ways to compute a problem goes, and the plans.
#include <optional>

#include "ops/convolution/channel.h"
#include "ops/convolution/product.h"
#include "ops/convolution/weight_gradient.h"

namespace anyacl::convolution {
namespace {

int64_t Taps(const Relation& r) {
  int64_t taps = 1;
  for (int64_t size : r.kernel) taps *= size;
  return taps;
}

// The image of a relation that is computed, from the other one and the weights.
class ImagePlan {
 public:
  ImagePlan(const Relation& relation, bool forwards, WorkspaceBook& book)
      : r_(relation), forwards_(forwards) {
    const int64_t origin[kSpatial] = {};
    const Correlation c = forwards ? Joined() : Backwards(r_, origin);
    // Of the phases of a stride the first one has the most positions, but not always taps.
    if (forwards && Band::Suits(c)) {
      channel_.emplace(c, book);
    } else if (!forwards && SuitsAllPhases(c)) {
      channel_.emplace(c, book);
    } else {
      product_.emplace(c, Taps(r_), book);
    }
  }

  void Run(const Bindings& bindings) const {
    if (forwards_) return RunOne(Joined(), bindings);
    int64_t phase[kSpatial];
    for (phase[0] = 0; phase[0] < Phases(r_, 0); ++phase[0]) {
      for (phase[1] = 0; phase[1] < Phases(r_, 1); ++phase[1]) {
        for (phase[2] = 0; phase[2] < Phases(r_, 2); ++phase[2]) {
          Correlation c = Backwards(r_, phase);
          JoinDimensions(c);
          RunOne(c, bindings);
        }
      }
    }
  }

 private:
  Correlation Joined() const {
    Correlation c = Forwards(r_);
    JoinDimensions(c);
    return c;
  }
  // Phases have taps of their own, and with them bands.
  bool SuitsAllPhases(const Correlation& c) const {
    return r_.stride[0] == 1 && r_.stride[1] == 1 && r_.stride[2] == 1 && Band::Suits(c);
  }
  void RunOne(const Correlation& c, const Bindings& bindings) const {
    channel_ ? channel_->Run(c, bindings) : product_->Run(c, bindings);
  }

  const Relation r_;
  const bool forwards_;
  std::optional<ChannelProduct> channel_;
  std::optional<Product> product_;
};

class ForwardPlan final : public BookedPlan {
 public:
  explicit ForwardPlan(const Relation& relation) : image_(relation, !relation.transposed, book_) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    image_.Run(bindings);
    return {};
  }

 private:
  const ImagePlan image_;
};

class BackwardPlan final : public BookedPlan {
 public:
  BackwardPlan(const Relation& r, const Gradients& gradients) {
    if (gradients.input.given()) {
      Relation wanted = r;
      (r.transposed ? wanted.y : wanted.x) = gradients.input;
      input_.emplace(wanted, r.transposed, book_);
    }
    if (gradients.weight.given()) {
      if (Band::Suits(Forwards(r))) {
        channel_.emplace(r, gradients.weight, book_);
      } else {
        weight_.emplace(r, gradients.weight, book_);
      }
    }
    if (gradients.bias.given()) {
      const int64_t channels = r.groups * (r.transposed ? r.x_channels : r.y_channels);
      bias_.emplace(r.transposed ? r.x : r.y, r.batch, channels, gradients.bias);
    }
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (input_) input_->Run(bindings);
    if (weight_) weight_->Run(bindings);
    if (channel_) channel_->Run(bindings);
    if (bias_) bias_->Run(bindings);
    return {};
  }

 private:
  std::optional<ImagePlan> input_;
  std::optional<WeightGradient> weight_;
  std::optional<ChannelGradient> channel_;
  std::optional<ChannelSums> bias_;
};

}  // namespace

Status PrepareForward(Operands& operands, PreparedCall* call) {
  Relation relation;
  if (Status s = CheckForward(operands, false, &relation); !s.ok()) return s;
  if (!operands[kOutput].IsEmpty()) call->plan = std::make_shared<ForwardPlan>(relation);
  return {};
}

Status PrepareNode(Operands& operands, PreparedCall* call) {
  if (Status s =
          operands.CheckText(kDataFormat, {"NCHW", "NCDHW"}, nullptr, operands.spec().codes.format);
      !s.ok()) {
    return s;
  }
  Relation relation;
  if (Status s = CheckForward(operands, true, &relation); !s.ok()) return s;
  if (!operands[kOutput].IsEmpty()) call->plan = std::make_shared<ForwardPlan>(relation);
  return {};
}

Status PrepareBackward(Operands& operands, PreparedCall* call) {
  Relation relation;
  Gradients gradients;
  if (Status s = CheckBackward(operands, &relation, &gradients); !s.ok()) return s;
  const auto wanted = [&](int id, bool given) { return given && !operands[id].IsEmpty(); };
  if (!wanted(kGradInput, gradients.input.given())) gradients.input = {};
  if (!wanted(kGradWeight, gradients.weight.given())) gradients.weight = {};
  if (!wanted(kGradBias, gradients.bias.given())) gradients.bias = {};
  if (gradients.input.given() || gradients.weight.given() || gradients.bias.given()) {
    call->plan = std::make_shared<BackwardPlan>(relation, gradients);
  }
  return {};
}

}  // namespace anyacl::convolution
