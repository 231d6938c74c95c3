// SPDX-License-Identifier: Apache-2.0
// Recent error messages and last error codes, per thread (or per process: err_msg_mode).
#pragma once

#include <string>

namespace anyacl {

// "0" of aclInit's err_msg_mode, the default, or "1".
void UsePerProcessErrorList(bool per_process);

// The message recorded last, complete as aclGetRecentErrMsg would print it; empty if none. Lets a
// stream keep the message of a failed task for the thread that will synchronise.
std::string NewestErrorMessage();

// Puts a message that another thread recorded first into this thread's list.
void RecordCarriedError(int code, const std::string& message);

// The API that this thread executes, for messages; never null.
const char* CurrentApi();

}  // namespace anyacl
