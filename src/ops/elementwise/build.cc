// SPDX-License-Identifier: Apache-2.0
#include "ops/elementwise/build.h"

#include <algorithm>

#include "nnop/copy.h"
#include "nnop/promotion.h"
#include "ops/blocks/convert.h"
#include "ops/elementwise/complex.h"
#include "ops/elementwise/prepare.h"

namespace anyacl::elementwise {
namespace {

bool IsComplex(aclDataType dtype) { return CategoryOf(dtype) == Category::kComplex; }

bool HoldsInt32(const ScalarValue& value) {
  return value.integer >= INT32_MIN && value.integer <= INT32_MAX;
}

Element FormOf(const Computation& c) {
  if (c.computed == ACL_UINT64) return Element::kUint64;
  const Element number = blocks::NumberOf(ElementOf(c.computed));
  const bool narrow = HoldsInt32(c.p) && HoldsInt32(c.q) && HoldsInt32(c.r);
  return number == Element::kInt32 && !narrow ? Element::kInt64 : number;
}

// The kernel that takes 16-bit elements as they are, if there is one and all are of that type.
Element NarrowForm(const Operands& operands, std::span<const int> inputs, const Computation& c,
                   Element form) {
  if (form != Element::kFp32 || c.computed == ACL_FLOAT) return form;
  const Element narrow = ElementOf(c.computed);
  for (int id : inputs) {
    if (operands[id].dtype() != c.computed) return form;
  }
  if (!IsComparison(c.op) && operands[OutOf(operands)].dtype() != c.computed) return form;
  return HasForm(c.op, narrow) ? narrow : form;
}

// Where a kernel without unsigned numbers computes the same bits.
Element ExistingForm(Op op, Element form) {
  return form == Element::kUint64 && !HasForm(op, form) ? Element::kInt64 : form;
}

// Whether elements are what a kernel reads and writes; integers of 64 bits are, signed or not.
bool IsNative(aclDataType dtype, Element native) {
  const auto integer = [](Element type) {
    return type == Element::kUint64 ? Element::kInt64 : type;
  };
  return integer(ElementOf(dtype)) == integer(native);
}

// An input with the sizes of the output.
TensorView SpreadView(const Operands& operands, int id) {
  const Dims& shape = operands[OutOf(operands)].shape();
  return *Broadcast(ViewOf(operands, id), {shape.begin(), shape.rank()});
}

OperandView InputOf(const TensorView& view, Element native) {
  OperandView operand;
  operand.view = view;
  operand.bytes = blocks::BytesOf(operand.view.dtype);
  operand.native = IsNative(operand.view.dtype, native);
  if (!operand.native) operand.load = blocks::Loader(blocks::NumberOf(native), operand.view.dtype);
  return operand;
}

OperandView InputOperand(const Operands& operands, int id, Element native) {
  return InputOf(SpreadView(operands, id), native);
}

OperandView OutputOperand(const Operands& operands, Element native) {
  OperandView operand;
  operand.view = ViewOf(operands, OutOf(operands));
  operand.bytes = blocks::BytesOf(operand.view.dtype);
  operand.native = IsNative(operand.view.dtype, native);
  const aclDataType dtype = operand.view.dtype;
  if (!operand.native) {
    const Element number = blocks::NumberOf(native);
    operand.store = IsComplex(dtype) ? ComplexStorer(number, dtype) : blocks::Storer(number, dtype);
  }
  return operand;
}

class ConversionPlan final : public Plan {
 public:
  ConversionPlan(const TensorView& to, const TensorView& from) : conversion_(to, from, to.dtype) {}
  Status Run(const Bindings& bindings, const StopToken&) const override {
    conversion_.Run(bindings);
    return {};
  }

