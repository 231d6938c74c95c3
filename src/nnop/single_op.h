// SPDX-License-Identifier: Apache-2.0
// Operators that clients call by the name of a graph's node (aclopCompileAndExecute): tensors by
// their places, attributes by their names. Such an operator is a row that says where the arguments
// of a declaration come from: an aclnn operator's, or one that no aclnn function has.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "nnop/operator.h"

namespace anyacl {

// Where one argument of the declaration comes from.
struct Source {
  enum class From : uint8_t {
    kInput,        // tensor `place` of the inputs; absent if the call has fewer
    kOutput,       // tensor `place` of the outputs
    kInputList,    // the inputs from `place` on
    kInputValues,  // the integers that input `place` holds when the call is made
    kInputScalar,  // the number that input `place` holds when the call is made
    kAttribute,
    kConstant,    // always `integer`
    kOutputType,  // of output `place`
  };
  From from = From::kInput;
  int place = 0;
  // Of an input: where it is set, the tensor's last two dimensions are swapped.
  const char* attribute = nullptr;
  // What an attribute is that the caller leaves out.
  int64_t integer = 0;
  double real = 0;
  const char* text = nullptr;
};

constexpr Source Input(int place) { return {.from = Source::From::kInput, .place = place}; }
constexpr Source Output(int place) { return {.from = Source::From::kOutput, .place = place}; }
constexpr Source InputList(int place) { return {.from = Source::From::kInputList, .place = place}; }
constexpr Source InputValues(int place) {
  return {.from = Source::From::kInputValues, .place = place};
}
constexpr Source InputScalar(int place) {
  return {.from = Source::From::kInputScalar, .place = place};
}
constexpr Source InputSwappedIf(const char* attribute, int place) {
  return {.place = place, .attribute = attribute};
}
constexpr Source ListAttribute(const char* name) {
  return {.from = Source::From::kAttribute, .attribute = name};
}
constexpr Source Constant(int64_t value) {
  return {.from = Source::From::kConstant, .integer = value};
}
constexpr Source OutputType(int place) {
  return {.from = Source::From::kOutputType, .place = place};
}
constexpr Source IntAttribute(const char* name, int64_t value) {
  return {.from = Source::From::kAttribute, .attribute = name, .integer = value};
}
constexpr Source RealAttribute(const char* name, double value) {
  return {.from = Source::From::kAttribute, .attribute = name, .real = value};
}
constexpr Source TextAttribute(const char* name, const char* value) {
  return {.from = Source::From::kAttribute, .attribute = name, .text = value};
}

// All inputs, all outputs and the attributes, as declarations of single operators have them.
template <size_t kInputs, size_t kOutputs, size_t kAttributes>
constexpr auto InOrderOf(const Source (&attributes)[kAttributes]) {
  std::array<Source, kInputs + kOutputs + kAttributes> sources;
  size_t at = 0;
  for (size_t i = 0; i < kInputs; ++i) sources[at++] = Input(static_cast<int>(i));
  for (size_t i = 0; i < kOutputs; ++i) sources[at++] = Output(static_cast<int>(i));
  for (const Source& attribute : attributes) sources[at++] = attribute;
  return sources;
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
};

}  // namespace anyacl
