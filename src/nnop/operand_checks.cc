// SPDX-License-Identifier: Apache-2.0
// The checks that follow from the rows, but for the shapes (operand_dims.cc).
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/format.h"
#include "nnop/operands.h"
#include "nnop/promotion.h"
#include "nnop/view.h"

namespace anyacl {
namespace {

// PyTorch's name of a type: its clients look for its message about results that cannot be cast.
std::string TorchNameOf(aclDataType type) {
  switch (type) {
    case ACL_FLOAT:
      return "Float";
    case ACL_FLOAT16:
      return "Half";
    case ACL_BF16:
      return "BFloat16";
    case ACL_DOUBLE:
      return "Double";
    case ACL_INT8:
      return "Char";
    case ACL_UINT8:
      return "Byte";
    case ACL_INT16:
      return "Short";
    case ACL_INT32:
      return "Int";
    case ACL_INT64:
      return "Long";
    case ACL_BOOL:
      return "Bool";
    case ACL_COMPLEX64:
      return "ComplexFloat";
    case ACL_COMPLEX128:
      return "ComplexDouble";
    default:
      return NameOf(type);
  }
}

// Of one tensor. Strides of 0 make many elements of few bytes; products of their sizes, and 64
// bytes for each, fit 64 bits. Those of each thread may not: WorkspaceBook multiplies them.
constexpr int64_t kMostElements = int64_t{1} << 56;

// The bytes that the elements of a view touch, relative to the tensor's address.
struct Extent {
  int64_t begin;
  int64_t end;
};

// Nothing if a byte is 2^60 or more away, which no address space reaches. The tensor has elements.
std::optional<Extent> ExtentOf(const TensorLayout& layout) {
  constexpr int64_t kLimit = int64_t{1} << 60;
  // What overflows lies beyond it, too: the one only falls, and the other only grows.
  int64_t low = layout.offset;
  int64_t high = layout.offset;
  for (size_t i = 0; i < layout.shape.rank(); ++i) {
    int64_t step = 0;
    if (__builtin_mul_overflow(layout.shape[i] - 1, layout.strides[i], &step)) return {};
    int64_t& side = step < 0 ? low : high;
    if (__builtin_add_overflow(side, step, &side)) return {};
  }
  if (low < -kLimit || high > kLimit) return {};
  const int64_t bits = BitsOf(layout.dtype);
  int64_t begin = 0;
  int64_t end = 0;
  if (__builtin_mul_overflow(low, bits, &begin) || __builtin_mul_overflow(high + 1, bits, &end)) {
    return {};
  }
  begin >>= 3;  // of bytes, rounded down
  end = (end >> 3) + (end % 8 != 0);
  if (begin < -kLimit || end > kLimit) return {};
  return Extent{begin, end};
}

// True if stepping through the dimensions from the smallest stride up never returns to an address.
// Sufficient, and necessary for every layout that views of dense tensors can have.
bool ElementsAreDistinct(const TensorLayout& layout, Strides strides) {
  struct Dim {
    uint64_t stride;
    uint64_t size;
  };
  std::array<Dim, Dims::kMaxRank> dims;
  size_t count = 0;
  for (size_t i = layout.shape.rank(); i-- > 0;) {
    if (strides == Strides::kRepeating && layout.strides[i] == 0) continue;
    if (layout.shape[i] > 1) {
      dims[count++] = {Magnitude(layout.strides[i]), static_cast<uint64_t>(layout.shape[i])};
    }
  }
  const std::span<Dim> given(dims.data(), count);
  std::ranges::sort(given, {}, &Dim::stride);
  uint64_t reach = 1;  // elements spanned so far; cannot overflow after ExtentOf
  for (const Dim& dim : given) {
    if (dim.stride < reach) return false;
    reach += dim.stride * (dim.size - 1);
  }
  return true;
}

bool Accepts(Formats formats, aclFormat format) {
  if (format == ACL_FORMAT_FRACTAL_NZ) return formats != Formats::kPlain;
  return formats != Formats::kFractalNz && IsPlainFormat(format);
}

}  // namespace

const char* FormatsText(Formats formats) {
  switch (formats) {
    case Formats::kPlain:
      return "ND";
    case Formats::kFractalNz:
      return "FRACTAL_NZ";
    case Formats::kPlainOrFractalNz:
      return "ND or FRACTAL_NZ";
  }
  return "";
}

Status Operands::CheckValues() const {
  for (size_t row = 0; row < params_.size(); ++row) {
    const ParamSpec& spec = params_[row];
    if (!IsInteger(spec.kind)) continue;
    const int64_t value = arguments_[row].integer;
    if (value >= spec.min && value <= spec.max) continue;
    if (spec.max == INT64_MAX) {
      return Fail(spec_.codes.shape, "{} is {}, expected at least {}", spec.name, value, spec.min);
    }
    return Fail(spec_.codes.shape, "{} is {}, expected {} to {}", spec.name, value, spec.min,
                spec.max);
  }
  return {};
}

Status Operands::CheckTable() {
  if (Status s = CheckDTypes(); !s.ok()) return s;
  if (Status s = CheckFormats(); !s.ok()) return s;
  if (Status s = CheckValues(); !s.ok()) return s;
  if (Status s = CheckShapes(); !s.ok()) return s;
  return CheckStrides();
}

Status Operands::CheckDTypes() const {
  for (const Operand& operand : operands_) {
    if (!operand.given()) continue;
    const ParamSpec& spec = *operand.spec;
    if (!spec.dtypes.Contains(operand.dtype())) {
      return Fail(spec_.codes.dtype, "{}.dtype = {}, expected {}", operand.Name(),
                  anyacl::NameOf(operand.dtype()), spec.dtypes.ToString());
    }
    if (spec.same_dtype_as < 0) continue;
    const Operand& other = (*this)[spec.same_dtype_as];
    if (other.given() && other.dtype() != operand.dtype()) {
      return Fail(spec_.codes.dtype, "{}.dtype = {}, expected {} as {}.dtype", operand.Name(),
                  anyacl::NameOf(operand.dtype()), anyacl::NameOf(other.dtype()), other.spec->name);
    }
  }
  return {};
}

Status Operands::CheckFormats() const {
  for (const Operand& operand : operands_) {
    if (!operand.given() || Accepts(operand.spec->formats, operand.layout->format)) continue;
    return Fail(spec_.codes.format, "{}.format = {}, expected {}", operand.Name(),
                anyacl::NameOf(operand.layout->format), FormatsText(operand.spec->formats));
  }
  return {};
}

Status CheckRank(const Operand& operand, int code) {
  if (operand.shape().rank() <= size_t{TensorView::kMaxRank}) return {};
  return Fail(code, "{}.shape = {} has rank {}, expected at most {}", operand.Name(),
              operand.shape().ToString(), operand.shape().rank(), TensorView::kMaxRank);
}

Status CheckStrides(const Operand& operand, int code) {
  if (ElementCount(operand.shape()).value_or(INT64_MAX) > kMostElements) {
    return Fail(code, "{}.shape = {}, expected at most 2^56 elements", operand.Name(),
                operand.shape().ToString());
  }
  if (!ExtentOf(*operand.layout)) {
    return Fail(code, "{}.strides = {} with offset {}, expected bytes within 2^60 of the address",
                operand.Name(), operand.strides().ToString(), operand.layout->offset);
  }
  const bool needs_contiguous =
      operand.dtype() == ACL_INT4 || operand.spec->strides == Strides::kContiguous;
  if (needs_contiguous && !operand.IsContiguous()) {
    return Fail(code, "{}.strides = {}, expected {} (contiguous) for {}", operand.Name(),
                operand.strides().ToString(), ContiguousStrides(operand.shape()).ToString(),
                NameOf(operand.dtype()));
  }
  if (operand.dtype() == ACL_INT4 && operand.layout->offset % 2 != 0) {
    return Fail(code, "{}.offset = {}, expected an even number: a byte holds two INT4",
                operand.Name(), operand.layout->offset);
  }
  if (operand.spec->direction != Direction::kInput && !operand.IsContiguous() &&
      !ElementsAreDistinct(*operand.layout, operand.spec->strides)) {
    return Fail(code,
                "{}.strides = {} for shape {}, expected an address of its own for each element",
                operand.Name(), operand.strides().ToString(), operand.shape().ToString());
  }
  return {};
}

Status Operands::CheckStrides() const {
  for (const Operand& operand : operands_) {
    if (!operand.given()) continue;
    if (Status s = CheckRank(operand, spec_.codes.shape); !s.ok()) return s;
    if (operand.IsEmpty()) continue;
    if (Status s = anyacl::CheckStrides(operand, spec_.codes.shape); !s.ok()) return s;
  }
  return {};
}

Status Operands::CheckNotEmpty() const {
  for (const ParamSpec& row : spec_.params) {
    if (!IsTensor(row.kind) || !Given(row.id) || !(*this)[row.id].IsEmpty()) continue;
    return Fail(spec_.codes.shape, "{}.shape = {}, expected some elements", row.name,
                (*this)[row.id].shape().ToString());
  }
  return {};
}

Status Operands::CheckText(int id, std::initializer_list<const char*> known, size_t* place,
                           int code) const {
  if (place != nullptr) *place = 0;
  if (!Given(id)) return {};
  const std::string_view text = Text(id);
  const auto found = std::find(known.begin(), known.end(), text);
  if (found != known.end()) {
    if (place != nullptr) *place = static_cast<size_t>(found - known.begin());
    return {};
  }
  std::string all;
  for (auto word = known.begin(); word != known.end(); ++word) {
    const char* const before = word == known.begin() ? "" : word + 1 == known.end() ? " or " : ", ";
    all += Format("{}\"{}\"", before, *word);
  }
  return Fail(code != 0 ? code : spec_.codes.shape, "{} = \"{:.64}\", expected {}", NameOf(id),
              text, all);
}

Status CheckDim(const Operands& operands, const char* name, int64_t value, size_t rank, int* dim) {
  const auto count = static_cast<int64_t>(rank);
  if (value < -count || value >= count) {
    return Fail(operands.spec().codes.shape, "{} = {}, expected {} to {}: the rank is {}", name,
                value, -count, count - 1, rank);
  }
  *dim = static_cast<int>(value < 0 ? value + count : value);
  return {};
}

Status CheckShapeIs(const Operands& operands, int id, const Dims& expected) {
  const Dims& shape = operands[id].shape();
  if (shape == expected) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected {}", operands.NameOf(id),
              shape.ToString(), expected.ToString());
}

