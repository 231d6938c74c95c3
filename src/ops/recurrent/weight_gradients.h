// SPDX-License-Identifier: Apache-2.0
// What is left of a layer's gradient when the gradients of all gates are known: those of weights,
// biases and inputs, which are products over all steps.
#pragma once

#include "ops/recurrent/layer.h"

namespace anyacl::recurrent {

// Gradients that every layer has; those of the state before the first step are dh_prev's.
struct LayerGradients {
  TensorView dy, dh, dw, dw_hidden, db, db_hidden, dx, dh_prev;
};
// Of a layer that has a step and a state; the batch may be empty.
Status BuildGradients(const Operands& operands, const Layer& layer, LayerGradients* gradients);

class WeightGradients {
 public:
  WeightGradients(const Layer& layer, const LayerGradients& gradients);

  uint64_t workspace_bytes() const;
  // Numbers of scratch that Run() takes besides.
  size_t sums() const { return static_cast<size_t>(p_.sizes.hidden * p_.sizes.gates); }
  // The gradients of the input's share of the gates and of the state's, [steps, batch, gates].
  void Run(const Bindings& bindings, const float* gates, const float* hidden, float* sums,
           char* scratch) const;

 private:
  gemm::Problem First() const;
  gemm::Problem Rest() const;
  gemm::Problem Input() const;
  gemm::Problem Weight() const;
  gemm::Problem Bias(const TensorView& out) const;

  const Layer p_;
  const LayerGradients to_;
  const gemm::Plan first_, rest_, input_, weight_, bias_, hidden_bias_;
};

}  // namespace anyacl::recurrent
