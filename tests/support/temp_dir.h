// SPDX-License-Identifier: Apache-2.0
// A directory of a test's own under the system's temporary one, removed at its end or when the
// process that made it exits: a test that InFreshProcess starts again exits in its middle.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace anyacl::test {

inline std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class TempDir {
 public:
  TempDir() {
    std::string name = (std::filesystem::temp_directory_path() / "anyacl_XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    path_ = name;
    Makers()[path_] = getpid();
  }
  ~TempDir() {
    std::filesystem::remove_all(path_);
    Makers().erase(path_);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // Makes the directories on the way to the file, too.
  void Write(const std::string& file, const std::string& content) const {
    std::filesystem::create_directories((path_ / file).parent_path());
    std::ofstream(path_ / file) << content;
  }

  // The text of all files below.
  std::string Contents() const {
    std::string text;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
      if (entry.is_regular_file()) text += ReadFile(entry.path());
    }
    return text;
  }

 private:
  // The processes that made the directories that are there; a forked one knows its parent's.
  static std::map<std::filesystem::path, pid_t>& Makers() {
    static auto* const makers = [] {
      std::atexit(&RemoveOwn);
      return new std::map<std::filesystem::path, pid_t>;
    }();
    return *makers;
  }
  static void RemoveOwn() {
    for (const auto& [path, maker] : Makers()) {
      if (maker == getpid()) std::filesystem::remove_all(path);
    }
  }

  std::filesystem::path path_;
};

}  // namespace anyacl::test
