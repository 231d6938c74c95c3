// SPDX-License-Identifier: Apache-2.0
// Options of a compiler that does not exist: kept, because clients read them back.
#include <array>
#include <cstring>
#include <mutex>
#include <string>

#include "acl/acl_op_compiler.h"
#include "base/entry.h"
#include "base/fork_locks.h"

namespace anyacl {
namespace {

struct Options {
  std::mutex mutex;
  std::array<std::string, ACL_OP_DEBUG_OPTION + 1> values;
};

Options& State() {
  static Options* state = [] {
    auto* created = new Options;
    ForkLocks::Add(ForkOrder::kSettings, created->mutex);
    return created;
  }();
  return *state;
}
[[maybe_unused]] const bool kOptionsMadeAtLoad = (State(), true);

bool IsOption(aclCompileOpt opt) { return opt >= 0 && opt <= ACL_OP_DEBUG_OPTION; }

// What a device of the generations offered answers whatever was set: torch_npu asks for it at its
// first use and wants "disable".
constexpr const char* kJitCompile = "disable";

std::string ValueOf(aclCompileOpt opt) {
  if (opt == ACL_OP_JIT_COMPILE) return kJitCompile;
  Options& options = State();
  std::lock_guard lock(options.mutex);
  return options.values[opt];
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclSetCompileopt(aclCompileOpt opt, const char* value) {
  return Entry("aclSetCompileopt", [&]() -> Status {
    if (value == nullptr) return Fail(ACL_ERROR_INVALID_PARAM, "value is null, expected a text");
    if (opt == ACL_AUTO_TUNE_MODE) {
      return Fail(ACL_ERROR_FEATURE_UNSUPPORTED, "opt is ACL_AUTO_TUNE_MODE, which is withdrawn");
    }
    if (!IsOption(opt)) {
      return Fail(ACL_ERROR_INTERNAL_ERROR, "opt is {}, expected 0..{}", static_cast<int>(opt),
                  static_cast<int>(ACL_OP_DEBUG_OPTION));
    }
    Options& options = State();
    std::lock_guard lock(options.mutex);
    options.values[opt] = value;
    return {};
  });
}

size_t aclGetCompileoptSize(aclCompileOpt opt) {
  size_t size = 0;
  (void)Entry("aclGetCompileoptSize", [&]() -> Status {
    if (!IsOption(opt)) return {};
    const std::string value = ValueOf(opt);
    if (!value.empty()) size = value.size() + 1;
    return {};
  });
  return size;
}

aclError aclGetCompileopt(aclCompileOpt opt, char* value, size_t length) {
  return Entry("aclGetCompileopt", [&]() -> Status {
    if (value == nullptr) return Fail(ACL_ERROR_INVALID_PARAM, "value is null, expected a buffer");
    if (opt != ACL_OP_JIT_COMPILE && opt != ACL_OP_DEBUG_OPTION) {
      return Fail(ACL_ERROR_API_NOT_SUPPORT,
                  "opt is {}, expected ACL_OP_JIT_COMPILE or ACL_OP_DEBUG_OPTION",
                  static_cast<int>(opt));
    }
    const std::string text = ValueOf(opt);
    if (text.empty()) {
      return Fail(ACL_ERROR_API_NOT_SUPPORT, "opt {} has not been set", static_cast<int>(opt));
    }
    if (length <= text.size()) {
      return Fail(ACL_ERROR_INVALID_PARAM, "length is {}, expected at least {} for \"{}\"", length,
                  text.size() + 1, text);
    }
    std::memcpy(value, text.c_str(), text.size() + 1);
    return {};
  });
}

aclError aclopSetCompileFlag(aclOpCompileFlag flag) {
  return Entry("aclopSetCompileFlag", [&]() -> Status {
    if (flag == ACL_OP_COMPILE_DEFAULT || flag == ACL_OP_COMPILE_FUZZ) return {};
    return Fail(ACL_ERROR_INVALID_PARAM, "flag is {}, expected 0 or 1", static_cast<int>(flag));
  });
}
}
