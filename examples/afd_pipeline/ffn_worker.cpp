// SPDX-License-Identifier: Apache-2.0
// An FFN worker: takes a micro batch of all attention workers, sorts its rows by expert, computes
// and sends each row back to where it came from.
#include "aclnnop/aclnn_ffn_to_attention.h"
#include "aclnnop/aclnn_ffn_worker_batching.h"
#include "aclnnop/aclnn_ffn_worker_scheduler.h"
#include "pipeline.h"

namespace {

// {expert, rows} of the experts that have rows, then zeros: after which row each expert's end.
std::vector<int64_t> EndsOf(const std::vector<int64_t>& groups) {
  std::vector<int64_t> ends(groups.size() / 2, 0);
  for (size_t i = 0; i < groups.size() && groups[i + 1] > 0; i += 2) {
    ends[static_cast<size_t>(groups[i])] = groups[i + 1];
  }
  for (size_t e = 1; e < ends.size(); ++e) ends[e] += ends[e - 1];
  return ends;
}

}  // namespace

Figures RunFfnWorker(const Pipeline& pipeline) {
  const aclrtStream stream = pipeline.stream;
  const int64_t rows = pipeline.attention * kIds;
  const std::vector<int64_t> mine = pipeline.ExpertsOf(pipeline.rank - pipeline.attention);
  const auto count = static_cast<int64_t>(mine.size());
  Experts experts(mine, rows, stream);
  const FfnWindow window(pipeline.attention);
  ShareWindow(pipeline, window.data(), window.bytes(), 0, pipeline.attention);

  const DeviceTensor x(ACL_FLOAT16, {rows, kHidden},
                       std::vector<aclFloat16>(static_cast<size_t>(rows * kHidden), 0));
  const DeviceTensor groups(ACL_INT64, {count, 2}), actual(ACL_INT64, {1});
  const DeviceTensor sessions(ACL_INT32, {rows}), micro_batches(ACL_INT32, {rows});
  const DeviceTensor tokens(ACL_INT32, {rows}), places(ACL_INT32, {rows});
  const DeviceTensor scales(ACL_FLOAT, {rows});  // of INT8 rows, which these are not
  const IntArray most({pipeline.attention, kTokens, kRows, kHidden});
  const IntArray flags_shape({kMicroBatches, kTokens, kRows});
  const IntArray data_shape({kMicroBatches, kTokens, kRows, kHidden});

  Figures figures(kFigures, 0.0f);
  Clock clock;
  for (int64_t i = 0; i < pipeline.steps * kLayers * kMicroBatches; ++i) {
    // Waits for the next micro batch of every attention worker.
    CALL(stream, aclnnInplaceFfnWorkerScheduler, window.context().get(),
         static_cast<int32_t>(pipeline.attention), 0);
    figures[kScheduling] += clock.Lap();

    CALL(stream, aclnnFfnWorkerBatching, window.context().get(), count, most.get(), 0, 0, 0,
         x.get(), groups.get(), sessions.get(), micro_batches.get(), tokens.get(), places.get(),
         scales.get(), actual.get());
    // All attention workers go through layers and micro batches in the same order.
    const int64_t layer = window.layers().Download<int32_t>()[0];
    const std::vector<int64_t> ends = EndsOf(groups.Download<int64_t>());
    figures[kBatching] += clock.Lap();

    const DeviceTensor& y = experts.Compute(layer, x, ends);
    figures[kComputing] += clock.Lap();

    CALL(stream, aclnnFFNToAttention, y.get(), sessions.get(), micro_batches.get(), tokens.get(),
         places.get(), actual.get(), nullptr, pipeline.group.c_str(), pipeline.ranks(),
         flags_shape.get(), data_shape.get());
    figures[kReturning] += clock.Lap();
  }
  return figures;
}
