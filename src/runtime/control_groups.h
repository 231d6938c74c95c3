// SPDX-License-Identifier: Apache-2.0
// What the process's control groups grant it, as containers are limited. Versions 1 and 2, mounted
// at `root`/sys/fs/cgroup as distributions do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace anyacl {

// CPU seconds per second; nothing if they are not limited.
std::optional<double> CpuQuota(const std::filesystem::path& root = "/");

// Bytes of memory; nothing if they are not limited.
std::optional<uint64_t> MemoryLimit(const std::filesystem::path& root = "/");

}  // namespace anyacl
