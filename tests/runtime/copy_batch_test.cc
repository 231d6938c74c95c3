// SPDX-License-Identifier: Apache-2.0
// Many copies in one call.
#include <cstring>
#include <numeric>

#include "fixture.h"

namespace anyacl::test {
namespace {

class CopyBatchTest : public RuntimeTest {
 protected:
  static constexpr size_t kCount = 5, kSize = 300;

  void SetUp() override {
    RuntimeTest::SetUp();
    host_.resize(kCount, std::vector<uint8_t>(kSize));
    for (size_t i = 0; i < kCount; ++i) {
      std::iota(host_[i].begin(), host_[i].end(), static_cast<uint8_t>(i * 17));
      dsts_.push_back(NewDeviceMemory(kSize));
      srcs_.push_back(host_[i].data());
      EXPECT_OK(aclrtMemset(dsts_[i], kSize, 0xEE, kSize));
    }
  }
  void ExpectCopied(size_t count = kCount) {
    for (size_t i = 0; i < kCount; ++i) {
      const bool same = std::memcmp(dsts_[i], srcs_[i], sizes_[i]) == 0;
      EXPECT_EQ(same, i < count && sizes_[i] > 0) << i;
    }
  }
  int Batch() {
    return aclrtMemcpyBatch(dsts_.data(), maxs_.data(), srcs_.data(), sizes_.data(), count_,
                            attributes_.data(), indexes_.data(), indexes_.size(), &fail_);
  }

  std::vector<std::vector<uint8_t>> host_;
  std::vector<void*> dsts_, srcs_;
  std::vector<size_t> maxs_ = std::vector<size_t>(kCount, kSize);
  std::vector<size_t> sizes_ = std::vector<size_t>(kCount, kSize);
  std::vector<size_t> indexes_ = {0, 3};
  std::vector<aclrtMemcpyBatchAttr> attributes_ = std::vector<aclrtMemcpyBatchAttr>(2);
  size_t count_ = kCount;
  size_t fail_ = 0;
};

TEST_F(CopyBatchTest, CopiesAll) {
  EXPECT_OK(Batch());
  EXPECT_EQ(fail_, SIZE_MAX);
  ExpectCopied();
}

TEST_F(CopyBatchTest, AsynchronousAndV2CopyAll) {
  aclrtStream stream = NewStream();
  EXPECT_OK(aclrtMemcpyBatchAsync(dsts_.data(), maxs_.data(), srcs_.data(), sizes_.data(), kCount,
                                  attributes_.data(), indexes_.data(), 2, &fail_, stream));
  EXPECT_EQ(fail_, SIZE_MAX);
  // The sources are pageable: all is done.
  ExpectCopied();
  std::vector<void*> back;
  for (size_t i = 0; i < kCount; ++i) back.push_back(NewDeviceMemory(kSize));
  EXPECT_OK(aclrtMemcpyBatchAsyncV2(back.data(), maxs_.data(), dsts_.data(), sizes_.data(), kCount,
                                    attributes_.data(), indexes_.data(), 2, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  for (size_t i = 0; i < kCount; ++i) EXPECT_EQ(std::memcmp(back[i], srcs_[i], kSize), 0);
  for (void* each : dsts_) EXPECT_OK(aclrtMemset(each, kSize, 0, kSize));
  EXPECT_OK(aclrtMemcpyBatchV2(dsts_.data(), maxs_.data(), srcs_.data(), sizes_.data(), kCount,
                               attributes_.data(), indexes_.data(), 2));
  ExpectCopied();
}

TEST_F(CopyBatchTest, StreamOrderHolds) {
  aclrtStream stream = NewStream();
  Gate gate;
  gate.BlockNow(stream);
  std::vector<void*> back;
  for (size_t i = 0; i < kCount; ++i) back.push_back(NewDeviceMemory(kSize));
  EXPECT_OK(aclrtMemcpyBatchAsync(back.data(), maxs_.data(), dsts_.data(), sizes_.data(), kCount,
                                  attributes_.data(), indexes_.data(), 2, &fail_, stream));
  EXPECT_OK(aclrtMemset(dsts_[0], kSize, 0x5A, kSize));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(static_cast<uint8_t*>(back[0])[kSize - 1], 0x5A);
}

TEST_F(CopyBatchTest, NamesTheCopyThatFails) {
  maxs_[2] = kSize - 1;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtMemcpyBatch(dsts_.data(), maxs_.data(), srcs_.data(), sizes_.data(), kCount,
                                attributes_.data(), indexes_.data(), 2, &fail_),
               "sizes[2]", "destMaxs[2]", "299");
  EXPECT_EQ(fail_, 2u);
  ExpectCopied(0);
  maxs_[2] = kSize;
  sizes_[3] = maxs_[3] = kSize * 2;
  EXPECT_EQ(Batch(), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(fail_, 3u);
}

TEST_F(CopyBatchTest, EmptyCopiesAreLegal) {
  sizes_[1] = 0;
  dsts_[1] = nullptr;
  maxs_[1] = 0;
  EXPECT_OK(Batch());
  sizes_.assign(kCount, 0);
  EXPECT_OK(aclrtMemcpyBatch(nullptr, nullptr, nullptr, sizes_.data(), kCount, nullptr, nullptr, 0,
                             &fail_));
  EXPECT_EQ(fail_, SIZE_MAX);
}

TEST_F(CopyBatchTest, BadArgumentsAreRefused) {
  const auto refused = [&](int code = ACL_ERROR_INVALID_PARAM) {
    EXPECT_EQ(Batch(), code);
    ExpectCopied(0);
  };
  indexes_ = {1, 3};
  refused();
  indexes_ = {0, 0};
  refused();
  indexes_ = {0, kCount};
  refused();
  indexes_ = {};
  refused();
  indexes_ = {0};
  attributes_[0].rsv[3] = 1;
  refused();
  attributes_[0].rsv[3] = 0;
  count_ = 0;
  refused();
  count_ = kCount;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtMemcpyBatch(dsts_.data(), maxs_.data(), srcs_.data(), sizes_.data(), kCount,
                                attributes_.data(), indexes_.data(), 1, nullptr),
               "failIndex", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtMemcpyBatchV2(dsts_.data(), maxs_.data(), nullptr, sizes_.data(), kCount,
                                  attributes_.data(), indexes_.data(), 1),
               "srcs", "null");
  std::vector<uint8_t> target(kSize);
  std::vector<void*> host(kCount, target.data());
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtMemcpyBatchAsync(host.data(), maxs_.data(), srcs_.data(), sizes_.data(), kCount,
                                     attributes_.data(), indexes_.data(), 1, &fail_, nullptr),
               "host");
}

}  // namespace
}  // namespace anyacl::test
