// SPDX-License-Identifier: Apache-2.0
// The declarations of causal convolutions along a sequence, each column by itself (README.md).
#pragma once

#include "nnop/dtype_sets.h"
#include "nnop/joined_rows.h"

namespace anyacl::causal_conv {

enum : int {
  kX,
  kWeight,
  kMask,
  kOut,
  kGradOut,
  kGradX,
  kGradWeight,
  kStates,
  kStarts,
  kLines,
  kInitialMode,
  kBias,
  kAccepted,
  kComputed,
  kFirstBlock,
  kLastBlock,
  kInitialBlock,
  kActivation,
  kPadSlot,
  kRunMode,
  kMaxLength,
  kResidual,
  kBlockSize,
  kConvMode
};

Status PrepareMasked(Operands& operands, PreparedCall* call);
Status PrepareMaskedBackward(Operands& operands, PreparedCall* call);
Status PrepareFused(Operands& operands, PreparedCall* call);

// S tokens of B sequences, H columns, W taps.
inline constexpr ParamSpec kMasked[] = {
    In(kX, "x", kHalves, "S B H"), Like(kX, In(kWeight, "weight", kHalves, "W H")),
    Noted(In(kMask, "maskOptional", {ACL_BOOL}, "B S", Need::kOptional), "null: all true"),
    ConstHandle(Like(kX, Out(kOut, "out", kHalves, "S B H")))};

inline constexpr ParamSpec kMaskedBackward[] = {
    In(kGradOut, "gradY", kHalves, "S B H"),
    Like(kGradOut, In(kX, "x", kHalves, "S B H")),
    Like(kGradOut, In(kWeight, "weight", kHalves, "W H")),
    Noted(In(kMask, "maskOptional", {ACL_BOOL}, "B S", Need::kOptional), "null: all true"),
    ConstHandle(Like(kGradOut, Out(kGradX, "gradXOut", kHalves, "S B H"))),
    ConstHandle(Like(kGradOut, Out(kGradWeight, "gradWeightOut", kHalves, "W H")))};

// One of each sequence.
constexpr ParamSpec OfSequences(int id, const char* name, const char* note) {
  return Noted(In(id, name, {ACL_INT32}, "B", Need::kOptional), note);
}

// T tokens of B sequences, in rows of L where there are three dimensions; N lines of C tokens.
inline constexpr std::array kAfterX = {
    Like(kX, In(kWeight, "weight", kHalves, "W H")),
    Noted(Like(kX, InOut(kStates, "convStates", kHalves, "N C H")),
          "the last tokens before each sequence, and then behind it: lines of W - 1 or more"),
    Noted(In(kStarts, "queryStartLoc", {ACL_INT32}, "P", Need::kOptional),
          "where sequences begin and the last one ends; null: rows of x, which then has three "
          "dimensions"),
    Noted(In(kLines, "cacheIndices", {ACL_INT32}, "B | B M", Need::kOptional),
          "the line of each sequence, or the lines of its blocks; null: its number"),
    Noted(In(kInitialMode, "initialStateMode", {}, "*", Need::kReserved), "not used"),
    Noted(In(kBias, "bias", {}, "*", Need::kReserved), "not used"),
    OfSequences(kAccepted, "numAcceptedTokens",
                "the tokens before end behind token numAcceptedTokens + W - 2 of the line; null: "
                "at its end"),
    OfSequences(kComputed, "numComputedTokens", "0: zeros stand for the line"),
    OfSequences(kFirstBlock, "blockIdxFirstScheduledToken", "given with lines of blocks"),
    OfSequences(kLastBlock, "blockIdxLastScheduledToken", "given with lines of blocks"),
    OfSequences(kInitialBlock, "initialStateIdx", "given with lines of blocks"),
    Value(kActivation, "activationMode", Kind::kInt64, "not used"),
    Value(kPadSlot, "padSlotId", Kind::kInt64, "sequences whose line it is are passed over"),
    Value(kRunMode, "runMode", Kind::kInt64, "not used"),
    Value(kMaxLength, "maxQueryLen", Kind::kInt64, "of the longest sequence: a hint"),
    Ranged(Value(kResidual, "residualConnection", Kind::kInt64, "1: y has x added to it"), 0, 1),
    Ranged(Value(kBlockSize, "blockSize", Kind::kInt64, "tokens of a block, 2 or more"), 0,
           INT32_MAX),
    Ranged(Value(kConvMode, "convMode", Kind::kInt64,
                 "1: tokens that fewer than W - 1 come before have zeros for a sum"),
           0, 1)};

inline constexpr auto kFused =
    JoinRows(std::array{In(kX, "x", kHalves, "T H | B L H")}, kAfterX,
             std::array{Like(kX, Out(kOut, "y", kHalves, "T H | B L H"))});
inline constexpr auto kInplaceFused =
    JoinRows(std::array{Noted(InOut(kX, "x", kHalves, "T H | B L H"), "then y")}, kAfterX);

inline constexpr CheckCodes kShapeIsTiling = {.shape = ACLNN_ERR_INNER_TILING_ERROR};
inline constexpr CheckCodes kAllTiling = {.dtype = ACLNN_ERR_INNER_TILING_ERROR,
                                          .format = ACLNN_ERR_INNER_TILING_ERROR,
                                          .shape = ACLNN_ERR_INNER_TILING_ERROR};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"MaskedCausalConv1d">,
     .params = kMasked,
     .prepare = PrepareMasked,
     .header = "aclnn_masked_causal_conv1d.h",
     .summary = "out[i, j] = mask[j, i] * sum over k of weight[k] * x[i - W + 1 + k, j], zeros "
                "before x",
     .document = "ops-transformer: attention/masked_causal_conv1d/docs/aclnnMaskedCausalConv1d.md",
     .codes = kShapeIsTiling},
    {.op = kNames<"MaskedCausalConv1dBackward">,
     .params = kMaskedBackward,
     .prepare = PrepareMaskedBackward,
     .header = "aclnn_masked_causal_conv1d_backward.h",
     .summary = "the gradients of aclnnMaskedCausalConv1d for x and weight",
     .document = "ops-transformer: "
                 "attention/masked_causal_conv1d_backward/docs/aclnnMaskedCausalConv1dBackward.md",
     .codes = kShapeIsTiling},
    {.op = kNames<"FusedCausalConv1d">,
     .params = kFused,
     .prepare = PrepareFused,
     .header = "aclnn_fused_causal_conv1d.h",
     .summary = "y[i] = sum over k of weight[k] * x[i - W + 1 + k] in each sequence, behind the "
                "tokens that convStates keeps",
     .document = "ops-transformer: attention/fused_causal_conv1d/docs/aclnnFusedCausalConv1d.md",
     .codes = kAllTiling},
    {.op = kNames<"InplaceFusedCausalConv1d">,
     .params = kInplaceFused,
     .prepare = PrepareFused,
     .header = "aclnn_inplace_fused_causal_conv1d.h",
     .summary = "aclnnFusedCausalConv1d, whose result x becomes",
     .document = "ops-transformer: "
                 "attention/inplace_fused_causal_conv1d/docs/aclnnInplaceFusedCausalConv1d.md",
     .codes = kAllTiling},
};

}  // namespace anyacl::causal_conv
