// SPDX-License-Identifier: Apache-2.0
// Entry: the body of every extern "C" function that returns a code. Names the API for messages and
// is the one place where C++ exceptions stop.
#pragma once

#include <exception>
#include <new>
#include <system_error>
#include <utility>

#include "acl/acl_base.h"
#include "base/sink.h"
#include "base/status.h"

namespace anyacl {

class ApiScope {
 public:
  explicit ApiScope(const char* api) : previous_(anyaclEnterApi(api)) {}
  ~ApiScope() { anyaclLeaveApi(previous_); }
  ApiScope(const ApiScope&) = delete;
  ApiScope& operator=(const ApiScope&) = delete;

 private:
  const char* previous_;
};

// The code of a failure that must be reported even if there is no memory left for its message.
template <class... Args>
int FailedBy(int code, fmt::format_string<Args...> format, Args&&... args) noexcept {
  try {
    return Fail(code, format, std::forward<Args>(args)...).code();
  } catch (const std::exception&) {
    return code;
  }
}

// Runs `body`, a callable that returns Status, and returns its code.
template <class Body>
int Entry(const char* api, Body&& body) noexcept {
  ApiScope scope(api);
  try {
    return body().code();
  } catch (const std::bad_alloc&) {
    // The message is short enough for the error list's reserve; formatting could need memory.
    static constexpr char kText[] = "host memory is exhausted";
    anyaclRecordError(ACL_ERROR_BAD_ALLOC, kText, sizeof(kText) - 1);
    return ACL_ERROR_BAD_ALLOC;
  } catch (const std::system_error& error) {
    return FailedBy(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "the system refused a resource: {}",
                    error.what());
  } catch (const std::exception& error) {
    return FailedBy(ACL_ERROR_INTERNAL_ERROR, "internal error: {}", error.what());
  }
}

}  // namespace anyacl
