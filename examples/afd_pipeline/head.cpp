// SPDX-License-Identifier: Apache-2.0
#include "head.h"

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_argmax.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_group_norm.h"
#include "aclnnop/aclnn_group_norm_backward.h"
#include "aclnnop/aclnn_logsoftmax.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_sub.h"
#include "random_weights.h"

namespace {

constexpr double kEpsilon = 1e-6;
// A step takes some thousandths of a nat away; with eight times as much predictions soon fall in on
// one token.
constexpr float kRate = 0.5f;

class Scalar {
 public:
  explicit Scalar(float value) : scalar_(aclCreateScalar(&value, ACL_FLOAT)) {}
  ~Scalar() { aclDestroyScalar(scalar_); }
  Scalar(const Scalar&) = delete;
  Scalar& operator=(const Scalar&) = delete;
  const aclScalar* get() const { return scalar_; }

 private:
  aclScalar* scalar_;
};

}  // namespace

struct Head::Norm {
  Norm()
      : gain(ACL_FLOAT, {kHidden}),
        shift(ACL_FLOAT, {kHidden}),
        x(ACL_FLOAT, {kTokens, kHidden, 1}),
        normed(ACL_FLOAT, {kTokens, kHidden, 1}),
        mean(ACL_FLOAT, {kTokens, kHeads}),
        reciprocal(ACL_FLOAT, {kTokens, kHeads}),
        logits(ACL_FLOAT, {kTokens, kVocabulary}),
        logarithms(ACL_FLOAT, {kTokens, kVocabulary}),
        shares(ACL_FLOAT, {kTokens, kVocabulary}),
        sums(ACL_FLOAT, {kTokens, 1}) {}

  DeviceTensor gain, shift;
  DeviceTensor x, normed, mean, reciprocal;
  DeviceTensor logits, logarithms, shares;
  DeviceTensor sums;  // of shares times their logarithms: minus the entropies
};

Head::Head(aclrtStream stream)
    : stream_(stream),
      projection_(ACL_FLOAT, {kHidden, kVocabulary},
                  Numbers(kHidden * kVocabulary, kHidden, Random(Part::kHead))) {
  const int64_t shape[] = {kVocabulary, kHidden}, strides[] = {1, kVocabulary};
  const int64_t storage[] = {kHidden, kVocabulary};
  transposed_ = aclCreateTensor(shape, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, storage, 2,
                                projection_.data());
  for (int64_t m = 0; m < kMicroBatches; ++m) {
    norms_.emplace_back(new Norm);
    Reset(m);
  }
}
Head::~Head() { aclDestroyTensor(transposed_); }

void Head::Reset(int64_t m) {
  Norm& norm = *norms_[static_cast<size_t>(m)];
  Upload(norm.gain, std::vector<float>(kHidden, 1));
  Upload(norm.shift, std::vector<float>(kHidden, 0));
}

void Head::Choose(int64_t m, const DeviceTensor& x, const DeviceTensor& tokens) {
  Norm& norm = *norms_[static_cast<size_t>(m)];
  const View rows(norm.x.data(), ACL_FLOAT, {kTokens, kHidden});
  CALL(stream_, aclnnCast, x.get(), ACL_FLOAT, rows.get());
  Predict(norm);
  CALL(stream_, aclnnArgMax, norm.logits.get(), 1, false, tokens.get());
}

void Head::Predict(Norm& norm) {
  CALL(stream_, aclnnGroupNorm, norm.x.get(), norm.gain.get(), norm.shift.get(), kTokens, kHidden,
       1, kHeads, kEpsilon, norm.normed.get(), norm.mean.get(), norm.reciprocal.get());
  const View rows(norm.normed.data(), ACL_FLOAT, {kTokens, kHidden});
  CALL(stream_, aclnnMm, rows.get(), projection_.get(), norm.logits.get(), int8_t{0});
}

void Head::Distribute(Norm& norm) {
  const DeviceTensor products(ACL_FLOAT, {kTokens, kVocabulary});
  const IntArray columns({1});
  CALL(stream_, aclnnLogSoftmax, norm.logits.get(), 1, norm.logarithms.get());
  CALL(stream_, aclnnSoftmax, norm.logits.get(), 1, norm.shares.get());
  CALL(stream_, aclnnMul, norm.shares.get(), norm.logarithms.get(), products.get());
  CALL(stream_, aclnnReduceSum, products.get(), columns.get(), true, ACL_FLOAT, norm.sums.get());
}

void Head::Adapt(int64_t m) {
  Norm& norm = *norms_[static_cast<size_t>(m)];
  Distribute(norm);
  // H = -sum(p log p) of p = softmax(z) changes with z by -p (log p + H).
  const Scalar one(1), back(kRate / kTokens);
  const DeviceTensor centred(ACL_FLOAT, {kTokens, kVocabulary});
  const DeviceTensor logits_minus(ACL_FLOAT, {kTokens, kVocabulary});
  CALL(stream_, aclnnSub, norm.logarithms.get(), norm.sums.get(), one.get(), centred.get());
  CALL(stream_, aclnnMul, norm.shares.get(), centred.get(), logits_minus.get());

  const DeviceTensor rows_minus(ACL_FLOAT, {kTokens, kHidden, 1});
  const View rows(rows_minus.data(), ACL_FLOAT, {kTokens, kHidden});
  CALL(stream_, aclnnMm, logits_minus.get(), transposed_, rows.get(), int8_t{0});
  const DeviceTensor unused(ACL_FLOAT, {kTokens, kHidden, 1});
  const DeviceTensor gain_minus(ACL_FLOAT, {kHidden}), shift_minus(ACL_FLOAT, {kHidden});
  const bool wanted[] = {false, true, true};
  aclBoolArray* mask = aclCreateBoolArray(wanted, 3);
  CALL(stream_, aclnnGroupNormBackward, rows_minus.get(), norm.x.get(), norm.mean.get(),
       norm.reciprocal.get(), norm.gain.get(), kTokens, kHidden, 1, kHeads, mask, unused.get(),
       gain_minus.get(), shift_minus.get());
  aclDestroyBoolArray(mask);
  // These are minus the gradients: added, they go down.
  CALL(stream_, aclnnInplaceAdd, norm.gain.get(), gain_minus.get(), back.get());
  CALL(stream_, aclnnInplaceAdd, norm.shift.get(), shift_minus.get(), back.get());
}

double Head::Entropy(int64_t m) {
  Norm& norm = *norms_[static_cast<size_t>(m)];
  Predict(norm);
  Distribute(norm);
  double sum = 0;
  for (float one : norm.sums.Download<float>()) sum -= static_cast<double>(one);
  return sum / kTokens;
}

std::vector<float> Head::gain(int64_t m) const {
  return norms_[static_cast<size_t>(m)]->gain.Download<float>();
}
