// SPDX-License-Identifier: Apache-2.0
// How one tensor of scales (or offsets) of keys or values is indexed, whatever its shape says.
#pragma once

#include "ops/fused_infer_attention/problem.h"

namespace anyacl::fused_infer_attention {

enum class ScaleKind {
  kNone,
  kTensor,     // one number
  kHead,       // [head]
  kChannel,    // [head, d]
  kToken,      // [batch, token]
  kTokenHead,  // [batch, head, token]
  kPage,       // [block, token]
  kPageHead    // [block, head, token]
};

inline bool IsPerToken(ScaleKind kind) { return kind >= ScaleKind::kToken; }

// Of the separate tensors in a mode that has passed its rules.
ScaleKind SeparateKind(const Problem& p, int id, int64_t mode);
// Of the tensors that keys and values share.
ScaleKind CombinedKind(const Problem& p);

// Columns that per-token tensors, masks and pseShift of a single query row must have.
int64_t NeededColumns(const Problem& p);

}  // namespace anyacl::fused_infer_attention
