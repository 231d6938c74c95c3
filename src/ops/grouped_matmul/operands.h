// SPDX-License-Identifier: Apache-2.0
// Brings what a panel needs from the client's tensors into the form that kernels read.
#pragma once

#include "ops/grouped_matmul/op.h"

namespace anyacl::grouped_matmul {

// Whether panels can be read where they are. Others are gathered one by one.
bool PanelsAreReady(const Params& params);

// Copies a panel of total() rows of kPanelBytes; what the weight does not have becomes zero.
void GatherPanel(const Params& params, const char* weight, int64_t expert, int64_t panel,
                 int8_t* out);

inline const int8_t* PanelAt(const Params& params, const char* weight, int64_t expert,
                             int64_t panel) {
  const WeightView& view = params.weight;
  return reinterpret_cast<const int8_t*>(weight) + view.base + expert * view.expert_step +
         panel * view.panel_step;
}

// The scales and biases of a panel's columns, in the order of the kernel's lanes.
void LoadScales(const Params& params, const KernelSet& kernels, const char* scale, int64_t expert,
                int64_t panel, float* out);
void LoadBias(const Params& params, const char* bias, int64_t expert, int64_t panel, float* out);

}  // namespace anyacl::grouped_matmul
