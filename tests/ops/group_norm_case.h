// SPDX-License-Identifier: Apache-2.0
// One call of aclnnGroupNormBackward as a test sees it: values in logical order, layouts that can
// be changed, the tensors made of them, the results read back and compared with the oracle.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "aclnnop/aclnn_group_norm_backward.h"
#include "reference/group_norm.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {

// Data and parameters: the five pairs that are supported.
struct TypePair {
  aclDataType data = ACL_FLOAT;
  aclDataType parameters = ACL_FLOAT;
};
const std::vector<TypePair>& AllTypePairs();
std::string NameOf(const TypePair& types);

struct GradProblem {
  GroupNormShape shape;
  TypePair types = {};
  std::vector<double> dy = {}, x = {}, mean = {}, rstd = {};
  std::vector<double> gamma = {};  // Empty: none.
  std::array<bool, 3> mask = {true, true, true};
};

// Normally distributed, with the true statistics of x and gamma around 1.
GradProblem RandomGrad(const GroupNormShape& shape, TypePair types, Random& random);
// Makes mean and rstd those of x.
void SetStatistics(GradProblem& problem, double eps = 1e-5);

struct GradLayouts {
  Layout dy, x, mean, rstd, gamma, dx, dgamma, dbeta;
};
GradLayouts LayoutsOf(const GradProblem& problem);

// Owns a handle.
class BoolArray {
 public:
  explicit BoolArray(const std::vector<uint8_t>& values);
  ~BoolArray();
  BoolArray(BoolArray&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  BoolArray& operator=(BoolArray&&) = delete;
  const aclBoolArray* handle() const { return handle_; }

 private:
  const aclBoolArray* handle_;
};

// All eight tensors; outputs that the mask leaves out exist too, and are given.
struct GradTensors {
  GroupNormShape shape;
  Tensor dy, x, mean, rstd;
  std::optional<Tensor> gamma;
  Tensor dx, dgamma, dbeta;
  BoolArray mask;

  Phase1 Call() const;
  bool GuardsIntact() const;
};
GradTensors MakeTensors(const GradProblem& problem, const GradLayouts& layouts);

struct GradResult {
  std::vector<double> dx, dgamma, dbeta;
};

// The oracle's answer, for inputs as the tensors' types hold them.
GroupNormGradients ReferenceOf(const GradProblem& problem);
// `actual`, rounded to the type, is within the bound and half a unit in the last place.
void ExpectNear(const char* name, const std::vector<double>& actual, const Bounded& expected,
                aclDataType dtype);

class GroupNormTest : public DeviceTest {
 protected:
  GradResult Run(const GradProblem& problem, const GradLayouts& layouts);
  GradResult Run(const GradProblem& problem) { return Run(problem, LayoutsOf(problem)); }

  void ExpectMatchesReference(const GradProblem& problem, const GradLayouts& layouts);
  void ExpectMatchesReference(const GradProblem& problem) {
    ExpectMatchesReference(problem, LayoutsOf(problem));
  }
};

}  // namespace anyacl::test
