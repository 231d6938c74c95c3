// SPDX-License-Identifier: Apache-2.0
// Where a Correlation's weights lie: k runs over its channels and for each over its taps.
#pragma once

#include "ops/convolution/op.h"

namespace anyacl::convolution {

// Of the first tap, in elements of the weights.
int64_t FirstTap(const Correlation& c);

// The step from k to k where there is one: of one tap, or of contiguous taps in their order. 0:
// none.
int64_t DepthStep(const Correlation& c);

// Rows of `depth` weights from k on, one after the other in `to`.
void GatherWeights(const Correlation& c, const char* from, int64_t element_bytes, int64_t rows,
                   int64_t k, int64_t depth, char* to);

}  // namespace anyacl::convolution
