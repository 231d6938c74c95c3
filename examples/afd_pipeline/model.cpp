// SPDX-License-Identifier: Apache-2.0
#include "model.h"

#include <cmath>
#include <cstring>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_add_rms_norm.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_dynamic_quant_v2.h"
#include "aclnnop/aclnn_embedding.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "aclnnop/aclnn_grouped_matmul_swiglu_quant.h"
#include "aclnnop/aclnn_grouped_matmul_v5.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_rms_norm.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_topk.h"
#include "head.h"
#include "random_weights.h"

namespace {

constexpr double kEpsilon = 1e-6;
constexpr int64_t kPagesOfSequence = kContext / kPage;
constexpr int64_t kPages = kMicroBatches * kTokens * kPagesOfSequence;

std::unique_ptr<DeviceTensor> Matrix(int64_t depth, int64_t columns, Random random) {
  std::vector<aclFloat16> halves;
  for (float number : Numbers(depth * columns, depth, random)) {
    halves.push_back(aclFloatToFloat16(number));
  }
  return std::unique_ptr<DeviceTensor>(new DeviceTensor(ACL_FLOAT16, {depth, columns}, halves));
}

// What a sequence's request begins with.
int32_t FirstToken(int64_t worker, int64_t m, int64_t token, int64_t step) {
  const int64_t request = step / kContext % kRequests;
  const int64_t number = ((worker * kMicroBatches + m) * kTokens + token) * kRequests + request;
  return static_cast<int32_t>(number * 37 % kVocabulary);
}

}  // namespace

// ---- Attention ----

struct Attention::Layer {
  explicit Layer(int64_t layer)
      : query(Matrix(kHidden, kHidden, Random(Part::kQuery, layer))),
        key(Matrix(kHidden, kKvColumns, Random(Part::kKey, layer))),
        value(Matrix(kHidden, kKvColumns, Random(Part::kValue, layer))),
        output(Matrix(kHidden, kHidden, Random(Part::kOutput, layer))),
        gate(Matrix(kHidden, kRouted, Random(Part::kGate, layer))),
        keys(ACL_FLOAT16, {kPages, kPage, kKvColumns}),
        values(ACL_FLOAT16, {kPages, kPage, kKvColumns}),
        key_slots(keys.data(), ACL_FLOAT16, {kPages * kPage, kKvColumns}),
        value_slots(values.data(), ACL_FLOAT16, {kPages * kPage, kKvColumns}),
        key_list(keys.data(), ACL_FLOAT16, {kPages, kPage, kKvColumns}),
        value_list(values.data(), ACL_FLOAT16, {kPages, kPage, kKvColumns}) {}

  std::unique_ptr<DeviceTensor> query, key, value, output, gate;
  DeviceTensor keys, values;  // the cache: pages of all sequences
  View key_slots, value_slots;
  List key_list, value_list;
};

struct Attention::MicroBatch {
  explicit MicroBatch(int64_t m)
      : tokens(ACL_INT32, {kTokens}),
        slots(ACL_INT64, {kTokens}),
        pages(ACL_INT32, {kTokens, kPagesOfSequence}, PagesOf(m)),
        x(ACL_FLOAT16, {kTokens, kHidden}),
        sum(ACL_FLOAT16, {kTokens, kHidden}),
        rows(ACL_FLOAT16, {kTokens, kHidden}),
        weights(ACL_FLOAT, {kTokens, kChosen}),
        experts(ACL_INT32, {kTokens, kChosen}) {}

  // A sequence's pages lie anywhere in the cache.
  static int32_t Page(int64_t m, int64_t token, int64_t page) {
    return static_cast<int32_t>(((page * kMicroBatches + m) * kTokens + token) * 5 % kPages);
  }
  static std::vector<int32_t> PagesOf(int64_t m) {
    std::vector<int32_t> pages;
    for (int64_t t = 0; t < kTokens; ++t) {
      for (int64_t p = 0; p < kPagesOfSequence; ++p) pages.push_back(Page(m, t, p));
    }
    return pages;
  }

