// SPDX-License-Identifier: Apache-2.0
// What tests of models built by hand share: persistent streams, words in device memory, labels.
#pragma once

#include <cstdint>
#include <vector>

#include "fixture.h"

namespace anyacl::test {

using ModelTest = RuntimeTest;

inline aclrtStream NewPersistentStream() {
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_PERSISTENT));
  return stream;
}

// Device memory of one word, which host functions and the test write.
template <class T>
class Word {
 public:
  explicit Word(T value) { Set(value); }
  T* address() { return address_; }
  void Set(T value) { __atomic_store_n(address_, value, __ATOMIC_RELEASE); }
  T Get() { return __atomic_load_n(address_, __ATOMIC_ACQUIRE); }

 private:
  T* const address_ = static_cast<T*>(NewDeviceMemory(sizeof(uint64_t)));
};

// A model with streams, each of which is released with it.
class Model {
 public:
  Model() { EXPECT_OK(aclmdlRIBuildBegin(&handle_, 0)); }
  ~Model() {
    if (handle_ == nullptr) return;
    EXPECT_OK(aclmdlRIDestroy(handle_));
  }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  aclrtStream Bind(uint32_t flag) {
    aclrtStream stream = NewPersistentStream();
    EXPECT_OK(aclmdlRIBindStream(handle_, stream, flag));
    return stream;
  }
  aclrtStream Head() { return Bind(ACL_MODEL_STREAM_FLAG_HEAD); }
  aclrtStream Other() { return Bind(ACL_MODEL_STREAM_FLAG_DEFAULT); }
  void End(aclrtStream stream) {
    EXPECT_OK(aclmdlRIEndTask(handle_, stream));
    EXPECT_OK(aclmdlRIBuildEnd(handle_, nullptr));
  }
  int Run() {
    if (const int code = aclmdlRIExecuteAsync(handle_, on); code != 0) return code;
    return aclrtSynchronizeStream(on);
  }
  aclmdlRI handle() const { return handle_; }
  void Forget() { handle_ = nullptr; }

  const aclrtStream on = NewStream();

 private:
  aclmdlRI handle_ = nullptr;
};

// Labels in a list.
struct Labels {
  explicit Labels(size_t count) : labels(count) {
    for (aclrtLabel& label : labels) EXPECT_OK(aclrtCreateLabel(&label));
    EXPECT_OK(aclrtCreateLabelList(labels.data(), count, &list));
  }
  ~Labels() {
    EXPECT_OK(aclrtDestroyLabelList(list));
    for (aclrtLabel label : labels) EXPECT_OK(aclrtDestroyLabel(label));
  }
  Labels(const Labels&) = delete;
  Labels& operator=(const Labels&) = delete;

  void SwitchBy(Word<uint32_t>& index, aclrtStream stream) const {
    EXPECT_OK(aclrtSwitchLabelByIndex(index.address(), static_cast<uint32_t>(labels.size()), list,
                                      stream));
  }

  std::vector<aclrtLabel> labels;
  aclrtLabelList list = nullptr;
};

}  // namespace anyacl::test