 private:
  blocks::StridedConversion conversion_;
};

Scalar ScalarOf(const ScalarValue& value) {
  return {static_cast<float>(value.real), value.real, value.integer};
}

// As an element of a type.
void StoreValue(const ScalarValue& value, aclDataType type, char* to) {
  if (IsComplex(type)) {
    const ComplexNumber from(value.real, value.imaginary);
    blocks::ConvertElements(ACL_COMPLEX128, reinterpret_cast<const char*>(&from), 0, type, to, 0,
                            1);
    return;
  }
  const bool whole =
      CategoryOf(type) < Category::kFloating && CategoryOf(value.dtype) < Category::kFloating;
  const Element number = whole ? Element::kInt64 : Element::kFp64;
  const void* from = whole ? static_cast<const void*>(&value.integer) : &value.real;
  blocks::Storer(number, type)(from, {to, 1, 1, 1, 1, false});
}

// What the documents compute an operation in, if that is not all that its kernel can; null if
// `computed` is among it.
const char* TypesOf(Op op, aclDataType computed) {
  switch (op) {
    case Op::kRemainder:
    case Op::kRemainderScalar:
    case Op::kRemainderOfScalar: {
      const bool wide = computed == ACL_INT32 || computed == ACL_INT64;
      const bool taken = wide || CategoryOf(computed) == Category::kFloating;
      return taken ? nullptr : "INT32, INT64 or floating-point numbers";
    }
    case Op::kPow:
    case Op::kPowScalar:
    case Op::kPowOfScalar:
      return computed == ACL_BOOL ? "numbers" : nullptr;
    default:
      return nullptr;
  }
}

int BytesIndex(int64_t bytes) { return std::countr_zero(static_cast<unsigned>(bytes)); }

bool IsEmpty(const Operands& operands) { return operands[OutOf(operands)].IsEmpty(); }

}  // namespace

int OutOf(const Operands& operands) { return operands.Given(kOut) ? kOut : kSelf; }

Status CheckCall(Operands& operands, std::span<const int> inputs) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  Dims shape = operands[inputs.front()].shape();
  for (int id : inputs.subspan(1)) {
    const std::optional<Dims> both = BroadcastShape(shape, operands[id].shape());
    if (!both) {
      return Fail(code, "{}.shape = {}, expected one that broadcasts with {}", operands.NameOf(id),
                  operands[id].shape().ToString(), shape.ToString());
    }
    shape = *both;
  }
  const int out = OutOf(operands);
  if (operands[out].shape() == shape) return {};
  return Fail(code, "{}.shape = {} doesn't match the broadcast shape, expected {}",
              operands.NameOf(out), operands[out].shape().ToString(), shape.ToString());
}

Status CheckResult(const Operands& operands, aclDataType computed) {
  return CheckResultCast(operands, OutOf(operands), computed);
}

bool HasForm(Op op, Element form) {
  return anyacl::Kernels().elementwise.Find(op, form) != nullptr;
}

Status CheckComputed(const Operands& operands, Op op, aclDataType computed) {
  const int code = operands.spec().codes.dtype;
  if (computed == ACL_DT_UNDEFINED) {
    return Fail(code, "{}.dtype = {} and the scalar's type, expected types that promote to one",
                operands.NameOf(kSelf), NameOf(operands[kSelf].dtype()));
  }
  if (const char* const expected = TypesOf(op, computed)) {
    return Fail(code, "{} would be computed, expected {}", NameOf(computed), expected);
  }
  if (IsComplex(computed)) {
    if (ComplexFunctionOf(op) != nullptr) return {};
    return Fail(code, "{} would be computed, expected real numbers", NameOf(computed));
  }
  if (HasForm(op, ExistingForm(op, FormOf({.op = op, .computed = computed})))) return {};
  return Fail(code, "{} would be computed, expected {}", NameOf(computed),
              CategoryOf(computed) == Category::kFloating ? "integers" : "floating-point numbers");
}

void SetComplexPlan(const Operands& operands, std::span<const int> inputs, ComplexFunction compute,
                    const ScalarValue& p, const ScalarValue& q, PreparedCall* call) {
  if (IsEmpty(operands)) return;
  ComplexProgram program;
  program.compute = compute;
  program.p = {p.real, p.imaginary};
  program.q = {q.real, q.imaginary};
  for (int id : inputs) {
    program.in[static_cast<size_t>(program.inputs++)] = SpreadView(operands, id);
  }
  program.out = ViewOf(operands, OutOf(operands));
  call->plan = MakeComplexPlan(program);
}

void SetPlan(const Operands& operands, std::span<const int> inputs, const Computation& c,
             PreparedCall* call) {
  if (IsEmpty(operands)) return;
  if (IsComplex(c.computed)) {
    return SetComplexPlan(operands, inputs, ComplexFunctionOf(c.op), c.p, c.q, call);
  }
  const Element form = NarrowForm(operands, inputs, c, ExistingForm(c.op, FormOf(c)));
  Program program;
  program.compute = anyacl::Kernels().elementwise.Find(c.op, form);
  program.p = ScalarOf(c.p);
  program.q = ScalarOf(c.q);
  program.r = ScalarOf(c.r);
  for (int id : inputs) {
    program.in[program.inputs++] = InputOperand(operands, id, form);
  }
  if (!IsComparison(c.op)) {
    program.out = OutputOperand(operands, form);
  } else {
    const Element out = ElementOf(operands[OutOf(operands)].dtype());
    const bool is_byte = out != Element::kNone && BytesOf(out) == 1;
    program.out = OutputOperand(operands, is_byte ? out : Element::kBool);
    program.bools = true;
  }
  program.steps = form <= Element::kBf16;
  program.costly = c.op >= kFirstFunction || form == Element::kFp64;
  call->plan = MakePlan(program);
}

