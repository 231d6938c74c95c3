// SPDX-License-Identifier: Apache-2.0
#include "runtime/config.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "acl/acl_rt.h"

namespace anyacl {
namespace {

using Json = nlohmann::json;

constexpr int kMaxDepth = 10;

int DepthOf(const Json& value) {
  int depth = 0;
  if (value.is_structured()) {
    for (const Json& item : value) depth = std::max(depth, DepthOf(item));
    ++depth;
  }
  return depth;
}

// Deep nesting must not reach the recursive parser's stack: counted on the text first.
int BracketDepth(const std::string& text) {
  int depth = 0;
  int deepest = 0;
  for (char c : text) {
    if (c == '{' || c == '[') deepest = std::max(deepest, ++depth);
    if (c == '}' || c == ']') --depth;
  }
  return deepest;
}

// Numbers stand in such files as numbers or as text.
std::optional<int64_t> Integer(const Json& value) {
  if (value.is_number_integer()) return value.get<int64_t>();
  if (!value.is_string()) return std::nullopt;
  const std::string& text = value.get_ref<const std::string&>();
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) {
    return std::nullopt;
  }
  return number;
}

Status Apply(const Json& json, const char* path, Config* config) {
  const auto invalid = [&](const char* key, const Json& value, const char* expected) {
    return Fail(ACL_ERROR_INVALID_PARAM, "configPath \"{}\": {} is {}, expected {}", path, key,
                value.dump(-1, ' ', false, Json::error_handler_t::replace), expected);
  };
  if (const auto mode = json.find("err_msg_mode"); mode != json.end()) {
    const std::optional<int64_t> value = Integer(*mode);
    if (!value || *value < 0 || *value > 1) {
      return invalid("err_msg_mode", *mode, "\"0\" (per thread) or \"1\" (per process)");
    }
    config->per_process_errors = *value == 1;
  }
  if (const auto group = json.find("defaultDevice"); group != json.end()) {
    if (!group->is_object()) return invalid("defaultDevice", *group, "an object");
    if (const auto device = group->find("default_device"); device != group->end()) {
      const std::optional<int64_t> value = Integer(*device);
      if (!value || *value < 0 || *value > INT32_MAX) {
        return invalid("defaultDevice.default_device", *device, "a device number");
      }
      config->default_device = static_cast<int32_t>(*value);
    }
  }
  if (const auto mode = json.find("event_mode"); mode != json.end()) {
    const std::optional<int64_t> value = Integer(*mode);
    if (!value || *value < 0 || *value > 1) return invalid("event_mode", *mode, "0 or 1");
  }
  return {};
}

}  // namespace

Status ReadConfig(const char* path, Config* config) {
  if (path == nullptr || *path == '\0') return {};
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  // No characters at all set failbit, too: tell an empty file from one that cannot be read.
  std::error_code error;
  const bool readable = std::filesystem::is_regular_file(path, error) && access(path, R_OK) == 0;
  if (!readable || content.bad()) {
    return Fail(ACL_ERROR_INVALID_FILE, "configPath \"{}\" cannot be read, expected a JSON file",
                path);
  }
  config->content = content.str();
  if (config->content.empty()) return {};
  const int depth = BracketDepth(config->content);
  if (depth > kMaxDepth * 10) {
    return Fail(ACL_ERROR_PARSE_FILE, "configPath \"{}\" nests {} levels, expected at most {}",
                path, depth, kMaxDepth);
  }
  const Json json = Json::parse(config->content, nullptr, false);
  if (json.is_discarded() || !json.is_object()) {
    return Fail(ACL_ERROR_PARSE_FILE, "configPath \"{}\" holds no valid JSON object", path);
  }
  if (const int levels = DepthOf(json); levels > kMaxDepth) {
    return Fail(ACL_ERROR_PARSE_FILE, "configPath \"{}\" nests {} levels, expected at most {}",
                path, levels, kMaxDepth);
  }
  return Apply(json, path, config);
}

}  // namespace anyacl
