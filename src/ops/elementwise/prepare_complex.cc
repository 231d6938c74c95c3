// SPDX-License-Identifier: Apache-2.0
// First phases of operators that take complex numbers apart or put them together.
#include <cmath>

#include "nnop/copy.h"
#include "nnop/promotion.h"
#include "ops/elementwise/build.h"
#include "ops/elementwise/prepare.h"

namespace anyacl::elementwise {
namespace {

// Of the parts of a complex number.
aclDataType PartOf(aclDataType complex) {
  return complex == ACL_COMPLEX128  ? ACL_DOUBLE
         : complex == ACL_COMPLEX64 ? ACL_FLOAT
         : complex == ACL_COMPLEX32 ? ACL_FLOAT16
                                    : complex;
}

// Where the first or the second part of every number lies.
TensorView Part(const TensorView& view, int which) {
  TensorView parts = RealParts(view);
  parts.offset += which;
  return parts;
}

TensorView Spread(const Operands& operands, int id) {
  const Dims& shape = operands[kOut].shape();
  return *Broadcast(ViewOf(operands, id), {shape.begin(), shape.rank()});
}

// out has the type of self, or of its parts if that is complex.
Status CheckOutIsPart(const Operands& operands) {
  const aclDataType type = operands[kSelf].dtype(), part = PartOf(type);
  if (operands[kOut].dtype() == part) return {};
  return Fail(operands.spec().codes.dtype, "out.dtype = {}, expected {} as self.dtype = {}",
              NameOf(operands[kOut].dtype()), NameOf(part), NameOf(type));
}

void AddCopy(CopyPlan& plan, const TensorView& to, const TensorView& from) {
  plan.copies.Add(LoopsOf(to, from), to.slot, from.slot);
}

}  // namespace

Status PrepareComplex(Operands& operands, PreparedCall* call) {
  if (Status s = CheckCall(operands, kTwo); !s.ok()) return s;
  const aclDataType part = PartOf(operands[kOut].dtype());
  for (int id : kTwo) {
    if (operands[id].dtype() == part) continue;
    return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} as out.dtype = {}",
                operands.NameOf(id), NameOf(operands[id].dtype()), NameOf(part),
                NameOf(operands[kOut].dtype()));
  }
  if (operands[kOut].IsEmpty()) return {};
  const TensorView out = ViewOf(operands, kOut);
  auto plan = std::make_shared<CopyPlan>();
  AddCopy(*plan, Part(out, 0), Spread(operands, kSelf));
  AddCopy(*plan, Part(out, 1), Spread(operands, kOther));
  call->plan = std::move(plan);
  return {};
}

Status PrepareAbs(Operands& operands, PreparedCall* call) {
  if (Status s = CheckCall(operands, kOne); !s.ok()) return s;
  if (Status s = CheckOutIsPart(operands); !s.ok()) return s;
  return Finish(operands, kOne, {Op::kAbs, operands[kSelf].dtype()}, call);
}

Status PrepareReal(Operands& operands, PreparedCall* call) {
  if (Status s = CheckCall(operands, kOne); !s.ok()) return s;
  if (Status s = CheckOutIsPart(operands); !s.ok()) return s;
  const aclDataType type = operands[kSelf].dtype(), part = PartOf(type);
  if (part == type) {
    SetMovePlan(operands, kSelf, call);
  } else if (!operands[kOut].IsEmpty()) {
    auto plan = std::make_shared<CopyPlan>();
    AddCopy(*plan, ViewOf(operands, kOut), Part(ViewOf(operands, kSelf), 0));
    call->plan = std::move(plan);
  }
  return {};
}

Status PreparePolar(Operands& operands, PreparedCall* call) {
  if (Status s = CheckCall(operands, kTwo); !s.ok()) return s;
  SetComplexPlan(
      operands, kTwo,
      [](const ComplexNumber* x, ComplexNumber, ComplexNumber) {
        const double size = x[0].real(), angle = x[1].real();
        return ComplexNumber(size * std::cos(angle), size * std::sin(angle));
      },
      {}, {}, call);
  return {};
}

Status PrepareAngle(Operands& operands, PreparedCall* call) {
  if (Status s = CheckCall(operands, kOne); !s.ok()) return s;
  if (CategoryOf(operands[kSelf].dtype()) == Category::kComplex) {
    SetComplexPlan(
        operands, kOne,
        [](const ComplexNumber* x, ComplexNumber, ComplexNumber) {
          return ComplexNumber(std::arg(x[0]));
        },
        {}, {}, call);
    return {};
  }
  // Of -0, 0.
  SetComplexPlan(
      operands, kOne,
      [](const ComplexNumber* x, ComplexNumber, ComplexNumber) {
        const double a = x[0].real();
        return ComplexNumber(std::isnan(a) ? a : a < 0 ? M_PI : 0);
      },
      {}, {}, call);
  return {};
}

}  // namespace anyacl::elementwise
