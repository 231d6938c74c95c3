// SPDX-License-Identifier: Apache-2.0
// Check tables: one row per tensor parameter yields the checks and their messages, the support
// matrix in the documentation and the generated tests. What a row cannot say is a named rule in the
// operator's checks.cc.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aclnn/acl_meta.h"
#include "base/dtype.h"
#include "nnop/executor.h"
#include "nnop/objects.h"

namespace anyacl {

// kReserved: a tensor that is given is ignored, with a warning, whatever it is.
enum class Need { kRequired, kOptional, kReserved };
// kInOut: an input whose data the operator changes.
enum class Direction { kInput, kOutput, kInOut };
enum class Strides { kAny, kContiguous };
// kPlain: ND and the formats that only name axes.
enum class Formats { kPlain, kFractalNz, kPlainOrFractalNz };

struct ParamSpec {
  const char* name;
  Direction direction;
  Need need;
  DTypeSet dtypes;
  // Symbolic dimensions, one word each. A word names a size, which the first tensor that has it
  // fixes for the others ("H"); "B.." stands for one or more sizes, "B*" for any number of them, a
  // lone "*" for any shape; "H/8" for an exact quotient; "16" for itself. Alternatives of different
  // rank are separated by "|".
  const char* dims;
  // The dimensions of an INT32 tensor whose elements hold eight 4-bit values each.
  const char* packed_dims = nullptr;
  // The parameter with whose dtype this one's must agree.
  const char* same_dtype_as = nullptr;
  // How many elements there are, where the shape is free: a product of the call's attributes.
  const char* elements = nullptr;
  // The argument of the call that makes an optional tensor a required one; the operator checks it.
  const char* needed_if = nullptr;
  // Who may be strided. INT4 tensors are always contiguous: a stride would split bytes.
  Strides strides = Strides::kAny;
  Formats formats = Formats::kPlain;
};

// Which code a failed check has; operators' documents differ.
struct CheckCodes {
  int null;
  int dtype;
  int format;
  int shape;
};

struct OpSpec {
  const OpInfo* op;
  std::span<const ParamSpec> params;
  CheckCodes codes;
  size_t max_rank = 8;
};

// An integer argument of the call that the table's dimensions and element counts name.
struct Attribute {
  std::string_view name;
  int64_t value;
};

// The tensor given for one row.
struct Operand {
  const ParamSpec* spec = nullptr;
  std::shared_ptr<Tensor> tensor;              // null: absent
  std::shared_ptr<const TensorLayout> layout;  // as it was when phase 1 began

  bool given() const { return tensor != nullptr; }
  aclDataType dtype() const { return layout->dtype; }
  const Dims& shape() const { return layout->shape; }
  const Dims& strides() const { return layout->strides; }
  bool IsEmpty() const;
  bool IsContiguous() const;
};

// Every element is at an address, and no two elements of an output share one.
Status CheckStrides(const Operand& operand, int code);

// The bytes of one operand as phase 2 will look them up.
Slot SlotOf(const Operand& operand);

// The tensors of one call, in the order of the table, and the checks of the table on them. Each
// check looks at all tensors; an operator calls them in the order of its document.
class Operands {
 public:
  explicit Operands(const OpSpec& spec) : spec_(spec) {}

  // Looks the handles up; a required one that is null and one that is not alive fail here.
  Status Resolve(std::span<const aclTensor* const> handles);
  // Takes a tensor for one of another layout, whose elements lie in the same memory.
  void Relabel(std::string_view name, TensorLayout layout);
  Status CheckDTypes() const;
  Status CheckFormats() const;
  // Ranks, sizes and element counts against the table. Attributes, which must not be negative, and
  // then the tensors in their order fix the symbols.
  Status CheckShapes(std::span<const Attribute> attributes = {});
  Status CheckStrides() const;

  const OpSpec& spec() const { return spec_; }
  // The tensor of a parameter; an absent one if the table has no such row.
  const Operand& operator[](std::string_view name) const;
  // The tensor of a row.
  const Operand& at(size_t row) const { return operands_[row]; }
  Operand& at(size_t row) { return operands_[row]; }
  // The row of a parameter, which is also the tensor's slot; -1 if the table has none.
  int Index(std::string_view name) const;
  // The size a symbol was fixed to; -1 if no tensor has it.
  int64_t Size(std::string_view symbol) const;

  std::vector<Slot> Slots() const;

 private:
  struct Binding {
    std::string_view symbol;
    std::vector<int64_t> sizes;  // one, or several for "B.."
    std::string source;          // "x.shape[1]"
  };

  Status CheckShape(const Operand& operand);
  Status CheckElements(const Operand& operand) const;
  Status Match(const Operand& operand, std::span<const std::string_view> words);
  Status MatchSize(const Operand& operand, size_t dim, std::string_view word);
  Status MatchRun(const Operand& operand, size_t begin, size_t count, std::string_view word);
  const Binding* Find(std::string_view symbol) const;

  const OpSpec& spec_;
  std::vector<Operand> operands_;
  std::vector<Binding> bindings_;
};

// The words of one alternative of ParamSpec::dims, and all alternatives.
std::vector<std::vector<std::string_view>> ParseDims(std::string_view dims);

// The rows as a Markdown table.
std::string SupportTable(const OpSpec& spec);

}  // namespace anyacl