  int64_t position = 0;  // of the token that is decoded
  DeviceTensor tokens;
  DeviceTensor slots;  // where their keys and values go
  DeviceTensor pages;
  DeviceTensor x;    // the residual stream
  DeviceTensor sum;  // and attention's result
  DeviceTensor rows, weights, experts;
};

Attention::Attention(int64_t worker, aclrtStream stream)
    : worker_(worker),
      stream_(stream),
      embedding_(Matrix(kVocabulary, kHidden, Random(Part::kEmbedding))),
      head_(new Head(stream)),
      gain_(new DeviceTensor(ACL_FLOAT16, {kHidden},
                             std::vector<aclFloat16>(kHidden, aclFloatToFloat16(1)))) {
  for (int64_t l = 0; l < kLayers; ++l) layers_.emplace_back(new Layer(l));
  for (int64_t m = 0; m < kMicroBatches; ++m) micro_batches_.emplace_back(new MicroBatch(m));
}
Attention::~Attention() = default;

void Attention::Begin(int64_t m, int64_t step) {
  MicroBatch& batch = *micro_batches_[static_cast<size_t>(m)];
  batch.position = step % kContext;
  std::vector<int32_t> first;
  std::vector<int64_t> slots;
  for (int64_t t = 0; t < kTokens; ++t) {
    first.push_back(FirstToken(worker_, m, t, step));
    slots.push_back(MicroBatch::Page(m, t, batch.position / kPage) * kPage +
                    batch.position % kPage);
  }
  if (batch.position == 0) {
    Upload(batch.tokens, first);
    head_->Reset(m);
  }
  Upload(batch.slots, slots);
  CALL(stream_, aclnnEmbedding, embedding_->get(), batch.tokens.get(), batch.x.get());
}

void Attention::Attend(int64_t m, int64_t l) {
  MicroBatch& batch = *micro_batches_[static_cast<size_t>(m)];
  Layer& layer = *layers_[static_cast<size_t>(l)];
  const DeviceTensor norm(ACL_FLOAT16, {kTokens, kHidden}), reciprocal(ACL_FLOAT, {kTokens, 1});
  CALL(stream_, aclnnRmsNorm, batch.x.get(), gain_->get(), kEpsilon, norm.get(), reciprocal.get());

  const DeviceTensor query(ACL_FLOAT16, {kTokens, kHidden});
  const DeviceTensor key(ACL_FLOAT16, {kTokens, kKvColumns});
  const DeviceTensor value(ACL_FLOAT16, {kTokens, kKvColumns});
  CALL(stream_, aclnnMm, norm.get(), layer.query->get(), query.get(), int8_t{0});
  CALL(stream_, aclnnMm, norm.get(), layer.key->get(), key.get(), int8_t{0});
  CALL(stream_, aclnnMm, norm.get(), layer.value->get(), value.get(), int8_t{0});
  CALL(stream_, aclnnInplaceIndexCopy, layer.key_slots.get(), 0, batch.slots.get(), key.get());
  CALL(stream_, aclnnInplaceIndexCopy, layer.value_slots.get(), 0, batch.slots.get(), value.get());

  const DeviceTensor heads(ACL_FLOAT16, {kTokens, kHidden});
  const View query_rows(query.data(), ACL_FLOAT16, {kTokens, 1, kHidden});
  const View head_rows(heads.data(), ACL_FLOAT16, {kTokens, 1, kHidden});
  const IntArray lengths(std::vector<int64_t>(kTokens, batch.position + 1));
  char layout[] = "BSH";
  const double scale = 1 / std::sqrt(static_cast<double>(kHeadSize));
  CALL(stream_, aclnnFusedInferAttentionScoreV2, query_rows.get(), layer.key_list.get(),
       layer.value_list.get(), nullptr, nullptr, nullptr, lengths.get(), nullptr, nullptr, nullptr,
       nullptr, nullptr, nullptr, nullptr, batch.pages.get(), nullptr, nullptr, nullptr, nullptr,
       nullptr, nullptr, nullptr, nullptr, nullptr, kHeads, scale, INT32_MAX, INT32_MAX, layout,
       kKvHeads, 0, 1, kPage, 0, false, 0, 0, head_rows.get(), nullptr);

  const DeviceTensor output(ACL_FLOAT16, {kTokens, kHidden});
  CALL(stream_, aclnnMm, heads.get(), layer.output->get(), output.get(), int8_t{0});
  CALL(stream_, aclnnAddRmsNorm, batch.x.get(), output.get(), gain_->get(), kEpsilon,
       batch.rows.get(), reciprocal.get(), batch.sum.get());

  // The gate: the experts of the largest probabilities.
  const DeviceTensor logits(ACL_FLOAT16, {kTokens, kRouted});
  const DeviceTensor wide(ACL_FLOAT, {kTokens, kRouted}), shares(ACL_FLOAT, {kTokens, kRouted});
  const DeviceTensor chosen(ACL_INT64, {kTokens, kChosen});
  CALL(stream_, aclnnMm, batch.rows.get(), layer.gate->get(), logits.get(), int8_t{0});
  CALL(stream_, aclnnCast, logits.get(), ACL_FLOAT, wide.get());
  CALL(stream_, aclnnSoftmax, wide.get(), 1, shares.get());
  CALL(stream_, aclnnTopk, shares.get(), kChosen, 1, true, true, batch.weights.get(), chosen.get());
  CALL(stream_, aclnnCast, chosen.get(), ACL_INT32, batch.experts.get());
}

