// SPDX-License-Identifier: Apache-2.0
// Base types that only the model and operator-by-name interfaces use. They stay opaque here.
#ifndef ANYACL_ACL_ACL_BASE_MDL_H_
#define ANYACL_ACL_ACL_BASE_MDL_H_

#include "acl/acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct aclTensorDesc aclTensorDesc;

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACL_ACL_BASE_MDL_H_
