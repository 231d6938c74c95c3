// SPDX-License-Identifier: Apache-2.0
// The log: levels, destinations and line shape follow the ASCEND_* environment variables.
#pragma once

#include <string_view>

#include "acl/acl_base.h"

namespace anyacl {

// The module column of a line and the key of ASCEND_MODULE_LOG_LEVEL.
enum class LogModule { kAcl, kOp, kApp };

bool LogEnabled(aclLogLevel level, LogModule module);

// Writes one line if the level is enabled and a destination is set. `function`, `file` may be null.
void WriteLog(aclLogLevel level, LogModule module, const char* function, const char* file, int line,
              std::string_view text);

}  // namespace anyacl
