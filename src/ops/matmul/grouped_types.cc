// SPDX-License-Identifier: Apache-2.0
// Which types go together in products of groups, as the documents list it for Atlas A2 and A3, with
// what clients bring beside: 64-bit scales with 16-bit results, and a bias of floating point behind
// the factors.
#include <string>

#include "ops/matmul/grouped.h"
#include "ops/matmul/operators.h"

namespace anyacl::matmul {
namespace {

constexpr DTypeSet kCoded = {ACL_UINT64, ACL_INT64};

// An argument beside x and weight: its types, none where it must be null.
struct Rule {
  int id;
  DTypeSet dtypes;
  bool required = false;
};

Status CheckRule(const Operands& operands, const Rule& rule) {
  const bool given = operands.Given(rule.id);
  const bool fits = given ? rule.dtypes.Contains(operands[rule.id].dtype()) : !rule.required;
  if (fits) return {};
  const char* const name = operands.NameOf(rule.id);
  const std::string beside = Format("beside {} of {}, {} of {} and {} of {}",
                                    operands.NameOf(kLeft), NameOf(operands[kLeft].dtype()),
                                    operands.NameOf(kRight), NameOf(operands[kRight].dtype()),
                                    operands.NameOf(kOut), NameOf(operands[kOut].dtype()));
  const int code = operands.spec().codes.dtype;
  if (!given) {
    return Fail(code, "{} is null, expected {} {}", name, rule.dtypes.ToString(), beside);
  }
  if (rule.dtypes.ToString().empty())
    return Fail(code, "{} is given, expected null {}", name, beside);
  return Fail(code, "{}.dtype = {}, expected {} {}", operands[rule.id].Name(),
              NameOf(operands[rule.id].dtype()), rule.dtypes.ToString(), beside);
}

bool Has(const Operands& operands, int id, DTypeSet dtypes) {
  return operands.Given(id) && dtypes.Contains(operands[id].dtype());
}

std::vector<Rule> RulesOf(const Operands& operands, GroupedForm form) {
  const aclDataType x = operands[kLeft].dtype(), y = operands[kOut].dtype();
  switch (form) {
    case GroupedForm::kNumbers:
      return {{kOut, {x}, true}, {kSummand, {x, ACL_FLOAT}},
              {kQuantScale, {}}, {kQuantOffset, {}},
              {kScale, {}},      {kOffset, {}},
              {kRowScale, {}}};
    case GroupedForm::kFactors:
      return {{kOut, {x}, true},  {kSummand, {x, ACL_FLOAT}}, {kQuantScale, {}},
              {kQuantOffset, {}}, {kScale, {x}, true},        {kOffset, {x}},
              {kRowScale, {}}};
    case GroupedForm::kTokenGroups:
      return {{kOut, kHalves, true},   {kSummand, {}}, {kQuantScale, kCoded, true},
              {kQuantOffset, {}},      {kScale, {}},   {kOffset, {}},
              {kRowScale, {ACL_FLOAT}}};
    case GroupedForm::kShifted: {
      const DTypeSet outs = operands.Given(kQuantOffset) ? DTypeSet{ACL_FLOAT16} : kHalves;
      return {{kOut, outs, true},
              {kSummand, {ACL_FLOAT}, true},
              {kQuantScale, kCoded, true},
              {kQuantOffset, {ACL_FLOAT}},
              {kScale, {}},
              {kOffset, {}},
              {kRowScale, {ACL_FLOAT}, true}};
    }
    case GroupedForm::kIntegers:
      break;
  }
  const bool int4 = x == ACL_INT4, coded = Has(operands, kQuantScale, kCoded);
  const bool half = kHalves.Contains(y);
  const DTypeSet outs = int4 ? kHalves : DTypeSet{ACL_INT8, ACL_INT32, ACL_FLOAT16, ACL_BF16};
  const DTypeSet scales = y == ACL_INT32          ? DTypeSet{}
                          : y == ACL_INT8 || int4 ? kCoded
                          : y == ACL_FLOAT16      ? DTypeSet{ACL_UINT64, ACL_INT64, ACL_FLOAT}
                                             : DTypeSet{ACL_UINT64, ACL_INT64, ACL_FLOAT, ACL_BF16};
  const DTypeSet biases = int4             ? DTypeSet{}
                          : half && !coded ? DTypeSet{ACL_INT32, ACL_FLOAT, y}
                                           : DTypeSet{ACL_INT32};
  const DTypeSet row_scales = half && (int4 || !coded) ? DTypeSet{ACL_FLOAT} : DTypeSet{};
  return {{kOut, outs, true},     {kSummand, biases}, {kQuantScale, scales, y != ACL_INT32},
          {kQuantOffset, {}},     {kScale, {}},       {kOffset, {}},
          {kRowScale, row_scales}};
}

// Factors of groups of k have a dimension more than those of columns.
bool HasGroupScale(const Operands& operands) {
  if (!operands.Given(kQuantScale)) return false;
  const size_t of_columns = operands[kRight].shape().rank() - 1;
  return operands[kQuantScale].shape().rank() > of_columns;
}

}  // namespace

Status CheckGroupedTypes(const Operands& operands, GroupedForm* form) {
  const aclDataType x = operands[kLeft].dtype(), weight = operands[kRight].dtype();
  const bool integers = x == ACL_INT8 || x == ACL_INT4;
  const bool whole_weight = weight == ACL_INT8 || weight == ACL_INT4;
  const DTypeSet weights = x == ACL_FLOAT  ? DTypeSet{ACL_FLOAT}
                           : x == ACL_INT4 ? DTypeSet{ACL_INT4}
                           : x == ACL_INT8 ? DTypeSet{ACL_INT8, ACL_INT4}
                                           : DTypeSet{x, ACL_INT8, ACL_INT4};
  if (!weights.Contains(weight)) {
    return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} beside {} of {}",
                operands[kRight].Name(), NameOf(weight), weights.ToString(), operands.NameOf(kLeft),
                NameOf(x));
  }
  *form = !whole_weight                              ? GroupedForm::kNumbers
          : !integers                                ? GroupedForm::kFactors
          : x == ACL_INT8 && weight == ACL_INT4      ? GroupedForm::kShifted
          : x == ACL_INT4 && HasGroupScale(operands) ? GroupedForm::kTokenGroups
                                                     : GroupedForm::kIntegers;
  for (const Rule& rule : RulesOf(operands, *form)) {
    if (Status s = CheckRule(operands, rule); !s.ok()) return s;
  }
  return {};
}

}  // namespace anyacl::matmul
