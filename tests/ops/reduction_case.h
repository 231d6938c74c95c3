// SPDX-License-Identifier: Apache-2.0
// One call of a reduction as a test sees it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/reduction.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {

// All first phases behind one signature; those without an argument ignore it.
struct Reduction {
  const char* name;
  aclnnStatus (*phase1)(const aclTensor* self, const std::vector<int64_t>& dims, bool keep,
                        aclDataType dtype, aclTensor* out, uint64_t*, aclOpExecutor**);
  Phase2 phase2;
  // The type of out by default; ACL_DT_UNDEFINED: self's.
  aclDataType out = ACL_DT_UNDEFINED;
  std::vector<aclDataType> types;
  bool whole = false;    // of all dimensions, always
  bool one_dim = false;  // along one
};
const std::vector<Reduction>& AllReductions();
const Reduction& ReductionNamed(const std::string& name);

struct ReductionProblem {
  const Reduction* op;
  Layout self = {};
  std::vector<int64_t> dims = {};
  bool keep = false;
  std::vector<double> values = {};
  std::optional<aclDataType> out = {};
  std::vector<int64_t> out_strides = {};

  aclDataType out_type() const;
  bool whole() const { return op->whole; }
  uint32_t reduce() const;  // bit i: dimension i
  Layout OutLayout() const;
};

class ReductionTest : public DeviceTest {
 protected:
  void TearDown() override;
  // Powers of 2 that are mostly 1: their products stay within the types.
  std::vector<double> RandomFactors(const Layout& self);
  // Small numbers that self's type holds; some equal, some zero.
  std::vector<double> RandomValues(const Layout& self);
  std::vector<double> Run(const ReductionProblem& problem);
  void ExpectCorrect(ReductionProblem problem);
};

}  // namespace anyacl::test
