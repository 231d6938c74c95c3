// SPDX-License-Identifier: Apache-2.0
// Base types, data types, formats and every return code of AscendCL.
#ifndef ANYACL_ACL_ACL_BASE_H_
#define ANYACL_ACL_ACL_BASE_H_

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base_mdl.h"
#include "acl/acl_base_rt.h"
#include "acl/error_codes/ge_error_codes.h"
#include "acl/error_codes/rt_error_codes.h"

#endif  // ANYACL_ACL_ACL_BASE_H_
