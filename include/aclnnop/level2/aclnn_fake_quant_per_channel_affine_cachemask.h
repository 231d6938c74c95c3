// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_fake_quant_per_channel_affine_cachemask.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_FAKE_QUANT_PER_CHANNEL_AFFINE_CACHEMASK_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_FAKE_QUANT_PER_CHANNEL_AFFINE_CACHEMASK_H_

#include "aclnnop/aclnn_fake_quant_per_channel_affine_cachemask.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_FAKE_QUANT_PER_CHANNEL_AFFINE_CACHEMASK_H_
