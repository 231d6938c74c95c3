// SPDX-License-Identifier: Apache-2.0
// Part of acl/acl_rt.h: tasks that every device has built in: reductions of two buffers, random
// numbers, words of memory that streams write and wait for, hints to the cache. All of them run in
// the order of their stream and can be captured into graphs.
#ifndef ANYACL_ACL_ACL_RT_TASK_H_
#define ANYACL_ACL_ACL_RT_TASK_H_

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM = 10,
  ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX = 11,
  ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN = 12,
  ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL = 13
} aclrtReduceKind;

// dst[i] = dst[i] op src[i] for the elements of `count` bytes. Types: int8, int16, int32, uint32,
// fp16, bf16, fp32. Both are device memory; they are the same, or do not overlap.
//
// CANN documents kinds and types. Ours: integers wrap around; a sum in fp16 or bf16 is rounded
// once, to nearest even; MAX and MIN of a NaN are that NaN.
//   100000  another type; reserve is not null
//   107000  count 0 or no multiple of the element, unaligned addresses, memory that is not the
//           device's, overlap, a kind beyond those above
//   207000  EQUAL, of which no document tells what it does
ACL_FUNC_VISIBILITY aclError aclrtReduceAsync(void* dst, const void* src, uint64_t count,
                                              aclrtReduceKind kind, aclDataType type,
                                              aclrtStream stream, void* reserve);

// A value, or the address in device memory where it is when the task runs.
typedef struct {
  uint8_t isAddr;  // 0: valueOrAddr holds the value; 1: an address
  uint8_t valueOrAddr[8];
  uint8_t size;  // how many of valueOrAddr are used: at most those of the type, 8 for addresses
  uint8_t rsv[6];
} aclrtRandomParaInfo;

typedef struct {
  aclrtRandomParaInfo dropoutRation;  // the share of ones
} aclrtDropoutBitmaskInfo;

typedef struct {
  aclrtRandomParaInfo min;
  aclrtRandomParaInfo max;
} aclrtUniformDisInfo;

typedef struct {
  aclrtRandomParaInfo mean;
  aclrtRandomParaInfo stddev;
} aclrtNormalDisInfo;

typedef enum {
  ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK = 0,
  ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS,
  ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS,
  ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS
} aclrtRandomNumFuncType;

typedef struct {
  aclrtRandomNumFuncType funcType;
  union {
    aclrtDropoutBitmaskInfo dropoutBitmaskInfo;
    aclrtUniformDisInfo uniformDisInfo;
    aclrtNormalDisInfo normalDisInfo;
  } paramInfo;
} aclrtRandomNumFuncParaInfo;

typedef struct {
  aclDataType dataType;
  aclrtRandomNumFuncParaInfo randomNumFuncParaInfo;
  // Null, or 16 bytes of device memory: the call writes both parameters there, 8 bytes each, and
  // the task reads them when it runs.
  void* randomParaAddr;
  void* randomResultAddr;
  void* randomCounterAddr;  // 16 bytes of device memory, read when the task runs
  aclrtRandomParaInfo randomSeed;
  aclrtRandomParaInfo randomNum;
  uint8_t rsv[8];
} aclrtRandomNumTaskInfo;

// Writes randomNum random numbers of dataType to randomResultAddr.
//   DROPOUT_BITMASK   randomNum bits, the first one lowest in its byte; the parameter in fp32, fp16
//                     or bf16; what is left of the last byte becomes 0
//   UNIFORM           min <= x < max, in fp32, fp16, bf16, int32, uint32, int64 or uint64
//   NORMAL            in fp32, fp16 or bf16
//   TRUNCATED_NORMAL  the same; before rounding none is further from the mean than two deviations
//
// CANN documents the generator, Philox4x32-10, that its key is randomSeed, a number of 64 bits,
// that randomCounterAddr is the offset, and the types. Which bits become which number is ours (the
// same for every number of threads, and not that of an NPU): block b is
// Philox of the counter, a number of 128 bits with the lowest first, plus b; the words of a block
// are used from the first on. 32 bits per bit of a mask (a one if below the ratio); 32 per
// floating-point number, the two of a normal pair by Box and Muller; 64 per uniform integer of 32
// bits and 128 per one of 64. The counter in memory is not advanced. min = max gives min always.
//   100000  another type than those of UNIFORM; taskInfo is null
//   107000  a type that the function does not take, a null or unaligned address, sizes or isAddr
//           out of range, min > max, a negative deviation, a ratio outside of 0..1, parameters that
//           are not finite; the task fails with it if it finds these in memory
ACL_FUNC_VISIBILITY aclError aclrtRandomNumAsync(const aclrtRandomNumTaskInfo* taskInfo,
                                                 const aclrtStream stream, void* reserve);

