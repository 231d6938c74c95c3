// SPDX-License-Identifier: Apache-2.0
// One call of aclnnFlashAttentionScore and of its gradient as a test sees it: numbers by batch
// entry, head and row, whatever the layout, and the tensors made of them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "reference/flash_attention.h"
#include "support/device_test.h"

namespace anyacl::test {

enum class FlashTensor {
  kQuery,
  kKey,
  kValue,
  kDy,
  kPse,
  kDrop,
  kPadding,
  kMask,
  kMax,
  kSum,
  kSoftmax,
  kOut,
  kDq,
  kDk,
  kDv,
  kDpse,
  kSink,
  kDsink,
  kQueryRope,
  kKeyRope,
  kDqRope,
  kDkRope
};

struct FlashCase {
  FlashProblem problem;
  aclDataType dtype = ACL_FLOAT;
  std::string layout = "BNSD";
  // Of the tensor; compressed ones have dims that no element of `problem.mask` belongs to.
  std::vector<int64_t> mask_dims = {};
  aclDataType mask_type = ACL_BOOL;
  int64_t inner_precise = 0;
  bool gaps = false;           // between all elements
  int64_t pse_type = -1;       // -1: the first version is called, which has none
  bool ordered = false;        // the problem's rows are in the order of the layout
  bool third = false;          // the third version is called, which may have a sink
  Shared<double> slopes = {};  // what `problem.pse` was made of
  std::vector<int64_t> query_start = {}, key_start = {};

  // The relative error of what is multiplied: bf16 products take rounded probabilities.
  double unit() const { return dtype == ACL_BF16 ? 0x1p-8 : 0x1p-24; }
};

// Random numbers for sizes that have been set; `rows` of a mask hide everything.
void FillFlash(FlashCase& c, Random& random);
void MaskFlash(FlashCase& c, std::vector<int64_t> dims, Random& random);
// The mask of modes 2, 3, 4 and 6.
void CompressFlash(FlashCase& c, int64_t mode);
void DropFlash(FlashCase& c, double keep_prob, Random& random);
void ShiftFlash(FlashCase& c, std::vector<int64_t> dims, Random& random);
// A sink, and with it the third version.
void SinkFlash(FlashCase& c, Random& random);
// Slopes [N] or [B, N], for pse_type 2 or 3 and the case's starts.
void SlopeFlash(FlashCase& c, std::vector<int64_t> dims, Random& random);

// The tensors of both calls; absent ones have no handle.
class FlashTensors {
 public:
  explicit FlashTensors(const FlashCase& c);
  ~FlashTensors();
  FlashTensors(const FlashTensors&) = delete;
  FlashTensors& operator=(const FlashTensors&) = delete;

  Phase1 Forward() const;
  Phase1 Gradient() const;
  bool Has(FlashTensor id) const { return tensors_.count(id) != 0; }
  Tensor& At(FlashTensor id) { return *tensors_.at(id); }
  void Set(FlashTensor id, const Layout& layout);
  void Drop(FlashTensor id) { tensors_.erase(id); }
  // Numbers by [B][N][S][D].
  std::vector<double> Rows(FlashTensor id) const;
  bool GuardsIntact() const;
  int version() const { return case_.third ? 3 : case_.pse_type >= 0 ? 2 : 1; }

  // The arguments that are no tensors.
  double scale, keep_prob;
  int64_t pre_tokens, next_tokens, head_num, inner_precise, sparse_mode, pse_type;
  std::string layout;
  bool null_layout = false;

 private:
  aclTensor* Handle(FlashTensor id) const;
  Layout RowLayout(int64_t rows, int64_t heads, int64_t dim) const;
  void AddRows(FlashTensor id, int64_t rows, int64_t heads, int64_t dim,
               const std::vector<double>& values);
  void Add(FlashTensor id, Layout layout);

  const FlashCase case_;
  std::map<FlashTensor, std::unique_ptr<Tensor>> tensors_;
  aclIntArray *prefix_ = nullptr, *query_start_ = nullptr, *key_start_ = nullptr;
};

class FlashAttentionTest : public DeviceTest {
 protected:
  // Both calls against the oracle: the gradient takes the results of the forward call.
  void ExpectMatchesReference(const FlashCase& c);
  void RunForward(FlashTensors& tensors);
  void RunGradient(FlashTensors& tensors);
};

// A problem of these sizes, a causal one if the mode is 2.
FlashCase FlashOf(int64_t batch, int64_t heads, int64_t kv_heads, int64_t query, int64_t key,
                  int64_t dim, int64_t value_dim);

}  // namespace anyacl::test
