// SPDX-License-Identifier: Apache-2.0
// The mark of every exported operator function.
#ifndef ANYACL_ACLNNOP_ACLNN_UTIL_H_
#define ANYACL_ACLNNOP_ACLNN_UTIL_H_

#ifndef ACLNN_API
#if defined(__GNUC__)
#define ACLNN_API __attribute__((visibility("default")))
#else
#define ACLNN_API
#endif
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_UTIL_H_
