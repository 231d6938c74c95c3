// SPDX-License-Identifier: Apache-2.0
// Communicators as libhccl registers them and operators find them: by the name and the device of
// the calling thread, or by an address in their own window.
#include "runtime/rank_group.h"

#include <string_view>

#include "fixture.h"

namespace anyacl::test {
namespace {

class OneWindow final : public RankGroup {
 public:
  explicit OneWindow(std::string name) : name_(std::move(name)) {}

  const std::string& name() const override { return name_; }
  uint32_t rank() const override { return 0; }
  uint32_t size() const override { return 1; }
  Status Window(uint32_t, RankWindow* window) override {
    *window = {window_, sizeof(window_)};
    return {};
  }
  Status ExchangeArea(uint32_t, RankWindow*) override { return Fail(1, "not used"); }
  uint64_t exchange_size() const override { return 0; }
  bool InOwnWindow(const void* address) const override {
    const auto* at = static_cast<const char*>(address);
    return at >= window_ && at < window_ + sizeof(window_);
  }
  Status Send(uint32_t, const WindowMessage&, uint64_t*) override { return Fail(1, "not used"); }
  Status Failure() const override { return {}; }
  void Abort(const std::string&) override {}

  char* window() { return window_; }

 private:
  std::string name_;
  char window_[64] = {};
};

class RankGroupTest : public RuntimeTest {
 protected:
  void TearDown() override {
    for (const auto& group : groups_) anyaclUnregisterRankGroup(group.get());
    RuntimeTest::TearDown();
  }
  std::shared_ptr<OneWindow> Make(const char* name, int32_t device, int code = 0) {
    groups_.push_back(std::make_shared<OneWindow>(name));
    EXPECT_EQ(anyaclRegisterRankGroup(device, groups_.back()), code);
    return groups_.back();
  }

 private:
  std::vector<std::shared_ptr<OneWindow>> groups_;
};

TEST_F(RankGroupTest, IsFoundByNameAndDevice) {
  const auto here = Make("ring", 0);
  const auto there = Make("ring", 1);
  const auto other = Make("other", 0);
  std::shared_ptr<RankGroup> found;
  EXPECT_EQ(anyaclFindRankGroup("groupEp", "ring", &found), 0);
  EXPECT_EQ(found, here);
  EXPECT_EQ(anyaclFindRankGroup("groupEp", "other", &found), 0);
  EXPECT_EQ(found, other);
}

TEST_F(RankGroupTest, ANameIsTakenOnce) {
  Make("ring", 0);
  Make("ring", 0, ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_NE(std::string_view(aclGetRecentErrMsg()).find("\"ring\""), std::string_view::npos);
}

TEST_F(RankGroupTest, AnUnknownNameLeavesAMessage) {
  const auto group = Make("ring", 0);
  anyaclUnregisterRankGroup(group.get());
  anyaclUnregisterRankGroup(group.get());
  std::shared_ptr<RankGroup> found;
  EXPECT_EQ(anyaclFindRankGroup("groupEp", "ring", &found), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(found, nullptr);
  const std::string message = aclGetRecentErrMsg();
  EXPECT_NE(message.find("groupEp is \"ring\""), std::string::npos) << message;
  EXPECT_NE(message.find("device 0"), std::string::npos) << message;
}

TEST_F(RankGroupTest, AThreadWithoutADeviceFindsNone) {
  Make("ring", 0);
  int code = 0;
  std::thread([&] {
    std::shared_ptr<RankGroup> found;
    code = anyaclFindRankGroup("groupEp", "ring", &found);
  }).join();
  EXPECT_EQ(code, ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(RankGroupTest, IsFoundByAnAddressInItsWindow) {
  Make("ring", 0);
  const auto second = Make("ring", 1);
  std::shared_ptr<RankGroup> found;
  EXPECT_TRUE(anyaclFindWindowGroup(second->window() + 63, &found));
  EXPECT_EQ(found, second);
  EXPECT_FALSE(anyaclFindWindowGroup(second->window() + 64, &found));
  EXPECT_EQ(found, nullptr);
}

}  // namespace
}  // namespace anyacl::test
