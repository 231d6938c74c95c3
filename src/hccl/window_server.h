// SPDX-License-Identifier: Apache-2.0
// The thread that serves the windows of this process that are filled by messages: operators that
// poll their memory drive no engine.
#pragma once

#include <memory>

namespace anyacl::hccl {

class WindowGroup;

// Until its communicator has ended.
void ServeInBackground(const std::shared_ptr<WindowGroup>& group);

}  // namespace anyacl::hccl
