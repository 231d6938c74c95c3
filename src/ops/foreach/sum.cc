// SPDX-License-Identifier: Apache-2.0
// The sum, largest or smallest of the tensors of a list, which broadcast to the output. Each block
// of numbers is folded in the order of the list, in fp32 or integers, and rounded once.
#include <algorithm>
#include <vector>

#include "base/division.h"
#include "ops/blocks/walk.h"
#include "ops/foreach/operators.h"
#include "runtime/parallel.h"

namespace anyacl::foreach {
namespace {

using blocks::kWalkBlock;

constexpr int64_t kGrain = 16384;                 // additions: 2 us or more
constexpr size_t kNumberBytes = sizeof(int64_t);  // at most

class FoldPlan final : public Plan {
 public:
  // The output, then the tensors, all of its sizes and type.
  FoldPlan(Op op, std::vector<TensorView> views)
      : views_(std::move(views)),
        number_(blocks::NumberOf(ElementOf(views_[0].dtype))),
        native_(ElementOf(views_[0].dtype) == number_),
        fold_(Kernels().elementwise.Find(op, number_)),
        load_(blocks::Loader(number_, views_[0].dtype)),
        store_(blocks::Storer(number_, views_[0].dtype)) {
    Coalesce(views_);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t blocks = CeilDivide(views_[0].elements(), kWalkBlock);
    const int64_t additions = kWalkBlock * static_cast<int64_t>(views_.size() - 1);
    ParallelFor(blocks, std::max<int64_t>(1, kGrain / additions), [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) FoldBlock(bindings, b);
    });
    return {};
  }

 private:
  // Where a block's numbers are: in memory, or brought into the buffer.
  const void* Read(const Bindings& bindings, const TensorView& view, int64_t block,
                   char* buffer) const {
    if (native_ && view.IsContiguous()) {
      return view.Address(bindings) + block * kWalkBlock * BytesOf(number_);
    }
    blocks::Walk::ForTiles(bindings, view, block, [&](const blocks::Tile& tile, int64_t before) {
      load_(tile, buffer + before * BytesOf(number_));
    });
    return buffer;
  }

  // The output may be any of the tensors: it is written when all of them have been read.
  void FoldBlock(const Bindings& bindings, int64_t block) const {
    alignas(64) char results[kWalkBlock * kNumberBytes], numbers[kWalkBlock * kNumberBytes];
    elementwise::Block args = {};
    std::fill_n(args.step, 3, 1);
    args.out = results;
    args.count = std::min(kWalkBlock, views_[0].elements() - block * kWalkBlock);
    args.in[0] = Read(bindings, views_[1], block, results);
    for (size_t i = 2; i < views_.size(); ++i) {
      args.in[1] = Read(bindings, views_[i], block, numbers);
      fold_(args);
      args.in[0] = results;
    }
    const char* from = static_cast<const char*>(args.in[0]);
    blocks::Walk::ForTiles(bindings, views_[0], block,
                           [&](const blocks::Tile& tile, int64_t before) {
                             store_(from + before * BytesOf(number_), tile);
                           });
  }

  std::vector<TensorView> views_;
  const Element number_;
  const bool native_;  // elements are numbers
  const elementwise::BlockFunction fold_;
  const blocks::LoadFunction load_;
  const blocks::StoreFunction store_;
};

// Types are one, and the tensors broadcast to the output's shape, no further and no less.
Status CheckTensors(const Operands& operands) {
  const Operand& out = operands[kOut];
  Dims shape = {};
  for (const Operand& tensor : operands.List(kX)) {
    if (!tensor.given()) continue;
    if (tensor.dtype() != out.dtype()) {
      return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} as out.dtype",
                  tensor.Name(), NameOf(tensor.dtype()), NameOf(out.dtype()));
    }
    const auto joined = BroadcastShape(shape, tensor.shape());
    if (!joined) {
      return Fail(operands.spec().codes.shape,
                  "{}.shape = {}, expected one that broadcasts with {}, that of those before",
                  tensor.Name(), tensor.shape().ToString(), shape.ToString());
    }
    shape = *joined;
  }
  if (shape == out.shape()) return {};
  return Fail(operands.spec().codes.shape, "out.shape = {}, expected {}, to which {} broadcast",
              out.shape().ToString(), shape.ToString(), operands.NameOf(kX));
}

}  // namespace

Status PrepareFold(Op op, Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const auto list = operands.List(kX);
  if (!list[0].given()) {
    return Fail(operands.spec().codes.shape, "tensors is empty, expected at least one tensor");
  }
  if (Status s = CheckTensors(operands); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const Dims& shape = operands[kOut].shape();
  std::vector<TensorView> views = {ViewOf(operands, kOut)};
  for (size_t i = 0; i < list.size(); ++i) {
    views.push_back(*Broadcast(ViewOf(operands, kX, i), {shape.begin(), shape.rank()}));
  }
  call->plan = std::make_shared<FoldPlan>(op, std::move(views));
  return {};
}

}  // namespace anyacl::foreach