void Attention::Add(int64_t m, const DeviceTensor& sums) {
  MicroBatch& batch = *micro_batches_[static_cast<size_t>(m)];
  float one = 1;
  aclScalar* alpha = aclCreateScalar(&one, ACL_FLOAT);
  CALL(stream_, aclnnAdd, batch.sum.get(), sums.get(), alpha, batch.x.get());
  aclDestroyScalar(alpha);
}

void Attention::Choose(int64_t m) {
  MicroBatch& batch = *micro_batches_[static_cast<size_t>(m)];
  head_->Choose(m, batch.x, batch.tokens);
}
void Attention::Adapt(int64_t m) { head_->Adapt(m); }
double Attention::Entropy(int64_t m) { return head_->Entropy(m); }

const DeviceTensor& Attention::rows(int64_t m) const {
  return micro_batches_[static_cast<size_t>(m)]->rows;
}
const DeviceTensor& Attention::experts(int64_t m) const {
  return micro_batches_[static_cast<size_t>(m)]->experts;
}
const DeviceTensor& Attention::weights(int64_t m) const {
  return micro_batches_[static_cast<size_t>(m)]->weights;
}
std::vector<int32_t> Attention::tokens(int64_t m) const {
  return micro_batches_[static_cast<size_t>(m)]->tokens.Download<int32_t>();
}
std::vector<aclFloat16> Attention::hidden(int64_t m) const {
  return micro_batches_[static_cast<size_t>(m)]->x.Download<aclFloat16>();
}

std::vector<float> Attention::gain(int64_t m) const { return head_->gain(m); }

// ---- Experts ----

