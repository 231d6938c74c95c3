// SPDX-License-Identifier: Apache-2.0
// Start and end of the operator layer, with the objects of aclnn/acl_meta.h.
#ifndef ANYACL_ACLNN_ACLNN_BASE_H_
#define ANYACL_ACLNN_ACLNN_BASE_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

// Optional, and may be repeated. configPath names a JSON file as in aclInit, or is null.
ACL_FUNC_VISIBILITY aclnnStatus aclnnInit(const char* configPath);
ACL_FUNC_VISIBILITY aclnnStatus aclnnFinalize(void);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNN_ACLNN_BASE_H_
