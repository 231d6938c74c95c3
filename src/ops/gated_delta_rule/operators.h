// SPDX-License-Identifier: Apache-2.0
// The declarations of the gated delta rule: a token at a time with states kept, and whole
// sequences.
#pragma once

#include "nnop/operator.h"

namespace anyacl::gated_delta_rule {

enum : int {
  kQuery,
  kKey,
  kValue,
  kBeta,
  kState,
  kLengths,
  kStates,
  kGate,
  kKeyGate,
  kAccepted,
  kScale,
  kOut,
  kFinalState
};

Status Prepare(Operands& operands, PreparedCall* call);

// T tokens of B sequences, A heads of keys and V of values, sizes K and D; S states.
inline constexpr ParamSpec kParams[] = {
    In(kQuery, "query", {ACL_BF16}, "T A K"),
    In(kKey, "key", {ACL_BF16}, "T A K"),
    In(kValue, "value", {ACL_BF16}, "T V D"),
    In(kBeta, "beta", {ACL_BF16}, "T V"),
    Noted(InOut(kState, "stateRef", {ACL_BF16, ACL_FLOAT}, "S V D K"),
          "the state before a sequence, and behind each of its tokens"),
    Noted(In(kLengths, "actualSeqLengths", {ACL_INT32}, "B"), "tokens of each sequence"),
    Noted(In(kStates, "ssmStateIndices", {ACL_INT32}, "T"), "where the state behind a token lies"),
    Noted(In(kGate, "g", {ACL_FLOAT}, "T V", Need::kOptional), "null stands for zeros"),
    Noted(In(kKeyGate, "gk", {ACL_FLOAT}, "T V K", Need::kOptional), "null stands for zeros"),
    Noted(In(kAccepted, "numAcceptedTokens", {ACL_INT32}, "B", Need::kOptional),
          "a sequence begins with the state of so many of its tokens; null stands for ones"),
    Value(kScale, "scaleValue", Kind::kFloat, "of the query"),
    Out(kOut, "out", {ACL_BF16}, "T V D")};

inline constexpr ParamSpec kSequenceParams[] = {
    In(kQuery, "query", {ACL_BF16}, "T A K"),
    In(kKey, "key", {ACL_BF16}, "T A K"),
    In(kValue, "value", {ACL_BF16}, "T V D"),
    In(kBeta, "beta", {ACL_BF16}, "T V"),
    Noted(In(kState, "initialState", {ACL_BF16, ACL_FLOAT}, "B V D K"), "before each sequence"),
    Noted(In(kLengths, "actualSeqLengths", {ACL_INT32}, "B"), "tokens of each sequence"),
    Noted(In(kGate, "gOptional", {ACL_FLOAT}, "T V", Need::kOptional), "null stands for zeros"),
    Value(kScale, "scaleValue", Kind::kFloat, "of the query"),
    ConstHandle(Out(kOut, "out", {ACL_BF16}, "T V D")),
    ConstHandle(
        Noted(Like(kState, Out(kFinalState, "finalState", {ACL_BF16, ACL_FLOAT}, "B V D K")),
              "behind each sequence; may be initialState"))};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"RecurrentGatedDeltaRule">,
     .params = kParams,
     .prepare = Prepare,
     .header = "aclnn_recurrent_gated_delta_rule.h",
     .summary = "for each token S = e^g S diag(e^gk), S += beta (value - S key) key^T, "
                "out = S query * scaleValue",
     .document = "ops-transformer: "
                 "attention/recurrent_gated_delta_rule/docs/aclnnRecurrentGatedDeltaRule.md"},
    {.op = kNames<"ChunkGatedDeltaRule">,
     .params = kSequenceParams,
     .prepare = Prepare,
     .header = "aclnn_chunk_gated_delta_rule.h",
     .summary = "for each token of a sequence S = e^g S, S += beta (value - S key) key^T, "
                "out = S query * scaleValue",
     .document = "ops-transformer: "
                 "attention/chunk_gated_delta_rule/docs/aclnnChunkGatedDeltaRule.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
};

}  // namespace anyacl::gated_delta_rule
