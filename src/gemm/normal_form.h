// SPDX-License-Identifier: Apache-2.0
// The same product in a form with fewer cases.
#pragma once

#include "gemm/gemm.h"

namespace anyacl::gemm {

// Columns as rows and rows as columns.
void Swap(Problem& p);

// Batches that share B and follow one another are rows of one product; those of size 1 are none.
Problem Normalised(Problem p);

}  // namespace anyacl::gemm
