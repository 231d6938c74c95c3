// SPDX-License-Identifier: Apache-2.0
// One rank of aclnnMoeDistributeDispatch and aclnnMoeDistributeCombine of any version: makes its
// tokens, calls dispatch, compares every output with what plain loops over all ranks' tokens give,
// computes the experts, calls combine and compares the sums. A thread or a process, on any
// communicator.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "acl/acl.h"
#include "support/tensor.h"

namespace anyacl::test {

// fp16 or bf16.
float Decode(aclDataType dtype, uint16_t bits);
uint16_t Encode(aclDataType dtype, double value);

enum class MoeMask { kNone, kTokens, kRows };

struct MoeShape {
  std::vector<int64_t> tokens = {3, 3};  // of each rank
  int64_t chosen = 2;
  int64_t hidden = 64;
  int64_t routed = 4;
  int64_t shared = 0;
  int64_t shared_ranks = 0;
  aclDataType dtype = ACL_FLOAT16;
  int64_t quant = 0;
  int64_t comm_quant = 0;
  bool has_scales = false;  // smooth ones
  MoeMask mask = MoeMask::kNone;
  bool prefix_sums = false;
  bool has_shared_x = false;
  bool has_weights = false;  // of dispatch
  bool weighs = true;        // combine; else all weights are 1
  bool strided = false;
  bool by_copy = false;  // the first versions
  bool norm = false;     // aclnnMoeDistributeCombineAddRmsNorm
  // Of the calls, 2 to 4; the norm's V2 goes with the third.
  int64_t version = 2;
  // Experts that no rank has, with the third version and later ones.
  int64_t zero = 0, copy = 0, constant = 0;

  int64_t ranks() const { return static_cast<int64_t>(tokens.size()); }
  int64_t max_tokens() const;
  int64_t local() const { return routed / (ranks() - shared_ranks); }
  int64_t ExpertsOf(int64_t rank) const { return rank < shared_ranks ? 1 : local(); }
  int64_t experts() const { return routed + zero + copy + constant; }
  // What the documents ask of expandX.
  int64_t RowsOf(int64_t rank) const;
};

// What a rank brings to a step; the same on every rank that asks.
struct MoeTokens {
  std::vector<uint16_t> x, shared_x, residual;
  std::vector<uint16_t> alpha1, alpha2, constants;
  std::vector<int32_t> expert_ids;
  std::vector<float> weights;
  std::vector<uint8_t> mask;  // in the shape of the call's
  std::vector<bool> rows;     // by token and expert: takes part
  std::vector<bool> active;   // by token
};
MoeTokens TokensOf(const MoeShape& shape, uint64_t seed, int64_t rank, int64_t step);

// A row that a rank receives.
struct MoeRow {
  int64_t source = 0;
  int64_t token = 0;
  int64_t place = 0;
  int64_t expert = 0;  // of the model; shared ones are routed, routed + 1, ...
};
std::vector<MoeRow> RowsAt(const MoeShape& shape, const std::vector<MoeTokens>& all, int64_t rank);

class MoeRank {
 public:
  // Ranks of one seed fit together.
  MoeRank(const MoeShape& shape, uint64_t seed, int64_t rank, std::string group);
  ~MoeRank();
  MoeRank(const MoeRank&) = delete;
  MoeRank& operator=(const MoeRank&) = delete;

  // Both operators, the second on what test experts make of the rows. The bits of the sums.
  std::vector<uint16_t> Step(int64_t step, aclrtStream stream);
  // So many of both, queued at once; experts change nothing. Without quantisation.
  void Burst(int64_t steps, aclrtStream stream);

  // The code of the first phase that fails, else of the synchronisation. Tensors are those of the
  // last step, or empty.
  int Dispatch(aclrtStream stream);
  int Combine(aclrtStream stream);

  // What the calls pass.
  struct Arguments {
    int64_t ranks, rank, routed, shared, shared_ranks, quant, comm_quant, global, counts_type;
    int64_t zero, copy, constant;
    int64_t tp = 0, tp_rank = 0, shard = 0, out_dtype = 0, list_type = 0;
    const char* algorithm = nullptr;
    float epsilon = 0.25f;
    std::string group;
    bool has_elastic_info = false, has_original = true, has_alphas = true, has_constants = true;
  };
  Arguments arguments;

  struct Tensors;
  Tensors& tensors() { return *tensors_; }
  void Make(int64_t step);

 private:
  void CheckDispatch() const;
  void CheckIndices() const;
  struct Received {
    std::vector<uint16_t> halves;
    std::vector<int8_t> bytes;
    std::vector<float> scales;
  };
  void CheckRow(const MoeRow& row, size_t index, const Received& received) const;
  void Compute();
  std::vector<uint16_t> CheckCombine() const;
  // Of rows x, which are right but for their rounding.
  void CheckNorm(int64_t token, const std::vector<double>& x) const;
  double Gamma(int64_t column) const;
  // What an expert that no rank has returns for a token.
  double Special(int64_t token, int64_t expert, int64_t column, double* tolerance) const;
  // What the experts return for a row, and how far it may be off.
  double Returned(const MoeRow& row, int64_t column, double* tolerance) const;
  double X(const MoeRow& row, int64_t column) const;
  double Smooth(const MoeRow& row, int64_t column) const;
  double Most(const MoeRow& row) const;  // of the magnitudes of a row that is quantised

  const MoeShape shape_;
  const uint64_t seed_;
  const int64_t rank_;
  std::vector<float> scales_;  // smooth ones, the same on all ranks
  std::vector<MoeTokens> all_;
  std::vector<MoeRow> rows_;
  mutable std::map<std::tuple<int64_t, int64_t, int64_t>, double> most_;
  bool identity_ = false;  // what dispatch writes is what combine reads
  std::unique_ptr<Tensors> tensors_;
};

struct MoeRank::Tensors {
  Tensors(const MoeShape& shape, int64_t rank);

  Tensor x, expert_ids, scales, mask, weights, no_weights;
  Tensor rows, row_scales;
  Tensor assist;  // or expandIdx
  Tensor expert_counts, counts, row_weights;
  Tensor back;  // of the type of x
  Tensor shared_x, out;
  Tensor residual, gamma, y, rstd;
  Tensor alpha1, alpha2, constants;  // of constant experts; oriX is x
  Tensor performance, elastic_info;
};

}  // namespace anyacl::test