Status CheckResultCast(const Operands& operands, int out, aclDataType computed) {
  const aclDataType type = operands[out].dtype();
  if (type == computed || CanCast(computed, type)) return {};
  return Fail(operands.spec().codes.dtype,
              "{}.dtype = {}, expected one that holds {} "
              "(result type {} can't be cast to the desired output type {})",
              operands.NameOf(out), NameOf(type), NameOf(computed), TorchNameOf(computed),
              TorchNameOf(type));
}

Slot SlotOf(const Operand& operand) {
  Slot slot;
  slot.parameter = operand.spec->name;
  slot.is_output = operand.spec->direction == Direction::kOutput;
  slot.list_index = operand.list_index;
  slot.tensor = operand.tensor;
  if (!operand.given() || operand.IsEmpty()) return slot;
  const Extent extent = ExtentOf(*operand.layout).value_or(Extent{0, 0});
  slot.begin = extent.begin;
  slot.end = extent.end;
  slot.alignment = static_cast<size_t>(std::max(BitsOf(operand.dtype()) / 8, 1));
  return slot;
}

std::vector<Slot> Operands::Slots() const {
  std::vector<Slot> slots;
  slots.reserve(operands_.size());
  for (const Operand& operand : operands_) slots.push_back(SlotOf(operand));
  return slots;
}

bool Operands::HasAtMost(int64_t elements) const {
  for (const Operand& operand : operands_) {
    if (!operand.given()) continue;
    const int64_t count = ElementCount(operand.shape()).value_or(INT64_MAX);
    if (count > elements) return false;
    elements -= count;
  }
  return true;
}

}  // namespace anyacl
