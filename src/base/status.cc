// SPDX-License-Identifier: Apache-2.0
// Formatting of errors and warnings; where they go is the runtime's business (base/sink.h).
#include "base/status.h"

#include "base/format.h"
#include "base/sink.h"

namespace anyacl {

Status FailText(int code, std::string_view text) {
  anyaclRecordError(code, text.data(), text.size());
  return Status(code);
}

Status Replay(int code) { return Status(code); }

Status FailFormatted(int code, fmt::string_view format, fmt::format_args args) {
  return FailText(code, FormatText(format, args));
}

void WarnFormatted(fmt::string_view format, fmt::format_args args) {
  const std::string text = FormatText(format, args);
  anyaclWarn(text.data(), text.size());
}

}  // namespace anyacl
