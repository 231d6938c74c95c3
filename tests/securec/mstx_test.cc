// SPDX-License-Identifier: Apache-2.0
// MSTX without a tool: everything is accepted, nothing happens.
#include <gtest/gtest.h>

#include "mstx/ms_tools_ext.h"

namespace anyacl::test {
namespace {

TEST(MstxTest, AnythingIsAcceptedAndNothingHappens) {
  for (const char* text : {"text", static_cast<const char*>(nullptr)}) {
    mstxMarkA(text, nullptr);
    EXPECT_EQ(mstxRangeStartA(text, nullptr), mstxRangeId{MSTX_INVALID_ID});
    mstxRangeEnd(4711);
    const mstxDomainHandle_t domain = mstxDomainCreateA(text);
    EXPECT_EQ(domain, globalDomain);
    mstxDomainMarkA(domain, text, nullptr);
    EXPECT_EQ(mstxDomainRangeStartA(domain, text, nullptr), mstxRangeId{MSTX_INVALID_ID});
    mstxDomainRangeEnd(domain, 4711);
    EXPECT_EQ(mstxMemHeapRegister(domain, nullptr), nullptr);
    mstxMemRegionsRegister(domain, nullptr);
    mstxMemRegionsUnregister(domain, nullptr);
    mstxMemHeapUnregister(domain, nullptr);
    mstxDomainDestroy(domain);
  }
  uint64_t id = 7;
  mstxGetToolId(&id);
  EXPECT_EQ(id, uint64_t{MSTX_TOOL_INVALID_ID});
  mstxGetToolId(nullptr);
}

}  // namespace
}  // namespace anyacl::test
