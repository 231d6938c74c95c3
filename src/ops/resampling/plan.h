// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "nnop/executor.h"
#include "ops/resampling/op.h"

namespace anyacl::resampling {

std::shared_ptr<const Plan> MakePlan(const Params& params);

}  // namespace anyacl::resampling
