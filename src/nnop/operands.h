// SPDX-License-Identifier: Apache-2.0
// The arguments of one call of a first phase, and the checks of the operator's table on them. What
// a row cannot say is a named rule in the operator's checks.cc.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aclnn/acl_meta.h"
#include "nnop/objects.h"
#include "nnop/operator.h"

namespace anyacl {

// One argument as the entry point received it; the table's row says what it is.
struct Argument {
  Argument(const void* pointer) : pointer(pointer) {}
  Argument(int64_t value) : integer(value) {}
  Argument(int32_t value) : integer(value) {}
  Argument(int8_t value) : integer(value) {}
  Argument(uint64_t value) : integer(static_cast<int64_t>(value)) {}
  Argument(bool value) : integer(value) {}
  Argument(aclDataType value) : integer(value) {}
  Argument(double value) : real(value) {}
  Argument(float value) : real(value) {}

  union {
    const void* pointer;
    int64_t integer;
    double real;
  };
};

// A tensor of the call: the one given for a row, or a member of a list.
struct Operand {
  const ParamSpec* spec = nullptr;
  std::shared_ptr<Tensor> tensor;              // null: absent
  std::shared_ptr<const TensorLayout> layout;  // as it was when phase 1 began
  size_t list_index = 0;

  bool given() const { return tensor != nullptr; }
  aclDataType dtype() const { return layout->dtype; }
  const Dims& shape() const { return layout->shape; }
  const Dims& strides() const { return layout->strides; }
  bool IsEmpty() const;
  bool IsContiguous() const;
  // "x", "key[2]"
  std::string Name() const;
};

// At most as many dimensions as a view has (view.h).
Status CheckRank(const Operand& operand, int code);
// Every element is at an address, and no two elements of an output share one.
Status CheckStrides(const Operand& operand, int code);

// The bytes of one operand as phase 2 will look them up.
Slot SlotOf(const Operand& operand);

// Arguments are asked for by the `id` of their row. Each check looks at all tensors; an operator
// calls them in the order of its document.
class Operands {
 public:
  // `arguments`, one for each row, must outlive this.
  Operands(const OpSpec& spec, std::span<const Argument> arguments);

  // Looks the handles up; a required argument that is null and one that is not alive fail here.
  Status Resolve();
  Status CheckDTypes() const;
  Status CheckFormats() const;
  // Ranks, sizes and element counts against the table. Integer arguments, and then the tensors in
  // their order, fix the symbols.
  Status CheckShapes();
  // And ranks, whatever else looks at them: after these, there are views of all tensors.
  Status CheckStrides() const;
  // That the tensors that are given have elements; CheckTable allows empty ones.
  Status CheckNotEmpty() const;
  // That a text is one of these, and its place among them; without a text it is that of the first.
  // `code`: that of the failure, codes.shape if 0.
  Status CheckText(int id, std::initializer_list<const char*> known, size_t* place = nullptr,
                   int code = 0) const;
  // Integers against the range of their rows.
  Status CheckValues() const;
  // All of the above in the order that most documents have.
  Status CheckTable();

  const OpSpec& spec() const { return spec_; }

  // The tensor of a row, or the first of a list; an absent one if the table has no such row.
  const Operand& operator[](int id) const;
  std::span<const Operand> List(int id) const;
  std::span<Operand> List(int id);
  // A tensor that is needed_if something which is true must be given, and alive.
  Status Require(int id) const;
  // Where the tensor of a row, or the first of a list, stands in Bindings::data; -1 if absent.
  int SlotIndex(int id) const;
  // Takes a tensor for one of another layout, whose elements lie in the same memory, or for absent.
  void Relabel(int id, TensorLayout layout);
  void Drop(int id);

  // Null where the table has no such row: versions of an operator share their code.
  const ParamSpec* RowOf(int id) const {
    const size_t row = FindRow(id);
    return row == kMaxParams ? nullptr : &params_[row];
  }
  bool HasRow(int id) const { return FindRow(id) != kMaxParams; }
  bool Given(int id) const;
  int64_t Int(int id) const { return arguments_[Row(id)].integer; }
  double Real(int id) const { return arguments_[Row(id)].real; }
  bool Flag(int id) const { return arguments_[Row(id)].integer != 0; }
  aclDataType DType(int id) const { return static_cast<aclDataType>(Int(id)); }
  const char* Text(int id) const { return static_cast<const char*>(arguments_[Row(id)].pointer); }
  // Null or empty where an optional argument is absent.
  const Scalar* ScalarAt(int id) const;
  std::span<const int64_t> Ints(int id) const;
  std::shared_ptr<const IntArray> IntArrayAt(int id) const;  // to keep; null if absent
  std::span<const float> Floats(int id) const;
  std::span<const uint8_t> Bools(int id) const;
  std::span<const Scalar> Scalars(int id) const;

