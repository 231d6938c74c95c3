// SPDX-License-Identifier: Apache-2.0
// The AscendCL runtime: initialisation and errors, devices, streams, events, graphs, memory.
//
// Every function that returns aclError returns 0 (ACL_SUCCESS) or a code. A code that several
// functions share means the same in all of them and is not repeated at each:
//   ACL_ERROR_INVALID_PARAM (100000)           a required pointer is null, a value out of range
//   ACL_ERROR_RT_CONTEXT_NULL (107002)         the thread has neither set a device nor a context
//   ACL_ERROR_RT_INVALID_DEVICEID (107001)     no such device
//   ACL_ERROR_RT_INVALID_HANDLE (107017)       the stream, event or other handle is not alive
//   ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000)  anyacl does not offer this
// After a failure aclGetRecentErrMsg tells which parameter was wrong and what was expected.
#ifndef ANYACL_ACL_ACL_RT_H_
#define ANYACL_ACL_ACL_RT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The version of the interface, not of the library.
#define ACL_MAJOR_VERSION 1
#define ACL_MINOR_VERSION 17
#define ACL_PATCH_VERSION 0

#include "acl/acl_base.h"
#include "acl/acl_rt_allocator.h"
#include "acl/acl_rt_callback.h"
#include "acl/acl_rt_device.h"
#include "acl/acl_rt_graph.h"
#include "acl/acl_rt_kernel.h"
#include "acl/acl_rt_managed_memory.h"
#include "acl/acl_rt_memory.h"
#include "acl/acl_rt_memory_sharing.h"
#include "acl/acl_rt_model.h"
#include "acl/acl_rt_notify.h"
#include "acl/acl_rt_stream.h"
#include "acl/acl_rt_system.h"
#include "acl/acl_rt_task.h"

#endif  // ANYACL_ACL_ACL_RT_H_
