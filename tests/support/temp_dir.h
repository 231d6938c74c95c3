// SPDX-License-Identifier: Apache-2.0
// A directory of a test's own under the system's temporary one, removed at its end.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
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
  }
  ~TempDir() { std::filesystem::remove_all(path_); }
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
  std::filesystem::path path_;
};

}  // namespace anyacl::test
