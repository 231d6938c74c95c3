// SPDX-License-Identifier: Apache-2.0
// The texts that follow from the operators' declarations.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "nnop/operands.h"

namespace anyacl {

// "const aclTensor*": the C type of an argument.
std::string TypeOf(const ParamSpec& row);
// "0 to 3", "1 or more": the values of an integer; nothing where it has only the bounds of its
// type.
std::string RangeText(const ParamSpec& row);

// include/aclnnop/<header>, which declares these operators. `source` is the source folder.
std::string HeaderText(const std::filesystem::path& source, const std::string& header,
                       const std::vector<const OpSpec*>& operators);
// include/aclnnop/level2/<header>
std::string OldHeaderText(const std::string& header);
// src/ops/<folder>/api*.cc
std::string EntryPointsText(const char* folder, std::span<const OpSpec> operators);
// docs/support.md
std::string SupportText();
// share/anyacl/operators.json
std::string JsonText();
// share/anyacl/single_operators.json
std::string SingleJsonText();

}  // namespace anyacl
