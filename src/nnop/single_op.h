// SPDX-License-Identifier: Apache-2.0
// Operators that clients call by the name of a graph's node (aclopCompileAndExecute): tensors by
// their places, attributes by their names. Such an operator is a row that says where the arguments
// of a declaration come from: an aclnn operator's, or one that no aclnn function has.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>

#include "acl/error_codes/rt_error_codes.h"
#include "nnop/operator.h"

namespace anyacl {

// Of declarations that no aclnn function has.
inline constexpr CheckCodes kNodeCodes = {.null = ACL_ERROR_INVALID_PARAM,
                                          .dtype = ACL_ERROR_INVALID_PARAM,
                                          .format = ACL_ERROR_INVALID_PARAM,
                                          .shape = ACL_ERROR_INVALID_PARAM};

// Where one argument of the declaration comes from: tensors and what they hold when the call is
// made, by their places, or an attribute.
struct Input {  // absent if the call has fewer
  int input = 0;
  // An attribute: where it is set, the tensor's last two dimensions are swapped.
  const char* swapped_if = nullptr;
};
struct InputList {  // the inputs from `first` on
  int first;
};
struct InputValues {  // the integers that it holds
  int input;
};
struct InputScalar {  // the number that it holds
  int input;
};
struct Output {
  int output;
};
struct OutputType {
  int output;
};
struct Constant {
  int64_t value;
};
// `absent` if the caller leaves it out.
template <class T>
struct Attribute {
  const char* name;
  T absent = {};
};
using IntAttribute = Attribute<int64_t>;  // or a bool
using RealAttribute = Attribute<double>;
using TextAttribute = Attribute<const char*>;
using ListAttribute = Attribute<std::monostate>;  // of integers; an empty one
struct NoReals {};
using RealListAttribute = Attribute<NoReals>;  // of floats; an empty one

using Source =
    std::variant<Input, InputList, InputValues, InputScalar, Output, OutputType, Constant,
                 IntAttribute, RealAttribute, TextAttribute, ListAttribute, RealListAttribute>;

// All inputs, all outputs and the attributes, as declarations of single operators have them.
template <size_t kInputs, size_t kOutputs, size_t kAttributes>
constexpr auto InOrderOf(const Source (&attributes)[kAttributes]) {
  return [&]<size_t... kIn, size_t... kOut, size_t... kOf>(
      std::index_sequence<kIn...>, std::index_sequence<kOut...>, std::index_sequence<kOf...>) {
    return std::array<Source, kInputs + kOutputs + kAttributes>{
        Input{static_cast<int>(kIn)}..., Output{static_cast<int>(kOut)}..., attributes[kOf]...};
  }
  (std::make_index_sequence<kInputs>(), std::make_index_sequence<kOutputs>(),
   std::make_index_sequence<kAttributes>());
}

// An attribute that only one value of is served.
struct FixedAttribute {
  const char* name;
  int64_t value;  // of a bool 0 or 1
};

struct SingleOpSpec {
  const char* type;                 // the node's name: "DynamicRNN"
  const OpSpec* spec;               // what computes it
  std::span<const Source> sources;  // of the rows of spec, in their order
  // Attributes that say what the tensors say, and are not looked at.
  std::span<const char* const> ignored = {};
  std::span<const FixedAttribute> fixed = {};
  // How many inputs there may be, if more than the sources name: the others say what the outputs
  // say.
  int inputs = 0;
  // Panels (FRACTAL_NZ) are taken as the elements that are stored, in their own dimensions.
  bool as_stored = false;
};

}  // namespace anyacl
