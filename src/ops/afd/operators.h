// SPDX-License-Identifier: Apache-2.0
// The declarations of the operators of attention/FFN disaggregation: two that send, two that wait,
// and two that turn what has come into tensors.
#pragma once

#include "nnop/dtype_sets.h"

namespace anyacl::afd {

enum : int {
  kContext,
  kSyncGroupSize,
  kExecuteMode,
  kExpertNum,
  kMaxOutShape,
  kTokenDtype,
  kNeedSchedule,
  kLayerNum,
  kY,
  kGroupList,
  kSessionIds,
  kMicroBatchIds,
  kTokenIds,
  kExpertOffsets,
  kDynamicScale,
  kActualTokenNum,
  kExpertScales,
  kLayerId,
  kHiddenSize,
  kNextLayerId,
  kX,
  kSessionId,
  kMicroBatchId,
  kExpertIds,
  kRankTable,
  kScales,
  kActiveMask,
  kGroup,
  kWorldSize,
  kInfoShape,
  kDataShape,
  kFlagShape,
  kMoeExpertNum,
  kQuantMode,
  kSyncFlag,
  kFfnStartRankId,
};

Status PrepareFfn(Operands& operands, PreparedCall* call);
Status PrepareAttention(Operands& operands, PreparedCall* call);
Status PrepareBatching(Operands& operands, PreparedCall* call);
Status PrepareCombine(Operands& operands, PreparedCall* call);
Status PrepareSend(Operands& operands, PreparedCall* call);
Status PrepareReturn(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kInts = {ACL_INT32};

// CANN's prototypes take what is written as const, too.
constexpr ParamSpec Result(ParamSpec row) { return ConstHandle(Dense(row)); }
constexpr ParamSpec Number(int id, const char* name, int64_t min, int64_t max,
                           const char* note = nullptr) {
  return {.name = name, .id = id, .kind = Kind::kInt64, .min = min, .max = max, .note = note};
}

inline constexpr ParamSpec kContextParam = {
    .name = "scheduleContextRef",
    .id = kContext,
    .direction = Direction::kInOut,
    .dtypes = {ACL_INT8},
    .dims = "bytes",
    .strides = Strides::kContiguous,
    .note = "the 1024 bytes of the schedule context; read when the task runs"};

constexpr ParamSpec ReadContext() {
  ParamSpec row = kContextParam;
  row.name = "scheduleContext";
  row.direction = Direction::kInput;
  return row;
}
inline constexpr ParamSpec kReadContext = ReadContext();

inline constexpr ParamSpec kNeedScheduleParam =
    Number(kNeedSchedule, "needSchedule", 0, 1,
           "1: waits for the rows itself, as the scheduler does; 0: after the scheduler");
inline constexpr ParamSpec kGroupParam =
    Value(kGroup, "group", Kind::kText, "the communicator's name, 1 to 127 bytes");
inline constexpr ParamSpec kWorldSizeParam =
    Number(kWorldSize, "worldSize", 2, 768, "ranks of the communicator");

inline constexpr ParamSpec kAttentionParams[] = {kContextParam};

inline constexpr ParamSpec kFfnParams[] = {
    kContextParam,
    {.name = "syncGroupSize",
     .id = kSyncGroupSize,
     .kind = Kind::kInt32,
     .note = "sessions that are taken together; 1 to the number of sessions in the context"},
    {.name = "executeMode", .id = kExecuteMode, .kind = Kind::kInt32, .note = "0: run once"},
};

inline constexpr ParamSpec kBatchingParams[] = {
    kReadContext,
    {.name = "expertNum",
     .id = kExpertNum,
     .kind = Kind::kInt64,
     .min = 1,
     .max = 8192,
     .names_size = true,
     .note = "experts of this worker: ids are below"},
    Value(kMaxOutShape, "maxOutShape", Kind::kIntArray,
          "{A, BS, K, H}: sessions, tokens, rows of a token, columns; A <= 1024, K <= 64"),
    Number(kTokenDtype, "tokenDtype", 0, 2,
           "of the rows: 0 FLOAT16, 1 BFLOAT16, 2 INT8 with a FLOAT scale behind each row"),
    kNeedScheduleParam,
    Number(kLayerNum, "layerNum", 0, INT64_MAX, "at most expertNum; not used"),
    Result(Noted(Out(kY, "y", {ACL_FLOAT16, ACL_BF16, ACL_INT8}, "Y H"),
                 "rows by expert; those beyond actualTokenNum are left as they are")),
    Result(Noted(Out(kGroupList, "groupList", {ACL_INT64}, "expertNum 2"),
                 "{expert, number of rows} of the experts that have any, then zeros")),
    Result(Out(kSessionIds, "sessionIds", kInts, "Y")),
    Result(Out(kMicroBatchIds, "microBatchIds", kInts, "Y")),
    Result(Out(kTokenIds, "tokenIds", kInts, "Y")),
    Result(Noted(Out(kExpertOffsets, "expertOffsets", kInts, "Y"),
                 "which of its token's rows each is")),
    Result(Noted(Out(kDynamicScale, "dynamicScale", {ACL_FLOAT}, "S"),
                 "with tokenDtype 2 [Y]; else [Y] or empty, and not written")),
    Result(Out(kActualTokenNum, "actualTokenNum", {ACL_INT64}, "1")),
};

inline constexpr ParamSpec kCombineParams[] = {
    kReadContext,
    Dense(In(kExpertScales, "expertScales", {ACL_FLOAT}, "BS K")),
    Dense(In(kLayerId, "layerId", kInts, "1")),
    {.name = "hiddenSize",
     .id = kHiddenSize,
     .kind = Kind::kInt64,
     .min = 1,
     .names_size = true,
     .note = "columns of a row"},
    Number(kTokenDtype, "tokenDtype", 0, 1, "of the rows: 0 FLOAT16, 1 BFLOAT16"),
    kNeedScheduleParam,
    Result(Out(kY, "y", kHalves, "BS hiddenSize")),
    Result(Noted(Out(kNextLayerId, "nextLayerId", kInts, "1"), "layerId + 1")),
};

inline constexpr ParamSpec kSendParams[] = {
    In(kX, "x", kHalves, "1 Bs H"),
    In(kSessionId, "sessionId", kInts, "1"),
    In(kMicroBatchId, "microBatchId", kInts, "1"),
    In(kLayerId, "layerId", kInts, "1"),
    In(kExpertIds, "expertIds", kInts, "1 Bs K"),
    Noted(In(kRankTable, "expertRankTable", kInts, "1 E M"),
          "for each expert the number of its ranks, then rank and local id of each"),
    Noted(In(kScales, "scalesOptional", {ACL_FLOAT}, "1 E H", Need::kOptional),
          "with quantMode 2 only"),
    Noted(In(kActiveMask, "activeMaskOptional", {ACL_BOOL}, "1 Bs", Need::kOptional),
          "which tokens are sent; all true ones first"),
    kGroupParam,
    kWorldSizeParam,
    Value(kInfoShape, "ffnTokenInfoTableShape", Kind::kIntArray,
          "{A, micro batches, 2 + Bs * (K + shared)}"),
    Value(kDataShape, "ffnTokenDataShape", Kind::kIntArray,
          "{A, micro batches, Bs, K + shared, HS}"),
    Value(kFlagShape, "attnTokenInfoTableShape", Kind::kIntArray,
          "{micro batches, Bs, K + shared}"),
    Number(kMoeExpertNum, "moeExpertNum", 1, 1024),
    Number(kQuantMode, "quantMode", 0, 2, "0: rows as they are, 2: INT8 with a scale each"),
    Number(kSyncFlag, "syncFlag", 0, 1, "0: tells all FFN ranks, 1: those that get rows"),
    Number(kFfnStartRankId, "ffnStartRankId", 0, 767),
};

inline constexpr ParamSpec kReturnParams[] = {
    In(kX, "x", kHalves, "Y H"),
    In(kSessionIds, "sessionIds", kInts, "Y"),
    In(kMicroBatchIds, "microBatchIds", kInts, "Y"),
    In(kTokenIds, "tokenIds", kInts, "Y"),
    In(kExpertOffsets, "expertOffsets", kInts, "Y"),
    Noted(In(kActualTokenNum, "actualTokenNum", {ACL_INT64}, "1"), "how many rows are sent"),
    Noted(In(kRankTable, "attnRankTableOptional", kInts, "A", Need::kOptional),
          "the rank of each session; session i is rank i without it"),
    kGroupParam,
    kWorldSizeParam,
    Value(kInfoShape, "tokenInfoTableShape", Kind::kIntArray,
          "{micro batches, Bs, rows of a token}"),
    Value(kDataShape, "tokenDataShape", Kind::kIntArray,
          "{micro batches, Bs, rows of a token, HS}"),
};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"InplaceFfnWorkerScheduler">,
     .params = kFfnParams,
     .prepare = PrepareFfn,
     .header = "aclnn_ffn_worker_scheduler.h",
     .summary = "waits until attention workers have sent their tokens, and lists them",
     .document =
         "ops-transformer: ffn/ffn_worker_scheduler/docs/aclnnInplaceFfnWorkerScheduler.md"},
    {.op = kNames<"InplaceAttentionWorkerScheduler">,
     .params = kAttentionParams,
     .prepare = PrepareAttention,
     .header = "aclnn_attention_worker_scheduler.h",
     .summary = "waits until the FFN workers have returned a micro batch",
     .document =
         "ops-transformer: "
         "attention/attention_worker_scheduler/docs/aclnnInplaceAttentionWorkerScheduler.md"},
    {.op = kNames<"FfnWorkerBatching">,
     .params = kBatchingParams,
     .prepare = PrepareBatching,
     .header = "aclnn_ffn_worker_batching.h",
     .summary = "the tokens that attention workers have sent, sorted by expert",
     .document = "ops-transformer: ffn/ffn_worker_batching/docs/aclnnFfnWorkerBatching.md"},
    {.op = kNames<"AttentionWorkerCombine">,
     .params = kCombineParams,
     .prepare = PrepareCombine,
     .header = "aclnn_attention_worker_combine.h",
     .summary = "y[t] = sum of expertScales[t][j] * row[t][j], and of the shared experts' rows",
     .document =
         "ops-transformer: attention/attention_worker_combine/docs/aclnnAttentionWorkerCombine.md"},
    {.op = kNames<"AttentionToFFN">,
     .params = kSendParams,
     .prepare = PrepareSend,
     .header = "aclnn_attention_to_ffn.h",
     .summary = "sends tokens to the FFN workers of their experts",
     .document = "ops-transformer: mc2/attention_to_ffn/docs/aclnnAttentionToFFN.md",
     .codes = {.format = ACLNN_ERR_INNER_TILING_ERROR, .shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"FFNToAttention">,
     .params = kReturnParams,
     .prepare = PrepareReturn,
     .header = "aclnn_ffn_to_attention.h",
     .summary = "sends rows back to the attention workers of their tokens",
     .document = "ops-transformer: mc2/ffn_to_attention/docs/aclnnFFNToAttention.md"},
};

}  // namespace anyacl::afd
