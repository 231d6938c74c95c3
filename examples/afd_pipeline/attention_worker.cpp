// SPDX-License-Identifier: Apache-2.0
// An attention worker: while one micro batch is with the experts, it attends another.
#include "aclnnop/aclnn_attention_to_ffn.h"
#include "aclnnop/aclnn_attention_worker_combine.h"
#include "aclnnop/aclnn_attention_worker_scheduler.h"
#include "pipeline.h"

namespace {

class Worker {
 public:
  explicit Worker(const Pipeline& pipeline)
      : pipeline_(pipeline),
        stream_(pipeline.stream),
        attention_(pipeline.rank, stream_),
        table_(ACL_INT32, {1, kExperts, 1 + 2 * pipeline.ffn}, pipeline.RankTable()),
        session_(ACL_INT32, {1}, std::vector<int32_t>{static_cast<int32_t>(pipeline.rank)}),
        sums_(ACL_FLOAT16, {kTokens, kHidden}),
        next_layer_(ACL_INT32, {1}),
        info_shape_({pipeline.attention, kMicroBatches, 2 + kIds}),
        data_shape_({pipeline.attention, kMicroBatches, kTokens, kRows, kHidden}),
        flags_shape_({kMicroBatches, kTokens, kRows}),
        figures_(kFigures, 0.0f) {
    ShareWindow(pipeline, window_.data(), AttentionWindow::kBytes, pipeline.attention,
                pipeline.ffn);
  }

  Figures Run(const std::vector<Decoded>& alone) {
    Clock whole;
    clock_.Lap();
    for (int64_t m = 0; m < kMicroBatches; ++m) {
      attention_.Begin(m, 0);
      AttendAndSend(m, 0);
    }
    for (int64_t step = 0; step < pipeline_.steps; ++step) {
      for (int64_t layer = 0; layer < kLayers; ++layer) {
        for (int64_t m = 0; m < kMicroBatches; ++m) {
          Receive(m, layer);
          if (layer + 1 < kLayers) {
            AttendAndSend(m, layer + 1);
            continue;
          }
          attention_.Choose(m);
          attention_.Adapt(m);
          Compare(alone[static_cast<size_t>(step % kPeriod * kMicroBatches + m)], step, m);
          if (step + 1 < pipeline_.steps) {
            attention_.Begin(m, step + 1);
            AttendAndSend(m, 0);
          }
        }
      }
    }
    figures_[kTokensMade] = static_cast<float>(pipeline_.steps * kMicroBatches * kTokens);
    figures_[kSeconds] = whole.Lap();
    return figures_;
  }

 private:
  static DeviceTensor* One(int64_t value) {
    return new DeviceTensor(ACL_INT32, {1}, std::vector<int32_t>{static_cast<int32_t>(value)});
  }

  void AttendAndSend(int64_t m, int64_t layer) {
    attention_.Attend(m, layer);
    figures_[kAttending] += clock_.Lap();
    const View x(attention_.rows(m).data(), ACL_FLOAT16, {1, kTokens, kHidden});
    const View experts(attention_.experts(m).data(), ACL_INT32, {1, kTokens, kChosen});
    const std::unique_ptr<DeviceTensor> micro_batch(One(m)), layer_id(One(layer));
    // Waits until the FFN workers have taken what was in the micro batch's slots, then writes rows,
    // ids and at last flags into their windows; also of those that get no row (syncFlag 0).
    CALL(stream_, aclnnAttentionToFFN, x.get(), session_.get(), micro_batch->get(), layer_id->get(),
         experts.get(), table_.get(), nullptr, nullptr, pipeline_.group.c_str(), pipeline_.ranks(),
         info_shape_.get(), data_shape_.get(), flags_shape_.get(), kRouted, 0, 0,
         pipeline_.attention);
    figures_[kSending] += clock_.Lap();
  }

  // Micro batches come back in the order in which they were sent.
  void Receive(int64_t m, int64_t layer) {
    CALL(stream_, aclnnInplaceAttentionWorkerScheduler, window_.context().get());
    figures_[kAwaiting] += clock_.Lap();
    const std::unique_ptr<DeviceTensor> layer_id(One(layer));
    CALL(stream_, aclnnAttentionWorkerCombine, window_.context().get(), attention_.weights(m).get(),
         layer_id->get(), kHidden, 0, 0, sums_.get(), next_layer_.get());
    attention_.Add(m, sums_);
    figures_[kCombining] += clock_.Lap();
  }

  void Compare(const Decoded& expected, int64_t step, int64_t m) {
    const std::vector<int32_t> tokens = attention_.tokens(m);
    if (tokens != expected.tokens || attention_.hidden(m) != expected.hidden ||
        attention_.gain(m) != expected.gain) {
      std::fprintf(stderr,
                   "FAILED: attention worker %d, step %d, micro batch %d is not what one process "
                   "computes\n",
                   static_cast<int>(pipeline_.rank), static_cast<int>(step), static_cast<int>(m));
      std::exit(EXIT_FAILURE);
    }
    if (!pipeline_.log) return;
    std::string line = "step " + std::to_string(step) + " " + std::to_string(m) + ":";
    for (int32_t token : tokens) line += " " + std::to_string(token);
    std::puts(line.c_str());
    std::fflush(stdout);
  }

  const Pipeline& pipeline_;
  const aclrtStream stream_;
  Attention attention_;
  AttentionWindow window_;
  const DeviceTensor table_, session_, sums_, next_layer_;
  const IntArray info_shape_, data_shape_, flags_shape_;
  Clock clock_;
  Figures figures_;
};

}  // namespace

Figures RunAttentionWorker(const Pipeline& pipeline, const std::vector<Decoded>& alone) {
  return Worker(pipeline).Run(alone);
}
