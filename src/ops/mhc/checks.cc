// SPDX-License-Identifier: Apache-2.0
#include "ops/mhc/checks.h"

#include "ops/mhc/kept.h"

namespace anyacl::mhc {
namespace {

int64_t ElementsOf(const Operand& operand) {
  return ElementCount(operand.shape()).value_or(INT64_MAX);
}

// As many as a product that may not fit 64 bits.
Status CheckElements(const Operands& operands, int id, int64_t count, int64_t each,
                     const char* product) {
  if (!operands.Given(id)) return {};
  const int64_t elements = ElementsOf(operands[id]);
  if (elements % each == 0 && elements / each == count) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected {} * {} elements, {}",
              operands.NameOf(id), operands[id].shape().ToString(), each, count, product);
}

}  // namespace

int64_t TokensOf(const Operands& operands) {
  const int64_t flat = operands.Size("T");
  return flat >= 0 ? flat : operands.Size("B") * operands.Size("S");
}

Status CheckTensors(Operands& operands) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  if (Status s = operands.CheckNotEmpty(); !s.ok()) return s;
  const int64_t streams = operands.Size("N");
  const bool kept = operands.HasRow(kNorms);
  if (kept ? streams != 4 && streams != 6 && streams != 8 : streams > kMostStreams) {
    const ParamSpec& row = operands.spec().params[0];
    return Fail(code, "{}.shape = {} has {} streams, expected {}", row.name,
                operands[row.id].shape().ToString(), streams, kept ? "4, 6 or 8" : "1 to 64");
  }
  return {};
}

Status CheckKept(const Operands& operands, int64_t iterations) {
  const int64_t sums = 2 * iterations * TokensOf(operands) * kKeptColumns;
  if (Status s =
          CheckElements(operands, kNorms, sums, operands.Size("N"), "2 * numIters * T * N * 8");
      !s.ok()) {
    return s;
  }
  return CheckElements(operands, kSums, sums, 1, "2 * numIters * T * 8");
}

Status CountKept(const Operands& operands, int64_t* iterations) {
  const int64_t each = 2 * TokensOf(operands) * kKeptColumns;
  const int64_t sums = ElementsOf(operands[kSums]);
  *iterations = sums / each;
  if (sums % each != 0 || *iterations < 1 || *iterations > 100) {
    return Fail(operands.spec().codes.shape,
                "{}.shape = {}, expected 2 * numIters * T * 8 elements of 1 to 100 iterations "
                "and {} tokens",
                operands.NameOf(kSums), operands[kSums].shape().ToString(), TokensOf(operands));
  }
  return CheckKept(operands, *iterations);
}

Status CheckMixture(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  const int64_t streams = operands.Size("N"), columns = operands.Size("D");
  const int64_t alphas = operands[kAlpha].shape()[0];
  if (alphas != 2 && alphas != 3) {
    return Fail(code, "alpha.shape = [{}], expected [2] or [3]", alphas);
  }
  const int64_t mixed = alphas == 3 ? streams * (streams + 2) : 2 * streams;
  if (operands.Size("K") != mixed || operands.Size("W") != streams * columns) {
    return Fail(code, "phi.shape = {}, expected [{}, {}] as x.shape = {} and alpha.shape = [{}]",
                operands[kPhi].shape().ToString(), mixed, streams * columns,
                operands[kX].shape().ToString(), alphas);
  }
  if (!operands.HasRow(kHiddenIn)) return {};
  if (alphas == 3 && !operands.Given(kResidual)) {
    return Fail(operands.spec().codes.null,
                "hRes is null, expected a tensor as alpha has 3 elements");
  }
  for (int id : {kMix, kPre}) {
    if (operands.Given(id) == operands.Given(kInverseRms)) continue;
    return Fail(code, "{} is {}, expected {} as invRmsOptional", operands.NameOf(id),
                operands.Given(id) ? "given" : "null", operands.Given(id) ? "null" : "a tensor");
  }
  return {};
}

}  // namespace anyacl::mhc
