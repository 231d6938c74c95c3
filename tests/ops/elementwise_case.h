// SPDX-License-Identifier: Apache-2.0
// Calls of the element-wise operators through their C functions, whatever their signatures are, and
// values of every type as double.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reference/elementwise.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {

using Tensors = std::vector<aclTensor*>;
using ScalarList = std::vector<const aclScalar*>;

// An operator: its name, its two phases, and what the first one takes.
struct ElementwiseOperator {
  using First =
      std::function<aclnnStatus(const Tensors& in, const ScalarList& scalars, aclTensor* out,
                                uint64_t* workspace_size, aclOpExecutor** executor)>;
  std::string name;
  Phase2 second;
  int inputs;
  int scalars;
  bool in_place;  // the first input is the output
  First first;
};

void PrintTo(const ElementwiseOperator& op, std::ostream* out);

const std::vector<ElementwiseOperator>& ElementwiseOperators();
const ElementwiseOperator& OperatorNamed(const std::string& name);

bool IsFloating(aclDataType dtype);

// The distance of neighbouring numbers of a floating-point type at a value.
double UlpAt(aclDataType dtype, double value);

// A scalar for the duration of a call.
class ScalarHandle {
 public:
  ScalarHandle(double value, aclDataType dtype);
  ~ScalarHandle() { aclDestroyScalar(handle_); }
  ScalarHandle(const ScalarHandle&) = delete;
  ScalarHandle& operator=(const ScalarHandle&) = delete;
  const aclScalar* get() const { return handle_; }

 private:
  aclScalar* handle_;
};

}  // namespace anyacl::test
