// SPDX-License-Identifier: Apache-2.0
#include "ops/native_sparse_attention/sequences.h"

namespace anyacl::native_sparse_attention {

Status ReadEnds(const Operands& operands, int ends, int64_t total, int tensor,
                std::vector<Rows>* sequences) {
  const auto values = operands.Ints(ends);
  if (values.empty()) {
    return Fail(RuleCode(operands), "{} has 0 values, expected the end of each sequence",
                operands.NameOf(ends));
  }
  int64_t before = 0;
  for (size_t b = 0; b < values.size(); ++b) {
    if (values[b] < before || values[b] > total) {
      return Fail(RuleCode(operands), "{}[{}] = {}, expected {} to {}, the rows of {}",
                  operands.NameOf(ends), b, values[b], before, total, operands.NameOf(tensor));
    }
    sequences->push_back({before, values[b] - before});
    before = values[b];
  }
  return {};
}

Status CheckLayout(const Operands& operands, int id) {
  if (operands.Given(id)) return operands.CheckText(id, {"TND"});
  return Fail(operands.spec().codes.shape, "{} is null, expected TND", operands.NameOf(id));
}

Status CheckUnit(const Operands& operands, int id) {
  if (operands.Int(id) % kUnit == 0) return {};
  return Fail(RuleCode(operands), "{} = {}, expected a multiple of {}", operands.NameOf(id),
              operands.Int(id), kUnit);
}

Status CheckWindow(const Operands& operands) {
  for (int id : {kCompressBlockSize, kCompressStride}) {
    if (Status s = CheckUnit(operands, id); !s.ok()) return s;
  }
  if (operands.Int(kCompressStride) <= operands.Int(kCompressBlockSize)) return {};
  return Fail(RuleCode(operands), "{} = {}, expected at most {}, the compressBlockSize",
              operands.NameOf(kCompressStride), operands.Int(kCompressStride),
              operands.Int(kCompressBlockSize));
}

Status CheckBlockSizes(const Operands& operands) {
  if (Status s = CheckWindow(operands); !s.ok()) return s;
  if (Status s = CheckUnit(operands, kSelectBlockSize); !s.ok()) return s;
  const int64_t window = operands.Int(kCompressBlockSize);
  const int64_t stride = operands.Int(kCompressStride);
  const int64_t select = operands.Int(kSelectBlockSize);
  if (select >= window && select % stride == 0) return {};
  return Fail(RuleCode(operands),
              "selectBlockSize = {}, expected a multiple of {} = {}, at least {}, the "
              "compressBlockSize",
              select, operands.NameOf(kCompressStride), stride, window);
}

}  // namespace anyacl::native_sparse_attention
