// SPDX-License-Identifier: Apache-2.0
#include "ops/causal_conv/checks.h"

namespace anyacl::causal_conv {
namespace {

// CANN has 3 taps, and lines of at most 9 tokens. Each thread holds so many in fp32.
constexpr int64_t kMostTaps = 64, kMostKept = 1024;

// Lines of blocks come with all that says which block is which.
Status CheckBlocks(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  const bool blocks = operands.Given(kLines) && operands[kLines].shape().rank() == 2;
  for (int id : {kFirstBlock, kLastBlock, kInitialBlock}) {
    if (operands.Given(id) == blocks) continue;
    return Fail(code, "{} is {}, expected {} as cacheIndices has {} dimensions",
                operands.NameOf(id), blocks ? "null" : "given", blocks ? "a tensor" : "null",
                operands.Given(kLines) ? operands[kLines].shape().rank() : 0);
  }
  if (blocks && !operands.Given(kComputed)) {
    return Fail(code,
                "numComputedTokens is null, expected a tensor as cacheIndices has two "
                "dimensions");
  }
  const int64_t size = operands.Int(kBlockSize);
  if (size == 1 || (blocks && size == 0)) {
    return Fail(code, "blockSize = {}, expected 2 or more{}", size, blocks ? "" : ", or 0");
  }
  return {};
}

Status CheckSequences(const Operands& operands, int64_t* sequences) {
  const int code = operands.spec().codes.shape;
  const bool rows = operands[kX].shape().rank() == 3;
  if (!rows && !operands.Given(kStarts)) {
    return Fail(code, "queryStartLoc is null, expected a tensor as x has two dimensions");
  }
  const int64_t starts = operands.Size("P"), named = operands.Size("B");
  *sequences = rows ? operands[kX].shape()[0] : starts - 1;
  if (operands.Given(kStarts) && starts != *sequences + 1) {
    return Fail(code, "queryStartLoc.shape = [{}], expected [{}] as x has {} rows", starts,
                *sequences + 1, *sequences);
  }
  if (named >= 0 && named != *sequences) {
    return Fail(code, "queryStartLoc.shape = [{}], expected [{}] as there are {} sequences", starts,
                named + 1, named);
  }
  if (!operands.Given(kLines) && operands.Size("N") < *sequences) {
    return Fail(code, "convStates.shape[0] = {}, expected {} or more, a line for each sequence",
                operands.Size("N"), *sequences);
  }
  return {};
}

}  // namespace

Status CheckSizes(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  for (const ParamSpec& row : operands.spec().params) {
    if (row.need == Need::kReserved || !IsTensor(row.kind) || !operands.Given(row.id)) continue;
    if (!operands[row.id].IsEmpty()) continue;
    return Fail(code, "{}.shape = {}, expected some elements", row.name,
                operands[row.id].shape().ToString());
  }
  if (operands.Size("W") > kMostTaps) {
    return Fail(code, "weight.shape[0] = {}, expected 1 to {}", operands.Size("W"), kMostTaps);
  }
  return {};
}

Status CheckFused(const Operands& operands, int64_t* sequences) {
  const int code = operands.spec().codes.shape;
  const int64_t kept = operands.Size("C"), least = operands.Size("W") - 1;
  if (kept < least || kept > kMostKept) {
    return Fail(code, "convStates.shape[1] = {}, expected {} to {} as weight.shape[0] = {}", kept,
                least, kMostKept, least + 1);
  }
  if (operands.Int(kConvMode) == 1 && !operands.Given(kComputed)) {
    return Fail(code, "numComputedTokens is null, expected a tensor as convMode = 1");
  }
  if (Status s = CheckBlocks(operands); !s.ok()) return s;
  return CheckSequences(operands, sequences);
}

}  // namespace anyacl::causal_conv
