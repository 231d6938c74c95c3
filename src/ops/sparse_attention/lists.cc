// SPDX-License-Identifier: Apache-2.0
#include "ops/sparse_attention/lists.h"

#include "acl/error_codes/rt_error_codes.h"

namespace anyacl::sparse_attention {

Status CheckBlockSize(const Operands& operands, const Geometry& g, int64_t* block_size) {
  constexpr int64_t kMostBlock = 128;
  const int code = operands.spec().codes.shape;
  const int64_t size = *block_size = operands.Int(kBlockSize);
  if (size < 1 || size > kMostBlock || (size & (size - 1)) != 0) {
    return Fail(code, "sparseBlockSize = {}, expected a power of two from 1 to {}", size,
                kMostBlock);
  }
  if (g.keys != Keys::kBlocks || g.block_size % size == 0) return {};
  return Fail(code, "sparseBlockSize = {}, expected a divisor of the {} keys of a block of key",
              size, g.block_size);
}

Status CheckLists(const Operands& operands, const Geometry& g, int id, bool without_head,
                  KeyLists* lists) {
  const Dims& indices = operands[id].shape();
  lists->name = operands.NameOf(id);
  lists->size = indices.rank() > 0 ? indices.back() : 0;
  if (lists->size < 1 || lists->size > INT32_MAX) {
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected 1 to {} blocks", lists->name,
                indices.ToString(), INT32_MAX);
  }
  const size_t short_rank = g.ragged ? 2 : 3;
  if (without_head && indices.rank() == short_rank) {
    return CheckTokenShape(operands, g, id, {lists->size});
  }
  return CheckTokenShape(operands, g, id, {1, lists->size});
}

Status ViewLists(const Operands& operands, const Geometry& g, int id, KeyLists* lists) {
  if (Status s = Flatten(operands, id, !g.ragged, &lists->indices); !s.ok()) return s;
  if (lists->indices.rank == 2) lists->indices = WithDim(lists->indices, 1);
  return {};
}

Status SelectKeys(const Geometry& g, const KeyLists& lists, const Bindings& bindings,
                  const Sequence& s, int64_t b, int64_t token, int32_t* to, int64_t* count) {
  const TensorView& indices = lists.indices;
  const int64_t visible = s.Visible(g, token - s.first), size = lists.block_size;
  const auto* list =
      reinterpret_cast<const int32_t*>(indices.Address(bindings)) + token * indices.strides[0];
  const KeyRows rows(g, bindings, s, b);
  // As many blocks as hold what is visible; further ones could only be told twice.
  const int64_t blocks = std::min(lists.size, (visible + size - 1) / size);
  int32_t* const begin = to;
  for (int64_t k = 0; k < blocks; ++k) {
    const int64_t block = list[k * indices.strides[2]];
    if (block == -1) break;
    const int64_t key = block * size;
    if (block < 0 || key >= s.keys) {
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "{}[{}] of token {} = {}, expected -1, or 0 to {}, the blocks of its {} keys",
                  lists.name, k, token, block, (s.keys - 1) / size, s.keys);
    }
    const int64_t end = std::min(key + size, visible);
    // Blocks named twice give no more keys than the token sees, as on the device.
    for (int64_t j = key; j < end && to - begin < visible; ++j) {
      *to++ = static_cast<int32_t>(rows.At(j));
    }
  }
  *count = to - begin;
  return {};
}

}  // namespace anyacl::sparse_attention
