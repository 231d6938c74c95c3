// SPDX-License-Identifier: Apache-2.0
// Threads of ours inside a client's process.
#pragma once

#include <functional>

namespace anyacl {

// Starts a detached thread that takes no signals from the client's own threads: a handler expects
// one of those, and a blocking call of theirs to be interrupted. Only what a thread brings on
// itself, such as SIGSEGV, reaches the handler from here. Throws std::system_error.
void StartThread(std::function<void()> body);

}  // namespace anyacl
