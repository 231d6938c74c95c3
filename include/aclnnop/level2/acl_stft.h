// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/acl_stft.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACL_STFT_H_
#define ANYACL_ACLNNOP_LEVEL2_ACL_STFT_H_

#include "aclnnop/acl_stft.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACL_STFT_H_
