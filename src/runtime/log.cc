// SPDX-License-Identifier: Apache-2.0
// Settings are read once. Nothing is written unless the environment names a destination: printing
// is switched on, or a log directory is given (CANN itself falls back to a directory under $HOME).
#include "runtime/log.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

#include "acl/acl_rt.h"
#include "base/fork_locks.h"
#include "base/format.h"
#include "base/sink.h"
#include "runtime/clock.h"

extern "C" char* program_invocation_short_name;

namespace anyacl {
namespace {

constexpr int kOff = 4;
constexpr const char* kLevelNames[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
constexpr const char* kModuleNames[] = {"ACL", "OP", "APP"};

std::string EnvText(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// A level 0..4, or `fallback` for anything else.
int LevelFrom(std::string_view text, int fallback) {
  return text.size() == 1 && text[0] >= '0' && text[0] <= '4' ? text[0] - '0' : fallback;
}

class Log {
 public:
  static Log& Instance() {
    return Shared().log.Get([] { return new Log; });
  }

  // What a fork has to wait for.
  struct Locks {
    Locks() { ForkLocks::Add(ForkOrder::kLog, writing); }

    FirstUse<Log> log{ForkOrder::kLog};
    std::mutex writing;
  };
  static Locks& Shared() {
    static auto* locks = new Locks;
    return *locks;
  }

  bool Enabled(int level, LogModule module) const {
    return file_or_print_ && level >= levels_[static_cast<size_t>(module)];
  }

  void Write(int level, LogModule module, const char* function, const char* file, int line,
             std::string_view text) {
    const LocalTime now = Now();
    const char* slash = file != nullptr ? std::strrchr(file, '/') : nullptr;
    const std::string entry =
        Format("[{}] {}({},{}):{}.{:03}.{:03} [{}:{}]{} {}:{}\n", kLevelNames[level],
               kModuleNames[static_cast<size_t>(module)], getpid(), program_invocation_short_name,
               now.text, now.microseconds / 1000, now.microseconds % 1000,
               slash != nullptr  ? slash + 1
               : file != nullptr ? file
                                 : "",
               line, syscall(SYS_gettid), function != nullptr ? function : "", text);
    std::lock_guard lock(Shared().writing);
    if (print_) {
      std::FILE* out = level == ACL_ERROR ? stderr : stdout;
      std::fwrite(entry.data(), 1, entry.size(), out);
      std::fflush(out);
    }
    if (std::FILE* out = OpenFile()) {
      std::fwrite(entry.data(), 1, entry.size(), out);
      std::fflush(out);
    }
  }

 private:
  Log() {
    const int global = LevelFrom(EnvText("ASCEND_GLOBAL_LOG_LEVEL"), ACL_ERROR);
    levels_.fill(global);
    const std::string modules = EnvText("ASCEND_MODULE_LOG_LEVEL");  // "ACL=1:OP=0"
    for (size_t begin = 0; begin < modules.size();) {
      const size_t end = std::min(modules.find(':', begin), modules.size());
      const std::string item = modules.substr(begin, end - begin);
      const size_t equals = item.find('=');
      for (size_t m = 0; m < levels_.size() && equals != std::string::npos; ++m) {
        if (item.substr(0, equals) == kModuleNames[m]) {
          levels_[m] = LevelFrom(item.substr(equals + 1), global);
        }
      }
      begin = end + 1;
    }
    // The newer name wins where both are set.
    std::string print = EnvText("ASCEND_LOG_PRINT_TO_STDOUT");
    if (print.empty()) print = EnvText("ASCEND_SLOG_PRINT_TO_STDOUT");
    print_ = print == "1";
    directory_ = EnvText("ASCEND_PROCESS_LOG_PATH");
    if (directory_.empty() && !EnvText("ASCEND_WORK_PATH").empty()) {
      directory_ = EnvText("ASCEND_WORK_PATH") + "/log";
    }
    file_or_print_ = print_ || !directory_.empty();
  }

  // <directory>/debug/plog/plog-<pid>.log, opened at the first line; called under the lock.
  std::FILE* OpenFile() {
    if (directory_.empty() || file_pid_ == getpid()) return file_;
    file_pid_ = getpid();  // a forked child gets a file of its own
    std::string path = directory_;
    mkdir(path.c_str(), 0750);
    for (const char* part : {"/debug", "/plog"}) mkdir((path += part).c_str(), 0750);
    file_ = std::fopen(Format("{}/plog-{}.log", path, file_pid_).c_str(), "a");
    return file_;
  }

  std::array<int, 3> levels_;
  bool print_ = false;
  bool file_or_print_ = false;
  std::string directory_;
  std::FILE* file_ = nullptr;
  pid_t file_pid_ = 0;
};

[[maybe_unused]] const bool kLogMadeAtLoad = (Log::Shared(), true);

}  // namespace

bool LogEnabled(aclLogLevel level, LogModule module) {
  return level >= ACL_DEBUG && level < kOff && Log::Instance().Enabled(level, module);
}

void WriteLog(aclLogLevel level, LogModule module, const char* function, const char* file, int line,
              std::string_view text) {
  if (LogEnabled(level, module)) {
    Log::Instance().Write(level, module, function, file, line, text);
  }
}

}  // namespace anyacl

extern "C" {

void anyaclWarn(const char* text, size_t size) {
  anyacl::WriteLog(ACL_WARNING, anyacl::LogModule::kAcl, nullptr, nullptr, 0, {text, size});
}

void aclAppLog(aclLogLevel log_level, const char* func, const char* file, uint32_t line,
               const char* format, ...) {
  if (format == nullptr || !anyacl::LogEnabled(log_level, anyacl::LogModule::kApp)) return;
  char text[1024];  // documented: longer lines are cut
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  anyacl::WriteLog(log_level, anyacl::LogModule::kApp, func, file, static_cast<int>(line), text);
}
}