struct Experts::Layer {
  Layer(int64_t layer, const std::vector<int64_t>& experts) {
    const auto count = static_cast<int64_t>(experts.size());
    std::vector<int8_t> up_values, down_values;
    std::vector<float> up_factors, down_factors;
    for (int64_t expert : experts) {
      // Any order is as random as another: these are the panels of FRACTAL_NZ, into which
      // aclnnNpuFormatCast would bring a model's weights.
      AddBytes(kHidden * 2 * kInner, Random(Part::kUp, layer, expert), &up_values);
      AddFactors(2 * kInner, kHidden, Random(Part::kUpScale, layer, expert), &up_factors);
      AddBytes(kInner * kHidden, Random(Part::kDown, layer, expert), &down_values);
      AddFactors(kHidden, kInner, Random(Part::kDownScale, layer, expert), &down_factors);
    }
    const std::vector<int64_t> panels = {count, 2 * kInner / 32, kHidden / 16, 16, 32};
    up_panels.reset(new DeviceTensor(ACL_INT8, panels, up_values));
    up.reset(new View(up_panels->data(), ACL_INT8, panels, ACL_FORMAT_FRACTAL_NZ));
    up_scales.reset(new DeviceTensor(ACL_FLOAT, {count, 2 * kInner}, up_factors));
    down.reset(new DeviceTensor(ACL_INT8, {count, kInner, kHidden}, down_values));
    down_list.reset(new List(down->data(), ACL_INT8, {count, kInner, kHidden}));
    down_scales.reset(new DeviceTensor(ACL_FLOAT, {count, kHidden}, down_factors));
    down_scale_list.reset(new List(down_scales->data(), ACL_FLOAT, {count, kHidden}));
  }

  static void AddBytes(int64_t count, Random random, std::vector<int8_t>* to) {
    for (int64_t i = 0; i < count; ++i) to->push_back(static_cast<int8_t>(127 * random.Number()));
  }
  // Products of bytes with `depth` terms become as large as their rows.
  static void AddFactors(int64_t count, int64_t depth, Random random, std::vector<float>* to) {
    const float scale = std::sqrt(3.0f / static_cast<float>(depth)) / 127;
    for (int64_t i = 0; i < count; ++i) to->push_back((1 + random.Number() / 4) * scale);
  }

  std::unique_ptr<DeviceTensor> up_panels, up_scales, down, down_scales;
  std::unique_ptr<View> up;  // gate and up together
  std::unique_ptr<List> down_list, down_scale_list;
};

Experts::Experts(const std::vector<int64_t>& experts, int64_t rows, aclrtStream stream)
    : count_(static_cast<int64_t>(experts.size())),
      stream_(stream),
      quantised_(ACL_INT8, {rows, kHidden}),
      row_scales_(ACL_FLOAT, {rows}),
      inner_(ACL_INT8, {rows, kInner}),
      inner_scales_(ACL_FLOAT, {rows}),
      y_(ACL_FLOAT16, {rows, kHidden}),
      ends_(ACL_INT64, {count_}),
      inner_list_(inner_.data(), ACL_INT8, {rows, kInner}),
      inner_scale_list_(inner_scales_.data(), ACL_FLOAT, {rows}),
      y_list_(y_.data(), ACL_FLOAT16, {rows, kHidden}) {
  for (int64_t l = 0; l < kLayers; ++l) layers_.emplace_back(new Layer(l, experts));
}
Experts::~Experts() = default;

const DeviceTensor& Experts::Compute(int64_t l, const DeviceTensor& x,
                                     const std::vector<int64_t>& ends) {
  Layer& layer = *layers_[static_cast<size_t>(l)];
  Upload(ends_, ends);
  CALL(stream_, aclnnDynamicQuantV2, x.get(), nullptr, nullptr, ACL_INT8, quantised_.get(),
       row_scales_.get(), nullptr);
  CALL(stream_, aclnnGroupedMatmulSwigluQuant, quantised_.get(), layer.up->get(), nullptr, nullptr,
       layer.up_scales->get(), row_scales_.get(), ends_.get(), inner_.get(), inner_scales_.get(),
       nullptr);
  CALL(stream_, aclnnGroupedMatmulV5, inner_list_.get(), layer.down_list->get(), nullptr,
       layer.down_scale_list->get(), nullptr, nullptr, nullptr, inner_scale_list_.get(),
       ends_.get(), nullptr, nullptr, nullptr, 3, 0, 0, 0, nullptr, y_list_.get(), nullptr,
       nullptr);
  return y_;
}
