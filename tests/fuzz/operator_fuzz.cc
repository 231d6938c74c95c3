// SPDX-License-Identifier: Apache-2.0
#include "fuzz/operator_fuzz.h"

#include <gtest/gtest.h>

#include <limits>

#include "ops/operator_calls.h"
#include "support/expect.h"

namespace anyacl::test {
namespace {

// Small, near a power of two, or any.
int64_t AnyNumber(Choices& choices) {
  switch (choices.Int(0, 2)) {
    case 0:
      return choices.Int(-3, 70);
    case 1: {
      const auto power = uint64_t{1} << choices.Int(0, 63);
      return static_cast<int64_t>(power + static_cast<uint64_t>(choices.Int(-1, 1)));
    }
    default:
      return choices.Int(INT64_MIN, INT64_MAX);
  }
}

void BreakTensor(Choices& choices, CallArgument& argument) {
  if (!argument.layout) argument.layout = Layout{.dims = {2, 3}};
  Layout& layout = *argument.layout;
  const auto axis = static_cast<size_t>(
      choices.Int(0, std::max<int64_t>(static_cast<int64_t>(layout.dims.size()) - 1, 0)));
  switch (choices.Int(0, 8)) {
    case 0:
      layout.dtype = static_cast<aclDataType>(choices.Int(-1, 40));
      break;
    case 1:
      layout.format = static_cast<aclFormat>(choices.Int(-1, 60));
      break;
    case 2:
      layout.dims.resize(static_cast<size_t>(choices.Int(0, choices.OneIn(4) ? 25 : 9)),
                         choices.Int(0, 3));
      layout.strides.clear();
      break;
    case 3:
      if (axis < layout.dims.size()) layout.dims[axis] = AnyNumber(choices);
      break;
    case 4:
      if (axis < layout.dims.size()) layout.dims[axis] = choices.Int(0, 70);
      break;
    case 5:
      if (layout.strides.empty()) layout.strides = ContiguousStrides(layout.dims);
      if (axis < layout.dims.size()) layout.strides[axis] = AnyNumber(choices);
      break;
    case 6:
      layout.offset = AnyNumber(choices);
      break;
    case 7:
      layout.storage.assign(static_cast<size_t>(choices.Int(1, 5)), AnyNumber(choices));
      break;
    default:
      argument.members = static_cast<size_t>(choices.Int(0, 3));
  }
}

void BreakArray(Choices& choices, CallArgument& argument) {
  if (!argument.array) argument.array.emplace();
  std::vector<int64_t>& array = *argument.array;
  if (array.empty() || choices.OneIn(3)) {
    array.resize(static_cast<size_t>(choices.Int(0, 9)), choices.Int(-1, 3));
  } else {
    array[static_cast<size_t>(choices.Int(0, static_cast<int64_t>(array.size()) - 1))] =
        AnyNumber(choices);
  }
}

void Break(Choices& choices, const ParamSpec& row, CallArgument& argument) {
  if (IsPointer(row.kind) && choices.OneIn(6)) {
    argument.null = !argument.null;
    return;
  }
  static const std::vector<double> kReals = {0,
                                             -1,
                                             0.5,
                                             1e300,
                                             -1e-300,
                                             std::numeric_limits<double>::infinity(),
                                             std::numeric_limits<double>::quiet_NaN()};
  static const std::vector<const char*> kTexts = {
      "",           "BSH",       "TND",    "none",
      "sum",        "tanh",      "static", "dynamic",
      "perchannel", "pertensor", "add",    "mul",
      "relu",       "gelu_erf",  "rint",   "no such thing, and longer than any name is"};
  switch (row.kind) {
    case Kind::kTensor:
    case Kind::kTensorList:
      return BreakTensor(choices, argument);
    case Kind::kIntArray:
    case Kind::kFloatArray:
    case Kind::kBoolArray:
      return BreakArray(choices, argument);
    case Kind::kText:
    case Kind::kMutableText:
      argument.text = choices.Pick(kTexts);
      return;
    case Kind::kScalar:
    case Kind::kScalarList:
    case Kind::kDouble:
    case Kind::kFloat:
      argument.real = choices.Pick(kReals);
      return;
    default:
      argument.integer = choices.OneIn(2) ? choices.Int(-2, 9) : AnyNumber(choices);
  }
}

// What the docstring of the operator tells.
std::set<int> CodesOf(const OpSpec& spec) {
  std::set<int> codes = {spec.codes.null, spec.codes.dtype, spec.codes.format, spec.codes.shape};
  if (spec.constraint_code != 0) codes.insert(spec.constraint_code);
  for (const ParamSpec& row : spec.params) {
    if (row.null_code != 0) codes.insert(row.null_code);
  }
  return codes;
}

}  // namespace

Outcome FuzzOperator(Choices& choices) {
  static const std::vector<OperatorTable> kTables = OperatorTables();
  const OperatorTable& table = choices.Pick(kTables);
  Call call = RightCall(table);
  const int64_t breaks = call.empty() || choices.OneIn(8) ? 0 : choices.Int(1, 3);
  for (int64_t i = 0; i < breaks; ++i) {
    const auto row = static_cast<size_t>(choices.Int(0, static_cast<int64_t>(call.size()) - 1));
    Break(choices, table.rows[row], call[row]);
  }
  SCOPED_TRACE(table.name);
  const CallObjects objects(table, call);
  const Prepared prepared = Prepare(objects.PhaseOne());
  if (prepared.code == ACL_SUCCESS) {
    EXPECT_NE(prepared.executor, nullptr);
    EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
    return {};
  }
  const std::string message = TakeMessages();
  EXPECT_NE(breaks, 0) << message;
  EXPECT_EQ(prepared.executor, nullptr);
  EXPECT_EQ(prepared.workspace_size, 0u);
  EXPECT_FALSE(message.empty());
  EXPECT_TRUE(CodesOf(*table.spec).contains(prepared.code)) << prepared.code << ": " << message;
  return {prepared.code, message};
}

}  // namespace anyacl::test
