// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_qkv_rms_norm_rope_cache.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_QKV_RMS_NORM_ROPE_CACHE_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_QKV_RMS_NORM_ROPE_CACHE_H_

#include "aclnnop/aclnn_qkv_rms_norm_rope_cache.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_QKV_RMS_NORM_ROPE_CACHE_H_
