// SPDX-License-Identifier: Apache-2.0
#include "ops/sparse_attention/lists.h"

#include "acl/error_codes/rt_error_codes.h"

namespace anyacl::sparse_attention {
namespace {

// Entry k of a list, and how many of its entries may count.
struct List {
  List(const Geometry& g, const KeyLists& lists, const Bindings& bindings, const Sequence& s,
       int64_t token)
      : lists(lists),
        sequence(s),
        token(token),
        visible(s.Visible(g, token - s.first)),
        // As many as hold what is visible; further ones could only be told twice.
        count(std::min(lists.size, (visible + lists.block_size - 1) / lists.block_size)),
        entries(reinterpret_cast<const int32_t*>(RowAt(lists.indices, bindings, token, 0))) {}

  // The first key of a block; -1 ends the list.
  Status Key(int64_t k, int64_t* key) const {
    const int64_t block = entries[k * lists.indices.strides[2]], size = lists.block_size;
    *key = block == -1 ? -1 : block * size;
    if (block == -1 || (block >= 0 && *key < sequence.keys)) return {};
    return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                "{}[{}] of token {} = {}, expected -1, or 0 to {}, the blocks of its {} keys",
                lists.name, k, token, block, (sequence.keys - 1) / size, sequence.keys);
  }

  const KeyLists& lists;
  const Sequence& sequence;
  const int64_t token, visible, count;
  const int32_t* const entries;
};

}  // namespace

Status CheckBlockSize(const Operands& operands, const Geometry& g, int64_t* block_size) {
  constexpr int64_t kMostBlock = 128;
  const int code = operands.spec().codes.shape;
  const int64_t size = *block_size = operands.Int(kBlockSize);
  if (size < 1 || size > kMostBlock || (size & (size - 1)) != 0) {
    return Fail(code, "{} = {}, expected a power of two from 1 to {}", operands.NameOf(kBlockSize),
                size, kMostBlock);
  }
  if (g.keys != Keys::kBlocks || g.block_size % size == 0) return {};
  return Fail(code, "{} = {}, expected a divisor of the {} keys of a block of key",
              operands.NameOf(kBlockSize), size, g.block_size);
}

Status CheckListShape(const Operands& operands, const Geometry& g, int id, int64_t size,
                      bool without_head) {
  const size_t short_rank = g.ragged ? 2 : 3;
  if (without_head && operands[id].shape().rank() == short_rank) {
    return CheckTokenShape(operands, g, id, {size});
  }
  return CheckTokenShape(operands, g, id, {1, size});
}

Status CheckLists(const Operands& operands, const Geometry& g, int id, bool without_head,
                  KeyLists* lists) {
  const Dims& indices = operands[id].shape();
  lists->name = operands.NameOf(id);
  lists->size = indices.rank() > 0 ? indices.back() : 0;
  if (lists->size >= 1 && lists->size <= INT32_MAX) {
    return CheckListShape(operands, g, id, lists->size, without_head);
  }
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected 1 to {} blocks", lists->name,
              indices.ToString(), INT32_MAX);
}

SplitRows ViewLists(const Operands& operands, const Geometry& g, int id) {
  const TensorView view = ViewOf(operands, id);
  const int leading = g.ragged ? 1 : 2;
  return Split(view.rank == leading + 1 ? WithDim(view, leading) : view, !g.ragged);
}

Status SelectKeys(const Geometry& g, const KeyLists& lists, const Bindings& bindings,
                  const Sequence& s, const KeyRows& rows, int64_t token, int32_t* to,
                  int64_t* count) {
  const List list(g, lists, bindings, s, token);
  *count = 0;
  for (int64_t k = 0; k < list.count; ++k) {
    int64_t key = 0;
    if (Status bad = list.Key(k, &key); !bad.ok()) return bad;
    if (key < 0) break;
    const int64_t end = std::min(key + lists.block_size, list.visible);
    // Blocks named twice give no more keys than the token sees, as on the device.
    for (; key < end && *count < list.visible; ++key) {
      to[(*count)++] = static_cast<int32_t>(rows.At(key));
    }
  }
  return {};
}

Status SelectEntries(const Geometry& g, const KeyLists& lists, const Bindings& bindings,
                     const Sequence& s, const KeyRows& rows, int64_t token, int32_t* to,
                     int64_t* count) {
  const List list(g, lists, bindings, s, token);
  for (*count = 0; *count < list.count; ++*count) {
    int64_t key = 0;
    if (Status bad = list.Key(*count, &key); !bad.ok()) return bad;
    if (key < 0) break;
    to[*count] = static_cast<int32_t>(rows.At(key));
  }
  return {};
}

}  // namespace anyacl::sparse_attention