  // "self": the row's name.
  const char* NameOf(int id) const { return params_[Row(id)].name; }
  // The size a symbol of the table was fixed to; -1 if no argument of the call has it.
  int64_t Size(std::string_view symbol) const;

  std::vector<Slot> Slots() const;
  // Whether all tensors together have so many elements or fewer, repeated ones too.
  bool HasAtMost(int64_t elements) const;

 private:
  // Where a symbol got its sizes: one, or several for "B..". They lie in an argument's layout.
  struct Binding {
    std::string_view symbol;
    int64_t size = -1;               // the first
    std::span<const int64_t> sizes;  // of a run
    const ParamSpec* from = nullptr;
    int dim = -1;  // -1: an integer argument, or a run

    std::string Source() const;  // "x.shape[1]"
  };

  // The row of an id, which the table must have.
  size_t Row(int id) const;
  // kMaxParams if the table has no such row.
  size_t FindRow(int id) const {
    return id < 0 || id >= kMaxParams ? size_t{kMaxParams} : row_of_[static_cast<size_t>(id)];
  }
  template <class T>
  std::span<const T> Array(int id) const;
  Status ResolveRow(size_t row);
  Status ResolveTensor(const ParamSpec& spec, const aclTensor* handle, size_t list_index);
  Status ResolveList(const ParamSpec& spec, const void* handle);
  Status ResolveObject(size_t row);
  Status NotAlive(const ParamSpec& spec, const void* handle) const;
  Status CheckShape(const Operand& operand);
  Status CheckElements(const Operand& operand) const;
  Status Match(const Operand& operand, std::span<const std::string_view> words);
  Status MatchSize(const Operand& operand, size_t dim, std::string_view word);
  Status MatchAtLeast(const Operand& operand, size_t dim, std::string_view word) const;
  Status MatchRun(const Operand& operand, size_t begin, size_t count, std::string_view word);
  const Binding* Find(std::string_view symbol) const;

  static std::span<const ParamSpec> TableOf(const OpSpec& spec,
                                            std::span<const Argument> arguments);

  const OpSpec& spec_;
  const std::span<const ParamSpec> params_;
  const std::span<const Argument> arguments_;
  std::array<uint8_t, kMaxParams> row_of_;            // of each id
  std::vector<Operand> operands_;                     // in the order of the slots
  std::array<size_t, kMaxParams + 1> first_{};        // of each row in operands_
  std::vector<std::shared_ptr<const void>> objects_;  // scalars and arrays by row, if any
  std::vector<Binding> bindings_;
};

// Elements of all tensors of a call that takes most operators 2 us or less.
inline constexpr int64_t kSmallCall = 4096;

// Which of `rank` dimensions an argument names, which may count from the end: "dim = 3, expected -2
// to 1". Operators that give a single number a dimension pass 1 for it.
Status CheckDim(const Operands& operands, const char* name, int64_t value, size_t rank, int* dim);

// The shape of a row's tensor must be this one.
Status CheckShapeIs(const Operands& operands, int id, const Dims& expected);

// A result of type `computed` must fit the output, in words that clients look for.
Status CheckResultCast(const Operands& operands, int out, aclDataType computed);

// The alternatives of ParamSpec::dims, of "B S | T" the words B and S, and then T. Allocates
// nothing: every call reads the rows of its tensors.
class DimAlternatives {
 public:
  explicit DimAlternatives(std::string_view dims) : left_(dims) {}

  // Goes to the first or the next one. False, with the last one's words, if there is none.
  bool Next();
  std::span<const std::string_view> words() const { return {words_.data(), count_}; }

 private:
  std::string_view left_;
  bool more_ = true;
  std::array<std::string_view, Dims::kMaxRank> words_;
  size_t count_ = 0;
};

// "ND or FRACTAL_NZ"
const char* FormatsText(Formats formats);

}  // namespace anyacl
