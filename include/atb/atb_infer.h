// SPDX-License-Identifier: Apache-2.0
// All of ATB for inference that anyacl offers.
#ifndef ANYACL_ATB_ATB_INFER_H_
#define ANYACL_ATB_ATB_INFER_H_

#include "atb/context.h"
#include "atb/infer_op_params.h"
#include "atb/operation.h"
#include "atb/svector.h"
#include "atb/types.h"
#include "atb/utils.h"

#endif  // ANYACL_ATB_ATB_INFER_H_
