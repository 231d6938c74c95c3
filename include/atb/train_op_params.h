// SPDX-License-Identifier: Apache-2.0
// Parameters of ATB's operations for training, of which anyacl offers none: programs include this
// beside infer_op_params.h.
#ifndef ANYACL_ATB_TRAIN_OP_PARAMS_H_
#define ANYACL_ATB_TRAIN_OP_PARAMS_H_

#include "atb/infer_op_params.h"

#endif  // ANYACL_ATB_TRAIN_OP_PARAMS_H_
