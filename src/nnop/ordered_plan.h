// SPDX-License-Identifier: Apache-2.0
// A plan made of plans that run one after the other and share the workspace.
#pragma once

#include <memory>
#include <vector>

#include "nnop/executor.h"

namespace anyacl {

std::shared_ptr<const Plan> InOrder(std::vector<std::shared_ptr<const Plan>> plans);

}  // namespace anyacl
