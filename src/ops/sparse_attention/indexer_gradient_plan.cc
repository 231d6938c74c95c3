// SPDX-License-Identifier: Apache-2.0
// aclnnLightningIndexerGrad: token by token, all heads against the keys that the token chose.
#include "ops/blocks/blocks.h"
#include "ops/sparse_attention/indexer_gradient.h"
#include "ops/sparse_attention/lists.h"

namespace anyacl::sparse_attention {
namespace {

struct IndexerGradientParams {
  Geometry geometry;
  KeyLists lists;
  SplitRows dscores;  // rows of tokens: [T][1][K]
  IndexerTensors tensors;
};

class IndexerGradientPlan final : public BookedPlan {
 public:
  explicit IndexerGradientPlan(const IndexerGradientParams& params)
      : p_(params), sequences_(p_.geometry, &book_), gradient_(p_.tensors, &book_) {
    rows_ = book_.Book<int32_t>(static_cast<size_t>(p_.tensors.most));
    dscores_ = book_.Book<float>(static_cast<size_t>(p_.tensors.most));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (Status s = sequences_.Read(bindings); !s.ok()) return s;
    const std::span<const Sequence> sequences = sequences_.All(bindings);
    gradient_.Clear(bindings);
    for (size_t b = 0; b < sequences.size(); ++b) {
      const Sequence& s = sequences[b];
      const KeyRows keys = sequences_.KeysOf(bindings, b);
      for (int64_t token = s.first; token < s.first + s.rows; ++token) {
        int64_t count = 0;
        if (Status bad = SelectEntries(p_.geometry, p_.lists, bindings, s, keys, token,
                                       rows_.In(bindings), &count);
            !bad.ok()) {
          return bad;
        }
        AddToken(bindings, token, {rows_.In(bindings), static_cast<size_t>(count)});
      }
    }
    gradient_.StoreKeys(bindings);
    return {};
  }

 private:
  void AddToken(const Bindings& bindings, int64_t token, std::span<const int32_t> rows) const {
    if (rows.empty()) return gradient_.StoreZeros(bindings, token);
    blocks::LoadRow(p_.dscores.dtype, RowAt(p_.dscores, bindings, token, 0), p_.dscores.strides[2],
                    static_cast<int64_t>(rows.size()), dscores_.In(bindings));
    gradient_.Multiply(bindings, token, rows);
    gradient_.Add(bindings, token, rows, dscores_.In(bindings));
  }

  const IndexerGradientParams p_;
  const Sequences sequences_;
  const IndexerGradient gradient_;
  WorkspaceSlot<int32_t> rows_;
  WorkspaceSlot<float> dscores_;
};

}  // namespace

Status PrepareIndexerGradient(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  IndexerGradientParams p;
  Geometry& g = p.geometry;
  if (Status s = CheckGeometry(
          operands, {.dim = kIndexerDim, .heads = kMostIndexerHeads, .any_window_of_all = true},
          &g);
      !s.ok())
    return s;
  // op-plugin passes 0.
  const int64_t heads = operands.Int(kHeadNum);
  if (heads != 0 && heads != g.heads) {
    return Fail(operands.spec().codes.shape, "headNum = {}, expected 0, or {} as query.shape = {}",
                heads, g.heads, operands[kQuery].shape().ToString());
  }
  if (Status s = CheckLists(operands, g, kIndices, true, &p.lists); !s.ok()) return s;
  if (Status s = CheckListShape(operands, g, kDOut, p.lists.size, true); !s.ok()) return s;
  for (int id : {kWeights, kDWeights}) {
    if (Status s = CheckTokenShape(operands, g, id, {g.heads}); !s.ok()) return s;
  }
  if (Status s = CheckTokenShape(operands, g, kDQuery, {g.heads, kIndexerDim}); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kDKey, operands[kKey].shape()); !s.ok()) return s;
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  p.lists.indices = ViewLists(operands, g, kIndices);
  p.dscores = ViewLists(operands, g, kDOut);
  IndexerTensors& t = p.tensors;
  const std::pair<int, SplitRows*> of_rows[] = {{kQuery, &t.query},   {kWeights, &t.weights},
                                                {kDQuery, &t.dquery}, {kDWeights, &t.dweights},
                                                {kKey, &t.key},       {kDKey, &t.dkey}};
  for (const auto& [id, rows] : of_rows) {
    *rows = Split(ViewOf(operands, id), !g.ragged);
  }
  t.heads = g.heads;
  t.most = p.lists.MostKeys(g);
  call->plan = std::make_shared<IndexerGradientPlan>(p);
  return {};
}

}  // namespace anyacl::sparse_attention
