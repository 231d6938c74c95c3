// SPDX-License-Identifier: Apache-2.0
// What no right call of the tests has.
#include "ops/operator_calls.h"

namespace anyacl::test {

const std::set<std::string>& NeverGiven() {
  static const std::set<std::string> kRows = {
  };
  return kRows;
}

}  // namespace anyacl::test
