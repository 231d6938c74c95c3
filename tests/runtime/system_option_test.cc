// SPDX-License-Identifier: Apache-2.0
// System options of contexts and of the process.
#include "fixture.h"

namespace anyacl::test {
namespace {

TEST(SystemOptionTest, ContextValueIsUnsetAtFirst) {
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    for (auto option :
         {ACL_OPT_DETERMINISTIC, ACL_OPT_ENABLE_DEBUG_KERNEL, ACL_OPT_STRONG_CONSISTENCY}) {
      int64_t value = 0;
      EXPECT_FAILS(ACL_ERROR_RT_SYSPARAMOPT_NOT_SET, aclrtCtxGetSysParamOpt(option, &value),
                   "aclrtCtxSetSysParamOpt");
    }
  });
}

TEST(SystemOptionTest, ProcessValueIsZeroAtFirst) {
  InFreshProcess([] {
    for (int option = 0; option <= 3; ++option) {
      int64_t value = -1;
      EXPECT_OK(aclrtGetSysParamOpt(static_cast<aclSysParamOpt>(option), &value));
      EXPECT_EQ(value, 0);
    }
  });
}

TEST(SystemOptionTest, ContextSetAlsoWritesTheProcessValue) {
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
    int64_t value = 0;
    EXPECT_OK(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
    EXPECT_EQ(value, 1);
    value = 0;
    EXPECT_OK(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
    EXPECT_EQ(value, 1);
  });
}

TEST(SystemOptionTest, ProcessSetLeavesTheContextValueUnset) {
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
    int64_t value = 0;
    EXPECT_EQ(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value),
              ACL_ERROR_RT_SYSPARAMOPT_NOT_SET);
    EXPECT_OK(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
    EXPECT_EQ(value, 1);
  });
}

TEST(SystemOptionTest, ContextsKeepTheirOwnValues) {
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    aclrtContext first = nullptr;
    ASSERT_OK(aclrtGetCurrentContext(&first));
    EXPECT_OK(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
    aclrtContext second = nullptr;
    ASSERT_OK(aclrtCreateContext(&second, 0));
    int64_t value = 0;
    EXPECT_EQ(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value),
              ACL_ERROR_RT_SYSPARAMOPT_NOT_SET);
    EXPECT_OK(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0));
    EXPECT_OK(aclrtSetCurrentContext(first));
    EXPECT_OK(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
    EXPECT_EQ(value, 1);
  });
}

TEST(SystemOptionTest, EveryValueOfDeterministicIsAccepted) {
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    for (int64_t value : {0, 1, 2, 3}) {
      EXPECT_OK(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, value));
      EXPECT_OK(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, value));
    }
  });
}

TEST(SystemOptionTest, ContextOptionMustBeFromZeroToTwo) {
  ASSERT_OK(aclrtSetDevice(0));
  int64_t value = 0;
  std::vector<int> refused = BeyondEnum({-1, 4, 1000});
  refused.push_back(ACL_OPT_ENABLE_KERNEL_EARLY_START);
  for (int option : refused) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
                 aclrtCtxSetSysParamOpt(static_cast<aclSysParamOpt>(option), 1), "opt",
                 std::to_string(option), "expected");
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
                 aclrtCtxGetSysParamOpt(static_cast<aclSysParamOpt>(option), &value), "opt",
                 std::to_string(option), "expected");
  }
  EXPECT_OK(aclrtResetDevice(0));
}

TEST(SystemOptionTest, ProcessOptionMustBeFromZeroToThree) {
  int64_t value = 0;
  EXPECT_OK(aclrtSetSysParamOpt(ACL_OPT_ENABLE_KERNEL_EARLY_START, 0));
  for (int option : BeyondEnum({-1, 4, 1000})) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
                 aclrtSetSysParamOpt(static_cast<aclSysParamOpt>(option), 1), "opt",
                 std::to_string(option), "expected");
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
                 aclrtGetSysParamOpt(static_cast<aclSysParamOpt>(option), &value), "opt",
                 std::to_string(option), "expected");
  }
}

TEST(SystemOptionTest, NullResultIsRefused) {
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, nullptr),
               "value", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, nullptr),
               "value", "null");
  EXPECT_OK(aclrtResetDevice(0));
}

}  // namespace
}  // namespace anyacl::test
