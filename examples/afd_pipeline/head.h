// SPDX-License-Identifier: Apache-2.0
// The decoder's last part: rows become the next tokens by a group norm, whose groups are the heads,
// and a product. While it generates, the norm's factors and summands are adapted to the request:
// after each step they go down the gradient of the entropy of what was predicted (test-time
// adaptation by entropy minimisation, Tent: Wang et al., ICLR 2021). No data are needed but the
// predictions themselves, so every micro batch has its own.
#pragma once

#include <memory>
#include <vector>

#include "model.h"

class Head {
 public:
  explicit Head(aclrtStream stream);
  ~Head();

  // The norm of micro batch m as it was trained: requests begin.
  void Reset(int64_t m);
  // `tokens`, INT32 [kTokens]: the likeliest after the rows x, FLOAT16 [kTokens, kHidden].
  void Choose(int64_t m, const DeviceTensor& x, const DeviceTensor& tokens);
  // One step of micro batch m's norm, by the rows of the last Choose.
  void Adapt(int64_t m);
  // Of what those rows predict: the mean over the tokens, in nats.
  double Entropy(int64_t m);

  std::vector<float> gain(int64_t m) const;

 private:
  struct Norm;
  // Rows to logits, and those to distributions.
  void Predict(Norm& norm);
  void Distribute(Norm& norm);

  const aclrtStream stream_;
  DeviceTensor projection_;  // FLOAT [kHidden, kVocabulary]
  aclTensor* transposed_;    // the same memory
  std::vector<std::unique_ptr<Norm>> norms_;
};
