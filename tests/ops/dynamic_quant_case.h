// SPDX-License-Identifier: Apache-2.0
// One call of the DynamicQuant operators as a test sees it: values in logical order, layouts that
// can be changed, the tensors made of them, the results read back and compared with the oracle.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "aclnnop/aclnn_dynamic_quant.h"
#include "aclnnop/aclnn_dynamic_quant_v2.h"
#include "reference/dynamic_quant.h"
#include "support/device_test.h"

namespace anyacl::test {

struct QuantProblem {
  std::vector<int64_t> dims = {};  // Of x.
  aclDataType x_type = ACL_FLOAT16;
  aclDataType y_type = ACL_INT8;
  bool asymmetric = false;
  std::vector<float> x = {};        // Rounded to x_type where that is needed.
  std::vector<float> smooth = {};   // Empty: no smoothScalesOptional.
  std::vector<int32_t> group = {};  // Empty: no groupIndexOptional.

  int64_t cols() const { return dims.back(); }
  int64_t rows() const;
};

// Which smooth scales a random problem gets.
enum class Smooth { kNone, kRow, kPerExpert };

// Everything but dims and values.
struct QuantForm {
  aclDataType x_type = ACL_FLOAT16;
  aclDataType y_type = ACL_INT8;
  bool asymmetric = false;
  Smooth smooth = Smooth::kNone;
};

// All combinations, 36 of them.
std::vector<QuantForm> AllForms();
std::string NameOf(const QuantForm& form);

// Whether rows of this length can be quantised to the form's type: INT4 takes even lengths, INT32
// multiples of eight.
bool TakesCols(aclDataType y_type, int64_t cols);

// Normally distributed values; with experts, three of them, the second one without rows.
QuantProblem RandomProblem(const QuantForm& form, const std::vector<int64_t>& dims, Random& random);

// The tensors' layouts: contiguous unless a test changes them before MakeTensors.
struct QuantLayouts {
  Layout x, smooth, group, y, scale, offset;
};
QuantLayouts LayoutsOf(const QuantProblem& problem);

struct QuantTensors {
  Tensor x;
  std::optional<Tensor> smooth;
  std::optional<Tensor> group;
  Tensor y;
  Tensor scale;
  std::optional<Tensor> offset;
  int64_t dst_type = 2;

  Phase1 V2() const;
  Phase1 V1() const;
  bool GuardsIntact() const;
  // All bytes of the outputs, to show that a call wrote nothing.
  std::vector<uint8_t> OutputBytes() const;
};
QuantTensors MakeTensors(const QuantProblem& problem, const QuantLayouts& layouts);
inline QuantTensors MakeTensors(const QuantProblem& problem) {
  return MakeTensors(problem, LayoutsOf(problem));
}

// Puts the values of the problem into tensors that exist, or into another buffer of x.
void WriteX(const QuantProblem& problem, Tensor& x);
void WriteX(const QuantProblem& problem, const Tensor& x, const DeviceBuffer& buffer);

// The quantised values, of INT32 tensors the eight in each element.
std::vector<int8_t> ReadYOut(const Tensor& y);
DynamicQuantOutput ReadOutput(const QuantTensors& tensors);

// The oracle's answer, for x and smooth as the tensors' types hold them.
DynamicQuantInput InputOf(const QuantProblem& problem);
DynamicQuantOutput ReferenceOf(const QuantProblem& problem);

// Exact comparison; a NaN equals a NaN.
void ExpectSameOutput(const DynamicQuantOutput& actual, const DynamicQuantOutput& expected,
                      int64_t cols);

class DynamicQuantTest : public DeviceTest {
 protected:
  // Runs aclnnDynamicQuantV2 and checks that only elements were written.
  DynamicQuantOutput Run(const QuantProblem& problem, const QuantLayouts& layouts);
  DynamicQuantOutput Run(const QuantProblem& problem) { return Run(problem, LayoutsOf(problem)); }

  void ExpectMatchesReference(const QuantProblem& problem, const QuantLayouts& layouts);
  void ExpectMatchesReference(const QuantProblem& problem) {
    ExpectMatchesReference(problem, LayoutsOf(problem));
  }
};

}  // namespace anyacl::test
