// SPDX-License-Identifier: Apache-2.0
// The C symbols through which all three libraries reach the one error list and the one log, which
// live in libascendcl. C linkage because no C++ symbol leaves a library.
#pragma once

#include <stddef.h>

#pragma GCC visibility push(default)
extern "C" {

// Adds a message to the calling thread's error list (or the process's, see err_msg_mode), remembers
// `code` as the thread's last error and logs the message at ERROR level.
void anyaclRecordError(int code, const char* text, size_t size);

void anyaclWarn(const char* text, size_t size);

// Names the API that this thread executes, for messages; returns the previous name (may be null).
const char* anyaclEnterApi(const char* api);
void anyaclLeaveApi(const char* previous);
}
#pragma GCC visibility pop
