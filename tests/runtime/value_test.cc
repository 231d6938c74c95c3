// SPDX-License-Identifier: Apache-2.0
// Words of memory that streams write and wait for, and hints to the cache.
#include <atomic>
#include <cstdint>

#include "capture_calls.h"

namespace anyacl::test {
namespace {

using ValueTest = RuntimeTest;

class Word {
 public:
  explicit Word(uint64_t value) { Set(value); }
  ~Word() {
    if (address_ != nullptr) Free();
  }
  Word(const Word&) = delete;
  Word& operator=(const Word&) = delete;
  uint64_t* address() { return address_; }
  void Set(uint64_t value) { __atomic_store_n(address_, value, __ATOMIC_RELEASE); }
  uint64_t Get() { return __atomic_load_n(address_, __ATOMIC_ACQUIRE); }
  void Free() {
    EXPECT_OK(aclrtFree(address_));
    address_ = nullptr;
  }

 private:
  uint64_t* address_ = static_cast<uint64_t*>(NewDeviceMemory(sizeof(uint64_t)));
};

bool IsIdle(aclrtStream stream) {
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  EXPECT_OK(aclrtStreamQuery(stream, &status));
  return status == ACL_STREAM_STATUS_COMPLETE;
}

TEST_F(ValueTest, AWriteIsInTheOrderOfItsStream) {
  aclrtStream stream = NewStream();
  Word word(1);
  Gate gate;
  gate.BlockNow(stream);
  EXPECT_OK(aclrtValueWrite(word.address(), 0x123456789abcdef0, 0, stream));
  EXPECT_EQ(word.Get(), 1u);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(word.Get(), 0x123456789abcdef0u);
}

TEST_F(ValueTest, AStreamWaitsForWhatAnotherWrites) {
  aclrtStream writer = NewStream(), reader = NewStream();
  Word word(0);
  std::atomic<int> before{0}, after{0};
  Gate gate;
  gate.BlockNow(writer);
  Launch(writer, before);
  EXPECT_OK(aclrtValueWrite(word.address(), 5, 0, writer));
  EXPECT_OK(aclrtValueWait(word.address(), 5, ACL_STREAM_WAIT_VALUE_EQ, reader));
  Launch(reader, after);
  EXPECT_FALSE(IsIdle(reader));
  EXPECT_EQ(after, 0);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(reader));
  EXPECT_EQ(before, 1);
  EXPECT_EQ(after, 1);
}

TEST_F(ValueTest, TheHostMayWrite) {
  aclrtStream stream = NewStream();
  Word word(0);
  EXPECT_OK(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
  EXPECT_FALSE(IsIdle(stream));
  word.Set(1);
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

// Of each condition a word that meets it and one that does not.
TEST_F(ValueTest, Conditions) {
  struct Case {
    uint32_t condition;
    uint64_t value, met, unmet;
  };
  const Case cases[] = {
      {ACL_STREAM_WAIT_VALUE_GEQ, 10, 10, 9},
      {ACL_STREAM_WAIT_VALUE_GEQ, UINT64_MAX, 3, UINT64_MAX - 1},  // as numbers that wrap around
      {ACL_STREAM_WAIT_VALUE_EQ, 7, 7, 8},
      {ACL_STREAM_WAIT_VALUE_AND, 6, 2, 9},
      {ACL_STREAM_WAIT_VALUE_NOR, 1, 2, UINT64_MAX - 1},
  };
  aclrtStream stream = NewStream();
  for (const Case& c : cases) {
    Word word(c.unmet);
    EXPECT_OK(aclrtValueWait(word.address(), c.value, c.condition, stream));
    SCOPED_TRACE(c.condition);
    ExpectBusy(stream);
    word.Set(c.met);
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_OK(aclrtValueWait(word.address(), c.value, c.condition, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
  }
}

TEST_F(ValueTest, AnAbortEndsAWaitAndWhatIsBehind) {
  aclrtStream stream = NewStream();
  Word word(0);
  std::atomic<int> after{0};
  EXPECT_OK(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
  Launch(stream, after);
  EXPECT_OK(aclrtStreamAbort(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(after, 0);
}

TEST_F(ValueTest, AResetEndsAWaitAndWhatIsBehind) {
  std::atomic<int> after{0};
  aclrtStream stream = NewStream();
  void* word = NewDeviceMemory(8);
  EXPECT_OK(aclrtMemset(word, 8, 0, 8));
  EXPECT_OK(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
  Launch(stream, after);
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_EQ(after, 0);
}

TEST_F(ValueTest, FreeingTheWordFailsTheWait) {
  aclrtStream stream = NewStream();
  Word word(0);
  EXPECT_OK(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
  word.Free();
  ExpectFails(ACL_ERROR_RT_PARAM_INVALID, "aclrtValueWait(",
              [&] { return aclrtSynchronizeStream(stream); }, {"freed"});
}

TEST_F(ValueTest, AGraphWaitsAndWritesWithEachReplay) {
  aclrtStream stream = NewStream();
  Word in(0), out(0);
  Begin(stream);
  EXPECT_OK(aclrtValueWait(in.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
  EXPECT_OK(aclrtValueWrite(in.address(), 0, 0, stream));
  EXPECT_OK(aclrtValueWrite(out.address(), 9, 0, stream));
  aclmdlRI graph = End(stream);
  for (int i = 0; i < 2; ++i) {
    out.Set(0);
    EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
    EXPECT_FALSE(IsIdle(stream));
    in.Set(1);
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(out.Get(), 9u);
  }
  EXPECT_OK(aclmdlRIDestroy(graph));
}

TEST_F(ValueTest, RefusesWrongArguments) {
  aclrtStream s = NewStream();
  Word word(0);
  uint64_t host = 0;
  void* odd = reinterpret_cast<char*>(word.address()) + 4;
  const int invalid = ACL_ERROR_RT_PARAM_INVALID;
  EXPECT_FAILS(100000, aclrtValueWrite(nullptr, 0, 0, s), "devAddr");
  EXPECT_FAILS(invalid, aclrtValueWrite(word.address(), 0, 1, s), "flag");
  EXPECT_FAILS(invalid, aclrtValueWrite(&host, 0, 0, s), "devAddr");
  EXPECT_FAILS(invalid, aclrtValueWrite(odd, 0, 0, s), "8");
  EXPECT_FAILS(100000, aclrtValueWait(nullptr, 0, 0, s), "devAddr");
  EXPECT_FAILS(invalid, aclrtValueWait(word.address(), 0, 4, s), "flag");
  EXPECT_FAILS(invalid, aclrtValueWait(&host, 0, 0, s), "devAddr");
  EXPECT_FAILS(invalid, aclrtValueWait(odd, 0, 0, s), "8");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtValueWait(word.address(), 0, 0, word.address()),
               "stream");
}

TEST_F(ValueTest, CacheHintsChangeNothing) {
  aclrtStream stream = NewStream();
  const size_t size = size_t{1} << 20;
  auto* memory = static_cast<unsigned char*>(NewDeviceMemory(size));
  EXPECT_OK(aclrtMemset(memory, size, 7, size));
  for (auto type : {ACL_RT_CMO_TYPE_PREFETCH, ACL_RT_CMO_TYPE_WRITEBACK, ACL_RT_CMO_TYPE_INVALID,
                    ACL_RT_CMO_TYPE_FLUSH}) {
    EXPECT_OK(aclrtCmoAsync(memory, size, type, stream));
  }
  size_t description_size = 0;
  EXPECT_OK(aclrtCmoGetDescSize(&description_size));
  void* description = NewDeviceMemory(description_size);
  EXPECT_OK(aclrtCmoSetDesc(description, memory, size));
  EXPECT_OK(aclrtCmoAsyncWithDesc(description, ACL_RT_CMO_TYPE_PREFETCH, stream, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(memory[0], 7);
  EXPECT_EQ(memory[size - 1], 7);
}

TEST_F(ValueTest, CacheHintsRefuseWrongArguments) {
  aclrtStream s = NewStream();
  char* memory = static_cast<char*>(NewDeviceMemory(64));
  char host[64] = {};
  const auto prefetch = ACL_RT_CMO_TYPE_PREFETCH;
  const int invalid = ACL_ERROR_RT_PARAM_INVALID;
  EXPECT_FAILS(100000, aclrtCmoAsync(nullptr, 8, prefetch, s), "src");
  EXPECT_FAILS(100000, aclrtCmoAsync(memory, 0, prefetch, s), "size");
  EXPECT_FAILS(invalid, aclrtCmoAsync(memory, 1 << 20, prefetch, s), "src");
  EXPECT_FAILS(invalid, aclrtCmoAsync(host, 8, prefetch, s), "src");
  EXPECT_FAILS(100000, aclrtCmoGetDescSize(nullptr), "size");
  EXPECT_FAILS(100000, aclrtCmoSetDesc(nullptr, memory, 8), "cmoDesc");
  EXPECT_FAILS(invalid, aclrtCmoSetDesc(host, memory, 8), "cmoDesc");
  EXPECT_FAILS(invalid, aclrtCmoAsyncWithDesc(host, prefetch, s, nullptr), "cmoDesc");
  EXPECT_FAILS(invalid, aclrtCmoAsyncWithDesc(memory, prefetch, s, memory), "reserve");
  // A description that nobody wrote fails when the stream gets there.
  EXPECT_OK(aclrtMemset(memory, 64, 0, 64));
  EXPECT_OK(aclrtCmoAsyncWithDesc(memory, prefetch, s, nullptr));
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_INVALID_PARAM);
  aclrtBarrierTaskInfo info = {};
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtCmoWaitBarrier(&info, s, 0), "aclrtCmoAsync");
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtCmoAsyncWithBarrier(memory, 8, prefetch, 0, s), "aclrtCmoAsync");
  for (int type : BeyondEnum({-1, 4})) {
    EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                 aclrtCmoAsync(memory, 8, static_cast<aclrtCmoType>(type), s), "cmoType");
  }
}

}  // namespace
}  // namespace anyacl::test