void DropRepeats(Operands& operands, int id) {
  const Operand& operand = operands[id];
  const Dims& strides = operand.strides();
  if (std::find(strides.begin(), strides.end(), 0) == strides.end()) return;
  TensorLayout layout = *operand.layout;
  for (size_t i = 0; i < layout.shape.rank(); ++i) {
    // An empty tensor stays one.
    if (layout.strides[i] == 0) layout.shape[i] = std::min<int64_t>(layout.shape[i], 1);
  }
  operands.Relabel(id, std::move(layout));
}

void SetMovePlan(const Operands& operands, int input, PreparedCall* call) {
  if (IsEmpty(operands)) return;
  const aclDataType from = operands[input].dtype();
  const aclDataType to = operands[OutOf(operands)].dtype();
  const TensorView out = ViewOf(operands, OutOf(operands));
  const TensorView in = SpreadView(operands, input);
  if (from == to || (!IsComplex(from) && IsNative(from, ElementOf(to)))) {
    auto plan = std::make_shared<CopyPlan>();
    plan->copies.Add(LoopsOf(out, in), out.slot, in.slot);
    call->plan = std::move(plan);
    return;
  }
  if (IsComplex(from) || IsComplex(to)) {
    call->plan = std::make_shared<ConversionPlan>(out, in);
    return;
  }
  const Element between = blocks::NumberBetween(from, to);
  Program program;
  program.inputs = 1;
  program.in[0] = InputOperand(operands, input, between);
  program.out = OutputOperand(operands, between);
  call->plan = MakePlan(program);
}

void SetFillPlan(std::span<const TensorView> views, const ScalarValue& value, PreparedCall* call) {
  auto plan = std::make_shared<CopyPlan>();
  for (const TensorView& view : views) {
    if (view.elements() == 0) continue;
    StoreValue(value, view.dtype, plan->constant.data());
    plan->copies.Add(FillLoopsOf(view), view.slot, -1);
  }
  if (!plan->copies.empty()) call->plan = std::move(plan);
}

void SetFillPlan(const Operands& operands, int id, const ScalarValue& value, PreparedCall* call) {
  const TensorView out = ViewOf(operands, id);
  SetFillPlan({&out, 1}, value, call);
}

void SetWherePlan(const Operands& operands, std::span<const int> inputs, aclDataType common,
                  PreparedCall* call) {
  if (IsEmpty(operands)) return;
  if (IsComplex(common)) {
    return SetComplexPlan(operands, inputs, &ComplexWhere, {}, {}, call);
  }
  // Elements of one type are moved; others become numbers.
  bool same = operands[OutOf(operands)].dtype() == common;
  for (int id : inputs.subspan(1)) same &= operands[id].dtype() == common;
  const Element native = same ? ElementOf(common) : FormOf({.op = Op::kAdd, .computed = common});
  Program program;
  program.where = anyacl::Kernels().elementwise.where[BytesIndex(BytesOf(native))];
  program.in[program.inputs++] =
      InputOperand(operands, inputs[0], ElementOf(operands[inputs[0]].dtype()));
  for (int id : inputs.subspan(1)) {
    program.in[program.inputs++] = InputOperand(operands, id, native);
  }
  program.out = OutputOperand(operands, native);
  call->plan = MakePlan(program);
}

void SetMaskedFillPlan(const Operands& operands, const ScalarValue& value, PreparedCall* call) {
  if (IsEmpty(operands)) return;
  const aclDataType type = operands[kSelf].dtype();
  Program program;
  program.masked_fill =
      anyacl::Kernels().elementwise.masked_fill[BytesIndex(blocks::BytesOf(type))];
  StoreValue(value, type, program.constant);
  program.inputs = 2;
  program.in[0] = InputOperand(operands, kCondition, Element::kBool);
  program.in[1] = {.view = SpreadView(operands, kSelf), .bytes = blocks::BytesOf(type)};
  program.out = {.view = ViewOf(operands, kSelf), .bytes = blocks::BytesOf(type)};
  call->plan = MakePlan(program);
}

void SetEqualPlan(const Operands& operands, aclDataType common, PreparedCall* call) {
  const Element form = FormOf({.op = Op::kEqual, .computed = common});
  Program program;
  program.compute = anyacl::Kernels().elementwise.Find(Op::kEqual, form);
  for (int id : {kSelf, kOther}) {
    program.in[program.inputs++] = InputOf(ViewOf(operands, id), form);
  }
  // The results are looked at, block by block, and stand nowhere.
  program.out = {.view = program.in[0].view, .bytes = 1, .native = false};
  program.all = true;
  const TensorView verdict = ViewOf(operands, kOut);
  program.verdict = verdict.slot;
  program.verdict_offset = verdict.offset;
  program.bools = true;
  program.steps = form <= Element::kBf16;
  call->plan = MakePlan(program);
}

}  // namespace anyacl::elementwise
