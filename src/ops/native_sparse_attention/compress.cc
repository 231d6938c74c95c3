// SPDX-License-Identifier: Apache-2.0
// Keys compressed for training, and the gradients: sums over the rows of a block, over the blocks
// that a row is in, and over all blocks, each by one thread in one order.
#include "ops/native_sparse_attention/compress.h"

#include <algorithm>

#include "kernels.h"
#include "ops/native_sparse_attention/head_rows.h"
#include "runtime/parallel.h"

namespace anyacl::native_sparse_attention {
namespace {

constexpr int64_t kMostHeads = 128, kMostDim = 256;
struct CompressParams {
  BlockMap map;
  TensorView input, weight, output;
};

class CompressPlan final : public CompressionPlan {
 public:
  explicit CompressPlan(CompressParams params)
      : CompressionPlan(params.weight, params.input.sizes[2]), p_(std::move(params)) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const float* const weights = LoadedWeights(bindings);
    const HeadRows input(p_.input, bindings), output(p_.output, bindings);
    const int64_t grain = std::max<int64_t>(1, kWorthNumbers / (window() * dim()));
    ParallelFor(p_.map.count() * heads(), grain, [&](int64_t begin, int64_t end, int64_t slot) {
      float* const row = RowOf(bindings, slot, 0);
      float* const sum = RowOf(bindings, slot, 1);
      for (int64_t i = begin; i < end; ++i) {
        const int64_t block = i / heads(), head = i % heads();
        const int64_t first = p_.map.FirstRow(block);
        std::fill_n(sum, dim(), 0.0f);
        for (int64_t w = 0; w < window(); ++w) {
          input.Load(first + w, head, row);
          Kernels().native_sparse_attention.add_weighted(weights[w * heads() + head], row, dim(),
                                                         sum);
        }
        output.Store(sum, block, head);
      }
    });
    return {};
  }

 private:
  const CompressParams p_;
};

struct GradientParams {
  BlockMap map;
  TensorView output_gradient, input, weight, input_gradient, weight_gradient;
};

class CompressGradientPlan final : public CompressionPlan {
 public:
  explicit CompressGradientPlan(GradientParams params)
      : CompressionPlan(params.weight, params.input.sizes[2]), p_(std::move(params)) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    ComputeInputGradient(bindings);
    ComputeWeightGradient(bindings);
    return {};
  }

 private:
  void ComputeInputGradient(const Bindings& bindings) const {
    const float* const weights = LoadedWeights(bindings);
    const HeadRows dy(p_.output_gradient, bindings), dx(p_.input_gradient, bindings);
    const Blocks& sizes = p_.map.sizes();
    const int64_t grain =
        std::max<int64_t>(1, kWorthNumbers * sizes.stride / (sizes.window * dim()));
    ParallelFor(p_.input.sizes[0] * heads(), grain, [&](int64_t begin, int64_t end, int64_t slot) {
      float* const row = RowOf(bindings, slot, 0);
      float* const sum = RowOf(bindings, slot, 1);
      for (int64_t i = begin; i < end; ++i) {
        const int64_t token = i / heads(), head = i % heads();
        int64_t place = 0;
        const Rows blocks = p_.map.BlocksOf(token, &place);
        std::fill_n(sum, dim(), 0.0f);
        for (int64_t k = 0; k < blocks.count; ++k, place -= sizes.stride) {
          dy.Load(blocks.first + k, head, row);
          Kernels().native_sparse_attention.add_weighted(weights[place * heads() + head], row,
                                                         dim(), sum);
        }
        dx.Store(sum, token, head);
      }
    });
  }

  void ComputeWeightGradient(const Bindings& bindings) const {
    const HeadRows dy(p_.output_gradient, bindings), x(p_.input, bindings);
    const TensorView& dw = p_.weight_gradient;
    ParallelFor(dw.sizes[0] * heads(), 1, [&](int64_t begin, int64_t end, int64_t slot) {
      float* const out_row = RowOf(bindings, slot, 0);
      float* const in_row = RowOf(bindings, slot, 1);
      for (int64_t i = begin; i < end; ++i) {
        const int64_t w = i / heads(), head = i % heads();
        double sum = 0;
        for (const Compressed& s : p_.map.sequences()) {
          for (int64_t c = 0; c < s.blocks.count; ++c) {
            dy.Load(s.blocks.first + c, head, out_row);
            x.Load(s.rows.first + c * p_.map.sizes().stride + w, head, in_row);
            sum +=
                static_cast<double>(Kernels().native_sparse_attention.dot(out_row, in_row, dim()));
          }
        }
        blocks::StoreOne(
            static_cast<float>(sum), dw.dtype,
            dw.Address(bindings) + (w * dw.strides[0] + head * dw.strides[1]) * BytesOf(dw));
      }
    });
  }

