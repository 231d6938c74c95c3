// SPDX-License-Identifier: Apache-2.0
// The former place of aclnnop/aclnn_trans_quant_param.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_TRANS_QUANT_PARAM_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_TRANS_QUANT_PARAM_H_

#include "aclnnop/aclnn_trans_quant_param.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_TRANS_QUANT_PARAM_H_
