// SPDX-License-Identifier: Apache-2.0
// The engine of attention that its operators share: a problem without features becomes a plan.
#pragma once

#include <memory>

#include "attention/params.h"
#include "nnop/executor.h"

namespace anyacl::attention {

std::shared_ptr<const Plan> MakePlan(Params params);

// Enough for every call like this one with at most so many query rows and columns.
uint64_t MostWorkspace(const Params& params, int64_t max_rows, int64_t max_columns);

}  // namespace anyacl::attention
