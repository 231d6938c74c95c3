// SPDX-License-Identifier: Apache-2.0
// aclsys* functions: the version of CANN that clients see.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/settings.h"

namespace anyacl {
namespace {

// The packages whose version clients ask for (torch_npu's list and the parts of a toolkit), with
// '_' for '-': both are understood.
constexpr std::string_view kPackages[] = {"acl_extend",   "aoe",
                                          "asc_devkit",   "asc_tools",
                                          "ascendnpu_ir", "bisheng_compiler",
                                          "compiler",     "dflow_executor",
                                          "driver",       "dvpp",
                                          "firmware",     "ge_compiler",
                                          "ge_executor",  "graph_autofusion",
                                          "hccl",         "hcomm",
                                          "hixl",         "metadef",
                                          "ncs",          "oam_tools",
                                          "opbase",       "opp",
                                          "opp_kernel",   "ops_cv",
                                          "ops_legacy",   "ops_math",
                                          "ops_nn",       "ops_transformer",
                                          "pto_isa",      "pyACL",
                                          "runtime",      "tbe_tik",
                                          "test_ops",     "toolkit"};

Status CheckPackage(const char* name) {
  if (Status s = NotNull(name, "pkgName"); !s.ok()) return s;
  std::string key = name;
  std::replace(key.begin(), key.end(), '-', '_');
  if (std::find(std::begin(kPackages), std::end(kPackages), key) != std::end(kPackages)) return {};
  return Fail(ACL_ERROR_INVALID_FILE,
              "pkgName is \"{}\", expected a package of CANN, such as \"{}\"", name, "runtime");
}

template <size_t kSize>
void Write(std::string_view text, char (&field)[kSize]) {
  const size_t length = std::min(text.size(), kSize - 1);
  std::memcpy(field, text.data(), length);
  field[length] = '\0';
}

// The number that `text` begins with, which is taken off it.
std::optional<int32_t> TakeNumber(std::string_view* text) {
  int32_t value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || value < 0) return std::nullopt;
  text->remove_prefix(static_cast<size_t>(end - text->data()));
  return value;
}

bool TakeSeparator(std::string_view* text) {
  if (text->empty() || (text->front() != '.' && text->front() != '-')) return false;
  text->remove_prefix(1);
  return true;
}

// What ".rc1", "-beta.2" or "" takes off a version; nothing if it is not of that form.
std::optional<int32_t> Preliminary(std::string_view suffix) {
  if (suffix.empty()) return 0;
  TakeSeparator(&suffix);
  std::string lower(suffix);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::pair<std::string_view, int32_t> kStages[] = {
      {"alpha", 300}, {"beta", 200}, {"rc", 100}};
  for (const auto& [name, weight] : kStages) {
    std::string_view rest = lower;
    if (!rest.starts_with(name)) continue;
    rest.remove_prefix(name.size());
    if (rest.empty()) return -weight;
    TakeSeparator(&rest);
    const std::optional<int32_t> number = TakeNumber(&rest);
    if (!number || !rest.empty()) return std::nullopt;
    return *number - weight;
  }
  return std::nullopt;
}

std::optional<int32_t> VersionNumber(std::string_view text) {
  int64_t number = 0;
  for (const int32_t weight : {10000000, 100000, 1000}) {
    if (weight != 10000000 && !TakeSeparator(&text)) return std::nullopt;
    const std::optional<int32_t> part = TakeNumber(&text);
    if (!part) return std::nullopt;
    number += int64_t{weight} * *part;
  }
  const std::optional<int32_t> adjustment = Preliminary(text);
  if (!adjustment || number > INT32_MAX) return std::nullopt;
  return static_cast<int32_t>(number + *adjustment);
}

// "8.5.0" gives 8, 5, 0, 0.
std::array<std::string, 4> PartsOf(std::string_view version) {
  std::array<std::string, 4> parts;
  for (std::string& part : parts) {
    const size_t end = std::min(version.find_first_of(".-"), version.size());
    part = end == 0 ? "0" : version.substr(0, end);
    version.remove_prefix(std::min(end + 1, version.size()));
  }
  return parts;
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion* version) {
  return Entry("aclsysGetCANNVersion", [&]() -> Status {
    if (Status s = NotNull(version, "version"); !s.ok()) return s;
    if (name < ACL_PKG_NAME_CANN || name > ACL_PKG_NAME_DRIVER) {
      return Fail(ACL_ERROR_INVALID_PARAM, "name is {}, expected 0..{}", static_cast<int>(name),
                  static_cast<int>(ACL_PKG_NAME_DRIVER));
    }
    const std::string& text = Env().cann_version;
    const std::array<std::string, 4> parts = PartsOf(text);
    *version = {};
    Write(text, version->version);
    Write(parts[0], version->majorVersion);
    Write(parts[1], version->minorVersion);
    Write(parts[2], version->releaseVersion);
    Write(parts[3], version->patchVersion);
    return {};
  });
}

aclError aclsysGetVersionStr(char* pkgName, char* versionStr) {
  return Entry("aclsysGetVersionStr", [&]() -> Status {
    if (Status s = NotNull(versionStr, "versionStr"); !s.ok()) return s;
    if (Status s = CheckPackage(pkgName); !s.ok()) return s;
    const std::string& text = Env().cann_version;
    std::memcpy(versionStr, text.c_str(), text.size() + 1);
    return {};
  });
}

aclError aclsysGetVersionNum(char* pkgName, int32_t* versionNum) {
  return Entry("aclsysGetVersionNum", [&]() -> Status {
    if (Status s = NotNull(versionNum, "versionNum"); !s.ok()) return s;
    if (Status s = CheckPackage(pkgName); !s.ok()) return s;
    const std::optional<int32_t> number = VersionNumber(Env().cann_version);
    if (!number) {
      return Fail(ACL_ERROR_INTERNAL_ERROR,
                  "version \"{}\" has no number, expected the form 8.5.0 or 8.5.0.rc1",
                  Env().cann_version);
    }
    *versionNum = *number;
    return {};
  });
}
}
