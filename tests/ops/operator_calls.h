// SPDX-License-Identifier: Apache-2.0
// Calls of any operator made from the rows of its declaration alone: right ones, to be broken row
// by row.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "nnop/phases.h"
#include "ops/operators.h"
#include "support/device_test.h"

namespace anyacl::test {

// One argument: a tensor (or the only member of a list), a number, an array, a text, or null.
struct CallArgument {
  std::optional<Layout> layout = {};
  int64_t integer = 0;
  double real = 0;
  std::optional<std::vector<int64_t>> array =
      {};  // of integers, floats or bools, by the row's kind
  const char* text = nullptr;
  bool null = false;               // whatever else is said
  size_t members = 1;              // of a tensor list, all alike
  aclDataType scalar = ACL_FLOAT;  // of a scalar: FLOAT, DOUBLE, INT64 or BOOL
};

using Call = std::vector<CallArgument>;  // in the order of the rows

// What the table of an operator leaves open: everything by the names of rows and symbols.
struct CallHints {
  // The sizes of symbols: one, or several for "B.." and "B*". Others are {4}, or {2, 3}.
  std::map<std::string_view, std::vector<int64_t>> sizes = {};
  // Arguments that are no tensors; by default integers are their smallest value or 0, reals 1,
  // arrays {0} and scalars the FLOAT 1.
  std::map<std::string_view, CallArgument> values = {};
  // Which alternative of a row's dimensions; by default the last.
  std::map<std::string_view, size_t> alternatives = {};
  // Optional tensors that the right call leaves out.
  std::vector<std::string_view> absent = {};
  // Makes other arguments agree with a changed row by rules that the table cannot say.
  std::function<void(Call&, size_t changed)> fit = [](Call&, size_t) {};
  // Rules of the operator's own, not the table, decide on ranks and sizes, or on types.
  bool own_shapes = false;
  bool own_types = false;
  // Optional arguments that this call, by its other arguments, cannot do without.
  std::vector<std::string_view> needed = {};
  // Rows whose types the document refuses with another code than the operator's.
  std::map<std::string_view, int> type_codes = {};
};

// A right call of an operator, or of one of its tables. Operators whose arguments exclude each
// other have several, named "<operator>_with_<what>" among the hints.
struct OperatorTable {
  const OpSpec* spec;
  std::span<const ParamSpec> rows;
  std::string name;
  bool further = false;  // not the first of these rows

  friend void PrintTo(const OperatorTable& table, std::ostream* out) { *out << table.name; }
};
const std::vector<OperatorTable>& OperatorTables();

const CallHints& HintsOf(const OperatorTable& table);
// The names of all tables that have hints.
std::vector<std::string> HintNames();
// A hint that names no row or symbol, of the same folder's operators at least: "Cat: selg".
std::vector<std::string> UnknownHints();

// Rows ("Op.row"), and types of rows ("Op.row:INT8"), that no right call has, each for a reason.
const std::set<std::string>& NeverGiven();
// Rows that such a call does not read or write: what is listed for them is what documents have.
const std::set<std::string_view>& OfAnyShape();
// Whether a tensor may have a size that nothing else in the call has, where its dimensions do not
// say so: what is listed for it has a reason in the operator's document.
bool IsOfOwnSize(const OperatorTable& table, const ParamSpec& row, int64_t size);

// Whether the argument is an address, and not null.
bool IsGiven(const ParamSpec& row, const CallArgument& argument);

// The first type of each row, sizes from the hints, nothing left out but what the hints name.
Call RightCall(const OperatorTable& table);

// The dimensions of a row under the hints.
std::vector<int64_t> DimsOf(const OperatorTable& table, const ParamSpec& row, const char* dims);

// The handles of one call; they live as long as this.
class CallObjects {
 public:
  CallObjects(const OperatorTable& table, const Call& call);
  ~CallObjects();
  CallObjects(const CallObjects&) = delete;
  CallObjects& operator=(const CallObjects&) = delete;

  Phase1 PhaseOne() const;
  std::span<const Argument> arguments() const { return arguments_; }
  // Whether all memory that the layouts reach exists.
  bool fits() const;
  // Of all tensors, members of lists too, in the order of the arguments.
  std::vector<void*> Addresses() const;
  // Another tensor for argument i, which is one and no list.
  void Replace(size_t i, const Layout& layout);

 private:
  Argument ObjectOf(const ParamSpec& row, const CallArgument& argument);

  const OpSpec& spec_;
  std::vector<Argument> arguments_;
  std::vector<std::unique_ptr<Tensor>> tensors_;
  std::vector<std::function<void()>> destroy_;
};

}  // namespace anyacl::test
