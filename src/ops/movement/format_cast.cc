// SPDX-License-Identifier: Apache-2.0
// NpuFormatCast: matrices into the order FRACTAL_NZ and back.
#include "base/division.h"
#include "nnop/fractal_nz.h"
#include "ops/movement/move.h"

namespace anyacl::movement {
namespace {

constexpr size_t kMinRank = 2;
constexpr size_t kMaxPlainRank = 6;
constexpr int64_t kMostColumns = 32;  // of a panel

// The tensor in FRACTAL_NZ as its storage, which its handle may call [.., K, N], too.
Status SeeStorage(Operands& operands, int id, const Dims& plain) {
  const Operand& operand = operands[id];
  const int code = operands.spec().codes.shape;
  TensorLayout storage = *operand.layout;
  const Dims& shape = storage.storage_shape;
  const int64_t columns = shape.rank() > 0 ? shape[shape.rank() - 1] : 0;
  if (!IsPanelWidth(columns, kMostColumns)) {
    return Fail(code, "{}.storageShape = {}, expected 8, 16 or 32 as its last size",
                operand.spec->name, shape.ToString());
  }
  const Dims expected = NzShape(plain, columns);
  if (!(shape == expected)) {
    return Fail(code, "{}.storageShape = {}, expected {} for a matrix {}", operand.spec->name,
                shape.ToString(), expected.ToString(), plain.ToString());
  }
  if (!ElementCount(shape)) {
    return Fail(code, "{}.storageShape = {}, expected fewer than 2^63 elements", operand.spec->name,
                shape.ToString());
  }
  if (!(operand.shape() == plain) && !(operand.shape() == shape)) {
    return Fail(code, "{}.shape = {}, expected {} or the storageShape {}", operand.spec->name,
                operand.shape().ToString(), plain.ToString(), shape.ToString());
  }
  if (!operand.IsContiguous()) {
    return Fail(code, "{}.strides = {}, expected {} (contiguous)", operand.spec->name,
                operand.strides().ToString(), ContiguousStrides(operand.shape()).ToString());
  }
  storage.shape = shape;
  storage.strides = ContiguousStrides(shape);
  operands.Relabel(id, std::move(storage));
  return {};
}

// Where a rectangle of the matrices lies in both tensors.
class Rectangles {
 public:
  Rectangles(const TensorView& plain, const TensorView& nz, bool packs)
      : plain_(plain), nz_(nz), packs_(packs), bytes_(BitsOf(plain.dtype) / 8) {
    batch_ = 1;
    for (int i = 0; i + 2 < plain.rank; ++i) batch_ *= plain.sizes[i];
    rows_ = plain.sizes[plain.rank - 2];
    columns_ = plain.sizes[plain.rank - 1];
    width_ = nz.sizes[nz.rank - 1];
    padded_rows_ = RoundUp(rows_, kPanelRows);
    panels_ = CeilDivide(columns_, width_);
  }

  void AddAll(MovePlan& plan) const {
    const int64_t whole = columns_ / width_;
    const int64_t rest = columns_ % width_;
    Copy(plan, 0, whole, width_);
    Copy(plan, whole, 1, rest);
    if (!packs_) return;
    Clear(plan, 0, panels_, rows_, padded_rows_ - rows_, 0, width_);
    if (rest > 0) Clear(plan, whole, 1, 0, rows_, rest, width_ - rest);
  }

 private:
  // The first `columns` columns of some panels.
  void Copy(MovePlan& plan, int64_t panel, int64_t panels, int64_t columns) const {
    const int64_t nz_begin = (nz_.offset + panel * PanelElements()) * bytes_;
    const int64_t plain_begin = (plain_.offset + panel * width_) * bytes_;
    CopyLoops loops;
    loops.element_bytes = bytes_;
    loops.to_begin = packs_ ? nz_begin : plain_begin;
    loops.from_begin = packs_ ? plain_begin : nz_begin;
    const auto add = [&](int64_t size, int64_t nz, int64_t plain) {
      loops.Add(size, (packs_ ? nz : plain) * bytes_, (packs_ ? plain : nz) * bytes_);
    };
    add(batch_, panels_ * PanelElements(), rows_ * columns_);
    add(panels, PanelElements(), width_);
    add(rows_, width_, columns_);
    add(columns, 1, 1);
    plan.Copy(loops, packs_ ? nz_.slot : plain_.slot, packs_ ? plain_.slot : nz_.slot);
  }

  // What is no element of the matrix is 0.
  void Clear(MovePlan& plan, int64_t panel, int64_t panels, int64_t row, int64_t rows,
             int64_t column, int64_t columns) const {
    CopyLoops loops;
    loops.element_bytes = bytes_;
    loops.to_begin = (nz_.offset + panel * PanelElements() + row * width_ + column) * bytes_;
    loops.Add(batch_, panels_ * PanelElements() * bytes_, 0);
    loops.Add(panels, PanelElements() * bytes_, 0);
    loops.Add(rows, width_ * bytes_, 0);
    loops.Add(columns, bytes_, 0);
    plan.Copy(loops, nz_.slot, -1);
  }

  int64_t PanelElements() const { return padded_rows_ * width_; }

  const TensorView& plain_;
  const TensorView& nz_;
  const bool packs_;
  const int bytes_;
  int64_t batch_, rows_, columns_, width_, padded_rows_, panels_;
};

}  // namespace

Status CheckPlainRank(const char* name, const Dims& shape, int code) {
  if (shape.rank() >= kMinRank && shape.rank() <= kMaxPlainRank) return {};
  return Fail(code, "{}.shape = {} has rank {}, expected {} to {}", name, shape.ToString(),
              shape.rank(), kMinRank, kMaxPlainRank);
}

Status PrepareFormatCast(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  const bool packs = operands[kOut].layout->format == ACL_FORMAT_FRACTAL_NZ;
  if (packs == (operands[kSelf].layout->format == ACL_FORMAT_FRACTAL_NZ)) {
    return Fail(operands.spec().codes.format, "{}.format = {} and {}.format = {}, expected {}",
                operands.NameOf(kSelf), NameOf(operands[kSelf].layout->format),
                operands.NameOf(kOut), NameOf(operands[kOut].layout->format),
                "FRACTAL_NZ for one of them and ND for the other");
  }
  if (Status s = operands.CheckShapes(); !s.ok()) return s;
  const int nz = packs ? kOut : kSelf;
  const int plain = packs ? kSelf : kOut;
  const Dims shape = operands[plain].shape();
  if (Status s = CheckPlainRank(operands.NameOf(plain), shape, operands.spec().codes.shape);
      !s.ok()) {
    return s;
  }
  if (Status s = SeeStorage(operands, nz, shape); !s.ok()) return s;
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  auto plan = std::make_shared<MovePlan>();
  const TensorView plain_view = ViewOf(operands, plain);
  const TensorView nz_view = ViewOf(operands, nz);
  Rectangles(plain_view, nz_view, packs).AddAll(*plan);
  call->plan = std::move(plan);
  return {};
}

}  // namespace anyacl::movement
