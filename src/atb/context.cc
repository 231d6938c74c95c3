// SPDX-License-Identifier: Apache-2.0
#include "atb/context.h"

#include <atomic>

#include "atb/launched.h"

namespace anyacl::atb_library {
namespace {

class StreamContext final : public atb::Context {
 public:
  atb::Status SetExecuteStream(aclrtStream stream) override {
    stream_ = stream;
    return atb::NO_ERROR;
  }
  aclrtStream GetExecuteStream() const override { return stream_; }
  atb::Status SetAsyncTilingCopyStatus(bool enable) override {
    copies_tiling_ = enable;
    return atb::NO_ERROR;
  }
  bool GetAsyncTilingCopyStatus() const override { return copies_tiling_; }

 private:
  std::atomic<aclrtStream> stream_{nullptr};
  std::atomic<bool> copies_tiling_{false};
};

Status NoContext() {
  return Fail(atb::ERROR_INVALID_CONTEXT_ADDR, "context is null, expected an address");
}

}  // namespace
}  // namespace anyacl::atb_library

namespace atb {

Status CreateContext(Context** context) {
  return anyacl::atb_library::AtbEntry("CreateContext", [&]() -> anyacl::Status {
    if (context == nullptr) return anyacl::atb_library::NoContext();
    *context = new anyacl::atb_library::StreamContext;
    return {};
  });
}

Status DestroyContext(Context* context) {
  return anyacl::atb_library::AtbEntry("DestroyContext", [&]() -> anyacl::Status {
    if (context == nullptr) return anyacl::atb_library::NoContext();
    delete context;
    return {};
  });
}

}  // namespace atb
