// SPDX-License-Identifier: Apache-2.0
// Placeholder for the single-operator interface by name, which anyacl does not offer. It exists so
// that programs which include it compile; operators are called through aclnnop/*.h.
#ifndef ANYACL_ACL_ACL_OP_H_
#define ANYACL_ACL_ACL_OP_H_

#include "acl/acl_base.h"

#endif  // ANYACL_ACL_ACL_OP_H_
