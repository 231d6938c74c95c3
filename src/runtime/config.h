// SPDX-License-Identifier: Apache-2.0
// aclInit's JSON configuration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"

namespace anyacl {

struct Config {
  std::string content;  // as read: a later aclInit must bring the same
  std::optional<int32_t> default_device;
  bool per_process_errors = false;
};

// Null and empty paths, and empty files, mean no configuration. Keys without a meaning for a CPU
// are accepted and ignored.
Status ReadConfig(const char* path, Config* config);

}  // namespace anyacl
