// SPDX-License-Identifier: Apache-2.0
// Fuzzes the first phases of all operators for five seconds. A failure shows the seed that makes it
// the first call. There is no corpus: a new operator makes other calls of old inputs.
#include "fuzz/operator_fuzz.h"

#include "support/device_test.h"

namespace anyacl::test {
namespace {

class OperatorFuzz : public DeviceTest {};

TEST_F(OperatorFuzz, NoArgumentsCrashAndCodesAreThoseOfTheDeclarations) {
  std::map<int, int> codes = FuzzRandomly(FuzzOperator);
  // A generator that no longer gets through, or no longer breaks anything, proves nothing.
  for (int code : {0, 161001, 161002, 561002}) EXPECT_GT(codes[code], 0) << code;
}

}  // namespace
}  // namespace anyacl::test
