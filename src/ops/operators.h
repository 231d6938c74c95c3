// SPDX-License-Identifier: Apache-2.0
// All operators, by folder, for the programs that make files and tests from the declarations.
#pragma once

#include <span>
#include <string_view>

#include "nnop/operator.h"

namespace anyacl {

struct OperatorFolder {
  const char* name;  // of the folder and of its namespace
  std::span<const OpSpec> operators;
};

std::span<const OperatorFolder> OperatorFolders();

// By the name of its second phase, "aclnnAdd"; null if there is none.
const OpSpec* FindOperator(std::string_view api);

}  // namespace anyacl
