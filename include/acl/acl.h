// SPDX-License-Identifier: Apache-2.0
// The header that programs include to use AscendCL: runtime, base types and the model and operator
// placeholders.
#ifndef ANYACL_ACL_ACL_H_
#define ANYACL_ACL_ACL_H_

#include "acl/acl_mdl.h"
#include "acl/acl_op.h"
#include "acl/acl_rt.h"

#endif  // ANYACL_ACL_ACL_H_
