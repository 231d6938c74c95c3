// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
// The former place of aclnnop/aclnn_dense_lightning_indexer_softmax_lse.h, for programs that still name it.
#ifndef ANYACL_ACLNNOP_LEVEL2_ACLNN_DENSE_LIGHTNING_INDEXER_SOFTMAX_LSE_H_
#define ANYACL_ACLNNOP_LEVEL2_ACLNN_DENSE_LIGHTNING_INDEXER_SOFTMAX_LSE_H_

#include "aclnnop/aclnn_dense_lightning_indexer_softmax_lse.h"

#endif  // ANYACL_ACLNNOP_LEVEL2_ACLNN_DENSE_LIGHTNING_INDEXER_SOFTMAX_LSE_H_
