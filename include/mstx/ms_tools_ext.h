// SPDX-License-Identifier: Apache-2.0
// MSTX: marks and ranges that a program sets for a profiling tool. Here every function accepts its
// arguments, looks at none of them and does nothing, as in CANN when no tool is attached.
// Header-only as there, so nothing needs to be linked; MSTX_NO_IMPL changes nothing. Who looks the
// functions up in libms_tools_ext, as torch_npu does, gets those of the same names that mark a
// profile's time line (acl/acl_prof.h).
#ifndef ANYACL_MSTX_MS_TOOLS_EXT_H_
#define ANYACL_MSTX_MS_TOOLS_EXT_H_

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MSTX_SUCCESS 0
#define MSTX_FAIL 1
#define MSTX_INVALID_ID 0

#define MSTX_TOOL_INVALID_ID 0x0
#define MSTX_TOOL_MSPROF_ID 0x1000
#define MSTX_TOOL_MSOPPROF_ID 0x1001
#define MSTX_TOOL_MSSANITIZER_ID 0x1002
#define MSTX_TOOL_MSLEAKS_ID 0x1003

typedef uint64_t mstxRangeId;

typedef struct mstxDomainRegistration_st mstxDomainRegistration_t;
typedef mstxDomainRegistration_t* mstxDomainHandle_t;
typedef struct mstxMemHeap_st mstxMemHeap_t;
typedef mstxMemHeap_t* mstxMemHeapHandle_t;
typedef struct mstxMemRegion_st mstxMemRegion_t;
typedef mstxMemRegion_t* mstxMemRegionHandle_t;

typedef struct mstxMemVirtualRangeDesc_t {
  uint32_t deviceId;
  const void* ptr;
  uint64_t size;  // bytes
} mstxMemVirtualRangeDesc_t;

typedef enum mstxMemHeapUsageType {
  MSTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR = 0
} mstxMemHeapUsageType;

typedef enum mstxMemType { MSTX_MEM_TYPE_VIRTUAL_ADDRESS = 0 } mstxMemType;

typedef struct mstxMemHeapDesc_t {
  mstxMemHeapUsageType usage;
  mstxMemType type;
  const void* typeSpecificDesc;  // mstxMemVirtualRangeDesc_t
} mstxMemHeapDesc_t;

typedef struct mstxMemRegionsRegisterBatch_t {
  mstxMemHeapHandle_t heap;
  mstxMemType regionType;
  size_t regionCount;
  const void* regionDescArray;
  mstxMemRegionHandle_t* regionHandleArrayOut;
} mstxMemRegionsRegisterBatch_t;

typedef enum mstxMemRegionRefType {
  MSTX_MEM_REGION_REF_TYPE_POINTER = 0,
  MSTX_MEM_REGION_REF_TYPE_HANDLE = 1
} mstxMemRegionRefType;

typedef struct mstxMemRegionRef_t {
  mstxMemRegionRefType refType;
  __extension__ union {
    const void* pointer;
    mstxMemRegionHandle_t handle;
  };
} mstxMemRegionRef_t;

typedef struct mstxMemRegionsUnregisterBatch_t {
  size_t refCount;
  const mstxMemRegionRef_t* refArray;
} mstxMemRegionsUnregisterBatch_t;

// The domain of what has none.
static mstxDomainHandle_t const globalDomain = NULL;

static inline void mstxMarkA(const char* message, aclrtStream stream) {
  (void)message;
  (void)stream;
}

// 0, the id of no range.
static inline mstxRangeId mstxRangeStartA(const char* message, aclrtStream stream) {
  (void)message;
  (void)stream;
  return MSTX_INVALID_ID;
}

static inline void mstxRangeEnd(mstxRangeId id) { (void)id; }

// Null, the global domain.
static inline mstxDomainHandle_t mstxDomainCreateA(const char* name) {
  (void)name;
  return globalDomain;
}

static inline void mstxDomainDestroy(mstxDomainHandle_t domain) { (void)domain; }

static inline void mstxDomainMarkA(mstxDomainHandle_t domain, const char* message,
                                   aclrtStream stream) {
  (void)domain;
  (void)message;
  (void)stream;
}

// 0, the id of no range.
static inline mstxRangeId mstxDomainRangeStartA(mstxDomainHandle_t domain, const char* message,
                                                aclrtStream stream) {
  (void)domain;
  (void)message;
  (void)stream;
  return MSTX_INVALID_ID;
}

static inline void mstxDomainRangeEnd(mstxDomainHandle_t domain, mstxRangeId id) {
  (void)domain;
  (void)id;
}

// Null.
static inline mstxMemHeapHandle_t mstxMemHeapRegister(mstxDomainHandle_t domain,
                                                      const mstxMemHeapDesc_t* desc) {
  (void)domain;
  (void)desc;
  return NULL;
}

static inline void mstxMemHeapUnregister(mstxDomainHandle_t domain, mstxMemHeapHandle_t heap) {
  (void)domain;
  (void)heap;
}

static inline void mstxMemRegionsRegister(mstxDomainHandle_t domain,
                                          const mstxMemRegionsRegisterBatch_t* desc) {
  (void)domain;
  (void)desc;
}

static inline void mstxMemRegionsUnregister(mstxDomainHandle_t domain,
                                            const mstxMemRegionsUnregisterBatch_t* desc) {
  (void)domain;
  (void)desc;
}

// *id becomes MSTX_TOOL_INVALID_ID: no tool is attached. id may be null.
static inline void mstxGetToolId(uint64_t* id) {
  if (id != NULL) *id = MSTX_TOOL_INVALID_ID;
}

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_MSTX_MS_TOOLS_EXT_H_
