// SPDX-License-Identifier: Apache-2.0
// Brings what a panel of a list needs from the client's tensors into the form that kernels read.
#pragma once

#include "gemm/list.h"

namespace anyacl::gemm {

// Whether panels can be read where they are. Others are gathered one by one.
bool PanelsAreReady(const ListProblem& problem);

// Copies a panel of total() rows of kPanelBytes; what B does not have becomes zero.
void GatherPanel(const ListProblem& problem, const char* b, int64_t matrix, int64_t panel,
                 int8_t* out);

inline const int8_t* PanelAt(const ListProblem& problem, const char* b, int64_t matrix,
                             int64_t panel) {
  return reinterpret_cast<const int8_t*>(b) + matrix * problem.b.matrix_step +
         panel * problem.b.panel_step;
}

// The scales and biases of a panel's columns, in the order of the kernel's lanes.
void LoadScales(const ListProblem& problem, const ListKernels& kernels, const char* scale,
                int64_t matrix, int64_t panel, float* out);
void LoadBias(const ListProblem& problem, const float* bias, int64_t matrix, int64_t panel,
              float* out);

}  // namespace anyacl::gemm
