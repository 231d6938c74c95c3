// SPDX-License-Identifier: Apache-2.0
#include "base/thread.h"

#include <pthread.h>
#include <signal.h>

#include <thread>
#include <utility>

namespace anyacl {
namespace {

// A thread inherits the mask of the one that starts it.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t blocked;
    sigfillset(&blocked);
    // While they are blocked the kernel ends the process without asking the client's handler.
    for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT}) {
      sigdelset(&blocked, own);
    }
    pthread_sigmask(SIG_BLOCK, &blocked, &saved_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &saved_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t saved_;
};

}  // namespace

void StartThread(std::function<void()> body) {
  const BlockedSignals blocked;
  std::thread(std::move(body)).detach();
}

}  // namespace anyacl
