// SPDX-License-Identifier: Apache-2.0
// Every operator against its own declaration: arguments that are null, empty or at the ends of
// their ranges, and that the right calls together leave no row and no type of any operator out.
#include <gmock/gmock.h>

#include "ops/operator_table_case.h"

namespace anyacl::test {
namespace {

bool Holds(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST_P(OperatorTableTest, NullIsRefusedWhereTheTableSaysSoAndNowhereElse) {
  for (size_t i = 0; i < table().rows.size(); ++i) {
    const ParamSpec& row = table().rows[i];
    Call call = Right();
    if (!IsGiven(row, call[i])) continue;
    SCOPED_TRACE(row.name);
    call[i].null = true;
    call[i].layout.reset();
    if (row.need == Need::kRequired) {
      ExpectBroken(call, row.null_code != 0 ? row.null_code : spec().codes.null,
                   {row.name, "null"});
    } else if (row.needed_if != nullptr) {
      ExpectBroken(call, spec().codes.null, {row.name, "null"});
    } else {
      hints().fit(call, i);
      if (Holds(hints().needed, row.name)) {
        EXPECT_FALSE(Accepts(call)) << "though this call is said to need it";
      } else {
        ExpectAccepted(call);
      }
    }
  }
}

TEST_P(OperatorTableTest, WhatIsReservedIsIgnored) {
  for (size_t i = 0; i < table().rows.size(); ++i) {
    const ParamSpec& row = table().rows[i];
    if (row.need != Need::kReserved || row.kind != Kind::kTensor) continue;
    for (aclDataType type : {ACL_FLOAT, ACL_BOOL, ACL_INT64}) {
      Call call = Right();
      call[i].layout = Layout{.dims = {7, 5}, .dtype = type, .strides = {1, 1}};
      SCOPED_TRACE(row.name);
      ExpectAccepted(call);
    }
  }
}

TEST_P(OperatorTableTest, IntegersOutOfRangeAreRefused) {
  for (size_t i = 0; i < table().rows.size(); ++i) {
    const ParamSpec& row = table().rows[i];
    SCOPED_TRACE(row.name);
    if (!IsInteger(row.kind)) continue;
    for (int64_t value : {row.min - (row.min > INT64_MIN), row.max + (row.max < INT64_MAX)}) {
      if (value >= row.min && value <= row.max) continue;
      Call call = Right();
      call[i].integer = value;
      ExpectBroken(call, spec().codes.shape, {row.name, std::to_string(value)});
    }
  }
}

// What rules refuse an end of a range for is theirs to say; that it is out of the range is not.
TEST_P(OperatorTableTest, TheEndsOfRangesAreInTheRange) {
  for (size_t i = 0; i < table().rows.size(); ++i) {
    const ParamSpec& row = table().rows[i];
    if (!IsInteger(row.kind) || row.min == INT64_MIN) continue;
    SCOPED_TRACE(row.name);
    for (int64_t value : {row.min, row.max}) {
      Call call = Right();
      call[i].integer = value;
      const CallObjects objects(table(), call);
      const Prepared prepared = Prepare(objects.PhaseOne());
      if (prepared.code == ACL_SUCCESS) {
        EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
        continue;
      }
      const std::string bounds = row.max == INT64_MAX
                                     ? "at least " + std::to_string(row.min)
                                     : std::to_string(row.min) + " to " + std::to_string(row.max);
      const std::string range =
          row.name + (" is " + std::to_string(value)) + ", expected " + bounds + " ";
      EXPECT_EQ(TakeMessages().find(range), std::string::npos) << range;
    }
  }
}

TEST_P(OperatorTableTest, ListsOfNoneAndOfTwoAreTakenOrRefusedByName) {
  for (size_t i = 0; i < table().rows.size(); ++i) {
    const ParamSpec& row = table().rows[i];
    Call call = Right();
    if (row.kind != Kind::kTensorList || !IsGiven(row, call[i])) continue;
    for (size_t members : {0, 2}) {
      SCOPED_TRACE(::testing::Message() << row.name << " of " << members);
      call[i].members = members;
      const CallObjects objects(table(), call);
      const Prepared prepared = Prepare(objects.PhaseOne());
      if (prepared.code == ACL_SUCCESS) {
        EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
      } else {
        EXPECT_EQ(prepared.executor, nullptr);
        EXPECT_FALSE(TakeMessages().empty());
      }
    }
  }
}

TEST_P(OperatorTableTest, ArraysOfNoneAreTakenOrRefused) {
  for (size_t i = 0; i < table().rows.size(); ++i) {
    Call call = Right();
    if (!call[i].array || !IsPointer(table().rows[i].kind)) continue;
    SCOPED_TRACE(table().rows[i].name);
    call[i].array->clear();
    const CallObjects objects(table(), call);
    const Prepared prepared = Prepare(objects.PhaseOne());
    if (prepared.code == ACL_SUCCESS) {
      EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
    } else {
      EXPECT_FALSE(TakeMessages().empty());
    }
  }
}

// Where rules of the operator's own say which types go together, some call takes each type that a
// row lists: one of this type alone, of its inputs, or with one other row, or two, of any type.
class TypeSearch {
 public:
  TypeSearch(const OperatorTable& table, std::function<bool(const Call&)> accepts)
      : table_(table), accepts_(std::move(accepts)) {}

  bool Finds(size_t i, aclDataType type) const {
    const std::vector<Call> calls = Begins(i, type);
    if (std::any_of(calls.begin(), calls.end(), accepts_)) return true;
    const int others = table_.rows.size() <= 8 ? 2 : 1;
    return std::any_of(calls.begin(), calls.end(),
                       [&](const Call& call) { return Changed(call, i, 0, others); });
  }

 private:
  void Set(Call& call, size_t i, aclDataType type) const {
    const ParamSpec& row = table_.rows[i];
    call[i].layout->dtype = type;
    if (row.packed_dims == nullptr) return;
    call[i].layout->dims = DimsOf(table_, row, type == ACL_INT32 ? row.packed_dims : row.dims);
  }

  // The type alone, on all rows that may have it, on all that are read; in this order, as most
  // rules ask for the first, and with scalars and numbers of types that suit it.
  std::vector<Call> Begins(size_t i, aclDataType type) const {
    std::vector<Call> calls(3, RightCall(table_));
    for (size_t k = 0; k < table_.rows.size(); ++k) {
      if (!calls[0][k].layout || !table_.rows[k].dtypes.Contains(type)) continue;
      Set(calls[1], k, type);
      if (table_.rows[k].direction != Direction::kOutput) Set(calls[2], k, type);
    }
    for (size_t k = 0; k < 3; ++k) {
      Set(calls[k], i, type);
      HintsOf(table_).fit(calls[k], i);
      calls.push_back(calls[k]);
      for (size_t n = 0; n < table_.rows.size(); ++n) {
        calls.back()[n].scalar = type == ACL_BOOL      ? ACL_BOOL
                                 : type == ACL_FLOAT16 ? ACL_DOUBLE
                                                       : ACL_INT64;
        if (table_.rows[n].kind == Kind::kDataType) calls.back()[n].integer = type;
      }
    }
    return calls;
  }

  bool Changed(const Call& begin, size_t but, size_t from, int rows) const {
    for (size_t k = from; k < table_.rows.size() && rows > 0; ++k) {
      if (!begin[k].layout || k == but) continue;
      for (aclDataType type : AllTypes()) {
        if (!table_.rows[k].dtypes.Contains(type) || begin[k].layout->dtype == type) continue;
        Call call = begin;
        Set(call, k, type);
        HintsOf(table_).fit(call, k);
        if (accepts_(call) || Changed(call, but, k + 1, rows - 1)) return true;
      }
    }
    return false;
  }

  const OperatorTable& table_;
  const std::function<bool(const Call&)> accepts_;
};

class OperatorCallsTest : public OperatorTableTest {};

TEST_P(OperatorCallsTest, TakeEveryRowAndEveryTypeOfIt) {
  std::vector<OperatorTable> calls;
  for (const OperatorTable& other : OperatorTables()) {
    if (other.rows.data() == table().rows.data()) calls.push_back(other);
  }
  const auto accepts = [](const OperatorTable& call) {
    return [&call](const Call& arguments) {
      const CallObjects objects(call, arguments);
      const Prepared prepared = Prepare(objects.PhaseOne());
      if (prepared.code == ACL_SUCCESS) aclDestroyAclOpExecutor(prepared.executor);
      return prepared.code == ACL_SUCCESS;
    };
  };
  for (size_t i = 0; i < table().rows.size(); ++i) {
    const ParamSpec& row = table().rows[i];
    if (!IsPointer(row.kind) || row.need == Need::kReserved) continue;
    SCOPED_TRACE(row.name);
    const bool exempt = NeverGiven().contains(table().name + "." + row.name);
    const auto has = [&](const OperatorTable& call) { return IsGiven(row, RightCall(call)[i]); };
    EXPECT_EQ(std::any_of(calls.begin(), calls.end(), has), !exempt) << "in a right call";
    if (!IsTensor(row.kind) || exempt) continue;
    for (aclDataType type : AllTypes()) {
      if (!row.dtypes.Contains(type)) continue;
      const auto takes = [&](const OperatorTable& call) {
        return has(call) && TypeSearch(call, accepts(call)).Finds(i, type);
      };
      const bool taken = std::any_of(calls.begin(), calls.end(), takes);
      const std::string name = table().name + "." + row.name + ":" + NameOf(type);
      EXPECT_EQ(taken, !NeverGiven().contains(name)) << name;
    }
  }
}

TEST(OperatorHintsTest, NameRowsAndSymbolsThatThereAre) {
  EXPECT_THAT(UnknownHints(), ::testing::IsEmpty());
}

std::vector<OperatorTable> FirstTables() {
  std::vector<OperatorTable> tables = OperatorTables();
  std::erase_if(tables, [](const OperatorTable& table) { return table.further; });
  return tables;
}

INSTANTIATE_TEST_SUITE_P(Operators, OperatorCallsTest, ::testing::ValuesIn(FirstTables()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace anyacl::test
