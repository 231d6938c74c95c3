// SPDX-License-Identifier: Apache-2.0
// Weights that clients have prepared: aclnnTransMatmulWeight leaves their elements where they are,
// since products read them in any order at the same speed, and clients then call them FRACTAL_NZ.
#pragma once

#include "nnop/operands.h"

namespace anyacl::matmul {

// A tensor called FRACTAL_NZ whose storage has the rank of panels holds panels, which products do
// not read.
Status CheckNoPanels(const Operands& operands, int id);

}  // namespace anyacl::matmul
