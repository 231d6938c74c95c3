// SPDX-License-Identifier: Apache-2.0
// One rank of a decode step: an attention worker, which sends tokens, waits for them, adds up and
// compares with the plain computation, or an FFN worker, which takes, sorts, computes and returns;
// layer after layer, with two micro batches under way. A thread or a process, on any communicator.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ops/afd_calls.h"

namespace anyacl::test {

struct PipelineMode {
  int64_t quant = 0;
  int64_t need_schedule = 0;  // of batching and combine
  bool masked = false;
};

PipelineShape ShapeOf(const PipelineMode& mode);

class AfdRank {
 public:
  // Empties the window, which others may write from then on. Ranks of one seed fit together.
  AfdRank(const PipelineMode& mode, uint64_t seed, int64_t rank, std::string group, char* window);
  ~AfdRank();
  AfdRank(const AfdRank&) = delete;
  AfdRank& operator=(const AfdRank&) = delete;

  // On a stream of the rank's device.
  void Run(aclrtStream stream);

  // Of an attention worker: all micro batches of the first layer.
  void SendAll(aclrtStream stream);
  // The scheduler alone, which waits.
  int Schedule(aclrtStream stream);

 private:
  static constexpr int64_t kLayers = 3;

  void Set(const Field& field, int64_t value);
  void SetBuffer(const Field& field, const void* address, int64_t size);
  void MakeAttention(uint64_t seed);
  void MakeFfn();
  void RunAttention(aclrtStream stream);
  void Send(SendCall& call, int64_t micro_batch, int64_t layer) const;
  void Receive(aclrtStream stream, int64_t micro_batch, int64_t layer);
  void Compare(size_t micro_batch, const std::vector<uint16_t>& y);
  double X(size_t micro_batch, int64_t token, int64_t column) const;
  void RunFfn(aclrtStream stream);
  std::vector<uint16_t> Compute(const Batching& batching) const;
  int64_t ExpertOf(int64_t local_id) const;

  const PipelineMode mode_;
  const PipelineShape shape_;
  const int64_t rank_;
  const std::string group_;
  char* const window_;
  std::vector<int32_t> table_;
  std::vector<uint64_t> context_;
  aclTensor* tensor_;
  // Of an FFN worker: what the scheduler lists.
  std::vector<int32_t> layers_, sessions_, micro_batches_, ids_;
  // Of an attention worker.
  std::vector<int32_t> expert_ids_;
  std::vector<float> scales_;
  std::vector<std::vector<uint16_t>> x_;  // of each micro batch
  int64_t tokens_ = 0;                    // that are sent
};

}  // namespace anyacl::test
