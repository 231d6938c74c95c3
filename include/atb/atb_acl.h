// SPDX-License-Identifier: Apache-2.0
// ATB's functions on aclTensor, in two phases: the first makes *op, or sets up the one that it
// holds from a call before, which DestroyOperation ends.
#ifndef ANYACL_ATB_ATB_ACL_H_
#define ANYACL_ATB_ATB_ACL_H_

#include <cstdint>

#include "aclnn/acl_meta.h"
#include "atb/context.h"
#include "atb/operation.h"

extern "C" {

// Attention of latent heads over some of the keys of each sequence, joined with the result over
// those before (a ring): of output' and lse' over these keys,
//   softmaxLse = ln(exp lse' + exp prevLse),
//   output = output' exp(lse' - softmaxLse) + prevOut exp(prevLse - softmaxLse).
// querySplit1 [T, headNum, D], querySplit2 [T, headNum, R], keySplit1 [S, Nk, D], keySplit2
// [S, Nk, R], value [S, Nk, Dv], Dv at most D, R a multiple of 16: scores are the sums of both
// products, times qkScale. FLOAT16 or BF16. seqLen, INT32 in host memory: the queries of each
// sequence [B], which then are as many as its keys, or queries and keys [2, B]. output
// [T, headNum, Dv]; softmaxLse and prevLse [headNum, T] of FLOAT; prevOut like output, which may be
// it. A row without keys has the LSE -inf, and zeros.
// kernelType 0, 1: both compute in FLOAT. maskType 0: none, 1: query i of a sequence sees its
// keys up to i; mask is not read. inputLayout 0. calcType 0: joined, 1: the
// first of the ring, without prevOut and prevLse.
ACL_FUNC_VISIBILITY atb::Status AtbRingMLAGetWorkspaceSize(
    const aclTensor* querySplit1, const aclTensor* querySplit2, const aclTensor* keySplit1,
    const aclTensor* keySplit2, const aclTensor* value, const aclTensor* mask,
    const aclTensor* seqLen, const aclTensor* prevOut, const aclTensor* prevLse, int32_t headNum,
    int32_t kvHeadNum, float qkScale, int kernelType, int maskType, int inputLayout, int calcType,
    aclTensor* output, aclTensor* softmaxLse, uint64_t* workspaceSize, atb::Operation** op,
    atb::Context* context);
ACL_FUNC_VISIBILITY atb::Status AtbRingMLA(void* workspace, uint64_t workspaceSize,
                                           atb::Operation* op, atb::Context* context);

// The experts of tokens: s = sigmoid(x), v = s + addNum; of v all but the groupTopk groups (of
// groupNum) whose n largest sum up to most become 0; indices are the places of the k largest of
// what is left, y their s, with isNorm divided by their sum and times scale. Of equal ones the
// first come first. x [T, E] and addNum [E] of FLOAT, FLOAT16 or BF16, computed in FLOAT; y [T, k]
// of FLOAT, indices [T, k] of INT32. activationType 8, sigmoid. With enableExpertMapping expert e
// has max(1, mappingNum[e]) copies, INT32, [E] and [E, C], and token t names mappingTable[e, t %
// copies]; more copies than C end the stream's task with 507015.
ACL_FUNC_VISIBILITY atb::Status AtbFusedAddTopkDivGetWorkspaceSize(
    const aclTensor* x, const aclTensor* addNum, const aclTensor* mappingNum,
    const aclTensor* mappingTable, uint32_t groupNum, uint32_t groupTopk, uint32_t n, uint32_t k,
    int activationType, bool isNorm, float scale, bool enableExpertMapping, aclTensor* y,
    aclTensor* indices, uint64_t* workspaceSize, atb::Operation** op, atb::Context* context);
ACL_FUNC_VISIBILITY atb::Status AtbFusedAddTopkDiv(void* workspace, uint64_t workspaceSize,
                                                   atb::Operation* op, atb::Context* context);

// Attention of latent heads over keys in blocks, which are their own values: scores are (qNope ctKV
// + qRope kRope) * qkScale, values ctKV. qNope [T, headNum, D], qRope [T, headNum, R], ctKV
// [blocks, blockSize, 1, D], kRope [blocks, blockSize, 1, R], R a multiple of 16, blockTables [B,
// M], attenOut [T, headNum, D]: FLOAT16 or BF16, tables INT32. contextLens [B], and qSeqLen [B],
// INT32 in host memory: the keys of each sequence and its queries, one each without calcType 1
// or 3. calcType 2, 3: lse [T, headNum, 1] of the type of qNope gets ln of the sum of exp(scores);
// -inf without keys. kvHeadNum 1. cacheMode 1; 2 and 3, caches in pieces of 32 bytes, are refused,
// and so are qkDescale and pvDescale, which go with 2. maskType with calcType 1 and 3: 1 mask [T,
// S] is added to the scores, a row for each query; 2, 3 the last query of a sequence sees all of
// its keys, each before it one less, and mask is not read.
ACL_FUNC_VISIBILITY atb::Status AtbMLAGetWorkspaceSize(
    const aclTensor* qNope, const aclTensor* qRope, const aclTensor* ctKV, const aclTensor* kRope,
    const aclTensor* blockTables, const aclTensor* contextLens, const aclTensor* mask,
    const aclTensor* qSeqLen, const aclTensor* qkDescale, const aclTensor* pvDescale,
    int32_t headNum, float qkScale, int32_t kvHeadNum, int maskType, int calcType,
    uint8_t cacheMode, aclTensor* attenOut, aclTensor* lse, uint64_t* workspaceSize,
    atb::Operation** op, atb::Context* context);
ACL_FUNC_VISIBILITY atb::Status AtbMLA(void* workspace, uint64_t workspaceSize, atb::Operation* op,
                                       atb::Context* context);

// The keys and values of sequences out of a cache's blocks: row i of sequence b is row i %
// blockSize of block blockTables[b, seqStarts[b] / blockSize + i / blockSize]; sequences follow
// each other. kvCacheCfg 1: keyCache [blocks, blockSize, Nk, D], valueCache [blocks, blockSize, Nk,
// Dv], any strides but that of the last dimension, key [tokens, Nk, D], value [tokens, Nk, Dv]; 0:
// rows in pieces of 32 bytes, [blocks, H/C, blockSize, C], key [tokens, H], value [tokens, Hv],
// whole sequences alone. FLOAT16, BF16 or INT8. blockTables [B, M], contextLens [B], or, with
// isSeqLensCumsumType, where sequences begin and end [B + 1], seqStarts [B] if hasSeqStarts: INT32.
// Tokens of key behind the last sequence's stay as they are. A length, a start or a block that is
// not there ends the stream's task with 507015, and nothing is written.
ACL_FUNC_VISIBILITY atb::Status AtbPagedCacheLoadGetWorkspaceSize(
    const aclTensor* keyCache, const aclTensor* valueCache, const aclTensor* blockTables,
    const aclTensor* contextLens, const aclTensor* key, const aclTensor* value,
    const aclTensor* seqStarts, int8_t kvCacheCfg, bool isSeqLensCumsumType, bool hasSeqStarts,
    uint64_t* workspaceSize, atb::Operation** op, atb::Context* context);
ACL_FUNC_VISIBILITY atb::Status AtbPagedCacheLoad(void* workspace, uint64_t workspaceSize,
                                                  atb::Operation* op, atb::Context* context);
}

#endif  // ANYACL_ATB_ATB_ACL_H_
