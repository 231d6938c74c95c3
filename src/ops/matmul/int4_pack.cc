// SPDX-License-Identifier: Apache-2.0
// ConvertWeightToINT4Pack: INT4 numbers that an INT32 each holds, two to a byte, as rows or in
// panels.
#include <algorithm>

#include "base/division.h"
#include "nnop/fractal_nz.h"
#include "ops/matmul/int4.h"
#include "ops/matmul/operators.h"
#include "ops/matmul/weight.h"
#include "runtime/parallel.h"

namespace anyacl::matmul {
namespace {

constexpr int64_t kPanelColumns = 64;
constexpr int64_t kChunk = 16384;  // elements, 2 us

// Rows of a matrix are one panel of all columns.
struct Packing {
  TensorView from;  // [.., K, N], contiguous
  TensorView to;    // lines of `width` numbers, one behind the other
  int64_t rows = 0, columns = 0;
  int64_t width = 0;        // of a panel
  int64_t padded_rows = 0;  // of a panel
};

class PackPlan final : public Plan {
 public:
  explicit PackPlan(const Packing& packing) : p_(packing) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const auto* const from = reinterpret_cast<const uint32_t*>(p_.from.Address(bindings));
    auto* const to = reinterpret_cast<uint8_t*>(p_.to.Address(bindings));
    const int64_t batches = p_.from.elements() / (p_.rows * p_.columns);
    const int64_t panels = CeilDivide(p_.columns, p_.width);
    ParallelFor(batches * panels * p_.padded_rows, CeilDivide(kChunk, p_.width),
                [&](int64_t begin, int64_t end) {
                  for (int64_t line = begin; line < end; ++line) {
                    const int64_t row = line % p_.padded_rows;
                    const int64_t panel = line / p_.padded_rows;
                    const int64_t batch = panel / panels;
                    const int64_t column = panel % panels * p_.width;
                    const int64_t count =
                        row < p_.rows ? std::min(p_.width, p_.columns - column) : 0;
                    PackLine(from + (batch * p_.rows + row) * p_.columns + column, count,
                             to + line * (p_.width / 2));
                  }
                });
    return {};
  }

 private:
  // Pairs, the first number in the lower half of its byte; 0 where the matrix has none.
  void PackLine(const uint32_t* from, int64_t count, uint8_t* to) const {
    for (int64_t i = 0; i < count / 2; ++i) {
      to[i] = static_cast<uint8_t>((from[2 * i] & 15) | (from[2 * i + 1] & 15) << 4);
    }
    std::fill(to + count / 2, to + p_.width / 2, uint8_t{0});
  }

  const Packing p_;
};

}  // namespace

Status PrepareInt4Pack(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  const Dims shape = operands[kRight].shape();
  if (operands[kRight].IsEmpty()) {
    return Fail(code, "weight.shape = {}, expected some elements", shape.ToString());
  }
  const Dims out_storage = operands[kOut].layout->storage_shape;
  const int64_t panel_size = operands[kOut].dtype() == ACL_INT32 ? 8 : kPanelColumns;
  SeeInt4(operands, kOut);
  if (Status s = CheckInt4(operands, kOut); !s.ok()) return s;
  Panels panels;
  if (Status s = ReadPanels(operands, kOut, &panels); !s.ok()) return s;
  if (panels.given() &&
      (out_storage.back() != panel_size || panels.view.strides[shape.rank() - 1] != 1)) {
    Dims expected = NzShape(shape, kPanelColumns);
    expected[expected.rank() - 1] = panel_size;
    return Fail(code, "weightInt4Pack.storageShape = {}, expected {}", out_storage.ToString(),
                expected.ToString());
  }
  SeeStorage(operands, kOut, panels);
  Packing packing;
  packing.from = ViewOf(operands, kRight);
  packing.to = ViewOf(operands, kOut);
  packing.rows = shape[shape.rank() - 2];
  packing.columns = shape[shape.rank() - 1];
  packing.width = panels.given() ? panels.width : packing.columns;
  packing.padded_rows = panels.given() ? RoundUp(packing.rows, kPanelRows) : packing.rows;
  call->plan = std::make_shared<PackPlan>(packing);
  return {};
}

}  // namespace anyacl::matmul
