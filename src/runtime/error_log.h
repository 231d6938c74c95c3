// SPDX-License-Identifier: Apache-2.0
// Recent error messages and last error codes, per thread (or per process: err_msg_mode).
#pragma once

#include <string>
#include <utility>

namespace anyacl {

// "0" of aclInit's err_msg_mode, the default, or "1".
void UsePerProcessErrorList(bool per_process);

// While it lives, what fails in this thread is kept here instead of in a list: a task of a stream
// fails in whatever thread runs it, and the one that synchronises is to learn of it, once.
class ErrorCapture {
 public:
  ErrorCapture();
  ~ErrorCapture();
  ErrorCapture(const ErrorCapture&) = delete;
  ErrorCapture& operator=(const ErrorCapture&) = delete;

  // The message recorded last, complete as aclGetRecentErrMsg would print it; empty if there is
  // none or memory was too short to keep it.
  std::string TakeNewest() { return std::move(newest_); }

  void Keep(std::string message, std::string text = "") {
    newest_ = std::move(message);
    text_ = std::move(text);
  }

  // What the newest message of this thread's capture says, without code and time.
  static std::string TextInThread();

  // While it lives, the client's own code runs: its failing calls are its own to ask for.
  class Suspended {
   public:
    Suspended();
    ~Suspended();
    Suspended(const Suspended&) = delete;
    Suspended& operator=(const Suspended&) = delete;

   private:
    ErrorCapture* const capture_;
  };

 private:
  std::string newest_;
  std::string text_;
  ErrorCapture* const outer_;
};

// Puts a message that was captured into this thread's list, or into the capture around.
void RecordCarriedError(int code, const std::string& message);

// The API that this thread executes, for messages; never null.
const char* CurrentApi();

}  // namespace anyacl
