// SPDX-License-Identifier: Apache-2.0
// Placeholder for the model interface, which anyacl does not offer. It exists so that programs
// which include it compile.
#ifndef ANYACL_ACL_ACL_MDL_H_
#define ANYACL_ACL_ACL_MDL_H_

#include "acl/acl_base.h"

#endif  // ANYACL_ACL_ACL_MDL_H_
