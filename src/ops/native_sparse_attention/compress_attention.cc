// SPDX-License-Identifier: Apache-2.0
// aclnnNsaCompressAttention: attention of sequences, and then the choice of blocks.
#include <algorithm>

#include "attention/kernel.h"
#include "base/division.h"
#include "ops/native_sparse_attention/importance.h"
#include "ops/steps.h"

namespace anyacl::native_sparse_attention {
namespace {

// Heads of a group, a power of two below it.
constexpr int64_t kEndOfGroups = 128;
constexpr int64_t kMostKeys = INT32_MAX;  // indices are INT32

Status CheckSizes(const Operands& operands) {
  const int code = RuleCode(operands);
  if (Status s = CheckBlockSizes(operands); !s.ok()) return s;
  const Dims& query = operands[kQuery].shape();
  const Dims& key = operands[kKey].shape();
  const Dims& value = operands[kValue].shape();
  for (int id : {kQuery, kKey, kValue}) {
    if (!operands[id].IsEmpty()) continue;
    return Fail(code, "{}.shape = {}, expected no empty tensor", operands.NameOf(id),
                operands[id].shape().ToString());
  }
  // What attention has room for.
  if (key[2] > attention::kMaxDim) {
    return Fail(code, "key.shape = {}: D = {}, expected at most {}", key.ToString(), key[2],
                attention::kMaxDim);
  }
  if (value[2] > key[2]) {
    return Fail(code, "value.shape = {}: D = {}, expected at most {} as of key", value.ToString(),
                value[2], key[2]);
  }
  const int64_t group = query[1] % key[1] == 0 ? query[1] / key[1] : 0;
  if (group > 0 && group < kEndOfGroups && kEndOfGroups % group == 0) return {};
  return Fail(code, "headNum = {} of {} heads of key, expected 1, 2, 4 ... or 64 times as many",
              query[1], key[1]);
}

// The numbers of rows, of keys and of blocks of the longest sequences.
struct Longest {
  int64_t rows = 0;
  int64_t keys = 0;
  int64_t blocks = 0;
};

Status ReadSequences(const Operands& operands, std::vector<ScoredSequence>* sequences,
                     Longest* longest) {
  const int code = RuleCode(operands);
  std::vector<Rows> rows, keys, selected;
  const int64_t tokens = operands[kQuery].shape()[0], all_keys = operands[kKey].shape()[0];
  if (Status s = ReadEnds(operands, kQueryEnds, tokens, kQuery, &rows); !s.ok()) return s;
  if (Status s = ReadEnds(operands, kKeyEnds, all_keys, kKey, &keys); !s.ok()) return s;
  if (Status s = ReadEnds(operands, kSelectEnds, all_keys, kKey, &selected); !s.ok()) return s;
  if (rows.size() != keys.size() || rows.size() != selected.size()) {
    return Fail(code, "{}, {} and {} have {}, {} and {} values, expected as many",
                operands.NameOf(kQueryEnds), operands.NameOf(kKeyEnds),
                operands.NameOf(kSelectEnds), rows.size(), keys.size(), selected.size());
  }
  const int64_t steps = operands.Int(kSelectBlockSize) / operands.Int(kCompressStride);
  for (size_t b = 0; b < rows.size(); ++b) {
    const int64_t blocks = CeilDivide(keys[b].count, steps);
    if (selected[b].count != blocks) {
      return Fail(code, "sequence {} has {} blocks as {} says, expected {} for {} keys", b,
                  selected[b].count, operands.NameOf(kSelectEnds), blocks, keys[b].count);
    }
    if (keys[b].count < 1 || keys[b].count > kMostKeys) {
      return Fail(code, "sequence {} has {} keys as {} says, expected 1 or more, at most {}", b,
                  keys[b].count, operands.NameOf(kKeyEnds), kMostKeys);
    }
    if (blocks < operands.Int(kSelectBlockCount)) {
      return Fail(
          code, "selectBlockCount = {}, expected at most {}, the blocks of {} keys of sequence {}",
          operands.Int(kSelectBlockCount), blocks, keys[b].count, b);
    }
    sequences->push_back({{static_cast<int64_t>(b), rows[b], keys[b]}, blocks});
    longest->rows = std::max(longest->rows, rows[b].count);
    longest->keys = std::max(longest->keys, keys[b].count);
    longest->blocks = std::max(longest->blocks, blocks);
  }
  return {};
}

IntArray Array(const Operands& operands, int id) {
  const auto values = operands.Ints(id);
  return IntArray(values.begin(), values.end());
}

}  // namespace

Status PrepareCompressAttention(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckLayout(operands, kLayout); !s.ok()) return s;
  if (Status s = CheckSizes(operands); !s.ok()) return s;
  ImportanceParams p;
  Longest longest;
  if (Status s = ReadSequences(operands, &p.sequences, &longest); !s.ok()) return s;
  const std::pair<int, Dims> masks[] = {{kMask, {longest.rows, longest.keys}},
                                        {kTopkMask, {longest.rows, longest.blocks}}};
  for (const auto& [id, shape] : masks) {
    if (!operands.Given(id)) continue;
    if (Status s = CheckShapeIs(operands, id, shape); !s.ok()) return s;
  }

  Steps steps(operands);
  const auto tensor = [&](int id) { return TensorOf(operands, id); };
  const InnerTensor none;
  const int64_t mask_as_it_is = 1, high_precision = 0, all = INT32_MAX;
  if (Status s = steps.Call("aclnnFlashAttentionVarLenScore", {tensor(kQuery),
                                                               tensor(kKey),
                                                               tensor(kValue),
                                                               none,
                                                               none,
                                                               none,
                                                               tensor(kMask),
                                                               IntArray{},
                                                               Array(operands, kQueryEnds),
                                                               Array(operands, kKeyEnds),
                                                               operands.Real(kScale),
                                                               1.0,
                                                               all,
                                                               all,
                                                               operands.Int(kHeadNum),
                                                               "TND",
                                                               high_precision,
                                                               mask_as_it_is,
                                                               tensor(kMax),
                                                               tensor(kSum),
                                                               none,
                                                               tensor(kAttention)});
      !s.ok()) {
    return s;
  }
  PlanStep step;
  p.query = step.View(tensor(kQuery));
  p.key = step.View(tensor(kKey));
  p.mask = step.View(tensor(kMask));
  p.chosen = step.View(tensor(kTopkMask));
  p.indices = step.View(tensor(kIndices));
  p.scale = static_cast<float>(operands.Real(kScale));
  p.overlap = {.block_steps = operands.Int(kSelectBlockSize) / operands.Int(kCompressStride),
               .key_steps = operands.Int(kCompressBlockSize) / operands.Int(kCompressStride)};
  step.AddTo(steps, MakeImportance(std::move(p)));
  return steps.Finish(call);
}

}  // namespace anyacl::native_sparse_attention
