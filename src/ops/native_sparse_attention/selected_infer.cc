// SPDX-License-Identifier: Apache-2.0
// aclnnNsaSelectedAttentionInfer: attention to chosen blocks of keys in pages.
#include "ops/native_sparse_attention/infer.h"
#include "ops/native_sparse_attention/selected.h"

namespace anyacl::native_sparse_attention {

Status PrepareSelectedInfer(Operands& operands, PreparedCall* call) {
  InferSizes sizes;
  if (Status s = CheckInfer(operands, {.bsh = true, .group = 16}, &sizes); !s.ok()) return s;
  if (Status s = CheckUnit(operands, kSelectBlockSize); !s.ok()) return s;
  const int64_t count = operands.Int(kSelectBlockCount);
  if (Status s = CheckRows(operands, kIndices, sizes, {sizes.key_heads, count}); !s.ok()) return s;
  SelectedParams p;
  if (Status s = ReadLengths(operands, false, sizes, &p.call.sequences); !s.ok()) return s;
  p.query = RowsOf(operands, kQuery, sizes.tokens, sizes.heads);
  p.key = RowsOf(operands, kKey, sizes.pages.page_count * sizes.pages.page_size, sizes.key_heads);
  p.value =
      RowsOf(operands, kValue, sizes.pages.page_count * sizes.pages.page_size, sizes.key_heads);
  p.out = RowsOf(operands, kAttention, sizes.tokens, sizes.heads);
  Selection& selection = p.call.selection;
  selection.indices = RowsOf(operands, kIndices, sizes.tokens, sizes.key_heads);
  selection.block_size = operands.Int(kSelectBlockSize);
  selection.sees = Sees::kUpToItsKey;
  selection.may_end = true;
  selection.pages = sizes.pages;
  p.call.scale = static_cast<float>(operands.Real(kScale));
  p.slots = static_cast<int64_t>(operands.Slots().size());
  call->plan = MakeSelected(std::move(p));
  return {};
}

}  // namespace anyacl::native_sparse_attention
