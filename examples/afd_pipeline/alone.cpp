// SPDX-License-Identifier: Apache-2.0
// The decoder in one process: rows go to the experts by a sort and come back by a copy.
#include "aclnnop/aclnn_attention_worker_combine.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_index_select.h"
#include "pipeline.h"

namespace {

// Which row of a micro batch (token * kRows + place among the token's rows) each expert gets, and
// after which one each expert's rows end.
struct Order {
  std::vector<int64_t> rows;
  std::vector<int64_t> ends;
};

Order OrderByExpert(const std::vector<int32_t>& chosen) {
  Order order;
  for (int64_t expert = 0; expert < kExperts; ++expert) {
    for (int64_t row = 0; row < kIds; ++row) {
      const int64_t place = row % kRows;
      const int64_t wanted = place < kChosen
                                 ? chosen[static_cast<size_t>(row / kRows * kChosen + place)]
                                 : kRouted + place - kChosen;
      if (wanted == expert) order.rows.push_back(row);
    }
    order.ends.push_back(static_cast<int64_t>(order.rows.size()));
  }
  return order;
}

}  // namespace

std::vector<Decoded> DecodeAlone(int64_t worker, int64_t steps, aclrtStream stream) {
  Attention attention(worker, stream);
  std::vector<int64_t> all;
  for (int64_t e = 0; e < kExperts; ++e) all.push_back(e);
  Experts experts(all, kIds, stream);
  // Sums are made by the pipeline's operator, which reads the rows where FFN workers would put
  // them.
  const AttentionWindow window;
  const DeviceTensor x(ACL_FLOAT16, {kIds, kHidden}), sums(ACL_FLOAT16, {kTokens, kHidden});
  const DeviceTensor tokens(ACL_INT64, {kIds}), rows(ACL_INT64, {kIds});
  const DeviceTensor layer_id(ACL_INT32, {1}), next_layer(ACL_INT32, {1});

  std::vector<Decoded> decoded;
  for (int64_t step = 0; step < steps; ++step) {
    for (int64_t m = 0; m < kMicroBatches; ++m) {
      const auto id = static_cast<uint32_t>(m);
      Check(aclrtMemcpy(static_cast<char*>(window.context().data()) +
                            offsetof(ScheduleContext, attention.micro_batch_id),
                        4, &id, 4, ACL_MEMCPY_HOST_TO_DEVICE),
            "aclrtMemcpy of micro_batch_id");
      const View places(window.Rows(m), ACL_FLOAT16, {kIds, kHidden});
      attention.Begin(m, step);
      for (int64_t layer = 0; layer < kLayers; ++layer) {
        attention.Attend(m, layer);
        const Order order = OrderByExpert(attention.experts(m).Download<int32_t>());
        std::vector<int64_t> sources;
        for (int64_t row : order.rows) sources.push_back(row / kRows);
        Upload(tokens, sources);
        Upload(rows, order.rows);
        Upload(layer_id, std::vector<int32_t>{static_cast<int32_t>(layer)});
        CALL(stream, aclnnIndexSelect, attention.rows(m).get(), 0, tokens.get(), x.get());
        const DeviceTensor& y = experts.Compute(layer, x, order.ends);
        CALL(stream, aclnnInplaceIndexCopy, places.get(), 0, rows.get(), y.get());
        CALL(stream, aclnnAttentionWorkerCombine, window.context().get(),
             attention.weights(m).get(), layer_id.get(), kHidden, 0, 0, sums.get(),
             next_layer.get());
        attention.Add(m, sums);
      }
      attention.Choose(m);
      const double before = attention.Entropy(m);
      attention.Adapt(m);
      const double after = attention.Entropy(m);
      if (!(after < before)) {
        std::fprintf(stderr,
                     "FAILED: step %d: the entropy of what follows is %f, expected below %f\n",
                     static_cast<int>(step), after, before);
        std::exit(EXIT_FAILURE);
      }
      decoded.push_back({attention.tokens(m), attention.hidden(m), attention.gain(m)});
    }
  }
  return decoded;
}