  const GradientParams p_;
};

// The order of the document: what the table says, layout, limits, then the sequences.
Status CheckCompression(Operands& operands, int blocks_of, BlockMap* map) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckLayout(operands, kLayout); !s.ok()) return s;
  if (operands[kInput].IsEmpty()) {
    return Fail(operands.spec().codes.shape, "input.shape = {}, expected no empty tensor",
                operands[kInput].shape().ToString());
  }
  if (Status s = CheckCompressSizes(operands, {kMostHeads, kMostDim}); !s.ok()) return s;
  return BlockMap::Make(operands, kInput, blocks_of, map);
}

}  // namespace

Status CheckCompressSizes(const Operands& operands, const CompressLimits& limits) {
  if (Status s = CheckWindow(operands); !s.ok()) return s;
  const int code = RuleCode(operands);
  const Dims& input = operands[kInput].shape();
  const int64_t heads = input[input.rank() - 2], dim = input.back();
  if (heads > limits.heads) {
    return Fail(code, "input.shape = {}, expected 1 to {} heads", input.ToString(), limits.heads);
  }
  if (dim <= limits.dim && dim % kUnit == 0) return {};
  return Fail(code, "input.shape = {}: D = {}, expected a multiple of {} up to {}",
              input.ToString(), dim, kUnit, limits.dim);
}

Status BlockMap::Make(const Operands& operands, int tensor, int blocks_of, BlockMap* map) {
  const int code = operands.spec().codes.shape;
  map->sizes_ = {operands.Int(kCompressBlockSize), operands.Int(kCompressStride)};
  const int64_t total = operands[tensor].shape()[0];
  std::vector<Rows> sequences;
  if (Status s = ReadEnds(operands, kEnds, total, tensor, &sequences); !s.ok()) return s;
  if (sequences.back().first + sequences.back().count != total) {
    return Fail(code, "{} ends at {}, expected {}, the rows of {}", operands.NameOf(kEnds),
                sequences.back().first + sequences.back().count, total, operands.NameOf(tensor));
  }
  for (const Rows& rows : sequences) {
    const int64_t blocks = map->sizes_.Count(rows.count);
    if (rows.count > 0) map->sequences_.push_back({rows, {map->count_, blocks}});
    map->count_ += blocks;
  }
  if (operands[blocks_of].shape()[0] == map->count_) return {};
  return Fail(code, "{}.shape = {}, expected {} blocks, those of all sequences",
              operands.NameOf(blocks_of), operands[blocks_of].shape().ToString(), map->count_);
}

int64_t BlockMap::FirstRow(int64_t block) const {
  const auto after = std::upper_bound(
      sequences_.begin(), sequences_.end(), block,
      [](int64_t value, const Compressed& s) { return value < s.blocks.first + s.blocks.count; });
  return after->rows.first + (block - after->blocks.first) * sizes_.stride;
}

Rows BlockMap::BlocksOf(int64_t row, int64_t* place) const {
  const auto after = std::upper_bound(
      sequences_.begin(), sequences_.end(), row,
      [](int64_t value, const Compressed& s) { return value < s.rows.first + s.rows.count; });
  const int64_t at = row - after->rows.first;
  const int64_t first = at < sizes_.window ? 0 : (at - sizes_.window) / sizes_.stride + 1;
  const int64_t last = std::min(at / sizes_.stride, after->blocks.count - 1);
  *place = at - first * sizes_.stride;
  return {after->blocks.first + first, std::max<int64_t>(0, last - first + 1)};
}

Status PrepareCompress(Operands& operands, PreparedCall* call) {
  CompressParams p;
  if (Status s = CheckCompression(operands, kOutput, &p.map); !s.ok()) return s;
  if (p.map.count() == 0) return {};
  p.input = ViewOf(operands, kInput);
  p.weight = ViewOf(operands, kWeight);
  p.output = ViewOf(operands, kOutput);
  call->plan = std::make_shared<CompressPlan>(std::move(p));
  return {};
}

Status PrepareCompressGradient(Operands& operands, PreparedCall* call) {
  GradientParams p;
  if (Status s = CheckCompression(operands, kOutputGradient, &p.map); !s.ok()) return s;
  p.output_gradient = ViewOf(operands, kOutputGradient);
  p.input = ViewOf(operands, kInput);
  p.weight = ViewOf(operands, kWeight);
  p.input_gradient = ViewOf(operands, kInputGradient);
  p.weight_gradient = ViewOf(operands, kWeightGradient);
  call->plan = std::make_shared<CompressGradientPlan>(std::move(p));
  return {};
}

}  // namespace anyacl::native_sparse_attention