#define ACL_STREAM_WAIT_VALUE_GEQ 0x00000000U  // (int64_t)(*devAddr - value) >= 0
#define ACL_STREAM_WAIT_VALUE_EQ 0x00000001U   // *devAddr == value
#define ACL_STREAM_WAIT_VALUE_AND 0x00000002U  // (*devAddr & value) != 0
#define ACL_STREAM_WAIT_VALUE_NOR 0x00000003U  // ~(*devAddr | value) != 0

// Writes 64 bits at once; who sees them sees what the stream did before. devAddr is device memory,
// aligned to 8 bytes. flag is 0. 107000: it is not.
ACL_FUNC_VISIBILITY aclError aclrtValueWrite(void* devAddr, uint64_t value, uint32_t flag,
                                             aclrtStream stream);

// The stream waits until the 64 bits at devAddr meet the condition that flag names, whoever writes
// them. An abort of the stream and a reset of the device end the wait; if the memory is freed
// meanwhile, the task fails with 107000.
ACL_FUNC_VISIBILITY aclError aclrtValueWait(void* devAddr, uint64_t value, uint32_t flag,
                                            aclrtStream stream);

typedef enum aclrtCmoType {
  ACL_RT_CMO_TYPE_PREFETCH = 0,
  ACL_RT_CMO_TYPE_WRITEBACK,
  ACL_RT_CMO_TYPE_INVALID,
  ACL_RT_CMO_TYPE_FLUSH
} aclrtCmoType;

typedef struct {
  aclrtCmoType cmoType;
  uint32_t barrierId;
} aclrtBarrierCmoInfo;

#define ACL_RT_CMO_MAX_BARRIER_NUM 6U

typedef struct {
  size_t barrierNum;
  aclrtBarrierCmoInfo cmoInfo[ACL_RT_CMO_MAX_BARRIER_NUM];
} aclrtBarrierTaskInfo;

// Hints to the cache. PREFETCH asks the processor for the first 256 KiB, what its caches near the
// core hold; the caches of processors agree with memory, so that the other types are tasks that do
// nothing. 107000: the bytes are not device memory; 207000: another type.
ACL_FUNC_VISIBILITY aclError aclrtCmoAsync(void* src, size_t size, aclrtCmoType cmoType,
                                           aclrtStream stream);

// The same for the bytes that a description in device memory names when the task runs. SetDesc
// writes it at once.
ACL_FUNC_VISIBILITY aclError aclrtCmoGetDescSize(size_t* size);
ACL_FUNC_VISIBILITY aclError aclrtCmoSetDesc(void* cmoDesc, void* src, size_t size);
ACL_FUNC_VISIBILITY aclError aclrtCmoAsyncWithDesc(void* cmoDesc, aclrtCmoType cmoType,
                                                   aclrtStream stream, const void* reserve);

// 207000 always, as on every product but Atlas 200I/500 A2.
ACL_FUNC_VISIBILITY aclError aclrtCmoAsyncWithBarrier(void* src, size_t size, aclrtCmoType cmoType,
                                                      uint32_t barrierId, aclrtStream stream);
ACL_FUNC_VISIBILITY aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo* taskInfo, aclrtStream stream,
                                                 uint32_t flag);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACL_ACL_RT_TASK_H_
